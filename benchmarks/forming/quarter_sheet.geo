// A quarter of a round sheet: a core of n x n cells, two rings of n x m cells
// around it, `layers` cells through the thickness.
DefineConstant[
  n = {10, Name "n"}, m = {15, Name "m"}, layers = {2, Name "layers"},
  radius = {59.18, Name "radius"}, thickness = {0.85, Name "thickness"}
];
low = -thickness / 2;
side = 0.45 * radius;
corner = 0.38 * radius;
rim = radius * Sqrt(0.5);
Point(1) = {0, 0, low};
Point(2) = {side, 0, low};
Point(3) = {corner, corner, low};
Point(4) = {0, side, low};
Point(5) = {radius, 0, low};
Point(6) = {rim, rim, low};
Point(7) = {0, radius, low};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Line(5) = {2, 5};
Line(6) = {3, 6};
Line(7) = {4, 7};
Circle(8) = {5, 1, 6};
Circle(9) = {6, 1, 7};
Curve Loop(1) = {1, 2, 3, 4};
Curve Loop(2) = {5, 8, -6, -2};
Curve Loop(3) = {6, 9, -7, -3};
Plane Surface(1) = {1};
Plane Surface(2) = {2};
Plane Surface(3) = {3};
Transfinite Curve {1, 2, 3, 4, 8, 9} = n + 1;
Transfinite Curve {5, 6, 7} = m + 1;
Transfinite Surface {1, 2, 3};
Recombine Surface {1, 2, 3};
core[] = Extrude {0, 0, thickness} { Surface{1}; Layers{layers}; Recombine; };
right[] = Extrude {0, 0, thickness} { Surface{2}; Layers{layers}; Recombine; };
left[] = Extrude {0, 0, thickness} { Surface{3}; Layers{layers}; Recombine; };
Physical Volume("sheet") = {core[1], right[1], left[1]};
Physical Surface("bottom") = {1, 2, 3};
Physical Surface("top") = {core[0], right[0], left[0]};
Physical Surface("y0") = {core[2], right[2]};
Physical Surface("x0") = {core[5], left[4]};
Physical Surface("rim") = {right[3], left[3]};

// A quarter of a round rod along z, x >= 0 and y >= 0, from z = 0: hexahedra, a square of
// n x n cells in the middle and m layers around it.
// Body: "rod". Surfaces: "bottom" (z = 0), "top", "side", "plane_x" (x = 0), "plane_y".
//
// Numbers that can be set from a parameter file:
DefineConstant[
  radius = {1, Min 1e-9, Name "Geometry/radius"},
  length = {5, Min 1e-9, Name "Geometry/length"},
  core = {0.55, Min 0.1, Max 0.9, Name "Geometry/side of the square, in radii"},
  n = {3, Min 1, Step 1, Name "Mesh/cells along the square's side"},
  m = {3, Min 1, Step 1, Name "Mesh/layers around it"},
  nz = {20, Min 1, Step 1, Name "Mesh/cells along the rod"}
];

a = core * radius;
d = 0.9 * a;
r = radius * Sqrt(0.5);
Point(1) = {0, 0, 0};
Point(2) = {a, 0, 0};
Point(3) = {d, d, 0};
Point(4) = {0, a, 0};
Point(5) = {radius, 0, 0};
Point(6) = {r, r, 0};
Point(7) = {0, radius, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {4, 3};
Line(4) = {1, 4};
Line(5) = {2, 5};
Line(6) = {3, 6};
Line(7) = {4, 7};
Circle(8) = {5, 1, 6};
Circle(9) = {7, 1, 6};
Curve Loop(1) = {1, 2, -3, -4};
Curve Loop(2) = {5, 8, -6, -2};
Curve Loop(3) = {3, 6, -9, -7};
Plane Surface(1) = {1};
Plane Surface(2) = {2};
Plane Surface(3) = {3};
Transfinite Curve {1, 2, 3, 4, 8, 9} = n + 1;
Transfinite Curve {5, 6, 7} = m + 1;
Transfinite Surface {1, 2, 3};
Recombine Surface {1, 2, 3};

// Of each: top, volume, then the sides over the curves of its loop.
s1[] = Extrude {0, 0, length} { Surface{1}; Layers{nz}; Recombine; };
s2[] = Extrude {0, 0, length} { Surface{2}; Layers{nz}; Recombine; };
s3[] = Extrude {0, 0, length} { Surface{3}; Layers{nz}; Recombine; };
Physical Volume("rod") = {s1[1], s2[1], s3[1]};
Physical Surface("bottom") = {1, 2, 3};
Physical Surface("top") = {s1[0], s2[0], s3[0]};
Physical Surface("plane_y") = {s1[2], s2[2]};
Physical Surface("plane_x") = {s1[5], s3[5]};
Physical Surface("side") = {s2[3], s3[4]};

// A block on the plane y = 0, x >= 0, held at mid-height by a horizontal strip that
// ends at x = -strip_length. Body: "block". Surfaces: "anchor" (the strip's end), "base".
//
// Numbers that can be set from a parameter file:
DefineConstant[
  length = {0.4, Min 1e-9, Name "Geometry/length of the block"},
  height = {0.1, Min 1e-9, Name "Geometry/height of the block"},
  strip_length = {1, Min 1e-9, Name "Geometry/length of the strip"},
  strip_height = {2e-4, Min 1e-9, Name "Geometry/height of the strip"},
  size = {0.05, Min 1e-9, Name "Mesh/size of the cells of the block"},
  ns = {200, Min 1, Step 1, Name "Mesh/cells along the strip"}
];

y1 = 0.5 * (height - strip_height);
y2 = 0.5 * (height + strip_height);
Point(1) = {0, 0, 0, size};
Point(2) = {length, 0, 0, size};
Point(3) = {length, height, 0, size};
Point(4) = {0, height, 0, size};
Point(5) = {0, y2, 0, strip_height};
Point(6) = {0, y1, 0, strip_height};
Point(7) = {-strip_length, y1, 0};
Point(8) = {-strip_length, y2, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 5};
Line(5) = {5, 6};
Line(6) = {6, 1};
Line(7) = {7, 6};
Line(8) = {5, 8};
Line(9) = {8, 7};
Curve Loop(1) = {1, 2, 3, 4, 5, 6};
Curve Loop(2) = {7, -5, 8, 9};
Plane Surface(1) = {1};
Plane Surface(2) = {2};
Transfinite Curve {7, 8} = ns + 1;
Transfinite Curve {5, 9} = 2;
Transfinite Surface {2};

Physical Surface("block") = {1, 2};
Physical Curve("base") = {1};
Physical Curve("anchor") = {9};

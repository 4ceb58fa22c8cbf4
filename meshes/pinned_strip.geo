// A strip along x, quadrilaterals, with a small part in the middle of its right end
// that can be held without keeping the end from turning.
// Body: "strip". Surfaces: "left", "bottom", "top", "pin".
//
// Numbers that can be set from a parameter file:
DefineConstant[
  length = {10, Min 1e-9, Name "Geometry/length"},
  thickness = {1, Min 1e-9, Name "Geometry/thickness"},
  n = {60, Min 1, Step 1, Name "Mesh/cells along"},
  m = {3, Min 1, Step 1, Name "Mesh/cells across, above and below the pin"}
];

// Two points that stay on one line along x resist turning in the third power of the
// angle, and the square of their distance.
h = thickness / 50;
y[] = {0, (thickness - h) / 2, (thickness + h) / 2, thickness};
For i In {0:3}
  Point(1 + i) = {0, y[i], 0};
  Point(11 + i) = {length, y[i], 0};
  Line(21 + i) = {1 + i, 11 + i};
EndFor
Transfinite Curve {21:24} = n + 1;
For i In {0:2}
  Line(31 + i) = {1 + i, 2 + i};
  Line(41 + i) = {11 + i, 12 + i};
  Transfinite Curve {31 + i, 41 + i} = (i == 1 ? 1 : m) + 1;
  Curve Loop(1 + i) = {21 + i, 41 + i, -(22 + i), -(31 + i)};
  Plane Surface(1 + i) = {1 + i};
  Transfinite Surface {1 + i};
  Recombine Surface {1 + i};
EndFor

Physical Surface("strip") = {1:3};
Physical Curve("left") = {31:33};
Physical Curve("bottom") = {21};
Physical Curve("top") = {24};
Physical Curve("pin") = {42};

// Two rectangular blocks, "lower" and "upper", the second standing on the first
// with nodes of its own: they touch without being glued.
// Surfaces: lower_bottom, lower_top, lower_left, lower_right, and the same for
// upper.
//
// Numbers that can be set from a parameter file:
DefineConstant[
  length = {1.0, Min 1e-9, Name "Geometry/length of the lower block"},
  height = {0.5, Min 1e-9, Name "Geometry/height of each block"},
  upper_length = {0.6, Min 1e-9, Name "Geometry/length of the upper block"},
  gap = {0, Name "Geometry/gap between the blocks"},
  nx = {8, Min 1, Step 1, Name "Mesh/cells along the lower block"},
  ny = {4, Min 1, Step 1, Name "Mesh/cells over the height of a block"},
  quadrilaterals = {0, Choices {0, 1}, Name "Mesh/quadrilaterals"}
];

Macro MakeBlock
  // Rectangle of size (bx, by) with its lower left corner at (x0, y0).
  p = newp;
  Point(p) = {x0, y0, 0};
  Point(p + 1) = {x0 + bx, y0, 0};
  Point(p + 2) = {x0 + bx, y0 + by, 0};
  Point(p + 3) = {x0, y0 + by, 0};
  l = newl;
  Line(l) = {p, p + 1};
  Line(l + 1) = {p + 1, p + 2};
  Line(l + 2) = {p + 2, p + 3};
  Line(l + 3) = {p + 3, p};
  c = newll;
  Curve Loop(c) = {l, l + 1, l + 2, l + 3};
  s = news;
  Plane Surface(s) = {c};
  Transfinite Curve {l, l + 2} = n + 1;
  Transfinite Curve {l + 1, l + 3} = ny + 1;
  Transfinite Surface {s};
  If (quadrilaterals)
    Recombine Surface {s};
  EndIf
Return

x0 = 0; y0 = 0; bx = length; by = height; n = nx;
Call MakeBlock;
Physical Surface("lower") = {s};
Physical Curve("lower_bottom") = {l};
Physical Curve("lower_right") = {l + 1};
Physical Curve("lower_top") = {l + 2};
Physical Curve("lower_left") = {l + 3};

// A number of cells that does not match: nodes do not sit on nodes.
x0 = 0.5 * (length - upper_length); y0 = height + gap;
bx = upper_length; n = Ceil(nx * upper_length / length) + 1;
Call MakeBlock;
Physical Surface("upper") = {s};
Physical Curve("upper_bottom") = {l};
Physical Curve("upper_right") = {l + 1};
Physical Curve("upper_top") = {l + 2};
Physical Curve("upper_left") = {l + 3};

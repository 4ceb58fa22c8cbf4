// A bar along y from y = 0, plane or one half of an axisymmetric section (x is the
// radius), whose radius changes linearly: quadrilaterals, larger towards the far end.
// Body: "bar". Surfaces: "axis" (x = 0), "side", "bottom" (y = 0), "top".
//
// Numbers that can be set from a parameter file:
DefineConstant[
  radius = {1, Min 1e-9, Name "Geometry/radius at y = 0"},
  end_radius = {1, Min 1e-9, Name "Geometry/radius at the far end"},
  length = {5, Min 1e-9, Name "Geometry/length"},
  nx = {5, Min 1, Step 1, Name "Mesh/cells along the radius"},
  ny = {25, Min 1, Step 1, Name "Mesh/cells along the axis"},
  ratio = {1, Min 1e-3, Name "Mesh/last cell along the axis over the first"}
];

q = ratio ^ (1 / (ny > 1 ? ny - 1 : 1));
Point(1) = {0, 0, 0};
Point(2) = {radius, 0, 0};
Point(3) = {end_radius, length, 0};
Point(4) = {0, length, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {4, 3};
Line(4) = {1, 4};
Curve Loop(1) = {1, 2, -3, -4};
Plane Surface(1) = {1};
Transfinite Curve {1, 3} = nx + 1;
Transfinite Curve {2, 4} = ny + 1 Using Progression q;
Transfinite Surface {1};
Recombine Surface {1};

Physical Surface("bar") = {1};
Physical Curve("bottom") = {1};
Physical Curve("side") = {2};
Physical Curve("top") = {3};
Physical Curve("axis") = {4};

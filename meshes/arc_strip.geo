// A strip of constant thickness along an arc about the origin, from the x axis
// counter-clockwise. Body: "strip". Surfaces: "inside", "outside", "start" (on the x axis)
// and "end".
//
// Numbers that can be set from a parameter file:
DefineConstant[
  radius = {1, Min 1e-9, Name "Geometry/inner radius"},
  thickness = {0.01, Min 1e-9, Name "Geometry/thickness"},
  angle = {90, Min 1, Max 170, Name "Geometry/angle in degrees"},
  n = {80, Min 1, Step 1, Name "Mesh/cells along the arc"},
  m = {2, Min 1, Step 1, Name "Mesh/cells across"}
];

outer = radius + thickness;
phi = angle * Pi / 180;
Point(1) = {0, 0, 0};
Point(2) = {radius, 0, 0};
Point(3) = {outer, 0, 0};
Point(4) = {outer * Cos(phi), outer * Sin(phi), 0};
Point(5) = {radius * Cos(phi), radius * Sin(phi), 0};
Line(1) = {2, 3};
Circle(2) = {3, 1, 4};
Line(3) = {4, 5};
Circle(4) = {5, 1, 2};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve {1, 3} = m + 1;
Transfinite Curve {2, 4} = n + 1;
Transfinite Surface {1};
Recombine Surface {1};

Physical Surface("strip") = {1};
Physical Curve("start") = {1};
Physical Curve("outside") = {2};
Physical Curve("end") = {3};
Physical Curve("inside") = {4};

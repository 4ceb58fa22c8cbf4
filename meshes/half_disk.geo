// The half of a disk next to its lowest point, which is the origin: the disk (x - 0)^2 +
// (y - radius)^2 < radius^2 below y = radius, or its mirror image below y = 0; whole or
// its part x >= 0 only (axisymmetric: half of a sphere), which may also be closed to the
// half of the disk beside the axis. Cells of size h in the contact zone |x| < cap, growing
// with the distance from it.
// Body: "disk". Surfaces: "contact" (the arc |x| < cap), "free" (the rest of it), "flat"
// (unless closed) and, for the right part only, "axis".
//
// Numbers that can be set from a parameter file:
DefineConstant[
  radius = {1, Min 1e-9, Name "Geometry/radius"},
  cap = {0.1, Min 1e-9, Name "Geometry/half length of the contact zone"},
  whole = {0, Choices {0, 1}, Name "Geometry/both sides of the axis"},
  closed = {0, Choices {0, 1}, Name "Geometry/right part only: with the far half"},
  below = {0, Choices {0, 1}, Name "Geometry/mirrored, below y = 0"},
  h = {0.01, Min 1e-9, Name "Mesh/size in the contact zone"},
  growth = {0.25, Min 0, Name "Mesh/growth of the size with the distance"},
  largest = {0.2, Min 1e-9, Name "Mesh/largest size, in radii"}
];

s = below ? -1 : 1;
angle = Asin(cap / radius);
n = Ceil(radius * angle / h);
Point(1) = {0, 0, 0};
Point(2) = {0, s * radius, 0};
Point(3) = {cap, s * radius * (1 - Cos(angle)), 0};
Point(4) = {radius, s * radius, 0};
Circle(1) = {1, 2, 3};
Circle(2) = {3, 2, 4};
Transfinite Curve {1} = n + 1;
If (closed)
  Point(5) = {0, 2 * s * radius, 0};
  Circle(3) = {4, 2, 5};
  Line(4) = {5, 1};
  Curve Loop(1) = {1, 2, 3, 4};
  Physical Curve("contact") = {1};
  Physical Curve("free") = {2, 3};
  Physical Curve("axis") = {4};
ElseIf (whole)
  Line(3) = {4, 2};
  Point(5) = {-cap, s * radius * (1 - Cos(angle)), 0};
  Point(6) = {-radius, s * radius, 0};
  Circle(4) = {5, 2, 1};
  Circle(5) = {6, 2, 5};
  Line(6) = {2, 6};
  Transfinite Curve {4} = n + 1;
  Curve Loop(1) = {1, 2, 3, 6, 5, 4};
  Physical Curve("contact") = {4, 1};
  Physical Curve("free") = {5, 2};
  Physical Curve("flat") = {3, 6};
Else
  Line(3) = {4, 2};
  Line(4) = {2, 1};
  Curve Loop(1) = {1, 2, 3, 4};
  Physical Curve("contact") = {1};
  Physical Curve("free") = {2};
  Physical Curve("flat") = {3};
  Physical Curve("axis") = {4};
EndIf
Plane Surface(1) = {1};
Physical Surface("disk") = {1};

Field[1] = Distance;
Field[1].NodesList = {1};
Field[2] = Threshold;
Field[2].IField = 1;
Field[2].LcMin = h;
Field[2].LcMax = largest * radius;
Field[2].DistMin = 1.2 * cap;
Field[2].DistMax = 1.2 * cap + (largest * radius - h) / growth;
Background Field = 2;
Mesh.CharacteristicLengthExtendFromBoundary = 0;
Mesh.CharacteristicLengthFromPoints = 0;

// A block below y = 0, |x| < width, y > -depth, whole or its part x >= 0 only. Cells of
// size h in the contact zone |x| < cap of its top, growing with the distance from it.
// Body: "block". Surfaces: "contact" (the top, |x| < cap), "top" (the rest of it), "side",
// "bottom" and, for the right part only, "axis".
//
// Numbers that can be set from a parameter file:
DefineConstant[
  width = {1, Min 1e-9, Name "Geometry/half width"},
  depth = {1, Min 1e-9, Name "Geometry/depth"},
  cap = {0.1, Min 1e-9, Name "Geometry/half length of the contact zone"},
  whole = {0, Choices {0, 1}, Name "Geometry/both sides of the axis"},
  h = {0.01, Min 1e-9, Name "Mesh/size in the contact zone"},
  growth = {0.25, Min 0, Name "Mesh/growth of the size with the distance"},
  largest = {0.2, Min 1e-9, Name "Mesh/largest size, in widths"}
];

n = Ceil(cap / h);
Point(1) = {0, 0, 0};
Point(2) = {cap, 0, 0};
Point(3) = {width, 0, 0};
Point(4) = {width, -depth, 0};
Line(1) = {2, 1};
Line(2) = {3, 2};
Line(3) = {4, 3};
Transfinite Curve {1} = n + 1;
If (whole)
  Point(5) = {-cap, 0, 0};
  Point(6) = {-width, 0, 0};
  Point(7) = {-width, -depth, 0};
  Line(4) = {1, 5};
  Line(5) = {5, 6};
  Line(6) = {6, 7};
  Line(7) = {7, 4};
  Transfinite Curve {4} = n + 1;
  Curve Loop(1) = {7, 3, 2, 1, 4, 5, 6};
  Physical Curve("contact") = {1, 4};
  Physical Curve("top") = {2, 5};
  Physical Curve("side") = {3, 6};
  Physical Curve("bottom") = {7};
Else
  Point(5) = {0, -depth, 0};
  Line(4) = {1, 5};
  Line(5) = {5, 4};
  Curve Loop(1) = {5, 3, 2, 1, 4};
  Physical Curve("contact") = {1};
  Physical Curve("top") = {2};
  Physical Curve("side") = {3};
  Physical Curve("bottom") = {5};
  Physical Curve("axis") = {4};
EndIf
Plane Surface(1) = {1};
Physical Surface("block") = {1};

Field[1] = Distance;
Field[1].NodesList = {1};
Field[2] = Threshold;
Field[2].IField = 1;
Field[2].LcMin = h;
Field[2].LcMax = largest * width;
Field[2].DistMin = 1.2 * cap;
Field[2].DistMax = 1.2 * cap + (largest * width - h) / growth;
Background Field = 2;
Mesh.CharacteristicLengthExtendFromBoundary = 0;
Mesh.CharacteristicLengthFromPoints = 0;

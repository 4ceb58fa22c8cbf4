// A bar along x, plane (depth = 0) or solid (depth > 0).
// Body: "bar". Surfaces: "left", "right" (the ends) and "side" (the rest).
//
// Numbers that can be set from a parameter file:
DefineConstant[
  length = {10, Min 1e-9, Name "Geometry/length"},
  height = {1, Min 1e-9, Name "Geometry/height"},
  depth = {0, Min 0, Name "Geometry/depth, 0 for a plane bar"},
  nx = {100, Min 1, Step 1, Name "Mesh/cells along x"},
  ny = {2, Min 1, Step 1, Name "Mesh/cells over the height"},
  nz = {2, Min 1, Step 1, Name "Mesh/cells over the depth"},
  tensor = {1, Choices {0, 1}, Name "Mesh/Q4 or H8 (1), T3 or Tet4 (0)"}
];

Point(1) = {0, 0, 0};
Point(2) = {length, 0, 0};
Point(3) = {length, height, 0};
Point(4) = {0, height, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve {1, 3} = nx + 1;
Transfinite Curve {2, 4} = ny + 1;
Transfinite Surface {1};
If (tensor)
  Recombine Surface {1};
EndIf

If (depth > 0)
  If (tensor)
    solid[] = Extrude {0, 0, depth} { Surface{1}; Layers{nz}; Recombine; };
  Else
    solid[] = Extrude {0, 0, depth} { Surface{1}; Layers{nz}; };
  EndIf
  // solid = top, volume, then the sides over the curves 1, 2, 3, 4.
  Physical Volume("bar") = {solid[1]};
  Physical Surface("left") = {solid[5]};
  Physical Surface("right") = {solid[3]};
  Physical Surface("side") = {1, solid[0], solid[2], solid[4]};
Else
  Physical Surface("bar") = {1};
  Physical Curve("left") = {4};
  Physical Curve("right") = {2};
  Physical Curve("side") = {1, 3};
EndIf

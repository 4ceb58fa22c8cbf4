// A block with a graded mesh, in two or three dimensions.
SetFactory("OpenCASCADE");
DefineConstant[ n = {4, Min 1, Name "Mesh/n"}, depth = 0, h = 0.1 ];
If (!Exists(length))
  length = 1;
EndIf
/* Points
   and lines. */
For k In {0:3}
  a = 90 * k * Pi / 180;
  Point(10 + k) = {length * Cos(a), length * Sin(a), 0, h};
  all[] += 10 + k;
EndFor
For k In {0:3}
  Line(20 + k) = {10 + k, 10 + (k + 1) % 4};
EndFor
Macro Close
  loop = newll;
  Curve Loop(loop) = {20, 21, 22, 23};
  Plane Surface(1) = {loop};
Return
Call Close;
Transfinite Curve {20, 22} = n + 1 Using Progression 1.1;
Field[1] = MathEval;
Field[1].F = "0.1 + 0.05*x";
Background Field = 1;
If (depth > 0)
  v[] = Extrude {0, 0, depth} { Surface{1}; Layers{n}; Recombine; };
  Physical Volume("block") = {v[1]};
Else
  Physical Surface("block") = {1};
  Printf("%g cells along", n);
EndIf
Mesh.CharacteristicLengthMax = h;

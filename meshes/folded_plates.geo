// Plates that are joined at a fold: (x, y) of their profile, extruded along z.
// shape = 0: a roof of two plates; shape = 1: a wall with a plate at its top.
DefineConstant[ shape = 0, n = 16 ];
If(shape == 0)
  x[] = {0, 1, 2};
  y[] = {0, 0.1, 0};
Else
  x[] = {1, 1, 0};
  y[] = {-1, 0, 0};
EndIf
For i In {0:2}
  Point(i + 1) = {x[i], y[i], 0};
EndFor
Line(1) = {1, 2};
Line(2) = {2, 3};
Transfinite Curve {1, 2} = n + 1;
first[]  = Extrude {0, 0, 1} { Curve{1}; Layers{n}; Recombine; };
second[] = Extrude {0, 0, 1} { Curve{2}; Layers{n}; Recombine; };
Physical Surface("first")  = {first[1]};
Physical Surface("second") = {second[1]};
Physical Curve("begin") = {first[3]};
Physical Curve("end")   = {second[2]};
Physical Curve("fold")  = {first[2]};

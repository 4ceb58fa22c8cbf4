// A strip along x, across y at its beginning, that is turned about x along its
// length: quadrilaterals for shells. Body: "strip". Edges: "begin", "end".
//
// Numbers that can be set from a parameter file:
DefineConstant[
  length = {12, Min 1e-9, Name "Geometry/length"},
  width = {1.1, Min 1e-9, Name "Geometry/width"},
  angle = {90, Min 1e-9, Max 179, Name "Geometry/angle of the end, degrees"},
  n = {48, Min 1, Step 1, Name "Mesh/cells along"},
  m = {8, Min 1, Step 1, Name "Mesh/cells across"}
];

Point(1) = {0, -width / 2, 0};
Point(2) = {0, width / 2, 0};
Line(1) = {1, 2};
Transfinite Curve {1} = m + 1;
strip[] = Extrude {{length, 0, 0}, {1, 0, 0}, {0, 0, 0}, angle * Pi / 180} {
  Curve{1}; Layers{n}; Recombine;
};

Physical Surface("strip") = {strip[1]};
Physical Curve("begin") = {1};
Physical Curve("end") = {strip[0]};

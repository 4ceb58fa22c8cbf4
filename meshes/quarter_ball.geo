// A quarter (x >= 0, y >= 0) of the lower half of a ball whose lowest point is the
// origin. Tetrahedra of size h in the contact zone, which is the cap of radius cap, growing
// with the distance from it.
// Body: "ball". Surfaces: "contact" (the cap), "free" (the rest of the sphere), "flat" (at
// the equator), "side_x" (x = 0) and "side_y" (y = 0).
//
// Numbers that can be set from a parameter file:
DefineConstant[
  radius = {1, Min 1e-9, Name "Geometry/radius"},
  cap = {0.1, Min 1e-9, Name "Geometry/radius of the contact zone"},
  h = {0.01, Min 1e-9, Name "Mesh/size in the contact zone"},
  growth = {0.35, Min 0, Name "Mesh/growth of the size with the distance"},
  largest = {0.3, Min 1e-9, Name "Mesh/largest size, in radii"}
];

z = radius - Sqrt(radius^2 - cap^2);
Point(1) = {0, 0, 0};
Point(2) = {0, 0, radius};
Point(3) = {cap, 0, z};
Point(4) = {0, cap, z};
Point(5) = {radius, 0, radius};
Point(6) = {0, radius, radius};
Point(7) = {0, 0, z};
Circle(1) = {1, 2, 3};
Circle(2) = {3, 7, 4};
Circle(3) = {4, 2, 1};
Circle(4) = {3, 2, 5};
Circle(5) = {5, 2, 6};
Circle(6) = {6, 2, 4};
Line(7) = {2, 1};
Line(8) = {5, 2};
Line(9) = {6, 2};
Curve Loop(1) = {1, 2, 3};
Surface(1) = {1} In Sphere {2};
Curve Loop(2) = {4, 5, 6, -2};
Surface(2) = {2} In Sphere {2};
Curve Loop(3) = {1, 4, 8, 7};
Plane Surface(3) = {3};
Curve Loop(4) = {-3, -6, 9, 7};
Plane Surface(4) = {4};
Curve Loop(5) = {5, 9, -8};
Plane Surface(5) = {5};
Surface Loop(1) = {1, 2, 3, 4, 5};
Volume(1) = {1};

Physical Volume("ball") = {1};
Physical Surface("contact") = {1};
Physical Surface("free") = {2};
Physical Surface("flat") = {5};
Physical Surface("side_y") = {3};
Physical Surface("side_x") = {4};

Field[1] = Distance;
Field[1].NodesList = {1};
Field[2] = Threshold;
Field[2].IField = 1;
Field[2].LcMin = h;
Field[2].LcMax = largest * radius;
Field[2].DistMin = cap;
Field[2].DistMax = cap + (largest * radius - h) / growth;
Background Field = 2;
Mesh.CharacteristicLengthExtendFromBoundary = 0;
Mesh.CharacteristicLengthFromPoints = 0;

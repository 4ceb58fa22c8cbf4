// Reference problems of linear shells: deflection over its reference, from one
// correction from rest.
#include "statics.h"

using namespace sheets;

namespace
{
Tensor<1, 3> vector(const double x, const double y, const double z)
{
  Tensor<1, 3> v;
  v[0] = x, v[1] = y, v[2] = z;
  return v;
}

/// Of the two nodes of a place of the sheet: n that of the inner face.
Tensor<1, 3> middle(const Statics &statics, const unsigned int n)
{
  const unsigned int layer = statics.body->n_nodes() / 2;
  return 0.5 * (statics.displacement(n) + statics.displacement(n + layer));
}
void add_to_both(Statics &statics, const unsigned int n, const Tensor<1, 3> &f)
{
  statics.add_force(n, 0.5 * f);
  statics.add_force(n + statics.body->n_nodes() / 2, 0.5 * f);
}

MeshData<3> cylinder(const unsigned int n,
                     const double R,
                     const double length,
                     const double from,
                     const double to,
                     const double t,
                     const double distortion = 0.,
                     unsigned int n_along    = 0)
{
  return sheet_grid(
      n,
      n_along > 0 ? n_along : n,
      [=](const double u, const double v, const double zeta)
      {
        const double phi = from + u * (to - from), r = R + 0.5 * t * zeta;
        return Point<3>(r * std::cos(phi), r * std::sin(phi), v * length);
      },
      distortion);
}

double scordelis_lo(const unsigned int n, const double distortion = 0.)
{
  const double R = 25., t = 0.25;
  Statics s(cylinder(n, R, 25., pi * 5. / 18., 0.5 * pi, t, distortion),
            elastic(4.32e8, 0., 90. / t));
  s.hold([](const Point<3> &x) { return x[2] < 1e-9; }, { 0, 1 });
  s.hold([](const Point<3> &x) { return x[2] > 25. - 1e-9; }, { 2 });
  s.hold([](const Point<3> &x) { return x[0] < 1e-9; }, { 0 });
  s.add_weight(vector(0., -1., 0.));
  s.linear();
  return -middle(s, n * (n + 1))[1] / 0.3024;
}

double pinched_cylinder(const unsigned int n)
{
  const double R = 300.;
  Statics s(cylinder(n, R, 300., 0., 0.5 * pi, 3.), elastic(3e6, 0.3));
  s.hold([](const Point<3> &x) { return x[2] < 1e-9; }, { 0, 1 });
  s.hold([](const Point<3> &x) { return x[2] > 300. - 1e-9; }, { 2 });
  s.hold([](const Point<3> &x) { return x[0] < 1e-9; }, { 0 });
  s.hold([](const Point<3> &x) { return x[1] < 1e-9; }, { 1 });
  const unsigned int node = n + n * (n + 1);
  add_to_both(s, node, vector(0., -0.25, 0.));
  s.linear();
  return -middle(s, node)[1] / 1.8248e-5;
}

double hemisphere(const unsigned int n, const double t, const double distortion)
{
  const double R = 10., P = t > 0.01 ? 1. : 1e-3;
  Statics s(sheet_grid(
                n,
                n,
                [=](const double u, const double v, const double zeta)
                {
                  const double phi = 0.5 * pi * u, up = v * 0.4 * pi;
                  const double r = R + 0.5 * t * zeta;
                  return Point<3>(r * std::cos(up) * std::cos(phi),
                                  r * std::cos(up) * std::sin(phi),
                                  r * std::sin(up));
                },
                distortion),
            elastic(6.825e7, 0.3));
  s.hold([](const Point<3> &x) { return x[0] < 1e-9; }, { 0 });
  s.hold([](const Point<3> &x) { return x[1] < 1e-9; }, { 1 });
  s.held[2] = true;
  add_to_both(s, 0, vector(P, 0., 0.));
  add_to_both(s, n, vector(0., -P, 0.));
  s.linear();
  return middle(s, 0)[0] / 0.093;
}

double twisted_beam(const unsigned int n_across,
                    const unsigned int n_along,
                    const bool in_plane,
                    const bool thick = true)
{
  const double t = thick ? 0.32 : 0.0032, P = thick ? 1. : 1e-6;
  Statics s(sheet_grid(n_along,
                       n_across,
                       [=](const double u, const double v, const double zeta)
                       {
                         const double y = (v - 0.5) * 1.1, phi = 0.5 * pi * u,
                                      c = std::cos(phi), sn = std::sin(phi),
                                      rate = y * pi / 24.;
                         // x_u x x_v of (x, y cos phi, y sin phi)
                         Tensor<1, 3> normal =
                             cross_product_3d(vector(1., -rate * sn, rate * c),
                                              vector(0., c, sn));
                         normal /= normal.norm();
                         return Point<3>(12. * u, y * c, y * sn) +
                                0.5 * t * zeta * normal;
                       }),
            elastic(29e6, 0.22));
  // Normals at the clamped end lean.
  const unsigned int row = n_along + 1, layer = row * (n_across + 1);
  for (unsigned int j = 0; j <= n_across; ++j)
    for (unsigned int c = 0; c < 3; ++c)
      s.held[3 * j * row + c] = s.held[3 * (j * row + layer) + c] = true;
  for (unsigned int j = 0; j <= n_across; ++j)
  {
    const double share = P * (j == 0 || j == n_across ? 0.5 : 1.) / n_across;
    add_to_both(s,
                n_along + j * row,
                in_plane ? vector(0., 0., share) : vector(0., share, 0.));
  }
  s.linear();
  const auto u = middle(s, n_along + n_across / 2 * row);
  return in_plane ? u[2] / (thick ? 5.424e-3 : 5.256e-3)
                  : u[1] / (thick ? 1.754e-3 : 1.294e-3);
}

/// A cantilever in its plane, 10 x 1 cells, sheared at its end; over
/// Timoshenko's deflection.
double bending_in_plane()
{
  const double L = 10., E = 1e4, t = 0.1;
  Statics s(sheet_grid(10,
                       1,
                       [=](const double u, const double v, const double zeta)
                       { return Point<3>(L * u, v, 0.5 * t * zeta); }),
            elastic(E, 0.));
  s.hold([](const Point<3> &x) { return x[0] < 1e-9; }, { 0, 1, 2 });
  for (const unsigned int n : { 10u, 21u })
    add_to_both(s, n, vector(0., 5e-6, 0.));
  s.linear();
  const double I = t / 12.;
  return middle(s, 10)[1] /
         (1e-5 * (L * L * L / (3. * E * I) + L / (5. / 6. * 0.5 * E * t)));
}

/// A clamped square plate under its weight, a quarter; over Kirchhoff's.
double clamped_plate(const unsigned int n, const double distortion)
{
  const double t = 0.02, E = 2e11, nu = 0.3, q = 1e5;
  Statics s(sheet_grid(
                n,
                n,
                [=](const double u, const double v, const double zeta)
                { return Point<3>(0.5 * u, 0.5 * v, 0.5 * t * zeta); },
                distortion),
            elastic(E, nu, q / t));
  s.hold([](const Point<3> &x) { return x[0] < 1e-9 || x[1] < 1e-9; },
         { 0, 1, 2 });
  s.hold([](const Point<3> &x) { return x[0] > 0.5 - 1e-9; }, { 0 });
  s.hold([](const Point<3> &x) { return x[1] > 0.5 - 1e-9; }, { 1 });
  s.add_weight(vector(0., 0., -1.));
  s.linear();
  const double D = E * t * t * t / (12. * (1. - nu * nu));
  return -middle(s, s.body->n_nodes() / 2 - 1)[2] * D / (0.00126532 * q);
}

void show(const char *name,
          const double value,
          const double from,
          const double to)
{
  std::printf("%-46s %.4f\n", name, value);
  EXPECT_GT(value, from) << name;
  EXPECT_LT(value, to) << name;
}
} // namespace

// The numbers of the prototype that this element was chosen with.
TEST(Linear, Table)
{
  show("Scordelis-Lo 16", scordelis_lo(16), 0.994, 1.);
  show("Scordelis-Lo 16, random", scordelis_lo(16, 0.25), 0.990, 1.);
  show("pinched cylinder 16", pinched_cylinder(16), 0.929, 0.936);
  show("pinched cylinder 32", pinched_cylinder(32), 0.985, 0.992);
  show("hemisphere t/R 4e-3, 8", hemisphere(8, 0.04, 0.), 0.95, 1.05);
  show("hemisphere t/R 4e-3, 16", hemisphere(16, 0.04, 0.), 0.99, 1.01);
  show("hemisphere t/R 4e-3, random, 8", hemisphere(8, 0.04, 0.25), 0.7, 1.);
  show("hemisphere t/R 4e-3, random, 16", hemisphere(16, 0.04, 0.25), 0.96, 1.);
  show("twisted beam, out of plane, 2 x 12",
       twisted_beam(2, 12, false),
       0.97,
       1.01);
  show("twisted beam, in plane, 2 x 12", twisted_beam(2, 12, true), 0.97, 1.01);
  show("twisted beam, out of plane, 4 x 24",
       twisted_beam(4, 24, false),
       0.985,
       1.005);
  show("twisted beam, thin, in plane, 4 x 24",
       twisted_beam(4, 24, true, false),
       0.97,
       1.01);
  show("twisted beam, thin, out of plane, 4 x 24",
       twisted_beam(4, 24, false, false),
       0.97,
       1.01);
  show("clamped plate 16", clamped_plate(16, 0.), 0.99, 1.01);
  show("clamped plate 16, random", clamped_plate(16, 0.25), 0.99, 1.01);
  show("bending in the plane 10 x 1", bending_in_plane(), 0.99, 1.01);
}

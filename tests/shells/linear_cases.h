#ifndef delassus_tests_shells_linear_cases_h
#define delassus_tests_shells_linear_cases_h

// Reference problems of linear shells: deflection over its reference.
#include "statics.h"

namespace shells
{
/// Deflection of the linear solution, one Newton correction from rest.
inline void solve_linear(ShellModel &model, const Statics::Loads &loads)
{
  model.set_up();
  Statics statics(model);
  statics.loads = loads;
  statics.linear();
}

/// How nodes inside are moved: at random, or as publications do, where lines
/// from edge to edge divide these by 1 : 2 : ... : n, opposite ones the other
/// way round.
struct Distortion
{
  double random = 0.;
  bool graded = false, mirrored = false;
};

inline ShellMesh case_grid(const unsigned int n,
                           const Distortion &distortion,
                           const std::function<Vector3(double, double)> &x)
{
  if (!distortion.graded)
    return shell_grid(n, n, x, distortion.random);
  const auto part = [n](const double u)
  {
    const double i = u * n;
    return i * (i + 1.) / (n * (n + 1.));
  };
  return shell_grid(n,
                    n,
                    [&](const double u, const double v)
                    {
                      // u' = a + (b - a) v', v' = c + (d - c) u'.
                      double a = part(u), b = 1. - part(1. - u),
                             c = 1. - part(1. - v), d = part(v);
                      if (distortion.mirrored)
                      {
                        std::swap(a, b);
                        std::swap(c, d);
                      }
                      const double up =
                          (a + (b - a) * c) / (1. - (b - a) * (d - c));
                      return x(up, c + (d - c) * up);
                    });
}

inline ShellMesh cylinder_case(const unsigned int n,
                               const Distortion &distortion,
                               const double R,
                               const double length,
                               const double from,
                               const double to)
{
  return case_grid(
      n,
      distortion,
      [=](const double u, const double v)
      {
        const double phi = from + u * (to - from);
        return Vector3{ { R * std::cos(phi), R * std::sin(phi), v * length } };
      });
}

/// Roof on diaphragms under its weight: R = 25, L = 50, 80 degrees.
inline double scordelis_lo(const unsigned int n,
                           const ShellFormulation &formulation,
                           const Distortion &distortion)
{
  const double R = 25., t = 0.25;
  const ElasticSheet law(4.32e8, 0., 90. / t);
  Options options;
  options.thickness   = t;
  options.formulation = formulation;
  options.director    = [](const Vector3 &x) {
    return Vector3{ { x[0], x[1], 0. } };
  };
  ShellModel model =
      make_model(cylinder_case(n, distortion, R, 25., pi * 5. / 18., 0.5 * pi),
                 law,
                 options);
  fix_where(model,
            [](const Vector3 &x) { return x[2] < 1e-9; },
            { ShellComponent::x, ShellComponent::y });
  fix_where(
      model, [](const Vector3 &x) { return x[2] > 25. - 1e-9; }, symmetry(2));
  fix_where(
      model, [](const Vector3 &x) { return x[0] < 1e-9; }, symmetry(0));
  solve_linear(model,
               [&](double, bool, std::vector<double> &load) {
                 model.add_gravity({ { 0., -1., 0. } }, load);
               });
  return -displacement(model, n * (n + 1))[1] / 0.3024;
}

/// Cylinder on diaphragms under two opposed forces: an octant.
inline double pinched_cylinder(const unsigned int n,
                               const ShellFormulation &formulation,
                               const Distortion &distortion)
{
  const double R = 300.;
  const ElasticSheet law(3e6, 0.3);
  Options options;
  options.thickness   = 3.;
  options.formulation = formulation;
  options.director    = [](const Vector3 &x) {
    return Vector3{ { x[0], x[1], 0. } };
  };
  ShellModel model = make_model(
      cylinder_case(n, distortion, R, 300., 0., 0.5 * pi), law, options);
  fix_where(model,
            [](const Vector3 &x) { return x[2] < 1e-9; },
            { ShellComponent::x, ShellComponent::y });
  fix_where(
      model, [](const Vector3 &x) { return x[2] > 300. - 1e-9; }, symmetry(2));
  fix_where(
      model, [](const Vector3 &x) { return x[0] < 1e-9; }, symmetry(0));
  fix_where(
      model, [](const Vector3 &x) { return x[1] < 1e-9; }, symmetry(1));
  const unsigned int node = node_at(model, { { 0., R, 300. } });
  solve_linear(model,
               [&](double, bool, std::vector<double> &load) {
                 model.add_force(node, { { 0., -0.25, 0. } }, load);
               });
  return -displacement(model, node)[1] / 1.8248e-5;
}

/// Hemisphere with a hole of 18 degrees under alternating forces: a quarter.
/// The deflection itself, of a force of @p P on the quarter.
inline double hemisphere(const unsigned int n,
                         const ShellFormulation &formulation,
                         const Distortion &distortion,
                         const double t,
                         const double P,
                         const double latitude = 72.)
{
  const double R = 10.;
  const ElasticSheet law(6.825e7, 0.3);
  Options options;
  options.thickness   = t;
  options.formulation = formulation;
  options.director    = [](const Vector3 &x) { return x; };
  ShellModel model =
      make_model(case_grid(n,
                           distortion,
                           [=](const double u, const double v)
                           {
                             const double phi = 0.5 * pi * u,
                                          up  = v * latitude * pi / 180.;
                             return Vector3{ { R * std::cos(up) * std::cos(phi),
                                               R * std::cos(up) * std::sin(phi),
                                               R * std::sin(up) } };
                           }),
                 law,
                 options);
  fix_where(
      model, [](const Vector3 &x) { return x[0] < 1e-9; }, symmetry(0));
  fix_where(
      model, [](const Vector3 &x) { return x[1] < 1e-9; }, symmetry(1));
  const unsigned int a = node_at(model, { { R, 0., 0. } }),
                     b = node_at(model, { { 0., R, 0. } });
  model.fix(a, ShellComponent::z);
  solve_linear(model,
               [&](double, bool, std::vector<double> &load)
               {
                 model.add_force(a, { { P, 0., 0. } }, load);
                 model.add_force(b, { { 0., -P, 0. } }, load);
               });
  return displacement(model, a)[0];
}

/// Strip twisted by 90 degrees, clamped, a force at its end along z (in the
/// plane of the end) or y (out of it).
inline double twisted_beam(const unsigned int n_across,
                           const unsigned int n_along,
                           const ShellFormulation &formulation,
                           const bool in_plane,
                           const bool thick)
{
  const double t = thick ? 0.32 : 0.0032, P = thick ? 1. : 1e-6;
  const ElasticSheet law(29e6, 0.22);
  Options options;
  options.thickness   = t;
  options.formulation = formulation;
  options.director    = [](const Vector3 &x)
  {
    // x_u x x_v of (x, y cos phi, y sin phi), phi = pi x / 24.
    const double phi = pi * x[0] / 24., c = std::cos(phi), s = std::sin(phi),
                 y = x[1] * c + x[2] * s, rate = y * pi / 24.;
    return cross(Vector3{ { 1., -rate * s, rate * c } },
                 Vector3{ { 0., c, s } });
  };
  ShellModel model = make_model(
      shell_twisted_strip(12., 1.1, 0.5 * pi, n_along, n_across), law, options);
  fix_where(
      model, [](const Vector3 &x) { return x[0] < 1e-9; }, clamped);
  // Shared by the nodes of the end as a line load would be.
  solve_linear(model,
               [&](double, bool, std::vector<double> &load)
               {
                 for (unsigned int j = 0; j <= n_across; ++j)
                 {
                   const double share =
                       P * (j == 0 || j == n_across ? 0.5 : 1.) / n_across;
                   model.add_force(n_along + j * (n_along + 1),
                                   in_plane ? Vector3{ { 0., 0., share } }
                                            : Vector3{ { 0., share, 0. } },
                                   load);
                 }
               });
  const unsigned int node = n_along + n_across / 2 * (n_along + 1);
  const Vector3 u         = displacement(model, node);
  return in_plane ? u[2] / (thick ? 5.424e-3 : 5.256e-3)
                  : u[1] / (thick ? 1.754e-3 : 1.294e-3);
}

/// Clamped square plate under pressure, a quarter; over Kirchhoff's
/// 0.00126532 q a^4 / D.
inline double clamped_plate(const unsigned int n,
                            const ShellFormulation &formulation,
                            const Distortion &distortion)
{
  const double t = 0.02, E = 2e11, nu = 0.3, q = 1e5;
  const ElasticSheet law(E, nu, q / t);
  Options options;
  options.thickness   = t;
  options.formulation = formulation;
  ShellModel model =
      make_model(case_grid(n,
                           distortion,
                           [](const double u, const double v) {
                             return Vector3{ { 0.5 * u, 0.5 * v, 0. } };
                           }),
                 law,
                 options);
  fix_where(
      model,
      [](const Vector3 &x) { return x[0] < 1e-9 || x[1] < 1e-9; },
      clamped);
  fix_where(
      model, [](const Vector3 &x) { return x[0] > 0.5 - 1e-9; }, symmetry(0));
  fix_where(
      model, [](const Vector3 &x) { return x[1] > 0.5 - 1e-9; }, symmetry(1));
  solve_linear(model,
               [&](double, bool, std::vector<double> &load) {
                 model.add_gravity({ { 0., 0., -1. } }, load);
               });
  const double D = E * t * t * t / (12. * (1. - nu * nu));
  return -displacement(model, model.n_nodes() - 1)[2] * D / (0.00126532 * q);
}

/// Hyperbolic paraboloid z = y^2 - x^2 on a square of length 1, clamped at
/// x = -1/2, under its weight; half of it, n x n/2. Over values of Bathe,
/// Iosilevich, Chapelle (2000).
inline double hyperbolic_paraboloid(const unsigned int n,
                                    const ShellFormulation &formulation,
                                    const bool thinner)
{
  const double t = thinner ? 1e-4 : 1e-3;
  const ElasticSheet law(2e11, 0.3, 8e-3 / t);
  Options options;
  options.thickness   = t;
  options.formulation = formulation;
  options.director    = [](const Vector3 &x) {
    return Vector3{ { 2. * x[0], -2. * x[1], 1. } };
  };
  ShellModel model =
      make_model(shell_grid(n,
                            n / 2,
                            [](const double u, const double v)
                            {
                              const double x = u - 0.5, y = 0.5 * v;
                              return Vector3{ { x, y, y * y - x * x } };
                            }),
                 law,
                 options);
  fix_where(
      model, [](const Vector3 &x) { return x[0] < -0.5 + 1e-9; }, clamped);
  fix_where(
      model, [](const Vector3 &x) { return x[1] < 1e-9; }, symmetry(1));
  solve_linear(model,
               [&](double, bool, std::vector<double> &load) {
                 model.add_gravity({ { 0., 0., -1. } }, load);
               });
  // The weight is that of a volume.
  return -displacement(model, n)[2] / (1e-3 * (thinner ? 5.2988 : 6.3941e-3));
}

/// Raasch's hook: arcs of 60 degrees, R = 14, and of 150 degrees, R = 46, a
/// strip of width 20, clamped, sheared at its end.
inline double raasch_hook(const unsigned int n,
                          const ShellFormulation &formulation)
{
  const ElasticSheet law(3300., 0.35);
  Options options;
  options.thickness   = 2.;
  options.formulation = formulation;
  // The first arc about (14, 0) from (0, 0); at its end the second begins, bent
  // the other way.
  const double c60 = 0.5, s60 = std::sqrt(0.75);
  const Vector3 c1{ { 14., 0., 0. } },
      c2{ { 14. - (14. + 46.) * c60, (14. + 46.) * s60, 0. } };
  static_cast<void>(c2);
  const unsigned int n_along = 9 * n / 2 * 2;
  const double length[2]     = { 14. * pi / 3., 46. * pi * 5. / 6. },
               whole         = length[0] + length[1];
  const double at  = std::round(n_along * length[0] / whole) / n_along;
  const auto place = [=](const double u, const double v)
  {
    if (u <= at)
    {
      const double phi = pi - u / at * pi / 3.;
      return c1 +
             Vector3{ { 14. * std::cos(phi), 14. * std::sin(phi), 20. * v } };
    }
    // Centre beyond the end of the first arc, on the line of its radius.
    const Vector3 radial{
      { std::cos(2. * pi / 3.), std::sin(2. * pi / 3.), 0. }
    };
    const Vector3 centre = c1 + 60. * radial;
    const double phi     = -pi / 3. + (u - at) / (1. - at) * pi * 5. / 6.;
    return centre +
           Vector3{ { 46. * std::cos(phi), 46. * std::sin(phi), 20. * v } };
  };
  ShellModel model = make_model(shell_grid(n_along, n, place), law, options);
  for (unsigned int j = 0; j <= n; ++j)
    model.clamp(j * (n_along + 1));
  solve_linear(model,
               [&](double, bool, std::vector<double> &load)
               {
                 for (unsigned int j = 0; j <= n; ++j)
                   model.add_force(
                       n_along + j * (n_along + 1),
                       { { 0., 0., (j == 0 || j == n ? 0.5 : 1.) / n } },
                       load);
               });
  return displacement(model, n_along + n / 2 * (n_along + 1))[2] / 4.82482;
}
} // namespace shells

#endif

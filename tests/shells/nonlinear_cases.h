#ifndef delassus_tests_shells_nonlinear_cases_h
#define delassus_tests_shells_nonlinear_cases_h

// Reference problems with large displacements (Sze, Liu, Lo 2004), and what
// they found at shares of the greatest load.
#include "statics.h"

namespace shells
{
struct Path
{
  std::vector<double> factor;
  std::vector<std::vector<double>> reference, computed;
  unsigned int n_iterations = 0, n_indefinite = 0, n_cuts = 0;
  std::vector<double> works; ///< of the last step's corrections
};

/// Go to each factor and look.
inline void follow(ShellModel &model,
                   Statics &statics,
                   const double largest,
                   const std::function<std::vector<double>()> &look,
                   Path &path)
{
  static_cast<void>(model);
  for (const double factor : path.factor)
  {
    if (!statics.go_to(factor, largest))
      break;
    path.computed.push_back(look());
  }
  path.n_iterations = statics.n_iterations;
  path.n_indefinite = statics.n_indefinite;
  path.n_cuts       = statics.n_cuts;
  path.works        = statics.works;
}

/// 5.10: cantilever under a shear force at its end.
inline Path cantilever_shear(const unsigned int n_along, const double largest)
{
  const double L = 10., P = 4.;
  const ElasticSheet law(1.2e6, 0.);
  Options options;
  options.thickness = 0.1;
  ShellModel model =
      make_model(shell_rectangle(L, 1., n_along, 1), law, options);
  fix_where(
      model, [](const Vector3 &x) { return x[0] < 1e-9; }, clamped);
  model.set_up();
  Statics statics(model);
  statics.loads = [&](const double factor, bool, std::vector<double> &load)
  {
    for (unsigned int j = 0; j < 2; ++j)
      model.add_force(
          n_along + j * (n_along + 1), { { 0., 0., 0.5 * factor * P } }, load);
  };
  Path path;
  path.factor    = { 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1. };
  path.reference = { { 0.103, 1.309 }, { 0.381, 2.493 }, { 0.763, 3.488 },
                     { 1.184, 4.292 }, { 1.604, 4.933 }, { 2.002, 5.444 },
                     { 2.370, 5.855 }, { 2.705, 6.190 }, { 3.010, 6.467 },
                     { 3.286, 6.698 } };
  follow(
      model,
      statics,
      largest,
      [&]() -> std::vector<double>
      {
        const Vector3 u = displacement(model, n_along);
        return { -u[0], u[2] };
      },
      path);
  return path;
}

/// 5.11: the same rolled up by a moment at its end, n_turns times round.
inline Path cantilever_moment(const unsigned int n_along,
                              const double largest,
                              const unsigned int n_turns = 1)
{
  const double L = 12., M = 50. * pi / 3.;
  const ElasticSheet law(1.2e6, 0.);
  Options options;
  options.thickness = 0.1;
  ShellModel model =
      make_model(shell_rectangle(L, 1., n_along, 1), law, options);
  fix_where(
      model, [](const Vector3 &x) { return x[0] < 1e-9; }, clamped);
  model.set_up();
  Statics statics(model);
  statics.loads = [&](const double factor, bool, std::vector<double> &load)
  {
    for (unsigned int j = 0; j < 2; ++j)
      model.add_moment(
          n_along + j * (n_along + 1), { { 0., -0.5 * factor * M, 0. } }, load);
  };
  Path path;
  for (unsigned int k = 1; k <= 4 * n_turns; ++k)
  {
    // A circle of angle psi: u = L (sin psi / psi - 1), w = L (1 - cos) / psi.
    const double factor = 0.25 * k, psi = 2. * pi * factor;
    path.factor.push_back(factor);
    path.reference.push_back(
        { L * (1. - std::sin(psi) / psi), L * (1. - std::cos(psi)) / psi });
  }
  follow(
      model,
      statics,
      largest,
      [&]() -> std::vector<double>
      {
        const Vector3 u = displacement(model, n_along);
        return { -u[0], u[2] };
      },
      path);
  return path;
}

/// 5.13: hemisphere with a hole under alternating forces, a quarter.
inline Path pulled_hemisphere(const unsigned int n, const double largest)
{
  const double R = 10., P = 200.;
  const ElasticSheet law(6.825e7, 0.3);
  Options options;
  options.thickness = 0.04;
  options.director  = [](const Vector3 &x) { return x; };
  ShellModel model =
      make_model(shell_sphere(R, 0.5 * pi, 0.4 * pi, n, n), law, options);
  fix_where(
      model, [](const Vector3 &x) { return x[0] < 1e-9; }, symmetry(0));
  fix_where(
      model, [](const Vector3 &x) { return x[1] < 1e-9; }, symmetry(1));
  const unsigned int a = node_at(model, { { R, 0., 0. } }),
                     b = node_at(model, { { 0., R, 0. } });
  model.fix(a, ShellComponent::z);
  model.set_up();
  Statics statics(model);
  statics.loads = [&](const double factor, bool, std::vector<double> &load)
  {
    model.add_force(a, { { factor * P, 0., 0. } }, load);
    model.add_force(b, { { 0., -factor * P, 0. } }, load);
  };
  Path path;
  path.factor    = { 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1. };
  path.reference = { { 0.855, 0.955 }, { 1.499, 1.840 }, { 2.321, 3.261 },
                     { 2.819, 4.339 }, { 3.158, 5.196 }, { 3.406, 5.902 },
                     { 3.598, 6.497 }, { 3.750, 7.006 }, { 3.875, 7.448 },
                     { 3.979, 7.835 }, { 4.067, 8.178 } };
  follow(
      model,
      statics,
      largest,
      [&]() -> std::vector<double> {
        return { displacement(model, a)[0], -displacement(model, b)[1] };
      },
      path);
  return path;
}

/// 5.14: cylinder with free ends pulled out, an octant.
inline Path pulled_cylinder(const unsigned int n_around,
                            const unsigned int n_along,
                            const double largest)
{
  const double R = 4.953, L = 10.35, P = 40000.;
  const ElasticSheet law(10.5e6, 0.3125);
  Options options;
  options.thickness = 0.094;
  options.director  = [](const Vector3 &x) {
    return Vector3{ { x[0], x[1], 0. } };
  };
  // The middle at z = 0.
  ShellModel model =
      make_model(shell_cylinder(R, 0.5 * L, 0., 0.5 * pi, n_around, n_along),
                 law,
                 options);
  fix_where(
      model, [](const Vector3 &x) { return x[0] < 1e-9; }, symmetry(0));
  fix_where(
      model, [](const Vector3 &x) { return x[1] < 1e-9; }, symmetry(1));
  fix_where(
      model, [](const Vector3 &x) { return x[2] < 1e-9; }, symmetry(2));
  model.set_up();
  const unsigned int A = node_at(model, { { 0., R, 0. } }),
                     B = node_at(model, { { R, 0., 0. } }),
                     C = node_at(model, { { R, 0., 0.5 * L } });
  Statics statics(model);
  statics.loads = [&](const double factor, bool, std::vector<double> &load) {
    model.add_force(A, { { 0., 0.25 * factor * P, 0. } }, load);
  };
  Path path;
  path.factor    = { 0.025, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5,
                     0.525, 0.55, 0.6, 0.7, 0.8, 0.9, 1. };
  path.reference = { { 0.819, 0.864, 0.872 }, { 1.260, 1.471, 1.493 },
                     { 1.707, 2.217, 2.293 }, { 2.079, 2.904, 3.106 },
                     { 2.257, 3.227, 3.452 }, { 2.376, 3.443, 3.632 },
                     { 2.473, 3.653, 3.718 }, { 2.543, 4.061, 3.580 },
                     { 2.577, 4.171, 3.518 }, { 2.618, 4.274, 3.452 },
                     { 2.672, 4.385, 3.378 }, { 2.710, 4.455, 3.332 },
                     { 2.741, 4.508, 3.297 }, { 2.768, 4.551, 3.269 } };
  follow(
      model,
      statics,
      largest,
      [&]() -> std::vector<double>
      {
        return { displacement(model, A)[1],
                 -displacement(model, B)[0],
                 -displacement(model, C)[0] };
      },
      path);
  return path;
}

/// 5.15: cylinder on diaphragms pinched, an octant; up to a share of the load.
inline Path pinched_cylinder_path(const unsigned int n,
                                  const double largest,
                                  const double last = 1.)
{
  const double R = 100., L = 200., P = 12000.;
  const ElasticSheet law(30e3, 0.3);
  Options options;
  options.thickness = 1.;
  options.director  = [](const Vector3 &x) {
    return Vector3{ { x[0], x[1], 0. } };
  };
  ShellModel model =
      make_model(shell_cylinder(R, 0.5 * L, 0., 0.5 * pi, n, n), law, options);
  fix_where(
      model, [](const Vector3 &x) { return x[0] < 1e-9; }, symmetry(0));
  fix_where(
      model, [](const Vector3 &x) { return x[1] < 1e-9; }, symmetry(1));
  fix_where(
      model, [](const Vector3 &x) { return x[2] < 1e-9; }, symmetry(2));
  fix_where(model,
            [=](const Vector3 &x) { return x[2] > 0.5 * L - 1e-9; },
            { ShellComponent::x, ShellComponent::y });
  model.set_up();
  const unsigned int A = node_at(model, { { 0., R, 0. } }),
                     B = node_at(model, { { R, 0., 0. } });
  Statics statics(model);
  statics.loads = [&](const double factor, bool, std::vector<double> &load) {
    model.add_force(A, { { 0., -0.25 * factor * P, 0. } }, load);
  };
  Path path;
  path.factor    = { 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1. };
  path.reference = { { 9.561, -0.233 },  { 23.164, -2.391 }, { 36.208, -2.154 },
                     { 56.373, 10.448 }, { 65.498, 17.979 }, { 70.424, 22.321 },
                     { 73.790, 25.381 }, { 76.331, 27.735 }, { 80.218, 31.471 },
                     { 83.102, 34.272 } };
  while (path.factor.back() > last)
  {
    path.factor.pop_back();
    path.reference.pop_back();
  }
  follow(
      model,
      statics,
      largest,
      [&]() -> std::vector<double> {
        return { -displacement(model, A)[1], displacement(model, B)[0] };
      },
      path);
  return path;
}
} // namespace shells

#endif

// Hertz' contacts.
#include <delassus/verification/cases.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
namespace verification
{
namespace
{
const double pi = std::acos(-1.);

/// A contact of Hertz: pressure p0 sqrt(1 - x^2/a^2).
struct Hertz
{
  double a, p0;

  double pressure(const double x) const
  {
    return p0 * std::sqrt(std::max(0., 1. - x * x / (a * a)));
  }
};

/// Of a cylinder, force F per length; E* the contact modulus.
Hertz line_contact(const double F, const double R, const double E_star)
{
  return { std::sqrt(4. * F * R / (pi * E_star)),
           std::sqrt(F * E_star / (pi * R)) };
}

/// Of a ball.
Hertz point_contact(const double F, const double R, const double E_star)
{
  const double a = std::cbrt(3. * F * R / (4. * E_star));
  return { a, 1.5 * F / (pi * a * a) };
}

double plane_modulus(const double E, const double nu)
{
  return E / (1. - nu * nu);
}

/// Find the prescribed displacement that gives a force, and return the run of
/// it. The force is read in the history of a run that pushes too far, then
/// corrected by secants of its power law.
RunResults run_to_force(CaseReport &report,
                        Variant variant,
                        const std::string &push,
                        const std::string &column,
                        const double force,
                        const double guess)
{
  double displacement = guess, last_displacement = 0., last_force = 0.;
  const auto overrides = variant.overrides;
  for (unsigned int i = 0;; ++i)
  {
    variant.overrides = overrides;
    variant.overrides.push_back(
        fmt::format("{}=-{:.17g}*t", push, displacement));
    const auto run    = report.run(variant);
    const double F    = std::abs(run.history.last(column));
    if (std::abs(F - force) < 1e-5 * force || i == 6)
      return run;
    double exponent = 1.3;
    if (last_force > 0.)
      exponent = std::log(F / last_force) /
                 std::log(displacement / last_displacement);
    last_force        = F;
    last_displacement = displacement;
    displacement *= std::pow(force / F, 1. / exponent);
  }
}

/// What a run says of the contact.
struct Measured
{
  double centre = 0.; ///< pressure at x = 0
  double edge   = 0.; ///< half way between the last closed and the first open
  double l2     = 0.; ///< error of the pressure over the contact
  double size   = 0.; ///< of the faces
};

Measured measure(const Snapshot &snapshot,
                 const Hertz &exact,
                 const bool axisymmetric)
{
  Measured result;
  const auto points = snapshot.along(0);
  double error = 0., norm = 0.;
  for (std::size_t i = 0; i < points.size(); ++i)
  {
    const double x = std::abs(points[i].x[0]);
    if (i == 0)
      result.centre = points[i].pressure();
    if (i + 1 < points.size() && points[i].normal_force > 0. &&
        points[i + 1].normal_force == 0.)
      result.edge = 0.5 * (x + std::abs(points[i + 1].x[0]));
    const double weight = axisymmetric ? x : 1.;
    error +=
        weight * std::pow(points[i].pressure() - exact.pressure(x), 2);
    norm += weight * std::pow(exact.pressure(x), 2);
  }
  result.size = points.size() > 1 ? points[1].X[0] - points[0].X[0] : 0.;
  result.l2   = std::sqrt(error / norm);
  return result;
}

void write_profile(const CaseReport &report,
                   const std::string &name,
                   const Snapshot &snapshot)
{
  std::vector<std::vector<double>> rows;
  for (const auto &point : snapshot.along(0))
    rows.push_back({ point.x[0], point.pressure() });
  report.profile(name, { "x", "pressure" }, rows);
}

void hertz_refinement(CaseReport &report,
                      const std::string &file,
                      const double F,
                      const double R,
                      const Hertz &exact,
                      const bool axisymmetric,
                      const double guess)
{
  std::vector<double> sizes, l2, edges;
  for (const unsigned int n : { 5u, 10u, 20u, 40u })
  {
    const double h = exact.a / n;
    const auto run = run_to_force(
        report,
        { fmt::format("n_{}", n),
          file,
          { fmt::format("Body ball/Mesh/Gmsh numbers=radius={},cap={},h={}",
                        R,
                        1.5 * exact.a,
                        h) } },
        "Boundary condition push/Value",
        "contact:force_y",
        F,
        guess);
    const auto m = measure(run.end(), exact, axisymmetric);
    sizes.push_back(1. / n);
    l2.push_back(m.l2);
    edges.push_back(std::abs(m.edge / exact.a - 1.));
    write_profile(report, fmt::format("pressure_{}", n), run.end());
    report.compare(fmt::format("p0, h = a/{}", n), m.centre, analytical(exact.p0, ""), relative(0.03));
    report.compare(fmt::format("a, h = a/{}", n), m.edge, analytical(exact.a, ""), absolute(m.size));
  }
  report.convergence("L2 error of the pressure (h in a)", sizes, l2, 0.8, "");
}

void hertz_sphere(CaseReport &report)
{
  const double F = 100., R = 8.;
  hertz_refinement(report,
                   "hertz_sphere.prm",
                   F,
                   R,
                   point_contact(F, R, plane_modulus(210000., 0.3)),
                   true,
                   2.3e-3);
}

void hertz_disk(CaseReport &report)
{
  const double R = 8., E_star = plane_modulus(210000., 0.3);
  const double F = pi * E_star * std::pow(0.02 * R, 2) / (4. * R);
  hertz_refinement(report,
                   "hertz_disk.prm",
                   F,
                   R,
                   line_contact(F, R, E_star),
                   false,
                   1e-2);
}

void hertz_cylinder(CaseReport &report)
{
  const double F = 35000., R = 50.;
  const double E_star = 1. / (1. / plane_modulus(210000., 0.3) +
                              1. / plane_modulus(70000., 0.3));
  const Hertz exact   = line_contact(F, R, E_star);
  for (const unsigned int n : { 5u, 10u, 20u })
  {
    const double h = exact.a / n;
    const auto run = run_to_force(
        report,
        { fmt::format("n_{}", n),
          "hertz_cylinder.prm",
          { fmt::format("Body cylinder/Mesh/Gmsh numbers=radius={},cap={},h={}",
                        R,
                        1.6 * exact.a,
                        h),
            fmt::format(
                "Body block/Mesh/Gmsh numbers=width=100,depth=200,cap={},h={}",
                1.6 * exact.a,
                h) } },
        "Boundary condition push/Value",
        "contact:force_y",
        0.5 * F,
        1.);
    const auto m = measure(run.end(), exact, false);
    report.compare(fmt::format("p0, h = a/{}", n), m.centre, analytical(exact.p0, ""), relative(0.05));
    report.compare(fmt::format("a, h = a/{}", n), m.edge, analytical(exact.a, ""), absolute(m.size));
    report.report(fmt::format("L2, h = a/{}", n), m.l2, "");
    write_profile(report, fmt::format("pressure_{}", n), run.end());
  }
}
} // namespace

void add_hertz_cases(std::vector<Case> &cases)
{
  cases.push_back({ "hertz_disk", "x", "y", 10., false, hertz_disk });
  cases.push_back({ "hertz_sphere", "x", "y", 10., false, hertz_sphere });
  cases.push_back({ "hertz_cylinder", "x", "y", 10., false, hertz_cylinder });
}
} // namespace verification
} // namespace delassus

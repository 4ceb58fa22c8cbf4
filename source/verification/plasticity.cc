// Plastic bodies without contact: cylinders and necking bars.
#include <delassus/verification/cases.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace delassus
{
namespace verification
{
namespace
{
const double pi = std::acos(-1.);

/// Value of @p y where @p x, which grows, reaches a value.
double where(const std::vector<double> &x,
             const std::vector<double> &y,
             const double value)
{
  for (std::size_t i = 1; i < x.size(); ++i)
    if (x[i] >= value)
      return y[i - 1] +
             (y[i] - y[i - 1]) * (value - x[i - 1]) / (x[i] - x[i - 1]);
  return std::nan("");
}

/// Newton's loop meets 1e-8 of the impulses of each step.
constexpr double newton_energy = 1e-6;

// Hill's cylinder: a = 100, b = 200, Y = 240, E = 210000, nu = 0.3.
constexpr double a = 100., b = 200., Y = 240., E = 210000., nu = 0.3;
const double k = Y / std::sqrt(3.);

double hill_pressure(const double c)
{
  return k * (2. * std::log(c / a) + 1. - c * c / (b * b));
}

double hill_displacement(const double c)
{
  return 2. * k * (1. - nu * nu) * c * c / (E * b);
}

const std::string hill = "Hill (1950): ";

/// Finite strain at strains a hundred times smaller is Hill's problem; at the
/// stiffness given, changes of the geometry count.
struct Hill
{
  std::string name, folder, model;
  double E;
  bool gate;
};

const std::vector<Hill> hill_runs = {
  { "J2 small strain", "small_strain", "J2 small strain", E, true },
  { "J2, 100 E", "finite_strain_stiff", "J2", 100. * E, true },
  { "J2", "finite_strain", "J2", E, false }
};

const std::string geometry = "; small strain";

std::vector<std::string> hill_changes(const Hill &one)
{
  return { "Material metal/Model=" + one.model,
           fmt::format("Material metal/Young modulus={}", one.E) };
}

void compare_displacement(CaseReport &report,
                          const Hill &one,
                          const double c,
                          const double computed)
{
  // Where p hardly grows with u, u says little.
  report.compare(
      fmt::format("{}: u_b (mm) at p of c = {} mm", one.name, c),
      computed,
      { hill_displacement(c) * E / one.E,
        hill + "2 k (1 - ν²) c²/(E b)" + (one.gate ? "" : geometry) },
      one.gate && c < 170. ? relative(0.01) : reported());
}

void thick_cylinder(CaseReport &report)
{
  report.energy_tolerance = newton_energy;
  for (const auto &one : hill_runs)
  {
    auto changes = hill_changes(one);
    changes.push_back(
        fmt::format("Boundary condition inside/Value={}*t", 0.8 * E / one.E));
    const auto run = report.run({ one.folder, "thick_cylinder.prm", changes });
    const bool finite = one.model == "J2";
    std::vector<double> p;
    const auto &u_a = run.history["inner:u_x"];
    const auto &u_b = run.history["outer:u_x"];
    for (std::size_t i = 0; i < u_a.size(); ++i)
      p.push_back(std::abs(run.history["inside:reaction_x"][i]) /
                  (2. * pi * 2.5 * (finite ? a + u_a[i] : a)));
    for (const double c : { 120., 140., 160., 180. })
      report.compare(
          fmt::format("{}: p (MPa) at u_b of c = {} mm", one.name, c),
          where(u_b, p, hill_displacement(c) * E / one.E),
          { hill_pressure(c),
            hill + "k (2 ln(c/a) + 1 - c²/b²)" + (one.gate ? "" : geometry) },
          relative(0.01));
    for (const double c : { 120., 140., 160., 180. })
      compare_displacement(report, one, c, where(p, u_b, hill_pressure(c)));
    report.compare(one.name + ": collapse pressure (MPa)",
                   *std::max_element(p.begin(), p.end()),
                   { 2. * k * std::log(b / a), hill + "2 k ln(b/a)" },
                   relative(0.01));
  }
}

void thick_cylinder_2d(CaseReport &report)
{
  report.energy_tolerance = newton_energy;
  const double most       = hill_pressure(160.);
  for (const auto &one : hill_runs)
  {
    auto changes = hill_changes(one);
    changes.push_back(fmt::format("Time/End={:.17g}", most));
    changes.push_back(fmt::format("Time/Step={:.17g}", most / 20.));
    const auto run = report.run({ one.folder, "ring_quarter.prm", changes });
    for (const double c : { 120., 140., 160. })
      compare_displacement(
          report, one, c, run.history.at("outer:u_x", hill_pressure(c)));
  }
}

void cylinder_expansion(CaseReport &report)
{
  report.energy_tolerance = newton_energy;
  const double a0 = 10., b0 = 20., yield = 0.5, height = 0.5;
  const auto run = report.run({ "run", "cylinder_expansion.prm" });
  std::vector<std::vector<double>> rows;
  const auto exact = [&](const double radius)
  {
    const double s = std::pow(radius / a0, 2);
    return yield / std::sqrt(3.) *
           std::log(s / (std::pow(b0 / a0, 2) + s - 1.));
  };
  const auto computed = [&](const double radius)
  {
    return -std::abs(run.history.at("inside:reaction_x", radius - a0)) /
           (2. * pi * radius * height);
  };
  for (const double radius : { 15., 20., 30., 50., 85. })
    report.compare(
        fmt::format("σ_rr (MPa) inside, a = {} mm", radius),
        computed(radius),
        { exact(radius),
          "Prager-Hodge, solids4foam cylinderExpansion: (Y/√3) ln[(a/a0)²/"
          "((b0/a0)² + (a/a0)² - 1)]" },
        relative(0.01));
  const double outer = std::sqrt(b0 * b0 - a0 * a0 + 85. * 85.);
  report.compare("outer radius (mm), a = 85 mm",
                 b0 + run.history.last("outer:u_x"),
                 analytical(outer, "√(b0² - a0² + a²), no change of volume"),
                 relative(1e-3));
  for (double radius = 10.25; radius <= 85.; radius += 0.25)
    rows.push_back({ radius, computed(radius), exact(radius) });
  report.profile("stress", { "a", "computed", "exact" }, rows);
}

void necking(CaseReport &report)
{
  report.energy_tolerance = newton_energy;
  const std::string own   = "own calculation, explicit, Q4 B-bar, 10 x 40";
  const double initial    = 6.2975;
  const auto mesh         = [](const unsigned int nx, const unsigned int ny)
  {
    return fmt::format("Body bar/Mesh/Gmsh numbers=radius=6.2975,"
                       "end_radius=6.413,length=26.667,nx={},ny={},ratio=8",
                       nx,
                       ny);
  };
  struct Curve
  {
    double u, F, R;
  };
  const std::vector<Curve> reference = {
    { 0.684, 66.50, 6.212 }, { 1.474, 73.27, 6.115 }, { 2.263, 76.51, 6.007 },
    { 2.790, 77.34, 5.904 }, { 3.316, 76.34, 5.695 }, { 4.105, 70.53, 5.224 },
    { 4.895, 61.54, 4.619 }, { 5.684, 49.88, 3.890 }, { 6.474, 35.61, 3.024 }
  };
  for (const auto &[nx, ny] : { std::array<unsigned int, 2>{ { 6, 16 } },
                                { { 10, 40 } },
                                { { 14, 56 } } })
  {
    const std::string name = fmt::format("{} x {}", nx, ny);
    const auto run         = report.run({ fmt::format("cells_{}x{}", nx, ny),
                                          "necking.prm",
                                          { mesh(nx, ny) } });
    const auto &F          = run.history["pull:reaction_y"];
    const auto &u          = run.history["time"];
    const auto highest     = std::max_element(F.begin(), F.end());
    const bool gate        = nx == 10;
    report.compare(name + ": largest force (kN)",
                   1e-3 * *highest,
                   { 77.34, own },
                   gate ? relative(0.01) : reported());
    report.report(name + ": elongation of the half there (mm)",
                  u[highest - F.begin()],
                  "own calculation: 2.79");
    report.compare(name + ": radius of the neck at u = 4.895 mm (mm)",
                   initial + run.history.at("neck:u_x", 4.895),
                   { 4.619, own + ", the point nearest to u = 5" },
                   gate ? relative(0.02) : reported());
    report.compare(
        name + ": radius of the neck at u = 7 mm (mm)",
        initial + run.history.last("neck:u_x"),
        nx == 6 ? Reference{ 2.5728, "4C, plastic_necking_fbar, 96 hex8" }
                : Reference{ 2.376, own + "; literature 0.37 R0" },
        gate ? relative(0.05) : reported());
    report.report(name + ": largest plastic strain at u = 7 mm",
                  run.end().inelastic_strain,
                  "own calculations 1.60 (6 x 16), 1.97 (10 x 40)");
    if (!gate)
      continue;
    std::vector<std::vector<double>> rows, points;
    for (const auto &point : reference)
    {
      report.compare(fmt::format("force at u = {} mm (kN)", point.u),
                     1e-3 * run.history.at("pull:reaction_y", point.u),
                     { point.F, own },
                     reported());
      report.compare(fmt::format("radius at u = {} mm (mm)", point.u),
                     initial + run.history.at("neck:u_x", point.u),
                     { point.R, own },
                     reported());
      points.push_back({ point.u, point.F, point.R });
    }
    for (std::size_t i = 0; i < u.size(); ++i)
      rows.push_back(
          { u[i], 1e-3 * F[i], initial + run.history["neck:u_x"][i] });
    report.profile("curve", { "u", "F", "R" }, rows);
    report.profile("reference", { "u", "F", "R" }, points);
    report.report("numerical dissipation over the inelastic work",
                  run.energy.last("numerical_dissipation") /
                      run.energy.last("inelastic_work"),
                  "backward Euler: forces at the end of each step");
    report.report("between forces and energies, over the inelastic work",
                  run.energy.last("integration_error") /
                      run.energy.last("inelastic_work"),
                  "goes to zero with the step");
  }
}
} // namespace

void add_plasticity_cases(std::vector<Case> &cases)
{
  cases.push_back(
      { "thick_cylinder",
        "Thick cylinder under internal pressure, perfectly plastic",
        "a = 100 mm, b = 200 mm, Y = 240 MPa, E = 210 GPa, ν = 0.3, plane "
        "strain as an axisymmetric row of 40 Q4 with mean dilatation, driven "
        "by the displacement of the inner surface, so that collapse is a "
        "plateau. Hill's solution takes the plastic zone as incompressible.",
        1.,
        true,
        thick_cylinder });
  cases.push_back({ "thick_cylinder_2d",
                    "Thick cylinder in its plane, under a pressure",
                    "The same as a quarter ring of 24 x 20 Q4 in plane strain, "
                    "driven by the pressure up to p(c = 160 mm).",
                    1.,
                    true,
                    thick_cylinder_2d });
  cases.push_back(
      { "cylinder_expansion",
        "Expansion of a thick cylinder at finite strain",
        "The inner radius grows from 10 mm to 85 mm (b0 = 20 mm), G = 3.8 "
        "GPa, κ = 40 GPa, Y = 0.5 MPa: an axisymmetric row of 20 Q4, 300 "
        "steps. σ_rr is the reaction over the present area.",
        1.,
        true,
        cylinder_expansion });
  cases.push_back(
      { "necking",
        "Necking of a round bar (Simo 1988)",
        "Half of a bar of 53.334 mm, R = 6.413 mm and 6.2975 mm in its middle, "
        "linear between; E = 206.9 GPa, ν = 0.29, σ_y = 450 + 129.24 α + 265 "
        "(1 - exp(-16.93 α)) MPa; its end is drawn by 7 mm, free to contract. "
        "Axisymmetric Q4 with mean dilatation, the last cell along the axis "
        "eight times the first, quasi static, 140 steps. The neck does not "
        "converge with the mesh at the end: 10 x 40 is compared, others are "
        "shown.",
        5.,
        false,
        necking,
        { { "verification_necking.png",
            "Force and radius of the neck over the elongation" },
          { "necking_bar.png", "Deformed mesh at u = 7 mm, displacement" } } });
}
} // namespace verification
} // namespace delassus

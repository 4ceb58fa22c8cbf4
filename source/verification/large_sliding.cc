// Contact at large deformation and large sliding.
#include <delassus/verification/cases.h>
#include <delassus/verification/hertz_contact.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
namespace verification
{
namespace
{
constexpr double newton_energy = 1e-6;

/// How much a column departs from the parabola nearest to it between two times:
/// root mean square over the mean of its absolute value.
double noise(const Table &table,
             const std::string &column,
             const double from,
             const double to)
{
  const auto &t = table["time"];
  const auto &f = table[column];
  // Normal equations of 1, s, s^2 with s in [-1, 1].
  double A[3][4] = {};
  double mean    = 0.;
  unsigned int n = 0;
  const auto s   = [&](const double time)
  { return 2. * (time - from) / (to - from) - 1.; };
  for (std::size_t i = 0; i < t.size(); ++i)
    if (t[i] >= from && t[i] <= to)
    {
      const double x[3] = { 1., s(t[i]), s(t[i]) * s(t[i]) };
      for (unsigned int r = 0; r < 3; ++r)
      {
        for (unsigned int c = 0; c < 3; ++c)
          A[r][c] += x[r] * x[c];
        A[r][3] += x[r] * f[i];
      }
      mean += std::abs(f[i]);
      ++n;
    }
  for (unsigned int k = 0; k < 3; ++k)
    for (unsigned int r = 0; r < 3; ++r)
      if (r != k)
      {
        const double factor = A[r][k] / A[k][k];
        for (unsigned int c = 0; c < 4; ++c)
          A[r][c] -= factor * A[k][c];
      }
  double sum = 0.;
  for (std::size_t i = 0; i < t.size(); ++i)
    if (t[i] >= from && t[i] <= to)
    {
      const double x = s(t[i]);
      sum += std::pow(f[i] - A[0][3] / A[0][0] - A[1][3] / A[1][1] * x -
                          A[2][3] / A[2][2] * x * x,
                      2);
    }
  return std::sqrt(sum / n) / (mean / n);
}

/// A point of a hollow surface may touch two faces: one contact of both.
Snapshot by_candidates(const Snapshot &snapshot)
{
  Snapshot merged;
  merged.time = snapshot.time;
  for (const auto &point : snapshot.along(0))
    if (!merged.points.empty() && merged.points.back().X == point.X)
      merged.points.back().normal_force += point.normal_force;
    else
      merged.points.push_back(point);
  return merged;
}

void hertz_finite(CaseReport &report)
{
  report.energy_tolerance = newton_energy;
  const double R = 8., modulus = plane_modulus(210000., 0.3);
  for (const double force : { 0.1, 100. })
  {
    // Strains of 0.1 % and of 1 %: the latter are no longer small.
    const bool small       = force < 1.;
    const Hertz design     = point_contact(force, R, modulus);
    const unsigned int n   = 20;
    const std::string load = fmt::format("{} N", force);
    double linear_force    = 0.;
    Measured linear;
    for (const std::string model :
         { "linear elastic", "Saint Venant-Kirchhoff", "neo-Hookean" })
    {
      const auto run = report.run(
          { load + "_" + model,
            "hertz_sphere.prm",
            { fmt::format("Body ball/Mesh/Gmsh numbers=radius={},cap={},h={},"
                          "growth={},largest={}",
                          R,
                          1.4 * design.a,
                          design.a / n,
                          2. / n,
                          1. / n),
              fmt::format("Boundary condition push/Value=-{}*t",
                          design.a * design.a / R),
              "Material steel/Model=" + model } });
      const double F         = run.history.last("contact:force_y");
      const Hertz exact      = point_contact(F, R, modulus);
      const auto m           = measure_along_x(run.end(), exact, true);
      const std::string name = load + ", " + model;
      const Tolerance within = small ? relative(0.01) : reported();
      report.compare(name + ": p0 (MPa) at the force computed",
                     m.p0,
                     analytical(exact.p0, "3 F/(2 π a²)"),
                     within);
      report.compare(name + ": a (mm) at the force computed",
                     m.a,
                     analytical(exact.a, "(3 F R/(4 E*))^(1/3)"),
                     within);
      if (model == "linear elastic")
      {
        linear_force = F;
        linear       = m;
        continue;
      }
      const std::string source = "the linear body at the same displacement";
      report.compare(name + ": force (N)", F, { linear_force, source }, within);
      report.compare(name + ": p0 (MPa)", m.p0, { linear.p0, source }, within);
      report.compare(name + ": a (mm)", m.a, { linear.a, source }, within);
    }
  }
}

void hertz_large(CaseReport &report)
{
  report.energy_tolerance = newton_energy;
  // NAFEMS CGS-1 at the displacement that gives its force.
  const double R = 50., F = 35000.;
  const double modulus =
      1. / (1. / plane_modulus(210000., 0.3) + 1. / plane_modulus(70000., 0.3));
  const Hertz exact    = line_contact(F, R, modulus);
  const unsigned int n = 10;
  double push = 1., last_push = 0., last_force = 0.;
  for (unsigned int i = 0; i < 6; ++i)
  {
    const auto run = report.run(
        { "cylinder",
          "hertz_cylinder.prm",
          { "Material steel/Model=neo-Hookean",
            "Material aluminium/Model=neo-Hookean",
            "Time/Step=0.25",
            fmt::format("Boundary condition push/Value=-{:.17g}*t", push),
            fmt::format("Body cylinder/Mesh/Gmsh numbers=radius={},cap={},h={},"
                        "growth={},largest={}",
                        R,
                        1.4 * exact.a,
                        exact.a / n,
                        2. / n,
                        1. / n),
            fmt::format("Body block/Mesh/Gmsh numbers=width=100,depth=200,"
                        "cap={},h={},growth={},largest={}",
                        1.4 * exact.a,
                        exact.a / n,
                        2. / n,
                        1. / n) } });
    const double force = 2. * run.history.last("contact:force_y");
    if (std::abs(force / F - 1.) < 1e-4 || i == 5)
    {
      const auto contact = by_candidates(run.end());
      const auto m       = measure_along_x(contact, exact, false);
      const std::string finite =
          "small strain; with large displacements Code_Aster SSNP154 finds "
          "3502 to 3514 (quadratic), 3800 to 3814 (linear elements)";
      report.compare("cylinder, 35 kN/mm: force (N/mm)",
                     force,
                     analytical(F, "found by secants"),
                     relative(1e-3));
      report.compare("cylinder, 35 kN/mm: p0 (MPa), of the fit",
                     m.p0,
                     { exact.p0, finite },
                     relative(0.05));
      report.compare("cylinder, 35 kN/mm: p at the node in the middle (MPa)",
                     contact.points.front().pressure(),
                     { exact.p0, finite },
                     reported());
      report.compare("cylinder, 35 kN/mm: a (mm)",
                     m.a,
                     analytical(exact.a, "√(4 F R/(π E*)), small strain"),
                     absolute(exact.a / n));
      report.report("cylinder, 35 kN/mm: displacement of its flat side (mm)",
                    -push,
                    "not the point B of SSNP154 (-1.3069 to -1.3081), where a "
                    "nodal force acts");
      break;
    }
    const double exponent = last_force > 0. ? std::log(force / last_force) /
                                                  std::log(push / last_push)
                                            : 1.3;
    last_force            = force;
    last_push             = push;
    push *= std::pow(F / force, 1. / exponent);
  }

  // Two balls that approach by 8 % of their radius.
  const double r = 50., approach = 4.;
  const double ball_modulus = 0.5 * plane_modulus(20000., 0.3);
  const double a            = std::sqrt(0.5 * r * approach);
  const double theory       = 4. / 3. * ball_modulus * a * approach;
  const std::string numbers = fmt::format(
      "radius={},cap={},h={},growth=0.2,largest=0.1", r, 1.5 * a, a / 10.);
  for (const std::string model : { "linear elastic", "neo-Hookean" })
  {
    const auto run = report.run(
        { "balls_" + model,
          "hertz_two_spheres.prm",
          { "Material elastic/Model=" + model,
            "Time/Step=0.1",
            "Boundary condition push/Value=-4*t",
            "Body upper/Mesh/Gmsh numbers=" + numbers,
            "Body lower/Mesh/Gmsh numbers=" + numbers + ",below=1" } });
    const double force   = run.history.last("contact:force_y");
    const Hertz of_force = point_contact(force, 0.5 * r, ball_modulus);
    const auto m = measure_along_x(by_candidates(run.end()), of_force, true);
    const std::string name = "balls, 4 mm, " + model;
    const std::string source =
        "Code_Aster SSNV104, Hertz; the approach of the equators is not that "
        "of distant points";
    report.compare(name + ": force (N)", force, { theory, source }, reported());
    report.compare(name + ": p0 (MPa)", m.p0, { 2798.3, source }, reported());
    report.compare(name + ": a (mm)", m.a, { 10., source }, reported());
  }
}

/// Ways to take the normals and gaps of faces.
struct Way
{
  std::string name, folder;
  std::vector<std::string> changes;
};

const std::vector<Way> ways = {
  { "face normals",
    "face",
    { "Interaction contact/Points=nodes",
      "Interaction contact/Normals=face" } },
  { "averaged normals",
    "averaged",
    { "Interaction contact/Points=nodes",
      "Interaction contact/Normals=averaged" } },
  { "mortar", "mortar", { "Interaction contact/Formulation=mortar" } }
};

void report_sliding(CaseReport &report,
                    const std::string &name,
                    const RunResults &run,
                    const double from,
                    const double to)
{
  report.report(name + ": noise of the normal force",
                noise(run.history, "contact:force_y", from, to),
                "departure from a parabola while sliding, rms over mean");
  report.report(name + ": noise of the tangential force",
                noise(run.history, "contact:force_x", from, to),
                "");
}

void ironing(CaseReport &report)
{
  report.energy_tolerance = newton_energy;
  std::vector<std::vector<double>> rows;
  for (const auto &way : ways)
  {
    const auto run = report.run({ way.folder, "ironing.prm", way.changes });
    report.report(way.name + ": normal force at the end of the indentation",
                  run.history.at("contact:force_y", 1.),
                  "");
    report.report(way.name + ": normal force in the middle of the path",
                  run.history.at("contact:force_y", 1.5),
                  "");
    report.report(way.name + ": tangential over normal force there",
                  -run.history.at("contact:force_x", 1.5) /
                      run.history.at("contact:force_y", 1.5),
                  "0.3 and a part of the shape");
    report_sliding(report, way.name, run, 1.1, 1.7);
    report.report(way.name + ": work of friction over that of the drive",
                  -run.energy.last("friction_work") /
                      run.energy.last("driven_work"),
                  "the rest is elastic or numerical");
    report.report(way.name + ": numerical dissipation over the work",
                  run.energy.last("numerical_dissipation") /
                      run.energy.last("driven_work"),
                  "");
    const auto &t = run.history["time"];
    for (std::size_t i = 0; i < t.size(); ++i)
    {
      if (rows.size() <= i)
        rows.push_back({ t[i] });
      rows[i].push_back(run.history["contact:force_y"][i]);
      rows[i].push_back(-run.history["contact:force_x"][i]);
    }
  }
  report.profile("forces",
                 { "t",
                   "N face",
                   "T face",
                   "N averaged",
                   "T averaged",
                   "N mortar",
                   "T mortar" },
                 rows);
}

void sliding_block(CaseReport &report)
{
  report.energy_tolerance = newton_energy;
  for (const unsigned int n : { 1u, 2u, 4u })
    for (const auto &way : ways)
    {
      if (n == 4 && way.folder != "averaged")
        continue;
      auto changes = way.changes;
      changes.push_back(
          fmt::format("Body block/Mesh/Divisions={},{}", 6 * n, 3 * n));
      changes.push_back(
          fmt::format("Body slab/Mesh/Divisions={},{}", 28 * n, 5 * n));
      const auto run = report.run({ fmt::format("{}_{}", way.folder, n),
                                    "sliding_block.prm",
                                    changes });
      const std::string name =
          fmt::format("slab of {} x {}, {}", 28 * n, 5 * n, way.name);
      report_sliding(report, name, run, 1.2, 2.);
      report.report(name + ": work of friction over that of the drive",
                    -run.energy.last("friction_work") /
                        run.energy.last("driven_work"),
                    "");
      report.report(name + ": tangential over normal force at the end",
                    -run.history.last("contact:force_x") /
                        run.history.last("contact:force_y"),
                    "friction 0.3");
    }
}

void upsetting(CaseReport &report)
{
  report.energy_tolerance = newton_energy;
  const double R = 10., height = 6.;
  std::vector<std::vector<double>> rows;
  for (const double friction : { 0.2, 0.3, 0.5 })
  {
    const auto run = report.run(
        { fmt::format("friction_{}", friction),
          "upsetting.prm",
          { fmt::format("Contact law rough/Friction={}", friction) } });
    const std::string name = fmt::format("friction {}", friction);
    double touching        = 0.;
    for (const auto &point : run.end().points)
      if (point.normal_force > 0.)
        touching = std::max(touching, point.x[0]);
    const double belly = R + run.history.last("belly:u_x");
    report.report(name + ": force at 60 % (kN)",
                  -1e-3 * run.history.last("press:force_y"),
                  "");
    report.report(name + ": radius of the belly (mm)", belly, "");
    report.report(name + ": radius that touches the platen (mm)",
                  touching,
                  fmt::format("without friction {:.3f} everywhere",
                              R * std::sqrt(15. / height)));
    report.report(name + ": radius of the rim at first (mm)",
                  R + run.history.last("rim:u_x"),
                  "points farther out were on the side");
    report.report(name + ": largest plastic strain",
                  run.end().inelastic_strain,
                  fmt::format("uniform: {:.3f}", std::log(15. / height)));
    report.report(name + ": work of friction over that of the platen",
                  -run.energy.last("friction_work") /
                      run.energy.last("obstacle_work"),
                  "");
    report.report(name + ": numerical dissipation over the work",
                  run.energy.last("numerical_dissipation") /
                      run.energy.last("obstacle_work"),
                  "");
    report.report(name + ": between forces and energies, over the work",
                  run.energy.last("integration_error") /
                      run.energy.last("obstacle_work"),
                  "goes to zero with the step");
  }
}
} // namespace

void add_large_sliding_cases(std::vector<Case> &cases)
{
  cases.push_back(
      { "hertz_finite",
        "Hertz' ball of a finite-strain material",
        "The ball of hertz_sphere (R = 8 mm, h = a/20), pushed by a²/R of the "
        "force. At 0.1 N (a/R = 0.0017, strains of 0.1 %) the finite-strain "
        "laws in a Newton loop must give what the linear body gives; at 100 N "
        "strains are of 1 % and the laws differ.",
        2.,
        true,
        hertz_finite });
  cases.push_back(
      { "hertz_large",
        "Hertz at large deformation",
        "Neo-Hookean bodies: NAFEMS CGS-1 (a/R = 12 %), h = a/10, pushed to "
        "its force, and two balls (R = 50 mm, E = 20 GPa) whose equators "
        "approach by 4 mm, 8 % of the radius.",
        10.,
        false,
        hertz_large });
  cases.push_back(
      { "ironing",
        "Shallow ironing",
        "A stiff half disk (R = 1.5, E = 6.896e9, ν = 0.32) is pressed by 0.6 "
        "into a slab of 9 x 3 (E = 6.896e8, 48 x 16 Q4, fixed below) and "
        "drawn by 4 along it, friction 0.3, plane strain, neo-Hookean, 50 + "
        "50 steps. The geometry of Code_Aster SSNP153 is not published in "
        "numbers: nothing is compared.",
        20.,
        false,
        ironing,
        { { "verification_ironing.png", "Forces on the tool" } } });
  cases.push_back(
      { "sliding_over_cells",
        "A block slides over many cells",
        "A block of 1 x 0.5 is pressed by 0.05 on a slab of 6 x 1 (E = 1000, "
        "ν = 0.3, neo-Hookean) and drawn by 2.5 along it, friction 0.3, "
        "meshes that do not match, refined (the finest with averaged normals "
        "only): noise of the forces.",
        20.,
        false,
        sliding_block });
  cases.push_back(
      { "upsetting",
        "Upsetting of a billet between rough platens",
        "R = 10 mm, height 30 mm to 12 mm, the steel of the necking bar, "
        "axisymmetric, 12 x 18 Q4 for the upper half; the side folds onto "
        "the platen.",
        5.,
        false,
        upsetting });
}
} // namespace verification
} // namespace delassus

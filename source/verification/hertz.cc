// Hertz' contacts.
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
/// Find the prescribed displacement @p push that gives a force, by secants of
/// the power law between them, and return the run of it.
RunResults run_to_force(CaseReport &report,
                        Variant variant,
                        const std::string &column,
                        const double force,
                        double &push)
{
  double last_push = 0., last_force = 0.;
  const auto overrides = variant.overrides;
  for (unsigned int i = 0;; ++i)
  {
    variant.overrides = overrides;
    variant.overrides.push_back(
        fmt::format("Boundary condition push/Value=-{:.17g}*t", push));
    const auto run = report.run(variant);
    const double F = std::abs(run.history.last(column));
    if (std::abs(F - force) < 1e-5 * force || i == 6)
      return run;
    double exponent = 1.3;
    if (last_force > 0.)
      exponent = std::log(F / last_force) / std::log(push / last_push);
    last_force = F;
    last_push  = push;
    push *= std::pow(force / F, 1. / exponent);
  }
}

/// Points on a surface about the axis x = y = 0: exact pressures at the nodes.
Measured measure_about_axis(const Snapshot &snapshot, const Hertz &exact)
{
  const auto radius = [](const ContactPoint &point)
  { return std::hypot(point.X[0], point.X[1]); };
  return measure(snapshot,
                 exact,
                 radius,
                 [&](const std::size_t i)
                 { return exact.pressure(radius(snapshot.points[i])); });
}

double along_x(const ContactPoint &point)
{
  return std::abs(point.X[0]);
}

double from_axis(const ContactPoint &point)
{
  return std::hypot(point.X[0], point.X[1]);
}

template <typename Distance>
void write_profile(const CaseReport &report,
                   const std::string &name,
                   const Snapshot &snapshot,
                   const Hertz &exact,
                   const Distance &across)
{
  std::vector<std::vector<double>> rows;
  for (const auto &point : snapshot.points)
    rows.push_back({ across(point) / exact.a, point.pressure() / exact.p0 });
  std::sort(rows.begin(), rows.end());
  report.profile(name, { "x/a", "p/p0" }, rows);
}

const std::string order_one =
    "linear elements, the edge inside one of them: order 1";

/// Errors on a series of meshes; the last one has to be within the tolerances.
struct Series
{
  std::vector<double> h, p0, a, l2;

  void add(const double size, const Measured &m, const Hertz &exact)
  {
    h.push_back(size);
    p0.push_back(std::abs(m.p0 / exact.p0 - 1.));
    a.push_back(std::abs(m.a / exact.a - 1.));
    l2.push_back(m.l2);
  }

  /// @p scattered: nodal pressures of an irregular surface mesh, whose L2 error
  /// is shown without a verdict on its order.
  void report(CaseReport &report, const bool scattered = false) const
  {
    report.convergence("error of p0 (h in a)", h, p0, 0.8, order_one);
    report.convergence("error of a (h in a)", h, a, 0.8, order_one);
    if (!scattered)
      report.convergence(
          "L2 error of the pressure (h in a)", h, l2, 0.8, order_one);
    else
    {
      for (std::size_t i = 0; i < h.size(); ++i)
        report.report(
            fmt::format("L2 error of the pressure (h in a), h = {:.4g}", h[i]),
            l2[i],
            "");
      report.report("L2 error of the pressure (h in a), observed order",
                    observed_order(h, l2),
                    "nodal pressures of an irregular mesh scatter");
    }
    std::vector<std::vector<double>> rows;
    for (std::size_t i = 0; i < h.size(); ++i)
      rows.push_back({ h[i], p0[i], a[i], l2[i] });
    report.profile("convergence", { "h/a", "p0", "a", "L2" }, rows);
  }
};

/// Numbers of the scripts: n cells in a, and cells that grow with the distance
/// by @p growth / n, so that all of them are refined with n.
std::string mesh_numbers(const double R,
                         const double a,
                         const unsigned int n,
                         const double growth = 2.)
{
  return fmt::format("radius={},cap={},h={},growth={},largest={}",
                     R,
                     1.4 * a,
                     a / n,
                     growth / n,
                     1. / n);
}

/// A body on a rigid plane that is pushed to a force.
struct OnPlane
{
  std::string file;
  double force; ///< of the part that is modelled
  std::string column;
  double R;
  Hertz exact;
  std::vector<unsigned int> divisions; ///< cells in a
  bool solid;                          ///< in space
  std::string formula_p0, formula_a;
  double push; ///< a first guess
  double growth = 2.;
};

Series hertz_on_plane(CaseReport &report, const OnPlane &problem)
{
  Series series;
  double push      = problem.push;
  const auto exact = problem.exact;
  for (const unsigned int n : problem.divisions)
  {
    const double h = exact.a / n;
    const auto run = run_to_force(
        report,
        { fmt::format("n_{}", n),
          problem.file,
          { "Body ball/Mesh/Gmsh numbers=" +
            mesh_numbers(problem.R, exact.a, n, problem.growth) } },
        problem.column,
        problem.force,
        push);
    const auto m = problem.solid
                       ? measure_about_axis(run.end(), exact)
                       : measure_along_x(run.end(), exact, exact.moment == 2.5);
    series.add(1. / n, m, exact);
    write_profile(report,
                  fmt::format("pressure_{}", n),
                  run.end(),
                  exact,
                  problem.solid ? from_axis : along_x);
    if (n != problem.divisions.back())
      continue;
    const std::string mesh = fmt::format(", h = a/{}", n);
    report.compare("p0 (MPa)" + mesh,
                   m.p0,
                   analytical(exact.p0, problem.formula_p0),
                   relative(0.03));
    report.compare("a (mm)" + mesh,
                   m.a,
                   analytical(exact.a, problem.formula_a),
                   absolute(h));
  }
  return series;
}

const std::string p0_line  = "√(F E*/(π R))";
const std::string a_line   = "√(4 F R/(π E*))";
const std::string p0_point = "3 F/(2 π a²)";
const std::string a_point  = "(3 F R/(4 E*))^(1/3)";

void hertz_disk(CaseReport &report)
{
  const double R = 8., E_star = plane_modulus(210000., 0.3);
  const double F = pi * E_star * std::pow(0.02 * R, 2) / (4. * R);
  hertz_on_plane(report,
                 { "hertz_disk.prm",
                   0.5 * F,
                   "contact:force_y",
                   R,
                   line_contact(F, R, E_star),
                   { 5, 10, 20, 40 },
                   false,
                   p0_line,
                   a_line,
                   1e-2 })
      .report(report);
}

void hertz_sphere(CaseReport &report)
{
  const double F = 100., R = 8.;
  hertz_on_plane(report,
                 { "hertz_sphere.prm",
                   F,
                   "contact:force_y",
                   R,
                   point_contact(F, R, plane_modulus(210000., 0.3)),
                   { 5, 10, 20, 40 },
                   false,
                   p0_point,
                   a_point,
                   2.3e-3 })
      .report(report);
}

void hertz_sphere_3d(CaseReport &report)
{
  const double F = 100., R = 8.;
  hertz_on_plane(report,
                 { "hertz_sphere_3d.prm",
                   0.25 * F,
                   "contact:force_z",
                   R,
                   point_contact(F, R, plane_modulus(210000., 0.3)),
                   { 5, 10, 14 },
                   true,
                   p0_point,
                   a_point,
                   2.3e-3,
                   3.5 })
      .report(report, true);
}

void hertz_cylinder(CaseReport &report)
{
  const double F = 35000., R = 50.;
  const double E_star =
      1. / (1. / plane_modulus(210000., 0.3) + 1. / plane_modulus(70000., 0.3));
  const Hertz exact = line_contact(F, R, E_star);
  Series series;
  double push = 1.;
  for (const unsigned int n : { 5u, 10u, 20u })
  {
    const double h = exact.a / n;
    const auto run = run_to_force(
        report,
        { fmt::format("n_{}", n),
          "hertz_cylinder.prm",
          { "Body cylinder/Mesh/Gmsh numbers=" + mesh_numbers(R, exact.a, n),
            fmt::format("Body block/Mesh/Gmsh numbers=width=100,depth=200,"
                        "cap={},h={},growth={},largest={}",
                        1.4 * exact.a,
                        h,
                        2. / n,
                        1. / n) } },
        "contact:force_y",
        0.5 * F,
        push);
    const auto m = measure_along_x(run.end(), exact, false);
    series.add(1. / n, m, exact);
    write_profile(
        report, fmt::format("pressure_{}", n), run.end(), exact, along_x);
    if (n != 20)
      continue;
    report.compare("p0 (MPa), h = a/20",
                   m.p0,
                   { exact.p0, "NAFEMS CGS-1, Code_Aster SSNP154; " + p0_line },
                   relative(0.05));
    report.compare("a (mm), h = a/20",
                   m.a,
                   { exact.a, "NAFEMS CGS-1, Code_Aster SSNP154; " + a_line },
                   absolute(h));
  }
  for (std::size_t i = 0; i < series.h.size(); ++i)
  {
    report.report(
        fmt::format("error of p0, h = {} a", series.h[i]), series.p0[i], "");
    report.report(
        fmt::format("L2 error of the pressure, h = {} a", series.h[i]),
        series.l2[i],
        "tends to the difference to the half-plane, (a/R)² = 1.5 %");
  }
}

void hertz_two_spheres(CaseReport &report)
{
  const double R = 50., approach = 0.4;
  const double E_star = 0.5 * plane_modulus(20000., 0.3);
  const double a      = std::sqrt(0.5 * R * approach);
  const double F      = 4. / 3. * E_star * a * approach;
  const Hertz exact   = point_contact(F, 0.5 * R, E_star);
  Series series;
  for (const unsigned int n : { 5u, 10u, 20u })
  {
    const double h            = exact.a / n;
    const std::string numbers = mesh_numbers(R, exact.a, n);
    const auto run            = report.run(
        { fmt::format("n_{}", n),
                     "hertz_two_spheres.prm",
                     { "Body upper/Mesh/Gmsh numbers=" + numbers,
                       "Body lower/Mesh/Gmsh numbers=" + numbers + ",below=1" } });
    const double force   = run.history.last("contact:force_y");
    const Hertz of_force = point_contact(force, 0.5 * R, E_star);
    const auto m         = measure_along_x(run.end(), of_force, true);
    series.add(1. / n, m, of_force);
    write_profile(
        report, fmt::format("pressure_{}", n), run.end(), of_force, along_x);
    if (n != 20)
      continue;
    const std::string source = "Code_Aster SSNV104 at 0.4 mm; analytical: ";
    report.compare("p0 (MPa) at 0.4 mm, h = a/20",
                   m.p0,
                   { exact.p0, source + "E/(π (1-ν²)) √(2 δ/R)" },
                   relative(0.03));
    report.compare("a (mm) at 0.4 mm, h = a/20",
                   m.a,
                   { exact.a, source + "√(R δ/2)" },
                   absolute(h));
    report.compare("F (N) at 0.4 mm, h = a/20",
                   force,
                   { F,
                     source + "4/3 E* a δ; the approach of the equators "
                              "is not that of distant points" },
                   reported());
    report.compare("p0 (MPa) at the force computed",
                   m.p0,
                   analytical(of_force.p0, p0_point),
                   relative(0.03));
    report.compare("a (mm) at the force computed",
                   m.a,
                   analytical(of_force.a, a_point),
                   absolute(h));
  }
  series.report(report);
}

void hertz_impact(CaseReport &report)
{
  const double E_star = plane_modulus(2.1e11, 0.3), R = 0.01, v = 1.;
  const double m        = 7850. * 4. / 3. * pi * std::pow(R, 3);
  const double K        = 4. / 3. * E_star * std::sqrt(R);
  const double deepest  = std::pow(5. * m * v * v / (4. * K), 0.4);
  const double duration = 2.9432 * deepest / v;
  const auto run        = report.run({ "run", "hertz_impact.prm" });
  const auto &t         = run.history["time"];
  const auto &f         = run.history["contact:force_y"];
  const auto &u         = run.history["centre:u_y"];
  double end            = 0.;
  for (std::size_t i = 0; i < t.size(); ++i)
    if (f[i] > 0.)
      end = t[i];
  const std::string source = "Hertz' law without waves";
  report.compare("largest force (N)",
                 *std::max_element(f.begin(), f.end()),
                 analytical(K * std::pow(deepest, 1.5), source),
                 relative(0.05));
  report.compare("largest approach of the centre (m)",
                 -*std::min_element(u.begin(), u.end()),
                 analytical(deepest, source + ", (5 m v²/4 K)^(2/5)"),
                 relative(0.05));
  report.compare("duration (s)",
                 end,
                 analytical(duration, source + ", 2.9432 δ/v"),
                 relative(0.05));
  report.compare(
      "mean velocity after it (m/s)",
      (run.history.last("centre:u_y") - run.history.at("centre:u_y", 58e-6)) /
          (t.back() - 58e-6),
      analytical(v, "e = 1 but for the vibrations left"),
      relative(0.05));
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < t.size(); ++i)
    rows.push_back({ t[i], f[i] });
  report.profile("force", { "time", "force" }, rows);
}
} // namespace

void add_hertz_cases(std::vector<Case> &cases)
{
  cases.push_back(
      { "hertz_disk",
        "Hertz: elastic cylinder on a rigid plane",
        "Plane strain, contact at the nodes. The load is such that a/R = 0.02: "
        "the theory's half-plane is then a good image of the cylinder, and the "
        "errors fall with the mesh. The push that gives the force is found by "
        "secants. p0 is that of a straight line through p² over x² in "
        "the inner half of the contact, a that of the second moment of the "
        "contact forces; the L2 error of the pressure is over all contact "
        "points, against means of the theory's pressure with the same "
        "weights.",
        2.,
        true,
        hertz_disk,
        { { "verification_hertz_2d.png",
            "Contact pressures of cylinders against Hertz" } } });
  cases.push_back(
      { "hertz_cylinder",
        "Hertz: steel cylinder on an aluminium block (NAFEMS CGS-1)",
        "Two deformable bodies, plane strain, 35 kN/mm, R = 50 mm, block "
        "200 mm x 200 mm: nodes of the cylinder against faces of the block. "
        "Small perturbations: the published finite element values with large "
        "displacements are 3502 to 3514 MPa (quadratic), 3800 to 3814 "
        "(linear elements).",
        2.,
        true,
        hertz_cylinder });
  cases.push_back({ "hertz_sphere",
                    "Hertz: steel ball on a rigid plane, axisymmetric",
                    "R = 8 mm, F = 100 N, E = 210 GPa, ν = 0.3.",
                    3.,
                    true,
                    hertz_sphere,
                    { { "verification_hertz_3d.png",
                        "Contact pressures of balls against Hertz" } } });
  cases.push_back(
      { "hertz_sphere_3d",
        "Hertz: steel ball on a rigid plane, 3D",
        "The same ball in space: a quarter of its lower half, tetrahedra that "
        "grow with the distance from the contact. Nodal pressures of an "
        "irregular surface mesh scatter; p0 and a, which are fits, do not.",
        20.,
        false,
        hertz_sphere_3d });
  cases.push_back(
      { "hertz_two_spheres",
        "Hertz: two elastic balls, axisymmetric",
        "R = 50 mm, E = 20 GPa, ν = 0.3, halves whose equators approach by "
        "0.4 mm; nodes against faces. The equators are not distant points, so "
        "the force at this approach is larger than that of the theory; "
        "pressure and radius are compared both at the approach and at the "
        "force computed, the errors under refinement are those at the force.",
        1.,
        true,
        hertz_two_spheres });
  cases.push_back(
      { "hertz_impact",
        "Hertz: steel ball thrown on a rigid plane",
        "R = 10 mm, 1 m/s, axisymmetric, θ = 1/2, 0.2 µs. The reference has no "
        "waves: 5 %.",
        1.,
        true,
        hertz_impact });
}
} // namespace verification
} // namespace delassus

// Coulomb friction of elastic bodies.
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
const std::string aster = "Code_Aster SSNV128 (Raous, Chabrand, Lebon 1988)";
const std::string independent =
    "independent quasi-static program, Q4, node contact";

/// Ends of the separation and of the slip zone: half way between the nodes.
struct Zones
{
  double separation, slip;
};

Zones zones_of(const Snapshot &snapshot)
{
  const auto points = snapshot.along(0);
  Zones zones{ 0., 0. };
  for (std::size_t i = 0; i + 1 < points.size(); ++i)
  {
    const double middle = 0.5 * (points[i].X[0] + points[i + 1].X[0]);
    if (points[i].status == 0)
      zones.separation = middle;
    if (points[i].status == 2)
      zones.slip = middle;
  }
  return zones;
}

void greco_rows(CaseReport &report,
                const RunResults &run,
                const double h,
                const std::vector<double> &references,
                const std::string &mesh)
{
  const std::vector<std::pair<std::string, double>> code_aster = {
    { "A", 2.86 }, { "B", 2.72 }, { "C", 2.28 }, { "D", 1.98 }, { "E", 1.5 }
  };
  for (std::size_t i = 0; i < code_aster.size(); ++i)
  {
    const auto &[name, value] = code_aster[i];
    const double computed     = 100. * run.history.last(name + ":u_x");
    report.compare(fmt::format("u_x at {} (1e-2 mm), {}", name, mesh),
                   computed,
                   published(references[i], independent),
                   relative(0.005));
    report.compare(fmt::format("u_x at {} (1e-2 mm), {}", name, mesh),
                   computed,
                   published(value, aster),
                   relative(0.05));
  }
  report.compare("sum of normal reactions (daN/mm), " + mesh,
                 run.history.last("base:force_y"),
                 analytical(200., "5 daN/mm² · 40 mm"),
                 relative(1e-4));
  report.compare("sum of tangential reactions (daN/mm), " + mesh,
                 run.history.last("base:force_x"),
                 published(-140.54, independent),
                 relative(0.005));
  const auto zones = zones_of(run.end());
  report.compare("end of the separation (mm), " + mesh,
                 zones.separation,
                 published(3.3, independent),
                 absolute(h));
  report.compare("end of the slip zone (mm), " + mesh,
                 zones.slip,
                 published(29.9, independent),
                 absolute(h));
}

void greco_dynamic(CaseReport &report)
{
  const auto run = report.run({ "run", "greco_dynamic.prm" });
  greco_rows(report,
             run,
             1.25,
             { 2.8594, 2.7217, 2.2850, 1.9796, 1.5406 },
             "h = 1.25");
}

void greco_quasi_static(CaseReport &report)
{
  const auto run = report.run({ "fine",
                                "greco_quasi_static.prm",
                                { "Body block/Mesh/Divisions=128,128" } });
  greco_rows(report,
             run,
             0.3125,
             { 2.8602, 2.7225, 2.2867, 1.9807, 1.5413 },
             "h = 0.3125");
  report.compare("uplift at A (mm), h = 0.3125",
                 run.history.last("A:u_y"),
                 published(5.91e-4, independent),
                 relative(0.005));
  const std::vector<std::array<double, 3>> table = {
    { { 5., 1.4004, -1.4004 } },   { { 10., 3.1547, -3.1547 } },
    { { 20., 5.1050, -5.1050 } },  { { 25., 6.0077, -6.0077 } },
    { { 30., 8.123, -6.806 } },    { { 35., 8.3524, -2.1439 } },
    { { 38.75, 8.3860, -0.5049 } }
  };
  const auto points = run.end().along(0);
  for (const auto &[x, normal, tangential] : table)
    for (const auto &point : points)
      if (std::abs(point.X[0] - x) < 1e-6)
      {
        report.compare(fmt::format("p_N at x = {} (daN/mm²), h = 0.3125", x),
                       point.pressure(),
                       published(normal, independent),
                       relative(0.01));
        report.compare(fmt::format("p_T at x = {} (daN/mm²), h = 0.3125", x),
                       point.reaction[0] / point.area,
                       published(tangential, independent),
                       relative(0.01));
      }
  std::vector<std::vector<double>> rows;
  for (const auto &point : points)
    rows.push_back({ point.X[0],
                     point.pressure(),
                     point.reaction[0] / point.area,
                     double(point.status) });
  report.profile("pressures", { "x", "p_N", "p_T", "status" }, rows);
  rows.clear();
  for (const auto &line : table)
    rows.push_back({ line.begin(), line.end() });
  report.profile("reference", { "x", "p_N", "p_T" }, rows);

  const auto one  = report.run({ "one_step", "greco_quasi_static.prm" });
  const auto five = report.run(
      { "five_steps", "greco_quasi_static.prm", { "Time/Step=0.2" } });
  greco_rows(report,
             one,
             1.25,
             { 2.8594, 2.7217, 2.2850, 1.9796, 1.5406 },
             "h = 1.25");
  report.compare("tangential reactions in five steps, h = 1.25",
                 five.history.last("base:force_x"),
                 analytical(one.history.last("base:force_x"),
                            "as in one step: proportional loading"),
                 relative(1e-6));
}

/// Deviation of the principal stresses from those of a uniform state, relative
/// to the pressure 1e4.
double patch_error(const RunResults &run,
                   const double smallest = -1e4,
                   const double largest  = 0.)
{
  const auto &state = run.summary["states"].back();
  return std::max(std::abs(state["smallest_principal_stress"].get<double>() -
                           smallest),
                  std::abs(state["largest_principal_stress"].get<double>() -
                           largest)) /
         1e4;
}

void patch_test_points(CaseReport &report)
{
  for (const auto &[name, points] :
       { std::pair<std::string, std::string>("nodes", "nodes"),
         { "mid-points", "midpoints" },
         { "Gauss points", "gauss" } })
  {
    const auto run = report.run(
        { points, "patch_test.prm", { "Interaction joint/Points=" + points } });
    report.report("error of the stress, " + name,
                  patch_error(run),
                  "one-pass points do not pass the patch test");
    report.compare("resultant, " + name,
                   run.history.last("joint:force_y"),
                   analytical(1e4, "E · 0.01 · 1"),
                   relative(0.02));
  }
  const auto run = report.run({ "matching",
                                "patch_test.prm",
                                { "Interaction joint/Points=nodes",
                                  "Body upper/Mesh/Divisions=7,4" } });
  report.at_most("error of the stress, nodes, matching meshes",
                 patch_error(run),
                 1e-8,
                 "analytical: uniform -1e4");
}

void patch_test_mortar(CaseReport &report)
{
  const std::string uniform = "analytical: uniform -1e4";
  report.at_most("error of the stress, 2D",
                 patch_error(report.run({ "plane", "patch_test_mortar.prm" })),
                 1e-8,
                 uniform);
  report.at_most(
      "error of the stress, 2D, matching meshes",
      patch_error(report.run({ "plane_matching",
                               "patch_test_mortar.prm",
                               { "Body upper/Mesh/Divisions=7,4" } })),
      1e-8,
      uniform);
  report.at_most("error of the stress, 3D",
                 patch_error(report.run({ "space", "patch_test_3d.prm" })),
                 1e-8,
                 uniform);
  report.at_most(
      "error of the stress, 3D, matching meshes",
      patch_error(report.run({ "space_matching",
                               "patch_test_3d.prm",
                               { "Body upper/Mesh/Divisions=4,4,2" } })),
      1e-8,
      uniform);
  const double tau = 1e3, root = std::hypot(5e3, tau);
  report.at_most("error of the stress, 2D, shear held by friction",
                 patch_error(report.run({ "shear", "patch_test_shear.prm" }),
                             -5e3 - root,
                             -5e3 + root),
                 1e-8,
                 "analytical: uniform -1e4 and 1e3");
}

/// T2/T1 of a strip, and its tension along the arc.
void capstan(CaseReport &report)
{
  const double pi = std::acos(-1.), angle = pi / 2., start = 1.;
  for (const double mu : { 0.144, 0.1 })
  {
    const std::string name = fmt::format("{:.0f}", 1000. * mu);
    const auto run =
        report.run({ "friction_" + name,
                     "capstan.prm",
                     { fmt::format("Contact law dry/Friction={}", mu) } });
    const std::string with = fmt::format(", μ = {}", mu);
    report.compare("T2/T1, end drawn" + with,
                   -run.history.last("end:reaction_x") / start,
                   analytical(std::exp(mu * angle), "e^(μφ)"),
                   relative(0.01));
    report.compare("T2/T1, end held while the start is pulled" + with,
                   -run.history.at("end:reaction_x", 1.) / start,
                   analytical(std::exp(-mu * angle), "e^(-μφ)"),
                   relative(0.01));
    report.at_most("contacts that stick at the end" + with,
                   run.history.last("contact:stick"),
                   0.,
                   "slips everywhere");
    auto points = run.end().points;
    std::sort(points.begin(),
              points.end(),
              [](const ContactPoint &a, const ContactPoint &b)
              { return a.X[1] < b.X[1]; });
    std::vector<std::vector<double>> rows;
    double tension = start;
    for (const auto &point : points)
    {
      // Friction on the strip is along T, clockwise. Half of it is behind the
      // node.
      tension += 0.5 * point.tangential_force;
      rows.push_back(
          { std::atan2(point.X[1], point.X[0]) * 180. / pi, tension / start });
      tension += 0.5 * point.tangential_force;
    }
    report.profile("tension_" + name, { "angle", "tension" }, rows);
  }
}
} // namespace

void add_friction_cases(std::vector<Case> &cases)
{
  cases.push_back(
      { "patch_test_points",
        "Contact patch test, points",
        "Two blocks 1 x 0.5, E = 1e6, ν = 0, pressed together by 0.01 without "
        "friction: the stress is -1e4 everywhere. Meshes of 7 and of 5 cells "
        "along the joint do not match. Points that face the other side's "
        "faces pass only if the meshes match: their error is on record here.",
        0.,
        true,
        patch_test_points });
  cases.push_back(
      { "patch_test_mortar",
        "Contact patch test, mortar",
        "The same blocks with rows of mortar type: gaps and impulses weighted "
        "over the faces. Passes on any meshes, in the plane and in space, and "
        "with a shear stress below the limit of friction.",
        0.,
        true,
        patch_test_mortar });
  cases.push_back(
      { "capstan",
        "Strip drawn over a cylinder (capstan)",
        "A thin elastic strip lies on a fixed cylinder over 90°, without "
        "stress; forty quadrilaterals, thickness R/50. Its start is pulled by "
        "T1 while its end is held: it slips towards the start, T2 = T1 "
        "e^(-μφ). Then its end is drawn until it slips the other way: T2 = T1 "
        "e^(μφ). Friction acts at the radius R, the tension at R + t/2, which "
        "makes the exponent smaller by t/2R = 1 %, and the ratio by 0.2 %.",
        0.3,
        true,
        capstan,
        { { "verification_capstan.png", "Tension along the strip" } } });
  cases.push_back(
      { "greco_dynamic",
        "Block on a rough foundation, dynamic path",
        "The friction benchmark of the GRECO group: a block pressed from above "
        "(5 daN/mm²) and from the sides (15 daN/mm²), μ = 1, plane strain; "
        "half of it. Slow proportional loading with inertia in ten steps. "
        "Code_Aster prints two or three digits (1.5 at E: converged values "
        "are 1.54).",
        0.,
        true,
        greco_dynamic });
  cases.push_back(
      { "greco_quasi_static",
        "Block on a rough foundation, equilibria",
        "The same block by quasi-static steps. The loading is proportional, so "
        "one step gives what five give. Zones from left to right: separation, "
        "slip, stick.",
        2.,
        true,
        greco_quasi_static,
        { { "verification_greco.png",
            "Pressures and zones at the foundation" } } });
}
} // namespace verification
} // namespace delassus

// Coulomb friction of elastic bodies.
#include <delassus/verification/cases.h>

#include <fmt/format.h>

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

/// Deviation from the uniform stress -1e4, relative.
double patch_error(const RunResults &run)
{
  const auto &state = run.summary["states"].back();
  return std::max(
             std::abs(state["smallest_principal_stress"].get<double>() + 1e4),
             std::abs(state["largest_principal_stress"].get<double>())) /
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
        1.,
        true,
        patch_test_points });
  cases.push_back(
      { "greco_dynamic",
        "Block on a rough foundation, dynamic path",
        "The friction benchmark of the GRECO group: a block pressed from above "
        "(5 daN/mm²) and from the sides (15 daN/mm²), μ = 1, plane strain; "
        "half of it. Slow proportional loading with inertia in ten steps. "
        "Code_Aster prints two or three digits (1.5 at E: converged values "
        "are 1.54).",
        2.,
        true,
        greco_dynamic });
}
} // namespace verification
} // namespace delassus

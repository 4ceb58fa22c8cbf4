// Shells with large displacements: the paths of Sze, Liu and Lo (2004).
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

constexpr double newton_energy = 1e-6;

const std::string sze = "Sze, Liu and Lo (2004)";

/// A displacement along a path; the sign makes it positive.
struct Watched
{
  std::string name;
  std::array<double, 3> place;
  unsigned int component;
  double sign;
};

struct Path
{
  std::vector<Watched> watched;
  std::vector<double> factor;
  std::vector<std::vector<double>> reference; ///< [factor][watched]
};

/// The greatest error of each component along the path, of its greatest value,
/// and where it is.
void follow(CaseReport &report,
            const std::string &name,
            Variant variant,
            const Path &path,
            const std::string &source,
            const Tolerance &tolerance,
            const bool quadratic = false)
{
  report.energy_tolerance = newton_energy;
  for (const auto &one : path.watched)
    variant.places.nodes.push_back(one.place);
  const auto run                   = report.run(variant);
  const auto &shell                = run.shells;
  std::vector<std::string> columns = { "load" };
  std::vector<std::vector<double>> table;
  for (const double factor : path.factor)
    table.push_back({ factor });
  for (std::size_t k = 0; k < path.watched.size(); ++k)
  {
    const auto &one = path.watched[k];
    columns.push_back(one.name);
    columns.push_back(one.name + " (reference)");
    double greatest = 0., worst = 0., worst_at = 0.;
    for (std::size_t i = 0; i < path.factor.size(); ++i)
    {
      const double value =
          one.sign * shell.at(shell.u[k], one.component, path.factor[i]);
      const double error = std::abs(value - path.reference[i][k]);
      greatest           = std::max(greatest, std::abs(path.reference[i][k]));
      if (error >= worst)
      {
        worst    = error;
        worst_at = path.factor[i];
      }
      table[i].push_back(value);
      table[i].push_back(path.reference[i][k]);
    }
    report.compare(fmt::format("{}: {} at the end", name, one.name),
                   table.back()[2 * k + 1],
                   { path.reference.back()[k], source },
                   reported());
    const std::string of_path =
        fmt::format("{}: {}, worst error of the path over its greatest value",
                    name,
                    one.name);
    const std::string where = fmt::format("at {} of the load", worst_at);
    if (tolerance.kind == Tolerance::reported)
      report.report(of_path, worst / greatest, where);
    else
      report.at_most(of_path, worst / greatest, tolerance.value, where);
  }
  report.newton(name, run, quadratic);
  report.profile(variant.name, columns, table);
}

void shell_cantilever(CaseReport &report)
{
  Path path;
  path.watched   = { { "-u", { { 10., 0., 0. } }, 0, -1. },
                     { "w", { { 10., 0., 0. } }, 2, 1. } };
  path.factor    = { 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1. };
  path.reference = { { 0.103, 1.309 }, { 0.381, 2.493 }, { 0.763, 3.488 },
                     { 1.184, 4.292 }, { 1.604, 4.933 }, { 2.002, 5.444 },
                     { 2.370, 5.855 }, { 2.705, 6.190 }, { 3.010, 6.467 },
                     { 3.286, 6.698 } };
  for (const unsigned int n : { 8, 16, 32 })
    follow(report,
           fmt::format("{} x 1", n),
           { fmt::format("cells_{}", n),
             "shell_cantilever.prm",
             { fmt::format("Body strip/Mesh/Divisions={},1", n) } },
           path,
           sze,
           n == 8 ? reported() : relative(0.01),
           n == 16);
}

Path circle(const unsigned int n_turns)
{
  Path path;
  path.watched   = { { "-u", { { 12., 0., 0. } }, 0, -1. },
                     { "w", { { 12., 0., 0. } }, 2, 1. } };
  const double L = 12.;
  for (unsigned int k = 1; k <= 4 * n_turns; ++k)
  {
    const double psi = 0.5 * pi * k;
    path.factor.push_back(0.25 * k);
    path.reference.push_back(
        { L * (1. - std::sin(psi) / psi), L * (1. - std::cos(psi)) / psi });
  }
  return path;
}

void shell_roll_up(CaseReport &report)
{
  const std::string exact = "analytical: a circle of radius E I/M";
  for (const unsigned int n : { 16, 32 })
    follow(report,
           fmt::format("once round, {} x 1", n),
           { fmt::format("once_{}", n),
             "shell_roll_up.prm",
             { fmt::format("Body strip/Mesh/Divisions={},1", n) } },
           circle(1),
           exact,
           n == 16 ? reported() : relative(0.01));
  follow(report,
         "twice (4π), 128 x 1",
         { "twice",
           "shell_roll_up.prm",
           { "Body strip/Mesh/Divisions=128,1", "Time/End=2" } },
         circle(2),
         exact,
         relative(0.01));
}

void shell_hemisphere_large(CaseReport &report)
{
  Path path;
  path.watched   = { { "outwards", { { 10., 0., 0. } }, 0, 1. },
                     { "inwards", { { 0., 10., 0. } }, 1, -1. } };
  path.factor    = { 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1. };
  path.reference = { { 0.855, 0.955 }, { 1.499, 1.840 }, { 2.321, 3.261 },
                     { 2.819, 4.339 }, { 3.158, 5.196 }, { 3.406, 5.902 },
                     { 3.598, 6.497 }, { 3.750, 7.006 }, { 3.875, 7.448 },
                     { 3.979, 7.835 }, { 4.067, 8.178 } };
  for (const unsigned int n : { 12, 24 })
    follow(report,
           fmt::format("{} x {}", n, n),
           { fmt::format("cells_{}", n),
             "shell_hemisphere.prm",
             { fmt::format("Body shell/Mesh/Divisions={},{}", n, n),
               "Newton/Tolerance=1e-12",
               "Time/Step=0.05" } },
           path,
           sze,
           n == 12 ? reported() : relative(0.01),
           n == 24);
}

void shell_pulled_cylinder(CaseReport &report)
{
  Path path;
  path.watched   = { { "w of A", { { 0., 4.953, 0. } }, 1, 1. },
                     { "-u of B", { { 4.953, 0., 0. } }, 0, -1. },
                     { "-u of C", { { 4.953, 0., 5.175 } }, 0, -1. } };
  path.factor    = { 0.025, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5,
                     0.525, 0.55, 0.6, 0.7, 0.8, 0.9, 1. };
  path.reference = { { 0.819, 0.864, 0.872 }, { 1.260, 1.471, 1.493 },
                     { 1.707, 2.217, 2.293 }, { 2.079, 2.904, 3.106 },
                     { 2.257, 3.227, 3.452 }, { 2.376, 3.443, 3.632 },
                     { 2.473, 3.653, 3.718 }, { 2.543, 4.061, 3.580 },
                     { 2.577, 4.171, 3.518 }, { 2.618, 4.274, 3.452 },
                     { 2.672, 4.385, 3.378 }, { 2.710, 4.455, 3.332 },
                     { 2.741, 4.508, 3.297 }, { 2.768, 4.551, 3.269 } };
  follow(report,
         "36 x 24",
         { "run", "shell_pulled_cylinder.prm", { "Time/Step=0.025" } },
         path,
         sze,
         relative(0.01));
}

void shell_pinched_deep(CaseReport &report)
{
  Path path;
  path.watched   = { { "-w under the force", { { 0., 100., 0. } }, 1, -1. },
                     { "u at the side", { { 100., 0., 0. } }, 0, 1. } };
  path.factor    = { 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1. };
  path.reference = { { 9.561, -0.233 },  { 23.164, -2.391 }, { 36.208, -2.154 },
                     { 56.373, 10.448 }, { 65.498, 17.979 }, { 70.424, 22.321 },
                     { 73.790, 25.381 }, { 76.331, 27.735 }, { 80.218, 31.471 },
                     { 83.102, 34.272 } };
  follow(report,
         "40 x 40",
         { "run", "shell_pinched_deep.prm" },
         path,
         sze,
         reported());
  // Before the snap, quadratic solids on 32 x 32 cells.
  const auto run =
      report.run({ "before_the_snap",
                   "shell_pinched_deep.prm",
                   { "Time/End=0.1" },
                   {},
                   { { { { 0., 100., 0. } }, { { 100., 0., 0. } } }, {} } });
  const std::string solids = "C3D20R of CalculiX, 32 x 32";
  report.compare("-w under the force at .1, 40 x 40",
                 -run.shells.u[0].back()[1],
                 { 23.67, solids },
                 relative(0.01));
  report.compare("u at the side at .1, 40 x 40",
                 run.shells.u[1].back()[0],
                 { -2.461, solids },
                 relative(0.01));
}
} // namespace

void add_large_shell_cases(std::vector<Case> &cases)
{
  cases.push_back({ "shell_cantilever",
                    "Cantilever under a shear force",
                    "E = 1.2e6, ν = 0, L = 10, width 1, t = .1, a force of up "
                    "to 4 at the end, ten load steps.",
                    0.5,
                    true,
                    shell_cantilever });
  cases.push_back(
      { "shell_roll_up",
        "Strip rolled up by a moment",
        "The same with L = 12 and a moment at the end, in steps of "
        "a sixteenth of a turn. Saint Venant and Kirchhoff's moment "
        "is not linear in the curvature: .1 %.",
        0.8,
        true,
        shell_roll_up });
  cases.push_back({ "shell_hemisphere_large",
                    "Hemisphere with a hole, large displacements",
                    "The hemisphere of the linear case, t = .04, with forces "
                    "of up to 200 on a quarter, in steps of a twentieth.",
                    3.,
                    true,
                    shell_hemisphere_large });
  cases.push_back({ "shell_pulled_cylinder",
                    "Cylinder with free ends pulled out",
                    "E = 10.5e6, ν = .3125, R = 4.953, L = 10.35, t = .094, "
                    "forces of up to 40000: an octant, in steps of a "
                    "fortieth; a snap follows half of the load.",
                    10.,
                    false,
                    shell_pulled_cylinder });
  cases.push_back({ "shell_pinched_deep",
                    "Cylinder on diaphragms pinched deep",
                    "E = 30000, ν = 0.3, R = 100, L = 200, t = 1, forces of up "
                    "to 12000: an octant. The published path is that of a mesh "
                    "of 40 x 40, which is too coarse for the snap between a "
                    "tenth and a fifth of the load; already before it, finer "
                    "meshes and quadratic solids are 2 % beyond it. So it is "
                    "shown, and the point before the snap is compared with "
                    "solids (doc/shells.md).",
                    60.,
                    false,
                    shell_pinched_deep });
}
} // namespace verification
} // namespace delassus

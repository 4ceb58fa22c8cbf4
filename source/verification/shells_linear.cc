// Shells under loads so small that they answer linearly.
#include <delassus/verification/cases.h>

#include <fmt/format.h>

#include <cmath>

namespace delassus
{
namespace verification
{
namespace
{
/// Newton's loop meets 1e-8 of the forces.
constexpr double newton_energy = 1e-6;

constexpr double degree = 3.14159265358979323846 / 180.;

std::string
divisions(const std::string &body, const unsigned int n, const unsigned int m)
{
  return fmt::format("Body {}/Mesh/Divisions={},{}", body, n, m);
}

/// A problem on meshes of n x n cells; the last one is held to its tolerance.
struct Problem
{
  std::string name, file, body;
  std::vector<std::string> changes;
  std::array<double, 3> place;
  unsigned int component;
  double sign; ///< times the displacement over the load
  Reference reference;
  std::vector<std::pair<unsigned int, Tolerance>> meshes;
};

void solve(CaseReport &report, const Problem &problem)
{
  report.energy_tolerance = newton_energy;
  for (const auto &[n, tolerance] : problem.meshes)
  {
    auto changes = problem.changes;
    changes.push_back(divisions(problem.body, n, n));
    Variant variant{ fmt::format("{}_{}", problem.name, n),
                     problem.file,
                     changes };
    variant.places.nodes = { problem.place };
    const auto run       = report.run(variant);
    report.compare(fmt::format("{}, {} x {}", problem.name, n, n),
                   problem.sign * run.shells.u[0].back()[problem.component],
                   problem.reference,
                   tolerance);
    if (n == problem.meshes.back().first)
      report.newton(problem.name, run);
  }
}

const std::string macneal = "MacNeal and Harder (1985)";

void shell_roof(CaseReport &report)
{
  solve(
      report,
      { "deflection of the free edge",
        "shell_roof.prm",
        "roof",
        {},
        { { 25. * std::cos(50. * degree), 25. * std::sin(50. * degree), 25. } },
        1,
        -1e3,
        published(0.3024, macneal + "; .3006 with shear"),
        { { 4, reported() },
          { 8, reported() },
          { 16, relative(0.02) },
          { 32, relative(0.01) } } });
}

void shell_pinched(CaseReport &report)
{
  solve(report,
        { "deflection under the force",
          "shell_pinched_cylinder.prm",
          "cylinder",
          {},
          { { 0., 300., 300. } },
          1,
          -1e-2,
          published(1.8248e-5, macneal),
          { { 8, reported() }, { 16, reported() }, { 32, relative(0.02) } } });
}

void shell_hemisphere(CaseReport &report)
{
  // Forces of 1e-3, and of 1e-6 for the thickness 1/10: the same deflection.
  for (const bool thin : { false, true })
  {
    const double P                   = thin ? 1e-6 : 1e-3;
    std::vector<std::string> changes = {
      fmt::format("Boundary condition outwards/Value={}*t;0;0", P),
      fmt::format("Boundary condition inwards/Value=0;{}*t;0", -P),
      fmt::format("Body shell/Thickness={}", thin ? 0.004 : 0.04),
      "Newton/Tolerance=1e-11"
    };
    solve(
        report,
        { thin ? "t/R = 4e-4" : "t/R = 4e-3",
          "shell_hemisphere.prm",
          "shell",
          changes,
          { { 10., 0., 0. } },
          0,
          1e3,
          published(0.093, macneal + ": 0.094; .0930 converged (Simo et al.)"),
          { { 8, reported() },
            { 16, relative(0.02) },
            { 32, thin ? reported() : relative(0.01) } } });
  }
}

void shell_twisted_beam(CaseReport &report)
{
  report.energy_tolerance = newton_energy;
  for (const bool thin : { false, true })
    for (const bool in_plane : { true, false })
      for (const unsigned int m : { 2, 8 })
      {
        const double P = 1e-2 * (thin ? 1e-6 : 1.);
        const std::string name =
            fmt::format("{}, force {} of the end, {} x {}",
                        thin ? "t = .0032" : "t = .32",
                        in_plane ? "in the plane" : "out of the plane",
                        6 * m,
                        m);
        Variant variant{
          fmt::format(
              "{}_{}_{}", thin ? "thin" : "thick", in_plane ? "in" : "out", m),
          "shell_twisted_beam.prm",
          { fmt::format("Body beam/Thickness={}", thin ? 0.0032 : 0.32),
            fmt::format("Body beam/Mesh/Gmsh numbers=length=12,width=1.1,"
                        "angle=90,n={},m={}",
                        6 * m,
                        m),
            in_plane ? fmt::format("Boundary condition force/Value=0;0;{}", P)
                     : fmt::format("Boundary condition force/Value=0;{};0", P) }
        };
        variant.places.nodes = { { { 12., 0., 0. } } };
        const auto run       = report.run(variant);
        const double value   = thin ? (in_plane ? 5.256e-3 : 1.294e-3)
                                    : (in_plane ? 5.424e-3 : 1.754e-3);
        report.compare(name,
                       1e2 * run.shells.u[0].back()[in_plane ? 2 : 1],
                       published(value, macneal),
                       m == 2 ? reported() : relative(0.01));
      }
}

void shell_plate(CaseReport &report)
{
  const double t = 0.02, D = 2e11 * t * t * t / (12. * (1. - 0.09));
  // Simply supported: no twist along the edge.
  const std::vector<std::string> supported = {
    "Boundary condition left/Type=fixed",
    "Boundary condition left/Components=z,rx",
    "Boundary condition bottom/Type=fixed",
    "Boundary condition bottom/Components=z,ry"
  };
  for (const bool clamped : { true, false })
    solve(report,
          { clamped ? "clamped" : "simply supported",
            "shell_plate.prm",
            "plate",
            clamped ? std::vector<std::string>() : supported,
            { { 0.5, 0.5, 0. } },
            2,
            -D,
            published(clamped ? 0.00126532 : 0.00406235,
                      "Timoshenko and Woinowsky-Krieger, w D/(q a⁴); no shear"),
            { { 4, reported() }, { 8, reported() }, { 16, relative(0.02) } } });
}
} // namespace

void add_linear_shell_cases(std::vector<Case> &cases)
{
  cases.push_back({ "shell_roof",
                    "Scordelis-Lo roof",
                    "A barrel vault, R = 25, L = 50, t = .25, 80 degrees, E = "
                    "4.32e8, ν = 0, on diaphragms under a weight of 90 per "
                    "area: a quarter, with n x n elements. Directors are means "
                    "of the elements' normals, as in all runs.",
                    0.4,
                    true,
                    shell_roof });
  cases.push_back({ "shell_pinched",
                    "Pinched cylinder on diaphragms",
                    "R = 300, L = 600, t = 3, E = 3e6, ν = 0.3, two opposed "
                    "unit forces in the middle: an octant.",
                    0.4,
                    true,
                    shell_pinched });
  cases.push_back({ "shell_hemisphere",
                    "Hemisphere with a hole of 18 degrees, linear",
                    "R = 10, E = 6.825e7, ν = 0.3, two pairs of opposed forces "
                    "at the rim, on a quarter of 1 for t = .04 (of 1e-3 for t "
                    "= .004): the deflection under a force.",
                    0.6,
                    true,
                    shell_hemisphere });
  cases.push_back({ "shell_twisted_beam",
                    "Twisted beam",
                    "L = 12, width 1.1, turned by 90 degrees from end to end, "
                    "E = 29e6, ν = 0.22, clamped, a unit force (t = .0032: "
                    "1e-6) at the end. The mesh is extruded and turned by "
                    "Gmsh. Deflections along the force.",
                    1.,
                    true,
                    shell_twisted_beam });
  cases.push_back({ "shell_plate",
                    "Square plate under pressure",
                    "a = 1, t = .02, E = 2e11, ν = 0.3: a quarter with n x n "
                    "elements, clamped and simply supported. w D/(q a⁴) in the "
                    "middle; the plate shears, Kirchhoff's does not: half a "
                    "percent.",
                    0.3,
                    true,
                    shell_plate });
}
} // namespace verification
} // namespace delassus

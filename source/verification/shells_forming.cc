// Sheets drawn over tools.
#include <delassus/verification/cases.h>

#include <fmt/format.h>

namespace delassus
{
namespace verification
{
namespace
{
constexpr double newton_energy = 1e-6;

/// What others found: force on the whole punch (kN) at some travels (mm), and
/// the thickness at the pole at the end.
struct Stretching
{
  double friction;
  std::vector<std::pair<double, double>> membrane, solids;
  double membrane_thickness, solid_thickness;
};

void shell_stretching(CaseReport &report)
{
  report.energy_tolerance = newton_energy;
  const std::string membrane =
                        "axisymmetric membrane on the middle of the sheet",
                    solids = "CalculiX 2.20, one layer of 400 C3D8I, penalty";
  const std::vector<Stretching> all = {
    { 0.275,
      { { 10., 7.6 },
        { 15., 15.6 },
        { 20., 25.7 },
        { 25., 37.6 },
        { 30., 49.9 } },
      { { 10., 7.91 }, { 20., 26.21 }, { 30., 50.12 } },
      0.698,
      0.692 },
    { 0.,
      { { 10., 7.5 },
        { 15., 15.25 },
        { 20., 24.62 },
        { 25., 35.08 },
        { 30., 45.31 } },
      { { 10., 7.80 }, { 20., 25.13 }, { 30., 45.87 } },
      0.546,
      0.555 }
  };
  for (const auto &one : all)
  {
    const std::string name = fmt::format("friction {}", one.friction);
    const auto run         = report.run(
        { one.friction > 0. ? "friction" : "smooth",
          "shell_stretching.prm",
          { fmt::format("Contact law dry/Friction={}", one.friction) } });
    const auto force_at = [&](const double travel)
    { return -4e-3 * run.history.at("punch:force_z", travel / 30.); };
    for (const auto &[travel, force] : one.membrane)
      report.compare(fmt::format("{}: punch force (kN) at {} mm", name, travel),
                     force_at(travel),
                     { force, membrane },
                     relative(0.05));
    for (const auto &[travel, force] : one.solids)
      report.compare(fmt::format("{}: punch force (kN) at {} mm", name, travel),
                     force_at(travel),
                     { force, solids },
                     relative(0.05));
    const double thickness = run.history.last("pole:thickness");
    report.compare(name + ": thickness (mm) at the pole at 30 mm",
                   thickness,
                   { one.membrane_thickness, membrane },
                   relative(0.05));
    report.compare(name + ": thickness (mm) at the pole at 30 mm",
                   thickness,
                   { one.solid_thickness, solids },
                   relative(0.05));
    report.newton(name, run);
  }
}
} // namespace

void add_shell_forming_cases(std::vector<Case> &cases)
{
  cases.push_back(
      { "shell_stretching",
        "Hemispherical stretching in shells",
        "A clamped sheet of steel, t = .85 mm, R = 59.18 mm, over a punch of "
        "R = 50.8 mm and a die of 6.35 mm, by 30 mm in 50 steps; 400 elements "
        "for a quarter. Both references are approximations: the membrane has "
        "no bending and touches with its middle, the solids' contact gives "
        "way.",
        60.,
        false,
        shell_stretching });
}
} // namespace verification
} // namespace delassus

// Shells in contact: a strip over a cylinder, a strip under a roller beside the
// same one in solids.
#include <delassus/verification/cases.h>

#include <fmt/format.h>

#include <cmath>

namespace delassus
{
namespace verification
{
namespace
{
constexpr double newton_energy = 1e-6;

void shell_capstan(CaseReport &report)
{
  report.energy_tolerance = newton_energy;
  const double angle      = 0.5 * std::acos(-1.);
  for (const double mu : { 0.144, 0.1 })
  {
    const auto run =
        report.run({ fmt::format("friction_{:.0f}", 1000. * mu),
                     "shell_capstan.prm",
                     { fmt::format("Contact law dry/Friction={}", mu) } });
    const std::string with = fmt::format(", μ = {}", mu);
    report.compare("T2/T1, end drawn" + with,
                   -run.history.last("end:reaction_x"),
                   analytical(std::exp(mu * angle), "e^(μφ)"),
                   relative(0.01));
    report.compare("T2/T1, end held while the start is pulled" + with,
                   -run.history.at("end:reaction_x", 1.),
                   analytical(std::exp(-mu * angle), "e^(-μφ)"),
                   relative(0.01));
    report.at_most("contacts that stick at the end" + with,
                   run.history.last("contact:stick"),
                   0.,
                   "slips everywhere");
    if (mu == 0.144)
      report.newton("strip", run);
  }
}

void shell_roller(CaseReport &report)
{
  report.energy_tolerance = newton_energy;
  const auto solid        = report.run({ "solids", "solid_roller_strip.prm" });
  const auto shell        = report.run({ "shells", "shell_roller_strip.prm" });
  std::vector<std::vector<double>> rows;
  for (const double t : shell.history["time"])
    rows.push_back({ t,
                     -shell.history.at("roller:force_z", t),
                     -solid.history.at("roller:force_y", t) });
  report.profile("force", { "travel", "shells", "solids" }, rows);
  for (const double travel : { 0.5, 1., 1.5, 2., 2.5, 3. })
    report.compare(fmt::format("force (N/mm) at {} mm", travel),
                   -shell.history.at("roller:force_z", travel),
                   { -solid.history.at("roller:force_y", travel),
                     "80 x 7 quadrilaterals of degree 2" },
                   relative(0.02));
  report.newton("shells", shell);
  report.newton("solids", solid);
}
} // namespace

void add_shell_contact_cases(std::vector<Case> &cases)
{
  cases.push_back(
      { "shell_capstan",
        "Strip in shells drawn over a cylinder (capstan)",
        "The case capstan in shells: eighty elements over 90°, thickness "
        "R/100. The inner face touches at R, the tension acts at R + t/2: the "
        "exponent is smaller by t/2R = .5 %, the ratio by .1 %.",
        0.3,
        true,
        shell_capstan });
  cases.push_back(
      { "shell_roller",
        "Roller on a plastic strip, beside the same one in solids",
        "Half of a wide strip of aluminium (plane strain), 40 mm between its "
        "supports and 0.5 mm thick, and a roller of 4 mm in its middle, which "
        "goes down by 3 mm without friction. Eighty shells with ten points of "
        "Gauss against 80 x 7 quadrilaterals of degree 2. The plastic zone "
        "under the roller is about a thickness long, where plane sections are "
        "an assumption: two percents.",
        20.,
        false,
        shell_roller });
}
} // namespace verification
} // namespace delassus

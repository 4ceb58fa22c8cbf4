// Materials with memory.
#include <delassus/verification/cases.h>

#include <fmt/format.h>

#include <cmath>

namespace delassus
{
namespace verification
{
namespace
{
void kelvin_voigt(CaseReport &report)
{
  // sigma = E (eps + beta deps/dt).
  const double E = 1e9, beta = 10., stress = 1e6, length = 2.;
  const double exact = stress / E * (1. - std::exp(-1.));
  std::vector<double> steps, errors;
  for (const double step : { 1., 0.5, 0.25, 0.125 })
  {
    const auto run    = report.run({ fmt::format("step_{}", step),
                                     "kelvin_voigt.prm",
                                     { fmt::format("Time/Step={}", step) } });
    const double last = run.history.last("end:u_x") / length;
    steps.push_back(step / beta);
    errors.push_back(std::abs(last / exact - 1.));
    if (step == 0.125)
      report.compare("strain at t = β, h = β/80",
                     last,
                     analytical(exact, "σ/E (1 - e^(-t/β))"),
                     relative(0.01));
  }
  report.convergence("error of the strain (h in β)",
                     steps,
                     errors,
                     0.9,
                     "implicit Euler: order 1");
  const double rate = 1e-4;
  const auto run =
      report.run({ "rate",
                   "kelvin_voigt.prm",
                   { "Boundary condition load/Type=displacement",
                     fmt::format("Boundary condition load/Value={:.17g}*t;0",
                                 rate * length) } });
  report.compare("stress at t = β, constant rate",
                 run.history.last("load:reaction_x"),
                 analytical(E * rate * (beta + beta), "E (ε + β dε/dt)"),
                 relative(1e-10));
}
} // namespace

void add_viscous_cases(std::vector<Case> &cases)
{
  cases.push_back(
      { "kelvin_voigt",
        "Creep of a Kelvin-Voigt bar",
        "Damping proportional to the stiffness makes a linear body a "
        "Kelvin-Voigt solid, σ = E (ε + β dε/dt): creep under a constant load "
        "and stress at a constant rate, quasi-static. Maxwell's solid is the "
        "case maxwell.",
        0.,
        true,
        kelvin_voigt });
}
} // namespace verification
} // namespace delassus

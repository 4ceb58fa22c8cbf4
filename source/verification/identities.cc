// What the scheme does exactly: energy, amplification, momentum.
#include <delassus/verification/cases.h>

#include <fmt/format.h>

#include <cmath>

namespace delassus
{
namespace verification
{
namespace
{
void amplification(CaseReport &report)
{
  const double h_omega = 0.1;
  for (const double theta : { 0.5, 0.55, 1. })
  {
    const auto run      = report.run({ fmt::format("theta_{}", theta),
                                       "amplification.prm",
                                       { fmt::format("Time/Theta={}", theta) } });
    const auto &kinetic = run.energy["kinetic"];
    const auto &elastic = run.energy["elastic"];
    const double first  = kinetic.front() + elastic.front();
    const double last   = kinetic.back() + elastic.back();
    const double exact  = (1. + std::pow((1. - theta) * h_omega, 2)) /
                         (1. + std::pow(theta * h_omega, 2));
    report.compare(fmt::format("energy kept in a step, θ = {}", theta),
                   std::pow(last / first, 1. / (kinetic.size() - 1)),
                   analytical(exact, "(1+(1-θ)²h²ω²)/(1+θ²h²ω²)"),
                   relative(1e-12));
  }
}

void collision(CaseReport &report)
{
  for (const double theta : { 0.5, 0.55, 1. })
  {
    const auto run  = report.run({ fmt::format("theta_{}", theta),
                                   "collision.prm",
                                   { fmt::format("Time/Theta={}", theta) } });
    const double m  = 2000. * 0.4 * 0.1;
    const double m2 = 2000. * 0.2 * 0.1;
    const double v0 = std::hypot(0.5, 1.);
    double worst    = 0.;
    const auto n    = run.history["time"].size();
    for (std::size_t i = 0; i < n; ++i)
    {
      double p[2] = { -0.5 * m2, 1. * m2 };
      for (unsigned int c = 0; c < 2; ++c)
        for (unsigned int k = 1; k <= 4; ++k)
        {
          const char *v = c == 0 ? "v_x" : "v_y";
          p[c] += 0.25 * m * run.history[fmt::format("lower {}:{}", k, v)][i];
          p[c] += 0.25 * m2 * run.history[fmt::format("upper {}:{}", k, v)][i];
        }
      worst = std::max(worst, std::hypot(p[0], p[1]) / (m2 * v0));
    }
    report.at_most(fmt::format("change of momentum, relative, θ = {}", theta),
                   worst,
                   1e-12,
                   "analytical: kept");
    double dissipated = 0.;
    const auto &work  = run.energy["friction_work"];
    for (std::size_t i = 1; i < n; ++i)
      dissipated = std::max(dissipated, work[i] - work[i - 1]);
    report.at_most(
        fmt::format("largest work of friction in a step, θ = {}", theta),
        dissipated / (0.5 * m2 * v0 * v0),
        1e-12,
        "analytical: P_T·U_T ≤ 0");
    report.at_most(fmt::format("energy identity, θ = {}", theta),
                   run.summary["energy"]["worst_relative_residual"],
                   1e-12,
                   "analytical: ΔE = works - (θ-½)(|Δv|²_M + |Δu|²_K)");
  }
}
} // namespace

void add_identity_cases(std::vector<Case> &cases)
{
  cases.push_back(
      { "amplification",
        "Free oscillator",
        "One quadrilateral that stretches freely, h ω = 0.1: what is left of "
        "its energy after a step, the geometric mean of 200 steps.",
        0.,
        true,
        amplification });
  cases.push_back(
      { "collision",
        "Collision of two free blocks",
        "Two elastic blocks that float in space collide askew with friction: "
        "momentum, friction that only dissipates, and the energy identity, "
        "for three values of θ.",
        0.,
        true,
        collision });
}
} // namespace verification
} // namespace delassus

// Friction of bodies that are pressed and pushed: Cattaneo and Mindlin.
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
const double pi = std::acos(-1.);

void cattaneo(CaseReport &report)
{
  const double R = 10., mu = 0.4, h = 0.0125;
  const double E_star = 0.5 * 210000. / (1. - 0.3 * 0.3);
  std::vector<double> times;
  for (unsigned int i = 10; i <= 27; ++i)
    times.push_back(0.1 * i);
  const auto run = report.run({ "run", "cattaneo.prm", {}, times });

  for (const double target : { 0.25, 0.5, 0.75 })
  {
    const auto ratio = [mu](const Snapshot &snapshot)
    {
      double P = 0., Q = 0.;
      for (const auto &point : snapshot.points)
      {
        P += point.reaction[1];
        Q -= point.reaction[0];
      }
      return std::array<double, 2>{ { P, Q / (mu * P) } };
    };
    // The step nearest to the load wanted; references are those of its load.
    const Snapshot *best = &run.snapshots.front();
    for (const auto &snapshot : run.snapshots)
      if (std::abs(ratio(snapshot)[1] - target) <
          std::abs(ratio(*best)[1] - target))
        best = &snapshot;
    const auto [P, share] = ratio(*best);
    const double a        = std::sqrt(4. * P * R / (pi * E_star));
    const double p0       = std::sqrt(P * E_star / (pi * R));
    const double c        = a * std::sqrt(1. - share);
    const auto exact      = [&](const double x)
    {
      const auto root = [](const double s)
      { return std::sqrt(std::max(0., 1. - s * s)); };
      return mu * p0 * (root(x / a) - c / a * root(x / c));
    };
    // Force over tributary area is a mean weighted by the hat of the node.
    const auto points     = best->along(0);
    const auto exact_mean = [&](const std::size_t i)
    {
      constexpr unsigned int n = 40;
      double sum = 0., length = 0.;
      for (const int side : { -1, 1 })
        if (i + side < points.size())
        {
          const double x = points[i].X[0], dx = points[i + side].X[0] - x;
          for (unsigned int k = 0; k < n; ++k)
          {
            const double s = (k + 0.5) / n;
            sum += std::abs(dx) / n * (1. - s) * exact(x + s * dx);
          }
          length += 0.5 * std::abs(dx);
        }
      return sum / length;
    };
    double left = 0., right = 0., error = 0., norm = 0.;
    std::vector<std::vector<double>> rows;
    for (std::size_t i = 0; i < points.size(); ++i)
    {
      const double x = points[i].X[0];
      const double q = -points[i].reaction[0] / points[i].area;
      const double e = exact_mean(i);
      if (points[i].status == 1)
      {
        left  = std::min(left, x);
        right = std::max(right, x);
      }
      error += std::pow(q - e, 2);
      norm += e * e;
      rows.push_back({ x / a,
                       points[i].pressure() / p0,
                       q / (mu * p0),
                       e / (mu * p0),
                       c / a });
    }
    const std::string load = fmt::format(" at Q/(μP) = {:.2f}", share);
    report.compare("c/a" + load,
                   (0.5 * (right - left) + 0.5 * h) / a,
                   analytical(c / a, "√(1 - Q/(μP))"),
                   absolute(h / a));
    report.at_most("L2 error of the shear traction" + load,
                   std::sqrt(error / norm),
                   0.05,
                   "analytical: q = μ p0 [√(1-x²/a²) - c/a √(1-x²/c²)]");
    report.profile(fmt::format("tractions_{:.0f}", 100. * target),
                   { "x/a", "p/p0", "q/(mu p0)", "exact", "c/a" },
                   rows);
  }
}
} // namespace

void add_cattaneo_cases(std::vector<Case> &cases)
{
  cases.push_back(
      { "cattaneo",
        "Cattaneo-Mindlin: cylinder pressed and pushed",
        "Two cylinders of the same radius and material, plane strain, "
        "a/R = 0.025, μ = 0.4, h = a/38; pressed in ten quasi-static "
        "steps, pushed in seventeen. The stick zone shrinks from both sides; "
        "the references are "
        "evaluated for the load of the step that is nearest to the one wanted.",
        5.,
        true,
        cattaneo,
        { { "verification_cattaneo.png",
            "Shear tractions against Cattaneo and Mindlin" } } });
}
} // namespace verification
} // namespace delassus

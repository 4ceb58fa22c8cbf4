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
/// Mindlin's ball: N, Q, the stick zone and the shift of a rigid ball on an
/// elastic half-space without coupling (nu close to 1/2):
///   c = a (1 - Q/(mu N))^(1/3)
///   delta = 3 mu N (2 - nu)/(16 G a) [1 - (1 - Q/(mu N))^(2/3)]
/// (two elastic bodies: the sum of both (2 - nu)/G).
void cattaneo_3d(CaseReport &report)
{
  report.energy_tolerance = 1e-6; // of its Newton loop
  const double R = 400., mu = 0.4, nu = 0.49, E = 3000., h = 0.15625;
  const double approach = 0.01, push = 0.0053;
  const double G = 0.5 * E / (1. + nu), E_star = E / (1. - nu * nu);
  std::vector<double> times;
  for (unsigned int i = 10; i <= 20; ++i)
    times.push_back(0.1 * i);
  const auto run = report.run({ "run", "cattaneo_3d.prm", {}, times });
  // The other half is behind the plane of symmetry.
  const auto force = [&](const std::string &component, const double t)
  { return 2. * std::abs(run.history.at("contact:force_" + component, t)); };
  const double N  = force("z", 1.);
  const double a  = std::cbrt(0.75 * N * R / E_star);
  const double p0 = 1.5 * N / (pi * a * a);
  report.compare(
      "N at an approach of 0.01 mm (N)",
      N,
      analytical(4. / 3. * E_star * std::sqrt(R) * std::pow(approach, 1.5),
                 "Hertz: 4/3 E* √R d^(3/2)"),
      relative(0.03));
  for (const double t : { 1.2, 1.4, 1.6, 1.8 })
  {
    const auto snapshot =
        std::find_if(run.snapshots.begin(),
                     run.snapshots.end(),
                     [t](const Snapshot &s) { return s.time > t - 0.05; });
    const double share = force("x", t) / (mu * N);
    const double c     = a * std::cbrt(1. - share);
    const auto root    = [](const double s)
    { return std::sqrt(std::max(0., 1. - s * s)); };
    double stick = 0., error = 0., norm = 0.;
    std::vector<std::vector<double>> rows;
    for (const auto &point : snapshot->points)
    {
      if (point.status == 1)
        stick += 2. * point.area;
      const double r = std::hypot(point.X[0], point.X[1]);
      const double q = -point.reaction[0] / point.area;
      const double exact =
          mu * p0 * (root(r / a) - c / a * (r < c ? root(r / c) : 0.));
      error += point.area * std::pow(std::abs(q) - exact, 2);
      norm += point.area * exact * exact;
      rows.push_back({ r / a,
                       point.pressure() / p0,
                       std::abs(q) / (mu * p0),
                       exact / (mu * p0),
                       c / a });
    }
    std::sort(rows.begin(), rows.end());
    const std::string load = fmt::format(" at Q/(μN) = {:.2f}", share);
    report.compare("c/a" + load,
                   std::sqrt(stick / pi) / a,
                   analytical(c / a, "(1 - Q/(μN))^(1/3)"),
                   absolute(0.5 * h / a));
    report.compare("shift (µm)" + load,
                   1e3 * push * (t - 1.),
                   analytical(1e3 * 3. * mu * N * (2. - nu) / (16. * G * a) *
                                  (1. - std::pow(1. - share, 2. / 3.)),
                              "3μN (2-ν)/(16 G a) [1 - (1 - Q/(μN))^(2/3)]"),
                   relative(0.01));
    // A slip zone narrower than two cells is not resolved.
    const std::string name   = "L2 error of the shear traction" + load,
                      theory = "q = μ p0 [√(1-r²/a²) - c/a √(1-r²/c²)]";
    if (a - c > 2. * h)
      report.at_most(
          name, std::sqrt(error / norm), 0.1, "analytical: " + theory);
    else
      report.report(name,
                    std::sqrt(error / norm),
                    fmt::format("{}; the slip zone is {:.1f} cells wide",
                                theory,
                                (a - c) / h));
    report.profile(fmt::format("tractions_{:.0f}", 100. * (t - 1.)),
                   { "r/a", "p/p0", "q/(mu p0)", "exact", "c/a" },
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
        2.,
        true,
        cattaneo,
        { { "verification_cattaneo.png",
            "Shear tractions against Cattaneo and Mindlin" } } });
  cases.push_back(
      { "cattaneo_3d",
        "Cattaneo-Mindlin: ball pressed and pushed on a half-space, 3D",
        "A rigid ball on a nearly incompressible half-space (ν = 0.49: "
        "pressure and shear hardly couple, Dundurs' β = 0.02), a/R = 0.005, "
        "μ = 0.4, h = a/13; pressed in ten quasi-static steps, pushed in ten. "
        "The "
        "references are those of the computed N and Q. The stick radius, that "
        "of a circle of the area of the points that stick, is told to half a "
        "cell; the shift is an integral of the tractions and better, 1 %; "
        "tractions are wrong where the edge of a zone goes through a cell, "
        "10 % in the L2 norm once the slip zone is two cells wide.",
        40.,
        false,
        cattaneo_3d });
}
} // namespace verification
} // namespace delassus

// Shells that vibrate, and one that is struck.
#include <delassus/verification/cases.h>

#include <fmt/format.h>

#include <cmath>

namespace delassus
{
namespace verification
{
namespace
{
const double pi = std::acos(-1.);

constexpr double newton_energy = 1e-6;

/// Frequency of one mode in steps of implicit Euler of length h, which obey
///   u(n+1) - 2 u(n) + u(n-1) = -(h omega)^2 u(n+1):
/// least squares.
double frequency(const ShellPath::Values &u, const double h)
{
  double a = 0., b = 0.;
  for (std::size_t n = 0; n < u.size(); ++n)
  {
    const double next = u[n][2], now = n > 0 ? u[n - 1][2] : 0.,
                 last = n > 1 ? u[n - 2][2] : 0.;
    if (n == 0)
      continue;
    a -= next * (next - 2. * now + last);
    b += next * next;
  }
  return std::sqrt(a / b) / h / (2. * pi);
}

void shell_frequencies(CaseReport &report)
{
  report.energy_tolerance = newton_energy;
  const double D          = 2e11 * std::pow(0.05, 3) / (12. * (1. - 0.09)),
               unit       = pi / 2. * std::sqrt(D / (8000. * 0.05)) / 100.;
  for (const auto &[m, n] :
       { std::array<int, 2>{ { 1, 1 } }, { { 1, 2 } }, { { 2, 2 } } })
    for (const unsigned int cells : { 8, 16, 24 })
    {
      const double exact = unit * (m * m + n * n), h = 0.025 / exact;
      Variant variant{
        fmt::format("plate_{}{}_{}", m, n, cells),
        "shell_vibrating_plate.prm",
        { fmt::format("Body plate/Mesh/Divisions={},{}", cells, cells),
          fmt::format("Body plate/Initial velocity=0;0;1e-5*sin({0}*pi*x/10)*"
                      "sin({1}*pi*y/10)",
                      m,
                      n),
          fmt::format(
              "Body plate/Shell/Initial angular velocity=1e-6*{1}*pi*"
              "sin({0}*pi*x/10)*cos({1}*pi*y/10);-1e-6*{0}*pi*cos({0}*pi*x/10)*"
              "sin({1}*pi*y/10);0",
              m,
              n),
          fmt::format("Time/Step={:.17g}", h),
          fmt::format("Time/End={:.17g}", 12. * h) }
      };
      variant.places.nodes = {
        { { m == 1 ? 5. : 2.5, n == 1 ? 5. : 2.5, 0. } }
      };
      const auto run = report.run(variant);
      report.compare(
          fmt::format(
              "plate, f{}{} (Hz), {} x {} elements", m, n, cells, cells),
          frequency(run.shells.u[0], h),
          analytical(exact, "π/2 √(D/(ρ t)) (m² + n²)/a², Kirchhoff"),
          cells < 24 ? reported() : relative(0.01));
    }
  for (const unsigned int cells : { 8, 16, 32 })
  {
    const double h = 0.0025;
    Variant variant{ fmt::format("strip_{}", cells),
                     "shell_vibrating_strip.prm",
                     { fmt::format("Body strip/Mesh/Divisions={},1", cells) } };
    variant.places.nodes = { { { 10., 0., 0. } } };
    const auto run       = report.run(variant);
    report.compare(
        fmt::format("cantilever, f1 (Hz), {} elements", cells),
        frequency(run.shells.u[0], h),
        analytical(std::pow(1.875104, 2) / (2. * pi) *
                       std::sqrt(1.2e6 * 1e-2 / 12. / (3.1314e-4 * 1e4)),
                   "1.8751²/(2π) √(E I/(ρ A L⁴)); MBDyn (Sze's strip): "
                   "10.0355"),
        cells == 8 ? reported() : relative(0.01));
  }
}

void shell_blast(CaseReport &report)
{
  report.energy_tolerance = newton_energy;
  for (const unsigned int n : { 8, 16 })
  {
    Variant variant{ fmt::format("cells_{}", n),
                     "shell_blast.prm",
                     { fmt::format("Body panel/Mesh/Divisions={},{}", n, n) } };
    variant.places.nodes = { { { 0., 2.9375, 0. } } };
    const auto run       = report.run(variant);
    const auto &u        = run.shells.u[0];
    double most = 0., mean = 0.;
    for (const auto &value : u)
      most = std::max(most, -value[1]);
    for (std::size_t i = u.size() / 2; i < u.size(); ++i)
      mean -= u[i][1] / (u.size() - u.size() / 2);
    report.report(
        fmt::format("largest deflection of the crown (in), {0} x {0}", n),
        most,
        "");
    report.compare(
        fmt::format("its mean over the last half millisecond, {0} x {0}", n),
        mean,
        published(1.265, "1.25 to 1.28 (Balmer and Witmer, recalled)"),
        reported());
    report.newton(fmt::format("{0} x {0}", n), run);
  }
}
} // namespace

void add_shell_dynamics_cases(std::vector<Case> &cases)
{
  cases.push_back(
      { "shell_frequencies",
        "Frequencies of a plate and a cantilever",
        "A simply supported steel plate, a = 10, t = .05, and Sze's strip, let "
        "go with the velocities of a mode; implicit Euler, forty steps a "
        "period. Its steps obey u(n+1) - 2u(n) + u(n-1) = -(hω)² u(n+1), from "
        "which ω is found: the error is that of the mesh. The mass is lumped.",
        2.,
        true,
        shell_frequencies });
  cases.push_back(
      { "shell_blast",
        "Cylindrical panel under a blast (Balmer and Witmer)",
        "120 degrees, R = 2.9375, L = 12.56, t = .125 in, E = 1.05e7, ν = "
        ".33, ρ = 2.5e-4, σ_y = 4.4e4 psi, perfectly plastic, 5650 in/s "
        "inwards on 10.2 x 3.08 in in its middle: a quarter. How the edges "
        "were held and where the charge lay is recalled, not read: nothing is "
        "held to these numbers.",
        60.,
        false,
        shell_blast });
}
} // namespace verification
} // namespace delassus

// Waves in elastic bars that collide.
#include <delassus/verification/cases.h>

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace delassus
{
namespace verification
{
namespace
{
// E = 900, rho = 1, A = 1, L = 10: c = 30, contact during 2 L/c.
constexpr double L = 10., c = 30., rho = 1., duration = 2. * L / c;

const std::string doyen =
    "Doyen, Ern, Piperno, SIAM J. Sci. Comput. 33 (2011); analytical: ";

/// A contact between two instants.
struct ContactPhase
{
  double impulse = 0.;
  double begin   = 0.; ///< of the first step with half of the plateau
  double end     = 0.; ///< of the last one
};

ContactPhase contact_between(const RunResults &run,
                             const std::string &column,
                             const double from,
                             const double to,
                             const double plateau)
{
  const auto &t = run.history["time"];
  const auto &f = run.history[column];
  ContactPhase phase;
  bool found = false;
  for (std::size_t i = 1; i < t.size(); ++i)
    if (t[i] >= from && t[i] <= to)
    {
      phase.impulse += f[i] * (t[i] - t[i - 1]);
      if (f[i] > 0.5 * plateau)
      {
        if (!found)
          phase.begin = t[i - 1];
        found     = true;
        phase.end = t[i];
      }
    }
  return phase;
}

/// Mean of a column over the steps inside an interval.
double mean_between(const Table &table,
                    const std::string &column,
                    const double from,
                    const double to)
{
  const auto &t = table["time"];
  const auto &f = table[column];
  double sum    = 0.;
  unsigned n    = 0;
  for (std::size_t i = 0; i < t.size(); ++i)
    if (t[i] > from && t[i] < to)
    {
      sum += f[i];
      ++n;
    }
  return sum / n;
}

/// The time step of a cell. With the consistent mass and theta = 1/2 the
/// errors of the wave speed in space and in time, (kh)^2/24 - (c k dt)^2/12,
/// cancel at the Courant number 1/sqrt(2).
double time_step(const double size)
{
  return size / c / std::sqrt(2.);
}

/// The bar cut into n cells.
Variant bar(const std::string &file, const unsigned int n)
{
  return { fmt::format("cells_{}", n),
           file,
           { fmt::format("Body bar/Mesh/Divisions=1,{}", n),
             fmt::format("Time/Step={:.17g}", time_step(L / n)) } };
}

void bar_wall(CaseReport &report)
{
  const double v0 = 10., begin = 0.5, pressure = rho * c * v0;
  std::vector<double> sizes, errors, losses;
  std::vector<std::vector<double>> history;
  for (const unsigned int n : { 50u, 100u, 200u, 400u })
  {
    const auto run  = report.run(bar("bar_wall.prm", n));
    const double dt = time_step(L / n);
    const auto &t   = run.history["time"];
    const auto &f   = run.history["foot:force_y"];
    double error    = 0.;
    for (std::size_t i = 1; i < t.size(); ++i)
    {
      // Of the step, in which the jump may lie.
      const double inside = std::max(0.,
                                     std::min(t[i], begin + duration) -
                                         std::max(t[i - 1], begin)) /
                            dt;
      error += (inside * std::pow(f[i] - pressure, 2) +
                (1. - inside) * std::pow(f[i], 2)) *
               dt;
    }
    sizes.push_back(L / n);
    errors.push_back(std::sqrt(error / duration) / pressure);
    losses.push_back(
        1. - (run.energy.last("kinetic") + run.energy.last("elastic")) / 500.);
    if (n != 400u)
      continue;
    const auto phase = contact_between(run, "foot:force_y", 0., 1.5, pressure);
    report.compare("pressure, mean of the plateau",
                   mean_between(run.history,
                                "foot:force_y",
                                begin + 0.1 * duration,
                                begin + 0.9 * duration),
                   { pressure, doyen + "ρ c v0" },
                   relative(0.01));
    report.compare("impulse",
                   phase.impulse,
                   { 2. * rho * L * v0, doyen + "2 m v0" },
                   relative(0.01));
    report.compare("begin of the contact",
                   phase.begin,
                   { begin, doyen + "h0/v0" },
                   absolute(dt));
    report.compare("duration",
                   phase.end - phase.begin,
                   { duration, doyen + "2 L/c" },
                   absolute(dt));
    report.compare("largest contraction",
                   -5. - run.history.at("head:u_y", begin + L / c),
                   { v0 * L / c, doyen + "v0 L/c" },
                   relative(0.01));
    for (const auto &[time, elastic] :
         { std::pair<double, double>(0.75, 375.), { 1., 250. } })
    {
      report.compare(fmt::format("elastic energy at t = {}", time),
                     run.energy.at("elastic", time),
                     { elastic, doyen + "m v0²/2 · strained share" },
                     relative(0.01));
      report.compare(fmt::format("kinetic energy at t = {}", time),
                     run.energy.at("kinetic", time),
                     { 500. - elastic, doyen + "the rest of m v0²/2" },
                     relative(0.02));
    }
    report.compare(
        "velocity of the free end after it, mean of 0.2",
        (run.history.at("head:u_y", 1.5) - run.history.at("head:u_y", 1.3)) /
            0.2,
        { v0, doyen + "v0" },
        relative(0.01));
    for (std::size_t i = 0; i < t.size(); ++i)
      history.push_back({ t[i], f[i] });
  }
  report.profile("pressure", { "time", "pressure" }, history);
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    rows.push_back({ sizes[i], errors[i], losses[i] });
  report.profile("convergence", { "h", "pressure", "energy" }, rows);
  report.convergence("L2 error of the pressure history",
                     sizes,
                     errors,
                     0.2,
                     "falls with h; a jump spread over h^(4/5) has order 2/5");
  report.convergence("energy lost in the impact",
                     sizes,
                     losses,
                     0.8,
                     "the kinetic energy of the impacting nodes: order 1");
}

void bar_bounce(CaseReport &report)
{
  std::vector<double> sizes, losses;
  for (const unsigned int n : { 100u, 200u, 400u })
  {
    const auto run = report.run(bar("bar_bounce.prm", n));
    sizes.push_back(L / n);
    losses.push_back((run.energy.last("external_work") -
                      run.energy.last("kinetic") - run.energy.last("elastic")) /
                     500.);
    if (n != 400u)
      continue;
    const double second_begin = 11. / 3.;
    const auto first  = contact_between(run, "foot:force_y", 0.9, 2., 300.);
    const auto second = contact_between(run, "foot:force_y", 3.4, 4.7, 300.);
    const std::string source = "analytical: characteristics";
    const double impulse     = 2. * rho * L * 10. + rho * L * 10. * duration;
    report.compare("impulse of the first contact",
                   first.impulse,
                   analytical(impulse, "2 m 10 + m g 2 L/c"),
                   relative(0.01));
    report.compare("impulse of the second contact",
                   second.impulse,
                   analytical(impulse, "2 m 10 + m g 2 L/c"),
                   relative(0.01));
    report.compare("begin of the first contact",
                   first.begin,
                   { 1., source },
                   absolute(0.01 * duration));
    report.compare("begin of the second contact",
                   second.begin,
                   { second_begin, source },
                   absolute(0.01 * duration));
    for (const double time : { 1.2, 1.5 })
      report.compare(
          fmt::format("pressure at t = {} (mean of ±0.05)", time),
          mean_between(run.history, "foot:force_y", time - 0.05, time + 0.05),
          { 300. + 300. * (time - 1.), source + ", 300 + 300 (t - 1)" },
          relative(0.01));
    for (const double time : { 3.9, 4.1 })
      report.compare(
          fmt::format("pressure at t = {} (mean of ±0.05)", time),
          mean_between(run.history, "foot:force_y", time - 0.05, time + 0.05),
          { 500. - 300. * (time - second_begin),
            source + ", 500 - 300 (t - 11/3)" },
          relative(0.01));
    for (const auto &[time, foot, head] :
         { std::array<double, 3>{ { 2., 1.66667, 2.77778 } },
           std::array<double, 3>{ { 2.5, 4.02778, 4.02778 } },
           std::array<double, 3>{ { 4.5, 1.52778, 1.52778 } },
           std::array<double, 3>{ { 5., 4.44444, 4.44444 } } })
    {
      report.compare(fmt::format("position of the foot at t = {}", time),
                     5. + run.history.at("foot:u_y", time),
                     { foot, source },
                     absolute(0.05));
      report.compare(fmt::format("position of the head at t = {}", time),
                     5. + run.history.at("head:u_y", time),
                     { head, source },
                     absolute(0.05));
    }
  }
  report.convergence("energy lost in three contacts",
                     sizes,
                     losses,
                     0.8,
                     "the kinetic energy of the impacting nodes: order 1");
}

void bar_steel(CaseReport &report)
{
  const auto run           = report.run({ "run", "bar_steel.prm" });
  const std::string source = "Code_Aster SDNV100; analytical: ";
  const double us          = 1e-6;
  for (const auto &[time, value] : { std::pair<double, double>(20., -2e-3),
                                     { 40., -4e-3 },
                                     { 60., -2e-3 } })
    report.compare(fmt::format("displacement of the free end at {} µs", time),
                   run.history.at("head:u_z", time * us),
                   { value, source + "v0 t, then back" },
                   relative(0.02));
  report.compare("displacement of the free end at 80 µs",
                 run.history.at("head:u_z", 80. * us),
                 { 0., source + "back in place" },
                 absolute(0.02 * 4e-3));
  double away = 0.;
  for (const double time : { 20., 40., 60., 79. })
    away = std::max(away, std::abs(run.history.at("foot:u_z", time * us)));
  report.compare("displacement of the impacted face, 0 to 79 µs",
                 away,
                 { 0., source + "0 while it touches" },
                 absolute(0.02 * 4e-3));
  report.compare("velocity of the free end at 20 µs",
                 run.history.at("head:v_z", 20. * us),
                 { -100., source + "v0" },
                 relative(0.05));
  report.compare("velocity of the free end at 60 µs",
                 mean_between(run.history, "head:v_z", 55. * us, 65. * us),
                 { 100., source + "-v0 (mean of ±5 µs)" },
                 relative(0.05));
  report.compare("contact force",
                 mean_between(run.history, "foot:force_z", 8. * us, 72. * us),
                 { 8000. * 5000. * 100. * 4e-4, source + "ρ c v0 A" },
                 relative(0.01));
  const auto phase = contact_between(run, "foot:force_z", 0., 100. * us, 1.6e6);
  report.compare("duration",
                 phase.end,
                 { 80. * us, source + "2 L/c" },
                 absolute(0.283 * us));
}

void two_bars(CaseReport &report)
{
  const double v0  = 10.;
  const auto equal = report.run({ "equal", "two_bars.prm" });
  const double dt  = time_step(L / 200);
  report.compare(
      "interface force, mean of the plateau",
      mean_between(
          equal.history, "joint:force_x", 0.1 * duration, 0.9 * duration),
      analytical(0.5 * rho * c * v0, "ρ c Δv/2"),
      relative(0.01));
  const auto phase =
      contact_between(equal, "joint:force_x", 0., 1.2, 0.5 * rho * c * v0);
  report.compare(
      "duration", phase.end, analytical(duration, "2 L/c"), absolute(dt));
  const auto mean_velocity = [](const RunResults &run, const std::string &body)
  {
    // Ends of a bar with waves in it: its mean velocity is that of the middle
    // of its ends over a whole period.
    const auto &t          = run.history["time"];
    const auto &a          = run.history[body + "_left:u_x"];
    const auto &b          = run.history[body + "_right:u_x"];
    const std::size_t last = t.size() - 1;
    std::size_t first      = last;
    const double period =
        body == "target" && t[last] > 1.5 ? 2. * duration : duration / 2.;
    while (first > 0 && t[last] - t[first] < period - 1e-9)
      --first;
    return 0.5 * (a[last] + b[last] - a[first] - b[first]) /
           (t[last] - t[first]);
  };
  report.compare("impulse",
                 phase.impulse,
                 analytical(rho * L * v0, "m v0"),
                 relative(0.01));
  report.compare("velocity of the striker after it",
                 mean_velocity(equal, "striker"),
                 analytical(0., "velocities are exchanged"),
                 absolute(0.01 * v0));
  report.compare("velocity of the target after it",
                 mean_velocity(equal, "target"),
                 analytical(v0, "velocities are exchanged"),
                 relative(0.01));
  report.at_most("elastic energy left, share of m v0²/2",
                 equal.energy.last("elastic") / 500.,
                 0.02,
                 "analytical: no vibration is left");

  const auto longer = report.run({ "longer",
                                   "two_bars.prm",
                                   { "Body target/Mesh/Size=20,1",
                                     "Body target/Mesh/Divisions=400,1",
                                     "Probe target_right/Point=20,0",
                                     "Time/End=2.8" } });
  const auto contact =
      contact_between(longer, "joint:force_x", 0., 1.2, 0.5 * rho * c * v0);
  report.compare("L2 = 2 L1: impulse",
                 contact.impulse,
                 analytical(rho * L * v0, "m1 v0"),
                 relative(0.01));
  report.compare("L2 = 2 L1: the striker stops dead",
                 mean_velocity(longer, "striker"),
                 analytical(0., "St-Venant: e = L1/L2"),
                 absolute(0.02 * v0));
  report.compare("L2 = 2 L1: mean velocity of the target",
                 mean_velocity(longer, "target"),
                 analytical(0.5 * v0, "v0/2"),
                 relative(0.01));
  const double translation = 0.5 * (2. * rho * L) * 0.25 * v0 * v0;
  report.compare("L2 = 2 L1: energy of the vibration left",
                 longer.energy.last("kinetic") + longer.energy.last("elastic") -
                     translation,
                 analytical(250., "half of m1 v0²/2"),
                 relative(0.02));
}
} // namespace

void add_bar_cases(std::vector<Case> &cases)
{
  cases.push_back(
      { "bar_wall",
        "Elastic bar thrown against a wall",
        "E = 900, ρ = 1, L = 10, A = 1, so that c = 30; v0 = 10, distance 5. "
        "Quadrilaterals without Poisson's effect, consistent mass, θ = 1/2, "
        "Courant number 1/√2, at which the errors of the wave speed in space "
        "and in time cancel. Begin and end of the contact are the steps in "
        "which the pressure passes half of its plateau.",
        1.,
        true,
        bar_wall,
        { { "verification_bar_wall.png",
            "Contact pressure of the bar, and convergence" } } });
  cases.push_back(
      { "bar_bounce",
        "Elastic bar that bounces under gravity",
        "The same bar falls by 5 under g = 10. The pressure grows from 300 to "
        "500 in the first contact and falls from 500 to 300 in the second; "
        "between them the bar vibrates, after the second it flies undeformed.",
        4.,
        true,
        bar_bounce });
  cases.push_back(
      { "bar_steel",
        "Steel bar against a wall, 3D (Code_Aster SDNV100)",
        "A bar of 0.2 m and 2 cm x 2 cm at 100 m/s, E = 2e11, ν = 0, "
        "ρ = 8000: 100 hexahedra, Courant number 1/√2. Tolerances of that "
        "test: 2 % of "
        "displacements, 5 % of velocities.",
        0.,
        true,
        bar_steel });
  cases.push_back(
      { "two_bars",
        "Two elastic bars collide",
        "Deformable against deformable, faces that match. Identical bars "
        "exchange their velocities; a bar that hits another of twice its "
        "length stops dead and leaves half of the energy as vibration.",
        1.,
        true,
        two_bars });
}
} // namespace verification
} // namespace delassus

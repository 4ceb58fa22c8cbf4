// One body on a rigid plane.
#include <delassus/verification/cases.h>

#include <fmt/format.h>

#include <cmath>

namespace delassus
{
namespace verification
{
namespace
{
constexpr double g  = 9.81;
constexpr double mu = 0.3;

double radians(const double degrees)
{
  return degrees * std::acos(-1.) / 180.;
}

/// The plane at an angle: gravity is turned instead.
Variant incline_at(const double degrees)
{
  return { fmt::format("angle_{:.6f}", degrees),
           "incline.prm",
           { fmt::format("Gravity={:.17g},{:.17g}",
                         g * std::sin(radians(degrees)),
                         -g * std::cos(radians(degrees))) } };
}

void incline(CaseReport &report)
{
  for (const double angle : { 20., 30. })
  {
    const auto run     = report.run(incline_at(angle));
    const auto &v      = run.history["corner:v_x"];
    const auto &u      = run.history["corner:u_x"];
    const auto &t      = run.history["time"];
    const auto &work   = run.energy["friction_work"];
    const auto last    = v.size() - 1;
    const auto half    = v.size() / 2;
    const double alpha = radians(angle);
    // Second half: the vibrations of the sudden start are gone.
    report.compare(fmt::format("acceleration at {:.0f}°", angle),
                   (v[last] - v[half]) / (t[last] - t[half]),
                   analytical(g * (std::sin(alpha) - mu * std::cos(alpha)),
                              "g (sin α - μ cos α)"),
                   relative(1e-10));
    report.compare(
        fmt::format("work of friction at {:.0f}°", angle),
        work[last] - work[half],
        analytical(-mu * run.mass() * g * std::cos(alpha) * (u[last] - u[half]),
                   "-μ m g cos α · path"),
        relative(1e-10));
  }
  const auto run      = report.run(incline_at(15.));
  const double weight = run.summary["weight"];
  report.compare("friction force at 15° (sticks)",
                 run.history.last("base:force_x"),
                 analytical(-weight * std::sin(radians(15.)), "-m g sin α"),
                 relative(1e-10));
  report.at_most("largest speed at 15°, end",
                 run.history.last("largest_speed"),
                 1e-8,
                 "analytical: sticks, tan 15° < μ");

  // Sliding is a velocity that grows: 1e-5 degrees above the critical angle it
  // is 1e-6 after 0.6.
  double sticks = 16., slides = 17.5;
  for (unsigned int i = 0; i < 14; ++i)
  {
    const double angle = 0.5 * (sticks + slides);
    const auto trial   = report.run(incline_at(angle));
    (trial.history.last("corner:v_x") > 1e-6 ? slides : sticks) = angle;
  }
  report.compare("critical angle (degrees, by bisection)",
                 0.5 * (sticks + slides),
                 analytical(std::atan(mu) * 180. / std::acos(-1.), "tan α = μ"),
                 absolute(1e-3));
}

void sliding_stop(CaseReport &report)
{
  const double v0 = 2., dt = 1e-3;
  const auto run   = report.run({ "run", "sliding_stop.prm" });
  const auto &slip = run.history["base:slip"];
  const auto &t    = run.history["time"];
  double stopped   = 0.;
  for (std::size_t i = 0; i < t.size(); ++i)
    if (slip[i] > 0.)
      stopped = t[i];
  report.compare("time of the stop (last step with slip)",
                 stopped,
                 analytical(v0 / (mu * g), "v0/(μ g)"),
                 absolute(dt));
  report.compare("distance",
                 run.history.last("corner:u_x"),
                 analytical(v0 * v0 / (2. * mu * g), "v0²/(2 μ g)"),
                 absolute(v0 * dt));
  report.at_most("largest speed after the stop",
                 run.history.last("largest_speed"),
                 1e-9,
                 "analytical: at rest");
  report.compare("work of friction",
                 run.energy.last("friction_work"),
                 analytical(-0.5 * run.mass() * v0 * v0, "-m v0²/2"),
                 relative(1e-2));
}

void bounce(CaseReport &report)
{
  const double dt = 1e-3, h0 = 1.;
  const auto run  = report.run({ "run", "bounce.prm" });
  const auto &t   = run.history["time"];
  const auto &u   = run.history["corner:u_y"];
  const auto &f   = run.history["base:normal_force"];
  std::size_t hit = 0;
  while (hit < f.size() && f[hit] == 0.)
    ++hit;
  report.compare("time of the impact",
                 t[std::min(hit, t.size() - 1)],
                 analytical(std::sqrt(2. * h0 / g), "√(2 h0/g)"),
                 absolute(dt));
  double highest = -h0;
  for (std::size_t i = hit; i < u.size(); ++i)
    highest = std::max(highest, u[i]);
  report.compare("highest position after it",
                 h0 + highest,
                 analytical(0., "e = 0: no rebound"),
                 absolute(1e-3 * h0));
  report.at_most("largest speed at the end",
                 run.history.last("largest_speed"),
                 1e-9,
                 "analytical: at rest");
  // Of the whole block: what gravity gave is gone, but for the compression
  // under its own weight.
  const auto &e = run.energy;
  report.compare("energy lost",
                 e.last("external_work") - e.last("kinetic") -
                     e.last("elastic"),
                 analytical(run.mass() * g * h0, "m g h0"),
                 relative(1e-3));
}

void friction_oscillator(CaseReport &report)
{
  const double x0 = 0.1, xf = 0.00981;
  const auto run = report.run({ "run", "friction_oscillator.prm" });
  const auto &t  = run.history["time"];
  const auto &x  = run.history["block:u_x"];
  // Turning points: the extremum of each swing between zeros of x.
  std::vector<double> times, points;
  std::size_t begin = 0;
  for (std::size_t i = 1; i < x.size() && points.size() < 6; ++i)
    if (x[i] * x[i - 1] < 0. || i + 1 == x.size())
    {
      std::size_t most = begin;
      for (std::size_t j = begin; j < i; ++j)
        if (std::abs(x[j]) > std::abs(x[most]))
          most = j;
      points.push_back(x[most]);
      times.push_back(t[most]);
      begin = i;
    }
  for (std::size_t k = 0; k < points.size(); ++k)
  {
    const double exact = (k % 2 == 0 ? 1. : -1.) * (x0 - 2. * k * xf);
    report.compare(fmt::format("turning point {}", k),
                   points[k],
                   analytical(exact, "±(x0 - 2 k μ m g/k)"),
                   absolute(1e-3 * x0));
  }
  for (std::size_t k = 1; k + 1 < points.size(); ++k)
    report.compare(fmt::format("time from turning point {} to {}", k - 1, k),
                   times[k] - times[k - 1],
                   analytical(std::acos(-1.) / 10., "π √(m/k)"),
                   relative(1e-3));
  report.compare("number of turning points before it sticks",
                 points.size(),
                 analytical(6, "sticks when |x| < μ m g/k"),
                 absolute(0.));
  report.at_most("contacts that slip at the end",
                 run.history.last("base:slip"),
                 0.,
                 "analytical: sticks, k |x| < μ m g");
  report.compare("position at the end",
                 x.back(),
                 analytical(-(x0 - 10. * xf), "-(x0 - 10 μ m g/k)"),
                 absolute(1e-3 * x0));
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < t.size(); i += 20)
    rows.push_back({ t[i], x[i] });
  report.profile("motion", { "time", "x" }, rows);
}
} // namespace

void add_single_contact_cases(std::vector<Case> &cases)
{
  cases.push_back(
      { "incline",
        "Block on an incline",
        "A stiff elastic block on a rough plane (μ = 0.3) that is turned by "
        "turning gravity: it slides with the acceleration of a rigid block "
        "once the vibrations of the sudden start have died out, and sticks "
        "below the angle of friction, which is found by bisection.",
        1.,
        true,
        incline });
  cases.push_back(
      { "sliding_stop",
        "Block that slides and stops",
        "The block is thrown at 2 along the plane (μ = 0.3) and stops in the "
        "step that holds the instant of the stop. The time step is 1e-3.",
        0.,
        true,
        sliding_stop });
  cases.push_back(
      { "bounce",
        "Block that falls and rests",
        "Fall from 1 under 9.81, no restitution: the time step (1e-3) is long "
        "against the periods of the block, so implicit Euler takes it as a "
        "rigid body that stays on the ground at its first impact and loses "
        "all its energy there.",
        0.,
        true,
        bounce });
  cases.push_back(
      { "friction_oscillator",
        "Oscillator with dry friction",
        "m = 1, k = 100, μ m g = 0.981. The spring is a thin strip of the "
        "block's own material: k = E A/L, and a third of its mass (0.17 % of "
        "the whole) moves with the block, which the density accounts for. "
        "Bodies have no initial displacement, so the block starts at x = 0 "
        "with the velocity that takes it to the first turning point x0 = 0.1: "
        "m v²/2 = k x0²/2 + μ m g x0. Turning points do not depend on "
        "masses. The time step is 1e-4, θ = 0.52, "
        "which damps the vibrations of the block under its sudden weight and "
        "takes 3e-5 of the swing in a second and a half.",
        4.,
        true,
        friction_oscillator,
        { { "verification_friction_oscillator.png",
            "Motion of the oscillator and its turning points" } } });
}
} // namespace verification
} // namespace delassus

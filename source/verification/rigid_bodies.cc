// Rigid bodies: rolling, rocking, toppling, and beside bodies that deform.
#include <delassus/verification/cases.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace delassus
{
namespace verification
{
namespace
{
constexpr double pi = 3.14159265358979323846;

/// From sliding to rolling: with v0, mu, g and J = k m r^2 the point of contact
/// comes to rest at t = k v0 / ((1 + k) mu g).
void slip_to_roll(CaseReport &report,
                  const RunResults &run,
                  const std::string &body,
                  const std::vector<double> &slip,
                  const std::vector<double> &speed,
                  const std::vector<double> &way,
                  const double k)
{
  const double v0 = 3., mu = 0.2, g = 10.;
  const auto &time = run.history["time"];
  // The slip falls linearly: its end from two instants well before it.
  std::size_t i = 0;
  while (i + 1 < slip.size() && slip[i] > 0.5 * v0)
    ++i;
  std::size_t j = i;
  while (j + 1 < slip.size() && slip[j] > 0.1 * v0)
    ++j;
  const double t_end =
      time[j] + (time[j] - time[i]) * slip[j] / (slip[i] - slip[j]);
  report.compare("end of sliding (s)",
                 t_end,
                 analytical(k * v0 / ((1. + k) * mu * g), "k v0/((1+k) mu g)"),
                 relative(2e-3));
  report.compare("speed of rolling (m/s)",
                 speed.back(),
                 analytical(v0 / (1. + k), "v0/(1+k)"),
                 relative(1e-3));
  report.at_most("largest slip of rolling (m/s)",
                 std::abs(slip.back()),
                 1e-6,
                 "analytical: 0");
  const double t_roll = k * v0 / ((1. + k) * mu * g);
  const double d      = v0 * t_roll - 0.5 * mu * g * t_roll * t_roll;
  const double rest   = time.back() - t_roll;
  report.compare("distance at the end (m)",
                 way.back(),
                 analytical(d + v0 / (1. + k) * rest,
                            "v0 t - mu g t²/2, then at v0/(1+k)"),
                 relative(2e-3));
  report.report("steps", time.size(), body);
}

void rolling_disk(CaseReport &report)
{
  const auto run = report.run({ "run", "rolling_disk.prm" });
  const auto &v  = run.history["disk:v_x"];
  const auto &w  = run.history["disk:spin_z"];
  std::vector<double> slip;
  for (std::size_t i = 0; i < v.size(); ++i)
    slip.push_back(v[i] + 0.5 * w[i]);
  slip_to_roll(report, run, "disk", slip, v, run.history["disk:u_x"], 0.5);
}

void rolling_sphere(CaseReport &report)
{
  const auto run = report.run({ "run", "rolling_sphere.prm" });
  const auto &h  = run.history;
  std::vector<double> slip, speed, way;
  for (std::size_t i = 0; i < h["time"].size(); ++i)
  {
    // Along (0.8, 0.6): velocity, and that of the lowest point.
    const double v = 0.8 * h["ball:v_x"][i] + 0.6 * h["ball:v_y"][i];
    const double w = 0.8 * h["ball:spin_y"][i] - 0.6 * h["ball:spin_x"][i];
    speed.push_back(v);
    slip.push_back(v - 0.5 * w);
    way.push_back(0.8 * h["ball:u_x"][i] + 0.6 * h["ball:u_y"][i]);
  }
  slip_to_roll(report, run, "sphere", slip, speed, way, 0.4);
}

/// Impacts of a block that rocks: where its angle from upright changes sign.
struct Impacts
{
  std::vector<double> time, before, after; ///< angular velocities
  std::vector<double> peaks;               ///< highest tilts between them / α
};

/// @p start: the angle (degrees) by which it was tilted to the right.
Impacts impacts_of(const Table &history, const double start, const double alpha)
{
  const auto &time   = history["time"];
  const auto &turned = history["block:rotation_z"];
  const auto &spin   = history["block:spin_z"];
  Impacts impacts;
  double highest = 0.;
  for (std::size_t i = 1; i < time.size(); ++i)
  {
    const double a = turned[i - 1] - start, b = turned[i] - start;
    if (a * b <= 0. && a != b && std::abs(spin[i - 1]) > 1e-3)
    {
      impacts.time.push_back(time[i - 1] +
                             (time[i] - time[i - 1]) * a / (a - b));
      impacts.before.push_back(std::abs(spin[i - 1]));
      // The shock takes place when the corner arrives, a step later at most.
      impacts.after.push_back(std::abs(spin[std::min(i + 2, spin.size() - 1)]));
      if (impacts.time.size() > 1)
        impacts.peaks.push_back(highest / alpha);
      highest = 0.;
    }
    highest = std::max(highest, std::abs(b));
  }
  return impacts;
}

void rocking(CaseReport &report)
{
  const auto run     = report.run({ "run", "rocking.prm" });
  const double alpha = std::atan2(0.25, 1.) * 180. / pi;
  const auto impacts = impacts_of(run.history, 0.5 * alpha, alpha);
  report.at_least("impacts", impacts.time.size(), 4., "four in 2.7 s");
  if (impacts.time.size() < 4)
    return;
  report.compare(
      "a quarter of the period (s)",
      impacts.time[0],
      published(1.97521 / 4., "numerical quadrature of the exact equation"),
      relative(0.005));
  report.compare("angular velocity at the first impact (1/s)",
                 impacts.before[0],
                 published(0.565045, "energy of the exact equation"),
                 relative(0.005));
  report.compare("ratio of angular velocities, first impact",
                 impacts.after[0] / impacts.before[0],
                 analytical(1. - 1.5 * std::pow(std::sin(alpha * pi / 180.), 2),
                            "1 - (3/2) sin²α (Housner)"),
                 relative(0.005));
  const std::vector<double> reference = { 0.3864, 0.3060, 0.2456 };
  for (std::size_t i = 0; i < reference.size() && i < impacts.peaks.size(); ++i)
    report.compare(fmt::format("highest tilt after impact {} / α", i + 1),
                   impacts.peaks[i],
                   published(reference[i], "Housner's ratio and energy"),
                   relative(0.01));
}

/// A slender one, b/h = 0.1: Housner's closed forms are for small α.
void rocking_slender(CaseReport &report)
{
  const double b = 0.1, h = 1., g = 9.81;
  const double alpha = std::atan2(b, h), theta = 0.5 * alpha;
  const double R = std::hypot(b, h), p = std::sqrt(3. * g / (4. * R));
  // So that the right corner, turned about the centre, is on the ground.
  const double low = b * std::sin(theta) + h * std::cos(theta) - h;
  const auto run   = report.run(
      { "run",
          "rocking.prm",
          { fmt::format("Rigid body block/Point={:.15g}, {:.15g}", -b, low),
            fmt::format("Rigid body block/Size={:.15g}, {:.15g}", 2. * b, 2. * h),
            fmt::format("Rigid body block/Orientation={:.15g}",
                      -theta * 180. / pi) } });
  const auto impacts =
      impacts_of(run.history, theta * 180. / pi, alpha * 180. / pi);
  report.at_least("impacts", impacts.time.size(), 3., "T/4 and 3T/4 at least");
  if (impacts.time.size() < 3)
    return;
  // sin of the angles is taken for the angles: an error of about α²/6.
  report.compare("a quarter of the period (s)",
                 impacts.time[0],
                 analytical(std::acosh(1. / (1. - theta / alpha)) / p,
                            "arcosh(1/(1 - θ0/α))/p, p² = 3g/4R (Housner)"),
                 relative(0.005));
  // ω² = (3g/2R) (cos(α-θ0) - cos α), less by the square of the ratio at each
  // impact.
  const double fall = std::cos(alpha - theta) - std::cos(alpha);
  report.compare("angular velocity at the first impact (1/s)",
                 impacts.before[0],
                 analytical(std::sqrt(1.5 * g / R * fall),
                            "sqrt((3g/2R)(cos(α-θ0) - cos α))"),
                 relative(0.005));
  const double ratio = 1. - 1.5 * std::pow(std::sin(alpha), 2);
  for (std::size_t i = 0; i < 2; ++i)
    report.compare(fmt::format("ratio of angular velocities, impact {}", i + 1),
                   impacts.after[i] / impacts.before[i],
                   analytical(ratio, "1 - (3/2) sin²α (Housner)"),
                   relative(0.005));
  for (std::size_t i = 0; i < 2 && i < impacts.peaks.size(); ++i)
    report.compare(
        fmt::format("highest tilt after impact {} / α", i + 1),
        impacts.peaks[i],
        analytical(1. - std::acos(std::cos(alpha) +
                                  std::pow(ratio, 2. * (i + 1.)) * fall) /
                            alpha,
                   "Housner's ratio and energy"),
        relative(0.01));
}

/// A run under gravity tilted by an angle in degrees.
RunResults tilted(CaseReport &report,
                  const std::string &name,
                  const double degrees,
                  const std::string &friction,
                  const std::string &size = "0.5, 2")
{
  const double a = degrees * pi / 180.;
  return report.run({ name,
                      "tilt.prm",
                      { fmt::format("Gravity={:.15g}, {:.15g}",
                                    9.81 * std::sin(a),
                                    -9.81 * std::cos(a)),
                        "Contact law dry/Friction=" + friction,
                        "Rigid body block/Size=" + size } });
}

void tilt(CaseReport &report)
{
  const double topples = std::atan2(0.25, 1.) * 180. / pi,
               slides  = std::atan(0.2) * 180. / pi;
  report.at_most("turned at 0.2 degrees below b/h (degrees)",
                 std::abs(tilted(report, "stands", topples - 0.2, "0.5")
                              .history.last("block:rotation_z")),
                 1e-6,
                 "it stands");
  report.at_least("turned at 0.2 degrees above b/h (degrees)",
                  std::abs(tilted(report, "topples", topples + 0.2, "0.5")
                               .history.last("block:rotation_z")),
                  1.,
                  "it topples");
  report.at_most("way at 0.2 degrees below mu = 0.2 (m)",
                 std::abs(tilted(report, "sticks", slides - 0.2, "0.2")
                              .history.last("block:u_x")),
                 1e-6,
                 "it sticks");
  const double a   = (slides + 0.2) * pi / 180.;
  const auto moved = tilted(report, "slides", slides + 0.2, "0.2");
  report.compare("way at 0.2 degrees above mu = 0.2 (m)",
                 moved.history.last("block:u_x"),
                 analytical(0.5 * 9.81 * (std::sin(a) - 0.2 * std::cos(a)) * 9.,
                            "g (sin α - mu cos α) t²/2"),
                 relative(2e-3));
}

/// Four blocks of 0.5 x 0.5 m, one upon the other, on a slope.
void tilt_stack(CaseReport &report)
{
  const double topples = std::atan2(0.5, 2.) * 180. / pi;
  for (const std::string law : { "dry", "glue" })
  {
    const std::string how = law == "dry" ? "loose" : "glued";
    const auto run        = [&](const std::string &name, const double degrees)
    {
      const double a = degrees * pi / 180.;
      return report.run({ how + "_" + name,
                          "tilt_stack.prm",
                          { fmt::format("Gravity={:.15g}, {:.15g}",
                                        9.81 * std::sin(a),
                                        -9.81 * std::cos(a)),
                            "Interaction joints/Law=" + law } });
    };
    const auto stands = run("stands", topples - 0.2);
    report.at_most(how + ": turned at 0.2 degrees below b/h (degrees)",
                   std::abs(stands.history.last("block 4:rotation_z")),
                   1e-6,
                   "it stands");
    const auto falls = run("topples", topples + 0.2);
    report.at_least(how + ": turned at 0.2 degrees above b/h (degrees)",
                    std::abs(falls.history.last("block 4:rotation_z")),
                    1.,
                    "it topples");
    // The upper ones would stand by themselves: they go with the lowest.
    report.compare(how + ": turned by the lowest, by the highest",
                   falls.history.last("block 1:rotation_z") /
                       falls.history.last("block 4:rotation_z"),
                   analytical(1., "as one body"),
                   relative(1e-6));
  }
}

void shaken_ground(CaseReport &report)
{
  const auto run          = report.run({ "run", "shaken_ground.prm" });
  const auto &time        = run.history["time"];
  const auto &u           = run.history["block:u_x"];
  const std::string potra = "Potra et al. 2006, analytical";
  // Slip is faster than a thousandth of its largest speed. It begins with
  // v = 8 sin(t_0) t²/2 after t_0: that is 5 ms late.
  const double fastest_known = 0.0197723;
  double fastest = 0., before = 0.;
  std::vector<double> way, changes; // beginnings and ends of slip
  bool slips = false;
  for (std::size_t i = 0; i < time.size(); ++i)
  {
    const double t = time[i];
    way.push_back(u[i] - 8. * (1. - std::cos(t)));
    // Of the step: the ground moves by secants.
    const double speed = (way[i] - (i > 0 ? way[i - 1] : 0.)) / (t - before);
    const bool now     = std::abs(speed) > 1e-3 * fastest_known;
    if (now != slips)
      changes.push_back(before);
    if (t < 1.5)
      fastest = std::max(fastest, std::abs(speed));
    slips  = now;
    before = t;
  }
  const std::vector<double> slip_times = { 0.,       0.338608, 2.946347,
                                           3.532835, 6.087939, 6.674427,
                                           9.229532, 9.816020 };
  report.compare("beginnings and ends of slip in 10 s",
                 changes.size(),
                 published(slip_times.size(), potra),
                 absolute(0.));
  for (std::size_t i = 0; i < slip_times.size() && i < changes.size(); ++i)
    report.compare(fmt::format("slip {} {} (s)",
                               i / 2 + 1,
                               i % 2 == 0 ? "begins" : "ends"),
                   changes[i],
                   published(slip_times[i], potra),
                   absolute(0.01));
  const auto at = [&](const double t)
  {
    std::size_t i = 0;
    while (i + 1 < time.size() && time[i] < t)
      ++i;
    return way[i];
  };
  // Where it is on the ground, whose acceleration is +8 at t = 0: x1 after the
  // first slip, x2 after the second, x1 again, x2 again.
  const double x1 = -0.00434857, x2 = 0.00869717;
  for (const auto &[after, t, x] : { std::make_tuple("first", 1., x1),
                                     std::make_tuple("second", 5., x2),
                                     std::make_tuple("third", 8., x1),
                                     std::make_tuple("fourth", 9.9, x2) })
    report.compare(fmt::format("place after the {} slip (m)", after),
                   at(t),
                   published(x, potra),
                   relative(0.03));
  report.compare("largest speed of the first slip (m/s)",
                 fastest,
                 published(fastest_known, potra),
                 relative(0.03));
}

void rigid_impact(CaseReport &report)
{
  // rho c A = 0.1, M = 0.1: v = v0 exp(-t) until the wave is back at t = 2.
  const auto run = report.run({ "run", "rigid_impact.prm" });
  for (const double t : { 0.5, 1., 1.5 })
    report.compare(fmt::format("speed at t = {}", t),
                   run.history.at("striker:v_x", t),
                   analytical(0.01 * std::exp(-t), "v0 exp(-rho c A t/M)"),
                   relative(0.01));
  report.compare("contact force at t = 1",
                 run.history.at("end:force_x", 1.),
                 analytical(0.001 * std::exp(-1.), "rho c A v"),
                 relative(0.02));
  report.compare("way at t = 1.5",
                 run.history.at("striker:u_x", 1.5),
                 analytical(0.01 * (1. - std::exp(-1.5)), "v0 (1 - exp(-t))"),
                 relative(0.01));
}

/// What a ball does to a bar.
struct Blow
{
  double impulse, mean_time, largest, last;
};

Blow blow_of(const RunResults &run)
{
  const auto &time  = run.history["time"];
  const auto &force = run.history["end:force_y"];
  Blow blow         = { 0., 0., 0., 0. };
  double before     = 0.;
  for (std::size_t i = 0; i < time.size(); ++i)
  {
    const double F = std::abs(force[i]), h = time[i] - before;
    blow.impulse += h * F;
    blow.mean_time += h * F * (time[i] - 0.5 * h);
    blow.largest = std::max(blow.largest, F);
    if (F > 0.)
      blow.last = time[i];
    before = time[i];
  }
  blow.mean_time /= blow.impulse;
  return blow;
}

void ball_bar(CaseReport &report)
{
  // The compliances of ball and bar add up: what the ball adds to the blow is
  // of first order in the ratio of the moduli, bar to ball.
  std::vector<double> ratios, impulse, mean_time, largest;
  std::vector<Blow> blows;
  double mass = 0.;
  for (const unsigned int stiffer : { 16, 64, 256 })
  {
    const auto run = report.run(
        { fmt::format("elastic_{}", stiffer),
          "ball_bar_elastic.prm",
          { fmt::format("Material striker/Young modulus={}", stiffer) } });
    ratios.push_back(1. / stiffer);
    blows.push_back(blow_of(run));
    mass = run.mass() - 4. * pi; // of the ball as it is meshed
  }
  const auto rigid =
      report.run({ "rigid",
                   "ball_bar.prm",
                   { fmt::format("Rigid body ball/Mass={:.15g}", mass) } });
  const Blow exact = blow_of(rigid);
  for (const auto &blow : blows)
  {
    impulse.push_back(std::abs(blow.impulse / exact.impulse - 1.));
    mean_time.push_back(std::abs(blow.mean_time / exact.mean_time - 1.));
    largest.push_back(std::abs(blow.largest / exact.largest - 1.));
  }
  const std::string first = "compliances add up: 1";
  report.convergence(
      "impulse less the rigid ball's", ratios, impulse, 0.9, first);
  report.convergence("mean time of the force less the rigid ball's",
                     ratios,
                     mean_time,
                     0.9,
                     first);
  report.convergence(
      "largest force less the rigid ball's", ratios, largest, 0.9, first);
  const std::string stiff = "ball 256 times as stiff as the bar";
  // Hertz' contact lasts (1/E*)^(2/5): 1/256 of compliance is 1/640 of time,
  // and contact ends in one of the steps.
  report.compare("end of contact",
                 exact.last,
                 published(blows.back().last, stiff),
                 absolute(0.04 + 11. / 640.));
  report.compare("speed after it",
                 rigid.history.last("ball:v_y"),
                 published(-0.01 + blows.back().impulse / mass, stiff),
                 relative(1. / 256.));
  report.compare("momentum of the ball, its change",
                 mass * (rigid.history.last("ball:v_y") + 0.01),
                 analytical(exact.impulse, "impulse of the contact"),
                 relative(1e-10));
}

void rigid_stack(CaseReport &report)
{
  const auto rigid   = report.run({ "rigid", "rigid_stack.prm" });
  const auto elastic = report.run({ "elastic", "elastic_stack.prm" });
  // So little that the weight does not move by its own rotation, which small
  // perturbations of the elastic stack do not know.
  const double weight     = 0.1 * 10. * (0.5 + 0.4 + 0.4);
  const std::string stiff = "the same of blocks 10 000 times stiffer";
  report.compare("force on the foundation",
                 std::abs(rigid.history.last("ground:force_y")),
                 analytical(weight, "weight of the three blocks"),
                 relative(1e-5));
  const double left  = elastic.history.last("left:u_y"),
               right = elastic.history.last("right:u_y");
  report.compare("settlement of the lower block",
                 rigid.history.last("lower:u_y"),
                 published(0.5 * (left + right), stiff),
                 relative(0.01));
  report.compare("rotation of the lower block (degrees)",
                 rigid.history.last("lower:rotation_z"),
                 published((right - left) * 180. / pi, stiff),
                 relative(0.02));
}
} // namespace

void add_rigid_body_cases(std::vector<Case> &cases)
{
  cases.push_back(
      { "rolling_disk",
        "Rigid disk: from sliding to rolling",
        "A disk with 3 m/s and no spin on a plane, mu = 0.2; Moreau's midpoint "
        "step. Its point of contact comes to rest at v0/(3 mu g).",
        0.3,
        true,
        rolling_disk });
  cases.push_back({ "rolling_sphere",
                    "Rigid sphere: from sliding to rolling",
                    "The same of a sphere in space, in a direction between the "
                    "axes: at 2 v0/(7 mu g).",
                    0.4,
                    true,
                    rolling_sphere });
  cases.push_back(
      { "rocking",
        "Rigid block that rocks (Housner)",
        "A block of 0.5 x 2 m, tilted by half of its critical angle and let "
        "go. Candidates are its corners, the law is inelastic: the shock at "
        "the corner that arrives leaves 1 - (3/2) sin²α of the angular "
        "velocity.",
        0.5,
        true,
        rocking });
  cases.push_back({ "rocking_slender",
                    "Slender rigid block that rocks (Housner)",
                    "The same of a block of 0.2 x 2 m, for which Housner's "
                    "closed forms for "
                    "small angles hold: T = (4/p) arcosh(1/(1 - θ0/α)).",
                    0.3,
                    true,
                    rocking_slender });
  cases.push_back(
      { "tilt",
        "Rigid block on a slope",
        "It topples where tan α = b/h, and slides where tan α = mu, "
        "to 0.2 degrees.",
        0.5,
        true,
        tilt });
  cases.push_back(
      { "tilt_stack",
        "Stack of rigid blocks on a slope",
        "Four blocks of 0.5 x 0.5 m, loose or glued to each other: both topple "
        "as one block of 0.5 x 2 m where tan α = b/h, to 0.2 degrees.",
        1.,
        true,
        tilt_stack });
  cases.push_back({ "shaken_ground",
                    "Rigid block on a shaken ground",
                    "The acceleration 8 cos t of the ground is a little more "
                    "than mu g: the block slips for a while in each half of a "
                    "period.",
                    1.,
                    true,
                    shaken_ground });
  cases.push_back({ "rigid_impact",
                    "Rigid block that strikes an elastic bar",
                    "Until the wave is back, v = v0 exp(-rho c A t/M).",
                    1.,
                    true,
                    rigid_impact });
  cases.push_back(
      { "ball_bar",
        "Rigid ball that strikes an elastic bar",
        "A ball strikes a round bar along its axis, axisymmetric: rigid, and "
        "elastic with 16, 64 and 256 times the modulus of the bar. The elastic "
        "ones tend to the rigid one; h is the modulus of the bar over that of "
        "the ball.",
        3.,
        true,
        ball_bar });
  cases.push_back(
      { "rigid_stack",
        "Rigid stack on an elastic foundation",
        "Three rigid blocks, not quite above each other, quasi "
        "static, against the same stack of stiff elastic blocks. "
        "Gravity is 0.1 only: the weights of rigid blocks move with "
        "their rotation, which the balance of the elastic stack on "
        "its undeformed place leaves out; with 0.1 that is below "
        "the tolerance.",
        0.4,
        true,
        rigid_stack });
}
} // namespace verification
} // namespace delassus

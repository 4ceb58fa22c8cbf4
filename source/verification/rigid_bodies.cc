// Rigid bodies: rolling, rocking, toppling, and beside bodies that deform.
#include <delassus/verification/cases.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

void rocking(CaseReport &report)
{
  const auto run     = report.run({ "run", "rocking.prm" });
  const auto &time   = run.history["time"];
  const auto &turned = run.history["block:rotation_z"];
  const auto &spin   = run.history["block:spin_z"];
  const double alpha = std::atan2(0.25, 1.) * 180. / pi;
  const double start = 0.5 * alpha; // tilted by -alpha/2
  // Angle from upright; impacts are where it changes its sign.
  std::vector<double> impact_time, before, after, peaks;
  double highest = 0.;
  for (std::size_t i = 1; i < time.size(); ++i)
  {
    const double a = turned[i - 1] - start, b = turned[i] - start;
    if (a * b <= 0. && a != b && std::abs(spin[i - 1]) > 1e-3)
    {
      impact_time.push_back(time[i - 1] +
                            (time[i] - time[i - 1]) * a / (a - b));
      before.push_back(std::abs(spin[i - 1]));
      // The shock takes place when the corner arrives, a step later at most.
      after.push_back(std::abs(spin[std::min(i + 2, spin.size() - 1)]));
      if (impact_time.size() > 1)
        peaks.push_back(highest / alpha);
      highest = 0.;
    }
    highest = std::max(highest, std::abs(b));
  }
  report.at_least("impacts", impact_time.size(), 4., "four in 2.7 s");
  if (impact_time.size() < 4)
    return;
  report.compare(
      "a quarter of the period (s)",
      impact_time[0],
      published(1.97521 / 4., "numerical quadrature of the exact equation"),
      relative(0.005));
  report.compare("angular velocity at the first impact (1/s)",
                 before[0],
                 published(0.565045, "energy of the exact equation"),
                 relative(0.005));
  report.compare("ratio of angular velocities, first impact",
                 after[0] / before[0],
                 analytical(1. - 1.5 * std::pow(std::sin(alpha * pi / 180.), 2),
                            "1 - (3/2) sin²α (Housner)"),
                 relative(0.005));
  const std::vector<double> reference = { 0.3864, 0.3060, 0.2456 };
  for (std::size_t i = 0; i < reference.size() && i < peaks.size(); ++i)
    report.compare(fmt::format("highest tilt after impact {} / α", i + 1),
                   peaks[i],
                   published(reference[i], "Housner's ratio and energy"),
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

void shaken_ground(CaseReport &report)
{
  const auto run          = report.run({ "run", "shaken_ground.prm" });
  const auto &time        = run.history["time"];
  const auto &u           = run.history["block:u_x"];
  const std::string potra = "Potra et al. 2006, analytical";
  double fastest = 0., end_of_first = 0., start_of_second = 0.;
  std::vector<double> way;
  for (std::size_t i = 0; i < time.size(); ++i)
  {
    const double t = time[i];
    way.push_back(u[i] - 8. * (1. - std::cos(t)));
    // Of the step: the ground moves by secants.
    const double speed = i > 0 ? (way[i] - way[i - 1]) / 5e-4 : 0.;
    if (t < 1.5)
      fastest = std::max(fastest, std::abs(speed));
    if (t < 1.5 && std::abs(speed) > 1e-5)
      end_of_first = t;
    if (start_of_second == 0. && t > 1.5 && std::abs(speed) > 1e-5)
      start_of_second = t;
  }
  const auto at = [&](const double t)
  {
    std::size_t i = 0;
    while (i + 1 < time.size() && time[i] < t)
      ++i;
    return way[i];
  };
  report.compare("end of the first slip (s)",
                 end_of_first,
                 published(0.338608, potra),
                 absolute(0.01));
  report.compare("beginning of the second slip (s)",
                 start_of_second,
                 published(2.946347, potra),
                 absolute(0.02));
  // Where it is on the ground: x1 after the first slip, x2 after the second, x1
  // again.
  report.compare("place after the first slip (m)",
                 std::abs(at(1.)),
                 published(0.00434857, potra),
                 relative(0.03));
  report.compare("place after the second slip (m)",
                 std::abs(at(5.)),
                 published(0.00869717, potra),
                 relative(0.03));
  report.compare("place after the third slip (m)",
                 std::abs(at(8.)),
                 published(0.00434857, potra),
                 relative(0.03));
  report.compare("largest speed of the first slip (m/s)",
                 fastest,
                 published(0.0197723, potra),
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
        2.,
        true,
        rocking });
  cases.push_back(
      { "tilt",
        "Rigid block on a slope",
        "It topples where tan α = b/h, and slides where tan α = mu, "
        "to 0.2 degrees.",
        2.,
        true,
        tilt });
  cases.push_back({ "shaken_ground",
                    "Rigid block on a shaken ground",
                    "The acceleration 8 cos t of the ground is a little more "
                    "than mu g: the block slips for a while in each half of a "
                    "period.",
                    4.,
                    true,
                    shaken_ground });
  cases.push_back({ "rigid_impact",
                    "Rigid block that strikes an elastic bar",
                    "Until the wave is back, v = v0 exp(-rho c A t/M).",
                    1.,
                    true,
                    rigid_impact });
  cases.push_back({ "rigid_stack",
                    "Rigid stack on an elastic foundation",
                    "Three rigid blocks, not quite above each other, quasi "
                    "static, against the same stack of stiff elastic blocks.",
                    2.,
                    true,
                    rigid_stack });
}
} // namespace verification
} // namespace delassus

// Taylor's impact test.
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
constexpr double length = 32.4, radius = 3.2, v0 = 227.; // mm, m/s

const std::string own = "own calculation, explicit, axisymmetric Q4 B-bar";
const std::string spread =
    "literature (DYNA, NIKE, Zhu & Cescotto, Camacho & Ortiz): ";

/// Sizes in mm at a time in microseconds.
double length_at(const RunResults &run,
                 const double time,
                 const std::string &axis = "y")
{
  return length + 1e3 * run.history.at("top:u_" + axis, 1e-6 * time);
}

double foot_at(const RunResults &run, const double time)
{
  return radius + 1e3 * run.history.at("foot:u_x", 1e-6 * time);
}

double initial_energy(const RunResults &run)
{
  return 0.5 * run.mass() * v0 * v0;
}

/// What became of the kinetic energy, in shares of it.
void report_energies(CaseReport &report,
                     const std::string &name,
                     const RunResults &run)
{
  const double all = initial_energy(run);
  report.report(name + ": inelastic work at 75 µs, share of the energy",
                run.energy.at("inelastic_work", 75e-6) / all,
                "");
  report.report(name + ": lost in the impact of the foot, share",
                -run.energy.at("contact_normal_work", 75e-6) / all,
                "inelastic impacts of nodes");
  report.report(name + ": numerical dissipation, share",
                run.energy.at("numerical_dissipation", 75e-6) / all,
                "of the time stepping; negative: energy that it makes");
  report.report(name + ": between forces and energies of the material, share",
                run.energy.at("integration_error", 75e-6) / all,
                "goes to zero with the step");
}

std::vector<std::string> cells(const unsigned int nx, const unsigned int ny)
{
  return { fmt::format("Body rod/Mesh/Divisions={},{}", nx, ny) };
}

/// One of the two meshes by theta = 1/2.
RunResults midpoint(CaseReport &report,
                    const unsigned int n,
                    const double L,
                    const double R,
                    const double strain)
{
  auto overrides = cells(n, 10 * n);
  overrides.push_back(fmt::format("Time/Step={}", 0.5e-6 / n));
  const std::string name = fmt::format("{} x {}", n, 10 * n);
  const auto run =
      report.run({ fmt::format("cells_{}", n), "taylor.prm", overrides });
  const std::string source = fmt::format("{}, {}", own, name);
  report.compare(name + ": length at 80 µs (mm)",
                 length_at(run, 80.),
                 { L, source + "; " + spread + "21.41 to 21.66" },
                 relative(0.005));
  report.compare(name + ": radius of the foot at 80 µs (mm)",
                 foot_at(run, 80.),
                 { R, source + "; " + spread + "7.02 to 7.25" },
                 relative(0.02));
  report.compare(name + ": largest plastic strain at 80 µs",
                 run.end().inelastic_strain,
                 { strain, source + ", whose foot stays in the plane" },
                 reported());
  report_energies(report, name, run);
  return run;
}

/// The reference's foot cannot lift from the wall.
void held(CaseReport &report,
          const unsigned int n,
          const double L,
          const double R,
          const double strain)
{
  auto overrides = cells(n, 10 * n);
  overrides.push_back(fmt::format("Time/Step={}", 0.5e-6 / n));
  const std::string name =
      fmt::format("{} x {}, foot held in the plane", n, 10 * n);
  const auto run =
      report.run({ fmt::format("held_{}", n), "taylor_held.prm", overrides });
  const std::string source = fmt::format("{}, {} x {}", own, n, 10 * n);
  report.compare(name + ": length at 80 µs (mm)",
                 length_at(run, 80.),
                 { L, source },
                 relative(0.005));
  report.compare(name + ": radius of the foot at 80 µs (mm)",
                 foot_at(run, 80.),
                 { R, source },
                 relative(0.02));
  report.compare(name + ": largest plastic strain at 80 µs",
                 run.end().inelastic_strain,
                 { strain, source },
                 relative(0.1));
  report.report(name + ": inelastic work at 75 µs, share of the energy",
                run.energy.at("inelastic_work", 75e-6) / initial_energy(run),
                "own calculation, explicit: 0.997 of the energy without the "
                "row of the foot, which has 1 % (5 x 50) and 0.5 %");
}

void taylor(CaseReport &report)
{
  report.energy_tolerance = 1e-6;
  held(report, 5, 21.438, 7.121, 3.13);
  held(report, 10, 21.428, 7.177, 3.28);
  const auto run = midpoint(report, 5, 21.438, 7.121, 3.13);
  report.compare("kinetic energy before (J)",
                 initial_energy(run),
                 analytical(239.81, "π R² L ρ v²/2"),
                 relative(1e-4));
  for (const auto &[time, L, R] :
       { std::array<double, 3>{ { 20., 28.052, 6.081 } },
         { { 40., 24.560, 7.032 } },
         { { 60., 22.212, 7.123 } },
         { { 75., 21.454, 0. } } })
  {
    report.compare(fmt::format("5 x 50: length at {} µs (mm)", time),
                   length_at(run, time),
                   { L, own + ", 5 x 50" },
                   relative(0.005));
    if (R > 0.)
      report.compare(
          fmt::format("5 x 50: radius of the foot at {} µs (mm)", time),
          foot_at(run, time),
          { R, own + ", 5 x 50" },
          relative(0.02));
  }
  std::vector<std::vector<double>> rows;
  for (double time = 0.; time <= 80.; time += 0.5)
    rows.push_back({ time, length_at(run, time), foot_at(run, time) });
  report.profile("history", { "t", "L", "R" }, rows);
  midpoint(report, 10, 21.428, 7.177, 3.28);

  struct Other
  {
    std::string name, folder;
    std::vector<std::string> changes;
  };
  const std::vector<Other> others = {
    { "implicit Euler, 0.1 µs",
      "euler",
      { "Time/Theta=1", "Time/Step=0.1e-6" } },
    { "implicit Euler, 0.5 µs",
      "euler_coarse",
      { "Time/Theta=1", "Time/Step=0.5e-6" } },
    { "explicit, 0.01 µs",
      "explicit",
      { "Time/Theta=1", "Time/Step=0.01e-6", "Newton/Matrix=explicit" } },
    { "friction 0.1, θ = 1/2",
      "friction",
      { "Time/Step=0.1e-6",
        "Contact law smooth/Type=gap signorini coulomb",
        "Contact law smooth/Friction=0.1" } },
    { "friction 0.3, θ = 1/2",
      "friction_0.3",
      { "Time/Step=0.1e-6",
        "Contact law smooth/Type=gap signorini coulomb",
        "Contact law smooth/Friction=0.3" } }
  };
  for (const auto &other : others)
  {
    const auto result =
        report.run({ other.folder, "taylor.prm", other.changes });
    const bool smooth      = other.folder.substr(0, 8) != "friction";
    const Reference L      = { 21.438, own + ", 5 x 50" },
                    R      = { 7.121, own + ", 5 x 50" };
    const std::string of_L = "5 x 50, " + other.name + ": length at 80 µs (mm)",
                      of_R = "5 x 50, " + other.name +
                             ": radius of the foot at 80 µs (mm)";
    if (smooth)
    {
      report.compare(of_L, length_at(result, 80.), L, reported());
      report.compare(of_R, foot_at(result, 80.), R, reported());
    }
    else
    {
      report.report(of_L, length_at(result, 80.), "");
      report.report(of_R, foot_at(result, 80.), "");
      report.report("5 x 50, " + other.name + ": work of friction, share",
                    -result.energy.last("friction_work") /
                        initial_energy(result),
                    "");
    }
    report_energies(report, "5 x 50, " + other.name, result);
  }
}

void taylor_3d(CaseReport &report)
{
  report.energy_tolerance = 1e-6;
  for (const double friction : { 0., 0.1 })
  {
    const auto run = report.run(
        { fmt::format("friction_{}", friction),
          "taylor_3d.prm",
          { fmt::format("Contact law foot/Friction={}", friction) } });
    const std::string name = fmt::format("friction {}", friction);
    const double diagonal =
        radius + 1e3 * std::hypot(run.history.last("diagonal:u_x"),
                                  run.history.last("diagonal:u_y"));
    if (friction == 0.)
    {
      report.compare("length at 80 µs (mm)",
                     length_at(run, 80., "z"),
                     { 21.438, own + ", 5 x 50" },
                     relative(0.005));
      report.compare("radius of the foot at 80 µs (mm)",
                     foot_at(run, 80.),
                     { 7.121, own + ", 5 x 50" },
                     relative(0.02));
      report.compare("largest plastic strain at 80 µs",
                     run.end().inelastic_strain,
                     { 3.13, own + ", 5 x 50; another mesh" },
                     reported());
    }
    else
    {
      report.report(
          name + ": length at 80 µs (mm)", length_at(run, 80., "z"), "");
      report.report(
          name + ": radius of the foot at 80 µs (mm)", foot_at(run, 80.), "");
    }
    report.report(name + ": radius along the diagonal over that along x",
                  diagonal / foot_at(run, 80.),
                  "1 for a round foot");
    report_energies(report, name, run);
  }
}
} // namespace

void add_taylor_cases(std::vector<Case> &cases)
{
  cases.push_back(
      { "taylor",
        "Taylor's impact test, axisymmetric",
        "A copper rod, L = 32.4 mm, R = 3.2 mm, at 227 m/s on a rigid wall "
        "without friction, by contact at the nodes; E = 117 GPa, ν = 0.35, "
        "ρ = 8930, σ_y = 400 + 100 ε_p MPa; Q4 with mean dilatation, lumped "
        "mass, θ = 1/2, 0.1 µs (5 x 50) and 0.05 µs (10 x 100). By "
        "contact the rim of the foot lifts from the wall (by 0.15 mm), and "
        "radius and strain of the foot grow, more so on the finer mesh; with "
        "its foot held in the plane of the wall (the first two runs) the rod "
        "agrees with the reference in every number. The reference's energy at "
        "the start, 238.6 J, is that of a rod whose row at the foot is at "
        "rest: its foot was held, and its strains are compared with that.",
        60.,
        false,
        taylor,
        { { "verification_taylor.png",
            "Length and radius of the foot over time" },
          { "taylor_bar.png", "Deformed mesh after 80 µs, displacement" } } });
  cases.push_back(
      { "taylor_3d",
        "Taylor's impact test, a quarter in space",
        "The same rod: 27 x 40 H8 with mean dilatation, 0.2 µs, θ = 1/2, "
        "without and with friction.",
        120.,
        false,
        taylor_3d });
}
} // namespace verification
} // namespace delassus

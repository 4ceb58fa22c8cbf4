// Plastic shells: bending and springback, collapse of plates, a strip beside
// the same one in solids.
#include <delassus/verification/cases.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace delassus
{
namespace verification
{
namespace
{
constexpr double newton_energy = 1e-6;

// -- Bending and springback -------------------------------------------------

void shell_springback(CaseReport &report)
{
  report.energy_tolerance = newton_energy;
  const double t = 0.78, E = 206e3 / (1. - 0.09), s = 2. * 167. / std::sqrt(3.);
  for (const double R : { 5.39, 50. })
  {
    const double c = s * R / E, M = s * (t * t / 4. - c * c / 3.),
                 after = 1. / (1. / R - 12. * M / (E * t * t * t));
    const double L     = 0.05 * R;
    for (const unsigned int n : { 5, 7, 15, 31 })
    {
      const std::string name = fmt::format("R = {}, {} points", R, n);
      Variant variant{
        fmt::format("radius_{}_points_{}", R, n),
        "shell_springback.prm",
        { fmt::format("Body strip/Mesh/Size={},{}", L, 0.25 * L),
          fmt::format("Body strip/Shell/Points={}", n),
          fmt::format("Boundary condition turn/Value=0.05*min(t,1)-{:.17g}*"
                      "max(t-1,0)",
                      1.3 * 0.05 * (1. - R / after)) }
      };
      variant.places       = { { { { L, 0., 0. } } }, { "strip/right" } };
      const auto run       = report.run(variant);
      const auto &path     = run.shells;
      const auto moment_at = [&](const std::size_t i)
      { return path.moment[0][i][1] / (0.25 * L); };
      const auto angle_at = [&](const std::size_t i)
      { return std::atan2(path.director[0][i][0], path.director[0][i][2]); };
      const std::size_t bent =
          std::lower_bound(path.time.begin(), path.time.end(), 1. - 1e-9) -
          path.time.begin();
      const double moment = moment_at(bent);
      // Turned back to where there is no moment.
      double angle = std::nan("");
      for (std::size_t i = bent; i + 1 < path.time.size(); ++i)
        if (moment_at(i) > 0. && moment_at(i + 1) <= 0.)
          angle = angle_at(i) + (angle_at(i + 1) - angle_at(i)) * moment_at(i) /
                                    (moment_at(i) - moment_at(i + 1));
      report.compare(name + ": moment",
                     moment,
                     analytical(M, "s (t²/4 - c²/3), s = 2σ/√3, c = s R/E'"),
                     n == 31 ? relative(0.005) : reported());
      report.compare(name + ": radius after springback",
                     L / angle,
                     analytical(after, "1/R' = 1/R - 12 M/(E' t³)"),
                     n == 5   ? reported()
                     : n == 7 ? relative(0.01)
                              : relative(0.001));
      if (n == 15)
        report.newton(name, run);
    }
  }
}

// -- Collapse ---------------------------------------------------------------

/// The pressure over Mp/L^2 at which the middle has gone down by @p ratio times
/// what the last elastic load (a quarter of @p most) lets it.
double pressure_at(CaseReport &report,
                   const std::string &name,
                   Variant variant,
                   const std::array<double, 3> &middle,
                   const double most,
                   const double hardening,
                   const double ratio)
{
  const double Mp = 1000. * 0.05 * 0.05 / 4.;
  // Fast at first, then in steps of 1/500.
  variant.name += fmt::format("_hardening_{}", hardening);
  variant.overrides.insert(
      variant.overrides.end(),
      { fmt::format("Material metal/Hardening modulus={}", hardening),
        fmt::format(
            "Boundary condition pressure/Value={:.17g}*if(t < 1, 0.8*t, "
            "0.8 + 0.04*(t - 1))",
            most * Mp),
        "Time/End=6",
        "Time/Step=0.05" });
  variant.places.nodes = { middle };
  const auto run       = report.run(variant);
  const auto &path     = run.shells;
  std::vector<std::vector<double>> rows;
  const auto load = [&](const double t)
  { return most * (t < 1. ? 0.8 * t : 0.8 + 0.04 * (t - 1.)); };
  const double elastic = std::abs(path.at(path.u[0], 2, 0.3125)); // a quarter
  double found         = std::nan("");
  double w_before = 0., p_before = 0.;
  for (std::size_t i = 0; i < path.time.size(); ++i)
  {
    const double w = std::abs(path.u[0][i][2]), p = load(path.time[i]);
    rows.push_back({ p, w / elastic });
    if (std::isnan(found) && w >= ratio * elastic)
      found = p_before +
              (p - p_before) * (ratio * elastic - w_before) / (w - w_before);
    w_before = w;
    p_before = p;
  }
  report.profile(variant.name, { "pressure", "deflection" }, rows);
  report.report(
      fmt::format("{}, H = {:g} E: pressure", name, hardening / 1e9),
      found,
      fmt::format("where the deflection is {} times that of a quarter "
                  "of the largest pressure",
                  ratio));
  report.newton(fmt::format("{}, H = {:g} E", name, hardening / 1e9), run);
  return found;
}

/// On two meshes, the second with elements half as large.
void collapse(CaseReport &report,
              const std::string &name,
              const std::string &folder,
              const Variant &variant,
              const std::function<std::string(unsigned int)> &divisions,
              const unsigned int n,
              const std::array<double, 3> &middle,
              const Reference &expected,
              const double most)
{
  double on_mesh[2];
  for (const unsigned int m : { 0, 1 })
  {
    const std::string of_mesh = fmt::format("{}, n = {}", name, n << m);
    auto one                  = variant;
    one.name                  = fmt::format("{}_{}", folder, n << m);
    one.overrides.push_back("Body plate/Mesh/Divisions=" + divisions(n << m));
    double p[2];
    for (const int i : { 0, 1 })
      p[i] = pressure_at(report,
                         of_mesh,
                         one,
                         middle,
                         most * expected.value,
                         (i + 1) * 2e5,
                         30.);
    on_mesh[m] = 2. * p[0] - p[1];
    report.compare(
        of_mesh + ": collapse, p L²/Mp", on_mesh[m], expected, reported());
  }
  report.compare(name + ": collapse, p L²/Mp, both meshes extrapolated",
                 2. * on_mesh[1] - on_mesh[0],
                 expected,
                 relative(0.02));
}

void shell_collapse(CaseReport &report)
{
  report.energy_tolerance   = newton_energy;
  const std::string hopkins = "von Mises, R for L (Hopkins and Wang 1954)";
  const auto disk           = [](const unsigned int n)
  { return fmt::format("{},{}", n, 2 * n); };
  const auto square = [](const unsigned int n)
  { return fmt::format("{0},{0}", n); };
  collapse(report,
           "circular, simply supported",
           "supported",
           { "", "shell_collapse_disk.prm" },
           disk,
           4,
           { { 0., 0., 0. } },
           published(6.51, hopkins),
           1.04);
  collapse(report,
           "circular, clamped",
           "clamped",
           { "",
             "shell_collapse_disk.prm",
             { "Boundary condition rim/Type=clamped",
               "Boundary condition rim/Components=" } },
           disk,
           6,
           { { 0., 0., 0. } },
           published(12.5, hopkins),
           1.12);
  collapse(report,
           "square, clamped",
           "square",
           { "", "shell_collapse_square.prm" },
           square,
           12,
           { { 0.5, 0.5, 0. } },
           published(44.1, "between the bounds 42.9 and 49.3"),
           1.14);
}

// -- Shells beside solids ---------------------------------------------------

const std::string solids = "80 x 7 quadrilaterals of degree 2";

void shell_beside_solid(CaseReport &report)
{
  report.energy_tolerance = newton_energy;
  const auto solid        = report.run({ "solids", "solid_plastic_strip.prm" });
  Variant variant{ "shells", "shell_plastic_strip.prm" };
  variant.places.nodes = { { { 0., 0., 0. } } };
  const auto shell     = report.run(variant);
  const auto &path     = shell.shells;
  const auto &w        = solid.history["middle:u_y"];
  const auto &F        = solid.history["time"];
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < path.time.size(); ++i)
    rows.push_back({ path.time[i],
                     path.u[0][i][2],
                     solid.history.at("middle:u_y", path.time[i]) });
  report.profile("deflection", { "force", "shells", "solids" }, rows);
  report.compare("deflection (mm) under 0.2 N/mm, elastic",
                 path.at(path.u[0], 2, 0.2),
                 { solid.history.at("middle:u_y", 0.2), solids },
                 relative(0.01));
  for (const double deflection : { 1.2, 1.6, 2., 3. })
  {
    const auto force_at = [&](const std::function<double(std::size_t)> &u,
                              const std::vector<double> &force)
    {
      for (std::size_t i = 1; i < force.size(); ++i)
        if (u(i) >= deflection)
          return force[i - 1] + (force[i] - force[i - 1]) *
                                    (deflection - u(i - 1)) / (u(i) - u(i - 1));
      return std::nan("");
    };
    report.compare(
        fmt::format("force (N/mm) at {} mm", deflection),
        force_at([&](const std::size_t i) { return path.u[0][i][2]; },
                 path.time),
        { force_at([&](const std::size_t i) { return w[i]; }, F), solids },
        relative(0.01));
  }
  report.newton("shells", shell);
  report.newton("solids", solid);
}
// -- Curved sheets, three elements --------------------------------------------

/// A sheet whose edge is pushed by up to 4: the force on it at each 1.
struct Pushed
{
  std::string name, file, value, column;
  std::vector<std::string> planes; ///< of symmetry
  std::string solids;              ///< the mesh of CalculiX
  std::array<double, 4> force;     ///< and its forces
};

void shell_plastic_curved(CaseReport &report)
{
  report.energy_tolerance        = newton_energy;
  const std::vector<Pushed> both = { { "pipe",
                                       "shell_plastic_pipe.prm",
                                       "0; -t; 0",
                                       "pushed:reaction_y",
                                       {},
                                       "CalculiX 2.20, 160 x 6 x 6 C3D8I",
                                       { { 3.7084, 4.4653, 4.4997, 4.3952 } } },
                                     { "dome",
                                       "shell_plastic_dome.prm",
                                       "0; 0; -t",
                                       "pushed:reaction_z",
                                       { "x0", "y0" },
                                       "CalculiX 2.20, 12 x 64 x 4 C3D8I",
                                       { { 145.09, 108.09, 149., 184.59 } } } };
  for (const auto &one : both)
  {
    const Variant shells{ one.name + "_shells",
                          one.file,
                          { "Body sheet/Shell/Points=10" } };
    Variant solid_shells{ one.name + "_solid_shells",
                          one.file,
                          { "Body sheet/Type=solid shell",
                            "Boundary condition held/Type=fixed",
                            "Boundary condition pushed/Components=x,y,z",
                            "Boundary condition pushed/Value=" + one.value } };
    for (const auto &plane : one.planes)
      solid_shells.overrides.push_back("Boundary condition " + plane +
                                       "/Type=fixed");
    const auto shell = report.run(shells), solid = report.run(solid_shells);
    std::vector<std::vector<double>> rows;
    for (const double t : shell.history["time"])
      rows.push_back({ t,
                       -shell.history.at(one.column, t),
                       -solid.history.at(one.column, t) });
    report.profile(
        one.name, { "displacement", "shells", "solid_shells" }, rows);
    for (unsigned int i = 0; i < 4; ++i)
    {
      const Reference reference{ one.force[i], one.solids };
      report.compare(
          fmt::format("{}: force (N) at {} mm, shells", one.name, i + 1),
          -shell.history.at(one.column, i + 1.),
          reference,
          // In the valley behind its snap the dome's force is what
          // is left of large ones.
          one.planes.empty() || i != 1 ? relative(0.02) : reported());
      // Five points through the thickness: see shell_springback.
      report.compare(
          fmt::format("{}: force (N) at {} mm, solid shells", one.name, i + 1),
          -solid.history.at(one.column, i + 1.),
          reference,
          reported());
    }
    report.newton(one.name + ", shells", shell);
    report.newton(one.name + ", solid shells", solid);
  }
}
} // namespace

void add_plastic_shell_cases(std::vector<Case> &cases)
{
  cases.push_back(
      { "shell_springback",
        "Strip bent to a circle, and springback",
        "Plane strain, t = .78 mm, E = 206 GPa, ν = 0.3, σ_y = 167 MPa, "
        "perfectly plastic: four elements turned by .0125 each, then back "
        "until the moment is gone. Points of Gauss through the thickness see "
        "the edge of the plastic zone only by chance: the moment is off by "
        "some percents with few of them. Follow thickness = false: the exact "
        "solution knows no thinning.",
        0.8,
        true,
        shell_springback });
  cases.push_back(
      { "shell_collapse",
        "Collapse of plates under pressure",
        "Mp = σ_y t²/4, small displacements (σ_y/E = 1e-6). A little hardening "
        "(2e-4 E and 4e-4 E) lets the pressure pass the plateau; the pressure "
        "at one deflection is extrapolated to none. The hinge at a clamped "
        "edge is as wide as an element, an error of first order: two meshes "
        "are extrapolated. 20 points of Gauss through the thickness.",
        150.,
        false,
        shell_collapse });
  cases.push_back(
      { "shell_beside_solid",
        "Plastic strip in shells and in solids",
        "Plane strain, half of a strip on two supports, 20 x .5 mm, "
        "E = 70 GPa, ν = 0.33, σ_y = 120 MPa, H = 5 GPa, a force "
        "in its middle: the first fibre yields at .29 N/mm. 30 "
        "points through the thickness of the shells. (With little "
        "hardening the hinge is as short as the strip is thick, "
        "and no beam or shell has its strength: a tenth of this "
        "hardening and half of the length give 4 %.)",
        2.,
        true,
        shell_beside_solid });
  cases.push_back(
      { "shell_plastic_curved",
        "Plastic pipe and dome by three elements",
        "t = .25 mm, R = 20 mm, E = 70 GPa, ν = 0.33, σ_y = 120 MPa, H = 5 "
        "GPa. "
        "A quarter of a pipe, one straight edge clamped, the other one pushed "
        "inwards without turning (40 x 6 elements); a quarter of a dome, "
        "clamped at its foot, whose rim at 60 degrees is pushed down (16 x "
        "48). Shells with 10 points through the thickness, solid shells with "
        "the 5 that they have, whose plastic moment is some percents small, "
        "and solids of CalculiX in four and six layers (one layer has two "
        "points through the thickness and a plastic moment 15 % too large).",
        30.,
        false,
        shell_plastic_curved });
}
} // namespace verification
} // namespace delassus

// Materials in whole runs, and the convergence of the Newton loop.
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
constexpr double E = 200., nu = 0.3;
constexpr double G      = E / (2. * (1. + nu)),
                 lambda = 2. * G * nu / (1. - 2. * nu);

/// The root of a function that changes its sign in [a, b].
double root(const std::function<double(double)> &f, double a, double b)
{
  const bool rises = f(b) > 0.;
  for (unsigned int i = 0; i < 200; ++i)
  {
    const double middle                 = 0.5 * (a + b);
    ((f(middle) > 0.) == rises ? b : a) = middle;
  }
  return 0.5 * (a + b);
}

/// A law in three tests: forces on the unit cube at the stretch 1 + value.
struct Law
{
  std::string model;
  std::vector<std::string> entries;
  double stretch; ///< elongation of uniaxial and biaxial tests
  double shear;
  std::function<double(double)> uniaxial, biaxial, sheared;
  std::string of_uniaxial, of_biaxial, of_shear;
  double shear_tolerance; ///< where the closed form is that of a limit
};

/// Neo-Hookean: tau_a = G (l_a^2 - 1) + lambda ln J.
double neo_hookean_lateral(const double l, const unsigned int n)
{
  return root(
      [&](const double t)
      {
        return G * (t * t - 1.) +
               lambda * std::log(n == 1 ? l * t * t : l * l * t);
      },
      0.1,
      1.);
}

constexpr double Y = 0.1, H = 0.5; // metals of these tests

/// Logarithmic strain e of a metal: e = c tau / E + share a, tau = Y + H a.
double kirchhoff(const double e, const double c, const double share)
{
  const double a = (e - c * Y / E) / (share + c * H / E);
  return Y + H * a;
}

std::vector<Law> laws()
{
  const std::vector<std::string> metal = {
    fmt::format("Material solid/Yield stress={}", Y),
    fmt::format("Material solid/Hardening modulus={}", H)
  };
  return {
    { "linear elastic",
      {},
      0.5,
      1.,
      [](const double u) { return E * u; },
      [](const double u) { return E / (1. - nu) * u; },
      [](const double g) { return G * g; },
      "E ε",
      "E ε/(1 - ν)",
      "G γ",
      1e-6 },
    { "Saint Venant-Kirchhoff",
      {},
      0.2,
      1.,
      [](const double u)
      { return (1. + u) * E * 0.5 * ((1. + u) * (1. + u) - 1.); },
      [](const double u)
      { return (1. + u) * E / (1. - nu) * 0.5 * ((1. + u) * (1. + u) - 1.); },
      [](const double g) { return G * g + (0.5 * lambda + G) * g * g * g; },
      "l E (l² - 1)/2",
      "l E/(1 - ν) (l² - 1)/2",
      "G γ + (λ/2 + G) γ³",
      1e-6 },
    { "neo-Hookean",
      {},
      0.5,
      1.,
      [](const double u)
      {
        const double l = 1. + u, t = neo_hookean_lateral(l, 1);
        return (G * (l * l - 1.) + lambda * std::log(l * t * t)) / l;
      },
      [](const double u)
      {
        const double l = 1. + u, t = neo_hookean_lateral(l, 2);
        return (G * (l * l - 1.) + lambda * std::log(l * l * t)) / l;
      },
      [](const double g) { return G * g; },
      "[G (l² - 1) + λ ln J]/l, lateral stress 0",
      "[G (l² - 1) + λ ln J]/l, lateral stress 0",
      "G γ",
      1e-6 },
    { "J2 small strain",
      metal,
      0.01,
      0.02,
      [](const double u) { return kirchhoff(u, 1., 1.); },
      [](const double u) { return kirchhoff(u, 1. - nu, 0.5); },
      [](const double g)
      {
        // tau = (Y + H a)/sqrt(3), g = tau/G + sqrt(3) a.
        const double s = std::sqrt(3.);
        const double a = (g - Y / (s * G)) / (s + H / (s * G));
        return (Y + H * a) / s;
      },
      "ε = σ/E + a, σ = Y + H a",
      "ε = (1 - ν) σ/E + a/2, σ = Y + H a",
      "γ = τ/G + √3 a, τ = (Y + H a)/√3",
      1e-6 },
    { "J2",
      metal,
      0.5,
      5.,
      [](const double u)
      { return kirchhoff(std::log(1. + u), 1., 1.) / (1. + u); },
      [](const double u)
      { return kirchhoff(std::log(1. + u), 1. - nu, 0.5) / (1. + u); },
      [](const double g)
      { return (Y + H * g / std::sqrt(3.)) / std::sqrt(3.); },
      "ln l = τ/E + a, τ = Y + H a",
      "ln l = (1 - ν) τ/E + a/2, τ = Y + H a",
      "rigid plastic: (Y + H γ/√3)/√3, but for O(τ/G)",
      0.01 }
  };
}

void one_element(CaseReport &report)
{
  report.energy_tolerance = 1e-6;
  for (const auto &law : laws())
  {
    auto changes = law.entries;
    changes.push_back("Material solid/Model=" + law.model);
    auto stretch = changes;
    stretch.push_back(
        fmt::format("Boundary condition pull/Value={}*t", law.stretch));
    const auto uniaxial =
        report.run({ law.model + "_uniaxial", "one_element.prm", stretch });
    report.compare(
        fmt::format("{}: force, uniaxial, u = {}", law.model, law.stretch),
        uniaxial.history.last("pull:reaction_x"),
        analytical(law.uniaxial(law.stretch), law.of_uniaxial),
        relative(1e-6));
    stretch.push_back(
        fmt::format("Boundary condition pull y/Value={}*t", law.stretch));
    const auto biaxial = report.run(
        { law.model + "_biaxial", "one_element_biaxial.prm", stretch });
    for (const std::string column : { "pull:reaction_x", "pull y:reaction_y" })
      report.compare(fmt::format("{}: force along {}, biaxial, u = {}",
                                 law.model,
                                 column.back(),
                                 law.stretch),
                     biaxial.history.last(column),
                     analytical(law.biaxial(law.stretch), law.of_biaxial),
                     relative(1e-6));
    changes.push_back(
        fmt::format("Boundary condition shear/Value={}*t; 0", law.shear));
    const auto shear =
        report.run({ law.model + "_shear", "one_element_shear.prm", changes });
    report.compare(fmt::format("{}: shear force, γ = {}", law.model, law.shear),
                   shear.history.last("shear:reaction_x"),
                   analytical(law.sheared(law.shear), law.of_shear),
                   relative(law.shear_tolerance));
    const auto &force = shear.history["shear:reaction_x"];
    double fall       = 0.;
    for (std::size_t i = 1; i < force.size(); ++i)
      fall = std::max(fall, force[i - 1] - force[i]);
    report.at_most(law.model + ": largest fall of the shear force in a step",
                   fall / law.sheared(law.shear),
                   1e-10,
                   "no oscillation: it only grows");
  }
}

void maxwell(CaseReport &report)
{
  report.energy_tolerance = 1e-6;
  const double modulus = 1e9, tau = 10., strain = 1e-4, stress = 1e5;
  std::vector<double> steps, errors;
  for (const double step : { 1., 0.5, 0.25, 0.125 })
  {
    const auto run     = report.run({ fmt::format("relaxation_{}", step),
                                      "maxwell.prm",
                                      { fmt::format("Time/Step={}", step) } });
    const double exact = modulus * std::log(1. + strain) * std::exp(-1.);
    // Kirchhoff's stress: the force times the stretch.
    const double last = run.history.last("pull:reaction_x") * (1. + strain);
    steps.push_back(step / tau);
    errors.push_back(std::abs(last / exact - 1.));
    if (step == 0.125)
      report.compare("relaxation: stress at t = τ, h = τ/80 (Pa)",
                     last,
                     analytical(exact, "E ε e^(-t/τ)"),
                     relative(0.01));
  }
  report.convergence("error of the stress (h in τ)",
                     steps,
                     errors,
                     0.9,
                     "implicit Euler: order 1");
  const auto creep = report.run({ "creep", "maxwell_creep.prm" });
  report.compare("creep: elongation at t = τ",
                 std::log(1. + creep.history.last("corner:u_x")),
                 analytical(stress / modulus * (1. + 10. / tau),
                            "σ/E + σ t/η, but for O(ε)"),
                 relative(1e-3));
  const double rate = 1e-5;
  std::vector<double> rate_errors;
  steps.clear();
  for (const double step : { 0.5, 0.25, 0.125 })
  {
    const auto run = report.run(
        { fmt::format("rate_{}", step),
          "maxwell.prm",
          { fmt::format("Time/Step={}", step),
            fmt::format("Boundary condition pull/Value=exp({}*t)-1", rate) } });
    const double exact = modulus * tau * rate * (1. - std::exp(-1.));
    const double last  = run.history.last("pull:reaction_x") *
                        (1. + run.history.last("corner:u_x"));
    steps.push_back(step / tau);
    rate_errors.push_back(std::abs(last / exact - 1.));
    if (step == 0.125)
      report.compare("constant rate: stress at t = τ, h = τ/80 (Pa)",
                     last,
                     analytical(exact, "η ε̇ (1 - e^(-t/τ))"),
                     relative(0.01));
  }
  report.convergence("constant rate: error of the stress (h in τ)",
                     steps,
                     rate_errors,
                     0.9,
                     "implicit Euler: order 1");
}

void newton_convergence(CaseReport &report)
{
  report.energy_tolerance = 1e-6;
  const std::string tight = "Newton/Tolerance=1e-12";
  struct Run
  {
    std::string name, file;
    std::vector<std::string> changes;
  };
  for (const auto &one : std::vector<Run>{
           { "neo-Hookean cube, biaxial",
             "one_element_biaxial.prm",
             { "Time/Step=0.25" } },
           { "necking bar, plastic",
             "necking.prm",
             { "Time/End=4", "Time/Step=0.5" } },
           { "neo-Hookean ball on a plane, contact",
             "hertz_sphere.prm",
             { "Material steel/Model=neo-Hookean",
               "Boundary condition push/Value=-1*t",
               "Time/Step=0.25",
               "Body ball/Mesh/Gmsh numbers=radius=8,cap=2,h=0.1,growth=0.2",
               "Contact solver/Tolerance=1e-12" } } })
  {
    auto changes = one.changes;
    changes.push_back(tight);
    const auto run = report.run({ one.name, one.file, changes });
    report.at_least(one.name + ": observed order",
                    newton_order(run),
                    1.8,
                    "Newton's method with the consistent tangent: 2");
    std::size_t most = 0;
    for (const auto &errors : run.newton)
      most = std::max(most, errors.size());
    report.report(one.name + ": most iterations of a step", most, "");
  }
}
} // namespace

void add_material_cases(std::vector<Case> &cases)
{
  cases.push_back(
      { "one_element",
        "One element of each material",
        "Uniaxial and biaxial tension of a cube (H8) and simple shear of a "
        "square (Q4, plane strain), quasi static, E = 200, ν = 0.3, metals "
        "with Y = 0.1 and H = 0.5. Forces against closed forms; l is the "
        "stretch.",
        1.,
        true,
        one_element });
  cases.push_back(
      { "maxwell",
        "Maxwell's solid: relaxation, creep, constant rate",
        "E = 1e9, η = 1e10, so that τ = 10; uniaxial, one H8, ν = 0.3. The "
        "material's Viscosity is that of shear, η/3. Strains are logarithmic, "
        "stresses Kirchhoff's.",
        1.,
        true,
        maxwell });
  cases.push_back(
      { "newton_convergence",
        "Convergence of the Newton loop",
        "Momentum errors of the iterations of each step; the order is that of "
        "the last three above 1e-12, the median over the steps.",
        0.8,
        true,
        newton_convergence });
}
} // namespace verification
} // namespace delassus

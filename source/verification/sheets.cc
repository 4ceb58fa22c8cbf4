// Sheets: yield stresses and r values recovered from tests of them, laminates.
#include <delassus/verification/cases.h>

#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/vector.h>

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

// -- Points of yield surfaces -----------------------------------------------

constexpr double E = 2.06e8, nu = 0.3, sy = 167., H = 2e5, thickness = 0.1;

/// T over the yield stress along the rolling direction at the same plastic
/// work, of a test in which the plastic strain conjugate to T is e:
///   T = k (sy + H k e).
double ratio(const double T, const double e)
{
  return (-sy + std::sqrt(sy * sy + 4. * H * e * T)) / (2. * H * e);
}

struct Strip
{
  double k, r;
};

/// Tension at an angle to the rolling direction.
Strip draw(CaseReport &report,
           const std::string &name,
           std::vector<std::string> changes,
           const double angle)
{
  changes.push_back(
      fmt::format("Body sheet/Shell/Rolling direction={:.17g},{:.17g},0",
                  std::cos(angle),
                  std::sin(angle)));
  Variant variant{ name, "shell_tension.prm", changes };
  variant.places      = { { { { 1., 0., 0. } }, { { 1., 1., 0. } } },
                          { "sheet/right" } };
  const auto run      = report.run(variant);
  const auto &path    = run.shells;
  const double u      = path.u[0].back()[0],
               side   = path.u[1].back()[1] - path.u[0].back()[1];
  const double T      = path.force[0].back()[0] / thickness * (1. + u);
  const double along  = std::log1p(u) - T / E,
               across = std::log1p(side) + nu * T / E;
  return { ratio(T, along), across / -(along + across) };
}

/// Equal forces along x and y: the strains' sum is conjugate to the stress.
double draw_equally(CaseReport &report,
                    const std::string &name,
                    const std::vector<std::string> &changes,
                    const double force)
{
  Variant variant{ name, "shell_equal_tension.prm", changes };
  for (const char *way : { "x", "y" })
    variant.overrides.push_back(
        fmt::format("Boundary condition along {}/Value={}",
                    way,
                    *way == 'x' ? fmt::format("{:.17g}*t;0;0", force)
                                : fmt::format("0;{:.17g}*t;0", force)));
  variant.places.nodes = { { { 1., 1., 0. } } };
  const auto run       = report.run(variant);
  const auto &u        = run.shells.u[0].back();
  const double T       = force / thickness * (1. + 0.5 * (u[0] + u[1]));
  return ratio(T, std::log1p(u[0]) + std::log1p(u[1]) - 2. * (1. - nu) * T / E);
}

/// All edges are moved: simple shear without rotation.
double shear(CaseReport &report,
             const std::string &name,
             std::vector<std::string> changes)
{
  const double gamma = 1e-4;
  changes.insert(changes.end(),
                 { "Boundary condition held/Type=displacement",
                   "Boundary condition held/Surfaces=sheet/boundary",
                   "Boundary condition held/Components=x,y",
                   fmt::format("Boundary condition held/Value={}*t*y;{}*t*x",
                               0.5 * gamma,
                               0.5 * gamma),
                   "Boundary condition corner/Components=z",
                   "Boundary condition draw/Type=fixed",
                   "Boundary condition draw/Components=z",
                   "Boundary condition draw/Value=" });
  Variant variant{ name, "shell_tension.prm", changes };
  variant.places.parts = { "sheet/top" };
  const auto run       = report.run(variant);
  const double T       = run.shells.force[0].back()[0] / thickness;
  return ratio(T, gamma - T * 2. * (1. + nu) / E);
}

struct Metal
{
  std::string name;
  double r0, r45, r90;

  std::string entry() const
  {
    return fmt::format("Material sheet/r values={},{},{}", r0, r45, r90);
  }
};

const std::vector<Metal> metals = { { "steel", 1.79, 1.51, 2.27 },
                                    { "aluminium", 0.71, 0.58, 0.70 } };

/// The strain is small but not zero.
constexpr double tolerance = 1e-3;

void sheet_hill(CaseReport &report)
{
  report.energy_tolerance = newton_energy;
  for (const auto &m : metals)
  {
    const double F = m.r0 / m.r90, h = m.r0,
                 N = (m.r0 + m.r90) * (1. + 2. * m.r45) / (2. * m.r90);
    for (const double degrees : { 0., 22.5, 45., 67.5, 90. })
    {
      const double angle = degrees * pi / 180.,
                   s2 = std::pow(std::sin(angle), 2), c2 = 1. - s2;
      const auto strip = draw(
          report, fmt::format("{}_{}", m.name, degrees), { m.entry() }, angle);
      report.compare(
          fmt::format("{}: r at {}°", m.name, degrees),
          strip.r,
          analytical((h + (2. * N - F - 1. - 4. * h) * s2 * c2) / (F * s2 + c2),
                     "Hill (1948): (H + (2N - F - G - 4H) s²c²)/(F s² + G c²)"),
          relative(tolerance));
      if (degrees == 45.)
        report.compare(m.name + ": σ45/σ0",
                       strip.k,
                       analytical(std::sqrt(2. * m.r90 * (1. + m.r0) /
                                            ((m.r0 + m.r90) * (1. + m.r45))),
                                  "√(2 r90 (1+r0)/((r0+r90)(1+r45)))"),
                       relative(tolerance));
      if (degrees == 90.)
        report.compare(
            m.name + ": σ90/σ0",
            strip.k,
            analytical(std::sqrt(m.r90 * (1. + m.r0) / (m.r0 * (1. + m.r90))),
                       "√(r90 (1+r0)/(r0 (1+r90)))"),
            relative(tolerance));
    }
    report.compare(m.name + ": σb/σ0",
                   draw_equally(report, m.name + "_equal", { m.entry() }, 24.),
                   analytical(std::sqrt(m.r90 * (1. + m.r0) / (m.r0 + m.r90)),
                              "√(r90 (1+r0)/(r0+r90))"),
                   relative(tolerance));
    report.compare(m.name + ": √3 τ/σ0",
                   std::sqrt(3.) *
                       shear(report, m.name + "_shear", { m.entry() }),
                   analytical(std::sqrt(3. * m.r90 * (1. + m.r0) /
                                        ((m.r0 + m.r90) * (1. + 2. * m.r45))),
                              "√(3 r90 (1+r0)/((r0+r90)(1+2 r45)))"),
                   relative(tolerance));
  }
}

void sheet_barlat(CaseReport &report)
{
  report.energy_tolerance = newton_energy;
  for (const auto &m : metals)
  {
    const double M       = m.name == "steel" ? 6. : 8.;
    const double share_0 = m.r0 / (1. + m.r0), share_90 = m.r90 / (1. + m.r90),
                 c = 2. * std::sqrt(share_0 * share_90), a = 2. - c,
                 h                         = std::sqrt(share_0 / share_90);
    const std::vector<std::string> changes = {
      m.entry(),
      "Material sheet/Model=Barlat",
      fmt::format("Material sheet/Yield exponent={}", M)
    };
    const double r[3] = { m.r0, m.r45, m.r90 };
    for (const int i : { 0, 1, 2 })
    {
      const auto strip = draw(
          report, fmt::format("{}_{}", m.name, 45 * i), changes, 0.25 * pi * i);
      report.compare(fmt::format("{}, M = {}: r at {}°", m.name, M, 45 * i),
                     strip.r,
                     analytical(r[i], "as given"),
                     relative(tolerance));
      if (i == 2)
        report.compare(fmt::format("{}, M = {}: σ90/σ0", m.name, M),
                       strip.k,
                       analytical(1. / h, "Barlat and Lian (1989): 1/h"),
                       relative(tolerance));
    }
    const double K1 = 0.5 * (1. + h), K2 = 0.5 * std::abs(1. - h);
    report.compare(
        fmt::format("{}, M = {}: σb/σ0", m.name, M),
        draw_equally(report, m.name + "_equal", changes, 21.),
        analytical(std::pow(0.5 * (a * std::pow(K1 + K2, M) +
                                   a * std::pow(K1 - K2, M) +
                                   c * std::pow(2. * K2, M)),
                            -1. / M),
                   "((a |K1+K2|ᴹ + a |K1-K2|ᴹ + c |2 K2|ᴹ)/2)^(-1/M), K1 = "
                   "(1+h)/2, K2 = (1-h)/2"),
        relative(tolerance));
  }
}

// -- Laminates --------------------------------------------------------------

/// Stiffness [A B; B D] of a laminate of equal layers from the inner face
/// outwards.
dealii::FullMatrix<double> laminate(const std::vector<double> &degrees,
                                    const double t)
{
  const double E1 = 140e9, E2 = 10e9, nu12 = 0.3, G = 5e9,
               rest = 1. - nu12 * nu12 * E2 / E1;
  const double Q11 = E1 / rest, Q22 = E2 / rest, Q12 = nu12 * E2 / rest;
  dealii::FullMatrix<double> K(6, 6);
  for (std::size_t k = 0; k < degrees.size(); ++k)
  {
    const double angle = degrees[k] * pi / 180., c = std::cos(angle),
                 s = std::sin(angle), cc = c * c, ss = s * s;
    double Q[3][3];
    Q[0][0] = Q11 * cc * cc + 2. * (Q12 + 2. * G) * ss * cc + Q22 * ss * ss;
    Q[1][1] = Q11 * ss * ss + 2. * (Q12 + 2. * G) * ss * cc + Q22 * cc * cc;
    Q[0][1] = Q[1][0] =
        (Q11 + Q22 - 4. * G) * ss * cc + Q12 * (ss * ss + cc * cc);
    Q[2][2] =
        (Q11 + Q22 - 2. * Q12 - 2. * G) * ss * cc + G * (ss * ss + cc * cc);
    Q[0][2] = Q[2][0] =
        (Q11 - Q12 - 2. * G) * s * c * cc + (Q12 - Q22 + 2. * G) * s * ss * c;
    Q[1][2] = Q[2][1] =
        (Q11 - Q12 - 2. * G) * s * ss * c + (Q12 - Q22 + 2. * G) * s * c * cc;
    const double n  = degrees.size();
    const double z0 = t * (k / n - 0.5), z1 = t * ((k + 1) / n - 0.5);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
      {
        K(i, j) += Q[i][j] * (z1 - z0);
        K(i, j + 3) += Q[i][j] * (z1 * z1 - z0 * z0) / 2.;
        K(i + 3, j) += Q[i][j] * (z1 * z1 - z0 * z0) / 2.;
        K(i + 3, j + 3) += Q[i][j] * (z1 * z1 * z1 - z0 * z0 * z0) / 3.;
      }
  }
  return K;
}

std::string list_of(const std::vector<double> &numbers)
{
  return fmt::format("{}", fmt::join(numbers, ","));
}

void shell_laminate(CaseReport &report)
{
  report.energy_tolerance = newton_energy;
  const double t = 0.01, M = 1e-3;
  const char *names[] = { "ε_x", "ε_y", "γ_xy", "κ_x", "κ_y", "κ_xy" };
  for (const auto &angles : std::vector<std::vector<double>>{
           { 0., 90. }, { 30., -30. }, { 45., 45. }, { 0., 45., 90. } })
  {
    const auto name = fmt::format("[{}]", fmt::join(angles, "/"));
    auto inverse    = laminate(angles, t);
    inverse.gauss_jordan();
    std::string layers = "ply";
    for (std::size_t k = 1; k < angles.size(); ++k)
      layers += ",ply";
    Variant variant{ fmt::format("angles_{}", fmt::join(angles, "_")),
                     "shell_laminate.prm",
                     { "Body plate/Shell/Layers=" + layers,
                       "Body plate/Shell/Layer angles=" + list_of(angles) } };
    variant.places.nodes = { { { 0., 0., 0. } },
                             { { 1., 0., 0. } },
                             { { 0., 1., 0. } } };
    const auto run       = report.run(variant);
    const auto u         = [&](const int node, const int c)
    { return run.shells.u[node].back()[c] - run.shells.u[0].back()[c]; };
    const auto b = [&](const int node, const int c)
    {
      return run.shells.director[node].back()[c] -
             run.shells.director[0].back()[c];
    };
    const double found[6] = { u(1, 0), u(2, 1), u(2, 0) + u(1, 1),
                              b(1, 0), b(2, 1), b(2, 0) + b(1, 1) };
    for (int i = 0; i < 6; ++i)
    {
      const double exact = inverse(i, 3) * M;
      const double size  = (i < 3 ? t : 1.) * inverse(3, 3) * M;
      report.compare(fmt::format("{}: {} of M_x", name, names[i]),
                     found[i] / size,
                     analytical(exact / size,
                                i < 3 ? "[A B; B D]⁻¹, over t κ_x"
                                      : "[A B; B D]⁻¹, over κ_x"),
                     absolute(1e-5));
    }
  }
  // Navier's solution of the plate.
  const double thin = 0.005;
  const auto K      = laminate({ 0., 90., 0. }, thin);
  const double exact =
      1. /
      (std::pow(pi, 4) * (K(3, 3) + 2. * (K(3, 4) + 2. * K(5, 5)) + K(4, 4)));
  for (const unsigned int n : { 4, 8, 16 })
  {
    Variant variant{ fmt::format("plate_{}", n),
                     "shell_laminate_plate.prm",
                     { fmt::format("Body plate/Mesh/Divisions={},{}", n, n) } };
    variant.places.nodes = { { { 0.5, 0.5, 0. } } };
    const auto run       = report.run(variant);
    report.compare(
        fmt::format(
            "[0/90/0] plate under a sine: deflection over q, {} x {}", n, n),
        1e3 * run.shells.u[0].back()[2],
        analytical(exact,
                   "Navier: a⁴/(π⁴ (D11 + 2 (D12 + 2 D66) + D22)), no shear"),
        n == 16 ? relative(0.01) : reported());
  }
}
} // namespace

void add_sheet_cases(std::vector<Case> &cases)
{
  cases.push_back(
      { "sheet_hill",
        "Hill's sheet: tension, equal tension and shear",
        "Squares of a sheet of deep-drawing steel and of aluminium. Strips "
        "drawn at an angle to the rolling direction: r from the plastic "
        "strains, stresses over that along the rolling direction at the same "
        "plastic work. Plastic strains of 1e-4, elastic ones of 1e-6.",
        0.8,
        true,
        sheet_hill });
  cases.push_back({ "sheet_barlat",
                    "Barlat and Lian's sheet: tension and equal tension",
                    "The same with the yield surface of 1989, M = 6 for steel "
                    "and 8 for aluminium.",
                    0.6,
                    true,
                    sheet_barlat });
  cases.push_back(
      { "shell_laminate",
        "Laminates against classical theory",
        "Layers of E1 = 140, E2 = 10, G12 = 5 GPa, ν12 = 0.3. A square under "
        "moments on two edges, a state that the theory has exactly, with all "
        "its couplings; and a simply supported plate, t = a/200.",
        0.8,
        true,
        shell_laminate });
}
} // namespace verification
} // namespace delassus

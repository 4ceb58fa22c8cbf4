#pragma once

#include "laws_under_test.h"

#include <delassus/materials/sheet_laws.h>

#include <algorithm>

namespace sheets_test
{
using namespace materials_test;
using Strain = std::array<double, 3>; ///< E_11, E_22, 2 E_12

/// r0, r45, r90 of a deep-drawing steel and of an aluminium.
constexpr std::array<double, 3> steel{ { 1.79, 1.51, 2.27 } },
    aluminium{ { 0.71, 0.58, 0.70 } };

inline MaterialParameters hill(const std::array<double, 3> &r,
                               const double yield_stress = 2.,
                               const double hardening    = 0.,
                               const double kinematic    = 0.)
{
  auto m     = j2(MaterialModel::hill, yield_stress, hardening, kinematic);
  m.r_values = r;
  return m;
}

inline MaterialParameters barlat(const std::array<double, 3> &r,
                                 const double exponent,
                                 const double yield_stress = 2.,
                                 const double hardening    = 0.)
{
  auto m           = j2(MaterialModel::barlat, yield_stress, hardening);
  m.r_values       = r;
  m.yield_exponent = exponent;
  return m;
}

inline MaterialParameters orthotropic()
{
  MaterialParameters m;
  m.model          = MaterialModel::orthotropic;
  m.density        = 1.;
  m.young_moduli   = { { 140., 10., 9. } };
  m.poisson_ratios = { { 0.3, 0.25, 0.4 } };
  m.shear_moduli   = { { 5., 6., 3. } };
  return m;
}

inline MaterialParameters with_recall(MaterialParameters m)
{
  m.back_stress_moduli = { 200., 30. };
  m.back_stress_rates  = { 100., 8. };
  return m;
}

/// One of everything; stresses of the order 2, strains of the order 1e-2.
inline std::vector<Named> all_sheets()
{
  using M                   = MaterialModel;
  std::vector<Named> sheets = {
    { "linear elastic", elastic(M::linear_elastic) },
    { "Saint Venant-Kirchhoff", elastic(M::saint_venant_kirchhoff) },
    { "neo-Hookean", elastic(M::neo_hookean) },
    { "Maxwell", maxwell(30.) },
    { "orthotropic", orthotropic() }
  };
  for (const auto &law : all_laws())
    if (law.parameters.model == M::j2)
    {
      sheets.push_back(law);
      auto m     = law.parameters;
      m.model    = M::hill;
      m.r_values = steel;
      sheets.push_back({ "Hill" + law.name.substr(2), m });
    }
  for (const auto model : { M::j2, M::hill })
  {
    auto m                 = with_recall(j2(model, 2., 3.));
    m.r_values             = model == M::hill ? aluminium : m.r_values;
    const std::string name = model == M::hill ? "Hill " : "J2 ";
    sheets.push_back({ name + "recall", m });
    m.kinematic_modulus = 10.;
    m.viscosity         = 0.1;
    m.rate_exponent     = 0.4;
    sheets.push_back({ name + "recall Prager Perzyna", m });
  }
  sheets.push_back({ "Barlat", barlat(steel, 6., 2., 3.) });
  auto m                  = barlat(aluminium, 8.);
  m.hardening             = HardeningType::swift;
  m.hardening_coefficient = 4.;
  m.hardening_exponent    = 0.25;
  m.swift_strain          = 0.01;
  sheets.push_back({ "Barlat Swift", m });
  m.viscosity     = 0.1;
  m.rate_exponent = 0.4;
  sheets.push_back({ "Barlat Swift Perzyna", m });
  return sheets;
}

inline bool is_plastic(const MaterialParameters &m)
{
  return m.model == MaterialModel::j2 || m.model == MaterialModel::hill;
}

inline bool dissipates(const MaterialParameters &m)
{
  return is_plastic(m) || m.model == MaterialModel::maxwell ||
         m.model == MaterialModel::barlat;
}

/// Hill's q of a stress of the plane.
inline double equivalent(const std::array<double, 3> &r,
                         const std::array<double, 3> &t)
{
  const double P12 = -r[0] / (1. + r[0]),
               P22 = r[0] * (1. + r[2]) / (r[2] * (1. + r[0])),
               P33 = (r[0] + r[2]) * (1. + 2. * r[1]) / (r[2] * (1. + r[0]));
  return std::sqrt(t[0] * t[0] + 2. * P12 * t[0] * t[1] + P22 * t[1] * t[1] +
                   P33 * t[2] * t[2]);
}

/// The determinant of C = I + 2 E.
inline double determinant(const Strain &E)
{
  return (1. + 2. * E[0]) * (1. + 2. * E[1]) - E[2] * E[2];
}

/// E of a deformation gradient in the plane.
inline Strain
green(const double F11, const double F12, const double F21, const double F22)
{
  return { { 0.5 * (F11 * F11 + F21 * F21 - 1.),
             0.5 * (F12 * F12 + F22 * F22 - 1.),
             F11 * F12 + F21 * F22 } };
}

/// E of a logarithmic strain with the principal values a, b and the first axis
/// at this angle.
inline Strain
green_of_log(const double a, const double b, const double angle = 0.)
{
  const double A = 0.5 * std::expm1(2. * a), B = 0.5 * std::expm1(2. * b),
               c = std::cos(angle), s = std::sin(angle);
  return {
    { A * c * c + B * s * s, A * s * s + B * c * c, 2. * (A - B) * c * s }
  };
}

inline double contract(const std::array<double, 3> &a,
                       const std::array<double, 3> &b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

inline double largest(const std::array<double, 3> &s)
{
  return std::max({ std::abs(s[0]), std::abs(s[1]), std::abs(s[2]) });
}

/// A point of a sheet with its history, driven step by step.
class SheetPoint
{
public:
  explicit SheetPoint(const MaterialParameters &parameters)
      : SheetPoint(make_sheet_law(parameters))
  {
  }

  explicit SheetPoint(std::unique_ptr<SheetLaw> made)
      : law(std::move(made))
      , begin(law->n_history() + 1)
      , end(law->n_history() + 1)
  {
    law->initialize(begin.data());
  }

  SheetResponse
  try_out(const Strain &E, const double h = 1., const bool with_tangent = true)
  {
    SheetResponse response;
    EXPECT_TRUE(
        law->respond(E, h, begin.data(), end.data(), with_tangent, response));
    return response;
  }

  SheetResponse advance(const Strain &E, const double h = 1.)
  {
    const auto response = try_out(E, h);
    accept(response);
    return response;
  }

  void accept(const SheetResponse &response)
  {
    begin = end;
    dissipated += response.dissipated;
  }

  /// E_11 given, the other stresses free, to rounding of the stiffness:
  /// Newton's method from the last answer, in steps that are not too long.
  SheetResponse tension(const double E11, const double h = 1.)
  {
    const double rounding = 4e-15 * law->shear_moduli()[0];
    last[0]               = E11;
    SheetResponse response;
    for (n_iterations = 0; n_iterations < 100; ++n_iterations)
    {
      response      = try_out(last, h);
      const auto &s = response.stress;
      const auto &D = response.tangent;
      if (std::max(std::abs(s[1]), std::abs(s[2])) <= rounding)
        break;
      const double det = D[1][1] * D[2][2] - D[1][2] * D[2][1];
      const double d1  = -(D[2][2] * s[1] - D[1][2] * s[2]) / det,
                   d2  = -(D[1][1] * s[2] - D[2][1] * s[1]) / det;
      const double cut =
          std::min(1., 0.05 / std::max(std::abs(d1), std::abs(d2)));
      last[1] += cut * d1;
      last[2] += cut * d2;
    }
    EXPECT_LT(n_iterations, 100u) << "no equilibrium of the sides";
    accept(response);
    return response;
  }

  /// The first field (equivalent inelastic strain).
  double field() const
  {
    return begin[law->fields().at(0).first];
  }

  bool flows() const
  {
    if (law->is_elastic())
      return false;
    const unsigned int f = law->fields().at(0).first;
    return end[f] > begin[f];
  }

  std::unique_ptr<SheetLaw> law;
  std::vector<double> begin, end;
  Strain last{};
  unsigned int n_iterations = 0;
  double dissipated         = 0.;
};

/// A random path: small at first (elastic), then steps in any direction, to
/// stretches of about 2.
class RandomPath
{
public:
  explicit RandomPath(const unsigned int seed)
      : random(seed)
  {
  }

  Strain next()
  {
    const double size = step++ == 0 ? 1e-4 : step < 4 ? 0.04 : 0.12;
    std::uniform_real_distribution<double> number(-size, size);
    for (;;)
    {
      const double l[4] = {
        number(random), number(random), number(random), number(random)
      };
      const double G[4] = { F[0] + l[0] * F[0] + l[1] * F[2],
                            F[1] + l[0] * F[1] + l[1] * F[3],
                            F[2] + l[2] * F[0] + l[3] * F[2],
                            F[3] + l[2] * F[1] + l[3] * F[3] };
      const auto E      = green(G[0], G[1], G[2], G[3]);
      if (determinant(E) < 0.2 || largest(E) > 1.5)
        continue;
      std::copy_n(G, 4, F);
      return E;
    }
  }

private:
  std::mt19937 random;
  unsigned int step = 0;
  double F[4]       = { 1., 0., 0., 1. };
};
} // namespace sheets_test

#pragma once

#include <delassus/materials/material.h>

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace materials_test
{
using namespace delassus;
using Tensor = dealii::Tensor<2, 3>;

constexpr unsigned int first[6]  = { 0, 1, 2, 0, 1, 2 };
constexpr unsigned int second[6] = { 0, 1, 2, 1, 2, 0 };

inline MaterialParameters elastic(const MaterialModel model,
                                  const double E  = 210.,
                                  const double nu = 0.28)
{
  MaterialParameters m;
  m.model         = model;
  m.density       = 1.;
  m.young_modulus = E;
  m.poisson_ratio = nu;
  return m;
}

inline MaterialParameters j2(const MaterialModel model,
                             const double yield_stress,
                             const double hardening = 0.,
                             const double kinematic = 0.)
{
  auto m              = elastic(model);
  m.yield_stress      = yield_stress;
  m.hardening_modulus = hardening;
  m.kinematic_modulus = kinematic;
  return m;
}

inline MaterialParameters
maxwell(const double viscosity, const double E = 210., const double nu = 0.28)
{
  auto m      = elastic(MaterialModel::maxwell, E, nu);
  m.viscosity = viscosity;
  return m;
}

struct Named
{
  std::string name;
  MaterialParameters parameters;
};

/// One of everything; stresses of the order 2, strains of the order 1e-2.
inline std::vector<Named> all_laws()
{
  using M                 = MaterialModel;
  std::vector<Named> laws = { { "linear elastic", elastic(M::linear_elastic) },
                              { "Saint Venant-Kirchhoff",
                                elastic(M::saint_venant_kirchhoff) },
                              { "neo-Hookean", elastic(M::neo_hookean) },
                              { "Maxwell", maxwell(30.) } };
  for (const auto model : { M::j2_small_strain, M::j2 })
  {
    const std::string name = model == M::j2 ? "J2 " : "J2 small strain ";
    laws.push_back({ name + "perfect", j2(model, 2.) });
    laws.push_back({ name + "linear", j2(model, 2., 20.) });
    laws.push_back({ name + "kinematic", j2(model, 2., 5., 30.) });
    auto ludwik                  = j2(model, 2.);
    ludwik.hardening             = HardeningType::ludwik;
    ludwik.hardening_coefficient = 4.;
    ludwik.hardening_exponent    = 0.3;
    laws.push_back({ name + "Ludwik", ludwik });
    auto swift         = ludwik;
    swift.hardening    = HardeningType::swift;
    swift.yield_stress = 0.;
    swift.swift_strain = 0.01;
    laws.push_back({ name + "Swift", swift });
    auto voce              = j2(model, 2., 3., 4.);
    voce.hardening         = HardeningType::voce;
    voce.saturation_stress = 3.;
    voce.saturation_rate   = 15.;
    laws.push_back({ name + "Voce kinematic", voce });
    auto table            = j2(model, 0.);
    table.hardening       = HardeningType::table;
    table.hardening_table = { { { 0., 2. } },
                              { { 0.01, 2.5 } },
                              { { 0.5, 3. } } };
    laws.push_back({ name + "table", table });
    auto perzyna          = j2(model, 2., 10., 10.);
    perzyna.viscosity     = 0.1;
    perzyna.rate_exponent = 0.4;
    laws.push_back({ name + "Perzyna", perzyna });
    auto ludwik_perzyna          = ludwik;
    ludwik_perzyna.viscosity     = 0.2;
    ludwik_perzyna.rate_exponent = 1.5;
    laws.push_back({ name + "Ludwik Perzyna", ludwik_perzyna });
  }
  return laws;
}

inline Tensor identity()
{
  Tensor I;
  for (unsigned int i = 0; i < 3; ++i)
    I[i][i] = 1.;
  return I;
}

inline Tensor diagonal(const double a, const double b, const double c)
{
  Tensor D;
  D[0][0] = a;
  D[1][1] = b;
  D[2][2] = c;
  return D;
}

inline Tensor tensor(const Voigt &s)
{
  Tensor t;
  for (unsigned int m = 0; m < 6; ++m)
    t[first[m]][second[m]] = t[second[m]][first[m]] = s[m];
  return t;
}

/// The rotation by an angle about an axis (Rodrigues).
inline Tensor
rotation(const double angle, const double x, const double y, const double z)
{
  const double n = std::sqrt(x * x + y * y + z * z);
  Tensor W;
  W[0][1] = -z / n;
  W[0][2] = y / n;
  W[1][0] = z / n;
  W[1][2] = -x / n;
  W[2][0] = -y / n;
  W[2][1] = x / n;
  return identity() + std::sin(angle) * W + (1. - std::cos(angle)) * W * W;
}

inline double largest(const Voigt &s)
{
  double result = 0.;
  for (const double c : s)
    result = std::max(result, std::abs(c));
  return result;
}

/// A point of a material with its history, driven step by step.
class Point
{
public:
  explicit Point(const MaterialParameters &parameters,
                 const Assumption assumption = Assumption::three_dimensional)
      : law(make_material(parameters, assumption))
      , begin(law->n_history() + 1)
      , end(law->n_history() + 1)
  {
    law->initialize(begin.data());
  }

  /// The response to F after a step h, nothing accepted.
  MaterialResponse
  try_out(const Tensor &F, const double h = 1., const bool with_tangent = true)
  {
    MaterialResponse response;
    const bool good =
        law->respond(F, h, begin.data(), end.data(), with_tangent, response);
    EXPECT_TRUE(good);
    return response;
  }

  MaterialResponse advance(const Tensor &F, const double h = 1.)
  {
    const auto response = try_out(F, h);
    begin               = end;
    dissipated += response.dissipated;
    return response;
  }

  /// Axial stretch (small strain: 1 + strain) with free sides: the Kirchhoff
  /// stress along x, sides found by Newton's method.
  MaterialResponse uniaxial(const double stretch, const double h = 1.)
  {
    const bool finite = law->is_finite_strain();
    MaterialResponse response;
    for (unsigned int k = 0; k < 100; ++k)
    {
      response         = try_out(diagonal(stretch, side, side), h);
      const double tyy = response.stress[1];
      const double slope =
          response.tangent[1][1] + response.tangent[1][2] + 2. * finite * tyy;
      const double step =
          std::max(-0.05, std::min(0.05, -tyy / (slope > 0. ? slope : 1.)));
      if (std::abs(tyy) <= 1e-15 * law->parameters.young_modulus ||
          std::abs(step) < 1e-16)
        break;
      side = finite ? side * std::exp(step) : side + step;
      EXPECT_LT(k, 99u) << "no equilibrium of the sides";
    }
    return advance(diagonal(stretch, side, side), h);
  }

  double history(const unsigned int index) const
  {
    return begin[index];
  }

  /// The first field of the history (equivalent inelastic strain).
  double field() const
  {
    return begin[law->fields().at(0).first];
  }

  std::unique_ptr<Material> law;
  std::vector<double> begin, end;
  double side       = 1.;
  double dissipated = 0.;
};
} // namespace materials_test

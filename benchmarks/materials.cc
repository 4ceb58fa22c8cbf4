// Time of one response of each material law, nanoseconds: an elastic and an
// inelastic step, with and without the tangent, strains in the plane and in
// space; then the same of the laws of sheets.
#include <delassus/materials/material.h>
#include <delassus/materials/sheet_laws.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

using namespace delassus;

namespace
{
double nanoseconds(const Material &law,
                   const bool inelastic,
                   const bool with_tangent,
                   const bool in_plane)
{
  std::vector<double> begin(law.n_history() + 1), end(law.n_history() + 1);
  law.initialize(begin.data());
  dealii::Tensor<2, 3> F;
  for (unsigned int i = 0; i < 3; ++i)
    F[i][i] = 1.;
  const double size = inelastic ? 0.02 : 5e-4;
  MaterialResponse response;
  for (unsigned int step = 0; step < 2; ++step)
  {
    F[0][1] += 0.5 * size;
    F[1][0] -= 0.7 * size;
    F[1][1] -= 0.5 * size;
    if (!in_plane)
    {
      F[1][2] -= 0.1 * size;
      F[0][2] += 0.3 * size;
      F[2][2] += 0.2 * size;
    }
    if (step == 0)
    {
      law.respond(F, 0.1, begin.data(), end.data(), true, response);
      if (inelastic)
        begin = end;
    }
  }
  double best = 1e300, sum = 0.;
  for (unsigned int repeat = 0; repeat < 7; ++repeat)
  {
    const unsigned int n = 40000;
    const auto start     = std::chrono::steady_clock::now();
    for (unsigned int i = 0; i < n; ++i)
    {
      F[0][0] += 1e-13;
      law.respond(F, 0.1, begin.data(), end.data(), with_tangent, response);
      sum += response.stress[0];
    }
    const std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - start;
    best = std::min(best, 1e9 * time.count() / n);
  }
  return std::isfinite(sum) ? best : -1.;
}

void row(const char *name,
         const MaterialParameters &parameters,
         const Assumption assumption = Assumption::three_dimensional)
{
  const auto law   = make_material(parameters, assumption);
  const bool plane = assumption == Assumption::plane_stress;
  std::printf("%-26s", name);
  for (const bool in_plane : { true, false })
    for (const bool inelastic : { false, true })
      for (const bool with_tangent : { false, true })
        if ((plane && !in_plane) || (inelastic && law->is_elastic()))
          std::printf("%9s", "-");
        else
          std::printf("%9.0f",
                      nanoseconds(*law, inelastic, with_tangent, in_plane));
  std::printf("\n");
}

double
nanoseconds(const SheetLaw &law, const bool inelastic, const bool with_tangent)
{
  std::vector<double> begin(law.n_history() + 1), end(law.n_history() + 1);
  law.initialize(begin.data());
  const double size = inelastic ? 0.02 : 5e-4;
  SheetResponse response;
  law.respond({ { 0.01 * size, -0.5 * size, -0.2 * size } },
              0.1,
              begin.data(),
              end.data(),
              true,
              response);
  if (inelastic)
    begin = end;
  std::array<double, 3> E{ { 0.02 * size, -size, -0.45 * size } };
  double best = 1e300, sum = 0.;
  // Short parts: some of them are not interrupted.
  for (unsigned int repeat = 0; repeat < 1000; ++repeat)
  {
    const unsigned int n = 500;
    const auto start     = std::chrono::steady_clock::now();
    for (unsigned int i = 0; i < n; ++i)
    {
      E[0] += 1e-14;
      law.respond(E, 0.1, begin.data(), end.data(), with_tangent, response);
      sum += response.stress[0];
    }
    const std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - start;
    best = std::min(best, 1e9 * time.count() / n);
  }
  return std::isfinite(sum) ? best : -1.;
}

void row(const char *name, const SheetLaw &law)
{
  std::printf("%-26s", name);
  for (const bool inelastic : { false, true })
    for (const bool with_tangent : { false, true })
      if (inelastic && law.is_elastic())
        std::printf("%9s", "-");
      else
        std::printf("%9.0f", nanoseconds(law, inelastic, with_tangent));
  std::printf("\n");
}

/// Laws of sheets made of these parameters (E, nu, J2).
void sheets(const MaterialParameters &parameters)
{
  std::printf("\nsheets\n");
  auto p  = parameters;
  p.model = MaterialModel::linear_elastic;
  row("linear elastic", *make_sheet_law(p));
  p.model = MaterialModel::saint_venant_kirchhoff;
  row("Saint Venant-Kirchhoff", *make_sheet_law(p));
  p.model = MaterialModel::neo_hookean;
  row("neo-Hookean", *make_sheet_law(p));
  p.model = MaterialModel::j2;
  row("J2, linear", *make_sheet_law(p));
  row("J2, linear, as a solid", SolidSheet(p));
  p.model    = MaterialModel::hill;
  p.r_values = { { 1.79, 1.51, 2.27 } };
  row("Hill, linear", *make_sheet_law(p));
  auto q                  = p;
  q.hardening             = HardeningType::swift;
  q.hardening_coefficient = 0.6;
  q.swift_strain          = 0.007;
  q.hardening_exponent    = 0.26;
  row("Hill, Swift", *make_sheet_law(q));
  q                   = p;
  q.kinematic_modulus = 5.;
  row("Hill, Prager", *make_sheet_law(q));
  q                    = p;
  q.back_stress_moduli = { 20., 5. };
  q.back_stress_rates  = { 50., 5. };
  row("Hill, two recalls", *make_sheet_law(q));
  q.viscosity     = 0.01;
  q.rate_exponent = 0.2;
  row("the same, Perzyna", *make_sheet_law(q));
}
} // namespace

int main()
{
  std::printf("%-26s%36s%36s\n%-26s%18s%18s%18s%18s\n%-26s",
              "",
              "in the plane",
              "in space",
              "",
              "elastic",
              "inelastic",
              "elastic",
              "inelastic",
              "");
  for (unsigned int i = 0; i < 4; ++i)
    std::printf("%9s%9s", "stress", "tangent");
  std::printf("\n");

  MaterialParameters p;
  p.density       = 1.;
  p.young_modulus = 210.;
  p.poisson_ratio = 0.28;
  row("linear elastic", p);
  p.model = MaterialModel::saint_venant_kirchhoff;
  row("Saint Venant-Kirchhoff", p);
  p.model = MaterialModel::neo_hookean;
  row("neo-Hookean", p);
  p.model        = MaterialModel::j2_small_strain;
  p.yield_stress = 0.4;
  row("J2 small strain, linear", p);
  p.model = MaterialModel::j2;
  row("J2, linear", p);
  row("J2, linear, plane stress", p, Assumption::plane_stress);
  const auto plastic  = p;
  auto q              = p;
  q.kinematic_modulus = 5.;
  row("J2, kinematic", q);
  q                   = p;
  q.hardening         = HardeningType::voce;
  q.hardening_modulus = 0.1;
  q.saturation_stress = 0.7;
  q.saturation_rate   = 17.;
  row("J2, Voce", q);
  q                       = p;
  q.hardening             = HardeningType::swift;
  q.hardening_coefficient = 0.6;
  q.swift_strain          = 0.007;
  q.hardening_exponent    = 0.26;
  row("J2, Swift", q);
  q.viscosity     = 0.01;
  q.rate_exponent = 0.2;
  row("J2, Swift, Perzyna", q);
  p.model     = MaterialModel::maxwell;
  p.viscosity = 30.;
  row("Maxwell", p);
  sheets(plastic);
}

#include <delassus/materials/laws.h>
#include <delassus/materials/sheet_laws.h>

#include <cmath>

namespace delassus
{
SolidSheet::SolidSheet(const MaterialParameters &parameters)
    : SheetLawOfParameters(parameters)
    , law(make_material(parameters, Assumption::plane_stress))
{
}

SolidSheet::~SolidSheet() = default;

unsigned int SolidSheet::n_history() const
{
  return law->n_history();
}

void SolidSheet::initialize(double *history) const
{
  law->initialize(history);
}

bool SolidSheet::is_elastic() const
{
  return law->is_elastic();
}

std::vector<SheetLaw::Field> SolidSheet::fields() const
{
  std::vector<Field> result;
  for (const auto &field : law->fields())
    result.push_back({ field.name, field.first });
  return result;
}

bool SolidSheet::respond(const std::array<double, 3> &E,
                         const double h,
                         const double *begin,
                         double *end,
                         const bool with_tangent,
                         SheetResponse &response) const
{
  // U = (C + sqrt(det C) I) / t, t^2 = tr C + 2 sqrt(det C); U - I without
  // cancellation, from M = C - I = 2 E.
  const double trace = 2. * (E[0] + E[1]),
               minor = 4. * E[0] * E[1] - E[2] * E[2], growth = trace + minor;
  if (!(1. + growth > 0.) || !(2. + trace > 0.) || !std::isfinite(growth))
    return false;
  const double root = growth / (1. + std::sqrt(1. + growth)); // of det, less 1
  const double t    = std::sqrt(4. + trace + 2. * root);
  const double rest = minor / (2. + root + t);
  const double U[3] = { 1. + (2. * E[0] + rest) / t,
                        1. + (2. * E[1] + rest) / t,
                        E[2] / t };
  dealii::Tensor<2, 3> F;
  F[0][0] = U[0];
  F[1][1] = U[1];
  F[0][1] = F[1][0] = U[2];
  F[2][2]           = 1.;
  MaterialResponse solid;
  if (!law->respond(F, h, begin, end, with_tangent, solid))
    return false;

  // S = U^-1 tau U^-1 and d = U^-1 dE U^-1: the same matrix, rates of
  // deformation d = A dE in the plane.
  const double det    = 1. + root;
  const double V[3]   = { U[1] / det, U[0] / det, -U[2] / det };
  const PlaneMatrix A = {
    { { { V[0] * V[0], V[2] * V[2], V[0] * V[2] } },
      { { V[2] * V[2], V[1] * V[1], V[2] * V[1] } },
      { { 2. * V[0] * V[2], 2. * V[2] * V[1], V[0] * V[1] + V[2] * V[2] } } }
  };
  constexpr unsigned int in_plane[3] = { 0, 1, 3 };
  PlaneVector tau;
  PlaneMatrix c;
  for (unsigned int i = 0; i < 3; ++i)
  {
    tau[i] = solid.stress[in_plane[i]];
    for (unsigned int j = 0; j < 3; ++j)
      c[i][j] = solid.tangent[in_plane[i]][in_plane[j]];
  }
  response.stress = pull_back(A, tau);
  if (with_tangent)
    response.tangent = pull_back(A, c);
  response.thickness_strain = end[law->n_history() - 1];
  response.stored           = solid.stored;
  response.dissipated       = solid.dissipated;
  return true;
}
} // namespace delassus

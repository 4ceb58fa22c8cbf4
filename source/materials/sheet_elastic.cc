// Plain doubles, no deal.II: compiled for the processor (see
// cmake/modules.cmake).
#include <delassus/materials/sheet_laws.h>

#include <cmath>

namespace delassus
{
bool HenckySheet::respond(const std::array<double, 3> &E,
                          const double,
                          const double *,
                          double *,
                          const bool with_tangent,
                          SheetResponse &response) const
{
  LogarithmicPlane plane;
  if (!plane.set(E))
    return false;
  const auto eps = plane.strain(), T = elasticity.stress(eps);
  response.stress           = plane.stress(T);
  response.thickness_strain = elasticity.thickness_strain(T);
  response.stored     = 0.5 * (T[0] * eps[0] + T[1] * eps[1] + T[2] * eps[2]);
  response.dissipated = 0.;
  if (with_tangent)
    response.tangent = plane.tangent(T, elasticity.C);
  return true;
}

bool SaintVenantKirchhoffSheet::respond(const std::array<double, 3> &E,
                                        const double,
                                        const double *,
                                        double *,
                                        const bool with_tangent,
                                        SheetResponse &response) const
{
  const double det = 1. + 2. * (E[0] + E[1]) + 4. * E[0] * E[1] - E[2] * E[2];
  const auto S     = elasticity.stress(E);
  const double growth = 2. * elasticity.thickness_strain(S); // C_33 - 1
  if (!(det > 0.) || !(1. + E[0] + E[1] > 0.) || !(1. + growth > 0.) ||
      !std::isfinite(det))
    return false;
  response.stress           = S;
  response.thickness_strain = 0.5 * std::log1p(growth);
  response.stored           = 0.5 * (S[0] * E[0] + S[1] * E[1] + S[2] * E[2]);
  response.dissipated       = 0.;
  if (with_tangent)
    response.tangent = elasticity.C;
  return true;
}
} // namespace delassus

#include <delassus/materials/laws.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace delassus
{
PlaneStress::PlaneStress(std::unique_ptr<Material> law)
    : Material(law->parameters)
    , law(std::move(law))
{
}

void PlaneStress::initialize(double *history) const
{
  law->initialize(history);
  history[law->n_history()] = 0.;
}

std::vector<MaterialField> PlaneStress::fields() const
{
  return law->fields();
}

// The unknown is z = ln F_zz, so that F_zz > 0 (small strain: z = eps_zz).
// A rate of deformation dz along the normal changes tau_zz by
//   (c_zzzz + 2 tau_zz) dz    (the Lie derivative, and l tau + tau l^T)
// (small strain: D_zzzz dz). Newton's method, inside the bracket where tau_zz
// changes sign once that is known.
bool PlaneStress::respond(const dealii::Tensor<2, 3> &F,
                          const double h,
                          const double *begin,
                          double *end,
                          const bool with_tangent,
                          MaterialResponse &response) const
{
  constexpr double eps = std::numeric_limits<double>::epsilon();
  const unsigned int n = law->n_history();
  const bool finite    = is_finite_strain();
  dealii::Tensor<2, 3> full;
  for (unsigned int i = 0; i < 2; ++i)
    for (unsigned int j = 0; j < 2; ++j)
      full[i][j] = F[i][j];
  if (!(full[0][0] * full[1][1] - full[0][1] * full[1][0] > 0.) && finite)
    return false;

  double z = begin[n], previous = z;
  // tau_zz < 0 below, > 0 above.
  double below = -std::numeric_limits<double>::infinity(), above = -below;
  bool found = false;
  for (unsigned int k = 0; k < 60 && !found; ++k)
  {
    full[2][2] = finite ? std::exp(z) : 1. + z;
    if (!law->respond(full, h, begin, end, true, response))
    {
      // Too far: back half the way to where there was an answer.
      if (k == 0)
        return false;
      z = 0.5 * (z + previous);
      continue;
    }
    auto &tau        = response.stress;
    const double tzz = tau[2];
    const double size =
        std::max({ std::abs(tau[0]), std::abs(tau[1]), std::abs(tau[3]) });
    const double slope = response.tangent[2][2] + (finite ? 2. * tzz : 0.);
    double step        = slope > 0. ? -tzz / slope : -std::copysign(0.1, tzz);
    step               = std::clamp(step, -0.5, 0.5);
    // As far as F_zz can be told: the rest is corrected below.
    found = std::abs(tzz) <= 4. * eps * size || std::abs(step) <= 2. * eps;
    if (found)
      break;
    (tzz < 0. ? below : above) = z;
    previous                   = z;
    double next                = z + step;
    if (!(next > below && next < above))
    {
      next = 0.5 * (below + above);
      if (above - below <= 4. * eps * std::max(1., std::abs(z)))
        found = true;
    }
    z = next;
  }
  if (!found)
    return false;
  end[n] = z;

  // tau_zz is not quite zero: what F_zz cannot express of a small strain is
  // taken off to first order, as the condensation does with all of it.
  auto &c          = response.tangent;
  const double czz = c[2][2];
  if (!(czz > 0.))
    return false;
  const double rest = response.stress[2];
  for (unsigned int i = 0; i < 6; ++i)
    if (i != 2)
      response.stress[i] -= c[i][2] / czz * rest;
  response.stress[2] = 0.;
  if (with_tangent)
  {
    for (unsigned int i = 0; i < 6; ++i)
      for (unsigned int j = 0; j < 6; ++j)
        if (i != 2 && j != 2)
          c[i][j] -= c[i][2] * c[2][j] / czz;
    for (unsigned int i = 0; i < 6; ++i)
      c[i][2] = c[2][i] = 0.;
  }
  return true;
}
} // namespace delassus

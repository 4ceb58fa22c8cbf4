#include <delassus/materials/laws.h>

#include <cmath>

namespace delassus
{
namespace
{
/// ln(1 + x) - x, also for small x to all digits.
double log1p_minus(const double x)
{
  if (std::abs(x) > 0.02)
    return std::log1p(x) - x;
  double sum = 0.;
  for (int k = 10; k >= 2; --k)
    sum = sum * -x + 1. / k;
  return -sum * x * x;
}
} // namespace

// c = lambda I x I + 2 (mu - lambda ln J) 1, 1 the identity on symmetric
// tensors.
bool NeoHookean::respond(const dealii::Tensor<2, 3> &F,
                         const double,
                         const double *,
                         double *,
                         const bool with_tangent,
                         MaterialResponse &response) const
{
  dealii::Tensor<2, 3> H = F;
  for (unsigned int i = 0; i < 3; ++i)
    H[i][i] -= 1.;
  // J - 1 = tr H + I2(H) + det H and b - I = H + H^T + H H^T: small strains
  // keep their digits.
  const double trace  = H[0][0] + H[1][1] + H[2][2];
  const double higher = H[0][0] * H[1][1] - H[0][1] * H[1][0] +
                        H[1][1] * H[2][2] - H[1][2] * H[2][1] +
                        H[2][2] * H[0][0] - H[2][0] * H[0][2] +
                        dealii::determinant(H);
  const double J_minus_1 = trace + higher;
  if (!(1. + J_minus_1 > 0.) || !std::isfinite(J_minus_1))
    return false;
  const double log_J               = std::log1p(J_minus_1);
  double HH                        = 0.;
  constexpr unsigned int first[6]  = { 0, 1, 2, 0, 1, 2 };
  constexpr unsigned int second[6] = { 0, 1, 2, 1, 2, 0 };
  for (unsigned int m = 0; m < 6; ++m)
  {
    const unsigned int i = first[m], j = second[m];
    double b = H[i][j] + H[j][i];
    for (unsigned int k = 0; k < 3; ++k)
      b += H[i][k] * H[j][k];
    response.stress[m] = shear * b + (m < 3 ? lambda() * log_J : 0.);
  }
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int j = 0; j < 3; ++j)
      HH += H[i][j] * H[i][j];
  // tr C - 3 - 2 ln J = 2 tr H + H : H - 2 ln J.
  response.stored =
      0.5 * shear * (HH - 2. * (higher + log1p_minus(J_minus_1))) +
      0.5 * lambda() * log_J * log_J;
  response.dissipated = 0.;
  if (with_tangent)
  {
    response.tangent   = {};
    const double slope = shear - lambda() * log_J;
    for (unsigned int i = 0; i < 3; ++i)
    {
      for (unsigned int j = 0; j < 3; ++j)
        response.tangent[i][j] = lambda();
      response.tangent[i][i] += 2. * slope;
      response.tangent[3 + i][3 + i] = slope;
    }
  }
  return true;
}
} // namespace delassus

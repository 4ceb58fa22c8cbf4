#include <delassus/materials/laws.h>

#include <cmath>

namespace delassus
{
// S = lambda tr(E) I + 2 mu E; pushed forward, with b = F F^T,
//   tau = lambda tr(E) b + mu (b b - b),
//   c_ijkl = lambda b_ij b_kl + mu (b_ik b_jl + b_il b_jk).
bool SaintVenantKirchhoff::respond(const dealii::Tensor<2, 3> &F,
                                   const double,
                                   const double *,
                                   double *,
                                   const bool with_tangent,
                                   MaterialResponse &response) const
{
  const double det = dealii::determinant(F);
  if (!(det > 0.) || !std::isfinite(det))
    return false;
  // With H = F - I: small strains keep their digits in 2E = H + H^T + H^T H.
  dealii::Tensor<2, 3> H = F, E, S, b, tau;
  for (unsigned int i = 0; i < 3; ++i)
    H[i][i] -= 1.;
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int j = 0; j < 3; ++j)
    {
      E[i][j] = 0.5 * (H[i][j] + H[j][i]);
      for (unsigned int k = 0; k < 3; ++k)
      {
        E[i][j] += 0.5 * H[k][i] * H[k][j];
        b[i][j] += F[i][k] * F[j][k];
      }
    }
  const double trace = E[0][0] + E[1][1] + E[2][2];
  double EE          = 0.;
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int j = 0; j < 3; ++j)
    {
      S[i][j] = 2. * shear * E[i][j] + (i == j ? lambda() * trace : 0.);
      EE += E[i][j] * E[i][j];
    }
  tau                              = F * S * dealii::transpose(F);
  constexpr unsigned int first[6]  = { 0, 1, 2, 0, 1, 2 };
  constexpr unsigned int second[6] = { 0, 1, 2, 1, 2, 0 };
  for (unsigned int m = 0; m < 6; ++m)
    response.stress[m] =
        0.5 * (tau[first[m]][second[m]] + tau[second[m]][first[m]]);
  response.stored     = 0.5 * lambda() * trace * trace + shear * EE;
  response.dissipated = 0.;
  if (with_tangent)
    for (unsigned int m = 0; m < 6; ++m)
      for (unsigned int n = 0; n <= m; ++n)
      {
        const unsigned int i = first[m], j = second[m], k = first[n],
                           l   = second[n];
        response.tangent[m][n] = response.tangent[n][m] =
            lambda() * b[i][j] * b[k][l] +
            shear * (b[i][k] * b[j][l] + b[i][l] * b[j][k]);
      }
  return true;
}
} // namespace delassus

#ifndef delassus_materials_logarithmic_plane_h
#define delassus_materials_logarithmic_plane_h

#include <array>
#include <cmath>

namespace delassus
{
/// Vectors and matrices of the plane in the order 11 22 12; shear strains are
/// engineering ones. Plain doubles, as in spectral.h.
using PlaneVector = std::array<double, 3>;
using PlaneMatrix = std::array<std::array<double, 3>, 3>;

/// A^T M A of a symmetric M.
inline PlaneMatrix pull_back(const PlaneMatrix &A, const PlaneMatrix &M)
{
  PlaneMatrix MA, result;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      MA[i][j] = M[i][0] * A[0][j] + M[i][1] * A[1][j] + M[i][2] * A[2][j];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j)
      result[i][j] = result[j][i] =
          A[0][i] * MA[0][j] + A[1][i] * MA[1][j] + A[2][i] * MA[2][j];
  return result;
}

/// A^T t.
inline PlaneVector pull_back(const PlaneMatrix &A, const PlaneVector &t)
{
  PlaneVector result;
  for (int i = 0; i < 3; ++i)
    result[i] = A[0][i] * t[0] + A[1][i] * t[1] + A[2][i] * t[2];
  return result;
}

/// Logarithmic strain in the plane, eps = 1/2 ln C with C = I + 2 E, and what
/// leads from its conjugate stress T to the second Piola-Kirchhoff stress
/// S = T : deps/dE and to dS/dE (Miehe, Apel and Lambrecht 2002). In two
/// dimensions no axes are needed: with
///   c = tr(C)/2, d = E_11 - E_22, k = 2 E_12, rho = d^2 + k^2,
///   Delta = det C = c^2 - rho,
/// the eigenvalues of C are c +- sqrt(rho) and
///   eps = a I + b dev C,  a = 1/4 ln Delta,  b = phi(s) / (2 c),
///   s = rho / c^2,  phi(s) = artanh(sqrt s) / sqrt s,
/// phi analytic at 0: equal stretches are nothing special. Frozen T, the
/// function Psi = T : eps of (c, d, k) has the gradient S and the Hessian that
/// T adds to the tangent.
class LogarithmicPlane
{
public:
  /// Take E = (E_11, E_22, 2 E_12). False: C is not positive definite.
  bool set(const PlaneVector &E)
  {
    c = 1. + E[0] + E[1];
    d = E[0] - E[1];
    k = E[2];
    // Small strains keep their digits.
    const double growth = 2. * (E[0] + E[1]) + 4. * E[0] * E[1] - k * k;
    det                 = 1. + growth;
    if (!(det > 0.) || !(c > 0.) || !std::isfinite(det))
      return false;
    const double rho = d * d + k * k, s = rho / (c * c), rest = det / (c * c);
    // 2 s phi' = 1/(1-s) - phi and 2 s phi'' = 1/(1-s)^2 - 3 phi'. Where s is
    // small phi'' comes by its series, sum_j (j+1) (j+2) / (2j+5) s^j, and
    // the others from it: no digit is lost on this way.
    double phi, phi_1, phi_2;
    if (s < 0.05)
    {
      constexpr double series[] = { 2. / 5.,    6. / 7.,    12. / 9.,
                                    20. / 11.,  30. / 13.,  42. / 15.,
                                    56. / 17.,  72. / 19.,  90. / 21.,
                                    110. / 23., 132. / 25., 156. / 27. };
      phi_2                     = series[11];
      for (int j = 10; j >= 0; --j)
        phi_2 = phi_2 * s + series[j];
      phi_1 = (1. / (rest * rest) - 2. * s * phi_2) / 3.;
      phi   = 1. / rest - 2. * s * phi_1;
    }
    else
    {
      phi   = std::log((c + std::sqrt(rho)) / std::sqrt(det)) / std::sqrt(s);
      phi_1 = (1. / rest - phi) / (2. * s);
      phi_2 = (1. / (rest * rest) - 3. * phi_1) / (2. * s);
    }
    a         = 0.25 * std::log1p(growth);
    b         = 0.5 * phi / c;
    b_rho     = 0.5 * phi_1 / (c * c * c);
    b_rho_rho = 0.5 * phi_2 / (c * c * c * c * c);
    return true;
  }

  /// (eps_11, eps_22, 2 eps_12).
  PlaneVector strain() const
  {
    return { { a + b * d, a - b * d, 2. * b * k } };
  }

  PlaneVector stress(const PlaneVector &T) const
  {
    const double sum = T[0] + T[1], difference = T[0] - T[1],
                 w     = difference * d + 2. * T[2] * k;
    const double psi_c = (sum * c - w) / (2. * det);
    const double psi_r = -sum / (4. * det) + w * b_rho;
    const double psi_d = 2. * d * psi_r + b * difference;
    return { { psi_c + psi_d, psi_c - psi_d, 2. * k * psi_r + 2. * b * T[2] } };
  }

  /// dS/dE of a law with dT/deps = @p D.
  PlaneMatrix tangent(const PlaneVector &T, const PlaneMatrix &D) const
  {
    // a_c = c/(2 Delta), a_rho = b_c/2 = -1/(4 Delta), and so on.
    const double i = 1. / det, ii = i * i;
    const double a_rho = -0.25 * i, b_c = -0.5 * i;
    // d(eps)/d(c, d, k), rows in the order of eps.
    const double dd = 2. * d * d * b_rho, dk = 2. * d * k * b_rho,
                 kk = 2. * k * k * b_rho;
    const double ad = 2. * d * a_rho, ak = 2. * k * a_rho;
    const PlaneMatrix rate = {
      { { { 0.5 * c * i + b_c * d, ad + b + dd, ak + dk } },
        { { 0.5 * c * i - b_c * d, ad - b - dd, ak - dk } },
        { { 2. * b_c * k, 2. * dk, 2. * (b + kk) } } }
    };
    PlaneMatrix H    = pull_back(rate, D);
    const double sum = T[0] + T[1], difference = T[0] - T[1], shear = 2. * T[2],
                 w      = difference * d + shear * k;
    const double psi_cc = sum * (0.5 * i - c * c * ii) + w * c * ii;
    const double psi_cr = 0.5 * (sum * c - w) * ii;
    const double psi_r  = sum * a_rho + w * b_rho;
    const double psi_rr = -0.25 * sum * ii + w * b_rho_rho;
    H[0][0] += psi_cc;
    H[0][1] += 2. * d * psi_cr + b_c * difference;
    H[0][2] += 2. * k * psi_cr + b_c * shear;
    H[1][1] += 4. * d * d * psi_rr + 2. * psi_r + 4. * d * b_rho * difference;
    H[1][2] += 4. * d * k * psi_rr + 2. * b_rho * (d * shear + k * difference);
    H[2][2] += 4. * k * k * psi_rr + 2. * psi_r + 4. * k * b_rho * shear;
    // c = 1 + E_11 + E_22, d = E_11 - E_22.
    PlaneMatrix L;
    L[0][0] = H[0][0] + 2. * H[0][1] + H[1][1];
    L[1][1] = H[0][0] - 2. * H[0][1] + H[1][1];
    L[0][1] = L[1][0] = H[0][0] - H[1][1];
    L[0][2] = L[2][0] = H[0][2] + H[1][2];
    L[1][2] = L[2][1] = H[0][2] - H[1][2];
    L[2][2]           = H[2][2];
    return L;
  }

private:
  double c, d, k, det;           // of C
  double a, b, b_rho, b_rho_rho; // of eps
};
} // namespace delassus

#endif

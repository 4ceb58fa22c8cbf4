// Plain doubles, no deal.II: compiled for the processor (see
// cmake/modules.cmake).
#include <delassus/materials/hill_kernel.h>
#include <delassus/materials/spectral.h>

#include <delassus/base/assert.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace delassus
{
PlaneElasticity::PlaneElasticity(const MaterialParameters &material)
{
  double E1, E2, nu, G;
  if (material.model == MaterialModel::orthotropic)
  {
    E1       = material.young_moduli[0];
    E2       = material.young_moduli[1];
    young_3  = material.young_moduli[2];
    nu       = material.poisson_ratios[0];
    across_1 = material.poisson_ratios[1] / E1;
    across_2 = material.poisson_ratios[2] / E2;
    G        = material.shear_moduli[0];
    G_13     = material.shear_moduli[1];
    G_23     = material.shear_moduli[2];
  }
  else
  {
    E1 = E2 = young_3 = material.young_modulus;
    nu                = material.poisson_ratio;
    across_1 = across_2 = nu / E1;
    G = G_13 = G_23 = E1 / (2. * (1. + nu));
  }
  // nu_21 = nu_12 E_2 / E_1.
  const double rest = 1. - nu * nu * E2 / E1;
  C[0][0]           = E1 / rest;
  C[1][1]           = E2 / rest;
  C[0][1] = C[1][0] = nu * E2 / rest;
  C[2][2]           = G;
}

HillKernel::HillKernel(const MaterialParameters &material)
    : elasticity(material)
    , hardening(material)
    , viscosity(material.viscosity)
    , rate_exponent(material.rate_exponent)
{
  const auto add = [&](const double modulus, const double rate)
  {
    recalls              = recalls || rate > 0.;
    back_modulus[n_back] = modulus;
    back_rate[n_back]    = rate;
    ++n_back;
  };
  if (material.kinematic_modulus > 0.)
    add(material.kinematic_modulus, 0.);
  DELASSUS_ASSERT(n_back + material.back_stress_moduli.size() <=
                          max_back_stresses &&
                      material.back_stress_moduli.size() ==
                          material.back_stress_rates.size(),
                  "the section Material lets no others pass");
  for (std::size_t j = 0;
       j < material.back_stress_moduli.size() && n_back < max_back_stresses;
       ++j)
    add(material.back_stress_moduli[j], material.back_stress_rates[j]);

  // P = G^T G (Cholesky), G C G^T = V diag(lambda) V^T, A = V^T G. Shear is on
  // its own.
  const double r0 = material.r_values[0], r45 = material.r_values[1],
               r90 = material.r_values[2];
  const double P12 = -r0 / (1. + r0), P22 = r0 * (1. + r90) / (r90 * (1. + r0)),
               P33 = (r0 + r90) * (1. + 2. * r45) / (r90 * (1. + r0));
  const auto &C    = elasticity.C;
  const double g   = std::sqrt(P22 - P12 * P12); // G = [1 P12; 0 g]
  Symmetric M{};
  M[0] = C[0][0] + 2. * P12 * C[0][1] + P12 * P12 * C[1][1];
  M[3] = g * (C[0][1] + P12 * C[1][1]);
  M[1] = g * g * C[1][1];
  double value[3], V[3][3];
  eigen_symmetric(M, value, V);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      A[i][j] = B[i][j] = 0.;
  for (int i = 0; i < 2; ++i)
  {
    lambda[i] = value[i];
    A[i][0]   = V[0][i];
    A[i][1]   = V[0][i] * P12 + V[1][i] * g;
    // A^-T = V^T G^-T, G^-1 = [1 -P12/g; 0 1/g].
    B[i][0] = V[0][i] - V[1][i] * P12 / g;
    B[i][1] = V[1][i] / g;
  }
  A[2][2]    = std::sqrt(P33);
  B[2][2]    = 1. / A[2][2];
  lambda[2]  = P33 * C[2][2];
  lambda_min = std::min({ lambda[0], lambda[1], lambda[2] });
  lambda_max = std::max({ lambda[0], lambda[1], lambda[2] });
}

double HillKernel::rise(Step &step) const
{
  double rise, slope;
  hardening.rise(step.start, step.x, rise, slope);
  step.Y   = step.start.stress + rise;
  step.Y_x = slope;
  if (viscosity > 0.)
  {
    const double v = std::pow(viscosity * step.x / step.h, rate_exponent);
    const double S = step.Y;
    rise += S * v;
    step.Y += S * v;
    step.Y_x += slope * v + S * rate_exponent * v / step.x;
  }
  return rise;
}

void HillKernel::recall(Step &step) const
{
  step.C = step.C_x = 0.;
  for (int i = 0; i < 3; ++i)
    step.shift[i] = step.zeta_x[i] = 0.;
  for (unsigned int j = 0; j < n_back; ++j)
  {
    const double w = 1. / (1. + back_rate[j] * step.x);
    step.C += w * back_modulus[j];
    step.C_x += w * w * back_modulus[j];
    // 1 - w = gamma x w.
    const double gone = back_rate[j] * step.x * w, rate = back_rate[j] * w * w;
    for (int i = 0; i < 3; ++i)
    {
      step.shift[i] += gone * step.back[j][i];
      step.zeta_x[i] += rate * step.back[j][i];
    }
  }
  for (int i = 0; i < 3; ++i)
    step.zeta[i] = step.zeta_0[i] + step.shift[i];
}

// With M = |zeta_i / (Y + x mu_i)|, q = |zeta| and S = S(p),
//   R = q/M - S - (q - q_0) = S (1 - s)/s - (q - q_0),  s = S M / q,
// rises from 0 to f = q_0 - S, where M = 1.
double HillKernel::residual(Step &step, double &slope) const
{
  const double u = rise(step), S = step.start.stress, per_S = 1. / S;
  if (recalls)
    recall(step);
  double q2 = step.q_0 * step.q_0;
  if (recalls)
    q2 = step.zeta[0] * step.zeta[0] + step.zeta[1] * step.zeta[1] +
         step.zeta[2] * step.zeta[2];
  // s^2, 1 - s^2 without cancellation, -(s^2)'/2 times S.
  double s2 = 0., rest = 0., fall = 0.;
  for (int i = 0; i < 3; ++i)
  {
    const double t     = (u + step.x * (lambda[i] + step.C)) * per_S;
    const double g     = 1. / (1. + t);
    const double share = step.zeta[i] * step.zeta[i] * g * g;
    s2 += share;
    rest += share * t * (2. + t);
    fall += share * g * (step.Y_x + lambda[i] + step.C_x);
    if (recalls)
      fall -= S * g * g * step.zeta[i] * step.zeta_x[i];
  }
  const double per_q2 = 1. / q2, s = std::sqrt(s2 * per_q2), per_s = 1. / s;
  double R = S * rest * per_q2 * per_s / (1. + s);
  slope    = fall * per_q2 * per_s * per_s * per_s;
  if (recalls)
  {
    const double q = std::sqrt(q2);
    double moved = 0., q_x = 0.;
    for (int i = 0; i < 3; ++i)
    {
      moved += step.shift[i] * (step.zeta[i] + step.zeta_0[i]);
      q_x += step.zeta[i] * step.zeta_x[i] / q;
    }
    R -= moved / (q + step.q_0);
    slope += q_x * (S * per_s / q - 1.);
  }
  return R;
}

bool HillKernel::solve(Step &step) const
{
  // R is a sum of powers of x more or less: Newton's method for ln R = ln f as
  // a function of ln x, as of J2Kernel; bisection where it leaves the bracket.
  // R >= lambda_min x, for q(X_j) <= C_j / gamma_j.
  constexpr double eps = std::numeric_limits<double>::epsilon();
  const double f       = step.q_0 - step.start.stress;
  double lower = 0., upper = f / lambda_min, stiffness = 0.;
  for (int i = 0; i < 3; ++i)
    stiffness += step.zeta_0[i] * step.zeta_0[i] * lambda[i];
  step.x = 0.;
  recall(step);
  step.x = std::min(
      upper, f / (stiffness / (step.q_0 * step.q_0) + (recalls ? 0. : step.C)));
  for (unsigned int k = 0; k < 200; ++k)
  {
    double slope;
    const double R = residual(step, slope);
    if (std::abs(R - f) <= 2. * eps * step.q_0)
      return true;
    (R > f ? upper : lower) = step.x;
    const double change     = log_one_plus((f - R) / R) * R / (step.x * slope);
    double next             = step.x * (1. + exp_less_one(change));
    const bool inside       = R > 0. && next > lower && next < upper;
    if (!inside)
    {
      if (upper - lower <= 4. * eps * upper)
        return true;
      next = lower > 0. ? std::sqrt(lower * upper) : 1e-3 * upper;
    }
    // With a small m the overstress is borne at a rate that no number tells
    // from zero.
    if (next < 1e-290)
    {
      step.x = 0.;
      return true;
    }
    const double dx = next - step.x;
    step.x          = next;
    // Quadratic: the step after one of 1e-9 would be below rounding.
    if (inside && std::abs(change) < 1e-9)
    {
      step.Y += step.Y_x * dx;
      if (recalls)
        recall(step);
      return true;
    }
  }
  return false;
}

bool HillKernel::step(const PlaneVector &trial_strain,
                      const double h,
                      const double *begin,
                      double *end,
                      const bool with_tangent,
                      PlaneResult &result) const
{
  const auto to_stress_axes = [&](const double *t, double(&d)[3])
  {
    d[0] = A[0][0] * t[0] + A[0][1] * t[1];
    d[1] = A[1][0] * t[0] + A[1][1] * t[1];
    d[2] = A[2][2] * t[2];
  };
  double e[3], T[3];
  e[0] = B[0][0] * trial_strain[0] + B[0][1] * trial_strain[1];
  e[1] = B[1][0] * trial_strain[0] + B[1][1] * trial_strain[1];
  e[2] = B[2][2] * trial_strain[2];

  Step step;
  step.start = hardening.start(begin[0]);
  step.h     = h;
  for (int i = 0; i < 3; ++i)
    step.zeta_0[i] = T[i] = lambda[i] * e[i];
  result.stored = 0.;
  for (unsigned int j = 0; j < n_back; ++j)
  {
    to_stress_axes(begin + 1 + 3 * j, step.back[j]);
    for (int i = 0; i < 3; ++i)
      step.zeta_0[i] -= step.back[j][i];
  }
  step.q_0       = std::sqrt(step.zeta_0[0] * step.zeta_0[0] +
                       step.zeta_0[1] * step.zeta_0[1] +
                       step.zeta_0[2] * step.zeta_0[2]);
  const double f = step.q_0 - step.start.stress;

  result.flows      = false;
  result.dissipated = 0.;
  // Strains are known to rounding: see J2Kernel.
  if (!(f <= 1e-15 * (lambda_max + step.start.stress)))
  {
    if (!solve(step))
      return false;
    result.flows = step.x > 0.;
  }
  if (!result.flows)
  {
    std::copy_n(begin, n_state(), end);
    result.flow   = {};
    result.stress = elasticity.stress(trial_strain);
    if (with_tangent)
      result.tangent = elasticity.C;
    for (unsigned int j = 0; j < n_back; ++j)
      for (int i = 0; i < 3; ++i)
        result.stored +=
            step.back[j][i] * step.back[j][i] / (2. * back_modulus[j]);
    for (int i = 0; i < 3; ++i)
      result.stored += T[i] * T[i] / (2. * lambda[i]);
    result.thickness = elasticity.thickness_strain(result.stress);
    return true;
  }

  const double x = step.x, Y = step.Y;
  double N[3], n[3], length = 0.;
  for (int i = 0; i < 3; ++i)
  {
    N[i] = 1. / (Y + x * (lambda[i] + step.C));
    n[i] = step.zeta[i] * N[i];
    length += n[i] * n[i];
  }
  length = 1. / std::sqrt(length); // 1 but for rounding
  for (int i = 0; i < 3; ++i)
  {
    n[i] *= length;
    T[i] -= lambda[i] * x * n[i];
    result.stored += T[i] * T[i] / (2. * lambda[i]);
  }
  end[0]             = begin[0] + x;
  result.dissipated  = Y * x;
  double recalled[3] = { 0., 0., 0. }; // sum gamma w X
  for (unsigned int j = 0; j < n_back; ++j)
  {
    const double w = 1. / (1. + back_rate[j] * x);
    double X[3], square = 0.;
    for (int i = 0; i < 3; ++i)
    {
      X[i] = w * (step.back[j][i] + back_modulus[j] * x * n[i]);
      square += X[i] * X[i];
      recalled[i] += back_rate[j] * w * X[i];
    }
    // Stored X^2 / (2 C); the recall dissipates gamma x X^2 / C.
    result.stored += square / (2. * back_modulus[j]);
    result.dissipated += back_rate[j] * x * square / back_modulus[j];
    // A^-1 = B^T.
    double *axes = end + 1 + 3 * j;
    axes[0]      = B[0][0] * X[0] + B[1][0] * X[1];
    axes[1]      = B[0][1] * X[0] + B[1][1] * X[1];
    axes[2]      = B[2][2] * X[2];
  }
  result.stress    = { { B[0][0] * T[0] + B[1][0] * T[1],
                         B[0][1] * T[0] + B[1][1] * T[1],
                         B[2][2] * T[2] } };
  result.flow      = { { x * (A[0][0] * n[0] + A[1][0] * n[1]),
                         x * (A[0][1] * n[0] + A[1][1] * n[1]),
                         x * A[2][2] * n[2] } };
  result.thickness = elasticity.thickness_strain(result.stress);
  if (!with_tangent)
    return true;

  // From (Y + x mu) n = zeta, dx = n.N dT / slope and
  //   d(x n) = x N dT + N ((Y - x Y') n + x sum gamma w X) dx.
  double slope = 0., u[3], v[3];
  for (int i = 0; i < 3; ++i)
  {
    slope += n[i] * N[i] *
             ((step.Y_x + lambda[i] + step.C_x) * n[i] - step.zeta_x[i]);
    v[i] = lambda[i] * N[i] * n[i];
    u[i] = lambda[i] * N[i] * ((Y - x * step.Y_x) * n[i] + x * recalled[i]);
  }
  if (!(slope > 0.))
    return false;
  PlaneMatrix D, turn;
  for (int i = 0; i < 3; ++i)
  {
    for (int j = 0; j < 3; ++j)
    {
      D[i][j]    = -0.5 * (u[i] * v[j] + v[i] * u[j]) / slope;
      turn[i][j] = B[i][j];
    }
    D[i][i] += lambda[i] * N[i] * (Y + x * step.C);
  }
  result.tangent = pull_back(turn, D);
  return true;
}
} // namespace delassus

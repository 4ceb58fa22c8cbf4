// Plain doubles, no deal.II: compiled for the processor (see
// cmake/modules.cmake).
#include <delassus/materials/barlat_kernel.h>
#include <delassus/materials/spectral.h>

#include <delassus/base/exceptions.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace delassus
{
namespace
{
constexpr double eps = std::numeric_limits<double>::epsilon();

double dot(const PlaneVector &a, const PlaneVector &b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

PlaneVector times(const PlaneMatrix &A, const PlaneVector &b)
{
  return { { dot(A[0], b), dot(A[1], b), dot(A[2], b) } };
}

/// The inverse of a symmetric positive definite matrix; false: it is none.
bool invert(const PlaneMatrix &A, PlaneMatrix &inverse)
{
  const double c00 = A[1][1] * A[2][2] - A[1][2] * A[1][2],
               c01 = A[0][2] * A[1][2] - A[0][1] * A[2][2],
               c02 = A[0][1] * A[1][2] - A[0][2] * A[1][1];
  const double det = A[0][0] * c00 + A[0][1] * c01 + A[0][2] * c02;
  if (!(det > 0.) || !std::isfinite(det))
    return false;
  const double by = 1. / det;
  inverse[0][0]   = by * c00;
  inverse[0][1] = inverse[1][0] = by * c01;
  inverse[0][2] = inverse[2][0] = by * c02;
  inverse[1][1]                 = by * (A[0][0] * A[2][2] - A[0][2] * A[0][2]);
  inverse[1][2] = inverse[2][1] = by * (A[0][1] * A[0][2] - A[0][0] * A[1][2]);
  inverse[2][2]                 = by * (A[0][0] * A[1][1] - A[0][1] * A[0][1]);
  return true;
}
} // namespace

BarlatGauge::BarlatGauge(const std::array<double, 3> &r, const double M)
    : M(M)
{
  const double share_0 = r[0] / (1. + r[0]), share_90 = r[2] / (1. + r[2]);
  c = 2. * std::sqrt(share_0 * share_90);
  a = 2. - c;
  h = std::sqrt(share_0 / share_90);
  // r45 rises with p from -1/2 without bound.
  const auto excess = [&](const double ln_p)
  {
    p = std::exp(ln_p);
    return r45() - r[1];
  };
  double low = -1., high = 1.;
  double at_low = excess(low), at_high = excess(high);
  for (unsigned int k = 0; k < 40 && at_low > 0.; ++k)
    at_low = excess(low -= 1.);
  for (unsigned int k = 0; k < 40 && at_high < 0.; ++k)
    at_high = excess(high += 1.);
  if (!(at_low <= 0. && at_high >= 0.))
    throw InputError("r values: no yield surface of Barlat and Lian has them.");
  // Regula falsi with halved weights, bisection where it is slow.
  for (unsigned int k = 0; k < 200 && high - low > 2. * eps; ++k)
  {
    double ln_p = low - at_low * (high - low) / (at_high - at_low);
    if (k % 4 == 3 || !(ln_p > low && ln_p < high))
      ln_p = 0.5 * (low + high);
    const double at = excess(ln_p);
    if (at == 0.)
    {
      low = high = ln_p;
      break;
    }
    if (at < 0.)
    {
      low    = ln_p;
      at_low = at;
      at_high *= 0.5;
    }
    else
    {
      high    = ln_p;
      at_high = at;
      at_low *= 0.5;
    }
  }
  p = std::exp(0.5 * (low + high));
}

double BarlatGauge::r45() const
{
  // The strain along is phi, that through the thickness -(n_1 + n_2).
  Value value;
  evaluate({ { 0.5, 0.5, 0.5 } }, false, value);
  return value.phi / (value.n[0] + value.n[1]) - 1.;
}

double BarlatGauge::largest_stress() const
{
  const double K1 = std::pow(2. / a, 1. / M),
               K2 = 0.5 * std::pow(2. / c, 1. / M);
  return std::sqrt((K1 + K2) * (K1 + K2) * (1. + 1. / (h * h)) +
                   K2 * K2 / (p * p));
}

// With z_1 = (K1 + K2)/phi, z_2 = (K1 - K2)/phi, z_3 = 2 K2/phi and
// q_i = |z_i|^(M-2),
//   phi_1 = a (q_1 z_1 + q_2 z_2)/2,
//   phi_2 = a (q_1 z_1 - q_2 z_2)/2 + c q_3 z_3 = G K2/phi,
//   phi phi_11 = (M-1) (a (q_1 + q_2)/2 - phi_1^2)          and so on.
// K2 = |(u, v)| with u = (T_11 - h T_22)/2, v = p T_12, where only G is needed
// of phi_2: nothing is divided by K2.
void BarlatGauge::evaluate(const PlaneVector &T,
                           const bool with_curvature,
                           Value &value) const
{
  const double K1 = 0.5 * (T[0] + h * T[1]), u = 0.5 * (T[0] - h * T[1]),
               v = p * T[2], K2 = std::hypot(u, v);
  const double A1 = std::abs(K1 + K2), A2 = std::abs(K1 - K2), A3 = 2. * K2,
               most = std::max({ A1, A2, A3 }), scaled = 1. / most;
  // |A_i / most|^(M-2).
  const auto power = [&](const double A)
  { return M == 2. ? 1. : std::pow(A * scaled, M - 2.); };
  double q1 = power(A1), q2 = power(A2), q3 = power(A3);
  const double sum = 0.5 * scaled * scaled *
                     (a * (q1 * A1 * A1 + q2 * A2 * A2) + c * q3 * A3 * A3);
  const double root = std::pow(sum, 1. / M); // phi / most
  const double phi = most * root, per_phi = 1. / phi;
  // (most / phi)^(M-2) = root^2 / sum.
  const double change = root * root / sum;
  q1 *= change;
  q2 *= change;
  q3 *= change;
  const double k1 = K1 * per_phi, k2 = K2 * per_phi;
  const double phi_1 = 0.5 * a * (q1 * (k1 + k2) + q2 * (k1 - k2));
  // (q_1 z_1 - q_2 z_2)/k_2, without cancellation where K2 is small.
  const double t = k2 / std::abs(k1);
  double quotient;
  if (t < 0.1)
  {
    const double m = M - 1., rest = std::pow(std::abs(k1), m - 1.);
    quotient = t < 1e-9 ? 2. * m * rest
                        : rest / t * std::exp(m * std::log1p(-t)) *
                              std::expm1(m * (std::log1p(t) - std::log1p(-t)));
  }
  else
    quotient = (q1 * (k1 + k2) - q2 * (k1 - k2)) / k2;
  const double G = 0.5 * a * quotient + 2. * c * q3;

  value.phi      = phi;
  const double w = G * per_phi;
  value.n = { { 0.5 * (phi_1 + w * u), 0.5 * h * (phi_1 - w * u), w * v * p } };
  if (!with_curvature)
    return;
  const double phi_2 = G * k2, m = (M - 1.) * per_phi;
  const double f11 = m * (0.5 * a * (q1 + q2) - phi_1 * phi_1),
               f12 = m * (0.5 * a * (q1 - q2) - phi_1 * phi_2),
               f22 = m * (0.5 * a * (q1 + q2) + 2. * c * q3 - phi_2 * phi_2);
  const double U = K2 > 0. ? u / K2 : 1., V = K2 > 0. ? v / K2 : 0.;
  // In (K1, u, v).
  const double B[3][3] = {
    { f11, f12 * U, f12 * V },
    { f12 * U, f22 * U * U + w * V * V, (f22 - w) * U * V },
    { f12 * V, (f22 - w) * U * V, f22 * V * V + w * U * U }
  };
  const PlaneMatrix turn = {
    { { { 0.5, 0.5 * h, 0. } }, { { 0.5, -0.5 * h, 0. } }, { { 0., 0., p } } }
  };
  PlaneMatrix curved;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      curved[i][j] = B[i][j];
  value.H = pull_back(turn, curved);
}

BarlatKernel::BarlatKernel(const MaterialParameters &material)
    : elasticity(material)
    , gauge(material.r_values, material.yield_exponent)
    , hardening(material)
    , viscosity(material.viscosity)
    , rate_exponent(material.rate_exponent)
{
  const auto &C    = elasticity.C;
  const double det = C[0][0] * C[1][1] - C[0][1] * C[0][1];
  compliance[0][0] = C[1][1] / det;
  compliance[1][1] = C[0][0] / det;
  compliance[0][1] = compliance[1][0] = -C[0][1] / det;
  compliance[2][2]                    = 1. / C[2][2];
  // The eigenvalues of C; |n| is at least phi / |T|.
  const double mean  = 0.5 * (C[0][0] + C[1][1]),
               apart = std::hypot(0.5 * (C[0][0] - C[1][1]), C[0][1]);
  stiffness          = std::max(mean + apart, C[2][2]);
  least              = std::min(mean - apart, C[2][2]) /
          (gauge.largest_stress() * gauge.largest_stress());
}

double BarlatKernel::rise(Step &step) const
{
  double rise, slope;
  hardening.rise(step.start, step.x, rise, slope);
  step.Y   = step.start.stress + rise;
  step.Y_x = slope;
  if (viscosity > 0. && step.x > 0.)
  {
    const double v = std::pow(viscosity * step.x / step.h, rate_exponent);
    const double S = step.Y;
    rise += S * v;
    step.Y += S * v;
    step.Y_x += slope * v + S * rate_exponent * v / step.x;
  }
  return rise;
}

bool BarlatKernel::linearize(Step &step) const
{
  PlaneMatrix A = compliance;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      A[i][j] += step.x * step.value.H[i][j];
  if (!invert(A, step.compliant))
    return false;
  step.fall = times(step.compliant, step.value.n);
  return true;
}

// Along a direction T the minimum is at s = (T.eps_trial - x phi)/(T.C^-1 T),
// and lower than at the origin, where phi has no derivative, if s > 0: from
// there downhill the origin is never met.
BarlatKernel::Found BarlatKernel::minimize(Step &step) const
{
  const auto energy = [&](const PlaneVector &T, const double phi)
  {
    const PlaneVector d{
      { T[0] - step.trial[0], T[1] - step.trial[1], T[2] - step.trial[2] }
    };
    return 0.5 * dot(d, times(compliance, d)) + step.x * phi;
  };
  gauge.evaluate(step.T, false, step.value);
  const PlaneVector e = times(compliance, step.T);
  const double scale =
      (dot(e, step.trial) - step.x * step.value.phi) / dot(e, step.T);
  if (!(scale > 0.))
    return Found::too_far;
  for (double &t : step.T)
    t *= scale;
  for (unsigned int k = 0; k < 100; ++k)
  {
    gauge.evaluate(step.T, true, step.value);
    if (!linearize(step))
      return Found::no;
    const PlaneVector d{ { step.T[0] - step.trial[0],
                           step.T[1] - step.trial[1],
                           step.T[2] - step.trial[2] } };
    PlaneVector r = times(compliance, d);
    for (int i = 0; i < 3; ++i)
      r[i] += step.x * step.value.n[i];
    const PlaneVector back = times(step.compliant, r); // T goes by -back
    const double size      = std::sqrt(dot(back, times(compliance, back)) /
                                  dot(step.T, times(compliance, step.T)));
    // Quadratic: what follows is below rounding.
    if (size < 1e-9)
    {
      for (int i = 0; i < 3; ++i)
        step.T[i] -= back[i];
      gauge.evaluate(step.T, true, step.value);
      return linearize(step) ? Found::yes : Found::no;
    }
    const double now = energy(step.T, step.value.phi), slope = dot(back, r);
    double part   = 1.;
    bool accepted = false;
    PlaneVector next{};
    for (unsigned int cut = 0; cut < 50 && !accepted; ++cut)
    {
      for (int i = 0; i < 3; ++i)
        next[i] = step.T[i] - part * back[i];
      if (dot(next, next) > 0.)
      {
        BarlatGauge::Value there;
        gauge.evaluate(next, false, there);
        accepted = energy(next, there.phi) <=
                   now - 1e-4 * part * slope + 4. * eps * std::abs(now);
      }
      if (!accepted)
        part *= 0.5;
    }
    if (!accepted)
      return Found::no;
    step.T = next;
  }
  return Found::no;
}

// With S = S(q), R = Y(x) - S + phi_0 - phi(T(x)) rises from 0 to f = phi_0 -
// S; R' = Y' + n.(C^-1 + xH)^-1 n, and R >= least x since phi is convex.
bool BarlatKernel::solve(Step &step) const
{
  const double f = step.phi_0 - step.start.stress;
  double lower = 0., upper = f / least;
  // As if the surface were flat, but not beyond the origin.
  gauge.evaluate(step.trial, false, step.value);
  step.x = std::min(
      { upper,
        f / dot(step.value.n, times(elasticity.C, step.value.n)),
        0.5 * dot(step.trial, times(compliance, step.trial)) / step.phi_0 });
  step.T = step.trial;
  for (unsigned int k = 0; k < 200; ++k)
  {
    const Found found = minimize(step);
    if (found == Found::no)
      return false;
    if (found == Found::too_far)
    {
      // From the last T: a shorter way brings a better one.
      if (!(lower > 0.) || step.x - lower <= 4. * eps * lower)
        return false;
      step.x = std::sqrt(lower * step.x);
      continue;
    }
    const double R     = rise(step) + (step.phi_0 - step.value.phi),
                 slope = step.Y_x + dot(step.value.n, step.fall);
    if (std::abs(R - f) <= 2. * eps * step.phi_0)
      return true;
    (R > f ? upper : lower) = step.x;
    // R is a sum of powers of x more or less (see HillKernel).
    const double change = log_one_plus((f - R) / R) * R / (step.x * slope);
    double next         = step.x * (1. + exp_less_one(change));
    const bool inside   = R > 0. && next > lower && next < upper;
    if (!inside)
    {
      if (upper - lower <= 4. * eps * upper)
        return true;
      next = lower > 0. ? std::sqrt(lower * upper) : 1e-3 * upper;
    }
    if (next < 1e-290)
    {
      step.x = 0.;
      return true;
    }
    const double dx = next - step.x;
    step.x          = next;
    if (inside && std::abs(change) < 1e-9)
    {
      for (int i = 0; i < 3; ++i)
        step.T[i] -= step.fall[i] * dx;
      rise(step);
      gauge.evaluate(step.T, true, step.value);
      return linearize(step);
    }
    // Along the path of T(x), if that is a short way.
    if (std::abs(dx) * dot(step.value.n, step.fall) < 0.5 * step.value.phi)
      for (int i = 0; i < 3; ++i)
        step.T[i] -= step.fall[i] * dx;
  }
  return false;
}

bool BarlatKernel::step(const PlaneVector &trial_strain,
                        const double h,
                        const double *begin,
                        double *end,
                        const bool with_tangent,
                        PlaneResult &result) const
{
  Step step;
  step.start = hardening.start(begin[0]);
  step.h     = h;
  step.trial = elasticity.stress(trial_strain);
  end[0]     = begin[0];

  result.flows      = false;
  result.dissipated = 0.;
  if (dot(step.trial, step.trial) > 0.)
  {
    gauge.evaluate(step.trial, false, step.value);
    step.phi_0 = step.value.phi;
    if (!std::isfinite(step.phi_0))
      return false;
    // Strains are known to rounding: see J2Kernel.
    if (step.phi_0 - step.start.stress >
        1e-15 * (stiffness + step.start.stress))
    {
      if (!solve(step))
        return false;
      result.flows = step.x > 0.;
    }
  }
  result.stress    = result.flows ? step.T : step.trial;
  result.stored    = 0.5 * dot(result.stress, times(compliance, result.stress));
  result.thickness = elasticity.thickness_strain(result.stress);
  if (!result.flows)
  {
    result.flow = {};
    if (with_tangent)
      result.tangent = elasticity.C;
    return true;
  }
  end[0] = begin[0] + step.x;
  for (int i = 0; i < 3; ++i)
    result.flow[i] = step.x * step.value.n[i];
  result.dissipated = step.Y * step.x;
  if (!with_tangent)
    return true;
  // dx = n.dT / Y', and C^-1 dT + x H dT + n dx = deps.
  const double slope = step.Y_x + dot(step.value.n, step.fall);
  if (!(slope > 0.))
    return false;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      result.tangent[i][j] =
          step.compliant[i][j] - step.fall[i] * step.fall[j] / slope;
  return true;
}
} // namespace delassus

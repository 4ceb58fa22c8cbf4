// Plain doubles, no deal.II: compiled for the processor (see
// cmake/modules.cmake).
#include <delassus/materials/inelastic_kernel.h>

#include <cmath>
#include <limits>

namespace delassus
{
namespace
{
inline double contract(const Symmetric &a, const Symmetric &b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] +
         2. * (a[3] * b[3] + a[4] * b[4] + a[5] * b[5]);
}
} // namespace

J2Kernel::J2Kernel(const MaterialParameters &material)
    : hardening(material)
    , G(material.young_modulus / (2. * (1. + material.poisson_ratio)))
    , K(material.young_modulus / (3. * (1. - 2. * material.poisson_ratio)))
    , H_kinematic(material.kinematic_modulus)
    , viscosity(material.viscosity)
    , rate_exponent(material.rate_exponent)
{
}

bool J2Kernel::step(const Symmetric &E,
                    const double h,
                    const bool with_tangent,
                    double (&state)[7],
                    InelasticResult &result) const
{
  const double trace = E[0] + E[1] + E[2], mean = trace / 3.;
  const bool kinematic = has_back_stress();
  Symmetric s, xi;
  for (int i = 0; i < 6; ++i)
  {
    s[i]  = 2. * G * (E[i] - (i < 3 ? mean : 0.));
    xi[i] = s[i] - (kinematic ? state[1 + i] : 0.);
  }
  const double length  = std::sqrt(contract(xi, xi));
  const double q_trial = std::sqrt(1.5) * length;
  const auto start     = hardening.start(state[0]);
  const double f       = q_trial - start.stress;

  result.bulk  = K;
  result.shear = 2. * G;
  result.drop  = 0.;
  result.flows = false;
  for (int i = 0; i < 6; ++i)
    result.flow[i] = result.normal[i] = 0.;
  result.dissipated = 0.;
  // Strains are known to rounding: what exceeds the yield stress by less than
  // that is a state on the yield surface that was computed once more.
  if (!(f <= 1e-15 * (3. * G + start.stress)))
  {
    double x, slope;
    if (!solve(start, q_trial, f, h, x, slope))
      return false;
    result.flows         = true;
    const double n_scale = 1. / length, flow = std::sqrt(1.5) * x;
    for (int i = 0; i < 6; ++i)
    {
      const double N   = xi[i] * n_scale;
      result.normal[i] = N;
      result.flow[i]   = flow * N;
      s[i] -= 2. * G * result.flow[i];
      if (kinematic)
        state[1 + i] += 2. / 3. * H_kinematic * result.flow[i];
    }
    state[0] += x;
    if (with_tangent)
    {
      const double share = 3. * G * x / q_trial;
      result.shear       = 2. * G * (1. - share);
      result.drop        = 2. * G * (3. * G / slope - share);
    }
    // (T - B) : flow = q x; what B takes up is stored.
    result.dissipated = (q_trial - (3. * G + H_kinematic) * x) * x;
  }
  result.stored = 0.5 * K * trace * trace + contract(s, s) / (4. * G);
  if (kinematic)
  {
    Symmetric B;
    for (int i = 0; i < 6; ++i)
      B[i] = state[1 + i];
    result.stored += 0.75 / H_kinematic * contract(B, B);
  }
  for (int i = 0; i < 6; ++i)
    result.stress[i] = s[i] + (i < 3 ? K * trace : 0.);
  return true;
}

bool J2Kernel::solve(const Hardening::Start &start,
                     const double q_trial,
                     const double f,
                     const double h,
                     double &x,
                     double &slope) const
{
  const double A     = 3. * G + H_kinematic;
  const bool viscous = viscosity > 0.;
  if (!viscous && hardening.is_piecewise_linear())
  {
    x = hardening.return_to_lines(start, A, f, slope);
    slope += A;
    return x >= 0.;
  }
  // Newton's method for ln R = ln f as a function of ln x, where R, a sum of
  // powers of x more or less, is nearly straight, also where R' has no bound
  // at 0 (Ludwik, m < 1); bisection where it leaves the bracket (lower,
  // upper), R(f / A) >= f.
  const auto evaluate = [&](double &R)
  {
    double rise, dS;
    hardening.rise(start, x, rise, dS);
    R     = A * x + rise;
    slope = A + dS;
    if (viscous)
    {
      const double v = std::pow(viscosity * x / h, rate_exponent),
                   S = start.stress + rise;
      R += S * v;
      slope += dS * v + S * rate_exponent * v / x;
    }
  };
  double lower = 0., upper = f / A;
  x = upper;
  for (unsigned int k = 0; k < 200; ++k)
  {
    double R;
    evaluate(R);
    if (std::abs(R - f) <=
        2. * std::numeric_limits<double>::epsilon() * q_trial)
      return true;
    (R > f ? upper : lower) = x;
    const double step       = std::log(f / R) * R / (x * slope);
    double next             = x * std::exp(step);
    const bool inside       = next > lower && next < upper;
    if (!inside)
    {
      if (upper - lower <= 4. * std::numeric_limits<double>::epsilon() * upper)
        return true;
      next = lower > 0. ? std::sqrt(lower * upper) : 1e-3 * upper;
    }
    // With a small m the overstress is borne at a rate that no number tells
    // from zero.
    if (next < 1e-290)
    {
      x     = 0.;
      slope = std::numeric_limits<double>::infinity();
      return true;
    }
    x = next;
    // Quadratic: the step after one of 1e-9 would be below rounding.
    if (inside && std::abs(step) < 1e-9)
      return true;
  }
  return false;
}

bool MaxwellKernel::step(const Symmetric &E,
                         const double h,
                         const bool,
                         double (&state)[7],
                         InelasticResult &result) const
{
  const double trace = E[0] + E[1] + E[2], mean = trace / 3.;
  const double x = h * G / viscosity, kept = 1. / (1. + x);
  Symmetric e;
  for (int i = 0; i < 6; ++i)
  {
    e[i]             = E[i] - (i < 3 ? mean : 0.);
    result.flow[i]   = x * kept * e[i];
    result.stress[i] = 2. * G * kept * e[i] + (i < 3 ? K * trace : 0.);
    result.normal[i] = 0.;
  }
  const double ee   = contract(e, e);
  result.bulk       = K;
  result.shear      = 2. * G * kept;
  result.drop       = 0.;
  result.flows      = true;
  result.stored     = 0.5 * K * trace * trace + G * kept * kept * ee;
  result.dissipated = 2. * G * kept * x * kept * ee;
  state[0] += x * kept * std::sqrt(2. / 3. * ee);
  return true;
}
} // namespace delassus

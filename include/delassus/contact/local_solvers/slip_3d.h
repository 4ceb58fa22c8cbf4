#ifndef delassus_contact_local_solvers_slip_3d_h
#define delassus_contact_local_solvers_slip_3d_h

#include <cmath>

namespace delassus
{
/// The slip problem of one 3D contact with the normal impulse eliminated.
///
/// In slip U_N = 0, so P_N = -(q_N + W_NT . P_T) / W_NN and
///
///   U_T = A P_T + b,   A = W_TT - W_TN W_NT / W_NN,
///                      b = q_T - W_TN q_N / W_NN,
///
/// with q the local free velocity. Wanted: |P_T| = mu P_N and
/// U_T = -lambda P_T, lambda > 0.
///
/// It has a solution when A is positive definite, q_N < 0, mu > 0 and the stick
/// impulse is out of the cone: (A + lambda I) P_T = -b defines P_T(lambda), and
/// phi = |P_T| - mu P_N goes from phi > 0 at lambda = 0 (stick) to
/// mu q_N / W_NN < 0 at infinity.
struct SlipProblem3D
{
  double A[4];          ///< row-major
  double row[2];        ///< W_NT / W_NN
  double friction;      ///< mu
  double q_N_over_W_NN; ///< of the current local free velocity
  double b[2];          ///< of the current local free velocity

  double normal_impulse(const double x, const double y) const
  {
    return -(q_N_over_W_NN + row[0] * x + row[1] * y);
  }
};

/// Damped semismooth Newton on P_T = proj_{D(mu P_N)}(P_T - rho U_T), from
/// (x, y), which it overwrites. Returns whether it converged to a slip
/// solution; adds to @p iterations.
inline bool slip_semismooth(const SlipProblem3D &problem,
                            double &x,
                            double &y,
                            unsigned int &iterations)
{
  const double *A  = problem.A;
  const double mu  = problem.friction;
  const double rho = 2. / (A[0] + A[3]);

  // Value of the projection equation and its Jacobian.
  double Fx, Fy, J[4], size;
  const auto evaluate = [&](const double px, const double py)
  {
    const double Ux     = A[0] * px + A[1] * py + problem.b[0];
    const double Uy     = A[2] * px + A[3] * py + problem.b[1];
    const double zx     = px - rho * Ux;
    const double zy     = py - rho * Uy;
    const double length = std::sqrt(zx * zx + zy * zy);
    const double P_N    = problem.normal_impulse(px, py);
    const double radius = P_N > 0. ? mu * P_N : 0.;
    // I - rho A, the derivative of z.
    const double D[4] = {
      1. - rho * A[0], -rho * A[1], -rho * A[2], 1. - rho * A[3]
    };
    if (length <= radius)
    {
      Fx   = rho * Ux;
      Fy   = rho * Uy;
      J[0] = 1. - D[0];
      J[1] = -D[1];
      J[2] = -D[2];
      J[3] = 1. - D[3];
      size = length;
      return false;
    }
    const double dx = zx / length, dy = zy / length;
    Fx   = px - radius * dx;
    Fy   = py - radius * dy;
    size = radius;
    // d(radius d) = d (x) d(radius) + radius/length (I - d (x) d) D
    const double slope = P_N > 0. ? -mu : 0.;
    const double gx = slope * problem.row[0], gy = slope * problem.row[1];
    const double r  = radius / length;
    const double tx = -dy * D[0] + dx * D[2]; // (I - d d) = t t, t = (-dy, dx)
    const double ty = -dy * D[1] + dx * D[3];
    J[0]            = 1. - dx * gx + r * dy * tx;
    J[1]            = -dx * gy + r * dy * ty;
    J[2]            = -dy * gx - r * dx * tx;
    J[3]            = 1. - dy * gy - r * dx * ty;
    return true;
  };

  bool on_cone = evaluate(x, y);
  double value = Fx * Fx + Fy * Fy;
  for (unsigned int iteration = 0; iteration < 25; ++iteration)
  {
    // Relative to the radius of the disc, squared.
    if (on_cone && value <= 1e-28 * size * size)
      return size > 0.;
    ++iterations;
    const double determinant = J[0] * J[3] - J[1] * J[2];
    if (!(std::abs(determinant) > 0.))
      return false;
    const double sx = (-Fx * J[3] + Fy * J[1]) / determinant;
    const double sy = (-Fy * J[0] + Fx * J[2]) / determinant;
    double factor   = 1.;
    const double x0 = x, y0 = y;
    const double old = value;
    bool improved    = false;
    for (unsigned int halving = 0; halving < 8; ++halving)
    {
      x        = x0 + factor * sx;
      y        = y0 + factor * sy;
      on_cone  = evaluate(x, y);
      value    = Fx * Fx + Fy * Fy;
      improved = value < old * (1. - 0.1 * factor);
      if (improved)
        break;
      factor *= 0.5;
    }
    if (!improved)
    {
      // Rounding stops the descent close to the solution.
      return on_cone && value <= 1e-24 * size * size && size > 0.;
    }
  }
  return false;
}

/// The same problem by a bracketed root finder: with lambda = t (1-s)/s, t the
/// trace of A, P_T(s) = -s (s A + t (1-s) I)^{-1} b is smooth on [0, 1] and phi
/// changes sign there. Newton's method would need no safeguard where phi is
/// monotone; here secants are kept inside a bracket and fall back on bisection.
inline bool slip_bracketed(const SlipProblem3D &problem,
                           double &x,
                           double &y,
                           unsigned int &iterations)
{
  const double *A    = problem.A;
  const double trace = A[0] + A[3];
  const auto phi     = [&](const double s, double &px, double &py)
  {
    const double shift = trace * (1. - s);
    const double B0 = s * A[0] + shift, B3 = s * A[3] + shift;
    const double B1 = s * A[1], B2 = s * A[2];
    const double determinant = B0 * B3 - B1 * B2;
    px = -s * (B3 * problem.b[0] - B1 * problem.b[1]) / determinant;
    py = -s * (B0 * problem.b[1] - B2 * problem.b[0]) / determinant;
    return std::sqrt(px * px + py * py) -
           problem.friction * problem.normal_impulse(px, py);
  };

  double low = 0., high = 1., px, py;
  double phi_low = phi(low, px, py), phi_high = phi(high, px, py);
  if (!(phi_low < 0.))
    return false;
  if (!(phi_high >= 0.))
  {
    // The stick impulse was found outside of the cone by rounding only: it is
    // on the boundary, and the limit of slip.
    phi(1., x, y);
    return phi_high < 0.;
  }

  unsigned int side = 0; // which end moved last, for the Illinois halving
  double s          = high;
  for (unsigned int iteration = 0; iteration < 2200; ++iteration)
  {
    ++iterations;
    // Every third step bisects (in the logarithm where the bracket spans
    // decades), so that the bracket shrinks whatever phi looks like.
    if (iteration % 3 == 2)
      s = low > 0. && high > 4. * low ? std::sqrt(low) * std::sqrt(high)
                                      : 0.5 * (low + high);
    else
      s = low - phi_low * ((high - low) / (phi_high - phi_low));
    if (!(s > low && s < high))
      s = low + 0.5 * (high - low);
    if (!(s > low && s < high))
      break;
    const double value = phi(s, px, py);
    if (value == 0.)
      break;
    if (value < 0.)
    {
      low     = s;
      phi_low = value;
      if (side == 1)
        phi_high *= 0.5;
      side = 1;
    }
    else
    {
      high     = s;
      phi_high = value;
      if (side == 2)
        phi_low *= 0.5;
      side = 2;
    }
    if (high - low <= 2.3e-16 * high)
      break;
  }
  phi(s, x, y);
  return true;
}
} // namespace delassus

#endif

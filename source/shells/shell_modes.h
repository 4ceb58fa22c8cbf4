#ifndef delassus_shells_shell_modes_h
#define delassus_shells_shell_modes_h

// Inner parts of the element: how enhanced modes change membrane strains.
#include <delassus/shells/shell_element.h>

namespace delassus
{
/// A symmetric 2 x 2 tensor as (11, 22, 2 * 12), and products of them.
struct Plane
{
  double a, b, c, d; ///< 11, 22, 12, 21

  static Plane of(const double (&e)[3])
  {
    return { e[0], e[1], 0.5 * e[2], 0.5 * e[2] };
  }
  Plane operator*(const Plane &o) const
  {
    return {
      a * o.a + c * o.d, d * o.c + b * o.b, a * o.c + c * o.b, d * o.a + b * o.d
    };
  }
  Plane operator+(const Plane &o) const
  {
    return { a + o.a, b + o.b, c + o.c, d + o.d };
  }
  Plane half() const
  {
    return { 0.5 * a, 0.5 * b, 0.5 * c, 0.5 * d };
  }
  /// Of its symmetric part, with a force on (11, 22, 2 * 12).
  double dot(const double (&n)[3]) const
  {
    return a * n[0] + b * n[1] + (c + d) * n[2];
  }
};

/// Membrane strain with the stretch A of the modes put onto it,
///   I + 2 E+ = A (I + 2 E) A,   A = I + e + e e / 2,   e = sum alpha_a M_a,
/// in local axes: exp(e) but for third powers, so that modes are added to
/// logarithmic strains. (Added to Green's strain they would be unstable where
/// the material hardens by less than twice its stress: dS/dE < 0.)
class EnhancedStrain
{
public:
  /// E+ - E in parametric components, for @p E in parametric components.
  EnhancedStrain(const ShellPoint &p,
                 const double *E,
                 const std::array<double, 4> &alpha)
      : p(p)
  {
    double local[3] = {}, e[3] = {};
    for (unsigned int i = 0; i < 3; ++i)
    {
      for (unsigned int k = 0; k < 3; ++k)
        local[i] += p.to_local[i][k] * E[k];
      for (unsigned int n = 0; n < 4; ++n)
        e[i] += p.modes[i][n] * alpha[n];
    }
    const Plane one{ 1., 1., 0., 0. }, tensor = Plane::of(local);
    mode = Plane::of(e);
    A    = one + mode + (mode * mode).half();
    C    = one + tensor + tensor;
    // (A C A - C) / 2, without the difference of numbers near one.
    const Plane D = mode + (mode * mode).half(), DC = D * C,
                change     = (DC + transposed(DC) + DC * D).half();
    const double values[3] = { change.a, change.b, change.c + change.d };
    for (unsigned int i = 0; i < 3; ++i)
    {
      added[i] = 0.;
      for (unsigned int k = 0; k < 3; ++k)
        added[i] += p.from_local[i][k] * values[k];
    }
  }

  double added[3];

  /// dE+ / dE and dE+ / dalpha in parametric components.
  void derivatives(double (&dE)[3][3], double (&dalpha)[3][4]) const
  {
    double local[3][3], by_modes[3][3];
    for (unsigned int k = 0; k < 3; ++k)
    {
      const Plane F = A * unit(k) * A, G = first(k) * C * A;
      local[0][k]    = F.a;
      local[1][k]    = F.b;
      local[2][k]    = F.c + F.d;
      by_modes[0][k] = G.a;
      by_modes[1][k] = G.b;
      by_modes[2][k] = G.c + G.d;
    }
    double half_way[3][3];
    multiply(local, p.to_local, half_way);
    multiply(p.from_local, half_way, dE);
    double half_modes[3][4];
    multiply(by_modes, p.modes, half_modes);
    multiply(p.from_local, half_modes, dalpha);
  }

  /// N . d2E+ / (dalpha dalpha) and N . d2E+ / (dalpha dE), of parametric
  /// forces @p N.
  void second_derivatives(const double *N,
                          double (&aa)[4][4],
                          double (&aE)[4][3]) const
  {
    double n[3];
    for (unsigned int k = 0; k < 3; ++k)
      n[k] = N[0] * p.from_local[0][k] + N[1] * p.from_local[1][k] +
             N[2] * p.from_local[2][k];
    const Plane CA = C * A;
    double ee[3][3], eE[3][3];
    for (unsigned int i = 0; i < 3; ++i)
    {
      const Plane Ai = first(i);
      for (unsigned int k = 0; k < 3; ++k)
      {
        const Plane H = unit(i) * unit(k), second = (H + transposed(H)).half();
        ee[i][k] = (second * CA).dot(n) + (Ai * C * first(k)).dot(n);
        eE[i][k] = 2. * (Ai * unit(k) * A).dot(n);
      }
    }
    double half_way[3][4], by_E[3][3];
    multiply(ee, p.modes, half_way);
    multiply(eE, p.to_local, by_E);
    for (unsigned int a = 0; a < 4; ++a)
    {
      for (unsigned int b = 0; b < 4; ++b)
        aa[a][b] = p.modes[0][a] * half_way[0][b] +
                   p.modes[1][a] * half_way[1][b] +
                   p.modes[2][a] * half_way[2][b];
      for (unsigned int k = 0; k < 3; ++k)
        aE[a][k] = p.modes[0][a] * by_E[0][k] + p.modes[1][a] * by_E[1][k] +
                   p.modes[2][a] * by_E[2][k];
    }
  }

private:
  static Plane transposed(const Plane &x)
  {
    return { x.a, x.b, x.d, x.c };
  }
  static Plane unit(const unsigned int k)
  {
    return {
      k == 0 ? 1. : 0., k == 1 ? 1. : 0., k == 2 ? 0.5 : 0., k == 2 ? 0.5 : 0.
    };
  }
  /// dA / de_k.
  Plane first(const unsigned int k) const
  {
    const Plane H = unit(k), He = H * mode;
    return H + (He + transposed(He)).half();
  }
  template <unsigned int n>
  static void
  multiply(const double (&x)[3][3], const double (&y)[3][n], double (&z)[3][n])
  {
    for (unsigned int i = 0; i < 3; ++i)
      for (unsigned int j = 0; j < n; ++j)
        z[i][j] = x[i][0] * y[0][j] + x[i][1] * y[1][j] + x[i][2] * y[2][j];
  }

  const ShellPoint &p;
  Plane mode, A, C;
};
} // namespace delassus

#endif

// Plain doubles, no deal.II: compiled for the processor (see
// cmake/modules.cmake).
#include <delassus/materials/sheet_laws.h>
#include <delassus/materials/spectral.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
namespace
{
/// exp(-A) - I of a symmetric A = (11, 22, 2*12) in the plane: with A = m I +
/// D, D^2 = r^2 I,
///   exp(-A) = exp(-m) (cosh r I - sinh r / r D).
void exp_minus_one(const PlaneVector &A, double (&X)[3])
{
  const double m = 0.5 * (A[0] + A[1]), d = 0.5 * (A[0] - A[1]), k = 0.5 * A[2],
               r     = std::sqrt(d * d + k * k);
  const double grown = exp_less_one(-m), half = std::sinh(0.5 * r);
  const double along  = grown + (1. + grown) * 2. * half * half;
  const double across = -(1. + grown) * (r > 0. ? std::sinh(r) / r : 1.);
  X[0]                = along + across * d;
  X[1]                = along - across * d;
  X[2]                = across * k;
}

/// A step of a kernel whose elastic strain is eps - eps_p.
template <class Kernel>
bool additive(const Kernel &kernel,
              const PlaneVector &E,
              const double h,
              const double *begin,
              double *end,
              const bool with_tangent,
              SheetResponse &response)
{
  LogarithmicPlane plane;
  if (!plane.set(E))
    return false;
  auto trial = plane.strain();
  for (int i = 0; i < 3; ++i)
    trial[i] -= begin[i];
  PlaneResult result;
  if (!kernel.step(trial, h, begin + 3, end + 3, with_tangent, result))
    return false;
  for (int i = 0; i < 3; ++i)
    end[i] = begin[i] + result.flow[i];
  response.stress = plane.stress(result.stress);
  if (with_tangent)
    response.tangent = plane.tangent(result.stress, result.tangent);
  response.thickness_strain = result.thickness - (end[0] + end[1]);
  response.stored           = result.stored;
  response.dissipated       = result.dissipated;
  return true;
}
} // namespace

void PlasticSheet::initialize(double *history) const
{
  std::fill_n(history, n_history(), 0.);
}

bool PlasticSheet::respond(const std::array<double, 3> &E,
                           const double h,
                           const double *begin,
                           double *end,
                           const bool with_tangent,
                           SheetResponse &response) const
{
  return frame == PlasticFrame::additive
             ? additive(kernel, E, h, begin, end, with_tangent, response)
             : multiplicative(E, h, begin, end, with_tangent, response);
}

bool PlasticSheet::multiplicative(const PlaneVector &E,
                                  const double h,
                                  const double *begin,
                                  double *end,
                                  const bool with_tangent,
                                  SheetResponse &response) const
{
  // Ee = G^T E G + (G^T G - I)/2 of G = Fp^{-1} = I + g, all small if strains
  // are; dEe = A dE.
  const double *g      = begin;
  const double G[2][2] = { { 1. + g[0], g[1] }, { g[2], 1. + g[3] } };
  const PlaneMatrix A  = {
     { { { G[0][0] * G[0][0], G[1][0] * G[1][0], G[0][0] * G[1][0] } },
       { { G[0][1] * G[0][1], G[1][1] * G[1][1], G[0][1] * G[1][1] } },
       { { 2. * G[0][0] * G[0][1],
           2. * G[1][0] * G[1][1],
           G[0][0] * G[1][1] + G[0][1] * G[1][0] } } }
  };
  PlaneVector Ee = { { g[0] + 0.5 * (g[0] * g[0] + g[2] * g[2]),
                       g[3] + 0.5 * (g[1] * g[1] + g[3] * g[3]),
                       g[1] + g[2] + g[0] * g[1] + g[2] * g[3] } };
  for (int i = 0; i < 3; ++i)
    Ee[i] += A[i][0] * E[0] + A[i][1] * E[1] + A[i][2] * E[2];
  LogarithmicPlane plane;
  if (!plane.set(Ee))
    return false;
  PlaneResult result;
  if (!kernel.step(plane.strain(), h, begin + 4, end + 4, with_tangent, result))
    return false;
  std::copy_n(begin, 4, end);
  if (result.flows)
  {
    double X[3]; // 11 22 12
    exp_minus_one(result.flow, X);
    for (int i = 0; i < 2; ++i)
    {
      end[2 * i] += G[i][0] * X[0] + G[i][1] * X[2];
      end[2 * i + 1] += G[i][0] * X[2] + G[i][1] * X[1];
    }
  }
  response.stress = pull_back(A, plane.stress(result.stress));
  if (with_tangent)
    response.tangent =
        pull_back(A, plane.tangent(result.stress, result.tangent));
  // The volume of Fp is 1.
  response.thickness_strain =
      result.thickness +
      std::log1p(end[0] + end[3] + end[0] * end[3] - end[1] * end[2]);
  response.stored     = result.stored;
  response.dissipated = result.dissipated;
  return true;
}

void BarlatSheet::initialize(double *history) const
{
  std::fill_n(history, n_history(), 0.);
}

bool BarlatSheet::respond(const std::array<double, 3> &E,
                          const double h,
                          const double *begin,
                          double *end,
                          const bool with_tangent,
                          SheetResponse &response) const
{
  return additive(kernel, E, h, begin, end, with_tangent, response);
}
} // namespace delassus

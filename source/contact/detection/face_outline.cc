#include <delassus/contact/detection/face_outline.h>
#include <delassus/contact/detection/facing.h>

#include <algorithm>
#include <limits>

namespace delassus
{
using namespace dealii;

template <int dim>
void FaceOutline<dim>::reinit_unbounded()
{
  is_unbounded = true;
}

template <int dim>
void FaceOutline<dim>::reinit(const unsigned int n_corners,
                              const std::array<Point<dim>, 9> &X,
                              const Tensor<1, dim> &N,
                              const double size)
{
  is_unbounded = false;
  normal       = N;
  rounding     = 1e-9 * size;
  height       = rounding;
  slack        = rounding;
  warp         = 0.;
  sure         = std::numeric_limits<double>::max();
  if constexpr (dim == 2)
  {
    Tensor<1, dim> t    = X[1] - X[0];
    const double length = t.norm();
    t /= length;
    centre       = X[0];
    n_directions = 1;
    direction[0] = t;
    low[0]       = 0.;
    high[0]      = length;
    slack += 3. * overhang * length;
  }
  else if (n_corners == 3)
  {
    centre         = X[0];
    n_directions   = 3;
    double largest = 0.;
    for (unsigned int e = 0; e < 3; ++e)
    {
      // Outward from the edge; the other end of the face is at its corner.
      const Tensor<1, dim> edge = X[(e + 1) % 3] - X[e];
      direction[e]              = cross_product_3d(edge, N);
      direction[e] /= direction[e].norm();
      high[e] = direction[e] * (X[e] - centre);
      low[e]  = direction[e] * (X[(e + 2) % 3] - centre);
      largest = std::max(largest, high[e] - low[e]);
    }
    slack += 3. * overhang * largest;
  }
  else
  {
    // x = M + u A + v B + u v C with u, v in [-1/2, 1/2]; the area vector
    //   (A + v C) x (B + u C) = A x B + u A x C + v C x B
    // is that in the middle, J N, tilted by the part of C along N.
    Tensor<1, dim> A, B, C;
    for (unsigned int c = 0; c < dim; ++c)
    {
      const double p = X[2][c] - X[0][c], q = X[1][c] - X[3][c];
      A[c]      = 0.5 * (p + q);
      B[c]      = 0.5 * (p - q);
      C[c]      = (X[0][c] + X[2][c]) - (X[1][c] + X[3][c]);
      centre[c] = 0.25 * ((X[0][c] + X[2][c]) + (X[1][c] + X[3][c]));
    }
    const Tensor<1, dim> P = cross_product_3d(N, A), Q = cross_product_3d(N, B);
    const double a = A.norm(), b = B.norm(), ab = std::abs(A * B);
    const double J = P * B, PC = std::abs(P * C), QC = std::abs(Q * C);
    // The corners are at P . (x - M) = +-J / 2 +- P . C / 4.
    n_directions = 2;
    direction[0] = P / a;
    direction[1] = Q / b;
    high[0]      = (0.5 * J + 0.25 * PC) / a;
    high[1]      = (0.5 * J + 0.25 * QC) / b;
    for (unsigned int k = 0; k < 2; ++k)
      low[k] = -high[k];
    const double twist = std::abs(N * C), most = 0.5 + overhang;
    height += most * most * twist;
    const double straight = J - most * (PC + QC);
    if (straight > 0.1 * J)
    {
      // The foot S of a projection has p - S along the area vector there,
      // whose part along P is N . C (u |A| + v A . B / |A|).
      warp = most * twist / straight * std::max(a + ab / a, b + ab / b);
      slack += 6. * overhang * std::max(high[0], high[1]);
      // Gauss-Newton gains a factor of N . (p - S) twist / J in each step: it
      // arrives.
      if (twist > 0.)
        sure = 0.3 * J / twist;
    }
    else
      is_unbounded = true;
  }
}

template struct FaceOutline<2>;
template struct FaceOutline<3>;
} // namespace delassus

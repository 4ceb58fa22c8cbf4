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
  sure         = -1.;
  n_directions = 0;
}

template <int dim>
void FaceOutline<dim>::reinit(const unsigned int n_corners,
                              const std::array<Point<dim>, 9> &X,
                              const Tensor<1, dim> &N,
                              const double size)
{
  normal   = N;
  centre   = X[0];
  rounding = 1e-9 * size;
  warp     = 0.;
  sure     = std::numeric_limits<double>::max();
  height   = rounding;
  if constexpr (dim == 2)
  {
    const Tensor<1, dim> t = X[1] - X[0];
    n_directions           = 1;
    high[0]                = t.norm();
    direction[0]           = t / high[0];
    low[0]                 = 0.;
    slack                  = 3. * overhang * high[0] + rounding;
  }
  else
  {
    const auto add = [&](const unsigned int k, const Tensor<1, dim> &edge)
    {
      direction[k] = cross_product_3d(N, edge);
      direction[k] /= direction[k].norm();
      low[k] = high[k] = 0.;
      for (unsigned int v = 1; v < n_corners; ++v)
      {
        const double s = direction[k] * (X[v] - X[0]);
        low[k]         = std::min(low[k], s);
        high[k]        = std::max(high[k], s);
      }
    };
    if (n_corners == 3)
    {
      n_directions = 3;
      for (unsigned int e = 0; e < 3; ++e)
        add(e, X[(e + 1) % 3] - X[e]);
      slack = 0.;
    }
    else
    {
      // x = M + u A + v B + u v C with u, v in [-1/2, 1/2]; the area vector
      //   (A + v C) x (B + u C) = A x B + u A x C + v C x B
      // is that in the middle, J N, tilted by the part of C along N.
      const Tensor<1, dim> A = 0.5 * ((X[1] - X[0]) + (X[2] - X[3])),
                           B = 0.5 * ((X[3] - X[0]) + (X[2] - X[1])),
                           C = (X[0] - X[1]) + (X[2] - X[3]);
      n_directions           = 2;
      add(0, A);
      add(1, B);
      const double J = N * cross_product_3d(A, B), twist = std::abs(N * C);
      const double most     = 0.5 + overhang;
      const double straight = J - most * (std::abs(N * cross_product_3d(A, C)) +
                                          std::abs(N * cross_product_3d(C, B)));
      // The corners are at N . x = +-twist / 4 about the middle.
      height += 0.5 * twist;
      if (straight > 0.1 * J)
      {
        // The foot S of a projection has p - S along the area vector there,
        // whose part along N x A is N . C (u |A| + v A . B / |A|).
        const double aa = A * A, ab = std::abs(A * B), bb = B * B;
        warp = most * twist / straight *
               std::max((aa + ab) / std::sqrt(aa), (bb + ab) / std::sqrt(bb));
        slack = 2. * overhang * twist * warp;
        // Gauss-Newton gains a factor of N . (p - S) twist / J in each step:
        // it arrives.
        if (twist > 0.)
          sure = 0.3 * J / twist;
      }
      else
        sure = -1.;
    }
    double widest = 0.;
    for (unsigned int k = 0; k < n_directions; ++k)
      widest = std::max(widest, high[k] - low[k]);
    slack += 3. * overhang * widest + rounding;
  }
}

template struct FaceOutline<2>;
template struct FaceOutline<3>;
} // namespace delassus

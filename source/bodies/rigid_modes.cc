#include <delassus/bodies/rigid_modes.h>

#include <cmath>

namespace delassus
{
using namespace dealii;

template <int dim>
unsigned int n_free_rigid_modes(const SolidBody<dim> &body,
                                const DrivenDofs<dim> &driven,
                                const Piece<dim> &piece)
{
  const bool axisymmetric    = body.assumption == Assumption::axisymmetric;
  constexpr unsigned int all = dim == 2 ? 3 : 6;
  // The value of mode m at component c of a node: translations, then rotations
  // about the centroid (scaled by the size of the piece).
  const double size = std::pow(piece.volume, 1. / dim);
  std::array<std::array<double, all>, all> gram{};
  const unsigned int number = &piece - body.pieces.data();
  for (unsigned int n = piece.first_node; n < piece.first_node + piece.n_nodes;
       ++n)
  {
    if (body.node_piece[n] != number)
      continue;
    const Tensor<1, dim> x = (body.nodes[n] - piece.centroid) / size;
    for (unsigned int c = 0; c < dim; ++c)
    {
      if (!driven.is_driven(dim * n + c))
        continue;
      std::array<double, all> mode{};
      mode[c] = 1.;
      if (dim == 2)
        mode[2] = c == 0 ? -x[1] : x[0];
      else
        for (unsigned int r = 0; r < 3; ++r)
          if (r != c) // component c of e_r x x
            mode[all - 3 + r] = (c == (r + 1) % 3 ? -1. : 1.) * x[3 - r - c];
      for (unsigned int i = 0; i < all; ++i)
        for (unsigned int j = 0; j < all; ++j)
          gram[i][j] += mode[i] * mode[j];
    }
  }
  if (axisymmetric) // only the translation along the axis is a rigid motion
    return gram[1][1] > 0. ? 0 : 1;
  // Rank by elimination with the largest pivot.
  unsigned int rank = 0;
  double largest    = 0.;
  for (unsigned int i = 0; i < all; ++i)
    largest = std::max(largest, gram[i][i]);
  std::array<bool, all> used{};
  for (unsigned int step = 0; step < all; ++step)
  {
    unsigned int pivot = all;
    for (unsigned int i = 0; i < all; ++i)
      if (!used[i] && gram[i][i] > 1e-10 * largest &&
          (pivot == all || gram[i][i] > gram[pivot][pivot]))
        pivot = i;
    if (pivot == all)
      break;
    used[pivot] = true;
    ++rank;
    for (unsigned int i = 0; i < all; ++i)
      if (i != pivot)
      {
        const double factor = gram[i][pivot] / gram[pivot][pivot];
        for (unsigned int j = 0; j < all; ++j)
          gram[i][j] -= factor * gram[pivot][j];
      }
  }
  return all - rank;
}

template unsigned int n_free_rigid_modes<2>(const SolidBody<2> &,
                                            const DrivenDofs<2> &,
                                            const Piece<2> &);
template unsigned int n_free_rigid_modes<3>(const SolidBody<3> &,
                                            const DrivenDofs<3> &,
                                            const Piece<3> &);
} // namespace delassus

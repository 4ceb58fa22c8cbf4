#include <delassus/bodies/rigid_modes.h>

#include <cmath>

namespace delassus
{
using namespace dealii;

namespace
{
template <int dim>
using Gram =
    std::array<std::array<double, RigidMotions<dim>::n>, RigidMotions<dim>::n>;

/// A basis of the combinations of motions that vanish at the driven dofs:
/// the kernel of the Gram matrix of the motions' values there, by elimination
/// with the largest pivot.
template <int dim>
std::vector<typename RigidMotions<dim>::Values> kernel(Gram<dim> gram,
                                                       const bool axisymmetric)
{
  constexpr unsigned int n = RigidMotions<dim>::n;
  std::vector<typename RigidMotions<dim>::Values> basis;
  if (axisymmetric) // only the translation along the axis is a rigid motion
  {
    if (!(gram[1][1] > 0.))
    {
      basis.emplace_back();
      basis.back().fill(0.);
      basis.back()[1] = 1.;
    }
    return basis;
  }
  double largest = 0.;
  for (unsigned int i = 0; i < n; ++i)
    largest = std::max(largest, gram[i][i]);
  std::array<bool, n> used{};
  for (unsigned int step = 0; step < n; ++step)
  {
    unsigned int pivot = n;
    for (unsigned int i = 0; i < n; ++i)
      if (!used[i] && gram[i][i] > 1e-10 * largest &&
          (pivot == n || gram[i][i] > gram[pivot][pivot]))
        pivot = i;
    if (pivot == n)
      break;
    used[pivot] = true;
    for (unsigned int i = 0; i < n; ++i)
      if (i != pivot)
      {
        const double factor = gram[i][pivot] / gram[pivot][pivot];
        for (unsigned int j = 0; j < n; ++j)
          gram[i][j] -= factor * gram[pivot][j];
      }
  }
  for (unsigned int j = 0; j < n; ++j)
    if (!used[j])
    {
      basis.emplace_back();
      basis.back().fill(0.);
      basis.back()[j] = 1.;
      for (unsigned int i = 0; i < n; ++i)
        if (used[i])
          basis.back()[i] = -gram[i][j] / gram[i][i];
    }
  return basis;
}

template <int dim>
void add_driven(const DrivenDofs<dim> &driven,
                const RigidMotions<dim> &motions,
                const unsigned int node,
                const Point<dim> &x,
                Gram<dim> &gram)
{
  for (unsigned int c = 0; c < dim; ++c)
    if (driven.is_driven(dim * node + c))
    {
      const auto values = motions.at(x, c);
      for (unsigned int i = 0; i < RigidMotions<dim>::n; ++i)
        for (unsigned int j = 0; j < RigidMotions<dim>::n; ++j)
          gram[i][j] += values[i] * values[j];
    }
}
} // namespace

template <int dim>
unsigned int n_free_rigid_modes(const SolidBody<dim> &body,
                                const DrivenDofs<dim> &driven,
                                const Piece<dim> &piece)
{
  RigidMotions<dim> motions;
  motions.origin = piece.centroid;
  motions.size   = std::pow(piece.volume, 1. / dim);
  Gram<dim> gram{};
  const unsigned int number = &piece - body.pieces.data();
  for (unsigned int n = piece.first_node; n < piece.first_node + piece.n_nodes;
       ++n)
    if (body.node_piece[n] == number)
      add_driven(driven, motions, n, body.nodes[n], gram);
  return kernel<dim>(gram, body.assumption == Assumption::axisymmetric).size();
}

template <int dim>
std::vector<RigidMotions<dim>> free_rigid_motions(const SolidBody<dim> &body,
                                                  const DrivenDofs<dim> &driven,
                                                  const Vector *u)
{
  const unsigned int first = body.first_owned_node;
  const double *moved =
      u != nullptr && body.owned_dofs.n_elements() > 0 ? &*u->begin() : nullptr;
  const auto place = [&](const unsigned int node)
  {
    Point<dim> x = body.nodes[node];
    for (unsigned int c = 0; c < dim && moved != nullptr; ++c)
      x[c] += moved[dim * (node - first) + c];
    return x;
  };
  const auto sum_over_ranks = [&](std::vector<double> &sums)
  {
    if (body.split)
      Utilities::MPI::sum(sums, body.communicator, sums);
  };
  const unsigned int n_pieces = body.pieces.size();
  std::vector<RigidMotions<dim>> motions(n_pieces);

  // Mean position and mean distance from it.
  std::vector<double> sums((dim + 2) * n_pieces, 0.);
  for (unsigned int node = first; node < body.end_owned_node; ++node)
  {
    double *sum = &sums[(dim + 2) * body.node_piece[node]];
    // From the centroid, so that squares lose nothing.
    const auto x = place(node) - body.pieces[body.node_piece[node]].centroid;
    for (unsigned int c = 0; c < dim; ++c)
      sum[c] += x[c];
    sum[dim] += x * x;
    sum[dim + 1] += 1.;
  }
  sum_over_ranks(sums);
  for (unsigned int p = 0; p < n_pieces; ++p)
  {
    const double *sum = &sums[(dim + 2) * p];
    if (!(sum[dim + 1] > 0.))
      continue;
    Tensor<1, dim> mean;
    for (unsigned int c = 0; c < dim; ++c)
      mean[c] = sum[c] / sum[dim + 1];
    motions[p].origin = body.pieces[p].centroid + mean;
    motions[p].size =
        std::sqrt(std::max(0., sum[dim] / sum[dim + 1] - mean * mean));
  }

  constexpr unsigned int n = RigidMotions<dim>::n;
  std::vector<Gram<dim>> grams(n_pieces, Gram<dim>{});
  for (unsigned int node = first; node < body.end_owned_node; ++node)
    add_driven(driven,
               motions[body.node_piece[node]],
               node,
               place(node),
               grams[body.node_piece[node]]);
  std::vector<double> all;
  for (const auto &gram : grams)
    for (const auto &row : gram)
      all.insert(all.end(), row.begin(), row.end());
  sum_over_ranks(all);
  for (unsigned int p = 0; p < n_pieces; ++p)
  {
    if (!(sums[(dim + 2) * p + dim + 1] > 0.))
      continue;
    for (unsigned int i = 0; i < n; ++i)
      for (unsigned int j = 0; j < n; ++j)
        grams[p][i][j] = all[(std::size_t(p) * n + i) * n + j];
    motions[p].free =
        kernel<dim>(grams[p], body.assumption == Assumption::axisymmetric);
  }
  return motions;
}

#define INSTANTIATE(dim)                                                       \
  template unsigned int n_free_rigid_modes<dim>(                               \
      const SolidBody<dim> &, const DrivenDofs<dim> &, const Piece<dim> &);    \
  template std::vector<RigidMotions<dim>> free_rigid_motions<dim>(             \
      const SolidBody<dim> &, const DrivenDofs<dim> &, const Vector *)
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus

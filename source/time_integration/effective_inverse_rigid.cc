// The rigid motions of pieces that only contact holds: EffectiveInverse,
// set_rigid_share().
#include <delassus/bodies/rigid_modes.h>
#include <delassus/time_integration/effective_inverse.h>

#include <cmath>

namespace delassus
{
using namespace dealii;

template <int dim>
void EffectiveInverse<dim>::set_rigid_share(const std::vector<double> &share,
                                            const Vector *u)
{
  // Alike on all ranks.
  with_rigid_part = false;
  for (unsigned int c = 0; c < share.size() && !sparse_only; ++c)
    with_rigid_part = with_rigid_part || (share[c] != 1. && factor_M[c] > 0.);
  rigid.assign(classes.n_classes(), RigidPart());
  if (with_rigid_part)
    make_rigid_parts(share, u);
}

template <int dim>
void EffectiveInverse<dim>::make_rigid_parts(const std::vector<double> &share,
                                             const Vector *u)
{
  const auto motions       = free_rigid_motions(body, driven, u);
  const unsigned int first = body.first_owned_node;
  const double *moved =
      u != nullptr && body.owned_dofs.n_elements() > 0 ? &*u->begin() : nullptr;

  // The motions of these pieces are wanted: from which column on, and where
  // their dofs begin among those of this rank.
  struct Wanted
  {
    unsigned int piece, class_index, column, begin_node, end_node;
  };
  std::vector<Wanted> wanted;
  for (unsigned int c = 0; c < classes.n_classes(); ++c)
  {
    auto &part = rigid[c];
    if (share[c] == 1. || !(factor_M[c] > 0.))
      continue;
    part.of_compliance = (1. / share[c] - 1.) / factor_M[c];
    part.of_mass       = (share[c] - 1.) * factor_M[c];
    std::vector<unsigned int> pieces;
    for (unsigned int p = 0; p < body.pieces.size() && body.split; ++p)
      pieces.push_back(p);
    if (!body.split && !owned_pieces[c].empty())
      pieces = { owned_pieces[c].front() };
    unsigned int begin = first, end = body.end_owned_node;
    for (const unsigned int p : pieces)
    {
      if (!body.split)
      {
        begin = body.pieces[p].first_node;
        end   = begin + body.pieces[p].n_nodes;
      }
      wanted.push_back({ p, c, part.n, begin, end });
      part.n += motions[p].free.size();
    }
    part.Phi.assign(std::size_t(part.n) * dim * (end - begin), 0.);
    part.M_Phi = part.Phi;
  }

  // One motion of all pieces at a time, so that all ranks do as many products.
  Vector mode = body.make_vector(), product = mode;
  for (unsigned int m = 0; m < RigidMotions<dim>::n; ++m)
  {
    mode = 0.;
    for (const auto &w : wanted)
      for (unsigned int node = w.begin_node; node < w.end_node; ++node)
        if (m < motions[w.piece].free.size() &&
            body.node_piece[node] == w.piece)
        {
          Point<dim> x = body.nodes[node];
          for (unsigned int c = 0; c < dim && moved != nullptr; ++c)
            x[c] += moved[dim * (node - first) + c];
          for (unsigned int c = 0; c < dim; ++c)
            if (!is_condensed(dim * node + c))
              mode.begin()[dim * (node - first) + c] =
                  motions[w.piece].free_value(m, x, c);
        }
    body.mass.vmult(product, mode);
    for (const auto &w : wanted)
    {
      auto &part          = rigid[w.class_index];
      const std::size_t n = dim * (w.end_node - w.begin_node);
      for (std::size_t i = 0; i < n && m < motions[w.piece].free.size(); ++i)
        if (body.node_piece[w.begin_node + i / dim] == w.piece)
        {
          const std::size_t at   = (w.column + m) * n + i;
          const std::size_t from = dim * (w.begin_node - first) + i;
          part.Phi[at]           = mode.begin()[from];
          part.M_Phi[at]         = product.begin()[from];
        }
    }
  }

  // Phi^T M Phi = 1, by Gram and Schmidt; twice is enough.
  for (unsigned int round = 0; round < 2; ++round)
    for (const auto &w : wanted)
    {
      auto &part          = rigid[w.class_index];
      const std::size_t n = dim * (w.end_node - w.begin_node);
      for (unsigned int i = 0; i < motions[w.piece].free.size(); ++i)
      {
        double *phi = &part.Phi[(w.column + i) * n],
               *mp  = &part.M_Phi[(w.column + i) * n];
        for (unsigned int j = 0; j <= i; ++j)
        {
          const double *other   = &part.Phi[(w.column + j) * n],
                       *m_other = &part.M_Phi[(w.column + j) * n];
          double dot            = 0.;
          for (std::size_t k = 0; k < n; ++k)
            dot += other[k] * mp[k];
          if (body.split)
            dot = Utilities::MPI::sum(dot, body.communicator);
          for (std::size_t k = 0; k < n; ++k)
          {
            phi[k] = j < i ? phi[k] - dot * other[k] : phi[k] / std::sqrt(dot);
            mp[k]  = j < i ? mp[k] - dot * m_other[k] : mp[k] / std::sqrt(dot);
          }
        }
      }
    }
}

template <int dim>
void EffectiveInverse<dim>::add_rigid_part(
    const std::vector<double> RigidPart::*B,
    const double RigidPart::*s,
    const Vector &x,
    Vector &y) const
{
  const double *from = x.locally_owned_size() > 0 ? &*x.begin() : nullptr;
  double *to         = y.locally_owned_size() > 0 ? &*y.begin() : nullptr;
  for (unsigned int c = 0; c < classes.n_classes(); ++c)
  {
    const auto &part  = rigid[c];
    const auto &modes = part.*B;
    if (part.n == 0)
      continue;
    const std::size_t n = modes.size() / part.n;
    std::vector<double> factors(part.n);
    const auto add = [&](const std::size_t begin)
    {
      for (unsigned int m = 0; m < part.n; ++m)
      {
        factors[m] = 0.;
        for (std::size_t i = 0; i < n; ++i)
          factors[m] += modes[m * n + i] * from[begin + i];
      }
      if (body.split)
        Utilities::MPI::sum(factors, body.communicator, factors);
      for (unsigned int m = 0; m < part.n; ++m)
        for (std::size_t i = 0; i < n; ++i)
          to[begin + i] += part.*s * factors[m] * modes[m * n + i];
    };
    if (body.split)
      add(0);
    else
      for (const unsigned int p : owned_pieces[c])
        add(dim * (body.pieces[p].first_node - body.first_owned_node));
  }
}

template <int dim>
void EffectiveInverse<dim>::add_rigid_entries(
    const unsigned int class_index,
    const std::vector<unsigned int> &rows,
    const std::vector<unsigned int> &columns,
    double *E) const
{
  const auto &part = rigid[body.split ? 0 : class_index];
  if (part.n == 0)
    return;
  const std::size_t n    = part.Phi.size() / part.n;
  const std::size_t from = body.split ? dim * body.first_owned_node : 0;
  const auto values      = [&](const std::vector<unsigned int> &dofs)
  {
    std::vector<double> result(dofs.size() * part.n, 0.);
    for (std::size_t i = 0; i < dofs.size(); ++i)
      if (dofs[i] >= from && dofs[i] < from + n)
        for (unsigned int m = 0; m < part.n; ++m)
          result[i * part.n + m] = part.Phi[m * n + dofs[i] - from];
    if (body.split)
      Utilities::MPI::sum(result, body.communicator, result);
    return result;
  };
  const auto left = values(rows), right = values(columns);
  for (std::size_t j = 0; j < columns.size(); ++j)
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
      double sum = 0.;
      for (unsigned int m = 0; m < part.n; ++m)
        sum += left[i * part.n + m] * right[j * part.n + m];
      E[i + j * rows.size()] += part.of_compliance * sum;
    }
}

#define INSTANTIATE(dim)                                                       \
  template void EffectiveInverse<dim>::set_rigid_share(                        \
      const std::vector<double> &, const Vector *);                            \
  template void EffectiveInverse<dim>::make_rigid_parts(                       \
      const std::vector<double> &, const Vector *);                            \
  template void EffectiveInverse<dim>::add_rigid_part(                         \
      const std::vector<double> EffectiveInverse<dim>::RigidPart::*,           \
      const double EffectiveInverse<dim>::RigidPart::*,                        \
      const Vector &,                                                          \
      Vector &) const;                                                         \
  template void EffectiveInverse<dim>::add_rigid_entries(                      \
      const unsigned int,                                                      \
      const std::vector<unsigned int> &,                                       \
      const std::vector<unsigned int> &,                                       \
      double *) const
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus

#include <delassus/base/assert.h>
#include <delassus/base/exceptions.h>
#include <delassus/contact/delassus/body_delassus.h>
#include <delassus/contact/delassus/sweep_views.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

namespace delassus
{
template <int dim>
void BodyContactGroups<dim>::reinit(const BodyDelassusData<dim> &data)
{
  const std::size_t n = data.frame.size();
  if (data.n_ghosts > n ||
      data.piece_compliance.size() != data.piece_n_dofs.size() ||
      data.h_start.size() != n + 1 || data.h_start.front() != 0 ||
      data.h_start.back() != data.entries.size() ||
      data.entries.size() > std::numeric_limits<unsigned int>::max())
    throw ComputationError(fmt::format(
        "W by pieces: {} compliances for {} pieces, {} starts and {} "
        "entries for {} contacts do not fit together.",
        data.piece_compliance.size(),
        data.piece_n_dofs.size(),
        data.h_start.size(),
        data.entries.size(),
        n));

  group_start.resize(n + 1);
  groups.clear();
  entries.resize(data.entries.size());
  for (std::size_t a = 0; a < n; ++a)
  {
    group_start[a]          = groups.size();
    const std::size_t begin = data.h_start[a];
    const std::size_t end   = data.h_start[a + 1];
    unsigned int written    = begin;
    for (std::size_t e = begin; e < end; ++e)
    {
      const unsigned int piece = data.entries[e].piece;
      if (piece >= data.piece_n_dofs.size() ||
          (data.entries[e].node + 1) * dim > data.piece_n_dofs[piece])
        throw ComputationError(
            fmt::format("W by pieces: contact {} acts on node {} of piece {}, "
                        "which does not exist.",
                        a,
                        data.entries[e].node,
                        piece));
      DELASSUS_ASSERT(std::isfinite(data.entries[e].weight),
                      "weight of a contact on a node");
      bool seen = false;
      for (std::size_t other = begin; other < e && !seen; ++other)
        seen = data.entries[other].piece == piece;
      if (seen)
        continue;
      const unsigned int first = written;
      for (std::size_t other = e; other < end; ++other)
        if (data.entries[other].piece == piece)
        {
          const unsigned int dof = data.entries[other].node * dim;
          entries[written++]     = { dof,
                                     dof * data.piece_n_dofs[piece],
                                     data.entries[other].weight };
        }
      groups.push_back({ piece, first, written });
    }
  }
  group_start[n] = groups.size();
  DELASSUS_ASSERT(groups.empty() || groups.back().end == entries.size(),
                  "every entry is in one group");
}


template <int dim>
BodyDelassus<dim>::BodyDelassus(BodyDelassusData<dim> data_in)
{
  reinit(std::move(data_in));
}


template <int dim>
void BodyDelassus<dim>::reinit(BodyDelassusData<dim> data_in)
{
  data = std::move(data_in);
  contacts.reinit(data);
  const std::size_t n_pieces = data.piece_n_dofs.size();
  velocity_start.resize(n_pieces + 1);
  velocity_start[0] = 0;
  for (std::size_t p = 0; p < n_pieces; ++p)
    // Each piece begins on a cache line.
    velocity_start[p + 1] =
        velocity_start[p] + (data.piece_n_dofs[p] + 7) / 8 * 8;
  force.resize(velocity_start[n_pieces]);
  velocity.resize(velocity_start[n_pieces]);
  diagonal.resize(n_contacts());
  for (std::size_t a = 0; a < n_contacts(); ++a)
    diagonal[a] = compute_diagonal_block(a);
}


template <int dim>
void BodyDelassus<dim>::diagonal_block(const std::size_t a, double *block) const
{
  std::copy_n(diagonal[a].begin(), dim * dim, block);
}


template <int dim>
LocalMatrix<dim>
BodyDelassus<dim>::compute_diagonal_block(const std::size_t a) const
{
  // Sum of weight weight' C(node, node') over pairs of entries on one piece.
  LocalMatrix<dim> sum{};
  for (std::size_t k = contacts.group_start[a]; k < contacts.group_start[a + 1];
       ++k)
  {
    const auto &group   = contacts.groups[k];
    const std::size_t n = data.piece_n_dofs[group.piece];
    const double *C     = data.piece_compliance[group.piece];
    for (unsigned int e = group.begin; e < group.end; ++e)
      for (unsigned int f = group.begin; f < group.end; ++f)
      {
        const auto &left = contacts.entries[e], &right = contacts.entries[f];
        const double weight = left.weight * right.weight;
        for (int c = 0; c < dim; ++c)
          for (int d = 0; d < dim; ++d)
            sum[c * dim + d] +=
                weight * C[(left.first_dof + c) * n + right.first_dof + d];
      }
  }
  // frame * sum * frame^T
  const LocalMatrix<dim> left = matrix_product<dim>(data.frame[a], sum);
  LocalMatrix<dim> block;
  for (int i = 0; i < dim; ++i)
    for (int j = 0; j < dim; ++j)
    {
      double value = 0.;
      for (int k = 0; k < dim; ++k)
        value += left[i * dim + k] * data.frame[a][j * dim + k];
      block[i * dim + j] = value;
    }
  return block;
}


template <int dim>
void BodyDelassus<dim>::velocities(const double *P,
                                   const std::size_t stride,
                                   double *result) const
{
  std::fill(force.begin(), force.end(), 0.);
  std::fill(result, result + velocity_start.back(), 0.);
  for (std::size_t a = 0; a < data.frame.size(); ++a)
  {
    LocalVector<dim> impulse;
    std::copy_n(P + stride * a, dim, impulse.begin());
    const LocalVector<dim> f = multiply_transposed<dim>(data.frame[a], impulse);
    for (std::size_t k = contacts.group_start[a];
         k < contacts.group_start[a + 1];
         ++k)
    {
      const auto &group = contacts.groups[k];
      double *piece     = force.data() + velocity_start[group.piece];
      for (unsigned int e = group.begin; e < group.end; ++e)
        for (int c = 0; c < dim; ++c)
          piece[contacts.entries[e].first_dof + c] +=
              contacts.entries[e].weight * f[c];
    }
  }
  for (std::size_t p = 0; p < data.piece_n_dofs.size(); ++p)
  {
    const std::size_t n  = data.piece_n_dofs[p];
    const double *C      = data.piece_compliance[p];
    const double *f      = force.data() + velocity_start[p];
    double *__restrict v = result + velocity_start[p];
    for (std::size_t i = 0; i < n; ++i)
      if (f[i] != 0.)
        for (std::size_t j = 0; j < n; ++j)
          v[j] += f[i] * C[i * n + j];
  }
}


template <int dim>
void BodyDelassus<dim>::multiply(const double *P, double *U) const
{
  velocities(P, dim, velocity.data());
  const BodySweep<dim> view(*this);
  for (std::size_t a = 0; a < n_contacts(); ++a)
    view.velocity_at(a, P, velocity.data(), U + dim * a);
}


template <int dim>
void BodyDelassus<dim>::begin_sweep(const double *P, double *buffer) const
{
  velocities(P, sweep_stride<dim>, buffer);
}


template <int dim>
void BodyDelassus<dim>::velocity_at(const std::size_t a,
                                    const double *P,
                                    const double *buffer,
                                    double *U) const
{
  BodySweep<dim>(*this).velocity_at(a, P, buffer, U);
}


template <int dim>
void BodyDelassus<dim>::change_impulse(const std::size_t a,
                                       const double *dP,
                                       double *buffer) const
{
  BodySweep<dim>(*this).change_impulse(a, dP, buffer);
}


template <int dim>
void BodyDelassus<dim>::pieces_of_contacts(
    std::vector<std::size_t> &start,
    std::vector<unsigned int> &pieces) const
{
  start.assign(1, 0);
  pieces.clear();
  for (std::size_t a = 0; a < n_contacts(); ++a)
  {
    for (std::size_t k = contacts.group_start[a];
         k < contacts.group_start[a + 1];
         ++k)
      pieces.push_back(contacts.groups[k].piece);
    start.push_back(pieces.size());
  }
}


template <int dim>
std::size_t BodyDelassus<dim>::memory_consumption() const
{
  // A class of congruent pieces is one pointer.
  std::vector<std::pair<const double *, std::size_t>> classes;
  for (std::size_t p = 0; p < data.piece_n_dofs.size(); ++p)
    classes.emplace_back(data.piece_compliance[p], data.piece_n_dofs[p]);
  std::sort(classes.begin(), classes.end());
  classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
  std::size_t bytes = 0;
  for (const auto &entry : classes)
    bytes += entry.second * entry.second * sizeof(double);

  return bytes + velocity_start.back() * sizeof(double) +
         contacts.entries.size() *
             sizeof(typename BodyContactGroups<dim>::Entry) +
         contacts.groups.size() *
             sizeof(typename BodyContactGroups<dim>::Group) +
         contacts.group_start.size() * sizeof(std::size_t) +
         data.frame.size() * sizeof(LocalMatrix<dim>) +
         data.piece_n_dofs.size() *
             (sizeof(double *) + sizeof(unsigned int) + sizeof(std::size_t));
}


template <int dim>
void BodyAssembler<dim>::assemble(const BodyDelassusData<dim> &data,
                                  BlockSparseDelassus<dim> &W)
{
  constexpr int d2           = dim * dim;
  const std::size_t n        = data.n_contacts();
  const std::size_t n_pieces = data.piece_n_dofs.size();
  contacts.reinit(data);

  // The contacts of each piece, increasing.
  piece_start.assign(n_pieces + 1, 0);
  for (const auto &group : contacts.groups)
    ++piece_start[group.piece + 1];
  for (std::size_t p = 0; p < n_pieces; ++p)
    piece_start[p + 1] += piece_start[p];
  piece_contact.resize(contacts.groups.size());
  piece_group.resize(contacts.groups.size());
  next.assign(piece_start.begin(), piece_start.end() - 1);
  for (std::size_t a = 0; a < n + data.n_ghosts; ++a)
    for (std::size_t k = contacts.group_start[a];
         k < contacts.group_start[a + 1];
         ++k)
    {
      const std::size_t position = next[contacts.groups[k].piece]++;
      piece_contact[position]    = a;
      piece_group[position]      = k;
    }

  // Row a couples with every contact of its pieces.
  std::size_t bound = n;
  for (std::size_t k = 0; k < contacts.group_start[n]; ++k)
    bound += piece_start[contacts.groups[k].piece + 1] -
             piece_start[contacts.groups[k].piece];
  W.column.clear();
  W.column.reserve(bound);
  W.row_start.resize(n + 1);
  W.row_start[0] = 0;
  for (std::size_t a = 0; a < n; ++a)
  {
    const std::size_t begin = W.column.size();
    const std::size_t k     = contacts.group_start[a];
    const std::size_t lists = contacts.group_start[a + 1] - k;
    const auto list_begin   = [&](const std::size_t group) {
      return piece_contact.begin() + piece_start[contacts.groups[group].piece];
    };
    const auto list_end = [&](const std::size_t group)
    {
      return piece_contact.begin() +
             piece_start[contacts.groups[group].piece + 1];
    };
    if (lists == 0)
      W.column.push_back(a);
    else if (lists == 2)
      std::set_union(list_begin(k),
                     list_end(k),
                     list_begin(k + 1),
                     list_end(k + 1),
                     std::back_inserter(W.column));
    else
    {
      for (std::size_t i = k; i < k + lists; ++i)
        W.column.insert(W.column.end(), list_begin(i), list_end(i));
      std::sort(W.column.begin() + begin, W.column.end());
      W.column.erase(std::unique(W.column.begin() + begin, W.column.end()),
                     W.column.end());
    }
    W.row_start[a + 1] = W.column.size();
    DELASSUS_ASSERT(std::is_sorted(W.column.begin() + begin, W.column.end()),
                    "columns of a row of W ascend");
  }
  W.ghosts = data.n_ghosts;
  W.blocks.assign(W.column.size() * d2, 0.);
  W.find_diagonal();

  // Upper triangle: piece by piece, G = frame_a sum_e weight_e C(node_e, :),
  // then W^{ab} += sum_f weight_f G(:, node_f) frame_b^T.
  for (std::size_t p = 0; p < n_pieces; ++p)
  {
    const std::size_t n_p = data.piece_n_dofs[p];
    const double *C       = data.piece_compliance[p];
    G.resize(dim * n_p);
    for (std::size_t i = piece_start[p]; i < piece_start[p + 1]; ++i)
    {
      const unsigned int a = piece_contact[i];
      if (a >= n)
        break; // ghosts come last
      const auto &group_a             = contacts.groups[piece_group[i]];
      const LocalMatrix<dim> &frame_a = data.frame[a];
      std::fill(G.begin(), G.end(), 0.);
      for (unsigned int e = group_a.begin; e < group_a.end; ++e)
        for (int c = 0; c < dim; ++c)
        {
          const double *row = C + (contacts.entries[e].first_dof + c) * n_p;
          for (int r = 0; r < dim; ++r)
          {
            const double factor =
                contacts.entries[e].weight * frame_a[r * dim + c];
            double *__restrict G_r = G.data() + r * n_p;
            for (std::size_t j = 0; j < n_p; ++j)
              G_r[j] += factor * row[j];
          }
        }

      std::size_t position = W.diagonal[a];
      for (std::size_t k = i; k < piece_start[p + 1]; ++k)
      {
        const unsigned int b = piece_contact[k];
        const auto &group_b  = contacts.groups[piece_group[k]];
        while (W.column[position] < b)
          ++position;
        DELASSUS_ASSERT(position < W.row_start[a + 1] &&
                            W.column[position] == b,
                        "contacts of one piece have a block");
        LocalMatrix<dim> product{};
        for (unsigned int f = group_b.begin; f < group_b.end; ++f)
        {
          const double *column = G.data() + contacts.entries[f].first_dof;
          for (int r = 0; r < dim; ++r)
            for (int c = 0; c < dim; ++c)
              product[r * dim + c] +=
                  contacts.entries[f].weight * column[r * n_p + c];
        }
        const LocalMatrix<dim> &frame_b = data.frame[b];
        double *block                   = W.blocks.data() + d2 * position;
        for (int r = 0; r < dim; ++r)
          for (int s = 0; s < dim; ++s)
          {
            double sum = 0.;
            for (int c = 0; c < dim; ++c)
              sum += product[r * dim + c] * frame_b[s * dim + c];
            block[r * dim + s] += sum;
          }
      }
    }
  }

  // Lower triangle: rows are visited in order, so the blocks (b, a), a < b, of
  // row b are met in order too.
  next.assign(W.row_start.begin(), W.row_start.end() - 1);
  for (std::size_t a = 0; a < n; ++a)
  {
    // Rounding leaves the diagonal block not quite symmetric.
    double *block = W.blocks.data() + d2 * W.diagonal[a];
    for (int r = 0; r < dim; ++r)
      for (int s = 0; s < r; ++s)
        block[r * dim + s] = block[s * dim + r] =
            0.5 * (block[r * dim + s] + block[s * dim + r]);
    for (std::size_t k = W.diagonal[a] + 1; k < W.row_start[a + 1]; ++k)
    {
      if (W.column[k] >= n)
        break;
      const double *upper = W.blocks.data() + d2 * k;
      double *lower       = W.blocks.data() + d2 * next[W.column[k]]++;
      for (int r = 0; r < dim; ++r)
        for (int s = 0; s < dim; ++s)
          lower[s * dim + r] = upper[r * dim + s];
    }
    DELASSUS_ASSERT(next[a] == W.diagonal[a],
                    "the blocks left of the diagonal are all written");
  }
}


template <int dim>
void assemble_block_sparse(const BodyDelassusData<dim> &data,
                           BlockSparseDelassus<dim> &W)
{
  BodyAssembler<dim>().assemble(data, W);
}


template <int dim>
BlockSparseDelassus<dim>
assemble_block_sparse(const BodyDelassusData<dim> &data)
{
  BlockSparseDelassus<dim> W;
  assemble_block_sparse(data, W);
  return W;
}

template <int dim>
DelassusCost<dim>::DelassusCost(const BodyDelassusData<dim> &data)
    : n_blocks(0)
    , bytes(0)
    , visit_assembled(0.)
    , visit_matrix_free(0.)
{
  BodyContactGroups<dim> contacts;
  contacts.reinit(data);
  std::vector<std::size_t> n_on_piece(data.piece_n_dofs.size(), 0);
  for (const auto &group : contacts.groups)
    ++n_on_piece[group.piece];
  double n_values = 0.;
  for (std::size_t k = 0; k < contacts.group_start[data.n_contacts()]; ++k)
  {
    const auto &group = contacts.groups[k];
    n_blocks += n_on_piece[group.piece];
    n_values += double(dim) * (group.end - group.begin) *
                data.piece_n_dofs[group.piece];
  }
  bytes = n_blocks * (dim * dim * sizeof(double) + sizeof(unsigned int));
  if (data.n_contacts() > 0)
  {
    visit_assembled   = double(dim * dim) * n_blocks / data.n_contacts();
    visit_matrix_free = n_values / data.n_contacts();
  }
}


template <int dim>
bool DelassusCost<dim>::prefers_matrix_free() const
{
  return bytes > (std::size_t(64) << 20) &&
         visit_matrix_free < 2.5 * visit_assembled;
}

template struct DelassusCost<2>;
template struct DelassusCost<3>;
template struct BodyContactGroups<2>;
template struct BodyContactGroups<3>;
template class BodyDelassus<2>;
template class BodyDelassus<3>;
template class BodyAssembler<2>;
template class BodyAssembler<3>;
template void assemble_block_sparse<2>(const BodyDelassusData<2> &,
                                       BlockSparseDelassus<2> &);
template void assemble_block_sparse<3>(const BodyDelassusData<3> &,
                                       BlockSparseDelassus<3> &);
template BlockSparseDelassus<2>
assemble_block_sparse<2>(const BodyDelassusData<2> &);
template BlockSparseDelassus<3>
assemble_block_sparse<3>(const BodyDelassusData<3> &);
} // namespace delassus

#ifndef delassus_contact_delassus_sweep_views_h
#define delassus_contact_delassus_sweep_views_h

#include <delassus/contact/delassus/block_sparse_delassus.h>
#include <delassus/contact/delassus/body_delassus.h>
#include <delassus/contact/delassus/dense_delassus.h>
#include <delassus/contact/delassus/row_product.h>

namespace delassus
{
// The operators as a sweep sees them: bare pointers and inlined functions, one
// view per storage, chosen once per solve. Included by sources of the contact
// modules only (see row_product.h). All have
//
//   velocity_at(a, P, buffer, U, ahead)  U^a = (W P)^a, P padded
//   change_impulse(a, dP, buffer)

template <int dim>
struct BlockSparseSweep
{
  const std::size_t *row_start;
  const unsigned int *column;
  const double *blocks;

  explicit BlockSparseSweep(const BlockSparseDelassus<dim> &W)
      : row_start(W.row_start_data())
      , column(W.column_data())
      , blocks(W.block_data())
  {
  }

  template <std::size_t stride = sweep_stride<dim>>
  void velocity_at(const std::size_t a,
                   const double *P,
                   const double *,
                   double *U,
                   const std::ptrdiff_t ahead = 0) const
  {
    const std::size_t begin = row_start[a];
    internal::row_product<dim, stride>(blocks + dim * dim * begin,
                                       column + begin,
                                       row_start[a + 1] - begin,
                                       P,
                                       U,
                                       ahead);
  }

  void change_impulse(std::size_t, const double *, double *) const
  {
  }
};

template <int dim>
struct DenseSweep
{
  std::size_t n;
  const double *blocks;

  explicit DenseSweep(const DenseDelassus<dim> &W)
      : n(W.n_contacts())
      , blocks(W.block_data())
  {
  }

  template <std::size_t stride = sweep_stride<dim>>
  void velocity_at(const std::size_t a,
                   const double *P,
                   const double *,
                   double *U,
                   const std::ptrdiff_t ahead = 0) const
  {
    internal::row_product<dim, stride>(blocks + dim * dim * n * a,
                                       internal::ConsecutiveColumns(),
                                       n,
                                       P,
                                       U,
                                       ahead);
  }

  void change_impulse(std::size_t, const double *, double *) const
  {
  }
};

template <int dim>
struct BodySweep
{
  using Groups = BodyContactGroups<dim>;

  const std::size_t *group_start;
  const typename Groups::Group *groups;
  const typename Groups::Entry *entries;
  const LocalMatrix<dim> *frame;
  const double *const *compliance;
  const unsigned int *n_dofs;
  const std::size_t *velocity_start;

  explicit BodySweep(const BodyDelassus<dim> &W)
      : group_start(W.contacts.group_start.data())
      , groups(W.contacts.groups.data())
      , entries(W.contacts.entries.data())
      , frame(W.data.frame.data())
      , compliance(W.data.piece_compliance.data())
      , n_dofs(W.data.piece_n_dofs.data())
      , velocity_start(W.velocity_start.data())
  {
  }

  void velocity_at(const std::size_t a,
                   const double *,
                   const double *velocity,
                   double *U,
                   std::ptrdiff_t = 0) const
  {
    LocalVector<dim> v{};
    for (std::size_t k = group_start[a]; k < group_start[a + 1]; ++k)
    {
      const auto &group   = groups[k];
      const double *piece = velocity + velocity_start[group.piece];
      LocalVector<dim> here{};
      for (unsigned int e = group.begin; e < group.end; ++e)
        for (int c = 0; c < dim; ++c)
          here[c] += entries[e].weight * piece[entries[e].first_dof + c];
      v = add(v, here);
    }
    const LocalVector<dim> local = multiply<dim>(frame[a], v);
    for (int c = 0; c < dim; ++c)
      U[c] = local[c];
  }

  /// v_p += C_p H_a dP on every piece p of contact a. C_p is symmetric, so its
  /// columns are read as rows.
  void
  change_impulse(const std::size_t a, const double *dP, double *velocity) const
  {
    LocalVector<dim> impulse;
    for (int c = 0; c < dim; ++c)
      impulse[c] = dP[c];
    const LocalVector<dim> f = multiply_transposed<dim>(frame[a], impulse);
    for (std::size_t k = group_start[a]; k < group_start[a + 1]; ++k)
    {
      const auto group     = groups[k];
      const unsigned int n = n_dofs[group.piece];
      const double *C      = compliance[group.piece];
      double *piece        = velocity + velocity_start[group.piece];
      unsigned int e       = group.begin;
      // Two nodes at a time: most contacts have two a side.
      for (; e + 2 <= group.end; e += 2)
        add_rows<2>(entries + e, f, C, n, piece);
      if (e < group.end)
        add_rows<1>(entries + e, f, C, n, piece);
    }
  }

private:
  /// The velocities of a piece are padded to whole registers, C is not.
  template <int n_nodes>
  static void add_rows(const typename Groups::Entry *entry,
                       const LocalVector<dim> &f,
                       const double *C,
                       const unsigned int n,
                       double *__restrict piece)
  {
    constexpr int n_rows = n_nodes * dim;
    const double *row[n_rows];
    double factor[n_rows];
    for (int i = 0; i < n_nodes; ++i)
      for (int c = 0; c < dim; ++c)
      {
        row[i * dim + c]    = C + std::size_t(n) * (entry[i].first_dof + c);
        factor[i * dim + c] = entry[i].weight * f[c];
      }
#if defined(__AVX512F__)
    __m512d factors[n_rows];
    for (int r = 0; r < n_rows; ++r)
      factors[r] = _mm512_set1_pd(factor[r]);
    for (unsigned int j = 0; j < n; j += 8)
    {
      const unsigned int left = n - j;
      const __mmask8 mask     = left >= 8 ? 0xff : (1u << left) - 1u;
      // Two sums: the chain from one contact to the next is what counts.
      __m512d first = _mm512_loadu_pd(piece + j), second = _mm512_setzero_pd();
      for (int r = 0; r < n_rows; ++r)
      {
        const __m512d values = _mm512_maskz_loadu_pd(mask, row[r] + j);
        if (r % 2 == 0)
          first = _mm512_fmadd_pd(factors[r], values, first);
        else
          second = _mm512_fmadd_pd(factors[r], values, second);
      }
      _mm512_storeu_pd(piece + j, _mm512_add_pd(first, second));
    }
#else
    for (unsigned int j = 0; j < n; ++j)
    {
      double sum = piece[j];
      for (int r = 0; r < n_rows; ++r)
        sum += factor[r] * row[r][j];
      piece[j] = sum;
    }
#endif
  }
};

/// Any other operator, through its virtual functions.
template <int dim>
struct VirtualSweep
{
  const DelassusOperator<dim> &W;

  explicit VirtualSweep(const DelassusOperator<dim> &W)
      : W(W)
  {
  }

  void velocity_at(const std::size_t a,
                   const double *P,
                   const double *buffer,
                   double *U,
                   std::ptrdiff_t = 0) const
  {
    W.velocity_at(a, P, buffer, U);
  }

  void
  change_impulse(const std::size_t a, const double *dP, double *buffer) const
  {
    W.change_impulse(a, dP, buffer);
  }
};
} // namespace delassus

#endif

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
//   distance(a, b)                       from the values of row a to those of b

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

  std::ptrdiff_t distance(const std::size_t a, const std::size_t b) const
  {
    return dim * dim *
           (std::ptrdiff_t(row_start[b]) - std::ptrdiff_t(row_start[a]));
  }
};

template <int dim>
struct DenseSweep
{
  std::size_t n; ///< columns
  const double *blocks;

  explicit DenseSweep(const DenseDelassus<dim> &W)
      : n(W.n_columns())
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

  std::ptrdiff_t distance(const std::size_t a, const std::size_t b) const
  {
    return dim * dim * std::ptrdiff_t(n) *
           (std::ptrdiff_t(b) - std::ptrdiff_t(a));
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

  std::ptrdiff_t distance(std::size_t, std::size_t) const
  {
    return 0;
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
      // Small pieces, as in walls: all registers of a piece known at compile
      // time.
      switch ((n + 7) / 8)
      {
        case 1:
          add_nodes<1>(group, f, C, n, piece);
          break;
        case 2:
          add_nodes<2>(group, f, C, n, piece);
          break;
        case 3:
          add_nodes<3>(group, f, C, n, piece);
          break;
        case 4:
          add_nodes<4>(group, f, C, n, piece);
          break;
        default:
          add_nodes<0>(group, f, C, n, piece);
      }
    }
  }

private:
  template <int n_registers>
  void add_nodes(const typename Groups::Group &group,
                 const LocalVector<dim> &f,
                 const double *C,
                 const unsigned int n,
                 double *piece) const
  {
    unsigned int e = group.begin;
    // Two nodes at a time: most contacts have two a side.
    for (; e + 2 <= group.end; e += 2)
      add_rows<2, n_registers>(entries + e, f, C, n, piece);
    if (e < group.end)
      add_rows<1, n_registers>(entries + e, f, C, n, piece);
  }

  /// The velocities of a piece are padded to whole registers of eight values, C
  /// is not. n_registers = 0: not known at compile time.
  template <int n_nodes, int n_registers>
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
        row[i * dim + c]    = C + entry[i].row_offset + std::size_t(c) * n;
        factor[i * dim + c] = entry[i].weight * f[c];
      }
#if defined(__AVX512F__)
    __m512d factors[n_rows];
    for (int r = 0; r < n_rows; ++r)
      factors[r] = _mm512_set1_pd(factor[r]);
    const unsigned int last = (n - 1) / 8 * 8; // where the last register begins
    for (unsigned int j = 0;
         j < (n_registers > 0 ? 8 * (n_registers - 1) : last);
         j += 8)
    {
      // Two sums shorten the chain from one contact to the next.
      __m512d first = _mm512_loadu_pd(piece + j), second = _mm512_setzero_pd();
      for (int r = 0; r < n_rows; ++r)
        if (r % 2 == 0)
          first =
              _mm512_fmadd_pd(factors[r], _mm512_loadu_pd(row[r] + j), first);
        else
          second =
              _mm512_fmadd_pd(factors[r], _mm512_loadu_pd(row[r] + j), second);
      _mm512_storeu_pd(piece + j, _mm512_add_pd(first, second));
    }
    const __mmask8 mask = 0xffu >> (8 - (n - last));
    __m512d sum         = _mm512_loadu_pd(piece + last);
    for (int r = 0; r < n_rows; ++r)
      sum = _mm512_fmadd_pd(
          factors[r], _mm512_maskz_loadu_pd(mask, row[r] + last), sum);
    _mm512_storeu_pd(piece + last, sum);
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

  std::ptrdiff_t distance(std::size_t, std::size_t) const
  {
    return 0;
  }

  void
  change_impulse(const std::size_t a, const double *dP, double *buffer) const
  {
    W.change_impulse(a, dP, buffer);
  }
};
} // namespace delassus

#endif

#include <delassus/base/exceptions.h>
#include <delassus/contact/delassus/dense_delassus.h>
#include <delassus/contact/delassus/sweep_views.h>

#include <fmt/format.h>

#include <algorithm>

namespace delassus
{
template <int dim>
DenseDelassus<dim>::DenseDelassus(const std::size_t n_contacts,
                                  const std::vector<double> &matrix)
    : n(n_contacts)
{
  const std::size_t size = dim * n;
  if (matrix.size() != size * size)
    throw ComputationError(
        fmt::format("Dense W: {} values given, but {} contacts in {}D need {}.",
                    matrix.size(),
                    n,
                    dim,
                    size * size));
  blocks.resize(size * size);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j)
      blocks[((i / dim) * n + j / dim) * dim * dim + (i % dim) * dim +
             j % dim] = matrix[i * size + j];
}


template <int dim>
DenseDelassus<dim>::DenseDelassus(const DelassusOperator<dim> &other)
    : n(other.n_contacts())
    , ghosts(other.n_ghosts())
    , blocks(dim * n * dim * other.n_columns())
{
  const std::size_t n_columns = n + ghosts;
  std::vector<double> unit(dim * n_columns, 0.), column(dim * n);
  for (std::size_t j = 0; j < dim * n_columns; ++j)
  {
    unit[j] = 1.;
    other.multiply(unit.data(), column.data());
    unit[j] = 0.;
    for (std::size_t i = 0; i < dim * n; ++i)
      blocks[((i / dim) * n_columns + j / dim) * dim * dim + (i % dim) * dim +
             j % dim] = column[i];
  }
}


template <int dim>
void DenseDelassus<dim>::diagonal_block(const std::size_t a,
                                        double *block) const
{
  std::copy_n(
      blocks.data() + dim * dim * ((n + ghosts) * a + a), dim * dim, block);
}


template <int dim>
void DenseDelassus<dim>::multiply(const double *P, double *U) const
{
  const DenseSweep<dim> view(*this);
  for (std::size_t a = 0; a < n; ++a)
    view.template velocity_at<dim>(
        a, P, nullptr, U + dim * a, internal::prefetch_distance);
}


template <int dim>
void DenseDelassus<dim>::velocity_at(const std::size_t a,
                                     const double *P,
                                     const double *buffer,
                                     double *U) const
{
  DenseSweep<dim>(*this).velocity_at(a, P, buffer, U);
}


template <int dim>
std::size_t DenseDelassus<dim>::memory_consumption() const
{
  return blocks.size() * sizeof(double);
}

template class DenseDelassus<2>;
template class DenseDelassus<3>;
} // namespace delassus

#ifndef delassus_contact_delassus_dense_delassus_h
#define delassus_contact_delassus_dense_delassus_h

#include <delassus/contact/delassus/aligned_vector.h>
#include <delassus/contact/delassus/delassus_operator.h>

#include <cstddef>
#include <vector>

namespace delassus
{
/// W as a full matrix, stored block by block (block rows contiguous, each block
/// row-major).
template <int dim>
class DenseDelassus final : public DelassusOperator<dim>
{
public:
  /// From a row-major matrix of (dim n)^2 values.
  DenseDelassus(std::size_t n_contacts, const std::vector<double> &matrix);

  /// Every column of another operator.
  explicit DenseDelassus(const DelassusOperator<dim> &other);

  std::size_t n_contacts() const override
  {
    return n;
  }

  std::size_t n_ghosts() const override
  {
    return ghosts;
  }

  void diagonal_block(std::size_t a, double *block) const override;

  void multiply(const double *P, double *U) const override;

  void velocity_at(std::size_t a,
                   const double *P,
                   const double *buffer,
                   double *U) const override;

  std::size_t memory_consumption() const override;

  const char *name() const override
  {
    return "dense";
  }

  const double *block_data() const
  {
    return blocks.data();
  }

  /// Row i, column j of the scalar matrix.
  double operator()(const std::size_t i, const std::size_t j) const
  {
    return blocks[((i / dim) * (n + ghosts) + j / dim) * dim * dim +
                  (i % dim) * dim + j % dim];
  }

private:
  std::size_t n, ghosts = 0;
  AlignedVector<double> blocks;
};
} // namespace delassus

#endif

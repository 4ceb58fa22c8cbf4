#ifndef delassus_contact_delassus_block_sparse_delassus_h
#define delassus_contact_delassus_block_sparse_delassus_h

#include <delassus/contact/delassus/aligned_vector.h>
#include <delassus/contact/delassus/delassus_operator.h>

#include <cstddef>
#include <vector>

namespace delassus
{
/// W assembled, block rows compressed: the blocks of row a are
/// row_start[a] ... row_start[a+1]-1, each row-major, its column index beside
/// it. Every row holds its diagonal block.
template <int dim>
class BlockSparseDelassus final : public DelassusOperator<dim>
{
public:
  /// No contacts.
  BlockSparseDelassus();

  /// Throws ComputationError where the arrays do not fit together, an index is
  /// out of range or a diagonal block is missing.
  BlockSparseDelassus(const std::vector<std::size_t> &row_start,
                      const std::vector<unsigned int> &column,
                      const std::vector<double> &blocks);

  /// Another matrix in the same storage: nothing is allocated when it fits.
  void reinit(const std::vector<std::size_t> &row_start,
              const std::vector<unsigned int> &column,
              const std::vector<double> &blocks);

  std::size_t n_contacts() const override
  {
    return diagonal.size();
  }

  std::size_t n_ghosts() const override
  {
    return ghosts;
  }

  std::size_t n_blocks() const
  {
    return column.size();
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
    return "block sparse";
  }

  // The storage, for the sweep and for writers of problems.
  const std::size_t *row_start_data() const
  {
    return row_start.data();
  }
  const unsigned int *column_data() const
  {
    return column.data();
  }
  const double *block_data() const
  {
    return blocks.data();
  }

private:
  void find_diagonal();

  std::size_t ghosts = 0;
  std::vector<std::size_t> row_start;
  std::vector<std::size_t> diagonal; ///< position of the diagonal block
  AlignedVector<unsigned int> column;
  AlignedVector<double> blocks;

  template <int>
  friend class BodyAssembler;
};
} // namespace delassus

#endif

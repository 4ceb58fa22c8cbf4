#ifndef delassus_contact_global_solvers_independent_parts_h
#define delassus_contact_global_solvers_independent_parts_h

#include <delassus/contact/delassus/block_sparse_delassus.h>
#include <delassus/contact/problem/contact_problem.h>

#include <cstddef>
#include <vector>

namespace delassus
{
/// The parts that a contact problem falls into: contacts a and b are in the
/// same one if a chain of blocks of W that are not zero leads from a to b. Each
/// is a problem of its own. Known for a block-sparse W only. Keeps its arrays.
template <int dim>
class IndependentParts
{
public:
  /// Finds them; returns how many there are, one if they cannot be seen.
  std::size_t find(const ContactProblem<dim> &problem);

  /// The contacts of a part, by increasing number.
  const unsigned int *contacts(const std::size_t part) const
  {
    return members.data() + start[part];
  }

  std::size_t size(const std::size_t part) const
  {
    return start[part + 1] - start[part];
  }

  /// A part as a problem, in force until the next call; its errors use the
  /// scale @p g of impulses of the whole.
  const ContactProblem<dim> &
  make(const ContactProblem<dim> &problem, std::size_t part, double g);

private:
  std::vector<std::size_t> start;
  std::vector<unsigned int> members, part_of, position, parent;

  std::vector<std::size_t> row_start;
  std::vector<unsigned int> column;
  std::vector<double> blocks;
  BlockSparseDelassus<dim> W;
  ContactProblem<dim> one;
};
} // namespace delassus

#endif

#ifndef delassus_linear_solvers_supernodal_entries_h
#define delassus_linear_solvers_supernodal_entries_h

#include <cholmod.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace delassus
{
/// Entries of A^{-1} from CHOLMOD's supernodal factor P A P^T = L L^T, without
/// whole columns of it. A unit vector at column j fills, in L^{-1} e_j, the
/// supernodes on the way from j to the root of the elimination tree, and an
/// entry of row i needs, of the solution with L^T, those on the way from the
/// root to i. So both solutions stay on the union of these ways (its rows
/// numbered one after another), where a whole solution visits all of L: for the
/// nodes of a contact surface this is a small part of a body. If rows and
/// columns are mostly the same, as contact has it, Y = L^{-1} P at them is
/// enough: A^{-1} = Y^T Y.
class SupernodalEntries
{
public:
  /// Another factor, or the first. Values may change later, the pattern not.
  void reinit(const cholmod_factor &L);

  /// E[i + j * rows.size()] = (A_ii^{-1})(rows[i], columns[j]), where i is all
  /// but the last @p n_border columns of L; Y_b as in BorderedFactor if it is
  /// not null. Sets of rows and columns that were asked for last are
  /// recognised.
  void compute(const cholmod_factor &L,
               const unsigned int n_border,
               const std::vector<unsigned int> &rows,
               const std::vector<unsigned int> &columns,
               double *E,
               double *Y_b);

  std::size_t memory_consumption() const;

private:
  void visit(const int supernode);
  /// Y^T Y of the first rows of X = Y.
  void multiply_lower(const cholmod_factor &L, const std::size_t n_places);
  void copy_product(double *E) const;
  void find_union(const cholmod_factor &L, const unsigned int n_border);
  /// The supernodes that the units begin ... end-1 reach.
  void find_ranges(const int begin, const int end);
  void set_units(const int begin, const int end);
  /// L y = e: from the leaves.
  void solve_lower(const cholmod_factor &L);
  /// L^T x = y: from the root.
  void solve_upper(const cholmod_factor &L, const int count);

  std::vector<int> inverse_permutation;
  std::vector<int> supernode_of; ///< of each column of L
  std::vector<int> parent;       ///< of each supernode, -1: a root
  int largest_below = 0;         ///< rows of a supernode below its own

  std::vector<unsigned int> rows, columns; ///< asked for last
  unsigned int with_border = 0;
  std::vector<char> visited;    ///< per supernode
  std::vector<int> parts;       ///< the union: supernodes, children first
  std::vector<int> first_of;    ///< place of the first row of each supernode
  std::vector<int> below_start; ///< per part, into below
  std::vector<int> below;       ///< places of the rows below those of each part
  std::vector<int> row_place, column_place;
  std::vector<int> units; ///< places of the unit vectors, ascending
  std::vector<int> row_unit, column_unit;
  bool one_way = false; ///< by Y^T Y
  /// Per supernode: the units at hand that reach it are among these.
  std::vector<std::pair<int, int>> range;
  std::size_t n_union = 0;
  std::vector<double> X, update, product, solved, border;
};

/// The last @p n rows and columns of a supernodal L, column by column, into
/// what is zero.
void copy_last_block(const cholmod_factor &L, const unsigned int n, double *to);
} // namespace delassus

#endif

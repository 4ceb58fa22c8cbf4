#ifndef delassus_linear_solvers_symmetric_factor_h
#define delassus_linear_solvers_symmetric_factor_h

#include <delassus/base/exceptions.h>
#include <delassus/parameters/parameters.h>

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace delassus
{
/// A symmetric positive definite matrix as compressed columns with both
/// triangles present, rows of a column ascending. A matrix that several ranks
/// share: each has the columns first ... first+n-1, ranks in ascending order;
/// row numbers are global.
struct SymmetricMatrix
{
  unsigned int n = 0;
  std::vector<int> column_start;
  std::vector<int> row;
  std::vector<double> value;
  unsigned int first = 0; ///< global number of the first column

  std::size_t memory_consumption() const
  {
    return column_start.size() * sizeof(int) +
           row.size() * (sizeof(int) + sizeof(double));
  }
};

/// The inverse of such a matrix, applied to blocks of right-hand sides. If
/// ranks share the matrix, all functions are collective.
class SymmetricFactor
{
public:
  virtual ~SymmetricFactor() = default;

  /// Columns of this rank: all of them, unless ranks share the matrix.
  virtual unsigned int n() const = 0;

  /// X := A^{-1} X for @p n_columns columns of length n, one after another.
  virtual void solve(double *X, const unsigned int n_columns) = 0;

  /// The entries (rows[i], columns[j]) of A^{-1}, global numbers, the same on
  /// all ranks: E[i + j * rows.size()]. A shared matrix leaves them on every
  /// rank.
  virtual void inverse_entries(const std::vector<unsigned int> &rows,
                               const std::vector<unsigned int> &columns,
                               double *E);

  /// Factorize another matrix of the same pattern, if it can: what depends on
  /// the pattern only is kept. Throws as the making of it does; the factor may
  /// be given another matrix then.
  virtual bool refactorize(const SymmetricMatrix &)
  {
    return false;
  }

  /// Floating-point operations of a factorization and values of the factor, if
  /// it knows.
  virtual double work() const
  {
    return 0.;
  }
  virtual double n_values() const
  {
    return 0.;
  }

  virtual std::size_t memory_consumption() const = 0;

  virtual const char *name() const = 0;

private:
  std::vector<double> block;
};

/// Right-hand sides that are solved for at a time.
constexpr unsigned int right_hand_side_block = 64;

/// What was asked for does not fit into the memory it may take. Found out
/// before it is attempted.
class MemoryLimitError : public ComputationError
{
public:
  MemoryLimitError(const std::string &what_needs_it,
                   const double bytes_needed,
                   const double bytes_allowed);

  const double needed, allowed;
};

/// A matrix that should be positive definite is not: a tangent of material or
/// geometry that softens.
class NotPositiveDefinite : public ComputationError
{
public:
  using ComputationError::ComputationError;
};

/// The explicit inverse: for blocks of a few nodes applying it is one matrix
/// product.
std::unique_ptr<SymmetricFactor> make_dense_inverse(const SymmetricMatrix &A,
                                                    double bytes_allowed);

/// CHOLMOD's sparse Cholesky factor, ordered by AMD or METIS, whichever gives
/// less fill.
std::unique_ptr<SymmetricFactor> make_cholmod_factor(const SymmetricMatrix &A,
                                                     double bytes_allowed);

/// MUMPS' factor of a matrix that the ranks of @p communicator share, or that
/// one rank has alone (MPI_COMM_SELF). Collective.
std::unique_ptr<SymmetricFactor> make_mumps_factor(const SymmetricMatrix &A,
                                                   double bytes_allowed,
                                                   MPI_Comm communicator);

/// The factor of a matrix that the ranks of @p communicator share, made by each
/// of them as factorize() does, so that results are the same to the last bit
/// each time. (MUMPS on several ranks adds up in the order in which messages
/// arrive.) Collective.
std::unique_ptr<SymmetricFactor>
make_gathered_factor(const SymmetricMatrix &A,
                     const LinearSolverType type,
                     const double bytes_allowed,
                     MPI_Comm communicator);

/// The factor of a matrix that the ranks of @p communicator share: each
/// factorizes its part with CHOLMOD, all of them the Schur complement on the
/// dofs between the parts. The same to the last bit each time. Null, unless it
/// is wanted @p anyway, if there are so many of these that it would not pay.
/// Collective.
std::unique_ptr<SymmetricFactor>
make_substructured_factor(const SymmetricMatrix &A,
                          const double bytes_allowed,
                          MPI_Comm communicator,
                          const bool anyway = false);

/// x := D x, D the reciprocal of a diagonal matrix.
std::unique_ptr<SymmetricFactor>
make_diagonal_inverse(std::vector<double> inverse);

/// x := D x - D A D x: two terms of the series of (D^-1 + A)^-1.
std::unique_ptr<SymmetricFactor>
make_two_term_inverse(std::vector<double> inverse, SymmetricMatrix A);

/// A matrix that this rank has alone. automatic: the dense inverse up to
/// @p dense_limit unknowns, CHOLMOD above. All of these throw ComputationError
/// if A is not positive definite, and MemoryLimitError, before factorizing, if
/// the factor would take more than @p bytes_allowed. The type `amg` is not made
/// here but in linear_solvers/multigrid.
std::unique_ptr<SymmetricFactor>
factorize(const SymmetricMatrix &A,
          const unsigned int dense_limit = 250,
          const LinearSolverType type    = LinearSolverType::automatic,
          const double bytes_allowed     = 1e300);

/// The message of a matrix that is not positive definite.
[[noreturn]] void throw_not_positive_definite(const std::string &where);
} // namespace delassus

#endif

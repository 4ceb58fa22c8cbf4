#ifndef delassus_systems_carrier_inverse_h
#define delassus_systems_carrier_inverse_h

#include <delassus/linear_solvers/memory_budget.h>

#include <memory>
#include <vector>

namespace delassus
{
/// Congruent pieces of a system share one inverse: class_of_piece names it, and
/// representative the piece that it is made for. A system whose pieces are
/// split over ranks is one class, made by all ranks together.
struct PieceClasses
{
  std::vector<unsigned int> class_of_piece;
  std::vector<unsigned int> representative; ///< first piece of each class

  unsigned int n_classes() const
  {
    return representative.size();
  }
};

/// Operations of a factorization and values of the factors; zero: not known.
/// They do not depend on what else was asked of these.
struct FactorWork
{
  double operations = 0., values = 0.;
};

/// w of a system as contact sees it: from impulses on carriers to the
/// velocities of carriers, class by class of congruent pieces. Carriers are
/// numbered within their piece.
template <int dim>
class CarrierInverse
{
public:
  explicit CarrierInverse(std::shared_ptr<MemoryBudget> budget)
      : budget(std::move(budget))
  {
  }
  virtual ~CarrierInverse() = default;

  /// Carriers of a piece of the class.
  virtual unsigned int n_carriers(const unsigned int class_index) const = 0;

  /// w restricted to some carriers of a class, row-major, dim*n x dim*n. Only
  /// on ranks that own a piece of the class.
  virtual std::vector<double>
  compliance(const unsigned int class_index,
             const std::vector<unsigned int> &carriers) = 0;

  /// The entries of w at some rows and columns, E[i + j * dim * rows.size()],
  /// not made symmetric. Only on ranks that own a piece of the class; of a
  /// split system on all.
  virtual void entries(const unsigned int class_index,
                       const std::vector<unsigned int> &rows,
                       const std::vector<unsigned int> &columns,
                       double *E) = 0;

  /// Mean diagonal of the effective matrix at the given carriers, without what
  /// is prescribed.
  virtual double
  effective_diagonal(const unsigned int class_index,
                     const std::vector<unsigned int> &carriers) const = 0;

  /// Whether w is diagonal (M^-1 of a lumped mass): each carrier is then a
  /// piece of its own to W.
  virtual bool is_diagonal() const = 0;

  /// What the budget has left; of a split system on the rank that has least.
  virtual double least_available() const = 0;

  /// Another number each time that w has changed.
  unsigned int version = 0;

  /// What factors and compliances may take; shared by all systems.
  const std::shared_ptr<MemoryBudget> budget;
};
} // namespace delassus

#endif

#ifndef delassus_contact_delassus_applied_delassus_h
#define delassus_contact_delassus_applied_delassus_h

#include <delassus/contact/delassus/delassus_operator.h>
#include <delassus/contact/local_solvers/local_algebra.h>

#include <array>
#include <functional>
#include <vector>

namespace delassus
{
/// W that is never formed, for bodies whose compliance does not fit into
/// memory: each product is r = H P, v = w r by the linear solver, U = H* v.
/// There is no cheap row product, so this is for solvers that need products
/// only (ProjectedGradient). If ranks share the contacts, each has its own and
/// products are collective.
template <int dim>
class AppliedDelassus final : public DelassusOperator<dim>
{
public:
  /// U = W P for the own contacts.
  using Product = std::function<void(const double *P, double *U)>;

  /// @p diagonal: an estimate of W^{aa}, which scales the iterations and tells
  /// contacts that nothing can move (zero).
  /// @p remembers: a product with impulses of one of the last products is not
  /// made again. Not where products are collective: ranks may differ in what
  /// they remember.
  AppliedDelassus(Product product,
                  std::vector<LocalMatrix<dim>> diagonal,
                  bool remembers = false);

  std::size_t n_contacts() const override
  {
    return diagonal.size();
  }

  /// Estimated.
  void diagonal_block(std::size_t a, double *block) const override;

  void multiply(const double *P, double *U) const override;

  /// By a whole product: for checks only.
  void velocity_at(std::size_t a,
                   const double *P,
                   const double *buffer,
                   double *U) const override;

  std::size_t memory_consumption() const override
  {
    return diagonal.size() * sizeof(LocalMatrix<dim>);
  }

  const char *name() const override
  {
    return "applied only";
  }

private:
  Product product;
  std::vector<LocalMatrix<dim>> diagonal;

  /// Methods look at the same impulses again: as the start of the next problem,
  /// as an iterate, as the result.
  struct Known
  {
    std::vector<double> P, U;
  };
  const bool remembers;
  mutable std::array<Known, 4> known;
  mutable unsigned int oldest = 0;
};
} // namespace delassus

#endif

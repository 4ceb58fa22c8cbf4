#ifndef delassus_contact_exchange_imported_problem_h
#define delassus_contact_exchange_imported_problem_h

#include <delassus/contact/delassus/delassus_operator.h>
#include <delassus/contact/exchange/body_inverse.h>
#include <delassus/contact/problem/contact_problem.h>

#include <memory>
#include <string>

namespace delassus
{
/// Whether W of a global problem is formed, or only applied by way of the
/// bodies (for methods that work on the global form).
enum class Condensation
{
  formed,
  applied
};

/// An exchanged problem as the solvers want it, with all that it is made of. W
/// is taken as it is, also if it is not symmetric.
///
/// The scale g of the unit-free error is the mean diagonal of W, or for a
/// global problem 1/(mean diagonal of M at contact dofs, that is in the rows
/// that H has entries in).
template <int dim>
class ImportedProblem
{
public:
  /// Throws InputError if the problem is not well formed or is one of the other
  /// dimension, or if M cannot be inverted.
  explicit ImportedProblem(const ExchangeProblem &exchanged,
                           Condensation condensation = Condensation::formed);

  ImportedProblem(const ImportedProblem &)            = delete;
  ImportedProblem &operator=(const ImportedProblem &) = delete;

  const ContactProblem<dim> &problem() const
  {
    return contact_problem;
  }

  /// Null for a local problem.
  const BodyInverse *inverse() const
  {
    return body_inverse.get();
  }

private:
  void take_matrix(const CompressedColumns &W);

  std::unique_ptr<BodyInverse> body_inverse;
  GlobalForm global_form;
  std::unique_ptr<DelassusOperator<dim>> W;
  ContactProblem<dim> contact_problem;
};
} // namespace delassus

#endif

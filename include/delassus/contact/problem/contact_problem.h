#ifndef delassus_contact_problem_contact_problem_h
#define delassus_contact_problem_contact_problem_h

#include <delassus/contact/delassus/delassus_operator.h>
#include <delassus/contact/laws/change_of_variables.h>
#include <delassus/contact/problem/exchange_problem.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace delassus
{
class SymmetricFactor;
struct SymmetricMatrix;

/// What W is made of: W = H^T A^{-1} H, with A the effective matrix of all
/// bodies (symmetric, both triangles) and a column of H for each component of
/// each contact. For methods that do not form W.
struct GlobalForm
{
  CompressedColumns A, H;

  /// x := A^{-1} x, where someone has the factors already; may be empty.
  std::function<void(double *x)> solve;

  /// Another number each time that A or H has changed; 0: not counted.
  unsigned long version = 0;

  /// Ranks that share A: each has its columns from `first` on, ranks in
  /// ascending order. Rows of A, H and the diagonal are those of all ranks,
  /// known to all. Who solves the problem does so on all ranks alike, and calls
  /// these functions on all of them.
  struct Share
  {
    std::size_t first = 0;
    std::vector<double> diagonal;
    /// The factor of a matrix that has its columns as A has them.
    std::function<std::unique_ptr<SymmetricFactor>(const SymmetricMatrix &,
                                                   double bytes_allowed)>
        factorize;
    /// x with the values of this rank's columns to x with all values.
    std::function<void(double *x)> complete;
    /// Whether it is so on all ranks.
    std::function<bool(bool)> on_all;
  };
  std::shared_ptr<const Share> share; ///< null: A is here as a whole
};

/// The contact problem of one step as a value: find P, U = W P + U_free such
/// that every contact's law holds.
template <int dim>
struct ContactProblem
{
  const DelassusOperator<dim> *W = nullptr; ///< null: no contacts
  std::vector<double> U_free;               ///< dim values a contact
  std::vector<ChangeOfVariables<dim>> laws; ///< one a contact

  /// Velocities near those of the solution, with which the impulses given make
  /// a better start (statuses, directions of sliding) than with W P + U_free;
  /// may be empty.
  std::vector<double> U_guess;

  /// g of the unit-free error, a velocity per impulse: 1/(mean diagonal of the
  /// effective matrix at contact dofs). Not positive: the mean diagonal of W.
  double impulse_scale = 0.;

  const GlobalForm *global = nullptr; ///< where it is known

  /// Makes the global form when a method asks for it; may be empty.
  std::function<const GlobalForm *()> make_global;

  bool has_global() const
  {
    return global != nullptr || make_global;
  }

  const GlobalForm *global_form() const
  {
    return global != nullptr ? global : make_global ? make_global() : nullptr;
  }

  /// Bytes that factors of the global form may take; 0: what the machine has.
  double memory_limit = 0.;

  double h = 1.; ///< time step: lengths are h U, forces are P / h

  std::size_t n_contacts() const
  {
    return laws.size();
  }
};

/// Throws ComputationError where the parts do not fit together or a value is
/// not finite (the message names the contact).
template <int dim>
void check_problem(const ContactProblem<dim> &problem);

/// The g that is used: impulse_scale, or the mean diagonal of W.
template <int dim>
double effective_impulse_scale(const ContactProblem<dim> &problem);
} // namespace delassus

#endif

#ifndef delassus_contact_global_solvers_contact_matrix_h
#define delassus_contact_global_solvers_contact_matrix_h

#include <delassus/contact/local_solvers/local_algebra.h>
#include <delassus/contact/problem/contact_problem.h>
#include <delassus/linear_solvers/gmres.h>
#include <delassus/linear_solvers/symmetric_factor.h>

#include <memory>
#include <vector>

namespace delassus
{
/// The matrix of bodies whose contacts have a stiffness,
///
///   B = A + sum_a H_a K_a H_a^T,
///
/// about as sparse as A. K_a is not symmetric where friction depends on
/// pressure. A factor is made with symmetric parts S_a instead, and GMRES does
/// the rest: with S = A + sum_a H_a S_a H_a^T,
///
///   (1 + sum_a H_a (K_a - S_a) H_a^T S^{-1}) z = b,   x = S^{-1} z,
///
/// an operator that differs from 1 only by what friction makes of the pressure
/// that it changes, or by the few contacts whose stiffness has changed since
/// the factor was made. What depends on the pattern only is kept as long as it
/// is enough, over problems and steps.
template <int dim>
class ContactMatrix
{
public:
  /// Another A or H. The form must live as long as this is used.
  void reinit(const GlobalForm &form, const double memory_limit);

  /// S := A + sum_a H_a S_a H_a^T. False: it is not positive definite.
  bool factorize(const std::vector<LocalMatrix<dim>> &S);

  /// x := B^{-1} x with these K_a. Returns the part of the right-hand side that
  /// is not reached.
  double solve(const std::vector<LocalMatrix<dim>> &K, std::vector<double> &x);

  /// Bring the symmetric part along unchanged: x := S^{-1} x.
  void solve_symmetric(double *x)
  {
    factor->solve(x, 1);
  }

  // y += H_a f, and H_a^T x.
  void add_impulse(const std::size_t a, const double *f, double *y) const;
  LocalVector<dim> velocity(const std::size_t a, const double *x) const;

  std::size_t n_unknowns() const
  {
    return matrix.n;
  }

  /// The stiffnesses that the factor has.
  const std::vector<LocalMatrix<dim>> &factorized() const
  {
    return in_factor;
  }

  // Of all calls.
  std::size_t n_analyses = 0, n_factorizations = 0, n_solutions = 0;

private:
  /// Whether the pattern has room for A and for H_a H_a^T of all contacts.
  bool fits(const GlobalForm &form);
  void make_pattern(const GlobalForm &form);
  void read_rows(const GlobalForm &form);
  int place(const int row, const int column) const;

  const GlobalForm *form = nullptr;
  double memory_limit    = 0.;
  SymmetricMatrix matrix;           ///< A + H H^T
  std::vector<int> place_of_A;      ///< in matrix.value
  std::vector<std::size_t> A_start; ///< the pattern of A that it was made for
  std::vector<unsigned int> A_row;
  bool pattern_is_new = false;
  std::unique_ptr<SymmetricFactor> factor;

  // H contact by contact: the unknowns that it acts on, and for each of them
  // its dim values.
  std::vector<std::size_t> h_start;
  std::vector<int> h_row;
  std::vector<double> h_value;

  std::vector<LocalMatrix<dim>> in_factor;
  Gmres gmres;
  std::vector<double> z, work;
};
} // namespace delassus

#endif

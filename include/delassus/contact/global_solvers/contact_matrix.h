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
/// Bodies whose contacts have a stiffness: find x with
///
///   A x = sum_a H_a f_a,   f_a = e_a - K_a (H_a^T x + o_a).
///
/// K_a is not symmetric where friction depends on pressure, and large where a
/// contact is nearly rigid. A factor is made with symmetric parts S_a instead,
/// S = A + sum_a H_a S_a H_a^T, about as sparse as A, and GMRES finds the rest
/// y of the forces,
///
///   S x = b + y,   b = sum_a H_a (e_a - S_a o_a),
///   y = -sum_a H_a (K_a - S_a) (H_a^T S^{-1} (b + y) + o_a).
///
/// y is what friction makes of the pressure that it changes, or the force of
/// the few contacts whose stiffness has changed since the factor was made. What
/// depends on the pattern only is kept as long as it is enough, over problems
/// and steps.
///
/// Where ranks share A each of them adds to its own columns, and they share the
/// factor; all vectors are known to all. All functions are collective then.
template <int dim>
class ContactMatrix
{
public:
  /// Another A or H. The form must live as long as this is used.
  void reinit(const GlobalForm &form, const double memory_limit);

  /// The same A and H, the pattern and the factor are kept; but perhaps in
  /// another place.
  void keep(const GlobalForm &form_in)
  {
    form = &form_in;
  }

  /// S := A + sum_a H_a S_a H_a^T. False: it is not positive definite.
  bool factorize(const std::vector<LocalMatrix<dim>> &S);

  /// x, with what GMRES leaves of y at most @p tolerance of its first guess, or
  /// at most @p enough if that is less than a tenth of it. False if it does not
  /// come there in @p most_iterations.
  bool solve(const std::vector<LocalMatrix<dim>> &K,
             const std::vector<double> &o,
             const std::vector<double> &e,
             const double tolerance,
             const double enough,
             std::vector<double> &x,
             const unsigned int most_iterations = 60);

  /// x := S^{-1} x.
  void apply_inverse(double *x);

  // y += H_a f, and H_a^T x.
  void add_impulse(const std::size_t a, const double *f, double *y) const;
  LocalVector<dim> velocity(const std::size_t a, const double *x) const;

  std::size_t n_unknowns() const
  {
    return form->A.n_rows;
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
  /// Where an entry of a column of this rank is, or -1.
  int place(const int row, const int column) const;
  bool has_column(const int column) const
  {
    return column >= int(matrix.first) && column < int(matrix.first + matrix.n);
  }
  void make_factor();

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
  std::vector<std::size_t> others; ///< contacts with K_a - S_a
  std::vector<LocalMatrix<dim>> difference;
  std::vector<double> y, force;
  std::vector<std::vector<double>> images; ///< S^{-1} of what GMRES tries
};
} // namespace delassus

#endif

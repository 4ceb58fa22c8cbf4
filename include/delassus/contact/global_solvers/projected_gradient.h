#ifndef delassus_contact_global_solvers_projected_gradient_h
#define delassus_contact_global_solvers_projected_gradient_h

#include <delassus/contact/global_solvers/affine_solve.h>
#include <delassus/contact/global_solvers/anderson.h>
#include <delassus/contact/global_solvers/contact_solver.h>

namespace delassus
{
/// The Signorini-Coulomb problem by products with W only, for operators whose
/// rows are not known (AppliedDelassus). The solution is a fixed point of
///
///   T(r) = proj_C(r - rho_a (u_N + mu |u_T|, u_T)),   u = W r + q,
///
/// projected gradients with De Saxce's correction; rho_a is a number for each
/// contact, from W^{aa} and the largest eigenvalue. Anderson's acceleration
/// over the last iterates makes it as fast as a Krylov method once statuses
/// have settled; an iterate that is worse than the best so far is taken back
/// and the memory begins anew. One product an iteration.
///
/// Error measure, tolerance and result are those of GaussSeidel; a sweep of
/// the result is one product.
template <int dim>
class ProjectedGradient final : public ContactSolver<dim>
{
public:
  explicit ProjectedGradient(const ContactSolverParameters &parameters);

  /// As GaussSeidel::solve. Affine laws by way of the standard problem
  /// (AffineSolve). With a @p coupling the ranks solve one problem, each
  /// with its own contacts; products with W are then collective.
  const ContactResult &solve(const ContactProblem<dim> &problem,
                             std::vector<double> &P,
                             std::vector<double> &U,
                             RankCoupling<dim> *coupling = nullptr) override;

  const char *name() const override
  {
    return "projected gradient";
  }

  void set_time_limit(const double seconds) override
  {
    parameters.time_limit = seconds;
  }

  void set_tolerance(const double tolerance) override
  {
    parameters.tolerance = tolerance;
  }

  /// For methods that use its products in between.
  void set_max_sweeps(const unsigned int n_products)
  {
    parameters.max_sweeps = n_products;
  }

private:
  struct Contact
  {
    LocalVector<dim> q;
    const ChangeOfVariables<dim> *law;
    double weight; ///< 1 / mean diagonal of W^{aa}; zero: P = 0 always
  };

  void check(const ContactProblem<dim> &problem,
             const std::vector<double> &P) const;

  void prepare(const ContactProblem<dim> &problem,
               const std::vector<double> &P);

  /// W times r.
  void product(const ContactProblem<dim> &problem,
               const std::vector<double> &r,
               std::vector<double> &Wr);

  void find_step(const ContactProblem<dim> &problem);

  /// T(r) into y and f = T(r) - r, given Wr; returns |f| in the norm of the
  /// weights, and the natural map of the unit-free error.
  double fixed_point(double &natural_map);

  void accelerate();

  double weighted_product(const std::vector<double> &a,
                          const std::vector<double> &b) const;

  double summed(double value) const;
  void sum(double *values, std::size_t n) const;

  ContactSolverParameters parameters;
  MadeWhenNeeded<AffineSolve<dim>> affine;
  RankCoupling<dim> *coupling = nullptr;
  std::vector<Contact> contacts;
  std::vector<double> r, Wr, y, f; ///< this iterate
  std::vector<double> best_y;      ///< T of the best one
  std::vector<double> least_r;     ///< of the least natural map
  std::vector<double> direction;   ///< of the largest eigenvalue
  Anderson anderson;
  double largest_eigenvalue = 0.; ///< of the weighted W
  double g = 1., norm_q = 0.;
  ContactResult result;
};
} // namespace delassus

#endif

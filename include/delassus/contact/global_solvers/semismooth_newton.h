#ifndef delassus_contact_global_solvers_semismooth_newton_h
#define delassus_contact_global_solvers_semismooth_newton_h

#include <delassus/contact/delassus/dense_delassus.h>
#include <delassus/contact/global_solvers/affine_solve.h>
#include <delassus/contact/global_solvers/best_iterate.h>
#include <delassus/contact/global_solvers/contact_matrix.h>
#include <delassus/contact/global_solvers/contact_solver.h>
#include <delassus/contact/global_solvers/gauss_seidel.h>
#include <delassus/contact/global_solvers/projected_gradient.h>
#include <delassus/linear_solvers/general_factor.h>

#include <array>
#include <memory>
#include <vector>

namespace delassus
{
/// Semismooth Newton on all contacts at once, in the form of Alart and Curnier:
/// with z = D r - u, D the size of the contact's W^{aa} (in the global form
/// see Sizes), and the disk of radius mu max(0,
/// z_N),
///
///   F_N = D r_N - max(0, z_N),   F_T = D r_T - proj_disk(z_T),
///
/// a velocity that vanishes exactly at solutions. Open contacts have dr = -r:
/// the linear system has the closed ones only,
///
///   (A W + D B) dr = -F        condensed (local form),
///   M dv - H dr = 0,  A H^T dv + D B dr = -F        global form,
///
/// A and B the blocks of dF = A du + D B dr. In the global form dr is
/// eliminated, which alpha (below) makes possible for all contacts: momentum
/// and contact are one matrix, as sparse as M (ContactMatrix). Where that
/// stands still (masses of very different size: alpha makes of them what
/// rounding does not bear) dv and dr are solved for together.
///
/// W is singular where contacts are redundant. The method is therefore that of
/// a proximal point: u = W r + q + alpha D (r - centre), with the centre moved
/// to the solution each time. alpha is small from the start, because an
/// extrapolation along r - centre and sweeps of Gauss-Seidel, which also choose
/// the first branches, bring the iterate close; it is made ten times smaller
/// each time that Newton's method converges quickly.
///
/// The line search is non-monotone (Grippo, Lampariello, Lucidi): the merit
/// |F|^2 must decrease with respect to the largest of the last ten. Where it
/// makes no progress any more (a kink), sweeps from where it stands, not from
/// the best iterate, lead on, twice as many each time, with another alpha.
template <int dim>
class SemismoothNewton final : public ContactSolver<dim>
{
public:
  /// @p global: in the global form; the problem must have it.
  explicit SemismoothNewton(const ContactSolverParameters &parameters,
                            bool global = false);

  /// Affine laws by way of the standard problem (AffineSolve). Refuses ranks by
  /// a ComputationError.
  const ContactResult &solve(const ContactProblem<dim> &problem,
                             std::vector<double> &P,
                             std::vector<double> &U,
                             RankCoupling<dim> *coupling = nullptr) override;

  const char *name() const override
  {
    return global ? "global Newton" : "Newton";
  }

  void set_time_limit(const double seconds) override
  {
    parameters.time_limit = seconds;
  }

  void set_tolerance(const double tolerance) override
  {
    parameters.tolerance = tolerance;
    between.sweeps.set_tolerance(tolerance);
    between.products.set_tolerance(tolerance);
  }

  void forget() override
  {
    whole = Global();
  }

  /// Iterations after which it gives up; and how often sweeps may lead on.
  void set_limits(unsigned int iterations, unsigned int restarts);

private:
  enum class Branch : unsigned char
  {
    fixed,
    open,
    stick,
    slip
  };

  /// A point with its velocities, F, branches and |F|^2.
  struct Point
  {
    std::vector<double> r, u, F;
    std::vector<double> true_u; ///< W r + q
    std::vector<Branch> branch;
    double merit = 0.;
    void resize(std::size_t n);
  };

  /// All of a point from its r, or from that and its true_u.
  void evaluate(Point &point, bool know_velocities = false) const;

  /// A and B of one closed contact.
  void jacobian(std::size_t a, LocalMatrix<dim> &A, LocalMatrix<dim> &B) const;

  /// The Newton step at the current point into `step`; false if the matrix is
  /// singular to working precision.
  bool find_step();
  void assemble_condensed();
  void assemble_saddle_point();
  bool find_global_step();

  /// The first step, from impulses and velocities of an earlier solution, which
  /// know how contacts slide. Taken if it is better than where it began.
  void predict(const ContactProblem<dim> &problem);

  /// Global form: the first step from no impulses at all.
  void suppose_sticking();

  /// Global form: D of this problem; the trace of W over that of D, as far as a
  /// few products tell; D that fits the load of the current point, if it does
  /// not.
  void choose_sizes(bool has_guess);
  double trace_ratio() const;
  void fit_sizes();

  /// A point of less merit along the step becomes the current one.
  bool search_line();

  /// The proximal problem is solved: its solution becomes the centre, or a
  /// point further along.
  void move_centre();

  /// Begin anew at r with this alpha.
  void begin_at(const std::vector<double> &r, double alpha);

  /// Sweeps into `between.P`.
  void sweep_on(const ContactProblem<dim> &problem,
                const std::vector<double> &from,
                unsigned int n_sweeps);

  /// Sweeps between Newton's iterations. Where W is applied only a sweep would
  /// be a product for each contact: on a copy of W, or projected gradients if
  /// it is large.
  struct Between
  {
    explicit Between(const ContactSolverParameters &parameters);
    GaussSeidel<dim> sweeps;
    ProjectedGradient<dim> products;
    ContactProblem<dim> copied_problem; ///< with `copied`
    std::unique_ptr<DenseDelassus<dim>> copied;
    std::vector<double> P, U;
  };

  ContactSolverParameters parameters;
  const bool global;
  unsigned int max_iterations, max_restarts = 1000;
  MadeWhenNeeded<AffineSolve<dim>> affine;
  StandardRows<dim> rows;
  BestIterate<dim> best;
  GeneralFactor factor;
  Between between;

  double alpha = 0.;
  Point here, trial, begun;
  std::vector<double> centre, step, rhs, u_along;
  std::vector<double> excess; ///< W r + q - u of the point, or empty: zero
  std::vector<int> unknown;   ///< first number of a closed contact, or -1
  int n_unknowns = 0;
  std::array<double, 10> history; ///< of the merit
  unsigned int n_history = 0;
  unsigned int inner     = 0;     ///< iterations since the centre was moved
  unsigned int n_centres = 0;     ///< moves of it
  bool stood_still       = false; ///< in this problem

  /// Factors of D in the global form: that of the trace of W, or one that fits
  /// the load, r^T W r / r^T r, where that is smaller or nothing is known.
  struct Sizes
  {
    double of_trace   = 1.,
           n_measured = 0.; ///< and contacts when it was measured
    double of_load    = 1.;
    bool has_load     = false;
    bool by_load      = false; ///< in any case
    bool from_trace   = false; ///< in this problem
  };

  /// Of the global form.
  struct Global
  {
    ContactMatrix<dim> matrix;
    std::vector<Branch> branch; ///< of the factor; empty: there is none
    double alpha          = 0.; ///< the same
    unsigned long version = 0;  ///< of the form that it belongs to
    Sizes sizes;
    std::vector<LocalMatrix<dim>> G, K, K_symmetric;
    std::vector<double> offset, constant, dv;
  };
  Global whole;
  ContactResult result;
};
} // namespace delassus

#endif

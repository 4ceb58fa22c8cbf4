#ifndef delassus_contact_global_solvers_auto_solver_h
#define delassus_contact_global_solvers_auto_solver_h

#include <delassus/contact/global_solvers/independent_parts.h>
#include <delassus/contact/global_solvers/method_sequence.h>

#include <vector>

namespace delassus
{
/// The method chosen from the problem: a few sweeps of Gauss-Seidel over all
/// contacts, then the methods of MethodSequence, each from the best iterate on.
///
/// Contacts that no chain of blocks of W connects are independent problems. A
/// pile falls into many of them, and each has its own pace: where W is block
/// sparse those that the first sweeps have not solved are pursued one by one.
/// The square of the error (of both measures) is a sum over contacts; a part
/// is solved when its sum is at most its contacts' share of what is allowed
/// and not used by those before it. The error of the whole decides in the end.
///
/// Affine laws are made standard first (AffineSolve): on W where its rows in
/// their variables are not too many, else, after some sweeps, on the global
/// form or, without one, by products.
///
/// Contacts shared by ranks are left to Gauss-Seidel; a W that is applied only,
/// without global form or with one whose factors do not fit into memory, to
/// projected gradients. Where W is too large to be factorized, sweeps go on
/// with Anderson's acceleration.
template <int dim>
class AutoSolver final : public ContactSolver<dim>
{
public:
  explicit AutoSolver(const ContactSolverParameters &parameters);

  /// Iterations of the result: those of the part that took most.
  const ContactResult &solve(const ContactProblem<dim> &problem,
                             std::vector<double> &P,
                             std::vector<double> &U,
                             RankCoupling<dim> *coupling = nullptr) override;

  const char *name() const override
  {
    return "auto";
  }

  void set_time_limit(const double seconds) override
  {
    parameters.time_limit = seconds;
    whole.set_time_limit(seconds);
    part.set_time_limit(seconds);
  }

  void set_tolerance(const double tolerance) override
  {
    parameters.tolerance = tolerance;
    whole.set_limits(parameters.max_sweeps, tolerance);
  }

  void forget() override
  {
    whole.forget();
    part.forget();
  }

  void archive(Archive &archive) override
  {
    whole.archive(archive);
    part.archive(archive);
  }

private:
  const ContactResult &solve_affine(const ContactProblem<dim> &problem,
                                    std::vector<double> &P,
                                    std::vector<double> &U,
                                    bool applied);

  /// Sums over the contacts of a part.
  struct PartSums
  {
    double F2 = 0., size2 = 0.; ///< of the natural map; of what divides it
    bool movable = false;
  };

  /// Part by part from P, with the result of the first sweeps.
  void solve_parts(const ContactProblem<dim> &problem,
                   std::size_t n_parts,
                   std::vector<double> &P,
                   std::vector<double> &U);

  /// Those of all parts at P, U; returns the largest F2 that is allowed for
  /// their sum.
  double sum_parts(const ContactProblem<dim> &problem,
                   std::size_t n_parts,
                   const std::vector<double> &P,
                   const std::vector<double> &U);

  /// One part from its impulses on, into P and its sums; false if it is not
  /// solved.
  bool pursue_part(const ContactProblem<dim> &problem,
                   std::size_t number,
                   double F2_allowed,
                   std::vector<double> &P);

  bool is_siconos() const
  {
    return parameters.criterion == ContactCriterion::siconos;
  }

  void count_statuses();

  ContactSolverParameters parameters;
  MadeWhenNeeded<AffineSolve<dim>> affine;
  MethodSequence<dim> whole, part;
  GaussSeidel<dim> sweeps;         ///< where nothing else is possible
  ProjectedGradient<dim> products; ///< the same
  IndependentParts<dim> parts;
  std::vector<PartSums> sums;
  std::vector<std::size_t> by_size;
  std::vector<unsigned int> part_iterations;
  std::vector<double> given, part_given, part_P, part_U;
  double g = 1.; ///< scale of impulses
  std::chrono::steady_clock::time_point begin;
  ContactResult result;
};
} // namespace delassus

#endif

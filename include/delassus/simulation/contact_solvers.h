#ifndef delassus_simulation_contact_solvers_h
#define delassus_simulation_contact_solvers_h

#include <delassus/contact/global_solvers/gauss_seidel.h>
#include <delassus/contact/global_solvers/projected_gradient.h>
#include <delassus/simulation/contact_ranks.h>
#include <delassus/simulation/contact_replica.h>

namespace delassus
{
/// The Signorini-Coulomb loop: the solver that the parameters name, or one that
/// ranks can share, or one that needs products with W only.
template <int dim>
class ContactSolvers
{
public:
  explicit ContactSolvers(const Model<dim> &model);

  /// Solve to this part of the tolerance that was asked for: where a Newton
  /// loop cannot balance momentum better than impulses are known. What is
  /// asked for does not change.
  void set_tolerance_factor(const double factor);

  /// No better than to this error, unit free: an iteration of a Newton loop
  /// needs impulses no more exact than what it leaves of the residual.
  void set_forcing(const double error);

  /// P, where it begins from, and U; @p applied_only: W has no blocks. Ranks
  /// together.
  ContactResult solve(const ContactProblem<dim> &problem,
                      const bool applied_only,
                      ContactRanks<dim> &ranks,
                      std::vector<double> &P,
                      std::vector<double> &U);

  /// The same by all ranks, without W.
  ContactResult solve(ContactReplica<dim> &replica,
                      const ContactProblem<dim> &problem,
                      std::vector<double> &P,
                      std::vector<double> &U);

  void forget()
  {
    named->forget();
    alike->forget();
  }

  /// What they have learned: of rank 0, or of the rank that solves.
  void archive(Archive &archive)
  {
    named->archive(archive);
    alike->archive(archive);
  }

  double tolerance_factor = 1.;

private:
  void set_tolerances();
  void judge(ContactResult &result) const;

  const Model<dim> &model;
  std::unique_ptr<ContactSolver<dim>> named; ///< by the parameters
  std::unique_ptr<ContactSolver<dim>> alike; ///< the same, run by all ranks
  GaussSeidel<dim> shared;                   ///< by ranks
  ProjectedGradient<dim> of_products;
  double forcing = 0., tolerance_now;
};
} // namespace delassus

#endif

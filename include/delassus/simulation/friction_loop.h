#ifndef delassus_simulation_friction_loop_h
#define delassus_simulation_friction_loop_h

#include <delassus/contact/problem/contact_problem.h>
#include <delassus/simulation/contact_places.h>
#include <delassus/simulation/contact_ranks.h>

namespace delassus
{
/// Coefficients of friction that depend on the solution: the contact problem is
/// solved again until they are those of the speeds and pressures found.
template <int dim>
class FrictionLoop
{
public:
  FrictionLoop(const Model<dim> &model,
               const ContactPlaces<dim> &places,
               const ContactRanks<dim> &ranks);

  /// What the coefficient of contact a depends on, in the solution of the step
  /// h from t.
  FrictionState state(const ContactSet<dim> &set,
                      const unsigned int a,
                      const double t,
                      const double h) const;

  /// After a solution: whether the coefficients are those of the speeds and
  /// pressures found. If not, they are now, and the problem is to be solved
  /// again. Gives up after many such solutions. Ranks together.
  bool settled(const ContactSet<dim> &set,
               const double t,
               const double h,
               ContactProblem<dim> &problem);

  /// Throw InputError, on all ranks, if one of them has something to say of an
  /// expression.
  void throw_error(const std::string &mine) const;

  bool in_balance          = true; ///< the last solution has settled
  double change            = 0.;   ///< of sliding forces, relative
  std::size_t n_iterations = 0;    ///< of all steps

private:
  const Model<dim> &model;
  const ContactPlaces<dim> &places;
  const ContactRanks<dim> &ranks;
  bool varies = false;
  std::vector<double> step; ///< mu of the solution - mu used
  double relaxation       = 1.;
  unsigned int iterations = 0; ///< of this step
};
} // namespace delassus

#endif

#include <delassus/contact/global_solvers/rank_errors.h>

#include <algorithm>
#include <limits>

namespace delassus
{
template <int dim>
ContactErrors errors_of_all_ranks(const ContactProblem<dim> &problem,
                                  const double g,
                                  const double norm_q,
                                  const std::vector<double> &P,
                                  std::vector<double> &U,
                                  RankCoupling<dim> *coupling)
{
  ErrorSums sums = sum_errors(problem, g, P, U);
  if (coupling == nullptr)
    return errors_from(sums, norm_q);
  double added[4] = {
    sums.natural_map, sums.siconos, sums.impulses, sums.velocities
  };
  double largest_of[4] = {
    sums.penetration, sums.cone, sums.complementarity, sums.worst
  };
  coupling->sum(added, 4);
  coupling->maximum(largest_of, 4);
  // The first rank that has the worst contact.
  double first = sums.worst == largest_of[3] ? -double(coupling->rank()) : -1e9;
  coupling->maximum(&first, 1);
  sums.natural_map     = added[0];
  sums.siconos         = added[1];
  sums.impulses        = added[2];
  sums.velocities      = added[3];
  sums.penetration     = largest_of[0];
  sums.cone            = largest_of[1];
  sums.complementarity = largest_of[2];
  ContactErrors errors = errors_from(sums, norm_q);
  errors.worst_rank    = static_cast<unsigned int>(-first);
  return errors;
}

template <int dim>
double criterion_of_all_ranks(const ContactErrors &errors,
                              const ContactProblem<dim> &problem,
                              const ContactSolverParameters &parameters,
                              const std::vector<double> &P,
                              const std::vector<double> &U,
                              RankCoupling<dim> *coupling)
{
  switch (parameters.criterion)
  {
    case ContactCriterion::unit_free:
      return errors.unit_free;
    case ContactCriterion::siconos:
      return errors.siconos;
    case ContactCriterion::impulse_change:
      return errors.impulse_change;
    case ContactCriterion::worst_violation:
      return std::max(
          { errors.penetration, errors.cone, errors.complementarity });
    case ContactCriterion::relaxed:
    {
      double violation = relaxed_violation(
          problem, P, U, parameters.gap_margin, parameters.force_margin);
      if (coupling != nullptr)
        coupling->maximum(&violation, 1);
      return violation;
    }
  }
  return std::numeric_limits<double>::infinity();
}

#define INSTANTIATE(dim)                                                       \
  template ContactErrors errors_of_all_ranks<dim>(const ContactProblem<dim> &, \
                                                  const double,                \
                                                  const double,                \
                                                  const std::vector<double> &, \
                                                  std::vector<double> &,       \
                                                  RankCoupling<dim> *);        \
  template double criterion_of_all_ranks<dim>(const ContactErrors &,           \
                                              const ContactProblem<dim> &,     \
                                              const ContactSolverParameters &, \
                                              const std::vector<double> &,     \
                                              const std::vector<double> &,     \
                                              RankCoupling<dim> *)
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus

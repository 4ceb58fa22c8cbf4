#ifndef delassus_contact_global_solvers_rank_errors_h
#define delassus_contact_global_solvers_rank_errors_h

#include <delassus/contact/global_solvers/rank_coupling.h>
#include <delassus/contact/problem/contact_error.h>
#include <delassus/contact/problem/contact_problem.h>
#include <delassus/parameters/parameters.h>

#include <vector>

namespace delassus
{
/// The true errors of P over all ranks, and U = W P + U_free of this one. All
/// ranks of the coupling call it; without one, this rank has all contacts.
template <int dim>
ContactErrors errors_of_all_ranks(const ContactProblem<dim> &problem,
                                  const double g,
                                  const double norm_q,
                                  const std::vector<double> &P,
                                  std::vector<double> &U,
                                  RankCoupling<dim> *coupling);

/// What the tolerance is compared with.
template <int dim>
double criterion_of_all_ranks(const ContactErrors &errors,
                              const ContactProblem<dim> &problem,
                              const ContactSolverParameters &parameters,
                              const std::vector<double> &P,
                              const std::vector<double> &U,
                              RankCoupling<dim> *coupling);
} // namespace delassus

#endif

#include <delassus/contact/global_solvers/gauss_seidel.h>
#include <delassus/contact/global_solvers/rank_errors.h>

#include <algorithm>
#include <limits>

namespace delassus
{
template <int dim>
double GaussSeidel<dim>::measure(const ContactProblem<dim> &problem,
                                 const double impulse_change,
                                 const std::vector<double> &all,
                                 std::vector<double> &U)
{
  ErrorSums sums;
  result.errors =
      errors_by_threads(problem, all, U, sums)
          ? errors_from(sums, norm_q)
          : errors_of_all_ranks(problem, g, norm_q, all, U, coupling);
  result.errors.impulse_change = impulse_change;
  return criterion_of_all_ranks(
      result.errors, problem, parameters, all, U, coupling);
}


template <int dim>
void GaussSeidel<dim>::start_of_best(const std::vector<double> &all)
{
  kept.first = all;
  kept.P.resize(all.size());
  kept.first_U.resize(dim * contacts.size());
  kept.value = std::numeric_limits<double>::infinity();
}


template <int dim>
void GaussSeidel<dim>::keep_if_best(double value,
                                    const std::vector<double> &all)
{
  // A small change of the impulses is no small error.
  if (parameters.criterion == ContactCriterion::impulse_change)
    value = result.errors.unit_free;
  kept.is_last = value < kept.value;
  if (!kept.is_last)
    return;
  kept.value  = value;
  kept.change = result.errors.impulse_change;
  std::copy(all.begin(), all.end(), kept.P.begin());
}


template <int dim>
void GaussSeidel<dim>::return_best(const ContactProblem<dim> &problem,
                                   std::vector<double> &all,
                                   std::vector<double> &U)
{
  // The start has not been measured yet.
  const bool last            = kept.is_last;
  const ContactErrors errors = result.errors;
  keep_if_best(measure(problem, kept.change, kept.first, kept.first_U),
               kept.first);
  kept.is_last = last && !kept.is_last;
  if (kept.is_last)
  {
    result.errors = errors;
    return;
  }
  std::copy(kept.P.begin(), kept.P.end(), all.begin());
  measure(problem, kept.change, all, U);
}


template <int dim>
void GaussSeidel<dim>::find_status(const ContactProblem<dim> &problem,
                                   const std::vector<double> &P,
                                   const std::vector<double> &U)
{
  for (std::size_t a = 0; a < problem.n_contacts(); ++a)
  {
    const ChangeOfVariables<dim> &law = problem.laws[a];
    LocalVector<dim> P_here, U_here, u, r;
    std::copy_n(P.begin() + dim * a, dim, P_here.begin());
    std::copy_n(U.begin() + dim * a, dim, U_here.begin());
    law.to_standard(U_here, P_here, u, r);
    // Slip is the boundary of the cone, up to the rounding of a projection.
    result.status[a] =
        !law.active     ? ContactStatus::open
        : law.is_tied() ? ContactStatus::stick
        : !(r[0] > 0.)  ? ContactStatus::open
        : tangential_norm(r) >= (1. - 1e-12) * law.friction_bound(r[0])
            ? ContactStatus::slip
            : ContactStatus::stick;
  }
}

#define INSTANTIATE(dim)                                                       \
  template double GaussSeidel<dim>::measure(const ContactProblem<dim> &,       \
                                            const double,                      \
                                            const std::vector<double> &,       \
                                            std::vector<double> &);            \
  template void GaussSeidel<dim>::start_of_best(const std::vector<double> &);  \
  template void GaussSeidel<dim>::keep_if_best(double,                         \
                                               const std::vector<double> &);   \
  template void GaussSeidel<dim>::return_best(const ContactProblem<dim> &,     \
                                              std::vector<double> &,           \
                                              std::vector<double> &);          \
  template void GaussSeidel<dim>::find_status(const ContactProblem<dim> &,     \
                                              const std::vector<double> &,     \
                                              const std::vector<double> &)
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus

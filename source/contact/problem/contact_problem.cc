#include <delassus/base/exceptions.h>
#include <delassus/contact/problem/contact_problem.h>

#include <fmt/format.h>

#include <cmath>

namespace delassus
{
template <int dim>
void check_problem(const ContactProblem<dim> &problem)
{
  const std::size_t n = problem.laws.size();
  if (problem.U_free.size() != dim * n ||
      (problem.W == nullptr ? n != 0 : problem.W->n_contacts() != n))
    throw ComputationError(fmt::format(
        "Contact problem: {} laws, {} free velocities and a W of {} "
        "contacts do not fit together in {}D.",
        n,
        problem.U_free.size(),
        problem.W == nullptr ? 0 : problem.W->n_contacts(),
        dim));
  if (!(problem.h > 0.) || !std::isfinite(problem.h))
    throw ComputationError(
        fmt::format("Contact problem: the time step is {}.", problem.h));
  for (std::size_t a = 0; a < n; ++a)
  {
    const ChangeOfVariables<dim> &law = problem.laws[a];
    if (!std::isfinite(law.threshold) && !law.is_tied())
      throw ComputationError(fmt::format(
          "Contact {}: its friction threshold is {}.", a, law.threshold));
    if (!std::isfinite(law.friction) || law.friction < 0.)
      throw ComputationError(
          fmt::format("Contact {}: its friction is {}.", a, law.friction));
    for (int c = 0; c < dim; ++c)
      if (!std::isfinite(problem.U_free[dim * a + c]) ||
          !std::isfinite(law.shift[c]))
        throw ComputationError(
            fmt::format("Contact {}: its free velocity is {} (component {}), "
                        "shifted by {}: not finite.",
                        a,
                        problem.U_free[dim * a + c],
                        c,
                        law.shift[c]));
  }
}


template <int dim>
double effective_impulse_scale(const ContactProblem<dim> &problem)
{
  if (problem.impulse_scale > 0.)
    return problem.impulse_scale;
  const std::size_t n = problem.n_contacts();
  if (n == 0)
    return 1.;
  double sum = 0.;
  LocalMatrix<dim> block;
  for (std::size_t a = 0; a < n; ++a)
  {
    problem.W->diagonal_block(a, block.data());
    for (int c = 0; c < dim; ++c)
      sum += block[c * dim + c];
  }
  if (!std::isfinite(sum) || sum < 0.)
    throw ComputationError(fmt::format(
        "Contact problem: the mean diagonal of W is {}.", sum / (dim * n)));
  // All contacts between prescribed dofs: any scale will do.
  return sum > 0. ? sum / (dim * n) : 1.;
}

template void check_problem<2>(const ContactProblem<2> &);
template void check_problem<3>(const ContactProblem<3> &);
template double effective_impulse_scale<2>(const ContactProblem<2> &);
template double effective_impulse_scale<3>(const ContactProblem<3> &);
} // namespace delassus

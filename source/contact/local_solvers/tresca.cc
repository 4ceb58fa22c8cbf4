#include <delassus/base/exceptions.h>
#include <delassus/contact/local_solvers/prepared_contact.h>
#include <delassus/contact/local_solvers/tresca.h>

#include <fmt/format.h>

namespace delassus
{
template <int dim>
LocalSolution<dim> solve_local_tresca(const LocalMatrix<dim> &W,
                                      const LocalVector<dim> &U_free,
                                      const double threshold)
{
  PreparedContact<dim> contact{};
  if (!is_finite(W) || !is_finite(U_free) || !(threshold >= 0.) ||
      !(std::isfinite(threshold) || threshold == tied_threshold) ||
      contact.prepare(W, 0.) != PreparedState::well_posed)
    throw ComputationError(fmt::format(
        "Local contact problem with Tresca's friction: the data are not finite "
        "or W is not positive definite (W_NN = {:.17g}, threshold = {:.17g}).",
        W[0],
        threshold));
  LocalSolution<dim> solution;
  solution.status =
      solve_tresca<dim>(W, U_free, threshold, solution.P, solution.iterations);
  solution.U = add(U_free, multiply<dim>(W, solution.P));
  const double F =
      norm(tresca_natural_map<dim>(solution.P, solution.U, threshold, W[0]));
  double size = norm(U_free);
  for (int i = 0; i < dim; ++i)
    for (int j = 0; j < dim; ++j)
      size = std::max(size, std::abs(W[i * dim + j] * solution.P[j]));
  solution.residual = F == 0. ? 0. : F / size;
  return solution;
}

template LocalSolution<2>
solve_local_tresca<2>(const LocalMatrix<2> &, const LocalVector<2> &, double);
template LocalSolution<3>
solve_local_tresca<3>(const LocalMatrix<3> &, const LocalVector<3> &, double);
} // namespace delassus

#include <delassus/base/exceptions.h>
#include <delassus/contact/local_solvers/local_solver.h>
#include <delassus/contact/local_solvers/prepared_contact.h>

#include <fmt/format.h>

#include <string>

namespace delassus
{
namespace
{
template <std::size_t n>
std::string print(const std::array<double, n> &values)
{
  std::string text;
  for (const double value : values)
    text += fmt::format("{}{:.17g}", text.empty() ? "" : ", ", value);
  return "(" + text + ")";
}

template <int dim>
[[noreturn]] void fail(const char *what,
                       const LocalMatrix<dim> &W,
                       const LocalVector<dim> &U_free,
                       const double friction)
{
  throw ComputationError(
      fmt::format("Local contact problem: {} W = {} (by rows), U_free = {}, "
                  "friction = {:.17g}.",
                  what,
                  print(W),
                  print(U_free),
                  friction));
}

/// |F| measured against what is summed in U = U_free + W P.
template <int dim>
double relative_residual(const LocalMatrix<dim> &W,
                         const LocalVector<dim> &U_free,
                         const double friction,
                         const LocalVector<dim> &P,
                         const LocalVector<dim> &U)
{
  const double F = norm(natural_map<dim>(P, U, friction, W[0]));
  if (F == 0.)
    return 0.;
  double size = norm(U_free);
  for (int i = 0; i < dim; ++i)
    for (int j = 0; j < dim; ++j)
      size = std::max(size, std::abs(W[i * dim + j] * P[j]));
  return F / size;
}

template <int dim>
void complete(const LocalMatrix<dim> &W,
              const LocalVector<dim> &U_free,
              const double friction,
              LocalSolution<dim> &solution)
{
  solution.U = add(U_free, multiply<dim>(W, solution.P));
  solution.residual =
      relative_residual<dim>(W, U_free, friction, solution.P, solution.U);
}

/// Every branch of the 2D problem that exists; the one with the least
/// residual, and among equally good ones the nearest to @p P_start.
LocalSolution<2> try_every_branch(const PreparedContact<2> &contact,
                                  const LocalMatrix<2> &W,
                                  const LocalVector<2> &q,
                                  const LocalVector<2> &P_start)
{
  const double mu            = contact.friction;
  const LocalVector<2> stick = scale(-1., multiply<2>(contact.inverse, q));
  const LocalVector<2> forward{ { -q[0] * contact.forward,
                                  mu * q[0] * contact.forward } };
  const LocalVector<2> backward{ { -q[0] * contact.backward,
                                   -mu * q[0] * contact.backward } };
  constexpr unsigned int n_branches       = 4;
  const LocalVector<2> branch[n_branches] = {
    { { 0., 0. } }, stick, forward, backward
  };
  const ContactStatus statuses[n_branches] = { ContactStatus::open,
                                               ContactStatus::stick,
                                               ContactStatus::slip,
                                               ContactStatus::slip };

  // Residuals below this are rounding; they do not rank the branches.
  const double rounding = 1e-12;
  LocalSolution<2> best;
  double best_rank = 0., best_distance = 0.;
  bool found = false;
  for (unsigned int i = 0; i < n_branches; ++i)
  {
    LocalSolution<2> trial;
    trial.P = branch[i];
    if (!is_finite(trial.P))
      continue;
    trial.status = statuses[i];
    complete<2>(W, q, mu, trial);
    const double rank     = std::max(trial.residual, rounding);
    const double distance = norm(subtract(trial.P, P_start));
    if (!found || rank < best_rank ||
        (rank == best_rank && distance < best_distance))
    {
      best          = trial;
      best_rank     = rank;
      best_distance = distance;
      found         = true;
    }
  }
  return best;
}
} // namespace


template <int dim>
LocalSolution<dim> solve_local(const LocalMatrix<dim> &W,
                               const LocalVector<dim> &U_free,
                               const double friction,
                               const LocalVector<dim> &P_start)
{
  if (!is_finite(W) || !is_finite(U_free) || !is_finite(P_start) ||
      !std::isfinite(friction))
    fail<dim>("the data are not finite.", W, U_free, friction);
  if (friction < 0.)
    fail<dim>("friction must not be negative.", W, U_free, friction);

  PreparedContact<dim> contact{};
  LocalSolution<dim> solution;
  const PreparedState state = contact.prepare(W, friction);
  if (state == PreparedState::immovable ||
      state == PreparedState::not_positive_definite)
    fail<dim>("W is not positive definite.", W, U_free, friction);
  solution.well_posed = (state == PreparedState::well_posed);

  if constexpr (dim == 2)
    if (!solution.well_posed)
    {
      solution            = try_every_branch(contact, W, U_free, P_start);
      solution.well_posed = false;
      if (!(solution.residual < 1e-6))
        fail<dim>("no branch satisfies it.", W, U_free, friction);
      return solution;
    }

  // From P = 0, where U = U_free; P_start only matters to Newton's method.
  LocalVector<dim> P{};
  solution.status = contact.solve(P, U_free, P_start, solution.iterations);
  solution.P      = P;
  complete<dim>(W, U_free, friction, solution);
  if (!(solution.residual < 1e-6))
    fail<dim>("no solution was found.", W, U_free, friction);
  return solution;
}

template LocalSolution<2> solve_local<2>(const LocalMatrix<2> &,
                                         const LocalVector<2> &,
                                         double,
                                         const LocalVector<2> &);
template LocalSolution<3> solve_local<3>(const LocalMatrix<3> &,
                                         const LocalVector<3> &,
                                         double,
                                         const LocalVector<3> &);
} // namespace delassus

#include <delassus/contact/local_solvers/local_solver.h>
#include <delassus/contact/problem/contact_error.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace delassus
{
namespace
{
template <int dim>
LocalVector<dim> local_values(const std::vector<double> &values,
                              const std::size_t a)
{
  LocalVector<dim> result;
  std::copy_n(values.begin() + dim * a, dim, result.begin());
  return result;
}

/// r . (u_N + mu |u_T|, u_T): the work that Signorini's condition and maximal
/// dissipation make zero. With Tresca's friction r . u + s |u_T|, and zero for
/// a contact without impulse; r . u where it is tied.
template <int dim>
double complementarity(const ChangeOfVariables<dim> &law,
                       const LocalVector<dim> &u,
                       const LocalVector<dim> &r)
{
  if (law.is_tied())
    return dot(u, r);
  const double bound = law.is_tresca() && r == LocalVector<dim>{}
                           ? 0.
                           : law.friction_bound(r[0]);
  return dot(u, r) + bound * tangential_norm(u);
}
} // namespace


template <int dim>
double norm_of_free_velocity(const ContactProblem<dim> &problem)
{
  double sum = 0.;
  LocalMatrix<dim> W;
  for (std::size_t a = 0; a < problem.n_contacts(); ++a)
  {
    const ChangeOfVariables<dim> &law = problem.laws[a];
    if (!law.active)
      continue;
    LocalVector<dim> q = local_values<dim>(problem.U_free, a);
    if (law.is_shift())
      q = add(q, law.shift);
    else
    {
      problem.W->diagonal_block(a, W.data());
      q = StandardForm<dim>(law, W).calU_free(q);
    }
    sum += dot(q, q);
  }
  return std::sqrt(sum);
}


template <int dim>
ErrorSums sum_errors(const ContactProblem<dim> &problem,
                     const double g,
                     const std::vector<double> &P,
                     std::vector<double> &U)
{
  ErrorSums sums;
  const std::size_t n = problem.n_contacts();
  U.resize(dim * n);
  // Products may be collective: ranks without contacts take part.
  if (problem.W != nullptr)
    problem.W->multiply(P.data(), U.data());
  if (n == 0)
    return sums;
  for (std::size_t i = 0; i < dim * n; ++i)
    U[i] += problem.U_free[i];
  add_errors(problem, g, P, U, 0, n, sums);
  return sums;
}


template <int dim>
void add_errors(const ContactProblem<dim> &problem,
                const double g,
                const std::vector<double> &P,
                const std::vector<double> &U,
                const std::size_t begin,
                const std::size_t end,
                ErrorSums &sums)
{
  for (std::size_t a = begin; a < end; ++a)
  {
    const ChangeOfVariables<dim> &law = problem.laws[a];
    const LocalVector<dim> P_here     = local_values<dim>(P, a);
    LocalVector<dim> u, r;
    double F2;
    if (law.active)
    {
      law.to_standard(local_values<dim>(U, a), P_here, u, r);
      const LocalVector<dim> F         = law.natural_map(r, u, g);
      F2                               = dot(F, F);
      const LocalVector<dim> F_siconos = law.natural_map(r, u, 1.);
      sums.siconos += dot(F_siconos, F_siconos);
      sums.impulses += dot(r, r);
      sums.velocities += dot(u, u);

      if (law.is_tied()) // any impulse is admissible, any opening is wrong
        sums.penetration = std::max(sums.penetration, problem.h * norm(u));
      else
      {
        sums.penetration = std::max(sums.penetration, -problem.h * u[0]);
        sums.cone        = std::max(
            { sums.cone,
                     (tangential_norm(r) - law.friction_bound(r[0])) / problem.h,
                     -r[0] / problem.h });
      }
      sums.complementarity = std::max(
          sums.complementarity, std::abs(complementarity<dim>(law, u, r)));
    }
    else
    {
      F2 = g * g * dot(P_here, P_here);
      sums.siconos += dot(P_here, P_here);
      sums.impulses += dot(P_here, P_here);
    }
    sums.natural_map += F2;
    if (!(F2 <= sums.worst)) // a NaN counts as the worst
    {
      sums.worst =
          std::isnan(F2) ? std::numeric_limits<double>::infinity() : F2;
      sums.worst_contact = a;
    }
  }
}


ContactErrors errors_from(const ErrorSums &sums, const double norm_q)
{
  ContactErrors errors;
  errors.penetration     = sums.penetration;
  errors.cone            = sums.cone;
  errors.complementarity = sums.complementarity;
  errors.worst_contact   = sums.worst_contact;
  const double F         = std::sqrt(sums.natural_map);
  errors.unit_free =
      F == 0. ? 0.
      : norm_q > 0.
          ? F / norm_q
          : (std::isnan(F) ? F : std::numeric_limits<double>::infinity());
  const double divisor = std::max(
      { norm_q, std::sqrt(sums.impulses), std::sqrt(sums.velocities) });
  errors.siconos = std::sqrt(sums.siconos) / (divisor < 2.2e-16 ? 1. : divisor);
  return errors;
}


template <int dim>
ContactErrors compute_errors(const ContactProblem<dim> &problem,
                             const double g,
                             const double norm_q,
                             const std::vector<double> &P,
                             std::vector<double> &U)
{
  return errors_from(sum_errors(problem, g, P, U), norm_q);
}


template <int dim>
ContactErrors compute_errors(const ContactProblem<dim> &problem,
                             const std::vector<double> &P,
                             std::vector<double> &U)
{
  check_problem(problem);
  return compute_errors(problem,
                        effective_impulse_scale(problem),
                        norm_of_free_velocity(problem),
                        P,
                        U);
}


template <int dim>
double relaxed_violation(const ContactProblem<dim> &problem,
                         const std::vector<double> &P,
                         const std::vector<double> &U,
                         const double gap_margin,
                         const double force_margin)
{
  // x / margin, where a margin of zero tolerates nothing.
  const auto ratio = [](const double x, const double margin)
  {
    return x <= 0.       ? 0.
           : margin > 0. ? x / margin
                         : std::numeric_limits<double>::infinity();
  };
  double worst = 0.;
  for (std::size_t a = 0; a < problem.n_contacts(); ++a)
  {
    const ChangeOfVariables<dim> &law = problem.laws[a];
    if (!law.active)
      continue;
    LocalVector<dim> u, r;
    law.to_standard(local_values<dim>(U, a), local_values<dim>(P, a), u, r);
    const LocalVector<dim> length = scale(problem.h, u);
    if (law.is_tied())
    {
      worst = std::max(worst, ratio(norm(length), gap_margin));
      continue;
    }
    const LocalVector<dim> force = scale(1. / problem.h, r);
    const double sliding         = tangential_norm(length);
    const bool free              = law.is_tresca() && r == LocalVector<dim>{};
    const double threshold = free ? 0. : law.friction_bound(r[0]) / problem.h;
    // The force missing to Coulomb's sliding force.
    LocalVector<dim> missing = force;
    if (sliding > 0.)
      for (int c = 1; c < dim; ++c)
        missing[c] += threshold * length[c] / sliding;
    worst = std::max(
        { worst,
          ratio(-length[0], gap_margin),
          ratio(-force[0], force_margin),
          std::min(ratio(length[0], gap_margin), ratio(force[0], force_margin)),
          ratio(tangential_norm(force) - std::max(0., threshold), force_margin),
          std::min(ratio(sliding, gap_margin),
                   ratio(tangential_norm(missing), force_margin)) });
  }
  return worst;
}

template ErrorSums sum_errors<2>(const ContactProblem<2> &,
                                 double,
                                 const std::vector<double> &,
                                 std::vector<double> &);
template ErrorSums sum_errors<3>(const ContactProblem<3> &,
                                 double,
                                 const std::vector<double> &,
                                 std::vector<double> &);
template void add_errors<2>(const ContactProblem<2> &,
                            double,
                            const std::vector<double> &,
                            const std::vector<double> &,
                            std::size_t,
                            std::size_t,
                            ErrorSums &);
template void add_errors<3>(const ContactProblem<3> &,
                            double,
                            const std::vector<double> &,
                            const std::vector<double> &,
                            std::size_t,
                            std::size_t,
                            ErrorSums &);
template double norm_of_free_velocity<2>(const ContactProblem<2> &);
template double norm_of_free_velocity<3>(const ContactProblem<3> &);
template ContactErrors compute_errors<2>(const ContactProblem<2> &,
                                         double,
                                         double,
                                         const std::vector<double> &,
                                         std::vector<double> &);
template ContactErrors compute_errors<3>(const ContactProblem<3> &,
                                         double,
                                         double,
                                         const std::vector<double> &,
                                         std::vector<double> &);
template ContactErrors compute_errors<2>(const ContactProblem<2> &,
                                         const std::vector<double> &,
                                         std::vector<double> &);
template ContactErrors compute_errors<3>(const ContactProblem<3> &,
                                         const std::vector<double> &,
                                         std::vector<double> &);
template double relaxed_violation<2>(const ContactProblem<2> &,
                                     const std::vector<double> &,
                                     const std::vector<double> &,
                                     double,
                                     double);
template double relaxed_violation<3>(const ContactProblem<3> &,
                                     const std::vector<double> &,
                                     const std::vector<double> &,
                                     double,
                                     double);
} // namespace delassus

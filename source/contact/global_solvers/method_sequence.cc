#include <delassus/base/exceptions.h>
#include <delassus/contact/delassus/applied_delassus.h>
#include <delassus/contact/delassus/block_sparse_delassus.h>
#include <delassus/contact/global_solvers/method_sequence.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace delassus
{
namespace
{
/// What a factorization and the iterations that follow cost, in sweeps:
/// measured on piles, towers, walls and flows of 50 to 2000 contacts.
constexpr double sweeps_for_a_factor = 1000.;

/// Sweeps before they are accelerated: most steps of a run end here.
constexpr unsigned int first_sweeps = 10;

/// How many times the pace of the last accelerated sweeps the next ones may
/// turn out to have: it varies.
constexpr double sweeps_optimism = 2.;

/// Values of W above which it is not factorized: fill would be many times that.
constexpr double largest_to_factorize = 4e7;

/// Values of W up to which Newton's method comes before ADMM: one of its
/// factorizations then costs as much as some tens of ADMM's iterations or less,
/// and it ends where ADMM only slows down.
constexpr double largest_for_newton_first = 3e4;

/// What a uniform motion of all unknowns meets, over the diagonal of A, from
/// which on mass dominates: ADMM then takes a few solutions with one factor,
/// where Newton's method takes several factors.
constexpr double dominated_by_mass = 0.05;

/// Iterations of it that cost as much as Newton's factors.
constexpr double most_of_global_admm = 40.;

/// W is full if it has at least this part of all values. Then the work of a
/// factor is known.
constexpr double full = 0.25;

/// Unknowns from which on the choice matters.
constexpr double fewest_to_choose = 300.;

/// Seconds for a value of W in a sweep (contacts that are settled are left out
/// of most) and for an operation of a dense factorization: measured on 200 to
/// 1000 contacts of one body, one core of 2.5 GHz. Only their ratio matters.
constexpr double seconds_of_a_value = 4e-10, seconds_of_an_operation = 7e-11;

/// What is expected of a problem of which nothing is known. Newton's method is
/// worth an attempt: what it needs is not known otherwise.
constexpr double usual_sweeps = 100., usual_newton = 1., usual_admm = 10.;

ContactSolverParameters warm(ContactSolverParameters parameters)
{
  parameters.warm_start = true;
  return parameters;
}

/// In a random order, the same for all sweeps: contacts between the same two
/// bodies, which are neighbours by number, nearly depend on each other, and
/// news travels faster if the others come between them.
ContactSolverParameters accelerated(ContactSolverParameters parameters)
{
  parameters              = warm(parameters);
  parameters.order        = SweepOrder::random;
  parameters.acceleration = 5;
  return parameters;
}

ContactSolverParameters damped(ContactSolverParameters parameters)
{
  parameters            = warm(parameters);
  parameters.relaxation = 0.7;
  parameters.order      = SweepOrder::symmetric;
  return parameters;
}

/// 1^T A 1 / tr A, on the rank that has least.
bool mass_dominates(const GlobalForm &form)
{
  const CompressedColumns &A = form.A;
  const std::size_t first    = form.share ? form.share->first : 0;
  double sum = 0., trace = 0.;
  for (std::size_t j = 0; j + 1 < A.start.size(); ++j)
    for (std::size_t k = A.start[j]; k < A.start[j + 1]; ++k)
    {
      sum += A.value[k];
      trace += A.row[k] == first + j ? A.value[k] : 0.;
    }
  const bool here = !(sum < dominated_by_mass * trace);
  return form.share ? form.share->on_all(here) : here;
}

/// The number that methods try to make small.
double measure(const ContactErrors &errors,
               const ContactSolverParameters &parameters)
{
  return parameters.criterion == ContactCriterion::siconos ? errors.siconos
                                                           : errors.unit_free;
}
} // namespace


template <int dim>
MethodSequence<dim>::MethodSequence(
    const ContactSolverParameters &parameters_in,
    const bool learns)
    : parameters(parameters_in)
    , learns(learns)
    , learned{ usual_sweeps, usual_newton, usual_admm }
    , sweeps(warm(parameters_in))
    , damped_sweeps(damped(parameters_in))
    , accelerated_sweeps(accelerated(parameters_in))
    , admm(warm(parameters_in))
    , global_admm(warm(parameters_in), true)
    , newton(warm(parameters_in))
    , global_newton(warm(parameters_in), true)
    , products(warm(parameters_in))
{
}


template <int dim>
void MethodSequence<dim>::set_limits(const unsigned int max_iterations,
                                     const double tolerance)
{
  parameters.max_sweeps = max_iterations;
  parameters.tolerance  = tolerance;
  for (ContactSolver<dim> *method :
       std::initializer_list<ContactSolver<dim> *>{ &sweeps,
                                                    &damped_sweeps,
                                                    &accelerated_sweeps,
                                                    &admm,
                                                    &global_admm,
                                                    &newton,
                                                    &global_newton,
                                                    &products })
    method->set_tolerance(tolerance);
}


template <int dim>
void MethodSequence<dim>::archive(Archive &archive)
{
  archive("usual sweeps", learned.sweeps);
  archive("usual Newton iterations", learned.newton);
  archive("usual ADMM iterations", learned.global_admm);
}


template <int dim>
void MethodSequence<dim>::set_time_limit(const double seconds)
{
  parameters.time_limit = seconds;
}


template <int dim>
void MethodSequence<dim>::start(
    const ContactProblem<dim> &problem_in,
    const std::vector<double> &P,
    const std::vector<double> &P_given,
    const std::chrono::steady_clock::time_point begin_in)
{
  problem = &problem_in;
  applied = dynamic_cast<const AppliedDelassus<dim> *>(problem->W) != nullptr;
  begin   = begin_in;
  result  = ContactResult();
  result.converged = false;
  best             = P;
  given            = P_given;
  best_U.clear();
  best_error = std::numeric_limits<double>::infinity();
  iterations = 0;
  done       = false;
}


template <int dim>
bool MethodSequence<dim>::out_of_time() const
{
  return parameters.time_limit > 0. &&
         std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
                 .count() > parameters.time_limit;
}


template <int dim>
bool MethodSequence<dim>::attempt(ContactSolver<dim> &method,
                                  const std::vector<double> &from)
{
  trial = from;
  // U_guess belongs to the impulses given.
  const bool without_guess =
      (&method == &global_newton || &method == &global_admm) &&
      !problem->U_guess.empty() && from != given;
  if (without_guess)
  {
    unguessed = *problem;
    unguessed.U_guess.clear();
  }
  if (parameters.time_limit > 0.)
    method.set_time_limit(std::max(
        1e-3 * parameters.time_limit,
        parameters.time_limit - std::chrono::duration<double>(
                                    std::chrono::steady_clock::now() - begin)
                                    .count()));
  try
  {
    const ContactResult &found =
        method.solve(without_guess ? unguessed : *problem, trial, trial_U);
    iterations += found.sweeps;
    const double error         = measure(found.errors, parameters);
    const std::size_t n_visits = result.n_visits + found.n_visits;
    if (found.converged || error < best_error || best_U.empty())
    {
      const std::string names     = result.solver;
      const std::string diagnosis = result.diagnosis;
      result                      = found;
      result.solver               = names;
      result.diagnosis            = diagnosis;
      best                        = trial;
      best_U                      = trial_U;
      best_error                  = error;
    }
    result.n_visits = n_visits;
    // "Gauss-Seidel, ADMM, Newton": each name once in a row.
    const std::string name = method.name();
    if (result.solver.size() < name.size() ||
        result.solver.compare(
            result.solver.size() - name.size(), name.size(), name) != 0)
      result.solver += (result.solver.empty() ? "" : ", ") + name;
    result.converged = found.converged;
    return found.converged;
  }
  catch (const ComputationError &e)
  {
    result.diagnosis = e.what();
    return false;
  }
}


template <int dim>
bool MethodSequence<dim>::sweep_first()
{
  sweeps.set_max_sweeps(std::min(first_sweeps, parameters.max_sweeps));
  return done = attempt(sweeps, best);
}


template <int dim>
bool MethodSequence<dim>::sweep_on()
{
  // Larger problems fill in more. Most of the iterations that are allowed are
  // left to the others.
  const double limit =
      std::min(sweeps_for_a_factor *
                   std::max(1., std::pow(problem->n_contacts() / 1000., 0.5)),
               0.25 * parameters.max_sweeps);
  // A quarter at a time, as long as the others would be enough at the pace of
  // the last ones.
  const bool is_measured = parameters.criterion == ContactCriterion::siconos ||
                           parameters.criterion == ContactCriterion::unit_free;
  constexpr double part = 0.25;
  for (double used = 0.; used < 1.;)
  {
    if (iterations >= parameters.max_sweeps || out_of_time())
      return false;
    const double before = best_error;
    accelerated_sweeps.set_max_sweeps(std::max(
        1.,
        std::min<double>(parameters.max_sweeps - iterations, part * limit)));
    if (attempt(accelerated_sweeps, best))
      return true;
    used += part;
    const double gained = std::log(before / best_error);
    const double wanted =
        is_measured ? std::log(best_error / parameters.tolerance) : 1.;
    if (!(gained * (1. - used) * sweeps_optimism >= wanted * part))
      return false;
  }
  return false;
}


template <int dim>
double MethodSequence<dim>::newton_over_sweeps(const double n_values) const
{
  double n = 0., n_closed = 0.;
  for (std::size_t a = 0; a < problem->n_contacts(); ++a)
  {
    n += problem->laws[a].active ? dim : 0.;
    n_closed += !best.empty() && best[dim * a] > 0. ? dim : 0.;
  }
  if (n < fewest_to_choose || n_values < full * n * n)
    return std::numeric_limits<double>::infinity();
  const double newton = learned.newton * (2. / 3. * std::pow(n_closed, 3) *
                                              seconds_of_an_operation +
                                          3. * n_values * seconds_of_a_value);
  return newton / (learned.sweeps * n_values * seconds_of_a_value);
}


template <int dim>
bool MethodSequence<dim>::newton_by_cost()
{
  const unsigned int before = iterations;
  newton.set_limits(std::min(parameters.max_sweeps - iterations, 40u), 1);
  const bool solved         = attempt(newton, best);
  const unsigned int needed = iterations - before;
  // What fails is not tried again soon.
  learned.newton =
      solved ? 0.5 * (learned.newton + needed) : 4. * learned.newton + needed;
  return solved;
}


template <int dim>
bool MethodSequence<dim>::prefers_global_admm()
{
  if (!learns ||
      std::any_of(problem->laws.begin(),
                  problem->laws.end(),
                  [](const auto &law)
                  { return law.is_tresca() && !law.is_tied(); }) ||
      !mass_dominates(*problem->global_form()))
    return false;
  if (learned.global_admm <= most_of_global_admm)
    return true;
  // Now and then again.
  learned.global_admm *= 0.95;
  return false;
}


template <int dim>
bool MethodSequence<dim>::admm_by_cost()
{
  const unsigned int before = iterations;
  global_admm.set_limits(std::min<double>(parameters.max_sweeps - iterations,
                                          2. * most_of_global_admm),
                         0);
  const bool solved   = attempt(global_admm, given);
  const double needed = iterations - before;
  learned.global_admm = solved ? 0.5 * (learned.global_admm + needed)
                               : 4. * learned.global_admm + needed;
  return solved;
}


template <int dim>
bool MethodSequence<dim>::pursue()
{
  double n_values = 0.;
  bool has_rows   = true; // stored, or cheap enough to be copied
  if (const auto *W =
          dynamic_cast<const BlockSparseDelassus<dim> *>(problem->W))
    n_values = double(dim * dim) * W->n_blocks();
  else if (problem->W != nullptr)
  {
    n_values = std::pow(double(dim) * problem->n_contacts(), 2);
    has_rows = !applied && n_values <= 1e7;
  }
  // Where W is there and not too large it is the smaller matrix.
  const bool use_global =
      problem->has_global() && (!has_rows || n_values > largest_to_factorize);
  const bool factorizable =
      use_global || (has_rows && n_values <= largest_to_factorize);

  // Ties that depend on each other are for a factor.
  const bool some_tie =
      std::any_of(problem->laws.begin(),
                  problem->laws.end(),
                  [](const auto &law) { return law.active && law.is_tied(); });
  if (has_rows && !applied &&
      (some_tie || (learns && newton_over_sweeps(n_values) < 1.)))
    done = newton_by_cost();
  if (!done && !applied && iterations < parameters.max_sweeps && !out_of_time())
  {
    const unsigned int before = iterations;
    done                      = sweep_on();
    const double needed       = iterations - before;
    learned.sweeps            = done ? 0.5 * (learned.sweeps + needed)
                                     : std::max(learned.sweeps, 2. * needed);
  }
  if (done || iterations >= parameters.max_sweeps || out_of_time())
    return done;
  if (use_global && prefers_global_admm() && admm_by_cost())
    return done = true;
  if (factorizable)
    return done = alternate(use_global,
                            use_global || n_values <= largest_for_newton_first);
  if (applied)
    return done = attempt(products, best);
  accelerated_sweeps.set_max_sweeps(parameters.max_sweeps - iterations);
  return done = attempt(accelerated_sweeps, best);
}


template <int dim>
bool MethodSequence<dim>::try_admm(const bool use_global,
                                   const unsigned int round)
{
  auto &method            = use_global ? global_admm : admm;
  const unsigned int most = (use_global ? 300u : 150u) << std::min(round, 16u);
  // Sweeps, above all accelerated ones, may have led far along the kernel of W,
  // to where every step of ADMM is short: at first without them.
  const bool first = round == 0 && !use_global;
  method.set_limits(std::min(parameters.max_sweeps - iterations,
                             first ? std::max(most, 250u) : most),
                    first ? 1 : 3 * std::min(round, 3u));
  return attempt(method, round == 0 ? given : best);
}


template <int dim>
bool MethodSequence<dim>::try_newton(const bool use_global,
                                     const unsigned int round,
                                     const bool anew)
{
  auto &method            = use_global ? global_newton : newton;
  const unsigned int most = 40u << std::min(round, 16u);
  method.set_limits(std::min(parameters.max_sweeps - iterations, most),
                    round == 0 ? 1 : 1000);
  return attempt(method, anew ? given : best);
}


template <int dim>
bool MethodSequence<dim>::alternate(const bool use_global,
                                    const bool newton_first)
{
  const bool has_tresca =
      std::any_of(problem->laws.begin(),
                  problem->laws.end(),
                  [](const auto &law)
                  { return law.active && law.is_tresca() && !law.is_tied(); });
  const auto may_go_on = [&]()
  { return iterations < parameters.max_sweeps && !out_of_time(); };
  // Where a round has brought little, Newton's method begins the next one anew:
  // the best iterate is a kink that it does not leave.
  bool anew = false;
  for (unsigned int round = 0; may_go_on(); ++round)
  {
    const double before = best_error;
    for (const bool is_newton : { newton_first, !newton_first })
    {
      if (!may_go_on() || (!is_newton && has_tresca))
        continue;
      if (is_newton ? try_newton(use_global, round, anew)
                    : try_admm(use_global, round))
        return true;
      // The factors do not fit into memory: products remain.
      if (applied && best_U.empty())
        return attempt(products, best);
    }
    if (!applied && may_go_on())
    {
      damped_sweeps.set_max_sweeps(std::min(parameters.max_sweeps - iterations,
                                            150u << std::min(round, 16u)));
      if (attempt(damped_sweeps, best))
        return true;
    }
    // (An error that stays infinite is no progress either.)
    const bool gained = best_error < 0.5 * before;
    if (round >= 4 && !gained && anew)
    {
      if (result.diagnosis.empty())
        result.diagnosis =
            fmt::format("no method got below an error of {:.1e}: the problem "
                        "may have no solution, or W too few digits",
                        best_error);
      return false;
    }
    anew = !gained && !anew;
  }
  return false;
}


template <int dim>
const ContactResult &MethodSequence<dim>::finish(std::vector<double> &P,
                                                 std::vector<double> &U)
{
  // No method gave an answer, however bad: say why.
  if (!done && best_U.empty() && !result.diagnosis.empty())
    throw ComputationError(result.diagnosis);
  if (!done && best_U.empty())
  {
    // There was no time for any.
    best.resize(dim * problem->n_contacts(), 0.);
    result.errors = compute_errors(*problem, best, best_U);
    result.status.assign(problem->n_contacts(), ContactStatus::open);
    result.n_open = problem->n_contacts();
  }
  if (!done && out_of_time())
    result.diagnosis = fmt::format("the time limit of {} s was reached",
                                   parameters.time_limit);
  if (done)
    result.diagnosis.clear();
  result.converged = done;
  result.sweeps    = iterations;
  P                = best;
  U                = best_U;
  return result;
}

template class MethodSequence<2>;
template class MethodSequence<3>;
} // namespace delassus

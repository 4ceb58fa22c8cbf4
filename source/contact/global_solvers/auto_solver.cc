#include <delassus/contact/delassus/applied_delassus.h>
#include <delassus/contact/global_solvers/auto_solver.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace delassus
{
namespace
{
/// Part of its share that a part may use: the norms by which the error is
/// divided still change a little.
constexpr double reserve = 0.9;

/// Values up to which W is formed in the variables of affine laws: beside those
/// that are stored (springs fill it), or where nothing is stored.
constexpr double largest_fill = 6e6, largest_to_copy = 1e7;

/// Sweeps of Gauss-Seidel before anything else is tried where it is not formed.
constexpr unsigned int sweeps_before_others = 1000;

ContactSolverParameters warm(ContactSolverParameters parameters)
{
  parameters.warm_start = true;
  return parameters;
}

/// Adds the names of a list to another, each once.
void add_names(std::string &names, const std::string &more)
{
  for (std::size_t begin = 0; begin < more.size();)
  {
    const std::size_t end  = std::min(more.find(", ", begin), more.size());
    const std::string name = more.substr(begin, end - begin);
    if ((", " + names + ", ").find(", " + name + ", ") == std::string::npos)
      names += (names.empty() ? "" : ", ") + name;
    begin = end + 2;
  }
}
} // namespace


template <int dim>
AutoSolver<dim>::AutoSolver(const ContactSolverParameters &parameters_in)
    : parameters(parameters_in)
    , whole(parameters_in, /* learns */ true)
    , part(parameters_in, /* learns */ true)
    , sweeps(warm(parameters_in))
    , products(warm(parameters_in))
{
}


template <int dim>
const ContactResult &AutoSolver<dim>::solve(const ContactProblem<dim> &problem,
                                            std::vector<double> &P,
                                            std::vector<double> &U,
                                            RankCoupling<dim> *coupling)
{
  const bool applied =
      dynamic_cast<const AppliedDelassus<dim> *>(problem.W) != nullptr;
  if (!parameters.warm_start)
    P.clear();
  const bool ghosts = problem.W != nullptr && problem.W->n_ghosts() > 0;
  if (coupling == nullptr && !ghosts && StandardProblem<dim>::needed(problem))
    return solve_affine(problem, P, U, applied);
  if (coupling != nullptr || ghosts)
  {
    ContactSolver<dim> &method =
        applied ? static_cast<ContactSolver<dim> &>(products) : sweeps;
    method.set_time_limit(parameters.time_limit);
    method.set_tolerance(parameters.tolerance);
    result        = method.solve(problem, P, U, coupling);
    result.solver = method.name();
    return result;
  }

  // What no method accepts is said at once.
  StandardRows<dim>::check(problem, P, name(), true);

  begin = std::chrono::steady_clock::now();
  given = P;
  whole.start(problem, P, given, begin);
  if (!applied && whole.sweep_first())
    return result = whole.finish(P, U);
  // The other criteria are no sums over contacts.
  const bool is_sum = parameters.criterion == ContactCriterion::unit_free ||
                      parameters.criterion == ContactCriterion::siconos;
  const std::size_t n_parts =
      is_sum && whole.has_iterate() ? parts.find(problem) : 1;
  if (n_parts > 1)
  {
    result = whole.finish(P, U);
    if (!whole.out_of_time())
      solve_parts(problem, n_parts, P, U);
    return result;
  }
  whole.pursue();
  return result = whole.finish(P, U);
}


template <int dim>
const ContactResult &
AutoSolver<dim>::solve_affine(const ContactProblem<dim> &problem,
                              std::vector<double> &P,
                              std::vector<double> &U,
                              const bool applied)
{
  const auto *stored =
      dynamic_cast<const BlockSparseDelassus<dim> *>(problem.W);
  const double n_values =
      applied ? 0. : StandardProblem<dim>::n_values_of_rows(problem);
  if (!applied &&
      (stored != nullptr
           ? n_values - double(dim * dim) * stored->n_blocks() <= largest_fill
           : n_values <= largest_to_copy))
    return result = affine().solve(
               *this, StandardUse::rows, parameters, problem, P, U, nullptr);
  // The others begin where the sweeps did: these lead far along the kernel of
  // W, from where every other step is short.
  const std::vector<double> first = P;
  std::vector<double> swept_P, swept_U;
  ContactResult swept;
  if (!applied)
  {
    sweeps.set_max_sweeps(
        std::min(sweeps_before_others, parameters.max_sweeps));
    sweeps.set_time_limit(parameters.time_limit);
    sweeps.set_tolerance(parameters.tolerance);
    result = sweeps.solve(problem, P, U);
    sweeps.set_max_sweeps(parameters.max_sweeps);
    if (result.converged || result.indefinite)
      return result;
    swept   = result;
    swept_P = P;
    swept_U = U;
    P       = first;
  }
  const auto attempt = [&](const StandardUse use)
  { result = affine().solve(*this, use, parameters, problem, P, U, nullptr); };
  try
  {
    attempt(problem.has_global() ? StandardUse::bodies : StandardUse::products);
  }
  catch (const MemoryLimitError &)
  {
    // The factors do not fit: products remain.
    attempt(StandardUse::products);
  }
  const unsigned int n_sweeps = result.sweeps + swept.sweeps;
  const std::size_t n_visits  = result.n_visits + swept.n_visits;
  std::string names           = swept.solver;
  add_names(names, result.solver);
  if (!result.converged && !swept_P.empty() &&
      swept.errors.unit_free < result.errors.unit_free)
  {
    result = swept;
    P      = swept_P;
    U      = swept_U;
  }
  result.solver   = names;
  result.sweeps   = n_sweeps;
  result.n_visits = n_visits;
  return result;
}


template <int dim>
double AutoSolver<dim>::sum_parts(const ContactProblem<dim> &problem,
                                  const std::size_t n_parts,
                                  const std::vector<double> &P,
                                  const std::vector<double> &U)
{
  const bool siconos = is_siconos();
  double all_q = 0., all_r = 0., all_u = 0., largest = 0.;
  LocalMatrix<dim> W;
  for (std::size_t a = 0; a < problem.n_contacts(); ++a)
  {
    problem.W->diagonal_block(a, W.data());
    largest = std::max(largest, W[0]);
  }
  sums.assign(n_parts, PartSums());
  for (std::size_t k = 0; k < n_parts; ++k)
  {
    ErrorSums here;
    double q2 = 0.;
    for (std::size_t i = 0; i < parts.size(k); ++i)
    {
      const std::size_t a = parts.contacts(k)[i];
      add_errors(problem, g, P, U, a, a + 1, here);
      problem.W->diagonal_block(a, W.data());
      sums[k].movable = sums[k].movable || W[0] > 1e-15 * largest;
      if (problem.laws[a].active)
        for (int c = 0; c < dim; ++c)
          q2 += std::pow(problem.U_free[dim * a + c] + problem.laws[a].shift[c],
                         2);
    }
    sums[k].F2    = siconos ? here.siconos : here.natural_map;
    sums[k].size2 = q2;
    if (siconos)
      sums[k].size2 = std::max({ q2, here.impulses, here.velocities });
    all_q += q2;
    all_r += here.impulses;
    all_u += here.velocities;
  }
  return std::pow(parameters.tolerance, 2) *
         (siconos ? std::max({ all_q, all_r, all_u }) : all_q);
}


template <int dim>
bool AutoSolver<dim>::pursue_part(const ContactProblem<dim> &problem,
                                  const std::size_t number,
                                  const double F2_allowed,
                                  std::vector<double> &P)
{
  const ContactProblem<dim> &one = parts.make(problem, number, g);
  const unsigned int *contacts   = parts.contacts(number);
  const std::size_t n            = one.n_contacts();
  PartSums &here                 = sums[number];
  part_P.resize(dim * n);
  part_given.clear();
  for (std::size_t i = 0; i < n; ++i)
  {
    const std::size_t k = dim * contacts[i];
    std::copy_n(P.begin() + k, dim, part_P.begin() + dim * i);
    if (!given.empty())
      part_given.insert(
          part_given.end(), given.begin() + k, given.begin() + k + dim);
  }
  part.set_limits(parameters.max_sweeps - part_iterations[number],
                  here.size2 > 0. ? std::sqrt(F2_allowed / here.size2)
                                  : parameters.tolerance);
  part.start(one, part_P, part_given, begin);
  part.pursue();
  if (!part.has_iterate())
  {
    // No method could even begin; what the first sweeps found remains.
    result.diagnosis = part.diagnosis();
    return false;
  }
  const ContactResult &found = part.finish(part_P, part_U);
  part_iterations[number] += found.sweeps;
  result.n_visits += found.n_visits;
  add_names(result.solver, found.solver);
  if (!found.converged && !found.diagnosis.empty())
    result.diagnosis = found.diagnosis;
  ErrorSums after;
  add_errors(one, g, part_P, part_U, 0, n, after);
  const double F2 = is_siconos() ? after.siconos : after.natural_map;
  if (!(F2 < here.F2))
    return found.converged;
  here.F2 = F2;
  for (std::size_t i = 0; i < n; ++i)
  {
    std::copy_n(part_P.begin() + dim * i, dim, P.begin() + dim * contacts[i]);
    result.status[contacts[i]] = found.status[i];
  }
  return found.converged;
}


template <int dim>
void AutoSolver<dim>::solve_parts(const ContactProblem<dim> &problem,
                                  const std::size_t n_parts,
                                  std::vector<double> &P,
                                  std::vector<double> &U)
{
  g = effective_impulse_scale(problem);
  part_iterations.assign(n_parts, result.sweeps);
  // Small parts first: what they leave of their shares, and of the time, is for
  // the large ones.
  by_size.resize(n_parts);
  std::iota(by_size.begin(), by_size.end(), 0);
  std::stable_sort(by_size.begin(),
                   by_size.end(),
                   [&](const std::size_t i, const std::size_t j)
                   { return parts.size(i) < parts.size(j); });
  result.diagnosis.clear();
  // Once more, with smaller shares, if the norms have changed much.
  double share = reserve * reserve;
  for (unsigned int pass = 0; pass < 3 && !result.converged; ++pass)
  {
    double left     = share * sum_parts(problem, n_parts, P, U);
    double n_left   = problem.n_contacts();
    bool all_solved = true;
    for (const std::size_t k : by_size)
    {
      const double allowed = left * parts.size(k) / n_left;
      if (sums[k].F2 > allowed && sums[k].movable)
        all_solved = part_iterations[k] < parameters.max_sweeps &&
                     !whole.out_of_time() &&
                     pursue_part(problem, k, allowed, P) && all_solved;
      left -= std::min(sums[k].F2, allowed);
      n_left -= parts.size(k);
    }
    result.errors = compute_errors(problem, P, U);
    const double error =
        is_siconos() ? result.errors.siconos : result.errors.unit_free;
    result.converged = error <= parameters.tolerance;
    if (!all_solved)
      break;
    share *= 0.25;
  }
  result.sweeps =
      *std::max_element(part_iterations.begin(), part_iterations.end());
  if (result.converged)
    result.diagnosis.clear();
  count_statuses();
}


template <int dim>
void AutoSolver<dim>::count_statuses()
{
  const auto count = [&](const ContactStatus status)
  { return std::count(result.status.begin(), result.status.end(), status); };
  result.n_open  = count(ContactStatus::open);
  result.n_stick = count(ContactStatus::stick);
  result.n_slip  = count(ContactStatus::slip);
}

template class AutoSolver<2>;
template class AutoSolver<3>;
} // namespace delassus

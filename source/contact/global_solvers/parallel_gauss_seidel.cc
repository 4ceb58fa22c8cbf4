#include <delassus/base/exceptions.h>
#include <delassus/contact/global_solvers/gauss_seidel_sweep.h>
#include <delassus/contact/global_solvers/parallel_gauss_seidel.h>

#include <fmt/format.h>

#include <algorithm>

namespace delassus
{
namespace
{
/// Impulses of so many contacts share a cache line: they stay in one part, so
/// that no two threads write to the same line.
template <int dim>
constexpr std::size_t per_line = 64 / (sizeof(double) * sweep_stride<dim>);

unsigned int checked(const unsigned int n_threads)
{
  if (n_threads < 1 || n_threads > 1024)
    throw InputError(fmt::format(
        "Contact solver: {} threads; there must be 1 to 1024.", n_threads));
  return n_threads;
}
} // namespace


template <int dim>
ParallelGaussSeidel<dim>::ParallelGaussSeidel(
    const ContactSolverParameters &parameters)
    : GaussSeidel<dim>(parameters)
    , team(checked(parameters.n_threads))
{
}


template <int dim>
bool ParallelGaussSeidel<dim>::has_same_pattern(
    const BlockSparseDelassus<dim> &W) const
{
  return part_of.size() == W.n_contacts() && column.size() == W.n_blocks() &&
         std::equal(row_start.begin(), row_start.end(), W.row_start_data()) &&
         std::equal(column.begin(), column.end(), W.column_data());
}


/// Parts of about the same number of blocks, in the order of the graph.
template <int dim>
void ParallelGaussSeidel<dim>::cut(const BlockSparseDelassus<dim> &W)
{
  const std::size_t n      = W.n_contacts();
  const std::size_t *start = W.row_start_data();
  this->graph.by_graph(W, along_graph);
  constexpr unsigned int none = ~0u;
  part_of.assign(n, none);
  // A visit costs something beside its blocks.
  const auto cost = [&](const std::size_t begin, const std::size_t end)
  { return double(start[end] - start[begin]) + 10. * (end - begin); };
  const double share = cost(0, n) / parts.size();
  double sum         = 0.;
  unsigned int p     = 0;
  for (const unsigned int a : along_graph)
  {
    if (part_of[a] != none)
      continue;
    const std::size_t begin = a / per_line<dim> * per_line<dim>;
    const std::size_t end   = std::min(n, begin + per_line<dim>);
    if (sum >= share * (p + 1) && p + 1 < parts.size())
      ++p;
    for (std::size_t b = begin; b < end; ++b)
      part_of[b] = p;
    sum += cost(begin, end);
  }
  std::size_t a = 0;
  for (std::size_t k = 0; k < parts.size(); ++k)
  {
    parts[k]->begin = a;
    while (a < n && (cost(0, a) < share * (k + 1) || k + 1 == parts.size()))
      a = std::min(n, a + 8); // whole cache lines of U
    parts[k]->end = a;
  }
}


template <int dim>
void ParallelGaussSeidel<dim>::find_coupled(const BlockSparseDelassus<dim> &W)
{
  const std::size_t n = W.n_contacts();
  is_coupled.assign(n, 0);
  are_neighbours.assign(parts.size() * parts.size(), 0);
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t k = W.row_start_data()[a]; k < W.row_start_data()[a + 1];
         ++k)
    {
      const unsigned int b = W.column_data()[k];
      const unsigned int p = part_of[a], q = part_of[b];
      if (p != q)
      {
        // Both, also if the pattern of W is not symmetric.
        is_coupled[a] = is_coupled[b]        = 1;
        are_neighbours[p * parts.size() + q] = 1;
        are_neighbours[q * parts.size() + p] = 1;
      }
    }
  n_coupled = std::count(is_coupled.begin(), is_coupled.end(), 1);
}


/// Neighbouring parts get different colours, each the lowest that is free.
template <int dim>
void ParallelGaussSeidel<dim>::find_colours()
{
  const std::size_t n = parts.size();
  std::vector<char> taken;
  for (std::size_t p = 0; p < n; ++p)
  {
    taken.assign(n, 0);
    for (std::size_t q = 0; q < p; ++q)
      if (are_neighbours[p * n + q])
        taken[parts[q]->colour] = 1;
    parts[p]->colour = std::find(taken.begin(), taken.end(), 0) - taken.begin();
  }
  for (std::size_t p = 0; p < n; ++p)
  {
    parts[p]->before.clear();
    parts[p]->after.clear();
    for (std::size_t q = 0; q < n; ++q)
      if (are_neighbours[p * n + q])
        (parts[q]->colour < parts[p]->colour ? parts[p]->before
                                             : parts[p]->after)
            .push_back(q);
  }
}


/// Contacts that are coupled with no other part come first and last: the more
/// first, the later the turn of their part.
template <int dim>
void ParallelGaussSeidel<dim>::sort_contacts()
{
  unsigned int n_colours = 1;
  for (const auto &part : parts)
    n_colours = std::max(n_colours, part->colour + 1);
  n_own.assign(parts.size(), 0);
  for (std::size_t a = 0; a < part_of.size(); ++a)
    n_own[part_of[a]] += !is_coupled[a];
  for (const auto &part : parts)
  {
    part->first.clear();
    part->coupled.clear();
    part->last.clear();
  }
  const bool along = this->parameters.order == SweepOrder::graph;
  for (std::size_t k = 0; k < part_of.size(); ++k)
  {
    const unsigned int a = along ? along_graph[k] : k;
    Part &part           = *parts[part_of[a]];
    const std::size_t before =
        n_colours == 1 ? n_own[part_of[a]]
                       : n_own[part_of[a]] * part.colour / (n_colours - 1);
    (is_coupled[a]                ? part.coupled
     : part.first.size() < before ? part.first
                                  : part.last)
        .push_back(a);
  }
}


template <int dim>
void ParallelGaussSeidel<dim>::make_parts(const BlockSparseDelassus<dim> &W)
{
  const std::size_t n       = W.n_contacts();
  const std::size_t n_lines = (n + per_line<dim> - 1) / per_line<dim>;
  parts.resize(std::min<std::size_t>(team.size(), n_lines));
  for (auto &part : parts)
    if (part == nullptr)
      part = std::make_unique<Part>();
  row_start.assign(W.row_start_data(), W.row_start_data() + n + 1);
  column.assign(W.column_data(), W.column_data() + W.n_blocks());
  cut(W);
  find_coupled(W);
  find_colours();
  sort_contacts();
}


template <int dim>
void ParallelGaussSeidel<dim>::start_threads(const ContactProblem<dim> &problem)
{
  sparse = nullptr;
  if (this->coupling != nullptr || team.size() == 1 ||
      problem.n_contacts() < 2 * per_line<dim>)
    return;
  const auto *W = dynamic_cast<const BlockSparseDelassus<dim> *>(problem.W);
  if (W == nullptr || W->n_ghosts() > 0)
    return;
  // Patterns seldom change from step to step. Random orders start from the
  // same one in each solve.
  if (!has_same_pattern(*W))
    make_parts(*W);
  else if (this->parameters.order == SweepOrder::random)
    sort_contacts();
  // Coupled contacts wait for each other: no gain.
  if (n_coupled > 0.8 * problem.n_contacts() || parts.size() == 1)
    return;
  sparse   = W;
  n_sweeps = 0;
  for (std::size_t p = 0; p < parts.size(); ++p)
  {
    parts[p]->marks  = this->marks;
    parts[p]->random = ReproducibleRandom(p);
    parts[p]->done.store(0, std::memory_order_relaxed);
  }
}


template <int dim>
void ParallelGaussSeidel<dim>::finish_threads()
{
  if (sparse == nullptr)
    return;
  for (std::size_t a = 0; a < part_of.size(); ++a)
    this->marks.status[a] = parts[part_of[a]]->marks.status[a];
}


template <int dim>
bool ParallelGaussSeidel<dim>::sweep_by_threads(const bool forward,
                                                SweepSums &sums)
{
  if (sparse == nullptr)
    return false;
  const BlockSparseSweep<dim> W(*sparse);
  const unsigned int now = ++n_sweeps;
  // Parts are long runs of consecutive contacts, unless another order was
  // asked for.
  const std::ptrdiff_t ahead =
      this->is_in_order() ? (forward ? 1 : -1) * internal::prefetch_distance
                          : 0;
  team.run(
      [&](const unsigned int t)
      {
        if (t >= parts.size())
          return;
        Part &part = *parts[t];
        SweepSums mine;
        const auto visit = [&](std::vector<unsigned int> &list)
        {
          if (this->parameters.order == SweepOrder::random &&
              (this->parameters.acceleration == 0 || now == 1))
            part.random.shuffle(list);
          mine.add(GaussSeidel<dim>::sweep(
              W,
              typename GaussSeidel<dim>::Listed{ list.data() },
              list.size(),
              forward,
              ahead,
              part.marks));
        };
        visit(forward ? part.first : part.last);
        // Parts whose turn is later wait for this one; the last sweep is over
        // for all.
        for (const unsigned int p : forward ? part.before : part.after)
          ThreadTeam::wait(
              [&]() {
                return parts[p]->done.load(std::memory_order_acquire) == now;
              });
        visit(part.coupled);
        part.done.store(now, std::memory_order_release);
        visit(forward ? part.last : part.first);
        part.sums = mine;
      });
  sums = SweepSums();
  for (const auto &part : parts)
    sums.add(part->sums);
  return true;
}


template <int dim>
bool ParallelGaussSeidel<dim>::errors_by_threads(
    const ContactProblem<dim> &problem,
    const std::vector<double> &P,
    std::vector<double> &U,
    ErrorSums &sums)
{
  if (sparse == nullptr)
    return false;
  const BlockSparseSweep<dim> W(*sparse);
  U.resize(dim * problem.n_contacts());
  team.run(
      [&](const unsigned int t)
      {
        if (t >= parts.size())
          return;
        Part &part = *parts[t];
        for (std::size_t a = part.begin; a < part.end; ++a)
        {
          LocalVector<dim> U_here;
          W.template velocity_at<dim>(
              a, P.data(), nullptr, U_here.data(), internal::prefetch_distance);
          for (int c = 0; c < dim; ++c)
            U[dim * a + c] = U_here[c] + problem.U_free[dim * a + c];
        }
        ErrorSums mine;
        add_errors(problem, this->g, P, U, part.begin, part.end, mine);
        part.errors = mine;
      });
  sums = ErrorSums();
  for (const auto &part : parts)
  {
    const ErrorSums &more = part->errors;
    sums.natural_map += more.natural_map;
    sums.siconos += more.siconos;
    sums.impulses += more.impulses;
    sums.velocities += more.velocities;
    sums.penetration     = std::max(sums.penetration, more.penetration);
    sums.cone            = std::max(sums.cone, more.cone);
    sums.complementarity = std::max(sums.complementarity, more.complementarity);
    if (more.worst > sums.worst)
    {
      sums.worst         = more.worst;
      sums.worst_contact = more.worst_contact;
    }
  }
  return true;
}


template <int dim>
void ParallelGaussSeidel<dim>::visit_all_again()
{
  GaussSeidel<dim>::visit_all_again();
  if (sparse != nullptr)
    for (const auto &part : parts)
    {
      part->marks.pause        = this->marks.pause;
      part->marks.quiet_visits = this->marks.quiet_visits;
    }
}


template <int dim>
bool ParallelGaussSeidel<dim>::is_paused(const std::size_t a) const
{
  return (sparse == nullptr ? this->marks : parts[part_of[a]]->marks)
             .pause[a] != 0;
}

template class ParallelGaussSeidel<2>;
template class ParallelGaussSeidel<3>;
} // namespace delassus

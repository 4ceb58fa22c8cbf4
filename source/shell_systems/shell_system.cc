#include <delassus/base/exceptions.h>
#include <delassus/shell_systems/shell_system.h>

#include <deal.II/base/mpi.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
using namespace dealii;

namespace
{
/// Quads of each rank at least, where ranks share pieces.
constexpr std::size_t fewest_quads = 16;

/// The quads of all pieces one after another, equal numbers to ranks in order:
/// the first of each rank, and the number of all. A part of a rank's share that
/// is less than a sixteenth of it is not worth a message. The owner of a single
/// piece also adds up all results, each an eighth of the work of finding it.
/// Where there are few, whole pieces, equal numbers.
std::vector<std::size_t>
share_all_quads(const std::vector<ShellSystem::Given> &given, MPI_Comm comm)
{
  const std::size_t n_ranks = Utilities::MPI::n_mpi_processes(comm);
  std::vector<std::size_t> end(1, 0), first(1, 0);
  for (const auto &one : given)
    end.push_back(end.back() + one.model->n_quads());
  const std::size_t n = end.back(), share = n / n_ranks;
  for (std::size_t r = 1; r < n_ranks; ++r)
  {
    if (share < fewest_quads)
    {
      // Piece p goes to rank p n_ranks / n_pieces.
      first.push_back(end[(r * given.size() + n_ranks - 1) / n_ranks]);
      continue;
    }
    std::size_t cut = n * r / n_ranks;
    if (given.size() == 1)
    {
      const double of_owner =
          std::max(1., n * (1. - (n_ranks - 1) / 8.) / n_ranks);
      cut = of_owner + (n - of_owner) * (r - 1) / (n_ranks - 1);
    }
    for (const std::size_t whole : end)
      if (16 * std::max(whole, cut) < 16 * std::min(whole, cut) + share)
        cut = whole;
    first.push_back(cut);
  }
  first.push_back(n);
  return first;
}

/// A piece is owned by the rank that has its first quad.
std::vector<unsigned int> owners(const std::vector<ShellSystem::Given> &given,
                                 MPI_Comm comm)
{
  const auto first = share_all_quads(given, comm);
  std::vector<unsigned int> ranks;
  std::size_t quad = 0;
  for (const auto &one : given)
  {
    ranks.push_back(std::upper_bound(first.begin(), first.end() - 1, quad) -
                    first.begin() - 1);
    quad += one.model->n_quads();
  }
  return ranks;
}

/// Components of carriers as sums of unknowns, and the unknowns that there are,
/// each once.
struct Combinations
{
  std::vector<unsigned int> unknowns, start; ///< start: of each component
  std::vector<std::pair<unsigned int, double>> entries; ///< place in unknowns
};

Combinations combine(const ShellPiece &piece,
                     const std::vector<unsigned int> &carriers)
{
  Combinations result;
  result.start.push_back(0);
  for (const unsigned int carrier : carriers)
    for (unsigned int c = 0; c < 3; ++c)
    {
      piece.for_each_unknown(carrier,
                             c,
                             [&](const unsigned int u, const double weight)
                             { result.entries.emplace_back(u, weight); });
      result.start.push_back(result.entries.size());
    }
  for (const auto &entry : result.entries)
    result.unknowns.push_back(entry.first);
  std::sort(result.unknowns.begin(), result.unknowns.end());
  result.unknowns.erase(
      std::unique(result.unknowns.begin(), result.unknowns.end()),
      result.unknowns.end());
  for (auto &entry : result.entries)
    entry.first = std::lower_bound(result.unknowns.begin(),
                                   result.unknowns.end(),
                                   entry.first) -
                  result.unknowns.begin();
  return result;
}
} // namespace

ShellSystem::ShellSystem(const std::string &name,
                         std::vector<Given> given,
                         const bool quasi_static,
                         const double fictitious_share,
                         const LinearSolverParameters &solver,
                         std::shared_ptr<MemoryBudget> memory,
                         MPI_Comm communicator,
                         const NewtonParameters &newton)
    : CarrierInverse<3>(std::move(memory))
    , skin_(name, owners(given, communicator))
    , communicator(communicator)
    , n_ranks(Utilities::MPI::n_mpi_processes(communicator))
    , rank(Utilities::MPI::this_mpi_process(communicator))
    , quasi_static(quasi_static)
    , fictitious_share(fictitious_share)
    , solver(solver)
    , newton(newton)
{
  if (quasi_static && by_mass())
    throw InputError(fmt::format(
        "Body '{}', entry 'Matrix': it is made of the mass, and quasi-static "
        "steps have none; allowed: full, step or frozen.",
        name));
  const auto first_of_rank = share_all_quads(given, communicator);
  std::size_t first_quad   = 0; // of a piece
  first_unknown.push_back(0);
  for (unsigned int p = 0; p < given.size(); ++p)
  {
    pieces.push_back(std::make_unique<ShellPiece>(std::move(given[p].model),
                                                  std::move(given[p].settings),
                                                  quasi_static,
                                                  newton.matrix));
    any_folds = any_folds || pieces.back()->has_folds();
    skin_.add(*pieces.back());
    const std::size_t n_quads = pieces.back()->model().n_quads();
    ShellPiece::Sharing sharing;
    for (const std::size_t first : first_of_rank)
      sharing.first_quad.push_back(
          std::min(std::max(first, first_quad), first_quad + n_quads) -
          first_quad);
    sharing.rank  = rank;
    sharing.owner = skin_.piece_owner(p);
    first_quad += n_quads;
    if (sharing.first_quad[sharing.owner + 1] < n_quads)
    {
      sharing.communicator = communicator;
      pieces.back()->share(std::move(sharing));
    }
    if (owns(p))
      own.push_back(p);
    classes.class_of_piece.push_back(p);
    classes.representative.push_back(p);
    first_unknown.push_back(first_unknown.back() +
                            pieces.back()->model().n_unknowns());
  }
  diagonal = by_mass() && is_sparse() && !any_folds;
  skin_.make_faces(pieces);
}

ShellSystem::~ShellSystem()
{
  this->budget->give_back(bytes_taken);
}

std::size_t ShellSystem::factor_memory() const
{
  std::size_t sum = 0;
  for (const unsigned int p : own)
    if (pieces[p]->factor() != nullptr)
      sum += pieces[p]->factor()->memory_consumption();
  return sum;
}

FactorWork ShellSystem::factor_work() const
{
  FactorWork sum;
  for (const unsigned int p : own)
    if (pieces[p]->factor() != nullptr)
    {
      sum.operations += pieces[p]->factor()->work();
      sum.values += pieces[p]->factor()->n_values();
    }
  return sum;
}

std::string ShellSystem::describe_solver() const
{
  std::map<std::string, unsigned int> kinds;
  for (const unsigned int p : own)
    if (pieces[p]->factor() != nullptr)
      ++kinds[pieces[p]->factor()->name()];
  std::string text;
  for (const auto &[kind, n] : kinds)
    text += fmt::format("{}{} x {}", text.empty() ? "" : ", ", n, kind);
  return text;
}

// -- Carriers -----------------------------------------------------------------

void ShellSystem::set_contact_configuration(const bool iterate)
{
  for (const unsigned int p : own)
    pieces[p]->set_contact_configuration(iterate);
  share_arms();
}

void ShellSystem::share_arms()
{
  // Of pieces of other ranks, for for_each_unknown().
  if (n_ranks == 1)
    return;
  for (unsigned int p = 0; p < pieces.size(); ++p)
  {
    auto &arms = pieces[p]->arms();
    for (const auto &[values, n] :
         { std::pair(static_cast<void *>(arms.arm.data()), 3 * arms.arm.size()),
           std::pair(static_cast<void *>(arms.axes.data()),
                     9 * arms.axes.size()) })
    {
      const int ierr =
          MPI_Bcast(values, n, MPI_DOUBLE, skin_.piece_owner(p), communicator);
      AssertThrowMPI(ierr);
    }
  }
}

void ShellSystem::carrier_values(const CarrierField field,
                                 const std::vector<unsigned int> &carriers,
                                 double *values) const
{
  for (const unsigned int carrier : carriers)
  {
    const unsigned int p = skin_.piece_of(carrier);
    Vector3 value{ { 0., 0., 0. } };
    if (!skin_.is_vertex(carrier))
      value = pieces[p]->carrier_value(field, carrier - skin_.first_carrier(p));
    else
      for (const auto &master : skin_.masters(carrier))
        value = value + master.weight *
                            pieces[p]->carrier_value(
                                field, master.carrier - skin_.first_carrier(p));
    for (unsigned int c = 0; c < 3; ++c)
      *values++ = value[c];
  }
}

void ShellSystem::hand_on(const ShellPiece::Impulses kind,
                          const std::vector<unsigned int> &carriers,
                          const double *impulses)
{
  for (const unsigned int p : own)
    pieces[p]->begin_impulses(kind);
  for (const unsigned int carrier : carriers)
  {
    const Vector3 P{ { impulses[0], impulses[1], impulses[2] } };
    impulses += 3;
    // Vertices hand theirs on before.
    if (skin_.is_vertex(carrier))
      continue;
    const unsigned int p = skin_.piece_of(carrier);
    pieces[p]->add_impulse(carrier - skin_.first_carrier(p), P);
  }
  for (const unsigned int p : own)
    pieces[p]->finish_impulses();
}

void ShellSystem::set_contact_impulse(const std::vector<unsigned int> &carriers,
                                      const double *impulses)
{
  hand_on(ShellPiece::Impulses::contact, carriers, impulses);
}

void ShellSystem::respond(const std::vector<unsigned int> &carriers,
                          const double *impulses)
{
  hand_on(ShellPiece::Impulses::response, carriers, impulses);
}

void ShellSystem::shift_free_velocity(const std::vector<unsigned int> &carriers,
                                      const double *impulses)
{
  hand_on(ShellPiece::Impulses::shift, carriers, impulses);
}

bool ShellSystem::is_prescribed(const unsigned int carrier,
                                const unsigned int c) const
{
  const unsigned int p = skin_.piece_of(carrier);
  return pieces[p]->is_prescribed(carrier - skin_.first_carrier(p), c);
}

// -- w ------------------------------------------------------------------------

std::vector<double>
ShellSystem::compliance(const unsigned int p,
                        const std::vector<unsigned int> &carriers)
{
  const std::size_t n = 3 * carriers.size();
  std::vector<double> C(n * n, 0.);
  if (diagonal && carriers.size() == 1)
  {
    pieces[p]->add_own_compliance(carriers[0], C.data());
    return C;
  }
  entries(p, carriers, carriers, C.data());
  // w is symmetric; rounding is not.
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j)
      C[i * n + j] = C[j * n + i] = 0.5 * (C[i * n + j] + C[j * n + i]);
  return C;
}

void ShellSystem::entries(const unsigned int p,
                          const std::vector<unsigned int> &rows,
                          const std::vector<unsigned int> &columns,
                          double *E)
{
  // B w B^T, B the weights of carriers on unknowns.
  const Combinations left  = combine(*pieces[p], rows),
                     right = combine(*pieces[p], columns);
  const std::size_t m = left.unknowns.size(), n_rows = left.start.size() - 1,
                    n_columns = right.start.size() - 1;
  std::fill_n(E, n_rows * n_columns, 0.);
  if (m == 0 || right.unknowns.empty())
    return;
  std::vector<double> w(m * right.unknowns.size()), column(m);
  pieces[p]->factor()->inverse_entries(left.unknowns, right.unknowns, w.data());
  for (std::size_t j = 0; j < n_columns; ++j)
  {
    std::fill(column.begin(), column.end(), 0.);
    for (unsigned int e = right.start[j]; e < right.start[j + 1]; ++e)
    {
      const auto [place, weight] = right.entries[e];
      for (std::size_t i = 0; i < m; ++i)
        column[i] += weight * w[i + place * m];
    }
    for (std::size_t i = 0; i < n_rows; ++i)
      for (unsigned int e = left.start[i]; e < left.start[i + 1]; ++e)
        E[i + j * n_rows] +=
            left.entries[e].second * column[left.entries[e].first];
  }
}

void ShellSystem::for_each_entry(
    const std::function<void(std::size_t, std::size_t, double)> &add) const
{
  for (const unsigned int p : own)
    pieces[p]->for_each_entry(
        [&](const unsigned int i, const unsigned int j, const double value)
        { add(first_unknown[p] + i, first_unknown[p] + j, value); });
}

void ShellSystem::for_each_unknown(
    const unsigned int carrier,
    const unsigned int c,
    const std::function<void(std::size_t, double)> &add) const
{
  const unsigned int p = skin_.piece_of(carrier);
  pieces[p]->for_each_unknown(carrier - skin_.first_carrier(p),
                              c,
                              [&](const unsigned int u, const double weight)
                              { add(first_unknown[p] + u, weight); });
}

void ShellSystem::for_each_velocity(
    const std::function<void(std::size_t, double, double)> &add) const
{
  for (const unsigned int p : own)
    pieces[p]->for_each_velocity(
        [&](const unsigned int u, const double v_free, const double v_new)
        { add(first_unknown[p] + u, v_free, v_new); });
}
} // namespace delassus

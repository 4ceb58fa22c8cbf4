// W of the present contacts, or what stands for it.
#include <delassus/simulation/contact_delassus.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace delassus
{
using namespace dealii;

template <int dim>
ContactDelassus<dim>::ContactDelassus(Model<dim> &model,
                                      const std::vector<Contact<dim>> &contacts,
                                      const ContactPlaces<dim> &places,
                                      ContactRanks<dim> &ranks)
    : compliance(model.systems,
                 *model.surfaces,
                 *model.memory,
                 model.communicator)
    , replica(model, places)
    , model(model)
    , contacts(contacts)
    , places(places)
    , ranks(ranks)
{
}

template <int dim>
void ContactDelassus<dim>::update_compliance()
{
  compliance.update();
  stale = true;
}

template <int dim>
bool ContactDelassus<dim>::fill_data()
{
  // Own contacts, then the coupled ghosts as far as they act on pieces of own
  // contacts. Where w of a system is diagonal each node is a piece of its own,
  // so that W couples contacts that share a node only.
  const auto &nodes         = model.surfaces->nodes;
  constexpr unsigned int no = std::numeric_limits<unsigned int>::max();
  std::vector<char> by_nodes;
  for (auto *system : model.systems)
    by_nodes.push_back(system->inverse().is_diagonal());
  const bool any_by_nodes =
      std::find(by_nodes.begin(), by_nodes.end(), char(1)) != by_nodes.end();
  std::vector<unsigned int> index(model.surfaces->n_pieces(), no);
  std::vector<unsigned int> index_of_node(any_by_nodes ? nodes.size() : 0, no);
  std::vector<unsigned int> used, single;
  for (std::size_t a = 0; a < contacts.size(); ++a)
    for (unsigned int i = 0; i < n_entries(a); ++i)
    {
      const unsigned int node = contacts[a].nodes[i];
      if (by_nodes[nodes[node].system])
      {
        if (index_of_node[node] != no)
          continue;
        index_of_node[node] = 0;
        single.push_back(node);
        continue;
      }
      index[nodes[node].piece] = 0;
      used.push_back(node);
    }
  data.n_ghosts = ranks.distributed ? ranks.messages.n_coupled_ghosts : 0;
  find_resting_ghosts();
  const auto n_ghost_entries = [&](const std::size_t g)
  {
    return ghost_rests.empty() || ghost_rests[dim * g] == 0.
               ? ranks.messages.ghosts[g].n_entries
               : 0u;
  };
  for (std::size_t g = 0; g < data.n_ghosts; ++g)
    for (unsigned int i = 0; i < n_ghost_entries(g); ++i)
      if (!by_nodes[nodes[ranks.messages.ghosts[g].nodes[i]].system])
        used.push_back(ranks.messages.ghosts[g].nodes[i]);
  pieces.clear();
  for (unsigned int p = 0; p < index.size(); ++p)
    if (index[p] != no)
    {
      index[p] = pieces.size();
      pieces.push_back(p);
    }
  if (!compliance.provide(pieces, used))
    return false;
  data.piece_compliance.clear();
  data.piece_n_dofs.clear();
  for (const unsigned int p : pieces)
  {
    data.piece_compliance.push_back(compliance.of_piece(p));
    data.piece_n_dofs.push_back(compliance.n_dofs(p));
  }
  if (any_by_nodes)
  {
    gather_diagonal(by_nodes);
    node_compliance.assign(single.size() * dim * dim, 0.);
    for (std::size_t k = 0; k < single.size(); ++k)
    {
      double *C = &node_compliance[k * dim * dim];
      for (unsigned int c = 0; c < dim; ++c)
        for (unsigned int d = 0; d < dim; ++d)
          C[dim * c + d] = diagonal_columns[d][dim * single[k] + c];
      index_of_node[single[k]] = data.piece_compliance.size();
      data.piece_compliance.push_back(C);
      data.piece_n_dofs.push_back(dim);
    }
  }

  data.h_start.assign(1, 0);
  data.entries.clear();
  data.frame.clear();
  const auto add = [&](const Contact<dim> &contact, const unsigned int n)
  {
    for (unsigned int i = 0; i < n; ++i)
    {
      const unsigned int node = contact.nodes[i];
      const bool alone        = by_nodes[nodes[node].system];
      const unsigned int piece =
          alone ? index_of_node[node] : index[nodes[node].piece];
      if (piece != no)
        data.entries.push_back(
            { piece, alone ? 0 : compliance.slot(node), contact.weights[i] });
    }
    data.h_start.push_back(data.entries.size());
    data.frame.push_back(contact.frame);
  };
  for (std::size_t a = 0; a < contacts.size(); ++a)
    add(contacts[a], n_entries(a));
  for (std::size_t i = 0; i < data.n_ghosts; ++i)
    add(ranks.messages.ghosts[i], n_ghost_entries(i));
  return true;
}

template <int dim>
void ContactDelassus<dim>::gather_diagonal(const std::vector<char> &by_nodes)
{
  // Carriers whose w is diagonal themselves: one vector tells it. Those that
  // points of surfaces depend on (sheets) may turn, and have a block.
  places.gather(CarrierField::inverse, lumped_inverse);
  std::vector<char> with_blocks(by_nodes.size(), 0);
  bool any = false;
  for (std::size_t b = 0; b < by_nodes.size(); ++b)
  {
    with_blocks[b] = by_nodes[b] && model.systems[b]->skin().has_points();
    any            = any || with_blocks[b];
  }
  for (unsigned int d = 0; d < dim; ++d)
  {
    auto &column = diagonal_columns[d];
    column.assign(lumped_inverse.size(), 0.);
    for (std::size_t i = d; i < column.size(); i += dim)
      column[i] = lumped_inverse[i];
    if (any)
      model.surfaces->gather_some(
          with_blocks,
          [&](const unsigned int b,
              const std::vector<unsigned int> &carriers,
              double *values)
          {
            auto &system = *model.systems[b];
            for (const unsigned int carrier : carriers)
            {
              const auto here = system.skin().carrier(carrier);
              std::array<double, dim> own{};
              if (!here.depends)
              {
                const auto C = system.inverse().compliance(
                    system.piece_classes().class_of_piece[here.piece],
                    { system.skin().number_in_piece(carrier) });
                for (unsigned int c = 0; c < dim; ++c)
                  own[c] = C[dim * c + d];
              }
              values = std::copy(own.begin(), own.end(), values);
            }
          },
          column);
  }
}

template <int dim>
void ContactDelassus<dim>::find_resting_ghosts()
{
  ghost_rests.clear();
  int any = !resting.empty();
  if (!ranks.distributed)
    return;
  MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, model.communicator);
  if (!any)
    return;
  // By way of the impulses.
  std::vector<double> rests(dim * contacts.size(), 0.);
  for (std::size_t a = 0; a < resting.size(); ++a)
    rests[dim * a] = resting[a];
  ranks.messages.tell_ghosts(rests, ghost_rests);
}

template <int dim>
void ContactDelassus<dim>::update(ContactProblem<dim> &problem)
{
  if (!stale)
    return;
  stale                   = false;
  global.stale            = true;
  DelassusStorage storage = model.parameters.contact_solver.storage;
  note.clear();
  const bool without = goes_without_W(problem);
  applied_only       = without || !fill_data();
  replicated         = without && ranks.n_ranks > 1;
  if (applied_only)
  {
    if (!without)
      note = "the compliance at the contact nodes would exceed the memory "
             "limit: W is applied only, by the linear solver";
    make_applied();
    if (replicated)
      replica.renew(contacts, resting, compliance.impulse_scale);
    problem.W = W.get();
    describe();
    return;
  }
  if (storage == DelassusStorage::automatic)
  {
    // Assembled, unless going through the pieces is expected to be faster or
    // the blocks would not fit in 4 GiB or the memory that is left.
    const DelassusCost<dim> cost(data);
    const double most = std::min(4. * (1 << 30), model.memory->available());
    storage           = cost.prefers_matrix_free() || cost.bytes > most
                            ? DelassusStorage::matrix_free
                            : DelassusStorage::block_sparse;
  }
  if (storage == DelassusStorage::matrix_free)
  {
    auto *body = dynamic_cast<BodyDelassus<dim> *>(W.get());
    if (body)
      body->reinit(data);
    else
      W = std::make_unique<BodyDelassus<dim>>(data);
  }
  else
  {
    auto *sparse = dynamic_cast<BlockSparseDelassus<dim> *>(W.get());
    if (!sparse)
    {
      auto made = std::make_unique<BlockSparseDelassus<dim>>();
      sparse    = made.get();
      W         = std::move(made);
    }
    assembler.assemble(data, *sparse);
    if (storage == DelassusStorage::dense)
      W = std::make_unique<DenseDelassus<dim>>(*sparse);
  }
  problem.W = W.get();
  describe();
}

template <int dim>
void ContactDelassus<dim>::describe()
{
  bytes        = W->memory_consumption();
  storage_name = W->name();
  if (ranks.n_ranks > 1)
    bytes = Utilities::MPI::sum(bytes, model.communicator);
}

template <int dim>
bool ContactDelassus<dim>::goes_without_W(
    const ContactProblem<dim> &problem) const
{
  const auto &solver  = model.parameters.contact_solver;
  const bool parallel = ranks.n_ranks > 1;
  if (solver.storage != DelassusStorage::automatic)
    return false;
  for (const auto *system : model.systems)
    if (!system->is_sparse())
      return false;
  if (parallel)
  {
    // Ranks that look at clocks may go different ways; affine laws have bodies
    // of their own.
    int possible = solver.time_limit <= 0. &&
                   solver.distribution == ContactDistribution::automatic &&
                   std::all_of(problem.laws.begin(),
                               problem.laws.end(),
                               [](const auto &law) { return law.is_shift(); });
    MPI_Allreduce(
        MPI_IN_PLACE, &possible, 1, MPI_INT, MPI_MIN, model.communicator);
    if (!possible)
      return false;
  }
  switch (solver.type)
  {
    case ContactSolverType::global_newton:
    case ContactSolverType::global_admm:
      return true;
    case ContactSolverType::automatic:
      // In linear runs the compliances that W is made of are kept.
      return model.is_nonlinear() &&
             (spared || cost_without_W() < cost_with_W());
    default:
      return false;
  }
}

template <int dim>
bool ContactDelassus<dim>::spare(const ContactProblem<dim> &problem)
{
  if (spared || applied_only || !model.is_nonlinear() ||
      model.parameters.contact_solver.type != ContactSolverType::automatic)
    return false;
  spared = true;
  stale  = goes_without_W(problem);
  return stale;
}

// Both are those of an iteration of the Newton loop: seconds of one core of
// 2.5 GHz, as measured on sheets of 4000 to 17 000 unknowns under a punch. Only
// their ratio matters.
namespace
{
constexpr double operation = 5e-11;  // of a factorization
constexpr double value     = 1.5e-9; // of a factor, in a solution
constexpr double entry     = 1.6e-8; // of W, from a factor of 4000 unknowns

/// Factorizations of Newton's method on contact (most problems have the
/// contacts that the last one had), or sweeps; and solutions with the factors
/// that it takes without W.
constexpr double n_newton = 1.2, n_sweeps = 300., n_solutions = 12.;
} // namespace

template <int dim>
double ContactDelassus<dim>::cost_with_W() const
{
  double count[2] = { 0., double(dim * n_closed) };
  for (std::size_t a = 0; a < contacts.size(); ++a)
    count[0] += n_entries(a) > 0 ? dim : 0.;
  if (ranks.n_ranks > 1)
    MPI_Allreduce(
        MPI_IN_PLACE, count, 2, MPI_DOUBLE, MPI_SUM, model.communicator);
  const double n = count[0], closed = count[1];
  const double unknowns = first_unknowns().back();
  return entry * n * n * std::pow(unknowns / 4000., 0.8) +
         std::min(n_newton * 2. / 3. * std::pow(closed, 3) * operation,
                  n_sweeps * n * n * 1e-9);
}

template <int dim>
double ContactDelassus<dim>::cost_without_W() const
{
  double operations = 0., values = 0.;
  for (const auto *system : model.systems)
  {
    const auto work = system->factor_work();
    operations += work.operations;
    values += work.values;
  }
  // The slowest rank counts.
  if (ranks.n_ranks > 1)
  {
    operations = Utilities::MPI::max(operations, model.communicator);
    values     = Utilities::MPI::max(values, model.communicator);
  }
  if (!(operations > 0.))
    return std::numeric_limits<double>::infinity();
  return n_newton * operations * operation + n_solutions * values * value;
}

template <int dim>
void ContactDelassus<dim>::offer_global_form(ContactProblem<dim> &problem,
                                             const std::size_t n_contacts)
{
  problem.global       = nullptr;
  problem.make_global  = nullptr;
  problem.memory_limit = std::max(1., model.memory->available());
  // The effective matrix of pieces that soft ones hold is not a sparse one.
  for (const auto *system : model.systems)
    if (!system->is_sparse())
      return;
  const auto make = [this, n_contacts]() -> const GlobalForm *
  {
    if (global.stale)
      gather_global_form(n_contacts, global.form);
    global.stale = false;
    return &global.form;
  };
  const auto type = model.parameters.contact_solver.type;
  if (replicated)
    return;
  if (ranks.n_ranks == 1)
    problem.make_global = make;
  else if (type == ContactSolverType::global_admm ||
           type == ContactSolverType::global_newton)
    problem.global = make(); // all ranks together
}

template <int dim>
void ContactDelassus<dim>::make_applied()
{
  std::vector<LocalMatrix<dim>> diagonal =
      estimated_blocks(model, contacts, compliance.impulse_scale);
  W = std::make_unique<AppliedDelassus<dim>>(
      [this](const double *P, double *U) { apply(P, U); },
      std::move(diagonal),
      /* remembers */ ranks.n_ranks == 1);
}

template <int dim>
void ContactDelassus<dim>::apply(const double *P, double *U)
{
  response_P.assign(P, P + dim * contacts.size());
  ranks.sum_impulses(contacts, response_P, response_r);
  model.surfaces->scatter(response_r,
                          [&](const unsigned int system,
                              const std::vector<unsigned int> &carriers,
                              const double *impulses) {
                            model.systems[system]->respond(carriers, impulses);
                          });
  places.gather(CarrierField::response, response_nodes);
  for (std::size_t a = 0; a < contacts.size(); ++a)
  {
    const auto U_here = contacts[a].local_combination(response_nodes);
    for (unsigned int c = 0; c < dim; ++c)
      U[dim * a + c] = U_here[c];
  }
}

template class ContactDelassus<2>;
template class ContactDelassus<3>;
} // namespace delassus

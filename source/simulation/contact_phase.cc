#include <delassus/simulation/contact_phase.h>
#include <delassus/base/exceptions.h>

#include <fmt/format.h>

#include <cmath>

namespace delassus
{
using namespace dealii;

namespace
{
/// The box around points given by dim coordinates each.
template <int dim>
BoundingBox<dim> box_of(const std::vector<double> &x)
{
  Point<dim> low, high;
  for (unsigned int c = 0; c < dim; ++c)
  {
    low[c] = high[c] = x[c];
    for (std::size_t i = c; i < x.size(); i += dim)
    {
      low[c]  = std::min(low[c], x[i]);
      high[c] = std::max(high[c], x[i]);
    }
  }
  return BoundingBox<dim>({ low, high });
}
} // namespace

template <int dim>
ContactPhase<dim>::ContactPhase(Model<dim> &model)
    : model(model)
    , detector(*model.surfaces, model.interactions, model.obstacles)
    , solver(model.parameters.contact_solver)
    , rank(Utilities::MPI::this_mpi_process(model.communicator))
    , smallest_face(model.surfaces->smallest_face())
{
  number_contact_nodes();
}

template <int dim>
void ContactPhase<dim>::number_contact_nodes()
{
  // The contact nodes of a class: those of any of its pieces, so that congruent
  // pieces share one compliance.
  const auto &surfaces = *model.surfaces;
  class_nodes.resize(model.bodies.size());
  for (unsigned int b = 0; b < model.bodies.size(); ++b)
    class_nodes[b].resize(model.classes[b]->n_classes());
  const auto class_of = [&](const auto &node) -> std::vector<unsigned int> &
  {
    const unsigned int piece = node.piece - surfaces.first_piece[node.body];
    return class_nodes[node.body]
                      [model.classes[node.body]->class_of_piece[piece]];
  };
  const auto in_piece = [&](const auto &node)
  {
    const unsigned int piece = node.piece - surfaces.first_piece[node.body];
    return node.node - model.bodies[node.body]->pieces[piece].first_node;
  };
  for (const auto &node : surfaces.nodes)
    class_of(node).push_back(in_piece(node));
  for (auto &body : class_nodes)
    for (auto &list : body)
    {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
  slot_of_node.reserve(surfaces.nodes.size());
  for (const auto &node : surfaces.nodes)
  {
    const auto &list = class_of(node);
    slot_of_node.push_back(
        std::lower_bound(list.begin(), list.end(), in_piece(node)) -
        list.begin());
  }
}

template <int dim>
void ContactPhase<dim>::update_compliance()
{
  compliance.resize(model.bodies.size());
  data.piece_compliance.clear();
  data.piece_n_dofs.clear();
  double diagonal_sum = 0., diagonal_count = 0.;
  for (unsigned int b = 0; b < model.bodies.size(); ++b)
  {
    auto &scheme        = *model.schemes[b];
    const auto &classes = *model.classes[b];
    compliance[b].resize(classes.n_classes());
    std::vector<unsigned int> pieces_in_class(classes.n_classes(), 0);
    for (const unsigned int c : classes.class_of_piece)
      ++pieces_in_class[c];
    for (unsigned int c = 0; c < classes.n_classes(); ++c)
    {
      const auto &nodes = class_nodes[b][c];
      const unsigned int owner =
          model.bodies[b]->pieces[classes.representative[c]].rank;
      const std::size_t n = dim * nodes.size();
      if (nodes.empty())
        continue;
      if (n * n > (std::size_t(1) << 30))
        throw ComputationError(fmt::format(
            "Body '{}' has {} nodes on contact surfaces in one piece: their "
            "compliance would take {:.0f} GiB. Restrict the contact surfaces "
            "to where contact can happen.",
            model.bodies[b]->name(),
            nodes.size(),
            n * n * 8. / (1 << 30)));
      if (rank == owner)
      {
        compliance[b][c]      = scheme.w.compliance(c, nodes);
        const double n_pieces = pieces_in_class[c];
        diagonal_sum += n_pieces * n * scheme.w.effective_diagonal(c, nodes);
        diagonal_count += n_pieces * n;
        if (owner != 0)
          MPI_Send(compliance[b][c].data(),
                   n * n,
                   MPI_DOUBLE,
                   0,
                   0,
                   model.communicator);
      }
      if (rank == 0 && owner != 0)
      {
        compliance[b][c].resize(n * n);
        MPI_Recv(compliance[b][c].data(),
                 n * n,
                 MPI_DOUBLE,
                 owner,
                 0,
                 model.communicator,
                 MPI_STATUS_IGNORE);
      }
      if (rank != 0)
        compliance[b][c] = std::vector<double>();
    }
    for (const unsigned int c : classes.class_of_piece)
    {
      data.piece_compliance.push_back(compliance[b][c].data());
      data.piece_n_dofs.push_back(dim * class_nodes[b][c].size());
    }
  }
  diagonal_sum   = Utilities::MPI::sum(diagonal_sum, model.communicator);
  diagonal_count = Utilities::MPI::sum(diagonal_count, model.communicator);
  // The unit of the error measure: reciprocal of the mean diagonal of the
  // effective matrix at contact dofs.
  impulse_scale  = diagonal_sum > 0. ? diagonal_count / diagonal_sum : 0.;
  delassus_stale = true;
}

template <int dim>
bool ContactPhase<dim>::detect(const double t, const double h)
{
  const auto &surfaces = *model.surfaces;
  const double theta   = model.parameters.time.theta;
  const unsigned int n = surfaces.nodes.size();
  if (surfaces.points.empty())
    return false;

  std::vector<const Vector *> displacements, velocities, free;
  for (const auto &scheme : model.schemes)
  {
    displacements.push_back(&scheme->q);
    velocities.push_back(&scheme->v);
    free.push_back(&scheme->v_free);
  }
  surfaces.gather(displacements, x);
  surfaces.gather(velocities, v);
  surfaces.gather(free, v_free);
  x_tilde.resize(dim * n);
  for (unsigned int i = 0; i < dim * n; ++i)
  {
    x[i] += surfaces.reference[i];
    x_tilde[i] = x[i] + (1. - theta) * h * v[i];
  }

  // How far any contact node is from where it was at the last detection, and
  // how far it may go in this step.
  double moved = 0., fastest = 0.;
  for (unsigned int i = 0; i < n; ++i)
  {
    double m = 0., f = 0., f_free = 0.;
    for (unsigned int c = 0; c < dim; ++c)
    {
      if (!first_detection)
        m += std::pow(x_tilde[dim * i + c] - x_detected[dim * i + c], 2);
      f += std::pow(v[dim * i + c], 2);
      f_free += std::pow(v_free[dim * i + c], 2);
    }
    moved   = std::max(moved, m);
    fastest = std::max({ fastest, f, f_free });
  }
  const double t_tilde = t + (1. - theta) * h;
  moved                = std::sqrt(moved);
  fastest              = std::sqrt(fastest);
  if (!model.obstacles.empty())
  {
    const auto box = box_of<dim>(x_tilde);
    for (const auto &obstacle : model.obstacles)
    {
      if (!first_detection)
        moved = std::max(moved, obstacle.travel(box, t_detected, t_tilde));
      fastest =
          std::max(fastest, obstacle.travel(box, t_tilde, t_tilde + h) / h);
    }
  }
  const double update =
      model.parameters.contact_solver.update_distance * smallest_face;
  // What was found last time will do if little has moved, and if nothing can
  // come from beyond the reach of that search during this step.
  if (!first_detection &&
      (update < 0. || (update > 0. && moved <= update && !normals_change() &&
                       2. * (moved + h * fastest) <= reach_detected)))
    return false;

  // Two bodies may approach each other by twice what one moves.
  old_contacts.swap(contacts);
  reach_detected = 2. * (1.5 * h * fastest + std::max(0., update));
  detector.obstacle_search.start_from(x, t, old_contacts);
  detector.detect(x_tilde, t_tilde, reach_detected, contacts, old_contacts);
  carry_impulses();
  x_detected      = x_tilde;
  t_detected      = t_tilde;
  first_detection = false;
  delassus_stale  = true;
  ++n_detections;
  return true;
}

template <int dim>
void ContactPhase<dim>::carry_impulses()
{
  // Detection lists contacts by interaction and candidate point, each with the
  // few antagonists it has: one pass over both lists finds all old partners.
  const auto before = [](const Contact<dim> &a, const Contact<dim> &b)
  {
    return a.interaction != b.interaction ? a.interaction < b.interaction
                                          : a.point < b.point;
  };
  old_P.swap(P);
  old_status.swap(result.status);
  U.clear();
  P.assign(dim * contacts.size(), 0.);
  result.status.assign(contacts.size(), ContactStatus::open);
  std::size_t first = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i)
  {
    while (first < old_contacts.size() &&
           before(old_contacts[first], contacts[i]))
      ++first;
    std::size_t old = first;
    while (old < old_contacts.size() &&
           old_contacts[old].key() != contacts[i].key() &&
           !before(contacts[i], old_contacts[old]))
      ++old;
    if (old == old_contacts.size() ||
        old_contacts[old].key() != contacts[i].key())
      continue;
    // The impulse as a vector in space, seen from the new frame.
    const Tensor<1, dim> impulse =
        old_contacts[old].to_global(&old_P[dim * old]);
    for (unsigned int r = 0; r < dim; ++r)
      for (unsigned int c = 0; c < dim; ++c)
        P[dim * i + r] += contacts[i].frame[dim * r + c] * impulse[c];
    if (old < old_status.size())
      result.status[i] = old_status[old];
  }
}

template <int dim>
double ContactPhase<dim>::gap(const Contact<dim> &contact,
                              const std::vector<double> &positions,
                              const double t) const
{
  return contact.obstacle < 0 ? contact.local_combination(positions)[0]
                              : model.obstacles[contact.obstacle].gap(
                                    contact.face,
                                    contact.normal(),
                                    candidate(contact, positions),
                                    t);
}

template <int dim>
void ContactPhase<dim>::build_kinematics(const double t, const double h)
{
  const double theta = model.parameters.time.theta;
  const auto n       = contacts.size();

  gaps.resize(n);
  U_start.resize(dim * n);
  U_imposed.assign(dim * n, 0.);
  problem.U_free.resize(dim * n);
  problem.laws.resize(n);
  problem.h             = h;
  problem.impulse_scale = impulse_scale;
  for (unsigned int a = 0; a < n; ++a)
  {
    const auto &contact = contacts[a];
    if (contact.obstacle >= 0)
    {
      const auto imposed = imposed_velocity(contact, t + (1. - theta) * h, h);
      std::copy(imposed.begin(), imposed.end(), &U_imposed[dim * a]);
    }
    const auto U0 = contact.local_combination(v);
    const auto Uf = contact.local_combination(v_free);
    CandidateState<dim> state;
    state.h         = h;
    state.gap       = gap(contact, x, t);
    state.gap_tilde = gap(contact, x_tilde, t + (1. - theta) * h);
    state.area      = contact.area;
    if (a < result.status.size())
      state.status = result.status[a];
    if (model.laws[contact.interaction]->varying_friction())
    {
      // U is still that of the last solution, unless the contacts are new.
      state.friction = friction_state(a, t, h);
      if (U.size() != dim * n && state.status != ContactStatus::stick)
      {
        double speed = 0.;
        for (unsigned int r = 1; r < dim; ++r)
          speed += std::pow(U0[r] + U_imposed[dim * a + r], 2);
        state.friction.speed = std::sqrt(speed);
      }
    }
    for (unsigned int r = 0; r < dim; ++r)
    {
      state.U_previous[r]         = U0[r] + U_imposed[dim * a + r];
      state.U_free_candidate[r]   = Uf[r] + U_imposed[dim * a + r];
      state.P_previous[r]         = P[dim * a + r];
      U_start[dim * a + r]        = state.U_previous[r];
      problem.U_free[dim * a + r] = state.U_free_candidate[r];
    }
    gaps[a]         = state.gap;
    problem.laws[a] = model.laws[contact.interaction]->prepare(state);
  }
  // What would be shown of these contacts before they are solved.
  U        = U_start;
  gaps_end = gaps;
  result.status.resize(n, ContactStatus::open);
}

template <int dim>
void ContactPhase<dim>::fill_delassus_data()
{
  data.h_start.assign(1, 0);
  data.entries.clear();
  data.frame.clear();
  for (const auto &contact : contacts)
  {
    for (unsigned int i = 0; i < contact.n_entries; ++i)
      data.entries.push_back({ model.surfaces->nodes[contact.nodes[i]].piece,
                               slot_of_node[contact.nodes[i]],
                               contact.weights[i] });
    data.h_start.push_back(data.entries.size());
    data.frame.push_back(contact.frame);
  }
}

template <int dim>
void ContactPhase<dim>::update_delassus()
{
  if (rank != 0 || !delassus_stale)
    return;
  delassus_stale = false;
  fill_delassus_data();
  DelassusStorage storage = model.parameters.contact_solver.storage;
  if (storage == DelassusStorage::automatic)
  {
    // Assembled, unless going through the pieces is expected to be faster or
    // the blocks would not fit in 4 GiB.
    const DelassusCost<dim> cost(data);
    storage =
        cost.prefers_matrix_free() || cost.bytes > std::size_t(4) * (1 << 30)
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
  problem.W      = W.get();
  delassus_bytes = W->memory_consumption();
  storage_name   = W->name();
}

template <int dim>
const ContactResult &ContactPhase<dim>::solve_contact()
{
  if (contacts.empty())
  {
    result           = ContactResult();
    result.converged = true;
    U.clear();
    gaps_end.clear();
    return result;
  }
  P_start      = P;
  status_start = result.status;
  solving      = true;
  if (!model.parameters.contact_solver.warm_start)
    std::fill(P.begin(), P.end(), 0.);
  std::string error;
  if (rank == 0)
  {
    try
    {
      U.resize(P.size());
      result = solver.solve(problem, P, U);
      if (!result.converged && result.n_immovable > 0)
        report_immovable();
    }
    catch (const ComputationError &e)
    {
      error = e.what();
    }
  }
  if (Utilities::MPI::n_mpi_processes(model.communicator) > 1)
  {
    error = Utilities::MPI::broadcast(model.communicator, error);
    if (error.empty())
    {
      MPI_Bcast(P.data(), P.size(), MPI_DOUBLE, 0, model.communicator);
      int converged = result.converged;
      MPI_Bcast(&converged, 1, MPI_INT, 0, model.communicator);
      result.converged = converged;
      // Laws look at the status on every rank.
      result.status.resize(contacts.size());
      MPI_Bcast(result.status.data(),
                result.status.size(),
                MPI_UNSIGNED_CHAR,
                0,
                model.communicator);
    }
  }
  if (!error.empty())
    throw ComputationError(error);
  return result;
}

template <int dim>
void ContactPhase<dim>::report_immovable() const
{
  // Prescribed motions that drive a surface into its antagonist: no reaction
  // can prevent it, no smaller step either.
  const std::size_t a = result.errors.worst_contact;
  LocalMatrix<dim> block;
  W->diagonal_block(a, block.data());
  for (const double value : block)
    if (value != 0.)
      return;
  const auto &pair = model.pairs[model.pair_of(contacts[a])];
  std::string where;
  const auto p =
      model.surfaces->position(model.surfaces->points[contacts[a].point], x);
  for (unsigned int c = 0; c < dim; ++c)
    where += fmt::format("{}{:.6g}", c > 0 ? ", " : "", p[c]);
  throw ComputationError(fmt::format(
      "Prescribed motions drive {} into {} (interaction '{}') near ({}): all "
      "dofs of this contact are prescribed, so no reaction can hold it. Change "
      "the boundary conditions or leave this surface out of the interaction.",
      pair.candidate,
      pair.antagonist,
      model.interactions[contacts[a].interaction].name,
      where));
}

template <int dim>
void ContactPhase<dim>::scale_impulses(const double factor)
{
  for (double &impulse : P)
    impulse *= factor;
}

template <int dim>
void ContactPhase<dim>::restore()
{
  if (!solving)
    return;
  solving       = false;
  P             = P_start;
  result.status = status_start;
}

template <int dim>
void ContactPhase<dim>::apply_impulses()
{
  std::vector<double *> r;
  for (const auto &scheme : model.schemes)
  {
    scheme->contact_impulse = 0.;
    r.push_back(scheme->body.owned_dofs.n_elements() > 0
                    ? &*scheme->contact_impulse.begin()
                    : nullptr);
  }
  for (unsigned int a = 0; a < contacts.size(); ++a)
  {
    const auto &contact          = contacts[a];
    const Tensor<1, dim> impulse = contact.to_global(&P[dim * a]);
    for (unsigned int i = 0; i < contact.n_entries; ++i)
    {
      const auto &node = model.surfaces->nodes[contact.nodes[i]];
      if (node.owner != rank)
        continue;
      const unsigned int local =
          node.node - model.bodies[node.body]->first_owned_node;
      for (unsigned int c = 0; c < dim; ++c)
        r[node.body][dim * local + c] += contact.weights[i] * impulse[c];
    }
  }
}

template <int dim>
void ContactPhase<dim>::accept(const double t, const double h)
{
  solving = false;
  // g+ = g + h (theta U+ + (1-theta) U) between bodies.
  if (rank != 0)
    return;
  const double theta = model.parameters.time.theta;
  gaps_end.resize(contacts.size());
  for (unsigned int a = 0; a < contacts.size(); ++a)
    gaps_end[a] = contacts[a].obstacle >= 0
                      ? gap_at_end(a, t, h)
                      : gaps[a] + h * (theta * U[dim * a] +
                                       (1. - theta) * U_start[dim * a]);
}

template class ContactPhase<2>;
template class ContactPhase<3>;
} // namespace delassus

#include <delassus/simulation/contact_phase.h>
#include <delassus/base/exceptions.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace delassus
{
using namespace dealii;

namespace
{
/// The box around contact nodes that are points.
template <int dim>
BoundingBox<dim> box_of(const ContactSurfaces<dim> &surfaces,
                        const std::vector<double> &x)
{
  Point<dim> low, high;
  bool first = true;
  for (std::size_t i = 0; i < surfaces.nodes.size(); ++i)
  {
    if (!surfaces.nodes[i].place)
      continue;
    for (unsigned int c = 0; c < dim; ++c)
    {
      low[c]  = first ? x[dim * i + c] : std::min(low[c], x[dim * i + c]);
      high[c] = first ? x[dim * i + c] : std::max(high[c], x[dim * i + c]);
    }
    first = false;
  }
  return BoundingBox<dim>({ low, high });
}

/// In a Newton loop the laws are to hold, to the tolerance asked for, on the
/// configuration that it ends in: the loop itself leaves room for that.
template <int dim>
ContactSolverParameters solver_parameters(const Model<dim> &model,
                                          const double factor = 1.)
{
  auto parameters = model.parameters.contact_solver;
  parameters.tolerance *= (model.is_nonlinear() ? 0.5 : 1.) * factor;
  return parameters;
}

template <int dim>
std::vector<unsigned int> ranks_of_pieces(const Model<dim> &model)
{
  std::vector<unsigned int> ranks;
  for (const auto *system : model.systems)
    for (unsigned int p = 0; p < system->skin().n_pieces(); ++p)
      ranks.push_back(system->skin().piece_owner(p));
  return ranks;
}
} // namespace

template <int dim>
ContactPhase<dim>::ContactPhase(Model<dim> &model)
    : model(model)
    , detector(*model.surfaces, model.interactions, model.obstacles)
    , compliance(model.systems,
                 *model.surfaces,
                 *model.memory,
                 model.communicator)
    , exchange(*model.surfaces, ranks_of_pieces(model), model.communicator)
    , solver(make_contact_solver<dim>(solver_parameters(model)))
    , shared_solver(solver_parameters(model))
    , product_solver(solver_parameters(model))
    , n_ranks(Utilities::MPI::n_mpi_processes(model.communicator))
    , rank(Utilities::MPI::this_mpi_process(model.communicator))
    , smallest_face(model.surfaces->smallest_face())
{
  for (const auto *system : model.systems)
  {
    is_rigid.push_back(system->skin().is_rigid());
    has_bodies = has_bodies || is_rigid.back();
  }
  for (const auto &law : model.laws)
    laws_have_state = laws_have_state || law->n_state() > 0;
  if (n_ranks > 1)
    share_candidates();
}

template <int dim>
void ContactPhase<dim>::set_tolerance_factor(const double factor)
{
  if (factor == tolerance_factor)
    return;
  tolerance_factor      = factor;
  const auto parameters = solver_parameters(model, factor);
  solver                = make_contact_solver<dim>(parameters);
  shared_solver         = GaussSeidel<dim>(parameters);
  product_solver        = ProjectedGradient<dim>(parameters);
}

template <int dim>
void ContactPhase<dim>::gather(const CarrierField field,
                               std::vector<double> &values) const
{
  model.surfaces->gather(
      [&](const unsigned int system,
          const std::vector<unsigned int> &carriers,
          double *to)
      { model.systems[system]->carrier_values(field, carriers, to); },
      values);
}

template <int dim>
void ContactPhase<dim>::update_compliance()
{
  compliance.update();
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

  following = false;
  for (auto *system : model.systems)
    system->set_contact_configuration(/* iterate */ false);
  gather(CarrierField::displacement, x);
  gather(CarrierField::velocity, v);
  gather(CarrierField::free_velocity, v_free);
  x_tilde.resize(dim * n);
  for (unsigned int i = 0; i < dim * n; ++i)
  {
    x[i] += surfaces.reference[i];
    x_tilde[i] = x[i] + (1. - theta) * h * v[i];
  }
  const double t_tilde = t + (1. - theta) * h;
  if (has_bodies)
  {
    gather_places(CarrierField::shifted, x_tilde);
    x_predicted = x_tilde;
    gather_places(CarrierField::predicted, x_predicted);
    place_bodies(
        { { t, &x }, { t_tilde, &x_tilde }, { t_tilde + h, &x_predicted } });
  }

  // How far any contact node is from where it was at the last detection, and
  // how far it may go in this step.
  double moved = 0., fastest = 0.;
  for (unsigned int i = 0; i < n; ++i)
  {
    if (!surfaces.nodes[i].place)
      continue;
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
  moved   = std::sqrt(moved);
  fastest = std::sqrt(fastest);
  if (!model.obstacles.empty())
  {
    const auto box = box_of<dim>(surfaces, x_tilde);
    for (const auto &obstacle : model.obstacles)
    {
      if (obstacle.is_body())
        continue;
      if (!first_detection)
        moved = std::max(moved, obstacle.travel(box, t_detected, t_tilde));
      fastest =
          std::max(fastest, obstacle.travel(box, t_tilde, t_tilde + h) / h);
    }
    if (has_bodies)
      bound_bodies(box, moved, fastest);
  }
  const double update =
      model.parameters.contact_solver.update_distance * smallest_face;
  // What was found last time will do if little has moved, and if nothing can
  // come from beyond the reach of that search during this step.
  if (!first_detection && !must_detect &&
      (update < 0. || (update > 0. && moved <= update && !normals_change() &&
                       2. * (moved + h * fastest) <= reach_detected)))
    return false;

  // Two bodies may approach each other by twice what one moves.
  old.swap_impulses(*this);
  reach_detected    = 2. * (1.5 * h * fastest + std::max(0., update));
  const auto &known = knows_detected() ? old.contacts : detected;
  detector.obstacle_search.start_from(x, t, known);
  detector.detect(x_tilde, t_tilde, reach_detected, contacts, known);
  n_contacts = contacts.size();
  if (n_ranks > 1)
    distribute_contacts();
  carry_impulses();
  x_detected      = x_tilde;
  t_detected      = t_tilde;
  first_detection = false;
  must_detect     = false;
  delassus_stale  = true;
  ++n_detections;
  return true;
}

template <int dim>
void ContactPhase<dim>::carry_impulses(const bool turned)
{
  if (turned)
    this->carry_from(old, [](const Contact<dim> &) { return true; });
  else
    this->carry_from(old);
  if (!laws_have_state)
    return;
  std::vector<unsigned int> n_values;
  for (const auto &contact : contacts)
    n_values.push_back(model.laws[contact.interaction]->n_state());
  this->carry_states(
      old,
      n_values,
      [&](const Contact<dim> &contact, const auto &Q, double *state)
      { model.laws[contact.interaction]->turn(Q, state); });
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
  problem.h = h;
  // Where W is only applied its diagonal is not known.
  problem.impulse_scale = applied_only ? compliance.impulse_scale : 0.;
  U_iterate.resize(following ? dim * n : 0);
  gaps_iterate.resize(following ? n : 0);
  candidate_states.assign(n, CandidateState<dim>());
  for (unsigned int a = 0; a < n; ++a)
  {
    const auto &contact = contacts[a];
    if (contact.obstacle >= 0)
    {
      const auto imposed = imposed_velocity(contact, t + (1. - theta) * h, h);
      std::copy(imposed.begin(), imposed.end(), &U_imposed[dim * a]);
    }
    const auto U0              = contact.local_combination(v);
    CandidateState<dim> &state = candidate_states[a];
    state.h                    = h;
    state.gap                  = gap(contact, x, t);
    if (following)
    {
      const auto Uk = contact.local_combination(v_iterate);
      for (unsigned int r = 0; r < dim; ++r)
        U_iterate[dim * a + r] = Uk[r] + U_imposed[dim * a + r];
      gaps_iterate[a] = gap(contact, x_iterate, t + (2. - theta) * h);
      state.gap_tilde = gaps_iterate[a] - h * U_iterate[dim * a];
    }
    else
      state.gap_tilde = gap(contact, x_tilde, t + (1. - theta) * h);
    state.area = contact.area;
    if (a < status.size())
      state.status = status[a];
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
      state.U_previous[r]  = U0[r] + U_imposed[dim * a + r];
      state.P_previous[r]  = P[dim * a + r];
      U_start[dim * a + r] = state.U_previous[r];
    }
    gaps[a] = state.gap;
  }
  prepare_laws();
  // What would be shown of these contacts before they are solved.
  U        = U_start;
  gaps_end = gaps;
  status.resize(n, ContactStatus::open);
}

template <int dim>
void ContactPhase<dim>::renew_free_velocity()
{
  if (model.surfaces->points.empty())
    return;
  gather(CarrierField::free_velocity, v_free);
  prepare_laws();
}

template <int dim>
void ContactPhase<dim>::prepare_laws()
{
  std::string wrong; // with an expression of friction
  for (unsigned int a = 0; a < contacts.size(); ++a)
  {
    const auto Uf = contacts[a].local_combination(v_free);
    for (unsigned int r = 0; r < dim; ++r)
    {
      candidate_states[a].U_free_candidate[r] = Uf[r] + U_imposed[dim * a + r];
      problem.U_free[dim * a + r] = candidate_states[a].U_free_candidate[r];
      if (!frame_U.empty())
        problem.U_free[dim * a + r] += frame_U[dim * a + r];
    }
    const auto &law      = *model.laws[contacts[a].interaction];
    const bool remembers = law.n_state() > 0;
    if (remembers && this->state_is_new[a])
    {
      candidate_states[a].at_start = at_start;
      law.initialize(candidate_states[a], states.begin(a));
      std::copy_n(states.begin(a), law.n_state(), states.end(a));
      this->state_is_new[a] = 0;
    }
    try
    {
      problem.laws[a] =
          remembers
              ? law.prepare(candidate_states[a], states.begin(a), states.end(a))
              : law.prepare(candidate_states[a]);
    }
    catch (const InputError &e)
    {
      wrong = e.what();
    }
  }
  throw_friction_error(wrong);
}

template <int dim>
void ContactPhase<dim>::try_states(const bool at_end)
{
  law_stored = law_stored_change = law_dissipated = 0.;
  if (!laws_have_state)
    return;
  for (unsigned int a = 0; a < contacts.size(); ++a)
  {
    const auto &law = *model.laws[contacts[a].interaction];
    if (law.n_state() == 0)
      continue;
    const auto &candidate = candidate_states[a];
    ContactSolution<dim> solution;
    for (unsigned int c = 0; c < dim; ++c)
    {
      solution.U[c] = U[dim * a + c];
      solution.P[c] = P[dim * a + c];
    }
    solution.status = status[a];
    solution.gap    = at_end ? gaps_end[a]
                             : candidate.gap_tilde + candidate.h * solution.U[0];
    law.update(candidate, solution, states.begin(a), states.end(a));
    if (!at_end)
      continue;
    const double stored = law.stored(candidate, states.end(a));
    law_stored += stored;
    law_stored_change += stored - law.stored(candidate, states.begin(a));
    law_dissipated +=
        law.dissipated(candidate, solution, states.begin(a), states.end(a));
  }
}

template <int dim>
const ContactResult &ContactPhase<dim>::solve_contact()
{
  if (n_contacts == 0)
  {
    result           = ContactResult();
    result.converged = true;
    last_scale = last_norm_q = 0.;
    U.clear();
    gaps_end.clear();
    status.clear();
    return result;
  }
  if (!keeps_contacts)
    this->begin(/* with_contacts */ false);
  if (!model.parameters.contact_solver.warm_start)
    std::fill(P.begin(), P.end(), 0.);
  U.resize(P.size());
  offer_global_form();
  const auto type = model.parameters.contact_solver.type;
  const bool by_products =
      applied_only &&
      (n_ranks > 1 || (type != ContactSolverType::automatic &&
                       type != ContactSolverType::global_admm &&
                       type != ContactSolverType::global_newton));
  if (by_products)
    result =
        product_solver.solve(problem, P, U, n_ranks > 1 ? &exchange : nullptr);
  else if (distributed)
    result = shared_solver.solve(problem, P, U, &exchange);
  else
  {
    std::string error;
    if (rank == 0)
      try
      {
        result = solver->solve(problem, P, U);
      }
      catch (const ComputationError &e)
      {
        error = e.what();
      }
    if (n_ranks > 1)
    {
      error = exchange.first_error(error);
      share_result();
    }
    if (!error.empty())
      throw ComputationError(error);
  }
  status = std::move(result.status);
  // More than what was asked for may be more than rounding allows.
  if (tolerance_factor < 1. && !result.converged)
    result.converged =
        result.errors.unit_free <= solver_parameters(model).tolerance;
  if (!result.converged && result.n_immovable > 0)
  {
    const std::string error = exchange.first_error(immovable());
    if (!error.empty())
      throw ComputationError(error);
  }
  if (model.is_nonlinear())
    remember_scales();
  try_states(/* at_end */ false);
  return result;
}

template <int dim>
std::string ContactPhase<dim>::place_of(const Contact<dim> &contact) const
{
  std::string where;
  const auto p =
      model.surfaces->position(model.surfaces->points[contact.point], x);
  for (unsigned int c = 0; c < dim; ++c)
    where += fmt::format("{}{:.6g}", c > 0 ? ", " : "", p[c]);
  return "(" + where + ")";
}

template <int dim>
std::string ContactPhase<dim>::immovable() const
{
  // Prescribed motions that drive a surface into its antagonist: no reaction
  // can prevent it, no smaller step either.
  const std::size_t a = result.errors.worst_contact;
  if (rank != result.errors.worst_rank || a >= contacts.size())
    return "";
  LocalMatrix<dim> block;
  W->diagonal_block(a, block.data());
  for (const double value : block)
    if (value != 0.)
      return "";
  const auto &pair = model.pairs[model.pair_of(contacts[a])];
  return fmt::format(
      "Prescribed motions drive {} into {} (interaction '{}') near {}: all "
      "dofs of this contact are prescribed, so no reaction can hold it. Change "
      "the boundary conditions or leave this surface out of the interaction.",
      pair.candidate,
      pair.antagonist,
      model.interactions[contacts[a].interaction].name,
      place_of(contacts[a]));
}

template <int dim>
std::string ContactPhase<dim>::worst_contact() const
{
  std::string text;
  const std::size_t a = result.errors.worst_contact;
  if (rank == result.errors.worst_rank && a < contacts.size())
  {
    const auto &pair = model.pairs[model.pair_of(contacts[a])];
    text             = fmt::format("interaction '{}', {} against {}, near {}",
                       model.interactions[contacts[a].interaction].name,
                       pair.candidate,
                       pair.antagonist,
                       place_of(contacts[a]));
  }
  return n_ranks > 1 ? exchange.first_error(text) : text;
}

template <int dim>
void ContactPhase<dim>::restore()
{
  if (!this->revert() || !keeps_contacts)
    return;
  detected        = beginning.detected;
  first_detection = beginning.first_detection;
  n_contacts      = beginning.n_contacts;
  must_detect     = true;
  delassus_stale  = true;
}

template <int dim>
void ContactPhase<dim>::accept(const double t, const double h)
{
  ContactSet<dim>::accept();
  // g+ = g + h (theta U+ + (1-theta) U) between bodies.
  const double theta = model.parameters.time.theta;
  gaps_end.resize(contacts.size());
  const bool exact = model.is_nonlinear();
  if (has_bodies || (exact && n_contacts > 0))
    gather_positions(x_end);
  if (has_bodies)
    place_bodies({ { t, &x }, { t + h, &x_end } });
  for (unsigned int a = 0; a < contacts.size(); ++a)
    gaps_end[a] =
        exact || is_of_rigid_body(contacts[a]) ? gap(contacts[a], x_end, t + h)
        : contacts[a].obstacle >= 0
            ? gap_at_end(a, t, h)
            : gaps[a] +
                  h * (theta * U[dim * a] + (1. - theta) * U_start[dim * a]);
  try_states(/* at_end */ true);
  states.accept();
  at_start = false;
}

template class ContactPhase<2>;
template class ContactPhase<3>;
} // namespace delassus

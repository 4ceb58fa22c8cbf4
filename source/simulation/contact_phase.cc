#include <delassus/simulation/contact_phase.h>
#include <delassus/base/exceptions.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace delassus
{
using namespace dealii;

template <int dim>
ContactPhase<dim>::ContactPhase(Model<dim> &model)
    : places(model)
    , ranks(model)
    , delassus(model, contacts, places, ranks)
    , solvers(model)
    , friction(model, places, ranks)
    , model(model)
    , detector(*model.surfaces, model.interactions, model.obstacles)
    , smallest_face(model.surfaces->smallest_face())
{
  for (const auto &law : model.laws)
  {
    laws_have_state = laws_have_state || law->n_state() > 0;
    some_tie        = some_tie || law->holds(nullptr);
  }
  if (ranks.n_ranks > 1)
    detector.restrict_to(ranks.detected_here());
}

template <int dim>
bool ContactPhase<dim>::detect(const double t, const double h)
{
  // Without candidates nothing touches, but rigid bodies move all the same.
  if (!model.surfaces->points.empty() || places.has_bodies)
    places.begin(t, h);
  if (model.surfaces->points.empty())
    return false;
  const double t_tilde = t + (1. - model.parameters.time.theta) * h;

  // How far any contact node is from where it was at the last detection, and
  // how far it may go in this step.
  const auto motion =
      places.motion(found.is_first ? nullptr : &found.x, found.t, t_tilde, h);
  const double update =
      model.parameters.contact_solver.update_distance * smallest_face;
  // What was found last time will do if little has moved, and if nothing can
  // come from beyond the reach of that search during this step.
  if (!found.is_first && found.is_valid &&
      (update < 0. ||
       (update > 0. && motion.moved <= update && !places.normals_change() &&
        2. * (motion.moved + h * motion.fastest) <= found.reach)))
    return false;

  // Two bodies may approach each other by twice what one moves.
  found.reach = 2. * (1.5 * h * motion.fastest + std::max(0., update));
  // The contacts of before will be in `old` then.
  detector.obstacle_search.start_from(
      places.x, t, ranks.keep_detected() ? old.contacts : found.elsewhere);
  take_detected(places.x_tilde, t_tilde, /* turned */ false);
  found.is_first = false;
  found.is_valid = true;
  return true;
}

template <int dim>
void ContactPhase<dim>::take_detected(const std::vector<double> &x,
                                      const double t,
                                      const bool turned)
{
  old.swap_impulses(*this);
  detector.detect(x,
                  t,
                  found.reach,
                  contacts,
                  ranks.keep_detected() ? old.contacts : found.elsewhere);
  n_contacts = contacts.size();
  if (ranks.n_ranks > 1)
    distribute_contacts();
  carry_impulses(turned);
  found.x        = x;
  found.t        = t;
  delassus.stale = true;
  delassus.resting.clear();
  ++n_detections;
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
  iterate.U.resize(places.following ? dim * n : 0);
  iterate.gaps.resize(places.following ? n : 0);
  candidate_states.assign(n, CandidateState<dim>());
  for (unsigned int a = 0; a < n; ++a)
  {
    const auto &contact = contacts[a];
    if (contact.obstacle >= 0)
    {
      const auto imposed =
          places.imposed_velocity(contact, t + (1. - theta) * h, h);
      std::copy(imposed.begin(), imposed.end(), &U_imposed[dim * a]);
      // Along a face that turns, what is tied follows the way that its foot has
      // come, to the last digit: no step leaves a slip.
      const auto &obstacle = model.obstacles[contact.obstacle];
      if (some_tie && places.following && !obstacle.is_free_body() &&
          is_tied(a))
      {
        const double begin = t + (1. - theta) * h, end = begin + h;
        const auto x          = places.candidate(contact, places.x_iterate);
        const auto N          = contact.normal();
        const Point<dim> foot = x - obstacle.gap(contact.face, N, x, end) * N;
        const auto way =
            foot - obstacle.place(obstacle.rest_place(foot, end), begin);
        for (unsigned int r = 1; r < dim; ++r)
        {
          U_imposed[dim * a + r] = 0.;
          for (unsigned int c = 0; c < dim; ++c)
            U_imposed[dim * a + r] -= contact.frame[dim * r + c] * way[c] / h;
        }
      }
    }
    const auto U0              = contact.local_combination(places.v);
    CandidateState<dim> &state = candidate_states[a];
    state.h                    = h;
    state.gap                  = places.gap(contact, places.x, t);
    if (places.following)
    {
      const auto Uk = contact.local_combination(places.v_iterate);
      for (unsigned int r = 0; r < dim; ++r)
        iterate.U[dim * a + r] = Uk[r] + U_imposed[dim * a + r];
      iterate.gaps[a] =
          places.gap(contact, places.x_iterate, t + (2. - theta) * h);
      state.gap_tilde = iterate.gaps[a] - h * iterate.U[dim * a];
    }
    else
      state.gap_tilde =
          places.gap(contact, places.x_tilde, t + (1. - theta) * h);
    state.area       = contact.area;
    state.compliance = places.compliance(contact);
    if (a < status.size())
      state.status = status[a];
    if (model.laws[contact.interaction]->varying_friction())
    {
      // U is still that of the last solution, unless the contacts are new.
      state.friction = friction.state(*this, a, t, h);
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
  choose_working_set();
  // What would be shown of these contacts before they are solved.
  U        = places.following ? iterate.U : U_start;
  gaps_end = gaps;
  status.resize(n, ContactStatus::open);
}

template <int dim>
void ContactPhase<dim>::renew_free_velocity()
{
  if (model.surfaces->points.empty())
    return;
  places.gather(CarrierField::free_velocity, places.v_free);
  prepare_laws();
}

template <int dim>
void ContactPhase<dim>::prepare_laws()
{
  std::string wrong; // with an expression of friction
  for (unsigned int a = 0; a < contacts.size(); ++a)
  {
    const auto Uf = contacts[a].local_combination(places.v_free);
    for (unsigned int r = 0; r < dim; ++r)
    {
      candidate_states[a].U_free_candidate[r] = Uf[r] + U_imposed[dim * a + r];
      problem.U_free[dim * a + r] = candidate_states[a].U_free_candidate[r];
      if (!iterate.frame_U.empty())
        problem.U_free[dim * a + r] += iterate.frame_U[dim * a + r];
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
  friction.throw_error(wrong);
  if (at_start && some_tie && !ties_are_known)
    check_ties();
  soften_ties();
}

template <int dim>
void ContactPhase<dim>::try_states(const bool at_end)
{
  law_energies.stored = law_energies.stored_change = law_energies.dissipated =
      0.;
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
    law_energies.stored += stored;
    law_energies.stored_change +=
        stored - law.stored(candidate, states.begin(a));
    law_energies.dissipated +=
        law.dissipated(candidate, solution, states.begin(a), states.end(a));
  }
}

template <int dim>
void ContactPhase<dim>::update_delassus()
{
  delassus.n_closed = 0;
  for (std::size_t a = 0; a < contacts.size(); ++a)
    delassus.n_closed += P[dim * a] > 0. || is_tied(a);
  delassus.update(problem);
  // Where W is only applied its diagonal is not known.
  problem.impulse_scale =
      delassus.applied_only ? delassus.compliance.impulse_scale : 0.;
}

template <int dim>
const ContactResult &ContactPhase<dim>::solve_contact()
{
  if (n_contacts == 0)
  {
    result           = ContactResult();
    result.converged = true;
    iterate.scale = iterate.norm_q = 0.;
    U.clear();
    gaps_end.clear();
    status.clear();
    return result;
  }
  if (!keeps_contacts)
    this->begin(/* with_contacts */ false);
  if (!model.parameters.contact_solver.warm_start)
    std::fill(P.begin(), P.end(), 0.);
  // Statuses and directions of sliding are mostly those of the iterate, of the
  // step before, or of the last solution.
  if (model.parameters.contact_solver.warm_start)
    problem.U_guess = U;
  U.resize(P.size());
  delassus.offer_global_form(problem, n_contacts);
  leave_out_resting();
  if (some_tie && model.is_nonlinear())
  {
    places.gather(CarrierField::stiffness, tie_stiffness);
    soften_ties();
  }
  result = delassus.replicated
               ? solvers.solve(delassus.replica, problem, P, U)
               : solvers.solve(problem, delassus.applied_only, ranks, P, U);
  status = std::move(result.status);
  if (!result.converged && result.n_immovable > 0)
  {
    const std::string error = ranks.first(immovable());
    if (!error.empty())
      throw ComputationError(error);
  }
  if (model.is_nonlinear())
    remember_scales();
  bring_back_resting();
  try_states(/* at_end */ false);
  return result;
}

template <int dim>
std::string ContactPhase<dim>::place_of(const Contact<dim> &contact) const
{
  std::string where;
  const auto p = places.point_of(contact);
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
  if (ranks.rank != result.errors.worst_rank || a >= contacts.size())
    return "";
  LocalMatrix<dim> block;
  (*delassus).diagonal_block(a, block.data());
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
  if (ranks.rank == result.errors.worst_rank && a < contacts.size())
    text = describe(contacts[a]);
  return ranks.first(text);
}

template <int dim>
std::string ContactPhase<dim>::describe(const Contact<dim> &contact) const
{
  const auto &pair = model.pairs[model.pair_of(contact)];
  return fmt::format("interaction '{}', {} against {}, near {}",
                     model.interactions[contact.interaction].name,
                     pair.candidate,
                     pair.antagonist,
                     place_of(contact));
}

template <int dim>
std::string ContactPhase<dim>::immovable_contact() const
{
  // Contacts may have been found anew since W was made: by their dofs.
  const auto is_immovable = [&](const Contact<dim> &contact)
  {
    const auto N = contact.normal();
    double free  = 0.;
    for (unsigned int i = 0; i < contact.n_entries; ++i)
    {
      const auto &node = model.surfaces->nodes[contact.nodes[i]];
      for (unsigned int c = 0; c < dim; ++c)
        if (!model.systems[node.system]->is_prescribed(node.carrier, c))
          free += std::pow(contact.weights[i] * N[c], 2);
    }
    return free < 1e-15;
  };
  // The first in space of each pair, whatever the order on ranks. Rounding must
  // not decide.
  using Place = std::pair<std::array<double, dim>, std::string>;
  std::map<unsigned int, Place> places_of_pairs;
  const auto add = [&](const unsigned int pair, const Place &place)
  {
    const auto [known, is_new] = places_of_pairs.emplace(pair, place);
    if (!is_new && place.first < known->second.first)
      known->second = place;
  };
  const auto &resting = delassus.resting;
  for (std::size_t a = 0; a < contacts.size(); ++a)
  {
    if ((a < resting.size() && resting[a]) || !is_immovable(contacts[a]))
      continue;
    std::array<double, dim> where;
    const auto p = places.point_of(contacts[a]);
    for (unsigned int c = 0; c < dim; ++c)
      where[c] = std::round(p[c] / (1e-6 * smallest_face));
    add(model.pair_of(contacts[a]), { where, describe(contacts[a]) });
  }
  if (ranks.n_ranks > 1)
    for (const auto &other :
         Utilities::MPI::all_gather(model.communicator, places_of_pairs))
      for (const auto &[pair, place] : other)
        add(pair, place);
  std::string text;
  std::size_t n_told = 0;
  for (const auto &[pair, place] : places_of_pairs)
    if (n_told++ < std::min<std::size_t>(3, result.n_immovable))
      text += (text.empty() ? "" : "; ") + place.second;
  return text;
}

template <int dim>
void ContactPhase<dim>::restore()
{
  if (!this->revert() || !keeps_contacts)
    return;
  found.elsewhere = beginning.elsewhere;
  found.is_first  = beginning.is_first;
  found.is_valid  = false;
  n_contacts      = beginning.n_contacts;
  delassus.stale  = true;
  delassus.resting.clear();
}

template <int dim>
void ContactPhase<dim>::accept(const double t, const double h)
{
  ContactSet<dim>::accept();
  // g+ = g + h (theta U+ + (1-theta) U) between bodies.
  const double theta = model.parameters.time.theta;
  gaps_end.resize(contacts.size());
  const bool exact = model.is_nonlinear();
  if (places.has_bodies || (exact && n_contacts > 0))
    places.end(t, h);
  for (unsigned int a = 0; a < contacts.size(); ++a)
    gaps_end[a] = exact || places.is_of_rigid_body(contacts[a])
                      ? places.gap(contacts[a], places.x_end, t + h)
                  : contacts[a].obstacle >= 0
                      ? gap_at_end(a, t, h)
                      : gaps[a] + h * (theta * U[dim * a] +
                                       (1. - theta) * U_start[dim * a]);
  try_states(/* at_end */ true);
  states.accept();
  at_start = false;
}

template <int dim>
double ContactPhase<dim>::gap_at_end(const unsigned int a,
                                     const double t,
                                     const double h) const
{
  // U - U_imp is the velocity of the candidate in the contact's axes.
  const auto &contact = contacts[a];
  const double theta  = model.parameters.time.theta;
  LocalVector<dim> step{};
  for (unsigned int r = 0; r < dim; ++r)
    step[r] =
        h * (theta * U[dim * a + r] + (1. - theta) * U_start[dim * a + r] -
             U_imposed[dim * a + r]);
  return model.obstacles[contact.obstacle].gap(
      contact.face,
      contact.normal(),
      places.candidate(contact, places.x) + contact.to_global(step.data()),
      t + h);
}

template <int dim>
void ContactPhase<dim>::apply_impulses()
{
  set_impulses(P);
}

template <int dim>
void ContactPhase<dim>::apply_impulses_of(
    const std::set<std::string> &interactions)
{
  std::vector<double> chosen = P;
  for (std::size_t a = 0; a < contacts.size(); ++a)
    if (interactions.count(model.interactions[contacts[a].interaction].name) ==
        0)
      std::fill_n(&chosen[dim * a], dim, 0.);
  set_impulses(chosen);
}

template <int dim>
void ContactPhase<dim>::set_impulses(const std::vector<double> &P_given)
{
  ranks.sum_impulses(contacts, P_given, r);
  model.surfaces->scatter(
      r,
      [&](const unsigned int system,
          const std::vector<unsigned int> &carriers,
          const double *impulses)
      { model.systems[system]->set_contact_impulse(carriers, impulses); });
}

template class ContactPhase<2>;
template class ContactPhase<3>;
} // namespace delassus

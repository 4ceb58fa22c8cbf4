// What the correction of an iteration takes into account besides the tangent of
// the bodies: what contact holds, how frames follow, how far to go.
#include <delassus/simulation/step.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
using namespace dealii;

template <int dim>
bool Step<dim>::update_inverses(const unsigned int k)
{
  if (!model.is_nonlinear())
    return true;
  // What the last residual made needless is needed after all.
  if (now.without_tangent && last.momentum_error > parameters.tolerance &&
      !evaluate_systems(k, true))
    return fail(trouble());
  const auto scope = timer.scope("factor and compliance");
  // A tangent that is not definite need not mean that something gives way: it
  // does not know what contact holds. First a stiffness in the directions that
  // closed contacts hold is added, where the iterate does not move any more
  // once they stay closed; then, quasi-statically, a fictitious mass, while in
  // dynamics a smaller step helps.
  if (learned.held_share > 0.)
    add_held_stiffness(learned.held_share, /* to_all */ false);
  double shift = 0.;
  bool changed = false;
  for (unsigned int attempt = 0;; ++attempt)
  {
    std::string indefinite;
    try
    {
      for (auto *system : model.systems)
        changed = system->update_inverse(shift, attempt > 0) || changed;
    }
    catch (const NotPositiveDefinite &e)
    {
      indefinite = e.what();
    }
    if (Utilities::MPI::max(int(!indefinite.empty()), model.communicator) == 0)
      break;
    ++of_run.n_indefinite;
    bool heavier = false;
    for (auto *system : model.systems)
      heavier = system->make_heavier() || heavier;
    if (heavier)
      continue;
    if (learned.held_share < 5. && contact.n_contacts > 0)
    {
      const double more =
          learned.held_share == 0. ? 1. : 9. * learned.held_share;
      add_held_stiffness(more, /* to_all */ true);
      learned.held_share += more;
      continue;
    }
    if (!quasi_static || shift > 1e3)
      return fail(fmt::format("the tangent of iteration {} is not positive "
                              "definite (material or geometry softens)",
                              k + 1),
                  quasi_static ? "Something gives way: 'Time/Scheme = dynamic' "
                                 "can go through it."
                               : "A smaller 'Newton/Smallest step' lets mass "
                                 "hold it.");
    shift       = shift == 0. ? 1e-3 : 5. * shift;
    now.shifted = true;
    log.warning(fmt::format("tangent not positive definite: a fictitious mass "
                            "of {:g} in the correcting matrix",
                            shift),
                "indefinite tangent");
  }
  if (!changed)
    return true;
  for (const auto *system : model.systems)
    for (const auto &note : system->notes())
      log.warning(note, "memory of factors");
  ++of_run.n_matrices;
  contact.update_compliance();
  return true;
}

template <int dim>
void Step<dim>::add_held_stiffness(const double share, const bool to_all)
{
  const auto &surfaces = *model.surfaces;
  std::vector<char> wanted;
  for (const auto *system : model.systems)
    wanted.push_back(system->can_be_held() &&
                     (to_all || system->has_new_tangent()));
  if (std::find(wanted.begin(), wanted.end(), char(1)) == wanted.end())
    return;
  // Stiffness of the nodes themselves, known to all ranks.
  std::vector<double> stiffness;
  contact.places.gather(CarrierField::stiffness, stiffness);
  const unsigned int rank =
      Utilities::MPI::this_mpi_process(model.communicator);
  contact.for_each_held(
      [&](const typename ContactPhase<dim>::HeldContact &held)
      {
        const auto &alpha = held.contact;
        double gamma = 0., sum = 0.;
        for (unsigned int i = 0; i < alpha.n_entries; ++i)
        {
          if (!wanted[surfaces.nodes[alpha.nodes[i]].system])
            continue;
          const double weight = std::pow(alpha.weights[i], 2);
          sum += weight;
          for (unsigned int c = 0; c < dim; ++c)
            gamma +=
                weight / dim * std::abs(stiffness[dim * alpha.nodes[i] + c]);
        }
        if (sum == 0.)
          return;
        gamma *= share / sum;
        for (unsigned int i = 0; i < alpha.n_entries; ++i)
        {
          const auto &node = surfaces.nodes[alpha.nodes[i]];
          if (node.owner != rank || !wanted[node.system])
            continue;
          auto &system = *model.systems[node.system];
          // H D H*, as far as bodies are not coupled.
          for (unsigned int j = 0; j < alpha.n_entries; ++j)
            if (i == j || held.exact)
              system.add_held_stiffness(node.carrier,
                                        surfaces.nodes[alpha.nodes[j]].carrier,
                                        gamma * alpha.weights[i] *
                                            alpha.weights[j] * held.D);
          if (held.exact)
            system.add_held_impulse(
                node.carrier, gamma * alpha.weights[i] * (held.D * held.c));
        }
      });
  for (unsigned int b = 0; b < wanted.size(); ++b)
    if (wanted[b])
      model.systems[b]->finish_held();
}

template <int dim>
void Step<dim>::shorten(const unsigned int k)
{
  now.shortened = false;
  // Contacts that change their status forth and back: half of a correction
  // lies between their two states.
  if (!iterates || k < 5 || k <= now.last_halved + 1 ||
      !(last.momentum_error > 0.5 * last.history[k - 3]) ||
      !(last.momentum_error > 10. * parameters.tolerance))
    return;
  now.last_halved = k;
  now.shortened   = true;
  ++of_run.n_stepped_back;
  for (auto *system : model.systems)
    system->halve_correction();
}

template <int dim>
bool Step<dim>::follow_frames(const unsigned int iteration,
                              const double t,
                              const double h)
{
  // v_free + w s, s the change of r = H P with the correction itself: a fixed
  // point, with W as it is.
  constexpr unsigned int most = 8;
  std::vector<double> s, image;
  double first = 0., before = 0.;
  const double wanted = frames_may_leave(iteration);
  for (unsigned int k = 0; k < most; ++k)
  {
    {
      const auto scope = timer.scope("kinematics");
      contact.frame_impulses(t, h, image);
    }
    if (k == 0)
    {
      s.assign(image.size(), 0.);
      frame_memory.reinit(image.size(), 4);
    }
    double change = 0., impulses = 0.;
    for (std::size_t i = 0; i < s.size(); ++i)
      change += std::pow(image[i] - s[i], 2);
    for (const auto *system : model.systems)
      impulses += system->norms().contact;
    change   = std::sqrt(change);
    impulses = std::sqrt(Utilities::MPI::sum(impulses, model.communicator));
    if (k == 0)
      first = change;
    // What is left of it is left to the next iteration.
    if (!(change > wanted * impulses) || (k > 0 && change < 1e-2 * first) ||
        (k > 1 && change > before))
      break;
    before = change;
    frame_memory.advance(s, image);
    contact.shift_free_velocity(s);
    now.free_velocity_is_new = true;
    if (!solve_problem(t, h))
      return false;
  }
  contact.forget_frames();
  return true;
}

template <int dim>
bool Step<dim>::step_back(const unsigned int k, const bool with_tangent)
{
  // Towards the iterate before, where all cells have an answer.
  for (unsigned int attempt = 0; attempt < 6; ++attempt)
  {
    for (auto *system : model.systems)
      system->halve_correction();
    if (evaluate_systems(k, with_tangent))
    {
      ++of_run.n_stepped_back;
      return true;
    }
  }
  return false;
}

#define INSTANTIATE(dim)                                                       \
  template bool Step<dim>::update_inverses(const unsigned int);                \
  template void Step<dim>::add_held_stiffness(const double, const bool);       \
  template void Step<dim>::shorten(const unsigned int);                        \
  template bool Step<dim>::follow_frames(                                      \
      const unsigned int, const double, const double);                         \
  template bool Step<dim>::step_back(const unsigned int, const bool)
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus

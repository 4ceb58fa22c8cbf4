#include <delassus/simulation/contact_phase.h>

#include <cmath>
#include <limits>

namespace delassus
{
using namespace dealii;

template <int dim>
void ContactPhase<dim>::begin_step()
{
  this->begin(/* with_contacts */ true);
  keeps_contacts            = true;
  beginning.first_detection = first_detection;
  beginning.detected        = detected;
  beginning.n_contacts      = n_contacts;
  U_iterate.clear();
}

template <int dim>
void ContactPhase<dim>::for_each_held(
    const std::function<void(const HeldContact &)> &add)
{
  const auto visit =
      [&](const Contact<dim> &contact, const double *held, const double *change)
  {
    if (held[0] == 0.)
      return;
    const Tensor<1, dim> N = contact.normal();
    Tensor<2, dim> D       = outer_product(N, N);
    if (held[1] > 0.)
      D = unit_symmetric_tensor<dim>();
    add({ contact, D, contact.to_global(change), held[0] > 1. });
  };
  // Which directions, and by how much relative velocities change: U_N by
  // -g_k/h, and a tangential one that sticks to zero.
  std::vector<double> held(dim * contacts.size(), 0.), change = held;
  for (unsigned int a = 0; a < contacts.size(); ++a)
  {
    if (!(P[dim * a] > 0.))
      continue;
    const bool sticks = a < status.size() && status[a] == ContactStatus::stick;
    const bool exact =
        U_iterate.size() == P.size() && contacts[a].obstacle >= 0 &&
        !is_of_rigid_body(contacts[a]) &&
        model.interactions[contacts[a].interaction].formulation ==
            ContactFormulation::points;
    held[dim * a]     = exact ? 2. : 1.;
    held[dim * a + 1] = sticks ? 1. : 0.;
    if (!exact)
      continue;
    change[dim * a] = -gaps_iterate[a] / problem.h;
    for (unsigned int c = 1; c < dim && sticks; ++c)
      change[dim * a + c] = -U_iterate[dim * a + c];
  }
  for (unsigned int a = 0; a < contacts.size(); ++a)
    visit(contacts[a], &held[dim * a], &change[dim * a]);
  if (n_ranks == 1)
    return;
  std::vector<double> ghost_held, ghost_change;
  exchange.exchange(held, ghost_held);
  exchange.exchange(change, ghost_change);
  for (unsigned int a = 0; a < exchange.ghosts.size(); ++a)
    visit(exchange.ghosts[a], &ghost_held[dim * a], &ghost_change[dim * a]);
}

template <int dim>
void ContactPhase<dim>::follow(const double t,
                               const double h,
                               const bool new_frames)
{
  if (model.surfaces->points.empty())
    return;
  for (auto *system : model.systems)
    system->set_contact_configuration(/* iterate */ true);
  gather(CarrierField::new_velocity, v_iterate);
  x_iterate.resize(x_tilde.size());
  const double theta = model.parameters.time.theta;
  const double t_end = t + (2. - theta) * h;
  for (std::size_t i = 0; i < x_tilde.size(); ++i)
    x_iterate[i] = x_tilde[i] + h * v_iterate[i];
  if (has_bodies)
  {
    gather_places(CarrierField::predicted, x_iterate);
    // Velocities of the beginning too are those of the carriers here.
    model.surfaces->gather_some(
        is_rigid,
        [&](const unsigned int system,
            const std::vector<unsigned int> &carriers,
            double *to)
        {
          model.systems[system]->carrier_values(
              CarrierField::velocity, carriers, to);
        },
        v);
    place_bodies({ { t, &x },
                   { t + (1. - theta) * h, &x_tilde },
                   { t_end, &x_iterate } });
  }
  double change = 0.;
  for (std::size_t i = 0; i < x_tilde.size(); ++i)
    change = std::max(change, std::abs(x_iterate[i] - x_detected[i]));
  following             = true;
  const bool time_moves = !model.obstacles.empty() && t_end != t_detected;
  // Nothing is found anew for motions that rounding hides.
  if (!new_frames ||
      (change <= 1e-10 * smallest_face && !(time_moves && normals_change())))
    return;
  if (must_keep_frames())
    return;
  old.swap_impulses(*this);
  const auto &known = knows_detected() ? old.contacts : detected;
  detector.obstacle_search.start_from(x, t, known);
  detector.detect(x_iterate, t_end, reach_detected, contacts, known);
  n_contacts = contacts.size();
  if (n_ranks > 1)
    distribute_contacts();
  carry_impulses(true);
  x_detected     = x_iterate;
  t_detected     = t_end;
  delassus_stale = true;
  ++n_detections;
}

template <int dim>
bool ContactPhase<dim>::must_keep_frames() const
{
  // Points against planes that do not turn: frames and weights never change.
  for (const auto &interaction : model.interactions)
    if (!interaction.faces.empty())
      return false;
  return !normals_change();
}

template <int dim>
void ContactPhase<dim>::remember_scales()
{
  // g and |q| of the problem that was solved, over all ranks.
  const double n            = contacts.size();
  const double q            = n > 0 ? norm_of_free_velocity(problem) : 0.;
  std::array<double, 3> sum = {
    { n, n > 0 ? n * effective_impulse_scale(problem) : 0., q * q }
  };
  if (n_ranks > 1)
    MPI_Allreduce(MPI_IN_PLACE,
                  sum.data(),
                  sum.size(),
                  MPI_DOUBLE,
                  MPI_SUM,
                  model.communicator);
  last_scale  = sum[0] > 0. ? sum[1] / sum[0] : 0.;
  last_norm_q = std::sqrt(sum[2]);
}

template <int dim>
double ContactPhase<dim>::law_error(const double h)
{
  // Contacts that have just come have no impulse; then g does not matter.
  ErrorSums sums;
  const double g = last_scale > 0. ? last_scale : 1.;
  add_errors(problem, g, P, U_iterate, 0, contacts.size(), sums);
  // Gaps are differences of positions: over h, their rounding is a velocity
  // that no iteration takes away.
  double position = 0.;
  for (const double coordinate : x_iterate)
    position = std::max(position, std::abs(coordinate));
  const double rounding =
      8. * std::numeric_limits<double>::epsilon() * position / h;
  std::array<double, 2> sum = {
    { sums.natural_map - double(contacts.size()) * rounding * rounding, 0. }
  };
  for (const double velocity : U_iterate)
    sum[1] += velocity * velocity;
  if (n_ranks > 1)
    MPI_Allreduce(MPI_IN_PLACE,
                  sum.data(),
                  sum.size(),
                  MPI_DOUBLE,
                  MPI_SUM,
                  model.communicator);
  const double size = std::max(last_norm_q, std::sqrt(sum[1]));
  return sum[0] > 0. ? std::sqrt(sum[0]) / size : 0.;
}

template <int dim>
double ContactPhase<dim>::largest_slip(const double h) const
{
  double largest = 0.;
  for (unsigned int a = 0; a < contacts.size(); ++a)
  {
    if (!(P[dim * a] > 0.) || U.size() != P.size())
      continue;
    double speed = 0.;
    for (unsigned int c = 1; c < dim; ++c)
      speed += std::pow(U[dim * a + c], 2);
    largest = std::max(largest,
                       h * std::sqrt(speed) /
                           model.surfaces->points[contacts[a].point].size);
  }
  return n_ranks > 1 ? Utilities::MPI::max(largest, model.communicator)
                     : largest;
}

#define INSTANTIATE(dim)                                                       \
  template void ContactPhase<dim>::begin_step();                               \
  template void ContactPhase<dim>::for_each_held(                              \
      const std::function<void(const HeldContact &)> &);                       \
  template void ContactPhase<dim>::follow(                                     \
      const double, const double, const bool);                                 \
  template bool ContactPhase<dim>::must_keep_frames() const;                   \
  template void ContactPhase<dim>::remember_scales();                          \
  template double ContactPhase<dim>::law_error(const double);                  \
  template double ContactPhase<dim>::largest_slip(const double) const
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus

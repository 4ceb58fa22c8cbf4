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
  keeps_contacts       = true;
  beginning.is_first   = found.is_first;
  beginning.elsewhere  = found.elsewhere;
  beginning.n_contacts = n_contacts;
  iterate.U.clear();
  iterate.number = 0;
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
  // -calU_N of the iterate (-g_k/h, and what its impulse presses in), and a
  // tangential one that sticks to zero.
  std::vector<double> held(dim * contacts.size(), 0.), change = held;
  for (unsigned int a = 0; a < contacts.size(); ++a)
  {
    const bool tied = is_tied(a);
    if (!tied && !(P[dim * a] > 0.))
      continue;
    const bool sticks =
        tied || (a < status.size() && status[a] == ContactStatus::stick);
    const bool exact =
        iterate.U.size() == P.size() && contacts[a].obstacle >= 0 &&
        !places.is_of_rigid_body(contacts[a]) &&
        model.interactions[contacts[a].interaction].formulation ==
            ContactFormulation::points;
    held[dim * a]     = exact ? 2. : 1.;
    held[dim * a + 1] = sticks ? 1. : 0.;
    if (!exact)
      continue;
    LocalVector<dim> U_a, P_a, calU, calP;
    std::copy_n(&iterate.U[dim * a], dim, U_a.begin());
    std::copy_n(&P[dim * a], dim, P_a.begin());
    problem.laws[a].to_standard(U_a, P_a, calU, calP);
    change[dim * a] = -calU[0];
    for (unsigned int c = 1; c < dim && sticks; ++c)
      change[dim * a + c] = -iterate.U[dim * a + c];
  }
  for (unsigned int a = 0; a < contacts.size(); ++a)
    visit(contacts[a], &held[dim * a], &change[dim * a]);
  if (ranks.n_ranks == 1)
    return;
  std::vector<double> ghost_held, ghost_change;
  ranks.messages.tell_ghosts(held, ghost_held);
  ranks.messages.tell_ghosts(change, ghost_change);
  for (unsigned int a = 0; a < ranks.messages.ghosts.size(); ++a)
    visit(
        ranks.messages.ghosts[a], &ghost_held[dim * a], &ghost_change[dim * a]);
}

template <int dim>
void ContactPhase<dim>::follow(const double t,
                               const double h,
                               const bool new_frames)
{
  if (model.surfaces->points.empty())
    return;
  ++iterate.number;
  places.follow(t, h);
  const auto &x      = places.x_iterate;
  const double t_end = t + (2. - model.parameters.time.theta) * h;
  double change      = 0.;
  for (std::size_t i = 0; i < x.size(); ++i)
    change = std::max(change, std::abs(x[i] - found.x[i]));
  const bool time_moves = !model.obstacles.empty() && t_end != found.t;
  // Nothing is found anew for motions that rounding hides.
  if (!new_frames || (change <= 1e-10 * smallest_face &&
                      !(time_moves && places.normals_change())))
    return;
  if (!places.frames_change())
    return;
  detector.obstacle_search.start_from(
      places.x, t, ranks.keep_detected() ? old.contacts : found.elsewhere);
  take_detected(x, t_end, /* turned */ true);
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
  if (ranks.n_ranks > 1)
    MPI_Allreduce(MPI_IN_PLACE,
                  sum.data(),
                  sum.size(),
                  MPI_DOUBLE,
                  MPI_SUM,
                  model.communicator);
  iterate.scale  = sum[0] > 0. ? sum[1] / sum[0] : 0.;
  iterate.norm_q = std::sqrt(sum[2]);
}

template <int dim>
double ContactPhase<dim>::law_error(const double h)
{
  // Contacts that have just come have no impulse; then g does not matter.
  ErrorSums sums;
  const double g = iterate.scale > 0. ? iterate.scale : 1.;
  add_errors(problem, g, P, iterate.U, 0, contacts.size(), sums);
  // Gaps are differences of positions: over h, their rounding is a velocity
  // that no iteration takes away.
  double position = 0.;
  for (const double coordinate : places.x_iterate)
    position = std::max(position, std::abs(coordinate));
  const double rounding =
      8. * std::numeric_limits<double>::epsilon() * position / h;
  std::array<double, 2> sum = {
    { sums.natural_map - double(contacts.size()) * rounding * rounding, 0. }
  };
  for (const double velocity : iterate.U)
    sum[1] += velocity * velocity;
  if (ranks.n_ranks > 1)
    MPI_Allreduce(MPI_IN_PLACE,
                  sum.data(),
                  sum.size(),
                  MPI_DOUBLE,
                  MPI_SUM,
                  model.communicator);
  const double size = std::max(iterate.norm_q, std::sqrt(sum[1]));
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
  return ranks.n_ranks > 1 ? Utilities::MPI::max(largest, model.communicator)
                           : largest;
}

#define INSTANTIATE(dim)                                                       \
  template void ContactPhase<dim>::begin_step();                               \
  template void ContactPhase<dim>::for_each_held(                              \
      const std::function<void(const HeldContact &)> &);                       \
  template void ContactPhase<dim>::follow(                                     \
      const double, const double, const bool);                                 \
  template void ContactPhase<dim>::remember_scales();                          \
  template double ContactPhase<dim>::law_error(const double);                  \
  template double ContactPhase<dim>::largest_slip(const double) const
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus

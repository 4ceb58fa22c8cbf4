// How the impulses of the iterate turn and move with the bodies.
#include <delassus/simulation/contact_phase.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
using namespace dealii;

template <int dim>
bool ContactPhase<dim>::frames_follow() const
{
  return places.following && n_contacts > 0 && places.frames_change();
}

template <int dim>
void ContactPhase<dim>::frame_impulses(const double t,
                                       const double h,
                                       std::vector<double> &s)
{
  const auto &x_iterate = places.x_iterate, &v_iterate = places.v_iterate;
  auto &v_corrected = iterate.v_corrected, &x_nearby = iterate.x_nearby;
  auto &frame_U = iterate.frame_U;
  places.gather(CarrierField::new_velocity, v_corrected);
  s.assign(x_iterate.size(), 0.);
  frame_U.assign(dim * contacts.size(), 0.);

  // A difference along the correction, so short that feet stay on their faces
  // and so long that rounding does not count.
  double largest = 0.;
  for (std::size_t i = 0; i < x_iterate.size(); ++i)
    largest = std::max(largest, h * std::abs(v_corrected[i] - v_iterate[i]));
  if (largest > 0.)
  {
    const double part = std::min(1., 1e-6 * smallest_face / largest);
    x_nearby          = x_iterate;
    for (std::size_t i = 0; i < x_iterate.size(); ++i)
      x_nearby[i] += part * h * (v_corrected[i] - v_iterate[i]);
    const double t_end = t + (2. - model.parameters.time.theta) * h;
    // The contacts there and here; rigid bodies are first where they may go.
    Contact<dim> moved;
    std::vector<char> is_there(contacts.size(), 0);
    const auto add = [&](const unsigned int a, const double sign)
    {
      const Tensor<1, dim> impulse = moved.to_global(&P[dim * a]);
      const auto U_a               = moved.local_combination(v_corrected);
      for (unsigned int i = 0; i < moved.n_entries; ++i)
        for (unsigned int c = 0; c < dim; ++c)
          s[dim * moved.nodes[i] + c] +=
              sign / part * moved.weights[i] * impulse[c];
      for (unsigned int c = 1; c < dim; ++c)
        frame_U[dim * a + c] += sign / part * U_a[c];
    };
    // Frames that are kept may be those of another configuration: contacts are
    // seen from both, or not at all.
    std::vector<Contact<dim>> there(contacts.size());
    places.place_bodies_at(x_nearby, t, t_end);
    for (unsigned int a = 0; a < contacts.size(); ++a)
      if (P[dim * a] > 0. || is_tied(a))
        is_there[a] =
            detector.move_contact(contacts[a], x_nearby, t_end, there[a]);
    places.place_bodies_at_iterate(t, h);
    for (unsigned int a = 0; a < contacts.size(); ++a)
    {
      if (!is_there[a] ||
          !detector.move_contact(contacts[a], x_iterate, t_end, moved))
        continue;
      add(a, -1.);
      moved = there[a];
      add(a, 1.);
    }
  }
  if (ranks.n_ranks > 1)
    MPI_Allreduce(MPI_IN_PLACE,
                  s.data(),
                  s.size(),
                  MPI_DOUBLE,
                  MPI_SUM,
                  model.communicator);
}

template <int dim>
void ContactPhase<dim>::shift_free_velocity(const std::vector<double> &s)
{
  model.surfaces->scatter(
      s,
      [&](const unsigned int system,
          const std::vector<unsigned int> &carriers,
          const double *impulses)
      { model.systems[system]->shift_free_velocity(carriers, impulses); });
}

#define INSTANTIATE(dim)                                                       \
  template bool ContactPhase<dim>::frames_follow() const;                      \
  template void ContactPhase<dim>::frame_impulses(                             \
      const double, const double, std::vector<double> &);                      \
  template void ContactPhase<dim>::shift_free_velocity(                        \
      const std::vector<double> &)
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus

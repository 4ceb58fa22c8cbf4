#include <delassus/simulation/contact_phase.h>

namespace delassus
{
using namespace dealii;

template <int dim>
bool ContactPhase<dim>::normals_change() const
{
  // Of no contact in particular, so that all ranks agree.
  for (const auto &interaction : model.interactions)
    for (const unsigned int o : interaction.obstacles)
      if (!model.obstacles[o].keeps_normals())
        return true;
  return false;
}

template <int dim>
Point<dim> ContactPhase<dim>::candidate(const Contact<dim> &contact,
                                        const std::vector<double> &x) const
{
  Point<dim> p;
  for (unsigned int i = 0; i < contact.n_candidate_entries; ++i)
    for (unsigned int c = 0; c < dim; ++c)
      p[c] += contact.weights[i] * x[dim * contact.nodes[i] + c];
  return p;
}

template <int dim>
LocalVector<dim>
ContactPhase<dim>::imposed_velocity(const Contact<dim> &contact,
                                    const double t_tilde,
                                    const double h) const
{
  // The free motion of a tool stays that of the place where the contact is
  // evaluated: the beginning, or the iterate.
  const auto V = model.obstacles[contact.obstacle].imposed_velocity(
      contact.face,
      contact.normal(),
      candidate(contact, evaluated()),
      t_tilde,
      h,
      following ? t_tilde + h : t_tilde);
  LocalVector<dim> U{};
  for (unsigned int r = 0; r < dim; ++r)
    for (unsigned int c = 0; c < dim; ++c)
      U[r] += contact.frame[dim * r + c] * V[c];
  return U;
}

template <int dim>
double ContactPhase<dim>::gap_at_end(const unsigned int a,
                                     const double t,
                                     const double h) const
{
  // U - U_imp is the velocity of the candidate in the contact's axes, less that
  // of a tool's free motion.
  const auto &contact = contacts[a];
  const double theta  = model.parameters.time.theta;
  LocalVector<dim> step{}, start{}, end{};
  add_tool_velocity(a, &Tools<dim>::Tool::v_accepted, start);
  add_tool_velocity(a, &Tools<dim>::Tool::v, end);
  for (unsigned int r = 0; r < dim; ++r)
    step[r] = h * (theta * (U[dim * a + r] - end[r]) +
                   (1. - theta) * (U_start[dim * a + r] - start[r]) -
                   U_imposed[dim * a + r]);
  return model.obstacles[contact.obstacle].gap(
      contact.face,
      contact.normal(),
      candidate(contact, x) + contact.to_global(step.data()),
      t + h);
}

template <int dim>
void ContactPhase<dim>::update_levers(const double t)
{
  if (levers.size() == contacts.size())
    return;
  levers.assign(contacts.size(), Tensor<1, dim>());
  for (unsigned int a = 0; a < contacts.size(); ++a)
  {
    const auto &contact = contacts[a];
    const int tool      = model.tools.tool_of(contact.obstacle);
    if (tool >= 0 && model.tools.tools[tool].free[dim])
      levers[a] = model.obstacles[contact.obstacle].lever(
          contact.face, contact.normal(), candidate(contact, evaluated()), t);
  }
}

template <int dim>
void ContactPhase<dim>::add_tool_velocity(
    const unsigned int a,
    typename Tools<dim>::Motion Tools<dim>::Tool::*velocity,
    LocalVector<dim> &U_here) const
{
  const auto &contact = contacts[a];
  const int tool      = model.tools.tool_of(contact.obstacle);
  if (tool < 0)
    return;
  const auto &motion = model.tools.tools[tool].*velocity;
  for (unsigned int c = 0; c < dim; ++c)
  {
    const double V = motion[c] + motion[dim] * levers[a][c];
    for (unsigned int r = 0; r < dim; ++r)
      U_here[r] -= contact.frame[dim * r + c] * V;
  }
}

#define INSTANTIATE(dim)                                                       \
  template bool ContactPhase<dim>::normals_change() const;                     \
  template Point<dim> ContactPhase<dim>::candidate(                            \
      const Contact<dim> &, const std::vector<double> &) const;                \
  template LocalVector<dim> ContactPhase<dim>::imposed_velocity(               \
      const Contact<dim> &, const double, const double) const;                 \
  template void ContactPhase<dim>::update_levers(const double);                \
  template void ContactPhase<dim>::add_tool_velocity(                          \
      const unsigned int,                                                      \
      typename Tools<dim>::Motion Tools<dim>::Tool::*,                         \
      LocalVector<dim> &) const;                                               \
  template double ContactPhase<dim>::gap_at_end(                               \
      const unsigned int, const double, const double) const
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus

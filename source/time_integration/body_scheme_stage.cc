// Solid bodies from one stage of a run to the next.
#include <delassus/bodies/evaluate_on_all.h>
#include <delassus/time_integration/body_scheme.h>

namespace delassus
{
using namespace dealii;

template <int dim>
void BodyScheme<dim>::keep_reactions()
{
  for (Vector *vector : { &reaction_force, &released_force, &offset })
    *vector = body.make_vector();
}

template <int dim>
typename BodyScheme<dim>::DrivenBefore BodyScheme<dim>::driven_now() const
{
  DrivenBefore now;
  for (unsigned int k = 0; k < driven.n_conditions(); ++k)
    now.conditions.push_back(driven.condition_name(k));
  now.of_dof.assign(body.owned_dofs.n_elements(), -1);
  for (const unsigned int dof : driven.owned())
    now.of_dof[dof - dim * body.first_owned_node] = driven.condition_of(dof);
  return now;
}

template <int dim>
bool BodyScheme<dim>::begin_stage(const DrivenBefore &before,
                                  const std::set<std::string> &released,
                                  const double t,
                                  const double step,
                                  const bool at_rest,
                                  const double contact_step)
{
  const unsigned int first = dim * body.first_owned_node;
  const unsigned int n     = body.owned_dofs.n_elements();
  const bool set_velocity  = theta < 1. && !quasi_static;
  int changed              = 0;
  evaluate_on_all(
      body.communicator,
      [&]()
      {
        for (unsigned int i = 0; i < n; ++i)
        {
          const unsigned int dof   = first + i;
          const int of             = before.of_dof[i];
          const std::string *drove = of < 0 ? nullptr : &before.conditions[of];
          const bool is_driven     = driven.is_driven(dof);
          double &force            = released_force.begin()[i];
          double &beside           = offset.begin()[i];
          force = !is_driven && drove != nullptr && released.count(*drove) > 0
                      ? reaction_force.begin()[i]
                      : 0.;
          if (!is_driven && contact_step > 0.)
            force += contact_impulse.begin()[i] / contact_step;
          if (!is_driven)
          {
            beside = 0.;
            continue;
          }
          const bool is_new =
              drove == nullptr ||
              *drove != driven.condition_name(driven.condition_of(dof));
          if (is_new)
            beside = driven.offset(dof, t, q.begin()[i]);
          if (!set_velocity || !(is_new || at_rest))
            continue;
          double &rate       = v.begin()[i];
          const double other = driven.start_velocity(dof, t, step, rate);
          changed            = changed || other != rate;
          rate               = other;
        }
      });
  reaction_force = 0.;
  changed        = Utilities::MPI::max(changed, body.communicator);
  if (changed == 0)
    return false;
  body.distribute(v);
  body.mass.vmult(Mv, v);
  return true;
}

template <int dim>
void BodyScheme<dim>::ramp_released(const double from, const double to)
{
  // Bodies without such loads are as ever.
  loads.set_released(
      released_force.linfty_norm() > 0. ? &released_force : nullptr, from, to);
}

#define INSTANTIATE(dim)                                                       \
  template void BodyScheme<dim>::keep_reactions();                             \
  template typename BodyScheme<dim>::DrivenBefore                              \
  BodyScheme<dim>::driven_now() const;                                         \
  template bool BodyScheme<dim>::begin_stage(const DrivenBefore &,             \
                                             const std::set<std::string> &,    \
                                             const double,                     \
                                             const double,                     \
                                             const bool,                       \
                                             const double);                    \
  template void BodyScheme<dim>::ramp_released(const double, const double)
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus

#include <delassus/bodies/driven_dofs.h>
#include <delassus/base/exceptions.h>

#include <fmt/format.h>

namespace delassus
{
template <int dim>
DrivenDofs<dim>::DrivenDofs(const SolidBody<dim> &body)
    : body(body)
    , condition_of_dof(body.n_dofs(), -1)
{
}

template <int dim>
void DrivenDofs<dim>::add(const BoundaryConditionParameters &condition,
                          const std::vector<unsigned int> &faces)
{
  const int index = conditions.size();
  // The value has one expression for each direction, prescribed or not.
  conditions.push_back({ condition.name,
                         condition.type,
                         condition.type == BoundaryConditionType::fixed
                             ? Expression<dim>()
                             : Expression<dim>(condition.value) });
  // Hanging nodes follow their masters, which are on the same faces.
  for (const unsigned int f : faces)
    for (unsigned int v = 0; v < body.boundary[f].n_nodes; ++v)
      for (unsigned int c = 0; c < dim; ++c)
      {
        const auto &chosen = condition.components;
        if (!chosen.empty() &&
            std::find(chosen.begin(), chosen.end(), c) == chosen.end())
          continue;
        if (body.is_hanging(body.boundary[f].nodes[v]))
          continue;
        const unsigned int dof = dim * body.boundary[f].nodes[v] + c;
        int &of                = condition_of_dof[dof];
        if (of == index)
          continue;
        if (of >= 0)
        {
          const bool both_fixed =
              conditions[of].type == BoundaryConditionType::fixed &&
              condition.type == BoundaryConditionType::fixed;
          if (both_fixed)
            continue;
          const auto &x = body.nodes[dof / dim];
          throw InputError(fmt::format(
              "Boundary conditions '{}' and '{}' both drive component {} of "
              "body '{}' at the node near ({}, {}{}). Restrict one of them "
              "with 'set Components'.",
              conditions[of].name,
              condition.name,
              "xyz"[c],
              body.name(),
              x[0],
              x[1],
              dim == 3 ? fmt::format(", {}", x[dim - 1]) : ""));
        }
        of = index;
        dofs.push_back(dof);
        if (body.owns_node(dof / dim))
          owned_dofs.push_back(dof);
      }
}

template <int dim>
double DrivenDofs<dim>::velocity(const unsigned int dof,
                                 const double t,
                                 const double h,
                                 const double theta,
                                 const double q,
                                 const double v) const
{
  const Condition &condition = conditions[condition_of_dof[dof]];
  const auto &x              = body.nodes[dof / dim];
  const auto component       = dof % dim;
  switch (condition.type)
  {
    case BoundaryConditionType::velocity:
      return condition.value.value(x, t + h, component);
    case BoundaryConditionType::displacement:
      return (condition.value.value(x, t + (2. - theta) * h, component) -
              (q + (1. - theta) * h * v)) /
             h;
    default:
      return 0.;
  }
}

template <int dim>
double DrivenDofs<dim>::start_velocity(const unsigned int dof,
                                       const double t,
                                       const double h,
                                       const double v) const
{
  const Condition &condition = conditions[condition_of_dof[dof]];
  if (condition.type != BoundaryConditionType::displacement)
    return v;
  const auto &x     = body.nodes[dof / dim];
  const double tiny = 1e-3 * h;
  return (condition.value.value(x, t + tiny, dof % dim) -
          condition.value.value(x, t, dof % dim)) /
         tiny;
}

template class DrivenDofs<2>;
template class DrivenDofs<3>;
} // namespace delassus

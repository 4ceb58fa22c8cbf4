#include <delassus/bodies/driven_dofs.h>
#include <delassus/base/exceptions.h>

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>

namespace delassus
{
namespace
{
/// Motions that differ by less than this share of the largest one are the same:
/// nodes of a plane of symmetry are on it but for rounding.
constexpr double same_motion = 1e-9;

const char *name_of(const BoundaryConditionType type)
{
  return type == BoundaryConditionType::displacement ? "displacement"
         : type == BoundaryConditionType::velocity   ? "velocity"
                                                     : "fixed";
}
} // namespace

template <int dim>
DrivenDofs<dim>::DrivenDofs(const SolidBody<dim> &body,
                            const TimeParameters &time)
    : body(body)
    , time(time)
    , condition_of_dof(body.n_dofs(), -1)
{
  watched.fill(std::numeric_limits<double>::quiet_NaN());
}

template <int dim>
void DrivenDofs<dim>::add(const BoundaryConditionParameters &condition,
                          const std::vector<unsigned int> &faces,
                          const std::string &where,
                          const std::string &where_value)
{
  const unsigned int index = conditions.size();
  // The value has one expression for each direction, prescribed or not.
  conditions.push_back(
      { condition.name,
        condition.type,
        condition.type == BoundaryConditionType::fixed
            ? Expression<dim>()
            : Expression<dim>(condition.value, dim, where_value) });
  std::vector<Shared> shared;
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
        if (of == int(index))
          continue;
        if (of >= 0)
        {
          if (conditions[of].type != BoundaryConditionType::fixed ||
              condition.type != BoundaryConditionType::fixed)
            shared.push_back({ dof, unsigned(of), index, 0. });
          continue;
        }
        of = index;
        dofs.push_back(dof);
        if (body.owns_node(dof / dim))
          owned_dofs.push_back(dof);
      }
  if (shared.empty())
    return;
  std::sort(shared.begin(),
            shared.end(),
            [](const Shared &a, const Shared &b) { return a.dof < b.dof; });
  shared.erase(std::unique(shared.begin(),
                           shared.end(),
                           [](const Shared &a, const Shared &b)
                           { return a.dof == b.dof; }),
               shared.end());
  compare(shared, where);
  all_shared.insert(all_shared.end(), shared.begin(), shared.end());
}

template <int dim>
typename DrivenDofs<dim>::Motions
DrivenDofs<dim>::motions(const Shared &shared,
                         const double t,
                         const double h,
                         const double theta) const
{
  const auto &x                              = body.nodes[shared.dof / dim];
  const auto component                       = shared.dof % dim;
  const std::array<const Condition *, 2> two = {
    { &conditions[shared.first], &conditions[shared.second] }
  };
  const auto has = [&](const BoundaryConditionType type)
  { return two[0]->type == type || two[1]->type == type; };
  const bool mixed = has(BoundaryConditionType::displacement) &&
                     has(BoundaryConditionType::velocity);
  const double epsilon = std::numeric_limits<double>::epsilon();
  Motions result       = { { { 0., 0. } }, 0. };
  for (unsigned int i = 0; i < 2; ++i)
  {
    if (two[i]->type == BoundaryConditionType::fixed)
      continue;
    double &value = result.value[i];
    if (!mixed || two[i]->type == BoundaryConditionType::velocity)
      value = two[i]->value.value(x, t, component);
    else
    {
      // The velocity that it gives the step; see velocity().
      const double end =
          two[i]->value.value(x, t + (1. - theta) * h, component);
      value = (end - two[i]->value.value(x, t - theta * h, component)) / h;
      result.rounding = 8. * epsilon * std::abs(end) / h;
    }
  }
  return result;
}

template <int dim>
std::string DrivenDofs<dim>::difference(std::vector<Shared> &list,
                                        const double t,
                                        const double h,
                                        const double theta) const
{
  for (Shared &shared : list)
  {
    const auto [value, rounding] = motions(shared, t, h, theta);
    shared.size =
        std::max({ shared.size, std::abs(value[0]), std::abs(value[1]) });
    if (std::abs(value[0] - value[1]) <= same_motion * shared.size + rounding)
      continue;
    const auto &x      = body.nodes[shared.dof / dim];
    const auto &first  = conditions[shared.first],
               &second = conditions[shared.second];
    return fmt::format(
        "boundary conditions '{}' and '{}' prescribe different motions of "
        "component {} of body '{}' at the node near ({:.6g}, {:.6g}{}): {:.6g} "
        "({}) and {:.6g} ({}) at t = {:.6g}",
        first.name,
        second.name,
        "xyz"[shared.dof % dim],
        body.name(),
        x[0],
        x[1],
        dim == 3 ? fmt::format(", {:.6g}", x[dim - 1]) : "",
        value[0],
        name_of(first.type),
        value[1],
        name_of(second.type),
        t);
  }
  return "";
}

template <int dim>
void DrivenDofs<dim>::compare(std::vector<Shared> &list,
                              const std::string &where) const
{
  // An expression may have no value at a time that no step asks for.
  const auto without_errors = [](const auto &look)
  {
    try
    {
      look();
    }
    catch (const InputError &)
    {
    }
  };
  // How large the motions of both conditions are, anywhere.
  const unsigned int second = list[0].second;
  const double duration     = time.end_time - time.start_time;
  const auto largest_motion = [&](const unsigned int first)
  {
    double largest = 0.;
    for (const unsigned int dof : dofs)
    {
      const unsigned int of = condition_of_dof[dof];
      for (unsigned int i = 0; i <= 4 && (of == first || of == second); ++i)
        without_errors(
            [&]()
            {
              const auto both = motions({ dof, first, second, 0. },
                                        time.start_time + 0.25 * i * duration,
                                        time.step,
                                        time.theta);
              largest =
                  std::max(largest, std::abs(both.value[of == second ? 1 : 0]));
            });
    }
    return largest;
  };
  std::map<unsigned int, double> size;
  for (Shared &shared : list)
  {
    const auto known = size.insert({ shared.first, 0. });
    if (known.second)
      known.first->second = largest_motion(shared.first);
    shared.size = known.first->second;
  }

  // Times at regular distances, and others that no period meets.
  constexpr unsigned int n_samples = 16;
  for (unsigned int i = 0; i <= 2 * n_samples; ++i)
  {
    const double golden = 0.6180339887498949 * i;
    const double share =
        i <= n_samples ? double(i) / n_samples : golden - std::floor(golden);
    std::string wrong;
    without_errors(
        [&]()
        {
          wrong = difference(
              list, time.start_time + share * duration, time.step, time.theta);
        });
    if (!wrong.empty())
      throw InputError(fmt::format(
          "{}{}contradictory settings: {}; allowed: the same motion where they "
          "meet, or fewer 'Components' in one of them.",
          where,
          where.empty() ? "" : ": ",
          wrong));
  }
}

template <int dim>
void DrivenDofs<dim>::watch(const double t,
                            const double h,
                            const double theta) const
{
  if (all_shared.empty() || (watched[0] == t && watched[1] == h))
    return;
  watched                 = { { t, h } };
  const std::string wrong = difference(all_shared, t + h, h, theta);
  if (!wrong.empty())
    throw ComputationError("Contradictory settings: " + wrong + ".");
}

template <int dim>
bool DrivenDofs<dim>::has_values() const
{
  return std::any_of(conditions.begin(),
                     conditions.end(),
                     [](const Condition &condition)
                     { return !condition.value.is_zero(); });
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
double DrivenDofs<dim>::displacement(const unsigned int dof,
                                     const double t) const
{
  const Condition &condition = conditions[condition_of_dof[dof]];
  const auto &x              = body.nodes[dof / dim];
  const auto component       = dof % dim;
  if (condition.type == BoundaryConditionType::displacement)
    return condition.value.value(x, t, component);
  if (condition.type != BoundaryConditionType::velocity)
    return 0.;
  // By mid-points.
  constexpr unsigned int n = 50;
  const double h           = (t - time.start_time) / n;
  double sum               = 0.;
  for (unsigned int i = 0; i < n; ++i)
    sum += h *
           condition.value.value(x, time.start_time + (i + 0.5) * h, component);
  return sum;
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

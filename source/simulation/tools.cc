#include <delassus/simulation/tools.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
using namespace dealii;

template <int dim>
void Tools<dim>::make(const Parameters &parameters,
                      std::vector<Obstacle<dim>> &given)
{
  obstacles    = &given;
  theta        = parameters.time.theta;
  quasi_static = parameters.time.scheme == TimeScheme::quasi_static;
  number.assign(given.size(), -1);
  for (unsigned int o = 0; o < given.size(); ++o)
  {
    const auto &p = parameters.obstacles[o];
    if (p.free.empty())
      continue;
    number[o] = tools.size();
    Tool tool;
    tool.obstacle         = o;
    const auto expression = [&](const std::string &text,
                                const unsigned int n_components,
                                const std::string &entry)
    {
      return Expression<dim>(
          text, n_components, parameters.where("Obstacle " + p.name, entry));
    };
    tool.force  = expression(p.force, dim, "Force");
    tool.torque = expression(p.torque, 1, "Torque");
    tool.compliance.assign(n_dofs * n_dofs, 0.);
    for (unsigned int c = 0; c < n; ++c)
    {
      tool.free[c]    = p.free[c];
      tool.mass[c]    = c < dim ? p.mass : p.inertia;
      tool.damping[c] = c < dim ? p.damping : p.rotational_damping;
      if (!tool.free[c] || c == dim)
        continue;
      if (c < parameters.gravity.size())
        tool.weight[c] = p.mass * parameters.gravity[c];
      if (c < p.initial_velocity.size() && !quasi_static)
        tool.v[c] = p.initial_velocity[c];
    }
    tools.push_back(tool);
  }
  place();
}

template <int dim>
double Tools<dim>::effective(const Tool &tool, const unsigned int c) const
{
  return (quasi_static ? h * h * tool.stiffness[c] : tool.mass[c]) +
         h * theta * tool.damping[c];
}

template <int dim>
void Tools<dim>::set_step(const double new_h)
{
  h = new_h;
  for (auto &tool : tools)
  {
    for (unsigned int c = 0; c < dim; ++c)
      if (tool.free[c])
        tool.compliance[c * n_dofs + c] = 1. / effective(tool, c);
    if (tool.free[dim])
      for (unsigned int k = 0; k < dim; ++k)
        for (unsigned int l = 0; l < dim; ++l)
          tool.compliance[(dim * (1 + k) + k) * n_dofs + dim * (1 + l) + l] =
              1. / effective(tool, dim);
  }
}

template <int dim>
void Tools<dim>::set_external(const double t)
{
  t_begin          = t;
  const auto value = [&](const Expression<dim> &load, const unsigned int c)
  {
    const double end = load.value(Point<dim>(), t + h, c);
    return theta < 1. && load.depends_on_time()
               ? theta * end + (1. - theta) * load.value(Point<dim>(), t, c)
               : end;
  };
  for (auto &tool : tools)
    for (unsigned int c = 0; c < n; ++c)
      if (tool.free[c])
        tool.external[c] =
            (c < dim ? value(tool.force, c) : value(tool.torque, 0)) +
            tool.weight[c];
}

template <int dim>
void Tools<dim>::tell()
{
  for (const auto &tool : tools)
    (*obstacles)[tool.obstacle].set_free_motion(
        t_begin, t_begin + (1. - theta) * h, tool.d, tool.v, tool.v_new);
}

template <int dim>
void Tools<dim>::advance_free_motion(const double t)
{
  if (tools.empty())
    return;
  set_external(t);
  for (auto &tool : tools)
  {
    if (quasi_static)
      tool.v = tool.center = Motion();
    tool.v_new = tool.v;
  }
  advance_from_center();
}

template <int dim>
void Tools<dim>::advance_from_center()
{
  // (m + h theta c) (v_free - v) = h (F - c v); quasi static:
  // (M_f + h c) v_free = h F + M_f center.
  for (auto &tool : tools)
    for (unsigned int c = 0; c < n; ++c)
    {
      if (!tool.free[c])
        continue;
      const double w = 1. / effective(tool, c);
      tool.v_free[c] =
          quasi_static
              ? w * (h * tool.external[c] +
                     h * h * tool.stiffness[c] * tool.center[c])
              : tool.v[c] +
                    w * h * (tool.external[c] - tool.damping[c] * tool.v[c]);
    }
  clear_impulses();
  tell();
}

template <int dim>
void Tools<dim>::begin_step(const double t, const bool from_rest)
{
  if (tools.empty())
    return;
  set_external(t);
  for (auto &tool : tools)
    tool.v_new = from_rest ? Motion() : tool.v;
  first_iteration = true;
  clear_impulses();
  tell();
}

template <int dim>
void Tools<dim>::advance_iteration()
{
  // The equation of a tool is linear: v_free is that of the linear scheme.
  // Quasi-statically the centre follows the iterates, by secants.
  if (tools.empty())
    return;
  for (auto &tool : tools)
  {
    if (!quasi_static)
      break;
    for (unsigned int c = 0; c < n; ++c)
    {
      const double step = tool.v_new[c] - tool.center[c];
      if (first_iteration)
      {
        tool.center[c] = tool.v_new[c];
        tool.factor[c] = 1.;
        tool.step[c]   = 0.;
        continue;
      }
      if (tool.step[c] != 0.)
      {
        const double drop = tool.step[c] - step;
        const double secant =
            drop != 0. ? tool.factor[c] * tool.step[c] / drop : 0.;
        tool.factor[c] =
            std::min(secant > 0. ? secant : 64., 4. * tool.factor[c]);
        tool.factor[c] = std::min(std::max(tool.factor[c], 1.), 64.);
      }
      tool.step[c] = step;
      tool.center[c] += tool.factor[c] * step;
    }
  }
  first_iteration = false;
  advance_from_center();
}

template <int dim>
void Tools<dim>::clear_impulses()
{
  for (auto &tool : tools)
    tool.impulse = Motion();
}

template <int dim>
void Tools<dim>::add_impulse(const unsigned int k,
                             const Tensor<1, dim> &impulse,
                             const Tensor<1, dim> &lever)
{
  auto &tool = tools[k];
  for (unsigned int c = 0; c < dim; ++c)
    if (tool.free[c])
      tool.impulse[c] += impulse[c];
  if (tool.free[dim])
    tool.impulse[dim] += lever * impulse;
}

template <int dim>
void Tools<dim>::sum_impulses(MPI_Comm communicator)
{
  std::vector<double> sums;
  for (const auto &tool : tools)
    for (unsigned int c = 0; c < n; ++c)
      sums.push_back(tool.impulse[c]);
  Utilities::MPI::sum(sums, communicator, sums);
  for (unsigned int k = 0; k < tools.size(); ++k)
    for (unsigned int c = 0; c < n; ++c)
      tools[k].impulse[c] = sums[n * k + c];
}

template <int dim>
typename Tools<dim>::Motion Tools<dim>::response(const Tool &tool) const
{
  Motion v;
  for (unsigned int c = 0; c < n; ++c)
    if (tool.free[c])
      v[c] = tool.impulse[c] / effective(tool, c);
  return v;
}

template <int dim>
bool Tools<dim>::apply_impulses()
{
  bool finite = true;
  for (auto &tool : tools)
  {
    tool.v_new = tool.v_free + response(tool);
    tool.d_new = tool.d + h * (theta * tool.v_new + (1. - theta) * tool.v);
    finite     = finite && std::isfinite(tool.v_new.norm()) &&
             std::isfinite(tool.d_new.norm());
  }
  tell();
  return finite;
}

template <int dim>
typename Tools<dim>::Motion Tools<dim>::out_of_balance(const Tool &tool) const
{
  Motion f;
  for (unsigned int c = 0; c < n; ++c)
    if (tool.free[c])
    {
      const double v_theta = theta * tool.v_new[c] + (1. - theta) * tool.v[c];
      f[c] =
          h * (tool.external[c] - tool.damping[c] * v_theta) + tool.impulse[c];
      if (!quasi_static)
        f[c] -= tool.mass[c] * (tool.v_new[c] - tool.v[c]);
    }
  return f;
}

template <int dim>
std::array<double, 2> Tools<dim>::norms(const Tool &tool) const
{
  // Moments as forces on the arm that the stiffnesses or inertias make.
  const Motion f = out_of_balance(tool);
  std::array<double, 2> largest{};
  const auto &measure = quasi_static ? tool.stiffness : tool.mass;
  const double arm    = measure[dim] > 0. && measure[0] > 0.
                            ? std::sqrt(measure[dim] / measure[0])
                            : 1.;
  for (unsigned int c = 0; c < n; ++c)
  {
    const double unit = c < dim ? 1. : arm;
    const double inertia =
        quasi_static ? 0. : tool.mass[c] * (tool.v_new[c] - tool.v[c]);
    largest[0] = std::max(largest[0], std::abs(f[c]) / unit);
    largest[1] = std::max({ largest[1],
                            std::abs(inertia) / unit,
                            std::abs(h * tool.external[c]) / unit,
                            std::abs(tool.impulse[c]) / unit });
  }
  return largest;
}

template <int dim>
EnergyTerms Tools<dim>::accept()
{
  EnergyTerms terms;
  for (auto &tool : tools)
  {
    for (unsigned int c = 0; c < n; ++c)
    {
      const double v_theta = theta * tool.v_new[c] + (1. - theta) * tool.v[c];
      terms.external += h * v_theta * tool.external[c];
      terms.damping += h * tool.damping[c] * v_theta * v_theta;
      terms.contact += v_theta * tool.impulse[c];
      if (quasi_static)
        // The work of the fictitious mass, as in ThetaScheme::accept().
        terms.numerical += h * h * tool.stiffness[c] * v_theta *
                           (tool.v_new[c] - tool.center[c]);
      else
      {
        terms.kinetic += 0.5 * tool.mass[c] * std::pow(tool.v_new[c], 2);
        terms.numerical += (theta - 0.5) * tool.mass[c] *
                           std::pow(tool.v_new[c] - tool.v[c], 2);
      }
    }
    tool.v_accepted = tool.v;
    tool.d          = tool.d_new;
    tool.v          = tool.v_new;
  }
  return terms;
}

template <int dim>
double Tools<dim>::kinetic_energy() const
{
  double kinetic = 0.;
  for (const auto &tool : tools)
    for (unsigned int c = 0; c < n && !quasi_static; ++c)
      kinetic += 0.5 * tool.mass[c] * tool.v[c] * tool.v[c];
  return kinetic;
}

template <int dim>
double Tools<dim>::zero_velocity()
{
  const double kinetic = kinetic_energy();
  for (auto &tool : tools)
    tool.v = Motion();
  return kinetic;
}

template <int dim>
double Tools<dim>::reach(const Tool &tool,
                         const Motion &motion,
                         const BoundingBox<dim> &box) const
{
  double way = 0.;
  for (unsigned int c = 0; c < dim; ++c)
    way += motion[c] * motion[c];
  way = std::sqrt(way);
  if (motion[dim] != 0.)
    way += std::abs(motion[dim]) *
           (*obstacles)[tool.obstacle].farthest(box, t_begin);
  return way;
}

template <int dim>
double Tools<dim>::moved(const unsigned int obstacle,
                         const BoundingBox<dim> &box,
                         const double t) const
{
  const int k = tool_of(obstacle);
  return k < 0 ? 0.
               : reach(tools[k],
                       (*obstacles)[obstacle].free_motion_at(t) -
                           tools[k].d_detected,
                       box);
}

template <int dim>
double Tools<dim>::fastest(const unsigned int obstacle,
                           const BoundingBox<dim> &box) const
{
  const int k = tool_of(obstacle);
  return k < 0 ? 0.
               : std::max({ reach(tools[k], tools[k].v, box),
                            reach(tools[k], tools[k].v_free, box),
                            reach(tools[k], tools[k].v_new, box) });
}

template <int dim>
void Tools<dim>::note_detection(const double t)
{
  for (auto &tool : tools)
    tool.d_detected = (*obstacles)[tool.obstacle].free_motion_at(t);
}

template <int dim>
void Tools<dim>::archive(Archive &archive)
{
  for (auto &tool : tools)
  {
    archive("displacement of tool", tool.d);
    archive("velocity of tool", tool.v);
    archive("impulse on tool", tool.impulse);
    archive("tool at detection", tool.d_detected);
    if (archive.saving())
      continue;
    const Motion rest;
    (*obstacles)[tool.obstacle].set_free_motion(
        0., 0., tool.d_detected, rest, rest);
  }
}

template <int dim>
void Tools<dim>::place()
{
  const Motion rest;
  for (auto &tool : tools)
  {
    tool.d_new = tool.d;
    tool.v_new = tool.v_free = tool.v;
    (*obstacles)[tool.obstacle].set_free_motion(0., 0., tool.d, rest, rest);
  }
}

template class Tools<2>;
template class Tools<3>;
} // namespace delassus

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
    tool.obstacle = o;
    tool.mass     = p.mass;
    tool.damping  = p.damping;
    tool.force    = Expression<dim>(p.force);
    tool.compliance.assign(dim * dim, 0.);
    for (unsigned int c = 0; c < dim; ++c)
    {
      tool.free[c] = p.free[c];
      if (!tool.free[c])
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
double Tools<dim>::effective(const Tool &tool) const
{
  return (quasi_static ? h * h * tool.stiffness : tool.mass) +
         h * theta * tool.damping;
}

template <int dim>
void Tools<dim>::set_step(const double new_h)
{
  h = new_h;
  for (auto &tool : tools)
    for (unsigned int c = 0; c < dim; ++c)
      if (tool.free[c])
        tool.compliance[c * dim + c] = 1. / effective(tool);
}

template <int dim>
void Tools<dim>::set_external(const double t)
{
  t_begin = t;
  for (auto &tool : tools)
    for (unsigned int c = 0; c < dim; ++c)
      if (tool.free[c])
      {
        double force = tool.force.value(Point<dim>(), t + h, c);
        if (theta < 1. && tool.force.depends_on_time())
          force = theta * force +
                  (1. - theta) * tool.force.value(Point<dim>(), t, c);
        tool.external[c] = force + tool.weight[c];
      }
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
      tool.v = tool.center = Tensor<1, dim>();
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
  {
    const double w = 1. / effective(tool);
    for (unsigned int c = 0; c < dim; ++c)
      if (tool.free[c])
        tool.v_free[c] =
            quasi_static
                ? w * (h * tool.external[c] +
                       h * h * tool.stiffness * tool.center[c])
                : tool.v[c] +
                      w * h * (tool.external[c] - tool.damping * tool.v[c]);
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
    tool.v_new = from_rest ? Tensor<1, dim>() : tool.v;
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
    for (unsigned int c = 0; c < dim; ++c)
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
    tool.impulse = Tensor<1, dim>();
}

template <int dim>
void Tools<dim>::add_impulse(const unsigned int tool,
                             const Tensor<1, dim> &impulse)
{
  for (unsigned int c = 0; c < dim; ++c)
    if (tools[tool].free[c])
      tools[tool].impulse[c] += impulse[c];
}

template <int dim>
void Tools<dim>::sum_impulses(MPI_Comm communicator)
{
  std::vector<double> sums;
  for (const auto &tool : tools)
    for (unsigned int c = 0; c < dim; ++c)
      sums.push_back(tool.impulse[c]);
  Utilities::MPI::sum(sums, communicator, sums);
  for (unsigned int k = 0; k < tools.size(); ++k)
    for (unsigned int c = 0; c < dim; ++c)
      tools[k].impulse[c] = sums[dim * k + c];
}

template <int dim>
Tensor<1, dim> Tools<dim>::response(const unsigned int tool,
                                    const Tensor<1, dim> &impulse) const
{
  Tensor<1, dim> v;
  for (unsigned int c = 0; c < dim; ++c)
    v[c] = tools[tool].compliance[c * dim + c] * impulse[c];
  return v;
}

template <int dim>
bool Tools<dim>::apply_impulses()
{
  bool finite = true;
  for (unsigned int k = 0; k < tools.size(); ++k)
  {
    auto &tool = tools[k];
    tool.v_new = tool.v_free + response(k, tool.impulse);
    tool.d_new = tool.d + h * (theta * tool.v_new + (1. - theta) * tool.v);
    finite     = finite && std::isfinite(tool.v_new.norm()) &&
             std::isfinite(tool.d_new.norm());
  }
  tell();
  return finite;
}

template <int dim>
Tensor<1, dim> Tools<dim>::out_of_balance(const Tool &tool) const
{
  const Tensor<1, dim> v_theta = theta * tool.v_new + (1. - theta) * tool.v;
  Tensor<1, dim> f =
      h * (tool.external - tool.damping * v_theta) + tool.impulse;
  if (!quasi_static)
    f -= tool.mass * (tool.v_new - tool.v);
  return f;
}

template <int dim>
std::array<double, 2> Tools<dim>::norms(const Tool &tool) const
{
  const double inertia =
      quasi_static ? 0. : tool.mass * (tool.v_new - tool.v).norm();
  return {
    { out_of_balance(tool).norm(),
      std::max({ inertia, h * tool.external.norm(), tool.impulse.norm() }) }
  };
}

template <int dim>
EnergyTerms Tools<dim>::accept()
{
  EnergyTerms terms;
  for (auto &tool : tools)
  {
    const Tensor<1, dim> v_theta = theta * tool.v_new + (1. - theta) * tool.v;
    terms.external += h * v_theta * tool.external;
    terms.damping += h * tool.damping * v_theta.norm_square();
    terms.contact += v_theta * tool.impulse;
    if (quasi_static)
      // The work of the fictitious mass, as in ThetaScheme::accept().
      terms.numerical +=
          h * h * tool.stiffness * (v_theta * (tool.v_new - tool.center));
    else
    {
      terms.kinetic += 0.5 * tool.mass * tool.v_new.norm_square();
      terms.numerical +=
          (theta - 0.5) * tool.mass * (tool.v_new - tool.v).norm_square();
    }
    tool.d = tool.d_new;
    tool.v = tool.v_new;
  }
  return terms;
}

template <int dim>
double Tools<dim>::kinetic_energy() const
{
  double kinetic = 0.;
  for (const auto &tool : tools)
    if (!quasi_static)
      kinetic += 0.5 * tool.mass * tool.v.norm_square();
  return kinetic;
}

template <int dim>
double Tools<dim>::zero_velocity()
{
  const double kinetic = kinetic_energy();
  for (auto &tool : tools)
    tool.v = Tensor<1, dim>();
  return kinetic;
}

template <int dim>
double Tools<dim>::moved(const unsigned int obstacle, const double t) const
{
  const int k = tool_of(obstacle);
  return k < 0 ? 0.
               : ((*obstacles)[obstacle].free_translation(t) -
                  tools[k].d_detected)
                     .norm();
}

template <int dim>
double Tools<dim>::fastest(const unsigned int obstacle) const
{
  const int k = tool_of(obstacle);
  return k < 0 ? 0.
               : std::max({ tools[k].v.norm(),
                            tools[k].v_free.norm(),
                            tools[k].v_new.norm() });
}

template <int dim>
void Tools<dim>::note_detection(const double t)
{
  for (auto &tool : tools)
    tool.d_detected = (*obstacles)[tool.obstacle].free_translation(t);
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
    const Tensor<1, dim> rest;
    (*obstacles)[tool.obstacle].set_free_motion(
        0., 0., tool.d_detected, rest, rest);
  }
}

template <int dim>
void Tools<dim>::place()
{
  const Tensor<1, dim> rest;
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

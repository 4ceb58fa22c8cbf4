#include <delassus/bodies/loads.h>
#include <delassus/base/exceptions.h>

#include <deal.II/fe/fe_values.h>

#include <fmt/format.h>

#include <limits>

namespace delassus
{
using namespace dealii;

namespace
{
/// The sentence about a name that no surface has: the nearest name in the form
/// it is to be written in. After the slash the surfaces of that body are
/// compared; a plain name with bodies, @p others and surfaces of all bodies.
template <int dim>
std::string
suggest_surface(const std::vector<std::unique_ptr<SolidBody<dim>>> &bodies,
                const std::string &text,
                const std::vector<std::string> &others)
{
  const auto slash               = text.find('/');
  std::vector<std::string> plain = others, all = others;
  for (const auto &body : bodies)
  {
    const auto surfaces = body->surface_names();
    if (slash != std::string::npos && text.substr(0, slash) == body->name())
    {
      const std::string near = nearest_name(text.substr(slash + 1), surfaces);
      if (!near.empty())
        return " Did you mean '" + body->name() + "/" + near + "'?";
    }
    plain.push_back(body->name());
    plain.insert(plain.end(), surfaces.begin(), surfaces.end());
    all.push_back(body->name());
    for (const auto &surface : surfaces)
      all.push_back(body->name() + "/" + surface);
  }
  const std::string wanted =
      slash == std::string::npos ? text : text.substr(slash + 1);
  const std::string near = nearest_name(wanted, plain);
  return near.empty() ? suggest_name(wanted, all)
                      : " Did you mean '" + near + "'?";
}
} // namespace

template <int dim>
std::vector<SurfaceReference>
find_surfaces(const std::vector<std::unique_ptr<SolidBody<dim>>> &bodies,
              const std::string &text,
              const std::string &asked_by,
              const std::vector<std::string> &others)
{
  for (unsigned int b = 0; b < bodies.size(); ++b)
    if (text == bodies[b]->name())
      return { { b, "*" } };
  const auto slash = text.find('/');
  if (slash != std::string::npos)
  {
    for (unsigned int b = 0; b < bodies.size(); ++b)
      if (text.substr(0, slash) == bodies[b]->name())
      {
        const std::string surface = text.substr(slash + 1);
        const auto names          = bodies[b]->surface_names();
        if (surface.empty() || surface == "*" ||
            std::find(names.begin(), names.end(), surface) != names.end())
          return { { b, surface } };
        throw InputError(
            fmt::format("{}: the mesh of body '{}' has no surface '{}'.{}",
                        asked_by,
                        bodies[b]->name(),
                        surface,
                        suggest_surface(bodies, text, others)));
      }
  }
  else
  {
    std::vector<SurfaceReference> found;
    for (unsigned int b = 0; b < bodies.size(); ++b)
      for (const auto &surface : bodies[b]->surface_names())
        if (surface == text)
          found.push_back({ b, surface });
    if (!found.empty())
      return found;
  }
  throw InputError(fmt::format("{}: there is no body{} or surface '{}'.{}",
                               asked_by,
                               others.empty() ? "" : ", obstacle",
                               text,
                               suggest_surface(bodies, text, others)));
}

template <int dim>
Loads<dim>::Loads(
    const SolidBody<dim> &body,
    const std::vector<double> &gravity,
    const std::vector<const BoundaryConditionParameters *> &conditions,
    const std::vector<std::vector<unsigned int>> &faces)
    : body(body)
    , body_force(body.parameters().body_force)
    , constant(body.make_vector())
    , current(body.make_vector())
    , current_time(std::numeric_limits<double>::quiet_NaN())
{
  for (unsigned int i = 0; i < conditions.size(); ++i)
  {
    const auto &condition = *conditions[i];
    const bool pressure   = condition.type == BoundaryConditionType::pressure;
    surface_loads.push_back(
        { condition.type,
          Expression<dim>(condition.value, pressure ? 1 : dim),
          condition.components,
          faces[i] });
  }

  // Uniform gravity is M g exactly, whatever M is.
  Vector acceleration = body.make_vector();
  for (const auto i : body.owned_dofs)
    acceleration[i] = gravity.empty() ? 0. : gravity[i % dim];
  acceleration.compress(VectorOperation::insert);
  body.mass.vmult(constant, acceleration);
  if (!body_force.depends_on_time())
    add_body_force(0., constant);
  else
    time_dependent = true;
  for (const auto &load : surface_loads)
    if (!load.value.depends_on_time())
      add_surface_load(load, 0., constant);
    else
      time_dependent = true;
}

template <int dim>
const Vector &Loads<dim>::force(const double t)
{
  if (!time_dependent)
    return constant;
  if (t == current_time)
    return current;
  current = constant;
  if (body_force.depends_on_time())
    add_body_force(t, current);
  for (const auto &load : surface_loads)
    if (load.value.depends_on_time())
      add_surface_load(load, t, current);
  current_time = t;
  return current;
}

template <int dim>
void Loads<dim>::add_body_force(const double t, Vector &target) const
{
  if (body_force.is_zero())
    return;
  const auto &fe = *body.fe;
  FEValues<dim> values(*body.mapping,
                       fe,
                       body.quadrature,
                       update_values | update_JxW_values |
                           update_quadrature_points);
  const unsigned int n = fe.n_dofs_per_cell();
  dealii::Vector<double> local(n);
  std::vector<types::global_dof_index> dofs(n);
  for (const auto &cell : body.cells)
    if (cell->is_locally_owned())
    {
      values.reinit(cell);
      local = 0.;
      for (const unsigned int q : values.quadrature_point_indices())
      {
        const Point<dim> x = values.quadrature_point(q);
        const double w =
            values.JxW(q) * body.out_of_plane(x) * body.elasticity().density();
        for (unsigned int i = 0; i < n; ++i)
          local[i] +=
              w * values.shape_value(i, q) *
              body_force.value(x, t, fe.system_to_component_index(i).first);
      }
      cell->get_dof_indices(dofs);
      for (unsigned int i = 0; i < n; ++i)
        target[dofs[i]] += local[i];
    }
  target.compress(VectorOperation::add);
}

template <int dim>
void Loads<dim>::add_surface_load(const SurfaceLoad &load,
                                  const double t,
                                  Vector &target) const
{
  const auto &fe = *body.fe;
  FEFaceValues<dim> values(*body.mapping,
                           fe,
                           body.face_quadrature,
                           update_values | update_JxW_values |
                               update_quadrature_points |
                               update_normal_vectors);
  const unsigned int n = fe.n_dofs_per_cell();
  dealii::Vector<double> local(n);
  std::vector<types::global_dof_index> dofs(n);
  const auto acts_on = [&](const unsigned int c)
  {
    return load.components.empty() ||
           std::find(load.components.begin(), load.components.end(), c) !=
               load.components.end();
  };
  for (const unsigned int f : load.faces)
  {
    const auto &face = body.boundary[f];
    const auto &cell = body.cells[face.cell];
    if (!cell->is_locally_owned())
      continue;
    values.reinit(cell, face.face);
    local = 0.;
    for (const unsigned int q : values.quadrature_point_indices())
    {
      const Point<dim> x = values.quadrature_point(q);
      const double w     = values.JxW(q) * body.out_of_plane(x);
      for (unsigned int i = 0; i < n; ++i)
      {
        const unsigned int c = fe.system_to_component_index(i).first;
        const double density =
            load.type == BoundaryConditionType::pressure
                ? -load.value.value(x, t) * values.normal_vector(q)[c]
                : (acts_on(c) ? load.value.value(x, t, c) : 0.);
        local[i] += w * values.shape_value(i, q) * density;
      }
    }
    cell->get_dof_indices(dofs);
    for (unsigned int i = 0; i < n; ++i)
      target[dofs[i]] += local[i];
  }
  target.compress(VectorOperation::add);
}

template class Loads<2>;
template class Loads<3>;
template std::vector<SurfaceReference>
find_surfaces<2>(const std::vector<std::unique_ptr<SolidBody<2>>> &,
                 const std::string &,
                 const std::string &,
                 const std::vector<std::string> &);
template std::vector<SurfaceReference>
find_surfaces<3>(const std::vector<std::unique_ptr<SolidBody<3>>> &,
                 const std::string &,
                 const std::string &,
                 const std::vector<std::string> &);
} // namespace delassus

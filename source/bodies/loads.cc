#include <delassus/bodies/loads.h>
#include <delassus/bodies/cell_masters.h>
#include <delassus/bodies/evaluate_on_all.h>
#include <delassus/base/exceptions.h>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace delassus
{
using namespace dealii;

template <int dim>
Loads<dim>::Loads(
    const SolidBody<dim> &body,
    const std::vector<double> &gravity,
    const std::vector<const BoundaryConditionParameters *> &conditions,
    const std::vector<std::vector<unsigned int>> &faces,
    const std::vector<std::string> &where)
    : body(body)
    , body_force(body.parameters().body_force,
                 dim,
                 body.parameters().where("Body force", "entry 'Body force'"))
    , constant(body.make_vector())
    , current(body.make_vector())
    , following(body.make_vector())
    , constant_pressure(body.make_vector())
    , current_time(std::numeric_limits<double>::quiet_NaN())
{
  for (unsigned int i = 0; i < conditions.size(); ++i)
  {
    const auto &condition = *conditions[i];
    const bool pressure   = condition.type == BoundaryConditionType::pressure;
    surface_loads.push_back(
        { condition.type,
          Expression<dim>(condition.value,
                          pressure ? 1 : dim,
                          i < where.size()
                              ? where[i]
                              : "Boundary condition '" + condition.name + "'"),
          condition.components,
          faces[i] });
  }

  // Uniform gravity is M g exactly, whatever M is.
  Vector acceleration = body.make_vector();
  for (const auto i : body.owned_dofs)
    acceleration[i] = gravity.empty() ? 0. : gravity[i % dim];
  acceleration.compress(VectorOperation::insert);
  body.mass.vmult(constant, acceleration);
  evaluate_on_all(body.communicator,
                  [&]()
                  {
                    if (!body_force.depends_on_time())
                      add_body_force(0., constant);
                    for (const auto &load : surface_loads)
                    {
                      if (load.value.depends_on_time())
                        continue;
                      add_surface_load(load, 0., constant);
                      if (follows(load))
                        add_surface_load(load, 0., constant_pressure);
                    }
                  });
  for (Vector *force : { &constant, &constant_pressure })
    force->compress(VectorOperation::add);
  time_dependent = body_force.depends_on_time();
  for (const auto &load : surface_loads)
  {
    has_pressure   = has_pressure || follows(load);
    time_dependent = time_dependent || load.value.depends_on_time();
  }
}

template <int dim>
const Vector &Loads<dim>::force(const double t, const Vector *q)
{
  if (q && has_pressure)
  {
    // Everything but pressures as ever, these on the present configuration.
    following = constant;
    following -= constant_pressure;
    following.compress(VectorOperation::insert);
    const NodalValues<dim> displacement(body, *q);
    evaluate_on_all(body.communicator,
                    [&]()
                    {
                      if (body_force.depends_on_time())
                        add_body_force(t, following);
                      for (const auto &load : surface_loads)
                        if (follows(load))
                          add_surface_load(load, t, following, &displacement);
                        else if (load.value.depends_on_time())
                          add_surface_load(load, t, following);
                    });
    following.compress(VectorOperation::add);
    if (released != nullptr)
      following.add(share_of_released(t), *released);
    return following;
  }
  if (!depends_on_time())
    return constant;
  if (t == current_time)
    return current;
  // A copy counts as an insertion that waits for its collective compress; all
  // ranks must do it, also those that have nothing to add below.
  current = constant;
  current.compress(VectorOperation::insert);
  evaluate_on_all(body.communicator,
                  [&]()
                  {
                    if (body_force.depends_on_time())
                      add_body_force(t, current);
                    for (const auto &load : surface_loads)
                      if (load.value.depends_on_time())
                        add_surface_load(load, t, current);
                  });
  current.compress(VectorOperation::add);
  if (released != nullptr)
    current.add(share_of_released(t), *released);
  current_time = t;
  return current;
}

template <int dim>
void Loads<dim>::set_released(const Vector *force,
                              const double from,
                              const double to)
{
  released      = force;
  released_from = from;
  released_to   = to;
  current_time  = std::numeric_limits<double>::quiet_NaN();
}

template <int dim>
double Loads<dim>::share_of_released(const double t) const
{
  const double s = (t - released_from) / (released_to - released_from);
  return 1. - std::min(1., std::max(0., s));
}

template <int dim>
void Loads<dim>::add_body_force(const double t, Vector &target) const
{
  if (body_force.is_zero())
    return;
  const unsigned int n = body.element.n_nodes();
  CellValues<dim> values(
      body.element,
      body.element.quadrature(body.assumption == Assumption::axisymmetric));
  std::vector<double> force(dim * n);
  for (const unsigned int cell : body.owned_cells)
  {
    values.reinit(body.nodes, body.nodes_of_cell(cell));
    std::fill(force.begin(), force.end(), 0.);
    for (unsigned int q = 0; q < values.n_points(); ++q)
    {
      const Point<dim> &x = values.point(q);
      const double w =
          values.JxW(q) * body.out_of_plane(x) * body.elasticity().density();
      for (unsigned int c = 0; c < dim; ++c)
      {
        const double acceleration = body_force.value(x, t, c);
        for (unsigned int k = 0; k < n; ++k)
          force[dim * k + c] += w * values.value(k, q) * acceleration;
      }
    }
    body.add_force(n, body.nodes_of_cell(cell), force, target);
  }
}

template <int dim>
void Loads<dim>::add_surface_load(const SurfaceLoad &load,
                                  const double t,
                                  Vector &target,
                                  const NodalValues<dim> *displacement) const
{
  const auto acts_on = [&](const unsigned int c)
  {
    return load.components.empty() ||
           std::find(load.components.begin(), load.components.end(), c) !=
               load.components.end();
  };
  const auto quadrature = body.element.face_quadrature();
  std::vector<FaceShape<dim>> shapes;
  std::array<Point<dim>, max_face_nodes> positions;
  std::vector<double> force;
  for (const unsigned int f : load.faces)
  {
    const auto &face     = body.boundary[f];
    const unsigned int n = face.n_nodes;
    if (!body.owns_node(face.nodes[0]))
      continue;
    if (shapes.empty())
      for (const auto &s : quadrature.get_points())
        shapes.emplace_back(n, s);
    for (unsigned int k = 0; k < n; ++k)
    {
      positions[k] = body.nodes[face.nodes[k]];
      if (displacement)
        for (unsigned int c = 0; c < dim; ++c)
          positions[k][c] += (*displacement)(dim * face.nodes[k] + c);
    }
    force.assign(dim * n, 0.);
    for (unsigned int q = 0; q < shapes.size(); ++q)
    {
      // Force per area times dA; for a pressure -p n dA.
      const Point<dim> x        = shapes[q].position(n, positions);
      const Tensor<1, dim> area = shapes[q].area_vector(n, positions);
      const double w            = quadrature.weight(q) * body.out_of_plane(x);
      Tensor<1, dim> density;
      if (load.type == BoundaryConditionType::pressure)
        density = -load.value.value(x, t) * area;
      else
        for (unsigned int c = 0; c < dim; ++c)
          density[c] =
              acts_on(c) ? load.value.value(x, t, c) * area.norm() : 0.;
      for (unsigned int k = 0; k < n; ++k)
        for (unsigned int c = 0; c < dim; ++c)
          force[dim * k + c] += w * shapes[q].value[k] * density[c];
    }
    body.add_force(n, face.nodes.data(), force, target);
  }
}

template <int dim>
void Loads<dim>::add_stiffness(const double t,
                               const Vector &q,
                               const double factor,
                               Matrix &K) const
{
  const NodalValues<dim> displacement(body, q);
  evaluate_on_all(body.communicator,
                  [&]()
                  {
                    for (const auto &load : surface_loads)
                      if (follows(load))
                        add_stiffness(load, t, displacement, factor, K);
                  });
  K.compress(VectorOperation::add);
}

template <int dim>
void Loads<dim>::add_stiffness(const SurfaceLoad &load,
                               const double t,
                               const NodalValues<dim> &displacement,
                               const double factor,
                               Matrix &K) const
{
  // f_a = -int p N_a A ds with A = x,1 x x,2 (in the plane the tangent turned
  // by a right angle, times thickness or 2 pi r):
  //   -df_a/dx_b = int p N_a dA/dx_b,
  //   dA = N_b,1 dx_b x x,2 - N_b,2 dx_b x x,1.
  const auto quadrature = body.element.face_quadrature();
  const bool axial      = body.assumption == Assumption::axisymmetric;
  std::vector<FaceShape<dim>> shapes;
  std::array<Point<dim>, max_face_nodes> positions;
  FullMatrix<double> A, condensed;
  CellMasters<dim> masters(body);
  for (const unsigned int f : load.faces)
  {
    const auto &face     = body.boundary[f];
    const unsigned int n = face.n_nodes;
    if (!body.owns_node(face.nodes[0]))
      continue;
    if (shapes.empty())
      for (const auto &s : quadrature.get_points())
        shapes.emplace_back(n, s);
    for (unsigned int k = 0; k < n; ++k)
      for (unsigned int c = 0; c < dim; ++c)
        positions[k][c] = body.nodes[face.nodes[k]][c] +
                          displacement(dim * face.nodes[k] + c);
    A.reinit(dim * n, dim * n);
    for (unsigned int q = 0; q < shapes.size(); ++q)
    {
      const auto &shape         = shapes[q];
      const Point<dim> x        = shape.position(n, positions);
      const Tensor<1, dim> area = shape.area_vector(n, positions);
      const double p = factor * quadrature.weight(q) * load.value.value(x, t);
      std::array<Tensor<1, dim>, dim - 1> tangent;
      for (unsigned int k = 0; k < n; ++k)
        for (unsigned int j = 0; j < dim - 1; ++j)
          tangent[j] += shape.derivative[k][j] * Tensor<1, dim>(positions[k]);
      for (unsigned int b = 0; b < n; ++b)
        for (unsigned int d = 0; d < dim; ++d)
        {
          // dA of a unit motion of node b in direction d.
          Tensor<1, dim> dA;
          const auto &derivative = shape.derivative[b];
          if constexpr (dim == 2)
          {
            dA[0] = d == 1 ? derivative[0] : 0.;
            dA[1] = d == 0 ? -derivative[0] : 0.;
          }
          else
          {
            Tensor<1, dim> unit;
            unit[d] = 1.;
            dA      = cross_product_3d(
                unit, derivative[0] * tangent[1] - derivative[1] * tangent[0]);
          }
          dA *= body.out_of_plane(x);
          if (axial && d == 0)
            dA += 2. * numbers::PI * shape.value[b] * area;
          for (unsigned int a = 0; a < n; ++a)
            for (unsigned int c = 0; c < dim; ++c)
            {
              const double value = 0.5 * p * shape.value[a] * dA[c];
              A(dim * a + c, dim * b + d) += value;
              A(dim * b + d, dim * a + c) += value;
            }
        }
    }
    const bool hangs = masters.reinit(face.nodes.data(), n);
    if (hangs)
      masters.condense(A, condensed);
    const auto &local = hangs ? condensed : A;
    for (unsigned int a = 0; a < masters.nodes.size(); ++a)
      for (unsigned int b = 0; b < masters.nodes.size(); ++b)
        for (unsigned int c = 0; c < dim; ++c)
          for (unsigned int d = 0; d < dim; ++d)
            K.add(dim * masters.nodes[a] + c,
                  dim * masters.nodes[b] + d,
                  local(dim * a + c, dim * b + d));
  }
}

template class Loads<2>;
template class Loads<3>;
} // namespace delassus

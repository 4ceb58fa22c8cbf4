#pragma once

#include "bodies/make_bodies.h"

#include <delassus/bodies/internal_forces.h>
#include <delassus/mesh/refine_mesh.h>

#include <gtest/gtest.h>

#include <cmath>

/// Bodies of every element and material, and large deformations of them.
namespace forces
{
using namespace delassus;
using namespace small;
using dealii::Point;
using dealii::Tensor;

struct Law
{
  std::string name;
  MaterialParameters parameters;
  bool finite, elastic;
};

inline Law make_law(const std::string &name)
{
  Law law;
  law.name       = name;
  auto &p        = law.parameters;
  p              = soft_stone();
  law.finite     = true;
  law.elastic    = false;
  p.yield_stress = 20.;
  if (name == "linear")
    law.finite = false, law.elastic = true;
  else if (name == "linear_incompressible")
  {
    p.poisson_ratio = 0.4999;
    law.finite = false, law.elastic = true;
  }
  else if (name == "j2_small")
  {
    law.finite          = false;
    p.model             = MaterialModel::j2_small_strain;
    p.hardening_modulus = 30.;
    p.kinematic_modulus = 15.;
  }
  else if (name == "svk")
  {
    p.model     = MaterialModel::saint_venant_kirchhoff;
    law.elastic = true;
  }
  else if (name == "neo_hookean")
  {
    p.model     = MaterialModel::neo_hookean;
    law.elastic = true;
  }
  else if (name == "j2")
  {
    p.model             = MaterialModel::j2;
    p.hardening         = HardeningType::voce;
    p.hardening_modulus = 30.;
    p.saturation_stress = 40.;
    p.saturation_rate   = 10.;
  }
  else if (name == "j2_kinematic")
  {
    p.model             = MaterialModel::j2;
    p.hardening_modulus = 30.;
    p.kinematic_modulus = 25.;
  }
  else if (name == "maxwell")
  {
    p.model     = MaterialModel::maxwell;
    p.viscosity = 300.;
  }
  else
    ADD_FAILURE() << name;
  return law;
}

/// An irregular mesh of n^dim boxes, curved inside where of degree 2.
template <int dim>
MeshData<dim> irregular_mesh(const bool simplices,
                             const unsigned int degree,
                             const unsigned int n,
                             const bool curved = true)
{
  auto mesh = make_grid(sheared_grid<dim>(simplices, n, 0.3));
  if (degree == 1)
    return mesh;
  const unsigned int n_corners = mesh.vertices.size();
  add_mid_nodes(mesh);
  if (!curved)
    return mesh;
  std::vector<bool> outside(mesh.vertices.size(), false);
  const Element<dim> element(mesh.reference_cell, 2);
  const std::size_t n_mid = element.n_nodes() - element.n_corners();
  for (const auto &face : boundary_faces(mesh))
    for (const unsigned int k : element.faces()[face.local_face])
      if (k >= element.n_corners())
        outside[mesh.mid_nodes[n_mid * face.cell + k - element.n_corners()]] =
            true;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  for (unsigned int v = n_corners; v < mesh.vertices.size(); ++v)
    for (unsigned int d = 0; d < dim; ++d)
    {
      const double move = 0.1 * uniform(random) / n;
      if (!outside[v])
        mesh.vertices[v][d] += move;
    }
  return mesh;
}

template <int dim>
std::unique_ptr<SolidBody<dim>>
irregular_body(const bool simplices,
               const unsigned int degree,
               const MaterialParameters &material,
               const Dilatation dilatation,
               const Assumption assumption,
               const unsigned int n = 2,
               const bool curved    = true)
{
  BodyParameters parameters;
  parameters.degree     = degree;
  parameters.dilatation = dilatation;
  parameters.thickness  = dim == 2 ? 1.7 : 1.;
  return make_body(irregular_mesh<dim>(simplices, degree, n, curved),
                   material,
                   parameters,
                   assumption);
}

template <int dim>
Tensor<2, dim> identity()
{
  Tensor<2, dim> I;
  for (unsigned int d = 0; d < dim; ++d)
    I[d][d] = 1.;
  return I;
}

/// A rotation by @p angle (in 3D about a skew axis).
template <int dim>
Tensor<2, dim> rotation(const double angle)
{
  Tensor<2, dim> R;
  const double c = std::cos(angle), s = std::sin(angle);
  if constexpr (dim == 2)
  {
    R[0][0] = R[1][1] = c;
    R[0][1]           = -s;
    R[1][0]           = s;
  }
  else
  {
    Tensor<1, 3> a;
    a[0] = 2. / 7., a[1] = 3. / 7., a[2] = 6. / 7.;
    Tensor<2, 3> W;
    W[0][1] = -a[2], W[0][2] = a[1], W[1][2] = -a[0];
    W[1][0] = a[2], W[2][0] = -a[1], W[2][1] = a[0];
    R = identity<3>() + s * W + (1. - c) * (W * W);
  }
  return R;
}

/// Stretch and shear of the order of @p size.
template <int dim>
Tensor<2, dim> stretch(const double size)
{
  auto F = identity<dim>();
  for (unsigned int i = 0; i < dim; ++i)
    for (unsigned int j = 0; j < dim; ++j)
      F[i][j] += size * (0.9 - 0.7 * i + 0.35 * j - 0.45 * i * j);
  return F;
}

template <int dim>
Vector affine(const SolidBody<dim> &body, const Tensor<2, dim> &F)
{
  return nodal_vector(body,
                      [&](const Point<dim> &x, const unsigned int c)
                      { return F[c] * Tensor<1, dim>(x) - x[c]; });
}

/// A large random deformation: affine and nodes moved by @p rough of a cell.
template <int dim>
Vector deformation(const SolidBody<dim> &body,
                   const double size,
                   const double rough,
                   const unsigned int seed,
                   const double angle = 0.)
{
  const bool axisymmetric = body.assumption == Assumption::axisymmetric;
  Vector q                = affine(body,
                    axisymmetric ? stretch<dim>(size)
                                                : rotation<dim>(angle) * stretch<dim>(size));
  q.add(rough * body.smallest_edge / body.element.degree(),
        random_vector(body, seed));
  return q;
}

inline double difference(const Vector &a, const Vector &b)
{
  Vector d = a;
  d -= b;
  return d.linfty_norm();
}

/// Every element of a dimension: (simplices, degree).
const std::vector<std::pair<bool, unsigned int>> elements = { { false, 1 },
                                                              { false, 2 },
                                                              { true, 1 },
                                                              { true, 2 } };

template <int dim>
std::vector<Assumption> assumptions()
{
  if (dim == 3)
    return { Assumption::three_dimensional };
  return { Assumption::plane_strain,
           Assumption::plane_stress,
           Assumption::axisymmetric };
}

/// Run @p test(body, law, dilatation) for all of them.
template <int dim, typename Test>
void for_all(const std::vector<std::string> &laws,
             const Test &test,
             const unsigned int n = 2,
             const bool curved    = true)
{
  for (const auto assumption : assumptions<dim>())
    for (const auto &[simplices, degree] : elements)
      for (const auto dilatation : { Dilatation::full, Dilatation::mean })
      {
        if (assumption == Assumption::plane_stress &&
            dilatation == Dilatation::mean)
          continue;
        for (const auto &name : laws)
        {
          const auto law  = make_law(name);
          const auto body = irregular_body<dim>(simplices,
                                                degree,
                                                law.parameters,
                                                dilatation,
                                                assumption,
                                                n,
                                                curved);
          SCOPED_TRACE(body->element.name() + ", " + name + ", assumption " +
                       std::to_string(int(assumption)) +
                       (dilatation == Dilatation::mean ? ", mean" : ", full"));
          test(*body, law, dilatation);
        }
      }
}

const std::vector<std::string> all_laws = {
  "linear", "j2_small", "svk", "neo_hookean", "j2", "j2_kinematic", "maxwell"
};
} // namespace forces

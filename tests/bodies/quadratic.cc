#include "bodies/make_bodies.h"

#include <delassus/mesh/ball_generator.h>
#include <delassus/mesh/refine_mesh.h>

#include <deal.II/lac/lapack_full_matrix.h>

#include <gtest/gtest.h>

#include <set>

using namespace delassus;
using namespace small;
using dealii::Point;
using dealii::Tensor;

namespace
{
BodyParameters degree_2(const MassType mass = MassType::consistent)
{
  BodyParameters parameters;
  parameters.degree = 2;
  parameters.mass   = mass;
  return parameters;
}

/// A grid of degree 2 with straight edges (corners inside moved), or with its
/// inner middle nodes moved too. The outer shape is that of the grid.
template <int dim>
MeshData<dim> quadratic_grid(const bool simplices,
                             const bool curved,
                             const unsigned int n = 3)
{
  MeshData<dim> mesh = make_grid(sheared_grid<dim>(simplices, n, 0.3));
  const unsigned int n_corners = mesh.vertices.size();
  add_mid_nodes(mesh);
  if (!curved)
    return mesh;
  std::set<unsigned int> outside;
  const Element<dim> element(mesh.reference_cell, 2);
  const std::size_t n_mid = element.n_nodes() - element.n_corners();
  for (const auto &face : boundary_faces(mesh))
    for (const unsigned int k : element.faces()[face.local_face])
      if (k >= element.n_corners())
        outside.insert(
            mesh.mid_nodes[n_mid * face.cell + k - element.n_corners()]);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  for (unsigned int v = n_corners; v < mesh.vertices.size(); ++v)
    for (unsigned int d = 0; d < dim; ++d)
    {
      const double move = 0.1 * uniform(random) / n;
      if (outside.count(v) == 0)
        mesh.vertices[v][d] += move;
    }
  return mesh;
}

template <int dim>
std::vector<bool> boundary_nodes(const SolidBody<dim> &body)
{
  std::vector<bool> on_it(body.n_nodes(), false);
  for (const auto &face : body.boundary)
    for (unsigned int v = 0; v < face.n_nodes; ++v)
      on_it[face.nodes[v]] = true;
  return on_it;
}

template <int dim>
void patch_test(const bool simplices)
{
  const auto body =
      make_body(quadratic_grid<dim>(simplices, true), soft_stone(), degree_2());
  const double volume = sheared_volume<dim>();
  EXPECT_NEAR(body->pieces[0].volume, volume, 1e-13 * volume);
  Tensor<2, dim> A;
  for (unsigned int i = 0; i < dim; ++i)
    for (unsigned int j = 0; j < dim; ++j)
      A[i][j] = 1. + i - 0.7 * j + 0.1 * i * j;
  const Vector u = nodal_vector(*body,
                                [&](const Point<dim> &x, const unsigned int c)
                                { return A[c] * Tensor<1, dim>(x); });
  Vector f       = body->make_vector();
  body->stiffness.vmult(f, u);
  const auto on_boundary = boundary_nodes(*body);
  const double scale     = f.linfty_norm();
  EXPECT_GT(std::count(on_boundary.begin(), on_boundary.end(), false), 10);
  for (unsigned int i = 0; i < body->n_dofs(); ++i)
    if (!on_boundary[i / dim])
    {
      EXPECT_NEAR(f[i], 0., 1e-12 * scale);
    }
  const Voigt strain = strain_of_gradient<dim>(A, 0.);
  const Voigt stress = body->elasticity().stress(strain);
  double density     = 0.;
  for (unsigned int k = 0; k < 6; ++k)
    density += strain[k] * stress[k];
  EXPECT_NEAR(u * f, density * volume, 1e-12 * density * volume);
}

/// Bending by couples: sigma_xx = E' k y alone; displacements are quadratic and
/// must be reproduced exactly on straight cells, whatever their corners.
template <int dim>
void bending(const bool simplices)
{
  const auto material = soft_stone();
  const auto body =
      make_body(quadratic_grid<dim>(simplices, false), material, degree_2());
  const double E = material.young_modulus, nu = material.poisson_ratio;
  // Plane strain in 2D; a free beam in 3D.
  const double ratio = dim == 2 ? nu / (1. - nu) : nu;
  const double plate = dim == 2 ? E / (1. - nu * nu) : E;
  const Vector u =
      nodal_vector(*body,
                   [&](const Point<dim> &p, const unsigned int c)
                   {
                     const double x = p[0], y = p[1],
                                  z = dim == 3 ? p[dim - 1] : 0.;
                     return c == 0   ? x * y
                            : c == 1 ? -0.5 * (x * x + ratio * (y * y - z * z))
                                     : -ratio * y * z;
                   });
  Vector f = body->make_vector();
  body->stiffness.vmult(f, u);
  const auto on_boundary = boundary_nodes(*body);
  for (unsigned int i = 0; i < body->n_dofs(); ++i)
    if (!on_boundary[i / dim])
    {
      EXPECT_NEAR(f[i], 0., 1e-12 * f.linfty_norm());
    }
  // Twice the energy: E' times the integral of y^2.
  double energy = 0.;
  CellValues<dim> values(body->element, body->element.quadrature(false));
  for (unsigned int c = 0; c < body->n_cells(); ++c)
  {
    values.reinit(body->nodes, body->nodes_of_cell(c));
    for (unsigned int q = 0; q < values.n_points(); ++q)
      energy += plate * std::pow(values.point(q)[1], 2) * values.JxW(q);
  }
  EXPECT_NEAR(u * f, energy, 1e-12 * energy);
}

/// One curved cell: K is symmetric, with the rigid motions and nothing else in
/// its null space.
template <int dim>
void null_space(const bool simplices)
{
  MeshData<dim> mesh;
  mesh.reference_cell = simplices
                            ? dealii::ReferenceCells::get_simplex<dim>()
                            : dealii::ReferenceCells::get_hypercube<dim>();
  const Element<dim> element(mesh.reference_cell, 2);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  dealii::CellData<dim> cell(element.n_corners());
  cell.material_id = 0;
  for (unsigned int k = 0; k < element.n_nodes(); ++k)
  {
    Point<dim> x = element.reference_nodes()[k];
    for (unsigned int d = 0; d < dim; ++d)
      x[d] += 0.1 * uniform(random);
    mesh.vertices.push_back(x);
    if (k < element.n_corners())
      cell.vertices[k] = k;
    else
      mesh.mid_nodes.push_back(k);
  }
  mesh.cells           = { cell };
  mesh.n_pieces        = 1;
  const auto body      = make_body(mesh, soft_stone(), degree_2());
  const unsigned int n = body->n_dofs();
  dealii::LAPACKFullMatrix<double> K(n, n);
  double asymmetry = 0.;
  for (unsigned int i = 0; i < n; ++i)
    for (unsigned int j = 0; j < n; ++j)
    {
      K(i, j) = body->stiffness.el(i, j);
      asymmetry =
          std::max(asymmetry, std::abs(K(i, j) - body->stiffness.el(j, i)));
    }
  dealii::Vector<double> eigenvalues;
  dealii::FullMatrix<double> eigenvectors;
  K.compute_eigenvalues_symmetric(
      -1e10, 1e10, 1e-12, eigenvalues, eigenvectors);
  const double largest = eigenvalues.linfty_norm();
  EXPECT_LT(asymmetry, 1e-13 * largest);
  unsigned int n_zero = 0;
  for (const double value : eigenvalues)
    n_zero += std::abs(value) < 1e-11 * largest;
  EXPECT_EQ(n_zero, dim == 2 ? 3u : 6u);
}

template <int dim>
void masses(const bool simplices)
{
  const double mass = soft_stone().density * sheared_volume<dim>();
  for (const auto type :
       { MassType::consistent, MassType::lumped, MassType::nodal })
  {
    const auto body = make_body(
        quadratic_grid<dim>(simplices, true, 2), soft_stone(), degree_2(type));
    for (unsigned int c = 0; c < dim; ++c)
    {
      const Vector one =
          nodal_vector(*body,
                       [&](const Point<dim> &, const unsigned int d)
                       { return d == c ? 1. : 0.; });
      Vector product = body->make_vector();
      body->mass.vmult(product, one);
      EXPECT_NEAR(product * one, mass, 1e-12 * mass);
    }
    for (unsigned int i = 0; i < body->n_dofs(); ++i)
      EXPECT_GT(body->mass.el(i, i), 1e-4 * mass / body->n_nodes());
  }
}
} // namespace

TEST(QuadraticElements, PatchTestOnCurvedCells)
{
  for (const bool simplices : { false, true })
  {
    patch_test<2>(simplices);
    patch_test<3>(simplices);
  }
}

TEST(QuadraticElements, BendingIsExact)
{
  for (const bool simplices : { false, true })
  {
    bending<2>(simplices);
    bending<3>(simplices);
  }
}

TEST(QuadraticElements, NullSpaceOfStiffness)
{
  for (const bool simplices : { false, true })
  {
    null_space<2>(simplices);
    null_space<3>(simplices);
  }
}

TEST(QuadraticElements, MassMatrices)
{
  for (const bool simplices : { false, true })
  {
    masses<2>(simplices);
    masses<3>(simplices);
  }
}

TEST(QuadraticElements, CongruentPiecesShareAClass)
{
  for (const bool simplices : { false, true })
  {
    MeshData<2> mesh;
    Grid<2> grid;
    grid.simplices = simplices;
    grid.n         = { { 2, 2 } };
    for (unsigned int p = 0; p < 3; ++p)
    {
      grid.map = [p](const Point<2> &x)
      { return Point<2>(x[0] + 2. * p, x[1]); };
      append_grid(mesh, grid);
    }
    add_mid_nodes(mesh);
    const auto body = make_body(mesh, soft_stone(), degree_2());
    EXPECT_EQ(find_piece_classes(*body, DrivenDofs<2>(*body)).n_classes(), 1u);
  }
}

TEST(QuadraticElements, PressureOnACurvedFace)
{
  // The resultant of a uniform pressure on an arc is that on its chord, exactly
  // for parabolas; on the octant of a sphere it tends to that of the quarter
  // circles.
  MeshParameters parameters;
  parameters.type           = MeshType::half_ball;
  parameters.radius         = 2.;
  parameters.ball_divisions = 2;
  auto disk                 = make_ball<2>(parameters, "test");
  add_mid_nodes(disk);
  const auto body = make_body(disk, soft_stone(), degree_2());
  BoundaryConditionParameters pressure;
  pressure.type  = BoundaryConditionType::pressure;
  pressure.value = "3";
  Loads<2> loads(*body, {}, { &pressure }, { body->surface("sphere", "test") });
  Tensor<1, 2> sum;
  for (unsigned int i = 0; i < body->n_dofs(); ++i)
    sum[i % 2] += loads.force(0.)[i];
  EXPECT_NEAR(sum[0], 0., 1e-13);
  EXPECT_NEAR(sum[1], 3. * 4., 1e-12);

  parameters.type = MeshType::ball_sector;
  auto octant     = make_ball<3>(parameters, "test");
  add_mid_nodes(octant);
  const auto sector = make_body(octant, soft_stone(), degree_2());
  EXPECT_NEAR(sector->pieces[0].volume,
              dealii::numbers::PI / 6. * 8.,
              1e-3 * dealii::numbers::PI / 6. * 8.);
  // A closed surface: no resultant at all.
  Loads<3> closed(*sector, {}, { &pressure }, { sector->surface("*", "test") });
  Tensor<1, 3> total;
  for (unsigned int i = 0; i < sector->n_dofs(); ++i)
    total[i % 3] += closed.force(0.)[i];
  EXPECT_LT(total.norm(), 1e-12);
  // Faces look outwards.
  for (const unsigned int f : sector->surface("sphere", "test"))
  {
    const auto &face = sector->boundary[f];
    std::vector<Point<3>> x;
    for (unsigned int k = 0; k < face.n_nodes; ++k)
    {
      x.push_back(sector->nodes[face.nodes[k]]);
      EXPECT_NEAR(x.back().norm(), 2., 1e-13);
    }
    const FaceShape<3> shape(9, Point<2>(0.3, 0.6));
    const auto n = shape.area_vector(9, x);
    const auto p = shape.position(9, x);
    EXPECT_GT((n * (p - Point<3>())) / n.norm() / p.norm(), 0.999);
  }
}

TEST(QuadraticElements, DrivenFacesHaveAllTheirNodes)
{
  const auto body =
      make_body(quadratic_grid<3>(false, true, 2), soft_stone(), degree_2());
  DrivenDofs<3> driven(*body);
  BoundaryConditionParameters fixed;
  fixed.name = "fixed";
  driven.add(fixed, body->surface("bottom", "test"));
  EXPECT_EQ(driven.n_dofs(), 3u * 25u);
}

#include "bodies/make_bodies.h"

#include <deal.II/lac/lapack_full_matrix.h>

#include <gtest/gtest.h>

using namespace delassus;
using namespace small;
using dealii::Point;
using dealii::Tensor;

namespace
{
/// A linear displacement field: u = A x.
template <int dim>
Vector linear_field(const SolidBody<dim> &body, const Tensor<2, dim> &A)
{
  return nodal_vector(body,
                      [&](const Point<dim> &x, const unsigned int c)
                      { return A[c] * Tensor<1, dim>(x); });
}

template <int dim>
Vector action(const Matrix &matrix, const SolidBody<dim> &body, const Vector &x)
{
  Vector y = body.make_vector();
  matrix.vmult(y, x);
  return y;
}

/// Linear fields have constant stress: for any two of them u^T K v is the
/// volume times eps(u) : sigma(v) with Lame's constants, and forces act on
/// boundary nodes only.
template <int dim>
void patch_test(const bool simplices, const Assumption assumption)
{
  BodyParameters parameters;
  parameters.thickness = 0.4;
  const auto material  = soft_stone();
  const auto body      = make_body(make_grid(sheared_grid<dim>(simplices)),
                              material,
                              parameters,
                              assumption);
  const double volume  = sheared_volume<dim>() * (dim == 2 ? 0.4 : 1.);
  EXPECT_NEAR(body->pieces[0].volume, volume, 1e-13 * volume);
  const double E = material.young_modulus, nu = material.poisson_ratio;
  const double mu     = E / 2. / (1. + nu);
  const double lambda = assumption == Assumption::plane_stress
                            ? nu * E / (1. - nu * nu)
                            : nu * E / (1. + nu) / (1. - 2. * nu);

  std::vector<bool> on_boundary(body->n_nodes(), false);
  for (const auto &face : body->boundary)
    for (unsigned int v = 0; v < face.n_nodes; ++v)
      on_boundary[face.nodes[v]] = true;
  EXPECT_GE(std::count(on_boundary.begin(), on_boundary.end(), false), 4);

  const auto unit_gradient = [](const unsigned int k)
  {
    Tensor<2, dim> A;
    A[k / dim][k % dim] = 1.;
    return A;
  };
  for (unsigned int k = 0; k < dim * dim; ++k)
  {
    const Vector Kv =
        action(body->stiffness, *body, linear_field(*body, unit_gradient(k)));
    const auto e = symmetrize(unit_gradient(k));
    const auto s =
        lambda * trace(e) * dealii::unit_symmetric_tensor<dim>() + 2. * mu * e;
    for (unsigned int i = 0; i < body->n_dofs(); ++i)
      if (!on_boundary[i / dim])
      {
        EXPECT_NEAR(Kv[i], 0., 1e-12 * E) << "dof " << i;
      }
    for (unsigned int l = 0; l < dim * dim; ++l)
      EXPECT_NEAR(linear_field(*body, unit_gradient(l)) * Kv,
                  volume * (symmetrize(unit_gradient(l)) * s),
                  1e-12 * E)
          << k << ' ' << l;
  }
}

/// Number of zero eigenvalues of K: rigid motions and nothing else.
template <int dim>
unsigned int n_zero_energy_modes(const SolidBody<dim> &body)
{
  const unsigned int n = body.n_dofs();
  dealii::LAPACKFullMatrix<double> K(n, n);
  for (unsigned int i = 0; i < n; ++i)
    for (unsigned int j = 0; j < n; ++j)
      K(i, j) = body.stiffness.el(i, j);
  dealii::FullMatrix<double> vectors;
  dealii::Vector<double> values;
  K.compute_eigenvalues_symmetric(-1e30, 1e30, 0., values, vectors);
  unsigned int zero = 0;
  for (const double value : values)
  {
    EXPECT_GT(value, -1e-10 * values.linfty_norm());
    zero += value < 1e-10 * values.linfty_norm();
  }
  return zero;
}

template <int dim>
void rigid_motions(const bool simplices)
{
  const auto body    = make_body(make_grid(sheared_grid<dim>(simplices)));
  const double scale = body->stiffness.linfty_norm();
  for (unsigned int k = 0; k < dim; ++k)
  {
    const Vector u = nodal_vector(*body,
                                  [&](const Point<dim> &, unsigned int c)
                                  { return c == k ? 1. : 0.; });
    EXPECT_LT(action(body->stiffness, *body, u).linfty_norm(), 1e-13 * scale);
    for (unsigned int l = 0; l < k; ++l)
    {
      Tensor<2, dim> spin;
      spin[k][l] = 1.;
      spin[l][k] = -1.;
      EXPECT_LT(action(body->stiffness, *body, linear_field(*body, spin))
                    .linfty_norm(),
                1e-13 * scale);
    }
  }
  // A coarser grid: also no zero-energy mode besides them.
  const auto one = make_body(make_grid(sheared_grid<dim>(simplices, 1)));
  EXPECT_EQ(n_zero_energy_modes(*one), dim == 2 ? 3u : 6u);
  const auto eight = make_body(make_grid(sheared_grid<dim>(simplices, 2)));
  EXPECT_EQ(n_zero_energy_modes(*eight), dim == 2 ? 3u : 6u);
}

template <int dim>
void masses(const bool simplices)
{
  const MeshData<dim> mesh = make_grid(sheared_grid<dim>(simplices));
  const double rho         = soft_stone().density;
  const Point<dim>    centre =
    sheared<dim>(dim == 2 ? Point<dim>(0.5, 0.5) :
                            []() {
                              Point<dim> p;
                              for (unsigned int d = 0; d < dim; ++d)
                                p[d] = 0.5;
                              return p;
                            }());
  for (const auto type :
       { MassType::consistent, MassType::lumped, MassType::nodal })
  {
    BodyParameters parameters;
    parameters.mass       = type;
    parameters.thickness  = 0.25;
    const auto body       = make_body(mesh, soft_stone(), parameters);
    const double t        = dim == 2 ? 0.25 : 1.;
    const double mass     = rho * t * sheared_volume<dim>();
    Tensor<1, dim> moment = mass * Tensor<1, dim>(centre);
    if (type == MassType::nodal)
    { // each cell's mass at the mean of its nodes
      moment = Tensor<1, dim>();
      for (const auto &cell : mesh.cells)
        moment +=
            rho * t *
            cell_measure(mesh.vertices, cell.vertices, mesh.reference_cell) *
            Tensor<1, dim>(mean_point(mesh.vertices, cell.vertices));
    }
    EXPECT_EQ(body->diagonal_mass, type != MassType::consistent);
    for (unsigned int k = 0; k < dim; ++k)
    {
      const Vector one = nodal_vector(*body,
                                      [&](const Point<dim> &, unsigned int c)
                                      { return c == k ? 1. : 0.; });
      const Vector M1  = action(body->mass, *body, one);
      EXPECT_NEAR(one * M1, mass, 1e-13 * mass);
      for (unsigned int i = 0; i < body->n_dofs(); ++i)
        if (i % dim == k)
        {
          EXPECT_GT(M1[i], 0.);
        }
        else
        {
          EXPECT_EQ(M1[i], 0.);
        }
      for (unsigned int l = 0; l < dim; ++l)
      {
        const Vector x = nodal_vector(*body,
                                      [&](const Point<dim> &p, unsigned int c)
                                      { return c == k ? p[l] : 0.; });
        EXPECT_NEAR(x * M1, moment[l], 1e-12 * mass) << int(type);
      }
    }
    for (unsigned int l = 0; l < dim; ++l)
      EXPECT_NEAR(body->pieces[0].centroid[l], centre[l], 1e-13);
  }
}

/// Consistent mass is the L2 product: second moment of a box.
template <int dim>
void second_moment(const bool simplices, const double distortion)
{
  Grid<dim> grid  = sheared_grid<dim>(simplices, 3, distortion);
  grid.map        = nullptr;
  const auto body = make_body(make_grid(grid));
  const Vector x  = nodal_vector(*body,
                                [](const Point<dim> &p, unsigned int c)
                                { return c == 0 ? p[0] : 0.; });
  EXPECT_NEAR(
      x * action(body->mass, *body, x), soft_stone().density / 3., 1e-13);
}
} // namespace

TEST(Elements, PatchTestT3)
{
  patch_test<2>(true, Assumption::plane_strain);
  patch_test<2>(true, Assumption::plane_stress);
}

TEST(Elements, PatchTestQ4)
{
  patch_test<2>(false, Assumption::plane_strain);
  patch_test<2>(false, Assumption::plane_stress);
}

TEST(Elements, PatchTestTet4)
{
  patch_test<3>(true, Assumption::three_dimensional);
}

TEST(Elements, PatchTestH8)
{
  patch_test<3>(false, Assumption::three_dimensional);
}

TEST(Elements, KernelOfTheStiffnessIsTheRigidMotions)
{
  rigid_motions<2>(true);
  rigid_motions<2>(false);
  rigid_motions<3>(true);
  rigid_motions<3>(false);
}

TEST(Elements, Masses)
{
  masses<2>(true);
  masses<2>(false);
  masses<3>(true);
  masses<3>(false);
}

TEST(Elements, SecondMomentOfConsistentMass)
{
  second_moment<2>(true, 0.5);
  second_moment<2>(false, 0.5);
  second_moment<3>(true, 0.5);
  second_moment<3>(false, 0.); // two Gauss points: exact for boxes only
}

TEST(Elements, QuadrilateralsMayStartAtAnyCorner)
{
  // The same mesh with each cell's list of vertices turned by its own number
  // of quarter turns has the same matrices.
  MeshData<2> mesh           = make_grid(sheared_grid<2>(false));
  const auto body            = make_body(mesh);
  const unsigned int turn[4] = { 1, 3, 0, 2 }; // lexicographic order
  for (unsigned int c = 0; c < mesh.cells.size(); ++c)
    for (unsigned int k = 0; k < c % 4; ++k)
    {
      const auto old = mesh.cells[c].vertices;
      for (unsigned int v = 0; v < 4; ++v)
        mesh.cells[c].vertices[v] = old[turn[v]];
    }
  const auto turned = make_body(mesh);
  const Vector x    = random_vector(*body, 3);
  Vector y          = action(body->stiffness, *body, x);
  const double norm = y.linfty_norm();
  y -= action(turned->stiffness, *turned, x);
  EXPECT_LT(y.linfty_norm(), 1e-13 * norm);
  EXPECT_EQ(turned->boundary.size(), body->boundary.size());
  EXPECT_EQ(turned->surface("top", "test").size(), 3u);
}

TEST(Elements, AxisymmetricEnergiesAndMass)
{
  // A ring of rectangular section [1, 3] x [0, 2] turned about the y axis.
  for (const bool simplices : { false, true })
  {
    Grid<2> grid = sheared_grid<2>(simplices);
    grid.map     = [](const Point<2> &p)
    { return Point<2>(1. + 2. * p[0], 2. * p[1]); };
    const auto material = soft_stone();
    const auto body =
        make_body(make_grid(grid), material, {}, Assumption::axisymmetric);
    const double pi     = dealii::numbers::PI;
    const double volume = pi * (9. - 1.) * 2.;
    EXPECT_NEAR(body->pieces[0].volume, volume, 1e-12 * volume);

    const auto field = [&](const Tensor<2, 2> &A)
    { return linear_field<2>(*body, A); };
    Tensor<2, 2> radial, axial;
    radial[0][0]               = 1.; // u_r = r: equal radial and hoop strain
    axial[1][1]                = 1.;
    const double E             = material.young_modulus;
    const double nu            = material.poisson_ratio;
    const double mu            = E / 2. / (1. + nu);
    const double lambda        = nu * E / (1. + nu) / (1. - 2. * nu);
    const double radial_energy = volume * (4. * lambda + 4. * mu);
    EXPECT_NEAR(field(radial) * action(body->stiffness, *body, field(radial)),
                radial_energy,
                1e-12 * radial_energy);
    EXPECT_NEAR(field(axial) * action(body->stiffness, *body, field(radial)),
                volume * 2. * lambda,
                1e-12 * radial_energy);
    const Vector up = nodal_vector(
        *body, [](const Point<2> &, unsigned int c) { return double(c == 1); });
    EXPECT_LT(action(body->stiffness, *body, up).linfty_norm(),
              1e-13 * body->stiffness.linfty_norm());
    EXPECT_NEAR(up * action(body->mass, *body, up),
                material.density * volume,
                1e-12 * volume);
    // Moment of inertia about the axis, rho times integral of r^2: two Gauss
    // points are not quite exact for r^3 in a distorted quadrilateral.
    EXPECT_NEAR(field(radial) * action(body->mass, *body, field(radial)),
                material.density * 2. * pi * 2. * (81. - 1.) / 4.,
                (simplices ? 1e-11 : 1e-4) * volume);
  }
}

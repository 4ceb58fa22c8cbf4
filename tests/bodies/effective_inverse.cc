#include "bodies/moving.h"

#include <delassus/mesh/block_generators.h>

#include <gtest/gtest.h>

#include <cmath>

using namespace delassus;
using namespace small;

namespace
{
/// w (M + ...) = 1 on free dofs, zero on driven ones, for all pieces.
template <int dim>
void inverse(const MeshData<dim> &mesh, const MassType mass, const bool held)
{
  MaterialParameters material = soft_stone();
  material.rayleigh_mass      = 0.7;
  material.rayleigh_stiffness = 0.02;
  BodyParameters parameters;
  parameters.mass = mass;
  std::vector<BoundaryConditionParameters> conditions;
  if (held)
    conditions.push_back(
        condition(BoundaryConditionType::fixed, "bottom", "", { dim - 1 }));
  Moving<dim> moving(mesh, 0.6, material, parameters, conditions);
  auto &w          = moving.scheme->w;
  const auto &body = *moving.body;
  moving.scheme->set_step(0.03);
  Vector x = random_vector(body, 9);
  for (const unsigned int dof : moving.driven.owned())
    x[dof] = 0.;
  x.compress(dealii::VectorOperation::insert);
  Vector y = body.make_vector();
  w.effective_vmult(y, x);

  // The effective matrix itself, from its definition.
  Vector expected = body.make_vector(), Kx = body.make_vector();
  body.mass.vmult(expected, x);
  body.stiffness.vmult(Kx, x);
  const double h_theta = 0.03 * 0.6;
  expected *= 1. + h_theta * 0.7;
  expected.add(h_theta * 0.02 + h_theta * h_theta, Kx);
  expected -= y;
  EXPECT_LT(expected.linfty_norm(), 1e-14 * y.linfty_norm());

  w.apply(y);
  y -= x;
  EXPECT_LT(y.linfty_norm(), 1e-12);

  // Compliance: columns of w at some nodes of each class.
  for (unsigned int c = 0; c < moving.classes.n_classes(); ++c)
  {
    const auto &piece = body.pieces[moving.classes.representative[c]];
    std::vector<unsigned int> nodes;
    for (unsigned int n = 0; n < piece.n_nodes; n += 2)
      nodes.insert(nodes.begin(), n);
    ASSERT_TRUE(w.has_class(c));
    const auto C         = w.compliance(c, nodes);
    const unsigned int m = dim * nodes.size();
    ASSERT_EQ(C.size(), std::size_t(m) * m);
    const auto dof = [&](const unsigned int i)
    { return dim * (piece.first_node + nodes[i / dim]) + i % dim; };
    double largest = 0.;
    for (const double value : C)
      largest = std::max(largest, std::abs(value));
    double diagonal = 0.;
    for (unsigned int j = 0; j < m; ++j)
    {
      Vector unit  = body.make_vector();
      unit[dof(j)] = 1.;
      unit.compress(dealii::VectorOperation::insert);
      Vector A = body.make_vector();
      w.effective_vmult(A, unit);
      diagonal += moving.driven.is_driven(dof(j)) ? 1. : A[dof(j)];
      w.apply(unit);
      for (unsigned int i = 0; i < m; ++i)
      {
        EXPECT_NEAR(C[i * m + j], unit[dof(i)], 1e-12 * largest);
        EXPECT_EQ(C[i * m + j], C[j * m + i]);
        if (moving.driven.is_driven(dof(i)))
        {
          EXPECT_EQ(C[i * m + j], 0.);
        }
      }
    }
    EXPECT_NEAR(w.effective_diagonal(c, nodes), diagonal / m, 1e-12 * diagonal);
    // Positive definite on the free dofs: Cholesky by hand.
    std::vector<unsigned int> free;
    for (unsigned int i = 0; i < m; ++i)
      if (!moving.driven.is_driven(dof(i)))
        free.push_back(i);
    std::vector<std::vector<double>> L(free.size());
    for (unsigned int i = 0; i < free.size(); ++i)
    {
      L[i].resize(i + 1);
      for (unsigned int j = 0; j <= i; ++j)
      {
        double s = C[free[i] * m + free[j]];
        for (unsigned int k = 0; k < j; ++k)
          s -= L[i][k] * L[j][k];
        if (i == j)
        {
          ASSERT_GT(s, 0.);
        }
        L[i][j] = i == j ? std::sqrt(s) : s / L[j][j];
      }
    }
  }
}

template <int dim>
MeshData<dim> wall(const std::vector<unsigned int> &divisions)
{
  MeshParameters mesh;
  mesh.type      = MeshType::running_bond_wall;
  mesh.size      = dim == 2 ? std::vector<double>{ 0.4, 0.2 }
                            : std::vector<double>{ 0.4, 0.3, 0.2 };
  mesh.pattern   = CellPattern::tensor;
  mesh.divisions = divisions;
  mesh.length    = 3.;
  mesh.n_courses = 3;
  return make_running_bond_wall<dim>(mesh, "test");
}
} // namespace

TEST(EffectiveInverse, InverseAndComplianceOfWalls)
{
  inverse<2>(wall<2>({ 2, 2 }), MassType::consistent, false);
  inverse<2>(wall<2>({ 2, 2 }), MassType::lumped, true);
  inverse<3>(wall<3>({ 2, 1, 1 }), MassType::nodal, true);
}

TEST(EffectiveInverse, InverseAndComplianceOfOneLargePiece)
{
  // More than 250 unknowns: CHOLMOD.
  inverse<2>(make_grid(sheared_grid<2>(true, 12)), MassType::consistent, true);
  inverse<3>(make_grid(sheared_grid<3>(false, 4)), MassType::lumped, true);
}

TEST(EffectiveInverse, NamesItsFactors)
{
  Moving<2> small(wall<2>({ 2, 2 }), 1.);
  small.scheme->set_step(0.1);
  EXPECT_EQ(small.scheme->w.description(), "2 x dense inverse");
  Moving<2> large(make_grid(sheared_grid<2>(true, 12)), 1.);
  large.scheme->set_step(0.1);
  EXPECT_EQ(large.scheme->w.description(), "1 x CHOLMOD");
  EXPECT_GT(large.scheme->w.memory_consumption(), 0u);
}

TEST(EffectiveInverse, FollowsTheStepSize)
{
  // Twice the same kick with a smaller step in between.
  Moving<2> moving(make_grid(sheared_grid<2>(true)), 1.);
  const Vector x = random_vector(*moving.body, 2);
  for (const double h : { 0.1, 0.001, 0.1 })
  {
    moving.scheme->set_step(h);
    Vector y = moving.body->make_vector();
    moving.scheme->w.effective_vmult(y, x);
    moving.scheme->w.apply(y);
    y -= x;
    EXPECT_LT(y.linfty_norm(), 1e-12);
  }
}

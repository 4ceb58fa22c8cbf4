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
    double diagonal     = 0.;
    unsigned int n_free = 0; // what is driven has no diagonal that counts
    for (unsigned int j = 0; j < m; ++j)
    {
      Vector unit  = body.make_vector();
      unit[dof(j)] = 1.;
      unit.compress(dealii::VectorOperation::insert);
      Vector A = body.make_vector();
      w.effective_vmult(A, unit);
      if (!moving.driven.is_driven(dof(j)))
      {
        diagonal += A[dof(j)];
        ++n_free;
      }
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
    EXPECT_NEAR(
        w.effective_diagonal(c, nodes), diagonal / n_free, 1e-12 * diagonal);
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

namespace
{
template <int dim>
void same_with_all_solvers(const MeshData<dim> &mesh)
{
  const auto held =
      condition(BoundaryConditionType::fixed, "bottom", "", { dim - 1 });
  Moving<dim> moving(mesh, 1., soft_stone(), {}, { held });
  const Vector b = random_vector(*moving.body, 5);
  std::vector<unsigned int> nodes;
  for (unsigned int n = 1; n < moving.body->n_nodes(); n += 7)
    nodes.push_back(n);
  const auto solve = [&](const LinearSolverType type,
                         Vector &x,
                         std::vector<double> &C,
                         std::string &name)
  {
    LinearSolverParameters solver;
    solver.type      = type;
    solver.tolerance = 1e-12;
    EffectiveInverse<dim> w(
        *moving.body, moving.driven, moving.classes, solver);
    w.reinit(0.05, 0.8);
    x = b;
    w.apply(x);
    C    = w.compliance(0, nodes);
    name = w.description();
    EXPECT_TRUE(w.notes.empty());
  };
  Vector exact = moving.body->make_vector(), x = moving.body->make_vector();
  std::vector<double> C_exact, C;
  std::string name;
  solve(LinearSolverType::dense, exact, C_exact, name);
  EXPECT_EQ(name, "1 x dense inverse");
  double largest = 0.;
  for (const double value : C_exact)
    largest = std::max(largest, std::abs(value));
  const std::vector<std::pair<LinearSolverType, std::string>> others = {
    { LinearSolverType::automatic, "1 x CHOLMOD" },
    { LinearSolverType::cholmod, "1 x CHOLMOD" },
    { LinearSolverType::mumps, "1 x MUMPS" },
    { LinearSolverType::amg, "1 x AMG-CG" }
  };
  for (const auto &other : others)
  {
    solve(other.first, x, C, name);
    EXPECT_EQ(name, other.second);
    x -= exact;
    EXPECT_LT(x.linfty_norm(), 1e-10 * exact.linfty_norm()) << name;
    for (unsigned int i = 0; i < C.size(); ++i)
      ASSERT_NEAR(C[i], C_exact[i], 1e-10 * largest) << name;
  }
}
} // namespace

TEST(EffectiveInverse, SameWithAllSolvers)
{
  same_with_all_solvers<2>(make_grid(sheared_grid<2>(true, 14)));
  same_with_all_solvers<3>(make_grid(sheared_grid<3>(false, 6)));
}

TEST(EffectiveInverse, MultigridNeedsFewIterations)
{
  // Rigid-body motions in the coarse grids: a slender cantilever, nearly
  // static, converges fast. With constants only it takes far more.
  Grid<3> grid = sheared_grid<3>(false, 6, 0.);
  grid.n       = { { 40, 4, 4 } };
  grid.map     = [](const dealii::Point<3> &p)
  { return dealii::Point<3>(10. * p[0], p[1], p[2]); };
  const auto held = condition(BoundaryConditionType::fixed, "left");
  Moving<3> moving(make_grid(grid), 1., soft_stone(), {}, { held });
  LinearSolverParameters solver;
  solver.type      = LinearSolverType::amg;
  solver.tolerance = 1e-10;
  EffectiveInverse<3> w(*moving.body, moving.driven, moving.classes, solver);
  w.reinit(1000., 1.);
  Vector x       = random_vector(*moving.body, 5);
  const Vector b = x;
  w.apply(x);
  LinearSolverParameters exact;
  exact.type = LinearSolverType::cholmod;
  EffectiveInverse<3> w_exact(
      *moving.body, moving.driven, moving.classes, exact);
  w_exact.reinit(1000., 1.);
  Vector y = b;
  w_exact.apply(y);
  y -= x;
  EXPECT_LT(y.linfty_norm(), 1e-6 * x.linfty_norm());
}

TEST(EffectiveInverse, MultigridWhereAFactorDoesNotFit)
{
  Moving<2> moving(make_grid(sheared_grid<2>(true, 30)), 1.);
  LinearSolverParameters solver;
  solver.memory_limit = 1e-3; // GiB
  EffectiveInverse<2> w(*moving.body, moving.driven, moving.classes, solver);
  w.reinit(0.1, 1.);
  EXPECT_EQ(w.description(), "1 x AMG-CG");
  ASSERT_EQ(w.notes.size(), 1u);
  EXPECT_NE(w.notes[0].find("multigrid"), std::string::npos) << w.notes[0];
  EXPECT_NE(w.notes[0].find("'body'"), std::string::npos) << w.notes[0];
  const Vector x = random_vector(*moving.body, 2);
  Vector y       = moving.body->make_vector();
  w.effective_vmult(y, x);
  w.apply(y);
  y -= x;
  EXPECT_LT(y.linfty_norm(), 1e-8);

  // A solver asked for by name is not replaced.
  solver.type = LinearSolverType::cholmod;
  EffectiveInverse<2> named(
      *moving.body, moving.driven, moving.classes, solver);
  double needed = 0.;
  try
  {
    named.reinit(0.1, 1.);
    ADD_FAILURE();
  }
  catch (const MemoryLimitError &e)
  {
    needed = e.needed;
  }

  // Bodies share one budget.
  solver.type         = LinearSolverType::automatic;
  solver.memory_limit = 1.5 * needed / (1 << 30);
  const auto budget   = std::make_shared<MemoryBudget>(solver, MPI_COMM_WORLD);
  EffectiveInverse<2> first(
      *moving.body, moving.driven, moving.classes, solver, budget);
  {
    EffectiveInverse<2> second(
        *moving.body, moving.driven, moving.classes, solver, budget);
    first.reinit(0.1, 1.);
    second.reinit(0.1, 1.);
    EXPECT_EQ(first.description(), "1 x CHOLMOD");
    EXPECT_EQ(second.description(), "1 x AMG-CG");
    // Factoring again frees the old factor first.
    first.reinit(0.2, 1.);
  }
  EXPECT_EQ(first.description(), "1 x CHOLMOD");
  EffectiveInverse<2> third(
      *moving.body, moving.driven, moving.classes, solver, budget);
}

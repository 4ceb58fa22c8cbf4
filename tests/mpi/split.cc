#include "bodies/make_bodies.h"

#include <delassus/mesh/make_mesh.h>
#include <delassus/mesh/refine_mesh.h>

#include <deal.II/lac/precondition.h>
#include <deal.II/lac/solver_cg.h>

#include <gtest/gtest.h>

#include <set>

using namespace delassus;
using namespace small;
using dealii::Point;
using dealii::Tensor;
namespace ranks = dealii::Utilities::MPI;

namespace
{
/// Node numbers that do not depend on the ranks.
template <int dim>
unsigned int id_of(const SolidBody<dim> &body, const unsigned int node)
{
  return body.node_id.empty() ? node : body.node_id[node];
}

/// Random values that are the same for the same node on any number of ranks.
template <int dim>
Vector random_by_id(const SolidBody<dim> &body, const unsigned int seed)
{
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1., 1.);
  std::vector<double> all(body.n_dofs());
  for (double &value : all)
    value = uniform(random);
  Vector result = body.make_vector();
  for (const auto i : body.owned_dofs)
    result[i] = all[dim * id_of(body, i / dim) + i % dim];
  result.compress(dealii::VectorOperation::insert);
  body.distribute(result);
  return result;
}

/// The values of all ranks, by identity.
template <int dim>
std::vector<double> all_values(const SolidBody<dim> &body, const Vector &x)
{
  std::vector<double> all(body.n_dofs(), 0.);
  for (const auto i : body.owned_dofs)
    all[dim * id_of(body, i / dim) + i % dim] = x[i];
  ranks::sum(all, body.communicator, all);
  return all;
}

template <int dim>
void expect_same(const SolidBody<dim> &body,
                 const Vector &x,
                 const SolidBody<dim> &single,
                 const Vector &y)
{
  const auto a = all_values(body, x), b = all_values(single, y);
  ASSERT_EQ(a.size(), b.size());
  double largest = 0.;
  for (const double value : b)
    largest = std::max(largest, std::abs(value));
  for (std::size_t i = 0; i < a.size(); ++i)
    ASSERT_NEAR(a[i], b[i], 1e-12 * largest) << i;
}

/// Matrices, loads and a solution of a body on all ranks against the same on
/// one.
template <int dim>
void compare(const SolidBody<dim> &body, const SolidBody<dim> &single)
{
  ASSERT_EQ(body.n_nodes(), single.n_nodes());
  EXPECT_EQ(ranks::sum(unsigned(body.owned_cells.size()), MPI_COMM_WORLD),
            single.n_all_cells);
  EXPECT_EQ(ranks::sum(body.owned_dofs.n_elements(), MPI_COMM_WORLD),
            single.n_dofs());
  for (unsigned int n = 0; n < body.n_nodes(); ++n)
  {
    EXPECT_EQ(body.nodes[n], single.nodes[id_of(body, n)]);
    EXPECT_EQ(body.node_piece[n], single.node_piece[id_of(body, n)]);
    EXPECT_EQ(body.owns_node(n),
              body.owner_of(n) == ranks::this_mpi_process(MPI_COMM_WORLD));
    EXPECT_EQ(body.is_hanging(n), single.is_hanging(id_of(body, n)));
    if (body.is_hanging(n))
    {
      const auto masters = body.resolve(n), others = single.resolve(n);
      ASSERT_EQ(masters.size(), others.size());
      for (unsigned int m = 0; m < masters.size(); ++m)
      {
        EXPECT_EQ(masters[m].node, others[m].node);
        EXPECT_NEAR(masters[m].weight, others[m].weight, 1e-15);
      }
    }
  }
  for (unsigned int p = 0; p < body.pieces.size(); ++p)
  {
    EXPECT_NEAR(body.pieces[p].volume,
                single.pieces[p].volume,
                1e-13 * single.pieces[p].volume);
    EXPECT_NEAR(
        body.pieces[p].centroid.distance(single.pieces[p].centroid), 0., 1e-13);
  }
  ASSERT_EQ(body.boundary.size(), single.boundary.size());
  for (unsigned int f = 0; f < body.boundary.size(); ++f)
    for (unsigned int k = 0; k < body.boundary[f].n_nodes; ++k)
      EXPECT_EQ(id_of(body, body.boundary[f].nodes[k]),
                single.boundary[f].nodes[k]);
  ASSERT_EQ(body.surface_names(), single.surface_names());
  for (const auto &name : body.surface_names())
    EXPECT_EQ(body.surface(name, "test"), single.surface(name, "test"));
  EXPECT_EQ(body.smallest_edge, single.smallest_edge);

  const Vector x = random_by_id(body, 1), x1 = random_by_id(single, 1);
  expect_same(body, x, single, x1);
  Vector y = body.make_vector(), y1 = single.make_vector();
  body.stiffness.vmult(y, x);
  single.stiffness.vmult(y1, x1);
  expect_same(body, y, single, y1);
  body.mass.vmult(y, x);
  single.mass.vmult(y1, x1);
  expect_same(body, y, single, y1);

  BoundaryConditionParameters pressure;
  pressure.type  = BoundaryConditionType::pressure;
  pressure.value = "2*t + x";
  Loads<dim> loads(body,
                   std::vector<double>(dim, -1.),
                   { &pressure },
                   { body.surface("*", "test") }),
      alone(single,
            std::vector<double>(dim, -1.),
            { &pressure },
            { single.surface("*", "test") });
  expect_same(body, loads.force(0.3), single, alone.force(0.3));

  // (M + K) u = f; hanging nodes follow.
  const auto solve = [](const SolidBody<dim> &b, const Vector &f)
  {
    Matrix A;
    A.copy_from(b.stiffness);
    if (b.diagonal_mass)
      for (const auto i : b.owned_dofs)
      {
        if (!b.is_hanging(i / dim))
          A.add(i, i, b.mass.diag_element(i));
      }
    else
      A.add(1., b.mass);
    A.compress(dealii::VectorOperation::add);
    Vector u = b.make_vector();
    dealii::SolverControl control(5000, 1e-13 * f.l2_norm());
    dealii::SolverCG<Vector> cg(control);
    cg.solve(A, u, f, dealii::PreconditionIdentity());
    b.distribute(u);
    return u;
  };
  const auto a   = all_values(body, solve(body, loads.force(0.3))),
             b   = all_values(single, solve(single, alone.force(0.3)));
  double largest = 0.;
  for (const double value : b)
    largest = std::max(largest, std::abs(value));
  for (std::size_t i = 0; i < a.size(); ++i)
    ASSERT_NEAR(a[i], b[i], 1e-8 * largest);

  // What the cells of a rank see of a vector.
  const NodalValues<dim> seen(body, x);
  const auto all = all_values(body, x);
  for (const unsigned int c : body.owned_cells)
    for (unsigned int k = 0; k < body.element.n_nodes(); ++k)
    {
      const unsigned int n = body.nodes_of_cell(c)[k];
      for (unsigned int d = 0; d < dim; ++d)
        EXPECT_EQ(seen(dim * n + d), all[dim * id_of(body, n) + d]);
    }
}

template <int dim>
void split_grid(const bool simplices, const unsigned int degree)
{
  MeshData<dim> mesh = make_grid(sheared_grid<dim>(simplices, 4));
  append_grid(mesh, sheared_grid<dim>(simplices, 1));
  if (degree == 2)
    add_mid_nodes(mesh);
  BodyParameters parameters;
  parameters.name            = "body";
  parameters.degree          = degree;
  parameters.body_force      = dim == 2 ? "sin(5*t); x" : "sin(5*t); x; 0";
  const unsigned int n_ranks = ranks::n_mpi_processes(MPI_COMM_WORLD);
  const Partition partition =
      make_partition(mesh, 0., mesh.cells.size(), n_ranks);
  EXPECT_EQ(partition.is_split(), n_ranks > 1);
  const auto assumption = default_assumption<dim>();
  const SolidBody<dim> body(
      parameters, soft_stone(), assumption, mesh, partition, MPI_COMM_WORLD);
  const SolidBody<dim> single(parameters,
                              soft_stone(),
                              assumption,
                              mesh,
                              Partition({ 0, 0 }),
                              MPI_COMM_SELF);
  EXPECT_EQ(body.split, n_ranks > 1);
  EXPECT_FALSE(single.split);
  // Everybody has a fair share.
  EXPECT_NEAR(body.owned_cells.size(), double(mesh.cells.size()) / n_ranks, 1.);
  compare(body, single);
}

template <int dim>
BodyParameters refined_body(const MeshType type,
                            const unsigned int degree,
                            const MassType mass)
{
  BodyParameters body;
  body.name                = "body";
  body.degree              = degree;
  body.mass                = mass;
  body.body_force          = dim == 2 ? "sin(5*t); x" : "sin(5*t); x; 0";
  body.mesh.type           = type;
  body.mesh.pattern        = CellPattern::tensor;
  body.mesh.radius         = 1.;
  body.mesh.ball_divisions = 1;
  body.mesh.size           = dim == 2 ? std::vector<double>{ 2., 1. }
                                      : std::vector<double>{ 2., 1., 1. };
  body.mesh.divisions.assign(dim, 2);
  body.mesh.global_refinement = dim == 2 ? 1 : 0;
  // Round the lowest point of the ball, a corner region of the box.
  body.mesh.refinement = {
    { dim == 2 ? "0.3 - x^2 - (y+1)^2" : "0.3 - x^2 - y^2 - (z+1)^2", 2 }
  };
  if (type == MeshType::box)
    body.mesh.refinement = {
      { dim == 2 ? "0.3 - x^2 - y^2" : "0.3 - x^2 - y^2 - z^2", 2 },
      { "x - 1.9", 1 }
    };
  return body;
}

/// A linear field is exact with hanging nodes: no force on free nodes inside,
/// the energy of the uniform strain.
template <int dim>
void patch_test(const SolidBody<dim> &body, const double volume)
{
  Tensor<2, dim> A;
  for (unsigned int i = 0; i < dim; ++i)
    for (unsigned int j = 0; j < dim; ++j)
      A[i][j] = 1. + i - 0.7 * j + 0.1 * i * j;
  Vector u = nodal_vector(body,
                          [&](const Point<dim> &x, const unsigned int c)
                          { return A[c] * Tensor<1, dim>(x); });
  // It satisfies the constraints, and they give back what they determine.
  Vector restored = u;
  for (const auto i : body.owned_dofs)
    if (body.is_hanging(i / dim))
      restored[i] = 77.;
  restored.compress(dealii::VectorOperation::insert);
  body.distribute(restored);
  restored -= u;
  EXPECT_LT(restored.linfty_norm(), 1e-13);

  Vector f = body.make_vector();
  body.stiffness.vmult(f, u);
  std::set<unsigned int> outside;
  for (const auto &face : body.boundary)
    for (unsigned int k = 0; k < face.n_nodes; ++k)
      for (const auto &master : body.resolve(face.nodes[k]))
        outside.insert(master.node);
  const double scale = f.linfty_norm();
  for (const auto i : body.owned_dofs)
    if (outside.count(i / dim) == 0 || body.is_hanging(i / dim))
    {
      EXPECT_NEAR(f[i], 0., 1e-12 * scale);
    }
  const Voigt strain = strain_of_gradient<dim>(A, 0.);
  const Voigt stress = body.elasticity().stress(strain);
  double density     = 0.;
  for (unsigned int k = 0; k < 6; ++k)
    density += strain[k] * stress[k];
  EXPECT_NEAR(u * f, density * volume, 1e-12 * density * volume);

  // Mass: all of it, none on hanging nodes.
  const double mass = body.elasticity().density() * volume;
  Vector one        = nodal_vector(body,
                            [&](const Point<dim> &, const unsigned int c)
                            { return c == 0 ? 1. : 0.; });
  body.mass.vmult(f, one);
  EXPECT_NEAR(f * one, mass, 1e-12 * mass);
  for (const auto i : body.owned_dofs)
    if (body.is_hanging(i / dim))
    {
      EXPECT_EQ(f[i], 0.);
    }
    else if (body.diagonal_mass && i % dim == 0)
    {
      EXPECT_GT(f[i], 0.);
    }
}

template <int dim>
void refined(const MeshType type,
             const unsigned int degree,
             const MassType mass = MassType::consistent)
{
  const auto parameters = refined_body<dim>(type, degree, mass);
  const auto mesh       = make_mesh<dim>(parameters);
  const auto assumption = default_assumption<dim>();
  const SolidBody<dim> body(parameters,
                            soft_stone(),
                            assumption,
                            mesh,
                            Partition({ 0 }),
                            MPI_COMM_WORLD);
  const SolidBody<dim> single(parameters,
                              soft_stone(),
                              assumption,
                              mesh,
                              Partition({ 0 }),
                              MPI_COMM_SELF);
  EXPECT_TRUE(single.has_hanging_nodes());
  EXPECT_FALSE(single.split);
  EXPECT_EQ(body.split, ranks::n_mpi_processes(MPI_COMM_WORLD) > 1);
  if (type == MeshType::box)
  {
    EXPECT_NEAR(single.pieces[0].volume, 2., 1e-13);
  }
  patch_test(body, single.pieces[0].volume);
  compare(body, single);

  // Two cells that share a face differ by one level at most, and the region is
  // as fine as asked for: edges halved by the levels.
  EXPECT_GT(single.n_all_cells, 20u);

  // Driven faces: their hanging nodes follow, and are not driven.
  DrivenDofs<dim> driven(body);
  BoundaryConditionParameters condition;
  condition.name = "fixed";
  driven.add(condition, body.surface("*", "test"));
  for (unsigned int n = 0; n < body.n_nodes(); ++n)
    EXPECT_FALSE(body.is_hanging(n) && driven.is_driven(dim * n));
  for (const auto &face : body.boundary)
    for (unsigned int k = 0; k < face.n_nodes; ++k)
      for (const auto &master : body.resolve(face.nodes[k]))
        EXPECT_TRUE(driven.is_driven(dim * master.node));
}
} // namespace

TEST(SplitPieces, SharedMeshesIn2D)
{
  for (const bool simplices : { false, true })
    for (const unsigned int degree : { 1, 2 })
      split_grid<2>(simplices, degree);
}

TEST(SplitPieces, SharedMeshesIn3D)
{
  split_grid<3>(false, 2);
  split_grid<3>(true, 1);
}

TEST(SplitPieces, SmallPiecesStayWhole)
{
  MeshData<2> mesh;
  for (unsigned int p = 0; p < 8; ++p)
    append_grid(mesh, sheared_grid<2>(true));
  const auto partition = make_partition(mesh, 0., mesh.cells.size(), 4);
  EXPECT_FALSE(partition.is_split());
  EXPECT_EQ(partition.piece_rank,
            (std::vector<unsigned int>{ 0, 0, 1, 1, 2, 2, 3, 3 }));
}

TEST(RefinedMeshes, BoxIn2D)
{
  refined<2>(MeshType::box, 1);
  refined<2>(MeshType::box, 2);
  refined<2>(MeshType::box, 1, MassType::lumped);
  refined<2>(MeshType::box, 2, MassType::lumped);
  refined<2>(MeshType::box, 1, MassType::nodal);
}

TEST(RefinedMeshes, BoxIn3D)
{
  refined<3>(MeshType::box, 1);
  refined<3>(MeshType::box, 2, MassType::lumped);
}

TEST(RefinedMeshes, CurvedShapes)
{
  refined<2>(MeshType::half_ball, 1);
  refined<2>(MeshType::half_ball, 2);
  refined<3>(MeshType::ball_sector, 1);
  refined<3>(MeshType::ball_sector, 2);
}

TEST(RefinedMeshes, NodesOnTheSphere)
{
  const auto parameters =
      refined_body<3>(MeshType::ball_sector, 2, MassType::consistent);
  const auto mesh = make_mesh<3>(parameters);
  const SolidBody<3> body(parameters,
                          soft_stone(),
                          Assumption::three_dimensional,
                          mesh,
                          Partition({ 0 }),
                          MPI_COMM_WORLD);
  double lowest = 0.;
  for (const unsigned int f : body.surface("sphere", "test"))
    for (unsigned int k = 0; k < body.boundary[f].n_nodes; ++k)
    {
      const unsigned int n = body.boundary[f].nodes[k];
      if (!body.is_hanging(n))
      {
        EXPECT_NEAR(body.nodes[n].norm(), 1., 1e-14);
      }
      lowest = std::min(lowest, body.nodes[n][2]);
    }
  EXPECT_NEAR(lowest, -1., 1e-15);
}

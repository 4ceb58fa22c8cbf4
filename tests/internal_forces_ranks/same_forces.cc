#include "internal_forces/common.h"

#include <delassus/mesh/make_mesh.h>
#include <delassus/time_integration/newton_scheme.h>

using namespace forces;
namespace ranks = dealii::Utilities::MPI;

namespace
{
/// Node numbers that do not depend on the ranks.
template <int dim>
unsigned int id_of(const SolidBody<dim> &body, const unsigned int node)
{
  return body.node_id.empty() ? node : body.node_id[node];
}

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

template <int dim>
Vector deformation_by_id(const SolidBody<dim> &body,
                         const double size,
                         const unsigned int seed)
{
  Vector q = affine(body, stretch<dim>(size));
  q.add(0.05 * body.smallest_edge, random_by_id(body, seed));
  body.distribute(q);
  return q;
}

template <int dim>
void expect_same(const SolidBody<dim> &body,
                 const Vector &x,
                 const SolidBody<dim> &single,
                 const Vector &y,
                 const double tolerance = 1e-12)
{
  const auto all_values = [](const SolidBody<dim> &b, const Vector &v)
  {
    std::vector<double> all(b.n_dofs(), 0.);
    for (const auto i : b.owned_dofs)
      all[dim * id_of(b, i / dim) + i % dim] = v[i];
    ranks::sum(all, b.communicator, all);
    return all;
  };
  const auto a = all_values(body, x), b = all_values(single, y);
  ASSERT_EQ(a.size(), b.size());
  double largest = 0.;
  for (const double value : b)
    largest = std::max(largest, std::abs(value));
  EXPECT_GT(largest, 0.);
  for (std::size_t i = 0; i < a.size(); ++i)
    ASSERT_NEAR(a[i], b[i], tolerance * largest) << i;
}

template <int dim>
void compare(const SolidBody<dim> &body, const SolidBody<dim> &single)
{
  InternalForces<dim> forces(body, body.assumption),
      alone(single, single.assumption);
  const double h = 0.3;
  for (unsigned int step = 0; step < 2; ++step)
  {
    const double size = 0.1 + 0.1 * step;
    ASSERT_TRUE(forces.evaluate(deformation_by_id(body, size, step), h, true))
        << forces.trouble();
    ASSERT_TRUE(alone.evaluate(deformation_by_id(single, size, step), h, true));
    expect_same(body, forces.force, single, alone.force);
    Vector y = body.make_vector(), y1 = single.make_vector();
    forces.tangent.vmult(y, random_by_id(body, 7));
    alone.tangent.vmult(y1, random_by_id(single, 7));
    expect_same(body, y, single, y1);
    const double stored     = ranks::sum(forces.stored, body.communicator);
    const double dissipated = ranks::sum(forces.dissipated, body.communicator);
    EXPECT_NEAR(stored, alone.stored, 1e-12 * stored);
    EXPECT_NEAR(dissipated, alone.dissipated, 1e-12 * dissipated);
    EXPECT_GT(dissipated, 0.);
    // (T6 have no lumped mass.)
    if (!body.has_simplices() || body.element.degree() == 1)
    {
      EXPECT_NEAR(
          forces.frequency_bound() / alone.frequency_bound(), 1., 1e-12);
    }
    forces.accept();
    alone.accept();
  }
  EXPECT_NEAR(forces.largest_strain_increment(deformation_by_id(body, 0.1, 0),
                                              deformation_by_id(body, 0.2, 1)),
              alone.largest_strain_increment(deformation_by_id(single, 0.1, 0),
                                             deformation_by_id(single, 0.2, 1)),
              1e-12);

  // An answer that one rank does not find is one that none has.
  Vector q = deformation_by_id(body, 0.2, 3);
  if (ranks::this_mpi_process(MPI_COMM_WORLD) == 0)
    q[body.owned_dofs.nth_index_in_set(0)] = 100.;
  q.compress(dealii::VectorOperation::insert);
  EXPECT_FALSE(forces.evaluate(q, h, true));
  q = deformation_by_id(body, 0.2, 3);
  ASSERT_TRUE(forces.evaluate(q, h, true));
  ASSERT_TRUE(alone.evaluate(deformation_by_id(single, 0.2, 3), h, true));
  expect_same(body, forces.force, single, alone.force);

  // The tangent, where nodes hang and rows are sent.
  Vector Kd      = body.make_vector();
  const Vector d = random_by_id(body, 11);
  forces.tangent.vmult(Kd, d);
  const double e = 2e-6 * body.smallest_edge;
  q.add(e, d);
  ASSERT_TRUE(forces.evaluate(q, h, false));
  Vector f = forces.force;
  q.add(-2. * e, d);
  ASSERT_TRUE(forces.evaluate(q, h, false));
  f -= forces.force;
  f /= 2. * e;
  EXPECT_LT(difference(f, Kd), 1e-7 * Kd.linfty_norm());
}

/// A thrown body in its Newton loop.
template <int dim>
void compare_motion(const SolidBody<dim> &body, const SolidBody<dim> &single)
{
  const auto move = [](const SolidBody<dim> &b)
  {
    TimeParameters time;
    time.step = 0.01;
    DrivenDofs<dim> driven(b);
    const auto classes = find_piece_classes(b, driven);
    Loads<dim> loads(b, {}, {}, {});
    NewtonScheme<dim> scheme(
        b, driven, classes, loads, time, NewtonParameters(), b.assumption);
    scheme.set_step(time.step);
    double energy = ranks::sum(scheme.kinetic_energy(), b.communicator);
    for (unsigned int i = 0; i < 3; ++i)
    {
      scheme.begin_step(i * time.step, false);
      unsigned int k = 0;
      for (;; ++k)
      {
        EXPECT_TRUE(scheme.evaluate(true));
        const auto norms = scheme.norms();
        const double r   = ranks::sum(norms.residual, b.communicator);
        if (r <= 1e-22 * ranks::sum(norms.internal, b.communicator) || k == 10)
          break;
        scheme.update_inverse(0., true);
        scheme.free_velocity();
        EXPECT_TRUE(scheme.correct());
      }
      EXPECT_LT(k, 10u);
      const auto terms = scheme.accept();
      const double now =
          ranks::sum(terms.kinetic + terms.elastic, b.communicator);
      EXPECT_NEAR(
          now - energy,
          -ranks::sum(terms.numerical + terms.integration + terms.inelastic,
                      b.communicator),
          1e-10 * now);
      energy = now;
    }
    return scheme.q;
  };
  const Vector q = move(body), q1 = move(single);
  expect_same(body, q, single, q1, 1e-10);
}

template <int dim>
void split(const bool simplices,
           const unsigned int degree,
           const Dilatation dilatation)
{
  SCOPED_TRACE(std::to_string(dim) + "D " + std::to_string(simplices) + " " +
               std::to_string(degree));
  const auto mesh = irregular_mesh<dim>(simplices, degree, 3);
  BodyParameters parameters;
  parameters.name       = "body";
  parameters.degree     = degree;
  parameters.dilatation = dilatation;
  parameters.initial_velocity =
      dim == 2 ? "3 - 4*y + 2*x; 1 + 4*x" : "3 - 4*y + 2*x; 1 + 4*x; -z";
  const unsigned int n_ranks = ranks::n_mpi_processes(MPI_COMM_WORLD);
  const auto material        = make_law("j2").parameters;
  const auto assumption      = default_assumption<dim>();
  const SolidBody<dim> body(
      parameters,
      material,
      assumption,
      mesh,
      make_partition(mesh, 0., mesh.cells.size(), n_ranks),
      MPI_COMM_WORLD);
  const SolidBody<dim> single(
      parameters, material, assumption, mesh, Partition({ 0 }), MPI_COMM_SELF);
  EXPECT_EQ(body.split, n_ranks > 1);
  compare(body, single);
  compare_motion(body, single);
}

template <int dim>
void refined(const unsigned int degree)
{
  SCOPED_TRACE(std::to_string(dim) + "D " + std::to_string(degree));
  BodyParameters parameters;
  parameters.name         = "body";
  parameters.degree       = degree;
  parameters.dilatation   = Dilatation::mean;
  parameters.mesh.type    = MeshType::box;
  parameters.mesh.pattern = CellPattern::tensor;
  parameters.mesh.size.assign(dim, 1.);
  parameters.mesh.divisions.assign(dim, 2);
  parameters.mesh.refinement  = { { "0.3 - x^2 - y^2", 1 } };
  parameters.initial_velocity = dim == 2 ? "-2*y; x" : "-2*y; x; z";
  const auto mesh             = make_mesh<dim>(parameters);
  const auto material         = make_law("j2").parameters;
  const auto assumption       = default_assumption<dim>();
  const SolidBody<dim> body(
      parameters, material, assumption, mesh, Partition({ 0 }), MPI_COMM_WORLD);
  const SolidBody<dim> single(
      parameters, material, assumption, mesh, Partition({ 0 }), MPI_COMM_SELF);
  EXPECT_TRUE(single.has_hanging_nodes());
  compare(body, single);
  compare_motion(body, single);
}
} // namespace

TEST(SameForces, SplitBodies)
{
  for (const auto dilatation : { Dilatation::full, Dilatation::mean })
    for (const bool simplices : { true, false })
    {
      split<2>(simplices, 1, dilatation);
      split<3>(simplices, 1, dilatation);
    }
  split<2>(true, 2, Dilatation::full);
  split<3>(false, 2, Dilatation::full);
}

TEST(SameForces, RefinedBodies)
{
  refined<2>(1);
  refined<2>(2);
  refined<3>(1);
}

#include "bodies/make_bodies.h"

#include <delassus/contact/kinematics/contact_surfaces.h>
#include <delassus/mesh/block_generators.h>
#include <delassus/time_integration/theta_scheme.h>

#include <deal.II/base/mpi.h>

#include <gtest/gtest.h>

using namespace delassus;
using namespace small;
using dealii::Point;

namespace
{
/// A wall on this communicator, its pieces shared in order.
template <int dim>
struct Wall
{
  Wall(MPI_Comm communicator, const double theta)
  {
    MeshParameters mesh;
    mesh.type = MeshType::running_bond_wall;
    mesh.size = dim == 2 ? std::vector<double>{ 0.4, 0.2 }
                         : std::vector<double>{ 0.4, 0.3, 0.2 };
    mesh.pattern =
        dim == 2 ? CellPattern::eight_triangles : CellPattern::tensor;
    mesh.length    = 3.;
    mesh.n_courses = 4;
    auto data      = make_running_bond_wall<dim>(mesh, "test");
    const unsigned int ranks =
        dealii::Utilities::MPI::n_mpi_processes(communicator);
    std::vector<unsigned int> rank(data.n_pieces);
    for (unsigned int p = 0; p < data.n_pieces; ++p)
      rank[p] = p * ranks / data.n_pieces;
    MaterialParameters material = soft_stone();
    material.rayleigh_mass      = 0.7;
    material.rayleigh_stiffness = 0.02;
    BodyParameters parameters;
    parameters.initial_velocity = dim == 2 ? "x*y; 1-x" : "x*y; 1-x; z";
    parameters.body_force       = dim == 2 ? "sin(5*t); x" : "sin(5*t); x; 0";
    bodies.push_back(make_body(data,
                               material,
                               parameters,
                               dim == 2 ? Assumption::plane_strain
                                        : Assumption::three_dimensional,
                               communicator,
                               rank));
    const auto &body = *bodies[0];
    driven           = std::make_unique<DrivenDofs<dim>>(body);
    BoundaryConditionParameters base;
    base.name  = "base";
    base.type  = BoundaryConditionType::displacement;
    base.value = dim == 2 ? "0.1*sin(3*t)*x; 0" : "0.1*sin(3*t)*x; 0; 0";
    driven->add(base, body.surface("base", "test"));
    pressure.type  = BoundaryConditionType::pressure;
    pressure.value = "2*t + x";
    classes        = find_piece_classes(body, *driven);
    loads          = std::make_unique<Loads<dim>>(
        body,
        std::vector<double>(dim, -1.),
        std::vector<const BoundaryConditionParameters *>{ &pressure },
        std::vector<std::vector<unsigned int>>{
                     body.surface("crown", "test") });
    TimeParameters time;
    time.theta = theta;
    scheme     = std::make_unique<ThetaScheme<dim>>(
        body, *driven, classes, *loads, time);
    surfaces = std::make_unique<ContactSurfaces<dim>>(skins_of<dim>(bodies),
                                                      communicator);
    surfaces->add_faces(0, body.surface("top", "test"));
    surfaces->add_faces(0, body.surface("left", "test"));
  }

  std::vector<double> gathered(const Vector &x) const
  {
    std::vector<double> values;
    surfaces->gather(
        [&](unsigned int, const std::vector<unsigned int> &carriers, double *to)
        {
          for (const unsigned int carrier : carriers)
            for (unsigned int c = 0; c < dim; ++c)
              *to++ = x[dim * carrier + c];
        },
        values);
    return values;
  }

  std::vector<std::unique_ptr<SolidBody<dim>>> bodies;
  std::unique_ptr<DrivenDofs<dim>> driven;
  BoundaryConditionParameters pressure;
  PieceClasses classes;
  std::unique_ptr<Loads<dim>> loads;
  std::unique_ptr<ThetaScheme<dim>> scheme;
  std::unique_ptr<ContactSurfaces<dim>> surfaces;
};

/// Rows owned here agree with those of the body that one rank has alone.
template <int dim>
void expect_same(const SolidBody<dim> &body,
                 const Vector &x,
                 const Vector &alone)
{
  const double scale = alone.linfty_norm();
  for (const auto i : body.owned_dofs)
    EXPECT_NEAR(x[i], alone[i], 1e-12 * scale) << "dof " << i;
  EXPECT_NEAR(x.l2_norm(), alone.l2_norm(), 1e-12 * alone.l2_norm());
}

template <int dim>
void compare(const double theta)
{
  Wall<dim> shared(MPI_COMM_WORLD, theta), alone(MPI_COMM_SELF, theta);
  const auto &body = *shared.bodies[0], &single = *alone.bodies[0];

  // Geometry is replicated; each dof has one owner.
  ASSERT_EQ(body.n_nodes(), single.n_nodes());
  EXPECT_EQ(
      dealii::Utilities::MPI::sum(body.owned_dofs.n_elements(), MPI_COMM_WORLD),
      single.n_dofs());
  EXPECT_EQ(body.boundary.size(), single.boundary.size());
  EXPECT_EQ(shared.classes.class_of_piece, alone.classes.class_of_piece);
  EXPECT_EQ(shared.driven->n_dofs(), alone.driven->n_dofs());
  EXPECT_EQ(dealii::Utilities::MPI::sum(
                static_cast<unsigned int>(shared.driven->owned().size()),
                MPI_COMM_WORLD),
            alone.driven->n_dofs());
  for (unsigned int p = 0; p < body.pieces.size(); ++p)
  {
    EXPECT_EQ(body.pieces[p].volume, single.pieces[p].volume);
    EXPECT_EQ(body.owns_node(body.pieces[p].first_node),
              body.pieces[p].rank ==
                  dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD));
  }

  // Matrices, loads and w.
  const Vector x = random_vector(body, 1), x1 = random_vector(single, 1);
  Vector y = body.make_vector(), y1 = single.make_vector();
  body.stiffness.vmult(y, x);
  single.stiffness.vmult(y1, x1);
  expect_same(body, y, y1);
  body.mass.vmult(y, x);
  single.mass.vmult(y1, x1);
  expect_same(body, y, y1);
  for (const double t : { 0.3, 0. })
    expect_same(body, shared.loads->force(t), alone.loads->force(t));
  shared.scheme->set_step(0.02);
  alone.scheme->set_step(0.02);
  y  = x;
  y1 = x1;
  shared.scheme->w.apply(y);
  alone.scheme->w.apply(y1);
  expect_same(body, y, y1);

  // Contact nodes: all values on all ranks, in the same order.
  const auto here = shared.gathered(x), there = alone.gathered(x1);
  ASSERT_EQ(here.size(), there.size());
  EXPECT_GT(here.size(), 0u);
  EXPECT_EQ(here, there);

  // Compliances, on the ranks that have the class.
  for (unsigned int c = 0; c < alone.classes.n_classes(); ++c)
    if (shared.scheme->w.has_class(c))
    {
      const auto C  = shared.scheme->w.compliance(c, { 0, 2, 5 });
      const auto C1 = alone.scheme->w.compliance(c, { 0, 2, 5 });
      ASSERT_EQ(C.size(), C1.size());
      for (unsigned int i = 0; i < C.size(); ++i)
        EXPECT_NEAR(C[i], C1[i], 1e-12 * std::abs(C1[0]) + 1e-12);
    }

  // Steps: same states, same terms of the balance.
  for (unsigned int n = 0; n < 5; ++n)
  {
    shared.scheme->begin_step(n * 0.02, false);
    alone.scheme->begin_step(n * 0.02, false);
    expect_same(body, shared.scheme->v_free, alone.scheme->v_free);
    shared.scheme->contact_impulse = random_vector(body, 10 + n);
    alone.scheme->contact_impulse  = random_vector(single, 10 + n);
    EXPECT_TRUE(shared.scheme->correct());
    EXPECT_TRUE(alone.scheme->correct());
    const EnergyTerms e = shared.scheme->accept(), e1 = alone.scheme->accept();
    expect_same(body, shared.scheme->q, alone.scheme->q);
    const auto same = [&](const double part, const double whole)
    {
      EXPECT_NEAR(dealii::Utilities::MPI::sum(part, MPI_COMM_WORLD),
                  whole,
                  1e-11 * (e1.kinetic + e1.elastic));
    };
    same(e.kinetic, e1.kinetic);
    same(e.elastic, e1.elastic);
    same(e.external, e1.external);
    same(e.damping, e1.damping);
    same(e.contact, e1.contact);
    same(e.driven, e1.driven);
    same(e.numerical, e1.numerical);
    same(shared.scheme->kinetic_energy(), e1.kinetic);
    EXPECT_NE(e1.driven, 0.);
  }
}
} // namespace

TEST(BodiesOnRanks, WallIn2D)
{
  compare<2>(0.5);
  compare<2>(1.);
}

TEST(BodiesOnRanks, WallIn3D)
{
  compare<3>(0.75);
}

TEST(BodiesOnRanks, ARankWithoutPieces)
{
  // One piece: the other ranks have nothing, and nothing goes wrong.
  const auto mesh = make_grid(sheared_grid<2>(true));
  std::vector<std::unique_ptr<SolidBody<2>>> bodies;
  bodies.push_back(make_body(mesh));
  const auto &body = *bodies[0];
  DrivenDofs<2> driven(body);
  const auto classes = find_piece_classes(body, driven);
  Loads<2> loads(body, { 0., -2. }, {}, {});
  ThetaScheme<2> scheme(body, driven, classes, loads, TimeParameters());
  scheme.set_step(0.1);
  scheme.begin_step(0., false);
  EXPECT_TRUE(scheme.correct());
  const double kinetic =
      dealii::Utilities::MPI::sum(scheme.accept().kinetic, MPI_COMM_WORLD);
  EXPECT_NEAR(
      kinetic, 0.5 * soft_stone().density * sheared_volume<2>() * 0.04, 1e-12);
  ContactSurfaces<2> surfaces(skins_of<2>(bodies), MPI_COMM_WORLD);
  surfaces.add_faces(0, body.surface("*", "test"));
  std::vector<double> values;
  surfaces.gather(
      [&](unsigned int, const std::vector<unsigned int> &carriers, double *to)
      { scheme.carrier_values(CarrierField::velocity, carriers, to); },
      values);
  for (unsigned int i = 0; i < values.size(); ++i)
    EXPECT_NEAR(values[i], i % 2 == 0 ? 0. : -0.2, 1e-12);
}

// Contact pressure and traction at the nodes.
#include "bodies/make_bodies.h"
#include "read_vtu.h"
#include "simulation/run_case.h"

#include <delassus/mesh/refine_mesh.h>
#include <delassus/output/contact_traction.h>

#include <gtest/gtest.h>

#include <cmath>

using namespace delassus;
using namespace dealii;

namespace
{
/// Pressure and shear of a uniform load at the nodes of the bottom of a block,
/// by contacts of every kind of candidate point.
template <int dim>
void uniform_load(const bool simplices,
                  const unsigned int degree,
                  const CandidatePoints kind,
                  const bool mortar)
{
  small::Grid<dim> grid;
  grid.simplices = simplices;
  grid.n.fill(2);
  grid.n[0]          = 3;
  MeshData<dim> mesh = small::make_grid(grid);
  if (degree == 2)
    add_mid_nodes(mesh);
  BodyParameters parameters;
  parameters.degree    = degree;
  parameters.thickness = 0.2;
  std::vector<std::unique_ptr<SolidBody<dim>>> bodies;
  bodies.push_back(
      small::make_body(std::move(mesh), small::soft_stone(), parameters));
  ContactSurfaces<dim> surfaces(skins_of<dim>(bodies), MPI_COMM_WORLD);
  // The whole boundary, so that corner nodes have faces of other sides.
  surfaces.add_faces(0, bodies[0]->surface("*", "test"));
  const auto faces =
      surfaces.add_faces(0, bodies[0]->surface("bottom", "test"));
  std::vector<MortarFace> mortar_faces;
  const auto range = mortar ? surfaces.add_mortar_points(faces, mortar_faces)
                            : surfaces.add_points(faces, kind, {}, "test");
  const double p = 7., shear = 2., h = 0.1;
  Tensor<1, dim> N;
  N[dim - 1] = 1.;
  std::vector<Contact<dim>> contacts;
  std::vector<double> P;
  for (unsigned int i = range.first; i < range.second; ++i)
  {
    const auto &point = surfaces.points[i];
    Contact<dim> contact;
    contact.point    = i;
    contact.obstacle = 0;
    contact.area     = point.area;
    contact.frame    = make_frame<dim>(N);
    for (unsigned int k = 0; k < point.n_nodes; ++k)
      contact.add_entry(point.nodes[k], point.weights[k]);
    contact.n_candidate_entries = contact.n_entries;
    contacts.push_back(contact);
    P.push_back(p * h * point.area);
    P.push_back(shear * h * point.area);
    if (dim == 3)
      P.push_back(0.);
  }
  const std::vector<PiecePlace<dim>> places = {
    { bodies[0]->pieces[0].centroid, bodies[0]->pieces[0].volume, false }
  };
  const std::vector<ContactStatus> status(contacts.size());
  const std::vector<double> none;
  const ContactFields<dim> fields = { &surfaces, &contacts, &P,
                                      &none,     &none,     &surfaces.reference,
                                      &status,   h,         true };
  const auto values               = contact_tractions(places, fields);
  const Tensor<1, dim> expected   = [&]()
  {
    std::array<double, dim> local{};
    local[0] = p;
    local[1] = shear;
    return contacts[0].to_global(local.data());
  }();
  // Corners of T6 faces are candidates at the rim only, in addition to what the
  // middles carry: there the load is not uniform.
  const bool exact =
      !(dim == 3 && simplices && degree == 2 && kind == CandidatePoints::nodes);
  for (unsigned int n = 0; n < surfaces.nodes.size(); ++n)
  {
    const bool below = std::abs(surfaces.reference[dim * n + dim - 1]) < 1e-12;
    const double *value = &values[(dim + 1) * n];
    if (!below)
      for (unsigned int c = 0; c < dim + 1; ++c)
        EXPECT_EQ(value[c], 0.);
    else if (exact)
    {
      EXPECT_NEAR(value[0], p, 1e-10 * p) << n;
      for (unsigned int c = 0; c < dim; ++c)
        EXPECT_NEAR(value[1 + c], expected[c], 1e-10 * p) << n;
    }
    else
      EXPECT_GT(value[0], 0.9 * p) << n;
  }
}
} // namespace

TEST(ContactPressure, OfAUniformLoadIsUniform)
{
  for (const bool simplices : { true, false })
    for (const unsigned int degree : { 1u, 2u })
    {
      for (const auto kind : { CandidatePoints::nodes,
                               CandidatePoints::midpoints,
                               CandidatePoints::gauss })
      {
        // One point a face cannot tell a face of degree 2 what is uniform.
        if (degree == 2 && kind == CandidatePoints::midpoints)
          continue;
        SCOPED_TRACE(testing::Message() << simplices << degree << int(kind));
        uniform_load<2>(simplices, degree, kind, false);
        uniform_load<3>(simplices, degree, kind, false);
      }
      SCOPED_TRACE(testing::Message() << simplices << degree << " mortar");
      uniform_load<2>(simplices, degree, CandidatePoints::nodes, true);
      uniform_load<3>(simplices, degree, CandidatePoints::gauss, true);
    }
}

namespace
{
/// A block on another of the same width on a plane, pressed; no part of it
/// wants to widen.
const char *pile = R"(
subsection Time
  set Scheme = quasi static
  set End    = 1
  set Step   = 1
end
subsection Material soft
  set Density       = 1
  set Young modulus = 1000
  set Poisson ratio = 0
end
subsection Body upper
  set Material = soft
  subsection Mesh
    set Type      = box
    set Origin    = 0, 1
    set Size      = 1, 1
    set Divisions = 4, 4
  end
end
subsection Body lower
  set Material = soft
  subsection Mesh
    set Type      = box
    set Size      = 1, 1
    set Divisions = 4, 2
  end
end
subsection Boundary condition load
  set Type     = pressure
  set Surfaces = upper/top
  set Value    = 30
end
subsection Boundary condition keep
  set Surfaces   = upper/left, lower/left
  set Components = x
end
subsection Obstacle ground
  set Normal = 0, 1
end
subsection Contact law smooth
  set Type = frictionless
end
subsection Interaction joint
  set Candidates  = upper
  set Antagonists = lower
  set Law         = smooth
  set Points      = nodes
end
subsection Interaction foot
  set Candidates  = lower/bottom
  set Antagonists = ground
  set Law         = smooth
  set Points      = nodes
end
subsection Contact solver
  set Tolerance = 1e-10
  set Maximum sweeps = 100000
end
subsection Output
  set Interval steps = 1
end
)";
} // namespace

TEST(ContactPressure, OnCandidatesAndAntagonists)
{
  const std::vector<std::vector<std::string>> cases = {
    {},
    { "Interaction joint/Points=midpoints" },
    { "Interaction joint/Points=gauss" },
    { "Interaction joint/Formulation=mortar", "Interaction joint/Points=" },
    { "Assumption=axisymmetric" },
    { "Material soft/Model=neo-Hookean" }
  };
  for (const auto &changes : cases)
  {
    SCOPED_TRACE(changes.empty() ? "" : changes[0]);
    const test::TemporaryDirectory directory;
    auto overrides = changes;
    overrides.push_back("Output/Directory=" + directory.path + "/run");
    RunOptions options;
    options.quiet = true;
    Simulation<2>(read_parameters(test::write_case(directory, pile), overrides),
                  options,
                  MPI_COMM_SELF)
        .run();
    const auto fields =
        test::read_vtu(directory.path + "/run/vtu/solution_000001.vtu");
    const auto &pressure = fields.at("contact_pressure");
    const auto &traction = fields.at("contact_traction");
    const auto &body     = fields.at("body");
    // Bodies of 16 and 8 cells of four corners, lowest rows first.
    ASSERT_EQ(pressure.size(), 4u * (16 + 8));
    ASSERT_EQ(traction.size(), 3 * pressure.size());
    unsigned int n_below = 0, n_above = 0;
    const float tolerance = 1e-4f;
    for (unsigned int i = 0; i < pressure.size(); ++i)
    {
      EXPECT_NEAR(traction[3 * i], 0., tolerance);
      EXPECT_NEAR(std::abs(traction[3 * i + 1]), pressure[i], tolerance);
      if (pressure[i] == 0.f)
        continue;
      EXPECT_NEAR(pressure[i], 30.f, 10 * tolerance);
      const bool upwards = traction[3 * i + 1] > 0.;
      n_below += upwards;
      n_above += !upwards;
      if (!upwards)
      {
        EXPECT_EQ(body[i], 1.f);
      }
    }
    // Two corners of each of the cells along a surface.
    EXPECT_EQ(n_below, 8u + 8u);
    EXPECT_EQ(n_above, 8u);
  }
}

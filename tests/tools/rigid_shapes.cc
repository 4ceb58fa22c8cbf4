// Rigid bodies of many shapes as candidates: where their points are, what these
// carry, and short falls onto a plane.
#include "cases.h"

#include <cmath>

using namespace test;

namespace
{
constexpr double pi = 3.14159265358979323846;

/// A box of 0.4 that falls on one of its edges, which is along x; it may sink
/// and turn about y, which tilts the edge. Its centre of mass is not in the
/// middle: of the two ends of the edge one carries (0.55 - 0.3) / 0.4 = 5/8.
const char *on_its_edge = R"(
set Dimension = 3
set Gravity   = 0, 0, -10
subsection Time
  set End   = 0.4
  set Step  = 0.002
  set Theta = 1
end
subsection Rigid body box
  set Type        = box
  set Point       = 0.3, 0.3, 0.25
  set Size        = 0.4, 0.4, 0.4
  set Mass        = 64
  set Center      = 0.55, 0.5, 0.45
  set Inertia     = 2, 2, 2
  set Free        = z, ry
  set Orientation = 45, 0, 0
end
subsection Contact law dry
  # forces along the edge would turn it too
  set Friction = 0
end
subsection Contact solver
  set Tolerance = 1e-10
end
subsection Output
  set Interval = 0
end
)";

const char *on_a_plane = R"(
subsection Obstacle ground
  set Normal = 0, 0, 1
end
subsection Interaction edge
  set Candidates  = box
  set Antagonists = ground
  set Law         = dry
end
)";

const char *on_a_solid = R"(
subsection Material stone
  set Density       = 2000
  set Young modulus = 1e8
  set Poisson ratio = 0.2
end
subsection Body block
  set Material = stone
  subsection Mesh
    set Type      = box
    set Origin    = 0, 0, -0.3
    set Size      = 1, 1, 0.3
    set Divisions = 5, 5, 2
  end
end
subsection Boundary condition held
  set Type     = fixed
  set Surfaces = block/bottom
end
subsection Interaction edge
  set Candidates  = box
  set Antagonists = block/top
  set Law         = dry
end
)";

/// A thing at rest that falls by 5 cm, with its flat side down.
std::string falling(const std::string &shape)
{
  return R"(
set Dimension = 3
set Gravity   = 0, 0, -10
subsection Time
  set End   = 0.3
  set Step  = 0.002
  set Theta = 1
end
subsection Rigid body thing
)" + shape +
         R"(
  set Density = 1000
end
subsection Obstacle ground
  set Normal = 0, 0, 1
end
subsection Contact law dry
  set Friction = 0.3
end
subsection Interaction floor
  set Candidates  = thing
  set Antagonists = ground
  set Law         = dry
end
subsection Contact solver
  set Tolerance = 1e-10
end
subsection Output
  set Interval = 0
end
)";
}

/// Corners (0,0,0), (0.3,0,0), (0,0.3,0), (0,0,0.4).
void write_tetrahedron(const std::string &file)
{
  const char *corners[4] = { "0 0 0", "0.3 0 0", "0 0.3 0", "0 0 0.4" };
  std::ofstream out(file);
  out << "solid tetrahedron\n";
  for (const auto &facet : { std::array<int, 3>{ { 0, 2, 1 } },
                             std::array<int, 3>{ { 0, 1, 3 } },
                             std::array<int, 3>{ { 0, 3, 2 } },
                             std::array<int, 3>{ { 1, 2, 3 } } })
  {
    out << "facet normal 0 0 0\nouter loop\n";
    for (const int corner : facet)
      out << "vertex " << corners[corner] << "\n";
    out << "endloop\nendfacet\n";
  }
  out << "endsolid tetrahedron\n";
}

/// Shape, place, and what is known of it.
struct Falling
{
  std::string shape;
  double mass;
  double height;        ///< of its reference point at the start
  std::string centre_z; ///< its entry Point, for another height
};
} // namespace

// The points of a box on its edge: corners (nodes) touch at both ends of the
// edge, which is then on the ground; points inside the faces, at the distance d
// of the edge, let it sink in by d / sqrt(2). Against an obstacle and against a
// solid, which gives way a little.
TEST(RigidShapes, PointsOfAnEdgeCarryWhatTheyShould)
{
  if (!has_tables()) // each by itself: one is enough
    return;
  const double weight = 640., side = 0.4;
  const double gauss = 0.5 * (1. - 1. / std::sqrt(3.)) * side;
  struct Kind
  {
    std::string name;
    double distance;
    unsigned int n_touching;
  };
  for (const auto &kind : { Kind{ "nodes", 0., 2 }, Kind{ "gauss", gauss, 4 } })
    for (const bool solid : { false, true })
    {
      SCOPED_TRACE(kind.name + (solid ? " on a solid" : " on a plane"));
      const TemporaryDirectory directory;
      const auto file = write_case(
          directory,
          with_lines(on_its_edge + std::string(solid ? on_a_solid : on_a_plane),
                     "subsection Interaction edge",
                     "  set Points = " + kind.name));
      delassus::RunOptions options;
      options.quiet = true;
      delassus::Simulation<3> simulation(
          delassus::read_parameters(
              file, { "Output/Directory=" + directory.path + "/run" }),
          options,
          MPI_COMM_SELF);
      simulation.run();
      const auto history = read_csv(directory.path + "/run/history.csv");
      // The centre of the box was at 0.45; its edge is 0.4 / sqrt(2) below.
      const double fall = 0.45 - (side - kind.distance) / std::sqrt(2.);
      // The solid gives way by about F / (E x side).
      const double give = solid ? 2. * weight / (1e8 * 0.2) : 1e-9;
      EXPECT_NEAR(history.at("box:u_z").back(), -fall, give);
      EXPECT_NEAR(history.at("edge:force_z").back(), weight, 1e-6 * weight);

      const auto &contact  = simulation.contact;
      const auto &surfaces = *simulation.model.surfaces;
      std::vector<double> x;
      contact.places.gather(delassus::CarrierField::displacement, x);
      for (std::size_t i = 0; i < x.size(); ++i)
        x[i] += surfaces.reference[i];
      unsigned int n_touching = 0;
      double moment           = 0.;
      for (std::size_t a = 0; a < contact.contacts.size(); ++a)
      {
        const double force = contact.P[3 * a] / 0.002;
        if (force < 1e-3 * weight)
          continue;
        ++n_touching;
        const auto &point = surfaces.points[contact.contacts[a].point];
        const auto place  = surfaces.position(point, x);
        // On a face beside the edge, whose middle is at y = 0.5.
        EXPECT_NEAR(place[2], 0., give);
        EXPECT_NEAR(
            std::abs(place[1] - 0.5), kind.distance / std::sqrt(2.), 1e-9);
        const double along = kind.name == "nodes" ? 0. : gauss;
        EXPECT_NEAR(std::min(place[0] - 0.3, 0.7 - place[0]), along, 1e-4);
        moment += force * (place[0] - 0.3);
      }
      // At both ends; what is not needed may carry nothing.
      EXPECT_GE(n_touching, 2u);
      EXPECT_LE(n_touching, kind.n_touching);
      // About the end at x = 0.3: the weight acts at x = 0.55.
      EXPECT_NEAR(moment, weight * 0.25, 1e-3 * weight * 0.25);
    }
}

// Torus, cone and a surface from a file: they fall freely, lie flat after 5 cm,
// carry their weight (mass by the formulas), and the energy that they had is
// gone: shocks are inelastic.
TEST(RigidShapes, FallFlatOntoAPlane)
{
  // A file that all ranks see.
  std::string stl;
  std::unique_ptr<TemporaryDirectory> directory;
  if (has_tables())
  {
    directory = std::make_unique<TemporaryDirectory>();
    stl       = directory->path + "/tetrahedron.stl";
    write_tetrahedron(stl);
  }
  stl                 = dealii::Utilities::MPI::broadcast(MPI_COMM_WORLD, stl);
  const double radius = 0.4 * std::tan(pi / 6.);
  const std::vector<Falling> things = {
    { "  set Type = torus\n  set Axis = 0, 0, 1\n  set Radius = 0.3\n"
      "  set Minor radius = 0.1",
      1000. * 2. * pi * pi * 0.3 * 0.01,
      0.15,
      "0.4" },
    { "  set Type = cone\n  set Axis = 0, 0, -1\n  set Half angle = 30\n"
      "  set Length = 0.4",
      1000. * pi * radius * radius * 0.4 / 3.,
      0.45,
      "0.6" },
    { "  set Type = surface\n  set File = " + stl,
      1000. * 0.3 * 0.3 * 0.4 / 6.,
      0.05,
      "0.25" }
  };
  for (const auto &thing : things)
  {
    SCOPED_TRACE(thing.shape);
    const auto text = falling(thing.shape);
    const auto flat = run_everywhere<3>(
        text,
        { "Rigid body thing/Point=0, 0, " + std::to_string(thing.height) });
    // Aslant and with a spin, in space: they tumble.
    const auto aslant =
        run_everywhere<3>(text,
                          { "Rigid body thing/Point=0, 0, " + thing.centre_z,
                            "Rigid body thing/Orientation=20, 30, 10",
                            "Rigid body thing/Initial angular velocity=1, 2, 3",
                            "Contact law dry/Type=velocity signorini coulomb",
                            "Time/Theta=0.5",
                            "Time/End=0.5" });
    if (!has_tables())
      continue;
    const double weight = 10. * thing.mass;
    const auto &h       = flat.history;
    EXPECT_NEAR(h.at("thing:v_z")[20], -10. * 0.002 * 21, 1e-12);
    EXPECT_NEAR(h.at("thing:u_z").back(), -0.05, 1e-10);
    EXPECT_NEAR(h.at("thing:v_z").back(), 0., 1e-9);
    // To the tolerance of the solver.
    EXPECT_NEAR(h.at("floor:force_z").back(), weight, 1e-7 * weight);
    EXPECT_NEAR(flat.energy.at("external_work").back(),
                weight * 0.05,
                1e-7 * weight * 0.05);
    EXPECT_LT(flat.energy.at("kinetic").back(), 1e-9 * weight * 0.05);
    EXPECT_LT(largest(flat.energy.at("relative_residual")), 1e-10);

    const auto &a      = aslant.history;
    const auto &energy = aslant.energy;
    EXPECT_NEAR(a.at("thing:v_z")[20], -10. * 0.002 * 21, 1e-9);
    EXPECT_GT(largest(a.at("floor:force_z")), weight);
    EXPECT_LT(largest(energy.at("relative_residual")), 1e-6);
    // What it had, less what the shocks and friction have taken.
    const double had = energy.at("kinetic")[0] - energy.at("external_work")[0];
    const double left =
        energy.at("kinetic").back() - energy.at("external_work").back();
    const double taken = -energy.at("contact_normal_work").back() -
                         energy.at("contact_tangential_work").back();
    EXPECT_GT(taken, 0.1 * energy.at("external_work").back());
    EXPECT_LT(left, had);
  }
}

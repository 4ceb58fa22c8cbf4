// From the section of a parameter file to a body.
#include "bodies.h"

#include <delassus/base/exceptions.h>
#include <delassus/contact/detection/shapes.h>
#include <delassus/parameters/read_parameters.h>
#include <delassus/rigid_bodies/make_rigid_body.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

using namespace test;

namespace
{
/// Removed at its end.
struct Folder
{
  Folder()
      : path(std::filesystem::temp_directory_path() /
             ("delassus_rigid_bodies_" + std::to_string(getpid())))
  {
    std::filesystem::create_directories(path);
  }
  ~Folder()
  {
    std::filesystem::remove_all(path);
  }
  std::string write(const std::string &name, const std::string &text) const
  {
    std::ofstream(path / name) << text;
    return (path / name).string();
  }
  std::filesystem::path path;
};

const std::string scheme = "set Scheme = quasi static";

/// A run with one deformable body and these sections.
Parameters read(const Folder &folder,
                const unsigned int dim,
                const std::string &sections,
                const std::string &time = "")
{
  const std::string text =
      "set Dimension = " + std::to_string(dim) +
      (dim == 2 ? "\nset Gravity = 0, -9.81" : "\nset Gravity = 0, 0, -9.81") +
      R"(
subsection Time
  set Start = 0.5
  set End  = 1
  set Step = 1e-2
  )" + time +
      R"(
end
subsection Material stone
  set Density       = 500
  set Young modulus = 1e6
  set Poisson ratio = 0.3
end
subsection Body block
  set Material = stone
  subsection Mesh
    set Type      = box
    set Size      = )" +
      (dim == 2 ? "1, 1" : "1, 1, 1") +
      "\n    set Divisions = " + (dim == 2 ? "1, 1" : "1, 1, 1") +
      "\n  end\nend\nsubsection Output\n  set Interval = 0\nend\n" + sections;
  return read_parameters(folder.write("test.prm", text), {}).values;
}

template <int dim>
RigidBodySettings<dim> settings(const Parameters &parameters,
                                const unsigned int body = 0)
{
  const auto &given = parameters.rigid_bodies.at(body);
  const auto shape  = make_shape<dim>(
      given.shape,
      [&](const std::string &entry)
      { return parameters.where("Rigid body " + given.name, entry); });
  return make_rigid_body<dim>(given,
                              parameters,
                              *shape,
                              parameters.time,
                              parameters.time.scheme == TimeScheme::dynamic);
}

template <typename Function>
std::string error_of(const Function &function)
{
  try
  {
    function();
  }
  catch (const InputError &e)
  {
    return e.what();
  }
  return "";
}

void expect_error(const Folder &folder,
                  const unsigned int dim,
                  const std::string &lines,
                  const std::vector<std::string> &parts,
                  const std::string &time = "")
{
  const std::string message = error_of(
      [&]
      {
        const auto parameters = read(
            folder, dim, "subsection Rigid body b\n" + lines + "\nend\n", time);
        if (dim == 2)
          settings<2>(parameters);
        else
          settings<3>(parameters);
      });
  for (const auto &part : parts)
    EXPECT_NE(message.find(part), std::string::npos)
        << "'" << part << "' is missing in '" << message << "' of\n"
        << lines;
  if (parts.empty())
    EXPECT_EQ(message, "") << lines;
  else
    EXPECT_NE(message.find("test.prm:"), std::string::npos) << message;
}

const std::string tetrahedron = R"(solid t
facet normal 0 0 0
outer loop
vertex 0 0 0
vertex 0 2 0
vertex 1 0 0
endloop
endfacet
facet normal 0 0 0
outer loop
vertex 0 0 0
vertex 1 0 0
vertex 0 0 3
endloop
endfacet
facet normal 0 0 0
outer loop
vertex 0 0 0
vertex 0 0 3
vertex 0 2 0
endloop
endfacet
)";
const std::string lid         = R"(facet normal 0 0 0
outer loop
vertex 1 0 0
vertex 0 2 0
vertex 0 0 3
endloop
endfacet
)";
const std::string end_of_file = "endsolid t\n";
} // namespace

TEST(Parameters, ValuesArrive)
{
  const Folder folder;
  const auto parameters = read(folder, 3, R"(set Rigid bodies = roller, ball
subsection Rigid body ball
  set Type = sphere
  set Point = 1, 2, 3
  set Radius = 0.5
  set Density = 7850
  set Initial velocity = 1, 0, -2
  set Initial angular velocity = 0, 3, 0
  set Scheme = midpoint
  set Stiffness = 4
  set Damping = 0, 5, 6
  set Rotational stiffness = 7
  set Rotational damping = 8
  set Force = t; 0; 1
  set Torque = 0; 2*t; 0
  set Orientation = 0, 0, 90
end
subsection Rigid body roller
  set Type = cylinder
  set Axis = 0, 3, 0
  set Radius = 1
  set Free = z, rotation
  set Mass = 10
  set Inertia = 5
  set Center = 0, 0, 0
  set Displacement = 2*t; 0; 0
end
)");
  ASSERT_EQ(parameters.rigid_bodies.size(), 2u);
  const auto ball = settings<3>(parameters, 1);
  const double m  = 7850. * 4. / 3. * pi * 0.125;
  EXPECT_NEAR(ball.mass.mass, m, 1e-12 * m);
  EXPECT_NEAR(ball.mass.inertia[1][1], 0.4 * m * 0.25, 1e-12 * m);
  EXPECT_EQ(ball.reference, Point<3>(1., 2., 3.));
  EXPECT_EQ(ball.velocity, (Tensor<1, 3>({ 1., 0., -2. })));
  EXPECT_EQ(ball.angular_velocity, (Tensor<1, 3>({ 0., 3., 0. })));
  EXPECT_EQ(ball.theta, 0.5);
  EXPECT_EQ(ball.stiffness, (Tensor<1, 3>({ 4., 4., 4. })));
  EXPECT_EQ(ball.damping, (Tensor<1, 3>({ 0., 5., 6. })));
  EXPECT_EQ(ball.rotational_stiffness, 7.);
  EXPECT_EQ(ball.rotational_damping, 8.);
  EXPECT_EQ(ball.force.value(Point<3>(), 2., 0), 2.);
  EXPECT_EQ(ball.torque.value(Point<3>(), 2., 1), 4.);
  EXPECT_EQ(ball.gravity[2], -9.81);
  EXPECT_NEAR(ball.orientation[2], 0.5 * pi, 1e-15);
  EXPECT_EQ(ball.free_axes.size(), 3u);
  EXPECT_EQ(ball.start_time, 0.5);

  const auto roller = settings<3>(parameters, 0);
  EXPECT_EQ(roller.theta, 1.);
  ASSERT_EQ(roller.free_axes.size(), 1u);
  EXPECT_EQ(roller.free_axes[0], (Tensor<1, 3>({ 0., 1., 0. })));
  EXPECT_EQ(roller.free_translations,
            (std::array<bool, 3>{ { false, false, true } }));
  EXPECT_EQ(roller.mass.inertia[1][1], 5.);
  EXPECT_EQ(roller.driven.translation(3., 0), 6.);
  // It starts where the drive has it at the start.
  EXPECT_EQ(RigidBody<3>(roller).position(Where<3>::start)[0], 1.);
}

TEST(Parameters, InThePlane)
{
  const Folder folder;
  const auto parameters = read(folder, 2, R"(subsection Rigid body door
  set Type = box
  set Point = 0, 0
  set Size = 2, 1
  set Density = 3
  set Thickness = 0.1
  set Free = rz
  set Pivot = 0, 0
  set Orientation = 30
end
subsection Rigid body cam
  set Type = sphere
  set Point = 1, 1
  set Radius = 1
  set Free = none
  set Rotation = 90*t
  set Pivot = 1, 0.5
end
)");
  const auto door       = settings<2>(parameters);
  EXPECT_NEAR(door.mass.mass, 0.6, 1e-14);
  EXPECT_NEAR(door.mass.center.distance(Point<2>(1., 0.5)), 0., 1e-14);
  EXPECT_EQ(door.reference, Point<2>());
  RigidBody<2> body(door);
  EXPECT_NEAR(body.inertia(Where<2>::start)[0][0],
              0.6 * ((4. + 1.) / 12. + 1.25),
              1e-14);
  // It falls about its hinge.
  body.begin_step(0.5, 1e-3);
  body.update_inverse();
  ASSERT_TRUE(body.find_free_velocity());
  EXPECT_LT(body.free_velocity()[2], 0.);
  const RigidBody<2> cam(settings<2>(parameters, 1));
  EXPECT_FALSE(cam.is_free());
  EXPECT_NEAR(cam.rotation(Where<2>::start).q[0], 0.25 * pi, 1e-15);
  EXPECT_EQ(cam.position(Where<2>::start), Point<2>(1., 0.5));
}

TEST(Parameters, MassOfShapes)
{
  const Folder folder;
  folder.write("closed.stl", tetrahedron + lid + end_of_file);
  folder.write("open.stl", tetrahedron + end_of_file);
  const std::string closed = "set Type = surface\nset File = closed.stl\n",
                    open   = "set Type = surface\nset File = open.stl\n";
  const auto parameters    = read(folder,
                               3,
                               "subsection Rigid body b\n" + closed +
                                   "set Density = 2\nset Scale = 10\nend\n");
  EXPECT_NEAR(settings<3>(parameters).mass.mass, 2000., 1e-9);
  // By its mass alone.
  expect_error(folder, 3, closed + "set Mass = 1", {});
  expect_error(folder,
               3,
               open + "set Density = 2",
               { "'Rigid body b'",
                 "'Density' = '2'",
                 "open",
                 "Mass, Center and Inertia" });
  expect_error(folder,
               3,
               open + "set Mass = 2\nset Center = 0, 0, 0\n"
                      "set Free = x",
               { "'Center'" });
  expect_error(
      folder, 3, open + "set Mass = 2", { "'Center'", "open", "allowed" });
  expect_error(folder,
               3,
               open + "set Mass = 2\nset Inertia = 1, 2, 2",
               { "'Center'", "open" });
  expect_error(folder,
               3,
               open + "set Mass = 2\nset Center = 0, 0, 0\n"
                      "set Inertia = 1, 2, 2",
               {});
  // Translations need neither.
  expect_error(folder, 3, open + "set Mass = 2\nset Free = x, y, z", {});
  expect_error(folder,
               3,
               "set Normal = 0, 0, 1\nset Density = 2",
               { "'Density'", "no end" });
  expect_error(folder,
               3,
               "set Type = sphere\nset Radius = 1\nset Hollow = true\n"
               "set Density = 2",
               { "'Density'", "hollow" });
  expect_error(folder,
               2,
               "set Type = extruded profile\nset Profile = 0,0; 1,0; 1,1\n"
               "set Density = 2",
               { "'Density'", "open" });
}

TEST(Parameters, MistakesInSpace)
{
  const Folder folder;
  const std::string ball = "set Type = sphere\nset Radius = 1\n";
  expect_error(folder,
               3,
               ball + "set Mass = 1\nset Inertia = 1, 1, 2.1",
               { "'Inertia' = '1, 1, 2.1'", "sum of the others" });
  // A thin plate is at the limit.
  expect_error(folder, 3, ball + "set Mass = 1\nset Inertia = 1, 1, 2", {});
  expect_error(folder,
               3,
               ball + "set Mass = 1\nset Inertia = 1, -1, 2",
               { "'Inertia'", "greater than 0" });
  // Positive on the diagonal, but not definite.
  expect_error(folder,
               3,
               ball + "set Mass = 1\nset Inertia = 1, 1, 1, 2, 0, 0",
               { "'Inertia'", "greater than 0" });
  expect_error(folder,
               3,
               ball + "set Mass = 1\nset Inertia = 2, 2, 2, 0.1, 0.2, 0.3",
               {});
  expect_error(folder,
               3,
               ball + "set Mass = 1\nset Inertia = 1",
               { "'Inertia'", "1 numbers", "three" });
  expect_error(folder,
               3,
               ball + "set Density = 1\nset Free = rotation",
               { "'Rotation axis'", "must be given" });
  expect_error(folder,
               3,
               ball + "set Density = 1\nset Free = rotation, rx\n"
                      "set Rotation axis = 1, 0, 0",
               { "'Free'", "beside rx" });
  expect_error(folder,
               3,
               ball + "set Density = 1\nset Free = ry\n"
                      "set Angular velocity = 1; 2; 0",
               { "'Angular velocity'", "'ry' is Free and driven" });
  expect_error(folder,
               3,
               ball + "set Density = 1\nset Free = rx\nset Torque = 0; 1; 0",
               { "'Torque'", "'ry' is not Free" });
  expect_error(folder,
               3,
               ball + "set Density = 1\nset Thickness = 2",
               { "'Thickness'", "Dimension = 2" });
}

TEST(Parameters, QuasiStatic)
{
  const Folder folder;
  const std::string ball = "set Type = sphere\nset Radius = 1\n";
  expect_error(folder, 2, ball, {}, scheme);
  expect_error(folder, 2, ball + "set Mass = 1", {}, scheme);
  for (const std::string entry : { "Initial velocity = 1, 0",
                                   "Initial angular velocity = 1",
                                   "Scheme = midpoint" })
    expect_error(folder,
                 2,
                 ball + "set " + entry,
                 { "Time/Scheme = quasi static" },
                 scheme);
}

TEST(Parameters, Axisymmetric)
{
  // x is the radius: only y is left, and masses of revolution are given.
  const Folder folder;
  const std::string before = "set Assumption = axisymmetric\n",
                    ball   = "subsection Rigid body b\nset Type = sphere\n"
                             "set Radius = 1\n",
                    end    = "\nend\n";
  const auto parameters = read(folder, 2, before + ball + "set Mass = 2" + end);
  const auto s          = settings<2>(parameters);
  EXPECT_EQ(s.free_translations, (std::array<bool, 2>{ { false, true } }));
  EXPECT_TRUE(s.free_axes.empty());
  EXPECT_NE(
      error_of([&]
               { read(folder, 2, before + ball + "set Density = 2" + end); })
          .find("masses of revolution"),
      std::string::npos);
  EXPECT_NE(error_of(
                [&] {
                  read(folder,
                       2,
                       before + ball + "set Mass = 2\nset Free = y, rz" + end);
                })
                .find("no rz here"),
            std::string::npos);
}

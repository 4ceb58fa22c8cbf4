// In sections of rigid bodies.
#include "mistakes.h"

using namespace delassus;

namespace
{
/// A mistake in a section with these lines.
Mistake rigid_body(const std::string &name,
                   const std::string &lines,
                   const std::string &at,
                   const std::vector<std::string> &parts)
{
  auto all = parts;
  all.push_back("section 'Rigid body ball'");
  return { "rigid_body_" + name,
           "subsection Contact law dry",
           "subsection Rigid body ball\n" + lines +
               "\nend\nsubsection Contact law dry",
           at,
           all };
}

const std::string ball = "set Type = sphere\nset Radius = 0.1\n";

const std::vector<Mistake> mistakes = {
  // Rigid bodies.
  rigid_body("without_mass",
             ball,
             "subsection Rigid body ball",
             { "'Mass'", "must be given", "Density", "Free component" }),
  rigid_body("unknown_component",
             ball + "set Density = 1\nset Free = x, up",
             "set Free = x, up",
             { "'Free' = 'x, up'", "allowed: one or several", "rz" }),
  rigid_body("component_of_space",
             ball + "set Density = 1\nset Free = x, rx",
             "set Free = x, rx",
             { "'Free'", "no rx here", "x, y, rz" }),
  rigid_body("all_and_more",
             ball + "set Density = 1\nset Free = all, x",
             "set Free = all, x",
             { "contradictory", "'all' alone" }),
  rigid_body("free_and_driven",
             ball + "set Density = 1\nset Displacement = 0; t\nset Free = y",
             "set Displacement = 0; t",
             { "'Displacement' = '0; t'", "'y' is Free and driven" }),
  rigid_body("displacement_and_velocity",
             ball + "set Free = none\nset Displacement = t; 0\n"
                    "set Velocity = 1; 0 # both",
             "set Velocity = 1; 0 # both",
             { "contradictory", "Displacement", "one of the two" }),
  rigid_body("rotation_free_and_driven",
             ball + "set Density = 1\nset Rotation = 90*t",
             "set Rotation = 90*t",
             { "'Rotation'", "a rotation is Free" }),
  rigid_body("turn_free_and_driven",
             ball + "set Density = 1\nset Angular velocity = t",
             "set Angular velocity = t",
             { "'rz' is Free and driven" }),
  rigid_body("rotation_and_angular_velocity",
             ball + "set Free = none\nset Rotation = 90*t\n"
                    "set Angular velocity = 1",
             "set Angular velocity = 1",
             { "contradictory", "Rotation", "one of the two" }),
  rigid_body("force_without_effect",
             ball + "set Density = 1\nset Free = y\nset Force = 3; 0",
             "set Force = 3; 0",
             { "'Force' = '3; 0'", "'x' is not Free" }),
  rigid_body("load_on_driven",
             ball + "set Free = none\nset Torque = 3",
             "set Torque = 3",
             { "'Torque'", "rotations that are Free" }),
  rigid_body("negative_inertia",
             ball + "set Mass = 1\nset Inertia = -1",
             "set Inertia = -1",
             { "'Inertia' = '-1'", "greater than 0" }),
  rigid_body("inertia_of_space",
             ball + "set Mass = 1\nset Inertia = 1, 1, 1",
             "set Inertia = 1, 1, 1",
             { "there are 3 numbers", "allowed: one" }),
  rigid_body("mass_twice",
             ball + "set Density = 1\nset Mass = 1",
             "set Mass = 1",
             { "'Mass'", "contradictory", "Density" }),
  rigid_body("center_without_inertia",
             ball + "set Mass = 1\nset Center = 0, 0.01",
             "subsection Rigid body ball",
             { "'Inertia'", "must be given", "beside Center" }),
  rigid_body("pivot_of_free_body",
             ball + "set Density = 1\nset Pivot = 0, 0",
             "set Pivot = 0, 0",
             { "'Pivot'", "centre of mass" }),
  rigid_body("mass_of_driven",
             ball + "set Free = none\nset Density = 1",
             "set Density = 1\nend",
             { "'Density'", "Free component" }),
  rigid_body("stiffness_where_driven",
             ball + "set Density = 1\nset Free = y\nset Stiffness = 1, 2",
             "set Stiffness = 1, 2",
             { "'Stiffness'", "'x' is not Free" }),
  // A body and a rigid body of one name.
  { "rigid_body_named_as_a_body",
    "subsection Contact law dry",
    "subsection Rigid body wall\n" + ball +
        "set Density = 1\nend\nsubsection Contact law dry",
    "subsection Rigid body wall",
    { "'Rigid body wall'", "'Body wall'", "different names" } },
};

INSTANTIATE_TEST_SUITE_P(RigidBodies,
                         Mistakes,
                         testing::ValuesIn(mistakes),
                         name_of);
} // namespace

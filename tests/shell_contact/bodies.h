#ifndef tests_shell_contact_bodies_h
#define tests_shell_contact_bodies_h

// Parameter files with sheets that touch bodies, each other and themselves.
#include "shell_contact/pressing.h"

namespace test
{
/// Materials without lateral contraction, a ground, and what is pressed down by
/// 3 t from above.
const std::string materials_and_ground = R"(
set Dimension = 3
set Gravity   = 0, 0, 0
subsection Time
  set Scheme = quasi static
  set End    = 1
  set Step   = 0.5
end
subsection Newton
  set Tolerance = 1e-10
end
subsection Contact solver
  set Tolerance = 1e-11
end
subsection Output
  set Interval = 0
end
subsection Material metal
  set Density       = 7.8e-9
  set Young modulus = 2000
  set Poisson ratio = 0
end
subsection Material rubber
  set Density       = 1e-9
  set Young modulus = 500
  set Poisson ratio = 0
end
subsection Obstacle ground
  set Normal = 0, 0, 1
end
subsection Contact law plain
  set Type = frictionless
end
)";

inline std::string sheet(const std::string &name,
                         const double height,
                         const std::string &material,
                         const std::string &divisions)
{
  return "subsection Body " + name +
         "\n  set Type = shell\n  set Material = " + material +
         "\n  set Thickness = 0.5\n  subsection Mesh\n    set Type = rectangle"
         "\n    set Origin = 0, 0, " +
         std::to_string(height) +
         "\n    set Size = 4, 4\n    set Divisions = " + divisions +
         "\n  end\nend\nsubsection Boundary condition " + name +
         " x\n  set Type = symmetry\n  set Surfaces = " + name +
         "/left\n  set Components = x\nend\nsubsection Boundary condition " +
         name + " y\n  set Type = symmetry\n  set Surfaces = " + name +
         "/bottom\n  set Components = y\nend\nsubsection Probe " + name +
         "\n  set Body = " + name + "\n  set Point = 4, 4, " +
         std::to_string(height) + "\nend\n";
}

inline std::string block(const double height, const std::string &divisions)
{
  return R"(subsection Body block
  set Material = rubber
  subsection Mesh
    set Type      = box
    set Origin    = 0, 0, )" +
         std::to_string(height) + R"(
    set Size      = 4, 4, 2
    set Divisions = )" +
         divisions + R"(
  end
end
subsection Boundary condition block x
  set Type       = fixed
  set Surfaces   = block/left
  set Components = x
end
subsection Boundary condition block y
  set Type       = fixed
  set Surfaces   = block/front
  set Components = y
end
subsection Probe block
  set Body  = block
  set Point = 4, 4, )" +
         std::to_string(height + 2.) + "\nend\n";
}

inline std::string interaction(const std::string &candidate,
                               const std::string &antagonist,
                               const std::string &more = "")
{
  return "subsection Interaction " + candidate.substr(0, candidate.find('/')) +
         "\n  set Candidates = " + candidate +
         "\n  set Antagonists = " + antagonist + "\n  set Law = plain\n" +
         more + "end\n";
}

inline std::string pressure(const std::string &surface)
{
  return "subsection Boundary condition weight\n  set Type = pressure\n  set "
         "Surfaces = " +
         surface + "\n  set Value = 3*t\nend\n";
}

/// A strip of width 1 that is bent to a U in its mesh: legs of 8 and of 6, 2 R
/// apart, and half a circle between them.
inline std::string folded_mesh(const double R, const unsigned int n_legs)
{
  std::ostringstream nodes, quads;
  std::vector<std::array<double, 2>> line;
  const unsigned int n_bend = 12;
  const double leg          = 8.;
  for (unsigned int i = 0; i < n_legs; ++i)
    line.push_back({ { leg * (n_legs - i) / n_legs, -R } });
  for (unsigned int i = 0; i <= n_bend; ++i)
    line.push_back({ { -R * std::sin(M_PI * i / n_bend),
                       -R * std::cos(M_PI * i / n_bend) } });
  for (unsigned int i = 1; i <= 3 * n_legs / 4; ++i)
    line.push_back({ { leg * i / n_legs, R } });
  unsigned int n = 0, e = 0;
  for (const auto &x : line)
    for (unsigned int j = 0; j < 2; ++j)
      nodes << ++n << " " << x[0] << " " << j << " " << x[1] << "\n";
  for (unsigned int i = 0; i + 1 < line.size(); ++i)
    quads << ++e << " 3 2 1 1 " << 2 * i + 1 << " " << 2 * i + 3 << " "
          << 2 * i + 4 << " " << 2 * i + 2 << "\n";
  return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n" + std::to_string(n) +
         "\n" + nodes.str() + "$EndNodes\n$Elements\n" + std::to_string(e) +
         "\n" + quads.str() + "$EndElements\n";
}

/// Its lower leg is held at its end, the upper one pressed down.
const std::string folded = R"(
set Dimension = 3
set Gravity   = 0, 0, 0
subsection Time
  set Scheme = quasi static
  set End    = 1
  set Step   = 0.1
end
subsection Newton
  set Tolerance      = 1e-8
  set Largest strain = 0
end
subsection Contact solver
  set Tolerance = 1e-9
end
subsection Output
  set Interval = 0
end
subsection Material rubber
  set Model         = Saint Venant-Kirchhoff
  set Density       = 1e-9
  set Young modulus = 1000
  set Poisson ratio = 0
end
subsection Body strip
  set Type      = shell
  set Material  = rubber
  set Thickness = 0.1
  subsection Mesh
    set File = folded.msh
  end
end
subsection Boundary condition held
  set Type       = clamped
  set Surfaces   = strip
  set Point      = 8, 0, -1
end
subsection Boundary condition held too
  set Type       = clamped
  set Surfaces   = strip
  set Point      = 8, 1, -1
end
subsection Boundary condition pressed
  set Type       = displacement
  set Surfaces   = strip
  set Point      = 4, 0, 1
  set Components = z
  set Value      = -2.2*t
end
subsection Boundary condition pressed too
  set Type       = displacement
  set Surfaces   = strip
  set Point      = 4, 1, 1
  set Components = z
  set Value      = -2.2*t
end
subsection Contact law plain
  set Friction = 0.1
end
subsection Interaction self
  set Candidates      = strip
  set Antagonists     = strip
  set Law             = plain
  set Search distance = 1
end
subsection Probe upper
  set Point = 6, 0, 1
end
subsection Probe lower
  set Point = 6, 0, -1
end
)";

} // namespace test

#endif

#ifndef tests_shell_results_joined_sheets_h
#define tests_shell_results_joined_sheets_h

// Sheets joined by the contact law 'tied', in pieces of parameter files.
#include <string>
#include <vector>

namespace test
{
/// What all have: a strip of length 10, width 1 and thickness 0.2, without
/// lateral contraction, that is tied at x = 0.
inline const char *strip = R"(
set Dimension = 3
set Gravity   = 0, 0, 0
subsection Newton
  set Tolerance      = 1e-10
  set Largest strain = 0
end
subsection Contact solver
  set Tolerance = 1e-10
end
subsection Material elastic
  set Model         = Saint Venant-Kirchhoff
  set Density       = 1
  set Young modulus = 1e6
  set Poisson ratio = 0
end
subsection Body strip
  set Type      = shell
  set Material  = elastic
  set Thickness = 0.2
  subsection Mesh
    set Type      = rectangle
    set Size      = 10, 1
    set Divisions = 10, 1
  end
end
subsection Contact law weld
  set Type = tied
end
subsection Probe end
  set Point = 10, 0.5, 0
end
subsection Output
  set Interval steps = 1
end
)";

inline const char *at_rest = R"(
subsection Time
  set Scheme = quasi static
  set End    = 1
  set Step   = 1
end
)";

inline const char *load = R"(
subsection Boundary condition load
  set Type     = force
  set Surfaces = strip/right
  set Value    = 0; 0; 0.01*t
end
)";

inline const char *clamp = R"(
subsection Boundary condition held
  set Type     = clamped
  set Surfaces = strip/left
end
)";

inline const char *to_block = R"(
subsection Material stiff
  set Density       = 1
  set Young modulus = 1e10
  set Poisson ratio = 0
end
subsection Body block
  set Material = stiff
  subsection Mesh
    set Type      = box
    set Origin    = -1, -0.5, -0.5
    set Size      = 1, 2, 1
    set Divisions = 2, 3, 3
  end
end
subsection Boundary condition held
  set Type     = fixed
  set Surfaces = block/left
end
subsection Interaction joint
  set Candidates  = strip/left
  set Antagonists = block/right
  set Law         = weld
end
)";

/// A block that turns about the axis y through (-1/2, 0, 0).
inline std::string to_hub(const std::string &angle)
{
  return R"(
subsection Rigid body hub
  set Type          = box
  set Point         = -1, -0.5, -0.5
  set Size          = 1, 2, 1
  set Free          = none
  set Rotation axis = 0, 1, 0
  set Pivot         = -0.5, 0, 0
  set Rotation      = )" +
         angle + R"(
end
subsection Interaction joint
  set Candidates  = strip/left
  set Antagonists = hub
  set Law         = weld
end
)";
}

inline std::string text_of(const std::vector<std::string> &parts)
{
  std::string text;
  for (const auto &part : parts)
    text += part;
  return text;
}
} // namespace test

#endif

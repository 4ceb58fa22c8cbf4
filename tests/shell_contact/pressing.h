#ifndef tests_shell_contact_pressing_h
#define tests_shell_contact_pressing_h

// Sheets between rigid plates.
#include "shell_results/sheet_runs.h"

namespace test
{
/// A sheet of 4 x 4, 0.5 thick, between two plates; the upper one comes down by
/// 1e-3 t, the lower one stays. E A / a = 64000.
inline const char *squeezed_sheet = R"(
set Dimension = 3
set Gravity   = 0, 0, 0
subsection Time
  set Scheme = quasi static
  set End    = 1
  set Step   = 0.25
end
subsection Newton
  set Tolerance = 1e-8
end
subsection Material metal
  set Density       = 7.8e-9
  set Young modulus = 2000
  set Poisson ratio = 0.3
end
subsection Body sheet
  set Type      = shell
  set Material  = metal
  set Thickness = 0.5
  subsection Mesh
    set Type      = rectangle
    set Origin    = 0, 0, 0.25
    set Size      = 4, 4
    set Divisions = 4, 4
  end
end
subsection Boundary condition x0
  set Type       = symmetry
  set Surfaces   = sheet/left
  set Components = x
end
subsection Boundary condition y0
  set Type       = symmetry
  set Surfaces   = sheet/bottom
  set Components = y
end
subsection Obstacle lower
  set Normal = 0, 0, 1
end
subsection Obstacle upper
  set Point        = 0, 0, 0.5
  set Normal       = 0, 0, -1
  set Displacement = 0; 0; -1e-3*t
end
subsection Contact law plain
  set Type     = gap signorini coulomb
  set Friction = 0.1
end
subsection Interaction below
  set Candidates  = sheet
  set Antagonists = lower
  set Law         = plain
  set Side        = inner
end
subsection Interaction above
  set Candidates  = sheet
  set Antagonists = upper
  set Law         = plain
  set Side        = outer
end
subsection Contact solver
  set Tolerance = 1e-8
end
subsection Probe middle
  set Point = 2, 2, 0.25
end
subsection Output
  set Interval = 0
end
)";
} // namespace test

#endif

#ifndef delassus_tests_newton_cases_h
#define delassus_tests_newton_cases_h

#include "simulation/run_case.h"

#include <cmath>

namespace test
{
/// A short copper rod against a wall at 227 m/s, axisymmetric, mm, t, s.
inline std::string rod(const std::string &more = "")
{
  return R"(
set Assumption = axisymmetric
subsection Time
  set End  = 2e-6
  set Step = 5e-8
end
subsection Material copper
  set Model             = J2
  set Density           = 8.93e-9
  set Young modulus     = 117e3
  set Poisson ratio     = 0.35
  set Yield stress      = 400
  set Hardening modulus = 100
end
subsection Body rod
  set Material         = copper
  set Initial velocity = 0; -227e3
  set Mass             = lumped
  subsection Mesh
    set Type      = box
    set Size      = 3.2, 12.96
    set Divisions = 5, 20
  end
end
subsection Boundary condition axis
  set Type       = fixed
  set Surfaces   = rod/left
  set Components = x
end
subsection Obstacle wall
  set Type   = plane
  set Point  = 0, 0
  set Normal = 0, 1
end
subsection Contact law rough
  set Friction = 0.2
end
subsection Interaction foot
  set Candidates  = rod/bottom
  set Antagonists = wall
  set Law         = rough
  set Points      = nodes
end
subsection Contact solver
  set Tolerance = 1e-10
end
subsection Newton
  set Tolerance = 1e-10
end
subsection Probe top
  set Point = 0, 12.96
end
subsection Probe foot
  set Point = 3.2, 0
end
subsection Output
  set Interval = 0
end
)" + more;
}

/// The same by explicit steps.
inline std::string explicit_rod()
{
  std::string text        = rod();
  const std::string entry = "set Tolerance = 1e-10\nend\nsubsection Probe top";
  const auto at           = text.find(entry);
  return text.replace(
      at, entry.size(), "set Matrix = explicit\nend\nsubsection Probe top");
}

/// A soft block pressed by its top on a plane by 10 %, then pushed.
inline std::string block(const std::string &more = "")
{
  return R"(
subsection Time
  set Scheme = quasi static
  set End    = 2
  set Step   = 0.1
end
subsection Material rubber
  set Model         = neo-Hookean
  set Density       = 1
  set Young modulus = 10
  set Poisson ratio = 0.3
end
subsection Body block
  set Material = rubber
  subsection Mesh
    set Type      = box
    set Size      = 2, 1
    set Divisions = 8, 4
  end
end
subsection Boundary condition top
  set Type     = displacement
  set Surfaces = block/top
  set Value    = if(t<1, 0, t-1); -0.1*min(t, 1)
end
subsection Obstacle floor
  set Type   = plane
  set Point  = 0, 0
  set Normal = 0, 1
end
subsection Contact law dry
  set Friction = 0.2
end
subsection Interaction base
  set Candidates  = block/bottom
  set Antagonists = floor
  set Law         = dry
  set Points      = nodes
end
subsection Contact solver
  set Tolerance = 1e-10
end
subsection Newton
  set Tolerance = 1e-10
end
subsection Output
  set Interval = 0
end
)" + more;
}

/// Runs a text and calls @p look after each step.
template <int dim, typename Look>
void watch(const std::string &text,
           const std::vector<std::string> &changes,
           const Look &look)
{
  const TemporaryDirectory directory;
  auto overrides = changes;
  overrides.push_back("Output/Directory=" + directory.path + "/run");
  delassus::RunOptions options;
  options.quiet = true;
  delassus::Simulation<dim> simulation(
      delassus::read_parameters(write_case(directory, text), overrides),
      options,
      MPI_COMM_SELF);
  simulation.on_step = [&](const double t, const double h)
  { look(simulation, t, h); };
  simulation.run();
}

inline double relative(const double a, const double b)
{
  return std::abs(a - b) / std::max(std::abs(a), std::abs(b));
}
} // namespace test

#endif

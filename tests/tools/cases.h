#ifndef tests_tools_cases_h
#define tests_tools_cases_h

#include "ranks/run_on_all.h"

#include <string>

namespace test
{
inline std::string
replaced(std::string text, const std::string &from, const std::string &to)
{
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

inline std::string with_lines(const std::string &text,
                              const std::string &section,
                              const std::string &lines)
{
  return replaced(text, section + "\n", section + "\n" + lines + "\n");
}

/// Run a text on all ranks; only rank 0 gets tables.
template <int dim>
Results run_everywhere(const std::string &text,
                       const std::vector<std::string> &overrides = {})
{
  std::string file;
  std::unique_ptr<TemporaryDirectory> directory;
  if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0)
  {
    directory = std::make_unique<TemporaryDirectory>();
    file      = write_case(*directory, text);
  }
  file = dealii::Utilities::MPI::broadcast(MPI_COMM_WORLD, file);
  return run_on_all<dim>(file, overrides);
}

/// Whether this rank has the tables.
inline bool has_tables()
{
  return dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0;
}

inline double largest(const std::vector<double> &values)
{
  double result = 0.;
  for (const double value : values)
    result = std::max(result, std::abs(value));
  return result;
}

/// A strip 10 x 2 of unit thickness without lateral contraction (N, mm) on the
/// ground; a plate above it at a distance of 0.1 is pushed down by a force.
inline const char *holder = R"(
set Assumption = plane stress
subsection Time
  set Scheme = quasi static
  set End = 1
  set Step = 0.25
end
subsection Material soft
  set Density = 1e-9
  set Young modulus = 1000
  set Poisson ratio = 0
end
subsection Body strip
  set Material = soft
  subsection Mesh
    set Type = box
    set Size = 10, 2
    set Divisions = 10, 3
  end
end
subsection Boundary condition left
  set Type = fixed
  set Surfaces = strip/left
  set Components = x
end
subsection Obstacle ground
  set Normal = 0, 1
end
subsection Obstacle plate
  set Normal = 0, -1
  set Point = 0, 2.1
  set Free = y
  set Force = 0; -40*(1+t)
end
subsection Contact law dry
  set Friction = 0.3
end
subsection Interaction down
  set Candidates = strip/bottom
  set Antagonists = ground
  set Law = dry
  set Points = nodes
end
subsection Interaction up
  set Candidates = strip/top
  set Antagonists = plate
  set Law = dry
  set Points = nodes
end
subsection Contact solver
  set Tolerance = 1e-11
  set Maximum sweeps = 100000
end
subsection Output
  set Interval steps = 0
end
)";

/// A block 1 x 1 (kg, m, s) fixed at its bottom, and a plate that falls on it.
inline const char *drop = R"(
set Gravity = 0, -10
subsection Time
  set End = 0.1
  set Step = 5e-4
end
subsection Material rubber
  set Density = 1000
  set Young modulus = 1e7
  set Poisson ratio = 0.3
end
subsection Body block
  set Material = rubber
  subsection Mesh
    set Type = box
    set Size = 1, 1
    set Divisions = 5, 5
  end
end
subsection Boundary condition bottom
  set Type = fixed
  set Surfaces = block/bottom
end
subsection Obstacle plate
  set Normal = 0, -1
  set Point = 0, 1.005
  set Free = y
  set Mass = 2000
  set Initial velocity = 0, -1
end
subsection Contact law smooth
  set Type = frictionless
end
subsection Interaction impact
  set Candidates = block/top
  set Antagonists = plate
  set Law = smooth
  set Points = nodes
end
subsection Contact solver
  set Tolerance = 1e-11
  set Maximum sweeps = 100000
end
subsection Output
  set Interval steps = 0
end
)";
} // namespace test

#endif

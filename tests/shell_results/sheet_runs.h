#ifndef tests_shell_results_sheet_runs_h
#define tests_shell_results_sheet_runs_h

// Runs with bodies of type shell, and what they write.
#include "read_vtu.h"
#include "simulation/run_case.h"

#include <gtest/gtest.h>

#include <cmath>

namespace test
{
using Fields = std::map<std::string, std::vector<float>>;

/// A run in a directory that is thrown away.
struct SheetRun
{
  explicit SheetRun(const std::string &text,
                    std::vector<std::string> overrides = {})
  {
    overrides.push_back("Output/Directory=" + path());
    delassus::RunOptions options;
    options.quiet = true;
    try
    {
      delassus::Simulation<3>(
          delassus::read_parameters(write_case(directory, text), overrides),
          options,
          MPI_COMM_SELF)
          .run();
    }
    catch (const delassus::ComputationError &e)
    {
      failure = e.what();
    }
    history = read_csv(path() + "/history.csv");
    std::ifstream(path() + "/summary.json") >> summary;
  }

  std::string path() const
  {
    return directory.path + "/run";
  }
  /// The last result file, or that of a step.
  Fields fields(const int step = -1) const
  {
    const auto file = [&](const unsigned int n)
    {
      const std::string number = std::to_string(n);
      return path() + "/vtu/solution_" + std::string(6 - number.size(), '0') +
             number + ".vtu";
    };
    return read_vtu(
        file(step >= 0 ? step : int(summary["states"].back()["step"])));
  }
  double last(const std::string &column) const
  {
    return history.at(column).back();
  }

  const TemporaryDirectory directory;
  Table history;
  nlohmann::json summary;
  std::string failure;
};

/// All numbers are finite, and fields have values at all points.
inline void expect_complete(const Fields &fields)
{
  const std::size_t n = fields.at("Points").size() / 3;
  EXPECT_GT(n, 0u);
  for (const auto &[name, values] : fields)
  {
    EXPECT_TRUE(values.size() == n || values.size() == 3 * n) << name;
    for (const float value : values)
      ASSERT_TRUE(std::isfinite(value)) << name;
  }
}

/// A strip of rubber without lateral contraction that a moment bends to a
/// quarter of a circle.
inline const char *bent_strip = R"(
set Dimension = 3
set Gravity   = 0, 0, 0
subsection Time
  set Scheme = quasi static
  set End    = 1
  set Step   = 0.25
end
subsection Newton
  set Largest strain = 0
end
subsection Material rubber
  set Model         = Saint Venant-Kirchhoff
  set Density       = 1
  set Young modulus = 1.2e6
  set Poisson ratio = 0
end
subsection Body strip
  set Type      = shell
  set Material  = rubber
  set Thickness = 0.1
  subsection Mesh
    set Type      = rectangle
    set Size      = 12, 2
    set Divisions = 16, 1
  end
end
subsection Boundary condition held
  set Type     = clamped
  set Surfaces = strip/left
end
subsection Boundary condition turned
  set Type     = moment
  set Surfaces = strip/right
  set Value    = 0; -25*pi/3*t; 0
end
subsection Probe end
  set Point = 12, 1, 0
end
subsection Output
  set Interval steps = 2
end
)";

/// A sheet of plastic metal that is stretched in tension.
inline const char *stretched_sheet = R"(
set Dimension = 3
set Gravity   = 0, 0, 0
subsection Time
  set Scheme = quasi static
  set End    = 1
  set Step   = 0.1
end
subsection Material metal
  set Model             = J2
  set Density           = 7.8e-9
  set Young modulus     = 200000
  set Poisson ratio     = 0.3
  set Yield stress      = 200
  set Hardening modulus = 1000
end
subsection Body sheet
  set Type      = shell
  set Material  = metal
  set Thickness = 0.5
  subsection Mesh
    set Type      = rectangle
    set Size      = 20, 10
    set Divisions = 4, 2
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
subsection Boundary condition z0
  set Type       = displacement
  set Surfaces   = sheet
  set Components = z
  set Value      = 0
end
subsection Boundary condition pulled
  set Type       = displacement
  set Surfaces   = sheet/right
  set Components = x
  set Value      = 2*t
end
subsection Probe inside
  set Point = 10, 5, 0
end
subsection Output
  set Interval steps = 5
end
)";

/// A sheet on a plane that a pressure holds down.
inline const char *pressed_sheet = R"(
set Dimension = 3
set Gravity   = 0, 0, 0
subsection Time
  set Scheme = quasi static
  set End    = 1
  set Step   = 0.5
end
subsection Material metal
  set Density       = 7.8e-9
  set Young modulus = 2000
  set Poisson ratio = 0
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
subsection Boundary condition weight
  set Type     = pressure
  set Surfaces = sheet/outer
  set Value    = 3*t
end
subsection Obstacle ground
  set Normal = 0, 0, 1
end
subsection Contact law smooth
  set Type = frictionless
end
subsection Interaction foot
  set Candidates  = sheet/inner
  set Antagonists = ground
  set Law         = smooth
  set Points      = nodes
end
subsection Contact solver
  set Tolerance = 1e-10
end
subsection Output
  set Interval steps = 1
end
)";
} // namespace test

#endif

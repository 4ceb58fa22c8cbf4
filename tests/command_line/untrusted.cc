// Scripts of meshes that call the system, through the command line.
#include "run_program.h"

namespace
{
using namespace test;

const char *square = R"(SystemCall "touch victim";
Point(1)={0,0,0}; Point(2)={1,0,0}; Point(3)={1,1,0}; Point(4)={0,1,0};
Line(1)={1,2}; Line(2)={2,3}; Line(3)={3,4}; Line(4)={4,1};
Curve Loop(1)={1,2,3,4}; Plane Surface(1)={1};
Physical Surface("b")={1}; Physical Curve("bottom")={1};
)";

const char *block = R"(subsection Time
  set Scheme = quasi static
  set End = 0.2
  set Step = 0.1
end
subsection Material m
  set Density = 1
  set Young modulus = 1000
  set Poisson ratio = 0.3
end
subsection Body b
  set Material = m
  subsection Mesh
    set File = square.geo
  end
end
subsection Boundary condition fix
  set Surfaces = b/bottom
end
subsection Output
  set Interval = 0.1
end
)";

TEST_F(Program, ScriptsMustBeAllowed)
{
  write("square.geo", square);
  write("square.msh", square);
  write("block.prm", block);
  const std::string alone =
      "env -u OMPI_COMM_WORLD_SIZE -u PMIX_RANK -u PMI_SIZE";
  const auto victim = [&]()
  {
    const bool found = fs::exists(folder / "victim");
    fs::remove(folder / "victim");
    return found;
  };
  for (const std::string command : { "check block.prm",
                                     "run block.prm",
                                     "run block.prm --ranks 2",
                                     "check block.prm --allow-scripts --set "
                                     "'Body b/Mesh/File=square.msh'" })
  {
    const auto refused = run(command, alone);
    EXPECT_EQ(refused.exit_code, 2) << refused.error;
    EXPECT_EQ(count(refused.error, "delassus: error:"), 1u) << refused.error;
    expect_parts(refused.error, { "section 'Body b/Mesh', entry 'File'" });
    EXPECT_FALSE(victim()) << command;
  }
  expect_parts(run("check block.prm", alone).error,
               { "line 1", "'SystemCall'", "--allow-scripts" });
  for (const std::string command :
       { "check block.prm --allow-scripts",
         "check block.prm --ranks 2 --allow-scripts",
         "run block.prm --allow-scripts",
         "run block.prm --allow-scripts --resume",
         "check block.prm --set 'Body b/Mesh/Allow scripts=true'" })
  {
    const auto done = run(command, alone);
    EXPECT_EQ(done.exit_code, 0) << command << done.error;
    EXPECT_TRUE(victim()) << command;
  }
}
} // namespace

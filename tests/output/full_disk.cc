// A disk that is full in the middle of a run: here files that cannot grow
// beyond a limit.
#include "compare_runs.h"
#include "simulation/run_case.h"

#include <delassus/base/exceptions.h>

#include <gtest/gtest.h>

#include <sys/resource.h>

using namespace delassus;

namespace
{
const char *falling_block = R"(
set Gravity = 1, -10
subsection Time
  set End  = 0.1
  set Step = 1e-3
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
    set Size      = 0.1, 0.1
    set Divisions = 12, 12
  end
end
subsection Obstacle ground
  set Normal = 0, 1
end
subsection Contact law dry
  set Friction = 0.3
end
subsection Interaction base
  set Candidates  = block/bottom
  set Antagonists = ground
  set Law         = dry
  set Points      = nodes
end
subsection Output
  set Interval         = 0.05
  set Checkpoint steps = 10
end
)";

/// Files of this process may not grow beyond a size while it lives.
class FileLimit
{
public:
  FileLimit()
  {
    getrlimit(RLIMIT_FSIZE, &old);
  }
  ~FileLimit()
  {
    setrlimit(RLIMIT_FSIZE, &old);
  }
  void set(const rlim_t n_bytes) const
  {
    rlimit limit   = old;
    limit.rlim_cur = n_bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
  }

private:
  rlimit old = {};
};

class FullDisk : public testing::Test
{
protected:
  /// Run in the folder @p name; from step @p when on files are limited. Returns
  /// the error.
  std::string run(const std::string &name,
                  const bool resume,
                  const double when,
                  const rlim_t n_bytes) const
  {
    RunOptions options;
    options.quiet  = true;
    options.resume = resume;
    Simulation<2> simulation(
        read_parameters(file, { "Output/Directory=" + path(name) }),
        options,
        MPI_COMM_SELF);
    const FileLimit limit;
    simulation.on_step = [&](const double t, const double)
    {
      if (t > when)
        limit.set(n_bytes);
    };
    try
    {
      simulation.run();
    }
    catch (const ComputationError &e)
    {
      return e.what();
    }
    return "";
  }

  std::string path(const std::string &name) const
  {
    return directory.path + "/" + name;
  }

  const test::TemporaryDirectory directory;
  const std::string file        = test::write_case(directory, falling_block);
  static constexpr double never = 1.;
};
} // namespace

TEST_F(FullDisk, ResultsThatDoNotFitEndTheRun)
{
  EXPECT_EQ(run("whole", false, never, 0), "");
  // Room for tables of some more rows, for no result file.
  const std::string error = run("run", false, 0.0455, 3000);
  EXPECT_NE(error.find("File too large"), std::string::npos) << error;
  // The checkpoint of step 40 is not touched by what could not be written.
  EXPECT_NE(error.find("To go on from t = 0.04: delassus run FILE --resume"),
            std::string::npos)
      << error;
  EXPECT_EQ(run("run", true, never, 0), "");
  test::expect_same_files(path("whole"), path("run"));
}

TEST_F(FullDisk, CheckpointsThatDoNotFitLeaveTheOneBefore)
{
  EXPECT_EQ(run("whole", false, never, 0), "");
  const auto size  = std::filesystem::file_size(path("whole/checkpoint.bin"));
  const auto table = std::filesystem::file_size(path("whole/history.csv"));
  // Tables end the run soon after the checkpoint of step 60.
  ASSERT_GT(size, 0.7 * table);
  const std::string error = run("run", false, 0.0555, rlim_t(0.65 * table));
  EXPECT_NE(error.find("To go on from t = 0.05: "), std::string::npos) << error;
  const std::string log = test::bytes_of(path("run/log.txt"));
  EXPECT_NE(log.find("checkpoint.bin' cannot be written: File too large. What "
                     "was there before is intact."),
            std::string::npos)
      << log;
  EXPECT_FALSE(std::filesystem::exists(path("run/checkpoint.bin.part")));
  EXPECT_EQ(run("run", true, never, 0), "");
  test::expect_same_files(path("whole"), path("run"));
}

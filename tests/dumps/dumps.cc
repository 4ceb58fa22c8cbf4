// Contact problems that a run writes: they are the problems that it solved, in
// both forms, on any number of ranks, and have the same answers when they are
// solved again.
#include "compare_runs.h"
#include "simulation/run_case.h"
#include "test_paths.h"

#include <delassus/base/exceptions.h>
#include <delassus/contact/exchange/compressed_columns.h>
#include <delassus/contact/exchange/imported_problem.h>
#include <delassus/contact/exchange/solve_problem.h>

#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <memory>

extern "C"
{
#include <fclib.h>
}

namespace
{
using namespace delassus;
namespace fs = std::filesystem;

bool root()
{
  return dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0;
}

/// A directory known to all ranks.
class SharedDirectory
{
public:
  SharedDirectory()
  {
    if (root())
    {
      own  = std::make_unique<test::TemporaryDirectory>();
      path = own->path;
    }
    path = dealii::Utilities::MPI::broadcast(MPI_COMM_WORLD, path);
  }
  ~SharedDirectory()
  {
    MPI_Barrier(MPI_COMM_WORLD);
  }
  std::string path;

private:
  std::unique_ptr<test::TemporaryDirectory> own;
};

using Overrides = std::vector<std::string>;

Overrides joined(Overrides a, const Overrides &b)
{
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::string example(const std::string &name)
{
  return std::string(DELASSUS_SOURCE_DIR) + "/parameter_files/" + name;
}

/// A small wall on all ranks.
const Overrides small_wall = { "Body wall/Mesh/Courses=4",
                               "Body wall/Mesh/Blocks per course=3",
                               "Probe top/Point=0.15,0.2",
                               "Time/End=0.02",
                               "Contact solver/Distribution=all ranks" };

const Overrides exactly = { "Contact solver/Tolerance=1e-10",
                            "Contact solver/Maximum sweeps=1000000" };

const Overrides small_wall_3d = { "Body wall/Mesh/Courses=2",
                                  "Body wall/Mesh/Blocks per course=2",
                                  "Time/End=0.004",
                                  "Contact solver/Distribution=all ranks" };

template <int dim>
void run(const std::string &file,
         const std::string &directory,
         const Overrides &overrides,
         const bool resume          = false,
         const unsigned int stop_at = 0)
{
  RunOptions options;
  options.quiet     = true;
  options.resume    = resume;
  options.overwrite = true;
  Simulation<dim> simulation(
      read_parameters(file,
                      joined(overrides, { "Output/Directory=" + directory })),
      options,
      MPI_COMM_WORLD);
  unsigned int step  = 0;
  simulation.on_step = [&](const double, const double)
  {
    if (++step == stop_at && root())
      std::raise(SIGTERM);
  };
  if (stop_at == 0)
    simulation.run();
  else
    EXPECT_THROW(simulation.run(), ComputationError);
}

/// r, u and v as libfclib reads them.
ExchangeSolution read_solution(const std::string &file,
                               const ExchangeProblem &problem)
{
  fclib_solution *read = fclib_read_solution(file.c_str());
  ExchangeSolution solution;
  EXPECT_NE(read, nullptr) << file;
  if (read == nullptr)
    return solution;
  const std::size_t m = problem.dim * problem.n_contacts();
  solution.r.assign(read->r, read->r + m);
  solution.u.assign(read->u, read->u + m);
  if (problem.global)
    solution.v.assign(read->v, read->v + problem.M.n_rows);
  fclib_delete_solutions(read, 1);
  return solution;
}

double largest(const std::vector<double> &values)
{
  double result = 0.;
  for (const double value : values)
    result = std::max(result, std::abs(value));
  return result;
}

double distance(const std::vector<double> &a, const std::vector<double> &b)
{
  EXPECT_EQ(a.size(), b.size());
  double result = 0.;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    result = std::max(result, std::abs(a[i] - b[i]));
  return result;
}

/// The file has the problem and a solution of it to @p tolerance. Returns
/// whether solving it again gives the same velocities and the same impulses on
/// the bodies.
template <int dim>
bool expect_consistent(const std::string &file, const double tolerance)
{
  const ExchangeProblem problem   = read_problem(file);
  const ExchangeSolution solution = read_solution(file, problem);
  EXPECT_GT(problem.n_contacts(), 0u);
  const ImportedProblem<dim> imported(problem);
  std::vector<double> U;
  const ContactErrors errors =
      compute_errors(imported.problem(), solution.r, U);
  // The run knows another scale g than a local problem does.
  EXPECT_LE(errors.unit_free, 10. * tolerance) << file;
  const double scale = largest(imported.problem().U_free);
  EXPECT_LE(distance(U, solution.u), 1e-9 * scale) << file;
  if (problem.global)
  {
    // M v = H r + f.
    std::vector<double> left(problem.f.size(), 0.), right = problem.f;
    add_product(problem.M, solution.v.data(), left.data());
    add_product(problem.H, solution.r.data(), right.data());
    EXPECT_LE(distance(left, right), 1e-9 * largest(right)) << file;
  }

  ContactSolverParameters parameters;
  parameters.tolerance       = tolerance;
  parameters.max_sweeps      = 1000000;
  const SolvedProblem solved = solve_problem(problem, parameters);
  EXPECT_TRUE(solved.met) << file;
  // The error bounds F; a velocity may be off by the conditioning of W.
  bool same =
      distance(solved.solution.u, solution.u) <= 1e3 * tolerance * scale;
  if (problem.global)
  {
    std::vector<double> a(problem.f.size(), 0.), b = a;
    add_product(problem.H, solved.solution.r.data(), a.data());
    add_product(problem.H, solution.r.data(), b.data());
    same = same && distance(a, b) <= 1e3 * tolerance * largest(b);
  }
  return same;
}

std::vector<std::string> problems_in(const std::string &directory)
{
  std::vector<std::string> names;
  if (fs::is_directory(directory + "/problems"))
    for (const auto &file : fs::directory_iterator(directory + "/problems"))
      names.push_back(file.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// @p unique: all problems have one solution. With friction some have several,
/// and another start finds another one; most of them must agree.
template <int dim>
void expect_both_forms(const std::string &file,
                       const Overrides &overrides,
                       const bool unique)
{
  const SharedDirectory directory;
  const Overrides dump = joined(
      exactly,
      { "Contact solver/Dump steps=2", "Contact solver/Dump hardest=true" });
  const std::string local  = directory.path + "/local",
                    global = directory.path + "/global";
  run<dim>(file, local, joined(overrides, dump));
  run<dim>(
      file,
      global,
      joined(joined(overrides, dump), { "Contact solver/Dump form=global" }));
  if (!root())
    return;
  const auto names = problems_in(local);
  ASSERT_GT(names.size(), 2u);
  EXPECT_EQ(names, problems_in(global));
  EXPECT_EQ(names.front(), "hardest.hdf5");
  std::size_t n_same = 0;
  for (const auto &name : names)
  {
    SCOPED_TRACE(name);
    const std::string local_file  = local + "/problems/" + name,
                      global_file = global + "/problems/" + name;
    const ExchangeProblem problem = read_problem(local_file);
    EXPECT_NE(problem.description.find("converged"), std::string::npos);
    EXPECT_NE(problem.title.find("step"), std::string::npos);
    EXPECT_FALSE(problem.global);
    EXPECT_TRUE(read_problem(global_file).global);
    const bool same_local  = expect_consistent<dim>(local_file, 1e-10);
    const bool same_global = expect_consistent<dim>(global_file, 1e-10);
    n_same += same_local && same_global;
    EXPECT_TRUE(!unique || (same_local && same_global));
    // W = H^T A^{-1} H and q = H^T A^{-1} f + w.
    const ImportedProblem<dim> a(problem), b(read_problem(global_file));
    EXPECT_LE(distance(a.problem().U_free, b.problem().U_free),
              1e-9 * largest(a.problem().U_free));
    const std::size_t m = problem.q.size();
    std::vector<double> unit(m, 0.), W_a(m), W_b(m);
    double difference = 0., size = 0.;
    for (std::size_t j = 0; j < m; ++j)
    {
      unit[j] = 1.;
      a.problem().W->multiply(unit.data(), W_a.data());
      b.problem().W->multiply(unit.data(), W_b.data());
      unit[j]    = 0.;
      difference = std::max(difference, distance(W_a, W_b));
      size       = std::max(size, largest(W_a));
    }
    EXPECT_LE(difference, 1e-9 * size);
  }
  EXPECT_GT(2 * n_same, names.size());
}

/// For the interactions of the walls.
const Overrides frictionless = { "Contact law dry/Type=frictionless",
                                 "Contact law dry/Friction=" };
} // namespace

TEST(Dumps, BothFormsInTwoDimensions)
{
  expect_both_forms<2>(example("wall_2d.prm"), small_wall, false);
  expect_both_forms<2>(
      example("wall_2d.prm"), joined(small_wall, frictionless), true);
}

TEST(Dumps, BothFormsInThreeDimensions)
{
  expect_both_forms<3>(example("wall_3d_1h8.prm"), small_wall_3d, false);
  expect_both_forms<3>(
      example("wall_3d_1h8.prm"), joined(small_wall_3d, frictionless), true);
}

// Driven dofs, and bodies whose nodes several ranks share.
TEST(Dumps, DrivenBodies)
{
  // Solvers on W and on the matrices have fictitious masses of their own.
  expect_both_forms<2>(
      example("press.prm"),
      { "Time/End=0.2", "Contact solver/Solver=global Newton" },
      false);
}

TEST(Dumps, UnsolvedProblemsAreWritten)
{
  const SharedDirectory directory;
  const Overrides unsolved =
      joined(small_wall,
             { "Contact solver/Maximum sweeps=2",
               "Contact solver/Tolerance=1e-12",
               "Contact solver/If not converged=go on" });
  run<2>(example("wall_2d.prm"), directory.path + "/a", unsolved);
  run<2>(example("wall_2d.prm"),
         directory.path + "/b",
         joined(unsolved, { "Contact solver/Dump failed=0" }));
  if (!root())
    return;
  EXPECT_TRUE(problems_in(directory.path + "/b").empty());
  const auto names = problems_in(directory.path + "/a");
  ASSERT_EQ(names.size(), 3u);
  const std::string log = test::bytes_of(directory.path + "/a/log.txt");
  for (const auto &name : names)
  {
    EXPECT_EQ(name.rfind("failed_", 0), 0u) << name;
    EXPECT_NE(log.find("problems/" + name), std::string::npos) << log;
    const ExchangeProblem problem =
        read_problem(directory.path + "/a/problems/" + name);
    EXPECT_NE(problem.description.find("NOT converged"), std::string::npos);
    ContactSolverParameters parameters;
    parameters.tolerance  = 1e-8;
    parameters.max_sweeps = 1000000;
    EXPECT_TRUE(solve_problem(problem, parameters).met) << name;
  }
}

TEST(Dumps, ResumedRunsKeepTheirProblems)
{
  const SharedDirectory directory;
  const Overrides dump    = joined(small_wall,
                                { "Contact solver/Dump steps=2",
                                     "Contact solver/Dump hardest=true",
                                     "Contact solver/Maximum sweeps=30",
                                     "Contact solver/If not converged=go on" });
  const std::string whole = directory.path + "/whole",
                    parts = directory.path + "/parts";
  run<2>(example("wall_2d.prm"), whole, dump);
  run<2>(example("wall_2d.prm"), parts, dump, false, 7);
  run<2>(example("wall_2d.prm"), parts, dump, true);
  if (!root())
    return;
  EXPECT_EQ(problems_in(whole), problems_in(parts));
  for (const auto &name : problems_in(whole))
  {
    const ExchangeProblem a = read_problem(whole + "/problems/" + name),
                          b = read_problem(parts + "/problems/" + name);
    EXPECT_EQ(a.description, b.description) << name;
    EXPECT_EQ(a.q, b.q) << name;
  }
}

TEST(Dumps, NewRunsRemoveOldProblems)
{
  const SharedDirectory directory;
  const std::string here = directory.path + "/run";
  run<2>(example("wall_2d.prm"),
         here,
         joined(small_wall,
                { "Contact solver/Dump steps=2",
                  "Contact solver/Dump hardest=true" }));
  if (root())
  {
    EXPECT_FALSE(problems_in(here).empty());
  }
  run<2>(example("wall_2d.prm"), here, small_wall);
  if (root())
  {
    EXPECT_TRUE(problems_in(here).empty());
  }
}

TEST(Dumps, TrescasFrictionIsLeftOut)
{
  const SharedDirectory directory;
  run<2>(example("wall_2d.prm"),
         directory.path,
         joined(small_wall,
                { "Contact law dry/Type=tresca",
                  "Contact law dry/Friction=",
                  "Contact law dry/Shear limit=1000",
                  "Contact solver/Maximum sweeps=50",
                  "Contact solver/If not converged=go on",
                  "Contact solver/Dump steps=5" }));
  if (!root())
    return;
  EXPECT_TRUE(problems_in(directory.path).empty());
  EXPECT_NE(test::bytes_of(directory.path + "/log.txt").find("Tresca"),
            std::string::npos);
}

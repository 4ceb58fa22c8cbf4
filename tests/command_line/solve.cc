// `delassus solve` from outside: what is printed, and exit codes.
#include "run_program.h"

#include <nlohmann/json.hpp>

namespace
{
using namespace test;

/// One contact pressed on and pushed: W = 1, q = (-1, q_T), mu = 0.5. It slips
/// if |q_T| > 0.5.
std::string one_contact(const std::string &tangential)
{
  return "2\n1\n0\n2\n2\n2 2\n1 0 0 1\n-1 " + tangential + "\n0.5\n";
}

TEST_F(Program, SolvesAProblem)
{
  write("slip.dat", one_contact("0.8"));
  const auto outcome = run("solve slip.dat --solver gauss-seidel");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  expect_parts(outcome.out,
               { "slip.dat",
                 "1 in 2D, local form",
                 "Gauss-Seidel",
                 "error, unit free",
                 "error of Siconos",
                 "0, 0, 1",
                 "solved to 1e-05 (unit free)" });
  EXPECT_EQ(
      run("solve slip.dat --solver Gauss_Seidel --criterion siconos").exit_code,
      0);
  EXPECT_EQ(run("solve slip.dat").exit_code, 0);
}

TEST_F(Program, SolveWritesTheSolution)
{
  write("stick.dat", one_contact("0.2"));
  EXPECT_EQ(run("solve stick.dat --output stick.hdf5").exit_code, 0);
  const auto again = run("solve stick.hdf5 --json");
  EXPECT_EQ(again.exit_code, 0) << again.error;
  const auto json = nlohmann::json::parse(again.out);
  EXPECT_EQ(json["contacts"], 1);
  EXPECT_EQ(json["stick"], 1);
  EXPECT_EQ(json["solved"], true);
  EXPECT_LE(json["error_unit_free"].get<double>(), 1e-5);
  EXPECT_EQ(run("solve stick.dat --output nowhere/x.hdf5").exit_code, 1);
}

TEST_F(Program, SolveTakesDirectories)
{
  fs::create_directory(folder / "many");
  write("many/a.dat", one_contact("0.8"));
  write("many/b.dat", one_contact("0.2"));
  write("many/notes.txt", "not a problem");
  const auto good = run("solve many");
  EXPECT_EQ(good.exit_code, 0) << good.error;
  expect_parts(good.out, { "a.dat", "b.dat", "2 of 2 solved" });
  const auto json = nlohmann::json::parse(run("solve many --json").out);
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(json[1]["stick"], 1);
  // One that cannot be read does not keep the others from being solved.
  write("many/c.dat", "2 1 0 2 2");
  const auto bad = run("solve many");
  EXPECT_EQ(bad.exit_code, 2);
  expect_parts(bad.out, { "NOT READ", "c.dat, line 1", "2 of 3 solved" });
  EXPECT_EQ(run("solve many --output x.hdf5").exit_code, 2);
  fs::create_directory(folder / "none");
  EXPECT_EQ(run("solve none").exit_code, 2);
}

TEST_F(Program, SolveTellsWhatIsWrong)
{
  write("slip.dat", one_contact("0.8"));
  const auto missing = run("solve missing.dat");
  EXPECT_EQ(missing.exit_code, 2);
  expect_parts(missing.error, { "delassus: error:", "missing.dat", "no such" });
  const auto solver = run("solve slip.dat --solver newten");
  EXPECT_EQ(solver.exit_code, 2);
  expect_parts(solver.error, { "'newten'", "Did you mean 'Newton'?" });
  EXPECT_EQ(run("solve slip.dat --criterion strict").exit_code, 2);
  EXPECT_EQ(run("solve slip.dat --tolerance 0").exit_code, 2);
  EXPECT_EQ(run("solve").exit_code, 2);
  // A tolerance that rounding does not allow.
  write("two.dat",
        "2 2 0 4 4 4 4\n"
        "3.1 0.3 1.7 0.1  0.3 2.9 0.2 1.3  1.7 0.2 3.3 0.4  0.1 1.3 0.4 2.7\n"
        "-1 0.7 -0.9 -0.6\n0.3 0.7\n");
  const auto strict = run("solve two.dat --solver gauss-seidel --tolerance "
                          "1e-300 --max-iterations 3");
  EXPECT_EQ(strict.exit_code, 1) << strict.out;
  expect_parts(strict.out, { "NOT solved to 1e-300" });
}
} // namespace

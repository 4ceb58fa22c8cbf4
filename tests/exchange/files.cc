// Problems as files: what is written is read again, wrong files are refused.

#include "problems.h"

#include <delassus/base/exceptions.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

#include <sys/stat.h>

extern "C"
{
#include <fclib.h>
}

using namespace delassus;
using namespace exchange_tests;

namespace
{
/// The message of the InputError that reading gives; anything else fails.
std::string complaint(const std::string &file)
{
  try
  {
    read_problem(file);
  }
  catch (const InputError &e)
  {
    EXPECT_NE(std::string(e.what()).find(file), std::string::npos) << e.what();
    return e.what();
  }
  ADD_FAILURE() << file << " was read";
  return "";
}

void expect_complaint(const std::string &file, const std::string &part)
{
  const std::string what = complaint(file);
  EXPECT_NE(what.find(part), std::string::npos) << what;
}

std::string
replaced(std::string text, const std::string &what, const std::string &by)
{
  const auto position = text.find(what);
  EXPECT_NE(position, std::string::npos) << what;
  return text.replace(position, what.size(), by);
}

/// Reads what may be broken: a problem or InputError, nothing else.
bool survives(const std::string &file)
{
  try
  {
    const ExchangeProblem problem = read_problem(file);
    check_exchange_problem(problem, file);
  }
  catch (const InputError &)
  {
    return true;
  }
  catch (const std::exception &e)
  {
    ADD_FAILURE() << e.what();
    return false;
  }
  return true;
}
} // namespace


TEST(Exchange, SiconosTextOfAllStorages)
{
  for (const unsigned int dim : { 2, 3 })
    for (const bool global : { false, true })
      for (const unsigned int storage : { 0, 1, 2, 3 })
      {
        const ExchangeProblem problem = make_problem(dim, global);
        const std::string file =
            write_file("problem.txt", text_of(problem, storage));
        EXPECT_TRUE(equal(problem, read_problem(file)))
            << dim << "D, global " << global << ", storage " << storage;
      }
}

TEST(Exchange, FclibRoundTrip)
{
  for (const unsigned int dim : { 2, 3 })
    for (const bool global : { false, true })
    {
      const ExchangeProblem problem = make_problem(dim, global);
      const std::string file        = scratch("round_trip.hdf5");
      write_problem(file, problem);
      const ExchangeProblem again = read_problem(file);
      EXPECT_TRUE(equal(problem, again)) << dim << "D, global " << global;
      EXPECT_EQ(again.title, problem.title);
      EXPECT_EQ(again.description, problem.description);
      EXPECT_EQ(again.math_info, problem.math_info);
    }
}

// With libfclib itself, and with the solution.
TEST(Exchange, LibfclibReadsWhatIsWritten)
{
  const ExchangeProblem local = make_problem(3, false);
  const std::size_t m         = local.q.size();
  ExchangeSolution solution;
  for (std::size_t i = 0; i < m; ++i)
  {
    solution.r.push_back(0.5 * i);
    solution.u.push_back(-2. * i);
  }
  const std::string file = scratch("local.hdf5");
  write_problem(file, local, &solution);
  fclib_local *read = fclib_read_local(file.c_str());
  ASSERT_NE(read, nullptr);
  EXPECT_EQ(read->spacedim, 3);
  EXPECT_EQ(read->W->m, static_cast<int>(m));
  EXPECT_EQ(read->W->nz, -2);
  for (int i = 0; i < read->W->m; ++i)
    for (int k = read->W->p[i]; k < read->W->p[i + 1]; ++k)
      EXPECT_EQ(read->W->x[k], entry(local.W, i, read->W->i[k]));
  for (std::size_t i = 0; i < m; ++i)
    EXPECT_EQ(read->q[i], local.q[i]);
  EXPECT_STREQ(read->info->title, local.title.c_str());
  fclib_solution *values = fclib_read_solution(file.c_str());
  ASSERT_NE(values, nullptr);
  for (std::size_t i = 0; i < m; ++i)
  {
    EXPECT_EQ(values->r[i], solution.r[i]);
    EXPECT_EQ(values->u[i], solution.u[i]);
  }
  // What they point to, and they themselves.
  fclib_delete_local(read);
  std::free(read);
  fclib_delete_solutions(values, 1);

  // Global: M v = H r + f.
  const ExchangeProblem global  = make_problem(3, true);
  const std::string global_file = scratch("global.hdf5");
  write_problem(global_file, global, &solution);
  fclib_global *read_global = fclib_read_global(global_file.c_str());
  ASSERT_NE(read_global, nullptr);
  EXPECT_EQ(read_global->H->nz, -1);
  EXPECT_EQ(read_global->H->n, static_cast<int>(m));
  values = fclib_read_solution(global_file.c_str());
  ASSERT_NE(values, nullptr);
  std::vector<double> residual(global.f.size(), 0.);
  add_product(global.M, values->v, residual.data());
  std::vector<double> load = global.f;
  add_product(global.H, solution.r.data(), load.data());
  for (std::size_t i = 0; i < load.size(); ++i)
    EXPECT_NEAR(residual[i], load[i], 1e-11);
  fclib_delete_global(read_global);
  std::free(read_global);
  fclib_delete_solutions(values, 1);
}

TEST(Exchange, ExistingFilesAreReplaced)
{
  const std::string file = scratch("replaced.hdf5");
  write_problem(file, make_problem(2, false));
  write_problem(file, make_problem(3, true));
  EXPECT_TRUE(read_problem(file).global);
  EXPECT_FALSE(std::filesystem::exists(file + ".part"));
}

// libfclib would end the program.
TEST(Exchange, WritingMayFail)
{
  EXPECT_THROW(
      write_problem("/no/such/directory/x.hdf5", make_problem(2, false)),
      ComputationError);
  ExchangeProblem problem = make_problem(2, false);
  problem.q.pop_back();
  EXPECT_THROW(write_problem(scratch("x.hdf5"), problem), InputError);
  ExchangeSolution solution;
  EXPECT_THROW(
      write_problem(scratch("x.hdf5"), make_problem(2, false), &solution),
      InputError);
}

TEST(Exchange, OneTriangleOfMIsCompleted)
{
  const ExchangeProblem problem = make_problem(3, true);
  ExchangeProblem upper         = problem;
  std::vector<Triplet> entries;
  for (std::size_t j = 0; j < problem.M.n_columns; ++j)
    for (std::size_t k = problem.M.start[j]; k < problem.M.start[j + 1]; ++k)
      if (problem.M.row[k] <= j)
        entries.push_back({ problem.M.row[k], j, problem.M.value[k] });
  upper.M = compress_columns(problem.M.n_rows, problem.M.n_columns, entries);
  const std::string file = scratch("upper.hdf5");
  write_problem(file, upper);
  const ExchangeProblem again = read_problem(file);
  for (std::size_t j = 0; j < problem.M.n_columns; ++j)
    for (std::size_t i = 0; i < problem.M.n_rows; ++i)
      EXPECT_EQ(entry(again.M, i, j),
                i <= j ? entry(problem.M, i, j) : entry(problem.M, j, i));
}

TEST(Exchange, PipesAreRefused)
{
  const std::string pipe = scratch("pipe.dat");
  std::filesystem::remove(pipe);
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THROW(read_problem(pipe), InputError);
}

TEST(Exchange, WrongTextIsRefused)
{
  const ExchangeProblem problem = make_problem(2, false, 2);
  const std::string text        = text_of(problem, 0);
  const auto wrong = [](const std::string &what, const std::string &part)
  { expect_complaint(write_file("wrong.dat", what), part); };
  expect_complaint(scratch("missing.dat"), "no such file");
  expect_complaint(std::filesystem::path(scratch("x")).parent_path().string(),
                   "directory");
  wrong("", "empty");
  wrong("Once upon a time", "'Once' is not the dimension");
  wrong(replaced(text, "2\n", "4\n"), "dimension");
  wrong(replaced(text, "2\n2\n", "2\n0\n"), "number of contacts is 0");
  wrong(replaced(text, "2\n2\n", "2\n-1\n"), "'-1'");
  wrong(replaced(text, "2\n2\n", "2\n3\n"), "4 rows, but 6");
  wrong(replaced(text, "2\n2\n0\n", "2\n2\n5\n"), "storage");
  wrong(replaced(text, "4\t4", "4\t5"), "columns here");
  wrong(text.substr(0, text.size() / 2), "the file ends");
  wrong(text + "1 2 3", "should end");
  const std::string mu = fmt::format("{:.17e}", problem.mu[1]);
  wrong(replaced(text, mu, "nan"), "finite");
  wrong(replaced(text, mu, "1e999"), "finite");
  wrong(replaced(text, mu, "-0.1"), "must not be negative");
  wrong(replaced(text, mu, "zero"), "not a number");
  // Sparse blocks and text.
  const std::string blocks = text_of(problem, 1);
  wrong(replaced(blocks, "0 1\t2", "0 1\t3"), "pointers");
  wrong(replaced(blocks, "2\t4\t\n2\t4", "2\t5\t\n2\t4"), "ends of block rows");
  const std::string sparse = text_of(problem, 2);
  wrong(replaced(sparse, "col 1", "col 2"), "column 1");
  wrong(replaced(sparse, "nnz: 8", "nnz: 9"), "says that it has 9");
  wrong(replaced(sparse, "4-by-4", "4-by-5"), "4-by-5");
  const std::string triplets = text_of(problem, 3);
  wrong(replaced(triplets, "\n    3 3 :", "\n    4 3 :"), "outside");
  // Sizes that no file can hold must not take memory.
  wrong("3 600000000 0 1800000000 1800000000 1800000000 1800000000 1 2",
        "ends");
  wrong("3 1 1 3 3 2000000000 1 1 3 3 2 1 0 1 0 0 1", "block");
}

TEST(Exchange, WrongFclibIsRefused)
{
  const ExchangeProblem problem = make_problem(3, false, 3);
  const std::string file        = scratch("good.hdf5");
  write_problem(file, problem);
  const std::string bytes = bytes_of(file);
  expect_complaint(write_file("short.hdf5", bytes.substr(0, bytes.size() / 2)),
                   "truncated or damaged");
  // Values inside: the friction of the last contact, and an entry of W.
  const auto with = [&](const double old_value, const double new_value)
  {
    return replaced(bytes,
                    { reinterpret_cast<const char *>(&old_value), 8 },
                    { reinterpret_cast<const char *>(&new_value), 8 });
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_complaint(write_file("negative.hdf5", with(problem.mu[2], -1.)),
                   "must not be negative");
  expect_complaint(write_file("nan.hdf5", with(problem.q[1], nan)),
                   "value 1 of q");
  expect_complaint(write_file("nan_w.hdf5", with(problem.W.value[0], nan)),
                   "row 0, column 0 of the matrix W");
}

TEST(Exchange, DamagedTextNeverCrashes)
{
  for (const unsigned int storage : { 0, 1, 2, 3 })
    for (const bool global : { false, true })
    {
      const std::string text = text_of(make_problem(2, global, 3), storage);
      for (std::size_t n = 0; n < text.size(); n += 1 + text.size() / 200)
      {
        // Cut inside of W, M or H nothing can be read.
        const std::string file = write_file("cut.dat", text.substr(0, n));
        if (n < text.size() / 2)
          complaint(file);
        else
          ASSERT_TRUE(survives(file));
      }
      std::mt19937 random(storage);
      for (unsigned int i = 0; i < 200; ++i)
      {
        std::string flipped = text;
        for (unsigned int k = 0; k <= i % 3; ++k)
          flipped[random() % flipped.size()] ^= 1 << random() % 8;
        ASSERT_TRUE(survives(write_file("flipped.dat", flipped)));
      }
    }
}

TEST(Exchange, DamagedFclibNeverCrashes)
{
  for (const bool global : { false, true })
  {
    const std::string file = scratch("whole.hdf5");
    write_problem(file, make_problem(3, global, 2));
    const std::string bytes = bytes_of(file);
    for (std::size_t n = 0; n < bytes.size(); n += 1 + bytes.size() / 60)
      complaint(write_file("cut.hdf5", bytes.substr(0, n)));
    std::mt19937 random(global);
    for (unsigned int i = 0; i < 200; ++i)
    {
      std::string flipped = bytes;
      for (unsigned int k = 0; k <= i % 4; ++k)
        flipped[8 + random() % (flipped.size() - 8)] ^= 1 << random() % 8;
      ASSERT_TRUE(survives(write_file("flipped.hdf5", flipped))) << i;
    }
  }
}

// All files of a folder that the environment names.
TEST(Exchange, CollectionIsRead)
{
  const char *folder = std::getenv("DELASSUS_FCLIB");
  if (folder == nullptr)
    GTEST_SKIP() << "DELASSUS_FCLIB is not set";
  std::size_t n = 0;
  for (const auto &file : std::filesystem::directory_iterator(folder))
    if (file.path().extension() == ".dat" || file.path().extension() == ".hdf5")
    {
      ++n;
      const ExchangeProblem problem = read_problem(file.path().string());
      const std::string copy        = scratch("copy.hdf5");
      write_problem(copy, problem);
      EXPECT_TRUE(equal(problem, read_problem(copy))) << file.path();
    }
  EXPECT_GT(n, 0u);
}

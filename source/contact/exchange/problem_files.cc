#include <delassus/base/archive.h>
#include <delassus/base/child_process.h>
#include <delassus/base/exceptions.h>
#include <delassus/base/input_text.h>
#include <delassus/contact/exchange/body_inverse.h>
#include <delassus/contact/exchange/compressed_columns.h>
#include <delassus/contact/exchange/problem_files.h>

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace fs = std::filesystem;

namespace delassus
{
namespace
{
void check_values(const std::vector<double> &values,
                  const std::size_t expected,
                  const std::string &name,
                  const std::string &where)
{
  if (values.size() != expected)
    throw InputError(fmt::format("{}: {} has {} values, but {} are expected.",
                                 where,
                                 name,
                                 values.size(),
                                 expected));
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      throw InputError(fmt::format("{}: value {} of {} is {}, but must be "
                                   "finite.",
                                   where,
                                   i,
                                   name,
                                   values[i]));
}

void check_matrix(const CompressedColumns &A,
                  const std::size_t n_rows,
                  const std::size_t n_columns,
                  const std::string &name,
                  const std::string &where)
{
  if (A.n_rows != n_rows || A.n_columns != n_columns ||
      A.start.size() != n_columns + 1 || A.row.size() != A.value.size() ||
      A.start.back() != A.row.size())
    throw InputError(fmt::format("{}: the matrix {} has {} rows and {} "
                                 "columns, but {} and {} are expected.",
                                 where,
                                 name,
                                 A.n_rows,
                                 A.n_columns,
                                 n_rows,
                                 n_columns));
  for (std::size_t j = 0; j < A.n_columns; ++j)
    for (std::size_t k = A.start[j]; k < A.start[j + 1]; ++k)
      if (!std::isfinite(A.value[k]))
        throw InputError(fmt::format("{}: row {}, column {} of the matrix {} "
                                     "is {}, but must be finite.",
                                     where,
                                     A.row[k],
                                     j,
                                     name,
                                     A.value[k]));
}

/// HDF5's signature, at the beginning or after a block of the user's.
bool is_hdf5(const std::string &text)
{
  for (const std::size_t offset : { 0, 512, 1024, 2048 })
    if (text.size() >= offset + 8 &&
        std::memcmp(text.data() + offset, "\x89HDF\r\n\x1a\n", 8) == 0)
      return true;
  return false;
}
} // namespace


void check_exchange_problem(const ExchangeProblem &problem,
                            const std::string &where)
{
  if (problem.dim != 2 && problem.dim != 3)
    throw InputError(fmt::format(
        "{}: the dimension is {}, but must be 2 or 3.", where, problem.dim));
  const std::size_t m = problem.dim * problem.n_contacts();
  if (m == 0)
    throw InputError(fmt::format(
        "{}: there are no contacts; one at least is expected.", where));
  if (problem.global)
  {
    const std::size_t n = problem.M.n_rows;
    check_matrix(problem.M, n, n, "M", where);
    check_matrix(problem.H, n, m, "H", where);
    check_values(problem.f, n, "f", where);
    check_values(problem.w, m, "w", where);
  }
  else
  {
    check_matrix(problem.W, m, m, "W", where);
    check_values(problem.q, m, "q", where);
  }
  check_values(
      problem.mu, problem.n_contacts(), "the friction coefficients", where);
  for (std::size_t a = 0; a < problem.n_contacts(); ++a)
    if (problem.mu[a] < 0.)
      throw InputError(fmt::format("{}: the friction coefficient of contact {} "
                                   "is {}, but must not be negative.",
                                   where,
                                   a,
                                   problem.mu[a]));
}


namespace
{
void archive_matrix(Archive &archive, CompressedColumns &A)
{
  archive("rows", A.n_rows);
  archive("columns", A.n_columns);
  archive("start", A.start);
  archive("row", A.row);
  archive("value", A.value);
}

void archive_problem(Archive &archive, ExchangeProblem &problem)
{
  archive("dim", problem.dim);
  archive("global", problem.global);
  for (auto *A : { &problem.W, &problem.M, &problem.H })
    archive_matrix(archive, *A);
  for (auto *x : { &problem.q, &problem.f, &problem.w, &problem.mu })
    archive("values", *x);
  for (auto *text :
       { &problem.title, &problem.description, &problem.math_info })
    archive("text", *text);
}

/// The libraries of the format trust what they read: a child process does it.
ExchangeProblem read_fclib_in_child(const std::string &file)
{
  std::string bytes;
  try
  {
    bytes = run_in_child(
        [&]()
        {
          ExchangeProblem problem = read_fclib(file);
          Archive archive;
          archive_problem(archive, problem);
          return archive.bytes();
        },
        ChildLimits());
  }
  catch (const ChildFailure &e)
  {
    throw InputError(
        fmt::format("{}: the file cannot be read: {}.", file, e.what()));
  }
  ExchangeProblem problem;
  Archive archive(std::move(bytes), file);
  archive_problem(archive, problem);
  for (auto *text :
       { &problem.title, &problem.description, &problem.math_info })
    *text = escape_bad_bytes(*text);
  return problem;
}
} // namespace

ExchangeProblem read_problem(const std::string &file)
{
  std::error_code error;
  if (!fs::exists(file, error))
    throw InputError(fmt::format("{}: there is no such file.", file));
  if (fs::is_directory(file, error))
    throw InputError(
        fmt::format("{}: is a directory; a problem in FCLIB's format or "
                    "Siconos' text is expected.",
                    file));
  expect_regular_file(file, file);
  std::ifstream in(file, std::ios::binary);
  std::string text{ std::istreambuf_iterator<char>(in),
                    std::istreambuf_iterator<char>() };
  if (!in.is_open() || in.bad())
    throw InputError(fmt::format("{}: the file cannot be read.", file));
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    throw InputError(
        fmt::format("{}: the file is empty; a problem in FCLIB's format or "
                    "Siconos' text is expected.",
                    file));
  ExchangeProblem problem =
      is_hdf5(text) ? read_fclib_in_child(file) : read_siconos_text(file, text);
  check_exchange_problem(problem, file);
  if (problem.global)
    complete_triangle(problem.M);
  if (problem.title.empty())
    problem.title = escape_bad_bytes(fs::path(file).stem().string());
  return problem;
}


void write_problem(const std::string &file,
                   const ExchangeProblem &problem,
                   const ExchangeSolution *solution)
{
  check_exchange_problem(problem, file);
  ExchangeSolution complete;
  if (solution != nullptr)
  {
    const std::size_t m = problem.dim * problem.n_contacts();
    complete            = *solution;
    check_values(complete.r, m, "r of the solution", file);
    check_values(complete.u, m, "u of the solution", file);
    if (problem.global && complete.v.empty())
    {
      complete.v = problem.f;
      add_product(problem.H, complete.r.data(), complete.v.data());
      BodyInverse(problem.M, file).solve(complete.v.data(), 1);
    }
    if (problem.global)
      check_values(complete.v, problem.M.n_rows, "v of the solution", file);
  }
  const std::string part = file + ".part";
  std::error_code error;
  fs::remove(part, error);
  const bool written =
      write_fclib(part, problem, solution == nullptr ? nullptr : &complete);
  if (written)
    fs::rename(part, file, error);
  if (!written || error)
  {
    fs::remove(part, error);
    throw ComputationError(
        fmt::format("{}: the problem cannot be written.", file));
  }
}
} // namespace delassus

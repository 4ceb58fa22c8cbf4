#ifndef tests_exchange_problems_h
#define tests_exchange_problems_h

#include <delassus/contact/exchange/compressed_columns.h>
#include <delassus/contact/exchange/problem_files.h>

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include <unistd.h>

// Problems made here, and Siconos' text of them.

namespace exchange_tests
{
using namespace delassus;

inline std::string scratch(const std::string &name)
{
  const auto folder = std::filesystem::temp_directory_path() /
                      ("delassus_exchange_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  return (folder / name).string();
}

inline std::string write_file(const std::string &name, const std::string &text)
{
  const std::string file = scratch(name);
  std::filesystem::remove(file); // overwriting waits for the disk
  std::ofstream(file, std::ios::binary) << text;
  return file;
}

inline std::string bytes_of(const std::string &file)
{
  std::ifstream in(file, std::ios::binary);
  return { std::istreambuf_iterator<char>(in),
           std::istreambuf_iterator<char>() };
}

inline double
entry(const CompressedColumns &A, const std::size_t i, const std::size_t j)
{
  for (std::size_t k = A.start[j]; k < A.start[j + 1]; ++k)
    if (A.row[k] == i)
      return A.value[k];
  return 0.;
}

/// Bodies with a mass matrix of their own (dense blocks of six), contacts
/// between them at random, or W made of them.
inline ExchangeProblem make_problem(const unsigned int dim,
                                    const bool global,
                                    const std::size_t n_contacts = 7,
                                    const unsigned int seed      = 1)
{
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1., 1.);
  constexpr std::size_t block = 6;
  const std::size_t n_bodies = 4, n = block * n_bodies, m = dim * n_contacts;
  std::vector<double> M(n * n, 0.), H(n * m, 0.);
  for (std::size_t b = 0; b < n_bodies; ++b)
  {
    double L[block][block] = {};
    for (std::size_t i = 0; i < block; ++i)
      for (std::size_t j = 0; j <= i; ++j)
        L[i][j] = i == j ? 2. + number(random) : 0.3 * number(random);
    for (std::size_t i = 0; i < block; ++i)
      for (std::size_t j = 0; j < block; ++j)
        for (std::size_t k = 0; k < block; ++k)
          M[(b * block + j) * n + b * block + i] += L[i][k] * L[j][k];
  }
  for (std::size_t a = 0; a < n_contacts; ++a)
    for (unsigned int c = 0; c < dim; ++c)
      for (std::size_t i = 0; i < block; ++i)
      {
        H[(dim * a + c) * n + (a % n_bodies) * block + i] = number(random);
        if (a % 3 != 0)
          H[(dim * a + c) * n + ((a + 1) % n_bodies) * block + i] =
              number(random);
      }
  const auto sparse = [](const std::vector<double> &A,
                         const std::size_t rows,
                         const std::size_t columns)
  {
    std::vector<Triplet> entries;
    for (std::size_t j = 0; j < columns; ++j)
      for (std::size_t i = 0; i < rows; ++i)
        if (A[j * rows + i] != 0.)
          entries.push_back({ i, j, A[j * rows + i] });
    return compress_columns(rows, columns, entries);
  };
  ExchangeProblem problem;
  problem.dim    = dim;
  problem.global = global;
  for (std::size_t a = 0; a < n_contacts; ++a)
    problem.mu.push_back(0.2 + 0.1 * (a % 4));
  if (global)
  {
    problem.M = sparse(M, n, n);
    problem.H = sparse(H, n, m);
    for (std::size_t i = 0; i < n; ++i)
      problem.f.push_back(number(random));
    for (std::size_t i = 0; i < m; ++i)
      problem.w.push_back(number(random) - (i % dim == 0 ? 1. : 0.));
  }
  else
  {
    // W = H^T H, somewhat nonsymmetric.
    std::vector<double> W(m * m, 0.);
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < m; ++j)
      {
        for (std::size_t k = 0; k < n; ++k)
          W[j * m + i] += H[i * n + k] * H[j * n + k];
        W[j * m + i] *= i < j ? 1.0001 : 1.;
      }
    problem.W = sparse(W, m, m);
    for (std::size_t i = 0; i < m; ++i)
      problem.q.push_back(number(random) - (i % dim == 0 ? 1. : 0.));
  }
  problem.title       = "Made by a test";
  problem.description = "Random bodies.\nTwo lines.";
  problem.math_info   = "unknown";
  return problem;
}

/// Siconos' text of a matrix; storages 0, 1, 2 and 3 (2 by triplets).
inline std::string text_of(const CompressedColumns &A,
                           const unsigned int storage,
                           const unsigned int block)
{
  std::string text =
      fmt::format("{}\n{}\n{}\n", std::min(storage, 2u), A.n_rows, A.n_columns);
  if (storage == 0)
  {
    text += fmt::format("{}\t{}\n", A.n_rows, A.n_columns);
    for (std::size_t j = 0; j < A.n_columns; ++j, text += "\n")
      for (std::size_t i = 0; i < A.n_rows; ++i)
        text += fmt::format(" {:.17e}", entry(A, i, j));
  }
  else if (storage == 1)
  {
    const std::size_t rows = A.n_rows / block, columns = A.n_columns / block;
    std::string ends_r, ends_c, pointers = "0 ", indices, blocks;
    for (std::size_t a = 1; a <= rows; ++a)
      ends_r += fmt::format("{}\t", a * block);
    for (std::size_t b = 1; b <= columns; ++b)
      ends_c += fmt::format("{}\t", b * block);
    std::size_t n_blocks = 0;
    for (std::size_t a = 0; a < rows; ++a)
    {
      for (std::size_t b = 0; b < columns; ++b)
      {
        std::string values;
        bool any = false;
        for (std::size_t j = 0; j < block; ++j)
          for (std::size_t i = 0; i < block; ++i)
          {
            const double x = entry(A, a * block + i, b * block + j);
            any |= x != 0.;
            values += fmt::format("  {:.17e}\n", x);
          }
        if (!any)
          continue;
        blocks += fmt::format("{}\n{}", n_blocks++, values);
        indices += fmt::format("{}\t", b);
      }
      pointers += fmt::format("{}\t", n_blocks);
    }
    text += fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}",
                        n_blocks,
                        rows,
                        columns,
                        ends_r,
                        ends_c,
                        rows + 1,
                        n_blocks,
                        pointers,
                        indices,
                        blocks);
  }
  else
  {
    text += storage == 3 ? "1\n" : "2\n";
    text += "CSparse Version 3.1.9, May 4, 2016.  Copyright (c) someone\n";
    const std::size_t n = A.row.size();
    if (storage == 3)
      text += fmt::format("triplet: {}-by-{}, nzmax: {} nnz: {}\n",
                          A.n_rows,
                          A.n_columns,
                          n,
                          n);
    else
      text += fmt::format("{}-by-{}, nzmax: {} nnz: {}, 1-norm: 1.5\n",
                          A.n_rows,
                          A.n_columns,
                          n,
                          n);
    for (std::size_t j = 0; j < A.n_columns; ++j)
    {
      if (storage == 2)
        text += fmt::format("    col {} : locations {} to {}\n",
                            j,
                            A.start[j],
                            static_cast<long>(A.start[j + 1]) - 1);
      for (std::size_t k = A.start[j]; k < A.start[j + 1]; ++k)
        text +=
            storage == 2
                ? fmt::format("      {} : {:.17g}\n", A.row[k], A.value[k])
                : fmt::format("    {} {} : {:.17g}\n", A.row[k], j, A.value[k]);
    }
  }
  return text;
}

inline std::string text_of(const ExchangeProblem &problem,
                           const unsigned int storage)
{
  std::string text = fmt::format("{}\n{}\n", problem.dim, problem.n_contacts());
  const auto add   = [&](const std::vector<double> &values)
  {
    for (const double x : values)
      text += fmt::format(" {:.17e} ", x);
    text += "\n";
  };
  if (problem.global)
  {
    text += text_of(problem.M, storage, problem.dim);
    text += text_of(problem.H, storage, problem.dim);
    add(problem.f);
    add(problem.w);
  }
  else
  {
    text += text_of(problem.W, storage, problem.dim);
    add(problem.q);
  }
  add(problem.mu);
  return text + "0\n";
}

inline bool equal(const CompressedColumns &A, const CompressedColumns &B)
{
  return A.n_rows == B.n_rows && A.n_columns == B.n_columns &&
         A.start == B.start && A.row == B.row && A.value == B.value;
}

inline bool equal(const ExchangeProblem &a, const ExchangeProblem &b)
{
  return a.dim == b.dim && a.global == b.global && equal(a.W, b.W) &&
         equal(a.M, b.M) && equal(a.H, b.H) && a.q == b.q && a.f == b.f &&
         a.w == b.w && a.mu == b.mu;
}
} // namespace exchange_tests

#endif

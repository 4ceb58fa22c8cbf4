#ifndef delassus_contact_exchange_compressed_columns_h
#define delassus_contact_exchange_compressed_columns_h

#include <delassus/contact/problem/exchange_problem.h>

#include <cstddef>
#include <vector>

namespace delassus
{
/// An entry of a sparse matrix.
struct Triplet
{
  std::size_t row = 0, column = 0;
  double value = 0.;
};

/// Entries in any order; those given more than once are added. All must be
/// inside the matrix.
CompressedColumns compress_columns(std::size_t n_rows,
                                   std::size_t n_columns,
                                   const std::vector<Triplet> &entries);

CompressedColumns transpose(const CompressedColumns &A);

/// The largest |A - A^T| over the largest |A|; A is square.
double asymmetry(const CompressedColumns &A);

/// Both triangles of a square matrix of which only one is stored; others are
/// left alone.
void complete_triangle(CompressedColumns &A);

/// y += A x and y += A^T x.
void add_product(const CompressedColumns &A, const double *x, double *y);
void add_transposed_product(const CompressedColumns &A,
                            const double *x,
                            double *y);
} // namespace delassus

#endif

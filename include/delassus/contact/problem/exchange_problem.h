#ifndef delassus_contact_problem_exchange_problem_h
#define delassus_contact_problem_exchange_problem_h

#include <cstddef>
#include <string>
#include <vector>

namespace delassus
{
/// A sparse matrix as compressed columns: the entries of column j are
/// start[j] ... start[j+1]-1, rows ascending, none twice.
struct CompressedColumns
{
  std::size_t n_rows = 0, n_columns = 0;
  std::vector<std::size_t> start; ///< n_columns + 1 values
  std::vector<unsigned int> row;
  std::vector<double> value;
};

/// A frictional-contact problem as programs exchange it (FCLIB, Siconos):
///
///   u = W r + q                        (local form)
///   M v = H r + f,  u = H^T v + w      (global form)
///
/// with Signorini's and Coulomb's laws between u and r. Contact a has entries
/// dim*a ... dim*a+dim-1, normal first.
struct ExchangeProblem
{
  unsigned int dim = 3;
  bool global      = false;

  CompressedColumns W; ///< local form
  std::vector<double> q;

  CompressedColumns M, H; ///< global form; M with both triangles
  std::vector<double> f, w;

  std::vector<double> mu; ///< one a contact

  std::string title, description, math_info;

  std::size_t n_contacts() const
  {
    return mu.size();
  }
};
} // namespace delassus

#endif

#include <delassus/shell_systems/shell_mass_inverse.h>

#include <algorithm>

namespace delassus
{
void ShellMassInverse::clear()
{
  first.clear();
  size.clear();
  start.clear();
  M.clear();
  D.clear();
  two_terms = false;
}

void ShellMassInverse::add_block(const unsigned int n,
                                 const double (&given)[3][3])
{
  // Gauss-Jordan without pivoting: of a positive definite matrix.
  double B[3][3];
  std::copy_n(&given[0][0], 9, &B[0][0]);
  for (unsigned int k = 0; k < n; ++k)
  {
    const double pivot = B[k][k];
    if (!(pivot > 0.))
      throw_not_positive_definite("the lumped mass of a shell");
    B[k][k] = 1.;
    for (unsigned int j = 0; j < n; ++j)
      B[k][j] /= pivot;
    for (unsigned int i = 0; i < n; ++i)
    {
      if (i == k)
        continue;
      const double factor = B[i][k];
      B[i][k]             = 0.;
      for (unsigned int j = 0; j < n; ++j)
        B[i][j] -= factor * B[k][j];
    }
  }
  const unsigned int begin = first.size();
  for (unsigned int i = 0; i < n; ++i)
  {
    first.push_back(begin);
    size.push_back(n);
    start.push_back(M.size());
    for (unsigned int j = 0; j < n; ++j)
    {
      M.push_back(given[i][j]);
      D.push_back(0.5 * (B[i][j] + B[j][i]));
    }
  }
}

void ShellMassInverse::set_stiffness(const SymmetricMatrix &K,
                                     const double factor)
{
  two_terms = true;
  if (A.row.size() != K.row.size() || A.n != K.n)
    A = K;
  for (std::size_t i = 0; i < K.value.size(); ++i)
    A.value[i] = factor * K.value[i];
}

void ShellMassInverse::multiply(const std::vector<double> &blocks,
                                const double *x,
                                double *y) const
{
  for (std::size_t u = 0; u < first.size(); ++u)
  {
    const double *row = blocks.data() + start[u], *from = x + first[u];
    double sum = 0.;
    for (unsigned int j = 0; j < size[u]; ++j)
      sum += row[j] * from[j];
    y[u] = sum;
  }
}

void ShellMassInverse::solve(double *X, const unsigned int n_columns)
{
  const std::size_t n = first.size();
  scaled.resize(n);
  product.resize(n);
  for (unsigned int c = 0; c < n_columns; ++c, X += n)
  {
    multiply(D, X, scaled.data());
    if (!two_terms)
    {
      std::copy(scaled.begin(), scaled.end(), X);
      continue;
    }
    for (std::size_t i = 0; i < n; ++i)
    {
      double sum = 0.;
      for (int k = A.column_start[i]; k < A.column_start[i + 1]; ++k)
        sum += A.value[k] * scaled[A.row[k]];
      product[i] = sum;
    }
    multiply(D, product.data(), X);
    for (std::size_t i = 0; i < n; ++i)
      X[i] = scaled[i] - X[i];
  }
}

void ShellMassInverse::inverse_entries(const std::vector<unsigned int> &rows,
                                       const std::vector<unsigned int> &columns,
                                       double *E)
{
  // Columns are sparse: of D those of a block, of D A D what A makes of it.
  scaled.assign(first.size(), 0.);
  std::vector<unsigned int> touched;
  for (std::size_t j = 0; j < columns.size(); ++j)
  {
    const unsigned int column = columns[j], from = first[column],
                       n = size[column];
    const auto add       = [&](const unsigned int i, const double what)
    {
      touched.push_back(i);
      scaled[i] += what;
    };
    for (unsigned int i = from; i < from + n; ++i)
      add(i, inverse(i, column));
    if (two_terms)
      for (unsigned int i = from; i < from + n; ++i)
        for (int k = A.column_start[i]; k < A.column_start[i + 1]; ++k)
        {
          const double entry      = A.value[k] * inverse(i, column);
          const unsigned int row  = A.row[k];
          const unsigned int last = first[row] + size[row];
          for (unsigned int l = first[row]; l < last; ++l)
            add(l, -inverse(l, row) * entry);
        }
    for (std::size_t i = 0; i < rows.size(); ++i)
      E[i + j * rows.size()] = scaled[rows[i]];
    for (const unsigned int i : touched)
      scaled[i] = 0.;
    touched.clear();
  }
}

std::size_t ShellMassInverse::memory_consumption() const
{
  return 3 * first.size() * sizeof(unsigned int) +
         (M.size() + D.size() + scaled.size() + product.size()) *
             sizeof(double) +
         A.memory_consumption();
}

void ShellMassInverse::for_each_mass(
    const std::function<void(unsigned int, unsigned int, double)> &add) const
{
  for (unsigned int u = 0; u < first.size(); ++u)
    for (unsigned int j = 0; j < size[u]; ++j)
      add(first[u] + j, u, M[start[u] + j]);
}
} // namespace delassus

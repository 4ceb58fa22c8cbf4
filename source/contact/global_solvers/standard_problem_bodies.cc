#include <delassus/base/exceptions.h>
#include <delassus/contact/global_solvers/standard_problem.h>
#include <delassus/contact/global_solvers/standard_problem_internal.h>
#include <delassus/contact/global_solvers/standard_rows.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
using internal::is_near;
using internal::smallest_eigenvalue;
using internal::transposed;

/// A := A + H D H^T.
template <int dim>
void StandardProblem<dim>::add_springs(const CompressedColumns &H,
                                       CompressedColumns &A) const
{
  std::vector<std::vector<std::pair<unsigned int, double>>> more(A.n_columns);
  for (std::size_t a = 0; a < changes.size(); ++a)
  {
    if (!changes[a].spring)
      continue;
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j)
      {
        // The same number on both sides of the diagonal.
        const double D =
            0.5 * (changes[a].D[i * dim + j] + changes[a].D[j * dim + i]);
        if (D == 0.)
          continue;
        const std::size_t p = dim * a + i, q = dim * a + j;
        for (std::size_t k = H.start[p]; k < H.start[p + 1]; ++k)
          for (std::size_t l = H.start[q]; l < H.start[q + 1]; ++l)
            more[H.row[l]].emplace_back(H.row[k], H.value[k] * D * H.value[l]);
      }
  }
  CompressedColumns sum;
  sum.n_rows    = A.n_rows;
  sum.n_columns = A.n_columns;
  sum.start.assign(1, 0);
  sum.row.reserve(A.row.size());
  sum.value.reserve(A.row.size());
  for (std::size_t j = 0; j < A.n_columns; ++j)
  {
    auto &column = more[j];
    std::stable_sort(column.begin(),
                     column.end(),
                     [](const auto &x, const auto &y)
                     { return x.first < y.first; });
    std::size_t k = A.start[j], l = 0;
    while (k < A.start[j + 1] || l < column.size())
    {
      const bool from_A = k < A.start[j + 1] &&
                          (l == column.size() || A.row[k] <= column[l].first);
      const unsigned int row = from_A ? A.row[k] : column[l].first;
      double value           = from_A ? A.value[k++] : 0.;
      for (; l < column.size() && column[l].first == row; ++l)
        value += column[l].second;
      sum.row.push_back(row);
      sum.value.push_back(value);
    }
    sum.start.push_back(sum.row.size());
  }
  A = std::move(sum);
}


template <int dim>
void StandardProblem<dim>::make_bodies()
{
  const GlobalForm *given = original->global_form();
  if (given == nullptr)
    throw ComputationError(
        "Contact solver: the global form needs the matrix of the bodies and "
        "H, which this problem does not have. Use a solver on W.");
  for (std::size_t a = 0; a < changes.size(); ++a)
  {
    const Change &change = changes[a];
    if (change.affine && (!is_near<dim>(change.L, transposed<dim>(change.S)) ||
                          !is_near<dim>(change.D, transposed<dim>(change.D)) ||
                          !is_near<dim>(change.C, transposed<dim>(change.C)) ||
                          smallest_eigenvalue<dim>(change.C) < 0.))
      throw ComputationError(fmt::format(
          "Contact {}: its law is not symmetric or has a negative compliance, "
          "which the global form does not support. Use a solver on W.",
          a));
  }

  n_bodies = given->A.n_rows;
  form.A   = given->A;
  if (has_springs)
  {
    add_springs(given->H, form.A);
    try
    {
      factor = factorize_within_memory(symmetric_matrix(form.A),
                                       original->memory_limit);
    }
    catch (const MemoryLimitError &)
    {
      throw;
    }
    catch (const ComputationError &)
    {
      why = "contact laws soften so much that the matrix of the bodies with "
            "their springs is not positive definite; a smaller time step makes "
            "the mass dominate";
      return;
    }
  }
  add_compliances(given->H);
  if (has_springs)
    form.solve = [this](double *x)
    {
      factor->solve(x, 1);
      for (std::size_t k = 0; k < added_compliance.size(); ++k)
        x[n_bodies + k] *= added_compliance[k];
    };
  standard.global = &form;
  make_applied();
}


/// H S, and below it the unknowns of compliances.
template <int dim>
void StandardProblem<dim>::add_compliances(const CompressedColumns &H)
{
  added_compliance.clear();
  // In units in which they are as stiff as the bodies are in the mean: methods
  // take their scales from the diagonal.
  double mean         = 0.;
  const std::size_t n = form.A.start.size() - 1;
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = form.A.start[j]; k < form.A.start[j + 1]; ++k)
      mean += form.A.row[k] == j ? form.A.value[k] / n : 0.;
  if (!(mean > 0.))
    mean = 1.;
  form.H.n_columns = H.n_columns;
  form.H.start.assign(1, 0);
  for (std::size_t a = 0; a < changes.size(); ++a)
  {
    const Change &change         = changes[a];
    const std::size_t first_here = added_compliance.size();
    LocalVector<dim> values{};
    LocalMatrix<dim> vectors{};
    if (change.affine)
    {
      symmetric_eigen<dim>(change.C, values, vectors);
      const double largest = *std::max_element(values.begin(), values.end());
      for (int k = 0; k < dim; ++k)
      {
        if (!(values[k] > internal::relative_rounding * largest))
          values[k] = 0.;
        else
          added_compliance.push_back(1. / mean);
      }
    }
    for (int j = 0; j < dim; ++j)
    {
      if (change.S == identity_matrix<dim>())
        for (std::size_t k = H.start[dim * a + j]; k < H.start[dim * a + j + 1];
             ++k)
        {
          form.H.row.push_back(H.row[k]);
          form.H.value.push_back(H.value[k]);
        }
      else
      {
        std::vector<std::pair<unsigned int, double>> entries;
        for (int i = 0; i < dim; ++i)
          for (std::size_t k = H.start[dim * a + i];
               k < H.start[dim * a + i + 1];
               ++k)
            entries.emplace_back(H.row[k], H.value[k] * change.S[i * dim + j]);
        std::stable_sort(entries.begin(),
                         entries.end(),
                         [](const auto &x, const auto &y)
                         { return x.first < y.first; });
        for (std::size_t k = 0; k < entries.size(); ++k)
          if (k > 0 && entries[k].first == entries[k - 1].first)
            form.H.value.back() += entries[k].second;
          else
          {
            form.H.row.push_back(entries[k].first);
            form.H.value.push_back(entries[k].second);
          }
      }
      std::size_t number = n_bodies + first_here;
      for (int k = 0; k < dim; ++k)
        if (values[k] > 0.)
        {
          form.H.row.push_back(number++);
          form.H.value.push_back(std::sqrt(values[k] * mean) *
                                 vectors[j * dim + k]);
        }
      form.H.start.push_back(form.H.row.size());
    }
  }
  form.H.n_rows = form.A.n_rows = form.A.n_columns =
      n_bodies + added_compliance.size();
  for (std::size_t k = 0; k < added_compliance.size(); ++k)
  {
    form.A.row.push_back(n_bodies + k);
    form.A.value.push_back(1. / added_compliance[k]);
    form.A.start.push_back(form.A.row.size());
  }
}

#define INSTANTIATE(dim) template void StandardProblem<dim>::make_bodies()
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus

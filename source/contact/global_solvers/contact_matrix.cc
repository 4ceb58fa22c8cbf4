#include <delassus/contact/global_solvers/contact_matrix.h>
#include <delassus/contact/global_solvers/standard_rows.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace delassus
{
namespace
{
template <int dim>
bool is_zero(const LocalMatrix<dim> &K)
{
  return std::all_of(
      K.begin(), K.end(), [](const double x) { return x == 0.; });
}
} // namespace


template <int dim>
void ContactMatrix<dim>::read_rows(const GlobalForm &form)
{
  const CompressedColumns &H = form.H;
  h_start.assign(1, 0);
  h_row.clear();
  h_value.clear();
  for (std::size_t a = 0; a < H.n_columns / dim; ++a)
  {
    const std::size_t first = h_start.back();
    for (std::size_t k = H.start[dim * a]; k < H.start[dim * (a + 1)]; ++k)
      h_row.push_back(H.row[k]);
    std::sort(h_row.begin() + first, h_row.end());
    h_row.erase(std::unique(h_row.begin() + first, h_row.end()), h_row.end());
    h_value.resize(dim * h_row.size(), 0.);
    for (int c = 0; c < dim; ++c)
      for (std::size_t k = H.start[dim * a + c]; k < H.start[dim * a + c + 1];
           ++k)
      {
        const std::size_t i = std::lower_bound(h_row.begin() + first,
                                               h_row.end(),
                                               int(H.row[k])) -
                              h_row.begin();
        h_value[dim * i + c] = H.value[k];
      }
    h_start.push_back(h_row.size());
  }
}


template <int dim>
int ContactMatrix<dim>::place(const int row, const int column) const
{
  const int own    = column - matrix.first;
  const auto begin = matrix.row.begin() + matrix.column_start[own],
             end   = matrix.row.begin() + matrix.column_start[own + 1];
  const auto found = std::lower_bound(begin, end, row);
  return found != end && *found == row ? found - matrix.row.begin() : -1;
}


template <int dim>
bool ContactMatrix<dim>::fits(const GlobalForm &form)
{
  const std::size_t first = form.share ? form.share->first : 0;
  bool enough = matrix.n == form.A.n_columns && matrix.first == first &&
                A_start == form.A.start && A_row == form.A.row;
  for (std::size_t a = 0; a + 1 < h_start.size() && enough; ++a)
    for (std::size_t i = h_start[a]; i < h_start[a + 1] && enough; ++i)
      for (std::size_t j = h_start[a]; j < h_start[a + 1] && enough; ++j)
        enough = !has_column(h_row[j]) || place(h_row[i], h_row[j]) >= 0;
  return form.share ? form.share->on_all(enough) : enough;
}


template <int dim>
void ContactMatrix<dim>::make_pattern(const GlobalForm &form)
{
  const CompressedColumns &A = form.A;
  matrix.n                   = A.n_columns;
  matrix.first               = form.share ? form.share->first : 0;
  std::vector<std::vector<int>> extra(A.n_columns);
  for (std::size_t a = 0; a + 1 < h_start.size(); ++a)
    for (std::size_t i = h_start[a]; i < h_start[a + 1]; ++i)
      if (has_column(h_row[i]))
      {
        auto &rows = extra[h_row[i] - matrix.first];
        rows.insert(rows.end(),
                    h_row.begin() + h_start[a],
                    h_row.begin() + h_start[a + 1]);
      }
  matrix.column_start.assign(1, 0);
  matrix.row.clear();
  std::vector<int> rows;
  for (std::size_t j = 0; j < A.n_columns; ++j)
  {
    rows.assign(A.row.begin() + A.start[j], A.row.begin() + A.start[j + 1]);
    rows.push_back(matrix.first + j);
    rows.insert(rows.end(), extra[j].begin(), extra[j].end());
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    matrix.row.insert(matrix.row.end(), rows.begin(), rows.end());
    matrix.column_start.push_back(matrix.row.size());
  }
  matrix.value.assign(matrix.row.size(), 0.);
  place_of_A.resize(A.row.size());
  for (std::size_t j = 0; j < A.n_columns; ++j)
    for (std::size_t k = A.start[j]; k < A.start[j + 1]; ++k)
      place_of_A[k] = place(A.row[k], matrix.first + j);
  A_start        = A.start;
  A_row          = A.row;
  pattern_is_new = true;
}


template <int dim>
void ContactMatrix<dim>::reinit(const GlobalForm &form_in,
                                const double memory_limit_in)
{
  form         = &form_in;
  memory_limit = memory_limit_in;
  read_rows(form_in);
  if (!fits(form_in))
    make_pattern(form_in);
  in_factor.clear();
}


template <int dim>
bool ContactMatrix<dim>::factorize(const std::vector<LocalMatrix<dim>> &S)
{
  std::fill(matrix.value.begin(), matrix.value.end(), 0.);
  for (std::size_t k = 0; k < place_of_A.size(); ++k)
    matrix.value[place_of_A[k]] = form->A.value[k];
  for (std::size_t a = 0; a < S.size(); ++a)
  {
    if (is_zero<dim>(S[a]))
      continue;
    for (std::size_t j = h_start[a]; j < h_start[a + 1]; ++j)
    {
      if (!has_column(h_row[j]))
        continue;
      double S_h[dim];
      for (int c = 0; c < dim; ++c)
      {
        S_h[c] = 0.;
        for (int d = 0; d < dim; ++d)
          S_h[c] += S[a][dim * c + d] * h_value[dim * j + d];
      }
      for (std::size_t i = h_start[a]; i < h_start[a + 1]; ++i)
      {
        double value = 0.;
        for (int c = 0; c < dim; ++c)
          value += h_value[dim * i + c] * S_h[c];
        matrix.value[place(h_row[i], h_row[j])] += value;
      }
    }
  }
  in_factor.clear();
  try
  {
    ++n_factorizations;
    if (pattern_is_new || !factor || !factor->refactorize(matrix))
      make_factor();
  }
  catch (const NotPositiveDefinite &)
  {
    return false;
  }
  in_factor = S;
  return true;
}


template <int dim>
void ContactMatrix<dim>::make_factor()
{
  ++n_analyses;
  factor.reset();
  pattern_is_new = true;
  factor         = form->share
                       ? form->share->factorize(
                     matrix, memory_limit > 0. ? 0.5 * memory_limit : 1e300)
                       : factorize_within_memory(matrix, memory_limit);
  pattern_is_new = false;
}


template <int dim>
void ContactMatrix<dim>::apply_inverse(double *x)
{
  ++n_solutions;
  factor->solve(x + matrix.first, 1);
  if (form->share)
    form->share->complete(x);
}


template <int dim>
void ContactMatrix<dim>::add_impulse(const std::size_t a,
                                     const double *f,
                                     double *y) const
{
  for (std::size_t i = h_start[a]; i < h_start[a + 1]; ++i)
    for (int c = 0; c < dim; ++c)
      y[h_row[i]] += h_value[dim * i + c] * f[c];
}


template <int dim>
LocalVector<dim> ContactMatrix<dim>::velocity(const std::size_t a,
                                              const double *x) const
{
  LocalVector<dim> u{};
  for (std::size_t i = h_start[a]; i < h_start[a + 1]; ++i)
    for (int c = 0; c < dim; ++c)
      u[c] += h_value[dim * i + c] * x[h_row[i]];
  return u;
}


template <int dim>
bool ContactMatrix<dim>::solve(const std::vector<LocalMatrix<dim>> &K,
                               const std::vector<double> &o,
                               const std::vector<double> &e,
                               const double tolerance,
                               const double enough,
                               std::vector<double> &x,
                               const unsigned int most_iterations)
{
  const std::size_t n = n_unknowns();
  x.assign(n, 0.);
  // Contacts whose stiffness is another one than in the factor.
  others.clear();
  difference.clear();
  for (std::size_t a = 0; a < K.size(); ++a)
  {
    LocalVector<dim> f;
    LocalMatrix<dim> d;
    for (int c = 0; c < dim; ++c)
    {
      f[c] = e[dim * a + c];
      for (int k = 0; k < dim; ++k)
      {
        f[c] -= in_factor[a][dim * c + k] * o[dim * a + k];
        d[dim * c + k] = K[a][dim * c + k] - in_factor[a][dim * c + k];
      }
    }
    add_impulse(a, f.data(), x.data());
    if (is_zero<dim>(d))
      continue;
    others.push_back(a);
    difference.push_back(d);
  }
  apply_inverse(x.data());
  if (others.empty())
    return true;
  // -(K_a - S_a) (H_a^T v + o_a), without o_a if v is a difference.
  const auto add_rest = [&](const double *v, const bool with_o, double *to)
  {
    for (std::size_t k = 0; k < others.size(); ++k)
    {
      LocalVector<dim> u = velocity(others[k], v), f{};
      for (int c = 0; c < dim && with_o; ++c)
        u[c] += o[dim * others[k] + c];
      for (int c = 0; c < dim; ++c)
        for (int d = 0; d < dim; ++d)
          f[c] -= difference[k][dim * c + d] * u[d];
      add_impulse(others[k], f.data(), to);
    }
  };
  y.assign(n, 0.);
  add_rest(x.data(), true, y.data());
  std::size_t n_images = 0;
  const double size =
      std::sqrt(std::inner_product(y.begin(), y.end(), y.begin(), 0.));
  const double wanted =
      std::max(tolerance, std::min(0.1, size > 0. ? enough / size : 0.1));
  const double left = gmres.solve(
      [&](const double *from, double *to)
      {
        if (images.size() == n_images)
          images.emplace_back();
        auto &image = images[n_images++];
        image.assign(from, from + n);
        apply_inverse(image.data());
        force.assign(n, 0.);
        add_rest(image.data(), false, force.data());
        for (std::size_t i = 0; i < n; ++i)
          to[i] = from[i] - force[i];
      },
      y,
      wanted,
      most_iterations);
  for (std::size_t k = 0; k < gmres.coefficients.size(); ++k)
    for (std::size_t i = 0; i < n; ++i)
      x[i] += gmres.coefficients[k] * images[k][i];
  return left <= wanted;
}

template class ContactMatrix<2>;
template class ContactMatrix<3>;
} // namespace delassus

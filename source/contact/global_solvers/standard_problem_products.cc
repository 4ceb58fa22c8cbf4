#include <delassus/base/exceptions.h>
#include <delassus/contact/global_solvers/standard_problem.h>
#include <delassus/contact/global_solvers/standard_problem_internal.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace delassus
{
using internal::local_values;

template <int dim>
void StandardProblem<dim>::make_products()
{
  const std::size_t n = changes.size();
  const bool is_applied =
      dynamic_cast<const AppliedDelassus<dim> *>(original->W) != nullptr;
  if (has_springs && !is_applied)
  {
    copy_rows();
    factorize_springs();
    if (!why.empty())
      return;
  }
  else if (has_springs)
  {
    root.resize(n);
    for (std::size_t a = 0; a < n; ++a)
    {
      LocalVector<dim> values;
      symmetric_eigen<dim>(changes[a].D, values, root[a]);
      for (int k = 0; k < dim; ++k)
        for (int i = 0; i < dim; ++i)
          root[a][i * dim + k] *= std::sqrt(std::max(0., values[k]));
    }
  }
  make_applied();
}


/// calW as products, x -> L W' S x + C x.
template <int dim>
void StandardProblem<dim>::make_applied()
{
  const std::size_t n = changes.size();
  std::vector<LocalMatrix<dim>> diagonal(n);
  for (std::size_t a = 0; a < n; ++a)
    diagonal[a] = diagonal_estimate(a);
  applied = std::make_unique<AppliedDelassus<dim>>(
      [this](const double *x, double *y)
      {
        const std::size_t n = changes.size();
        work.resize(dim * n);
        for (std::size_t a = 0; a < n; ++a)
        {
          const auto Sx = multiply<dim>(changes[a].S, local_values<dim>(x, a));
          std::copy_n(Sx.begin(), dim, work.begin() + dim * a);
        }
        apply_W_prime(work.data(), y);
        for (std::size_t a = 0; a < n; ++a)
          if (changes[a].affine)
          {
            const auto u =
                add(multiply<dim>(changes[a].L, local_values<dim>(y, a)),
                    multiply<dim>(changes[a].C, local_values<dim>(x, a)));
            std::copy_n(u.begin(), dim, y + dim * a);
          }
      },
      std::move(diagonal));
  standard.W = applied.get();
}


template <int dim>
void StandardProblem<dim>::apply_W_prime(const double *x, double *y)
{
  if (use == StandardUse::bodies && has_springs)
  {
    const CompressedColumns &H = original->global_form()->H;
    work_2.assign(H.n_rows, 0.);
    for (std::size_t j = 0; j < H.n_columns; ++j)
      for (std::size_t k = H.start[j]; k < H.start[j + 1]; ++k)
        work_2[H.row[k]] += H.value[k] * x[j];
    factor->solve(work_2.data(), 1);
    for (std::size_t j = 0; j < H.n_columns; ++j)
    {
      y[j] = 0.;
      for (std::size_t k = H.start[j]; k < H.start[j + 1]; ++k)
        y[j] += H.value[k] * work_2[H.row[k]];
    }
    return;
  }
  if (!root.empty())
  {
    conjugate_gradients(x, y);
    return;
  }
  original->W->multiply(x, y);
  if (has_springs)
    one_plus_WD.solve(y);
}


/// W' x = W (x - G z) with (1 + G^T W G) z = G^T W x, D = G G^T.
template <int dim>
void StandardProblem<dim>::conjugate_gradients(const double *x, double *y)
{
  const std::size_t n = changes.size();
  const auto product  = [&](const std::vector<double> &from,
                           const bool transpose,
                           std::vector<double> &to)
  {
    for (std::size_t a = 0; a < n; ++a)
    {
      const auto value = local_values<dim>(from.data(), a);
      const auto image = transpose ? multiply_transposed<dim>(root[a], value)
                                   : multiply<dim>(root[a], value);
      std::copy_n(image.begin(), dim, to.begin() + dim * a);
    }
  };
  const auto dot_all =
      [&](const std::vector<double> &a, const std::vector<double> &b)
  {
    double sum = std::inner_product(a.begin(), a.end(), b.begin(), 0.);
    if (coupling != nullptr)
      coupling->sum(&sum, 1);
    return sum;
  };
  std::vector<double> z(dim * n, 0.), r(dim * n), p, Ap(dim * n);
  work_3.resize(dim * n);
  work_4.resize(dim * n);
  original->W->multiply(x, work_3.data());
  product(work_3, true, r);
  p                       = r;
  double rr               = dot_all(r, r);
  const double first      = rr;
  constexpr unsigned most = 2000;
  unsigned int i          = 0;
  for (; i < most && rr > 1e-26 * first; ++i)
  {
    product(p, false, work_3);
    original->W->multiply(work_3.data(), work_4.data());
    product(work_4, true, Ap);
    for (std::size_t k = 0; k < p.size(); ++k)
      Ap[k] += p[k];
    const double alpha = rr / dot_all(p, Ap);
    for (std::size_t k = 0; k < p.size(); ++k)
    {
      z[k] += alpha * p[k];
      r[k] -= alpha * Ap[k];
    }
    const double next = dot_all(r, r);
    for (std::size_t k = 0; k < p.size(); ++k)
      p[k] = r[k] + next / rr * p[k];
    rr = next;
  }
  if (!(rr <= 1e-16 * first))
    throw ComputationError(fmt::format(
        "Contact solver: springs of contact laws are so stiff against W, which "
        "is applied only, that {} conjugate gradients do not solve for them. "
        "Raise the memory limit (section 'Linear solver').",
        most));
  product(z, false, work_3);
  for (std::size_t k = 0; k < work_3.size(); ++k)
    work_3[k] = x[k] - work_3[k];
  original->W->multiply(work_3.data(), y);
}


#define INSTANTIATE(dim)                                                       \
  template void StandardProblem<dim>::make_products();                         \
  template void StandardProblem<dim>::make_applied();                          \
  template void StandardProblem<dim>::apply_W_prime(const double *, double *)
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus

#include <delassus/contact/global_solvers/gauss_seidel.h>
#include <delassus/contact/global_solvers/visits.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace delassus
{
template <int dim>
void GaussSeidel<dim>::start_acceleration(const ContactProblem<dim> &problem)
{
  const std::size_t n = problem.n_contacts();
  auto &now           = acceleration;
  now.x.resize(dim * n);
  now.Tx.resize(dim * n);
  copy_impulses(now.x);
  now.least    = std::numeric_limits<double>::infinity();
  now.is_plain = true;
  now.anderson.reinit(dim * n, parameters.acceleration);
  // |dP|^2 weighted by W_NN is an energy: contacts with light and with heavy
  // bodies count alike.
  now.anderson.weight.resize(dim * n);
  LocalMatrix<dim> W;
  for (std::size_t a = 0; a < n; ++a)
  {
    problem.W->diagonal_block(a, W.data());
    for (int c = 0; c < dim; ++c)
      now.anderson.weight[dim * a + c] = std::max(0., W[0]) / largest;
  }
  if (coupling != nullptr)
    now.anderson.sum_over_ranks = [this](double *values, const std::size_t k)
    { coupling->sum(values, k); };
  else
    now.anderson.sum_over_ranks = nullptr;
}


template <int dim>
double GaussSeidel<dim>::norm_of_residual() const
{
  const auto &now = acceleration;
  // Several sums, so that no addition waits for the last one.
  double sums[8]      = {};
  const std::size_t n = now.x.size();
  const double *x = now.x.data(), *Tx = now.Tx.data(),
               *weight = now.anderson.weight.data();
  std::size_t i        = 0;
  for (; i + 8 <= n; i += 8)
    for (int l = 0; l < 8; ++l)
      sums[l] +=
          weight[i + l] * (Tx[i + l] - x[i + l]) * (Tx[i + l] - x[i + l]);
  for (; i < n; ++i)
    sums[0] += weight[i] * (Tx[i] - x[i]) * (Tx[i] - x[i]);
  double sum = 0.;
  for (const double value : sums)
    sum += value;
  if (coupling != nullptr)
    coupling->sum(&sum, 1);
  return std::sqrt(sum);
}


template <int dim>
void GaussSeidel<dim>::accelerate(const ContactProblem<dim> &problem)
{
  constexpr std::size_t stride = sweep_stride<dim>;
  const std::size_t n          = problem.n_contacts();
  auto &now                    = acceleration;
  copy_impulses(now.Tx);
  const double residual = norm_of_residual();
  if (!now.is_plain && !(residual <= now.least))
  {
    // Worse than what was known: back, and one plain step at least.
    now.x        = now.anderson.last_image();
    now.is_plain = true;
    now.least    = std::numeric_limits<double>::infinity();
    now.anderson.forget();
    for (std::size_t a = 0; a < n; ++a)
    {
      LocalVector<dim> P;
      std::copy_n(now.x.data() + dim * a, dim, P.begin());
      internal::store_impulse<dim>(impulses.data() + stride * a, P);
    }
  }
  else
  {
    now.least    = residual;
    now.is_plain = false;
    now.anderson.advance(now.x, now.Tx);
    for (std::size_t a = 0; a < n; ++a)
    {
      // The combination of impulses leaves the cone. (Other variables than the
      // standard ones have no cone; the next visit makes them admissible.)
      const bool stays = is_paused(a);
      LocalVector<dim> P;
      std::copy_n((stays ? now.Tx : now.x).data() + dim * a, dim, P.begin());
      if (!stays && contacts[a].kind == internal::plain)
        P = project_on_cone<dim>(P, contacts[a].friction);
      else if (!stays && problem.laws[a].is_shift())
        P = problem.laws[a].project(P);
      std::copy_n(P.begin(), dim, now.x.data() + dim * a);
      internal::store_impulse<dim>(impulses.data() + stride * a, P);
    }
  }
  if (coupling != nullptr)
  {
    ++message;
    coupling->send(impulses.data());
    coupling->receive(message, message, arrived.data());
    std::copy(arrived.begin(), arrived.end(), impulses.begin() + stride * n);
  }
  problem.W->begin_sweep(impulses.data(), buffer.data());
}

#define INSTANTIATE(dim)                                                       \
  template void GaussSeidel<dim>::start_acceleration(                          \
      const ContactProblem<dim> &);                                            \
  template double GaussSeidel<dim>::norm_of_residual() const;                  \
  template void GaussSeidel<dim>::accelerate(const ContactProblem<dim> &)
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus

#ifndef delassus_contact_global_solvers_gauss_seidel_sweep_h
#define delassus_contact_global_solvers_gauss_seidel_sweep_h

#include <delassus/contact/delassus/sweep_views.h>
#include <delassus/contact/global_solvers/gauss_seidel.h>
#include <delassus/contact/global_solvers/visits.h>

#include <algorithm>

namespace delassus
{
// The inner loop of Gauss-Seidel. Included by sources of this module only (see
// row_product.h).

/// A contact with an affine law or Tresca's friction, or ill posed in 2D: in
/// standard variables and back.
template <int dim>
__attribute__((noinline)) ContactStatus
GaussSeidel<dim>::solve_special(const PreparedContact<dim> &contact,
                                LocalVector<dim> &P,
                                const LocalVector<dim> &U,
                                LocalVector<dim> &F) const
{
  const SpecialContact &here = special[contact.kind - 1];
  const double mu            = contact.friction;
  const double omega         = parameters.relaxation;
  const LocalVector<dim> calU_free =
      here.form.calU_free(subtract(U, multiply<dim>(here.W, P)));
  LocalVector<dim> calU, calP;
  here.law->to_standard(U, P, calU, calP);
  F = here.law->natural_map(calP, calU, estimate_g);

  const LocalVector<dim> old = calP;
  ContactStatus status;
  if (here.law->is_tresca())
  {
    unsigned int iterations = 0;
    status                  = solve_tresca<dim>(
        here.form.calW, calU_free, here.law->threshold, calP, iterations);
  }
  else if (dim == 2 && here.ill_posed)
  {
    const auto solution = solve_local<dim>(here.form.calW, calU_free, mu, old);
    calP                = solution.P;
    status              = solution.status;
  }
  else
  {
    unsigned int iterations = 0;
    status                  = contact.solve(calP, calU, old, iterations);
  }
  if (omega != 1.)
  {
    calP = add(old, scale(omega, subtract(calP, old)));
    if (!here.law->is_tied())
      internal::limit_to_cone<dim>(calP, mu, std::max(0., here.law->threshold));
  }
  calU = add(calU_free, multiply<dim>(here.form.calW, calP));
  LocalVector<dim> unused;
  here.law->from_standard(calU, calP, unused, P);
  return status;
}


// Flattened: the visit of a contact is all inlined, however many storages and
// sequences there are sweeps for.
template <int dim>
template <typename View, typename Sequence>
__attribute__((flatten)) typename GaussSeidel<dim>::SweepSums
GaussSeidel<dim>::sweep(const View &W,
                        const Sequence &sequence,
                        const std::size_t n,
                        const bool forward,
                        const std::ptrdiff_t ahead,
                        Marks &marks)
{
  using internal::never;
  constexpr std::size_t stride         = sweep_stride<dim>;
  const PreparedContact<dim> *prepared = contacts.data();
  double *P_all                        = impulses.data();
  double *carried                      = buffer.data();
  ContactStatus *status                = marks.status.data();
  unsigned char *pauses                = marks.pause.data();
  unsigned char *n_quiet               = marks.quiet_visits.data();
  const double omega                   = parameters.relaxation;
  const double scaling                 = estimate_g;
  // Not members of a struct: stores to the marks could change those.
  double sum_of_maps = 0., sum_of_changes = 0., sum_of_impulses = 0.;
  std::size_t n_left_out = 0, n_settled = 0;
  const double map_limit = settled.map, change_limit = settled.change;

  const std::ptrdiff_t step = forward ? 1 : -1;
  std::ptrdiff_t k          = forward ? 0 : std::ptrdiff_t(n) - 1;
  for (std::size_t i = 0; i < n; ++i, k += step)
  {
    const std::size_t a = sequence[k];
    if (pauses[a] != 0)
    {
      if (pauses[a] != never)
      {
        --pauses[a];
        n_settled += status[a] != ContactStatus::open;
      }
      ++n_left_out;
      continue;
    }
    const PreparedContact<dim> &contact = prepared[a];
    double *P_here                      = P_all + stride * a;
    LocalVector<dim> U, P, F;
    if constexpr (Sequence::jumps)
    {
      const std::ptrdiff_t later = k + 2 * step;
      const std::size_t b =
          later >= 0 && later < std::ptrdiff_t(n) ? sequence[later] : a;
      const char *there = reinterpret_cast<const char *>(prepared + b);
      for (std::size_t byte = 0; byte < sizeof(*prepared); byte += 64)
        __builtin_prefetch(there + byte);
      W.velocity_at(a, P_all, carried, U.data(), W.distance(a, b));
    }
    else
      W.velocity_at(a, P_all, carried, U.data(), ahead);
    U = add(U, contact.q);
    for (int c = 0; c < dim; ++c)
      P[c] = P_here[c];
    const LocalVector<dim> old = P;

    ContactStatus state;
    if (contact.kind == internal::plain)
    {
      F = natural_map<dim>(P, U, contact.friction, scaling);
      unsigned int iterations = 0;
      state                   = contact.solve(P, U, old, iterations);
      if (omega != 1.)
      {
        P = add(old, scale(omega, subtract(P, old)));
        internal::limit_to_cone<dim>(P, contact.friction);
      }
    }
    else
      state = solve_special(contact, P, U, F);

    internal::store_impulse<dim>(P_here, P);
    const LocalVector<dim> change = subtract(P, old);
    W.change_impulse(a, change.data(), carried);
    const double F2      = dot(F, F);
    const double squared = dot(change, change);
    sum_of_maps += F2;
    sum_of_changes += squared;
    sum_of_impulses += dot(P, P);
    status[a] = state;

    // Open or settled three times in a row: leave out one, two, ... at most
    // seven visits.
    if (state == ContactStatus::open ||
        (F2 <= map_limit && squared <= change_limit))
    {
      if (n_quiet[a] >= 3)
        pauses[a] = n_quiet[a] - 2;
      if (n_quiet[a] < 9)
        ++n_quiet[a];
    }
    else
      n_quiet[a] = 0;
  }
  SweepSums sums;
  sums.natural_map = sum_of_maps;
  sums.change      = sum_of_changes;
  sums.impulse     = sum_of_impulses;
  sums.n_settled   = n_settled;
  sums.n_visits    = n - n_left_out;
  return sums;
}
} // namespace delassus

#endif

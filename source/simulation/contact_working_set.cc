// Which contacts are concentrated, and whether the others may stay at rest.
#include <delassus/simulation/contact_phase.h>

#include <algorithm>

namespace delassus
{
using namespace dealii;

namespace
{
/// With fewer contacts W costs less than looking at those at rest.
constexpr std::size_t fewest_contacts = 64;

/// Whether a law leaves the velocity alone where there is no impulse, but for
/// @p shift: gaps, with or without a compliance. Cohesion pulls there.
template <int dim>
bool only_shifts(const ChangeOfVariables<dim> &law, double &shift)
{
  shift = law.is_shift() ? law.shift[0] : -law.affine->U0[0];
  return law.is_shift() || (law.affine->J_UU == identity_matrix<dim>() &&
                            law.affine->J_RU == LocalMatrix<dim>{} &&
                            law.affine->P0 == LocalVector<dim>{});
}
} // namespace

template <int dim>
void ContactPhase<dim>::choose_working_set()
{
  const std::size_t n = contacts.size();
  // Where all w are diagonal, W has a block for each node. In linear runs W is
  // kept from step to step.
  bool pays = model.parameters.contact_solver.working_set &&
              model.is_nonlinear() && n_contacts >= fewest_contacts;
  if (pays)
  {
    pays = false;
    for (auto *system : model.systems)
      pays = pays || !system->inverse().is_diagonal();
  }
  at_rest.n_looks = 0;
  at_rest.is_used = pays;
  if (!pays)
  {
    working.take_all(n);
    delassus.resting.clear();
    return;
  }
  at_rest.calU_N.resize(n);
  at_rest.may_rest.resize(n);
  for (std::size_t a = 0; a < n; ++a)
  {
    const auto &law = problem.laws[a];
    double shift;
    // An impulse of any component; cohesion pulls where it is open, and what is
    // tied always holds.
    at_rest.may_rest[a] = law.active && only_shifts(law, shift) &&
                          !law.is_tied() &&
                          std::all_of(&P[dim * a],
                                      &P[dim * a] + dim,
                                      [](const double p) { return p == 0.; });
    at_rest.calU_N[a] =
        (places.following ? iterate.U : U_start)[dim * a] + shift;
  }
  int changed =
      working.choose(at_rest.calU_N, at_rest.may_rest, iterate.number);
  if (ranks.n_ranks > 1)
    changed = Utilities::MPI::max(changed, model.communicator);
  take_working_set(changed != 0);
}

template <int dim>
void ContactPhase<dim>::take_working_set(const bool changed)
{
  auto &resting = delassus.resting;
  resting.clear();
  for (std::size_t a = 0; a < contacts.size(); ++a)
    resting.push_back(working.rests(a));
  delassus.stale = delassus.stale || changed;
}

template <int dim>
bool ContactPhase<dim>::all_may_rest()
{
  if (!at_rest.is_used)
    return true;
  // Velocities that the correction has led to.
  places.gather(CarrierField::new_velocity, at_rest.v);
  std::vector<char> is_open(contacts.size());
  for (std::size_t a = 0; a < contacts.size(); ++a)
  {
    const auto U_a = contacts[a].local_combination(at_rest.v);
    if (working.rests(a))
      for (unsigned int c = 0; c < dim; ++c)
        U[dim * a + c] = U_a[c] + U_imposed[dim * a + c];
    double shift;
    only_shifts(problem.laws[a], shift);
    at_rest.calU_N[a] = U_a[0] + U_imposed[dim * a] + shift;
    is_open[a]        = at_rest.may_rest[a] && !(P[dim * a] > 0.);
  }
  double surprise      = working.surprise(at_rest.calU_N, is_open);
  std::size_t n_joined = working.join(at_rest.calU_N);
  if (ranks.n_ranks > 1)
  {
    surprise = Utilities::MPI::max(surprise, model.communicator);
    n_joined = Utilities::MPI::sum(n_joined, model.communicator);
  }
  working.learn(surprise);
  if (n_joined == 0)
    return true;
  if (++at_rest.n_looks > working.most_rounds)
  {
    working.take_all(contacts.size());
    ++working.n_taken_all;
  }
  take_working_set(/* changed */ true);
  return false;
}

template <int dim>
void ContactPhase<dim>::leave_out_resting()
{
  if (!at_rest.is_used)
    return;
  // Rows of contacts at rest are zero and do not count for the mean diagonal.
  problem.impulse_scale = 0.;
  for (std::size_t a = 0; a < contacts.size(); ++a)
    if (working.rests(a))
      problem.laws[a].active = false;
  if (delassus.applied_only)
  {
    problem.impulse_scale = delassus.compliance.impulse_scale;
    return;
  }
  std::array<double, 2> sum = {
    { contacts.empty() ? 0.
                       : effective_impulse_scale(problem) * contacts.size(),
      double(contacts.size() - working.n_at_rest()) }
  };
  if (ranks.n_ranks > 1)
    MPI_Allreduce(MPI_IN_PLACE,
                  sum.data(),
                  sum.size(),
                  MPI_DOUBLE,
                  MPI_SUM,
                  model.communicator);
  problem.impulse_scale = sum[1] > 0. ? sum[0] / sum[1] : 0.;
}

template <int dim>
void ContactPhase<dim>::bring_back_resting()
{
  if (!at_rest.is_used)
    return;
  std::size_t n_rest = 0;
  for (std::size_t a = 0; a < contacts.size(); ++a)
    if (working.rests(a))
    {
      problem.laws[a].active = true;
      ++n_rest;
    }
  result.n_open += ranks.n_ranks > 1
                       ? Utilities::MPI::sum(n_rest, model.communicator)
                       : n_rest;
}

#define INSTANTIATE(dim)                                                       \
  template void ContactPhase<dim>::choose_working_set();                       \
  template void ContactPhase<dim>::take_working_set(const bool);               \
  template bool ContactPhase<dim>::all_may_rest();                             \
  template void ContactPhase<dim>::leave_out_resting();                        \
  template void ContactPhase<dim>::bring_back_resting()
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus

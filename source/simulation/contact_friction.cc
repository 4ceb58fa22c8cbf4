#include <delassus/simulation/contact_phase.h>
#include <delassus/base/exceptions.h>
#include <delassus/simulation/overlaps.h>

#include <fmt/format.h>

#include <cmath>

// Coefficients of friction that depend on the solution, and contacts whose
// friction is too large for their local problem.

namespace delassus
{
using namespace dealii;

namespace
{
/// How often a step is solved again because mu has changed.
constexpr unsigned int most_friction_iterations = 100;
} // namespace

template <int dim>
FrictionState ContactPhase<dim>::friction_state(const unsigned int a,
                                                const double t,
                                                const double h) const
{
  const auto &contact = contacts[a];
  FrictionState state;
  const auto position =
      model.surfaces->position(model.surfaces->points[contact.point], x);
  for (unsigned int c = 0; c < dim; ++c)
    state.position[c] = position[c];
  state.time = t + h;
  // U of a contact that sticks is rounding.
  if (a < status.size() && dim * a + dim <= U.size() &&
      status[a] != ContactStatus::stick)
  {
    double speed = 0.;
    for (unsigned int c = 1; c < dim; ++c)
      speed += U[dim * a + c] * U[dim * a + c];
    state.speed = std::sqrt(speed);
  }
  if (contact.area > 0.)
    state.pressure = std::max(0., P[dim * a]) / (h * contact.area);
  return state;
}

template <int dim>
bool ContactPhase<dim>::friction_varies() const
{
  return std::any_of(model.laws.begin(),
                     model.laws.end(),
                     [](const auto &law)
                     { return law->varying_friction() != nullptr; });
}

template <int dim>
void ContactPhase<dim>::throw_friction_error(const std::string &mine) const
{
  const std::string wrong =
      n_ranks > 1 && friction_varies() ? exchange.first_error(mine) : mine;
  if (!wrong.empty())
    throw InputError(wrong);
}

template <int dim>
bool ContactPhase<dim>::friction_settled(const double t, const double h)
{
  if (!friction_varies())
    return true;

  // mu of the solution minus mu with which it was found, and the change since
  // the last time, weighted by the normal impulses: sliding forces.
  const bool first = friction_iterations == 0;
  friction_step.resize(contacts.size(), 0.);
  double sums[4] = { 0., 0., 0., 0. };
  std::string wrong;
  for (unsigned int a = 0; a < contacts.size(); ++a)
  {
    const auto *friction =
        model.laws[contacts[a].interaction]->varying_friction();
    if (!friction)
    {
      friction_step[a] = 0.;
      continue;
    }
    const double mu = problem.laws[a].friction;
    double value    = 0.;
    try
    {
      value = friction->value(friction_state(a, t, h));
    }
    catch (const InputError &e)
    {
      wrong = e.what();
    }
    const double normal = std::max(0., P[dim * a]);
    const double old    = friction_step[a];
    friction_step[a]    = value - mu;
    sums[0] += std::abs(value - mu) * normal;
    sums[1] += std::max(value, mu) * normal;
    sums[2] += old * (friction_step[a] - old) * normal;
    sums[3] += std::pow(friction_step[a] - old, 2) * normal;
  }
  throw_friction_error(wrong);
  MPI_Allreduce(MPI_IN_PLACE, sums, 4, MPI_DOUBLE, MPI_SUM, model.communicator);
  friction_change = sums[1] > 0. ? sums[0] / sums[1] : 0.;

  const auto &parameters = model.parameters.contact_solver;
  const bool relative =
      parameters.criterion != ContactCriterion::worst_violation &&
      parameters.criterion != ContactCriterion::relaxed;
  friction_in_balance =
      friction_change <= (relative ? parameters.tolerance : 1e-5);
  if (friction_in_balance || friction_iterations >= most_friction_iterations)
  {
    n_friction_iterations += friction_iterations;
    friction_iterations = 0;
    return true;
  }
  // Aitken's secant: shorter where a coefficient that grows with the speed
  // overshoots, longer where one that falls approaches slowly or moves on.
  if (first)
    friction_relaxation = 1.;
  else if (sums[2] < 0.)
    friction_relaxation =
        std::min(std::max(-friction_relaxation * sums[2] / sums[3], 0.05), 5.);
  else
    friction_relaxation = std::min(2. * friction_relaxation, 5.);
  ++friction_iterations;
  for (unsigned int a = 0; a < contacts.size(); ++a)
    problem.laws[a].friction = std::max(
        0., problem.laws[a].friction + friction_relaxation * friction_step[a]);
  return false;
}

template <int dim>
std::string ContactPhase<dim>::ill_posed_contact() const
{
  // The first of the ranks where it is worst.
  const auto &worst    = result.ill_posed;
  const bool known     = worst.critical > 0. && worst.contact < contacts.size();
  const double here    = known ? worst.friction / worst.critical : -1.;
  const double largest = Utilities::MPI::max(here, model.communicator);
  const std::string text =
      known && here == largest
          ? describe_ill_posed(worst.contact, worst.friction, worst.critical)
          : "";
  return n_ranks > 1 ? exchange.first_error(text) : text;
}

template <int dim>
WedgedContacts ContactPhase<dim>::wedged_contacts() const
{
  WedgedContacts wedged;
  // Where W is only applied its blocks are not known.
  if (result.n_ill_posed == 0 || applied_only)
    return wedged;
  LocalMatrix<dim> block;
  std::vector<double> sums(3, 0.); // number, P_N, all P_N
  double most = 0., critical = 0.;
  std::size_t worst = 0;
  for (unsigned int a = 0; a < contacts.size(); ++a)
  {
    const double *impulse = &P[dim * a];
    if (!(impulse[0] > 0.))
      continue;
    sums[2] += impulse[0];
    if (!(problem.laws[a].friction > 0.))
      continue;
    problem.W->diagonal_block(a, block.data());
    double opening = 0., coupling = 0.;
    for (unsigned int c = 0; c < dim; ++c)
    {
      opening += block[c] * impulse[c];
      coupling += c > 0 ? block[c] * block[c] : 0.;
    }
    if (opening > 0.)
      continue;
    sums[0] += 1.;
    sums[1] += impulse[0];
    if (impulse[0] > most)
    {
      most     = impulse[0];
      worst    = a;
      critical = block[0] / std::sqrt(coupling);
    }
  }
  const double largest = Utilities::MPI::max(most, model.communicator);
  Utilities::MPI::sum(sums, model.communicator, sums);
  if (sums[0] == 0.)
    return wedged;
  const std::string text =
      most == largest
          ? describe_ill_posed(worst, problem.laws[worst].friction, critical)
          : "";
  wedged.n     = sums[0];
  wedged.share = sums[1] / sums[2];
  wedged.worst = n_ranks > 1 ? exchange.first_error(text) : text;
  return wedged;
}

template <int dim>
std::string ContactPhase<dim>::describe_ill_posed(const std::size_t a,
                                                  const double friction,
                                                  const double critical) const
{
  const auto &contact = contacts[a];
  const auto &pair    = model.pairs[model.pair_of(contact)];
  return fmt::format(
      "interaction '{}', {} against {}, at {}: friction {:.4g}, critical "
      "{:.4g}",
      model.interactions[contact.interaction].name,
      pair.candidate,
      pair.antagonist,
      text_of(
          model.surfaces->position(model.surfaces->points[contact.point], x)),
      friction,
      critical);
}

template FrictionState ContactPhase<2>::friction_state(const unsigned int,
                                                       const double,
                                                       const double) const;
template FrictionState ContactPhase<3>::friction_state(const unsigned int,
                                                       const double,
                                                       const double) const;
template bool ContactPhase<2>::friction_settled(const double, const double);
template bool ContactPhase<3>::friction_settled(const double, const double);
template void ContactPhase<2>::throw_friction_error(const std::string &) const;
template void ContactPhase<3>::throw_friction_error(const std::string &) const;
template std::string ContactPhase<2>::ill_posed_contact() const;
template std::string ContactPhase<3>::ill_posed_contact() const;
template WedgedContacts ContactPhase<2>::wedged_contacts() const;
template WedgedContacts ContactPhase<3>::wedged_contacts() const;
} // namespace delassus

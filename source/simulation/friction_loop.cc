#include <delassus/base/exceptions.h>
#include <delassus/simulation/friction_loop.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
using namespace dealii;

namespace
{
/// How often a step is solved again because mu has changed.
constexpr unsigned int most_iterations = 100;
} // namespace

template <int dim>
FrictionLoop<dim>::FrictionLoop(const Model<dim> &model,
                                const ContactPlaces<dim> &places,
                                const ContactRanks<dim> &ranks)
    : model(model)
    , places(places)
    , ranks(ranks)
{
  for (const auto &law : model.laws)
    varies = varies || law->varying_friction() != nullptr;
}

template <int dim>
FrictionState FrictionLoop<dim>::state(const ContactSet<dim> &set,
                                       const unsigned int a,
                                       const double t,
                                       const double h) const
{
  const auto &contact = set.contacts[a];
  FrictionState result;
  const auto position = places.point_of(contact);
  for (unsigned int c = 0; c < dim; ++c)
    result.position[c] = position[c];
  result.time = t + h;
  // U of a contact that sticks is rounding.
  if (a < set.status.size() && dim * a + dim <= set.U.size() &&
      set.status[a] != ContactStatus::stick)
  {
    double speed = 0.;
    for (unsigned int c = 1; c < dim; ++c)
      speed += set.U[dim * a + c] * set.U[dim * a + c];
    result.speed = std::sqrt(speed);
  }
  if (contact.area > 0.)
    result.pressure = std::max(0., set.P[dim * a]) / (h * contact.area);
  return result;
}

template <int dim>
void FrictionLoop<dim>::throw_error(const std::string &mine) const
{
  const std::string wrong = varies ? ranks.first(mine) : mine;
  if (!wrong.empty())
    throw InputError(wrong);
}

template <int dim>
bool FrictionLoop<dim>::settled(const ContactSet<dim> &set,
                                const double t,
                                const double h,
                                ContactProblem<dim> &problem)
{
  if (!varies)
    return true;

  // mu of the solution minus mu with which it was found, and the change since
  // the last time, weighted by the normal impulses: sliding forces.
  const bool first = iterations == 0;
  step.resize(set.contacts.size(), 0.);
  double sums[4] = { 0., 0., 0., 0. };
  std::string wrong;
  for (unsigned int a = 0; a < set.contacts.size(); ++a)
  {
    const auto *friction =
        model.laws[set.contacts[a].interaction]->varying_friction();
    if (!friction)
    {
      step[a] = 0.;
      continue;
    }
    const double mu = problem.laws[a].friction;
    double value    = 0.;
    try
    {
      value = friction->value(state(set, a, t, h));
    }
    catch (const InputError &e)
    {
      wrong = e.what();
    }
    const double normal = std::max(0., set.P[dim * a]);
    const double old    = step[a];
    step[a]             = value - mu;
    sums[0] += std::abs(value - mu) * normal;
    sums[1] += std::max(value, mu) * normal;
    sums[2] += old * (step[a] - old) * normal;
    sums[3] += std::pow(step[a] - old, 2) * normal;
  }
  throw_error(wrong);
  MPI_Allreduce(MPI_IN_PLACE, sums, 4, MPI_DOUBLE, MPI_SUM, model.communicator);
  change = sums[1] > 0. ? sums[0] / sums[1] : 0.;

  const auto &parameters = model.parameters.contact_solver;
  const bool relative =
      parameters.criterion != ContactCriterion::worst_violation &&
      parameters.criterion != ContactCriterion::relaxed;
  in_balance = change <= (relative ? parameters.tolerance : 1e-5);
  if (in_balance || iterations >= most_iterations)
  {
    n_iterations += iterations;
    iterations = 0;
    return true;
  }
  // Aitken's secant: shorter where a coefficient that grows with the speed
  // overshoots, longer where one that falls approaches slowly or moves on.
  if (first)
    relaxation = 1.;
  else if (sums[2] < 0.)
    relaxation = std::min(std::max(-relaxation * sums[2] / sums[3], 0.05), 5.);
  else
    relaxation = std::min(2. * relaxation, 5.);
  ++iterations;
  for (unsigned int a = 0; a < set.contacts.size(); ++a)
    problem.laws[a].friction =
        std::max(0., problem.laws[a].friction + relaxation * step[a]);
  return false;
}

template class FrictionLoop<2>;
template class FrictionLoop<3>;
} // namespace delassus

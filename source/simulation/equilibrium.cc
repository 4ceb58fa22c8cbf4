#include <delassus/simulation/equilibrium.h>

#include <cmath>
#include <limits>

namespace delassus
{
using namespace dealii;

namespace
{
constexpr unsigned int most_iterations = 400;

/// Sum of absolute values on this rank.
double local_sum(const Vector &x)
{
  double sum = 0.;
  for (auto value = x.begin(); value != x.end(); ++value)
    sum += std::abs(*value);
  return sum;
}

/// The balance is asked for as accurately as the contact problem, where its
/// tolerance is a relative one.
double balance_tolerance(const ContactSolverParameters &solver)
{
  switch (solver.criterion)
  {
    case ContactCriterion::worst_violation:
    case ContactCriterion::relaxed:
      return 1e-5;
    default:
      return solver.tolerance;
  }
}
} // namespace

template <int dim>
Equilibrium<dim>::Equilibrium(Model<dim> &model)
    : model(model)
    , tolerance(balance_tolerance(model.parameters.contact_solver))
{
  for (const auto *scheme : model.linear_schemes)
    needed = needed || scheme->has_fictitious_mass();
  needed = needed || (!model.tools.empty() && !model.linear_schemes.empty() &&
                      model.parameters.time.scheme == TimeScheme::quasi_static);
  if (needed)
    for (const auto &body : model.bodies)
    {
      step.push_back(body->make_vector());
      old_step.push_back(body->make_vector());
      work.push_back(body->make_vector());
    }
}

template <int dim>
void Equilibrium<dim>::begin()
{
  iterations     = 0;
  out_of_balance = 0.;
  balanced       = true;
  omega          = 1.;
  smallest       = std::numeric_limits<double>::max();
  since_smallest = 0;
}

template <int dim>
bool Equilibrium<dim>::accept()
{
  if (!needed)
    return true;
  ++iterations;

  // Impulses f, contact, external, internal; then Aitken's products in the
  // metric M_f.
  std::array<double, 6> local{};
  for (unsigned int b = 0; b < model.linear_schemes.size(); ++b)
  {
    auto &scheme = *model.linear_schemes[b];
    scheme.stiffness_vmult(work[b], scheme.q_new);
    local[3] += local_sum(work[b]);
    local[2] += local_sum(scheme.external);
    local[1] += local_sum(scheme.contact_impulse);
    scheme.out_of_balance(work[b]);
    local[0] += local_sum(work[b]);
    step[b] = scheme.v_new;
    step[b] -= scheme.center;
    // M_f (step - old_step): its product with both.
    old_step[b] -= step[b];
    old_step[b] *= -1.; // step - old_step
    if (iterations > 1)
    {
      scheme.w.mass_vmult(work[b], old_step[b]);
      for (unsigned int i = 0; i < work[b].locally_owned_size(); ++i)
      {
        const double change = old_step[b].begin()[i];
        local[4] +=
            (step[b].begin()[i] - change) * work[b].begin()[i]; // old . change
        local[5] += change * work[b].begin()[i];
      }
    }
  }
  if (Utilities::MPI::this_mpi_process(model.communicator) == 0)
    for (const auto &tool : model.tools.tools)
    {
      // As above, with M_f = h^2 stiffness; moments are out of balance as
      // forces on the arm that the stiffnesses make.
      const auto f = model.tools.out_of_balance(tool);
      for (unsigned int c = 0; c < Tools<dim>::n; ++c)
      {
        const double unit =
            c < dim ? 1. : std::sqrt(tool.stiffness[dim] / tool.stiffness[0]);
        local[0] += std::abs(f[c]) / unit;
        local[1] += std::abs(tool.impulse[c]) / unit;
        local[2] += std::abs(tool.external[c]) / unit;
        if (iterations > 1)
        {
          const double change = tool.v_new[c] - tool.center[c] - tool.step[c];
          const double mass =
              std::pow(model.tools.h, 2) * tool.stiffness[c] * change;
          local[4] += mass * tool.step[c];
          local[5] += mass * change;
        }
      }
    }
  std::array<double, 6> all = local;
  MPI_Allreduce(
      local.data(), all.data(), 6, MPI_DOUBLE, MPI_SUM, model.communicator);
  const double h    = model.linear_schemes[0]->step_size();
  const double size = std::max({ all[1], h * all[2], h * all[3] });
  out_of_balance    = all[0] > 0. ? all[0] / size : 0.;
  balanced          = out_of_balance <= tolerance;
  if (balanced || iterations >= most_iterations)
    return true;

  // Aitken: the secant through the last two steps. A body that nothing resists
  // makes equal steps: they are lengthened.
  if (iterations > 1)
  {
    const double secant = all[5] > 0. ? -omega * all[4] / all[5] : 0.;
    omega = all[4] < 0. ? std::min(secant, 4. * omega) : 4. * omega;
    omega = std::min(std::max(omega, 0.5), 64.);
  }
  if (out_of_balance < smallest)
  {
    smallest       = out_of_balance;
    since_smallest = 0;
  }
  else if (++since_smallest >= 10)
    omega = 1.;
  for (unsigned int b = 0; b < model.linear_schemes.size(); ++b)
  {
    auto &scheme = *model.linear_schemes[b];
    scheme.center.add(omega, step[b]);
    scheme.advance_from_center();
    old_step[b].swap(step[b]);
  }
  for (auto &tool : model.tools.tools)
  {
    tool.step = tool.v_new - tool.center;
    tool.center += omega * tool.step;
  }
  model.tools.advance_from_center();
  return false;
}

template class Equilibrium<2>;
template class Equilibrium<3>;
} // namespace delassus

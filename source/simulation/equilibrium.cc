#include <delassus/simulation/equilibrium.h>

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace delassus
{
using namespace dealii;

namespace
{
constexpr unsigned int most_iterations = 200;

/// Resultants are right to this at least.
constexpr double least_accuracy = 1e-6;

/// A piece that has moved so many times the size of all bodies, and is still
/// pushed as hard as before, is not held.
constexpr double farthest = 100.;

bool is_relative(const ContactSolverParameters &solver)
{
  return solver.criterion != ContactCriterion::worst_violation &&
         solver.criterion != ContactCriterion::relaxed;
}

/// The balance is asked for as accurately as the contact problem, where its
/// tolerance is a relative one.
double balance_tolerance(const ContactSolverParameters &solver)
{
  return is_relative(solver) ? std::min(least_accuracy, solver.tolerance)
                             : least_accuracy;
}
} // namespace

template <int dim>
void Equilibrium<dim>::Secant::reset()
{
  omega          = 1.;
  smallest       = std::numeric_limits<double>::max();
  since_smallest = 0;
}

template <int dim>
void Equilibrium<dim>::Secant::update(const double old_times_change,
                                      const double change_times_change,
                                      const double error)
{
  // What nothing resists makes equal steps: they are lengthened.
  const double secant = change_times_change > 0.
                            ? -omega * old_times_change / change_times_change
                            : 0.;
  omega = old_times_change < 0. ? std::min(secant, 4. * omega) : 4. * omega;
  omega = std::min(std::max(omega, 0.5), 4096.);
  if (error < smallest)
  {
    smallest       = error;
    since_smallest = 0;
  }
  else if (++since_smallest >= 10 && old_times_change < 0.)
    omega = 1.;
}

template <int dim>
Equilibrium<dim>::Equilibrium(Model<dim> &model, ContactPhase<dim> &contact)
    : pieces(model, contact)
    , model(model)
    , contact(contact)
    , tolerance(balance_tolerance(model.parameters.contact_solver))
{
  needed = pieces.any && !model.is_nonlinear();
  if (!needed)
    return;
  Point<dim> low, high;
  bool first = true;
  for (const auto *system : model.systems)
  {
    const auto &skin = system->skin();
    for (const auto &face : skin.skin_faces())
      for (unsigned int i = 0; i < face.n_nodes; ++i)
      {
        const Point<dim> x = skin.carrier(face.nodes[i]).reference;
        for (unsigned int c = 0; c < dim; ++c)
        {
          low[c]  = first ? x[c] : std::min(low[c], x[c]);
          high[c] = first ? x[c] : std::max(high[c], x[c]);
        }
        first = false;
      }
  }
  length = low.distance(high);
  secants.resize(pieces.size.size());
}

template <int dim>
void Equilibrium<dim>::begin()
{
  iterations     = 0;
  since_change   = 0;
  out_of_balance = 0.;
  balanced       = true;
  reason.clear();
  history.clear();
  for (auto &secant : secants)
    secant.reset();
}

template <int dim>
void Equilibrium<dim>::sum_over_pieces()
{
  const unsigned int n = pieces.size.size();
  std::vector<double> sums(3 * n, 0.);
  travel.assign(n, 0.);
  unsigned int first = 0;
  for (auto *system : model.systems)
  {
    system->look_at_centre(since_change > 1,
                           &sums[first],
                           &sums[n + first],
                           &sums[2 * n + first],
                           &travel[first]);
    first += system->skin().n_pieces();
  }
  Utilities::MPI::sum(sums, model.communicator, sums);
  Utilities::MPI::max(travel, model.communicator, travel);
  f.assign(sums.begin(), sums.begin() + n);
  products.assign(sums.begin() + n, sums.end());
}

template <int dim>
void Equilibrium<dim>::judge()
{
  errors.assign(secants.size(), 0.);
  unsigned int worst = 0;
  for (unsigned int p = 0; p < secants.size(); ++p)
  {
    if (pieces.is_free(p))
    {
      // Where nothing else acts any force is all of it.
      const double size = pieces.size[p] > 0. ? pieces.size[p] : f[p];
      errors[p] = std::max(pieces.error[p], f[p] > 0. ? f[p] / size : 0.);
    }
    if (errors[p] > errors[worst])
      worst = p;
  }
  out_of_balance = errors.empty() ? 0. : errors[worst];
  balanced       = out_of_balance <= tolerance;
  history.push_back(out_of_balance);
  reason.clear();
  if (balanced)
    return;
  reason = pieces.description(worst);
}

template <int dim>
bool Equilibrium<dim>::help()
{
  // What was believed of the resistance is seen in the first solution.
  bool changed        = pieces.find_resistance();
  const std::size_t n = history.size();
  const bool slow =
      since_change >= 3 && n >= 3 && history[n - 1] > 0.3 * history[n - 3];
  const auto &solver = model.parameters.contact_solver;
  if (!changed && slow && is_relative(solver) &&
      out_of_balance < 1e3 * solver.tolerance &&
      contact.solvers.tolerance_factor > 2e-5 &&
      solver.tolerance * contact.solvers.tolerance_factor > 1e-14)
    contact.solvers.set_tolerance_factor(0.1 *
                                         contact.solvers.tolerance_factor);
  if (!changed && since_change >= 12)
  {
    // Only what is held somehow: there, steps become shorter.
    std::vector<unsigned int> late;
    for (unsigned int p = 0; p < pieces.size.size(); ++p)
      if (errors[p] > tolerance && products[p] < 0.)
        late.push_back(p);
    changed = pieces.lower(late, 0.01);
  }
  return changed;
}

template <int dim>
void Equilibrium<dim>::move_centers()
{
  const unsigned int n = pieces.size.size();
  std::vector<double> omega;
  for (unsigned int p = 0; p < n; ++p)
    omega.push_back(secants[p].omega);
  unsigned int first = 0;
  for (auto *system : model.systems)
  {
    system->move_centre(&omega[first]);
    first += system->skin().n_pieces();
  }
}

template <int dim>
bool Equilibrium<dim>::accept()
{
  if (!needed)
    return true;
  ++iterations;
  ++since_change;
  pieces.find_balance();
  sum_over_pieces();
  judge();
  if (balanced || iterations >= most_iterations)
    return true;
  const unsigned int n = pieces.size.size();
  for (unsigned int p = 0; p < n; ++p)
    if (pieces.is_free(p) && errors[p] > tolerance &&
        travel[p] > farthest * length && products[p] >= 0. && since_change > 1)
    {
      reason = pieces.description(p);
      return true;
    }

  if (since_change > 1)
  {
    for (unsigned int p = 0; p < n; ++p)
      secants[p].update(products[p], products[n + p], errors[p]);
  }
  if (help())
  {
    since_change = 0;
    for (auto &secant : secants)
      secant.reset();
  }
  move_centers();
  return false;
}

template class Equilibrium<2>;
template class Equilibrium<3>;
} // namespace delassus

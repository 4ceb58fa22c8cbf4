// What is tied when the run begins.
#include <delassus/base/exceptions.h>
#include <delassus/base/text.h>
#include <delassus/simulation/contact_phase.h>

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <set>

namespace delassus
{
using namespace dealii;

namespace
{
/// How many times as compliant as its nodes a tie is in the direction that the
/// other end of the director holds.
constexpr double share_of_nodes = 1e4;
} // namespace

template <int dim>
void ContactPhase<dim>::soften_ties()
{
  // Both ends of a director d tied: what they want along d is the same at the
  // solution only, since d keeps its length. In iterates that are off by an
  // angle phi they want lengths that differ by phi^2 / 2 of the thickness,
  // which no impulses can give, and those that try would turn the director. So
  // the inner end is let go along d, e in its frame:
  //   U = calU - c (e . P) e - shift,   calU = 0,   c = 1e4 / (h^2 K),
  // and e . P is zero at the solution.
  if (!some_tie || !model.is_nonlinear() ||
      tie_stiffness.size() != dim * model.surfaces->nodes.size())
    return;
  const auto &surfaces = *model.surfaces;
  const auto &x        = places.following ? places.x_iterate : places.x;
  // The director of a candidate, and its weight; 0: it has none.
  const auto director_of =
      [&](const Contact<dim> &contact) -> std::pair<unsigned int, double>
  {
    const auto &point = surfaces.points[contact.point];
    if (point.n_nodes != 2 || point.radius > 0.)
      return { 0, 0. };
    // Of sheets: position and director, in this order.
    const auto &node = surfaces.nodes[point.nodes[1]];
    const auto &skin = model.systems[node.system]->skin();
    if (!skin.has_points() || skin.is_rigid())
      return { 0, 0. };
    return { point.nodes[1], point.weights[1] };
  };
  std::set<std::pair<unsigned int, unsigned int>> held; // by its outer end
  for (const auto &contact : contacts)
  {
    const std::size_t a           = &contact - contacts.data();
    const auto [director, weight] = director_of(contact);
    if (weight > 0. && problem.laws[a].active && problem.laws[a].is_tied())
      held.insert({ contact.interaction, director });
  }
  if (held.empty())
    return;
  for (std::size_t a = 0; a < contacts.size(); ++a)
  {
    auto &law                     = problem.laws[a];
    const auto [director, weight] = director_of(contacts[a]);
    if (!(weight < 0.) || !law.active || !law.is_tied() ||
        held.count({ contacts[a].interaction, director }) == 0)
      continue;
    double K = 0., length = 0.;
    LocalVector<dim> e{};
    for (unsigned int c = 0; c < dim; ++c)
    {
      K += std::abs(tie_stiffness[dim * director + c]) / dim;
      length += x[dim * director + c] * x[dim * director + c];
      for (unsigned int r = 0; r < dim; ++r)
        e[r] += contacts[a].frame[dim * r + c] * x[dim * director + c];
    }
    if (!(K > 0.))
      continue;
    const double compliance =
        share_of_nodes / (K * problem.h * problem.h * length);
    LocalMatrix<dim> C{};
    for (unsigned int r = 0; r < dim; ++r)
      for (unsigned int c = 0; c < dim; ++c)
        C[dim * r + c] = -compliance * e[r] * e[c];
    const LocalMatrix<dim> one = identity_matrix<dim>(), zero{};
    law.affine                 = std::make_shared<const AffineLaw<dim>>(
        one, C, zero, one, scale(-1., law.shift), LocalVector<dim>{});
  }
}

template <int dim>
void ContactPhase<dim>::check_ties()
{
  ties_are_known        = true;
  constexpr double none = std::numeric_limits<double>::max();
  for (unsigned int k = 0; k < model.interactions.size(); ++k)
  {
    const auto &interaction = model.interactions[k];
    if (!model.laws[k]->holds(nullptr))
      continue;
    const std::string where =
        model.parameters.where("Interaction " + interaction.name, "Law");
    if (interaction.faces.empty() && interaction.obstacles.empty())
      throw InputError(fmt::format(
          "{}: this law ties what touches when the run begins, and its first "
          "stage has not this interaction; allowed: also in the first stage.",
          where));
    // How many points are tied, and the nearest one that is not.
    std::set<unsigned int> tied;
    double nearest = none;
    std::string place;
    for (unsigned int a = 0; a < contacts.size(); ++a)
    {
      if (contacts[a].interaction != k)
        continue;
      const double distance = std::abs(candidate_states[a].gap);
      if (is_tied(a))
        tied.insert(contacts[a].point);
      else if (distance < nearest)
      {
        nearest = distance;
        place   = place_of(contacts[a]);
      }
    }
    double n_tied = tied.size();
    if (ranks.n_ranks > 1)
    {
      n_tied            = Utilities::MPI::sum(n_tied, model.communicator);
      const double mine = nearest;
      nearest           = Utilities::MPI::min(nearest, model.communicator);
      place             = ranks.first(mine == nearest ? place : "");
    }
    const unsigned int n_points =
        interaction.end_point - interaction.first_point;
    if (n_tied == n_points)
      continue;
    const std::string reach =
        nearest == none ? "nothing is within their search distance"
                        : fmt::format("the smallest gap is {:.4g}, near {}",
                                      nearest,
                                      place);
    if (n_tied > 0.)
      notes.push_back(fmt::format(
          "interaction '{}' ties {} of {} candidate points, those that touch; "
          "of the others {}.",
          interaction.name,
          n_tied,
          n_points,
          reach));
    else
      throw InputError(fmt::format(
          "{}: this law ties what touches when the run begins, and of {} none "
          "does: {}. Allowed: surfaces that touch within a thousandth of the "
          "contact's size, or within 'Bonding gap' of the law.",
          where,
          counted(n_points, "candidate point"),
          reach));
  }
}

template void ContactPhase<2>::soften_ties();
template void ContactPhase<3>::soften_ties();
template void ContactPhase<2>::check_ties();
template void ContactPhase<3>::check_ties();
} // namespace delassus

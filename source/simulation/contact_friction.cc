// Contacts whose friction is too large for their local problem.
#include <delassus/simulation/contact_phase.h>
#include <delassus/simulation/overlaps.h>

#include <fmt/format.h>

#include <cmath>

namespace delassus
{
using namespace dealii;

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
  return ranks.first(text);
}

template <int dim>
WedgedContacts ContactPhase<dim>::wedged_contacts() const
{
  WedgedContacts wedged;
  // Where W is only applied its blocks are not known.
  if (result.n_ill_posed == 0 || delassus.applied_only)
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
  wedged.worst = ranks.first(text);
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
      text_of(places.point_of(contact)),
      friction,
      critical);
}

#define INSTANTIATE(dim)                                                       \
  template std::string ContactPhase<dim>::ill_posed_contact() const;           \
  template WedgedContacts ContactPhase<dim>::wedged_contacts() const
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus

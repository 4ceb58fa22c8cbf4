#include <delassus/simulation/interaction_pairs.h>

#include <algorithm>

namespace delassus
{
InteractionPairs::Sides &
InteractionPairs::add_interaction(const unsigned int n_obstacles)
{
  of_interaction.emplace_back();
  of_interaction.back().antagonist_of_obstacle.assign(n_obstacles, -1);
  return of_interaction.back();
}

void InteractionPairs::add_pairs(const std::vector<std::string> &candidates,
                                 const std::vector<std::string> &antagonists)
{
  const unsigned int k            = of_interaction.size() - 1;
  of_interaction[k].n_antagonists = antagonists.size();
  of_interaction[k].first_pair    = pairs.size();
  for (const auto &candidate : candidates)
    for (const auto &antagonist : antagonists)
      pairs.push_back({ k, candidate, antagonist });
}

template <int dim>
unsigned int InteractionPairs::pair_of(const Contact<dim> &contact,
                                       const bool second_pass) const
{
  const Sides &sides = of_interaction[contact.interaction];
  const auto number  = [&](const std::vector<unsigned int> &ends)
  {
    return std::upper_bound(ends.begin(), ends.end(), contact.point) -
           ends.begin();
  };
  const unsigned int candidate = second_pass
                                     ? sides.candidate_of_face.at(contact.face)
                                     : number(sides.end_of_candidate);
  const unsigned int antagonist =
      second_pass             ? number(sides.end_of_antagonist)
      : contact.obstacle >= 0 ? sides.antagonist_of_obstacle[contact.obstacle]
                              : sides.antagonist_of_face.at(contact.face);
  return sides.first_pair + candidate * sides.n_antagonists + antagonist;
}

template unsigned int InteractionPairs::pair_of(const Contact<2> &,
                                                const bool) const;
template unsigned int InteractionPairs::pair_of(const Contact<3> &,
                                                const bool) const;
} // namespace delassus

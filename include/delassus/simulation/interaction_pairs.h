#ifndef delassus_simulation_interaction_pairs_h
#define delassus_simulation_interaction_pairs_h

#include <delassus/contact/kinematics/contact.h>

#include <string>
#include <unordered_map>
#include <vector>

namespace delassus
{
/// One pair of an interaction, for resultants: a candidate surface against an
/// antagonist surface or obstacle.
struct InteractionPair
{
  unsigned int interaction;
  std::string candidate, antagonist;
};

/// All pairs, and which of them a contact belongs to. They are numbered
/// interaction by interaction, candidate surface by candidate surface,
/// antagonists (surfaces, then obstacles) fastest.
class InteractionPairs
{
public:
  /// What the candidates and antagonists of one interaction are made of, each
  /// by its number there.
  struct Sides
  {
    unsigned int first_pair = 0, n_antagonists = 0;
    /// Where the points of each end; of antagonists those of the second pass.
    std::vector<unsigned int> end_of_candidate, end_of_antagonist;
    std::unordered_map<unsigned int, unsigned int> candidate_of_face,
        antagonist_of_face;
    std::vector<int> antagonist_of_obstacle; ///< -1: none
  };

  /// The sides of the next interaction, of a model with @p n_obstacles, to be
  /// filled in. The reference is good until the next call.
  Sides &add_interaction(const unsigned int n_obstacles);

  /// The pairs of the last interaction, each candidate with each antagonist.
  void add_pairs(const std::vector<std::string> &candidates,
                 const std::vector<std::string> &antagonists);

  const Sides &sides(const unsigned int interaction) const
  {
    return of_interaction[interaction];
  }

  /// The pair a contact belongs to; @p second_pass: its point is on the
  /// antagonist surface.
  template <int dim>
  unsigned int pair_of(const Contact<dim> &contact,
                       const bool second_pass) const;

  std::size_t size() const
  {
    return pairs.size();
  }
  const InteractionPair &operator[](const unsigned int pair) const
  {
    return pairs[pair];
  }
  std::vector<InteractionPair>::const_iterator begin() const
  {
    return pairs.begin();
  }
  std::vector<InteractionPair>::const_iterator end() const
  {
    return pairs.end();
  }

private:
  std::vector<InteractionPair> pairs;
  std::vector<Sides> of_interaction;
};
} // namespace delassus

#endif

#ifndef delassus_simulation_overlaps_h
#define delassus_simulation_overlaps_h

#include <delassus/simulation/contact_phase.h>

#include <string>
#include <vector>

namespace delassus
{
/// A candidate that starts inside what it should touch.
struct Overlap
{
  double depth;       ///< in sizes of the candidate's face
  unsigned int point; ///< of the ContactSurfaces
  std::string text;   ///< "wall/base against ground in 'foundation' at (0, 0)"
};

/// Candidates that start inside an antagonist, the deepest first: those whose
/// gap is negative, and those that lie in a cell of a piece they may touch (an
/// overlap by more than a cell is no contact any more). Reference positions.
/// Ranks together.
template <int dim>
std::vector<Overlap> find_overlaps(const Model<dim> &model,
                                   const ContactPhase<dim> &contact);

/// What is to be told of overlaps before the first step. One is pushed out in
/// one step, at the velocity depth / h: small ones are told, deep ones refused
/// with an InputError.
std::string judge_overlaps(const std::vector<Overlap> &overlaps);

/// Throws InputError for obstacles that have all candidates of an interaction
/// behind them: their normal points the wrong way.
template <int dim>
void check_sides_of_obstacles(const Model<dim> &model);

/// "(x, y, z)".
template <int dim>
std::string text_of(const dealii::Point<dim> &p);
} // namespace delassus

#endif

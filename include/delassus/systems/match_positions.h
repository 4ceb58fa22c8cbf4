#ifndef delassus_systems_match_positions_h
#define delassus_systems_match_positions_h

#include <vector>

namespace delassus
{
/// The same points in two numberings: for each point of @p to the number of the
/// point of @p from at the same position (up to rounding) with the same label
/// (a piece, an interaction), or the largest unsigned int if there is none.
/// Points that coincide in both are taken in the order of their numbers.
/// Positions have @p dim numbers a point. Works in O(n log n).
std::vector<unsigned int>
match_positions(const unsigned int dim,
                const std::vector<double> &from,
                const std::vector<unsigned int> &from_label,
                const std::vector<double> &to,
                const std::vector<unsigned int> &to_label);
} // namespace delassus

#endif

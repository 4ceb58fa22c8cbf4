#ifndef delassus_output_sheet_arms_h
#define delassus_output_sheet_arms_h

// Inner part of what contact does to sheets.
#include <delassus/output/contact_output.h>

#include <utility>
#include <vector>

namespace delassus
{
/// The contact nodes of sheets: the faces' vertices depend on a position and,
/// by a weight that is positive on the outer side and negative on the inner
/// one, on an arm, the director as long as half the thickness. Contacts act on
/// positions and arms; the arm's weight tells the side.
template <int dim>
class SheetArms
{
public:
  /// Pieces from @p n_pieces on are rigid bodies.
  SheetArms(const ContactSurfaces<dim> &surfaces, const std::size_t n_pieces)
      : is_of_sheet(surfaces.nodes.size(), false)
      , of_arm(surfaces.nodes.size())
  {
    for (unsigned int n = 0; n < surfaces.nodes.size(); ++n)
    {
      const auto &node = surfaces.nodes[n];
      if (node.piece >= n_pieces || !node.point)
        continue;
      std::vector<std::pair<unsigned int, double>> masters;
      surfaces.resolve(n,
                       1.,
                       [&](const unsigned int master, const double weight)
                       { masters.emplace_back(master, weight); });
      if (masters.size() != 2)
        continue;
      is_of_sheet[n]                    = is_of_sheet[masters[0].first] =
          is_of_sheet[masters[1].first] = true;
      of_arm[masters[1].first].emplace_back(n, masters[1].second);
    }
  }

  /// A vertex, a position or an arm.
  bool is_on_sheet(const unsigned int node) const
  {
    return is_of_sheet[node];
  }
  bool is_arm(const unsigned int node) const
  {
    return !of_arm[node].empty();
  }

  /// The vertex on the side that the sign of @p side says, with the weight of
  /// the arm in it; of several, at a jump of the thickness, the first. The
  /// weight is 0 if there is none.
  std::pair<unsigned int, double> vertex(const unsigned int arm,
                                         const double side) const
  {
    for (const auto &candidate : of_arm[arm])
      if (candidate.second * side > 0.)
        return candidate;
    return { 0, 0. };
  }

private:
  std::vector<bool> is_of_sheet;
  std::vector<std::vector<std::pair<unsigned int, double>>> of_arm;
};
} // namespace delassus

#endif

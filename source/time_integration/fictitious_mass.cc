#include <delassus/time_integration/fictitious_mass.h>
#include <delassus/bodies/rigid_modes.h>

#include <cmath>

namespace delassus
{
using namespace dealii;

template <int dim>
std::vector<double> choose_fictitious_mass(const SolidBody<dim> &body,
                                           const DrivenDofs<dim> &driven,
                                           const PieceClasses &classes,
                                           const double share,
                                           const bool also_held)
{
  // E, and not the modulus of pressure waves: nearly incompressible pieces
  // resist a contact hardly more than others.
  const double speed = std::sqrt(body.material_parameters().young_modulus /
                                 body.material_parameters().density);
  std::vector<double> factors(classes.n_classes(), 0.);
  for (unsigned int p = 0; p < body.pieces.size(); ++p)
  {
    const unsigned int c = classes.class_of_piece[p];
    const auto &piece    = body.pieces[p];
    if (!body.split && p != classes.representative[c])
      continue;
    if (!also_held && n_free_rigid_modes(body, driven, piece) == 0)
      continue;
    Point<dim> low = piece.centroid, high = low;
    for (unsigned int n = piece.first_node;
         n < piece.first_node + piece.n_nodes;
         ++n)
      if (body.node_piece[n] == p)
        for (unsigned int d = 0; d < dim; ++d)
        {
          low[d]  = std::min(low[d], body.nodes[n][d]);
          high[d] = std::max(high[d], body.nodes[n][d]);
        }
    double length = 0.;
    for (unsigned int d = 0; d < dim; ++d)
      length = std::max(length, high[d] - low[d]);
    factors[c] = std::max(factors[c], share * std::pow(speed / length, 2));
  }
  return factors;
}

template std::vector<double> choose_fictitious_mass<2>(const SolidBody<2> &,
                                                       const DrivenDofs<2> &,
                                                       const PieceClasses &,
                                                       const double,
                                                       const bool);
template std::vector<double> choose_fictitious_mass<3>(const SolidBody<3> &,
                                                       const DrivenDofs<3> &,
                                                       const PieceClasses &,
                                                       const double,
                                                       const bool);
} // namespace delassus

#include <delassus/bodies/piece_classes.h>

#include <cmath>
#include <map>
#include <tuple>

namespace delassus
{
namespace
{
template <int dim>
bool congruent(const SolidBody<dim> &body,
               const DrivenDofs<dim> &driven,
               const unsigned int p,
               const unsigned int r)
{
  const auto &a = body.pieces[p], &b = body.pieces[r];
  const double tolerance =
      1e-9 * std::pow(a.volume, 1. / dim); // of the size of the piece
  const auto shift = body.nodes[a.first_node] - body.nodes[b.first_node];
  for (unsigned int n = 0; n < a.n_nodes; ++n)
  {
    const auto difference =
        body.nodes[a.first_node + n] - body.nodes[b.first_node + n] - shift;
    if (!(difference.norm() <= tolerance))
      return false;
    for (unsigned int c = 0; c < dim; ++c)
      if (driven.is_driven(dim * (a.first_node + n) + c) !=
          driven.is_driven(dim * (b.first_node + n) + c))
        return false;
  }
  for (unsigned int c = 0; c < a.n_cells; ++c)
  {
    const unsigned int *cell_a = body.nodes_of_cell(a.first_cell + c);
    const unsigned int *cell_b = body.nodes_of_cell(b.first_cell + c);
    for (unsigned int k = 0; k < body.element.n_nodes(); ++k)
      if (cell_a[k] - a.first_node != cell_b[k] - b.first_node)
        return false;
  }
  return true;
}
} // namespace

template <int dim>
PieceClasses separate_classes(const SolidBody<dim> &body)
{
  PieceClasses result;
  result.class_of_piece.assign(body.pieces.size(), 0);
  if (body.split)
  {
    result.representative = { 0 };
    return result;
  }
  for (unsigned int p = 0; p < body.pieces.size(); ++p)
  {
    result.class_of_piece[p] = p;
    result.representative.push_back(p);
  }
  return result;
}

template <int dim>
PieceClasses find_piece_classes(const SolidBody<dim> &body,
                                const DrivenDofs<dim> &driven)
{
  PieceClasses result;
  result.class_of_piece.resize(body.pieces.size());
  if (body.split)
  {
    result.representative = { 0 };
    return result;
  }
  // Candidates for congruence have equal counts and (nearly) equal volumes: the
  // logarithm of the volume, rounded, and its two neighbours.
  using Key = std::tuple<unsigned int, unsigned int, long>;
  std::map<Key, std::vector<unsigned int>> classes_of_key;
  for (unsigned int p = 0; p < body.pieces.size(); ++p)
  {
    const auto &piece  = body.pieces[p];
    const long size    = std::lround(1e6 * std::log(piece.volume));
    unsigned int found = result.n_classes();
    if (body.assumption != Assumption::axisymmetric)
      for (long k = size - 1; k <= size + 1; ++k)
      {
        const auto it =
            classes_of_key.find({ piece.n_nodes, piece.n_cells, k });
        if (it == classes_of_key.end())
          continue;
        for (const unsigned int c : it->second)
          if (congruent(body, driven, p, result.representative[c]))
          {
            found = c;
            break;
          }
      }
    if (found == result.n_classes())
    {
      result.representative.push_back(p);
      classes_of_key[{ piece.n_nodes, piece.n_cells, size }].push_back(found);
    }
    result.class_of_piece[p] = found;
  }
  return result;
}

template PieceClasses separate_classes<2>(const SolidBody<2> &);
template PieceClasses separate_classes<3>(const SolidBody<3> &);
template PieceClasses find_piece_classes<2>(const SolidBody<2> &,
                                            const DrivenDofs<2> &);
template PieceClasses find_piece_classes<3>(const SolidBody<3> &,
                                            const DrivenDofs<3> &);
} // namespace delassus

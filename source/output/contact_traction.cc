#include <delassus/output/contact_traction.h>
#include <delassus/contact/kinematics/face_quadrature.h>

#include "sheet_arms.h"

#include <algorithm>

namespace delassus
{
using namespace dealii;

namespace
{
/// The tributary areas of the contact nodes that forces act on.
template <int dim>
class NodeAreas
{
public:
  NodeAreas(const ContactSurfaces<dim> &surfaces,
            const SheetArms<dim> &arms,
            const std::vector<PiecePlace<dim>> &places,
            const std::vector<double> &positions)
      : of_node(surfaces.nodes.size())
      , middles(surfaces.nodes.size())
  {
    std::array<Point<dim>, 9> X;
    // Rigid pieces, after the others, are where they are.
    const auto is_present = [&](const unsigned int piece)
    { return piece >= places.size() || places[piece].present; };
    for (unsigned int f = 0; f < surfaces.faces.size(); ++f)
    {
      const auto &face = surfaces.faces[f];
      surfaces.face_positions(
          face, is_present(face.piece) ? positions : surfaces.reference, X);
      std::array<Tensor<1, dim>, 9> areas;
      for_face_quadrature<dim>(
          face.n_nodes,
          [&](const FaceShape<dim> &shape, const double weight, const auto &)
          {
            const Tensor<1, dim> area =
                weight *
                surfaces.out_of_plane(f, shape.position(face.n_nodes, X)) *
                shape.area_vector(face.n_nodes, X);
            for (unsigned int v = 0; v < face.n_nodes; ++v)
              areas[v] += shape.value[v] * area;
          });
      const bool no_corners =
          is_quadratic_face<dim>(face.n_nodes) && face.n_corners == 3;
      for (unsigned int v = 0; v < face.n_nodes; ++v)
        if (no_corners && v < 3)
          for (const unsigned int middle : { v, (v + 2) % 3 })
            middles[face.nodes[v]].push_back(face.nodes[3 + middle]);
        else if (arms.is_on_sheet(face.nodes[v])) // each face has its own
          of_node[face.nodes[v]].push_back(areas[v]);
        else
          surfaces.resolve(face.nodes[v],
                           1.,
                           [&](const unsigned int node, const double weight)
                           { of_node[node].push_back(weight * areas[v]); });
    }
  }

  /// As seen along the outward direction @p n.
  double facing(const unsigned int node, const Tensor<1, dim> &n) const
  {
    double sum = 0., all = 0.;
    for (const auto &area : of_node[node])
    {
      sum += std::max(0., area * n);
      all += area.norm();
    }
    // Contact on an edge, across all faces.
    return sum > 1e-6 * all ? sum : all;
  }

  bool has_area(const unsigned int node) const
  {
    return middles[node].empty();
  }

  /// Of a corner without area: the middles of its edges on faces that look
  /// towards @p n (within 50 degrees), or of all.
  std::vector<unsigned int> stand_ins(const unsigned int node,
                                      const Tensor<1, dim> &n) const
  {
    std::vector<unsigned int> chosen;
    for (const unsigned int middle : middles[node])
    {
      Tensor<1, dim> area;
      for (const auto &part : of_node[middle])
        area += part;
      if (area * n > 0.64 * area.norm() * n.norm())
        chosen.push_back(middle);
    }
    return chosen.empty() ? middles[node] : chosen;
  }

private:
  std::vector<std::vector<Tensor<1, dim>>> of_node;
  std::vector<std::vector<unsigned int>> middles;
};
} // namespace

template <int dim>
std::vector<double>
contact_tractions(const std::vector<PiecePlace<dim>> &places,
                  const ContactFields<dim> &fields)
{
  const auto &surfaces = *fields.surfaces;
  std::vector<double> result((dim + 1) * surfaces.nodes.size(), 0.);
  if (std::none_of(fields.P->begin(),
                   fields.P->end(),
                   [](const double P) { return P != 0.; }))
    return result;
  const SheetArms<dim> arms(surfaces, places.size());
  const NodeAreas<dim> areas(surfaces, arms, places, *fields.positions);
  for (unsigned int a = 0; a < fields.contacts->size(); ++a)
  {
    const auto &contact         = (*fields.contacts)[a];
    const double *P             = &(*fields.P)[dim * a];
    const Tensor<1, dim> force  = contact.to_global(P) / fields.h;
    const Tensor<1, dim> normal = contact.normal();
    const double normal_force   = P[0] / fields.h;
    const auto add =
        [&](const unsigned int node, const double weight, const double side)
    {
      // N points into the candidate: outward is -N there.
      const double area = areas.facing(node, -side * normal);
      if (!(area > 0.))
        return;
      double *values = &result[(dim + 1) * node];
      values[0] += side * weight * normal_force / area;
      for (unsigned int c = 0; c < dim; ++c)
        values[1 + c] += weight * force[c] / area;
    };
    for (unsigned int i = 0; i < contact.n_entries; ++i)
    {
      const double side       = i < contact.n_candidate_entries ? 1. : -1.;
      const unsigned int node = contact.nodes[i];
      if (arms.is_on_sheet(node))
      {
        // What acts on a position acts on the arm too, which tells the face.
        const double arm = side * contact.weights[i];
        if (!arms.is_arm(node))
          continue;
        const auto [vertex, weight] = arms.vertex(node, arm);
        if (weight != 0.)
          add(vertex, side * arm / weight, side);
        continue;
      }
      if (areas.has_area(node))
      {
        add(node, contact.weights[i], side);
        continue;
      }
      const auto stand_ins = areas.stand_ins(node, -side * normal);
      for (const unsigned int middle : stand_ins)
        add(middle, contact.weights[i] / stand_ins.size(), side);
    }
  }
  for (unsigned int n = 0; n < surfaces.nodes.size(); ++n)
  {
    if (areas.has_area(n))
      continue;
    Tensor<1, dim> traction;
    for (const unsigned int middle : areas.stand_ins(n, traction))
      for (unsigned int c = 0; c < dim; ++c)
        traction[c] += result[(dim + 1) * middle + 1 + c];
    const auto stand_ins = areas.stand_ins(n, -traction);
    for (const unsigned int middle : stand_ins)
      for (unsigned int c = 0; c < dim + 1; ++c)
        result[(dim + 1) * n + c] +=
            result[(dim + 1) * middle + c] / stand_ins.size();
  }
  // Hanging nodes are between their masters.
  for (unsigned int n = 0; n < surfaces.nodes.size(); ++n)
    if (surfaces.nodes[n].depends && !arms.is_on_sheet(n))
      surfaces.resolve(n,
                       1.,
                       [&](const unsigned int master, const double weight)
                       {
                         for (unsigned int c = 0; c < dim + 1; ++c)
                           result[(dim + 1) * n + c] +=
                               weight * result[(dim + 1) * master + c];
                       });
  return result;
}

template std::vector<double>
contact_tractions<2>(const std::vector<PiecePlace<2>> &,
                     const ContactFields<2> &);
template std::vector<double>
contact_tractions<3>(const std::vector<PiecePlace<3>> &,
                     const ContactFields<3> &);
} // namespace delassus

#include "check_sheets.h"

#include <delassus/base/text.h>
#include <delassus/shell_systems/building/sheet_mesh.h>
#include <delassus/shell_systems/shell_system.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace delassus
{
using namespace dealii;

namespace
{
struct Numbers
{
  unsigned int n_quads = 0, n_nodes = 0, n_dofs = 0, n_driven = 0;
  double area = 0., mass = 0., volume = 0.;
  double thinnest = std::numeric_limits<double>::max(), thickest = 0.;
  double crossing = std::numeric_limits<double>::max();
};

void add(const ShellPiece &piece, Numbers &sum)
{
  const ShellModel &model = piece.model();
  sum.n_quads += model.n_quads();
  sum.n_nodes += model.n_nodes();
  sum.n_dofs += model.n_dofs();
  sum.n_driven += model.n_dofs() - model.n_unknowns();
  sum.mass += piece.mass();
  for (unsigned int q = 0; q < model.n_quads(); ++q)
  {
    const auto &geometry = model.geometry(q);
    const auto corners   = model.reference().corners(q);
    double shortest      = std::numeric_limits<double>::max();
    sum.area += geometry.area;
    for (unsigned int i = 0; i < 4; ++i)
    {
      sum.thinnest = std::min(sum.thinnest, 2. * geometry.half[i]);
      sum.thickest = std::max(sum.thickest, 2. * geometry.half[i]);
      sum.volume += 0.5 * geometry.half[i] * geometry.area;
      shortest = std::min(shortest, norm(corners[(i + 1) % 4] - corners[i]));
    }
    double stiffest = 0.;
    for (const auto &point : model.section(q).points())
      stiffest = std::max(
          stiffest, point.law->thickness_modulus() / point.law->density());
    if (stiffest > 0.)
      sum.crossing = std::min(sum.crossing, shortest / std::sqrt(stiffest));
  }
}
} // namespace

template <int dim>
double describe_sheets(const Model<dim> &model, std::ostream &out)
{
  double crossing = std::numeric_limits<double>::max();
  for (unsigned int s = 0; s < model.shells.size(); ++s)
  {
    const ShellSystem &sheet = *model.shells[s];
    const auto &given        = model.parameters.shells[s];
    Numbers sum;
    for (unsigned int p = 0; p < sheet.n_pieces(); ++p)
      add(sheet.piece(p), sum);
    crossing = std::min(crossing, sum.crossing);
    std::vector<std::string> layers;
    for (const auto &layer : given.layers)
      layers.push_back("'" + layer.material + "'");
    out << fmt::format(
        "  body '{}': shell, {}, {}, {}, {} ({} driven), thickness {:.6g}{}, "
        "area {:.6g}, volume {:.6g}, mass {:.6g}, {} {}\n",
        given.name,
        counted(sheet.n_pieces(), "piece"),
        counted(sum.n_quads, "element"),
        counted(sum.n_nodes, "node"),
        counted(sum.n_dofs, "dof"),
        sum.n_driven,
        sum.thinnest,
        sum.thickest > sum.thinnest * (1. + 1e-12)
            ? fmt::format(" to {:.6g}", sum.thickest)
            : "",
        sum.area,
        sum.volume,
        sum.mass,
        layers.size() == 1
            ? "material"
            : fmt::format("{} layers, from the inner face", layers.size()),
        fmt::join(layers, ", "));
    for (const auto &part : model.sheets[s]->parts)
    {
      double length = 0.;
      for (const auto &edge : part.edges)
        length += norm(model.sheets[s]->mesh.nodes[edge[1]] -
                       model.sheets[s]->mesh.nodes[edge[0]]);
      out << fmt::format("    '{}/{}': {}\n",
                         given.name,
                         part.name,
                         !part.quads.empty()
                             ? counted(part.quads.size(), "element")
                         : !part.edges.empty()
                             ? fmt::format("{}, length {:.6g}",
                                           counted(part.edges.size(), "edge"),
                                           length)
                             : counted(part.nodes.size(), "node"));
    }
  }
  return crossing;
}

template <int dim>
void add_faces_of_sheets(const Model<dim> &model,
                         unsigned int number,
                         PointCloud<dim> &cloud,
                         std::ostream &out)
{
  if constexpr (dim == 3)
    for (unsigned int s = 0; s < model.shells.size(); ++s)
    {
      const ShellSkin &skin = model.shells[s]->skin();
      for (const auto &name : skin.surface_names())
      {
        const auto &faces = skin.surface(name, "check");
        double area       = 0.;
        for (const unsigned int f : faces)
        {
          const auto &nodes = skin.skin_faces()[f].nodes;
          std::array<Point<3>, 4> x;
          for (unsigned int i = 0; i < 4; ++i)
            x[i] = skin.carrier(nodes[i]).reference;
          const Tensor<1, 3> normal =
              0.5 * cross_product_3d(x[2] - x[0], x[3] - x[1]);
          area += normal.norm();
          const Tensor<1, 3> unit = normal / normal.norm();
          cloud.add_point(
              x[0] + 0.25 * ((x[1] - x[0]) + (x[2] - x[0]) + (x[3] - x[0])),
              { double(number),
                double(model.bodies.size() + s),
                unit[0],
                unit[1],
                unit[2] });
        }
        out << fmt::format("  surface {:2} '{}/{}': {}, area {:.6g}\n",
                           number++,
                           skin.name(),
                           name,
                           counted(faces.size(), "face"),
                           area);
      }
    }
}

template double describe_sheets<2>(const Model<2> &, std::ostream &);
template double describe_sheets<3>(const Model<3> &, std::ostream &);
template void add_faces_of_sheets<2>(const Model<2> &,
                                     unsigned int,
                                     PointCloud<2> &,
                                     std::ostream &);
template void add_faces_of_sheets<3>(const Model<3> &,
                                     unsigned int,
                                     PointCloud<3> &,
                                     std::ostream &);
} // namespace delassus

#include <delassus/base/exceptions.h>
#include <delassus/mesh/cell_topology.h>
#include <delassus/mesh/check_mesh.h>
#include <delassus/shell_systems/building/sheet_mesh.h>
#include <delassus/shell_systems/building/solid_sheet.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace delassus
{
using namespace dealii;

namespace
{
/// Normal of length one of the generated surface, at a point of it.
Tensor<1, 3> normal_at(const MeshParameters &mesh, const Point<3> &x)
{
  Tensor<1, 3> normal;
  if (mesh.type == MeshType::rectangle || mesh.type == MeshType::disk)
  {
    normal[2] = 1.;
    return normal;
  }
  for (unsigned int c = 0; c < 3; ++c)
    normal[c] = x[c] - (mesh.origin.empty() ? 0. : mesh.origin[c]);
  if (mesh.type == MeshType::cylinder)
    normal[2] = 0.;
  return normal / normal.norm();
}
} // namespace

bool is_generated_sheet(const BodyParameters &body)
{
  return body.type == BodyType::solid_shell &&
         (body.mesh.type == MeshType::rectangle ||
          body.mesh.type == MeshType::disk ||
          body.mesh.type == MeshType::cylinder ||
          body.mesh.type == MeshType::sphere);
}

MeshData<3> make_solid_sheet(const BodyParameters &body, const double memory)
{
  ShellParameters shell;
  shell.name        = body.name;
  shell.mesh        = body.mesh;
  shell.origins     = body.origins;
  const auto sheet  = make_sheet_mesh(shell, memory);
  const auto where  = body.where("Mesh/Type", "mesh");
  const bool curved = body.mesh.type == MeshType::cylinder ||
                      body.mesh.type == MeshType::sphere;
  if (curved && !(body.thickness < 2. * body.mesh.radius * body.mesh.scale))
    throw InputError(fmt::format(
        "{}: the thickness is {:.6g}; allowed: less than twice the radius, "
        "{:.6g}.",
        body.where("Thickness", "thickness"),
        body.thickness,
        2. * body.mesh.radius * body.mesh.scale));

  MeshData<3> mesh;
  mesh.reference_cell  = ReferenceCells::Hexahedron;
  mesh.source          = "generated sheet";
  const unsigned int n = sheet.mesh.nodes.size();
  for (const double side : { -0.5, 0.5 })
    for (const auto &node : sheet.mesh.nodes)
    {
      const Point<3> x(node[0], node[1], node[2]);
      mesh.vertices.push_back(x +
                              side * body.thickness * normal_at(body.mesh, x));
    }

  // Cells piece by piece. Quads go round their normals, which 'orient' may have
  // made the other ones all over a piece.
  const auto pieces = number_pieces(sheet.mesh);
  std::vector<unsigned int> order(sheet.mesh.quads.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(),
                   order.end(),
                   [&](const unsigned int a, const unsigned int b)
                   { return pieces[a] < pieces[b]; });
  NamedSurface inner{ "inner", {} }, outer{ "outer", {} };
  std::map<std::array<unsigned int, 2>, std::vector<unsigned int>> side_faces;
  const auto &local_faces = outward_faces(mesh.reference_cell);
  for (const unsigned int q : order)
  {
    auto quad = sheet.mesh.quads[q];
    CellData<3> cell(8);
    const auto fill = [&]()
    {
      cell.vertices = { quad[0],     quad[1],     quad[3],     quad[2],
                        quad[0] + n, quad[1] + n, quad[3] + n, quad[2] + n };
    };
    fill();
    if (cell_measure(mesh.vertices, cell.vertices, mesh.reference_cell) < 0.)
    {
      std::swap(quad[1], quad[3]);
      fill();
    }
    cell.material_id = pieces[q];
    mesh.n_pieces    = std::max(mesh.n_pieces, pieces[q] + 1);
    for (const auto &local : local_faces)
    {
      std::vector<unsigned int> face, low;
      for (const unsigned int v : local)
      {
        face.push_back(cell.vertices[v]);
        if (face.back() < n)
          low.push_back(face.back());
      }
      if (low.size() == 4)
        inner.faces.push_back(face);
      else if (low.empty())
        outer.faces.push_back(face);
      else
        side_faces[{ { std::min(low[0], low[1]), std::max(low[0], low[1]) } }] =
            face;
    }
    mesh.cells.push_back(cell);
  }
  mesh.surfaces = { outer, inner };
  for (const auto &part : sheet.parts)
  {
    NamedSurface surface{ part.name, {} };
    for (const auto &edge : part.edges)
      surface.faces.push_back(side_faces.at(
          { { std::min(edge[0], edge[1]), std::max(edge[0], edge[1]) } }));
    mesh.surfaces.push_back(surface);
  }
  check_mesh(mesh, where);
  return mesh;
}
} // namespace delassus

#include <delassus/base/exceptions.h>
#include <delassus/mesh/gmsh_reader.h>
#include <delassus/parameters/formula.h>
#include <delassus/shell_systems/building/sheet_mesh.h>

#include <deal.II/base/mpi.h>

#include <boost/serialization/array.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace delassus
{
namespace
{
constexpr double degree = 3.14159265358979323846 / 180.;

/// Whether a node is on the edge of a generated mesh that has this name.
struct GeneratedEdge
{
  std::string name;
  std::function<bool(const Vector3 &)> has;
};

using Edge = std::array<unsigned int, 2>;

Edge sorted(const unsigned int a, const unsigned int b)
{
  return { { std::min(a, b), std::max(a, b) } };
}

/// Edges that one quad has.
std::vector<Edge> free_edges(const ShellMesh &mesh)
{
  std::map<Edge, unsigned int> count;
  for (const auto &quad : mesh.quads)
    for (unsigned int i = 0; i < 4; ++i)
      ++count[sorted(quad[i], quad[(i + 1) % 4])];
  std::vector<Edge> result;
  for (const auto &[edge, n] : count)
    if (n == 1)
      result.push_back(edge);
  return result;
}

/// Only these quads, and the nodes that they have. Returns the new numbers of
/// the nodes; -1: there is none.
std::vector<int> keep_quads(ShellMesh &mesh,
                            const std::function<bool(unsigned int)> &keep)
{
  ShellMesh kept;
  std::vector<int> number(mesh.nodes.size(), -1);
  for (unsigned int q = 0; q < mesh.quads.size(); ++q)
    if (keep(q))
      kept.quads.push_back(mesh.quads[q]);
  for (const auto &quad : kept.quads)
    for (const unsigned int node : quad)
      number[node] = 0;
  for (unsigned int n = 0; n < mesh.nodes.size(); ++n)
    if (number[n] == 0)
    {
      number[n] = kept.nodes.size();
      kept.nodes.push_back(mesh.nodes[n]);
    }
  for (auto &quad : kept.quads)
    for (auto &node : quad)
      node = number[node];
  mesh = std::move(kept);
  return number;
}

/// Nodes on top of each other, of a surface that closes, are one.
void close_around(ShellMesh &mesh, const unsigned int n_around)
{
  for (auto &quad : mesh.quads)
    for (auto &node : quad)
      if (node % (n_around + 1) == n_around)
        node -= n_around;
  keep_quads(mesh, [](const unsigned int) { return true; });
}

/// Half or a quarter of what is symmetric.
void keep_part(ShellMesh &mesh, const DiskPart part, const double size)
{
  if (part == DiskPart::full)
    return;
  const double tiny = 1e-9 * size;
  for (auto &x : mesh.nodes)
    for (unsigned int c = 0; c < (part == DiskPart::half ? 1 : 2); ++c)
      x[c] = std::abs(x[c]) < tiny ? 0. : x[c];
  keep_quads(mesh,
             [&](const unsigned int q)
             {
               for (const unsigned int n : mesh.quads[q])
                 if (mesh.nodes[n][0] < 0. ||
                     (part == DiskPart::quarter && mesh.nodes[n][1] < 0.))
                   return false;
               return true;
             });
}

ShellMesh generate(const ShellParameters &shell,
                   std::vector<GeneratedEdge> &edges)
{
  const MeshParameters &p = shell.mesh;
  const unsigned int n_u = p.divisions[0], n_v = p.divisions[1];
  const double R    = p.radius;
  const auto beside = [](const double a, const double b, const double size)
  { return std::abs(a - b) <= 1e-9 * size; };
  ShellMesh mesh;
  switch (p.type)
  {
    case MeshType::rectangle:
    {
      const double a = p.size[0], b = p.size[1];
      mesh  = shell_rectangle(a, b, n_u, n_v);
      edges = {
        { "left", [=](const Vector3 &x) { return beside(x[0], 0., a); } },
        { "right", [=](const Vector3 &x) { return beside(x[0], a, a); } },
        { "bottom", [=](const Vector3 &x) { return beside(x[1], 0., b); } },
        { "top", [=](const Vector3 &x) { return beside(x[1], b, b); } }
      };
      break;
    }
    case MeshType::disk:
    {
      const double hole = p.hole_radius;
      if (hole > 0.)
      {
        const double share = p.part == DiskPart::full   ? 360.
                             : p.part == DiskPart::half ? 180.
                                                        : 90.;
        const double from  = p.part == DiskPart::half ? -90. : 0.;
        // Outwards, then around: normals along z.
        mesh = shell_grid(
            n_u,
            n_v,
            [=](const double u, const double v)
            {
              const double phi = (from + u * share) * degree,
                           r   = R + v * (hole - R);
              return Vector3{ { r * std::cos(phi), r * std::sin(phi), 0. } };
            });
        if (p.part == DiskPart::full)
          close_around(mesh, n_u);
        keep_part(mesh, p.part, R); // zeros on the lines of symmetry
      }
      else
      {
        mesh = shell_disk(R, 2 * n_u, n_v);
        keep_part(mesh, p.part, R);
      }
      edges = { { "rim", [=](const Vector3 &x) {
                   return beside(std::hypot(x[0], x[1]), R, R);
                 } } };
      if (hole > 0.)
        edges.push_back({ "hole", [=](const Vector3 &x) {
                           return beside(std::hypot(x[0], x[1]), hole, R);
                         } });
      if (p.part != DiskPart::full)
        edges.push_back(
            { "left", [=](const Vector3 &x) { return beside(x[0], 0., R); } });
      if (p.part == DiskPart::quarter)
        edges.push_back({ "bottom", [=](const Vector3 &x) {
                           return beside(x[1], 0., R);
                         } });
      break;
    }
    default: // cylinder or sphere: (u, v) are the angle and what goes up
    {
      const bool sphere = p.type == MeshType::sphere;
      const double from = p.angles[0] * degree, to = p.angles[1] * degree;
      const double low  = sphere ? p.latitudes[0] * degree : 0.,
                   high = sphere ? p.latitudes[1] * degree : p.size[0];
      mesh              = shell_grid(n_u,
                        n_v,
                        [=](const double u, const double v)
                        {
                          const double phi = from + u * (to - from),
                                       up  = low + v * (high - low);
                          const double r   = sphere ? R * std::cos(up) : R;
                          return Vector3{ { r * std::cos(phi),
                                            r * std::sin(phi),
                                            sphere ? R * std::sin(up) : up } };
                        });
      const bool closed = p.angles[1] - p.angles[0] > 360. * (1. - 1e-12);
      if (closed)
        close_around(mesh, n_u);
      const auto height = [=](const double up)
      { return sphere ? R * std::sin(up) : up; };
      const double extent = sphere ? R : p.size[0];
      const auto at       = [=](const double angle)
      {
        // The half plane of this longitude.
        return [=](const Vector3 &x)
        {
          return beside(
                     x[1] * std::cos(angle) - x[0] * std::sin(angle), 0., R) &&
                 x[0] * std::cos(angle) + x[1] * std::sin(angle) > 0.;
        };
      };
      edges = { { "bottom",
                  [=](const Vector3 &x)
                  { return beside(x[2], height(low), extent); } },
                { "top", [=](const Vector3 &x) {
                   return beside(x[2], height(high), extent);
                 } } };
      if (!closed)
      {
        edges.push_back({ "left", at(from) });
        edges.push_back({ "right", at(to) });
      }
    }
  }
  return mesh;
}

/// A sheet that rank 0 has read, on its way to the others.
struct SheetParcel
{
  std::vector<std::array<double, 3>> nodes;
  std::vector<std::array<unsigned int, 4>> quads;
  std::vector<std::string> names;
  std::vector<std::vector<unsigned int>> part_nodes, part_quads;
  std::vector<std::vector<Edge>> part_edges;
  std::string error;

  template <class Archive>
  void serialize(Archive &archive, const unsigned int)
  {
    archive &nodes &quads &names &part_nodes &part_quads &part_edges &error;
  }
};

void sort_nodes(SheetPart &part)
{
  std::sort(part.nodes.begin(), part.nodes.end());
  part.nodes.erase(std::unique(part.nodes.begin(), part.nodes.end()),
                   part.nodes.end());
}

SheetParcel read_file(const ShellParameters &shell)
{
  const auto where = shell.where("Mesh/File", "mesh file");
  const RawMesh<3> raw =
      read_gmsh_sheet(shell.mesh.file,
                      shell.mesh.gmsh_numbers,
                      shell.mesh.allow_scripts,
                      where,
                      shell.where("Mesh/Gmsh numbers", "numbers of Gmsh"));
  // The group of the body's name, or all of them.
  std::vector<const CellGroup *> groups;
  std::vector<std::string> names;
  const bool by_name = !shell.physical_name.empty();
  for (const auto &group : raw.groups)
  {
    names.push_back(group.name);
    if (group.name == (by_name ? shell.physical_name : shell.name))
      groups.assign(1, &group);
  }
  if (groups.empty() && by_name)
    throw InputError(
        fmt::format("{}: the mesh '{}' has no physical surface of this name.{}",
                    shell.where("Physical name", "physical name"),
                    shell.mesh.file,
                    suggest_name(shell.physical_name, names)));
  if (groups.empty())
    for (const auto &group : raw.groups)
      groups.push_back(&group);
  SheetParcel parcel;
  for (const auto &x : raw.vertices)
    parcel.nodes.push_back({ { x[0], x[1], x[2] } });
  for (const auto *group : groups)
  {
    parcel.names.push_back(group->name);
    parcel.part_nodes.emplace_back();
    parcel.part_edges.emplace_back();
    parcel.part_quads.emplace_back();
    for (const auto &cell : group->cells)
    {
      if (cell.size() != 4 || !raw.mid_nodes.empty())
      {
        dealii::Point<3> middle;
        for (const unsigned int v : cell)
          middle += raw.vertices[v] / static_cast<double>(cell.size());
        throw InputError(fmt::format(
            "{}: the surface has {}, near ({:.6g}, {:.6g}, {:.6g}); allowed: "
            "quadrilaterals with straight edges. In Gmsh: {}.",
            where,
            cell.size() != 4 ? "triangles" : "elements of degree 2",
            middle[0],
            middle[1],
            middle[2],
            cell.size() != 4
                ? "Mesh.RecombineAll = 1, or 'Recombine Surface {:};', with "
                  "Mesh.RecombinationAlgorithm = 2 or 3 (which leave no "
                  "triangles), or Mesh.SubdivisionAlgorithm = 1"
                : "Mesh.ElementOrder = 1"));
      }
      // Corners come in lexicographic order.
      parcel.part_quads.back().push_back(parcel.quads.size());
      parcel.quads.push_back({ { cell[0], cell[1], cell[3], cell[2] } });
    }
    if (!group->unusable_kinds.empty())
      throw InputError(
          fmt::format("{}: the surface has elements of the kind '{}'; allowed: "
                      "quadrilaterals with straight edges.",
                      where,
                      *group->unusable_kinds.begin()));
  }
  for (const auto &surface : raw.surfaces)
  {
    parcel.names.push_back(surface.name);
    parcel.part_nodes.emplace_back();
    parcel.part_edges.emplace_back();
    parcel.part_quads.emplace_back();
    for (const auto &face : surface.faces)
    {
      parcel.part_nodes.back().insert(
          parcel.part_nodes.back().end(), face.begin(), face.end());
      if (face.size() == 2)
        parcel.part_edges.back().push_back(sorted(face[0], face[1]));
    }
  }
  if (parcel.quads.empty())
    throw InputError(fmt::format("{}: the mesh has no quadrilaterals.", where));
  return parcel;
}

SheetMesh from_file(const ShellParameters &shell)
{
  namespace mpi = dealii::Utilities::MPI;
  SheetParcel parcel;
  if (!mpi::job_supports_mpi() || mpi::n_mpi_processes(MPI_COMM_WORLD) == 1)
    parcel = read_file(shell);
  else
  {
    if (mpi::this_mpi_process(MPI_COMM_WORLD) == 0)
    {
      // Whatever goes wrong, the others must not be left waiting.
      try
      {
        parcel = read_file(shell);
      }
      catch (const std::exception &e)
      {
        parcel.error = e.what();
      }
    }
    parcel = mpi::broadcast(MPI_COMM_WORLD, parcel);
    if (!parcel.error.empty())
      throw InputError(parcel.error);
  }
  SheetMesh sheet;
  sheet.mesh = { parcel.nodes, parcel.quads };
  for (unsigned int p = 0; p < parcel.names.size(); ++p)
    sheet.parts.push_back({ parcel.names[p],
                            parcel.part_nodes[p],
                            parcel.part_edges[p],
                            parcel.part_quads[p] });
  const auto number =
      keep_quads(sheet.mesh, [](const unsigned int) { return true; });
  for (auto &part : sheet.parts)
  {
    std::vector<unsigned int> nodes;
    std::vector<Edge> edges;
    for (const unsigned int n : part.nodes)
      if (number[n] >= 0)
        nodes.push_back(number[n]);
    for (const auto &edge : part.edges)
      if (number[edge[0]] >= 0 && number[edge[1]] >= 0)
        edges.push_back(sorted(number[edge[0]], number[edge[1]]));
    part.nodes = nodes;
    part.edges = edges;
  }
  return sheet;
}

/// Quads in whose centres the user's expression is positive are left out.
void cut_out(SheetMesh &sheet, const ShellParameters &shell)
{
  if (shell.mesh.cut_out.empty())
    return;
  const Formula formula(shell.mesh.cut_out, "x,y,z");
  const auto where  = shell.where("Mesh/Cut out", "cut-out");
  const auto before = free_edges(sheet.mesh);
  std::vector<int> quad_number;
  unsigned int n = 0;
  for (unsigned int q = 0; q < sheet.mesh.quads.size(); ++q)
  {
    const Vector3 x    = sheet.mesh.centre(q);
    const double value = formula.value({ x[0], x[1], x[2] });
    if (!std::isfinite(value))
      throw InputError(fmt::format(
          "{}: the expression is no finite number at ({:.6g}, {:.6g}, {:.6g}).",
          where,
          x[0],
          x[1],
          x[2]));
    quad_number.push_back(value > 0. ? -1 : int(n));
    n += value > 0. ? 0 : 1;
  }
  if (n == 0)
    throw InputError(where + ": nothing is left of the sheet.");
  const auto number = keep_quads(
      sheet.mesh, [&](const unsigned int q) { return quad_number[q] >= 0; });
  SheetPart cut;
  cut.name = "cut";
  std::vector<Edge> old;
  for (const auto &edge : before)
    if (number[edge[0]] >= 0 && number[edge[1]] >= 0)
      old.push_back(sorted(number[edge[0]], number[edge[1]]));
  std::sort(old.begin(), old.end());
  for (const auto &edge : free_edges(sheet.mesh))
    if (!std::binary_search(old.begin(), old.end(), edge))
    {
      cut.edges.push_back(edge);
      cut.nodes.insert(cut.nodes.end(), edge.begin(), edge.end());
    }
  sort_nodes(cut);
  for (auto &part : sheet.parts)
  {
    SheetPart left;
    left.name = part.name;
    for (const unsigned int a : part.nodes)
      if (number[a] >= 0)
        left.nodes.push_back(number[a]);
    for (const auto &edge : part.edges)
      if (number[edge[0]] >= 0 && number[edge[1]] >= 0)
        left.edges.push_back(sorted(number[edge[0]], number[edge[1]]));
    for (const unsigned int q : part.quads)
      if (quad_number[q] >= 0)
        left.quads.push_back(quad_number[q]);
    part = left;
  }
  sheet.parts.push_back(cut);
}

/// The edges at the boundary of a generated mesh that have names.
void name_edges(SheetMesh &sheet, const std::vector<GeneratedEdge> &edges)
{
  const auto all = free_edges(sheet.mesh);
  for (const auto &named : edges)
  {
    SheetPart part;
    part.name = named.name;
    for (const auto &edge : all)
      if (named.has(sheet.mesh.nodes[edge[0]]) &&
          named.has(sheet.mesh.nodes[edge[1]]))
      {
        part.edges.push_back(edge);
        part.nodes.insert(part.nodes.end(), edge.begin(), edge.end());
      }
    sheet.parts.push_back(part);
  }
}
} // namespace

const SheetPart *SheetMesh::find(const std::string &name) const
{
  for (const auto &part : parts)
    if (part.name == name)
      return &part;
  return nullptr;
}

std::vector<std::string> SheetMesh::part_names() const
{
  std::vector<std::string> names;
  for (const auto &part : parts)
    if (!part.name.empty())
      names.push_back(part.name);
  return names;
}

SheetMesh make_sheet_mesh(const ShellParameters &shell, const double memory)
{
  const MeshParameters &p = shell.mesh;
  SheetMesh sheet;
  if (p.type == MeshType::file)
    sheet = from_file(shell);
  else
  {
    // Some kilobytes a quad for its points, its part of matrix and factor.
    constexpr double bytes = 2e4;
    const double n =
        p.type == MeshType::disk && p.hole_radius == 0.
            ? 4. * p.divisions[0] * (p.divisions[0] + 2. * p.divisions[1])
            : double(p.divisions[0]) * p.divisions[1];
    if (memory > 0. && n * bytes > memory)
      throw InputError(fmt::format(
          "{}: {:.3g} elements take about {:.3g} GiB, and {:.3g} are there; "
          "allowed: fewer.",
          shell.where("Mesh/Divisions", "mesh"),
          n,
          n * bytes / (1 << 30),
          memory / (1 << 30)));
    std::vector<GeneratedEdge> edges;
    sheet.mesh = generate(shell, edges);
    name_edges(sheet, edges);
  }
  for (auto &x : sheet.mesh.nodes)
    for (unsigned int c = 0; c < 3; ++c)
      x[c] = p.scale * x[c] + (p.origin.empty() ? 0. : p.origin[c]);
  cut_out(sheet, shell);
  sheet.n_turned = orient(sheet.mesh, "'" + shell.name + "'");
  if (shell.turn_over)
    for (auto &quad : sheet.mesh.quads)
      std::swap(quad[1], quad[3]);
  for (auto &part : sheet.parts)
  {
    for (const unsigned int q : part.quads)
      part.nodes.insert(part.nodes.end(),
                        sheet.mesh.quads[q].begin(),
                        sheet.mesh.quads[q].end());
    sort_nodes(part);
  }
  if (sheet.find("boundary") == nullptr)
  {
    SheetPart boundary;
    boundary.name  = "boundary";
    boundary.edges = free_edges(sheet.mesh);
    for (const auto &edge : boundary.edges)
      boundary.nodes.insert(boundary.nodes.end(), edge.begin(), edge.end());
    sort_nodes(boundary);
    sheet.parts.push_back(boundary);
  }
  return sheet;
}
} // namespace delassus

#include <delassus/base/archive.h>
#include <delassus/base/child_process.h>
#include <delassus/base/exceptions.h>
#include <delassus/base/memory.h>
#include <delassus/mesh/read_in_child.h>

#include <algorithm>

namespace delassus
{
namespace
{
void archive_group(Archive &archive, CellGroup &group)
{
  std::vector<std::string> kinds(group.unusable_kinds.begin(),
                                 group.unusable_kinds.end());
  archive("name", group.name);
  archive("cells", group.cells);
  archive("centres", group.centres);
  archive("kinds", kinds);
  group.unusable_kinds = { kinds.begin(), kinds.end() };
}

template <int dim>
void archive_mesh(Archive &archive, RawMesh<dim> &mesh)
{
  std::vector<double> coordinates;
  for (const auto &x : mesh.vertices)
    for (unsigned int d = 0; d < dim; ++d)
      coordinates.push_back(x[d]);
  archive("coordinates", coordinates);
  mesh.vertices.resize(coordinates.size() / dim);
  for (std::size_t i = 0; i < coordinates.size(); ++i)
    mesh.vertices[i / dim][i % dim] = coordinates[i];

  std::uint64_t n_groups   = mesh.groups.size(),
                n_surfaces = mesh.surfaces.size();
  archive("groups", n_groups);
  mesh.groups.resize(n_groups);
  for (auto &group : mesh.groups)
    archive_group(archive, group);
  archive("named", mesh.has_named_groups);
  archive("surfaces", n_surfaces);
  mesh.surfaces.resize(n_surfaces);
  for (auto &surface : mesh.surfaces)
  {
    archive("name", surface.name);
    archive("faces", surface.faces);
  }

  std::vector<std::pair<FaceKey, unsigned int>> mid_nodes(
      mesh.mid_nodes.begin(), mesh.mid_nodes.end());
  archive("mid nodes", mid_nodes);
  mesh.mid_nodes = { mid_nodes.begin(), mid_nodes.end() };
}
} // namespace

template <int dim>
RawMesh<dim> read_in_child(const std::function<RawMesh<dim>()> &read,
                           const bool confined,
                           const std::string &who)
{
  ChildLimits limits;
  limits.confined = confined;
  limits.seconds  = longest_meshing;
  // What is left may be little where this process alone has more already.
  const double left = available_memory(), least = 1024. * 1024. * 1024.;
  limits.memory = left > 0. ? std::max(0.9 * left, least) : 0.;
  std::string bytes;
  try
  {
    bytes = run_in_child(
        [&]()
        {
          RawMesh<dim> mesh = read();
          Archive archive;
          archive_mesh(archive, mesh);
          return archive.bytes();
        },
        limits);
  }
  catch (const ChildFailure &e)
  {
    throw InputError(who + " failed with it: " + e.what() + ".");
  }
  RawMesh<dim> mesh;
  Archive archive(std::move(bytes), who);
  archive_mesh(archive, mesh);
  return mesh;
}

template RawMesh<2> read_in_child<2>(const std::function<RawMesh<2>()> &,
                                     const bool,
                                     const std::string &);
template RawMesh<3> read_in_child<3>(const std::function<RawMesh<3>()> &,
                                     const bool,
                                     const std::string &);
} // namespace delassus

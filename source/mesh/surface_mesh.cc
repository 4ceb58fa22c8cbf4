#include <delassus/base/exceptions.h>
#include <delassus/mesh/check_mesh.h>
#include <delassus/mesh/gmsh_reader.h>
#include <delassus/mesh/surface_mesh.h>

#include <deal.II/base/mpi.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

namespace delassus
{
using namespace dealii;

namespace
{
/// Vertices closer than 1e-10 of the extent are one; returns the new number of
/// each. Vertices are sorted along x, so that few pairs are compared.
template <int dim>
std::vector<unsigned int> merge_vertices(const std::vector<Point<dim>> &x)
{
  double size = 0.;
  for (const auto &p : x)
    size = std::max(size, x[0].distance(p));
  const double equal = 1e-10 * size;
  std::vector<unsigned int> order(x.size()), number(x.size());
  for (unsigned int i = 0; i < x.size(); ++i)
    order[i] = number[i] = i;
  std::sort(order.begin(),
            order.end(),
            [&](const unsigned int i, const unsigned int j)
            {
              for (unsigned int c = 0; c < dim; ++c)
                if (x[i][c] != x[j][c])
                  return x[i][c] < x[j][c];
              return i < j;
            });
  for (unsigned int i = 0; i < order.size(); ++i)
    for (unsigned int j = i + 1;
         j < order.size() && x[order[j]][0] - x[order[i]][0] <= equal;
         ++j)
      if (x[order[i]].distance(x[order[j]]) <= equal)
      {
        const unsigned int a = number[order[i]], b = number[order[j]];
        number[order[i]] = number[order[j]] = std::min(a, b);
      }
  for (unsigned int i = 0; i < number.size(); ++i)
    while (number[number[i]] != number[i])
      number[i] = number[number[i]];
  return number;
}

template <int dim>
std::string place(const SurfaceMesh<dim> &mesh, const unsigned int face)
{
  Point<dim> middle;
  for (const unsigned int v : mesh.faces[face])
    middle += mesh.vertices[v] / dim;
  return to_text<dim>(middle);
}

/// What two faces share: a vertex in 2D, an edge in 3D.
template <int dim>
std::array<unsigned int, 2>
shared_key(const std::array<unsigned int, dim> &face, const unsigned int k)
{
  if (dim == 2)
    return { { face[k], face[k] } };
  const unsigned int a = face[k], b = face[(k + 1) % dim];
  return { { std::min(a, b), std::max(a, b) } };
}

/// Whether a face goes along its ridge k in the direction that a neighbour of
/// the same orientation must oppose.
template <int dim>
bool forward(const std::array<unsigned int, dim> &face, const unsigned int k)
{
  return dim == 2 ? k == 1 : face[k] < face[(k + 1) % dim];
}

template <int dim>
void flip(std::array<unsigned int, dim> &face, std::array<int, dim> &neighbours)
{
  if (dim == 2)
  {
    std::swap(face[0], face[1]);
    std::swap(neighbours[0], neighbours[1]);
  }
  else
  {
    // (a, b, c) with edges ab, bc, ca becomes (b, a, c) with ba, ac, cb.
    std::swap(face[0], face[1]);
    std::swap(neighbours[1], neighbours[dim - 1]);
  }
}

/// Twice the area (2D, clockwise positive: normals to the left point outwards)
/// or six times the volume below a face, seen from @p origin.
template <int dim>
double content(const SurfaceMesh<dim> &mesh,
               const unsigned int f,
               const Point<dim> &origin)
{
  const auto d = [&](const unsigned int k)
  { return mesh.vertices[mesh.faces[f][k]] - origin; };
  if constexpr (dim == 2)
    return d(1)[0] * d(0)[1] - d(1)[1] * d(0)[0];
  else
    return d(0) * cross_product_3d(d(1), d(2));
}
} // namespace

template <int dim>
SurfaceMesh<dim>
make_surface_mesh(const std::vector<Point<dim>> &vertices,
                  const std::vector<std::vector<unsigned int>> &faces,
                  const std::string &where)
{
  if (faces.empty())
    throw InputError(fmt::format(
        "{}: there are no {} in it.", where, dim == 2 ? "lines" : "triangles"));
  for (const auto &p : vertices)
    for (unsigned int c = 0; c < dim; ++c)
      if (!std::isfinite(p[c]))
        throw InputError(where + ": a coordinate is not a number.");
  SurfaceMesh<dim> mesh;
  const auto number = merge_vertices(vertices);
  std::vector<int> index(vertices.size(), -1);
  for (const auto &face : faces)
  {
    std::array<unsigned int, dim> f;
    for (unsigned int k = 0; k < dim; ++k)
    {
      const unsigned int v = number[face[k]];
      if (index[v] < 0)
      {
        index[v] = mesh.vertices.size();
        mesh.vertices.push_back(vertices[v]);
      }
      f[k] = index[v];
    }
    mesh.faces.push_back(f);
  }

  const unsigned int n = mesh.faces.size();
  std::map<std::array<unsigned int, dim>, unsigned int> known;
  for (unsigned int f = 0; f < n; ++f)
  {
    const auto x = [&](const unsigned int k)
    { return mesh.vertices[mesh.faces[f][k % dim]]; };
    double longest = 0., area = 0.;
    for (unsigned int k = 0; k < dim; ++k)
      longest = std::max(longest, x(k).distance(x(k + 1)));
    if constexpr (dim == 2)
      area = longest * longest;
    else
      area = cross_product_3d(x(1) - x(0), x(2) - x(0)).norm();
    if (!(area > 1e-10 * longest * longest))
      throw InputError(fmt::format("{}: a {} at {} has no {}. Mesh the surface "
                                   "again or remove it.",
                                   where,
                                   dim == 2 ? "line" : "triangle",
                                   place(mesh, f),
                                   dim == 2 ? "length" : "area"));
    auto sorted = mesh.faces[f];
    std::sort(sorted.begin(), sorted.end());
    if (!known.emplace(sorted, f).second)
      throw InputError(fmt::format("{}: a {} at {} is there twice.",
                                   where,
                                   dim == 2 ? "line" : "triangle",
                                   place(mesh, f)));
  }

  // Neighbours.
  struct Ridge
  {
    unsigned int face, k;
  };
  std::map<std::array<unsigned int, 2>, std::vector<Ridge>> ridges;
  for (unsigned int f = 0; f < n; ++f)
    for (unsigned int k = 0; k < dim; ++k)
      ridges[shared_key<dim>(mesh.faces[f], k)].push_back({ f, k });
  std::array<int, dim> none;
  none.fill(-1);
  mesh.neighbours.assign(n, none);
  for (const auto &[key, around] : ridges)
  {
    if (around.size() > 2)
      throw InputError(fmt::format(
          "{}: {} {} meet at {} of the {}: that is no surface (non-manifold); "
          "allowed: two.",
          where,
          around.size(),
          dim == 2 ? "lines" : "triangles",
          to_text<dim>(mesh.vertices[key[0]] +
                       0.5 * (mesh.vertices[key[1]] - mesh.vertices[key[0]])),
          dim == 2 ? "line" : "surface, on one edge"));
    if (around.size() == 2)
      for (const unsigned int i : { 0u, 1u })
        mesh.neighbours[around[i].face][around[i].k] = around[1 - i].face;
  }

  // One orientation for each connected part, beginning with its first face.
  std::vector<bool> done(n, false);
  for (unsigned int first = 0; first < n; ++first)
  {
    if (done[first])
      continue;
    std::vector<unsigned int> part = { first };
    done[first]                    = true;
    bool closed = true, turned = false;
    unsigned int disagrees = 0;
    for (std::size_t i = 0; i < part.size(); ++i)
    {
      const unsigned int f = part[i];
      for (unsigned int k = 0; k < dim; ++k)
      {
        const int g = mesh.neighbours[f][k];
        if (g < 0)
        {
          closed = false;
          continue;
        }
        const auto key = shared_key<dim>(mesh.faces[f], k);
        unsigned int l = 0;
        while (shared_key<dim>(mesh.faces[g], l) != key)
          ++l;
        const bool same =
            forward<dim>(mesh.faces[f], k) != forward<dim>(mesh.faces[g], l);
        if (done[g])
        {
          if (!same)
            throw InputError(fmt::format(
                "{}: the surface at {} has one side only (it cannot be given "
                "normals that agree).",
                where,
                place(mesh, f)));
          continue;
        }
        if (!same)
        {
          flip<dim>(mesh.faces[g], mesh.neighbours[g]);
          turned    = true;
          disagrees = g;
        }
        done[g] = true;
        part.push_back(g);
      }
    }
    if (!closed && turned)
      throw InputError(fmt::format(
          "{}: the surface is open (a sheet), so its normals say on which side "
          "the bodies are, but those at {} disagree with the others. Turn them "
          "(Gmsh: 'Reverse {}') or close the surface.",
          where,
          place(mesh, disagrees),
          dim == 2 ? "Curve" : "Surface"));
    mesh.open = mesh.open || !closed;
    if (!closed)
      continue;
    double sum = 0.;
    for (const unsigned int f : part)
      sum += content(mesh, f, mesh.vertices[mesh.faces[first][0]]);
    if (sum < 0.)
      for (const unsigned int f : part)
        flip<dim>(mesh.faces[f], mesh.neighbours[f]);
  }
  return mesh;
}

namespace
{
template <int dim>
void read(const std::string &file,
          const std::string &physical_name,
          const double scale,
          const bool allow_scripts,
          const std::string &where,
          const std::string &where_name,
          std::vector<Point<dim>> &vertices,
          std::vector<std::vector<unsigned int>> &faces)
{
  const std::string ending = std::filesystem::path(file).extension().string();
  if (ending != ".geo" && ending != ".msh" && ending != ".stl")
    throw InputError(where + ": files ending in '" + ending +
                     "' are not surfaces this program reads. It reads .geo, "
                     ".msh and .stl.");
  const auto raw         = read_gmsh_surface<dim>(file, allow_scripts, where);
  const CellGroup *group = nullptr;
  std::vector<std::string> names;
  for (const auto &g : raw.groups)
  {
    names.push_back(g.name);
    if (physical_name.empty() ? raw.groups.size() == 1
                              : g.name == physical_name)
      group = &g;
  }
  if (!group && physical_name.empty())
    throw InputError(fmt::format("{}: the mesh has {} physical {}: say with "
                                 "'Physical name' which one it is ({}).",
                                 where,
                                 names.size(),
                                 dim == 2 ? "curves" : "surfaces",
                                 fmt::join(names, ", ")));
  if (!group)
    throw InputError(fmt::format("{}: the mesh '{}' has no physical {} of this "
                                 "name.{}",
                                 where_name,
                                 file,
                                 dim == 2 ? "curve" : "surface",
                                 suggest_name(physical_name, names)));
  if (!group->unusable_kinds.empty() || !raw.mid_nodes.empty())
    throw InputError(fmt::format(
        "{}: the surface has elements {}; allowed: straight lines, flat "
        "triangles and quadrilaterals (Gmsh: Mesh.ElementOrder = 1).",
        where,
        group->unusable_kinds.empty()
            ? "of degree 2"
            : "of the kind '" + *group->unusable_kinds.begin() + "'"));
  vertices = raw.vertices;
  for (auto &x : vertices)
    x *= scale;
  for (const auto &cell : group->cells)
    if (cell.size() == dim)
      faces.push_back(cell);
    else // corners in lexicographic order
    {
      faces.push_back({ cell[0], cell[1], cell[3] });
      faces.push_back({ cell[0], cell[3], cell[2] });
    }
}
} // namespace

template <int dim>
SurfaceMesh<dim> read_surface_mesh(const std::string &file,
                                   const std::string &physical_name,
                                   const double scale,
                                   const bool allow_scripts,
                                   const std::string &where,
                                   const std::string &where_name)
{
  std::vector<Point<dim>> vertices;
  std::vector<std::vector<unsigned int>> faces;
  const bool alone = !Utilities::MPI::job_supports_mpi() ||
                     Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD) == 1;
  if (alone)
    read<dim>(file,
              physical_name,
              scale,
              allow_scripts,
              where,
              where_name,
              vertices,
              faces);
  else
  {
    std::string error;
    if (Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0)
      try
      {
        read<dim>(file,
                  physical_name,
                  scale,
                  allow_scripts,
                  where,
                  where_name,
                  vertices,
                  faces);
      }
      catch (const std::exception &e)
      {
        error = e.what();
      }
    error = Utilities::MPI::broadcast(MPI_COMM_WORLD, error);
    if (!error.empty())
      throw InputError(error);
    vertices = Utilities::MPI::broadcast(MPI_COMM_WORLD, vertices);
    faces    = Utilities::MPI::broadcast(MPI_COMM_WORLD, faces);
  }
  return make_surface_mesh<dim>(vertices, faces, where);
}

std::vector<std::vector<unsigned int>> chains_of(const SurfaceMesh<2> &mesh)
{
  std::vector<std::vector<unsigned int>> chains;
  std::vector<bool> done(mesh.faces.size(), false);
  const auto follow = [&](unsigned int f)
  {
    std::vector<unsigned int> chain = { mesh.faces[f][0] };
    for (int next = f; next >= 0 && !done[next];
         next     = mesh.neighbours[next][1])
    {
      done[next] = true;
      chain.push_back(mesh.faces[next][1]);
    }
    chains.push_back(chain);
  };
  for (unsigned int f = 0; f < mesh.faces.size(); ++f)
    if (mesh.neighbours[f][0] < 0)
      follow(f);
  for (unsigned int f = 0; f < mesh.faces.size(); ++f)
    if (!done[f])
      follow(f);
  return chains;
}

#define INSTANTIATE(dim)                                                       \
  template SurfaceMesh<dim> make_surface_mesh<dim>(                            \
      const std::vector<Point<dim>> &,                                         \
      const std::vector<std::vector<unsigned int>> &,                          \
      const std::string &);                                                    \
  template SurfaceMesh<dim> read_surface_mesh<dim>(const std::string &,        \
                                                   const std::string &,        \
                                                   const double,               \
                                                   const bool,                 \
                                                   const std::string &,        \
                                                   const std::string &)
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus

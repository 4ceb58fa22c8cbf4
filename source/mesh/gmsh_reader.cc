#include <delassus/base/exceptions.h>
#include <delassus/base/input_text.h>
#include <delassus/mesh/geo_script.h>
#include <delassus/mesh/gmsh_reader.h>
#include <delassus/mesh/read_in_child.h>
#include <delassus/mesh/script_check.h>

#include <fmt/format.h>

#include <gmsh.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <unordered_map>

#include <unistd.h>

namespace delassus
{
namespace
{
/// A folder of its own for what Gmsh opens, for as long as the object lives:
/// beside a file it runs another one of the same name and the ending .opt,
/// which nobody has asked for.
class PrivateFolder
{
public:
  PrivateFolder()
  {
    std::string name =
        (std::filesystem::temp_directory_path() / "delassus_mesh_XXXXXX")
            .string();
    if (mkdtemp(name.data()) == nullptr)
      throw ComputationError("Cannot make the folder '" + name + "'.");
    path = name;
  }

  ~PrivateFolder()
  {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }

  PrivateFolder(const PrivateFolder &)            = delete;
  PrivateFolder &operator=(const PrivateFolder &) = delete;

  /// Another name of @p file.
  std::string link(const std::string &file) const
  {
    const std::filesystem::path name =
        path / ("mesh" + std::filesystem::path(file).extension().string());
    std::filesystem::create_symlink(std::filesystem::absolute(file), name);
    return name.string();
  }

  /// A script that defines the numbers, then includes @p script. The command
  /// line of Gmsh (-setnumber) would do the same.
  std::string script(const std::string &script,
                     const std::map<std::string, double> &numbers,
                     const std::string &where) const
  {
    const std::string file = std::filesystem::absolute(script).string();
    if (file.find_first_of("\"'\n\r") != std::string::npos)
      throw InputError(where + ": the path has a quote or a line break in it, "
                               "which Gmsh cannot read.");
    const std::string name = (path / "mesh.geo").string();
    std::ofstream out(name);
    for (const auto &[number, value] : numbers)
      if (is_geo_word(number))
        out << fmt::format("{} = {:.17g};\n", number, value);
    out << "Include \"" << file << "\";\n";
    if (!out.flush())
      throw ComputationError("Cannot write '" + name + "'.");
    return name;
  }

private:
  std::filesystem::path path;
};

/// Gmsh started with the numbers defined as onelab parameters, silent, and
/// ended whatever happens.
class GmshSession
{
public:
  explicit GmshSession(const std::map<std::string, double> &numbers)
  {
    gmsh::initialize(0, nullptr, /*readConfigFiles=*/false);
    gmsh::option::setNumber("General.Terminal", 0);
    gmsh::logger::start();
    for (const auto &[name, value] : numbers)
      if (!is_geo_word(name))
        gmsh::onelab::setNumber(name, { value });
  }

  GmshSession(const GmshSession &)            = delete;
  GmshSession &operator=(const GmshSession &) = delete;

  ~GmshSession()
  {
    try
    {
      gmsh::logger::stop();
      gmsh::finalize();
    }
    catch (...)
    {
    }
  }

  /// Messages since the last call.
  std::vector<std::string> take_messages()
  {
    std::vector<std::string> all;
    gmsh::logger::get(all);
    std::vector<std::string> fresh(all.begin() + std::min(n_taken, all.size()),
                                   all.end());
    n_taken = all.size();
    return fresh;
  }

  /// Run @p task; what Gmsh throws or logs as an error becomes an InputError.
  template <typename Task>
  void run(const std::string &where, const Task &task)
  {
    std::string thrown;
    try
    {
      task();
    }
    catch (const InputError &)
    {
      throw;
    }
    catch (const std::string &message)
    {
      thrown = message.empty() ? "failed without a message" : message;
    }
    catch (const std::exception &e)
    {
      thrown = e.what();
    }
    catch (...)
    {
      thrown = "failed without a message";
    }
    if (thrown.empty())
      for (const auto &message : take_messages())
        if (message.rfind("Error: ", 0) == 0)
        {
          thrown = message.substr(7);
          break;
        }
    if (!thrown.empty())
      throw InputError(where + ": Gmsh says: " + thrown);
  }

private:
  std::size_t n_taken = 0;
};

/// Refuse numbers that would be ignored.
void check_numbers(const std::map<std::string, double> &numbers,
                   const GeoScript &script,
                   const std::string &where)
{
  for (const auto &entry : numbers)
  {
    const std::string &name = entry.first;
    if (script.settable.count(name) > 0 || name.find('.') != std::string::npos)
      continue;
    if (script.assigned.count(name) > 0)
      throw InputError(
          fmt::format("{0}: the number '{1}' cannot be set from outside, "
                      "because the script sets it itself. Write "
                      "'DefineConstant[ {1} = ... ];' there.",
                      where,
                      name));
    if (script.words.count(name) == 0)
      throw InputError(fmt::format(
          "{}: the script has no number '{}'.{}",
          where,
          name,
          suggest_name(name,
                       { script.settable.begin(), script.settable.end() })));
  }
}

/// Nodes by tag, numbered in the order of their tags.
template <int dim>
std::unordered_map<std::size_t, unsigned int>
read_nodes(RawMesh<dim> &raw, const std::string &where)
{
  std::vector<std::size_t> tags;
  std::vector<double> coordinates, parametric;
  gmsh::model::mesh::getNodes(
      tags, coordinates, parametric, -1, -1, false, false);

  std::vector<std::size_t> order(tags.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::sort(order.begin(),
            order.end(),
            [&](const auto a, const auto b) { return tags[a] < tags[b]; });

  std::unordered_map<std::size_t, unsigned int> index;
  index.reserve(tags.size());
  double low = 0., high = 0., size = 0.;
  for (const std::size_t i : order)
    if (index.emplace(tags[i], raw.vertices.size()).second)
    {
      dealii::Point<dim> x;
      for (unsigned int d = 0; d < dim; ++d)
      {
        x[d] = coordinates[3 * i + d];
        size = std::max(size, std::abs(x[d]));
      }
      const double z = coordinates[3 * i + 2];
      low            = raw.vertices.empty() ? z : std::min(low, z);
      high           = raw.vertices.empty() ? z : std::max(high, z);
      raw.vertices.push_back(x);
    }
  if (dim == 2 && high - low > 1e-9 * size)
    throw InputError(fmt::format("{}: the mesh of a plane body must lie in a "
                                 "plane z = constant, but its z "
                                 "goes from {:.6g} to {:.6g}.",
                                 where,
                                 low,
                                 high));
  return index;
}

/// How one of Gmsh's kinds of elements is read.
struct ElementKind
{
  std::string name;
  unsigned int n_nodes = 0;
  std::vector<unsigned int> corners; ///< deal.II's order; empty: not usable
  /// For each further node of degree 2 the corners around it.
  std::vector<std::vector<unsigned int>> around;
};

ElementKind element_kind(const int element_type)
{
  ElementKind kind;
  int dim, order, n_nodes, n_corners;
  std::vector<double> x; // dim coordinates a node
  gmsh::model::mesh::getElementProperties(
      element_type, kind.name, dim, order, n_nodes, x, n_corners);
  kind.n_nodes = n_nodes;
  switch (element_type)
  {
    case 15: // points
      kind.corners = { 0 };
      break;
    case 1: // lines
    case 8:
      kind.corners = { 0, 1 };
      break;
    case 2: // triangles
    case 9:
      kind.corners = { 0, 1, 2 };
      break;
    case 3: // quadrilaterals
    case 10:
    case 16:
      kind.corners = { 0, 1, 3, 2 };
      break;
    case 4: // tetrahedra
    case 11:
      kind.corners = { 0, 1, 2, 3 };
      break;
    case 5: // hexahedra
    case 12:
    case 17:
      kind.corners = { 0, 1, 3, 2, 4, 5, 7, 6 };
      break;
    default:
      return kind;
  }
  // Corners are at 0 and 1 (simplices) or -1 and 1 (others).
  const bool simplex = dim > 1 && n_corners == dim + 1;
  for (int k = n_corners; k < n_nodes; ++k)
  {
    kind.around.emplace_back();
    double first = 1.; // barycentric coordinate of corner 0
    for (int d = 0; d < dim; ++d)
      first -= x[k * dim + d];
    for (int v = 0; v < n_corners; ++v)
    {
      bool near = true;
      if (simplex)
        near = (v == 0 ? first : x[k * dim + v - 1]) > 0.25;
      else
        for (int d = 0; d < dim; ++d)
          near = near && std::abs(x[k * dim + d] - x[v * dim + d]) < 1.5;
      if (near)
        kind.around.back().push_back(v);
    }
  }
  return kind;
}

/// Add the elements of dimension @p dim of one entity (-1: of all), and the
/// nodes of degree 2 that they have to @p mid_nodes.
void read_elements(
    const int dim,
    const int entity,
    const std::unordered_map<std::size_t, unsigned int> &index,
    CellGroup &group,
    std::unordered_map<FaceKey, unsigned int, FaceKeyHash> &mid_nodes)
{
  std::vector<int> types;
  std::vector<std::vector<std::size_t>> tags, nodes;
  gmsh::model::mesh::getElements(types, tags, nodes, dim, entity);
  for (std::size_t t = 0; t < types.size(); ++t)
  {
    const ElementKind kind = element_kind(types[t]);
    if (kind.corners.empty())
    {
      group.unusable_kinds.insert(kind.name);
      continue;
    }
    const std::size_t n = kind.corners.size();
    std::vector<unsigned int> around;
    for (std::size_t e = 0; e < tags[t].size(); ++e)
    {
      const std::size_t *of_element = &nodes[t][e * kind.n_nodes];
      std::vector<unsigned int> cell(n);
      for (unsigned int v = 0; v < n; ++v)
        cell[v] = index.at(of_element[kind.corners[v]]);
      for (unsigned int k = 0; k < kind.around.size(); ++k)
      {
        const unsigned int node = index.at(of_element[n + k]);
        if (kind.around[k].size() == n && dim > 1)
        {
          group.centres.resize(group.cells.size(), no_node);
          group.centres.push_back(node);
          continue;
        }
        around.clear();
        for (const unsigned int v : kind.around[k])
          around.push_back(index.at(of_element[v]));
        mid_nodes[face_key(around)] = node;
      }
      group.cells.push_back(std::move(cell));
    }
  }
}

/// The physical groups of dimension @p dim by name (or number); groups of the
/// same name are one.
std::vector<CellGroup>
read_groups(const int dim,
            const std::unordered_map<std::size_t, unsigned int> &index,
            std::unordered_map<FaceKey, unsigned int, FaceKeyHash> &mid_nodes)
{
  std::vector<CellGroup> groups;
  gmsh::vectorpair tags;
  gmsh::model::getPhysicalGroups(tags, dim);
  for (const auto &tag : tags)
  {
    std::string name;
    gmsh::model::getPhysicalName(dim, tag.second, name);
    if (name.empty())
      name = std::to_string(tag.second);
    name       = escape_bad_bytes(name);
    auto group = std::find_if(groups.begin(),
                              groups.end(),
                              [&](const auto &g) { return g.name == name; });
    if (group == groups.end())
      group = groups.insert(groups.end(), CellGroup{ name, {}, {}, {} });

    std::vector<int> entities;
    gmsh::model::getEntitiesForPhysicalGroup(dim, tag.second, entities);
    for (const int entity : entities)
      read_elements(dim, std::abs(entity), index, *group, mid_nodes);
  }
  return groups;
}

/// Numbers that are options of Gmsh.
void set_options(GmshSession &session,
                 const std::map<std::string, double> &numbers,
                 const std::string &where_numbers)
{
  for (const auto &[name, value] : numbers)
    if (name.find('.') != std::string::npos)
      session.run(where_numbers + ", number '" + name + "'",
                  [&, v = value, n = name]()
                  { gmsh::option::setNumber(n, v); });
}

/// The mesh of a script or file that has been checked; in a child process.
template <int dim>
RawMesh<dim> mesh_with_gmsh(const std::string &file,
                            const bool is_script,
                            const std::map<std::string, double> &numbers,
                            const std::string &where,
                            const std::string &where_numbers)
{
  GmshSession session(numbers);
  set_options(session, numbers, where_numbers);
  session.run(where, [&]() { gmsh::open(file); });
  if (is_script)
    session.run(where, [&]() { gmsh::model::mesh::generate(dim); });

  RawMesh<dim> raw;
  session.run(
      where,
      [&]()
      {
        const auto index     = read_nodes(raw, where);
        raw.groups           = read_groups(dim, index, raw.mid_nodes);
        raw.has_named_groups = !raw.groups.empty();
        if (raw.groups.empty())
        {
          CellGroup all;
          read_elements(dim, -1, index, all, raw.mid_nodes);
          if (!all.cells.empty() || !all.unusable_kinds.empty())
            raw.groups.push_back(std::move(all));
        }
        // The nodes of degree 2 of faces are those of their cells.
        std::unordered_map<FaceKey, unsigned int, FaceKeyHash> of_faces;
        for (auto &group : read_groups(dim - 1, index, of_faces))
          raw.surfaces.push_back({ group.name, std::move(group.cells) });
      });
  return raw;
}

/// The same of a surface of its own.
template <int dim>
RawMesh<dim> surface_with_gmsh(const std::string &file,
                               const bool is_script,
                               const std::string &where)
{
  GmshSession session({});
  session.run(where, [&]() { gmsh::open(file); });
  if (is_script)
    session.run(where, [&]() { gmsh::model::mesh::generate(dim - 1); });
  RawMesh<dim> raw;
  session.run(where,
              [&]()
              {
                const auto index = read_nodes(raw, where);
                raw.groups       = read_groups(dim - 1, index, raw.mid_nodes);
                raw.has_named_groups = !raw.groups.empty();
                if (raw.has_named_groups)
                  return;
                CellGroup all;
                read_elements(dim - 1, -1, index, all, raw.mid_nodes);
                raw.groups.push_back(std::move(all));
              });
  return raw;
}

/// The same of a sheet: groups of its elements, of lines and of points.
RawMesh<3> sheet_with_gmsh(const std::string &file,
                           const bool is_script,
                           const std::map<std::string, double> &numbers,
                           const std::string &where,
                           const std::string &where_numbers)
{
  GmshSession session(numbers);
  set_options(session, numbers, where_numbers);
  session.run(where, [&]() { gmsh::open(file); });
  if (is_script)
    session.run(where, [&]() { gmsh::model::mesh::generate(2); });
  RawMesh<3> raw;
  session.run(
      where,
      [&]()
      {
        const auto index     = read_nodes(raw, where);
        raw.groups           = read_groups(2, index, raw.mid_nodes);
        raw.has_named_groups = !raw.groups.empty();
        if (!raw.has_named_groups)
        {
          raw.groups.emplace_back();
          read_elements(2, -1, index, raw.groups.back(), raw.mid_nodes);
        }
        for (const int dim : { 1, 0 })
        {
          std::unordered_map<FaceKey, unsigned int, FaceKeyHash> mid;
          for (auto &group : read_groups(dim, index, mid))
            raw.surfaces.push_back({ group.name, std::move(group.cells) });
        }
      });
  return raw;
}

/// What @p read reads; errors name @p file, not the other @p name it has.
template <int dim>
RawMesh<dim> read_as(const std::function<RawMesh<dim>()> &read,
                     const std::string &name,
                     const std::string &file)
{
  try
  {
    return read();
  }
  catch (const InputError &e)
  {
    std::string what = e.what();
    for (auto i = what.find(name); i != std::string::npos;
         i      = what.find(name, i + file.size()))
      what.replace(i, name.size(), file);
    throw InputError(what);
  }
}

/// Whether @p file is a script; it and files of other kinds are checked, so
/// that Gmsh can be given them.
bool check_gmsh_file(const std::string &file,
                     const std::map<std::string, double> &numbers,
                     const bool allow_scripts,
                     const std::string &where,
                     const std::string &where_numbers)
{
  expect_regular_file(file, where);
  const std::string ending = std::filesystem::path(file).extension().string();
  if (ending == ".geo")
  {
    std::set<std::string> names;
    for (const auto &number : numbers)
    {
      names.insert(number.first);
      if (!allow_scripts && number.first.find('.') != std::string::npos &&
          number.first.find('/') == std::string::npos &&
          !is_harmless_option(number.first))
        throw InputError(fmt::format(
            "{}: the option '{}' of Gmsh has nothing to do with the mesh; "
            "allowed: those of Mesh and Geometry.",
            where_numbers,
            number.first));
    }
    if (!allow_scripts)
      check_script(file, names, where);
    check_numbers(numbers, GeoScript(file, where), where_numbers);
    return true;
  }
  if (!numbers.empty())
    throw InputError(fmt::format(
        "{}: the number '{}' is given, but only a .geo script takes numbers.",
        where_numbers,
        numbers.begin()->first));
  if (ending == ".stl")
    check_stl(file, where);
  else
    check_msh(file, where);
  return false;
}
} // namespace

template <int dim>
RawMesh<dim> read_gmsh(const std::string &file,
                       const std::map<std::string, double> &numbers,
                       const bool allow_scripts,
                       const std::string &where,
                       const std::string &where_numbers)
{
  const bool is_script =
      check_gmsh_file(file, numbers, allow_scripts, where, where_numbers);
  const PrivateFolder folder;
  const std::string name =
      is_script ? folder.script(file, numbers, where) : folder.link(file);
  return read_as<dim>(
      [&]()
      {
        return read_in_child<dim>(
            [&]() {
              return mesh_with_gmsh<dim>(
                  name, is_script, numbers, where, where_numbers);
            },
            !allow_scripts,
            where + ": Gmsh");
      },
      name,
      file);
}

template <int dim>
RawMesh<dim> read_gmsh_surface(const std::string &file,
                               const bool allow_scripts,
                               const std::string &where)
{
  const bool is_script = check_gmsh_file(file, {}, allow_scripts, where, where);
  const PrivateFolder folder;
  const std::string name =
      is_script ? folder.script(file, {}, where) : folder.link(file);
  return read_as<dim>(
      [&]()
      {
        return read_in_child<dim>(
            [&]() { return surface_with_gmsh<dim>(name, is_script, where); },
            !allow_scripts,
            where + ": Gmsh");
      },
      name,
      file);
}

RawMesh<3> read_gmsh_sheet(const std::string &file,
                           const std::map<std::string, double> &numbers,
                           const bool allow_scripts,
                           const std::string &where,
                           const std::string &where_numbers)
{
  const bool is_script =
      check_gmsh_file(file, numbers, allow_scripts, where, where_numbers);
  const PrivateFolder folder;
  const std::string name =
      is_script ? folder.script(file, numbers, where) : folder.link(file);
  return read_as<3>(
      [&]()
      {
        return read_in_child<3>(
            [&]() {
              return sheet_with_gmsh(
                  name, is_script, numbers, where, where_numbers);
            },
            !allow_scripts,
            where + ": Gmsh");
      },
      name,
      file);
}

#define INSTANTIATE(dim)                                                       \
  template RawMesh<dim> read_gmsh_surface<dim>(                                \
      const std::string &, const bool, const std::string &);                   \
  template RawMesh<dim> read_gmsh<dim>(const std::string &,                    \
                                       const std::map<std::string, double> &,  \
                                       const bool,                             \
                                       const std::string &,                    \
                                       const std::string &)
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus

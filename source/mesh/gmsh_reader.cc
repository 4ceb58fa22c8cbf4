#include <delassus/base/exceptions.h>
#include <delassus/mesh/geo_script.h>
#include <delassus/mesh/gmsh_reader.h>

#include <fmt/format.h>

#include <gmsh.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unordered_map>

#include <unistd.h>

namespace delassus
{
namespace
{
/// A script that defines the numbers, then includes another one, for as long as
/// the object lives. The command line of Gmsh (-setnumber) would do the same,
/// but what it defines outlives a session: a second body would get the numbers
/// of the first one.
class ScriptWithNumbers
{
public:
  ScriptWithNumbers(const std::string &script,
                    const std::map<std::string, double> &numbers)
  {
    std::string name =
        (std::filesystem::temp_directory_path() / "delassus_numbers_XXXXXX.geo")
            .string();
    const int descriptor = mkstemps(name.data(), 4);
    if (descriptor < 0)
      throw ComputationError("Cannot write '" + name + "'.");
    close(descriptor);
    path = name;
    std::ofstream out(path);
    // So do onelab parameters.
    std::vector<std::string> names;
    gmsh::onelab::getNames(names);
    for (const auto &parameter : names)
      if (numbers.count(parameter) == 0 &&
          parameter.find_first_of("\"\\\n") == std::string::npos)
        out << "UndefineConstant[ \"" << parameter << "\" ];\n";
    for (const auto &[number, value] : numbers)
      if (GeoScript::is_identifier(number))
        out << fmt::format("{} = {:.17g};\n", number, value);
    out << "Include \"" << std::filesystem::absolute(script).string()
        << "\";\n";
    if (!out.flush())
      throw ComputationError("Cannot write '" + path + "'.");
  }

  ~ScriptWithNumbers()
  {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
  }

  ScriptWithNumbers(const ScriptWithNumbers &)            = delete;
  ScriptWithNumbers &operator=(const ScriptWithNumbers &) = delete;

  std::string path;
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
      if (!GeoScript::is_identifier(name))
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
} // namespace

template <int dim>
RawMesh<dim> read_gmsh(const std::string &file,
                       const std::map<std::string, double> &numbers,
                       const std::string &where,
                       const std::string &where_numbers)
{
  // Gmsh neither throws nor logs an error for a file that is not there.
  if (!std::ifstream(file))
    throw InputError(where + ": the file cannot be read.");
  const bool is_script = std::filesystem::path(file).extension() == ".geo";
  if (is_script)
    check_numbers(numbers, GeoScript(file), where_numbers);
  else if (!numbers.empty())
    throw InputError(fmt::format(
        "{}: the number '{}' is given, but only a .geo script takes numbers.",
        where_numbers,
        numbers.begin()->first));

  GmshSession session(numbers);
  for (const auto &[name, value] : numbers)
    if (name.find('.') != std::string::npos)
      session.run(where_numbers + ", number '" + name + "'",
                  [&, v = value, n = name]()
                  { gmsh::option::setNumber(n, v); });
  // Not merge(): macros outlive a session, and a second body from the same
  // script would define them again.
  if (is_script)
  {
    const ScriptWithNumbers script(file, numbers);
    session.run(where, [&]() { gmsh::open(script.path); });
  }
  else
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

template <int dim>
RawMesh<dim> read_gmsh_surface(const std::string &file,
                               const std::string &where)
{
  if (!std::ifstream(file))
    throw InputError(where + ": the file cannot be read.");
  GmshSession session({});
  session.run(where, [&]() { gmsh::open(file); });
  if (std::filesystem::path(file).extension() == ".geo")
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

template RawMesh<2> read_gmsh_surface<2>(const std::string &,
                                         const std::string &);
template RawMesh<3> read_gmsh_surface<3>(const std::string &,
                                         const std::string &);
template RawMesh<2> read_gmsh<2>(const std::string &,
                                 const std::map<std::string, double> &,
                                 const std::string &,
                                 const std::string &);
template RawMesh<3> read_gmsh<3>(const std::string &,
                                 const std::map<std::string, double> &,
                                 const std::string &,
                                 const std::string &);
} // namespace delassus

#include <delassus/base/exceptions.h>
#include <delassus/base/input_text.h>
#include <delassus/mesh/cell_topology.h>
#include <delassus/mesh/grid_in_reader.h>
#include <delassus/mesh/read_in_child.h>

#include <deal.II/grid/grid_in.h>
#include <deal.II/grid/tria.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

namespace delassus
{
namespace
{
bool begins_with_star(const std::string &file)
{
  std::ifstream in(file);
  char c = 0;
  return (in >> c) && c == '*';
}

template <int dim>
typename dealii::GridIn<dim>::Format format_of(const std::string &file,
                                               const std::string &where)
{
  using GridIn       = dealii::GridIn<dim>;
  std::string ending = std::filesystem::path(file).extension().string();
  std::transform(ending.begin(),
                 ending.end(),
                 ending.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  if (ending == ".inp" && begins_with_star(file))
    return GridIn::abaqus;
  static const std::map<std::string, typename GridIn::Format> formats = {
    { ".vtk", GridIn::vtk },    { ".vtu", GridIn::vtu },
    { ".unv", GridIn::unv },    { ".inp", GridIn::ucd },
    { ".ucd", GridIn::ucd },    { ".exo", GridIn::exodusii },
    { ".e", GridIn::exodusii }, { ".xda", GridIn::xda }
  };
  const auto found = formats.find(ending);
  if (found == formats.end())
    throw InputError(
        where + ": files ending in '" + ending +
        "' are not meshes this program reads. It reads .geo, .msh, .vtk, .vtu, "
        ".unv, .inp, .ucd, .exo, .e, .xda.");
  return found->second;
}

template <int dim>
RawMesh<dim> read_here(const std::string &file,
                       const typename dealii::GridIn<dim>::Format format,
                       const std::string &where)
{
  // Inverted and distorted cells are found, and named, by our own checks.
  dealii::Triangulation<dim> triangulation;
  try
  {
    dealii::GridIn<dim> grid_in(triangulation);
    if (format == dealii::GridIn<dim>::exodusii)
      grid_in.read_exodusii(file);
    else
    {
      std::ifstream in(file);
      grid_in.read(in, format);
    }
  }
  catch (const typename dealii::Triangulation<dim>::DistortedCellList &)
  {
  }
  catch (const dealii::ExceptionBase &e)
  {
    std::ostringstream reason;
    e.print_info(reason);
    std::string text = reason.str();
    std::replace(text.begin(), text.end(), '\n', ' ');
    throw InputError(where + ": deal.II cannot read it: " + text);
  }
  catch (const std::exception &e)
  {
    throw InputError(where + ": deal.II cannot read it: " + e.what());
  }

  RawMesh<dim> raw;
  raw.vertices = triangulation.get_vertices();
  std::map<dealii::types::material_id, CellGroup> groups;
  std::map<dealii::types::boundary_id, NamedSurface> surfaces;
  for (const auto &cell : triangulation.active_cell_iterators())
  {
    auto &group = groups[cell->material_id()];
    group.name  = "material " + std::to_string(cell->material_id());
    const auto reference_cell = cell->reference_cell();
    if (!reference_cell.is_simplex() && !reference_cell.is_hyper_cube())
    {
      group.unusable_kinds.insert(reference_cell.to_string());
      continue;
    }
    group.cells.emplace_back();
    for (const unsigned int v : cell->vertex_indices())
      group.cells.back().push_back(cell->vertex_index(v));
    for (const unsigned int f : cell->face_indices())
      if (cell->face(f)->at_boundary())
      {
        const auto id = cell->face(f)->boundary_id();
        auto &surface = surfaces[id];
        surface.name  = "boundary " + std::to_string(id);
        surface.faces.emplace_back();
        for (const unsigned int v : outward_faces(reference_cell)[f])
          surface.faces.back().push_back(cell->vertex_index(v));
      }
  }
  for (auto &entry : groups)
    raw.groups.push_back(std::move(entry.second));
  for (auto &entry : surfaces)
    raw.surfaces.push_back(std::move(entry.second));
  raw.has_named_groups = true;
  return raw;
}
} // namespace

template <int dim>
RawMesh<dim> read_with_grid_in(const std::string &file,
                               const std::string &where)
{
  expect_regular_file(file, where);
  const auto format = format_of<dim>(file, where);
  // deal.II trusts what it reads.
  return read_in_child<dim>([&]()
                            { return read_here<dim>(file, format, where); },
                            true,
                            where + ": deal.II");
}

template RawMesh<2> read_with_grid_in<2>(const std::string &,
                                         const std::string &);
template RawMesh<3> read_with_grid_in<3>(const std::string &,
                                         const std::string &);
} // namespace delassus

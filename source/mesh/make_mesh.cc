#include <delassus/base/exceptions.h>
#include <delassus/mesh/ball_generator.h>
#include <delassus/mesh/block_generators.h>
#include <delassus/mesh/check_mesh.h>
#include <delassus/mesh/gmsh_reader.h>
#include <delassus/mesh/grid_in_reader.h>
#include <delassus/mesh/make_mesh.h>
#include <delassus/mesh/mesh_size.h>
#include <delassus/mesh/refine_mesh.h>
#include <delassus/mesh/sheet_cells.h>

#include <deal.II/base/mpi.h>

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

namespace delassus
{
namespace
{
/// A mesh, or the reason why there is none, as it travels between ranks.
struct Parcel
{
  std::string error;
  std::vector<double> coordinates;
  std::vector<unsigned int> cell_vertices;
  std::vector<unsigned int> mid_nodes;
  std::vector<unsigned int> pieces;
  bool is_simplex       = false;
  unsigned int n_pieces = 0;

  std::vector<std::string> surface_names;
  std::vector<std::vector<std::vector<unsigned int>>> surface_faces;

  template <class Archive>
  void serialize(Archive &archive, const unsigned int /*version*/)
  {
    archive &error &coordinates &cell_vertices &mid_nodes &pieces &is_simplex
        &n_pieces &surface_names &surface_faces;
  }
};

template <int dim>
Parcel pack(const MeshData<dim> &mesh)
{
  Parcel parcel;
  parcel.coordinates.reserve(mesh.vertices.size() * dim);
  for (const auto &x : mesh.vertices)
    for (unsigned int d = 0; d < dim; ++d)
      parcel.coordinates.push_back(x[d]);
  for (const auto &cell : mesh.cells)
  {
    parcel.pieces.push_back(cell.material_id);
    parcel.cell_vertices.insert(
        parcel.cell_vertices.end(), cell.vertices.begin(), cell.vertices.end());
  }
  parcel.mid_nodes  = mesh.mid_nodes;
  parcel.is_simplex = mesh.reference_cell.is_simplex();
  parcel.n_pieces   = mesh.n_pieces;
  for (const auto &surface : mesh.surfaces)
  {
    parcel.surface_names.push_back(surface.name);
    parcel.surface_faces.push_back(surface.faces);
  }
  return parcel;
}

template <int dim>
MeshData<dim> unpack(const Parcel &parcel)
{
  MeshData<dim> mesh;
  mesh.reference_cell = parcel.is_simplex
                            ? dealii::ReferenceCells::get_simplex<dim>()
                            : dealii::ReferenceCells::get_hypercube<dim>();
  mesh.vertices.resize(parcel.coordinates.size() / dim);
  for (std::size_t i = 0; i < parcel.coordinates.size(); ++i)
    mesh.vertices[i / dim][i % dim] = parcel.coordinates[i];
  const unsigned int n = mesh.reference_cell.n_vertices();
  for (std::size_t c = 0; c < parcel.pieces.size(); ++c)
  {
    dealii::CellData<dim> cell(n);
    for (unsigned int v = 0; v < n; ++v)
      cell.vertices[v] = parcel.cell_vertices[c * n + v];
    cell.material_id = parcel.pieces[c];
    mesh.cells.push_back(cell);
  }
  mesh.mid_nodes = parcel.mid_nodes;
  mesh.n_pieces  = parcel.n_pieces;
  for (std::size_t s = 0; s < parcel.surface_names.size(); ++s)
    mesh.surfaces.push_back(
        { parcel.surface_names[s], parcel.surface_faces[s] });
  return mesh;
}

/// Read, extract, scale, move and check; on this rank alone.
template <int dim>
MeshData<dim> read_file(const BodyParameters &body)
{
  const MeshParameters &parameters = body.mesh;
  const std::string file           = "mesh '" + parameters.file + "'";
  const std::string where          = body.where("Mesh/File", file);
  const std::string where_numbers  = body.where("Mesh/Gmsh numbers", file);
  if (!(parameters.scale > 0.) || !std::isfinite(parameters.scale))
    throw InputError(fmt::format(
        "{}: the scale is {}; it must be positive.", where, parameters.scale));
  if (!parameters.origin.empty() && parameters.origin.size() != dim)
    throw InputError(
        fmt::format("{}: the origin has {} entries; {} are needed.",
                    where,
                    parameters.origin.size(),
                    dim));
  if (parameters.file.empty())
    throw InputError(where + ": no file is given.");
  if (std::filesystem::is_directory(parameters.file))
    throw InputError(where + ": this is a directory, not a mesh file.");
  if (!std::filesystem::exists(parameters.file))
    throw InputError(where + ": the file does not exist.");

  const std::string ending =
      std::filesystem::path(parameters.file).extension().string();
  const bool by_gmsh = ending == ".geo" || ending == ".msh";
  if (!by_gmsh && !parameters.gmsh_numbers.empty())
    throw InputError(where_numbers +
                     ": numbers for Gmsh are given, but only a .geo script "
                     "takes them.");
  const RawMesh<dim> raw = by_gmsh
                               ? read_gmsh<dim>(parameters.file,
                                                parameters.gmsh_numbers,
                                                parameters.allow_scripts,
                                                where,
                                                where_numbers)
                               : read_with_grid_in<dim>(parameters.file, where);

  MeshData<dim> mesh = extract_body(raw,
                                    body.name,
                                    body.physical_name,
                                    where,
                                    body.where("Physical name", file));
  for (auto &x : mesh.vertices)
    for (unsigned int d = 0; d < dim; ++d)
      x[d] = parameters.scale * x[d] +
             (parameters.origin.empty() ? 0. : parameters.origin[d]);
  check_mesh(mesh, where);
  return mesh;
}

/// Rank 0 reads (Gmsh knows nothing of ranks, and the file need be visible to
/// it only); everybody gets the mesh, or throws the same error.
template <int dim>
MeshData<dim> read_file_on_rank_0(const BodyParameters &body)
{
  if (!dealii::Utilities::MPI::job_supports_mpi() ||
      dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD) == 1)
    return read_file<dim>(body);

  Parcel parcel;
  if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0)
  {
    // Whatever goes wrong, the others must not be left waiting.
    try
    {
      parcel = pack(read_file<dim>(body));
    }
    catch (const std::exception &e)
    {
      parcel.error = e.what();
    }
  }
  parcel = dealii::Utilities::MPI::broadcast(MPI_COMM_WORLD, parcel);
  if (!parcel.error.empty())
    throw InputError(parcel.error);
  return unpack<dim>(parcel);
}
} // namespace

template <int dim>
MeshData<dim> make_mesh(const BodyParameters &body,
                        const double memory,
                        const unsigned int n_ranks)
{
  const MeshParameters &parameters = body.mesh;
  // What reading has not checked yet of a generated mesh concerns gluing.
  const std::string where =
      body.where(parameters.type == MeshType::file ? "Mesh/File"
                 : parameters.single_piece         ? "Mesh/Single piece"
                                                   : "Mesh/Type",
                 "mesh");

  // What is refined by p4est is shared by the ranks.
  const double n_children =
      std::pow(2., static_cast<double>(dim) * parameters.global_refinement);
  const auto expect_fitting = [&](const double n_cells, const double factor)
  {
    const std::string entry =
        factor > 1.                         ? "Mesh/Global refinement"
        : parameters.type == MeshType::file ? "Mesh/File"
        : parameters.type == MeshType::running_bond_wall ? "Mesh/Courses"
        : parameters.type == MeshType::box               ? "Mesh/Divisions"
                                           : "Mesh/Ball divisions";
    expect_fitting_cells(dim,
                         n_cells * factor,
                         n_ranks,
                         is_distributed(parameters) && factor > 1.,
                         memory,
                         body.where(entry, "mesh"));
  };
  expect_fitting(n_generated_cells<dim>(parameters), 1.);
  expect_fitting(n_generated_cells<dim>(parameters), n_children);

  MeshData<dim> mesh;
  switch (parameters.type)
  {
    case MeshType::box:
      mesh = make_box<dim>(parameters, where);
      check_mesh(mesh, where);
      break;
    case MeshType::running_bond_wall:
      mesh = make_running_bond_wall<dim>(parameters, where);
      check_mesh(mesh, where);
      break;
    case MeshType::ball:
    case MeshType::half_ball:
    case MeshType::ball_sector:
      mesh = make_ball<dim>(parameters, where);
      check_mesh(mesh, where);
      break;
    case MeshType::file:
      mesh        = read_file_on_rank_0<dim>(body);
      mesh.source = parameters.file;
      break;
    default: // of shells
      AssertThrow(false, dealii::ExcInternalError());
  }

  expect_fitting(static_cast<double>(mesh.cells.size()), n_children);

  // Curved cells stay curved while they are refined.
  if (!mesh.mid_nodes.empty())
  {
    add_mid_nodes(mesh);
    check_curved_cells(mesh, where);
  }
  if (is_distributed(parameters))
  {
    if (mesh.reference_cell.is_simplex())
      throw InputError(fmt::format(
          "{}: the cells are {}; only quadrilaterals and hexahedra can be "
          "refined locally or held by p4est ('Distribution = distributed').",
          body.where(parameters.refinement.empty() ? "Mesh/Distribution"
                                                   : "Mesh/Refine where",
                     "mesh"),
          dim == 2 ? "triangles" : "tetrahedra"));
    return mesh;
  }
  refine_mesh(mesh, parameters.global_refinement);
  if (body.degree == 1)
    drop_mid_nodes(mesh);
  else
    add_mid_nodes(mesh);
  if constexpr (dim == 3)
    if (body.type == BodyType::solid_shell)
      turn_sheet_cells(mesh, where);
  return mesh;
}

bool is_distributed(const MeshParameters &mesh)
{
  return mesh.distribution == MeshDistribution::distributed ||
         (mesh.distribution == MeshDistribution::automatic &&
          !mesh.refinement.empty());
}

template MeshData<2>
make_mesh<2>(const BodyParameters &, const double, const unsigned int);
template MeshData<3>
make_mesh<3>(const BodyParameters &, const double, const unsigned int);
} // namespace delassus

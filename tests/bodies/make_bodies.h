#pragma once

#include <delassus/bodies/driven_dofs.h>
#include <delassus/bodies/loads.h>
#include <delassus/bodies/piece_classes.h>
#include <delassus/bodies/solid_body.h>
#include <delassus/mesh/cell_topology.h>

#include <functional>
#include <random>

/// Small meshes built by hand, and bodies made of them.
namespace small
{
using namespace delassus;

/// A grid of n[0] x n[1] (x n[2]) boxes in [0,1]^dim, boxes or simplices, with
/// surfaces left, right, bottom, top (last axis) [, front, back]. Interior
/// vertices are moved at random by @p distortion of a cell, then all of them by
/// @p map: the outer shape stays that of the mapped cube.
template <int dim>
struct Grid
{
  bool simplices                  = false;
  std::array<unsigned int, dim> n = {};
  double distortion               = 0.;
  std::function<dealii::Point<dim>(const dealii::Point<dim> &)> map;
};

template <int dim>
void append_grid(MeshData<dim> &mesh, const Grid<dim> &grid)
{
  std::mt19937 random(7 + mesh.n_pieces);
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  const unsigned int first      = mesh.vertices.size();
  const unsigned int piece      = mesh.n_pieces++;
  mesh.source                   = "test";
  std::array<unsigned int, 3> n = { { 1, 1, 0 } };
  for (unsigned int d = 0; d < dim; ++d)
    n[d] = grid.n[d];
  const auto index = [&](unsigned int i, unsigned int j, unsigned int k)
  { return first + i + (n[0] + 1) * (j + (n[1] + 1) * k); };

  std::vector<dealii::Point<dim>> unit; // positions in the cube
  for (unsigned int k = 0; k <= n[2]; ++k)
    for (unsigned int j = 0; j <= n[1]; ++j)
      for (unsigned int i = 0; i <= n[0]; ++i)
      {
        const std::array<unsigned int, 3> at = { { i, j, k } };
        dealii::Point<dim> p;
        bool interior = true;
        for (unsigned int d = 0; d < dim; ++d)
        {
          p[d] = double(at[d]) / n[d];
          interior &= at[d] > 0 && at[d] < n[d];
        }
        unit.push_back(p);
        if (interior)
          for (unsigned int d = 0; d < dim; ++d)
            p[d] += grid.distortion * uniform(random) / n[d];
        mesh.vertices.push_back(grid.map ? grid.map(p) : p);
      }

  const auto add = [&](std::vector<unsigned int> vertices)
  {
    if (vertices.size() == dim + 1 &&
        cell_measure(mesh.vertices, vertices, mesh.reference_cell) < 0)
      std::swap(vertices[0], vertices[1]);
    dealii::CellData<dim> cell(vertices.size());
    cell.vertices    = vertices;
    cell.material_id = piece;
    mesh.cells.push_back(cell);
  };
  const unsigned int first_cell = mesh.cells.size();
  const auto simplex            = dim == 2 ? dealii::ReferenceCells::Triangle
                                           : dealii::ReferenceCells::Tetrahedron;
  mesh.reference_cell =
      grid.simplices ? simplex : dealii::ReferenceCells::get_hypercube<dim>();
  for (unsigned int k = 0; k < std::max(1u, n[2]); ++k)
    for (unsigned int j = 0; j < n[1]; ++j)
      for (unsigned int i = 0; i < n[0]; ++i)
      {
        std::vector<unsigned int> box;
        for (unsigned int c = 0; c < (1u << dim); ++c)
          box.push_back(index(i + (c & 1), j + ((c >> 1) & 1), k + (c >> 2)));
        if (!grid.simplices)
          add(box);
        else if (dim == 2)
        {
          if ((i + j) % 2 == 0)
          {
            add({ box[0], box[1], box[3] });
            add({ box[0], box[3], box[2] });
          }
          else
          {
            add({ box[0], box[1], box[2] });
            add({ box[1], box[3], box[2] });
          }
        }
        else // six tetrahedra along the diagonal 0-7
          for (const auto &path : { std::array<int, 2>{ { 1, 3 } },
                                    std::array<int, 2>{ { 1, 5 } },
                                    std::array<int, 2>{ { 2, 3 } },
                                    std::array<int, 2>{ { 2, 6 } },
                                    std::array<int, 2>{ { 4, 5 } },
                                    std::array<int, 2>{ { 4, 6 } } })
            add({ box[0], box[path[0]], box[path[1]], box[7] });
      }

  static const std::vector<std::array<std::string, 2>> names_2d = {
    { { "left", "right" } }, { { "bottom", "top" } }
  };
  static const std::vector<std::array<std::string, 2>> names_3d = {
    { { "left", "right" } }, { { "front", "back" } }, { { "bottom", "top" } }
  };
  const auto &names = dim == 2 ? names_2d : names_3d;
  for (const auto &pair : names)
    for (const auto &name : pair)
    {
      bool known = false;
      for (const auto &surface : mesh.surfaces)
        known |= surface.name == name;
      if (!known)
        mesh.surfaces.push_back({ name, {} });
    }
  for (const auto &face : boundary_faces(mesh))
    if (face.cell >= first_cell)
      for (unsigned int d = 0; d < dim; ++d)
        for (unsigned int side = 0; side < 2; ++side)
        {
          bool on = true;
          for (const unsigned int v : face.vertices)
            on &= std::abs(unit[v - first][d] - side) < 1e-12;
          if (on)
            for (auto &surface : mesh.surfaces)
              if (surface.name == names[d][side])
                surface.faces.push_back(face.vertices);
        }
}

template <int dim>
MeshData<dim> make_grid(const Grid<dim> &grid)
{
  MeshData<dim> mesh;
  append_grid(mesh, grid);
  return mesh;
}

inline MaterialParameters soft_stone()
{
  MaterialParameters material;
  material.name          = "stone";
  material.density       = 2.5;
  material.young_modulus = 700.;
  material.poisson_ratio = 0.3;
  return material;
}

template <int dim>
constexpr Assumption default_assumption()
{
  return dim == 2 ? Assumption::plane_strain : Assumption::three_dimensional;
}

template <int dim>
std::unique_ptr<SolidBody<dim>>
make_body(MeshData<dim> mesh,
          const MaterialParameters &material = soft_stone(),
          const BodyParameters &parameters   = {},
          const Assumption assumption        = default_assumption<dim>(),
          MPI_Comm communicator              = MPI_COMM_WORLD,
          std::vector<unsigned int> ranks    = {})
{
  BodyParameters body = parameters;
  if (body.name.empty())
    body.name = "body";
  if (ranks.empty())
    ranks.assign(mesh.n_pieces, 0);
  return std::make_unique<SolidBody<dim>>(
      body, material, assumption, std::move(mesh), ranks, communicator);
}

/// A vector from a function of position and component.
template <int dim, typename Function>
Vector nodal_vector(const SolidBody<dim> &body, const Function &value)
{
  Vector result = body.make_vector();
  for (const auto i : body.owned_dofs)
    result[i] = value(body.nodes[i / dim], i % dim);
  result.compress(dealii::VectorOperation::insert);
  return result;
}

template <int dim>
Vector random_vector(const SolidBody<dim> &body, const unsigned int seed)
{
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1., 1.);
  std::vector<double> all(body.n_dofs());
  for (double &value : all) // the same on any number of ranks
    value = uniform(random);
  Vector result = body.make_vector();
  for (const auto i : body.owned_dofs)
    result[i] = all[i];
  result.compress(dealii::VectorOperation::insert);
  return result;
}

/// Four element kinds on one shape: the unit cube under an affine map.
template <int dim>
dealii::Point<dim> sheared(const dealii::Point<dim> &p)
{
  dealii::Point<dim> x;
  for (unsigned int d = 0; d < dim; ++d)
    x[d] = 0.7 + 0.3 * d + (1.5 - 0.4 * d) * p[d] + 0.2 * p[(d + 1) % dim];
  return x;
}

template <int dim>
double sheared_volume()
{
  dealii::Tensor<2, dim> F;
  for (unsigned int d = 0; d < dim; ++d)
  {
    F[d][d] += 1.5 - 0.4 * d;
    F[d][(d + 1) % dim] += 0.2;
  }
  return dealii::determinant(F);
}

template <int dim>
Grid<dim> sheared_grid(const bool simplices,
                       const unsigned int n    = 3,
                       const double distortion = 0.5)
{
  Grid<dim> grid;
  grid.simplices = simplices;
  grid.n.fill(n);
  grid.distortion = distortion;
  grid.map        = sheared<dim>;
  return grid;
}
} // namespace small

#include <delassus/base/exceptions.h>
#include <delassus/mesh/mesh_size.h>

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace delassus
{
template <int dim>
double n_generated_cells(const MeshParameters &mesh)
{
  double of_block = 1.;
  switch (mesh.pattern)
  {
    case CellPattern::eight_triangles:
      of_block = 8.;
      break;
    case CellPattern::four_triangles:
      of_block = 4.;
      break;
    case CellPattern::tensor:
      for (const unsigned int n : mesh.divisions)
        of_block *= n;
      break;
  }
  // The cube of 2n cells a side, and on each side a block of n layers.
  const double n    = mesh.ball_divisions;
  const double ball = dim == 2 ? 12. * n * n : 32. * n * n * n;
  switch (mesh.type)
  {
    case MeshType::box:
      return of_block;
    case MeshType::running_bond_wall:
      return of_block * mesh.n_courses * std::ceil(mesh.length);
    case MeshType::ball:
      return ball;
    case MeshType::half_ball:
      return ball / 2.;
    case MeshType::ball_sector:
      return ball / (dim == 2 ? 4. : 8.);
    default: // files, and shells, which count themselves
      break;
  }
  return 0.;
}

double bytes_of_cells(const int dim,
                      const double n_cells,
                      const unsigned int n_ranks,
                      const bool distributed)
{
  const double mesh = dim == 2 ? 300. : 500., matrix = dim == 2 ? 700. : 3000.;
  return n_cells * (mesh / (distributed ? n_ranks : 1.) + matrix / n_ranks);
}

void expect_fitting_cells(const int dim,
                          const double n_cells,
                          const unsigned int n_ranks,
                          const bool distributed,
                          const double memory,
                          const std::string &where)
{
  // Vertices are counted in 32 bits, with one value to mark none.
  constexpr double most  = std::numeric_limits<int>::max();
  constexpr double gibi  = 1024. * 1024. * 1024.;
  const double bytes     = bytes_of_cells(dim, n_cells, n_ranks, distributed);
  const bool uncountable = !(n_cells <= most);
  if (!uncountable && (memory <= 0. || bytes <= memory))
    return;
  throw InputError(fmt::format(
      "{}: {:.4g} cells, which take {:.3g} GiB at least{}{}. Take a coarser "
      "mesh or fewer refinements.",
      where,
      n_cells,
      bytes / gibi,
      n_ranks > 1 ? " on each rank" : "",
      uncountable ? fmt::format("; allowed: up to {:.4g} cells", most)
                  : fmt::format("; allowed: {:.3g} GiB, of what the machine "
                                "has left",
                                memory / gibi)));
}

template double n_generated_cells<2>(const MeshParameters &);
template double n_generated_cells<3>(const MeshParameters &);
} // namespace delassus

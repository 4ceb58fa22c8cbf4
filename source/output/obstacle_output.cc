#include <delassus/output/atomic_file.h>
#include <delassus/output/obstacle_output.h>
#include <delassus/output/vtu_file.h>

#include <fmt/format.h>

namespace delassus
{
using namespace dealii;

template <int dim>
void write_obstacles(const std::string &path,
                     const std::vector<Obstacle<dim>> &obstacles,
                     const BoundingBox<dim> &around,
                     const double t,
                     const std::string &stage)
{
  std::string points, connectivity, offsets, types, numbers;
  std::size_t n_points = 0, n_cells = 0, n_corners = 0;
  for (unsigned int o = 0; o < obstacles.size(); ++o)
  {
    const auto picture = obstacles[o].picture(around, t);
    for (const auto &x : picture.points)
      points += fmt::format(
          "{:.9g} {:.9g} {:.9g}\n", x[0], x[1], dim == 3 ? x[dim - 1] : 0.);
    for (const auto &cell : picture.cells)
    {
      for (const unsigned int v : cell)
        connectivity += fmt::format("{} ", n_points + v);
      n_corners += cell.size();
      offsets += fmt::format("{} ", n_corners);
      // VTK's line, triangle, quadrilateral.
      types += cell.size() == 2 ? "3 " : cell.size() == 3 ? "5 " : "9 ";
      numbers += fmt::format("{} ", o);
    }
    n_points += picture.points.size();
    n_cells += picture.cells.size();
  }
  const auto array = [](const std::string &type,
                        const std::string &name,
                        const unsigned int n_components,
                        const std::string &values)
  {
    return fmt::format("<DataArray type=\"{}\" Name=\"{}\" "
                       "NumberOfComponents=\"{}\" format=\"ascii\">\n"
                       "{}\n</DataArray>\n",
                       type,
                       name,
                       n_components,
                       values);
  };
  write_result_atomically(
      path,
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" "
      "version=\"0.1\" byte_order=\"LittleEndian\">\n<UnstructuredGrid>\n" +
          stage_field(stage) +
          fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n",
                      n_points,
                      n_cells) +
          "<Points>\n" + array("Float64", "Points", 3, points) +
          "</Points>\n<Cells>\n" +
          array("Int64", "connectivity", 1, connectivity) +
          array("Int64", "offsets", 1, offsets) +
          array("UInt8", "types", 1, types) + "</Cells>\n<CellData>\n" +
          array("Int32", "obstacle", 1, numbers) +
          "</CellData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n");
}

template void write_obstacles<2>(const std::string &,
                                 const std::vector<Obstacle<2>> &,
                                 const BoundingBox<2> &,
                                 const double,
                                 const std::string &);
template void write_obstacles<3>(const std::string &,
                                 const std::vector<Obstacle<3>> &,
                                 const BoundingBox<3> &,
                                 const double,
                                 const std::string &);
} // namespace delassus

#ifndef delassus_output_point_cloud_h
#define delassus_output_point_cloud_h

#include <delassus/output/vtu_file.h>

#include <deal.II/base/point.h>

#include <string>
#include <vector>

namespace delassus
{
/// Points with named data, written as a .vtu file of vertices: contact points,
/// block centres. Plane points are written with z = 0 and vectors with a third
/// component 0; a file without points has the same arrays, empty.
template <int dim>
class PointCloud
{
public:
  PointCloud(const std::vector<std::string> &scalar_names,
             const std::vector<std::string> &vector_names,
             const std::vector<std::string> &tensor_names);

  /// @p values in the order of the names: scalars (1 each), vectors (dim each),
  /// tensors (9 each, row by row).
  void add_point(const dealii::Point<dim> &point,
                 const std::vector<double> &values);

  /// Forget the points, keep the names.
  void clear();

  std::size_t n_points() const;

  /// Numbers that add_point() wants.
  unsigned int n_values() const;

  /// Throws ComputationError if the file cannot be written completely.
  /// @p stage: of the run, see vtu_file().
  void write_vtu(const std::string &filename,
                 const std::string &stage = "") const;

private:
  VtuPiece piece;
};
} // namespace delassus

#endif

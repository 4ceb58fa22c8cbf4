#ifndef delassus_output_point_cloud_h
#define delassus_output_point_cloud_h

#include <deal.II/base/data_out_base.h>
#include <deal.II/base/point.h>

#include <iosfwd>
#include <string>
#include <tuple>
#include <vector>

namespace delassus
{
/// Points with named data, written as a .vtu file of vertices: contact points,
/// block centres. Plane points are written with z = 0 and vectors with a third
/// component 0; a file without points has the same arrays, empty.
template <int dim>
class PointCloud : private dealii::DataOutInterface<0, 3>
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
  void write_vtu(const std::string &filename) const;

private:
  void write_empty_vtu(std::ostream &out) const;

  using Patch = dealii::DataOutBase::Patch<0, 3>;
  using Range = std::tuple<
      unsigned int,
      unsigned int,
      std::string,
      dealii::DataComponentInterpretation::DataComponentInterpretation>;

  const std::vector<Patch> &get_patches() const override;

  std::vector<std::string> get_dataset_names() const override;

  std::vector<Range> get_nonscalar_data_ranges() const override;

  std::vector<Patch> patches;
  std::vector<std::string> component_names;
  std::vector<Range> ranges;
  unsigned int n_scalars, n_vectors, n_tensors;
};
} // namespace delassus

#endif

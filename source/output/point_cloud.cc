#include <delassus/output/atomic_file.h>
#include <delassus/output/point_cloud.h>

#include <stdexcept>

namespace delassus
{
namespace
{
/// VTK's vertex.
constexpr std::uint8_t vertex = 1;

/// Numbers that are given of a field; vectors are written with three.
template <int dim>
unsigned int n_given(const VtuPiece::Field &field)
{
  return field.n_components == 3 ? dim : field.n_components;
}
} // namespace

template <int dim>
PointCloud<dim>::PointCloud(const std::vector<std::string> &scalar_names,
                            const std::vector<std::string> &vector_names,
                            const std::vector<std::string> &tensor_names)
{
  for (const auto &name : scalar_names)
    piece.fields.push_back({ name, 1, {} });
  for (const auto &name : vector_names)
    piece.fields.push_back({ name, 3, {} });
  for (const auto &name : tensor_names)
    piece.fields.push_back({ name, 9, {} });
}

template <int dim>
void PointCloud<dim>::add_point(const dealii::Point<dim> &point,
                                const std::vector<double> &values)
{
  if (values.size() != n_values())
    throw std::logic_error("PointCloud: " + std::to_string(values.size()) +
                           " values instead of " + std::to_string(n_values()));
  piece.connectivity.push_back(static_cast<std::int32_t>(n_points()));
  for (unsigned int d = 0; d < 3; ++d)
    piece.points.push_back(d < dim ? static_cast<float>(point[d]) : 0.f);
  piece.offsets.push_back(static_cast<std::int32_t>(n_points()));
  piece.types.push_back(vertex);
  auto value = values.begin();
  for (auto &field : piece.fields)
  {
    const unsigned int n = n_given<dim>(field);
    for (unsigned int c = 0; c < field.n_components; ++c)
      field.values.push_back(c < n ? static_cast<float>(*value++) : 0.f);
  }
}

template <int dim>
void PointCloud<dim>::clear()
{
  piece.points.clear();
  piece.connectivity.clear();
  piece.offsets.clear();
  piece.types.clear();
  for (auto &field : piece.fields)
    field.values.clear();
}

template <int dim>
std::size_t PointCloud<dim>::n_points() const
{
  return piece.n_points();
}

template <int dim>
unsigned int PointCloud<dim>::n_values() const
{
  unsigned int n = 0;
  for (const auto &field : piece.fields)
    n += n_given<dim>(field);
  return n;
}

template <int dim>
void PointCloud<dim>::write_vtu(const std::string &filename,
                                const std::string &stage) const
{
  VtuEncoder encoder;
  write_result_atomically(filename, vtu_file(encoder.piece(piece), stage));
}

template class PointCloud<2>;
template class PointCloud<3>;
} // namespace delassus

#include <delassus/output/atomic_file.h>
#include <delassus/output/point_cloud.h>

#include <sstream>
#include <stdexcept>

namespace delassus
{
template <int dim>
PointCloud<dim>::PointCloud(const std::vector<std::string> &scalar_names,
                            const std::vector<std::string> &vector_names,
                            const std::vector<std::string> &tensor_names)
    : component_names(scalar_names)
    , n_scalars(scalar_names.size())
    , n_vectors(vector_names.size())
    , n_tensors(tensor_names.size())
{
  namespace Interpretation = dealii::DataComponentInterpretation;
  const auto add           = [&](const std::string &name,
                       const unsigned int n,
                       const Interpretation::DataComponentInterpretation kind)
  {
    const unsigned int first = component_names.size();
    ranges.emplace_back(first, first + n - 1, name, kind);
    component_names.insert(component_names.end(), n, name);
  };
  for (const auto &name : vector_names)
    add(name, 3, Interpretation::component_is_part_of_vector);
  for (const auto &name : tensor_names)
    add(name, 9, Interpretation::component_is_part_of_tensor);

  // The default, best compression, takes longer than many steps.
  dealii::DataOutBase::VtkFlags flags;
  flags.compression_level = dealii::DataOutBase::VtkFlags::best_speed;
  // The same points are the same file.
  flags.print_date_and_time = false;
  this->set_flags(flags);
}

template <int dim>
void PointCloud<dim>::add_point(const dealii::Point<dim> &point,
                                const std::vector<double> &values)
{
  if (values.size() != n_values())
    throw std::logic_error("PointCloud: " + std::to_string(values.size()) +
                           " values instead of " + std::to_string(n_values()));
  Patch patch;
  for (unsigned int d = 0; d < dim; ++d)
    patch.vertices[0][d] = point[d];
  patch.patch_index = patches.size();
  patch.data.reinit(component_names.size(), 1);

  unsigned int in = 0, out = 0;
  const auto copy = [&](const unsigned int n, const unsigned int n_written)
  {
    for (unsigned int i = 0; i < n; ++i)
      patch.data(out + i, 0) = values[in + i];
    in += n;
    out += n_written;
  };
  copy(n_scalars, n_scalars);
  for (unsigned int v = 0; v < n_vectors; ++v)
    copy(dim, 3);
  copy(9 * n_tensors, 9 * n_tensors);
  patches.push_back(std::move(patch));
}

template <int dim>
void PointCloud<dim>::clear()
{
  patches.clear();
}

template <int dim>
std::size_t PointCloud<dim>::n_points() const
{
  return patches.size();
}

template <int dim>
unsigned int PointCloud<dim>::n_values() const
{
  return n_scalars + dim * n_vectors + 9 * n_tensors;
}

template <int dim>
void PointCloud<dim>::write_vtu(const std::string &filename) const
{
  std::ostringstream content;
  if (patches.empty())
    write_empty_vtu(content);
  else
    dealii::DataOutInterface<0, 3>::write_vtu(content);
  write_file_atomically(filename, content.str());
}

// What deal.II writes for an empty set of patches lacks the element <Points>
// and makes ParaView's reader complain; and in a series all files need the same
// arrays.
template <int dim>
void PointCloud<dim>::write_empty_vtu(std::ostream &out) const
{
  const auto array = [&](const char *type,
                         const std::string &name,
                         const unsigned int n_components)
  {
    out << "<DataArray type=\"" << type << "\" Name=\"" << name
        << "\" NumberOfComponents=\"" << n_components
        << "\" format=\"ascii\"></DataArray>\n";
  };
  out << "<?xml version=\"1.0\"?>\n"
         "<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" "
         "byte_order=\"LittleEndian\">\n<UnstructuredGrid>\n"
         "<Piece NumberOfPoints=\"0\" NumberOfCells=\"0\">\n<Points>\n";
  array("Float32", "Points", 3);
  out << "</Points>\n<Cells>\n";
  array("Int32", "connectivity", 1);
  array("Int32", "offsets", 1);
  array("UInt8", "types", 1);
  out << "</Cells>\n<PointData>\n";
  for (unsigned int i = 0; i < n_scalars; ++i)
    array("Float32", component_names[i], 1);
  for (const auto &range : ranges)
    array("Float32",
          std::get<2>(range),
          std::get<1>(range) - std::get<0>(range) + 1);
  out << "</PointData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
}

template <int dim>
const std::vector<typename PointCloud<dim>::Patch> &
PointCloud<dim>::get_patches() const
{
  return patches;
}

template <int dim>
std::vector<std::string> PointCloud<dim>::get_dataset_names() const
{
  return component_names;
}

template <int dim>
std::vector<typename PointCloud<dim>::Range>
PointCloud<dim>::get_nonscalar_data_ranges() const
{
  return ranges;
}

template class PointCloud<2>;
template class PointCloud<3>;
} // namespace delassus

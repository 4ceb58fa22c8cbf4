#include <delassus/output/solid_output.h>
#include <delassus/base/exceptions.h>
#include <delassus/output/atomic_file.h>
#include <delassus/output/cell_fields.h>

#include <deal.II/base/data_out_base.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <tuple>

namespace delassus
{
using namespace dealii;

namespace
{
/// What is written of each point: names, and which of them are vectors.
template <int dim>
struct Datasets
{
  explicit Datasets(const std::vector<SolidFields<dim>> &fields)
  {
    add_vector("displacement");
    add_vector("velocity");
    for (const auto *component : tensor_components)
      names.push_back(std::string("stress_") + component);
    names.push_back("von_mises_stress");
    for (unsigned int i = 1; i <= dim; ++i)
      names.push_back(fmt::format("principal_stress_{}", i));
    for (unsigned int i = 1; i <= dim; ++i)
      add_vector(fmt::format("principal_direction_{}", i));
    names.push_back("body");
    names.push_back("piece");
    for (const auto *component : tensor_components)
      names.push_back(std::string("moment_stress_") + component);
    for (const auto *component : tensor_components)
      names.push_back(std::string("strain_") + component);
    for (const auto &field : fields)
      has_contact = has_contact || field.contact;
    if (has_contact)
    {
      names.push_back("contact_pressure");
      add_vector("contact_traction");
    }

    // All bodies have the columns that one of them has.
    for (const auto &field : fields)
      if (field.internal)
      {
        in_newton_loop = true;
        for (const auto &material_field : field.internal->law().fields())
          if (std::find(histories.begin(),
                        histories.end(),
                        material_field.name) == histories.end())
            histories.push_back(material_field.name);
      }
    if (in_newton_loop)
      for (const char *name :
           { "volume_ratio", "largest_log_strain", "smallest_log_strain" })
        names.push_back(name);
    names.insert(names.end(), histories.begin(), histories.end());
  }

  void add_vector(const std::string &name)
  {
    vectors.emplace_back(
        names.size(),
        names.size() + dim - 1,
        name,
        DataComponentInterpretation::component_is_part_of_vector);
    names.insert(names.end(), dim, name);
  }

  bool in_newton_loop = false, has_contact = false;
  std::vector<std::string> names, histories;
  std::vector<
      std::tuple<unsigned int,
                 unsigned int,
                 std::string,
                 DataComponentInterpretation::DataComponentInterpretation>>
      vectors;
};

/// The cells of this rank as deal.II writes them: cells of degree 1 by their
/// corners; T6 and Tet10 as VTK's quadratic cells, Q9 and H27 cut in 2^dim,
/// both with the positions of all their nodes.
template <int dim>
class SolidPatches : public DataOutInterface<dim>
{
public:
  explicit SolidPatches(const std::vector<SolidFields<dim>> &fields)
      : datasets(fields)
  {
    for (unsigned int b = 0; b < fields.size(); ++b)
      add(fields[b], b);
  }

private:
  void add(const SolidFields<dim> &fields, const unsigned int body_number)
  {
    const auto &body           = *fields.body;
    const auto &element        = body.element;
    const bool quadratic       = element.degree() == 2;
    const auto points          = evaluation_points(element);
    const unsigned int n       = element.n_nodes();
    const unsigned int n_names = datasets.names.size();
    CellFields<dim> known(body, fields.internal, points, datasets.histories);
    known.set_state(*fields.displacement);
    const auto &values = known.shape();
    const NodalValues<dim> velocity(body, *fields.velocity);
    std::vector<Tensor<1, dim>> v(n);
    std::vector<std::array<double, dim + 1>> contact(n);
    for (const unsigned int cell : body.owned_cells)
    {
      const unsigned int *nodes = body.nodes_of_cell(cell);
      known.reinit(cell);
      for (unsigned int k = 0; k < n; ++k)
        for (unsigned int c = 0; c < dim; ++c)
          v[k][c] = velocity(dim * nodes[k] + c);
      if (fields.contact)
        for (unsigned int k = 0; k < n; ++k)
        {
          const auto found = fields.contact->find(nodes[k]);
          contact[k]       = found == fields.contact->end()
                                 ? std::array<double, dim + 1>{}
                                 : found->second;
        }
      DataOutBase::Patch<dim> patch;
      patch.reference_cell       = element.reference_cell();
      patch.n_subdivisions       = element.degree();
      patch.points_are_available = quadratic;
      patch.patch_index          = patches.size();
      for (unsigned int k = 0; k < element.n_corners(); ++k)
        patch.vertices[k] = body.nodes[nodes[k]];
      patch.data.reinit(n_names + (quadratic ? dim : 0), points.size());
      for (unsigned int q = 0; q < points.size(); ++q)
      {
        unsigned int row = 0;
        const auto write = [&](const double value)
        { patch.data(row++, q) = static_cast<float>(value); };
        const Tensor<1, dim> u_q = known.displacement(q);
        Tensor<1, dim> v_q;
        for (unsigned int k = 0; k < n; ++k)
          v_q += values.value(k, q) * v[k];
        for (unsigned int c = 0; c < dim; ++c)
          write(u_q[c]);
        for (unsigned int c = 0; c < dim; ++c)
          write(v_q[c]);
        const Voigt stress = known.stress(q);
        for (const double s : stress)
          write(s);
        write(von_mises(stress));
        const auto pairs =
            eigenvectors(stress_tensor<dim>(stress),
                         SymmetricTensorEigenvectorMethod::jacobi);
        for (unsigned int i = 0; i < dim; ++i)
          write(pairs[i].first);
        for (unsigned int i = 0; i < dim; ++i)
          for (unsigned int c = 0; c < dim; ++c)
            write(pairs[i].second[c]);
        const unsigned int piece = body.cell_piece[cell];
        write(body_number);
        write(piece);
        for (const double s : (*fields.moment_stress)[piece])
          write(s);
        for (const double e : known.strain(q))
          write(e);
        if (datasets.has_contact)
          for (unsigned int c = 0; c < dim + 1; ++c)
          {
            double sum = 0.;
            for (unsigned int k = 0; k < n; ++k)
              sum += values.value(k, q) * contact[k][c];
            write(sum);
          }
        for (unsigned int k = 0; k < known.n_scalars(); ++k)
          write(known.scalar(k, q));
        while (row < n_names)
          write(0.);
        if (quadratic)
          for (unsigned int d = 0; d < dim; ++d)
            write(values.point(q)[d]);
      }
      patches.push_back(std::move(patch));
    }
  }

  /// The nodes of the element in the order of a patch: along x first, then y,
  /// then z for tensor cells.
  static std::vector<Point<dim>> evaluation_points(const Element<dim> &element)
  {
    std::vector<Point<dim>> points = element.reference_nodes();
    if (!element.is_simplex())
      std::sort(points.begin(),
                points.end(),
                [](const Point<dim> &a, const Point<dim> &b)
                {
                  for (int d = dim - 1; d >= 0; --d)
                    if (std::abs(a[d] - b[d]) > 0.25)
                      return a[d] < b[d];
                  return false;
                });
    return points;
  }

  const std::vector<DataOutBase::Patch<dim>> &get_patches() const override
  {
    return patches;
  }

  std::vector<std::string> get_dataset_names() const override
  {
    return datasets.names;
  }

  std::vector<
      std::tuple<unsigned int,
                 unsigned int,
                 std::string,
                 DataComponentInterpretation::DataComponentInterpretation>>
  get_nonscalar_data_ranges() const override
  {
    return datasets.vectors;
  }

  Datasets<dim> datasets;
  std::vector<DataOutBase::Patch<dim>> patches;
};
} // namespace

template <int dim>
void write_solids(const std::string &path,
                  const std::vector<SolidFields<dim>> &fields,
                  MPI_Comm communicator)
{
  SolidPatches<dim> output(fields);
  DataOutBase::VtkFlags flags;
  flags.compression_level = DataOutBase::VtkFlags::best_speed;
  // The same state is the same file.
  flags.print_date_and_time = false;
  output.set_flags(flags);
  std::ostringstream text;
  output.write_vtu(text);
  if (Utilities::MPI::n_mpi_processes(communicator) == 1)
  {
    write_file_atomically(path, text.str());
    return;
  }
  // The pieces of all ranks in one file, written by one of them so that it is
  // complete or not there.
  const auto parts = Utilities::MPI::gather(communicator, text.str());
  std::string error;
  if (Utilities::MPI::this_mpi_process(communicator) == 0)
    try
    {
      const std::string begin = "<Piece", end = "</Piece>";
      std::string all = parts[0].substr(0, parts[0].find(begin));
      for (const auto &part : parts)
        all += part.substr(part.find(begin),
                           part.rfind(end) + end.size() - part.find(begin)) +
               "\n";
      all += parts[0].substr(parts[0].rfind(end) + end.size());
      write_file_atomically(path, all);
    }
    catch (const ComputationError &e)
    {
      error = e.what();
    }
  error = Utilities::MPI::broadcast(communicator, error);
  if (!error.empty())
    throw ComputationError(error);
}

template <int dim>
StressExtrema stress_extrema(const std::vector<SolidFields<dim>> &fields,
                             MPI_Comm communicator)
{
  StressExtrema extrema;
  const auto look_at = [&](const Voigt &stress)
  {
    const auto principal = eigenvalues(stress_tensor<dim>(stress));
    extrema.largest_principal =
        std::max(extrema.largest_principal, principal[0]);
    extrema.smallest_principal =
        std::min(extrema.smallest_principal, principal[dim - 1]);
    extrema.von_mises = std::max(extrema.von_mises, von_mises(stress));
  };
  for (const auto &field : fields)
  {
    if (field.internal)
    {
      for (const unsigned int cell : field.body->owned_cells)
        for (unsigned int q = 0; q < field.internal->n_points(); ++q)
          look_at(field.internal->stress(cell, q));
      continue;
    }
    const auto &body     = *field.body;
    const unsigned int n = body.element.n_nodes();
    const bool radial    = body.assumption == Assumption::axisymmetric;
    CellValues<dim> values(body.element, body.element.quadrature(radial));
    const NodalValues<dim> displacement(body, *field.displacement);
    std::vector<Tensor<1, dim>> u(n);
    for (const unsigned int cell : body.owned_cells)
    {
      const unsigned int *nodes = body.nodes_of_cell(cell);
      for (unsigned int k = 0; k < n; ++k)
        for (unsigned int c = 0; c < dim; ++c)
          u[k][c] = displacement(dim * nodes[k] + c);
      values.reinit(body.nodes, nodes);
      for (unsigned int q = 0; q < values.n_points(); ++q)
      {
        Tensor<2, dim> gradient;
        double u_r = 0.;
        for (unsigned int k = 0; k < n; ++k)
        {
          gradient += outer_product(u[k], values.gradient(k, q));
          u_r += values.value(k, q) * u[k][0];
        }
        look_at(body.elasticity().stress(strain_of_gradient<dim>(
            gradient, radial ? u_r / values.point(q)[0] : 0.)));
      }
    }
  }
  extrema.largest_principal =
      Utilities::MPI::max(extrema.largest_principal, communicator);
  extrema.smallest_principal =
      Utilities::MPI::min(extrema.smallest_principal, communicator);
  extrema.von_mises = Utilities::MPI::max(extrema.von_mises, communicator);
  return extrema;
}

template StressExtrema stress_extrema<2>(const std::vector<SolidFields<2>> &,
                                         MPI_Comm);
template StressExtrema stress_extrema<3>(const std::vector<SolidFields<3>> &,
                                         MPI_Comm);
template void write_solids<2>(const std::string &,
                              const std::vector<SolidFields<2>> &,
                              MPI_Comm);
template void write_solids<3>(const std::string &,
                              const std::vector<SolidFields<3>> &,
                              MPI_Comm);
} // namespace delassus

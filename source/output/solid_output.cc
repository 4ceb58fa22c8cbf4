#include <delassus/output/solid_output.h>
#include <delassus/base/exceptions.h>
#include <delassus/output/atomic_file.h>

#include <deal.II/fe/fe_values.h>
#include <deal.II/numerics/data_out.h>
#include <deal.II/numerics/data_postprocessor.h>

#include <fmt/format.h>

#include <sstream>

namespace delassus
{
using namespace dealii;

namespace
{
const std::array<const char *, 6> tensor_components = {
  { "xx", "yy", "zz", "xy", "yz", "zx" }
};

/// Stresses of the displacement field, evaluated at the vertices of each cell
/// (constant in T3 and Tet4).
template <int dim>
class StressPostprocessor : public DataPostprocessor<dim>
{
public:
  explicit StressPostprocessor(const SolidBody<dim> &body)
      : body(body)
  {
  }

  std::vector<std::string> get_names() const override
  {
    std::vector<std::string> names;
    for (const auto *component : tensor_components)
      names.push_back(std::string("stress_") + component);
    names.push_back("von_mises_stress");
    for (unsigned int i = 1; i <= dim; ++i)
      names.push_back(fmt::format("principal_stress_{}", i));
    for (unsigned int i = 1; i <= dim; ++i)
      for (unsigned int c = 0; c < dim; ++c)
        names.push_back(fmt::format("principal_direction_{}", i));
    return names;
  }

  std::vector<DataComponentInterpretation::DataComponentInterpretation>
  get_data_component_interpretation() const override
  {
    std::vector<DataComponentInterpretation::DataComponentInterpretation>
        interpretation(7 + dim,
                       DataComponentInterpretation::component_is_scalar);
    interpretation.insert(
        interpretation.end(),
        dim * dim,
        DataComponentInterpretation::component_is_part_of_vector);
    return interpretation;
  }

  UpdateFlags get_needed_update_flags() const override
  {
    return update_values | update_gradients | update_quadrature_points;
  }

  void evaluate_vector_field(
      const DataPostprocessorInputs::Vector<dim> &inputs,
      std::vector<dealii::Vector<double>> &computed) const override
  {
    for (unsigned int q = 0; q < inputs.solution_gradients.size(); ++q)
    {
      Tensor<2, dim> gradient;
      for (unsigned int c = 0; c < dim; ++c)
        gradient[c] = inputs.solution_gradients[q][c];
      double hoop = 0.;
      if (body.assumption == Assumption::axisymmetric)
      {
        // On the axis u_r / r tends to du_r/dr.
        const double r = inputs.evaluation_points[q][0];
        hoop = r > 1e-12 * body.smallest_edge ? inputs.solution_values[q][0] / r
                                              : gradient[0][0];
      }
      const Voigt stress =
          body.elasticity().stress(strain_of_gradient<dim>(gradient, hoop));
      unsigned int n = 0;
      for (const double s : stress)
        computed[q][n++] = s;
      computed[q][n++] = von_mises(stress);
      const auto pairs = eigenvectors(stress_tensor<dim>(stress),
                                      SymmetricTensorEigenvectorMethod::jacobi);
      for (unsigned int i = 0; i < dim; ++i)
        computed[q][n++] = pairs[i].first;
      for (unsigned int i = 0; i < dim; ++i)
        for (unsigned int c = 0; c < dim; ++c)
          computed[q][n++] = pairs[i].second[c];
    }
  }

private:
  const SolidBody<dim> &body;
};

template <int dim>
void add_fields(DataOut<dim> &data_out,
                const SolidFields<dim> &fields,
                const StressPostprocessor<dim> &stresses,
                const unsigned int body_number,
                std::vector<dealii::Vector<float>> &cell_values)
{
  const auto &body = *fields.body;
  const std::vector<DataComponentInterpretation::DataComponentInterpretation>
      vector_valued(dim,
                    DataComponentInterpretation::component_is_part_of_vector);
  data_out.attach_dof_handler(body.dof_handler);
  data_out.add_data_vector(*fields.displacement,
                           std::vector<std::string>(dim, "displacement"),
                           DataOut<dim>::type_dof_data,
                           vector_valued);
  data_out.add_data_vector(*fields.velocity,
                           std::vector<std::string>(dim, "velocity"),
                           DataOut<dim>::type_dof_data,
                           vector_valued);
  data_out.add_data_vector(*fields.displacement, stresses);

  const unsigned int n_cells = body.triangulation.n_active_cells();
  cell_values.assign(8, dealii::Vector<float>(n_cells));
  for (unsigned int c = 0; c < n_cells; ++c)
  {
    const unsigned int piece = body.cell_piece[c];
    cell_values[0][c]        = body_number;
    cell_values[1][c]        = piece;
    for (unsigned int k = 0; k < 6; ++k)
      cell_values[2 + k][c] = (*fields.moment_stress)[piece][k];
  }
  data_out.add_data_vector(cell_values[0], "body");
  data_out.add_data_vector(cell_values[1], "piece");
  for (unsigned int k = 0; k < 6; ++k)
    data_out.add_data_vector(cell_values[2 + k],
                             std::string("moment_stress_") +
                                 tensor_components[k]);
  data_out.build_patches(*body.mapping);
}
} // namespace

template <int dim>
void write_solids(const std::string &path,
                  const std::vector<SolidFields<dim>> &fields,
                  MPI_Comm communicator)
{
  std::vector<std::unique_ptr<StressPostprocessor<dim>>> stresses;
  std::vector<std::unique_ptr<DataOut<dim>>> outputs;
  std::vector<std::vector<dealii::Vector<float>>> cell_values(fields.size());
  for (unsigned int b = 0; b < fields.size(); ++b)
  {
    stresses.push_back(
        std::make_unique<StressPostprocessor<dim>>(*fields[b].body));
    outputs.push_back(std::make_unique<DataOut<dim>>());
    add_fields(*outputs[b], fields[b], *stresses[b], b, cell_values[b]);
    if (b > 0)
      outputs[0]->merge_patches(*outputs[b]);
  }

  DataOutBase::VtkFlags flags;
  flags.compression_level = DataOutBase::VtkFlags::best_speed;
  // The same state is the same file.
  flags.print_date_and_time = false;
  outputs[0]->set_flags(flags);
  std::ostringstream text;
  outputs[0]->write_vtu(text);
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
  for (const auto &field : fields)
  {
    const auto &body = *field.body;
    FEValues<dim> values(*body.mapping,
                         *body.fe,
                         body.quadrature,
                         update_values | update_gradients |
                             update_quadrature_points);
    const FEValuesExtractors::Vector displacement(0);
    std::vector<Tensor<2, dim>> gradients(body.quadrature.size());
    std::vector<Tensor<1, dim>> u(body.quadrature.size());
    for (const auto &cell : body.cells)
      if (cell->is_locally_owned())
      {
        values.reinit(cell);
        values[displacement].get_function_gradients(*field.displacement,
                                                    gradients);
        values[displacement].get_function_values(*field.displacement, u);
        for (const unsigned int q : values.quadrature_point_indices())
        {
          const double hoop  = body.assumption == Assumption::axisymmetric
                                   ? u[q][0] / values.quadrature_point(q)[0]
                                   : 0.;
          const Voigt stress = body.elasticity().stress(
              strain_of_gradient<dim>(gradients[q], hoop));
          const auto principal = eigenvalues(stress_tensor<dim>(stress));
          extrema.largest_principal =
              std::max(extrema.largest_principal, principal[0]);
          extrema.smallest_principal =
              std::min(extrema.smallest_principal, principal[dim - 1]);
          extrema.von_mises = std::max(extrema.von_mises, von_mises(stress));
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

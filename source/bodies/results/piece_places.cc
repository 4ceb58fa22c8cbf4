#include <delassus/bodies/results/solid_output.h>

#include <deal.II/base/mpi.h>

namespace delassus
{
using namespace dealii;

template <int dim>
std::vector<PiecePlace<dim>>
places_of_pieces(const std::vector<SolidFields<dim>> &fields,
                 MPI_Comm communicator)
{
  std::vector<PiecePlace<dim>> places;
  for (const auto &field : fields)
  {
    const auto &body         = *field.body;
    const unsigned int first = places.size();
    for (const auto &piece : body.pieces)
      places.push_back({ piece.centroid, piece.volume, false });
    if (!field.internal || !field.internal->law().is_finite_strain())
      continue;

    // The centre of mass moves by the mean displacement; density is uniform.
    std::vector<double> sums((dim + 2) * body.pieces.size(), 0.);
    std::vector<Tensor<2, 3>> F;
    field.internal->deformations(*field.displacement, F);
    const unsigned int n = body.element.n_nodes();
    CellValues<dim> values(body.element, field.internal->rule());
    const NodalValues<dim> displacement(body, *field.displacement);
    for (const unsigned int cell : body.owned_cells)
    {
      const unsigned int *nodes = body.nodes_of_cell(cell);
      values.reinit(body.nodes, nodes);
      double *sum = &sums[(dim + 2) * body.cell_piece[cell]];
      for (unsigned int q = 0; q < values.n_points(); ++q)
      {
        const double dV = values.JxW(q) * body.out_of_plane(values.point(q));
        sum[0] += dV;
        sum[1] +=
            dV *
            determinant(F[field.internal->place(cell) * values.n_points() + q]);
        for (unsigned int k = 0; k < n; ++k)
          for (unsigned int c = 0; c < dim; ++c)
            sum[2 + c] +=
                dV * values.value(k, q) * displacement(dim * nodes[k] + c);
      }
    }
    Utilities::MPI::sum(sums, communicator, sums);
    for (unsigned int p = 0; p < body.pieces.size(); ++p)
    {
      auto &place       = places[first + p];
      const double *sum = &sums[(dim + 2) * p];
      place.present     = true;
      place.volume *= sum[1] / sum[0];
      for (unsigned int c = 0; c < dim; ++c)
        place.centre[c] += sum[2 + c] / sum[0];
    }
  }
  return places;
}

template std::vector<PiecePlace<2>>
places_of_pieces<2>(const std::vector<SolidFields<2>> &, MPI_Comm);
template std::vector<PiecePlace<3>>
places_of_pieces<3>(const std::vector<SolidFields<3>> &, MPI_Comm);
} // namespace delassus

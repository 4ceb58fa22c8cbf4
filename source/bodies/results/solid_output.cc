#include <delassus/bodies/results/solid_output.h>
#include <delassus/bodies/results/cell_fields.h>
#include <delassus/output/tensor_components.h>
#include <delassus/output/vtu_pieces.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
using namespace dealii;

namespace
{
/// The cells of this rank as VTK knows them: cells of degree 1 by their
/// corners; T6 and Tet10 as VTK's quadratic cells, Q9 and H27 cut in 2^dim,
/// both with the positions of all their nodes. Points are those of each cell on
/// its own: stresses jump from cell to cell.
template <int dim>
class SolidPiece
{
public:
  explicit SolidPiece(const std::vector<SolidFields<dim>> &fields)
  {
    find_columns(fields);
    std::size_t n_points = 0;
    for (const auto &field : fields)
      n_points +=
          field.body->owned_cells.size() * field.body->element.n_nodes();
    piece.points.reserve(3 * n_points);
    for (auto &field : piece.fields)
      field.values.assign(field.n_components * n_points, 0.f);
    // In the order in which values come, and how far apart those of two
    // points are.
    for (const auto &[f, c] : order)
      columns.push_back(
          { &piece.fields[f].values[c], piece.fields[f].n_components });
    for (unsigned int b = 0; b < fields.size(); ++b)
      add(fields[b], b);
  }

  VtuPiece piece;

private:
  /// The values of one component at all points.
  struct Column
  {
    float *first;
    unsigned int stride;
  };

  void add_field(const std::string &name, const unsigned int n = 1)
  {
    for (unsigned int c = 0; c < n; ++c)
      order.emplace_back(piece.fields.size(), c);
    piece.fields.push_back({ name, n == 1 ? 1u : 3u, {} });
  }

  void find_columns(const std::vector<SolidFields<dim>> &fields)
  {
    add_field("displacement", dim);
    add_field("velocity", dim);
    for (const auto *component : tensor_components)
      add_field(std::string("stress_") + component);
    add_field("von_mises_stress");
    for (unsigned int i = 1; i <= dim; ++i)
      add_field(fmt::format("principal_stress_{}", i));
    for (unsigned int i = 1; i <= dim; ++i)
      add_field(fmt::format("principal_direction_{}", i), dim);
    add_field("body");
    add_field("piece");
    for (const auto *component : tensor_components)
      add_field(std::string("moment_stress_") + component);
    for (const auto *component : tensor_components)
      add_field(std::string("strain_") + component);
    for (const auto &field : fields)
      has_contact = has_contact || field.contact;
    if (has_contact)
    {
      add_field("contact_pressure");
      add_field("contact_traction", dim);
    }

    // All bodies have the columns that one of them has.
    bool in_newton_loop = false;
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
        add_field(name);
    for (const auto &name : histories)
      add_field(name);
  }

  void add(const SolidFields<dim> &fields, const unsigned int body_number)
  {
    const auto &body     = *fields.body;
    const auto &element  = body.element;
    const auto points    = evaluation_points(element);
    const unsigned int n = element.n_nodes();
    CellFields<dim> known(body, fields.internal, points, histories);
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
      bool touched = false;
      if (fields.contact)
        for (unsigned int k = 0; k < n; ++k)
        {
          const auto found = fields.contact->find(nodes[k]);
          touched          = touched || found != fields.contact->end();
          contact[k]       = found == fields.contact->end()
                                 ? std::array<double, dim + 1>{}
                                 : found->second;
        }
      add_cells(element);
      for (unsigned int q = 0; q < points.size(); ++q)
      {
        const std::size_t point = piece.n_points();
        unsigned int row        = 0;
        const auto write        = [&](const double value)
        {
          const Column &column                = columns[row++];
          column.first[point * column.stride] = static_cast<float>(value);
        };
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
        const unsigned int number = body.cell_piece[cell];
        write(body_number);
        write(number);
        for (const double s : (*fields.moment_stress)[number])
          write(s);
        for (const double e : known.strain(q))
          write(e);
        if (has_contact)
        {
          for (unsigned int c = 0; touched && c < dim + 1; ++c)
          {
            double sum = 0.;
            for (unsigned int k = 0; k < n; ++k)
              sum += values.value(k, q) * contact[k][c];
            write(sum);
          }
          row += touched ? 0 : dim + 1;
        }
        // What this body has not stays zero.
        for (unsigned int k = 0; k < known.n_scalars(); ++k)
          write(known.scalar(k, q));
        for (unsigned int d = 0; d < 3; ++d)
          piece.points.push_back(
              d < dim ? static_cast<float>(values.point(q)[d]) : 0.f);
      }
    }
  }

  /// The nodes of the element: of tensor cells along x first, then y, then z.
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

  /// The cell, or its parts, whose points come next.
  void add_cells(const Element<dim> &element)
  {
    const auto first       = static_cast<std::int32_t>(piece.n_points());
    const unsigned int deg = element.degree();
    const auto end_of_cell = [&](const unsigned int type)
    {
      piece.offsets.push_back(
          static_cast<std::int32_t>(piece.connectivity.size()));
      piece.types.push_back(static_cast<std::uint8_t>(type));
    };
    if (element.is_simplex())
    {
      for (unsigned int k = 0; k < element.n_nodes(); ++k)
        piece.connectivity.push_back(first + k);
      // VTK's triangle, tetrahedron, and those of degree 2.
      end_of_cell(dim == 2 ? (deg == 1 ? 5 : 22) : (deg == 1 ? 10 : 24));
      return;
    }
    // VTK's quadrilateral and hexahedron: around the bottom, then the top.
    const unsigned int row = deg + 1;
    for (unsigned int k = 0; k < (dim == 3 ? deg : 1); ++k)
      for (unsigned int j = 0; j < deg; ++j)
        for (unsigned int i = 0; i < deg; ++i)
        {
          for (unsigned int top = 0; top < (dim == 3 ? 2 : 1); ++top)
          {
            const auto corner = [&](const unsigned int x, const unsigned int y)
            {
              piece.connectivity.push_back(
                  first + ((k + top) * row + j + y) * row + i + x);
            };
            corner(0, 0);
            corner(1, 0);
            corner(1, 1);
            corner(0, 1);
          }
          end_of_cell(dim == 2 ? 9 : 12);
        }
  }

  bool has_contact = false;
  std::vector<std::string> histories;
  std::vector<std::pair<unsigned int, unsigned int>>
      order; ///< field, component
  std::vector<Column> columns;
};
} // namespace

template <int dim>
VtuPiece solid_piece(const std::vector<SolidFields<dim>> &fields)
{
  return std::move(SolidPiece<dim>(fields).piece);
}

template <int dim>
void write_solids(const std::string &path,
                  const std::vector<SolidFields<dim>> &fields,
                  MPI_Comm communicator,
                  const std::string &stage)
{
  std::vector<VtuPiece> pieces;
  pieces.push_back(solid_piece(fields));
  write_pieces(path, std::move(pieces), communicator, stage);
}

template <int dim>
StressExtrema stress_extrema(const std::vector<SolidFields<dim>> &fields,
                             MPI_Comm communicator,
                             const StressExtrema &others)
{
  StressExtrema extrema = others;
  const auto look_at    = [&](const Voigt &stress)
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
                                         MPI_Comm,
                                         const StressExtrema &);
template StressExtrema stress_extrema<3>(const std::vector<SolidFields<3>> &,
                                         MPI_Comm,
                                         const StressExtrema &);
template VtuPiece solid_piece<2>(const std::vector<SolidFields<2>> &);
template VtuPiece solid_piece<3>(const std::vector<SolidFields<3>> &);
template void write_solids<2>(const std::string &,
                              const std::vector<SolidFields<2>> &,
                              MPI_Comm,
                              const std::string &);
template void write_solids<3>(const std::string &,
                              const std::vector<SolidFields<3>> &,
                              MPI_Comm,
                              const std::string &);
} // namespace delassus

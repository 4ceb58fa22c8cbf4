#include <delassus/base/exceptions.h>
#include <delassus/bodies/internal_forces.h>
#include <delassus/bodies/solid_shell_cells.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace delassus
{
using namespace dealii;

template <int dim>
void InternalForces<dim>::make_solid_shell()
{
  if constexpr (dim == 3)
  {
    if (body.parameters().type != BodyType::solid_shell)
      return;
    if (body.has_simplices() || body.element.degree() != 1)
      throw InputError(fmt::format(
          "body '{}': solid shells have hexahedra of degree 1; these are {}.",
          body.name(),
          body.element.name()));
    if (!finite)
      throw InputError(
          body.parameters().where("Material", "material") +
          ": solid shells turn, and this material is for small strains; "
          "allowed: Saint Venant-Kirchhoff, neo-Hookean, J2, Maxwell.");
    n_more      = 1;
    solid_shell = std::make_unique<SolidShellCells>(*material, quadrature);
    // In the order of their places: a group is a cell.
    for (const unsigned int cell : cells)
    {
      std::array<Point<3>, 8> x;
      for (unsigned int v = 0; v < 8; ++v)
        x[v] = body.nodes[body.nodes_of_cell(cell)[v]];
      if (!solid_shell->add_cell(x))
      {
        const auto centre = body.centre_of_cell(cell);
        throw InputError(fmt::format(
            "body '{}': the cell at ({:.4g}, {:.4g}, {:.4g}) is degenerate.",
            body.name(),
            centre[0],
            centre[1],
            centre[2]));
      }
    }
  }
}

template <int dim>
void InternalForces<dim>::begin_step()
{
  if (solid_shell)
    solid_shell->begin_step();
}

template <int dim>
bool InternalForces<dim>::evaluate_solid_shell(const Group &group,
                                               const double h,
                                               const bool with_tangent)
{
  const std::size_t first = std::size_t(group.first_cell) * n_q;
  const unsigned int cell = cells[group.first_cell];
  SolidShellCells::Result result{ f_group.data(),
                                  with_tangent ? K_group.data() : nullptr,
                                  &present_stress[first],
                                  0.,
                                  0. };
  const auto trouble = solid_shell->evaluate(group.first_cell,
                                             u.data(),
                                             h,
                                             begin.data() + first * n_history,
                                             end.data() + first * n_history,
                                             n_history,
                                             result);
  if (trouble != SolidShellCells::Trouble::none)
  {
    note_trouble(cell,
                 0,
                 trouble == SolidShellCells::Trouble::inside_out
                     ? "is turned inside out"
                 : trouble == SolidShellCells::Trouble::material
                     ? "finds no stress"
                     : "finds no balance of its enhanced modes");
    return false;
  }
  if (counts[cell])
  {
    stored += result.stored;
    dissipated += result.dissipated;
  }
  return true;
}

template <int dim>
void InternalForces<dim>::get_state(const unsigned int cell,
                                    double *values) const
{
  for (unsigned int q = 0; q < n_q; ++q)
  {
    const std::size_t index = point_index(cell, q);
    values = std::copy_n(begin.data() + index * n_history, n_history, values);
    values = std::copy_n(accepted_stress[index].data(), 6, values);
    if (solid_shell)
      *values++ = q < n_solid_shell_modes
                      ? solid_shell->modes(place_of_cell[cell])[q]
                      : 0.;
  }
}

template <int dim>
void InternalForces<dim>::set_state(const unsigned int cell,
                                    const double *values)
{
  double modes[n_solid_shell_modes] = {};
  for (unsigned int q = 0; q < n_q; ++q)
  {
    const std::size_t index = point_index(cell, q);
    std::copy_n(values, n_history, begin.data() + index * n_history);
    values += n_history;
    std::copy_n(values, 6, accepted_stress[index].data());
    values += 6;
    if (solid_shell && q < n_solid_shell_modes)
      modes[q] = *values;
    values += n_more;
  }
  if (solid_shell)
    solid_shell->set_modes(place_of_cell[cell], modes);
}

template <int dim>
void InternalForces<dim>::deformations(
    const Vector &q,
    std::vector<Tensor<2, 3>> &F,
    const std::vector<unsigned int> *chosen) const
{
  // The arrays of an evaluation are used, its results are not touched.
  auto &work = const_cast<InternalForces<dim> &>(*this);
  if (body.split)
    *work.ghosted = q;
  F.resize(std::size_t(cells.size()) * n_q);
  std::vector<unsigned int> numbers; // of the groups that are wanted
  if (chosen)
    for (const unsigned int cell : *chosen)
      numbers.push_back(
          std::upper_bound(groups.begin(),
                           groups.end(),
                           place_of_cell[cell],
                           [](const unsigned int place, const Group &group)
                           { return place < group.first_cell; }) -
          groups.begin() - 1);
  else
  {
    numbers.resize(groups.size());
    std::iota(numbers.begin(), numbers.end(), 0u);
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  for (const unsigned int number : numbers)
  {
    const Group &group = groups[number];
    work.get_displacements(group, q);
    if (solid_shell)
    {
      if constexpr (dim == 3)
        work.solid_shell->deformations(group.first_cell,
                                       u.data(),
                                       &F[std::size_t(group.first_cell) * n_q]);
      continue;
    }
    work.kinematics(group);
    for (unsigned int i = 0; i < group.n_cells; ++i)
      for (unsigned int k = 0; k < n_q; ++k)
      {
        const std::size_t index = std::size_t(group.first_cell + i) * n_q + k;
        F[index]                = points[i * n_q + k].F;
        if (plane_stress)
        {
          const double z = begin[(index + 1) * n_history - 1];
          F[index][2][2] = finite ? std::exp(z) : 1. + z;
        }
      }
  }
  work.trouble_text.clear();
}

template <int dim>
double InternalForces<dim>::largest_strain_increment(const Vector &q0,
                                                     const Vector &q1) const
{
  Vector difference = q1;
  difference -= q0;
  double largest = 0.;
  const NodalValues<dim> position(body, q1), step(body, difference);
  for (const unsigned int cell : body.owned_cells)
  {
    const unsigned int place  = place_of_cell[cell];
    const unsigned int *nodes = body.nodes_of_cell(cell);
    for (unsigned int q = 0; q < n_q; ++q)
    {
      const Tensor<1, dim> *G =
          &gradients[(std::size_t(place) * n_q + q) * n_cell_nodes];
      Tensor<2, dim> F, dF;
      for (unsigned int c = 0; c < dim; ++c)
        F[c][c] = 1.;
      for (unsigned int k = 0; k < n_cell_nodes; ++k)
        for (unsigned int c = 0; c < dim; ++c)
          for (unsigned int d = 0; d < dim; ++d)
          {
            if (finite)
              F[c][d] += position(dim * nodes[k] + c) * G[k][d];
            dF[c][d] += step(dim * nodes[k] + c) * G[k][d];
          }
      double square = (dF * invert(F)).norm_square();
      if (axisymmetric)
      {
        double r = radii[std::size_t(place) * n_q + q], dr = 0.;
        for (unsigned int k = 0; k < n_cell_nodes; ++k)
        {
          const double N = shape[q * n_cell_nodes + k];
          if (finite)
            r += N * position(dim * nodes[k]);
          dr += N * step(dim * nodes[k]);
        }
        square += dr * dr / (r * r);
      }
      largest = std::max(largest, std::sqrt(square));
    }
  }
  return Utilities::MPI::max(largest, body.communicator);
}

#define INSTANTIATE(dim)                                                       \
  template void InternalForces<dim>::make_solid_shell();                       \
  template void InternalForces<dim>::begin_step();                             \
  template double InternalForces<dim>::largest_strain_increment(               \
      const Vector &, const Vector &) const;                                   \
  template bool InternalForces<dim>::evaluate_solid_shell(                     \
      const Group &, const double, const bool);                                \
  template void InternalForces<dim>::get_state(const unsigned int, double *)   \
      const;                                                                   \
  template void InternalForces<dim>::set_state(const unsigned int,             \
                                               const double *);                \
  template void InternalForces<dim>::deformations(                             \
      const Vector &,                                                          \
      std::vector<Tensor<2, 3>> &,                                             \
      const std::vector<unsigned int> *) const
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus

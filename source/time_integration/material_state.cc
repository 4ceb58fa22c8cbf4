#include <delassus/time_integration/material_state.h>
#include <delassus/systems/match_positions.h>

#include <limits>

namespace delassus
{
using namespace dealii;

void MaterialState::archive(Archive &archive)
{
  archive("positions", positions);
  archive("pieces", pieces);
  archive("own", own);
  archive("values", values);
  archive("number of values", n_values);
  archive("stored energy", stored);
}

template <int dim>
void MaterialState::set_points(const NewtonScheme<dim> &scheme)
{
  const auto &body     = scheme.body;
  const auto &internal = scheme.internal;
  std::vector<char> owned(body.n_cells(), 0);
  for (const unsigned int cell : body.owned_cells)
    owned[cell] = 1;
  CellValues<dim> cell_values(body.element, internal.rule());
  for (const unsigned int cell : internal.evaluated_cells())
  {
    cell_values.reinit(body.nodes, body.nodes_of_cell(cell));
    for (unsigned int q = 0; q < internal.n_points(); ++q)
    {
      for (unsigned int c = 0; c < dim; ++c)
        positions.push_back(cell_values.point(q)[c]);
      pieces.push_back(body.cell_piece[cell]);
      own.push_back(owned[cell]);
    }
  }
  n_values = internal.state_size() / internal.n_points();
}

template <int dim>
void MaterialState::save(const NewtonScheme<dim> &scheme)
{
  set_points(scheme);
  const auto &internal = scheme.internal;
  values.resize(pieces.size() * n_values);
  double *to = values.data();
  for (const unsigned int cell : internal.evaluated_cells())
  {
    internal.get_state(cell, to);
    to += internal.state_size();
  }
  stored = internal.stored_before;
}

template <int dim>
bool MaterialState::is_of(const NewtonScheme<dim> &scheme) const
{
  MaterialState here;
  here.set_points(scheme);
  return here.positions == positions && here.pieces == pieces &&
         here.own == own && here.n_values == n_values;
}

template <int dim>
void MaterialState::load(NewtonScheme<dim> &scheme) const
{
  auto &internal     = scheme.internal;
  const double *from = values.data();
  for (const unsigned int cell : internal.evaluated_cells())
  {
    internal.set_state(cell, from);
    from += internal.state_size();
  }
  internal.stored_before = stored;
}

void MaterialState::append(const MaterialState &other, const unsigned int dim)
{
  n_values = other.n_values;
  stored += other.stored;
  for (std::size_t i = 0; i < other.pieces.size(); ++i)
    if (other.own[i])
    {
      const auto position = other.positions.begin() + dim * i;
      const auto value    = other.values.begin() + n_values * i;
      positions.insert(positions.end(), position, position + dim);
      pieces.push_back(other.pieces[i]);
      own.push_back(1);
      values.insert(values.end(), value, value + n_values);
    }
}

template <int dim>
bool MaterialState::load_matching(NewtonScheme<dim> &scheme) const
{
  MaterialState here;
  here.set_points(scheme);
  if (pieces.size() !=
          std::size_t(scheme.body.n_all_cells) * scheme.internal.n_points() ||
      n_values != here.n_values)
    return false;
  const auto there =
      match_positions(dim, positions, pieces, here.positions, here.pieces);
  here.values.reserve(n_values * there.size());
  for (const unsigned int i : there)
  {
    if (i == std::numeric_limits<unsigned int>::max())
      return false;
    const auto value = values.begin() + n_values * i;
    here.values.insert(here.values.end(), value, value + n_values);
  }
  // Only the sum over all ranks is ever used.
  here.stored = Utilities::MPI::this_mpi_process(scheme.body.communicator) == 0
                    ? stored
                    : 0.;
  here.load(scheme);
  return true;
}

#define INSTANTIATE(dim)                                                       \
  template void MaterialState::save(const NewtonScheme<dim> &);                \
  template bool MaterialState::is_of(const NewtonScheme<dim> &) const;         \
  template void MaterialState::load(NewtonScheme<dim> &) const;                \
  template bool MaterialState::load_matching(NewtonScheme<dim> &) const
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus

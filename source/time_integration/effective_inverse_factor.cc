#include <delassus/time_integration/effective_inverse.h>
#include <delassus/linear_solvers/multigrid/multigrid_cg.h>

#include <fmt/format.h>

namespace delassus
{
template <int dim>
std::vector<double>
EffectiveInverse<dim>::rigid_modes(const unsigned int begin_node,
                                   const unsigned int end_node) const
{
  const unsigned int n       = dim * (end_node - begin_node);
  constexpr unsigned int all = dim == 2 ? 3 : 6;
  std::vector<double> modes(std::size_t(all) * n, 0.);
  // About the middle of the body, so that all modes are of the same order.
  dealii::Point<dim> low, high;
  if (!body.nodes.empty())
    low = high = body.nodes[0];
  for (const auto &node : body.nodes)
    for (unsigned int c = 0; c < dim; ++c)
    {
      low[c]  = std::min(low[c], node[c]);
      high[c] = std::max(high[c], node[c]);
    }
  const dealii::Point<dim> middle = low + 0.5 * (high - low);
  const double size               = 0.5 * low.distance(high);
  for (unsigned int i = 0; i < end_node - begin_node; ++i)
  {
    const auto x = (body.nodes[begin_node + i] - middle) / size;
    for (unsigned int c = 0; c < dim; ++c)
      modes[std::size_t(c) * n + dim * i + c] = 1.;
    // Rotations about each axis: x_a e_b - x_b e_a.
    for (unsigned int m = dim; m < all; ++m)
    {
      const unsigned int a = (m - dim) % dim, b = (m - dim + 1) % dim;
      modes[std::size_t(m) * n + dim * i + a] = -x[b];
      modes[std::size_t(m) * n + dim * i + b] = x[a];
    }
  }
  for (unsigned int i = 0; i < n; ++i)
    if (is_condensed(dim * begin_node + i))
      for (unsigned int m = 0; m < all; ++m)
        modes[std::size_t(m) * n + i] = 0.;
  return modes;
}

template <int dim>
std::unique_ptr<SymmetricFactor>
EffectiveInverse<dim>::make_factor(const SymmetricMatrix &A,
                                   const unsigned int begin_node,
                                   const unsigned int end_node)
{
  MPI_Comm communicator = body.split ? body.communicator : MPI_COMM_SELF;
  std::unique_ptr<SymmetricFactor> factor;
  if (solver.type != LinearSolverType::amg)
    try
    {
      const double available = least_available();
      if (!body.split ||
          dealii::Utilities::MPI::n_mpi_processes(communicator) == 1)
        factor = factorize(A, 250, solver.type, available);
      else
      {
        if (solver.type != LinearSolverType::mumps &&
            solver.type != LinearSolverType::dense && body.n_dofs() > 250)
          factor = make_substructured_factor(A, available, communicator);
        if (!factor && solver.reproducible)
          factor =
              make_gathered_factor(A, solver.type, available, communicator);
        else if (!factor)
          factor = make_mumps_factor(A, available, communicator);
      }
    }
    catch (const MemoryLimitError &e)
    {
      if (solver.type != LinearSolverType::automatic)
        throw;
      if (!body.split || body.first_owned_node == 0)
        notes.push_back(fmt::format(
            "body '{}': a factor of {} unknowns would take {:.3g} GiB and "
            "{:.3g} GiB are left to it: conjugate gradients with multigrid "
            "instead{}",
            body.name(),
            body.split ? body.n_dofs() : A.n,
            e.needed / (1 << 30),
            e.allowed / (1 << 30),
            body.split && solver.reproducible
                ? " (Reproducible = false would share it among the ranks)"
                : ""));
    }
  if (!factor)
  {
    MultigridOptions options;
    options.n_components = dim;
    options.modes        = rigid_modes(begin_node, end_node);
    options.tolerance    = solver.tolerance;
    options.higher_order = body.parameters().degree > 1;
    factor               = make_multigrid_cg(A, options, communicator);
  }
  const double bytes = factor->memory_consumption();
  budget->take(bytes);
  bytes_taken += bytes;
  return factor;
}

#define INSTANTIATE(dim)                                                       \
  template std::vector<double> EffectiveInverse<dim>::rigid_modes(             \
      const unsigned int, const unsigned int) const;                           \
  template std::unique_ptr<SymmetricFactor>                                    \
  EffectiveInverse<dim>::make_factor(                                          \
      const SymmetricMatrix &, const unsigned int, const unsigned int)
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus

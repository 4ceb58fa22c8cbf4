#include <delassus/time_integration/effective_inverse.h>
#include <delassus/linear_solvers/multigrid/multigrid_cg.h>

#include <fmt/format.h>

namespace delassus
{
template <int dim>
EffectiveInverse<dim>::EffectiveInverse(const SolidBody<dim> &body,
                                        const DrivenDofs<dim> &driven,
                                        const PieceClasses &classes,
                                        const LinearSolverParameters &solver,
                                        std::shared_ptr<MemoryBudget> budget_in)
    : budget(budget_in
                 ? budget_in
                 : std::make_shared<MemoryBudget>(solver, body.communicator))
    , body(body)
    , driven(driven)
    , classes(classes)
    , factor_M(classes.n_classes(), 1.)
    , solver(solver)
    , factors(classes.n_classes())
    , diagonals(classes.n_classes())
    , owned_pieces(classes.n_classes())
    , work(body.make_vector())
{
  for (unsigned int p = 0; p < body.pieces.size(); ++p)
    if (body.owns_node(body.pieces[p].first_node))
      owned_pieces[classes.class_of_piece[p]].push_back(p);
}

template <int dim>
EffectiveInverse<dim>::~EffectiveInverse()
{
  give_back();
}

template <int dim>
void EffectiveInverse<dim>::give_back()
{
  budget->give_back(bytes_taken);
  bytes_taken = 0.;
}

template <int dim>
std::vector<double>
EffectiveInverse<dim>::rigid_modes(const unsigned int piece) const
{
  const auto &range          = body.pieces[piece];
  const unsigned int n       = dim * range.n_nodes;
  constexpr unsigned int all = dim == 2 ? 3 : 6;
  std::vector<double> modes(std::size_t(all) * n, 0.);
  double size = 0.; // so that all modes are of the same order
  for (unsigned int i = 0; i < range.n_nodes; ++i)
    size = std::max(size,
                    body.nodes[range.first_node + i].distance(range.centroid));
  for (unsigned int i = 0; i < range.n_nodes; ++i)
  {
    const auto x = (body.nodes[range.first_node + i] - range.centroid) / size;
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
    if (driven.is_driven(dim * range.first_node + i))
      for (unsigned int m = 0; m < all; ++m)
        modes[std::size_t(m) * n + i] = 0.;
  return modes;
}

template <int dim>
std::unique_ptr<SymmetricFactor>
EffectiveInverse<dim>::make_factor(const SymmetricMatrix &A,
                                   const unsigned int piece)
{
  std::unique_ptr<SymmetricFactor> factor;
  if (solver.type != LinearSolverType::amg)
    try
    {
      factor = factorize(A, 250, solver.type, budget->available());
    }
    catch (const MemoryLimitError &e)
    {
      if (solver.type != LinearSolverType::automatic)
        throw;
      notes.push_back(fmt::format(
          "body '{}': a factor of {} unknowns would take {:.3g} GiB and {:.3g} "
          "GiB are left to it: conjugate gradients with multigrid instead",
          body.name(),
          A.n,
          e.needed / (1 << 30),
          e.allowed / (1 << 30)));
    }
  if (!factor)
  {
    MultigridOptions options;
    options.n_components = dim;
    options.modes        = rigid_modes(piece);
    options.tolerance    = solver.tolerance;
    options.higher_order = body.parameters().degree > 1;
    factor               = make_multigrid_cg(A, options, MPI_COMM_SELF);
  }
  const double bytes = factor->memory_consumption();
  budget->take(bytes);
  bytes_taken += bytes;
  return factor;
}

template <int dim>
SymmetricMatrix
EffectiveInverse<dim>::effective_matrix(const unsigned int piece) const
{
  const unsigned int first = dim * body.pieces[piece].first_node;
  const double factor      = factor_M[classes.class_of_piece[piece]];
  SymmetricMatrix A;
  A.n = dim * body.pieces[piece].n_nodes;
  A.column_start.assign(1, 0);
  for (unsigned int row = 0; row < A.n; ++row)
  {
    const unsigned int dof = first + row;
    if (driven.is_driven(dof))
    {
      A.row.push_back(row);
      A.value.push_back(1.);
    }
    else
      for (auto entry = body.stiffness.begin(dof);
           entry != body.stiffness.end(dof);
           ++entry)
      {
        const unsigned int column = entry->column();
        if (driven.is_driven(column))
          continue;
        double value = factor_K * entry->value();
        if (factor != 0. && (!body.diagonal_mass || column == dof))
          value += factor * body.mass.el(dof, column);
        A.row.push_back(column - first);
        A.value.push_back(value);
      }
    A.column_start.push_back(A.row.size());
  }
  return A;
}

template <int dim>
void EffectiveInverse<dim>::reinit(const double h, const double theta)
{
  const auto &material = body.material_parameters();
  factor_M.assign(classes.n_classes(), 1. + h * theta * material.rayleigh_mass);
  factor_K = h * h * theta * theta + h * theta * material.rayleigh_stiffness;
  factorize_classes();
}

template <int dim>
void EffectiveInverse<dim>::reinit_quasi_static(
    const double h,
    const std::vector<double> &fictitious)
{
  for (unsigned int c = 0; c < classes.n_classes(); ++c)
    factor_M[c] = h * h * fictitious[c];
  factor_K = h * h + h * body.material_parameters().rayleigh_stiffness;
  factorize_classes();
}

template <int dim>
void EffectiveInverse<dim>::factorize_classes()
{
  notes.clear();
  for (auto &factor : factors)
    factor.reset();
  give_back();
  for (unsigned int c = 0; c < classes.n_classes(); ++c)
    if (!owned_pieces[c].empty())
    {
      const unsigned int piece = owned_pieces[c].front();
      const SymmetricMatrix A  = effective_matrix(piece);
      factors[c]               = make_factor(A, piece);
      diagonals[c].assign(A.n, 0.);
      for (unsigned int column = 0; column < A.n; ++column)
        for (int k = A.column_start[column]; k < A.column_start[column + 1];
             ++k)
          if (A.row[k] == int(column))
            diagonals[c][column] = A.value[k];
    }
}

template <int dim>
void EffectiveInverse<dim>::apply(Vector &x)
{
  if (body.owned_dofs.n_elements() == 0)
    return;
  double *values            = &*x.begin();
  const unsigned int offset = dim * body.first_owned_node;
  for (const unsigned int dof : driven.owned())
    values[dof - offset] = 0.;
  for (unsigned int c = 0; c < classes.n_classes(); ++c)
  {
    const auto &pieces = owned_pieces[c];
    if (pieces.empty())
      continue;
    const unsigned int n = factors[c]->n();
    if (pieces.size() == 1)
    {
      factors[c]->solve(
          values + dim * body.pieces[pieces[0]].first_node - offset, 1);
      continue;
    }
    // Congruent pieces side by side: one matrix product for all of them.
    constexpr unsigned int most = 256;
    block.resize(std::size_t(n) * most);
    for (std::size_t first = 0; first < pieces.size(); first += most)
    {
      const std::size_t count =
          std::min<std::size_t>(most, pieces.size() - first);
      for (std::size_t k = 0; k < count; ++k)
        std::copy_n(values + dim * body.pieces[pieces[first + k]].first_node -
                        offset,
                    n,
                    block.data() + k * n);
      factors[c]->solve(block.data(), count);
      for (std::size_t k = 0; k < count; ++k)
        std::copy_n(block.data() + k * n,
                    n,
                    values + dim * body.pieces[pieces[first + k]].first_node -
                        offset);
    }
  }
  for (const unsigned int dof : driven.owned())
    values[dof - offset] = 0.;
}

template <int dim>
void EffectiveInverse<dim>::mass_vmult(Vector &y, const Vector &x) const
{
  body.mass.vmult(y, x);
  for (unsigned int node = body.first_owned_node; node < body.end_owned_node;
       ++node)
  {
    const double factor =
        factor_M[classes.class_of_piece[body.node_piece[node]]];
    double *values = &*y.begin() + dim * (node - body.first_owned_node);
    for (unsigned int c = 0; c < dim; ++c)
      values[c] *= factor;
  }
}

template <int dim>
void EffectiveInverse<dim>::effective_vmult(Vector &y, const Vector &x) const
{
  mass_vmult(y, x);
  body.stiffness.vmult(work, x);
  y.add(factor_K, work);
}

template <int dim>
std::vector<double>
EffectiveInverse<dim>::compliance(const unsigned int class_index,
                                  const std::vector<unsigned int> &piece_nodes)
{
  auto &factor             = *factors[class_index];
  const unsigned int piece = owned_pieces[class_index].front();
  const unsigned int first = dim * body.pieces[piece].first_node;
  const unsigned int n     = dim * piece_nodes.size();
  const auto dof           = [&](const unsigned int i)
  { return dim * piece_nodes[i / dim] + i % dim; };
  std::vector<double> C(std::size_t(n) * n, 0.);
  constexpr unsigned int most = 64;
  std::vector<double> columns;
  for (unsigned int begin = 0; begin < n; begin += most)
  {
    const unsigned int count = std::min(most, n - begin);
    columns.assign(std::size_t(factor.n()) * count, 0.);
    for (unsigned int k = 0; k < count; ++k)
      if (!driven.is_driven(first + dof(begin + k)))
        columns[std::size_t(k) * factor.n() + dof(begin + k)] = 1.;
    factor.solve(columns.data(), count);
    for (unsigned int k = 0; k < count; ++k)
      for (unsigned int i = 0; i < n; ++i)
        if (!driven.is_driven(first + dof(i)))
          C[std::size_t(i) * n + begin + k] =
              columns[std::size_t(k) * factor.n() + dof(i)];
  }
  // w is symmetric; rounding is not.
  for (unsigned int i = 0; i < n; ++i)
    for (unsigned int j = 0; j < i; ++j)
      C[std::size_t(i) * n + j] = C[std::size_t(j) * n + i] =
          0.5 * (C[std::size_t(i) * n + j] + C[std::size_t(j) * n + i]);
  return C;
}

template <int dim>
double EffectiveInverse<dim>::effective_diagonal(
    const unsigned int class_index,
    const std::vector<unsigned int> &piece_nodes) const
{
  double sum = 0.;
  for (const unsigned int n : piece_nodes)
    for (unsigned int c = 0; c < dim; ++c)
      sum += diagonals[class_index][dim * n + c];
  return piece_nodes.empty() ? 0. : sum / (dim * piece_nodes.size());
}

template <int dim>
std::size_t EffectiveInverse<dim>::memory_consumption() const
{
  std::size_t bytes = block.size() * sizeof(double);
  for (const auto &factor : factors)
    if (factor)
      bytes += factor->memory_consumption();
  return bytes;
}

template <int dim>
std::string EffectiveInverse<dim>::description() const
{
  std::map<std::string, unsigned int> kinds;
  for (const auto &factor : factors)
    if (factor)
      ++kinds[factor->name()];
  std::string text;
  for (const auto &kind : kinds)
    text += fmt::format(
        "{}{} x {}", text.empty() ? "" : ", ", kind.second, kind.first);
  return text;
}

template class EffectiveInverse<2>;
template class EffectiveInverse<3>;
} // namespace delassus

#include <delassus/time_integration/effective_inverse.h>
#include <delassus/linear_solvers/on_all_ranks.h>

#include <Epetra_CrsMatrix.h>
#include <fmt/format.h>

namespace delassus
{
template <int dim>
EffectiveInverse<dim>::EffectiveInverse(const SolidBody<dim> &body,
                                        const DrivenDofs<dim> &driven,
                                        const PieceClasses &classes,
                                        const LinearSolverParameters &solver,
                                        std::shared_ptr<MemoryBudget> budget_in,
                                        const Matrix *stiffness)
    : CarrierInverse<dim>(
          budget_in ? budget_in
                    : std::make_shared<MemoryBudget>(solver, body.communicator))
    , body(body)
    , driven(driven)
    , classes(classes)
    , stiffness(stiffness ? *stiffness : body.stiffness)
    , changing(&this->stiffness != &body.stiffness)
    , assembled(classes.n_classes())
    , factor_M(classes.n_classes(), 1.)
    , solver(solver)
    , factors(classes.n_classes())
    , diagonals(classes.n_classes())
    , owned_pieces(classes.n_classes())
    , work(body.make_vector())
{
  for (unsigned int p = 0; p < body.pieces.size() && !body.split; ++p)
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
double EffectiveInverse<dim>::least_available() const
{
  const double here = budget->available();
  return body.split ? dealii::Utilities::MPI::min(here, body.communicator)
                    : here;
}

template <int dim>
void EffectiveInverse<dim>::find_sources(const unsigned int begin_node,
                                         const unsigned int end_node,
                                         Assembled &result) const
{
  // Numbers count from the first node of the piece; in a shared matrix from the
  // first of the body.
  const unsigned int begin  = dim * begin_node;
  const unsigned int origin = body.split ? 0 : begin;
  auto &A                   = result.A;
  A.n                       = dim * (end_node - begin_node);
  A.first                   = begin - origin;
  A.column_start.assign(1, 0);
  result.diagonal.assign(A.n, -1);
  const auto &K = stiffness.trilinos_matrix();
  const auto &M = body.mass.trilinos_matrix();
  struct Entry
  {
    int row;
    const double *from_K, *from_M;
  };
  std::vector<Entry> row;
  std::vector<std::pair<unsigned int, const double *>> masses;
  for (unsigned int i = 0; i < A.n; ++i)
  {
    const unsigned int dof = begin + i;
    row.clear();
    if (is_condensed(dof))
      row.push_back({ int(dof - origin), nullptr, nullptr });
    else
    {
      int n = 0, *indices = nullptr;
      double *values = nullptr;
      M.ExtractMyRowView(M.LRID(int(dof)), n, values, indices);
      masses.clear();
      for (int k = 0; k < n; ++k)
        masses.emplace_back(M.GCID(indices[k]), values + k);
      std::sort(masses.begin(), masses.end());
      K.ExtractMyRowView(K.LRID(int(dof)), n, values, indices);
      for (int k = 0; k < n; ++k)
      {
        const unsigned int column = K.GCID(indices[k]);
        if (is_condensed(column))
          continue;
        // The pattern of the mass is that of K or part of it.
        const auto mass = std::lower_bound(
            masses.begin(),
            masses.end(),
            std::pair<unsigned int, const double *>(column, nullptr));
        row.push_back({ int(column - origin),
                        values + k,
                        mass != masses.end() && mass->first == column
                            ? mass->second
                            : nullptr });
      }
      std::sort(row.begin(),
                row.end(),
                [](const Entry &a, const Entry &b) { return a.row < b.row; });
    }
    for (const auto &entry : row)
    {
      if (entry.row == int(dof - origin))
        result.diagonal[i] = A.row.size();
      A.row.push_back(entry.row);
      result.from_K.push_back(entry.from_K);
      result.from_M.push_back(entry.from_M);
    }
    A.column_start.push_back(A.row.size());
  }
}

template <int dim>
void EffectiveInverse<dim>::fill_values(const double factor,
                                        Assembled &result) const
{
  auto &A = result.A;
  A.value.resize(A.row.size());
  for (std::size_t k = 0; k < A.value.size(); ++k)
    A.value[k] = result.from_K[k]
                     ? factor_K * *result.from_K[k] +
                           (result.from_M[k] ? factor * *result.from_M[k] : 0.)
                     : 1.;
}

template <int dim>
SymmetricMatrix
EffectiveInverse<dim>::effective_matrix(const unsigned int begin_node,
                                        const unsigned int end_node) const
{
  Assembled result;
  find_sources(begin_node, end_node, result);
  fill_values(
      factor_M[classes.class_of_piece
                   [body.node_piece.empty() ? 0 : body.node_piece[begin_node]]],
      result);
  return result.A;
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
    const std::vector<double> &fictitious,
    const std::vector<double> &rigid_share,
    const Vector *u)
{
  for (unsigned int c = 0; c < classes.n_classes(); ++c)
    factor_M[c] = h * h * fictitious[c] *
                  (sparse_only && !rigid_share.empty() ? rigid_share[c] : 1.);
  factor_K = h * h + h * body.material_parameters().rayleigh_stiffness;
  // Ranks go on together: what comes next is for all of them.
  factorize_on_all(body.communicator,
                   "The effective matrix of body '" + body.name() + "'",
                   budget->available(),
                   [&]() { factorize_classes(); });
  set_rigid_share(rigid_share, u);
}

template <int dim>
void EffectiveInverse<dim>::factorize_classes()
{
  ++version;
  diagonal_only = false;
  notes.clear();
  if (!changing)
  {
    for (auto &factor : factors)
      factor.reset();
    give_back();
  }
  const auto make = [&](const unsigned int c,
                        const unsigned int begin_node,
                        const unsigned int end_node)
  {
    Assembled &source = assembled[c];
    if (source.A.n == 0)
      find_sources(begin_node, end_node, source);
    fill_values(factor_M[c], source);
    auto &diagonal = diagonals[c];
    diagonal.resize(source.A.n);
    for (unsigned int i = 0; i < source.A.n; ++i)
      diagonal[i] = source.A.value[source.diagonal[i]];
    if (!factors[c] || !factors[c]->refactorize(source.A))
    {
      if (factors[c])
      {
        const double bytes = factors[c]->memory_consumption();
        budget->give_back(bytes);
        bytes_taken -= bytes;
        factors[c].reset();
      }
      factors[c] = make_factor(source.A, begin_node, end_node);
    }
    if (!changing)
      source = Assembled();
  };
  if (body.split)
  {
    // One matrix for all pieces, shared by all ranks.
    make(0, body.first_owned_node, body.end_owned_node);
    return;
  }
  for (unsigned int c = 0; c < classes.n_classes(); ++c)
    if (!owned_pieces[c].empty())
    {
      const auto &piece = body.pieces[owned_pieces[c].front()];
      make(c, piece.first_node, piece.first_node + piece.n_nodes);
    }
}

template <int dim>
void EffectiveInverse<dim>::reinit_lumped(const double h,
                                          const double theta,
                                          const bool two_terms)
{
  ++version;
  diagonal_only = !two_terms;
  notes.clear();
  factor_M.assign(classes.n_classes(), 1.);
  factor_K = h * h * theta * theta;
  if (lumped.empty())
  {
    const auto &M = body.mass.trilinos_matrix();
    lumped.assign(body.owned_dofs.n_elements(), 0.);
    for (std::size_t i = 0; i < lumped.size(); ++i)
    {
      int n = 0, *indices = nullptr;
      double *values = nullptr;
      M.ExtractMyRowView(int(i), n, values, indices);
      double sum = 0.;
      for (int k = 0; k < n; ++k)
        sum += values[k];
      lumped[i] = sum > 0. ? 1. / sum : 0.;
    }
  }
  const auto make = [&](const unsigned int c,
                        const unsigned int begin_node,
                        const unsigned int end_node)
  {
    const unsigned int first = dim * (begin_node - body.first_owned_node);
    std::vector<double> inverse(lumped.begin() + first,
                                lumped.begin() + first +
                                    dim * (end_node - begin_node));
    diagonals[c].resize(inverse.size());
    for (std::size_t i = 0; i < inverse.size(); ++i)
      diagonals[c][i] = inverse[i] > 0. ? 1. / inverse[i] : 1.;
    if (two_terms)
    {
      Assembled &source = assembled[c];
      if (source.A.n == 0)
        find_sources(begin_node, end_node, source);
      fill_values(0., source);
      factors[c] = make_two_term_inverse(std::move(inverse), source.A);
    }
    else
      factors[c] = make_diagonal_inverse(std::move(inverse));
  };
  if (body.split)
    throw ComputationError(
        "Body '" + body.name() +
        "' is cut over ranks: 'Newton/Matrix' must be one that is factorized.");
  for (unsigned int c = 0; c < classes.n_classes(); ++c)
    if (!owned_pieces[c].empty())
    {
      const auto &piece = body.pieces[owned_pieces[c].front()];
      make(c, piece.first_node, piece.first_node + piece.n_nodes);
    }
}

template <int dim>
void EffectiveInverse<dim>::apply_shared(Vector &x)
{
  const unsigned int n = body.owned_dofs.n_elements();
  double *values       = n > 0 ? &*x.begin() : nullptr;
  const auto clear     = [&]()
  {
    for (unsigned int i = 0; i < n; ++i)
      if (is_condensed(dim * body.first_owned_node + i))
        values[i] = 0.;
  };
  clear();
  factors[0]->solve(values, 1);
  clear();
  body.distribute(x);
}

template <int dim>
void EffectiveInverse<dim>::apply(Vector &x)
{
  if (!with_rigid_part)
  {
    apply_factors(x);
    return;
  }
  rigid_input = x;
  apply_factors(x);
  add_rigid_part(&RigidPart::Phi, &RigidPart::of_compliance, rigid_input, x);
  body.distribute(x);
}

template <int dim>
void EffectiveInverse<dim>::apply_factors(Vector &x)
{
  if (body.split)
  {
    apply_shared(x);
    return;
  }
  if (body.has_hanging_nodes())
  {
    for (unsigned int node = body.first_owned_node; node < body.end_owned_node;
         ++node)
      if (body.is_hanging(node))
        std::fill_n(
            &*x.begin() + dim * (node - body.first_owned_node), dim, 0.);
    apply_by_pieces(x);
    body.distribute(x);
    return;
  }
  apply_by_pieces(x);
}

template <int dim>
void EffectiveInverse<dim>::apply_by_pieces(Vector &x)
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
  if (with_rigid_part)
    add_rigid_part(&RigidPart::M_Phi, &RigidPart::of_mass, x, y);
}

template <int dim>
void EffectiveInverse<dim>::effective_vmult(Vector &y, const Vector &x) const
{
  mass_vmult(y, x);
  stiffness.vmult(work, x);
  y.add(factor_K, work);
}

template <int dim>
void EffectiveInverse<dim>::for_each_entry(
    const std::function<void(unsigned int, unsigned int, double)> &add) const
{
  // Congruent pieces: the matrix of the one whose factor they share.
  const auto add_matrix =
      [&](const SymmetricMatrix &A, const unsigned int origin)
  {
    for (unsigned int j = 0; j < A.n; ++j)
    {
      const unsigned int column = origin + A.first + j;
      if (!is_condensed(column))
        for (int k = A.column_start[j]; k < A.column_start[j + 1]; ++k)
          add(origin + A.row[k], column, A.value[k]);
    }
  };
  // Where the tangent changes, what was factorized is still there.
  const bool is_kept = changing && lumped.empty();
  SymmetricMatrix made;
  const auto matrix =
      [&](const unsigned int c,
          const unsigned int begin_node,
          const unsigned int end_node) -> const SymmetricMatrix &
  {
    if (is_kept && assembled[c].A.n > 0)
      return assembled[c].A;
    return made = effective_matrix(begin_node, end_node);
  };
  if (body.split)
  {
    // A rank may have nothing of it.
    if (body.first_owned_node < body.end_owned_node)
      add_matrix(matrix(0, body.first_owned_node, body.end_owned_node), 0);
    return;
  }
  for (unsigned int c = 0; c < owned_pieces.size(); ++c)
  {
    const auto &pieces = owned_pieces[c];
    if (pieces.empty())
      continue;
    const auto &first = body.pieces[pieces.front()];
    const SymmetricMatrix &A =
        matrix(c, first.first_node, first.first_node + first.n_nodes);
    for (const unsigned int p : pieces)
      add_matrix(A, dim * body.pieces[p].first_node);
  }
}

template <int dim>
std::vector<double>
EffectiveInverse<dim>::compliance(const unsigned int class_index,
                                  const std::vector<unsigned int> &piece_nodes)
{
  const std::size_t n = dim * piece_nodes.size();
  std::vector<double> C(n * n);
  entries(class_index, piece_nodes, piece_nodes, C.data());
  // w is symmetric; rounding is not.
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j)
      C[i * n + j] = C[j * n + i] = 0.5 * (C[i * n + j] + C[j * n + i]);
  return C;
}

template <int dim>
void EffectiveInverse<dim>::entries(
    const unsigned int class_index,
    const std::vector<unsigned int> &row_nodes,
    const std::vector<unsigned int> &column_nodes,
    double *E)
{
  auto &factor = *factors[body.split ? 0 : class_index];
  const unsigned int first =
      body.split
          ? 0
          : dim * body.pieces[owned_pieces[class_index].front()].first_node;
  const auto dofs_of = [](const std::vector<unsigned int> &nodes)
  {
    std::vector<unsigned int> dofs;
    dofs.reserve(dim * nodes.size());
    for (const unsigned int node : nodes)
      for (unsigned int c = 0; c < dim; ++c)
        dofs.push_back(dim * node + c);
    return dofs;
  };
  const auto rows = dofs_of(row_nodes), columns = dofs_of(column_nodes);
  factor.inverse_entries(rows, columns, E);
  for (std::size_t j = 0; j < columns.size(); ++j)
  {
    const bool zero = is_condensed(first + columns[j]);
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (zero || is_condensed(first + rows[i]))
        E[i + j * rows.size()] = 0.;
  }
  if (with_rigid_part)
    add_rigid_entries(class_index, rows, columns, E);
}

template <int dim>
unsigned int
EffectiveInverse<dim>::n_carriers(const unsigned int class_index) const
{
  return body.pieces[classes.representative[class_index]].n_nodes;
}

template <int dim>
double EffectiveInverse<dim>::effective_diagonal(
    const unsigned int class_index,
    const std::vector<unsigned int> &piece_nodes) const
{
  double sum[2] = { 0., 0. };
  const unsigned int first =
      body.split
          ? 0
          : dim * body.pieces[owned_pieces[class_index].front()].first_node;
  // Condensed dofs have a 1 there that means nothing.
  for (const unsigned int n : piece_nodes)
    if (!body.split || body.owns_node(n))
      for (unsigned int c = 0; c < dim; ++c)
      {
        if (is_condensed(first + dim * n + c))
          continue;
        sum[0] += body.split
                      ? diagonals[0][dim * (n - body.first_owned_node) + c]
                      : diagonals[class_index][dim * n + c];
        sum[1] += 1.;
      }
  if (body.split)
    MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_DOUBLE, MPI_SUM, body.communicator);
  return sum[1] > 0. ? sum[0] / sum[1] : 0.;
}

template <int dim>
FactorWork EffectiveInverse<dim>::factor_work() const
{
  FactorWork sum;
  for (const auto &factor : factors)
    if (factor)
    {
      sum.operations += factor->work();
      sum.values += factor->n_values();
    }
  return sum;
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

#include <delassus/linear_solvers/multigrid/multigrid_cg.h>

#include <deal.II/base/index_set.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/trilinos_precondition.h>
#include <deal.II/lac/trilinos_sparse_matrix.h>
#include <deal.II/lac/trilinos_vector.h>

#include <Epetra_MultiVector.h>
#include <Teuchos_ParameterList.hpp>
#include <fmt/format.h>
#include <ml_MultiLevelPreconditioner.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
namespace
{
using namespace dealii;

class MultigridCG : public SymmetricFactor
{
public:
  using Vector = TrilinosWrappers::MPI::Vector;

  MultigridCG(const SymmetricMatrix &A,
              const MultigridOptions &options,
              MPI_Comm communicator)
      : size(A.n)
      , options(options)
      , communicator(communicator)
  {
    const auto n_global = Utilities::MPI::sum(A.n, communicator);
    unsigned int end    = 0;
    MPI_Scan(&A.n, &end, 1, MPI_UNSIGNED, MPI_SUM, communicator);
    first = end - size;
    owned.set_size(n_global);
    owned.add_range(first, first + size);
    owned.compress();

    DynamicSparsityPattern pattern(n_global, n_global, owned);
    std::vector<types::global_dof_index> columns;
    for (unsigned int j = 0; j < size; ++j)
    {
      columns.assign(A.row.begin() + A.column_start[j],
                     A.row.begin() + A.column_start[j + 1]);
      pattern.add_entries(first + j, columns.begin(), columns.end(), true);
    }
    matrix.reinit(owned, owned, pattern, communicator);
    double smallest = 1.;
    for (unsigned int j = 0; j < size; ++j)
    {
      const int begin = A.column_start[j], end = A.column_start[j + 1];
      columns.assign(A.row.begin() + begin, A.row.begin() + end);
      matrix.set(
          first + j, columns.size(), columns.data(), A.value.data() + begin);
      for (int k = begin; k < end; ++k)
        if (A.row[k] == int(first + j))
          smallest = std::min(smallest, A.value[k]);
    }
    matrix.compress(VectorOperation::insert);
    if (Utilities::MPI::min(smallest, communicator) <= 0.)
      throw_not_positive_definite("a diagonal entry is not positive");
    for (Vector *vector : { &x, &r, &z, &p, &Ap })
      vector->reinit(owned, communicator);
    build_hierarchy();
  }

  unsigned int n() const override
  {
    return size;
  }

  void solve(double *X, const unsigned int n_columns) override
  {
    for (unsigned int k = 0; k < n_columns; ++k)
      solve_column(X + std::size_t(k) * size);
  }

  void inverse_entries(const std::vector<unsigned int> &rows,
                       const std::vector<unsigned int> &columns,
                       double *E) override
  {
    column.resize(size);
    for (std::size_t j = 0; j < columns.size(); ++j)
    {
      std::fill(column.begin(), column.end(), 0.);
      if (columns[j] >= first && columns[j] < first + size)
        column[columns[j] - first] = 1.;
      solve_column(column.data());
      double *values = E + j * rows.size();
      for (std::size_t i = 0; i < rows.size(); ++i)
        values[i] = rows[i] >= first && rows[i] < first + size
                        ? column[rows[i] - first]
                        : 0.;
      if (matrix.get_mpi_communicator() != MPI_COMM_SELF)
        MPI_Allreduce(MPI_IN_PLACE,
                      values,
                      rows.size(),
                      MPI_DOUBLE,
                      MPI_SUM,
                      communicator);
    }
  }

  std::size_t memory_consumption() const override
  {
    // ML does not say; a smoothed hierarchy of elasticity takes about as much
    // again as its matrix, the smoothers' data included.
    return 2 * std::size_t(matrix.memory_consumption()) +
           (5 * std::size_t(size) + column.size()) * sizeof(double);
  }

  const char *name() const override
  {
    return "AMG-CG";
  }

private:
  void build_hierarchy()
  {
    TrilinosWrappers::PreconditionAMG::AdditionalData data;
    data.elliptic              = true;
    data.higher_order_elements = options.higher_order;
    data.smoother_sweeps       = 2;
    data.aggregation_threshold = options.higher_order ? 0.02 : 1e-4;
    Teuchos::ParameterList list;
    data.constant_modes.resize(options.n_components,
                               std::vector<bool>(size, false));
    for (unsigned int c = 0; c < options.n_components; ++c)
      for (unsigned int i = c; i < size; i += options.n_components)
        data.constant_modes[c][i] = true;
    data.set_parameters(list, constant_modes, matrix);
    const unsigned int n_modes = size > 0 ? options.modes.size() / size : 0;
    const unsigned int most    = Utilities::MPI::max(n_modes, communicator);
    if (most > 0)
    {
      // deal.II 9.4 knows constants only.
      const auto &map = matrix.trilinos_matrix().DomainMap();
      rigid_modes     = std::make_unique<Epetra_MultiVector>(map, most);
      for (unsigned int m = 0; m < most; ++m)
        for (unsigned int i = 0; i < size; ++i)
          (*rigid_modes)[m][i] = options.modes[std::size_t(m) * size + i];
      list.set("null space: type", "pre-computed");
      list.set("null space: dimension", static_cast<int>(most));
      list.set("null space: vectors", rigid_modes->Values());
      list.set("PDE equations", static_cast<int>(options.n_components));
    }
    preconditioner.initialize(matrix, list);
  }

  void solve_column(double *values)
  {
    if (size > 0)
      std::copy_n(values, size, &*r.begin());
    x              = 0.;
    const double b = r.l2_norm();
    if (!std::isfinite(b))
      throw ComputationError("AMG-CG: the right-hand side is not finite.");
    double rz = 0.;
    bool done = b == 0.;
    for (unsigned int i = 0; i < options.max_iterations && !done; ++i)
    {
      preconditioner.vmult(z, r);
      const double rz_new = r * z;
      if (!(rz_new > 0.))
        throw_not_positive_definite("found by the multigrid cycle");
      if (i == 0)
        p = z;
      else
        p.sadd(rz_new / rz, z);
      rz = rz_new;
      matrix.vmult(Ap, p);
      const double curvature = p * Ap;
      if (!(curvature > 0.))
        throw_not_positive_definite("found by conjugate gradients");
      x.add(rz / curvature, p);
      r.add(-rz / curvature, Ap);
      done = r.l2_norm() <= options.tolerance * b;
    }
    if (!done)
      throw ComputationError(fmt::format(
          "AMG-CG did not reach the relative residual {:g} in {} iterations "
          "({:.3g}). Raise the tolerance (section 'Linear solver', entry "
          "'Tolerance') or choose a direct solver.",
          options.tolerance,
          options.max_iterations,
          r.l2_norm() / b));
    if (size > 0)
      std::copy_n(&*x.begin(), size, values);
  }

  const unsigned int size;
  const MultigridOptions options;
  MPI_Comm communicator;
  unsigned int first = 0;
  IndexSet owned;
  TrilinosWrappers::SparseMatrix matrix;
  std::unique_ptr<Epetra_MultiVector> constant_modes, rigid_modes;
  TrilinosWrappers::PreconditionAMG preconditioner;
  Vector x, r, z, p, Ap;
  std::vector<double> column;
};
} // namespace

std::unique_ptr<SymmetricFactor>
make_multigrid_cg(const SymmetricMatrix &A,
                  const MultigridOptions &options,
                  MPI_Comm communicator)
{
  return std::make_unique<MultigridCG>(A, options, communicator);
}
} // namespace delassus

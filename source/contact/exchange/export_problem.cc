#include <delassus/base/exceptions.h>
#include <delassus/contact/exchange/compressed_columns.h>
#include <delassus/contact/exchange/export_problem.h>
#include <delassus/contact/global_solvers/standard_problem.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace delassus
{
namespace
{
/// The contacts that take part, in their order.
template <int dim>
std::vector<std::size_t>
active_contacts(const std::vector<ChangeOfVariables<dim>> &laws)
{
  std::vector<std::size_t> active;
  for (std::size_t a = 0; a < laws.size(); ++a)
    if (laws[a].active)
      active.push_back(a);
  return active;
}

template <int dim>
LocalVector<dim> local_values(const std::vector<double> &values,
                              const std::size_t a)
{
  LocalVector<dim> result;
  std::copy_n(values.begin() + dim * a, dim, result.begin());
  return result;
}

/// Why not; empty: all contacts obey Coulomb's law and laws that can be made
/// standard.
template <int dim>
std::string obstacle_of(const ExportedContacts<dim> &contacts,
                        const bool shifts_only)
{
  for (std::size_t a = 0; a < contacts.laws.size(); ++a)
  {
    const ChangeOfVariables<dim> &law = contacts.laws[a];
    if (!law.active)
      continue;
    if (law.is_tied())
      return "what is tied has no place in the exchanged form";
    // Without any shear limit there is no friction either.
    if (law.is_tresca() && law.threshold > 0.)
      return "Tresca's friction has no place in the exchanged form";
    if (law.is_shift())
      continue;
    if (shifts_only)
      return "a law that does more than shift the velocity has no place in "
             "the global form";
  }
  return "";
}

constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

/// mu, u and r of the active contacts.
template <int dim>
void add_solution(const ExportedContacts<dim> &contacts,
                  const std::vector<std::size_t> &active,
                  ExchangeProblem &problem,
                  ExchangeSolution &solution)
{
  problem.dim = dim;
  problem.mu.clear();
  solution = ExchangeSolution();
  for (const std::size_t a : active)
  {
    const ChangeOfVariables<dim> &law = contacts.laws[a];
    problem.mu.push_back(law.is_tresca() ? 0. : law.friction);
    LocalVector<dim> u, r;
    law.to_standard(local_values<dim>(contacts.U, a),
                    local_values<dim>(contacts.P, a),
                    u,
                    r);
    solution.u.insert(solution.u.end(), u.begin(), u.end());
    solution.r.insert(solution.r.end(), r.begin(), r.end());
  }
}

/// W as block rows, each with its diagonal block.
template <int dim>
BlockSparseDelassus<dim> block_sparse(const CompressedColumns &W)
{
  const std::size_t n = W.n_columns / dim;
  std::vector<std::map<unsigned int, LocalMatrix<dim>>> rows(n);
  for (std::size_t b = 0; b < n; ++b)
  {
    rows[b][b]; // zero, if it has none
    for (int d = 0; d < dim; ++d)
      for (std::size_t k = W.start[dim * b + d]; k < W.start[dim * b + d + 1];
           ++k)
      {
        const std::size_t a = W.row[k] / dim;
        auto &block = rows[a].emplace(b, LocalMatrix<dim>{}).first->second;
        block[W.row[k] % dim * dim + d] = W.value[k];
      }
  }
  std::vector<std::size_t> start(1, 0);
  std::vector<unsigned int> column;
  std::vector<double> blocks;
  for (const auto &row : rows)
  {
    for (const auto &[b, block] : row)
    {
      column.push_back(b);
      blocks.insert(blocks.end(), block.begin(), block.end());
    }
    start.push_back(column.size());
  }
  return BlockSparseDelassus<dim>(start, column, blocks);
}
} // namespace


template <int dim>
std::string export_local(const CompressedColumns &W,
                         const ExportedContacts<dim> &contacts,
                         ExchangeProblem &problem,
                         ExchangeSolution &solution)
{
  problem               = ExchangeProblem();
  problem.global        = false;
  const std::string why = obstacle_of(contacts, false);
  if (!why.empty())
    return why;

  const BlockSparseDelassus<dim> blocks = block_sparse<dim>(W);
  ContactProblem<dim> original;
  original.W      = &blocks;
  original.U_free = contacts.U_free;
  original.laws   = contacts.laws;
  StandardProblem<dim> standard;
  const bool is_affine = StandardProblem<dim>::needed(original);
  try
  {
    if (is_affine && !standard.reinit(original, StandardUse::rows))
      return standard.diagnosis();
  }
  catch (const ComputationError &e)
  {
    return e.what();
  }
  const ContactProblem<dim> &changed =
      is_affine ? standard.problem() : original;
  const BlockSparseDelassus<dim> &calW = is_affine ? standard.rows() : blocks;

  const auto active = active_contacts(changed.laws);
  add_solution(contacts, active, problem, solution);
  std::vector<std::size_t> number(contacts.laws.size(), nowhere);
  for (std::size_t i = 0; i < active.size(); ++i)
    number[active[i]] = i;
  std::vector<Triplet> entries;
  for (const std::size_t a : active)
  {
    for (std::size_t k = calW.row_start_data()[a];
         k < calW.row_start_data()[a + 1];
         ++k)
    {
      const std::size_t b = calW.column_data()[k];
      const double *block = calW.block_data() + dim * dim * k;
      for (int c = 0; c < dim && number[b] != nowhere; ++c)
        for (int d = 0; d < dim; ++d)
          if (block[c * dim + d] != 0.)
            entries.push_back({ dim * number[a] + c,
                                dim * number[b] + d,
                                block[c * dim + d] });
    }
    for (int c = 0; c < dim; ++c)
      problem.q.push_back(changed.U_free[dim * a + c] +
                          changed.laws[a].shift[c]);
  }
  problem.W =
      compress_columns(dim * active.size(), dim * active.size(), entries);
  return "";
}


template <int dim>
std::string export_global(const GlobalForm &form,
                          const std::vector<double> &v_free,
                          const std::vector<double> &v,
                          const ExportedContacts<dim> &contacts,
                          ExchangeProblem &problem,
                          ExchangeSolution &solution)
{
  problem               = ExchangeProblem();
  problem.global        = true;
  const std::string why = obstacle_of(contacts, true);
  if (!why.empty())
    return why;
  const auto active = active_contacts(contacts.laws);
  add_solution(contacts, active, problem, solution);
  solution.v = v;

  problem.M = form.A;
  problem.f.assign(form.A.n_rows, 0.);
  add_product(form.A, v_free.data(), problem.f.data());
  problem.H.n_rows    = form.H.n_rows;
  problem.H.n_columns = dim * active.size();
  problem.H.start.assign(1, 0);
  for (const std::size_t a : active)
    for (int c = 0; c < dim; ++c)
    {
      const std::size_t j = dim * a + c;
      double velocity     = 0.;
      for (std::size_t k = form.H.start[j]; k < form.H.start[j + 1]; ++k)
      {
        problem.H.row.push_back(form.H.row[k]);
        problem.H.value.push_back(form.H.value[k]);
        velocity += form.H.value[k] * v_free[form.H.row[k]];
      }
      problem.H.start.push_back(problem.H.row.size());
      problem.w.push_back(contacts.U_free[j] + contacts.laws[a].shift[c] -
                          velocity);
    }
  return "";
}

#define INSTANTIATE(dim)                                                       \
  template std::string export_local<dim>(const CompressedColumns &,            \
                                         const ExportedContacts<dim> &,        \
                                         ExchangeProblem &,                    \
                                         ExchangeSolution &);                  \
  template std::string export_global<dim>(const GlobalForm &,                  \
                                          const std::vector<double> &,         \
                                          const std::vector<double> &,         \
                                          const ExportedContacts<dim> &,       \
                                          ExchangeProblem &,                   \
                                          ExchangeSolution &)
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus

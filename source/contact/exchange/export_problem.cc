#include <delassus/base/exceptions.h>
#include <delassus/contact/exchange/compressed_columns.h>
#include <delassus/contact/exchange/export_problem.h>

#include <fmt/format.h>

#include <algorithm>

namespace delassus
{
namespace
{
/// The contacts that take part, in their order.
template <int dim>
std::vector<std::size_t> active_contacts(const ExportedContacts<dim> &contacts)
{
  std::vector<std::size_t> active;
  for (std::size_t a = 0; a < contacts.laws.size(); ++a)
    if (contacts.laws[a].active)
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
    // Without any shear limit there is no friction either.
    if (law.is_tresca() && law.threshold > 0.)
      return "Tresca's friction has no place in the exchanged form";
    if (law.is_shift())
      continue;
    if (shifts_only)
      return "a law that does more than shift the velocity has no place in "
             "the global form";
    for (const double value : law.affine->J_RU)
      if (value != 0.)
        return "a law in which the impulse depends on the standard velocity "
               "couples all contacts when it is made standard";
  }
  return "";
}

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

/// The blocks of W that one pair of contacts has, from its entries.
template <int dim>
struct BlockColumn
{
  std::vector<std::size_t> rows; ///< contacts, in the order they were met
  std::vector<LocalMatrix<dim>> blocks;
};

constexpr std::size_t nowhere = static_cast<std::size_t>(-1);
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
  const auto active = active_contacts(contacts);
  add_solution(contacts, active, problem, solution);

  const std::size_t n = contacts.laws.size();
  std::vector<std::size_t> number(n, nowhere);
  for (std::size_t i = 0; i < active.size(); ++i)
    number[active[i]] = i;
  // J_UU^{-1} of the laws that are not shifts.
  std::vector<LocalMatrix<dim>> C(n, identity_matrix<dim>());
  for (const std::size_t a : active)
    if (!contacts.laws[a].is_shift() &&
        !invert_small<dim>(contacts.laws[a].affine->J_UU, C[a]))
      return "a law cannot be solved for its standard velocity";

  // q before it is multiplied by C: U_free + W P0 - U0.
  std::vector<double> q = contacts.U_free;
  std::vector<Triplet> entries;
  entries.reserve(W.row.size());
  std::vector<std::size_t> position(n, nowhere);
  for (const std::size_t b : active)
  {
    const ChangeOfVariables<dim> &law = contacts.laws[b];
    // Block column b of W.
    BlockColumn<dim> column;
    const auto block = [&](const std::size_t a) -> LocalMatrix<dim> &
    {
      if (position[a] == nowhere)
      {
        position[a] = column.rows.size();
        column.rows.push_back(a);
        column.blocks.push_back({});
      }
      return column.blocks[position[a]];
    };
    block(b);
    for (int d = 0; d < dim; ++d)
      for (std::size_t k = W.start[dim * b + d]; k < W.start[dim * b + d + 1];
           ++k)
        block(W.row[k] / dim)[W.row[k] % dim * dim + d] = W.value[k];
    for (std::size_t i = 0; i < column.rows.size(); ++i)
    {
      const std::size_t a = column.rows[i];
      position[a]         = nowhere;
      if (number[a] == nowhere)
        continue;
      LocalMatrix<dim> calW = column.blocks[i];
      if (!law.is_shift())
      {
        const LocalVector<dim> constant = multiply<dim>(calW, law.affine->P0);
        for (int c = 0; c < dim; ++c)
          q[dim * a + c] += constant[c];
        calW = matrix_product<dim>(calW, law.affine->J_RR);
        if (a == b)
          calW = subtract(calW, law.affine->J_UR);
      }
      if (!contacts.laws[a].is_shift())
        calW = matrix_product<dim>(C[a], calW);
      for (int c = 0; c < dim; ++c)
        for (int d = 0; d < dim; ++d)
          if (calW[c * dim + d] != 0.)
            entries.push_back({ dim * number[a] + c,
                                dim * number[b] + d,
                                calW[c * dim + d] });
    }
  }
  problem.W =
      compress_columns(dim * active.size(), dim * active.size(), entries);
  for (const std::size_t a : active)
  {
    const ChangeOfVariables<dim> &law = contacts.laws[a];
    LocalVector<dim> q_here           = local_values<dim>(q, a);
    q_here                            = law.is_shift()
                                            ? add(q_here, law.shift)
                                            : multiply<dim>(C[a], subtract(q_here, law.affine->U0));
    problem.q.insert(problem.q.end(), q_here.begin(), q_here.end());
  }
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
  const auto active = active_contacts(contacts);
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

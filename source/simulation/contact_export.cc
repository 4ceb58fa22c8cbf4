// The contact problem of a step as programs exchange it.
#include <delassus/contact/exchange/compressed_columns.h>
#include <delassus/simulation/contact_phase.h>
#include <delassus/simulation/law_packing.h>

#include <limits>

namespace delassus
{
using namespace dealii;

namespace
{
/// Entries of a matrix from all ranks on rank 0; elsewhere an empty one.
CompressedColumns gather_entries(const std::vector<Triplet> &entries,
                                 const std::size_t n_rows,
                                 const std::size_t n_columns,
                                 MPI_Comm communicator)
{
  std::vector<std::size_t> indices;
  std::vector<double> values;
  for (const Triplet &entry : entries)
  {
    indices.push_back(entry.row);
    indices.push_back(entry.column);
    values.push_back(entry.value);
  }
  const auto all_indices = Utilities::MPI::gather(communicator, indices);
  const auto all_values  = Utilities::MPI::gather(communicator, values);
  if (Utilities::MPI::this_mpi_process(communicator) != 0)
    return {};
  std::vector<Triplet> all;
  for (std::size_t r = 0; r < all_values.size(); ++r)
    for (std::size_t k = 0; k < all_values[r].size(); ++k)
      all.push_back({ all_indices[r][2 * k],
                      all_indices[r][2 * k + 1],
                      all_values[r][k] });
  return compress_columns(n_rows, n_columns, all);
}

/// The first of this rank's contacts, all ranks' counted one after another.
std::size_t first_number(const std::size_t n_own, MPI_Comm communicator)
{
  std::size_t first = 0;
  const auto counts = Utilities::MPI::all_gather(communicator, n_own);
  for (unsigned int r = 0; r < Utilities::MPI::this_mpi_process(communicator);
       ++r)
    first += counts[r];
  return first;
}
} // namespace

template <int dim>
ExportedContacts<dim> ContactPhase<dim>::gather_contacts() const
{
  std::vector<double> packed;
  packed.reserve(n_packed_values<dim> * contacts.size());
  for (std::size_t a = 0; a < contacts.size(); ++a)
  {
    auto law   = problem.laws[a];
    law.active = law.active && !working.rests(a);
    pack_law(law, packed);
    for (const auto *values : { &problem.U_free, &P, &U })
      packed.insert(packed.end(),
                    values->begin() + dim * a,
                    values->begin() + dim * (a + 1));
  }
  const auto all = Utilities::MPI::gather(model.communicator, packed);
  ExportedContacts<dim> result;
  for (const auto &part : all)
  {
    const double *values = part.data(), *end = part.data() + part.size();
    while (values != end)
    {
      result.laws.push_back(unpack_law<dim>(values));
      for (auto *vector : { &result.U_free, &result.P, &result.U })
      {
        vector->insert(vector->end(), values, values + dim);
        values += dim;
      }
    }
  }
  return result;
}

template <int dim>
CompressedColumns ContactDelassus<dim>::gather(const std::size_t n_contacts)
{
  // Numbers of own contacts and, by way of the impulses, of the ghosts.
  const std::size_t first = first_number(contacts.size(), model.communicator);
  std::vector<std::size_t> number;
  std::vector<double> as_impulses;
  for (std::size_t a = 0; a < contacts.size(); ++a)
  {
    number.push_back(first + a);
    as_impulses.insert(as_impulses.end(), dim, double(first + a));
  }
  if (ranks.n_ranks > 1)
  {
    ranks.messages.tell_ghosts(as_impulses, ranks.ghost_P);
    for (std::size_t g = 0; g < data.n_ghosts; ++g)
      number.push_back(std::size_t(ranks.ghost_P[dim * g]));
  }
  std::vector<Triplet> entries;
  if (!contacts.empty())
  {
    BlockSparseDelassus<dim> assembled;
    const auto *sparse =
        dynamic_cast<const BlockSparseDelassus<dim> *>(W.get());
    if (sparse == nullptr)
    {
      assemble_block_sparse(data, assembled);
      sparse = &assembled;
    }
    const auto *start   = sparse->row_start_data();
    const auto *columns = sparse->column_data();
    const double *block = sparse->block_data();
    for (std::size_t a = 0; a < contacts.size(); ++a)
      for (std::size_t k = start[a]; k < start[a + 1]; ++k)
        for (unsigned int c = 0; c < dim; ++c)
          for (unsigned int d = 0; d < dim; ++d)
            entries.push_back({ dim * number[a] + c,
                                dim * number[columns[k]] + d,
                                block[k * dim * dim + c * dim + d] });
  }
  return gather_entries(
      entries, dim * n_contacts, dim * n_contacts, model.communicator);
}

template <int dim>
std::vector<std::size_t> ContactDelassus<dim>::first_unknowns() const
{
  std::vector<std::size_t> first = { 0 };
  for (const auto *system : model.systems)
    first.push_back(first.back() + system->n_unknowns());
  return first;
}

template <int dim>
void ContactDelassus<dim>::gather_global_form(const std::size_t n_contacts,
                                              GlobalForm &form)
{
  const auto first_unknown     = first_unknowns();
  const std::size_t n          = first_unknown.back();
  const unsigned int n_systems = model.systems.size();
  form.version                 = ++global.n_made;
  const auto give_A            = [&](const auto &add)
  {
    for (unsigned int b = 0; b < n_systems; ++b)
      model.systems[b]->for_each_entry(
          [&](const std::size_t row, const std::size_t column, const double x)
          { add(first_unknown[b] + row, first_unknown[b] + column, x); });
  };
  std::vector<Triplet> H;
  const std::size_t first = first_number(contacts.size(), model.communicator);
  for (std::size_t a = 0; a < contacts.size(); ++a)
  {
    const auto &contact = contacts[a];
    for (unsigned int i = 0; i < contact.n_entries; ++i)
    {
      const auto &node = model.surfaces->nodes[contact.nodes[i]];
      for (unsigned int c = 0; c < dim; ++c)
        model.systems[node.system]->for_each_unknown(
            node.carrier,
            c,
            [&](const std::size_t unknown, const double weight)
            {
              for (unsigned int r = 0; r < dim; ++r)
                H.push_back({ first_unknown[node.system] + unknown,
                              dim * (first + a) + r,
                              weight * contact.weights[i] *
                                  contact.frame[dim * r + c] });
            });
    }
  }
  if (ranks.n_ranks == 1)
  {
    form.A = global.A.make(n, n, give_A);
    form.H = compress_columns(n, dim * n_contacts, H);
    return;
  }
  std::vector<Triplet> A;
  give_A(
      [&](const std::size_t row, const std::size_t column, const double x) {
        A.push_back({ row, column, x });
      });
  form.A = gather_entries(A, n, n, model.communicator);
  form.H = gather_entries(H, n, dim * n_contacts, model.communicator);
}

template <int dim>
void ContactPhase<dim>::gather_velocities(std::vector<double> &free_velocity,
                                          std::vector<double> &velocity)
{
  const auto first_unknown = delassus.first_unknowns();
  const std::size_t n      = first_unknown.back();
  // v = v_free + w H P: what the step computes from this solution.
  apply_impulses();
  std::vector<Triplet> states; // columns 0: v_free, 1: v
  const unsigned int n_systems = model.systems.size();
  for (unsigned int b = 0; b < n_systems; ++b)
  {
    model.systems[b]->correct();
    model.systems[b]->for_each_velocity(
        [&](const std::size_t unknown, const double v_free, const double v_new)
        {
          states.push_back({ first_unknown[b] + unknown, 0, v_free });
          states.push_back({ first_unknown[b] + unknown, 1, v_new });
        });
  }
  const auto both = gather_entries(states, n, 2, model.communicator);
  if (ranks.rank != 0)
    return;
  free_velocity.assign(n, 0.);
  velocity.assign(n, 0.);
  for (unsigned int j = 0; j < 2; ++j)
    for (std::size_t k = both.start[j]; k < both.start[j + 1]; ++k)
      (j == 0 ? free_velocity : velocity)[both.row[k]] = both.value[k];
}

template <int dim>
std::string ContactPhase<dim>::exchanged(const bool global,
                                         ExchangeProblem &exchanged_problem,
                                         ExchangeSolution &solution)
{
  exchanged_problem = ExchangeProblem();
  if (n_contacts == 0)
    return "";
  if (delassus.applied_only && !global && !delassus.make_rows())
    return "W is applied only; 'Dump form = global' needs no W";
  const ExportedContacts<dim> all = gather_contacts();
  std::string why;
  if (global)
  {
    std::vector<double> free_velocity, velocity;
    GlobalForm form;
    delassus.gather_global_form(n_contacts, form);
    gather_velocities(free_velocity, velocity);
    if (ranks.rank == 0)
      why = export_global<dim>(
          form, free_velocity, velocity, all, exchanged_problem, solution);
  }
  else
  {
    const CompressedColumns matrix = delassus.gather(n_contacts);
    if (ranks.rank == 0)
      why = export_local<dim>(matrix, all, exchanged_problem, solution);
  }
  return ranks.first(why);
}

#define INSTANTIATE(dim)                                                       \
  template CompressedColumns ContactDelassus<dim>::gather(const std::size_t);  \
  template std::vector<std::size_t> ContactDelassus<dim>::first_unknowns()     \
      const;                                                                   \
  template void ContactDelassus<dim>::gather_global_form(const std::size_t,    \
                                                         GlobalForm &);        \
  template ExportedContacts<dim> ContactPhase<dim>::gather_contacts() const;   \
  template void ContactPhase<dim>::gather_velocities(std::vector<double> &,    \
                                                     std::vector<double> &);   \
  template std::string ContactPhase<dim>::exchanged(                           \
      const bool, ExchangeProblem &, ExchangeSolution &)
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus

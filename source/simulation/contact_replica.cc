#include <delassus/simulation/contact_replica.h>
#include <delassus/base/exceptions.h>
#include <delassus/contact/exchange/compressed_columns.h>
#include <delassus/contact/kinematics/contact_packing.h>
#include <delassus/linear_solvers/symmetric_factor.h>
#include <delassus/simulation/law_packing.h>

#include <algorithm>
#include <numeric>

namespace delassus
{
using namespace dealii;

namespace
{
template <typename T>
MPI_Datatype type_of();
template <>
MPI_Datatype type_of<char>()
{
  return MPI_CHAR;
}
template <>
MPI_Datatype type_of<double>()
{
  return MPI_DOUBLE;
}
template <>
MPI_Datatype type_of<unsigned int>()
{
  return MPI_UNSIGNED;
}

/// The values of all ranks, one after another; where those of each begin.
template <typename T>
std::vector<T> gather_values(const std::vector<T> &mine,
                             MPI_Comm communicator,
                             std::vector<int> &starts)
{
  int n_ranks, n = mine.size();
  MPI_Comm_size(communicator, &n_ranks);
  std::vector<int> count(n_ranks);
  MPI_Allgather(&n, 1, MPI_INT, count.data(), 1, MPI_INT, communicator);
  starts.assign(n_ranks + 1, 0);
  std::partial_sum(count.begin(), count.end(), starts.begin() + 1);
  std::vector<T> all(starts.back());
  MPI_Allgatherv(mine.data(),
                 n,
                 type_of<T>(),
                 all.data(),
                 count.data(),
                 starts.data(),
                 type_of<T>(),
                 communicator);
  return all;
}
} // namespace

template <int dim>
std::vector<LocalMatrix<dim>>
estimated_blocks(const Model<dim> &model,
                 const std::vector<Contact<dim>> &contacts,
                 const double scale)
{
  std::vector<LocalMatrix<dim>> blocks(contacts.size(), LocalMatrix<dim>{});
  for (std::size_t a = 0; a < contacts.size(); ++a)
  {
    const auto &contact = contacts[a];
    const auto N        = contact.normal();
    double sum = 0., normal = 0.;
    for (unsigned int i = 0; i < contact.n_entries; ++i)
    {
      const auto &node = model.surfaces->nodes[contact.nodes[i]];
      for (unsigned int c = 0; c < dim; ++c)
        if (!model.systems[node.system]->is_prescribed(node.carrier, c))
        {
          const double square = contact.weights[i] * contact.weights[i];
          sum += square / dim;
          normal += square * N[c] * N[c];
        }
    }
    if (normal < 1e-15)
      sum = 0.;
    for (unsigned int c = 0; c < dim; ++c)
      blocks[a][dim * c + c] = (scale > 0. ? scale : 1.) * sum;
  }
  return blocks;
}

template <int dim>
ContactReplica<dim>::ContactReplica(Model<dim> &model,
                                    const ContactPlaces<dim> &places)
    : model(model)
    , places(places)
    , n_ranks(Utilities::MPI::n_mpi_processes(model.communicator))
    , rank(Utilities::MPI::this_mpi_process(model.communicator))
{
}

template <int dim>
void ContactReplica<dim>::renew(const std::vector<Contact<dim>> &own,
                                const std::vector<char> &resting,
                                const double scale)
{
  std::vector<char> message;
  taking_part.clear();
  for (std::size_t a = 0; a < own.size(); ++a)
    if (resting.empty() || !resting[a])
    {
      taking_part.push_back(a);
      pack(own[a], message);
    }
  std::vector<int> starts;
  const auto all = gather_values(message, model.communicator, starts);
  contacts.clear();
  first.assign(1, 0);
  for (unsigned int k = 0; k < n_ranks; ++k)
  {
    const char *place = all.data() + starts[k];
    while (place < all.data() + starts[k + 1])
      contacts.push_back(unpack<dim>(place));
    first.push_back(contacts.size());
  }

  std::vector<LocalMatrix<dim>> diagonal =
      estimated_blocks(model, contacts, scale);
  // All ranks look at the same impulses.
  W = std::make_unique<AppliedDelassus<dim>>([this](const double *P, double *U)
                                             { multiply(P, U); },
                                             std::move(diagonal),
                                             /* remembers */ true);
  problem.W             = W.get();
  problem.impulse_scale = scale;
  make_form();
  problem.global = &form;
}

template <int dim>
void ContactReplica<dim>::number_unknowns()
{
  first_unknown.assign(1, 0);
  std::vector<unsigned int> mine;
  for (const auto *system : model.systems)
  {
    system->for_each_velocity(
        [&](const std::size_t unknown, const double, const double)
        { mine.push_back(first_unknown.back() + unknown); });
    first_unknown.push_back(first_unknown.back() + system->n_unknowns());
  }
  std::vector<int> starts;
  const auto all = gather_values(mine, model.communicator, starts);
  n_unknowns     = first_unknown.back();
  first_own      = starts[rank];
  n_own          = mine.size();
  first_of_rank  = starts;
  n_of_rank.resize(n_ranks);
  for (unsigned int k = 0; k < n_ranks; ++k)
    n_of_rank[k] = starts[k + 1] - starts[k];
  AssertThrow(all.size() == n_unknowns, ExcInternalError());
  number.resize(n_unknowns);
  for (std::size_t i = 0; i < all.size(); ++i)
    number[all[i]] = i;
}

template <int dim>
void ContactReplica<dim>::make_form()
{
  number_unknowns();
  form.version                = ++n_forms;
  auto share                  = std::make_shared<GlobalForm::Share>();
  share->first                = first_own;
  const MPI_Comm communicator = model.communicator;
  share->factorize =
      [communicator](const SymmetricMatrix &S, const double bytes_allowed)
  {
    auto factor = make_substructured_factor(S, bytes_allowed, communicator);
    return factor ? std::move(factor)
                  : make_gathered_factor(S,
                                         LinearSolverType::automatic,
                                         bytes_allowed,
                                         communicator);
  };
  share->on_all = [communicator](const bool here)
  { return Utilities::MPI::min(int(here), communicator) != 0; };
  share->complete = [this](double *x)
  {
    MPI_Allgatherv(MPI_IN_PLACE,
                   0,
                   MPI_DATATYPE_NULL,
                   x,
                   n_of_rank.data(),
                   first_of_rank.data(),
                   MPI_DOUBLE,
                   model.communicator);
  };
  std::vector<double> diagonal(n_own, 0.);
  form.A = A.make(n_unknowns,
                  n_own,
                  [&](const auto &add)
                  {
                    std::fill(diagonal.begin(), diagonal.end(), 0.);
                    for (unsigned int b = 0; b < model.systems.size(); ++b)
                      model.systems[b]->for_each_entry(
                          [&](const std::size_t row,
                              const std::size_t column,
                              const double x)
                          {
                            const unsigned int i =
                                number[first_unknown[b] + row];
                            const unsigned int j =
                                number[first_unknown[b] + column] - first_own;
                            if (i == j + first_own)
                              diagonal[j] += x;
                            add(i, j, x);
                          });
                  });
  std::vector<int> starts;
  share->diagonal = gather_values(diagonal, model.communicator, starts);
  form.share      = share;

  std::vector<Triplet> H;
  for (std::size_t a = 0; a < contacts.size(); ++a)
    for (unsigned int i = 0; i < contacts[a].n_entries; ++i)
    {
      const auto &node = model.surfaces->nodes[contacts[a].nodes[i]];
      for (unsigned int c = 0; c < dim; ++c)
        model.systems[node.system]->for_each_unknown(
            node.carrier,
            c,
            [&](const std::size_t unknown, const double weight)
            {
              for (unsigned int k = 0; k < dim; ++k)
                H.push_back({ number[first_unknown[node.system] + unknown],
                              dim * a + k,
                              weight * contacts[a].weights[i] *
                                  contacts[a].frame[dim * k + c] });
            });
    }
  form.H = compress_columns(n_unknowns, dim * contacts.size(), H);
}

template <int dim>
void ContactReplica<dim>::multiply(const double *P, double *U)
{
  r.assign(dim * model.surfaces->nodes.size(), 0.);
  for (std::size_t a = 0; a < contacts.size(); ++a)
  {
    const auto impulse = contacts[a].to_global(P + dim * a);
    for (unsigned int i = 0; i < contacts[a].n_entries; ++i)
      for (unsigned int c = 0; c < dim; ++c)
        r[dim * contacts[a].nodes[i] + c] +=
            contacts[a].weights[i] * impulse[c];
  }
  // What one rank cannot solve no rank goes on with.
  std::string error;
  model.surfaces->scatter(r,
                          [&](const unsigned int system,
                              const std::vector<unsigned int> &carriers,
                              const double *impulses)
                          {
                            try
                            {
                              model.systems[system]->respond(carriers,
                                                             impulses);
                            }
                            catch (const ComputationError &e)
                            {
                              error = e.what();
                            }
                          });
  if (Utilities::MPI::max(int(!error.empty()), model.communicator) != 0)
    throw ComputationError(
        error.empty() ? "A product with W failed on another rank." : error);
  places.gather(CarrierField::response, response);
  for (std::size_t a = 0; a < contacts.size(); ++a)
  {
    const auto U_a = contacts[a].local_combination(response);
    std::copy(U_a.begin(), U_a.end(), U + dim * a);
  }
}

template <int dim>
ContactResult ContactReplica<dim>::solve(const ContactProblem<dim> &own,
                                         ContactSolver<dim> &method,
                                         std::vector<double> &P,
                                         std::vector<double> &U)
{
  const bool has_guess = own.U_guess.size() == P.size();
  std::vector<double> values;
  values.reserve(n_packed_values<dim> * taking_part.size());
  for (const std::size_t a : taking_part)
  {
    pack_law(own.laws[a], values);
    for (const std::vector<double> *from :
         std::initializer_list<const std::vector<double> *>{
             &own.U_free, &P, has_guess ? &own.U_guess : &own.U_free })
      values.insert(
          values.end(), from->begin() + dim * a, from->begin() + dim * (a + 1));
  }
  std::vector<int> starts;
  const auto all = gather_values(values, model.communicator, starts);
  problem.laws.clear();
  problem.U_free.clear();
  problem.U_guess.clear();
  problem.h = own.h;
  // Ranks choose the kind of factor by it: that of the rank with least.
  problem.memory_limit =
      Utilities::MPI::min(own.memory_limit, model.communicator);
  std::vector<double> P_all, U_all;
  const double *place = all.data();
  while (place < all.data() + all.size())
  {
    problem.laws.push_back(unpack_law<dim>(place));
    for (auto *to : { &problem.U_free, &P_all, &problem.U_guess })
    {
      to->insert(to->end(), place, place + dim);
      place += dim;
    }
  }
  int guessed = has_guess || taking_part.empty();
  MPI_Allreduce(
      MPI_IN_PLACE, &guessed, 1, MPI_INT, MPI_MIN, model.communicator);
  if (!guessed)
    problem.U_guess.clear();

  ContactResult result = method.solve(problem, P_all, U_all);
  const auto statuses  = std::move(result.status);
  result.status.assign(own.laws.size(), ContactStatus::open);
  for (std::size_t k = 0; k < taking_part.size(); ++k)
  {
    const std::size_t a = taking_part[k], b = first[rank] + k;
    std::copy_n(P_all.begin() + dim * b, dim, P.begin() + dim * a);
    std::copy_n(U_all.begin() + dim * b, dim, U.begin() + dim * a);
    result.status[a] = statuses[b];
  }
  // The worst contact by its rank and its number there.
  const std::size_t worst = result.errors.worst_contact;
  const unsigned int owner =
      std::upper_bound(first.begin(), first.end(), worst) - first.begin() - 1;
  result.errors.worst_rank = owner;
  if (worst < contacts.size())
  {
    unsigned long there =
        owner == rank ? taking_part[worst - first[rank]] : 0ul;
    MPI_Bcast(&there, 1, MPI_UNSIGNED_LONG, owner, model.communicator);
    result.errors.worst_contact = there;
  }
  return result;
}

template std::vector<LocalMatrix<2>>
estimated_blocks(const Model<2> &,
                 const std::vector<Contact<2>> &,
                 const double);
template std::vector<LocalMatrix<3>>
estimated_blocks(const Model<3> &,
                 const std::vector<Contact<3>> &,
                 const double);
template class ContactReplica<2>;
template class ContactReplica<3>;
} // namespace delassus

#include <delassus/simulation/pair_forces.h>

#include <algorithm>

namespace delassus
{
using namespace dealii;

template <int dim>
PairForces<dim>::PairForces(const Model<dim> &model)
    : model(model)
    , forces(model.pairs.size())
    , counts_of_pair(model.pairs.size())
{
}

template <int dim>
void PairForces<dim>::update(const ContactPhase<dim> &contact, const double h)
{
  std::fill(forces.begin(), forces.end(), Tensor<1, dim>());
  std::fill(counts_of_pair.begin(), counts_of_pair.end(), Counts());
  largest = 0.;
  for (unsigned int a = 0; a < contact.contacts.size(); ++a)
  {
    const unsigned int p = model.pair_of(contact.contacts[a]);
    const double force   = contact.P[dim * a] / h;
    forces[p] += (model.is_second_pass(contact.contacts[a]) ? -1. : 1.) / h *
                 contact.contacts[a].to_global(&contact.P[dim * a]);
    counts_of_pair[p].normal_force += force;
    largest = std::max(largest, force);
    if (a < contact.status.size())
      ++counts_of_pair[p].status[static_cast<unsigned int>(contact.status[a])];
  }
  if (Utilities::MPI::n_mpi_processes(model.communicator) == 1)
    return;
  constexpr unsigned int n_values = dim + 4;
  std::vector<double> values;
  for (unsigned int p = 0; p < model.pairs.size(); ++p)
  {
    for (unsigned int c = 0; c < dim; ++c)
      values.push_back(forces[p][c]);
    values.push_back(counts_of_pair[p].normal_force);
    for (const unsigned int count : counts_of_pair[p].status)
      values.push_back(count);
  }
  Utilities::MPI::sum(values, model.communicator, values);
  for (unsigned int p = 0; p < model.pairs.size(); ++p)
  {
    const double *value = &values[n_values * p];
    for (unsigned int c = 0; c < dim; ++c)
      forces[p][c] = value[c];
    counts_of_pair[p].normal_force = value[dim];
    for (unsigned int s = 0; s < 3; ++s)
      counts_of_pair[p].status[s] = value[dim + 1 + s];
  }
  largest = Utilities::MPI::max(largest, model.communicator);
}

template <int dim>
std::vector<double> PairForces<dim>::normal_forces() const
{
  std::vector<double> result;
  for (const auto &counts : counts_of_pair)
    result.push_back(counts.normal_force);
  return result;
}

template <int dim>
Tensor<1, dim> PairForces<dim>::resultant(const unsigned int interaction) const
{
  Tensor<1, dim> sum;
  for (unsigned int p = 0; p < model.pairs.size(); ++p)
    if (model.pairs[p].interaction == interaction)
      sum += forces[p];
  return sum;
}

template <int dim>
typename PairForces<dim>::Counts
PairForces<dim>::counts_of_interaction(const unsigned int interaction) const
{
  Counts sum;
  for (unsigned int p = 0; p < model.pairs.size(); ++p)
    if (model.pairs[p].interaction == interaction)
    {
      sum.normal_force += counts_of_pair[p].normal_force;
      for (unsigned int s = 0; s < 3; ++s)
        sum.status[s] += counts_of_pair[p].status[s];
    }
  return sum;
}

template <int dim>
Tensor<1, dim> PairForces<dim>::force_on(const std::string &antagonist) const
{
  Tensor<1, dim> sum;
  for (unsigned int p = 0; p < model.pairs.size(); ++p)
    if (model.pairs[p].antagonist == antagonist)
      sum -= forces[p];
  return sum;
}

template <int dim>
void PairForces<dim>::archive(Archive &archive)
{
  archive("forces of pairs", forces);
  archive("counts of pairs", counts_of_pair);
  archive("largest normal force", largest);
}

template class PairForces<2>;
template class PairForces<3>;
} // namespace delassus

// From impulses to bodies, and W by its definition.
#include <delassus/simulation/contact_phase.h>

namespace delassus
{
using namespace dealii;

template <int dim>
void ContactPhase<dim>::apply_impulses()
{
  sum_impulses(P, r);
  model.surfaces->scatter(
      r,
      [&](const unsigned int system,
          const std::vector<unsigned int> &carriers,
          const double *impulses)
      { model.systems[system]->set_contact_impulse(carriers, impulses); });
}

template <int dim>
void ContactPhase<dim>::sum_impulses(const std::vector<double> &P_given,
                                     std::vector<double> &sum)
{
  sum.assign(dim * model.surfaces->nodes.size(), 0.);
  const auto add = [&](const Contact<dim> &contact, const double *P_here)
  {
    const Tensor<1, dim> impulse = contact.to_global(P_here);
    for (unsigned int i = 0; i < contact.n_entries; ++i)
      for (unsigned int c = 0; c < dim; ++c)
        sum[dim * contact.nodes[i] + c] += contact.weights[i] * impulse[c];
  };
  for (unsigned int a = 0; a < contacts.size(); ++a)
    add(contacts[a], &P_given[dim * a]);
  if (n_ranks == 1)
    return;
  exchange.exchange(P_given, ghost_P);
  for (unsigned int a = 0; a < exchange.ghosts.size(); ++a)
    add(exchange.ghosts[a], &ghost_P[dim * a]);
}

template <int dim>
void ContactPhase<dim>::make_applied_delassus()
{
  // Only ratios of the estimated W^{aa} matter, and zeros: 1/(mean diagonal of
  // the effective matrix) for each free dof that the contact acts on.
  std::vector<LocalMatrix<dim>> diagonal(contacts.size());
  for (std::size_t a = 0; a < contacts.size(); ++a)
  {
    const auto &contact = contacts[a];
    double sum          = 0.;
    for (unsigned int i = 0; i < contact.n_entries; ++i)
    {
      const auto &node = model.surfaces->nodes[contact.nodes[i]];
      for (unsigned int c = 0; c < dim; ++c)
        if (!model.systems[node.system]->is_prescribed(node.carrier, c))
          sum += contact.weights[i] * contact.weights[i] / dim;
    }
    const double scale =
        compliance.impulse_scale > 0. ? compliance.impulse_scale : 1.;
    diagonal[a] = {};
    for (unsigned int c = 0; c < dim; ++c)
      diagonal[a][c * dim + c] = scale * sum;
  }
  W = std::make_unique<AppliedDelassus<dim>>(
      [this](const double *P_given, double *U_result)
      { apply_delassus(P_given, U_result); },
      std::move(diagonal));
  problem.W      = W.get();
  delassus_bytes = W->memory_consumption();
  storage_name   = W->name();
  if (n_ranks > 1)
    delassus_bytes = Utilities::MPI::sum(delassus_bytes, model.communicator);
}

template <int dim>
void ContactPhase<dim>::apply_delassus(const double *P_given, double *U_result)
{
  response_P.assign(P_given, P_given + dim * contacts.size());
  sum_impulses(response_P, r);
  model.surfaces->scatter(r,
                          [&](const unsigned int system,
                              const std::vector<unsigned int> &carriers,
                              const double *impulses) {
                            model.systems[system]->respond(carriers, impulses);
                          });
  gather(CarrierField::response, response_nodes);
  for (std::size_t a = 0; a < contacts.size(); ++a)
  {
    const auto U_here = contacts[a].local_combination(response_nodes);
    for (unsigned int c = 0; c < dim; ++c)
      U_result[dim * a + c] = U_here[c];
  }
}

template void ContactPhase<2>::apply_impulses();
template void ContactPhase<3>::apply_impulses();
template void ContactPhase<2>::sum_impulses(const std::vector<double> &,
                                            std::vector<double> &);
template void ContactPhase<3>::sum_impulses(const std::vector<double> &,
                                            std::vector<double> &);
template void ContactPhase<2>::make_applied_delassus();
template void ContactPhase<3>::make_applied_delassus();
template void ContactPhase<2>::apply_delassus(const double *, double *);
template void ContactPhase<3>::apply_delassus(const double *, double *);
} // namespace delassus

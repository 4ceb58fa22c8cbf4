// What the correction of an iteration takes into account besides the tangent of
// the bodies: what contact holds, how frames follow, how far to go.
#include <delassus/simulation/newton_loop.h>

#include <cmath>

namespace delassus
{
using namespace dealii;

template <int dim>
void NewtonLoop<dim>::add_held_stiffness(const double share)
{
  // Stiffness of the nodes themselves, known to all ranks.
  const auto &surfaces = *model.surfaces;
  std::vector<const Vector *> diagonals;
  for (const auto *scheme : model.newton_schemes)
    diagonals.push_back(&scheme->tangent_diagonal());
  std::vector<double> stiffness;
  surfaces.gather(diagonals, stiffness);
  const unsigned int rank =
      Utilities::MPI::this_mpi_process(model.communicator);
  contact.for_each_held(
      [&](const typename ContactPhase<dim>::HeldContact &held)
      {
        const auto &alpha = held.contact;
        double gamma = 0., sum = 0.;
        for (unsigned int i = 0; i < alpha.n_entries; ++i)
        {
          const double weight = std::pow(alpha.weights[i], 2);
          sum += weight;
          for (unsigned int c = 0; c < dim; ++c)
            gamma +=
                weight / dim * std::abs(stiffness[dim * alpha.nodes[i] + c]);
        }
        gamma *= share / sum;
        for (unsigned int i = 0; i < alpha.n_entries; ++i)
        {
          const auto &node = surfaces.nodes[alpha.nodes[i]];
          if (node.owner != rank)
            continue;
          auto &scheme = *model.newton_schemes[node.body];
          // H D H*, as far as bodies are not coupled.
          for (unsigned int j = 0; j < alpha.n_entries; ++j)
            if (i == j || held.exact)
              scheme.add_stiffness(node.node,
                                   surfaces.nodes[alpha.nodes[j]].node,
                                   gamma * alpha.weights[i] * alpha.weights[j] *
                                       held.D);
          if (held.exact)
            scheme.add_held_impulse(
                node.node, gamma * alpha.weights[i] * (held.D * held.c));
        }
      });
  for (auto *scheme : model.newton_schemes)
    scheme->finish_stiffness();
}

template <int dim>
bool NewtonLoop<dim>::follow_frames(const unsigned int step,
                                    const double t,
                                    const double h)
{
  // v_free + w s, s the change of r = H P with the correction itself: a fixed
  // point, with W as it is.
  constexpr unsigned int most = 8;
  std::vector<Vector> v_free, ws;
  std::vector<Vector *> pointers;
  for (const auto &scheme : model.schemes)
  {
    v_free.push_back(scheme->v_free);
    ws.push_back(scheme->v_free);
  }
  for (auto &vector : ws)
    pointers.push_back(&vector);
  std::vector<double> s, image;
  double first = 0., before = 0.;
  for (unsigned int k = 0; k < most; ++k)
  {
    {
      const auto scope = timer.scope("kinematics");
      contact.frame_impulses(t, h, image);
    }
    if (k == 0)
    {
      s.assign(image.size(), 0.);
      frame_memory.reinit(image.size(), 4);
    }
    double change = 0., impulses = 0.;
    for (std::size_t i = 0; i < s.size(); ++i)
      change += std::pow(image[i] - s[i], 2);
    for (const auto *scheme : model.newton_schemes)
      impulses += scheme->norms().contact;
    change   = std::sqrt(change);
    impulses = std::sqrt(Utilities::MPI::sum(impulses, model.communicator));
    if (k == 0)
      first = change;
    // What is left of it is left to the next iteration.
    if (!(change > 0.1 * parameters.tolerance * impulses) ||
        (k > 0 && change < 1e-2 * first) || (k > 1 && change > before))
      break;
    before = change;
    frame_memory.advance(s, image);
    contact.scatter_nodes(s, pointers);
    for (unsigned int b = 0; b < ws.size(); ++b)
    {
      model.schemes[b]->w.apply(ws[b]);
      model.schemes[b]->v_free = v_free[b];
      model.schemes[b]->v_free += ws[b];
    }
    if (!solve_problem(step, t, h))
      return false;
  }
  contact.forget_frames();
  return true;
}

template <int dim>
bool NewtonLoop<dim>::step_back(const bool with_tangent)
{
  // Towards the iterate before, where all cells have an answer.
  if (!model.tools.empty())
    return false;
  for (unsigned int attempt = 0; attempt < 6; ++attempt)
  {
    for (auto *scheme : model.newton_schemes)
      scheme->halve_correction();
    if (evaluate(with_tangent))
    {
      ++n_stepped_back;
      return true;
    }
  }
  return false;
}

template <int dim>
bool NewtonLoop<dim>::slow_but_sure() const
{
  // As fast as in the last iterations, would it get there in a few times what
  // is allowed?
  constexpr unsigned int window = 6, most = 4;
  const unsigned int k = history.size();
  if (k <= window || k >= most * parameters.max_iterations)
    return false;
  if (momentum_error <= parameters.tolerance)
    return true; // the laws are not there yet
  const double rate =
      std::log(momentum_error / history[k - 1 - window]) / window;
  return rate < 0. &&
         k + std::log(parameters.tolerance / momentum_error) / rate <=
             most * parameters.max_iterations;
}

#define INSTANTIATE(dim)                                                       \
  template void NewtonLoop<dim>::add_held_stiffness(const double);             \
  template bool NewtonLoop<dim>::follow_frames(                                \
      const unsigned int, const double, const double);                         \
  template bool NewtonLoop<dim>::step_back(const bool);                        \
  template bool NewtonLoop<dim>::slow_but_sure() const
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus

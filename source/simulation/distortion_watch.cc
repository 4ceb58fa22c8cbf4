#include <delassus/simulation/distortion_watch.h>
#include <delassus/simulation/overlaps.h>

#include <deal.II/base/symmetric_tensor.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
using namespace dealii;

namespace
{
/// Dynamic steps from one look to the next.
constexpr unsigned int steps_between = 10;

/// Bounds of what counts as distorted.
constexpr double most_growth = 1., most_shrinkage = 0.5;

template <int dim>
double rotation_of(const Tensor<2, dim> &G)
{
  double sum = 0.;
  for (unsigned int i = 0; i < dim; ++i)
    for (unsigned int j = 0; j < i; ++j)
      sum += std::pow(0.5 * (G[i][j] - G[j][i]), 2);
  return std::sqrt(sum);
}

/// The largest absolute principal value of sym G, or @p least if that is more
/// (which saves most cells the principal values).
template <int dim>
double strain_of(const Tensor<2, dim> &G, const double least)
{
  const SymmetricTensor<2, dim> strain = symmetrize(G);
  if (strain * strain <= least * least)
    return least;
  double largest = least;
  for (const double value : eigenvalues(strain))
    largest = std::max(largest, std::abs(value));
  return largest;
}
} // namespace

template <int dim>
DistortionWatch<dim>::DistortionWatch(const Model<dim> &model)
    : model(model)
{
  for (unsigned int b = 0; b < model.bodies.size(); ++b)
    if (!model.schemes[b]->has_finite_motion())
      watched.push_back(b);
  bodies.resize(watched.size());
  gradients.resize(watched.size());
  for (unsigned int i = 0; i < watched.size(); ++i)
  {
    const auto &body = *model.bodies[watched[i]];
    if (!body.has_simplices() || body.element.degree() > 1)
      continue;
    Point<dim> middle;
    for (unsigned int c = 0; c < dim; ++c)
      middle[c] = 1. / (dim + 1.);
    CellValues<dim> values(body.element, std::vector<Point<dim>>{ middle });
    for (const unsigned int cell : body.owned_cells)
    {
      values.reinit(body.nodes, body.nodes_of_cell(cell));
      for (unsigned int k = 0; k < body.element.n_nodes(); ++k)
        gradients[i].push_back(values.gradient(k, 0));
    }
  }
}

template <int dim>
bool DistortionWatch<dim>::is_due(const unsigned int step,
                                  const bool results_due) const
{
  return !watched.empty() &&
         (model.parameters.time.scheme == TimeScheme::quasi_static ||
          results_due || step % steps_between == 0);
}

template <int dim>
void DistortionWatch<dim>::look_at_cells(const unsigned int i)
{
  const auto &body           = *model.bodies[watched[i]];
  const auto &element        = body.element;
  const unsigned int n_nodes = element.n_nodes();
  const bool axisymmetric    = body.assumption == Assumption::axisymmetric;
  auto &now                  = bodies[i].now;
  now                        = {};
  const NodalValues<dim> u(body, model.schemes[watched[i]]->q_new);
  const bool constant = !gradients[i].empty();
  CellValues<dim> values(element, element.quadrature(axisymmetric));
  std::size_t first = 0; // of the gradients of a cell
  for (const unsigned int cell : body.owned_cells)
  {
    const unsigned int *nodes = body.nodes_of_cell(cell);
    Tensor<2, dim> G; // its mean over the cell
    double hoop = 0., growth_here = 0., shrinkage_here = 0.;
    const auto note_point =
        [&](const Tensor<2, dim> &G_here, const double hoop_here)
    {
      const double ratio =
          determinant(unit_symmetric_tensor<dim>() + G_here) * (1. + hoop_here);
      growth_here    = std::max(growth_here, ratio - 1.);
      shrinkage_here = std::max(shrinkage_here, 1. - ratio);
    };
    if (constant)
    {
      double radius = 0.;
      for (unsigned int k = 0; k < n_nodes; ++k)
      {
        const auto &gradient = gradients[i][first++];
        for (unsigned int c = 0; c < dim; ++c)
        {
          const double value = u(dim * nodes[k] + c);
          for (unsigned int d = 0; d < dim; ++d)
            G[c][d] += value * gradient[d];
        }
        if (axisymmetric)
        {
          hoop += u(dim * nodes[k]);
          radius += body.nodes[nodes[k]][0];
        }
      }
      hoop = axisymmetric ? hoop / radius : 0.;
      note_point(G, hoop);
    }
    else
    {
      values.reinit(body.nodes, nodes);
      double volume = 0.;
      for (unsigned int q = 0; q < values.n_points(); ++q)
      {
        Tensor<2, dim> G_q;
        double hoop_q = 0.;
        for (unsigned int k = 0; k < n_nodes; ++k)
        {
          const auto &gradient = values.gradient(k, q);
          for (unsigned int c = 0; c < dim; ++c)
          {
            const double value = u(dim * nodes[k] + c);
            for (unsigned int d = 0; d < dim; ++d)
              G_q[c][d] += value * gradient[d];
          }
          if (axisymmetric)
            hoop_q += values.value(k, q) * u(dim * nodes[k]);
        }
        hoop_q = axisymmetric ? hoop_q / values.point(q)[0] : 0.;
        note_point(G_q, hoop_q);
        const double weight = values.JxW(q);
        G += weight * G_q;
        hoop += weight * hoop_q;
        volume += weight;
      }
      G /= volume;
      hoop /= volume;
    }
    const double strain_here =
        std::max(std::abs(hoop), strain_of(G, now[strain].value));
    const double rotation_here = rotation_of(G);
    if (strain_here > now[strain].value ||
        rotation_here > now[rotation].value ||
        growth_here > now[growth].value ||
        shrinkage_here > now[shrinkage].value)
    {
      const Point<dim> place = body.centre_of_cell(cell);
      now[strain].note(strain_here, place);
      now[rotation].note(rotation_here, place);
      now[growth].note(growth_here, place);
      now[shrinkage].note(shrinkage_here, place);
    }
  }
}

template <int dim>
std::vector<std::string> DistortionWatch<dim>::look(const double t)
{
  constexpr unsigned int n = n_kinds * (1 + dim);
  std::vector<double> mine;
  for (unsigned int i = 0; i < watched.size(); ++i)
  {
    look_at_cells(i);
    for (const auto &extreme : bodies[i].now)
    {
      mine.push_back(extreme.value);
      for (unsigned int c = 0; c < dim; ++c)
        mine.push_back(extreme.place[c]);
    }
  }
  const unsigned int n_ranks =
      Utilities::MPI::n_mpi_processes(model.communicator);
  if (n_ranks > 1)
  {
    std::vector<double> all(n_ranks * mine.size());
    MPI_Allgather(mine.data(),
                  mine.size(),
                  MPI_DOUBLE,
                  all.data(),
                  mine.size(),
                  MPI_DOUBLE,
                  model.communicator);
    for (unsigned int r = 0; r < n_ranks; ++r)
      for (unsigned int i = 0; i < watched.size(); ++i)
        for (unsigned int kind = 0; kind < n_kinds; ++kind)
        {
          const double *value =
              &all[r * mine.size() + n * i + (1 + dim) * kind];
          Point<dim> place;
          for (unsigned int c = 0; c < dim; ++c)
            place[c] = value[1 + c];
          bodies[i].now[kind].note(value[0], place);
        }
  }

  std::vector<std::string> messages;
  for (unsigned int i = 0; i < watched.size(); ++i)
  {
    auto &body            = bodies[i];
    const bool left_early = body.has_left;
    std::string what;
    for (unsigned int kind = 0; kind < n_kinds; ++kind)
    {
      auto &extreme = body.now[kind];
      extreme.time  = t;
      if (extreme.value > body.ever[kind].value)
        body.ever[kind] = extreme;
      if (!is_too_large(kind, extreme.value))
        continue;
      body.has_left = true;
      what += (what.empty() ? "" : ", ") + describe(kind, extreme);
    }
    if (left_early || !body.has_left)
      continue;
    body.left_at = t;
    messages.push_back(fmt::format(
        "body '{}' leaves the theory of small strains and rotations at t = "
        "{:.6g}: {}. The error grows with them; 'Material/Model = Saint "
        "Venant-Kirchhoff' or 'neo-Hookean' is right for any.",
        model.bodies[watched[i]]->name(),
        t,
        what));
  }
  return messages;
}

template <int dim>
bool DistortionWatch<dim>::is_too_large(const unsigned int kind,
                                        const double value) const
{
  const auto &checks = model.parameters.checks;
  return (kind == strain && value > checks.small_strain) ||
         (kind == rotation && value > checks.small_rotation);
}

template <int dim>
bool DistortionWatch<dim>::is_distorted(const Extremes &extremes)
{
  return extremes[growth].value >= most_growth ||
         extremes[shrinkage].value >= most_shrinkage;
}

template <int dim>
std::string
DistortionWatch<dim>::describe_distortion(const Extremes &extremes) const
{
  const unsigned int worst =
      extremes[shrinkage].value >= most_shrinkage ? shrinkage : growth;
  return describe(worst, extremes[worst]);
}

template <int dim>
std::string DistortionWatch<dim>::describe(const unsigned int kind,
                                           const Extreme &extreme) const
{
  const auto &checks      = model.parameters.checks;
  const std::string where = "in the cell at " + text_of(extreme.place);
  switch (kind)
  {
    case strain:
      return fmt::format("strain {:.3g} {} (Checks/Small strain = {:g})",
                         extreme.value,
                         where,
                         checks.small_strain);
    case rotation:
      return fmt::format(
          "rotation {:.3g} rad {} (Checks/Small rotation = {:g})",
          extreme.value,
          where,
          checks.small_rotation);
    case growth:
      return fmt::format("the cell at {} has {:.3g} times its {}",
                         text_of(extreme.place),
                         1. + extreme.value,
                         dim == 2 ? "area" : "volume");
    default:
      return extreme.value >= 1.
                 ? fmt::format("the cell at {} is turned inside out",
                               text_of(extreme.place))
                 : fmt::format("the cell at {} has {:.3g} times its {}",
                               text_of(extreme.place),
                               1. - extreme.value,
                               dim == 2 ? "area" : "volume");
  }
}

template <int dim>
std::string DistortionWatch<dim>::distorted() const
{
  for (unsigned int i = 0; i < watched.size(); ++i)
    if (is_distorted(bodies[i].now))
    {
      const auto &now  = bodies[i].now;
      std::string text = fmt::format("body '{}': {}",
                                     model.bodies[watched[i]]->name(),
                                     describe_distortion(now));
      for (const unsigned int kind : { strain, rotation })
        if (is_too_large(kind, now[kind].value))
          text += ", " + describe(kind, now[kind]);
      return text;
    }
  return "";
}

template <int dim>
void DistortionWatch<dim>::judge(Verdict &verdict) const
{
  for (unsigned int i = 0; i < watched.size(); ++i)
  {
    const auto &body         = bodies[i];
    const bool was_distorted = is_distorted(body.ever);
    if (!body.has_left && !was_distorted)
      continue;
    std::string what;
    const auto add = [&](const std::string &more)
    { what += (what.empty() ? "" : ", ") + more; };
    if (body.has_left)
      add(fmt::format(
          "has left the theory of small strains and rotations at t = {:.6g}",
          body.left_at));
    for (unsigned int kind = 0; kind < n_kinds; ++kind)
      if (is_too_large(kind, body.ever[kind].value))
        add(describe(kind, body.ever[kind]));
    if (was_distorted)
      add(fmt::format("is distorted at t = {:.6g}: {}",
                      body.ever[shrinkage].value >= most_shrinkage
                          ? body.ever[shrinkage].time
                          : body.ever[growth].time,
                      describe_distortion(body.ever)));
    (was_distorted ? verdict.reasons : verdict.remarks)
        .push_back(fmt::format(
            "body '{}' {}", model.bodies[watched[i]]->name(), what));
  }
}

template <int dim>
void DistortionWatch<dim>::archive(Archive &archive)
{
  auto saved = bodies;
  archive("distortions", saved);
  if (saved.size() == bodies.size())
    bodies = saved;
}

template class DistortionWatch<2>;
template class DistortionWatch<3>;
} // namespace delassus

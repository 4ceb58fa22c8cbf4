#include <delassus/simulation/history_row.h>
#include <delassus/output/tensor_components.h>
#include <delassus/simulation/overlaps.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace delassus
{
using namespace dealii;

template <int dim>
HistoryRow<dim>::HistoryRow(const Model<dim> &model,
                            const Parameters &file,
                            const ContactPhase<dim> &contact,
                            const PairForces<dim> &pairs)
    : model(model)
    , file(file)
    , contact(contact)
    , pairs(pairs)
    , sheets({ model.shells.begin(), model.shells.end() })
{
  for (const auto &condition : model.parameters.boundary_conditions)
    switch (condition.type)
    {
      case BoundaryConditionType::pressure:
      case BoundaryConditionType::traction:
      case BoundaryConditionType::force:
      case BoundaryConditionType::moment:
        break;
      default:
        driving.push_back(condition.name);
        // As the file says: the same in all stages.
        holds_rotations.push_back(
            sheets.n_sheets() > 0 &&
            (condition.type == BoundaryConditionType::clamped ||
             condition.type == BoundaryConditionType::symmetry ||
             std::any_of(condition.components.begin(),
                         condition.components.end(),
                         [](const unsigned int c) { return c > 2; })));
    }
  find_probes();
}

template <int dim>
void HistoryRow<dim>::find_probes()
{
  unsigned int n_values = 0;
  for (const auto &probe : model.parameters.probes)
  {
    Point<dim> wanted;
    for (unsigned int c = 0; c < dim; ++c)
      wanted[c] = probe.point[c];
    ProbeNode best{ 0, 0 };
    double distance = std::numeric_limits<double>::max();
    for (unsigned int b = 0; b < model.bodies.size(); ++b)
      if (probe.body.empty() || probe.body == model.bodies[b]->name())
        for (unsigned int n = 0; n < model.bodies[b]->n_nodes(); ++n)
          if (model.bodies[b]->nodes[n].distance(wanted) < distance)
          {
            distance  = model.bodies[b]->nodes[n].distance(wanted);
            best.body = b;
            best.node = n;
          }
    if constexpr (dim == 3)
      best.on_sheet =
          sheets.find_nearest({ { wanted[0], wanted[1], wanted[2] } },
                              probe.body,
                              best.of_sheet,
                              distance);
    best.first = n_values;
    n_values += best.on_sheet ? SheetHistory::probe_columns().size()
                              : solid_probe_columns().size();
    probes.push_back(best);
  }
  probe_values.resize(n_values);
  for (unsigned int b = 0; b < model.bodies.size(); ++b)
  {
    std::vector<unsigned int> nodes;
    for (const auto &probe : probes)
      if (!probe.on_sheet && probe.body == b)
        nodes.push_back(probe.node);
    probe_stresses.push_back(std::make_unique<NodeStresses<dim>>(
        *model.bodies[b], model.schemes[b]->internal_forces(), nodes));
  }
}

template <int dim>
std::vector<std::string> HistoryRow<dim>::describe_probes() const
{
  std::vector<std::string> result;
  for (unsigned int k = 0; k < probes.size(); ++k)
  {
    const auto &probe = probes[k];
    const Vector3 x = probe.on_sheet ? sheets.place(probe.of_sheet) : Vector3{};
    result.push_back(fmt::format(
        "probe '{}' is the node at {} of body '{}'",
        model.parameters.probes[k].name,
        probe.on_sheet ? text_of(Point<3>(x[0], x[1], x[2]))
                       : text_of(model.bodies[probe.body]->nodes[probe.node]),
        probe.on_sheet ? sheets.name(probe.of_sheet.sheet)
                       : model.bodies[probe.body]->name()));
  }
  return result;
}

template <int dim>
std::vector<std::string> HistoryRow<dim>::solid_probe_columns()
{
  std::vector<std::string> columns;
  for (const char *quantity : { "u", "v" })
    for (unsigned int c = 0; c < dim; ++c)
      columns.push_back(fmt::format("{}_{}", quantity, "xyz"[c]));
  for (const char *quantity : { "stress", "strain" })
    for (unsigned int c = 0; c < NodeStresses<dim>::n_components; ++c)
      columns.push_back(fmt::format("{}_{}", quantity, tensor_components[c]));
  return columns;
}

template <int dim>
std::vector<std::string> HistoryRow<dim>::columns() const
{
  const char *axes                 = "xyz";
  std::vector<std::string> columns = { "step", "time" };
  for (const auto &interaction : model.interactions)
  {
    for (unsigned int c = 0; c < dim; ++c)
      columns.push_back(fmt::format("{}:force_{}", interaction.name, axes[c]));
    for (const char *quantity : { "normal_force", "stick", "slip", "open" })
      columns.push_back(fmt::format("{}:{}", interaction.name, quantity));
  }
  for (const auto &pair : model.pairs)
    for (unsigned int c = 0; c < dim; ++c)
      columns.push_back(fmt::format("{}:{}|{}:force_{}",
                                    model.interactions[pair.interaction].name,
                                    pair.candidate,
                                    pair.antagonist,
                                    axes[c]));
  for (unsigned int k = 0; k < driving.size(); ++k)
  {
    for (unsigned int c = 0; c < dim; ++c)
      columns.push_back(fmt::format("{}:reaction_{}", driving[k], axes[c]));
    for (unsigned int c = 0; holds_rotations[k] && c < 3; ++c)
      columns.push_back(
          fmt::format("{}:reaction_moment_{}", driving[k], axes[c]));
  }
  for (const char *quantity : { "contacts",
                                "sweeps",
                                "contact_error",
                                "converged",
                                "penetration",
                                "largest_normal_force",
                                "largest_displacement",
                                "largest_speed" })
    columns.push_back(quantity);
  if (has_newton_columns())
    for (const char *quantity : { "newton_iterations",
                                  "substeps",
                                  "smallest_substep",
                                  "momentum_residual" })
      columns.push_back(quantity);
  for (unsigned int k = 0; k < probes.size(); ++k)
    for (const auto &quantity : probes[k].on_sheet
                                    ? SheetHistory::probe_columns()
                                    : solid_probe_columns())
      columns.push_back(
          fmt::format("{}:{}", model.parameters.probes[k].name, quantity));
  for (unsigned int s = 0; s < sheets.n_sheets(); ++s)
    for (const auto &quantity : SheetExtremes::names(sheets.is_plastic(s)))
      columns.push_back(fmt::format("{}:{}", sheets.name(s), quantity));
  add_motion_columns(columns);
  return columns;
}

template <int dim>
std::array<double, 2> HistoryRow<dim>::look_at_bodies(const double h)
{
  std::array<double, 2> largest = { { 0., 0. } };
  std::fill(probe_values.begin(), probe_values.end(), 0.);
  for (unsigned int b = 0; b < model.bodies.size(); ++b)
  {
    const auto &scheme = *model.schemes[b];
    std::vector<double *> sums;
    for (const auto &probe : probes)
      if (!probe.on_sheet && probe.body == b)
        sums.push_back(&probe_values[probe.first + 2 * dim]);
    probe_stresses[b]->add(scheme.q, sums);
    const unsigned int n = model.bodies[b]->owned_dofs.n_elements() / dim;
    if (n == 0)
      continue;
    const double *q = &*scheme.q.begin(), *v = &*scheme.v.begin();
    for (unsigned int i = 0; i < n; ++i)
    {
      double uu = 0., vv = 0.;
      for (unsigned int c = 0; c < dim; ++c)
      {
        uu += q[dim * i + c] * q[dim * i + c];
        vv += v[dim * i + c] * v[dim * i + c];
      }
      largest[0] = std::max(largest[0], uu);
      largest[1] = std::max(largest[1], vv);
    }
    for (const auto &probe : probes)
      if (!probe.on_sheet && probe.body == b &&
          model.bodies[b]->owns_node(probe.node))
        for (unsigned int c = 0; c < dim; ++c)
        {
          const unsigned int i =
              dim * (probe.node - model.bodies[b]->first_owned_node) + c;
          probe_values[probe.first + c]       = q[i];
          probe_values[probe.first + dim + c] = v[i];
        }
  }
  for (const auto &probe : probes)
    if (probe.on_sheet)
      sheets.add_probe(probe.of_sheet, h, &probe_values[probe.first]);
  sheets.largest(largest);
  extremes = sheets.extremes(model.communicator);
  add_reactions();
  if (Utilities::MPI::n_mpi_processes(model.communicator) > 1)
  {
    Utilities::MPI::sum(reactions, model.communicator, reactions);
    largest[0] = Utilities::MPI::max(largest[0], model.communicator);
    largest[1] = Utilities::MPI::max(largest[1], model.communicator);
    Utilities::MPI::sum(probe_values, model.communicator, probe_values);
  }
  return largest;
}

template <int dim>
void HistoryRow<dim>::add_reactions()
{
  std::vector<unsigned int> first(1, 0);
  for (const bool turns : holds_rotations)
    first.push_back(first.back() + dim + (turns ? 3 : 0));
  reactions.assign(first.back(), 0.);
  for (unsigned int b = 0; b < model.bodies.size(); ++b)
    for (unsigned int k = 0; k < model.driven[b]->n_conditions(); ++k)
    {
      const auto of = std::find(driving.begin(),
                                driving.end(),
                                model.driven[b]->condition_name(k)) -
                      driving.begin();
      for (unsigned int c = 0; c < dim; ++c)
        reactions[first[of] + c] += model.schemes[b]->reactions[dim * k + c];
    }
  if (sheets.n_sheets() == 0)
    return;
  for (unsigned int k = 0; k < driving.size(); ++k)
  {
    std::array<double, 6> sum{};
    sheets.add_reaction(driving[k], sum.data(), sum.data() + 3);
    for (unsigned int c = 0; c < dim + (holds_rotations[k] ? 3 : 0); ++c)
      reactions[first[k] + c] += sum[c];
  }
}

template <int dim>
const std::vector<double> &HistoryRow<dim>::values(const unsigned int step,
                                                   const double t,
                                                   const double h,
                                                   const bool solved,
                                                   const NewtonReport &newton)
{
  if (model.rigid)
    motions = model.rigid->gather_motions();
  const std::array<double, 2> largest = look_at_bodies(h);
  row.clear();
  if (Utilities::MPI::this_mpi_process(model.communicator) != 0)
    return row;
  row.push_back(step);
  row.push_back(t);
  for (unsigned int k = 0; k < model.interactions.size(); ++k)
  {
    const Tensor<1, dim> force = pairs.resultant(k);
    const auto counts          = pairs.counts_of_interaction(k);
    for (unsigned int c = 0; c < dim; ++c)
      row.push_back(force[c]);
    row.push_back(counts.normal_force);
    row.push_back(counts.status[1]);
    row.push_back(counts.status[2]);
    row.push_back(counts.status[0]);
  }
  for (unsigned int p = 0; p < model.pairs.size(); ++p)
    for (unsigned int c = 0; c < dim; ++c)
      row.push_back(pairs.force(p)[c]);
  row.insert(row.end(), reactions.begin(), reactions.end());
  row.push_back(contact.n_contacts);
  row.push_back(contact.result.sweeps);
  row.push_back(contact.result.errors.unit_free);
  row.push_back(solved);
  row.push_back(contact.result.errors.penetration);
  row.push_back(pairs.largest_normal_force());
  row.push_back(std::sqrt(largest[0]));
  row.push_back(std::sqrt(largest[1]));
  if (has_newton_columns())
  {
    row.push_back(newton.iterations);
    row.push_back(newton.substeps);
    row.push_back(newton.smallest_step);
    row.push_back(newton.worst_residual);
  }
  row.insert(row.end(), probe_values.begin(), probe_values.end());
  for (unsigned int s = 0; s < sheets.n_sheets(); ++s)
    for (const double value : extremes[s].values(sheets.is_plastic(s)))
      row.push_back(value);
  add_motion_values(t, h);
  return row;
}

#define INSTANTIATE(dim)                                                       \
  template HistoryRow<dim>::HistoryRow(const Model<dim> &,                     \
                                       const Parameters &,                     \
                                       const ContactPhase<dim> &,              \
                                       const PairForces<dim> &);               \
  template std::vector<std::string> HistoryRow<dim>::describe_probes() const;  \
  template std::vector<std::string> HistoryRow<dim>::columns() const;          \
  template void HistoryRow<dim>::find_probes();                                \
  template std::vector<std::string> HistoryRow<dim>::solid_probe_columns();    \
  template void HistoryRow<dim>::add_reactions();                              \
  template std::array<double, 2> HistoryRow<dim>::look_at_bodies(              \
      const double);                                                           \
  template const std::vector<double> &HistoryRow<dim>::values(                 \
      const unsigned int,                                                      \
      const double,                                                            \
      const double,                                                            \
      const bool,                                                              \
      const NewtonReport &)
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus

#include <delassus/base/exceptions.h>
#include <delassus/simulation/contact_phase.h>
#include <delassus/systems/match_positions.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace delassus
{
using namespace dealii;

template <int dim>
struct ContactPhase<dim>::Numbering
{
  /// Reference positions, and what tells points at the same place apart: the
  /// piece of a node, interaction and piece of a candidate point.
  std::vector<double> nodes, points;
  std::vector<unsigned int> node_label, point_label;
  std::uint64_t faces = 0; ///< checksum of their nodes

  explicit Numbering(const Model<dim> &model)
      : nodes(model.surfaces->reference)
  {
    const auto &surfaces = *model.surfaces;
    for (const auto &node : surfaces.nodes)
      node_label.push_back(node.piece);
    point_label.resize(surfaces.points.size());
    for (unsigned int k = 0; k < model.interactions.size(); ++k)
      for (unsigned int p = model.interactions[k].first_point;
           p < model.interactions[k].end_point;
           ++p)
        point_label[p] = k * surfaces.n_pieces() + surfaces.points[p].piece;
    for (const auto &point : surfaces.points)
    {
      const Point<dim> position = surfaces.position(point, surfaces.reference);
      for (unsigned int c = 0; c < dim; ++c)
        points.push_back(position[c]);
    }
    std::string bytes;
    for (const auto &face : surfaces.faces)
      for (unsigned int v = 0; v < face.n_nodes; ++v)
      {
        const unsigned int node = face.nodes[v];
        bytes.append(reinterpret_cast<const char *>(&node), sizeof(node));
      }
    faces = checksum(bytes.data(), bytes.size());
  }

  void archive(Archive &archive)
  {
    archive("nodes", nodes);
    archive("points", points);
    archive("labels of nodes", node_label);
    archive("labels of points", point_label);
    archive("faces", faces);
  }

  bool operator==(const Numbering &other) const
  {
    return faces == other.faces && nodes == other.nodes &&
           points == other.points && node_label == other.node_label &&
           point_label == other.point_label;
  }
};

template <int dim>
void ContactPhase<dim>::archive(Archive &archive)
{
  Numbering numbering(model);
  archive("numbering", numbering);

  archived.archive(archive);
  archive("converged", result.converged);
  archive("without W", delassus.spared);

  archive("first detection", found.is_first);
  archive("number of detections", n_detections);
  archive("friction iterations", friction.n_iterations);
  archive("positions of detection", found.x);
  archive("time of detection", found.t);
  archive("reach of detection", found.reach);
  bool must_detect = !found.is_valid;
  archive("must detect", must_detect);
  found.is_valid    = !must_detect;
  auto active_nodes = delassus.compliance.history;
  archive("active nodes", active_nodes);
  archive("at start", at_start);
  working.archive(archive);
  solvers.archive(archive);
  if (archive.saving())
    return;
  delassus.stale = true;
  ContactSet<dim>::accept();
  if (ranks.rank != 0)
    archived = ContactSet<dim>();
  if (numbering == Numbering(model))
  {
    scatter(std::move(archived));
    // In Newton loops the matrices come later, and compliances with them.
    delassus.compliance.update();
    delassus.compliance.repeat(active_nodes);
  }
  else
    translate(numbering);
  archived = ContactSet<dim>();
}

template <int dim>
void ContactPhase<dim>::prepare_archive()
{
  archived = gathered();
}

template <int dim>
void ContactPhase<dim>::translate(const Numbering &there)
{
  const Numbering here(model);
  const auto match = [](const auto &from,
                        const auto &from_label,
                        const auto &to,
                        const auto &to_label)
  {
    const auto result = match_positions(dim, from, from_label, to, to_label);
    if (from_label.size() != to_label.size() ||
        std::find(result.begin(),
                  result.end(),
                  std::numeric_limits<unsigned int>::max()) != result.end())
      throw InputError("The contact surfaces are not those of the checkpoint: "
                       "a mesh has changed. Start anew without --resume.");
    return result;
  };
  const auto node_there =
      match(there.nodes, there.node_label, here.nodes, here.node_label);
  const auto point_here =
      match(here.points, here.point_label, there.points, there.point_label);

  if (!found.x.empty())
  {
    const std::vector<double> x_there = found.x;
    for (unsigned int i = 0; i < node_there.size(); ++i)
      for (unsigned int c = 0; c < dim; ++c)
        found.x[dim * i + c] = x_there[dim * node_there[i] + c];
  }

  // The old contacts with the new numbers of their points, in the order of
  // detection; their nodes and faces are not looked at any more.
  for (auto &contact : archived.contacts)
    contact.point = point_here[contact.point];
  std::vector<unsigned int> order(archived.contacts.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(),
                   order.end(),
                   [&](const unsigned int a, const unsigned int b)
                   {
                     const auto &A = archived.contacts[a];
                     const auto &B = archived.contacts[b];
                     return A.interaction != B.interaction
                                ? A.interaction < B.interaction
                                : A.point < B.point;
                   });
  old = ContactSet<dim>();
  for (const unsigned int a : order)
  {
    old.contacts.push_back(archived.contacts[a]);
    old.P.insert(old.P.end(),
                 archived.P.begin() + dim * a,
                 archived.P.begin() + dim * (a + 1));
    old.status.push_back(archived.status[a]);
    if (archived.states.n_contacts() == 0)
      continue;
    std::vector<double> state;
    archived.states.pack(a, state);
    old.states.unpack(archived.states.n_values(a), state.data());
    old.state_is_new.push_back(archived.state_is_new[a]);
  }
  if (!found.is_first)
  {
    places.place_bodies_at(found.x, found.t);
    detector.obstacle_search.start_from(found.x, found.t, old.contacts);
    detector.detect(found.x, found.t, found.reach, contacts);
    n_contacts        = contacts.size();
    ranks.distributed = false; // the old contacts are on rank 0
    if (ranks.n_ranks > 1)
      distribute_contacts();
    carry_impulses();
  }
  U.assign(dim * contacts.size(), 0.);
  gaps_end.assign(contacts.size(), 0.);
}

template void ContactPhase<2>::archive(Archive &);
template void ContactPhase<3>::archive(Archive &);
template void ContactPhase<2>::prepare_archive();
template void ContactPhase<3>::prepare_archive();
} // namespace delassus

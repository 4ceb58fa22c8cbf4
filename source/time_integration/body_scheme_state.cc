// Solid bodies in checkpoints.
#include <delassus/systems/match_positions.h>
#include <delassus/time_integration/body_scheme.h>
#include <delassus/time_integration/nodal_state.h>

#include <fmt/format.h>

#include <limits>

namespace delassus
{
using namespace dealii;

template <int dim>
NodalState nodes_of(const SolidBody<dim> &body)
{
  NodalState state;
  state.positions.reserve(body.owned_dofs.n_elements());
  state.pieces.reserve(body.owned_dofs.n_elements() / dim);
  for (const auto dof : body.owned_dofs)
  {
    const unsigned int node = dof / dim;
    state.positions.push_back(body.nodes[node][dof % dim]);
    if (dof % dim == 0)
      state.pieces.push_back(body.node_piece[node]);
  }
  return state;
}

template <int dim>
std::vector<Vector *> BodyScheme<dim>::whole_state()
{
  auto vectors = state();
  if (reaction_force.size() > 0)
    for (Vector *vector : { &reaction_force, &released_force, &offset })
      vectors.push_back(vector);
  return vectors;
}

template <int dim>
void BodyScheme<dim>::save_state(Archive &archive) const
{
  NodalState saved = nodes_of(body);
  for (const Vector *vector :
       const_cast<BodyScheme<dim> *>(this)->whole_state())
    saved.values.emplace_back(vector->begin(), vector->end());
  archive("nodes", saved);
}

template <int dim>
std::unique_ptr<SavedState> BodyScheme<dim>::read_state(Archive &archive) const
{
  auto saved = std::make_unique<NodalState>();
  archive("nodes", *saved);
  return saved;
}

template <int dim>
bool BodyScheme<dim>::is_same(const SavedState &saved) const
{
  const auto &there = dynamic_cast<const NodalState &>(saved);
  const auto here   = nodes_of(body);
  return there.positions == here.positions && there.pieces == here.pieces;
}

template <int dim>
void BodyScheme<dim>::load_state(const SavedState &saved)
{
  const auto &there  = dynamic_cast<const NodalState &>(saved);
  const auto vectors = whole_state();
  for (std::size_t k = 0; k < vectors.size(); ++k)
    std::copy_n(there.values.at(k).begin(),
                vectors[k]->locally_owned_size(),
                vectors[k]->begin());
}

template <int dim>
std::string BodyScheme<dim>::load_matching(
    const std::vector<std::unique_ptr<SavedState>> &parts)
{
  NodalState all;
  for (const auto &part : parts)
    all.append(dynamic_cast<const NodalState &>(*part));
  const auto here  = nodes_of(body);
  const auto there = match_positions(
      dim, all.positions, all.pieces, here.positions, here.pieces);
  if (all.pieces.size() != body.n_nodes() ||
      std::find(there.begin(),
                there.end(),
                std::numeric_limits<unsigned int>::max()) != there.end())
    return fmt::format("The mesh of body '{}' is not that of the checkpoint "
                       "({} nodes, {} there). Start anew without --resume.",
                       body.name(),
                       body.n_nodes(),
                       all.pieces.size());
  const auto vectors = whole_state();
  for (std::size_t k = 0; k < vectors.size(); ++k)
  {
    auto entry = vectors[k]->begin();
    for (std::size_t i = 0; i < vectors[k]->locally_owned_size(); ++i, ++entry)
      *entry = all.values.at(k)[dim * there[i / dim] + i % dim];
  }
  return "";
}

#define INSTANTIATE(dim)                                                       \
  template std::vector<Vector *> BodyScheme<dim>::whole_state();               \
  template void BodyScheme<dim>::save_state(Archive &) const;                  \
  template std::unique_ptr<SavedState> BodyScheme<dim>::read_state(Archive &)  \
      const;                                                                   \
  template bool BodyScheme<dim>::is_same(const SavedState &) const;            \
  template void BodyScheme<dim>::load_state(const SavedState &);               \
  template std::string BodyScheme<dim>::load_matching(                         \
      const std::vector<std::unique_ptr<SavedState>> &)
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus

// Bodies of the Newton loop in checkpoints.
#include <delassus/time_integration/material_state.h>
#include <delassus/time_integration/newton_scheme.h>
#include <delassus/time_integration/nodal_state.h>

#include <fmt/format.h>

namespace delassus
{
using namespace dealii;

namespace
{
struct NodesAndMaterials : public SavedState
{
  std::unique_ptr<SavedState> nodes;
  MaterialState materials;
};
} // namespace

template <int dim>
void NewtonScheme<dim>::save_state(Archive &archive) const
{
  BodyScheme<dim>::save_state(archive);
  MaterialState materials;
  materials.save(*this);
  archive("materials", materials);
}

template <int dim>
std::unique_ptr<SavedState>
NewtonScheme<dim>::read_state(Archive &archive) const
{
  auto saved   = std::make_unique<NodesAndMaterials>();
  saved->nodes = BodyScheme<dim>::read_state(archive);
  archive("materials", saved->materials);
  return saved;
}

template <int dim>
bool NewtonScheme<dim>::is_same(const SavedState &saved) const
{
  const auto &there = dynamic_cast<const NodesAndMaterials &>(saved);
  return BodyScheme<dim>::is_same(*there.nodes) && there.materials.is_of(*this);
}

template <int dim>
void NewtonScheme<dim>::load_state(const SavedState &saved)
{
  const auto &there = dynamic_cast<const NodesAndMaterials &>(saved);
  BodyScheme<dim>::load_state(*there.nodes);
  there.materials.load(*this);
}

template <int dim>
std::string NewtonScheme<dim>::load_matching(
    const std::vector<std::unique_ptr<SavedState>> &parts)
{
  NodalState nodes;
  MaterialState materials;
  for (const auto &part : parts)
  {
    const auto &there = dynamic_cast<const NodesAndMaterials &>(*part);
    nodes.append(dynamic_cast<const NodalState &>(*there.nodes));
    materials.append(there.materials, dim);
  }
  std::vector<std::unique_ptr<SavedState>> all;
  all.push_back(std::make_unique<NodalState>(std::move(nodes)));
  const std::string error = BodyScheme<dim>::load_matching(all);
  if (!error.empty())
    return error;
  return materials.load_matching(*this)
             ? ""
             : fmt::format("The cells of body '{}' are not those of the "
                           "checkpoint. Start anew without --resume.",
                           body.name());
}

template <int dim>
void NewtonScheme<dim>::forget()
{
  force_at_q  = false;
  has_tangent = false;
  h_of_matrix = 0.;
  frequency   = 0.;
  internal.begin_step();
}

template <int dim>
void NewtonScheme<dim>::archive(Archive &archive)
{
  archive("matrix steps", matrix_steps);
  archive("forces known", start_known);
  archive("fictitious mass", mass_scale);
  if (!archive.saving())
    forget();
}

#define INSTANTIATE(dim)                                                       \
  template void NewtonScheme<dim>::save_state(Archive &) const;                \
  template std::unique_ptr<SavedState> NewtonScheme<dim>::read_state(          \
      Archive &) const;                                                        \
  template bool NewtonScheme<dim>::is_same(const SavedState &) const;          \
  template void NewtonScheme<dim>::load_state(const SavedState &);             \
  template std::string NewtonScheme<dim>::load_matching(                       \
      const std::vector<std::unique_ptr<SavedState>> &);                       \
  template void NewtonScheme<dim>::forget();                                   \
  template void NewtonScheme<dim>::archive(Archive &)
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus

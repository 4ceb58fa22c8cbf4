#include <delassus/simulation/recorder.h>

#include <fmt/format.h>

namespace delassus
{
using namespace dealii;

template <int dim>
void Recorder<dim>::add_tool_columns(std::vector<std::string> &columns) const
{
  for (const auto &obstacle : model.obstacles)
    if (obstacle.moves())
      for (const char *quantity : { "u", "v", "force" })
        for (unsigned int c = 0; c < dim; ++c)
          columns.push_back(
              fmt::format("{}:tool_{}_{}", obstacle.name, quantity, "xyz"[c]));
}

template <int dim>
void Recorder<dim>::add_tool_values(const double t,
                                    std::vector<double> &values) const
{
  for (unsigned int o = 0; o < model.obstacles.size(); ++o)
  {
    const auto &obstacle = model.obstacles[o];
    if (!obstacle.moves())
      continue;
    const Tensor<1, dim> u = obstacle.translation(t);
    Tensor<1, dim> v = (u - obstacle.translation(t - last_h)) / last_h, force;
    const int tool   = model.tools.tool_of(o);
    for (unsigned int c = 0; c < dim && tool >= 0; ++c)
      if (model.tools.tools[tool].free[c])
        v[c] = model.tools.tools[tool].v[c];
    for (unsigned int p = 0; p < model.pairs.size(); ++p)
      if (model.pairs[p].antagonist == obstacle.name)
        force -= pair_force[p];
    for (const auto &vector : { u, v, force })
      for (unsigned int c = 0; c < dim; ++c)
        values.push_back(vector[c]);
  }
}

template void Recorder<2>::add_tool_columns(std::vector<std::string> &) const;
template void Recorder<3>::add_tool_columns(std::vector<std::string> &) const;
template void Recorder<2>::add_tool_values(const double,
                                           std::vector<double> &) const;
template void Recorder<3>::add_tool_values(const double,
                                           std::vector<double> &) const;
} // namespace delassus

#include <delassus/simulation/recorder.h>

#include <fmt/format.h>

namespace delassus
{
using namespace dealii;

template <int dim>
void Recorder<dim>::add_tool_columns(std::vector<std::string> &columns) const
{
  for (unsigned int o = 0; o < model.obstacles.size(); ++o)
  {
    const auto &obstacle = model.obstacles[o];
    if (!obstacle.moves())
      continue;
    for (const char *quantity : { "u", "v", "force" })
      for (unsigned int c = 0; c < dim; ++c)
        columns.push_back(
            fmt::format("{}:tool_{}_{}", obstacle.name, quantity, "xyz"[c]));
    const int tool = model.tools.tool_of(o);
    if (tool >= 0 && model.tools.tools[tool].free[dim])
      for (const char *quantity : { "angle", "spin", "moment" })
        columns.push_back(fmt::format("{}:tool_{}", obstacle.name, quantity));
  }
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
    if (tool < 0 || !model.tools.tools[tool].free[dim])
      continue;
    const auto &turning = model.tools.tools[tool];
    values.push_back(turning.d[dim] * 180. / numbers::PI);
    values.push_back(turning.v[dim]);
    values.push_back(turning.impulse[dim] / last_h);
  }
}

template void Recorder<2>::add_tool_columns(std::vector<std::string> &) const;
template void Recorder<3>::add_tool_columns(std::vector<std::string> &) const;
template void Recorder<2>::add_tool_values(const double,
                                           std::vector<double> &) const;
template void Recorder<3>::add_tool_values(const double,
                                           std::vector<double> &) const;
} // namespace delassus

#include <delassus/simulation/recorder.h>

#include <algorithm>

namespace delassus
{
void NewtonReport::add_substep(const double h,
                               const std::size_t n_iterations,
                               const double momentum_residual)
{
  smallest_step  = substeps == 0 ? h : std::min(smallest_step, h);
  worst_residual = std::max(worst_residual, momentum_residual);
  iterations += n_iterations;
  ++substeps;
}

template <int dim>
bool Recorder<dim>::has_newton_columns() const
{
  if (model.is_nonlinear() || model.stage.stages.empty())
    return model.is_nonlinear();
  const auto &all = input.values; // as the file has them, not as the stage
  return std::any_of(all.rigid_bodies.begin(),
                     all.rigid_bodies.end(),
                     [](const RigidBodyParameters &body)
                     {
                       return body.free_about_axis || body.free[3] ||
                              body.free[4] || body.free[5];
                     }) ||
         std::any_of(all.obstacles.begin(),
                     all.obstacles.end(),
                     [](const ObstacleParameters &tool)
                     { return tool.free.size() > dim && tool.free[dim]; });
}

template <int dim>
void Recorder<dim>::note_substep(const double t,
                                 const double h,
                                 const unsigned int iterations,
                                 const double momentum_residual)
{
  if (!(momentum_residual <= model.parameters.newton.tolerance))
    momentum.note(t, momentum_residual);
  for (auto *report : { &newton_step, &newton_run })
    report->add_substep(h, iterations, momentum_residual);
}

template <int dim>
void Recorder<dim>::note_cut(const unsigned int iterations)
{
  for (auto *report : { &newton_step, &newton_run })
  {
    report->iterations += iterations;
    ++report->cuts;
  }
}

template <int dim>
void Recorder<dim>::note_matrices(const std::size_t n_matrices,
                                  const std::size_t n_indefinite)
{
  newton_step.indefinite += n_indefinite - newton_run.indefinite;
  newton_run.matrices   = n_matrices;
  newton_run.indefinite = n_indefinite;
}

#define INSTANTIATE(dim)                                                       \
  template bool Recorder<dim>::has_newton_columns() const;                     \
  template void Recorder<dim>::note_substep(                                   \
      const double, const double, const unsigned int, const double);           \
  template void Recorder<dim>::note_cut(const unsigned int);                   \
  template void Recorder<dim>::note_matrices(const std::size_t,                \
                                             const std::size_t)
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus

#ifndef delassus_output_obstacle_output_h
#define delassus_output_obstacle_output_h

#include <delassus/contact/detection/obstacle.h>

namespace delassus
{
/// All obstacles at time @p t as lines (2D) or surfaces (3D) in one .vtu file,
/// with the number of each as cell data. Those without end are cut near the
/// box @p around, which holds the bodies. The file has the name of the
/// @p stage, if there is one. Throws ComputationError if the file
/// cannot be written.
template <int dim>
void write_obstacles(const std::string &path,
                     const std::vector<Obstacle<dim>> &obstacles,
                     const dealii::BoundingBox<dim> &around,
                     const double t,
                     const std::string &stage = "");
} // namespace delassus

#endif

#ifndef delassus_simulation_check_sheets_h
#define delassus_simulation_check_sheets_h

// Inner part of check: what it tells of bodies of type shell.
#include <delassus/output/point_cloud.h>
#include <delassus/simulation/model.h>

#include <ostream>

namespace delassus
{
/// Their pieces, elements, thickness, mass and edges. Returns the shortest time
/// in which a wave of stretch crosses an edge.
template <int dim>
double describe_sheets(const Model<dim> &model, std::ostream &out);

/// Their faces with the number of the surface, counted on from @p number, and
/// of the body, and outward normals.
template <int dim>
void add_faces_of_sheets(const Model<dim> &model,
                         unsigned int number,
                         PointCloud<dim> &cloud,
                         std::ostream &out);
} // namespace delassus

#endif

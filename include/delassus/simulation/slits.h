#ifndef delassus_simulation_slits_h
#define delassus_simulation_slits_h

#include <delassus/simulation/model.h>

#include <string>
#include <vector>

namespace delassus
{
/// Warnings of bodies that are torn where nobody sees it: boundary faces of one
/// body that lie on each other with opposite normals, as duplicate nodes of an
/// unmerged mesh make them. Blocks that an interaction lets touch are meant to
/// be apart.
template <int dim>
std::vector<std::string> find_slits(const Model<dim> &model);
} // namespace delassus

#endif

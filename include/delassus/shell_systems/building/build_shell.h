#ifndef delassus_shell_systems_building_build_shell_h
#define delassus_shell_systems_building_build_shell_h

#include <delassus/shell_systems/building/sheet_conditions.h>
#include <delassus/shell_systems/shell_system.h>

namespace delassus
{
/// The pieces of a body of type shell. @p laws: of its layers, from the inner
/// face outwards; they must live as long as the pieces. @p damping: in
/// proportion to the mass, of the layers. @p warnings: what is odd but may be
/// meant. @p has_axes: the material of some layer has axes, so that the rolling
/// direction matters. @p mass is what it has. @p
/// least_rotary: see ShellPieceSettings.
std::vector<ShellSystem::Given>
build_shell(const ShellParameters &shell,
            const SheetMesh &sheet,
            const SheetConditions &conditions,
            const std::vector<const SheetLaw *> &laws,
            const bool has_axes,
            const std::vector<double> &damping,
            const std::vector<double> &gravity,
            std::vector<std::string> &warnings,
            double &mass,
            const double least_rotary = 0.);
} // namespace delassus

#endif

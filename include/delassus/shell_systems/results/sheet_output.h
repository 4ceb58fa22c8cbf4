#ifndef delassus_shell_systems_results_sheet_output_h
#define delassus_shell_systems_results_sheet_output_h

#include <delassus/bodies/results/solid_output.h>
#include <delassus/shell_systems/shell_system.h>

#include <array>
#include <unordered_map>
#include <vector>

namespace delassus
{
/// What is shown of one sheet, a body of type shell.
struct SheetShown
{
  const ShellSystem *sheet;
  unsigned int number;                     ///< of the body
  const std::vector<Voigt> *moment_stress; ///< per piece
  /// By carrier, of the vertices of its faces: pressure and traction of
  /// contact. Null: the run has no contact, and the fields are not written.
  const std::unordered_map<unsigned int, std::array<double, 4>> *contact =
      nullptr;
};

/// The sheets of this rank, drawn with their thickness: hexahedra from the
/// inner face to the middle and from there to the outer face, or one for each
/// layer. Points are those at rest; displacements lead to where they are, at
/// the present thickness. Each quad has points of its own.
///
/// Fields have the names that those of solids have (write_solids); besides
/// thickness, thinning, major_strain, minor_strain, section_force,
/// section_moment (11 22 12), director, material_direction and, with
/// @p layers, layer. @p h: of the step that has ended. @p extrema takes this
/// rank's extreme stresses too.
VtuPiece sheet_piece(const std::vector<SheetShown> &sheets,
                     const double h,
                     const bool layers,
                     StressExtrema &extrema);

/// Where the pieces of sheets are at present, on all ranks: centre of mass and
/// volume.
std::vector<PiecePlace<3>>
places_of_sheets(const std::vector<SheetShown> &sheets, MPI_Comm communicator);
} // namespace delassus

#endif

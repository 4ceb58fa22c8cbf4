#ifndef delassus_bodies_results_solid_output_h
#define delassus_bodies_results_solid_output_h

#include <delassus/bodies/internal_forces.h>
#include <delassus/output/contact_output.h>
#include <delassus/output/vtu_file.h>

#include <array>
#include <unordered_map>

namespace delassus
{
/// What is shown of one body.
template <int dim>
struct SolidFields
{
  const SolidBody<dim> *body;
  const Vector *displacement;
  const Vector *velocity;
  const std::vector<Voigt> *moment_stress; ///< per piece
  /// Of a body in the Newton loop: what its points know.
  const InternalForces<dim> *internal = nullptr;
  /// By node, where contact acts: its pressure and traction. Null: the run has
  /// no contact, and the fields are not written.
  const std::unordered_map<unsigned int, std::array<double, dim + 1>> *contact =
      nullptr;
};

/// The cells of this rank, of all bodies: displacement, velocity, stress and
/// strain (xx yy zz xy yz zx), von Mises stress, principal stresses (of the
/// plane, in 2D) with their directions, body, piece (block) and the moment
/// stress of the piece. If one of the bodies is in the Newton loop also volume
/// ratio, principal logarithmic strains and what the materials remember: 0
/// where a body has no such field.
template <int dim>
VtuPiece solid_piece(const std::vector<SolidFields<dim>> &fields);

/// These in one .vtu file, which several ranks write together (write_pieces).
template <int dim>
void write_solids(const std::string &path,
                  const std::vector<SolidFields<dim>> &fields,
                  MPI_Comm communicator,
                  const std::string &stage = "");

/// Where the pieces of the bodies are, numbered across bodies; on all ranks.
template <int dim>
std::vector<PiecePlace<dim>>
places_of_pieces(const std::vector<SolidFields<dim>> &fields,
                 MPI_Comm communicator);

/// Extreme stresses over all quadrature points of all bodies and ranks.
struct StressExtrema
{
  double largest_principal  = 0.; ///< most tensile (in the plane, in 2D)
  double smallest_principal = 0.; ///< most compressive
  double von_mises          = 0.;
};

/// @p others: what this rank has seen elsewhere.
template <int dim>
StressExtrema stress_extrema(const std::vector<SolidFields<dim>> &fields,
                             MPI_Comm communicator,
                             const StressExtrema &others = {});
} // namespace delassus

#endif

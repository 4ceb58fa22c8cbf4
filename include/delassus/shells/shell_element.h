#ifndef delassus_shells_shell_element_h
#define delassus_shells_shell_element_h

#include <delassus/shells/shell_section.h>
#include <delassus/shells/vector3.h>

#include <array>

namespace delassus
{
/// A quadrilateral shell with four nodes, each with a position x_i and a
/// director d_i of length one:
///   x(r, s, zeta) = sum h_i x_i + zeta sum h_i b_i d_i,   b_i = a_i / 2,
/// a_i the thickness, h_i the bilinear functions of r, s in [-1, 1], nodes 0 to
/// 3 at (1, 1), (-1, 1), (-1, -1), (1, -1). All strains are Green's,
///   E_ab = (g_a . g_b - G_a . G_b) / 2,   g_a = dx / d(r, s, zeta),
/// so they are exactly zero in any rigid motion. They depend on seven vectors,
///   x = x_0 + r x_r + s x_s + rs x_d,
///   D = D_0 + r D_r + s D_s + rs D_d   (of b_i d_i),
/// only through products of two of them: strains and their derivatives are
/// found in these, nodes come last (doc/shells.md).

/// x_r, x_s, x_d, D_0, D_r, D_s, D_d one after another.
constexpr unsigned int n_shell_values = 21;
using ShellValues                     = std::array<double, 24>;

/// Of (x_0, d_0, x_1, d_1, x_2, d_2, x_3, d_3): the forces on positions and
/// directors, work-conjugate to their changes.
constexpr unsigned int n_shell_dofs = 24;

/// What of the element can be chosen.
struct ShellFormulation
{
  /// Membrane strains tied as in MITC4+; or as displacements give them.
  bool tied_membrane = true;

  /// Four enhanced membrane modes.
  bool enhanced = true;
};

/// The reference configuration at one of the 2 x 2 points of the plane.
struct ShellPoint
{
  double r, s;

  /// E_rr, E_ss, 2 E_rs of the membrane as sums of the products
  /// x_r.x_r, x_s.x_s, x_d.x_d, x_r.x_s, x_r.x_d, x_s.x_d.
  double membrane[3][6];

  /// (E_11, E_22, 2 E_12) of these at zeta = 0, and back.
  double to_local[3][3], from_local[3][3];

  /// (E_11, E_22, 2 E_12) of the four modes.
  double modes[3][4];

  /// G_a . e_alpha at zeta = 0 and its slope, e_1 along the rolling direction
  /// and e_2 across it, both in the plane.
  double base[2][2], base_slope[2][2];

  /// m^a . e_alpha / (D . n): from 2 E_a zeta to gamma_alpha 3.
  double shear[2][2];

  /// dV = (J[0] + zeta J[1] + zeta^2 J[2]) dr ds dzeta.
  double J[3];

  /// The strain measures at rest.
  std::array<double, 11> rest;

  Vector3 e1, e2, normal;
};

struct ShellGeometry
{
  std::array<ShellPoint, 4> point;
  std::array<double, 4> half; ///< b_i of the reference
  bool flat;                  ///< base_slope is zero
  double area;
};

/// The seven vectors of positions, directors and half lengths at four nodes.
ShellValues shell_values(const std::array<Vector3, 4> &x,
                         const std::array<Vector3, 4> &d,
                         const std::array<double, 4> &half);

/// @p rolling: a direction in space; where it is across the sheet, or zero, the
/// one of r is taken. The element has to be one that check_shell_quad() lets
/// pass.
ShellGeometry make_shell_geometry(const std::array<Vector3, 4> &x,
                                  const std::array<Vector3, 4> &d,
                                  const std::array<double, 4> &thickness,
                                  const Vector3 &rolling,
                                  const ShellFormulation &formulation);

/// The enhanced modes of an element, and what carries them on to the next
/// iterate: with the values z there,
///   alpha_next = alpha - correction - coupling (z_next - z).
struct ShellModes
{
  std::array<double, 4> alpha{}, correction{};
  std::array<std::array<double, n_shell_values>, 4> coupling{};
  ShellValues z{};
};

struct ShellTask
{
  bool tangent = true;

  /// The modes are found in the element until they are in balance, whatever the
  /// matrix that corrects the nodes; without tangent this is always so.
  /// Otherwise they follow the nodes by the condensation of the iterate before:
  /// residual and tangent are condensed, and both converge together, which
  /// takes one evaluation of the material an iteration but, where it yields,
  /// many more iterations.
  bool solve_modes = true;
};

enum class ShellTrouble
{
  none,
  material, ///< the law has no answer
  modes     ///< the enhanced modes were not found
};

struct ShellResult
{
  /// dW/d(x_i, d_i) of the energy W: internal forces, and their derivative.
  std::array<double, n_shell_dofs> force;
  std::array<std::array<double, n_shell_dofs>, n_shell_dofs> tangent;

  double stored, dissipated;

  /// ln of the stretch across the plane, its mean through the thickness, at the
  /// points of the plane.
  std::array<double, 4> thickness_strain;

  /// Work that the modes' imbalance could still do.
  double modes_error;
};

/// Forces and tangent of one element in the configuration @p z at the end of a
/// step of length @p h; @p half are the half lengths that are in z: those of
/// the reference unless the sheet has become thinner. History is that of the
/// four points one after another, each section.n_history() long. Where there is
/// trouble, the modes are as before and all else is not to be used.
ShellTrouble evaluate_shell(const ShellGeometry &geometry,
                            const ShellFormulation &formulation,
                            const ShellSection &section,
                            const ShellValues &z,
                            const std::array<double, 4> &half,
                            const double h,
                            const ShellTask &task,
                            const double *begin,
                            double *end,
                            ShellModes &modes,
                            ShellResult &result);

/// Green's strain (E_11, E_22, 2 E_12) in the axes e_1, e_2 of a point of the
/// plane, at zeta, with the modes on it: what the law is asked with, but for
/// the angle of its layer.
std::array<double, 3> shell_strain(const ShellGeometry &geometry,
                                   const ShellFormulation &formulation,
                                   const ShellValues &z,
                                   const ShellModes &modes,
                                   const unsigned int point,
                                   const double zeta);

/// Nodal masses sum rho a h_i dA, and the rotary inertia about axes in the
/// plane of the sheet, rho a^3/12 h_i dA. All positive.
void shell_mass(const ShellGeometry &geometry,
                const ShellSection &section,
                std::array<double, 4> &mass,
                std::array<double, 4> &rotary);

/// f_i = p int h_i x_r x x_s dr ds: a pressure on the side that the normal
/// leaves, so that forces point along the normal for p > 0 (three values a
/// node); and the symmetric part of its derivative df/dx, 12 x 12, which is all
/// of it where the edges are held or the surface is closed.
void shell_pressure(const std::array<Vector3, 4> &x,
                    const double p,
                    std::array<double, 12> &force,
                    std::array<std::array<double, 12>, 12> *stiffness);

/// The bilinear functions and where the points are.
constexpr std::array<double, 4> shell_xi{ { 1., -1., -1., 1. } },
    shell_eta{ { 1., 1., -1., -1. } };
} // namespace delassus

#endif

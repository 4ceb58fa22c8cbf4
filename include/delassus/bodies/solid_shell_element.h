#ifndef delassus_bodies_solid_shell_element_h
#define delassus_bodies_solid_shell_element_h

#include <vector>

namespace delassus
{
/// A hexahedron through the thickness of a sheet: 2 x 2 points in the plane,
/// any number through the thickness, which is the third direction of the
/// reference cell. Strains are Green's, in the components of the reference
/// coordinates xi, eta, zeta in [-1, 1],
///   E_ij = (g_i . g_j - G_i . G_j) / 2,   g_i = dx/dxi_i,
/// so they vanish in every rigid motion. E_11, E_22 and E_12 are those of the
/// displacements; tied are E_31, linear between (0, -1, 0) and (0, 1, 0), E_23,
/// linear between (-1, 0, 0) and (1, 0, 0), and E_33, bilinear between the
/// middles of the four edges across the sheet: else bending would shear the
/// cell and, where the sheet is curved, squeeze it.
///
/// Seven enhanced modes,
///   xi on 11, eta on 22, zeta, xi zeta, eta zeta on 33, xi and eta on 2 12,
/// in the base of the centre (whose vectors are taken with length one) times
/// j_0 / j, so that constant stresses do no work on them. With them the cell
/// bends in its plane, becomes thinner on one side as it bends, and keeps its
/// volume where the material wants it. They are a stretch,
///   C+ = A (1 + 2 E) A,   A = 1 + e + e e / 2,   e = sum alpha_k M_k,
/// that is, added to logarithmic strains but for third powers: added to Green's
/// they would be unstable where a material hardens by less than twice its
/// stress.
///
/// The material gets F = R A, R upper triangular with R^T R = 1 + 2 E in a
/// frame E_1 along G_1, E_2 in the plane of G_1 and G_2, E_3 across it. That is
/// the deformation gradient seen from the frame e_1, e_2, e_3 made of g_1 and
/// g_2 in the same way, with the strains that are tied and enhanced: histories
/// stay in the frame of the material, and turning the sheet changes nothing.
///
/// Plain doubles without deal.II. Stresses and strains in the order 11 22 33 12
/// 23 31, strains with shear angles.
constexpr unsigned int n_solid_shell_modes = 7;
constexpr unsigned int n_solid_shell_dofs  = 24;

/// The points of the reference cell, the same for all cells.
struct SolidShellRule
{
  struct Point
  {
    double xi[3];
    double mode[n_solid_shell_modes]; ///< xi, eta, zeta, xi zeta ...
    double gradient[8][3];            ///< of the functions of the nodes
    double shear_31[2], shear_23[2], thickness[4]; ///< weights of samples
  };
  std::vector<Point> points;

  /// @p coordinates: three for each point.
  explicit SolidShellRule(const std::vector<double> &coordinates);
};

/// The reference configuration at one point.
struct SolidShellPoint
{
  double weight;      ///< the factor j of dV = j dxi deta dzeta
  double frame[3][3]; ///< columns E_1, E_2, E_3
  double T[3][3];     ///< T_ia = G^i . E_a: E_ab = sum T_ia E_ij T_jb
  double l[3][3];     ///< rows: G^i_0 |G_i^0| sqrt(j_0 / j), in the frame
};

/// One cell in one configuration.
class SolidShellElement
{
public:
  explicit SolidShellElement(const SolidShellRule &rule);

  /// The points of a cell with these nodes; false if it is degenerate.
  bool make_points(const double (&X)[8][3], SolidShellPoint *points) const;

  /// From here on: a cell with these nodes, moved by u.
  void
  set(const double (&X)[8][3], const double *u, const SolidShellPoint *points);

  /// Whether the cell is turned inside out at point @p q.
  bool inside_out(const unsigned int q) const
  {
    return !(work[q].volume > 0.);
  }

  /// The deformation gradient for the material, in the frame, by rows. False
  /// if there is none: lengths squared that are not positive.
  bool deformation(const unsigned int q, const double *alpha, double *F);

  /// e_1, e_2, e_3 as columns: what turns stresses of the material into space.
  void present_frame(const unsigned int q, double (&e)[3][3]) const;

  /// Kirchhoff stress and tangent (c of Material) that the material has
  /// answered with, times dV.
  void set_response(const unsigned int q,
                    const double dV,
                    const double *stress,
                    const double *tangent);

  /// Forces on the modes and their stiffness, of all points.
  void modes(double *force, double (*stiffness)[n_solid_shell_modes]) const;

  /// Forces on the nodes, and d(force on a mode)/d(node).
  void forces(double *f, double (*mixed)[n_solid_shell_dofs]) const;

  /// The tangent with the modes held, row by row, 24 x 24.
  void tangent(double *K) const;

private:
  struct Work
  {
    double g[3][3];       ///< present base vectors
    double E[6];          ///< in components of the cell
    double volume;        ///< g_1 x g_2 . g_3
    double R[3][3];       ///< upper triangular
    double inverse[3][3]; ///< of R
    double A_inverse[3][3];
    double B[4][3][3]; ///< A^-1 dA/da, a the amplitudes of 11, 22, 33, 2 12
    double dV;
    double tau[6], c[6][6];
    double N[3][3];   ///< R^-1 tau R^-T
    double cell_N[6]; ///< in components of the cell
    double d[4][6];   ///< rates of deformation of the amplitudes
    double cd[4][6];  ///< c d
    double X[3][3];   ///< T R^-1
  };

  void amplitudes(const unsigned int q, const double *alpha, double *a) const;
  void strain_matrix(const unsigned int q, double (*B)[24]) const;

  const SolidShellRule &rule;
  const SolidShellPoint *reference = nullptr;
  std::vector<Work> work;
  double samples_31[2][24], samples_23[2][24], samples_33[4][24];
};
} // namespace delassus

#endif

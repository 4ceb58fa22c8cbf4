#ifndef delassus_bodies_internal_forces_h
#define delassus_bodies_internal_forces_h

#include <delassus/bodies/solid_body.h>
#include <delassus/materials/material.h>

namespace delassus
{
class SolidShellCells;

/// The internal forces of a body of any material, their tangent, and the
/// history of its quadrature points.
///
///   f(q) = int tau : grad(delta u) dV,   K = df/dq,
///
/// integrals over the reference configuration, gradients with respect to the
/// present one x = X + u. f resists: the momentum balance has -f.
///
/// Plastic flow keeps the volume, and elements of low degree have too few ways
/// to move that do (locking). So the volume ratio J is taken as its mean over a
/// group of points (`Dilatation = mean`):
///
///   Fbar = (Jbar / J)^(1/3) F,  Jbar = int J dV / int dV,
///   f = int taubar : (grad delta u + (delta ln Jbar - div delta u)/3 I) dV
///
/// This is the derivative of the energy of Fbar, so that K is symmetric (the
/// usual F-bar method tests with grad delta u and is not). A group is a cell;
/// for triangles and tetrahedra of degree 1, where J is the same all over a
/// cell, a patch of neighbouring cells.
///
/// Small-strain materials: the same on the reference configuration with the
/// trace of the strain (B-bar).
///
/// The tangent of nearly incompressible materials. A linear correction du
/// leaves the group with a volume error of second order, which the bulk modulus
/// turns into a pressure far from that of the solution, and the geometric
/// stiffness of that pressure makes K indefinite. So the pressure in K (not in
/// f) is the one that the correction was made for,
///
///   p' = p - kappa (ln Jbar - ln Jbar_0 - mean div_0 . (u - u_0)),
///
/// 0 the point of the last tangent, once predict_pressures() was called (the
/// first tangent of a step has the pressures of its beginning): Newton's method
/// for displacements and mean pressures with the pressures eliminated. The
/// excess goes to zero with du^2, so convergence stays quadratic.
///
/// Of a body that ranks share each rank evaluates all cells of its own nodes:
/// nothing is sent but q, and results do not depend on the number of ranks.
/// (Where p4est holds the mesh each rank has its own cells only, and rows are
/// sent.)
///
/// Cells of solid shells have their own strains and enhanced modes: see
/// solid_shell_cells.h. Their points are 2 x 2 in the plane of the sheet.
template <int dim>
class InternalForces
{
public:
  /// @p points_through: of solid shells, points through the thickness; 0: two
  /// of elastic materials, five of others.
  InternalForces(const SolidBody<dim> &body,
                 const Assumption assumption,
                 const unsigned int points_through = 0);
  ~InternalForces();

  /// Nothing is left of earlier attempts at the step: enhanced modes begin from
  /// those of its beginning.
  void begin_step();

  /// f and, if asked for, K at the displacements @p q, at the end of a step of
  /// length @p h. Returns false, on all ranks, if a point has no answer: see
  /// trouble(). Collective.
  bool evaluate(const Vector &q, const double h, const bool with_tangent);

  /// The state that was evaluated last is the beginning of the next step.
  void accept();

  /// From now on tangents are those of predicted pressures (see above), the
  /// next one from the beginning of the step, which is @p q.
  void predict_pressures(const Vector &q);

  /// Where and why the last evaluation had no answer; empty: nothing here.
  const std::string &trouble() const
  {
    return trouble_text;
  }

  Vector force;
  Matrix tangent;

  /// Elastic energy at the end and inelastic work of the step evaluated last,
  /// this rank's part.
  double stored = 0., dissipated = 0.;
  double stored_before = 0.; ///< at the beginning of the step

  /// Largest norm of grad_x (q1 - q0) over all points and ranks, x that of q1:
  /// how much a step strains and turns.
  double largest_strain_increment(const Vector &q0, const Vector &q1) const;

  /// The most that sqrt(K/M) can be: the square root of the largest sum of a
  /// row of |K| over the lumped mass (sums of rows; infinite where one is not
  /// positive). Of all ranks.
  double frequency_bound() const;

  /// The largest frequency of the lumped mass and the tangent evaluated last,
  /// from a few power iterations, with five per cent for safety; never above
  /// frequency_bound(). Not anew: from the mode that it found last.
  double highest_frequency(const bool anew = true);

  const Material &law() const
  {
    return *material;
  }

  /// Of this rank's cells (body.owned_cells), point by point; see point().
  unsigned int n_points() const
  {
    return n_q;
  }

  /// The Cauchy stress at a point of a cell, at the end of the last step.
  const Voigt &stress(const unsigned int cell, const unsigned int q) const
  {
    return accepted_stress[point_index(cell, q)];
  }

  const double *history(const unsigned int cell, const unsigned int q) const
  {
    return begin.data() + std::size_t(point_index(cell, q)) * n_history;
  }

  const std::vector<dealii::Point<dim>> &reference_points() const
  {
    return quadrature.get_points();
  }

  const dealii::Quadrature<dim> &rule() const
  {
    return quadrature;
  }

  /// The deformation gradients that the material sees at the displacements
  /// @p q, at all points of the cells of this rank: F of the mean dilatation
  /// where that is used, with what plane stress has found out of plane (small
  /// strain: I + grad u). Values of a cell begin at n_points() times its place,
  /// see place(). If @p chosen cells are given only theirs are computed.
  /// Collective.
  void deformations(const Vector &q,
                    std::vector<dealii::Tensor<2, 3>> &F,
                    const std::vector<unsigned int> *chosen = nullptr) const;

  unsigned int place(const unsigned int cell) const
  {
    return place_of_cell[cell];
  }

  /// What a checkpoint keeps of a cell: history and stresses of its points, and
  /// of solid shells the enhanced modes, one with each of the first points.
  unsigned int state_size() const
  {
    return n_q * (n_history + 6 + n_more);
  }
  void get_state(const unsigned int cell, double *values) const;
  void set_state(const unsigned int cell, const double *values);

  /// Cells whose points this rank has.
  const std::vector<unsigned int> &evaluated_cells() const
  {
    return cells;
  }

private:
  struct Group
  {
    unsigned int first_cell, n_cells; ///< in `cells`
    unsigned int first_node, n_nodes; ///< in group_nodes
  };

  void make_groups();
  void make_pattern();
  void precompute();
  void make_solid_shell();

  unsigned int point_index(const unsigned int cell, const unsigned int q) const
  {
    return place_of_cell[cell] * n_q + q;
  }

  /// Displacements of the group's nodes into u. Of a body that ranks share,
  /// `ghosted` has them.
  void get_displacements(const Group &group, const Vector &q);

  /// Gradients, F and J of the points of a group. Returns whether all J > 0.
  bool kinematics(const Group &group);
  bool evaluate_solid_shell(const Group &group,
                            const double h,
                            const bool with_tangent);
  bool respond(const Group &group, const double h, const bool with_tangent);
  void add_forces(const Group &group);
  void add_tangent(const Group &group);
  /// Take the excess of the pressure, see above, out of what add_tangent()
  /// makes the tangent of.
  void take_predicted_pressure(const Group &group);
  void remember_dilatation(const Group &group);
  void scatter_force(const Group &group);
  void scatter_tangent(const Group &group);
  void note_trouble(const unsigned int cell,
                    const unsigned int q,
                    const std::string &what);

  const SolidBody<dim> &body;
  const bool axisymmetric, plane_stress;
  std::unique_ptr<Material> material;
  const bool finite;
  bool mean_dilatation;
  dealii::Quadrature<dim> quadrature;
  unsigned int n_q, n_history, n_cell_nodes, n_more;
  std::unique_ptr<SolidShellCells> solid_shell; ///< null: plain elements

  std::vector<unsigned int> cells; ///< group by group
  std::vector<unsigned int> place_of_cell;
  std::vector<bool> counts; ///< of each cell: energies count on this rank
  std::vector<Group> groups;
  std::vector<unsigned int> group_nodes;
  std::vector<unsigned int> local_node; ///< of each cell's nodes, in its group

  // Of each point, reference configuration.
  std::vector<dealii::Tensor<1, dim>> gradients; ///< n_cell_nodes a point
  std::vector<double> weights;                   ///< dV
  std::vector<double> radii;                     ///< axisymmetric
  std::vector<double> shape;                     ///< n_cell_nodes, by q only

  std::vector<double> begin, end; ///< histories
  std::vector<Voigt> accepted_stress, present_stress;

  // Rows of this rank: values of the tangent, and for each group and pair of
  // its nodes where in the rows of the first the columns of the second begin,
  // or where each of them is (stride dim).
  bool direct                = false;
  unsigned int offset_stride = 1;
  std::vector<double *> row_values;
  std::vector<std::size_t> first_offset; ///< of each group
  std::vector<int> offsets;              ///< -1: not a row of this rank

  dealii::IndexSet needed_dofs;
  std::unique_ptr<Vector> ghosted;
  std::vector<unsigned int> ghost_slot;

  // Of the group that is worked on.
  struct PointData
  {
    dealii::Tensor<2, 3> F; ///< of the material: Fbar
    double J;
    MaterialResponse response;
  };
  std::vector<double> u; ///< displacements of the group's nodes
  std::vector<PointData> points;
  /// Present gradients, N/r, div vectors and (mean div - div)/3 of each node of
  /// the cell at each point.
  std::vector<dealii::Tensor<1, dim>> g;
  std::vector<double> hoop;
  std::vector<dealii::Tensor<1, dim>> mean_div;   ///< by nodes of the group
  std::vector<dealii::Tensor<1, dim>> mean_force; ///< Q of add_tangent()
  double volume        = 0.;                      ///< int J dV (small: int dV)
  double log_J_mean    = 0.;                      ///< ln Jbar
  double mean_pressure = 0.;                      ///< int p dV
  std::vector<double> f_group, K_group;

  /// Of each group: where mean div and ln Jbar are linearized; by nodes of the
  /// groups.
  struct Dilatations
  {
    std::vector<double> log_J;
    std::vector<dealii::Tensor<1, dim>> displacement, mean_div;
  };
  Dilatations linearized, evaluated, accepted;
  bool predicts       = false;
  bool knows_accepted = false;     ///< `accepted` is that of the last step
  Vector highest_mode, mass_scale; ///< of highest_frequency()
  std::string trouble_text;
};
} // namespace delassus

#endif

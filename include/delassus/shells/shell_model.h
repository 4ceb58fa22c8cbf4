#ifndef delassus_shells_shell_model_h
#define delassus_shells_shell_model_h

#include <delassus/base/archive.h>
#include <delassus/linear_solvers/symmetric_factor.h>
#include <delassus/shells/shell_element.h>
#include <delassus/shells/shell_mesh.h>

#include <functional>
#include <string>
#include <vector>

namespace delassus
{
/// Components of a node that can be prescribed: translations and rotations
/// along and about the axes of space.
enum class ShellComponent
{
  x,
  y,
  z,
  rotation_x,
  rotation_y,
  rotation_z
};

/// What the sheet is made of, quad by quad.
struct ShellProperties
{
  std::string name = "shell"; ///< in messages
  std::vector<ShellSection> sections;
  std::vector<unsigned int> section_of_quad; ///< empty: all the first
  std::vector<std::array<double, 4>> thickness_of_quad; ///< at its corners
  Vector3 rolling{ { 0., 0., 0. } };
  ShellFormulation formulation;

  /// Directors get shorter as the sheet becomes thinner, each step with what
  /// the last one has left; otherwise they keep their length.
  bool follow_thickness = false;
};

/// What moves. Rotations are not added: increments turn it.
struct ShellState
{
  std::vector<Vector3> x; ///< of nodes
  std::vector<Vector3> d; ///< directors

  /// About which the rotational dofs of each node turn: two tangents, which go
  /// with the director, or the axes of space.
  std::vector<std::array<Vector3, 3>> axes;

  std::vector<std::array<double, 4>> half; ///< of quads' corners
  std::vector<ShellModes> modes;           ///< of quads
  std::vector<double> history;
};

/// Shells of one kind: their dofs, state, forces and tangent. A node has 3
/// translations; where it has one director, 2 rotations about tangents of it
/// (about the director itself nothing turns); at folds 3 rotations, and its
/// directors go with it. Dofs are numbered node by node; unknowns are those
/// that are not prescribed, in the same order.
class ShellModel
{
public:
  ShellModel(const ShellMesh &mesh,
             const ShellDirectors &directors,
             ShellProperties properties);

  /// Prescribe a component, before set_up(). At a node with one director a
  /// rotation about an axis is what can be told of it by the director: those
  /// directions are free in which it moves by turning about free axes.
  void fix(const unsigned int node, const ShellComponent component);

  /// All components: a clamp.
  void clamp(const unsigned int node);

  /// Number unknowns, make the matrix' pattern.
  void set_up();

  // -- Numbers ---------------------------------------------------------------

  unsigned int n_nodes() const
  {
    return mesh.nodes.size();
  }
  unsigned int n_quads() const
  {
    return mesh.quads.size();
  }
  unsigned int n_dofs() const
  {
    return first_dof.back();
  }
  unsigned int n_unknowns() const
  {
    return n_free;
  }

  /// The translations of a node, then its rotations.
  unsigned int dof(const unsigned int node) const
  {
    return first_dof[node];
  }
  unsigned int n_rotations(const unsigned int node) const
  {
    return first_dof[node + 1] - first_dof[node] - 3;
  }
  /// -1: prescribed.
  int unknown(const unsigned int dof) const
  {
    return unknown_of_dof[dof];
  }

  const ShellMesh &reference() const
  {
    return mesh;
  }
  const ShellDirectors &reference_directors() const
  {
    return directors;
  }
  const ShellGeometry &geometry(const unsigned int quad) const
  {
    return geometries[quad];
  }
  const ShellSection &section(const unsigned int quad) const
  {
    return properties.sections[properties.section_of_quad[quad]];
  }
  const ShellFormulation &formulation() const
  {
    return properties.formulation;
  }
  const std::vector<std::string> &warnings() const
  {
    return mesh_warnings;
  }

  // -- State -----------------------------------------------------------------

  /// The iterate, and where the step began.
  const ShellState &state() const
  {
    return now;
  }
  const ShellState &beginning() const
  {
    return begin;
  }

  /// x += dx, d <- exp(d theta) d; @p dq has all dofs, prescribed ones too.
  void update(const std::vector<double> &dq);

  /// The iterate is the state, or the beginning is the iterate again.
  void accept();
  void revert();

  /// Remember where the iterate is, and move it there again: increments that
  /// are tried from one place.
  void mark();
  void go_back();

  /// The state with all its history, for checkpoints; read, it is the beginning
  /// and the iterate.
  void archive(Archive &archive);

  // -- Forces ----------------------------------------------------------------

  /// Internal forces of the iterate at the end of a step of length @p h, and
  /// the tangent if the task says so. Returns false if an element has no
  /// answer: see trouble(). @p driven: increments of prescribed dofs that are
  /// still to be made (all dofs), whose pull on the others is added up in
  /// pull().
  bool evaluate(const double h,
                const ShellTask &task,
                const std::vector<double> *driven = nullptr);

  // The same in parts, for ranks that share the quads of a model: sums begin,
  // then the results of all quads are added in their order, those of others as
  // they were packed; sums do not depend on who has found them.
  void begin_evaluation(const ShellTask &task);
  bool evaluate_quads(const double h,
                      const ShellTask &task,
                      const std::vector<double> *driven,
                      const unsigned int first,
                      const unsigned int last);
  bool evaluate_quads(const double h,
                      const ShellTask &task,
                      const unsigned int first,
                      const unsigned int last,
                      double *packed);
  void add_quads(const double *packed,
                 const ShellTask &task,
                 const std::vector<double> *driven,
                 const unsigned int first,
                 const unsigned int last);
  std::size_t packed_size(const ShellTask &task,
                          const unsigned int first,
                          const unsigned int last) const;

  // What a rank has to know to find them: places of the beginning and of the
  // iterate; and what quads remember from step to step. Numbers one after
  // another, to be read or written.
  using Numbers = std::function<void(double *, const std::size_t)>;
  void exchange_beginning(const Numbers &exchange);
  void exchange_iterate(const Numbers &exchange);
  void exchange_memory(const unsigned int first,
                       const unsigned int last,
                       const Numbers &exchange);

  /// Where and why there was no answer.
  const std::string &trouble() const
  {
    return what_is_wrong;
  }

  /// Internal forces on all dofs: on prescribed ones, what holds them.
  const std::vector<double> &force() const
  {
    return internal_force;
  }
  /// d force / dq of the unknowns. Symmetric also away from balance: it is the
  /// second derivative of the energy along increments that turn.
  const SymmetricMatrix &tangent() const
  {
    return matrix;
  }
  SymmetricMatrix &tangent()
  {
    return matrix;
  }
  /// Tangent times increments of prescribed dofs, on unknowns' dofs.
  const std::vector<double> &pull() const
  {
    return driven_force;
  }

  double stored() const
  {
    return stored_energy;
  }
  /// In this step.
  double dissipated() const
  {
    return dissipated_energy;
  }
  /// Work that is left to the enhanced modes.
  double modes_error() const
  {
    return modes_work;
  }
  /// ln of the stretch across a quad, mean through its thickness, at its
  /// points.
  const std::array<double, 4> &thickness_strain(const unsigned int quad) const
  {
    return thickness_strains[quad];
  }
  /// Mean thickness of a quad at the last evaluation.
  double thickness(const unsigned int quad) const;

  /// Green's strain of the iterate at a point of a quad's plane and at zeta, in
  /// the axes of its rolling direction.
  std::array<double, 3> strain(const unsigned int quad,
                               const unsigned int point,
                               const double zeta) const;

  /// Of the iterate: of all points through the thickness at one of the plane.
  const double *history(const unsigned int quad, const unsigned int point) const
  {
    return now.history.data() + first_history[quad] +
           point * section(quad).n_history();
  }

  // Of the step that was accepted last, whatever the iterate: the history of
  // all points through the thickness at one of the plane; the mean strain
  // across it there; and the half lengths with which the forces were found,
  // which are not yet those that the step has left.
  const double *accepted_history(const unsigned int quad,
                                 const unsigned int point) const
  {
    return begin.history.data() + first_history[quad] +
           point * section(quad).n_history();
  }
  const std::array<double, 4> &
  accepted_thickness_strain(const unsigned int quad) const
  {
    return accepted_strains[quad];
  }
  const std::array<double, 4> &accepted_half(const unsigned int quad) const
  {
    return accepted_halves[quad];
  }

  /// Largest change, in this step, of a strain of a face or of the direction of
  /// a director.
  double largest_increment() const
  {
    return largest_increment(0, n_quads());
  }
  /// In these quads, and of all directors.
  double largest_increment(const unsigned int first,
                           const unsigned int last) const;

  // -- Loads: added to values of all dofs ------------------------------------

  void add_force(const unsigned int node,
                 const Vector3 &f,
                 std::vector<double> &load) const;

  /// About axes of space. What would turn a director about itself is lost.
  void add_moment(const unsigned int node,
                  const Vector3 &m,
                  std::vector<double> &load) const;

  void add_gravity(const Vector3 &g, std::vector<double> &load) const;

  /// Along the normals of the iterate; with the stiffness, the symmetric part
  /// of its derivative goes into the tangent (after evaluate()).
  void add_pressure(const double p,
                    const std::vector<unsigned int> &quads,
                    const bool with_stiffness,
                    std::vector<double> &load);

  // -- Mass ------------------------------------------------------------------

  /// Of each dof. Rotary inertia is rho a^3/12 times the node's area, but not
  /// less than @p least_rotary times its mass and its area: 1/8 keeps rotations
  /// slower than translations, as explicit schemes want it, 0 is the sheet's
  /// own.
  std::vector<double> lumped_mass(const double least_rotary) const;

  /// Resultant of internal forces and its moment about the origin, in the
  /// iterate: zero for what is free.
  std::array<Vector3, 2> resultant() const;

private:
  ShellValues values(const ShellState &state, const unsigned int quad) const;
  void set_axes();
  void make_pattern();
  void set_thickness();

  /// Into dofs of the corners: force and tangent by positions and directors
  /// become those by positions and rotations. Returns how many there are.
  unsigned int to_dofs(const unsigned int quad,
                       const ShellResult &result,
                       const bool with_tangent,
                       double (&f)[24],
                       double (&K)[24][24]) const;
  /// Forces, tangent and energies of a quad.
  struct QuadResult
  {
    unsigned int n = 0; ///< dofs
    double f[24], K[24][24];
    double stored, dissipated, modes_error;
    std::array<double, 4> thickness_strain;
  };
  bool evaluate_quad(const double h,
                     const ShellTask &task,
                     const unsigned int quad,
                     QuadResult &result);
  void add_quad(const unsigned int quad,
                const QuadResult &result,
                const bool with_tangent,
                const std::vector<double> *driven);
  unsigned int n_dofs_of(const unsigned int quad) const;
  void add_to_matrix(const unsigned int quad,
                     const unsigned int (&first)[4],
                     const unsigned int (&n)[4],
                     const double (&K)[24][24]);

  ShellMesh mesh;
  ShellDirectors directors;
  ShellProperties properties;
  std::vector<std::string> mesh_warnings;
  std::vector<ShellGeometry> geometries;
  std::vector<std::size_t> first_history;
  std::vector<unsigned int> n_directors; ///< of nodes
  std::vector<std::array<bool, 6>> fixed;

  std::vector<unsigned int> first_dof;
  std::vector<bool> fixed_dof;
  std::vector<int> unknown_of_dof;
  unsigned int n_free = 0;
  bool is_set_up      = false;

  /// Where, in a column of corner j, the rows of corner i begin.
  std::vector<std::array<std::array<int, 4>, 4>> block;

  ShellState begin, now;
  ShellState marked; ///< its places only
  bool moved = true; ///< the iterate may not be the beginning
  std::vector<double> internal_force, driven_force;
  SymmetricMatrix matrix;
  double stored_energy = 0., dissipated_energy = 0., modes_work = 0.;
  std::vector<std::array<double, 4>> thickness_strains, accepted_strains,
      accepted_halves;
  std::string what_is_wrong;
  std::vector<Vector3> turn; ///< of nodes, in update()
};
} // namespace delassus

#endif

#ifndef delassus_shell_systems_shell_piece_h
#define delassus_shell_systems_shell_piece_h

#include <delassus/shell_systems/shell_mass_inverse.h>
#include <delassus/shells/shell_model.h>
#include <delassus/systems/energy_terms.h>
#include <delassus/systems/rigid_motions.h>
#include <delassus/systems/system.h>

#include <mpi.h>

#include <functional>
#include <map>
#include <memory>

namespace delassus
{
/// What moves and loads a connected sheet. Functions are of time.
struct ShellPieceSettings
{
  /// A component that the model has prescribed: a displacement from the
  /// reference, or, of rotations, an angle about this axis of space. What is
  /// prescribed and not named here stays where it is. Angles about several axes
  /// at one node are one rotation vector.
  struct Motion
  {
    unsigned int node;
    ShellComponent component;
    std::function<double(double)> value;
  };

  /// Functions that are empty do nothing.
  struct NodalLoad
  {
    unsigned int node;
    std::function<Vector3(double)> force, moment;
  };

  /// On the side to which directors point; it follows the sheet.
  struct Pressure
  {
    std::vector<unsigned int> quads;
    std::function<double(double)> value;
  };

  /// Which condition prescribes a component, for reactions.
  struct Holder
  {
    unsigned int node;
    ShellComponent component;
    std::string condition;
  };

  std::vector<Motion> motions;
  std::vector<Holder> holders;
  std::vector<NodalLoad> loads;
  std::vector<Pressure> pressures;
  Vector3 gravity{ { 0., 0., 0. } };

  /// At the start, by place at rest; empty: none.
  std::function<Vector3(const Vector3 &)> velocity, angular_velocity;

  /// The rotary inertia of a director is not less than this times mass times
  /// area of its part of the node (ShellModel::lumped_mass()).
  double least_rotary = 0.;

  /// Damping in proportion to the mass, 1/time: of translations, of directors.
  std::array<double, 2> damping{ { 0., 0. } };

  /// Nodes by name, edges for instance: for conditions and loads.
  std::map<std::string, std::vector<unsigned int>> nodes_of;

  /// Edges of one quad by the names of theirs: where the sheet ends, its skin
  /// has a face through the thickness.
  std::map<std::string, std::vector<std::array<unsigned int, 2>>> edges_of;
};

/// A connected sheet in a time step, implicit Euler: positions x and directors
/// d are vectors alike,
///
///   x+ = x + h v+,   d+ = d + h d'+,   |d+| = 1,
///   m (v+ - v) = h (P_ext - F) + r,
///   (a x d+) . J (d'+ - d') = h (M_ext - F_a) + r_a   about each free axis a.
///
/// d' is thus the secant of the step: a point of a face, x + zeta b d, moves by
/// h times its velocity, as a node of a solid does. Unknowns are the velocities
/// of free translations and the rates about the nodal axes of the iterate, in
/// the order of the model's unknowns; a correction by delta turns directors by
/// exp(h delta). Quasi-statically the left sides are left out. Damping in
/// proportion to the mass adds h alpha m v+, h alpha J d'+ to these.
///
/// Explicit steps have F, P_ext and the axes a of the beginning, and d instead
/// of d+ beside J: (a x d) . J (d'+ - d') = h (M_ext - F_a) + r_a. That is
/// Verlet's scheme for directors whose length is a constraint. The turn of a
/// node is found from it, which takes no stiffness.
///
/// Carriers: the positions, then the directors, each as long as half the sheet
/// is thick at present. A point of a face has weight 1 on the position and
/// about 1 (-1: inner face) on the director; what the sheet loses of its
/// thickness is in the carrier.
class ShellPiece
{
public:
  ShellPiece(std::unique_ptr<ShellModel> model,
             ShellPieceSettings settings,
             const bool quasi_static,
             const CorrectingMatrix kind = CorrectingMatrix::full);

  const ShellModel &model() const
  {
    return *shell;
  }
  const std::vector<ShellPieceSettings::Holder> &holders() const
  {
    return settings.holders;
  }
  const std::map<std::string, std::vector<std::array<unsigned int, 2>>> &
  edges_of() const
  {
    return settings.edges_of;
  }

  unsigned int n_directors() const
  {
    return director_mass.size();
  }
  unsigned int n_carriers() const
  {
    return shell->n_nodes() + n_directors();
  }

  /// Length of a director as a carrier: at rest, and at present.
  double rest_length(const unsigned int director) const
  {
    return rest_lengths[director];
  }
  double length(const unsigned int director) const;

  /// A carrier at rest.
  Vector3 rest_carrier(const unsigned int carrier) const;

  /// Of this piece's present or of an iterate: the configuration of contact.
  struct Arms
  {
    std::vector<Vector3> arm;                 ///< directors times lengths
    std::vector<std::array<Vector3, 3>> axes; ///< of nodes, of the unknowns
  };
  Arms &arms()
  {
    return contact;
  }

  /// Contact is found at the beginning of the step, or in the iterate.
  void set_contact_configuration(const bool iterate);

  Vector3 carrier_value(const CarrierField field,
                        const unsigned int carrier) const;

  /// The unknowns, with weights, that component c of a carrier moves with.
  template <typename Add>
  void for_each_unknown(const unsigned int carrier,
                        const unsigned int c,
                        Add &&add) const
  {
    const bool is_node      = carrier < shell->n_nodes();
    const unsigned int node = is_node ? carrier : node_of(carrier);
    const unsigned int dof  = shell->dof(node);
    if (is_node)
    {
      if (shell->unknown(dof + c) >= 0)
        add(static_cast<unsigned int>(shell->unknown(dof + c)), 1.);
      return;
    }
    for (unsigned int a = 0; a < shell->n_rotations(node); ++a)
      if (shell->unknown(dof + 3 + a) >= 0)
        add(static_cast<unsigned int>(shell->unknown(dof + 3 + a)),
            cross(contact.axes[node][a],
                  contact.arm[carrier - shell->n_nodes()])[c]);
  }

  bool is_prescribed(const unsigned int carrier, const unsigned int c) const;

  // Impulses on carriers.
  enum class Impulses
  {
    contact,  ///< r = H P
    response, ///< w of these
    shift     ///< besides those of contact
  };
  void begin_impulses(const Impulses kind);
  void add_impulse(const unsigned int carrier, const Vector3 &impulse);
  void finish_impulses();

  // -- The step ------------------------------------------------------------

  void begin_step(const double t, const double h, const bool from_rest);
  bool evaluate(const bool with_tangent);

  /// Explicit steps: the forces are those of the beginning; other iterates only
  /// change the inertia. And the state that the step has led to, whose forces
  /// the next one begins with (those of half lengths that it has not yet left).
  void evaluate_beginning(const bool is_first);
  bool end_step();

  // -- Ranks that share the quads ------------------------------------------

  /// Rank r of the communicator finds the results of quads first_quad[r] to
  /// first_quad[r+1] - 1, the owner of the piece the first ones, and all that
  /// is made of them. Places go to the others before each evaluation, what
  /// quads remember comes back after each step.
  struct Sharing
  {
    MPI_Comm communicator = MPI_COMM_NULL;
    unsigned int rank = 0, owner = 0;
    std::vector<unsigned int> first_quad;
  };
  void share(Sharing given)
  {
    sharing = std::move(given);
  }
  bool is_shared() const
  {
    return sharing.communicator != MPI_COMM_NULL;
  }

  /// At the beginning of each step, by all ranks; the step of the piece itself
  /// is taken by its owner.
  void share_beginning();

  /// What others than the owner do in each evaluation, and after it.
  bool help_evaluate();
  void help_revert()
  {
    shell->revert();
  }

  /// After accept(), by all ranks; others than the owner accept here.
  void gather_memory();

  /// Of this rank's quads.
  double largest_increment() const;

  /// Where something is prescribed that moves.
  bool is_driven() const
  {
    return !settings.motions.empty();
  }

  /// The tangent of the iterate (explicit steps: of the beginning), for an
  /// estimate of the highest frequency from above; from the mode that was found
  /// last unless @p anew.
  bool evaluate_tangent();
  double highest_frequency(const bool anew);

  /// B^T block B, B the weights of two carriers on the unknowns, as a part of
  /// the tangent; and h^2 times a force per velocity on a carrier, with the
  /// next free velocity only.
  void add_held_stiffness(const unsigned int carrier,
                          const unsigned int other,
                          const dealii::Tensor<2, 3> &block);
  void add_held_impulse(const unsigned int carrier,
                        const dealii::Tensor<1, 3> &force);

  /// M + h^2 K of unknowns, with a mass of its own times @p fictitious.
  void make_matrix(const double fictitious);
  void factorize(const LinearSolverParameters &solver,
                 const double bytes_allowed);
  const SymmetricMatrix &matrix() const
  {
    return A;
  }
  SymmetricFactor *factor() const
  {
    return by_mass() ? mass_inverse.get() : inverse.get();
  }

  /// w is made of the lumped mass.
  bool by_mass() const
  {
    return kind == CorrectingMatrix::lumped ||
           kind == CorrectingMatrix::two_term || is_explicit();
  }
  bool is_explicit() const
  {
    return kind == CorrectingMatrix::explicit_;
  }

  /// Some node has several directors.
  bool has_folds() const
  {
    return folds;
  }

  /// The effective matrix, entry by entry; not of two terms, which has none.
  void for_each_entry(
      const std::function<void(unsigned int, unsigned int, double)> &add) const;

  /// Of a w that is D of ShellMassInverse: the 3 x 3 entries of a carrier,
  /// uncoupled from others unless its node has several directors.
  void add_own_compliance(const unsigned int carrier, double *C) const;

  void free_velocity();
  bool correct();
  void halve_correction();
  void add_norms(ImpulseNorms &norms) const;
  EnergyTerms accept();
  double kinetic_energy() const;
  double zero_velocity();

  /// (unknown, v_free, v of the last correction)
  void for_each_velocity(
      const std::function<void(unsigned int, double, double)> &add) const;

  /// Mean diagonal of the effective matrix at some carriers.
  double effective_diagonal(const std::vector<unsigned int> &carriers) const;

  // -- Quasi-static --------------------------------------------------------

  bool is_free() const
  {
    return free;
  }
  /// 1/time^2: E/rho t^2/L^4, the square of a frequency of bending.
  double frequency_squared() const
  {
    return bending;
  }
  double mass() const
  {
    return total_mass;
  }
  /// Rigid motions that nothing prescribed prevents.
  unsigned int n_free_motions() const
  {
    return rigid_motions().free.size();
  }

  /// After a step: the force, or the moment about a nodal axis, with which a
  /// prescribed dof is held; what the impulse balance has left there. Zero of
  /// unknowns.
  double reaction(const unsigned int dof) const
  {
    return shell->unknown(dof) >= 0 || !(h > 0.)
               ? 0.
               : -(residual[dof] + r[dof]) / h;
  }
  /// Axes of space about which reactions of rotations are moments.
  const Vector3 &rotation_axis(const unsigned int node,
                               const unsigned int k) const
  {
    return contact.axes[node][k];
  }
  void add_loads(double *sums, RigidMotions<3> &motions) const;

  void archive(Archive &archive);

private:
  unsigned int node_of(const unsigned int carrier) const
  {
    return shell->reference_directors().node[carrier - shell->n_nodes()];
  }
  RigidMotions<3> rigid_motions() const;
  /// Forces, and the tangent if the task says so, of the iterate.
  bool evaluate_model(const double step, const bool with_tangent);
  bool evaluate_shared(const double step, const ShellTask &task);

  void find_masses();
  void find_pattern();
  void set_initial_velocity();

  /// Rates about the axes of space with which the directors of a node move as
  /// @p rates say, in configuration @p d: exactly but for what the lengths of
  /// secants need.
  Vector3 turning(const unsigned int node,
                  const std::vector<Vector3> &d,
                  const std::vector<Vector3> &rates) const;

  /// Secants of the iterate.
  void find_rates(std::vector<Vector3> &rates) const;

  /// Increments that bring prescribed dofs from the iterate to t + h.
  void find_driven();

  /// Of the iterate, at an instant.
  void find_loads(const double at, const bool with_stiffness);

  /// What the axes of the iterate, or of the beginning of an explicit step, and
  /// the directors there leave of the balance of impulses.
  void find_residual(const std::vector<double> &force,
                     const std::vector<Vector3> &d);

  /// The lumped mass with damping, and what w is made of it.
  void make_mass_inverse();
  void add_rotary_block(const unsigned int node,
                        const double factor,
                        const std::vector<Vector3> &d,
                        double (&block)[3][3]) const;

  // Explicit steps: from the beginning with rates @p change besides those of
  // before. False: directors cannot turn as far as that in one step.
  void begin_explicit_step();
  bool advance(const std::vector<double> &change, const bool in_balance = true);
  bool turn_fold(const unsigned int node, const std::vector<double> &change);

  /// Solve for the unknowns of @p b; zero elsewhere.
  void apply_inverse(const std::vector<double> &b, std::vector<double> &x);

  Vector3 turn_of(const unsigned int node,
                  const std::vector<double> &values) const;

  std::unique_ptr<ShellModel> shell;
  const ShellPieceSettings settings;
  const bool quasi_static;
  const CorrectingMatrix kind;
  bool folds = false;

  std::vector<double> node_mass, director_mass;
  double total_mass = 0.;
  std::vector<std::vector<unsigned int>> directors_of; ///< nodes
  std::vector<double> rest_lengths;
  std::vector<std::pair<unsigned int, unsigned int>> corner_of; ///< directors
  std::vector<double> size_of;      ///< nodes: root of the area
  std::vector<unsigned int> dof_of; ///< of unknowns
  std::vector<unsigned int> node_of_dof;
  std::vector<int> own_rows; ///< of unknowns: see find_pattern()
  double bending = 0.;
  bool free      = false;

  // State, besides the model's.
  std::vector<double> v;     ///< of translations, n_dofs
  std::vector<Vector3> rate; ///< d' of directors
  std::vector<double> start_force;
  double stored_before = 0.;

  // The step.
  double t = 0., h = 0.;
  bool at_iterate = false;
  Arms contact;
  std::vector<double> v_new, v_base, v_corrected;
  std::vector<Vector3> rate_new, rate_base;
  std::vector<double> load, residual, driven, diagonal;
  std::vector<double> free_rate, unshifted, step; ///< changes of velocities
  std::vector<double> r, response, work, dq, held;
  bool has_held = false;
  std::vector<double> reduced;
  std::vector<Vector3> r_director; ///< contact impulses on directors
  Impulses receiving = Impulses::contact;
  bool shifted       = false;
  SymmetricMatrix A;
  std::unique_ptr<SymmetricFactor> inverse;

  Sharing sharing;
  bool memory_is_new = false; ///< others do not know it
  std::vector<double> packed;
  std::vector<MPI_Request> requests;

  // Matrices made of the mass.
  std::unique_ptr<ShellMassInverse> mass_inverse;
  double h_of_mass = 0.;
  std::vector<double> base; ///< explicit: rates that go on, as of unknowns
  std::vector<double> start_residual;
  std::vector<double> highest_mode;
};
} // namespace delassus

#endif

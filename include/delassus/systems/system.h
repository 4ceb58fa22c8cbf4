#ifndef delassus_systems_system_h
#define delassus_systems_system_h

#include <delassus/base/archive.h>
#include <delassus/systems/carrier_inverse.h>
#include <delassus/systems/energy_terms.h>
#include <delassus/systems/rigid_motions.h>
#include <delassus/systems/skin.h>

#include <deal.II/base/tensor.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace delassus
{
/// Vectors that a system has for each of its carriers.
enum class CarrierField
{
  displacement,  ///< of the state, from the reference of the skin
  shifted,       ///< displacement in q~ = q + (1-theta) h v; of what turns
  predicted,     ///< displacement in q~ + h v of the iterate; of what turns
  velocity,      ///< of the state
  free_velocity, ///< at the end of the step without contact impulses
  new_velocity,  ///< after the last correction: the iterate
  response,      ///< w r, after respond()
  inverse,       ///< the diagonal of w, if w is diagonal
  stiffness      ///< the diagonal of the tangent stiffness; zero: not known
};

/// The kinds of impulses in a step and what of them is not in balance, as sums
/// of squares over this rank's unknowns.
struct ImpulseNorms
{
  double residual = 0.; ///< of what is not prescribed
  double inertia = 0., internal = 0., external = 0., contact = 0.;
  double rounding = 0.; ///< stiffness times displacement

  static constexpr unsigned int n = 6;
  std::array<double, n> values() const
  {
    return { { residual, inertia, internal, external, contact, rounding } };
  }
};

/// What a checkpoint has of a system, on its way back.
struct SavedState
{
  virtual ~SavedState() = default;
};

/// One kind of body with any number of pieces, and how it goes through a time
/// step. The step, contact and checkpoints know nothing else of what moves:
///
///   set_step; begin_step
///   for each iteration k:
///     evaluate                 forces, and the tangent where it is wanted
///     update_inverse           w(k)
///     free_velocity            v_free(k)
///     (contact: set_contact_impulse, r = H P)
///     correct                  v_{k+1} = v_free(k) + w(k) r, q_{k+1}
///   end_step; accept, or nothing: the next begin_step starts again
///
/// A system whose equation is linear in the velocities is exact after one
/// iteration; that is all that distinguishes it. Functions are called by all
/// ranks together unless they say something else.
template <int dim>
class System
{
public:
  virtual ~System() = default;

  virtual const Skin<dim> &skin() const = 0;

  /// The step's equation is linear in the velocities at its end: a correction
  /// solves it, whatever the contact impulses are.
  virtual bool is_linear() const = 0;

  /// Displacements count: contact frames follow them in a step, and surfaces
  /// may fold.
  virtual bool has_finite_motion() const = 0;

  /// Contact is found in q~, or in the configuration that the iterate leads to:
  /// velocities and impulses of carriers that turn are those of their places
  /// there.
  virtual void set_contact_configuration(const bool /*iterate*/)
  {
  }

  // -- Carriers ------------------------------------------------------------

  /// The values of some carriers that this rank owns, dim each.
  virtual void carrier_values(const CarrierField field,
                              const std::vector<unsigned int> &carriers,
                              double *values) const = 0;

  /// r = H P: the impulses on all of this rank's carriers that contact knows,
  /// dim values each; zero on the others.
  virtual void set_contact_impulse(const std::vector<unsigned int> &carriers,
                                   const double *impulses) = 0;

  /// w of these impulses, as CarrierField::response.
  virtual void respond(const std::vector<unsigned int> &carriers,
                       const double *impulses) = 0;

  /// v_free + w s: further impulses besides those of contact, always counted
  /// from the last free_velocity().
  virtual void shift_free_velocity(const std::vector<unsigned int> &carriers,
                                   const double *impulses) = 0;

  /// Whether component c of a carrier is prescribed.
  virtual bool is_prescribed(const unsigned int carrier,
                             const unsigned int c) const = 0;

  // -- w -------------------------------------------------------------------

  virtual CarrierInverse<dim> &inverse()            = 0;
  virtual const PieceClasses &piece_classes() const = 0;
  virtual std::size_t factor_memory() const         = 0;

  /// This rank's part.
  virtual FactorWork factor_work() const
  {
    return {};
  }
  virtual std::string describe_solver() const = 0;

  /// What users should know of the last w.
  virtual std::vector<std::string> notes() const
  {
    return {};
  }

  /// The effective matrix itself, for solvers and files that take it instead of
  /// W: its unknowns are numbered, all ranks alike.
  virtual std::size_t n_unknowns() const = 0;

  /// Whether the effective matrix is the sparse one of for_each_entry().
  virtual bool is_sparse() const = 0;

  /// Entries in this rank's columns.
  virtual void for_each_entry(
      const std::function<void(std::size_t, std::size_t, double)> &add)
      const = 0;

  /// The unknowns, with weights, that component c of a carrier moves with; none
  /// if it is prescribed. Any carrier, on any rank.
  virtual void for_each_unknown(
      const unsigned int carrier,
      const unsigned int c,
      const std::function<void(std::size_t, double)> &add) const = 0;

  /// (unknown, v_free, v of the last correction) of this rank's unknowns.
  virtual void for_each_velocity(
      const std::function<void(std::size_t, double, double)> &add) const = 0;

  // -- The step ------------------------------------------------------------

  /// Once, before the first step, if steps have several iterations because of
  /// this or another system.
  virtual void prepare_iterations()
  {
  }

  /// Step size; a system whose w depends on nothing else makes it now.
  virtual void set_step(const double h) = 0;
  virtual double step_size() const      = 0;

  /// Before the first step.
  virtual void start(const double t) = 0;

  /// The first iterate of the step from @p t: velocities go on, or, where
  /// @p from_rest, are zero (quasi-static).
  virtual void begin_step(const double t, const bool from_rest) = 0;

  /// Iteration @p k. Returns false, on all ranks, where there is no answer.
  /// The tangent is evaluated where the system wants it (@p slow: the last
  /// steps took long) and @p with_tangent allows it.
  virtual bool
  evaluate(const unsigned int k, const bool with_tangent, const bool slow) = 0;

  /// Where and why there was no answer on this rank; empty elsewhere.
  virtual std::string trouble() const
  {
    return "";
  }

  /// Whether the tangent is newer than w, so that update_inverse() will do
  /// something.
  virtual bool has_new_tangent() const
  {
    return false;
  }

  /// w(k), if tangent or step size are new or if @p anew. Throws
  /// NotPositiveDefinite. @p shift: a fictitious mass in the matrix, as a share
  /// of h^2 K's scale. Returns whether w is another one.
  virtual bool update_inverse(const double shift, const bool anew) = 0;

  virtual void free_velocity() = 0;

  /// v_{k+1} and q_{k+1}; returns false if something is not finite.
  virtual bool correct() = 0;

  /// Half of the last correction.
  virtual void halve_correction() = 0;

  /// Of the iterate, with the contact impulse set last.
  virtual ImpulseNorms norms() const = 0;

  /// The same piece by piece, for systems of pieces that have little to do with
  /// each other: what is not in balance, and the impulses that it is measured
  /// against, of this rank's pieces. Empty: norms() says it.
  virtual std::vector<std::array<double, 2>> norms_of_pieces() const
  {
    return {};
  }

  /// Where w bounds the step, h <= bound / (theta frequency); bound 0: it does
  /// not. Not known: the system could not be evaluated.
  struct FrequencyBound
  {
    double bound = 0., theta = 1., frequency = 0.;
    bool known = true;
  };
  virtual FrequencyBound frequency_bound()
  {
    return {};
  }

  /// Largest increment of strain or rotation of a cell in the step.
  virtual double largest_strain_increment() const
  {
    return 0.;
  }

  /// After the last iteration: what accept() needs of the end of the step.
  /// Returns false, on all ranks, where there is no answer.
  virtual bool end_step()
  {
    return true;
  }

  /// The step has taken so many iterations.
  virtual void note_iterations(const unsigned int /*k*/)
  {
  }

  /// Make (q+, v+) the state; this rank's part of the energy balance.
  virtual EnergyTerms accept() = 0;

  virtual double kinetic_energy() const = 0;

  /// v := 0. Returns the kinetic energy taken away, this rank's part.
  virtual double zero_velocity() = 0;

  // -- What closed contacts hold (Newton loops) ----------------------------

  /// Whether add_held() is heard.
  virtual bool can_be_held() const
  {
    return false;
  }

  /// Add a block to the tangent: @p carrier of this rank, @p other coupled to
  /// it. Then finish_held().
  virtual void add_held_stiffness(const unsigned int /*carrier*/,
                                  const unsigned int /*other*/,
                                  const dealii::Tensor<2, dim> & /*block*/)
  {
  }
  /// What such a block is known to do in the next correction: force per
  /// velocity, block times the change of the velocity.
  virtual void add_held_impulse(const unsigned int /*carrier*/,
                                const dealii::Tensor<1, dim> & /*force*/)
  {
  }
  virtual void finish_held()
  {
  }

  // -- Pieces that only contact holds (quasi-static) -----------------------

  /// Whether the fictitious mass of its pieces can be made heavier where a
  /// tangent is indefinite; does it.
  virtual bool make_heavier()
  {
    return false;
  }

  /// Whether driven dofs leave a piece some rigid motion, and the order of its
  /// stiffness against such a motion if contact resists.
  virtual bool is_free(const unsigned int piece) const           = 0;
  virtual double piece_stiffness(const unsigned int piece) const = 0;

  /// The stiffness that its fictitious mass was chosen for.
  virtual double resisting_stiffness(const unsigned int piece) const
  {
    return piece_stiffness(piece);
  }

  /// Share of the fictitious mass that rigid motions of each class meet; after
  /// a change update_rigid_share(), which returns whether w is another one now.
  std::vector<double> rigid_share;
  virtual bool update_rigid_share() = 0;

  /// The effective matrix is to stay sparse, whatever its condition.
  virtual void keep_sparse() = 0;

  /// What acts on each piece, this rank's part: |h P_ext|, |H P|, and the
  /// resultants of their sum along its RigidMotions (moments not divided by the
  /// size), 2 + n values a piece; and the motions, free ones where this rank
  /// owns the piece.
  virtual void
  add_loads_of_pieces(double *sums,
                      std::vector<RigidMotions<dim>> &motions) const = 0;

  /// Proximal points of a linear system: |f| = |M_f (v+ - c)| of each piece,
  /// products of the last step (of c) with the change since then and of the
  /// change with itself in the metric M_f, and how far the piece moves.
  virtual void look_at_centre(const bool /*with_products*/,
                              double * /*f*/,
                              double * /*old_times_change*/,
                              double * /*change_times_change*/,
                              double * /*travel*/)
  {
  }
  /// c += omega (v+ - c), omega of each piece, and v_free for it.
  virtual void move_centre(const double * /*omega*/)
  {
  }

  // -- Checkpoints ---------------------------------------------------------

  /// This rank's part of the state, to be read by any number of ranks.
  virtual void save_state(Archive &archive) const                 = 0;
  virtual std::unique_ptr<SavedState> read_state(Archive &) const = 0;

  /// Whether it was saved with the numbers and owners of this run; then
  /// load_state() is exact. No communication.
  virtual bool is_same(const SavedState &saved) const = 0;
  virtual void load_state(const SavedState &saved)    = 0;

  /// From the parts of all ranks that wrote; returns what is wrong, if
  /// anything. No communication.
  virtual std::string
  load_matching(const std::vector<std::unique_ptr<SavedState>> &parts) = 0;

  /// Before and after a checkpoint alike: what is known of the last step but
  /// not kept is found again.
  virtual void forget()
  {
  }

  /// What the last steps taught, alike on all ranks.
  virtual void archive(Archive &)
  {
  }
};
} // namespace delassus

#endif

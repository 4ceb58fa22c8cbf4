#ifndef delassus_simulation_contact_phase_h
#define delassus_simulation_contact_phase_h

#include <delassus/contact/delassus/applied_delassus.h>
#include <delassus/contact/delassus/block_sparse_delassus.h>
#include <delassus/contact/delassus/body_delassus.h>
#include <delassus/contact/delassus/dense_delassus.h>
#include <delassus/contact/global_solvers/gauss_seidel.h>
#include <delassus/contact/global_solvers/projected_gradient.h>
#include <delassus/contact/exchange/export_problem.h>
#include <delassus/contact/problem/contact_problem.h>
#include <delassus/simulation/contact_compliance.h>
#include <delassus/simulation/contact_exchange.h>
#include <delassus/simulation/model.h>

#include <functional>
#include <set>

namespace delassus
{
/// Contacts that touch only because friction holds them: their own impulse does
/// not open them, (W P)_N <= 0 with P_N > 0. Without it they would be open,
/// which is a solution of their local problem too. It takes mu |W_NT| / W_NN
/// >= 1.
struct WedgedContacts
{
  std::size_t n = 0;
  double share  = 0.; ///< of all normal forces that they carry
  std::string worst;  ///< the one that carries most, in words
};

/// The contact part of a time step, in the words of the method:
/// detect, build_kinematics, update_delassus, solve_contact, apply.
///
/// Each contact belongs to one rank, which detects it, has its row of W and
/// visits it in the Signorini-Coulomb loop: the rank that owns the candidate
/// point, or rank 0 if contacts are few or mostly coupled across ranks (see
/// ContactExchange). Positions and velocities of surface nodes are known to
/// all. All functions that say nothing else are called by all ranks together.
template <int dim>
class ContactPhase : private ContactSet<dim>
{
public:
  explicit ContactPhase(Model<dim> &model);

  // The contacts of this rank.
  using ContactSet<dim>::contacts;
  using ContactSet<dim>::status;
  using ContactSet<dim>::P;
  using ContactSet<dim>::U;
  using ContactSet<dim>::U_start;
  using ContactSet<dim>::U_imposed;
  using ContactSet<dim>::gaps;
  using ContactSet<dim>::gaps_end;
  using ContactSet<dim>::states;
  using ContactSet<dim>::scale_impulses;

  /// Of the laws' own states in the step that was accepted last, on this rank:
  /// the energy they store at its end, what that has changed by, and what they
  /// dissipate.
  double law_stored = 0., law_stored_change = 0., law_dissipated = 0.;

  /// After the w of a system has changed.
  void update_compliance();

  /// Find the contacts on q~ = q + (1-theta) h v, unless nothing has moved
  /// enough since the last time. Impulses of persistent contacts are carried
  /// over. Returns whether contacts or frames are new.
  bool detect(const double t, const double h);

  /// In a Newton loop, after its first iteration: the contacts on the iterate
  /// q~ + h v_k, found again with their frames if @p new_frames, so that gaps
  /// and frames are those of the configuration that the loop converges to.
  void follow(const double t, const double h, const bool new_frames);

  /// Gaps, relative velocities at the beginning of the step and U_free. After
  /// follow() the gap is linearized about the iterate: with the gap g_k there
  /// and its velocity U_k, g~ = g_k - h U_k,N.
  void build_kinematics(const double t, const double h);

  /// U_free again, after the free velocities have changed.
  void renew_free_velocity();

  /// Whether frames and feet of the contacts change with the correction of this
  /// iteration.
  bool frames_follow() const;

  /// After apply_impulses() and the correction it leads to: what r = H P
  /// changes by, in first order, as feet and frames go with the correction,
  ///   s = dH/dq [h (v_{k+1} - v_k)] P,
  /// at all contact nodes (the same on all ranks). Newton's method wants it on
  /// the right-hand side; it is a difference along the correction, so normals
  /// of any kind and sliding over faces are in it. build_kinematics() adds the
  /// change of the tangential velocities, dH*_T/dq [...] v_{k+1}, to U_free
  /// until forget_frames().
  void frame_impulses(const double t, const double h, std::vector<double> &s);
  void forget_frames()
  {
    frame_U.clear();
  }

  /// Add w s to the free velocities of all systems, s values at the contact
  /// nodes.
  void shift_free_velocity(const std::vector<double> &s);

  /// Values of the systems at the contact nodes of all ranks.
  void gather(const CarrierField field, std::vector<double> &values) const;

  /// After follow() and build_kinematics(): how far the impulses and the
  /// velocities of the iterate are from the laws, unit free; |q| and g as in
  /// the last solution.
  double law_error(const double h);

  /// Solve to this part of the tolerance that was asked for: where a Newton
  /// loop cannot balance momentum better than impulses are known. What is
  /// asked for does not change.
  void set_tolerance_factor(const double factor);

  double tolerance_factor = 1.;

  /// The loop has converged: U of the step is that of the iterate.
  void take_iterate()
  {
    U = U_iterate;
  }

  /// What closed contacts hold, for the correcting matrix: directions D (N (x)
  /// N, or all where the contact sticks), and the change c of the relative
  /// velocity in them that the next iterate has if the contact stays closed.
  struct HeldContact
  {
    const Contact<dim> &contact;
    dealii::Tensor<2, dim> D;
    dealii::Tensor<1, dim> c;
    /// c is known, and that of the candidate alone: points against obstacles,
    /// after build_kinematics() of a Newton loop.
    bool exact;
  };

  /// Call add for each closed contact that acts on nodes of this rank.
  void for_each_held(const std::function<void(const HeldContact &)> &add);

  /// The contacts, impulses and statuses that the step begins with, kept until
  /// accept(), for restore().
  void begin_step();

  /// The largest sliding in the step that closed contacts have done, in sizes
  /// of contact faces.
  double largest_slip(const double h) const;

  /// W, if contacts, frames or compliances are new.
  void update_delassus();

  const ContactResult &solve_contact();

  /// After solve_contact(): whether the coefficients of friction are those of
  /// the speeds and pressures found. If not, they are now, and the problem is
  /// to be solved again. Gives up after many such solutions.
  bool friction_settled(const double t, const double h);

  /// r = H P of the contacts of some interactions alone, for the systems.
  void apply_impulses_of(const std::set<std::string> &interactions);

  /// A stage of the run begins: what may touch is others than at the last
  /// detection.
  void begin_stage()
  {
    must_detect = true;
  }

  /// Whether the last solution has settled; see friction_settled().
  bool friction_in_balance          = true;
  double friction_change            = 0.; ///< of sliding forces, relative
  std::size_t n_friction_iterations = 0;  ///< of all steps

  /// The worst contact of all ranks with mu |W_NT| / W_NN >= 1, in words; empty
  /// if there is none.
  std::string ill_posed_contact() const;

  /// Of the last solution, on all ranks.
  WedgedContacts wedged_contacts() const;

  /// Add r = H P to the schemes' contact impulses.
  void apply_impulses();

  /// Gaps at the end of the step, from the relative velocities.
  void accept(const double t, const double h);

  /// The problem of the last solve_contact() and its solution, as programs
  /// exchange them: rank 0 gets those of all ranks. @p global: by the effective
  /// matrix of the bodies instead of W. Contacts that are inactive are left
  /// out. Returns why it cannot be exchanged, on all ranks; empty: it can, or
  /// there are no active contacts (the problem is then empty).
  std::string exchanged(const bool global,
                        ExchangeProblem &exchanged_problem,
                        ExchangeSolution &solution);

  /// Forget solutions that were not accepted: contacts, impulses and statuses
  /// as before the step.
  void restore();

  /// What the next step and result files need to know of the past: contacts
  /// with impulses and statuses, and the configuration they were found in.
  /// Saving, by rank 0, comes after prepare_archive(); loading is for all
  /// ranks, from the same bytes. Loading into surfaces that are numbered
  /// differently finds the contacts again in that configuration.
  void archive(Archive &archive);
  void prepare_archive();

  /// After the systems were loaded, at time t: rigid bodies are where their
  /// states say.
  void place_loaded(const double t);

  double gap(const Contact<dim> &contact,
             const std::vector<double> &x,
             const double t) const;

  /// Rank 0: all contacts as they would be on one rank; other ranks: nothing.
  ContactSet<dim> gathered() const;

  /// The opposite: rank 0 has all contacts with P, U, status and gaps_end, the
  /// other ranks have empty tables; each contact goes to the rank that it
  /// belongs to.
  void scatter(ContactSet<dim> table);

  /// Where the error of the last solution was largest.
  std::string worst_contact() const;

  std::size_t n_contacts = 0;     ///< of all ranks
  bool distributed       = false; ///< not all contacts belong to rank 0

  std::vector<double> x, v; ///< of all contact nodes at the beginning
  ContactResult result;     ///< of all ranks
  std::size_t n_detections   = 0;
  std::size_t delassus_bytes = 0; ///< of all ranks
  std::string storage_name;
  std::string note; ///< what users should know of the last W; empty: nothing

private:
  void share_candidates();
  void distribute_contacts();
  bool choose_ranks(ContactSet<dim> &table);

  /// Whether the contacts of this rank are those that it has detected.
  bool knows_detected() const
  {
    return n_ranks == 1 || (distributed && detects_own);
  }
  /// Impulses of contacts found before: as vectors in space, or, @p turned
  /// with the normal, as a Newton loop expects them at its next iterate.
  void carry_impulses(const bool turned = false);

  /// How contact nodes and candidate points are numbered.
  struct Numbering;

  /// Contacts, impulses and what detection remembers were loaded with other
  /// numbers of nodes and points. Throws InputError if one has no counterpart.
  void translate(const Numbering &there);
  /// U_free of all contacts from v_free, and what the laws make of it.
  void prepare_laws();

  /// The states that the laws have with the last solution, tried; @p at_end:
  /// with the gaps at the end of the step, and what they store and dissipate.
  void try_states(const bool at_end);
  FrictionState
  friction_state(const unsigned int a, const double t, const double h) const;
  bool friction_varies() const;

  /// Throw InputError, on all ranks, if one of them has something to say.
  void throw_friction_error(const std::string &mine) const;
  std::string describe_ill_posed(const std::size_t contact,
                                 const double friction,
                                 const double critical) const;

  /// Returns false, on all ranks, if a compliance does not fit into memory.
  bool fill_delassus_data();

  /// Whether normals may change with every motion: those of curved, edged or
  /// turning obstacles.
  bool normals_change() const;

  /// The candidate of a contact for node positions @p x.
  dealii::Point<dim> candidate(const Contact<dim> &contact,
                               const std::vector<double> &x) const;

  /// U_imp of a contact with an obstacle in local axes, for the step h from
  /// the shifted time @p t_tilde.
  LocalVector<dim> imposed_velocity(const Contact<dim> &contact,
                                    const double t_tilde,
                                    const double h) const;

  /// Places that rigid bodies have at node positions: pole and rotation.
  typename Obstacle<dim>::Place place_of(const unsigned int obstacle,
                                         const std::vector<double> &x,
                                         const double t) const;

  /// Tell the shapes of rigid bodies where these are at some times, by node
  /// positions.
  void place_bodies(
      const std::vector<std::pair<double, const std::vector<double> *>> &at);

  /// Positions of nodes of rigid bodies, which turn, in @p positions.
  void gather_places(const CarrierField field,
                     std::vector<double> &positions) const;

  /// Node positions of the state.
  void gather_positions(std::vector<double> &positions) const;

  /// How far rigid bodies' shapes have moved since the last detection, and how
  /// fast they may, for points of a box.
  void bound_bodies(const dealii::BoundingBox<dim> &box,
                    double &moved,
                    double &fastest) const;

  /// Whether a contact's point or its antagonist is a rigid body's.
  bool is_of_rigid_body(const Contact<dim> &contact) const;

  /// Gap at the end of a step from t: bodies move by the relative velocities
  /// found, obstacles by their own law.
  double gap_at_end(const unsigned int a, const double t, const double h) const;

  /// After a solution: what law_error() needs of it.
  void remember_scales();

  /// Whether frames and weights never change: points against planes.
  bool must_keep_frames() const;

  /// Where contacts are evaluated: q~, or the iterate.
  const std::vector<double> &evaluated() const
  {
    return following ? x_iterate : x_tilde;
  }

  /// W that is applied only, by all ranks together.
  void make_applied_delassus();
  void apply_delassus(const double *P_given, double *U_result);

  /// r = H P at the contact nodes, complete where this rank owns them.
  void sum_impulses(const std::vector<double> &P_given, std::vector<double> &r);
  void share_result();

  // Parts of exchanged(), on rank 0 from all ranks.
  ExportedContacts<dim> gather_contacts() const;
  CompressedColumns gather_delassus();
  GlobalForm gather_global_form() const;
  void gather_velocities(std::vector<double> &free_velocity,
                         std::vector<double> &velocity);

  /// Unknowns of the global form: the first of each system, and their number.
  std::vector<std::size_t> first_unknowns() const;

  /// The global form of the present contacts for the solver, if it may ask for
  /// it.
  void offer_global_form();

  /// A message if the worst contact is this rank's and has only prescribed
  /// dofs.
  std::string immovable() const;

  std::string place_of(const Contact<dim> &contact) const;

  Model<dim> &model;
  Detector<dim> detector;
  ContactCompliance<dim> compliance;
  ContactExchange<dim> exchange;
  std::unique_ptr<ContactSolver<dim>> solver; ///< that the parameters name
  GaussSeidel<dim> shared_solver;             ///< for contacts that ranks share
  ProjectedGradient<dim> product_solver;      ///< for W that is applied only
  const unsigned int n_ranks, rank;
  std::vector<unsigned int> detecting_rank, owner; ///< of each candidate point
  bool detects_own     = true;                     ///< the two are the same
  bool first_detection = true;
  std::vector<double> x_detected, x_tilde, v_free;
  std::vector<double> x_end;       ///< at the end of the step
  std::vector<double> x_predicted; ///< rigid bodies: q~ + h v of the iterate
  std::vector<char> is_rigid;      ///< of each system
  bool has_bodies = false;         ///< rigid bodies among systems
  bool following  = false;         ///< x_iterate counts, not x_tilde
  std::vector<double> x_iterate, v_iterate; ///< of the Newton loop
  std::vector<double> U_iterate;
  std::vector<double> v_corrected, x_nearby, frame_U; ///< of frame_impulses()
  std::vector<double> gaps_iterate;
  std::vector<CandidateState<dim>> candidate_states; ///< of the laws
  double last_scale = 0., last_norm_q = 0.;          ///< of the last solution
  /// What else a step begins with.
  struct Beginning
  {
    bool first_detection = true;
    std::vector<Contact<dim>> detected;
    std::size_t n_contacts = 0;
  };
  Beginning beginning;
  bool keeps_contacts  = false; ///< steps are Newton loops
  bool laws_have_state = false;
  bool at_start        = true;  ///< no step was made yet
  bool must_detect     = false; ///< what was found last is not valid any more
  double smallest_face = 0., reach_detected = 0.;
  double t_detected   = 0.;
  bool delassus_stale = true; ///< W belongs to other contacts
  ContactSet<dim> old;        ///< of the last detection
  /// What this rank found then, if its contacts are elsewhere: detection
  /// prefers what was touched before.
  std::vector<Contact<dim>> detected;

  std::vector<double> friction_step; ///< mu of the solution - mu used
  double friction_relaxation       = 1.;
  unsigned int friction_iterations = 0;

  ContactSet<dim> archived;    ///< between prepare_archive() and archive()
  std::vector<double> ghost_P; ///< impulses of the exchange's ghosts
  BodyDelassusData<dim> data;
  std::vector<double> lumped_inverse, node_compliance;
  std::vector<unsigned int> pieces; ///< that own contacts act on, increasing
  BodyAssembler<dim> assembler;
  std::unique_ptr<DelassusOperator<dim>> W;
  ContactProblem<dim> problem;
  GlobalForm global_form; ///< if a solver has asked for it
  bool global_form_stale = true;
  bool applied_only      = false;
  std::vector<double> response_P, response_nodes; ///< of W that is applied
  std::vector<double> r;                          ///< H P at contact nodes
};
} // namespace delassus

#endif

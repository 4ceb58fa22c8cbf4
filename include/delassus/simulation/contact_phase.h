#ifndef delassus_simulation_contact_phase_h
#define delassus_simulation_contact_phase_h

#include <delassus/contact/exchange/export_problem.h>
#include <delassus/contact/problem/contact_problem.h>
#include <delassus/simulation/contact_delassus.h>
#include <delassus/simulation/contact_places.h>
#include <delassus/simulation/contact_ranks.h>
#include <delassus/simulation/contact_solvers.h>
#include <delassus/simulation/friction_loop.h>
#include <delassus/simulation/working_set.h>

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
/// ContactMessages). Positions and velocities of surface nodes are known to
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
  struct LawEnergies
  {
    double stored = 0., stored_change = 0., dissipated = 0.;
  };
  LawEnergies law_energies;

  /// After the w of a system has changed.
  void update_compliance()
  {
    delassus.update_compliance();
  }

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
    iterate.frame_U.clear();
  }

  /// Add w s to the free velocities of all systems, s values at the contact
  /// nodes.
  void shift_free_velocity(const std::vector<double> &s);

  /// After follow() and build_kinematics(): how far the impulses and the
  /// velocities of the iterate are from the laws, unit free; |q| and g as in
  /// the last solution.
  double law_error(const double h);

  /// The loop has converged: U of the step is that of the iterate.
  void take_iterate()
  {
    U = iterate.U;
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

  /// Whether a contact of this rank is tied: held under pull too.
  bool is_tied(const std::size_t a) const
  {
    const auto &law = *model.laws[this->contacts[a].interaction];
    return law.holds(nullptr) && a < states.n_contacts() &&
           states.n_values(a) > 0 && law.holds(states.begin(a));
  }

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

  /// After the correction that a solution leads to: whether the contacts that
  /// were not concentrated obey their laws. If not, some of them are now: the
  /// problem is to be solved again. Ranks together.
  bool all_may_rest();

  /// After solve_contact(): whether the coefficients of friction are those of
  /// the speeds and pressures found; if not, the problem is to be solved again.
  bool friction_settled(const double t, const double h)
  {
    return friction.settled(*this, t, h, problem);
  }

  /// r = H P of the contacts of some interactions alone, for the systems.
  void apply_impulses_of(const std::set<std::string> &interactions);

  /// A stage of the run begins: what may touch is others than at the last
  /// detection.
  void begin_stage()
  {
    found.is_valid = false;
  }

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

  /// Rank 0: all contacts as they would be on one rank; other ranks: nothing.
  ContactSet<dim> gathered() const;

  /// The opposite: rank 0 has all contacts with P, U, status and gaps_end, the
  /// other ranks have empty tables; each contact goes to the rank that it
  /// belongs to.
  void scatter(ContactSet<dim> table);

  /// Where the error of the last solution was largest.
  std::string worst_contact() const;

  /// The last problem was not solved with W: whether it can be without.
  bool spare_W()
  {
    return delassus.spare(problem);
  }

  /// Contacts that no reaction can move, as their dofs are prescribed, in
  /// words: one of each pair, the same on any number of ranks. Ranks together.
  std::string immovable_contact() const;

  /// For the log, which takes them.
  std::vector<std::string> notes;

  std::size_t n_contacts   = 0; ///< of all ranks
  std::size_t n_detections = 0;
  ContactResult result; ///< of all ranks

  // The parts.
  ContactPlaces<dim> places;
  ContactRanks<dim> ranks;
  ContactDelassus<dim> delassus;
  ContactSolvers<dim> solvers;
  FrictionLoop<dim> friction;
  WorkingSet working;

private:
  // The working set: chosen with the kinematics of an iteration; for W; and for
  // the time of a solution, in which contacts at rest have no law.
  void choose_working_set();
  void take_working_set(const bool changed);
  void leave_out_resting();
  void bring_back_resting();

  /// What was detected becomes the contacts of the step, on the ranks that they
  /// belong to. Ranks together.
  void take_detected(const std::vector<double> &x,
                     const double t,
                     const bool turned);
  void distribute_contacts();

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

  /// In Newton loops, where both ends of a sheet's director are tied: the inner
  /// one is let go along it, once the stiffness of the nodes is known.
  void soften_ties();

  /// When the run begins: InputError if an interaction whose law ties ties
  /// nothing, a note where it ties some of its points only. Ranks together.
  void check_ties();

  /// The states that the laws have with the last solution, tried; @p at_end:
  /// with the gaps at the end of the step, and what they store and dissipate.
  void try_states(const bool at_end);

  /// Gap at the end of a step from t: bodies move by the relative velocities
  /// found, obstacles by their own law.
  double gap_at_end(const unsigned int a, const double t, const double h) const;

  /// After a solution: what law_error() needs of it.
  void remember_scales();

  /// r = H P for the systems.
  void set_impulses(const std::vector<double> &P_given);

  // Parts of exchanged(), on rank 0 from all ranks.
  ExportedContacts<dim> gather_contacts() const;
  void gather_velocities(std::vector<double> &free_velocity,
                         std::vector<double> &velocity);

  // Of a contact of this rank, in words.
  std::string place_of(const Contact<dim> &contact) const;
  std::string describe(const Contact<dim> &contact) const;
  std::string describe_ill_posed(const std::size_t contact,
                                 const double friction,
                                 const double critical) const;

  /// A message if the worst contact is this rank's and has only prescribed
  /// dofs.
  std::string immovable() const;

  Model<dim> &model;
  Detector<dim> detector;
  const double smallest_face;
  ContactProblem<dim> problem;
  std::vector<CandidateState<dim>> candidate_states; ///< of the laws
  bool laws_have_state = false;
  bool at_start        = true;  ///< no step was made yet
  bool ties_are_known  = false; ///< check_ties() was called
  bool some_tie        = false; ///< laws may
  /// Of the contact nodes, as far as it is known.
  std::vector<double> tie_stiffness;
  bool keeps_contacts = false; ///< steps are Newton loops

  /// The last detection.
  struct Found
  {
    bool is_first = true; ///< there was none yet
    bool is_valid = true; ///< what may touch is still the same
    std::vector<double> x;
    double t = 0., reach = 0.;
    /// What this rank found then, if its contacts are elsewhere: detection
    /// prefers what was touched before.
    std::vector<Contact<dim>> elsewhere;
  };
  Found found;
  ContactSet<dim> old; ///< contacts of the detection before

  /// What else a step begins with.
  struct Beginning
  {
    bool is_first = true;
    std::vector<Contact<dim>> elsewhere;
    std::size_t n_contacts = 0;
  };
  Beginning beginning;

  /// The iterate of a Newton loop.
  struct Iterate
  {
    unsigned int number = 0; ///< of the Newton loop
    std::vector<double> U, gaps;
    /// Of frame_impulses(): what U changes by, velocities and places there.
    std::vector<double> frame_U, v_corrected, x_nearby;
    double scale = 0., norm_q = 0.; ///< of the last solution
  };
  Iterate iterate;

  ContactSet<dim> archived; ///< between prepare_archive() and archive()
  std::vector<double> r;    ///< H P at contact nodes

  /// What the working set is chosen and looked at with.
  struct AtRest
  {
    bool is_used = false;          ///< alike on all ranks
    std::vector<double> calU_N, v; ///< of contacts; of contact nodes
    std::vector<char> may_rest;    ///< of contacts
    unsigned int n_looks = 0;      ///< at solutions of the present problem
  };
  AtRest at_rest;
};
} // namespace delassus

#endif

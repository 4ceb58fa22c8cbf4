#ifndef delassus_simulation_step_h
#define delassus_simulation_step_h

#include <delassus/base/log.h>
#include <delassus/base/phase_timer.h>
#include <delassus/contact/global_solvers/anderson.h>
#include <delassus/simulation/equilibrium.h>
#include <delassus/simulation/problem_dumps.h>

#include <string>
#include <vector>

namespace delassus
{
/// One time step of all systems with the Signorini-Coulomb loop inside each
/// iteration of the Euler-Newton-Raphson loop:
///
///   k: forces, tangent, w(k) and v_free(k) of all systems; gaps, frames and W
///      at the iterate; contact solved implicitly; v_{k+1} = v_free(k) + w H P
///
/// It has converged when, with forces and frames of the last iterate, the
/// momentum residual is small against the impulses it is made of and the
/// contact laws hold to the tolerance of the contact solver. Where all systems
/// are linear the first iteration is exact; quasi-static ones with pieces that
/// only contact holds go on until these are in balance (Equilibrium).
template <int dim>
class Step
{
public:
  Step(Model<dim> &model,
       ContactPhase<dim> &contact,
       Equilibrium<dim> &equilibrium,
       ProblemDumps<dim> &dumps,
       Log &log,
       PhaseTimer &timer);

  /// One attempt at the step h from t, number @p step. Returns false, with
  /// `last` saying why, if it does not converge; nothing is accepted.
  bool attempt(const unsigned int step, const double t, const double h);

  /// After a solution: whether strains or slips in the step are larger than
  /// allowed; `last` says so.
  bool too_large(const double h);

  /// At checkpoints, in the run that writes and in the one that reads them:
  /// matrices of earlier steps are made anew, so that both go on alike.
  void forget();

  /// What else the next step depends on, and totals.
  void archive(Archive &archive);

  /// From one stage of a run to the next: totals, and what the systems know of
  /// their last step.
  void carry_over(Archive &archive);

  /// What the last attempt has come to.
  struct Outcome
  {
    unsigned int iterations = 0;
    unsigned int sweeps     = 0; ///< of its contact solutions
    double momentum_error = 0., law_error = 0.;
    std::vector<double> history;     ///< momentum error of each iteration
    std::vector<double> law_history; ///< the same of the contact laws
    double limit_ratio = 0.;         ///< after too_large(): increment / allowed
    // If it failed: why, and what may help.
    std::string reason, advice;
    bool contact_failed = false; ///< the contact loop did not converge
  };
  Outcome last;

  struct Counts
  {
    std::size_t n_iterations = 0, n_matrices = 0, n_indefinite = 0;
    std::size_t n_stagnated    = 0; ///< steps limited by the contact solver
    std::size_t n_stepped_back = 0; ///< corrections that were shortened
  };
  Counts of_run;

  /// Where and why an evaluation had no answer, on all ranks. Collective.
  std::string trouble() const;

private:
  bool fail(const std::string &why, const std::string &what_helps = "");

  // The parts of attempt(), in their order.
  void begin(const double t);
  bool within_bound(const double h);
  bool evaluate(const unsigned int k);
  void follow_contacts(const unsigned int k, const double t, const double h);
  enum class Judgement
  {
    done,
    go_on,
    failed
  };
  Judgement judge(const unsigned int k, const double h);
  Judgement judge_slow(const unsigned int k);
  double forcing(const unsigned int k) const;
  /// What frames may leave of the contact impulses after this correction.
  double frames_may_leave(const unsigned int k) const;
  bool update_inverses(const unsigned int k);
  void free_velocity();
  void find_contacts(const double t, const double h);
  void tell_contact_notes();
  /// The contact problem of the iterate and the correction it leads to, with
  /// the change of frames and feet on the way.
  bool solve_contact(const unsigned int k, const double t, const double h);
  void shorten(const unsigned int k);
  bool finish(const double t, const double h, const unsigned int k);

  bool follow_frames(const unsigned int k, const double t, const double h);
  bool solve_problem(const double t, const double h);
  bool solve_working_set(const double t, const double h);

  /// The loop is slow: less of it for the rigid motions of softly held pieces
  /// that are not in balance.
  void lighten_pieces();

  /// A stiffness gamma H D H* in the directions D that closed contacts hold,
  /// gamma in proportion to that of their nodes, and the impulse gamma H D c
  /// that it has once the next iterate is where contact wants it, so that the
  /// correction stays Newton's as long as they stay closed. For systems whose
  /// tangent is new, or for all.
  void add_held_stiffness(const double share, const bool to_all);

  bool evaluate_systems(const unsigned int k, const bool with_tangent);

  /// The iterate has no answer: halve the last correction until it has one.
  bool step_back(const unsigned int k, const bool with_tangent);

  /// Whether the loop, slower than asked for, is on its way.
  bool slow_but_sure() const;
  double residual();

  /// --verbose: what iteration k has reached.
  void tell_iteration(const unsigned int k) const;

  Model<dim> &model;
  ContactPhase<dim> &contact;
  Equilibrium<dim> &equilibrium;
  FreePieces<dim> &pieces; ///< that only contact holds
  ProblemDumps<dim> &dumps;
  Log &log;
  PhaseTimer &timer;
  const NewtonParameters parameters;
  const double contact_tolerance;
  const bool quasi_static;
  bool iterates       = false; ///< some system is not linear
  unsigned int number = 0;     ///< of the step

  /// What steps before leave to the next one.
  struct Learned
  {
    bool from_rest               = false; ///< the last attempt failed
    bool slow                    = false; ///< the last step was
    double held_share            = 0.; ///< of the stiffness of closed contacts
    unsigned int steps_with_held = 0;
    /// Residuals and errors of laws after the corrections of the last step that
    /// was solved.
    std::vector<double> history, law_history;
  };
  Learned learned;

  /// Tolerance of the contact solver over that asked for: what one step needed
  /// beyond this is forgotten in the next one.
  static constexpr double finest_kept = 1e-3;

  /// The loop in work.
  struct Loop
  {
    bool shifted              = false; ///< a fictitious mass was needed
    bool without_tangent      = false; ///< the last residual promised to do
    bool free_velocity_is_new = false; ///< contact does not know it yet
    bool shortened = false; ///< the last correction: nothing is reached yet
    double best    = 0.;    ///< residual of the step
    unsigned int n_worse = 0, last_halved = 0;
  };
  Loop now;
  Anderson frame_memory; ///< of follow_frames()
};
} // namespace delassus

#endif

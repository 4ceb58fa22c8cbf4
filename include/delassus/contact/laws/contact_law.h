#ifndef delassus_contact_laws_contact_law_h
#define delassus_contact_laws_contact_law_h

#include <delassus/contact/laws/change_of_variables.h>
#include <delassus/contact/laws/friction.h>
#include <delassus/contact/local_solvers/local_solver.h>
#include <delassus/parameters/parameters.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace delassus
{
/// What a law may know of one candidate when a step is prepared.
template <int dim>
struct CandidateState
{
  double h         = 0.;         ///< time step
  double gap       = 0.;         ///< g at the beginning of the step
  double gap_tilde = 0.;         ///< g + (1-theta) h U_N, U at the beginning
  LocalVector<dim> U_previous{}; ///< at the beginning of the step
  LocalVector<dim> U_free_candidate{}; ///< U if no contact acted in the step
  LocalVector<dim> P_previous{};       ///< impulse of the previous step
  ContactStatus status = ContactStatus::open; ///< of the previous step
  double area          = 0.; ///< tributary area of the candidate
  /// By how much sheets, of both sides together, are pressed in for each force.
  double compliance = 0.;
  FrictionState friction; ///< with the speed and pressure to start from

  /// The contact is there when the run begins (for initialize(): what is bonded
  /// is bonded from the start).
  bool at_start = false;
};

/// What became of one contact in a step.
template <int dim>
struct ContactSolution
{
  LocalVector<dim> U{};                       ///< at the end of the step
  LocalVector<dim> P{};                       ///< impulse of the step
  ContactStatus status = ContactStatus::open; ///< of the standard problem
  double gap           = 0.;                  ///< g at the end of the step
};

/// A value that output shows of each contact.
template <int dim>
struct LawField
{
  std::string name; ///< "intact"

  /// False: one number. True: dim components in the local frame, which output
  /// turns into global axes.
  bool is_vector = false;

  /// From the state at the end of the step and its solution.
  std::function<void(const ContactSolution<dim> &solution,
                     const double *state,
                     double *values)>
      evaluate;
};

/// A contact law: how a candidate's (U, P) are made standard for one step, and
/// what the contact remembers from one step to the next. A law object has no
/// state of its own and serves all contacts of its interactions; what a contact
/// remembers are n_state() numbers that someone else owns (LawStates), keeps at
/// the beginning of the step and at its end, and accepts or reverts.
///
/// A step runs as follows, contact by contact:
///
///   initialize()   once, when the contact is new: the state at the beginning
///   prepare()      state at the beginning -> change of variables; again in
///                  every Newton iteration with the same beginning
///   (the contact problem is solved)
///   update()       solution -> state at the end, tried; again after every
///                  iteration
///   accept         the end becomes the beginning; or revert: nothing to do
///
/// prepare() and update() are pure functions of their arguments: what is tried
/// and thrown away leaves no trace.
///
/// Vectors in the state are components in the local frame of the contact
/// (N, T, S), which turns with the contact: bodies that turn together change no
/// component, and so no force or energy (objectivity). Where the frame of a
/// contact that persists is chosen anew, turn() makes the new components; see
/// frame_turn.h for the rotation.
template <int dim>
class ContactLaw
{
public:
  virtual ~ContactLaw() = default;

  /// As in the entry Type of a parameter file.
  virtual std::string name() const = 0;

  /// Numbers that a contact remembers.
  virtual unsigned int n_state() const
  {
    return 0;
  }

  /// The state at the beginning of its first step of a contact that is new.
  virtual void initialize(const CandidateState<dim> & /*candidate*/,
                          double * /*state*/) const
  {
  }

  /// @p begin: the state at the beginning of the step. @p trial: the end as the
  /// last iterate left it, for laws whose state at the end enters their change
  /// of variables; the same as @p begin in the first iteration. Both are null
  /// for laws without state.
  virtual ChangeOfVariables<dim> prepare(const CandidateState<dim> &candidate,
                                         const double *begin,
                                         const double *trial) const = 0;

  /// For laws without state.
  ChangeOfVariables<dim> prepare(const CandidateState<dim> &candidate) const
  {
    return prepare(candidate, nullptr, nullptr);
  }

  /// The state at the end of the step, @p end (which is not @p begin). All of
  /// it is written. @p candidate is what prepare() was given.
  virtual void update(const CandidateState<dim> & /*candidate*/,
                      const ContactSolution<dim> & /*solution*/,
                      const double * /*begin*/,
                      double * /*end*/) const
  {
  }

  /// The frame of the contact was chosen anew: old components x become Q x,
  /// Q a rotation about the normal (Q_NN = 1).
  virtual void turn(const LocalMatrix<dim> & /*Q*/, double * /*state*/) const
  {
  }

  /// Energy that a contact in this state stores (springs).
  virtual double stored(const CandidateState<dim> & /*candidate*/,
                        const double * /*state*/) const
  {
    return 0.;
  }

  /// Energy that the change of the law's own state dissipates in the step,
  /// never negative. Without sliding, which is sliding_work(), and without what
  /// is lost when a gap closes within a step, which every law with a gap has.
  /// With all of them, for each contact,
  ///
  ///   -U.P = change of stored + dissipated + sliding_work + free gap P_N / h,
  ///
  /// free gap = gap_tilde, less what a spring was pressed in at the beginning.
  virtual double dissipated(const CandidateState<dim> & /*candidate*/,
                            const ContactSolution<dim> & /*solution*/,
                            const double * /*begin*/,
                            const double * /*end*/) const
  {
    return 0.;
  }

  /// Whether a contact in this state is tied: held in all directions, pull as
  /// well as pressure. Null: whether some of this law may be.
  virtual bool holds(const double * /*state*/) const
  {
    return false;
  }

  /// What output shows beside velocity, force and status. Laws with the same
  /// name of a field mean the same by it.
  virtual std::vector<LawField<dim>> fields() const
  {
    return {};
  }

  /// Coulomb's coefficient where it depends on the solution: the step is then
  /// solved again with mu of its speeds and pressures, until mu settles. Null
  /// for laws with one number for all contacts.
  virtual const Friction *varying_friction() const
  {
    return nullptr;
  }
};

/// -calU_T . calP_T: what sliding dissipates in the step, never negative but by
/// the error of the solution. (Without springs that is -U_T . P_T.)
template <int dim>
double sliding_work(const ChangeOfVariables<dim> &change,
                    const ContactSolution<dim> &solution)
{
  if (!change.active)
    return 0.;
  LocalVector<dim> u, r;
  change.to_standard(solution.U, solution.P, u, r);
  double sum = 0.;
  for (int c = 1; c < dim; ++c)
    sum -= u[c] * r[c];
  return sum;
}

/// calU = U + (gap_tilde / h, 0, 0): the common beginning of laws whose gap
/// stays non-negative.
template <int dim>
ChangeOfVariables<dim> gap_shift(const CandidateState<dim> &candidate,
                                 const double friction)
{
  ChangeOfVariables<dim> change;
  change.shift[0] = candidate.gap_tilde / candidate.h;
  change.friction = friction;
  return change;
}

/// The law of the parameters, see law_table.h. @p function evaluates
/// parameters.friction_expression. Throws InputError for values out of range.
template <int dim>
std::unique_ptr<ContactLaw<dim>>
make_contact_law(const ContactLawParameters &parameters,
                 const Friction::Function &function = {});
} // namespace delassus

#endif

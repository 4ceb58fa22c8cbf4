#ifndef delassus_simulation_contact_phase_h
#define delassus_simulation_contact_phase_h

#include <delassus/contact/delassus/block_sparse_delassus.h>
#include <delassus/contact/delassus/body_delassus.h>
#include <delassus/contact/delassus/dense_delassus.h>
#include <delassus/contact/global_solvers/gauss_seidel.h>
#include <delassus/contact/problem/contact_problem.h>
#include <delassus/simulation/model.h>


namespace delassus
{
/// The contact part of a time step, in the words of the method:
/// detect, build_kinematics, update_delassus, solve_contact, apply.
/// Contacts are known on every rank; W and the Signorini-Coulomb loop live on
/// rank 0, the impulses are then broadcast.
template <int dim>
class ContactPhase
{
public:
  explicit ContactPhase(Model<dim> &model);

  /// The compliances of all pieces at the contact nodes, after the schemes'
  /// step size has changed.
  void update_compliance();

  /// Find the contacts on q~ = q + (1-theta) h v, unless nothing has moved
  /// enough since the last time. Impulses of persistent contacts are carried
  /// over. Returns whether contacts or frames are new.
  bool detect(const double t, const double h);

  /// Gaps, relative velocities at the beginning of the step and U_free.
  void build_kinematics(const double t, const double h);

  /// W, if contacts, frames or compliances are new.
  void update_delassus();

  const ContactResult &solve_contact();

  /// After solve_contact(): whether the coefficients of friction are those of
  /// the speeds and pressures found. If not, they are now, and the problem is
  /// to be solved again. Gives up after many such solutions.
  bool friction_settled(const double t, const double h);

  /// Whether the last solution has settled; see friction_settled().
  bool friction_in_balance          = true;
  double friction_change            = 0.; ///< of sliding forces, relative
  std::size_t n_friction_iterations = 0;  ///< of all steps

  /// The worst contact of this rank with mu |W_NT| / W_NN >= 1, in words; empty
  /// if there is none.
  std::string ill_posed_contact() const;

  /// Add r = H P to the schemes' contact impulses.
  void apply_impulses();

  /// Gaps at the end of the step, from the relative velocities (rank 0).
  void accept(const double t, const double h);

  /// Multiply the impulses that the next solution starts from.
  void scale_impulses(const double factor);

  /// Forget a solution that was not accepted: impulses and statuses as before
  /// it.
  void restore();

  /// What the next step and result files need to know of the past: contacts
  /// with impulses and statuses, and the configuration they were found in.
  /// Known to all ranks alike. Loading into surfaces that are numbered
  /// differently finds the contacts again in that configuration.
  void archive(Archive &archive);

  double gap(const Contact<dim> &contact,
             const std::vector<double> &x,
             const double t) const;

  std::vector<Contact<dim>> contacts;
  std::vector<double> P;       ///< impulses, contact by contact
  std::vector<double> U;       ///< relative velocities at the end (rank 0)
  std::vector<double> U_start; ///< at the beginning, with U_imp
  std::vector<double> U_imposed;
  std::vector<double> gaps;     ///< g at the beginning of the step
  std::vector<double> gaps_end; ///< and at its end
  std::vector<double> x, v;     ///< of the contact nodes at the beginning
  ContactResult result;
  std::size_t n_detections   = 0;
  std::size_t delassus_bytes = 0;
  std::string storage_name;

private:
  void number_contact_nodes();
  void carry_impulses();

  /// How contact nodes and candidate points are numbered.
  struct Numbering;

  /// Contacts, impulses and what detection remembers were loaded with other
  /// numbers of nodes and points. Throws InputError if one has no counterpart.
  void translate(const Numbering &there);
  void fill_delassus_data();
  FrictionState
  friction_state(const unsigned int a, const double t, const double h) const;

  /// Contacts are known on every rank, U on rank 0.
  bool has_solution() const
  {
    return rank == 0;
  }

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

  /// Gap at the end of a step from t: bodies move by the relative velocities
  /// found, obstacles by their own law.
  double gap_at_end(const unsigned int a, const double t, const double h) const;

  /// Throws ComputationError if the worst contact has only prescribed dofs.
  void report_immovable() const;

  Model<dim> &model;
  Detector<dim> detector;
  GaussSeidel<dim> solver;
  const unsigned int rank;
  bool first_detection = true;
  std::vector<double> x_detected, x_tilde, v_free;
  double smallest_face = 0., reach_detected = 0.;
  double t_detected   = 0.;
  bool delassus_stale = true;  ///< W belongs to other contacts
  bool solving        = false; ///< P and the statuses are not accepted yet
  std::vector<Contact<dim>> old_contacts; ///< of the last detection
  std::vector<double> P_start, old_P;
  std::vector<ContactStatus> status_start, old_status;

  // Node numbers inside the compliance of the piece's class.
  std::vector<unsigned int> slot_of_node;
  std::vector<std::vector<std::vector<unsigned int>>>
      class_nodes;                                          // body, class
  std::vector<std::vector<std::vector<double>>> compliance; // body, class
  double impulse_scale = 0.;

  std::vector<double> friction_step; ///< mu of the solution - mu used
  double friction_relaxation       = 1.;
  unsigned int friction_iterations = 0;

  BodyDelassusData<dim> data;
  BodyAssembler<dim> assembler;
  std::unique_ptr<DelassusOperator<dim>> W;
  ContactProblem<dim> problem;
};
} // namespace delassus

#endif

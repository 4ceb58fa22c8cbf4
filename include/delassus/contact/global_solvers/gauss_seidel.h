#ifndef delassus_contact_global_solvers_gauss_seidel_h
#define delassus_contact_global_solvers_gauss_seidel_h

#include <delassus/contact/delassus/aligned_vector.h>
#include <delassus/contact/global_solvers/contact_solver.h>
#include <delassus/contact/local_solvers/local_solver.h>
#include <delassus/contact/local_solvers/prepared_contact.h>
#include <delassus/contact/problem/contact_error.h>
#include <delassus/contact/problem/contact_problem.h>
#include <delassus/parameters/parameters.h>

#include <cstddef>
#include <vector>

namespace delassus
{
/// The Signorini-Coulomb loop: nonlinear block Gauss-Seidel. Each contact is
/// solved exactly with the latest impulses of all others, sweep after sweep,
/// forwards or alternately forwards and backwards.
///
/// A sweep sums the natural map of each contact at the moment it is visited,
/// which costs nothing extra; when that estimate passes the tolerance (and now
/// and then before) the true error is recomputed, and only that decides.
///
/// Contacts that were found open several times in a row are visited less
/// often; the true error sees them always.
///
/// Keeps its work arrays from one solve to the next; no sweep allocates.
template <int dim>
class GaussSeidel final : public ContactSolver<dim>
{
public:
  /// Throws InputError for values out of range.
  explicit GaussSeidel(const ContactSolverParameters &parameters);

  /// @p P: in, the impulses to start from (empty, or ignored without warm
  /// start: zero); out, the solution. @p U: out, W P + U_free. Throws
  /// ComputationError, naming the contact, for non-finite data or iterates and
  /// for a W^{aa} that is not positive definite. The result lives until the
  /// next call.
  ///
  /// With a @p coupling all ranks solve one problem together, each its own
  /// contacts: errors and counts of the result are those of all ranks, and
  /// all ranks throw if one does.
  const ContactResult &solve(const ContactProblem<dim> &problem,
                             std::vector<double> &P,
                             std::vector<double> &U,
                             RankCoupling<dim> *coupling = nullptr) override;

  const char *name() const override
  {
    return "Gauss-Seidel";
  }

  /// For methods that use sweeps in between.
  void set_max_sweeps(const unsigned int n_sweeps)
  {
    parameters.max_sweeps = n_sweeps;
  }

private:
  /// A contact whose law is more than a shift, or ill posed in 2D.
  struct SpecialContact
  {
    const ChangeOfVariables<dim> *law;
    StandardForm<dim> form;
    LocalMatrix<dim> W;
    bool ill_posed;
  };

  /// Gathered during a sweep.
  struct SweepSums
  {
    double natural_map = 0.; ///< squares
    double change      = 0.;
    double impulse     = 0.;
  };

  void prepare_scales(const ContactProblem<dim> &problem,
                      const std::vector<double> &P);
  void agree_on_scales(const ContactProblem<dim> &problem);
  void prepare(const ContactProblem<dim> &problem,
               const std::vector<double> &P);

  /// Call @p f; if it throws on one rank, all do.
  template <typename Function>
  void together(const Function &f) const;

  template <typename View>
  void iterate(const ContactProblem<dim> &problem,
               const View &W,
               std::vector<double> &P,
               std::vector<double> &U);

  /// Contacts begin ... end-1.
  template <typename View>
  SweepSums
  sweep(const View &W, bool forward, std::size_t begin, std::size_t end);

  /// All contacts of all ranks; messages numbered @p i are sent.
  template <typename View>
  SweepSums sweep_with_others(const View &W, bool forward, unsigned int i);

  template <typename View>
  void receive_ghosts(const View &W, unsigned int lower, unsigned int higher);

  ContactStatus solve_special(const PreparedContact<dim> &contact,
                              LocalVector<dim> &P,
                              const LocalVector<dim> &U,
                              LocalVector<dim> &F) const;

  void note_ill_posed(const std::size_t a,
                      const LocalMatrix<dim> &W,
                      const ChangeOfVariables<dim> &law);

  [[noreturn]] void report_not_finite(const std::vector<double> &P,
                                      unsigned int sweep) const;

  void visit_all_again();

  void copy_impulses(std::vector<double> &P) const;

  ContactSolverParameters parameters;

  double g          = 1.; ///< of the unit-free error
  double estimate_g = 1.; ///< of the estimate: g, or 1 for Siconos' measure
  double norm_q     = 0.;
  double largest    = 0.; ///< largest W_NN

  RankCoupling<dim> *coupling = nullptr;
  AlignedVector<double> arrived;    ///< ghosts' impulses, padded
  std::vector<double> all_impulses; ///< own and ghosts', if there are any

  AlignedVector<PreparedContact<dim>> contacts;
  AlignedVector<double> impulses; ///< padded
  AlignedVector<double> buffer;   ///< of the operator
  std::vector<SpecialContact> special;
  bool has_affine = false;

  /// Visits to leave out, and how often in a row a contact was open.
  std::vector<unsigned char> pause, open_visits;

  ContactResult result;
};
} // namespace delassus

#endif

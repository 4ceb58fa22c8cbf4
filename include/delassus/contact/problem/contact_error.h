#ifndef delassus_contact_problem_contact_error_h
#define delassus_contact_problem_contact_error_h

#include <delassus/contact/problem/contact_problem.h>

#include <cstddef>
#include <vector>

namespace delassus
{
/// How far (P, U = W P + U_free) is from satisfying the laws, over the active
/// contacts, in the standard variables u = calU, r = calP:
///
///   F = r - proj_C(r - (u_N + mu |u_T|, u_T)) per contact, the natural map
///
/// (with Tresca's friction that of the given disk, see tresca.h).
struct ContactErrors
{
  /// |F| / |q| after W' = W/g, r' = g r: independent of units. q is the
  /// standard free velocity. Infinite if q = 0 and F is not.
  double unit_free = 0.;

  /// |F| / max(|q|, |r|, |u|) as Siconos 4.4 (undivided if that is below
  /// 2.2e-16): depends on units.
  double siconos = 0.;

  /// |P - P before the last sweep| / |P|; known to the solver only.
  double impulse_change = 0.;

  double penetration     = 0.; ///< largest -h u_N, a length
  double cone            = 0.; ///< largest (|r_T| - mu r_N) / h or -r_N / h
  double complementarity = 0.; ///< largest |r . (u_N + mu |u_T|, u_T)|, a work

  std::size_t worst_contact = 0; ///< where |F| of unit_free is largest
  unsigned int worst_rank   = 0; ///< whose contact that is
};

/// What errors are made of: sums and maxima over contacts, so that the parts of
/// several ranks can be put together.
struct ErrorSums
{
  double natural_map = 0., siconos = 0., impulses = 0., velocities = 0.;
  double penetration = 0., cone = 0., complementarity = 0.; ///< largest
  double worst              = -1.; ///< largest |F|^2; infinite for a NaN
  std::size_t worst_contact = 0;
};

/// Recomputes U = W P + U_free into @p U (resized to fit) and measures. An
/// impulse on an inactive contact counts as an error.
template <int dim>
ContactErrors compute_errors(const ContactProblem<dim> &problem,
                             const std::vector<double> &P,
                             std::vector<double> &U);

/// The same for callers that know g and |q| already.
template <int dim>
ContactErrors compute_errors(const ContactProblem<dim> &problem,
                             double g,
                             double norm_q,
                             const std::vector<double> &P,
                             std::vector<double> &U);

/// The two steps of it: U and the sums over the contacts of W's rows (P has the
/// impulses of all columns), then the errors.
template <int dim>
ErrorSums sum_errors(const ContactProblem<dim> &problem,
                     double g,
                     const std::vector<double> &P,
                     std::vector<double> &U);

/// The sums over contacts begin ... end-1 alone, where U is known already.
template <int dim>
void add_errors(const ContactProblem<dim> &problem,
                double g,
                const std::vector<double> &P,
                const std::vector<double> &U,
                std::size_t begin,
                std::size_t end,
                ErrorSums &sums);

ContactErrors errors_from(const ErrorSums &sums, double norm_q);

/// |q| over the active contacts.
template <int dim>
double norm_of_free_velocity(const ContactProblem<dim> &problem);

/// The "relaxed" laws with a margin on lengths (gap, sliding in the step) and
/// one on forces: the largest violation in units of the margins, so that a
/// value <= 1 satisfies them: -gap, -R_N, min(gap, R_N) for Signorini;
/// |R_T| - mu R_N, min(h |U_T|, |R_T + mu R_N U_T/|U_T||) for Coulomb.
/// U must belong to P (compute_errors makes it).
template <int dim>
double relaxed_violation(const ContactProblem<dim> &problem,
                         const std::vector<double> &P,
                         const std::vector<double> &U,
                         double gap_margin,
                         double force_margin);
} // namespace delassus

#endif

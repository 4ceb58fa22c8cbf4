#ifndef delassus_contact_laws_change_of_variables_h
#define delassus_contact_laws_change_of_variables_h

#include <delassus/contact/local_solvers/tresca.h>

#include <memory>

namespace delassus
{
/// The affine change of variables of a "derived" law, one contact:
///
///   U = J_UU calU + J_UR calP + U0,      P = J_RU calU + J_RR calP + P0,
///
/// (calU, calP) satisfy the standard problem, (U, P) belong to the bodies. The
/// inverse blocks I = J^{-1} give calU = I_UU (U - U0) + I_UR (P - P0) and
/// likewise calP. In the papers' letters (U0, P0) = -J (calU0, calP0).
template <int dim>
struct AffineLaw
{
  LocalMatrix<dim> J_UU, J_UR, J_RU, J_RR;
  LocalVector<dim> U0, P0;
  LocalMatrix<dim> I_UU, I_UR, I_RU, I_RR;

  /// Invert J; throws ComputationError if it is singular.
  AffineLaw(const LocalMatrix<dim> &J_UU,
            const LocalMatrix<dim> &J_UR,
            const LocalMatrix<dim> &J_RU,
            const LocalMatrix<dim> &J_RR,
            const LocalVector<dim> &U0,
            const LocalVector<dim> &P0);

  /// From I and (calU0, calP0), the way the laws are usually written:
  /// (calU, calP) = I (U, P) + (calU0, calP0).
  static AffineLaw from_inverse(const LocalMatrix<dim> &I_UU,
                                const LocalMatrix<dim> &I_UR,
                                const LocalMatrix<dim> &I_RU,
                                const LocalMatrix<dim> &I_RR,
                                const LocalVector<dim> &calU0,
                                const LocalVector<dim> &calP0);
};

/// What a law says about one contact during one step. The common laws only
/// shift the velocity (calU = U + shift, calP = P); the others carry an
/// AffineLaw, and `shift` is then not used.
template <int dim>
struct ChangeOfVariables
{
  LocalVector<dim> shift{}; ///< calU = U + shift
  double friction = 0.;     ///< mu of the standard problem
  bool active     = true;   ///< false: P = 0, whatever U
  /// Not negative: Tresca's friction, |calP_T| <= threshold, instead of
  /// Coulomb's. An impulse. Infinite (tied_threshold): calU = 0, whatever calP.
  double threshold = -1.;

  std::shared_ptr<const AffineLaw<dim>> affine; ///< null: pure shift

  bool is_shift() const
  {
    return affine == nullptr;
  }

  bool is_tresca() const
  {
    return threshold >= 0.;
  }

  /// Held in all directions, pull as well as pressure.
  bool is_tied() const
  {
    return threshold == tied_threshold;
  }

  /// The natural map of the law's friction, in standard variables.
  LocalVector<dim> natural_map(const LocalVector<dim> &calP,
                               const LocalVector<dim> &calU,
                               const double g) const
  {
    return is_tresca() ? tresca_natural_map<dim>(calP, calU, threshold, g)
                       : delassus::natural_map<dim>(calP, calU, friction, g);
  }

  /// Projection on Coulomb's cone, or Tresca's disk where it presses.
  LocalVector<dim> project(const LocalVector<dim> &z) const
  {
    return is_tresca() ? project_on_tresca<dim>(z, threshold)
                       : project_on_cone<dim>(z, friction);
  }

  /// Largest tangential impulse under the normal impulse @p normal.
  double friction_bound(const double normal) const
  {
    return is_tresca() ? threshold : friction * normal;
  }

  /// (U, P) -> (calU, calP).
  void to_standard(const LocalVector<dim> &U,
                   const LocalVector<dim> &P,
                   LocalVector<dim> &calU,
                   LocalVector<dim> &calP) const;

  /// (calU, calP) -> (U, P).
  void from_standard(const LocalVector<dim> &calU,
                     const LocalVector<dim> &calP,
                     LocalVector<dim> &U,
                     LocalVector<dim> &P) const;
};

/// The local problem U = W P + U_loc_free in standard form:
///
///   C = (J_UU - W J_RU)^{-1},  calW = C (W J_RR - J_UR),
///   calU_free = C (W P0 - U0 + U_loc_free) = C U_loc_free + constant.
template <int dim>
struct StandardForm
{
  LocalMatrix<dim> C, calW;
  LocalVector<dim> constant;

  /// Throws ComputationError if J_UU - W J_RU is singular.
  StandardForm(const ChangeOfVariables<dim> &law, const LocalMatrix<dim> &W);

  LocalVector<dim> calU_free(const LocalVector<dim> &U_loc_free) const
  {
    return add(multiply<dim>(C, U_loc_free), constant);
  }
};

// Two short functions that the sweep and the error measure call per contact.

template <int dim>
inline void ChangeOfVariables<dim>::to_standard(const LocalVector<dim> &U,
                                                const LocalVector<dim> &P,
                                                LocalVector<dim> &calU,
                                                LocalVector<dim> &calP) const
{
  if (is_shift())
  {
    calU = add(U, shift);
    calP = P;
    return;
  }
  const LocalVector<dim> u = subtract(U, affine->U0);
  const LocalVector<dim> p = subtract(P, affine->P0);
  calU = add(multiply<dim>(affine->I_UU, u), multiply<dim>(affine->I_UR, p));
  calP = add(multiply<dim>(affine->I_RU, u), multiply<dim>(affine->I_RR, p));
}

template <int dim>
inline void ChangeOfVariables<dim>::from_standard(const LocalVector<dim> &calU,
                                                  const LocalVector<dim> &calP,
                                                  LocalVector<dim> &U,
                                                  LocalVector<dim> &P) const
{
  if (is_shift())
  {
    U = subtract(calU, shift);
    P = calP;
    return;
  }
  U = add(
      add(multiply<dim>(affine->J_UU, calU), multiply<dim>(affine->J_UR, calP)),
      affine->U0);
  P = add(
      add(multiply<dim>(affine->J_RU, calU), multiply<dim>(affine->J_RR, calP)),
      affine->P0);
}
} // namespace delassus

#endif

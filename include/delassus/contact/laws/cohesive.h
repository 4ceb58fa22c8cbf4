#ifndef delassus_contact_laws_cohesive_h
#define delassus_contact_laws_cohesive_h

#include <delassus/contact/laws/contact_law.h>

namespace delassus
{
/// A bond of Mohr and Coulomb: the joint holds the tension c (a force: tensile
/// strength times area, or given for each contact) and, with the friction
/// tan phi of the intact bond, the shear tan phi (R_N + c); so
///
///   calP_N = P_N + h c,   calU_N = U_N + gap_tilde / h,   mu = tan phi.
///
/// It is rigid until it breaks, for good, when
///
///   - it has slid: (P_T, P_N + h c) has reached the cone, unless tan phi = 0
///     (a bond without friction, which may slide), or
///   - it has opened: P_N + h c = 0. That is g > 0 of the gap that the
///     condition itself looks at, gap_tilde + h U_N.
///
/// Broken, it is Signorini's and Coulomb's law with its own coefficient. Only
/// contacts that touch when the run begins are bonded: those whose gap is at
/// most `bonding gap` (and 1e-9 of their size, for rounding). What meets later
/// is not.
///
/// State: 1 intact, 0 broken. It stores nothing; the step in which the bond
/// opens dissipates c times the opening (this vanishes with h, as in every law
/// that is rigid until it breaks), sliding in that step comes on top.
template <int dim>
class Cohesive : public ContactLaw<dim>
{
public:
  /// Throws InputError for negative numbers.
  Cohesive(const ContactLawParameters &parameters,
           const Friction::Function &function);

  std::string name() const override;

  unsigned int n_state() const override
  {
    return 1;
  }

  void initialize(const CandidateState<dim> &candidate,
                  double *state) const override;

  ChangeOfVariables<dim> prepare(const CandidateState<dim> &candidate,
                                 const double *begin,
                                 const double *trial) const override;

  void update(const CandidateState<dim> &candidate,
              const ContactSolution<dim> &solution,
              const double *begin,
              double *end) const override;

  double dissipated(const CandidateState<dim> &candidate,
                    const ContactSolution<dim> &solution,
                    const double *begin,
                    const double *end) const override;

  /// "intact": 1 or 0.
  std::vector<LawField<dim>> fields() const override;

  const Friction *varying_friction() const override
  {
    return friction.varies() ? &friction : nullptr;
  }

private:
  /// c, a force.
  double strength(const CandidateState<dim> &candidate) const
  {
    return tensile_strength * candidate.area + bond_force;
  }

  const Friction friction; ///< once broken
  const double cohesive_friction, tensile_strength, bond_force, bonding_gap;
};
} // namespace delassus

#endif

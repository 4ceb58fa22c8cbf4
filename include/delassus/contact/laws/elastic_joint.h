#ifndef delassus_contact_laws_elastic_joint_h
#define delassus_contact_laws_elastic_joint_h

#include <delassus/contact/laws/contact_law.h>

namespace delassus
{
/// A thin elastic layer between the surfaces, a mortar joint or the thickness
/// of a shell: stiffnesses k_N, k_T per area in series with Signorini's
/// condition and Coulomb's friction. With the area A and the elastic
/// displacement e of the layer (candidate relative to antagonist; e_N <= 0
/// where it is pressed),
///
///   R = -A (k_N e_N, k_T e_T),
///   h calU_N = gap+ - e_N+ = gap_tilde + h U_N + R_N / (A k_N)    (>= 0),
///   h calU_T = h U_T - (e_T+ - e_T) = h U_T + R_T / (A k_T) + e_T,
///
/// so that calU_T is the sliding and calU = U + C P + (gap_tilde, e_T) / h with
/// the compliance C = diag(1/k_N, 1/k_T, 1/k_T) / (h^2 A), calP = P. Forces are
/// those of the end of the step: a spring integrated by implicit Euler,
/// whatever theta (U belongs to the velocities at the end, and e_T, like
/// gap_tilde, is moved by h U each step).
///
/// The joint holds no tension; when it opens the springs are relaxed.
///
/// State: e, dim values. It stores A/2 (k_N e_N^2 + k_T |e_T|^2) and
/// dissipates, beside sliding, A/2 (k_N de_N^2 + k_T |de_T|^2), which vanishes
/// with h.
///
/// A tangential stiffness of 0 is none: rigid in shear, e_T = 0. A contact
/// without area carries no force.
template <int dim>
class ElasticJoint : public ContactLaw<dim>
{
public:
  /// Throws InputError for a normal stiffness that is not positive or a
  /// tangential one that is negative.
  ElasticJoint(const ContactLawParameters &parameters,
               const Friction::Function &function);

  std::string name() const override;

  unsigned int n_state() const override
  {
    return dim;
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

  void turn(const LocalMatrix<dim> &Q, double *state) const override;

  double stored(const CandidateState<dim> &candidate,
                const double *state) const override;

  double dissipated(const CandidateState<dim> &candidate,
                    const ContactSolution<dim> &solution,
                    const double *begin,
                    const double *end) const override;

  /// "elastic_displacement": e, a vector.
  std::vector<LawField<dim>> fields() const override;

  const Friction *varying_friction() const override
  {
    return friction.varies() ? &friction : nullptr;
  }

private:
  const Friction friction;
  LocalVector<dim> stiffness; ///< k_N, k_T, k_T
};
} // namespace delassus

#endif

#ifndef delassus_contact_laws_thickness_compliance_h
#define delassus_contact_laws_thickness_compliance_h

#include <delassus/contact/laws/contact_law.h>

namespace delassus
{
/// A law between faces that give way by what is behind them: half of a sheet,
/// with the compliance c (CandidateState::compliance), in series with the law
/// @p inner. The faces have moved apart by
///
///   g' = g + c R_N,   U'_N = U_N + c P_N / h^2,   h U'_N + gap_tilde = g'+
///
/// and these are what the law sees: of U = U' - (c / h^2) N N^T P with
/// U' = J_UU calU + J_UR calP + U0, P = J_RU calU + J_RR calP + P0 follow the
/// new J_UU, J_UR and U0. The compliance is that of the end of the step,
/// integrated by implicit Euler as a joint is (ElasticJoint).
///
/// State: that of the law, then e = c R_N, by which they are pressed in. It
/// stores e^2 / (2 c) and dissipates (de)^2 / (2 c), which vanishes with h.
///
/// For laws with a gap: one that sees velocities only forgets e.
template <int dim>
class ThicknessCompliance : public ContactLaw<dim>
{
public:
  ThicknessCompliance(std::unique_ptr<ContactLaw<dim>> inner);

  std::string name() const override;

  unsigned int n_state() const override;

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

  /// Those of the law.
  std::vector<LawField<dim>> fields() const override;

  const Friction *varying_friction() const override;

private:
  /// The solution as the law sees it.
  ContactSolution<dim> between_faces(const CandidateState<dim> &candidate,
                                     ContactSolution<dim> solution) const;

  const std::unique_ptr<ContactLaw<dim>> inner;
};
} // namespace delassus

#endif

#ifndef delassus_contact_laws_gap_signorini_coulomb_h
#define delassus_contact_laws_gap_signorini_coulomb_h

#include <delassus/contact/laws/contact_law.h>

namespace delassus
{
/// calU_N = U_N + gap_tilde / h: the predicted gap stays non-negative.
/// Coulomb's friction.
template <int dim>
class GapSignoriniCoulomb : public ContactLaw<dim>
{
public:
  GapSignoriniCoulomb(const ContactLawParameters &parameters,
                      const Friction::Function &function);

  std::string name() const override;

  using ContactLaw<dim>::prepare;
  ChangeOfVariables<dim> prepare(const CandidateState<dim> &candidate,
                                 const double *begin,
                                 const double *trial) const override;

  const Friction *varying_friction() const override
  {
    return friction.varies() ? &friction : nullptr;
  }

private:
  const Friction friction;
};
} // namespace delassus

#endif

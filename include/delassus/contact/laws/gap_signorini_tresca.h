#ifndef delassus_contact_laws_gap_signorini_tresca_h
#define delassus_contact_laws_gap_signorini_tresca_h

#include <delassus/contact/laws/contact_law.h>

namespace delassus
{
/// Gap Signorini with Tresca's friction: |R_T| <= shear limit times area while
/// the contact is closed, whatever the pressure.
template <int dim>
class GapSignoriniTresca : public ContactLaw<dim>
{
public:
  /// Throws InputError unless the shear limit is a number >= 0.
  GapSignoriniTresca(const ContactLawParameters &parameters,
                     const Friction::Function &function);

  std::string name() const override;

  using ContactLaw<dim>::prepare;
  ChangeOfVariables<dim> prepare(const CandidateState<dim> &candidate,
                                 const double *begin,
                                 const double *trial) const override;

private:
  const double shear_limit;
};
} // namespace delassus

#endif

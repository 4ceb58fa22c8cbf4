#ifndef delassus_contact_laws_velocity_signorini_coulomb_h
#define delassus_contact_laws_velocity_signorini_coulomb_h

#include <delassus/contact/laws/contact_law.h>

namespace delassus
{
/// calU = U if a contact is forecast (g <= 0, or g + h U_N <= 0 with the
/// velocity at the beginning of the step or the free velocity), else P = 0.
template <int dim>
class VelocitySignoriniCoulomb : public ContactLaw<dim>
{
public:
  VelocitySignoriniCoulomb(const ContactLawParameters &parameters,
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

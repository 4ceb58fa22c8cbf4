#ifndef delassus_contact_laws_frictionless_h
#define delassus_contact_laws_frictionless_h

#include <delassus/contact/laws/contact_law.h>

namespace delassus
{
/// Gap Signorini without friction.
template <int dim>
class Frictionless : public ContactLaw<dim>
{
public:
  Frictionless(const ContactLawParameters &parameters,
               const Friction::Function &function);

  std::string name() const override;

  using ContactLaw<dim>::prepare;
  ChangeOfVariables<dim> prepare(const CandidateState<dim> &candidate,
                                 const double *begin,
                                 const double *trial) const override;
};
} // namespace delassus

#endif

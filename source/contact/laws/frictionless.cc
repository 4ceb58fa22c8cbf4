#include <delassus/contact/laws/frictionless.h>

namespace delassus
{
template <int dim>
Frictionless<dim>::Frictionless(const ContactLawParameters &parameters,
                                const Friction::Function &function)
{
  // A coefficient that is not used is still to be one.
  const Friction unused(parameters, function);
}

template <int dim>
std::string Frictionless<dim>::name() const
{
  return "frictionless";
}

template <int dim>
ChangeOfVariables<dim>
Frictionless<dim>::prepare(const CandidateState<dim> &candidate,
                           const double *,
                           const double *) const
{
  return gap_shift(candidate, 0.);
}

template class Frictionless<2>;
template class Frictionless<3>;
} // namespace delassus

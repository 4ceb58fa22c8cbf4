#include <delassus/contact/laws/gap_signorini_coulomb.h>

namespace delassus
{
template <int dim>
GapSignoriniCoulomb<dim>::GapSignoriniCoulomb(
    const ContactLawParameters &parameters,
    const Friction::Function &function)
    : friction(parameters, function)
{
}

template <int dim>
std::string GapSignoriniCoulomb<dim>::name() const
{
  return "gap signorini coulomb";
}

template <int dim>
ChangeOfVariables<dim>
GapSignoriniCoulomb<dim>::prepare(const CandidateState<dim> &candidate,
                                  const double *,
                                  const double *) const
{
  return gap_shift(candidate, friction.value(candidate.friction));
}

template class GapSignoriniCoulomb<2>;
template class GapSignoriniCoulomb<3>;
} // namespace delassus

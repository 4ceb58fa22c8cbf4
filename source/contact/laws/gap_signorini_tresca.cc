#include <delassus/contact/laws/gap_signorini_tresca.h>
#include <delassus/contact/laws/law_numbers.h>

namespace delassus
{
template <int dim>
GapSignoriniTresca<dim>::GapSignoriniTresca(
    const ContactLawParameters &parameters,
    const Friction::Function &)
    : shear_limit(
          nonnegative(parameters, "shear limit", parameters.shear_limit))
{
}

template <int dim>
std::string GapSignoriniTresca<dim>::name() const
{
  return "tresca";
}

template <int dim>
ChangeOfVariables<dim>
GapSignoriniTresca<dim>::prepare(const CandidateState<dim> &candidate,
                                 const double *,
                                 const double *) const
{
  ChangeOfVariables<dim> change = gap_shift(candidate, 0.);
  change.threshold              = candidate.h * shear_limit * candidate.area;
  return change;
}

template class GapSignoriniTresca<2>;
template class GapSignoriniTresca<3>;
} // namespace delassus

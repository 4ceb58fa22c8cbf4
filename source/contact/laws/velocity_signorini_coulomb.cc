#include <delassus/contact/laws/velocity_signorini_coulomb.h>

namespace delassus
{
template <int dim>
VelocitySignoriniCoulomb<dim>::VelocitySignoriniCoulomb(
    const ContactLawParameters &parameters,
    const Friction::Function &function)
    : friction(parameters, function)
{
}

template <int dim>
std::string VelocitySignoriniCoulomb<dim>::name() const
{
  return "velocity signorini coulomb";
}

template <int dim>
ChangeOfVariables<dim>
VelocitySignoriniCoulomb<dim>::prepare(const CandidateState<dim> &candidate,
                                       const double *,
                                       const double *) const
{
  const double g = candidate.gap, h = candidate.h;
  ChangeOfVariables<dim> change;
  change.friction = friction.value(candidate.friction);
  change.active   = g <= 0. || g + h * candidate.U_previous[0] <= 0. ||
                  g + h * candidate.U_free_candidate[0] <= 0.;
  return change;
}

template class VelocitySignoriniCoulomb<2>;
template class VelocitySignoriniCoulomb<3>;
} // namespace delassus

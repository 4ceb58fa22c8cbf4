#include <delassus/base/exceptions.h>
#include <delassus/contact/laws/contact_law.h>

#include <fmt/format.h>

#include <cmath>

namespace delassus
{
namespace
{
/// calU = U + (gap_tilde / h, 0, 0).
template <int dim>
ChangeOfVariables<dim> gap_shift(const CandidateState<dim> &candidate,
                                 const double friction)
{
  ChangeOfVariables<dim> change;
  change.shift[0] = candidate.gap_tilde / candidate.h;
  change.friction = friction;
  return change;
}
} // namespace


template <int dim>
GapSignoriniCoulomb<dim>::GapSignoriniCoulomb(const Friction &friction)
    : friction(friction)
{
}

template <int dim>
ChangeOfVariables<dim>
GapSignoriniCoulomb<dim>::prepare(const CandidateState<dim> &candidate) const
{
  return gap_shift(candidate, friction.value(candidate.friction));
}

template <int dim>
std::string GapSignoriniCoulomb<dim>::name() const
{
  return "gap Signorini-Coulomb";
}


template <int dim>
VelocitySignoriniCoulomb<dim>::VelocitySignoriniCoulomb(
    const Friction &friction)
    : friction(friction)
{
}

template <int dim>
ChangeOfVariables<dim> VelocitySignoriniCoulomb<dim>::prepare(
    const CandidateState<dim> &candidate) const
{
  const double g = candidate.gap, h = candidate.h;
  ChangeOfVariables<dim> change;
  change.friction = friction.value(candidate.friction);
  change.active   = g <= 0. || g + h * candidate.U_previous[0] <= 0. ||
                  g + h * candidate.U_free_candidate[0] <= 0.;
  return change;
}

template <int dim>
std::string VelocitySignoriniCoulomb<dim>::name() const
{
  return "velocity Signorini-Coulomb";
}


template <int dim>
ChangeOfVariables<dim>
Frictionless<dim>::prepare(const CandidateState<dim> &candidate) const
{
  return gap_shift(candidate, 0.);
}

template <int dim>
std::string Frictionless<dim>::name() const
{
  return "frictionless";
}


template <int dim>
GapSignoriniTresca<dim>::GapSignoriniTresca(const double shear_limit)
    : shear_limit(shear_limit)
{
}

template <int dim>
ChangeOfVariables<dim>
GapSignoriniTresca<dim>::prepare(const CandidateState<dim> &candidate) const
{
  ChangeOfVariables<dim> change = gap_shift(candidate, 0.);
  change.threshold              = candidate.h * shear_limit * candidate.area;
  return change;
}

template <int dim>
std::string GapSignoriniTresca<dim>::name() const
{
  return "Tresca";
}


template <int dim>
std::unique_ptr<ContactLaw<dim>>
make_contact_law(const ContactLawParameters &parameters,
                 const Friction::Function &function)
{
  const Friction friction(parameters, function);
  switch (parameters.type)
  {
    case ContactLawType::gap_signorini_coulomb:
      return std::make_unique<GapSignoriniCoulomb<dim>>(friction);
    case ContactLawType::velocity_signorini_coulomb:
      return std::make_unique<VelocitySignoriniCoulomb<dim>>(friction);
    case ContactLawType::frictionless:
      return std::make_unique<Frictionless<dim>>();
    case ContactLawType::tresca:
      if (!(parameters.shear_limit >= 0.) ||
          !std::isfinite(parameters.shear_limit))
        throw InputError(
            fmt::format("Contact law '{}': its shear limit is {}, but must be "
                        "a number greater than or equal to 0.",
                        parameters.name,
                        parameters.shear_limit));
      return std::make_unique<GapSignoriniTresca<dim>>(parameters.shear_limit);
  }
  throw InputError(
      fmt::format("Contact law '{}': unknown type.", parameters.name));
}

template class GapSignoriniCoulomb<2>;
template class GapSignoriniCoulomb<3>;
template class VelocitySignoriniCoulomb<2>;
template class VelocitySignoriniCoulomb<3>;
template class Frictionless<2>;
template class Frictionless<3>;
template class GapSignoriniTresca<2>;
template class GapSignoriniTresca<3>;
template std::unique_ptr<ContactLaw<2>>
make_contact_law<2>(const ContactLawParameters &, const Friction::Function &);
template std::unique_ptr<ContactLaw<3>>
make_contact_law<3>(const ContactLawParameters &, const Friction::Function &);
} // namespace delassus

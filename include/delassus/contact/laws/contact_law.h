#ifndef delassus_contact_laws_contact_law_h
#define delassus_contact_laws_contact_law_h

#include <delassus/contact/laws/change_of_variables.h>
#include <delassus/contact/laws/friction.h>
#include <delassus/contact/local_solvers/local_solver.h>
#include <delassus/parameters/parameters.h>

#include <memory>
#include <string>

namespace delassus
{
/// What a law may know of one candidate when a step is prepared.
template <int dim>
struct CandidateState
{
  double h         = 0.;         ///< time step
  double gap       = 0.;         ///< g at the beginning of the step
  double gap_tilde = 0.;         ///< g + (1-theta) h U_N, U at the beginning
  LocalVector<dim> U_previous{}; ///< at the beginning of the step
  LocalVector<dim> U_free_candidate{}; ///< U if no contact acted in the step
  LocalVector<dim> P_previous{};       ///< impulse of the previous step
  ContactStatus status = ContactStatus::open; ///< of the previous step
  double area          = 0.; ///< tributary area of the candidate
  FrictionState friction;    ///< with the speed and pressure to start from
};

/// A contact law: how a candidate's (U, P) are made standard for one step.
template <int dim>
class ContactLaw
{
public:
  virtual ~ContactLaw() = default;

  virtual ChangeOfVariables<dim>
  prepare(const CandidateState<dim> &candidate) const = 0;

  virtual std::string name() const = 0;

  /// Coulomb's coefficient where it depends on the solution: the step is then
  /// solved again with mu of its speeds and pressures, until mu settles. Null
  /// for laws with one number for all contacts.
  virtual const Friction *varying_friction() const
  {
    return nullptr;
  }
};

/// calU_N = U_N + gap_tilde / h: the predicted gap stays non-negative.
template <int dim>
class GapSignoriniCoulomb : public ContactLaw<dim>
{
public:
  explicit GapSignoriniCoulomb(const Friction &friction);

  ChangeOfVariables<dim>
  prepare(const CandidateState<dim> &candidate) const override;

  std::string name() const override;

  const Friction *varying_friction() const override
  {
    return friction.varies() ? &friction : nullptr;
  }

private:
  const Friction friction;
};

/// calU = U if a contact is forecast (g <= 0, or g + h U_N <= 0 with the
/// velocity at the beginning of the step or the free velocity), else P = 0.
template <int dim>
class VelocitySignoriniCoulomb : public ContactLaw<dim>
{
public:
  explicit VelocitySignoriniCoulomb(const Friction &friction);

  ChangeOfVariables<dim>
  prepare(const CandidateState<dim> &candidate) const override;

  std::string name() const override;

  const Friction *varying_friction() const override
  {
    return friction.varies() ? &friction : nullptr;
  }

private:
  const Friction friction;
};

/// Gap Signorini without friction.
template <int dim>
class Frictionless : public ContactLaw<dim>
{
public:
  ChangeOfVariables<dim>
  prepare(const CandidateState<dim> &candidate) const override;

  std::string name() const override;
};

/// Gap Signorini with Tresca's friction: |R_T| <= shear limit times area while
/// the contact is closed, whatever the pressure.
template <int dim>
class GapSignoriniTresca : public ContactLaw<dim>
{
public:
  explicit GapSignoriniTresca(double shear_limit);

  ChangeOfVariables<dim>
  prepare(const CandidateState<dim> &candidate) const override;

  std::string name() const override;

private:
  const double shear_limit;
};

/// @p function evaluates parameters.friction_expression. Throws InputError for
/// negative or non-finite coefficients.
template <int dim>
std::unique_ptr<ContactLaw<dim>>
make_contact_law(const ContactLawParameters &parameters,
                 const Friction::Function &function = {});
} // namespace delassus

#endif

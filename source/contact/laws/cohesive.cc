#include <delassus/contact/laws/cohesive.h>
#include <delassus/contact/laws/law_numbers.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
namespace
{
/// Share of h c below which calP_N is zero but for the error of the solution.
constexpr double relative_opening = 1e-6;

/// Share of its size up to which a contact touches.
constexpr double relative_rounding = 1e-9;
} // namespace


template <int dim>
Cohesive<dim>::Cohesive(const ContactLawParameters &parameters,
                        const Friction::Function &function)
    : friction(parameters, function)
    , cohesive_friction(nonnegative(parameters,
                                    "cohesive friction",
                                    parameters.cohesive_friction < 0.
                                        ? parameters.friction
                                        : parameters.cohesive_friction))
    , tensile_strength(nonnegative(parameters,
                                   "tensile strength",
                                   parameters.tensile_strength))
    , bond_force(nonnegative(parameters, "bond force", parameters.bond_force))
    , bonding_gap(
          nonnegative(parameters, "bonding gap", parameters.bonding_gap))
{
}

template <int dim>
std::string Cohesive<dim>::name() const
{
  return "cohesive";
}

template <int dim>
void Cohesive<dim>::initialize(const CandidateState<dim> &candidate,
                               double *state) const
{
  const double size = std::pow(candidate.area, 1. / (dim - 1));
  state[0]          = candidate.at_start &&
             candidate.gap <= bonding_gap + relative_rounding * size;
}

template <int dim>
ChangeOfVariables<dim>
Cohesive<dim>::prepare(const CandidateState<dim> &candidate,
                       const double *begin,
                       const double *) const
{
  if (begin[0] == 0.)
    return gap_shift(candidate, friction.value(candidate.friction));
  ChangeOfVariables<dim> change;
  change.friction = cohesive_friction;
  LocalVector<dim> U0{}, P0{};
  U0[0]                      = -candidate.gap_tilde / candidate.h;
  P0[0]                      = -candidate.h * strength(candidate);
  const LocalMatrix<dim> one = identity_matrix<dim>(), zero{};
  change.affine =
      std::make_shared<const AffineLaw<dim>>(one, zero, zero, one, U0, P0);
  return change;
}

template <int dim>
void Cohesive<dim>::update(const CandidateState<dim> &candidate,
                           const ContactSolution<dim> &solution,
                           const double *begin,
                           double *end) const
{
  const double held = candidate.h * strength(candidate);
  // (A contact that nothing can move is left open with P = 0: it stays.)
  const bool has_opened = solution.status == ContactStatus::open &&
                          solution.P[0] + held <= relative_opening * held;
  const bool has_slid =
      solution.status == ContactStatus::slip && cohesive_friction > 0.;
  end[0] = begin[0] != 0. && !has_opened && !has_slid;
}

template <int dim>
double Cohesive<dim>::dissipated(const CandidateState<dim> &candidate,
                                 const ContactSolution<dim> &solution,
                                 const double *begin,
                                 const double *end) const
{
  if (begin[0] == 0. || end[0] != 0.)
    return 0.;
  const double opening =
      candidate.gap_tilde + candidate.h * solution.U[0]; // h calU_N
  return strength(candidate) * std::max(0., opening);
}

template <int dim>
std::vector<LawField<dim>> Cohesive<dim>::fields() const
{
  return { { "intact",
             false,
             [](const ContactSolution<dim> &,
                const double *state,
                double *values) { values[0] = state[0]; } } };
}

template class Cohesive<2>;
template class Cohesive<3>;
} // namespace delassus

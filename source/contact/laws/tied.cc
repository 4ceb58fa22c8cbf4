#include <delassus/contact/laws/law_numbers.h>
#include <delassus/contact/laws/tied.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
namespace
{
/// Share of its size up to which a contact touches: meshes and positions in
/// files have few digits.
constexpr double relative_gap = 1e-3;
} // namespace


template <int dim>
Tied<dim>::Tied(const ContactLawParameters &parameters,
                const Friction::Function &)
    : bonding_gap(
          nonnegative(parameters, "bonding gap", parameters.bonding_gap))
{
}

template <int dim>
std::string Tied<dim>::name() const
{
  return "tied";
}

template <int dim>
void Tied<dim>::initialize(const CandidateState<dim> &candidate,
                           double *state) const
{
  const double size = std::pow(candidate.area, 1. / (dim - 1));
  state[0] =
      candidate.at_start &&
      std::abs(candidate.gap) <= std::max(bonding_gap, relative_gap * size);
  state[1] = candidate.gap;
}

template <int dim>
ChangeOfVariables<dim> Tied<dim>::prepare(const CandidateState<dim> &candidate,
                                          const double *begin,
                                          const double *) const
{
  ChangeOfVariables<dim> change;
  change.active = begin[0] != 0.;
  if (!change.active)
    return change;
  change.shift[0]  = (candidate.gap_tilde - begin[1]) / candidate.h;
  change.threshold = tied_threshold;
  return change;
}

template <int dim>
void Tied<dim>::update(const CandidateState<dim> &,
                       const ContactSolution<dim> &,
                       const double *begin,
                       double *end) const
{
  std::copy_n(begin, 2, end);
}

template <int dim>
std::vector<LawField<dim>> Tied<dim>::fields() const
{
  return { { "tied",
             false,
             [](const ContactSolution<dim> &,
                const double *state,
                double *values) { values[0] = state[0]; } } };
}

template class Tied<2>;
template class Tied<3>;
} // namespace delassus

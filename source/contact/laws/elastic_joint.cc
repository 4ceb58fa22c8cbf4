#include <delassus/contact/laws/elastic_joint.h>
#include <delassus/contact/laws/law_numbers.h>

#include <algorithm>

namespace delassus
{
template <int dim>
ElasticJoint<dim>::ElasticJoint(const ContactLawParameters &parameters,
                                const Friction::Function &function)
    : friction(parameters, function)
{
  stiffness.fill(nonnegative(
      parameters, "tangential stiffness", parameters.tangential_stiffness));
  stiffness[0] =
      positive(parameters, "normal stiffness", parameters.normal_stiffness);
}

template <int dim>
std::string ElasticJoint<dim>::name() const
{
  return "elastic joint";
}

template <int dim>
void ElasticJoint<dim>::initialize(const CandidateState<dim> &,
                                   double *state) const
{
  std::fill_n(state, dim, 0.);
}

template <int dim>
ChangeOfVariables<dim>
ElasticJoint<dim>::prepare(const CandidateState<dim> &candidate,
                           const double *begin,
                           const double *) const
{
  const double h = candidate.h;
  ChangeOfVariables<dim> change;
  change.friction = friction.value(candidate.friction);
  change.active   = candidate.area > 0.;
  if (!change.active)
    return change;
  // U = calU - C calP - U_shift, P = calP.
  LocalMatrix<dim> C{};
  LocalVector<dim> U0{};
  for (int c = 0; c < dim; ++c)
    if (stiffness[c] > 0.)
    {
      C[c * dim + c] = -1. / (h * h * stiffness[c] * candidate.area);
      U0[c]          = -(c == 0 ? candidate.gap_tilde : begin[c]) / h;
    }
  const LocalMatrix<dim> one = identity_matrix<dim>();
  change.affine              = std::make_shared<const AffineLaw<dim>>(
      one, C, LocalMatrix<dim>{}, one, U0, LocalVector<dim>{});
  return change;
}

template <int dim>
void ElasticJoint<dim>::update(const CandidateState<dim> &candidate,
                               const ContactSolution<dim> &solution,
                               const double *,
                               double *end) const
{
  for (int c = 0; c < dim; ++c)
    end[c] =
        stiffness[c] > 0. && candidate.area > 0.
            ? -solution.P[c] / (candidate.h * stiffness[c] * candidate.area)
            : 0.;
}

template <int dim>
void ElasticJoint<dim>::turn(const LocalMatrix<dim> &Q, double *state) const
{
  LocalVector<dim> e;
  std::copy_n(state, dim, e.begin());
  e = multiply<dim>(Q, e);
  std::copy_n(e.begin(), dim, state);
}

template <int dim>
double ElasticJoint<dim>::stored(const CandidateState<dim> &candidate,
                                 const double *state) const
{
  double sum = 0.;
  for (int c = 0; c < dim; ++c)
    sum += 0.5 * candidate.area * stiffness[c] * state[c] * state[c];
  return sum;
}

template <int dim>
double ElasticJoint<dim>::dissipated(const CandidateState<dim> &candidate,
                                     const ContactSolution<dim> &,
                                     const double *begin,
                                     const double *end) const
{
  LocalVector<dim> change;
  for (int c = 0; c < dim; ++c)
    change[c] = end[c] - begin[c];
  return stored(candidate, change.data());
}

template <int dim>
std::vector<LawField<dim>> ElasticJoint<dim>::fields() const
{
  return { { "elastic_displacement",
             true,
             [](const ContactSolution<dim> &,
                const double *state,
                double *values) { std::copy_n(state, dim, values); } } };
}

template class ElasticJoint<2>;
template class ElasticJoint<3>;
} // namespace delassus

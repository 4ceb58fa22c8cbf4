#include <delassus/contact/laws/thickness_compliance.h>

namespace delassus
{
template <int dim>
ThicknessCompliance<dim>::ThicknessCompliance(
    std::unique_ptr<ContactLaw<dim>> inner)
    : inner(std::move(inner))
{
}

template <int dim>
std::string ThicknessCompliance<dim>::name() const
{
  return inner->name();
}

template <int dim>
unsigned int ThicknessCompliance<dim>::n_state() const
{
  return inner->n_state() + 1;
}

template <int dim>
void ThicknessCompliance<dim>::initialize(const CandidateState<dim> &candidate,
                                          double *state) const
{
  inner->initialize(candidate, state);
  state[inner->n_state()] = 0.;
}

template <int dim>
ChangeOfVariables<dim>
ThicknessCompliance<dim>::prepare(const CandidateState<dim> &candidate,
                                  const double *begin,
                                  const double *trial) const
{
  ChangeOfVariables<dim> change = inner->prepare(candidate, begin, trial);
  const double C = candidate.compliance / (candidate.h * candidate.h);
  if (!change.active || !(C > 0.))
    return change;
  const LocalMatrix<dim> one = identity_matrix<dim>();
  LocalMatrix<dim> J_UU = one, J_UR{}, J_RU{}, J_RR = one;
  LocalVector<dim> U0 = scale(-1., change.shift), P0{};
  if (!change.is_shift())
  {
    J_UU = change.affine->J_UU;
    J_UR = change.affine->J_UR;
    J_RU = change.affine->J_RU;
    J_RR = change.affine->J_RR;
    U0   = change.affine->U0;
    P0   = change.affine->P0;
  }
  for (int j = 0; j < dim; ++j)
  {
    J_UU[j] -= C * J_RU[j];
    J_UR[j] -= C * J_RR[j];
  }
  U0[0] -= C * P0[0];
  change.shift = LocalVector<dim>{};
  change.affine =
      std::make_shared<const AffineLaw<dim>>(J_UU, J_UR, J_RU, J_RR, U0, P0);
  return change;
}

template <int dim>
ContactSolution<dim>
ThicknessCompliance<dim>::between_faces(const CandidateState<dim> &candidate,
                                        ContactSolution<dim> solution) const
{
  const double e = candidate.compliance * solution.P[0] / candidate.h;
  solution.U[0] += e / candidate.h;
  solution.gap += e;
  return solution;
}

template <int dim>
void ThicknessCompliance<dim>::update(const CandidateState<dim> &candidate,
                                      const ContactSolution<dim> &solution,
                                      const double *begin,
                                      double *end) const
{
  inner->update(candidate, between_faces(candidate, solution), begin, end);
  end[inner->n_state()] = candidate.compliance * solution.P[0] / candidate.h;
}

template <int dim>
void ThicknessCompliance<dim>::turn(const LocalMatrix<dim> &Q,
                                    double *state) const
{
  inner->turn(Q, state);
}

template <int dim>
double ThicknessCompliance<dim>::stored(const CandidateState<dim> &candidate,
                                        const double *state) const
{
  const double e = state[inner->n_state()];
  return inner->stored(candidate, state) +
         (candidate.compliance > 0. ? 0.5 * e * e / candidate.compliance : 0.);
}

template <int dim>
double
ThicknessCompliance<dim>::dissipated(const CandidateState<dim> &candidate,
                                     const ContactSolution<dim> &solution,
                                     const double *begin,
                                     const double *end) const
{
  const unsigned int n = inner->n_state();
  const double change  = end[n] - begin[n];
  return inner->dissipated(
             candidate, between_faces(candidate, solution), begin, end) +
         (candidate.compliance > 0.
              ? 0.5 * change * change / candidate.compliance
              : 0.);
}

template <int dim>
std::vector<LawField<dim>> ThicknessCompliance<dim>::fields() const
{
  return inner->fields();
}

template <int dim>
const Friction *ThicknessCompliance<dim>::varying_friction() const
{
  return inner->varying_friction();
}

template class ThicknessCompliance<2>;
template class ThicknessCompliance<3>;
} // namespace delassus

#ifndef delassus_contact_laws_tied_h
#define delassus_contact_laws_tied_h

#include <delassus/contact/laws/contact_law.h>

namespace delassus
{
/// What touches when the run begins stays together, in all directions, under
/// pull as under pressure:
///
///   calU = U + ((gap_tilde - g_0) / h, 0, 0) = 0,   calP = P any impulse,
///
/// with g_0 the gap at the beginning, which is kept: tying deforms nothing.
/// The problem of such contacts alone is linear. Touching are gaps, also
/// negative ones, of at most `bonding gap` or a thousandth of the contact's
/// size, the larger of both. What is farther away is no contact, then or later.
///
/// The foot on the antagonist is followed as that of every contact: where the
/// antagonist turns by an angle phi, a candidate at the distance g_0 wanders
/// along it by g_0 phi.
///
/// State: 1 tied, 0 not; g_0. It stores and dissipates nothing.
template <int dim>
class Tied : public ContactLaw<dim>
{
public:
  /// Throws InputError for a negative gap.
  Tied(const ContactLawParameters &parameters,
       const Friction::Function &function);

  std::string name() const override;

  unsigned int n_state() const override
  {
    return 2;
  }

  void initialize(const CandidateState<dim> &candidate,
                  double *state) const override;

  ChangeOfVariables<dim> prepare(const CandidateState<dim> &candidate,
                                 const double *begin,
                                 const double *trial) const override;

  void update(const CandidateState<dim> &candidate,
              const ContactSolution<dim> &solution,
              const double *begin,
              double *end) const override;

  bool holds(const double *state) const override
  {
    return state == nullptr || state[0] != 0.;
  }

  /// "tied": 1 or 0.
  std::vector<LawField<dim>> fields() const override;

private:
  const double bonding_gap;
};
} // namespace delassus

#endif

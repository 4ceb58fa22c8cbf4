#ifndef delassus_simulation_pair_forces_h
#define delassus_simulation_pair_forces_h

#include <delassus/simulation/contact_phase.h>

#include <deal.II/base/tensor.h>

#include <array>

namespace delassus
{
/// What the pairs of the model's interactions carry at the end of a step: of
/// each the resultant R = sum P / h on its candidate, and how its contacts are.
template <int dim>
class PairForces
{
public:
  struct Counts
  {
    double normal_force                = 0.;
    std::array<unsigned int, 3> status = { { 0, 0, 0 } }; ///< open, stick, slip

    unsigned int n_contacts() const
    {
      return status[0] + status[1] + status[2];
    }

    /// Bonds may be in tension.
    bool touches() const
    {
      return status[1] + status[2] > 0 || normal_force != 0.;
    }
  };

  explicit PairForces(const Model<dim> &model);

  /// After a (sub)step h. Ranks together; all know the same.
  void update(const ContactPhase<dim> &contact, const double h);

  const dealii::Tensor<1, dim> &force(const unsigned int pair) const
  {
    return forces[pair];
  }
  const Counts &counts(const unsigned int pair) const
  {
    return counts_of_pair[pair];
  }

  /// The normal force of each pair.
  std::vector<double> normal_forces() const;

  /// Of one contact.
  double largest_normal_force() const
  {
    return largest;
  }

  /// Of an interaction, all of its pairs.
  dealii::Tensor<1, dim> resultant(const unsigned int interaction) const;
  Counts counts_of_interaction(const unsigned int interaction) const;

  /// What all candidates exert on the antagonist of this name.
  dealii::Tensor<1, dim> force_on(const std::string &antagonist) const;

  void archive(Archive &archive);

private:
  const Model<dim> &model;
  std::vector<dealii::Tensor<1, dim>> forces;
  std::vector<Counts> counts_of_pair;
  double largest = 0.;
};
} // namespace delassus

#endif

#ifndef delassus_systems_active_compliance_h
#define delassus_systems_active_compliance_h

#include <delassus/systems/carrier_inverse.h>

namespace delassus
{
/// The compliance of a large piece (or of a class of congruent ones) at its
/// active nodes: those that present contacts act on. It grows with them: the
/// columns of new nodes are solved for in blocks of right-hand sides and
/// appended, old ones stay until the step size changes. Row-major and
/// symmetric, n_dofs() x n_dofs(), as BodyDelassusData takes it.
///
/// For a body that ranks share, all ranks call everything together, with the
/// same nodes, and all of them have the values.
template <int dim>
class ActiveCompliance
{
public:
  ActiveCompliance(CarrierInverse<dim> &w, const unsigned int class_index);
  ~ActiveCompliance();

  ActiveCompliance(const ActiveCompliance &)            = delete;
  ActiveCompliance &operator=(const ActiveCompliance &) = delete;

  /// Forget everything: w has changed.
  void clear();

  /// Make these nodes active (numbers within the piece). Others stay, unless
  /// they are far more, or memory is short. Returns false, with no node active,
  /// if the memory budget does not allow it. Slots and values() may change.
  bool require(const std::vector<unsigned int> &nodes);

  /// The bytes that require() would need beyond what it has already.
  double bytes_for(const std::size_t n_nodes) const;

  bool is_active(const unsigned int node) const
  {
    return slot_of_node[node] >= 0;
  }

  /// Number of an active node: its dofs are dim*slot ... dim*slot+dim-1.
  unsigned int slot(const unsigned int node) const
  {
    return slot_of_node[node];
  }

  /// The node of each slot.
  const std::vector<unsigned int> &nodes() const
  {
    return active;
  }

  unsigned int n_dofs() const
  {
    return dim * active.size();
  }

  const double *values() const
  {
    return C.data();
  }

  /// Columns solved for since the beginning.
  std::size_t n_solved = 0;

private:
  void keep_only(const std::vector<unsigned int> &nodes);
  void append(const std::vector<unsigned int> &nodes);
  void account();

  CarrierInverse<dim> &w;
  const unsigned int class_index;
  std::vector<unsigned int> active; ///< node of each slot
  std::vector<int> slot_of_node;    ///< -1: not active
  std::vector<double> C;
  double bytes_taken = 0.; ///< of the budget
};
} // namespace delassus

#endif

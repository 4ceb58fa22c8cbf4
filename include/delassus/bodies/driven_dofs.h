#ifndef delassus_bodies_driven_dofs_h
#define delassus_bodies_driven_dofs_h

#include <delassus/bodies/expression.h>
#include <delassus/bodies/solid_body.h>

namespace delassus
{
/// The degrees of freedom whose motion is given: fixed, prescribed displacement
/// or prescribed velocity. Their list is replicated on all ranks (congruence of
/// pieces depends on it).
template <int dim>
class DrivenDofs
{
public:
  explicit DrivenDofs(const SolidBody<dim> &body);

  /// Drive the chosen components of all nodes of @p faces. Throws InputError if
  /// a dof is driven twice by different conditions.
  void add(const BoundaryConditionParameters &condition,
           const std::vector<unsigned int> &faces);

  bool is_driven(const unsigned int dof) const
  {
    return condition_of_dof[dof] >= 0;
  }

  bool empty() const
  {
    return dofs.empty();
  }

  unsigned int n_dofs() const
  {
    return dofs.size();
  }

  /// Driven dofs of this rank.
  const std::vector<unsigned int> &owned() const
  {
    return owned_dofs;
  }

  /// v+ of a driven dof for the step from @p t by h. A prescribed displacement
  /// u is met by the shifted coordinate q~ = q + (1-theta) h v, whose increment
  /// is h v+ exactly: v+ = (u(t + h + (1-theta) h) - q~) / h. For theta = 1
  /// this is q+ = u(t+); for theta < 1 it avoids the two-step oscillation that
  /// imposing q+ itself would excite.
  double velocity(const unsigned int dof,
                  const double t,
                  const double h,
                  const double theta,
                  const double q,
                  const double v) const;

  /// v at the start of a dof whose displacement is prescribed, for theta < 1:
  /// the motion's own rate, so that q~ starts on it. Others keep their v.
  double start_velocity(const unsigned int dof,
                        const double t,
                        const double h,
                        const double v) const;

  /// Names of the conditions, and which one drives a dof.
  const std::string &condition_name(const unsigned int condition) const
  {
    return conditions[condition].name;
  }
  unsigned int n_conditions() const
  {
    return conditions.size();
  }
  unsigned int condition_of(const unsigned int dof) const
  {
    return condition_of_dof[dof];
  }

private:
  struct Condition
  {
    std::string name;
    BoundaryConditionType type;
    Expression<dim> value; ///< one for each direction
  };

  const SolidBody<dim> &body;
  std::vector<Condition> conditions;
  std::vector<int> condition_of_dof;
  std::vector<unsigned int> dofs, owned_dofs;
};
} // namespace delassus

#endif

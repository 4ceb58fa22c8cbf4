#ifndef delassus_bodies_driven_dofs_h
#define delassus_bodies_driven_dofs_h

#include <delassus/bodies/expression.h>
#include <delassus/bodies/solid_body.h>

#include <array>

namespace delassus
{
/// The degrees of freedom whose motion is given: fixed, prescribed displacement
/// or prescribed velocity. Their list is replicated on all ranks (congruence of
/// pieces depends on it).
template <int dim>
class DrivenDofs
{
public:
  /// @p time: when the motions of conditions that meet are compared.
  explicit DrivenDofs(const SolidBody<dim> &body,
                      const TimeParameters &time = TimeParameters());

  /// Drive the chosen components of all nodes of @p faces. A dof that is driven
  /// already is shared: the condition that came first drives it and has its
  /// reaction, and the other must prescribe the same motion. Throws InputError,
  /// which begins with @p where, if it does not; @p where_value begins those of
  /// the condition's expressions.
  void add(const BoundaryConditionParameters &condition,
           const std::vector<unsigned int> &faces,
           const std::string &where       = "",
           const std::string &where_value = "");

  /// Throws ComputationError, on all ranks, if conditions that share a dof
  /// prescribe different motions in the step from @p t by @p h.
  void watch(const double t, const double h, const double theta) const;

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

  /// Whether a condition has expressions: not all are fixed.
  bool has_values() const;

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

  /// How far a driven dof is from the displacement that is prescribed of it at
  /// time @p t, if it is at @p q; zero if its velocity is prescribed.
  double offset(const unsigned int dof, const double t, const double q) const
  {
    return conditions[condition_of_dof[dof]].type ==
                   BoundaryConditionType::displacement
               ? q - displacement(dof, t)
               : 0.;
  }

  /// How far a driven dof is meant to have moved from the start to time @p t; a
  /// prescribed velocity is integrated.
  double displacement(const unsigned int dof, const double t) const;

  /// All driven dofs.
  const std::vector<unsigned int> &all() const
  {
    return dofs;
  }

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

  /// A dof with two conditions; motions up to @p size have been seen.
  struct Shared
  {
    unsigned int dof, first, second;
    double size;
  };

  /// What two conditions prescribe of a dof, comparable: displacements,
  /// velocities, or the mean velocity of a displacement and a velocity.
  struct Motions
  {
    std::array<double, 2> value;
    double rounding; ///< of the values
  };

  /// At the end @p t of a step @p h.
  Motions motions(const Shared &shared,
                  const double t,
                  const double h,
                  const double theta) const;

  /// Compare all of @p list at the end @p t of a step; returns what is wrong.
  /// Differences count if they are more than rounding against the largest
  /// motion seen, which grows.
  std::string difference(std::vector<Shared> &list,
                         const double t,
                         const double h,
                         const double theta) const;

  /// Throw InputError unless the conditions of @p list agree at times from
  /// start to end.
  void compare(std::vector<Shared> &list, const std::string &where) const;

  const SolidBody<dim> &body;
  const TimeParameters time;
  std::vector<Condition> conditions;
  std::vector<int> condition_of_dof;
  std::vector<unsigned int> dofs, owned_dofs;
  mutable std::vector<Shared> all_shared;
  mutable std::array<double, 2> watched; ///< the last step: t and h
};
} // namespace delassus

#endif

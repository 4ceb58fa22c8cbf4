#ifndef delassus_bodies_loads_h
#define delassus_bodies_loads_h

#include <delassus/bodies/expression.h>
#include <delassus/bodies/solid_body.h>

namespace delassus
{
/// P_ext(t) of one body: gravity, body force, pressures and tractions.
template <int dim>
class Loads
{
public:
  /// @p where begins the errors of each condition's expression. Collective.
  Loads(const SolidBody<dim> &body,
        const std::vector<double> &gravity,
        const std::vector<const BoundaryConditionParameters *> &conditions,
        const std::vector<std::vector<unsigned int>> &faces,
        const std::vector<std::string> &where = {});

  /// The external force at time @p t. Constant parts are computed once.
  /// Pressures act on the configuration @p q, if there is one, else on the
  /// reference configuration. Throws InputError, on all ranks, where an
  /// expression has no value. Collective.
  const Vector &force(const double t, const Vector *q = nullptr);

  /// K += factor times the symmetric part of -d P_ext / d q of the pressures on
  /// the configuration @p q at time @p t. All of it is symmetric where the
  /// loaded surface is closed or its edge does not move. Collective.
  void add_stiffness(const double t,
                     const Vector &q,
                     const double factor,
                     Matrix &K) const;

  /// Pressures that act on the configuration: P_ext depends on q.
  bool follow() const
  {
    return has_pressure;
  }

  bool depends_on_time() const
  {
    return time_dependent || released != nullptr;
  }

  /// Nodal forces in place of what a condition held with until the time
  /// @p from; they go to zero in proportion to the time left until @p to:
  ///   P_ext(t) += (1 - s) force,  s = (t - from) / (to - from) in [0, 1].
  /// They do not turn. @p force must stay there; null: none.
  void set_released(const Vector *force, const double from, const double to);

private:
  struct SurfaceLoad
  {
    BoundaryConditionType type;
    Expression<dim> value;
    std::vector<unsigned int> components;
    std::vector<unsigned int> faces;
  };

  /// Without the compress() that follows. Pressures act on the configuration
  /// of the @p displacement, or the reference configuration.
  void add_body_force(const double t, Vector &target) const;
  void add_surface_load(const SurfaceLoad &load,
                        const double t,
                        Vector &target,
                        const NodalValues<dim> *displacement = nullptr) const;
  void add_stiffness(const SurfaceLoad &load,
                     const double t,
                     const NodalValues<dim> &displacement,
                     const double factor,
                     Matrix &K) const;
  bool follows(const SurfaceLoad &load) const
  {
    return load.type == BoundaryConditionType::pressure;
  }

  const SolidBody<dim> &body;
  Expression<dim> body_force;
  std::vector<SurfaceLoad> surface_loads;
  Vector constant, current;
  Vector following; ///< of the present configuration
  Vector constant_pressure;
  bool time_dependent = false, has_pressure = false;
  double current_time;
  const Vector *released = nullptr;
  double released_from = 0., released_to = 0.;

  double share_of_released(const double t) const;
};
} // namespace delassus

#endif

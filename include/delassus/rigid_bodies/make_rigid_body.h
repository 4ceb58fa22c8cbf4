#ifndef delassus_rigid_bodies_make_rigid_body_h
#define delassus_rigid_bodies_make_rigid_body_h

#include <delassus/contact/detection/shape.h>
#include <delassus/parameters/parameters.h>
#include <delassus/rigid_bodies/rigid_body.h>

namespace delassus
{
/// The mass properties that a section says. Throws InputError, naming file,
/// section and entry, if they are to be computed from a shape that encloses
/// nothing (open, hollow, without end). @p ever_dynamic: some stage of the run
/// has inertia; the carriers of contact are made with it, in all stages alike.
template <int dim>
MassProperties<dim> make_mass_properties(const RigidBodyParameters &given,
                                         const Parameters &parameters,
                                         const Shape<dim> &shape,
                                         const bool ever_dynamic);

/// An obstacle with free components as a rigid body: its mass is at the centre
/// of its rotation. @p begin: of the whole run, not only of one stage.
template <int dim>
RigidBodySettings<dim> make_free_obstacle(const ObstacleParameters &given,
                                          const Parameters &parameters,
                                          const TimeParameters &begin);

/// All that a section says but the shape itself.
template <int dim>
RigidBodySettings<dim> make_rigid_body(const RigidBodyParameters &given,
                                       const Parameters &parameters,
                                       const Shape<dim> &shape,
                                       const TimeParameters &begin,
                                       const bool ever_dynamic);
} // namespace delassus

#endif

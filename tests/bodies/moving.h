#pragma once

#include "bodies/make_bodies.h"

#include <delassus/time_integration/theta_scheme.h>

#include <gtest/gtest.h>

namespace small
{
/// A body with everything a time step needs.
template <int dim>
struct Moving
{
  Moving(const MeshData<dim> &mesh,
         const double theta,
         const MaterialParameters &material = soft_stone(),
         const BodyParameters &parameters   = {},
         const std::vector<BoundaryConditionParameters> &conditions = {},
         const std::vector<double> &gravity                         = {})
      : body(make_body(mesh, material, parameters))
      , driven(*body)
  {
    std::vector<const BoundaryConditionParameters *> load;
    std::vector<std::vector<unsigned int>> faces;
    for (const auto &condition : conditions)
      if (condition.type == BoundaryConditionType::pressure ||
          condition.type == BoundaryConditionType::traction)
      {
        load.push_back(&condition);
        faces.push_back(body->surface(condition.surfaces[0], "test"));
      }
      else
        driven.add(condition, body->surface(condition.surfaces[0], "test"));
    classes = find_piece_classes(*body, driven);
    loads   = std::make_unique<Loads<dim>>(*body, gravity, load, faces);
    TimeParameters time;
    time.theta = theta;
    scheme     = std::make_unique<ThetaScheme<dim>>(
        *body, driven, classes, *loads, time);
  }

  EnergyTerms step(const double t, const Vector *impulse = nullptr)
  {
    scheme->begin_step(t, false);
    if (impulse)
      scheme->contact_impulse = *impulse;
    EXPECT_TRUE(scheme->correct());
    return scheme->accept();
  }

  /// From rest, a step that ends with the velocity phi.
  void kick(const Vector &phi)
  {
    Vector r = body->make_vector();
    scheme->w.effective_vmult(r, phi);
    step(0., &r);
  }

  std::unique_ptr<SolidBody<dim>> body;
  DrivenDofs<dim> driven;
  PieceClasses classes;
  std::unique_ptr<Loads<dim>> loads;
  std::unique_ptr<ThetaScheme<dim>> scheme;
};

inline BoundaryConditionParameters
condition(const BoundaryConditionType type,
          const std::string &surface,
          const std::string &value                    = "",
          const std::vector<unsigned int> &components = {})
{
  BoundaryConditionParameters c;
  c.name       = surface;
  c.type       = type;
  c.surfaces   = { surface };
  c.value      = value;
  c.components = components;
  return c;
}
} // namespace small

#pragma once

#include "bodies/moving.h"
#include "internal_forces/common.h"

#include <delassus/time_integration/newton_scheme.h>

namespace forces
{
/// A body in a Newton loop without contact.
template <int dim>
struct Simulated
{
  Simulated(const MeshData<dim> &mesh,
            const MaterialParameters &material,
            const BodyParameters &parameters,
            const TimeParameters &time,
            const std::vector<BoundaryConditionParameters> &conditions = {},
            const Assumption assumption   = default_assumption<dim>(),
            const CorrectingMatrix matrix = CorrectingMatrix::full,
            const bool share_classes      = false)
      : body(make_body(mesh, material, parameters, assumption))
      , driven(*body)
      , matrix(matrix)
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
    // Congruent pieces do not stay so: each is a class of its own.
    classes = find_piece_classes(*body, driven);
    if (!share_classes)
    {
      classes = PieceClasses();
      for (unsigned int p = 0; p < body->pieces.size(); ++p)
      {
        classes.class_of_piece.push_back(p);
        classes.representative.push_back(p);
      }
    }
    loads =
        std::make_unique<Loads<dim>>(*body, std::vector<double>(), load, faces);
    NewtonParameters newton;
    newton.matrix = matrix;
    scheme        = std::make_unique<NewtonScheme<dim>>(
        *body, driven, classes, *loads, time, newton, assumption);
    scheme->set_step(time.step);
    scheme->start(0.);
  }

  /// Iterate to @p tolerance, relative to the forces, and accept. Keeps the
  /// norms of the residuals, relative too.
  EnergyTerms step(const double t,
                   const double tolerance  = 1e-12,
                   const unsigned int most = 30,
                   const bool from_rest    = false)
  {
    residuals.clear();
    scheme->begin_step(t, from_rest);
    for (unsigned int k = 0;; ++k)
    {
      const bool renew = matrix == CorrectingMatrix::full || k == 0;
      const bool good  = scheme->evaluate(renew);
      EXPECT_TRUE(good) << scheme->internal.trouble();
      if (!good)
        throw std::runtime_error(scheme->internal.trouble());
      const auto norms = scheme->norms();
      const double scale =
          std::max({ norms.inertia, norms.internal, norms.external });
      residuals.push_back(std::sqrt(norms.residual / scale));
      // The first iterate does not have the driven dofs yet.
      if ((k > 0 || driven.empty()) && residuals.back() <= tolerance)
        break;
      if (k == most)
      {
        std::string list;
        for (const double r : residuals)
          list += " " + std::to_string(std::log10(r));
        ADD_FAILURE() << "no convergence:" << list;
        throw std::runtime_error("no convergence");
      }
      if (renew && !(matrix == CorrectingMatrix::frozen && has_matrix))
        scheme->update_inverse(0., true);
      has_matrix = true;
      scheme->free_velocity();
      EXPECT_TRUE(scheme->correct());
    }
    return scheme->accept();
  }

  /// Linear momentum, then the angular one about the origin (2D: one value).
  std::vector<double> momentum() const
  {
    Vector Mv = body->make_vector();
    body->mass.vmult(Mv, scheme->v);
    std::vector<double> result(dim == 2 ? 3 : 6, 0.);
    for (unsigned int node = 0; node < body->n_nodes(); ++node)
    {
      Tensor<1, 3> x, p;
      for (unsigned int c = 0; c < dim; ++c)
      {
        x[c] = body->nodes[node][c] + scheme->q[dim * node + c];
        p[c] = Mv[dim * node + c];
        result[c] += p[c];
      }
      const auto L = dealii::cross_product_3d(x, p);
      for (unsigned int c = dim; c < result.size(); ++c)
        result[c] += dim == 2 ? L[2] : L[c - dim];
    }
    return result;
  }

  std::unique_ptr<SolidBody<dim>> body;
  DrivenDofs<dim> driven;
  PieceClasses classes;
  std::unique_ptr<Loads<dim>> loads;
  std::unique_ptr<NewtonScheme<dim>> scheme;
  const CorrectingMatrix matrix;
  bool has_matrix = false;
  std::vector<double> residuals;
};
} // namespace forces

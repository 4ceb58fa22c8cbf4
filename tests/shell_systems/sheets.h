#ifndef delassus_tests_shell_systems_sheets_h
#define delassus_tests_shell_systems_sheets_h

// Sheets as systems, and their steps without the rest of the program.
#include <delassus/shell_systems/shell_system.h>

#include <gtest/gtest.h>

#include <shells/statics.h>

#include <cmath>

namespace sheets
{
using namespace shells;

inline std::unique_ptr<ShellModel>
model_of(const ShellMesh &mesh, const SheetLaw &law, const Options &options)
{
  return std::make_unique<ShellModel>(make_model(mesh, law, options));
}

inline std::unique_ptr<ShellSystem>
system_of(std::vector<ShellSystem::Given> given, const bool quasi_static)
{
  const LinearSolverParameters solver;
  return std::make_unique<ShellSystem>(
      "sheet",
      std::move(given),
      quasi_static,
      1e-3,
      solver,
      std::make_shared<MemoryBudget>(solver, MPI_COMM_SELF),
      MPI_COMM_SELF);
}

inline std::unique_ptr<ShellSystem> system_of(std::unique_ptr<ShellModel> model,
                                              ShellPieceSettings settings,
                                              const bool quasi_static = false)
{
  std::vector<ShellSystem::Given> given(1);
  given[0].model    = std::move(model);
  given[0].settings = std::move(settings);
  return system_of(std::move(given), quasi_static);
}

/// Half a tube and a wing on it: directors, a fold with three rotations, and
/// nodes that do not lie on a grid.
inline ShellMesh folded_mesh()
{
  return shell_grid(5,
                    2,
                    [](const double u, const double v) -> Vector3
                    {
                      const double y = 2. * v + 0.1 * u * v;
                      if (u < 0.6)
                      {
                        const double phi = pi * u / 1.2;
                        return { { std::sin(phi), y, std::cos(phi) } };
                      }
                      return { { 1. + 2. * (u - 0.6), y, 0.3 * (u - 0.6) } };
                    });
}

inline Vector3 value_of(const ShellSystem &system,
                        const CarrierField field,
                        const unsigned int carrier)
{
  Vector3 value;
  system.carrier_values(field, { carrier }, value.data());
  return value;
}

/// Impulses of each iteration, on carriers.
using Impulses = std::function<void(ShellSystem &)>;

/// The Newton loop of a step. Returns how far each iterate is out of balance;
/// the last one is within @p tolerance or what rounding leaves.
inline std::vector<double> attempt(ShellSystem &system,
                                   const double t,
                                   const Impulses &impulses = {},
                                   const double tolerance   = 1e-10,
                                   const bool from_rest     = false)
{
  std::vector<double> errors;
  system.begin_step(t, from_rest);
  for (unsigned int k = 0; k < 30; ++k)
  {
    if (!system.evaluate(k, true, false))
    {
      ADD_FAILURE() << system.trouble();
      break;
    }
    if (k > 0)
    {
      system.set_contact_configuration(true);
      if (impulses)
        impulses(system);
      const auto norms = system.norms().values();
      double size      = 1e-14 / tolerance * std::sqrt(norms[5]);
      for (unsigned int i = 1; i < 5; ++i)
        size = std::max(size, std::sqrt(norms[i]));
      errors.push_back(size > 0. ? std::sqrt(norms[0]) / size : 0.);
      if (std::getenv("TELL"))
        std::printf("%u %.2e\n", k, errors.back());
      if (errors.back() <= tolerance)
        break;
    }
    system.update_inverse(0., false);
    system.free_velocity();
    if (impulses)
      impulses(system);
    EXPECT_TRUE(system.correct());
  }
  EXPECT_LE(errors.back(), tolerance);
  return errors;
}

/// The balance of energy, step by step.
struct Balance
{
  double before = 0., largest_residual = 0., size = 0.;
  double external = 0., driven = 0., contact = 0., inelastic = 0.,
         numerical = 0., integration = 0.;

  void add(const EnergyTerms &e)
  {
    const double now   = e.kinetic + e.elastic;
    const double works = e.external - e.damping - e.inelastic + e.contact +
                         e.driven - e.numerical - e.integration;
    external += e.external;
    driven += e.driven;
    contact += e.contact;
    inelastic += e.inelastic;
    numerical += e.numerical;
    integration += std::abs(e.integration);
    size =
        std::max({ size, std::abs(now), std::abs(external), std::abs(driven) });
    largest_residual =
        std::max(largest_residual, std::abs(now - before - works));
    before = now;
  }
};

/// Momentum and angular momentum about the origin.
inline std::array<Vector3, 2> momentum(const ShellSystem &system,
                                       const unsigned int p = 0)
{
  const auto &piece = system.piece(p);
  const auto &model = piece.model();
  std::array<Vector3, 2> sum{};
  for (unsigned int q = 0; q < model.n_quads(); ++q)
  {
    std::array<double, 4> m, J;
    shell_mass(model.geometry(q), model.section(q), m, J);
    for (unsigned int i = 0; i < 4; ++i)
    {
      const unsigned int node     = model.reference().quads[q][i],
                         director = model.reference_directors().corner[q][i];
      const Vector3 v = piece.carrier_value(CarrierField::velocity, node),
                    c = piece.carrier_value(CarrierField::velocity,
                                            model.n_nodes() + director);
      sum[0]          = sum[0] + m[i] * v;
      sum[1]          = sum[1] + m[i] * cross(model.beginning().x[node], v) +
               J[i] / piece.length(director) *
                   cross(model.beginning().d[director], c);
    }
  }
  return sum;
}
} // namespace sheets

#endif

#ifndef delassus_tests_shells_statics_h
#define delassus_tests_shells_statics_h

// Models of one law, and their equilibrium by Newton's method.
#include <delassus/base/exceptions.h>
#include <delassus/linear_solvers/general_factor.h>
#include <delassus/shells/shell_model.h>

#include "laws.h"

#include <functional>
#include <limits>
#include <memory>

namespace shells
{
using namespace delassus;

constexpr double pi = 3.14159265358979323846;

struct Options
{
  double thickness = 0.;
  ShellFormulation formulation;
  unsigned int n_points = 5;
  ThicknessRule rule    = ThicknessRule::gauss;
  double fold_angle     = pi / 6.; ///< coarse meshes of smooth surfaces
  bool follow_thickness = false;

  /// Directors of surfaces that are known; else means of the quads' normals.
  std::function<Vector3(const Vector3 &)> director;
};

inline ShellModel
make_model(const ShellMesh &mesh, const SheetLaw &law, const Options &options)
{
  ShellDirectors directors = make_directors(mesh, options.fold_angle, "test");
  if (options.director)
    for (unsigned int i = 0; i < directors.director.size(); ++i)
      directors.director[i] =
          unit(options.director(mesh.nodes[directors.node[i]]));
  ShellProperties properties;
  ShellLayer layer;
  layer.law      = &law;
  layer.n_points = options.n_points;
  layer.rule     = options.rule;
  properties.sections.emplace_back(std::vector<ShellLayer>{ layer });
  std::array<double, 4> t;
  t.fill(options.thickness);
  properties.thickness_of_quad.assign(mesh.quads.size(), t);
  properties.formulation      = options.formulation;
  properties.follow_thickness = options.follow_thickness;
  return ShellModel(mesh, directors, properties);
}

/// The node nearest to a place.
inline unsigned int node_at(const ShellModel &model, const Vector3 &place)
{
  unsigned int best = 0;
  for (unsigned int n = 1; n < model.n_nodes(); ++n)
    if (norm(model.reference().nodes[n] - place) <
        norm(model.reference().nodes[best] - place))
      best = n;
  return best;
}

inline void fix_where(ShellModel &model,
                      const std::function<bool(const Vector3 &)> &where,
                      const std::vector<ShellComponent> &components)
{
  for (unsigned int n = 0; n < model.n_nodes(); ++n)
    if (where(model.reference().nodes[n]))
      for (const ShellComponent c : components)
        model.fix(n, c);
}

inline const std::vector<ShellComponent> clamped = {
  ShellComponent::x,          ShellComponent::y,
  ShellComponent::z,          ShellComponent::rotation_x,
  ShellComponent::rotation_y, ShellComponent::rotation_z
};

/// Symmetry about the plane across axis c.
inline std::vector<ShellComponent> symmetry(const unsigned int c)
{
  std::vector<ShellComponent> result = { static_cast<ShellComponent>(c) };
  for (unsigned int k = 0; k < 3; ++k)
    if (k != c)
      result.push_back(static_cast<ShellComponent>(3 + k));
  return result;
}

inline Vector3 displacement(const ShellModel &model, const unsigned int node)
{
  return model.state().x[node] - model.reference().nodes[node];
}

/// Balance at load factors.
class Statics
{
public:
  /// Loads of a factor: added to values of all dofs of the iterate, with their
  /// stiffness where @p with_stiffness.
  using Loads = std::function<
      void(double factor, bool with_stiffness, std::vector<double> &)>;

  /// Increments of prescribed dofs from one factor to another.
  using Motion =
      std::function<void(double from, double to, std::vector<double> &dq)>;

  explicit Statics(ShellModel &model)
      : model(model)
  {
  }

  Loads loads;
  Motion motion;
  bool solve_modes          = true;
  unsigned int most         = 40; ///< iterations
  double tolerance          = 1e-18;
  unsigned int n_iterations = 0, n_indefinite = 0, n_cuts = 0;

  /// Of the last step: |work of the residual in the correction|.
  std::vector<double> works;

  /// One correction from rest, the linear solution. False: no solution.
  void linear()
  {
    std::vector<double> dq(model.n_dofs(), 0.);
    correct(1., dq);
  }

  /// From the last factor to this one in steps of at most @p largest, cut
  /// where there is no balance.
  bool go_to(const double to, const double largest)
  {
    double step = largest;
    while (factor < to - 1e-12 * std::abs(to))
    {
      const double next = std::min(to, factor + step);
      if (attempt(next))
      {
        model.accept();
        factor = next;
        step   = std::min(largest, 2. * step);
        continue;
      }
      model.revert();
      ++n_cuts;
      step = 0.5 * (next - factor);
      if (step < 1e-5 * largest)
        return false;
    }
    return true;
  }

  double factor = 0.;

private:
  /// Returns the work of the residual in the correction; negative: none.
  double correct(const double at, std::vector<double> &driven)
  {
    ShellTask task;
    task.solve_modes = solve_modes;
    if (!model.evaluate(1., task, &driven))
      return -1.;
    std::vector<double> load(model.n_dofs(), 0.);
    if (loads)
      loads(at, true, load);
    std::vector<double> r(model.n_unknowns()), x;
    for (unsigned int i = 0; i < model.n_dofs(); ++i)
      if (model.unknown(i) >= 0)
        r[model.unknown(i)] = load[i] - model.force()[i] - model.pull()[i];
    x = r;
    try
    {
      if (!solver || !solver->refactorize(model.tangent()))
        solver = make_cholmod_factor(model.tangent(), 1e300);
      solver->solve(x.data(), 1);
    }
    catch (const ComputationError &)
    {
      // Not positive definite away from balance.
      solver.reset();
      ++n_indefinite;
      GeneralFactor general;
      const SymmetricMatrix &A = model.tangent();
      general.row_start        = A.column_start;
      general.column           = A.row;
      general.value            = A.value;
      if (!general.factorize())
        return -1.;
      x = r;
      general.solve(x.data());
    }
    double work = 0.;
    for (unsigned int i = 0; i < x.size(); ++i)
      work += x[i] * r[i];
    std::vector<double> dq = driven;
    for (unsigned int i = 0; i < model.n_dofs(); ++i)
      if (model.unknown(i) >= 0)
        dq[i] = x[model.unknown(i)];
    double turn = 0.;
    for (unsigned int n = 0; n < model.n_nodes(); ++n)
      for (unsigned int k = 0; k < model.n_rotations(n); ++k)
        turn = std::max(turn, std::abs(dq[model.dof(n) + 3 + k]));
    if (!std::isfinite(work) || turn > 1.5)
      return -1.;
    model.update(dq);
    std::fill(driven.begin(), driven.end(), 0.);
    return std::abs(work);
  }

  bool attempt(const double to)
  {
    std::vector<double> driven(model.n_dofs(), 0.);
    if (motion)
      motion(factor, to, driven);
    works.clear();
    double first = 0.;
    for (unsigned int k = 0; k < most; ++k)
    {
      const double work = correct(to, driven);
      ++n_iterations;
      if (!(work >= 0.))
        return false;
      works.push_back(work);
      first = std::max(first, work);
      if (work > 1e8 * works[0])
        return false;
      // What rounding leaves of the energy is not worth a correction.
      if (k > 0 && (work <= tolerance * first ||
                    work <= 1e-22 * std::abs(model.stored())))
        return true;
    }
    return false;
  }

  ShellModel &model;
  std::unique_ptr<SymmetricFactor> solver;
};
} // namespace shells

#endif

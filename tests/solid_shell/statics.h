#pragma once

// Sheets of solid shells, and their equilibrium by Newton's method.
#include "bodies/make_bodies.h"

#include <delassus/bodies/internal_forces.h>
#include <delassus/linear_solvers/general_factor.h>
#include <delassus/linear_solvers/symmetric_factor.h>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace sheets
{
using namespace delassus;
using dealii::Point;
using dealii::Tensor;

constexpr double pi = 3.14159265358979323846;

/// x(u, v) + zeta t/2 n(u, v), u and v in [0, 1], zeta = -1, 1: n_u x n_v
/// cells. Nodes inside are moved at random, in u and v, by up to @p distortion
/// of a cell. Node (i, j, k) has the number i + (n_u + 1) (j + (n_v + 1) k).
inline MeshData<3>
sheet_grid(const unsigned int n_u,
           const unsigned int n_v,
           const std::function<Point<3>(double, double, double)> &x,
           const double distortion = 0.)
{
  MeshData<3> mesh;
  mesh.reference_cell = dealii::ReferenceCells::Hexahedron;
  mesh.source         = "test";
  mesh.n_pieces       = 1;
  for (unsigned int k = 0; k < 2; ++k)
  {
    std::mt19937 engine(1);
    const auto random = [&]()
    { return distortion * (2. * (engine() / 4294967296.) - 1.); };
    for (unsigned int j = 0; j <= n_v; ++j)
      for (unsigned int i = 0; i <= n_u; ++i)
      {
        const bool inside = i > 0 && i < n_u && j > 0 && j < n_v;
        const double du = inside ? random() : 0., dv = inside ? random() : 0.;
        mesh.vertices.push_back(
            x((i + du) / n_u, (j + dv) / n_v, k == 0 ? -1. : 1.));
      }
  }
  const unsigned int row = n_u + 1, layer = row * (n_v + 1);
  for (unsigned int j = 0; j < n_v; ++j)
    for (unsigned int i = 0; i < n_u; ++i)
    {
      dealii::CellData<3> cell(8);
      for (unsigned int v = 0; v < 8; ++v)
        cell.vertices[v] =
            i + (v & 1u) + row * (j + ((v >> 1) & 1u)) + layer * (v >> 2);
      cell.material_id = 0;
      mesh.cells.push_back(cell);
    }
  return mesh;
}

inline MaterialParameters
elastic(const double E, const double nu, const double density = 1.)
{
  MaterialParameters p;
  p.name          = "sheet";
  p.model         = MaterialModel::saint_venant_kirchhoff;
  p.young_modulus = E;
  p.poisson_ratio = nu;
  p.density       = density;
  return p;
}

inline std::unique_ptr<SolidBody<3>>
solid_shell_body(const MeshData<3> &mesh, const MaterialParameters &material)
{
  BodyParameters parameters;
  parameters.type = BodyType::solid_shell;
  return small::make_body(mesh, material, parameters);
}

/// Two nodes across a sheet whose angle in the plane x z, from z to x, has a
/// potential: a moment, M theta, and a spring, stiffness (theta - target)^2
/// / 2.
struct Couple
{
  unsigned int inner, outer;
  double moment = 0., stiffness = 0.;
  double turns = 0.; ///< angles are near this
};

class Statics
{
public:
  Statics(const MeshData<3> &mesh,
          const MaterialParameters &material,
          const unsigned int points_through = 0)
      : body(solid_shell_body(mesh, material))
      , forces(*body, body->assumption, points_through)
      , q(body->make_vector())
      , held(body->n_dofs(), false)
      , load(body->n_dofs(), 0.)
  {
  }

  std::unique_ptr<SolidBody<3>> body;
  InternalForces<3> forces;
  Vector q;
  std::vector<bool> held;   ///< dofs
  std::vector<double> load; ///< times the factor
  std::vector<Couple> couples;
  std::function<double(double)> target; ///< of the couples' springs
  unsigned int n_iterations = 0, n_cuts = 0, n_indefinite = 0;
  std::vector<double> works; ///< of the last step's corrections
  unsigned int most = 40;
  double tolerance  = 1e-18;
  double factor     = 0.;

  const Point<3> &node(const unsigned int n) const
  {
    return body->nodes[n];
  }
  Tensor<1, 3> displacement(const unsigned int n) const
  {
    Tensor<1, 3> u;
    for (unsigned int c = 0; c < 3; ++c)
      u[c] = q[3 * n + c];
    return u;
  }
  unsigned int nearest(const Point<3> &x) const
  {
    unsigned int best = 0;
    for (unsigned int n = 1; n < body->n_nodes(); ++n)
      if (node(n).distance(x) < node(best).distance(x))
        best = n;
    return best;
  }
  void hold(const std::function<bool(const Point<3> &)> &where,
            const std::vector<unsigned int> &components)
  {
    for (unsigned int n = 0; n < body->n_nodes(); ++n)
      if (where(node(n)))
        for (const unsigned int c : components)
          held[3 * n + c] = true;
  }
  void add_force(const unsigned int n, const Tensor<1, 3> &force)
  {
    for (unsigned int c = 0; c < 3; ++c)
      load[3 * n + c] += force[c];
  }
  /// Density times acceleration.
  void add_weight(const Tensor<1, 3> &g)
  {
    Vector a = body->make_vector(), f = a;
    for (unsigned int i = 0; i < body->n_dofs(); ++i)
      a[i] = g[i % 3];
    body->mass.vmult(f, a);
    for (unsigned int i = 0; i < body->n_dofs(); ++i)
      load[i] += f[i];
  }
  double angle(const Couple &c) const
  {
    const Tensor<1, 3> d = node(c.outer) - node(c.inner) +
                           displacement(c.outer) - displacement(c.inner);
    const double theta = std::atan2(d[0], d[2]);
    return theta + 2. * pi * std::round((c.turns - theta) / (2. * pi));
  }

  /// One correction from rest.
  void linear()
  {
    ASSERT_GE(correct(1.), 0.) << forces.trouble();
  }

  bool go_to(const double to, const double largest)
  {
    double step = largest;
    while (factor < to - 1e-12 * std::abs(to))
    {
      const double next   = std::min(to, factor + step);
      const Vector before = q;
      forces.begin_step();
      if (attempt(next))
      {
        forces.accept();
        factor = next;
        for (auto &c : couples)
          c.turns = angle(c);
        step = std::min(largest, 2. * step);
        continue;
      }
      q = before;
      ++n_cuts;
      step = 0.5 * (next - factor);
      if (step < 1e-5 * largest)
        return false;
    }
    return true;
  }

  /// Solve K x = r on the dofs that are not held; false: there is none.
  bool solve(std::vector<double> &x)
  {
    const auto &K = forces.tangent;
    std::vector<int> number(body->n_dofs(), -1);
    int n = 0;
    for (unsigned int i = 0; i < body->n_dofs(); ++i)
      if (!held[i])
        number[i] = n++;
    SymmetricMatrix A;
    A.n = n;
    A.column_start.push_back(0);
    std::vector<std::pair<int, double>> column;
    std::vector<double> b(n);
    for (unsigned int i = 0; i < body->n_dofs(); ++i)
    {
      if (number[i] < 0)
        continue;
      b[number[i]] = x[i];
      column.clear();
      for (auto entry = K.begin(i); entry != K.end(i); ++entry)
        if (number[entry->column()] >= 0)
          column.emplace_back(number[entry->column()], entry->value());
      std::sort(column.begin(), column.end());
      for (const auto &[row, value] : column)
      {
        A.row.push_back(row);
        A.value.push_back(value);
      }
      A.column_start.push_back(A.row.size());
    }
    try
    {
      if (!solver || !solver->refactorize(A))
        solver = make_cholmod_factor(A, 1e300);
      solver->solve(b.data(), 1);
    }
    catch (const ComputationError &)
    {
      solver.reset();
      ++n_indefinite;
      GeneralFactor general;
      general.row_start = A.column_start;
      general.column    = A.row;
      general.value     = A.value;
      if (!general.factorize())
        return false;
      general.solve(b.data());
    }
    for (unsigned int i = 0; i < body->n_dofs(); ++i)
      x[i] = number[i] >= 0 ? b[number[i]] : 0.;
    return true;
  }

private:
  /// Returns the work of the residual in the correction; negative: none.
  double correct(const double at)
  {
    if (!forces.evaluate(q, 1., true))
      return -1.;
    std::vector<double> r(body->n_dofs());
    for (unsigned int i = 0; i < body->n_dofs(); ++i)
      r[i] = at * load[i] - forces.force[i];
    for (const auto &c : couples)
      add_couple(c, at, r);
    forces.tangent.compress(dealii::VectorOperation::add);
    for (unsigned int i = 0; i < body->n_dofs(); ++i)
      if (held[i])
        r[i] = 0.;
    std::vector<double> x = r;
    if (!solve(x))
      return -1.;
    double work = 0.;
    for (unsigned int i = 0; i < body->n_dofs(); ++i)
    {
      work += x[i] * r[i];
      q[i] += x[i];
    }
    return std::isfinite(work) ? std::abs(work) : -1.;
  }

  void add_couple(const Couple &c, const double at, std::vector<double> &r)
  {
    const Tensor<1, 3> d = node(c.outer) - node(c.inner) +
                           displacement(c.outer) - displacement(c.inner);
    const double x = d[0], z = d[2], s = 1. / (x * x + z * z);
    const double M =
        at * c.moment -
        (c.stiffness > 0. ? c.stiffness * (angle(c) - target(at)) : 0.);
    const double slope[2]     = { z * s, -x * s };
    const double second[2][2] = {
      { -2. * x * z * s * s, (x * x - z * z) * s * s },
      { (x * x - z * z) * s * s, 2. * x * z * s * s }
    };
    const unsigned int nodes[2] = { c.inner, c.outer };
    for (unsigned int a = 0; a < 2; ++a)
      for (unsigned int i = 0; i < 2; ++i)
      {
        const unsigned int row = 3 * nodes[a] + 2 * i;
        r[row] += (a == 0 ? -1. : 1.) * M * slope[i];
        for (unsigned int b = 0; b < 2; ++b)
          for (unsigned int j = 0; j < 2; ++j)
            forces.tangent.add(
                row,
                3 * nodes[b] + 2 * j,
                (a == b ? 1. : -1.) *
                    (c.stiffness * slope[i] * slope[j] - M * second[i][j]));
      }
  }

  bool attempt(const double to)
  {
    works.clear();
    double first = 0.;
    for (unsigned int k = 0; k < most; ++k)
    {
      const double work = correct(to);
      ++n_iterations;
      if (!(work >= 0.))
        return false;
      works.push_back(work);
      first = std::max(first, work);
      if (work > 1e8 * works[0])
        return false;
      if (k > 0 && (work <= tolerance * first ||
                    work <= 1e-22 * std::abs(forces.stored)))
        return forces.evaluate(q, 1., false);
    }
    return false;
  }

  std::unique_ptr<SymmetricFactor> solver;
};
} // namespace sheets

#include "contact_solvers/sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace delassus_benchmarks
{
using namespace delassus;

namespace
{
constexpr unsigned int n_layers = 2;
constexpr double thickness = 0.02, young = 1., poisson = 0.3, friction = 0.2;

using CellMatrix = std::array<double, 24 * 24>;

/// Stiffness of one cell a x a x b, by 2 x 2 x 2 Gauss points.
CellMatrix cell_stiffness(const double a, const double b)
{
  const double lambda =
      young * poisson / ((1. + poisson) * (1. - 2. * poisson));
  const double G = young / (2. * (1. + poisson));
  CellMatrix K{};
  for (int point = 0; point < 8; ++point)
  {
    const double x[3] = { (point & 1 ? 1. : -1.) / std::sqrt(3.),
                          (point & 2 ? 1. : -1.) / std::sqrt(3.),
                          (point & 4 ? 1. : -1.) / std::sqrt(3.) };
    double gradient[8][3];
    for (int i = 0; i < 8; ++i)
    {
      const double s[3] = { i & 1 ? 1. : -1.,
                            i & 2 ? 1. : -1.,
                            i & 4 ? 1. : -1. };
      const double size[3] = { a, a, b };
      for (int d = 0; d < 3; ++d)
      {
        double value = 0.125 * s[d] * 2. / size[d];
        for (int e = 0; e < 3; ++e)
          if (e != d)
            value *= 1. + s[e] * x[e];
        gradient[i][d] = value;
      }
    }
    const double weight = a * a * b / 8.;
    for (int i = 0; i < 8; ++i)
      for (int j = 0; j < 8; ++j)
      {
        double product = 0.;
        for (int d = 0; d < 3; ++d)
          product += gradient[i][d] * gradient[j][d];
        for (int c = 0; c < 3; ++c)
          for (int d = 0; d < 3; ++d)
            K[(3 * i + c) * 24 + 3 * j + d] +=
                weight * (lambda * gradient[i][c] * gradient[j][d] +
                          G * gradient[i][d] * gradient[j][c] +
                          (c == d ? G * product : 0.));
      }
  }
  return K;
}

unsigned int node_number(const unsigned int n,
                         const unsigned int i,
                         const unsigned int j,
                         const unsigned int k)
{
  return (k * (n + 1) + j) * (n + 1) + i;
}

/// M and a title of the plate; no contacts yet.
ExchangeProblem
make_plate(const unsigned int n, const double inertia, const char *what)
{
  const double a = 1. / n, b = thickness / n_layers;
  const unsigned int n_nodes = (n + 1) * (n + 1) * (n_layers + 1);

  // With h = 1: M = mass + K; the density gives the ratio asked for.
  const CellMatrix K   = cell_stiffness(a, b);
  const double density = inertia * 8. * K[0] / (a * a * b);
  std::vector<std::map<unsigned int, double>> columns(3 * n_nodes);
  for (unsigned int k = 0; k < n_layers; ++k)
    for (unsigned int j = 0; j < n; ++j)
      for (unsigned int i = 0; i < n; ++i)
      {
        unsigned int nodes[8];
        for (int v = 0; v < 8; ++v)
          nodes[v] =
              node_number(n, i + (v & 1), j + (v & 2) / 2, k + (v & 4) / 4);
        for (int v = 0; v < 8; ++v)
          for (int w = 0; w < 8; ++w)
            for (int c = 0; c < 3; ++c)
              for (int d = 0; d < 3; ++d)
                columns[3 * nodes[w] + d][3 * nodes[v] + c] +=
                    K[(3 * v + c) * 24 + 3 * w + d] +
                    (v == w && c == d ? density * a * a * b / 8. : 0.);
      }

  ExchangeProblem problem;
  problem.dim    = 3;
  problem.global = true;
  problem.title  = fmt::format("sheet {}, {} x {} x {} cells, inertia {:g}",
                              what,
                              n,
                              n,
                              n_layers,
                              inertia);
  auto &M        = problem.M;
  M.n_rows = M.n_columns = 3 * n_nodes;
  M.start.assign(1, 0);
  for (const auto &column : columns)
  {
    for (const auto &[row, value] : column)
    {
      M.row.push_back(row);
      M.value.push_back(value);
    }
    M.start.push_back(M.row.size());
  }
  problem.f.assign(3 * n_nodes, 0.);
  problem.H.n_rows = 3 * n_nodes;
  problem.H.start.assign(1, 0);
  return problem;
}

/// A contact of one node: u = H^T v + w, normal into the sheet, then x and y.
void add_contact(ExchangeProblem &problem,
                 const unsigned int node,
                 const unsigned int side,
                 const double (&w)[3])
{
  auto &H           = problem.H;
  const int axes[3] = { 2, 0, 1 };
  for (int c = 0; c < 3; ++c)
  {
    H.row.push_back(3 * node + axes[c]);
    H.value.push_back(c == 0 && side == 1 ? -1. : 1.);
    H.start.push_back(H.row.size());
    problem.w.push_back(w[c]);
  }
  problem.mu.push_back(friction);
  H.n_columns = 3 * problem.mu.size();
}
} // namespace

ExchangeProblem make_sheet(const unsigned int n, const double inertia)
{
  const double a          = 1. / n;
  ExchangeProblem problem = make_plate(n, inertia, "between tools");
  problem.description =
      "one implicit step of an elastic sheet of 1 x 1 x 0.02, E = 1, nu = 0.3, "
      "between punch, die and holder, mu = 0.2; dimensionless";
  // The tools move the sheet by fractions of its thickness in the step.
  for (const unsigned int side : { 0u, 1u })
    for (unsigned int j = 0; j <= n; ++j)
      for (unsigned int i = 0; i <= n; ++i)
      {
        const double x = i * a - 0.5, y = j * a - 0.5;
        const double radius = std::sqrt(x * x + y * y);
        // Distance left at the end of the step if the sheet did not move: the
        // punch, a sphere, comes from above; the die is flat outside of a
        // hole with a rounded edge; the holder presses on the rim.
        constexpr double punch = 0.2, hole = 0.28, edge = 0.05;
        double gap;
        if (side == 1)
          gap = radius < hole + edge
                    ? radius * radius / (2. * punch) - 0.5 * thickness
                    : -0.02 * thickness;
        else
        {
          const double inside = std::max(0., hole + edge - radius);
          gap = inside < edge ? edge - std::sqrt(edge * edge - inside * inside)
                              : 1.;
        }
        // The rim is drawn towards the middle by the holder.
        const double drawn = radius > hole + edge ? 0.05 * thickness : 0.;
        add_contact(problem,
                    node_number(n, i, j, side * n_layers),
                    side,
                    { gap,
                      drawn * x / std::max(radius, a),
                      drawn * y / std::max(radius, a) });
      }
  return problem;
}

ExchangeProblem
make_held_sheet(const unsigned int n, const double inertia, const double change)
{
  const double a          = 1. / n;
  ExchangeProblem problem = make_plate(n, inertia, "held between tools");
  problem.description =
      "one implicit step of an elastic sheet of 1 x 1 x 0.02, E = 1, nu = 0.3, "
      "pressed between die and holder on all of both faces and drawn to the "
      "middle, mu = 0.2; dimensionless";
  // Friction of both faces, 2 mu 0.002 E' per area, against the stress that
  // drawing by 0.05 of the thickness makes: it slides about 0.2 around the
  // middle and sticks outside.
  for (const unsigned int side : { 0u, 1u })
    for (unsigned int j = 0; j <= n; ++j)
      for (unsigned int i = 0; i <= n; ++i)
      {
        const double x = i * a - 0.5, y = j * a - 0.5;
        const double radius = std::max(std::sqrt(x * x + y * y), a);
        const double pi     = 3.14159265358979323846;
        const double gap    = -0.001 * thickness *
                           (1. + change * std::cos(2. * pi * (x + 0.3 * y)));
        const double drawn = 0.05 * thickness / radius *
                             (1. + change * std::cos(2. * pi * (y - 0.3 * x)));
        add_contact(problem,
                    node_number(n, i, j, side * n_layers),
                    side,
                    { gap, drawn * x, drawn * y });
      }
  return problem;
}
} // namespace delassus_benchmarks

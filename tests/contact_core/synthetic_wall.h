#ifndef tests_contact_core_synthetic_wall_h
#define tests_contact_core_synthetic_wall_h

#include <delassus/contact/delassus/body_delassus.h>
#include <delassus/contact/problem/contact_problem.h>

#include <cmath>
#include <cstddef>
#include <vector>

namespace delassus_tests
{
/// The contact graph of a running-bond wall, without finite elements: blocks
/// 2 x 1, nine nodes each joined by springs, three contacts on each horizontal
/// half-block interface, two on each vertical one: 16 on an inner block. The
/// lowest course stands on rigid ground. Two dimensions, gravity.
struct SyntheticWall
{
  std::vector<double> compliance;
  delassus::BodyDelassusData<2> data;
  std::vector<double> U_free;
  unsigned int n_blocks;

  SyntheticWall(const unsigned int n_courses,
                const unsigned int n_columns,
                const double stiffness = 20.)
      : n_blocks(n_courses * n_columns)
  {
    make_compliance(stiffness);
    data.piece_compliance.assign(n_blocks, compliance.data());
    data.piece_n_dofs.assign(n_blocks, 18);
    data.h_start.push_back(0);

    const double lowest = 1. / 6.;
    for (unsigned int r = 0; r < n_courses; ++r)
      for (unsigned int c = 0; c < n_columns; ++c)
      {
        const unsigned int block = r * n_columns + c;
        // The two halves of the lower face; nodes 0 1 2 below, 6 7 8 above.
        for (unsigned int half = 0; half < 2; ++half)
          for (unsigned int k = 0; k < 3; ++k)
          {
            const double t = lowest + k / 3.;
            if (r == 0)
            {
              candidate(block, half, half + 1, t);
              finish(0., 1.);
              continue;
            }
            // Odd courses are shifted by half a block to the right: their
            // left half stands on the right half of the block below.
            const int below =
                static_cast<int>(c) + (r % 2 == 1 ? static_cast<int>(half)
                                                  : static_cast<int>(half) - 1);
            if (below < 0 || below >= static_cast<int>(n_columns))
              continue;
            const unsigned int other = (r - 1) * n_columns + below;
            const unsigned int node  = half == 0 ? 7 : 6;
            candidate(block, half, half + 1, t);
            antagonist(other, node, node + 1, t);
            finish(0., 1.);
          }
        // The left face: nodes 0 3 6 against 2 5 8.
        if (c > 0)
          for (unsigned int half = 0; half < 2; ++half)
          {
            candidate(block, 3 * half, 3 * half + 3, 0.5);
            antagonist(block - 1, 3 * half + 2, 3 * half + 5, 0.5);
            finish(1., 0.);
          }
      }
    free_velocity();
  }

  template <typename Operator>
  delassus::ContactProblem<2> problem(const Operator &W,
                                      const double friction) const
  {
    delassus::ContactProblem<2> result;
    result.W      = &W;
    result.U_free = U_free;
    result.h      = 0.01;
    delassus::ChangeOfVariables<2> law;
    law.friction = friction;
    result.laws.assign(data.n_contacts(), law);
    return result;
  }

  /// Another free velocity: that which impulses (1, +-0.6 at most) everywhere
  /// would bring to rest. All contacts stay closed, some slide.
  template <typename Operator>
  delassus::ContactProblem<2> closed_problem(const Operator &W,
                                             const double friction) const
  {
    delassus::ContactProblem<2> result = problem(W, friction);
    std::vector<double> P(U_free.size());
    for (std::size_t a = 0; a < data.n_contacts(); ++a)
    {
      P[2 * a]     = 1.;
      P[2 * a + 1] = 0.6 * std::sin(0.37 * a);
    }
    W.multiply(P.data(), result.U_free.data());
    for (double &u : result.U_free)
      u = -u;
    return result;
  }

private:
  void candidate(unsigned int block, unsigned int i, unsigned int j, double t)
  {
    data.entries.push_back({ block, i, 1. - t });
    data.entries.push_back({ block, j, t });
  }

  void antagonist(unsigned int block, unsigned int i, unsigned int j, double t)
  {
    data.entries.push_back({ block, i, -(1. - t) });
    data.entries.push_back({ block, j, -t });
  }

  /// N = (x, y), T = N turned by -90 degrees.
  void finish(const double x, const double y)
  {
    data.h_start.push_back(data.entries.size());
    data.frame.push_back({ { x, y, y, -x } });
  }

  /// Inverse of 1 + stiffness * (springs between neighbours on the 3 x 3
  /// grid, diagonals too), by elimination.
  void make_compliance(const double stiffness)
  {
    const unsigned int n = 18;
    std::vector<double> A(n * n, 0.);
    for (unsigned int i = 0; i < n; ++i)
      A[i * n + i] = 1.;
    for (int p = 0; p < 9; ++p)
      for (int q = p + 1; q < 9; ++q)
      {
        const double dx = q % 3 - p % 3, dy = 0.5 * (q / 3 - p / 3);
        if (std::abs(q % 3 - p % 3) > 1 || std::abs(q / 3 - p / 3) > 1)
          continue;
        const double l    = std::hypot(dx, dy);
        const double d[2] = { dx / l, dy / l };
        for (int i = 0; i < 2; ++i)
          for (int j = 0; j < 2; ++j)
          {
            const double k = stiffness * d[i] * d[j];
            A[(2 * p + i) * n + 2 * p + j] += k;
            A[(2 * q + i) * n + 2 * q + j] += k;
            A[(2 * p + i) * n + 2 * q + j] -= k;
            A[(2 * q + i) * n + 2 * p + j] -= k;
          }
      }
    compliance.assign(n * n, 0.);
    for (unsigned int i = 0; i < n; ++i)
      compliance[i * n + i] = 1.;
    for (unsigned int k = 0; k < n; ++k)
    {
      const double pivot = 1. / A[k * n + k];
      for (unsigned int j = 0; j < n; ++j)
      {
        A[k * n + j] *= pivot;
        compliance[k * n + j] *= pivot;
      }
      for (unsigned int i = 0; i < n; ++i)
        if (i != k)
        {
          const double factor = A[i * n + k];
          for (unsigned int j = 0; j < n; ++j)
          {
            A[i * n + j] -= factor * A[k * n + j];
            compliance[i * n + j] -= factor * compliance[k * n + j];
          }
        }
    }
  }

  /// Every block falls, and is thrown about a little.
  void free_velocity()
  {
    U_free.assign(2 * data.n_contacts(), 0.);
    for (std::size_t a = 0; a < data.n_contacts(); ++a)
      for (std::size_t e = data.h_start[a]; e < data.h_start[a + 1]; ++e)
      {
        const auto &entry = data.entries[e];
        const double v[2] = { 0.1 * std::sin(12.9898 * entry.piece),
                              -1. + 0.1 * std::sin(78.233 * entry.piece) };
        for (int i = 0; i < 2; ++i)
          for (int c = 0; c < 2; ++c)
            U_free[2 * a + i] += entry.weight * data.frame[a][2 * i + c] * v[c];
      }
  }
};
} // namespace delassus_tests

#endif

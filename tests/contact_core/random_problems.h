#ifndef tests_contact_core_random_problems_h
#define tests_contact_core_random_problems_h

#include <delassus/contact/delassus/body_delassus.h>
#include <delassus/contact/local_solvers/local_algebra.h>
#include <delassus/contact/problem/contact_problem.h>

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace delassus_tests
{
using namespace delassus;

struct Random
{
  std::mt19937_64 engine;

  explicit Random(const unsigned int seed)
      : engine(seed)
  {
  }

  double uniform(const double low, const double high)
  {
    return std::uniform_real_distribution<double>(low, high)(engine);
  }

  double normal()
  {
    return std::normal_distribution<double>()(engine);
  }

  unsigned int index(const unsigned int n)
  {
    return std::uniform_int_distribution<unsigned int>(0, n - 1)(engine);
  }
};

/// A rotation matrix, uniformly enough.
template <int dim>
LocalMatrix<dim> random_rotation(Random &random)
{
  LocalMatrix<dim> Q;
  if constexpr (dim == 2)
  {
    const double angle = random.uniform(0., 2. * M_PI);
    Q                  = {
                       { std::cos(angle), std::sin(angle), -std::sin(angle), std::cos(angle) }
    };
  }
  else
  {
    double q[4], length = 0.;
    for (double &x : q)
    {
      x = random.normal();
      length += x * x;
    }
    length = std::sqrt(length);
    for (double &x : q)
      x /= length;
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    Q = { { 1 - 2 * (y * y + z * z),
            2 * (x * y - w * z),
            2 * (x * z + w * y),
            2 * (x * y + w * z),
            1 - 2 * (x * x + z * z),
            2 * (y * z - w * x),
            2 * (x * z - w * y),
            2 * (y * z + w * x),
            1 - 2 * (x * x + y * y) } };
  }
  return Q;
}

/// Q diag(d) Q^T with eigenvalues between 1 / condition and 1.
template <int dim>
LocalMatrix<dim> random_positive_definite(Random &random,
                                          const double condition)
{
  const LocalMatrix<dim> Q = random_rotation<dim>(random);
  LocalMatrix<dim> W{};
  for (int k = 0; k < dim; ++k)
  {
    const double d = std::pow(condition, -random.uniform(0., 1.));
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j)
        W[i * dim + j] += d * Q[i * dim + k] * Q[j * dim + k];
  }
  return W;
}

/// Pieces with random positive definite compliances, touching at random. The
/// object owns the compliances; data points into it.
template <int dim>
struct RandomBodies
{
  std::vector<std::vector<double>> compliances;
  BodyDelassusData<dim> data;

  RandomBodies(Random &random,
               const unsigned int n_pieces,
               const unsigned int n_contacts)
  {
    const unsigned int n_classes = 3;
    for (unsigned int k = 0; k < n_classes; ++k)
    {
      // C = B B^T + identity
      const unsigned int n = dim * (4 + k);
      std::vector<double> B(n * n), C(n * n, 0.);
      for (double &x : B)
        x = random.normal();
      for (unsigned int i = 0; i < n; ++i)
        for (unsigned int j = 0; j < n; ++j)
        {
          for (unsigned int l = 0; l < n; ++l)
            C[i * n + j] += B[i * n + l] * B[j * n + l] / n;
          if (i == j)
            C[i * n + j] += 1.;
        }
      compliances.push_back(C);
    }
    for (unsigned int p = 0; p < n_pieces; ++p)
    {
      data.piece_compliance.push_back(compliances[p % n_classes].data());
      data.piece_n_dofs.push_back(dim * (4 + p % n_classes));
    }
    data.h_start.push_back(0);
    for (unsigned int a = 0; a < n_contacts; ++a)
    {
      // One contact in five is against a rigid obstacle; one in ten touches
      // three pieces, and entries of a piece need not be neighbours.
      const unsigned int first  = random.index(n_pieces);
      const unsigned int second = (first + 1 + random.index(3)) % n_pieces;
      const bool rigid          = a % 5 == 0;
      data.entries.push_back({ first, random.index(4), 0.6 });
      if (!rigid)
        data.entries.push_back({ second, random.index(4), -0.3 });
      data.entries.push_back({ first, random.index(4), 0.4 });
      if (!rigid)
      {
        data.entries.push_back({ second, random.index(4), -0.5 });
        data.entries.push_back({ second, random.index(4), -0.2 });
      }
      if (a % 10 == 3)
        data.entries.push_back(
            { (first + 7) % n_pieces, random.index(4), 0.3 });
      data.h_start.push_back(data.entries.size());
      data.frame.push_back(random_rotation<dim>(random));
    }
  }
};

/// Free velocities that close most contacts; friction mu.
template <int dim>
ContactProblem<dim> random_loading(Random &random,
                                   const DelassusOperator<dim> &W,
                                   const double friction)
{
  ContactProblem<dim> problem;
  problem.W = &W;
  problem.h = 0.01;
  for (std::size_t a = 0; a < W.n_contacts(); ++a)
  {
    problem.U_free.push_back(random.normal() - 0.7);
    for (int c = 1; c < dim; ++c)
      problem.U_free.push_back(random.normal());
    ChangeOfVariables<dim> law;
    law.shift[0] = random.uniform(0., 0.2);
    law.friction = friction;
    problem.laws.push_back(law);
  }
  return problem;
}
} // namespace delassus_tests

#endif

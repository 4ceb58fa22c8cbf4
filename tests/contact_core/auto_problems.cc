// Larger problems on which sweeps alone are slow: the automatic choice of
// methods converges in a moderate number of iterations.

#include "contact_core/solver_family.h"

#include <delassus/contact/delassus/applied_delassus.h>

using namespace delassus;
using namespace delassus_tests;

namespace
{
constexpr double tolerance = 1e-8;

/// Rigid bodies: dim translations and the rotations (1 or 3) of each. Masses
/// are diagonal.
template <int dim>
struct RigidBodies
{
  static constexpr int n_rotations = dim == 2 ? 1 : 3;
  static constexpr int n_dofs      = dim + n_rotations;

  std::vector<double> mass, inertia;

  struct Contact
  {
    int above, below;       ///< -1: the ground
    LocalMatrix<dim> frame; ///< rows: normal (towards `above`), tangents
    LocalVector<dim> arm_above, arm_below; ///< from the centres
  };
  std::vector<Contact> contacts;

  /// @p v_free: of all degrees of freedom.
  TestProblem<dim> problem(const std::vector<double> &v_free,
                           const double mu) const
  {
    const std::size_t n_v = n_dofs * mass.size(), m = dim * contacts.size();
    std::vector<double> A(n_v * n_v, 0.), A_inverse(n_v * n_v, 0.),
        H(n_v * m, 0.);
    for (std::size_t i = 0; i < n_v; ++i)
    {
      const std::size_t b = i / n_dofs;
      A[i * n_v + i] = i % n_dofs < std::size_t(dim) ? mass[b] : inertia[b];
      A_inverse[i * n_v + i] = 1. / A[i * n_v + i];
    }
    for (std::size_t a = 0; a < contacts.size(); ++a)
      for (int c = 0; c < dim; ++c)
      {
        const Contact &contact = contacts[a];
        const auto add =
            [&](const int body, const LocalVector<dim> &arm, const double sign)
        {
          if (body < 0)
            return;
          // d . (v + w x arm) = d . v + w . (arm x d)
          LocalVector<dim> d;
          for (int k = 0; k < dim; ++k)
          {
            d[k] = contact.frame[c * dim + k];
            H[(n_dofs * body + k) * m + dim * a + c] = sign * d[k];
          }
          if constexpr (dim == 2)
            H[(n_dofs * body + 2) * m + 2 * a + c] =
                sign * (arm[0] * d[1] - arm[1] * d[0]);
          else
            for (int k = 0; k < 3; ++k)
              H[(n_dofs * body + 3 + k) * m + 3 * a + c] =
                  sign * (arm[(k + 1) % 3] * d[(k + 2) % 3] -
                          arm[(k + 2) % 3] * d[(k + 1) % 3]);
        };
        add(contact.above, contact.arm_above, 1.);
        add(contact.below, contact.arm_below, -1.);
      }
    auto test = from_bodies<dim>(contacts.size(), n_v, A, A_inverse, H);
    test.set_friction(mu);
    for (std::size_t i = 0; i < n_v; ++i)
      for (std::size_t j = 0; j < m; ++j)
        test.problem.U_free[j] += H[i * m + j] * v_free[i];
    return test;
  }
};

/// Blocks on each other, touching at the corners; the second direction (2D) or
/// the third is up. Gravity, and a push at the side that grows upwards.
template <int dim>
TestProblem<dim> tower(const unsigned int n_blocks,
                       const double mu,
                       const double push,
                       const double heavy)
{
  RigidBodies<dim> bodies;
  std::vector<double> v_free;
  for (unsigned int b = 0; b < n_blocks; ++b)
  {
    // Unit cubes, every third one of another mass.
    const double mass = b % 3 == 2 ? heavy : 1.;
    bodies.mass.push_back(mass);
    bodies.inertia.push_back(mass / 6.);
    for (int k = 0; k < RigidBodies<dim>::n_dofs; ++k)
      v_free.push_back(k == dim - 1 ? -1.
                       : k == 0     ? push * (b + 1.) / n_blocks
                                    : 0.);
    for (unsigned int corner = 0; corner < (dim == 2 ? 2 : 4); ++corner)
    {
      typename RigidBodies<dim>::Contact contact;
      contact.above          = b;
      contact.below          = int(b) - 1;
      contact.frame          = {};
      contact.frame[dim - 1] = 1.; // normal: up
      contact.frame[dim]     = 1.; // tangent: first axis
      if (dim == 3)
        contact.frame[7] = 1.;
      contact.arm_above[0] = contact.arm_below[0] = corner % 2 ? 0.5 : -0.5;
      if (dim == 3)
        contact.arm_above[1] = contact.arm_below[1] = corner / 2 ? 0.5 : -0.5;
      contact.arm_above[dim - 1] = -0.5;
      contact.arm_below[dim - 1] = 0.5;
      bodies.contacts.push_back(contact);
    }
  }
  return bodies.problem(v_free, mu);
}

/// Balls in contact with each other at random, falling, with small gaps.
template <int dim>
TestProblem<dim> pile(Random &random,
                      const unsigned int n_bodies,
                      const unsigned int n_contacts,
                      const double mu)
{
  RigidBodies<dim> bodies;
  std::vector<double> v_free;
  for (unsigned int b = 0; b < n_bodies; ++b)
  {
    const double radius = random.uniform(0.5, 1.5);
    bodies.mass.push_back(std::pow(radius, dim));
    bodies.inertia.push_back(0.4 * bodies.mass.back() * radius * radius);
    for (int k = 0; k < RigidBodies<dim>::n_dofs; ++k)
      v_free.push_back((k == dim - 1 ? -1. : 0.) + 0.3 * random.normal());
  }
  for (unsigned int a = 0; a < n_contacts; ++a)
  {
    typename RigidBodies<dim>::Contact contact;
    contact.above = a % n_bodies;
    // Mostly between bodies nearby; some rest on the ground.
    contact.below =
        a % 10 == 0 ? -1 : (contact.above + 1 + random.index(4)) % n_bodies;
    contact.frame = random_rotation<dim>(random);
    for (int k = 0; k < dim; ++k)
    {
      const double n       = contact.frame[k];
      const auto radius_of = [&](const int b)
      { return b < 0 ? 0. : std::pow(bodies.mass[b], 1. / dim); };
      contact.arm_above[k] = -n * radius_of(contact.above);
      contact.arm_below[k] = n * radius_of(contact.below);
    }
    bodies.contacts.push_back(contact);
  }
  auto test = bodies.problem(v_free, mu);
  for (auto &law : test.problem.laws)
    law.shift[0] = random.uniform(0.001, 0.1);
  return test;
}

/// A strip between two tools that press it, pulled at one end: a chain of nodes
/// with the unknowns x, y at the bottom, y at the top, elastic along (k) and
/// through the thickness (s). Friction of each node is felt by all others: A is
/// a chain, W full, and a sweep carries news from one node to the next only.
TestProblem<2> strip(const unsigned int n_nodes,
                     const double k,
                     const double s,
                     const double mu)
{
  const std::size_t n_v = 3 * n_nodes, n = 2 * n_nodes, m = 2 * n;
  std::vector<double> A(n_v * n_v, 0.), H(n_v * m, 0.);
  const auto spring =
      [&](const std::size_t i, const std::size_t j, const double stiffness)
  {
    A[i * n_v + i] += stiffness;
    A[j * n_v + j] += stiffness;
    A[i * n_v + j] -= stiffness;
    A[j * n_v + i] -= stiffness;
  };
  for (std::size_t i = 0; i < n_v; ++i)
    A[i * n_v + i] = 1.;
  for (unsigned int i = 0; i < n_nodes; ++i)
  {
    spring(3 * i + 1, 3 * i + 2, s);
    if (i + 1 < n_nodes)
      spring(3 * i, 3 * i + 3, k);
    // Bottom and top contact: normals up and down, tangent x for both.
    H[(3 * i + 1) * m + 4 * i]     = 1.;
    H[(3 * i) * m + 4 * i + 1]     = 1.;
    H[(3 * i + 2) * m + 4 * i + 2] = -1.;
    H[(3 * i) * m + 4 * i + 3]     = 1.;
  }
  // A^{-1} by elimination without pivots: A is diagonally dominant.
  std::vector<double> work = A, inverse(n_v * n_v, 0.);
  for (std::size_t i = 0; i < n_v; ++i)
    inverse[i * n_v + i] = 1.;
  for (std::size_t p = 0; p < n_v; ++p)
  {
    const double reciprocal = 1. / work[p * n_v + p];
    for (std::size_t j = 0; j < n_v; ++j)
    {
      work[p * n_v + j] *= reciprocal;
      inverse[p * n_v + j] *= reciprocal;
    }
    for (std::size_t i = 0; i < n_v; ++i)
    {
      const double factor = work[i * n_v + p];
      if (i == p || factor == 0.)
        continue;
      for (std::size_t j = 0; j < n_v; ++j)
      {
        work[i * n_v + j] -= factor * work[p * n_v + j];
        inverse[i * n_v + j] -= factor * inverse[p * n_v + j];
      }
    }
  }
  auto test = from_bodies<2>(n, n_v, A, inverse, H);
  test.set_friction(mu);
  for (unsigned int i = 0; i < n_nodes; ++i)
  {
    // Pressed harder in the middle; pulled more towards the end.
    const double x = (i + 0.5) / n_nodes, pressure = 0.2 + x * (1. - x);
    test.problem.U_free[4 * i] = test.problem.U_free[4 * i + 2] = -pressure;
    test.problem.U_free[4 * i + 1] = test.problem.U_free[4 * i + 3] =
        0.5 + x * x;
  }
  return test;
}

/// The automatic choice converges, within this many iterations: on W, and on
/// the global form where W is known by its products only.
template <int dim>
void converges(const TestProblem<dim> &test,
               const unsigned int n_iterations,
               const std::string &name)
{
  const unsigned int most = std::max(5000u, n_iterations);
  std::vector<LocalMatrix<dim>> diagonal(test.n);
  for (std::size_t a = 0; a < test.n; ++a)
    test.W->diagonal_block(a, diagonal[a].data());
  const AppliedDelassus<dim> applied([&test](const double *P, double *U)
                                     { test.W->multiply(P, U); },
                                     diagonal);
  for (const bool global : { false, true })
  {
    SCOPED_TRACE(name + (global ? ", global" : ""));
    auto problem   = test.problem;
    problem.global = global ? test.form.get() : nullptr;
    if (global)
      problem.W = &applied;
    const auto solver = make_contact_solver<dim>(
        parameters_of(ContactSolverType::automatic, tolerance, most));
    const Outcome outcome = Family<dim>::run(*solver, problem);
    Family<dim>::check_honest(outcome, problem, tolerance, most, "automatic");
    EXPECT_TRUE(outcome.converged())
        << outcome.result.errors.unit_free << " " << outcome.result.diagnosis
        << outcome.message;
    EXPECT_LE(outcome.result.sweeps, n_iterations) << outcome.result.solver;
    testing::Test::RecordProperty(name + (global ? " global" : ""),
                                  int(outcome.result.sweeps));
  }
}
} // namespace

TEST(AutoProblems, Towers)
{
  for (const double mu : { 0.2, 0.8 })
    for (const double push : { 0., 0.3 })
      for (const double heavy : { 1., 1e4 })
      {
        const std::string name = " " + std::to_string(mu) + " " +
                                 std::to_string(push) + " " +
                                 std::to_string(heavy);
        // Heavy blocks on light ones that are pushed over take the default
        // limit of 5000, on some processors (by rounding) more. A thousand of
        // them may be sweeps, which cost little.
        const unsigned int limit = push > 0. && heavy > 1. ? 20000 : 3000;
        converges(tower<2>(50, mu, push, heavy), limit, "tower2D" + name);
        converges(tower<3>(25, mu, push, heavy), limit, "tower3D" + name);
      }
}

TEST(AutoProblems, Piles)
{
  Random random(401);
  for (const double mu : { 0.1, 0.5, 1. })
  {
    converges(
        pile<2>(random, 40, 100, mu), 1500, "pile2D " + std::to_string(mu));
    converges(
        pile<3>(random, 40, 100, mu), 1500, "pile3D " + std::to_string(mu));
  }
}

/// Factors of the global form that are not allowed the memory they need: ADMM
/// says so, the automatic choice goes on with products alone.
TEST(AutoProblems, FactorsBeyondMemory)
{
  const auto test = strip(20, 10., 10., 0.2);
  std::vector<LocalMatrix<2>> diagonal(test.n);
  for (std::size_t a = 0; a < test.n; ++a)
    test.W->diagonal_block(a, diagonal[a].data());
  const AppliedDelassus<2> applied([&test](const double *P, double *U)
                                   { test.W->multiply(P, U); },
                                   diagonal);
  auto problem         = test.problem;
  problem.W            = &applied;
  problem.global       = test.form.get();
  problem.memory_limit = 1000.;

  const auto admm = make_contact_solver<2>(
      parameters_of(ContactSolverType::global_admm, tolerance, 5000));
  const Outcome refused = Family<2>::run(*admm, problem);
  EXPECT_TRUE(refused.refused);
  EXPECT_NE(refused.message.find("emory"), std::string::npos)
      << refused.message;

  const auto automatic = make_contact_solver<2>(
      parameters_of(ContactSolverType::automatic, tolerance, 5000));
  const Outcome outcome = Family<2>::run(*automatic, problem);
  Family<2>::check_honest(outcome, problem, tolerance, 5000, "automatic");
  EXPECT_TRUE(outcome.converged()) << outcome.message;
  EXPECT_EQ(outcome.result.solver, "projected gradient");

  // With memory the factors are used.
  problem.memory_limit  = 1e9;
  const Outcome allowed = Family<2>::run(*automatic, problem);
  EXPECT_TRUE(allowed.converged()) << allowed.message;
  EXPECT_EQ(allowed.result.solver.find("global "), 0u);
}

TEST(AutoProblems, StripBetweenTools)
{
  const auto test = strip(50, 1e6, 1000., 0.5);
  // Sweeps alone need many thousands.
  const auto sweeps = make_contact_solver<2>(
      parameters_of(ContactSolverType::gauss_seidel, tolerance, 5000));
  EXPECT_FALSE(Family<2>::run(*sweeps, test.problem).converged());
  converges(test, 1500, "strip");
  converges(strip(100, 1e6, 1000., 0.2), 1500, "long strip");
  converges(strip(50, 1e4, 10., 0.2), 1500, "soft strip");
}

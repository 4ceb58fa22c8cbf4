// Contact problems of this program as others exchange them.

#include "problems.h"

#include <delassus/contact/exchange/export_problem.h>

#include <gtest/gtest.h>

#include <memory>

using namespace delassus;
using namespace exchange_tests;

namespace
{
template <int dim>
ExportedContacts<dim> contacts_of(const ExchangeProblem &problem)
{
  ExportedContacts<dim> contacts;
  contacts.U_free = problem.q;
  contacts.laws.resize(problem.n_contacts());
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-1., 1.);
  for (std::size_t a = 0; a < problem.n_contacts(); ++a)
  {
    contacts.laws[a].friction = problem.mu[a];
    contacts.laws[a].shift[0] = number(random);
  }
  for (std::size_t i = 0; i < problem.q.size(); ++i)
    contacts.P.push_back(number(random));
  contacts.U = contacts.U_free;
  add_product(problem.W, contacts.P.data(), contacts.U.data());
  return contacts;
}

/// u = W r + q for what was exported.
void expect_consistent(const ExchangeProblem &problem,
                       const ExchangeSolution &solution)
{
  check_exchange_problem(problem, "exported");
  std::vector<double> u = problem.q;
  add_product(problem.W, solution.r.data(), u.data());
  for (std::size_t i = 0; i < u.size(); ++i)
    EXPECT_NEAR(u[i], solution.u[i], 1e-12);
}

template <int dim>
LocalMatrix<dim> diagonal(const double x)
{
  LocalMatrix<dim> result{};
  for (int c = 0; c < dim; ++c)
    result[c * dim + c] = x + 0.1 * c;
  return result;
}
} // namespace


TEST(Exported, ShiftsAreFoldedIntoTheVelocity)
{
  const ExchangeProblem given = make_problem(3, false);
  const auto contacts         = contacts_of<3>(given);
  ExchangeProblem problem;
  ExchangeSolution solution;
  ASSERT_EQ(export_local(given.W, contacts, problem, solution), "");
  expect_consistent(problem, solution);
  EXPECT_TRUE(equal(problem.W, given.W));
  EXPECT_EQ(problem.mu, given.mu);
  for (std::size_t a = 0; a < given.n_contacts(); ++a)
  {
    EXPECT_EQ(problem.q[3 * a], given.q[3 * a] + contacts.laws[a].shift[0]);
    EXPECT_EQ(problem.q[3 * a + 1], given.q[3 * a + 1]);
  }
}

TEST(Exported, InactiveContactsAreLeftOut)
{
  const ExchangeProblem given = make_problem(2, false);
  auto contacts               = contacts_of<2>(given);
  for (const std::size_t a : { 1, 4 })
  {
    contacts.laws[a].active = false;
    contacts.P[2 * a] = contacts.P[2 * a + 1] = 0.;
  }
  contacts.U = contacts.U_free;
  add_product(given.W, contacts.P.data(), contacts.U.data());
  ExchangeProblem problem;
  ExchangeSolution solution;
  ASSERT_EQ(export_local(given.W, contacts, problem, solution), "");
  EXPECT_EQ(problem.n_contacts(), given.n_contacts() - 2);
  expect_consistent(problem, solution);
  EXPECT_EQ(problem.mu[1], given.mu[2]);
  EXPECT_EQ(entry(problem.W, 2, 0), entry(given.W, 4, 0));
}

// (calU, calP) of an affine law satisfy calU = calW calP + q.
TEST(Exported, AffineLawsAreMadeStandard)
{
  const ExchangeProblem given = make_problem(3, false);
  auto contacts               = contacts_of<3>(given);
  contacts.laws[2].affine =
      std::make_shared<const AffineLaw<3>>(diagonal<3>(2.),
                                           diagonal<3>(-0.3),
                                           LocalMatrix<3>{},
                                           diagonal<3>(1.5),
                                           LocalVector<3>{ 0.1, 0.2, 0.3 },
                                           LocalVector<3>{ -1., 0.4, 0.7 });
  ExchangeProblem problem;
  ExchangeSolution solution;
  ASSERT_EQ(export_local(given.W, contacts, problem, solution), "");
  expect_consistent(problem, solution);

  GlobalForm form;
  EXPECT_NE(export_global(form, {}, {}, contacts, problem, solution), "");

  // Springs couple what they are coupled with: calP = P + D U - p0.
  const LocalMatrix<3> one = identity_matrix<3>(), zero{};
  for (const std::size_t a : { 1, 2 })
    contacts.laws[a].affine =
        std::make_shared<const AffineLaw<3>>(one,
                                             zero,
                                             diagonal<3>(-2. * a),
                                             one,
                                             LocalVector<3>{ 0.1, 0.2, 0.3 },
                                             LocalVector<3>{ -1., 0.4, 0.7 });
  ASSERT_EQ(export_local(given.W, contacts, problem, solution), "");
  expect_consistent(problem, solution);
  EXPECT_EQ(problem.n_contacts(), given.n_contacts());
  EXPECT_FALSE(equal(problem.W, given.W));

  // Too soft.
  contacts.laws[2].affine = std::make_shared<const AffineLaw<3>>(
      one, zero, diagonal<3>(1e3), one, LocalVector<3>{}, LocalVector<3>{});
  EXPECT_NE(export_local(given.W, contacts, problem, solution), "");
}

TEST(Exported, TrescasFrictionIsNot)
{
  const ExchangeProblem given = make_problem(2, false);
  auto contacts               = contacts_of<2>(given);
  contacts.laws[3].threshold  = 0.5;
  ExchangeProblem problem;
  ExchangeSolution solution;
  EXPECT_NE(export_local(given.W, contacts, problem, solution), "");
  contacts.laws[3].active = false;
  EXPECT_EQ(export_local(given.W, contacts, problem, solution), "");
}

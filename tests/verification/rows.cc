// Rows of verification tables: verdicts, orders, what is printed.
#include <delassus/verification/print.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <sstream>

using namespace delassus::verification;

namespace
{
CaseReport empty()
{
  return CaseReport("nowhere", "nowhere");
}
} // namespace

TEST(Rows, Verdicts)
{
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto passes =
      [](const double computed, const double exact, const Tolerance &tolerance)
  {
    auto report = empty();
    report.compare("x", computed, analytical(exact, "y"), tolerance);
    return report.passed();
  };
  EXPECT_TRUE(passes(101., 100., relative(0.011)));
  EXPECT_FALSE(passes(102., 100., relative(0.011)));
  EXPECT_FALSE(passes(-100., 100., relative(0.011)));
  EXPECT_TRUE(passes(0.5, 0., absolute(0.6)));
  EXPECT_FALSE(passes(0.7, 0., absolute(0.6)));
  EXPECT_FALSE(passes(nan, 1., relative(10.)));
  EXPECT_FALSE(passes(nan, 1., absolute(10.)));
  EXPECT_FALSE(passes(nan, 1., reported()));
  EXPECT_TRUE(passes(7., 1., reported()));

  auto bounds = empty();
  bounds.at_most("x", 1., 2., "");
  bounds.at_least("x", 1., 0.5, "");
  EXPECT_TRUE(bounds.passed());
  bounds.at_least("x", nan, 0.5, "");
  EXPECT_FALSE(bounds.passed());
  auto failed = empty();
  failed.fail("a run ended early");
  EXPECT_FALSE(failed.passed());
}

TEST(Rows, OrderOfConvergence)
{
  std::vector<double> h, errors;
  for (const double size : { 0.4, 0.2, 0.1 })
  {
    h.push_back(size);
    errors.push_back(3. * std::pow(size, 1.5));
  }
  EXPECT_NEAR(observed_order(h, errors), 1.5, 1e-12);
  auto report = empty();
  report.convergence("error", h, errors, 1.4, "");
  EXPECT_TRUE(report.passed());
  EXPECT_EQ(report.rows.size(), 4u);
  report.convergence("error", h, errors, 1.6, "");
  EXPECT_FALSE(report.passed());
}

TEST(Rows, Printed)
{
  auto report = empty();
  report.compare("|P|", 1.02, analytical(1., "a|b"), relative(0.05));
  report.compare("tiny", 1. + 1e-14, analytical(1., ""), relative(1e-10));
  report.at_most("bad", 3., 2., "");
  const Case which{ "name", "Title", "Text.", 1., true, {}, {} };
  std::ostringstream table, markdown;
  print_table(table, which, report);
  print_markdown(markdown, which, report);
  for (const std::string part :
       { "quantity", "2 %", "5 %", "passed", "FAILED", "< 1e-11", "≤ 2" })
  {
    EXPECT_NE(table.str().find(part), std::string::npos) << part;
    EXPECT_NE(markdown.str().find(part), std::string::npos) << part;
  }
  // A bar inside a cell does not end it.
  EXPECT_NE(markdown.str().find("\\|P\\|"), std::string::npos);
}

TEST(Cases, NamesAreUniqueAndSomeAreQuick)
{
  std::set<std::string> names;
  double seconds = 0.;
  for (const auto &one : all_cases())
  {
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
    EXPECT_FALSE(one.title.empty());
    EXPECT_FALSE(one.description.empty());
    seconds += one.quick ? one.seconds : 0.;
  }
  EXPECT_GT(names.size(), 10u);
  EXPECT_LE(seconds, 60.);
}

// A block on a rough foundation (Raous, Chabrand, Lebon 1988; Code_Aster
// SSNV128): separation, slip and stick zones of Coulomb friction with mu = 1.
#include "run_case.h"
#include "test_paths.h"

#include <gtest/gtest.h>

TEST(RoughFoundation, DisplacementsResultantsAndZones)
{
  const auto run = test::run_file<2>(std::string(DELASSUS_SOURCE_DIR) +
                                     "/parameter_files/rough_foundation.prm");
  // Tangential displacements in 1e-2 mm at x = 0, 1.25, 5, 7.5, 11.25 mm: an
  // independent quasi-static program on the same mesh. Code_Aster's reference:
  // 2.86, 2.72, 2.28, 1.98, 1.5.
  const std::vector<std::pair<std::string, double>> reference = {
    { "A", 2.8594 },
    { "B", 2.7217 },
    { "C", 2.2850 },
    { "D", 1.9796 },
    { "E", 1.5406 }
  };
  for (const auto &[probe, expected] : reference)
    EXPECT_NEAR(100. * run.history.at(probe + ":u_x").back(),
                expected,
                0.005 * expected)
        << probe;
  EXPECT_NEAR(run.history.at("base:force_y").back(), 200., 0.01);
  EXPECT_NEAR(run.history.at("base:force_x").back(), -140.54, 0.2);
  // Nodes every 1.25 mm: separation to 2.5-3.75, slip to 28.75-30, then stick.
  EXPECT_NEAR(run.history.at("base:open").back(), 3, 0.1);
  EXPECT_NEAR(run.history.at("base:slip").back(), 21, 1.1);
  EXPECT_NEAR(run.history.at("base:stick").back(), 9, 1.1);
  EXPECT_TRUE(run.summary["contact_solver"]["converged"]);
}

// The statements of the wall of blocks, on a wall of 6 courses of 4 blocks.
#include "run_case.h"
#include "test_paths.h"

#include <delassus/bodies/results/solid_output.h>

#include <gtest/gtest.h>

#include <cmath>

namespace
{
const std::string example =
    std::string(DELASSUS_SOURCE_DIR) + "/parameter_files/wall_2d.prm";

const std::vector<std::string> smaller = { "Body wall/Mesh/Courses=6",
                                           "Body wall/Mesh/Blocks per course=4",
                                           "Contact solver/Tolerance=1e-6",
                                           "Probe top/Point=0.2,0.3" };

std::vector<std::string> with(std::vector<std::string> list,
                              const std::vector<std::string> &more)
{
  list.insert(list.end(), more.begin(), more.end());
  return list;
}

nlohmann::json state_at(const test::Results &run, const double time)
{
  nlohmann::json best;
  for (const auto &state : run.summary["states"])
    if (best.is_null() || std::abs(double(state["time"]) - time) <
                              std::abs(double(best["time"]) - time))
      best = state;
  return best;
}

nlohmann::json pair_of(const nlohmann::json &state,
                       const std::string &candidate,
                       const std::string &antagonist)
{
  for (const auto &pair : state["pairs"])
    if (pair["candidate"] == candidate && pair["antagonist"] == antagonist)
      return pair;
  return {};
}
} // namespace

TEST(SmallWall, AtTheTimeOfTheWeight)
{
  const auto run = test::run_file<2>(
      example, with(smaller, { "Time/End=0.2", "Time/Step=5e-4" }));
  ASSERT_EQ(run.summary["events"].size(), 1);
  const double T      = run.summary["events"][0]["interpolated_time"];
  const double weight = run.summary["weight"];
  EXPECT_NEAR(weight, 6 * 4 * 0.1 * 0.05 * 500 * 9.81, 1e-6);
  // A wave up a column of height 0.3 at about 52 m/s: some milliseconds.
  EXPECT_GT(T, 3e-3);
  EXPECT_LT(T, 12e-3);

  // The result file at T: the foundation carries the weight, ...
  const auto state      = state_at(run, T);
  const auto foundation = pair_of(state, "wall/base", "ground");
  EXPECT_NEAR(foundation["force"][1], weight, 0.1 * weight);
  // ... Poisson's effect presses the head joints of elastic blocks, ...
  const auto head = pair_of(state, "wall/right", "wall/left");
  EXPECT_GT(head["normal_force"], 0.02 * weight);
  // ... and no block is in traction.
  EXPECT_LT(double(state["largest_principal_moment_stress"]),
            0.005 *
                std::abs(double(state["smallest_principal_moment_stress"])));

  // From rest at T: small oscillations that vanish.
  const auto &f = run.history.at("foundation:force_y");
  const auto &t = run.history.at("time");
  double early = 0., late = 0.;
  for (std::size_t i = 0; i < t.size(); ++i)
    if (t[i] > T + 2e-3)
      (t[i] < 0.06 ? early : late) =
          std::max(t[i] < 0.06 ? early : late, std::abs(f[i] / weight - 1.));
  EXPECT_LT(early, 0.3);
  EXPECT_LT(late, 0.5 * early);
  EXPECT_NEAR(f.back(), weight, 2e-3 * weight);
  EXPECT_LT(run.history.at("largest_speed").back(), 1e-3);
  // Without the event the oscillations are larger.
  const auto wild = test::run_file<2>(
      example,
      with(smaller,
           { "Time/End=0.06", "Time/Step=5e-4", "Event rest/Actions=write" }));
  double amplitude = 0.;
  for (const double force : wild.history.at("foundation:force_y"))
    amplitude = std::max(amplitude, std::abs(force / weight - 1.));
  EXPECT_GT(amplitude, 2. * early);
}

TEST(SmallWall, InOnePieceHasTensileStresses)
{
  const std::string file = std::string(DELASSUS_SOURCE_DIR) +
                           "/parameter_files/wall_2d_single_piece.prm";
  const auto run = test::run_file<2>(file,
                                     { "Body wall/Mesh/Courses=6",
                                       "Body wall/Mesh/Blocks per course=4",
                                       "Time/End=0.03",
                                       "Time/Step=5e-4" });
  EXPECT_EQ(run.summary["counts"]["pieces"], 1);
  ASSERT_EQ(run.summary["events"].size(), 1u);
  const auto state = state_at(
      run, run.summary["events"][0]["interpolated_time"].get<double>());
  EXPECT_GT(double(state["largest_principal_stress"]),
            0.015 * std::abs(double(state["smallest_principal_stress"])));
}

TEST(SmallWall, BaseThatSlidesRelaxesTheHeadJoints)
{
  const auto rough =
      test::run_file<2>(example, with(smaller, { "Time/End=0.15" }));
  // The same wall on ground so slippery that Poisson's effect pushes it apart.
  const test::TemporaryDirectory directory;
  const std::string file = test::write_case(
      directory,
      "include " + example +
          "\nsubsection Contact law wet\n  set Friction = 0.02\nend\n"
          "subsection Interaction foundation\n  set Law = wet\nend\n");
  const auto slippery =
      test::run_file<2>(file, with(smaller, { "Time/End=0.15" }));
  const auto head = [](const test::Results &run)
  { return -run.history.at("joints:wall/right|wall/left:force_x").back(); };
  EXPECT_GT(head(rough), 0.);
  EXPECT_LT(head(slippery), 0.8 * head(rough));
  double slips = 0.;
  for (const double n : slippery.history.at("foundation:slip"))
    slips += n;
  EXPECT_GT(slips, 10.);
  EXPECT_EQ(rough.history.at("foundation:slip").back(), 0.);
}

TEST(SmallWall, FourTrianglesAndThreeDimensionsTellTheSame)
{
  // Base resultant over weight during the first passage of the wave.
  const auto fraction = [](const test::Results &run, const char *column)
  {
    std::vector<double> values;
    for (const double force : run.history.at(column))
      values.push_back(force / run.summary["weight"].get<double>());
    return values;
  };
  const auto eight =
      fraction(test::run_file<2>(example, with(smaller, { "Time/End=0.006" })),
               "foundation:force_y");
  const auto four =
      fraction(test::run_file<2>(std::string(DELASSUS_SOURCE_DIR) +
                                     "/parameter_files/wall_2d_4t3.prm",
                                 with(smaller, { "Time/End=0.006" })),
               "foundation:force_y");
  const std::vector<std::string> smaller_3d = {
    "Body wall/Mesh/Courses=6",
    "Body wall/Mesh/Blocks per course=4",
    "Time/End=0.006"
  };
  const auto solid =
      fraction(test::run_file<3>(std::string(DELASSUS_SOURCE_DIR) +
                                     "/parameter_files/wall_3d.prm",
                                 smaller_3d),
               "foundation:force_z");
  const auto one_h8 =
      fraction(test::run_file<3>(std::string(DELASSUS_SOURCE_DIR) +
                                     "/parameter_files/wall_3d_1h8.prm",
                                 smaller_3d),
               "foundation:force_z");
  for (std::size_t i = 1; i < eight.size(); ++i)
  {
    EXPECT_NEAR(four[i], eight[i], 0.15) << i;
    // 3D: free in the thickness, so a little softer than plane strain.
    EXPECT_NEAR(solid[i], eight[i], 0.15) << i;
    EXPECT_NEAR(one_h8[i], solid[i], 0.15) << i;
  }
}

TEST(SmallWall, MomentStressIsTheMeanCauchyStressAtRest)
{
  const test::TemporaryDirectory directory;
  delassus::RunOptions options;
  options.quiet = true;
  delassus::Simulation<2> simulation(
      delassus::read_parameters(
          example,
          with(smaller,
               { "Output/Directory=" + directory.path + "/run",
                 "Time/End=0.4" })),
      options,
      MPI_COMM_SELF);
  simulation.run();
  const auto &contact                     = simulation.contact;
  const delassus::ContactFields<2> fields = { simulation.model.surfaces.get(),
                                              &contact.contacts,
                                              &contact.P,
                                              &contact.U,
                                              &contact.gaps_end,
                                              &contact.places.x,
                                              &contact.status,
                                              1e-3,
                                              true };
  const auto moment                       = delassus::moment_stresses(
      delassus::places_of_pieces<2>({ { simulation.model.bodies[0].get(),
                                                              &simulation.model.schemes[0]->q,
                                                              &simulation.model.schemes[0]->v,
                                                              nullptr } },
                                    MPI_COMM_SELF),
      fields);

  // Mean of the constant stresses of the cells of each block.
  const auto &body = *simulation.model.bodies[0];
  const auto &q    = simulation.model.schemes[0]->q;
  std::vector<delassus::Voigt> mean(body.pieces.size(), delassus::Voigt{});
  delassus::CellValues<2> values(body.element, body.element.quadrature(false));
  for (unsigned int cell = 0; cell < body.n_cells(); ++cell)
  {
    values.reinit(body.nodes, body.nodes_of_cell(cell));
    const unsigned int p = body.cell_piece[cell];
    for (unsigned int i = 0; i < values.n_points(); ++i)
    {
      dealii::Tensor<2, 2> gradient;
      for (unsigned int k = 0; k < body.element.n_nodes(); ++k)
        for (unsigned int c = 0; c < 2; ++c)
          gradient[c] +=
              q[2 * body.nodes_of_cell(cell)[k] + c] * values.gradient(k, i);
      const auto stress = body.elasticity().stress(
          delassus::strain_of_gradient<2>(gradient, 0.));
      for (unsigned int k = 0; k < 6; ++k)
        mean[p][k] += stress[k] * values.JxW(i) / body.pieces[p].volume;
    }
  }
  double largest = 0.;
  for (const auto &stress : mean)
    largest = std::max(largest, std::abs(stress[1]));
  for (std::size_t p = 0; p < mean.size(); ++p)
    for (const unsigned int k : { 0u, 1u, 3u })
      EXPECT_NEAR(moment[p][k], mean[p][k], 0.01 * largest) << p << ' ' << k;
}

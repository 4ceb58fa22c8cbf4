// The full wall of 144 blocks: against LMGC90, and what the paper says of it.
#include "run_case.h"
#include "test_paths.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace
{
const std::string folder =
    std::string(DELASSUS_SOURCE_DIR) + "/parameter_files/";

nlohmann::json pair_of(const nlohmann::json &state,
                       const std::string &candidate,
                       const std::string &antagonist)
{
  for (const auto &pair : state["pairs"])
    if (pair["candidate"] == candidate && pair["antagonist"] == antagonist)
      return pair;
  return {};
}
/// Largest tensile principal stress at the time T: of the means over the places
/// of the 144 blocks, whether the wall consists of blocks or not, and of cells.
struct Tension
{
  double block_mean = 0., cell = 0.;
};

Tension tension_at_T(const std::string &file)
{
  const test::TemporaryDirectory directory;
  delassus::RunOptions options;
  options.quiet = true;
  delassus::Simulation<2> simulation(
      delassus::read_parameters(file,
                                { "Output/Directory=" + directory.path + "/run",
                                  "Event rest/Actions=stop" }),
      options,
      MPI_COMM_SELF);
  simulation.run();
  const auto &body = *simulation.model.bodies[0];
  delassus::CellValues<2> values(body.element, body.element.quadrature(false));
  const auto &q = simulation.model.schemes[0]->q;
  std::map<std::pair<int, int>, dealii::SymmetricTensor<2, 2>> integral;
  std::map<std::pair<int, int>, double> volume;
  Tension tension;
  for (unsigned int cell = 0; cell < body.n_cells(); ++cell)
  {
    values.reinit(body.nodes, body.nodes_of_cell(cell));
    const auto centre = body.centre_of_cell(cell);
    const int course  = std::floor(centre[1] / 0.05);
    const int block   = std::floor((centre[0] + (course % 2) * 0.05) / 0.1);
    for (unsigned int i = 0; i < values.n_points(); ++i)
    {
      dealii::Tensor<2, 2> gradient;
      for (unsigned int k = 0; k < body.element.n_nodes(); ++k)
        for (unsigned int c = 0; c < 2; ++c)
          gradient[c] +=
              q[2 * body.nodes_of_cell(cell)[k] + c] * values.gradient(k, i);
      const auto stress = delassus::stress_tensor<2>(body.elasticity().stress(
          delassus::strain_of_gradient<2>(gradient, 0.)));
      integral[{ course, block }] += stress * values.JxW(i);
      volume[{ course, block }] += values.JxW(i);
      tension.cell = std::max(tension.cell, eigenvalues(stress)[0]);
    }
  }
  EXPECT_EQ(volume.size(), 144u);
  for (const auto &entry : integral)
    tension.block_mean = std::max(
        tension.block_mean, eigenvalues(entry.second / volume[entry.first])[0]);
  return tension;
}

nlohmann::json state_at(const test::Results &run, const double time)
{
  for (const auto &state : run.summary["states"])
    if (std::abs(double(state["time"]) - time) < 1e-9)
      return state;
  return {};
}
} // namespace

TEST(Wall144, BaseResultantOfLmgc90)
{
  // LMGC90 2025.rc1, the same wall, its tolerance 1e-6: resultant on the
  // foundation over the weight at the end of these steps.
  const auto run =
      test::run_file<2>(folder + "wall_2d.prm", { "Event rest/Actions=write" });
  EXPECT_EQ(run.summary["counts"]["pieces"], 144);
  EXPECT_EQ(run.summary["counts"]["most_contacts"], 1084);
  EXPECT_NEAR(run.summary["weight"], 3335.4, 1e-6);
  const auto &f = run.history.at("foundation:force_y");
  const auto &t = run.history.at("time");
  const std::vector<std::pair<unsigned int, double>> reference = {
    { 1, .0625 },  { 5, .299 },  { 10, .587 },   { 18, 1.025 },
    { 35, 1.665 }, { 72, .398 }, { 100, 1.402 }, { 500, .892 }
  };
  for (const auto &[step, expected] : reference)
    EXPECT_NEAR(
        f[step - 1] / 3335.4, expected, (step > 200 ? 0.02 : 0.01) * expected)
        << "step " << step;
  EXPECT_EQ(std::max_element(f.begin(), f.end()) - f.begin(), 34);

  // Passages through the weight: the first at 17.53 ms, then in the steps that
  // end at 55, 90, 127, 162, 198 ms.
  ASSERT_EQ(run.summary["events"].size(), 1u);
  EXPECT_NEAR(run.summary["events"][0]["interpolated_time"], 17.53e-3, 0.01e-3);
  std::vector<double> passages;
  for (std::size_t i = 1; i < f.size(); ++i)
    if ((f[i - 1] - 3335.4) * (f[i] - 3335.4) < 0.)
      passages.push_back(std::round(1e3 * t[i]));
  passages.resize(6);
  EXPECT_EQ(passages, (std::vector<double>{ 18, 55, 90, 127, 162, 198 }));
}

TEST(Wall144, StateAtTheTimeOfTheWeightAndAfter)
{
  const auto run = test::run_file<2>(folder + "wall_2d.prm");
  ASSERT_EQ(run.summary["events"].size(), 1u);
  const double T      = run.summary["events"][0]["time"];
  const double weight = run.summary["weight"];
  const auto state    = state_at(run, T);
  ASSERT_FALSE(state.is_null());
  EXPECT_NEAR(
      pair_of(state, "wall/base", "ground")["force"][1], weight, 0.03 * weight);
  // Poisson's effect presses the head joints; blocks are not in traction.
  EXPECT_GT(pair_of(state, "wall/right", "wall/left")["normal_force"],
            0.2 * weight);
  EXPECT_LT(double(state["largest_principal_moment_stress"]),
            0.005 *
                std::abs(double(state["smallest_principal_moment_stress"])));

  // From rest at T: small oscillations that vanish.
  const auto &f = run.history.at("foundation:force_y");
  const auto &t = run.history.at("time");
  double early = 0., late = 0.;
  for (std::size_t i = 0; i < t.size(); ++i)
    if (t[i] > T + 2e-3)
    {
      double &largest = t[i] < 0.25 ? early : late;
      largest         = std::max(largest, std::abs(f[i] / weight - 1.));
    }
  EXPECT_LT(early, 0.12);
  EXPECT_LT(late, 0.01);
  EXPECT_TRUE(run.summary["contact_solver"]["converged"]);
  EXPECT_LT(run.summary["energy"]["worst_relative_residual"], 1e-12);
}

TEST(Wall144, StoppedEarlyItSlidesRelaxesAndCreatesEnergy)
{
  const auto loose = test::run_file<2>(folder + "wall_2d_loose.prm");
  const auto &slip = loose.history.at("foundation:slip");
  const auto &u    = loose.history.at("largest_displacement");
  const auto &head = loose.history.at("joints:wall/right|wall/left:force_x");
  const auto mean =
      [](const std::vector<double> &values, const double from, const double to)
  {
    double sum   = 0.;
    const auto n = values.size();
    for (std::size_t i = from * n; i < to * n; ++i)
      sum += values[i];
    return sum / ((to - from) * n);
  };
  // Sticking during the first oscillations, sliding at the end; the head joints
  // have lost a third of their force and more; blocks move by centimetres.
  EXPECT_EQ(mean(slip, 0.1, 0.5), 0.);
  EXPECT_GT(mean(slip, 0.9, 1.), 0.2);
  EXPECT_LT(std::abs(mean(head, 0.8, 0.95)),
            0.67 * std::abs(mean(head, 0.05, 0.2)));
  EXPECT_LT(u[u.size() / 4], 3e-3);
  EXPECT_GT(u.back(), 2e-2);
  // It ends before blocks turn too much, and says where its energy is from.
  EXPECT_FALSE(loose.summary["trustworthy"]);
  EXPECT_TRUE(loose.summary["remarks"].empty()) << loose.summary["remarks"];
  EXPECT_GT(loose.summary["energy"]["created_by_contact_share"], 0.3);

  // The same with a converged loop stays.
  const auto converged = test::run_file<2>(folder + "wall_2d_loose.prm",
                                           { "Contact solver/Tolerance=1e-4" });
  EXPECT_TRUE(converged.summary["trustworthy"]) << converged.summary["reasons"];
  EXPECT_LT(converged.history.at("largest_displacement").back(), 3e-3);
  EXPECT_EQ(mean(converged.history.at("foundation:slip"), 0.1, 1.), 0.);
}

TEST(Wall144, FourTrianglesAndThreeDimensions)
{
  const auto look = [](const test::Results &run, const unsigned int up)
  {
    EXPECT_EQ(run.summary["counts"]["pieces"], 144);
    EXPECT_TRUE(run.summary["contact_solver"]["converged"]);
    EXPECT_LT(run.summary["energy"]["worst_relative_residual"], 1e-12);
    ASSERT_EQ(run.summary["events"].size(), 1u);
    // The wave is as fast as in the plane, or a little slower in 3D, where the
    // blocks are free to widen through the thickness.
    EXPECT_NEAR(run.summary["events"][0]["interpolated_time"], 18e-3, 1e-3);
    const double weight = run.summary["weight"];
    const auto state    = state_at(run, run.summary["events"][0]["time"]);
    ASSERT_FALSE(state.is_null());
    EXPECT_NEAR(pair_of(state, "wall/base", "ground")["force"][up],
                weight,
                0.05 * weight);
    EXPECT_GT(pair_of(state, "wall/right", "wall/left")["normal_force"],
              0.2 * weight);
    EXPECT_LT(double(state["largest_principal_moment_stress"]),
              0.06 *
                  std::abs(double(state["smallest_principal_moment_stress"])));
  };
  look(test::run_file<2>(folder + "wall_2d_4t3.prm", { "Time/End=0.02" }), 1);
  look(test::run_file<3>(folder + "wall_3d.prm", { "Time/End=0.02" }), 2);
  look(test::run_file<3>(folder + "wall_3d_1h8.prm", { "Time/End=0.02" }), 2);
}

TEST(Wall144, InOnePieceItsCrownIsPulledMore)
{
  // Means over the places of the blocks: the same measure for both walls.
  // (Cells alone would not tell them apart: blocks bend, and single cells of
  // them are in tension too.)
  const Tension blocks    = tension_at_T(folder + "wall_2d.prm");
  const Tension one_piece = tension_at_T(folder + "wall_2d_single_piece.prm");
  EXPECT_GT(one_piece.block_mean, 3. * blocks.block_mean);
  EXPECT_GT(one_piece.cell, 0.);
}

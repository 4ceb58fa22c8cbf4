// Sheets that little or nothing holds, and tangents that are not definite.
#include "sheets.h"

using namespace sheets;

namespace
{
std::unique_ptr<ShellModel> plate(const SheetLaw &law)
{
  Options options;
  options.thickness = 0.1;
  return model_of(shell_rectangle(4., 1., 8, 2), law, options);
}

/// How many motions are left to the plate, and the resultants of its loads.
unsigned int n_free(ShellSystem &system, std::vector<double> &sums)
{
  constexpr unsigned int n = 2 + RigidMotions<3>::n;
  sums.assign(n, 0.);
  std::vector<RigidMotions<3>> motions;
  system.add_loads_of_pieces(sums.data(), motions);
  return motions[0].free.size();
}

ShellPieceSettings pulled_apart()
{
  ShellPieceSettings settings;
  for (unsigned int j = 0; j < 3; ++j)
    for (const bool end : { false, true })
      settings.loads.push_back({ 9 * j + (end ? 8 : 0),
                                 [end](const double) {
                                   return Vector3{ { end ? 1. : -1., 0., 0. } };
                                 },
                                 {} });
  return settings;
}
} // namespace

TEST(QuasiStatic, MotionsThatNothingHolds)
{
  const ElasticSheet law(1e4, 0.3);
  const auto at_edge = [](const Vector3 &x) { return x[0] < 1e-9; };
  std::vector<double> sums;
  const std::vector<std::pair<std::vector<ShellComponent>, unsigned int>>
      cases = { { {}, 6 },
                { { ShellComponent::x, ShellComponent::y, ShellComponent::z },
                  1 },
                { { ShellComponent::z }, 4 },
                { { ShellComponent::rotation_y }, 5 },
                { clamped, 0 } };
  for (const auto &[components, expected] : cases)
  {
    auto model = plate(law);
    fix_where(*model, at_edge, components);
    model->set_up();
    auto system = system_of(std::move(model), {}, true);
    system->set_step(1.);
    system->begin_step(0., true);
    ASSERT_TRUE(system->evaluate(0, true, false));
    EXPECT_EQ(n_free(*system, sums), expected);
    EXPECT_EQ(system->is_free(0), expected > 0);
    EXPECT_GT(system->piece_stiffness(0), 0.);
  }
}

// What pulls on both sides needs no support: the fictitious mass is in w only.
TEST(QuasiStatic, FreePlateInBalance)
{
  const ElasticSheet law(1e4, 0.);
  auto model = plate(law);
  model->set_up();
  auto system = system_of(std::move(model), pulled_apart(), true);
  system->set_step(1.);
  attempt(*system, 0., {}, 1e-9, true);
  std::vector<double> sums;
  EXPECT_EQ(n_free(*system, sums), 6u);
  EXPECT_NEAR(sums[0], 6., 1e-12);
  for (unsigned int k = 2; k < 8; ++k)
    EXPECT_NEAR(sums[k], 0., 1e-9);
  system->accept();
  // Nominal stress 3 / (1 x .1), St. Venant and Kirchhoff's
  // (1 + e) (e + e^2 / 2) E; not at corners, where forces are not uniform.
  const auto &x       = system->piece(0).model().state().x;
  const double stress = 30.;
  double e            = stress / 1e4;
  for (unsigned int k = 0; k < 20; ++k)
    e = stress / (1e4 * (1. + e) * (1. + 0.5 * e));
  EXPECT_NEAR((x[14][0] - x[12][0]) - 1., e, 0.02 * e);
}

// A resultant that nothing takes is told.
TEST(QuasiStatic, ResultantsOfLoads)
{
  const ElasticSheet law(1e4, 0.3);
  auto model = plate(law);
  model->set_up();
  ShellPieceSettings settings;
  settings.loads.push_back({ 8,
                             [](const double) {
                               return Vector3{ { 0., 0., 2. } };
                             },
                             [](const double) {
                               return Vector3{ { 0., 5., 0. } };
                             } });
  auto system = system_of(std::move(model), settings, true);
  system->set_step(0.5);
  system->begin_step(0., true);
  ASSERT_TRUE(system->evaluate(0, true, false));
  std::vector<double> sums;
  n_free(*system, sums);
  // About the middle (2, .5, 0), of the point (4, 0, 0); h times.
  EXPECT_NEAR(sums[4], 1., 1e-12);
  EXPECT_NEAR(sums[5], -0.5, 1e-12);
  EXPECT_NEAR(sums[6], -2. + 2.5, 1e-12);
  EXPECT_NEAR(sums[7], 0., 1e-12);
}

// Far beyond buckling the straight plate is in balance, but not stable: that is
// thrown, and a fictitious mass makes the matrix definite.
TEST(QuasiStatic, BuckledTangentIsRefused)
{
  const ElasticSheet law(1e4, 0.3);
  auto model = plate(law);
  for (const double x : { 0., 4. })
    fix_where(*model,
              [&](const Vector3 &X) { return std::abs(X[0] - x) < 1e-9; },
              { ShellComponent::x,
                ShellComponent::y,
                ShellComponent::z,
                ShellComponent::rotation_x });
  model->set_up();
  ShellPieceSettings settings;
  for (unsigned int j = 0; j < 3; ++j)
    settings.motions.push_back({ 8 + 9 * j,
                                 ShellComponent::x,
                                 [](const double t) { return -0.04 * t; } });
  auto system = system_of(std::move(model), settings, true);
  system->set_step(1.);
  system->begin_step(0., true);
  ASSERT_TRUE(system->evaluate(0, true, false));
  EXPECT_TRUE(system->has_new_tangent());
  EXPECT_TRUE(system->update_inverse(0., false));
  EXPECT_FALSE(system->has_new_tangent());
  system->free_velocity();
  ASSERT_TRUE(system->correct());
  ASSERT_TRUE(system->evaluate(1, true, false));
  EXPECT_THROW(system->update_inverse(0., false), NotPositiveDefinite);
  double shift = 1e-3;
  bool made    = false;
  for (unsigned int k = 0; k < 12 && !made; ++k, shift *= 5.)
    try
    {
      made = system->update_inverse(shift, true);
    }
    catch (const NotPositiveDefinite &)
    {
    }
  EXPECT_TRUE(made);
}

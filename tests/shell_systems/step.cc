// Steps of sheets alone: static reference, energy, momentum, Newton's loop.
#include "sheets.h"

using namespace sheets;

namespace
{
constexpr double length = 10., thickness = 0.1, force = 4.;
constexpr unsigned int n_along = 16;

Options of_thickness(const double t)
{
  Options options;
  options.thickness = t;
  return options;
}

std::unique_ptr<ShellModel> cantilever(const SheetLaw &law,
                                       const unsigned int n = n_along,
                                       const double t       = thickness)
{
  auto model =
      model_of(shell_rectangle(length, 1., n, 1), law, of_thickness(t));
  fix_where(
      *model, [](const Vector3 &x) { return x[0] < 1e-9; }, clamped);
  model->set_up();
  return model;
}

/// Half of a force on each node of the end.
ShellPieceSettings pulled(const unsigned int n,
                          const std::function<Vector3(double)> &at_end)
{
  ShellPieceSettings settings;
  for (unsigned int j = 0; j < 2; ++j)
    settings.loads.push_back({ n + j * (n + 1),
                               [at_end](const double t)
                               { return 0.5 * at_end(t); },
                               {} });
  return settings;
}
} // namespace

// The published cantilever at four tenths of its load: the state that the
// statics of the model itself finds.
TEST(Step, QuasiStaticCantilever)
{
  const ElasticSheet law(1.2e6, 0.);
  auto by_statics = cantilever(law);
  Statics statics(*by_statics);
  statics.loads = [&](const double factor, bool, std::vector<double> &load)
  {
    for (unsigned int j = 0; j < 2; ++j)
      by_statics->add_force(n_along + j * (n_along + 1),
                            { { 0., 0., 0.5 * factor * force } },
                            load);
  };
  ASSERT_TRUE(statics.go_to(0.4, 0.1));

  auto system    = system_of(cantilever(law),
                          pulled(n_along,
                                 [](const double t) -> Vector3 {
                                   return { { 0., 0., t * force } };
                                 }),
                          true);
  const double h = 0.1;
  system->set_step(h);
  Balance balance;
  for (unsigned int n = 0; n < 4; ++n)
  {
    attempt(*system, n * h, {}, 1e-10, n == 0);
    balance.add(system->accept());
  }
  const Vector3 tip = displacement(system->piece(0).model(), n_along);
  EXPECT_NEAR(-tip[0], 1.184, 0.01 * 6.698);
  EXPECT_NEAR(tip[2], 4.292, 0.01 * 6.698);
  for (unsigned int i = 0; i < by_statics->n_nodes(); ++i)
    EXPECT_LT(norm(displacement(system->piece(0).model(), i) -
                   displacement(*by_statics, i)),
              1e-7 * length);
  EXPECT_EQ(system->kinetic_energy(), 0.);
  EXPECT_LT(balance.largest_residual, 1e-8 * balance.size);
}

// Quadratic where rotations, inertia of directors and forces all count.
TEST(Step, NewtonIsQuadratic)
{
  const ElasticSheet law(1.2e6, 0.3, 400.);
  const auto settings = pulled(8,
                               [](const double) -> Vector3 {
                                 return { { -300., 500., 2000. } };
                               });
  auto system         = system_of(cantilever(law, 8, 0.4), settings);
  system->set_step(0.05);
  const auto errors = attempt(*system, 0., {}, 1e-12);
  // Once they are small, each is at most the square of the one before, up to
  // a constant and to rounding.
  unsigned int n_small = 0;
  for (unsigned int k = 0; k + 1 < errors.size(); ++k)
    if (errors[k] < 1e-2)
    {
      ++n_small;
      EXPECT_LT(errors[k + 1], 100. * errors[k] * errors[k] + 1e-12);
    }
  EXPECT_GE(n_small, 1u);
  EXPECT_LE(errors.size(), 10u);
}

// Rotary inertia alone: a stiff thick plate, spun by moments, against its rigid
// motion; the tangent of directors that turn by a third of a radian a step.
TEST(Step, NewtonOfTurningDirectors)
{
  const ElasticSheet law(1e3, 0.3, 10.);
  auto model = model_of(shell_rectangle(1., 1., 2, 2), law, of_thickness(0.5));
  model->set_up();
  ShellPieceSettings settings;
  settings.velocity = [](const Vector3 &x) {
    return cross({ { 0., 3., 0. } }, x - Vector3{ { 0.5, 0.5, 0. } });
  };
  settings.angular_velocity = [](const Vector3 &) {
    return Vector3{ { 0., 3., 0. } };
  };
  auto system = system_of(std::move(model), settings);
  system->set_step(0.1);
  for (unsigned int n = 0; n < 3; ++n)
  {
    const auto errors = attempt(*system, 0.1 * n, {}, 1e-12);
    EXPECT_LE(errors.size(), 8u);
    for (unsigned int k = 0; k + 1 < errors.size(); ++k)
      if (errors[k] < 1e-2)
      {
        EXPECT_LT(errors[k + 1], 100. * errors[k] * errors[k] + 1e-12);
      }
    system->accept();
  }
}

namespace
{
/// A strip that is struck and swings.
Balance swing(const SheetLaw &law, const double h, const double end)
{
  auto settings     = pulled(8,
                         [](const double t) -> Vector3 {
                           return { { 0., 0., t < 0.05 ? 40. : 0. } };
                         });
  settings.gravity  = { { 0., 0., -9.81 } };
  settings.velocity = [](const Vector3 &x) {
    return Vector3{ { 0., 0.2 * x[0], 0.1 * x[0] * x[0] } };
  };
  auto system = system_of(cantilever(law, 8), settings);
  system->set_step(h);
  Balance balance;
  balance.before = system->kinetic_energy();
  for (unsigned int n = 0; n < std::lround(end / h); ++n)
  {
    attempt(*system, n * h);
    balance.add(system->accept());
    EXPECT_NEAR(balance.before,
                system->kinetic_energy() + system->piece(0).model().stored(),
                1e-12 * balance.size);
  }
  return balance;
}
} // namespace

// The identity holds to the tolerance of the loop, term by term: elastic,
// plastic. What internal forces leave is of higher order in h.
TEST(Step, EnergyBalanceCloses)
{
  const ElasticSheet elastic(1.2e6, 0.3, 5.);
  const Balance coarse = swing(elastic, 0.01, 0.2),
                fine   = swing(elastic, 0.005, 0.2);
  for (const Balance &b : { coarse, fine })
  {
    EXPECT_LT(b.largest_residual, 1e-8 * b.size);
    EXPECT_GT(b.numerical, 0.);
    EXPECT_EQ(b.inelastic, 0.);
  }
  EXPECT_LT(fine.numerical, 0.75 * coarse.numerical);
  EXPECT_LT(fine.integration, 0.5 * coarse.integration);

  const LogSheet plastic(1.2e6, 0.3, 5e3, 2e5);
  const Balance b = swing(plastic, 0.002, 0.1);
  EXPECT_LT(b.largest_residual, 1e-8 * b.size);
  EXPECT_GT(b.inelastic, 1e-3 * b.size);
}

namespace
{
/// Relative drift of the angular momentum of a bent sheet that flies.
double fly(const double h)
{
  const ElasticSheet law(1e5, 0.3, 2.);
  auto model = model_of(folded_mesh(), law, of_thickness(0.1));
  model->set_up();
  ShellPieceSettings settings;
  const Vector3 spin{ { 0.3, 1., -0.5 } };
  settings.velocity = [&](const Vector3 &x) {
    return Vector3{ { 0.5, -0.2, 0.3 * std::sin(x[1]) } } + cross(spin, x);
  };
  settings.angular_velocity = [&](const Vector3 &) { return spin; };
  auto system               = system_of(std::move(model), settings);
  system->set_step(h);
  const auto before = momentum(*system);
  Balance balance;
  balance.before = system->kinetic_energy();
  for (unsigned int n = 0; n < std::lround(0.2 / h); ++n)
  {
    attempt(*system, n * h);
    balance.add(system->accept());
  }
  const auto after = momentum(*system);
  EXPECT_LT(norm(after[0] - before[0]), 1e-8 * norm(before[0]));
  EXPECT_LT(balance.largest_residual, 1e-8 * balance.size);
  return norm(after[1] - before[1]) / norm(before[1]);
}
} // namespace

// Implicit Euler keeps the momentum, and the angular momentum to first order.
TEST(Step, FreeSheetKeepsItsMomentum)
{
  const double coarse = fly(0.02), fine = fly(0.01);
  EXPECT_LT(coarse, 0.02);
  EXPECT_NEAR(coarse / fine, 2., 0.3);
}

// A clamp that turns takes a free strip with it: stretched by nothing, whatever
// the angle; its forces are those of no strain.
TEST(Step, DrivenClampTurnsTheStrip)
{
  const ElasticSheet law(1.2e6, 0.3);
  ShellPieceSettings settings;
  for (unsigned int j = 0; j < 2; ++j)
    settings.motions.push_back({ j * (n_along + 1),
                                 ShellComponent::rotation_y,
                                 [](const double t) { return 2. * t; } });
  auto system = system_of(cantilever(law), settings, true);
  system->set_step(0.1);
  Balance balance;
  for (unsigned int n = 0; n < 6; ++n)
  {
    attempt(*system, 0.1 * n, {}, 1e-10, n == 0);
    balance.add(system->accept());
  }
  const Vector3 tip = system->piece(0).model().state().x[n_along];
  EXPECT_NEAR(tip[0], length * std::cos(1.2), 1e-8 * length);
  EXPECT_NEAR(tip[2], -length * std::sin(1.2), 1e-8 * length);
  // Against what it would store if it were bent by this angle.
  const double bent = 1.2e6 * std::pow(thickness, 3) / 24. * 1.44 / length;
  EXPECT_LT(balance.size, 1e-8 * bent);
  EXPECT_LT(balance.largest_residual, 1e-8 * bent);
}

// The work of what drives is what is stored, to the order of the steps, and the
// identity is exact; a moved and turned end, in dynamics as well.
TEST(Step, WorkOfDrivenEnds)
{
  const ElasticSheet law(1.2e6, 0.3, 1.);
  for (const bool quasi_static : { true, false })
  {
    auto model = model_of(
        shell_rectangle(length, 1., 8, 1), law, of_thickness(thickness));
    for (const double x : { 0., length })
      fix_where(
          *model,
          [&](const Vector3 &X) { return std::abs(X[0] - x) < 1e-9; },
          clamped);
    model->set_up();
    ShellPieceSettings settings;
    for (unsigned int j = 0; j < 2; ++j)
    {
      settings.motions.push_back(
          { 8 + 9 * j, ShellComponent::z, [](const double t) { return t; } });
      settings.motions.push_back({ 8 + 9 * j,
                                   ShellComponent::rotation_y,
                                   [](const double t) { return 0.5 * t; } });
    }
    auto system = system_of(std::move(model), settings, quasi_static);
    system->set_step(0.1);
    Balance balance;
    for (unsigned int n = 0; n < 10; ++n)
    {
      attempt(*system, 0.1 * n, {}, 1e-10, n == 0);
      balance.add(system->accept());
    }
    EXPECT_LT(balance.largest_residual, 1e-8 * balance.size);
    EXPECT_GT(balance.driven, 0.);
    const Vector3 end = displacement(system->piece(0).model(), 8);
    EXPECT_NEAR(end[2], 1., 1e-12);
    const auto &of = system->piece(0).model();
    for (unsigned int k = 0; k < of.state().d.size(); ++k)
      if (of.reference_directors().node[k] == 8)
      {
        EXPECT_NEAR(
            std::atan2(of.state().d[k][0], of.state().d[k][2]), 0.5, 1e-10);
      }
  }
}

// A step that is taken back leaves nothing behind, and half of a correction is
// half of it.
TEST(Step, TakenBackAndHalved)
{
  const LogSheet law(1.2e6, 0.3, 300., 1e4);
  const auto settings = pulled(4,
                               [](const double) -> Vector3 {
                                 return { { 0., 5., 20. } };
                               });
  auto once           = system_of(cantilever(law, 4), settings),
       twice          = system_of(cantilever(law, 4), settings);
  for (auto *system : { once.get(), twice.get() })
    system->set_step(0.02);
  attempt(*twice, 0.);
  attempt(*once, 0.);
  attempt(*twice, 0.);
  EXPECT_EQ(once->piece(0).model().state().x,
            twice->piece(0).model().state().x);
  EXPECT_EQ(once->piece(0).model().state().d,
            twice->piece(0).model().state().d);

  once->begin_step(0., false);
  once->evaluate(0, true, false);
  once->update_inverse(0., false);
  once->free_velocity();
  const Vector3 before = once->piece(0).model().state().x[4];
  once->correct();
  const Vector3 whole = once->piece(0).model().state().x[4] - before;
  once->halve_correction();
  const Vector3 half = once->piece(0).model().state().x[4] - before;
  EXPECT_LT(norm(half - 0.5 * whole), 1e-12 * norm(whole) + 1e-14 * length);
}

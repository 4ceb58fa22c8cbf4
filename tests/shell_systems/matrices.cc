// Matrices that correct the iterates: those that converge agree. Explicit
// steps, the bound on the step, damping.
#include "sheets.h"

#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/lapack_full_matrix.h>
#include <deal.II/lac/vector.h>

using namespace sheets;

namespace
{
constexpr double density = 5.;

/// The same without a fold.
ShellMesh tube_mesh()
{
  return shell_grid(
      5,
      2,
      [](const double u, const double v) -> Vector3
      {
        const double phi = 2. * u;
        return { { std::sin(phi), 2. * v + 0.1 * u * v, std::cos(phi) } };
      });
}

/// A tube and a wing with a fold, or no wing with a fold angle above one, held
/// at one edge, struck and pressed; its edge turns if @p driven.
std::unique_ptr<ShellSystem> folded(const SheetLaw &law,
                                    const CorrectingMatrix matrix,
                                    const bool driven         = false,
                                    const double least_rotary = 0.125,
                                    const double damping      = 0.,
                                    const double fold_angle   = pi / 6.)
{
  Options options;
  options.thickness  = 0.2;
  options.fold_angle = fold_angle;
  auto model =
      model_of(fold_angle < 1. ? folded_mesh() : tube_mesh(), law, options);
  ShellPieceSettings settings;
  for (unsigned int n = 0; n < model->n_nodes(); ++n)
  {
    const auto &x = model->reference().nodes[n];
    if (x[0] < 1e-9)
    {
      model->clamp(n);
      if (driven)
      {
        settings.motions.push_back({ n,
                                     ShellComponent::rotation_y,
                                     [](const double t) { return 2. * t; } });
        settings.motions.push_back(
            { n, ShellComponent::z, [](const double t) { return t * t; } });
      }
    }
    settings.nodes_of["all"].push_back(n);
  }
  model->set_up();
  std::vector<unsigned int> quads(model->n_quads());
  for (unsigned int q = 0; q < quads.size(); ++q)
    quads[q] = q;
  settings.pressures.push_back(
      { quads, [](const double t) { return 2. + t; } });
  settings.gravity  = { { 1., 2., -10. } };
  settings.velocity = [](const Vector3 &x) {
    return x[0] * Vector3{ { 0.1, -0.2 * x[1], 1. } };
  };
  settings.angular_velocity = [](const Vector3 &x) {
    return Vector3{ { 0.2, -0.5 * x[0], 0.1 } };
  };
  settings.least_rotary = least_rotary;
  settings.damping      = { { damping, damping } };
  std::vector<ShellSystem::Given> given(1);
  given[0].model    = std::move(model);
  given[0].settings = std::move(settings);
  NewtonParameters newton;
  newton.matrix       = matrix;
  newton.frozen_steps = 4;
  const LinearSolverParameters solver;
  return std::make_unique<ShellSystem>(
      "sheet",
      std::move(given),
      false,
      1e-3,
      solver,
      std::make_shared<MemoryBudget>(solver, MPI_COMM_SELF),
      MPI_COMM_SELF,
      newton);
}

/// One explicit step.
EnergyTerms explicit_step(ShellSystem &system, const double t)
{
  system.begin_step(t, false);
  EXPECT_TRUE(system.frequency_bound().known);
  EXPECT_TRUE(system.evaluate(0, true, false)) << system.trouble();
  system.update_inverse(0., false);
  system.free_velocity();
  EXPECT_TRUE(system.correct());
  EXPECT_TRUE(system.end_step()) << system.trouble();
  return system.accept();
}

double highest_frequency(ShellSystem &system, const double h)
{
  system.set_step(h);
  system.begin_step(0., false);
  const auto bound = system.frequency_bound();
  EXPECT_TRUE(bound.known);
  return bound.frequency;
}

double distance(const ShellSystem &a, const ShellSystem &b)
{
  const auto &here  = a.piece(0).model().beginning(),
             &there = b.piece(0).model().beginning();
  double most       = 0.;
  for (std::size_t i = 0; i < here.x.size(); ++i)
    most = std::max(most, norm(here.x[i] - there.x[i]));
  for (std::size_t i = 0; i < here.d.size(); ++i)
    most = std::max(most, norm(here.d[i] - there.d[i]));
  return most;
}

const std::array<CorrectingMatrix, 4> approximate = {
  { CorrectingMatrix::step,
    CorrectingMatrix::frozen,
    CorrectingMatrix::lumped,
    CorrectingMatrix::two_term }
};
} // namespace

// The equations of a step are the same: so is what converges, to the tolerance
// of the loop. Elastic and plastic; prescribed rotations; damping; folds.
TEST(Matrices, AgreeWithTheFullTangent)
{
  const ElasticSheet elastic(1e4, 0.3, density);
  const LogSheet plastic(1e4, 0.3, 100., 1e3);
  for (const SheetLaw *law : { static_cast<const SheetLaw *>(&elastic),
                               static_cast<const SheetLaw *>(&plastic) })
    for (const bool driven : { false, true })
    {
      auto reference =
          folded(*law, CorrectingMatrix::full, driven, 0.125, driven ? 3. : 0.);
      // Below the bound 1/omega: lumped contracts by a third.
      const double h =
          0.5 / highest_frequency(
                    *folded(*law, CorrectingMatrix::lumped, driven), 1e-6);
      double travel = 0.;
      std::vector<std::unique_ptr<ShellSystem>> others;
      for (const auto matrix : approximate)
      {
        others.push_back(folded(*law, matrix, driven, 0.125, driven ? 3. : 0.));
        others.back()->set_step(h);
      }
      reference->set_step(h);
      std::vector<Balance> balance(others.size());
      for (unsigned int k = 0; k < others.size(); ++k)
        balance[k].before = others[k]->kinetic_energy();
      const auto start = folded(*law, CorrectingMatrix::full, driven);
      for (unsigned int n = 0; n < 8; ++n)
      {
        attempt(*reference, n * h, {}, 1e-11);
        reference->accept();
        for (unsigned int k = 0; k < others.size(); ++k)
        {
          const auto bound = others[k]->frequency_bound();
          EXPECT_LE(h * bound.frequency, 1.);
          attempt(*others[k], n * h, {}, 1e-11);
          balance[k].add(others[k]->accept());
        }
      }
      travel = distance(*reference, *start);
      EXPECT_GT(travel, 1e-3);
      for (unsigned int k = 0; k < others.size(); ++k)
      {
        EXPECT_LT(distance(*reference, *others[k]), 1e-8 * travel) << k;
        EXPECT_LT(balance[k].largest_residual, 1e-8 * balance[k].size) << k;
      }
    }
}

// A frozen matrix is kept, and renewed after as many steps as it is asked for.
TEST(Matrices, FrozenIsRenewed)
{
  const ElasticSheet law(1e4, 0.3, density);
  auto system = folded(law, CorrectingMatrix::frozen);
  system->set_step(0.01);
  for (unsigned int n = 0; n < 9; ++n)
  {
    system->begin_step(0.01 * n, false);
    ASSERT_TRUE(system->evaluate(0, true, false));
    EXPECT_EQ(system->has_new_tangent(), n == 0 || n == 4 || n == 8) << n;
    system->update_inverse(0., false);
    system->free_velocity();
    EXPECT_TRUE(system->correct());
    ASSERT_TRUE(system->evaluate(1, true, false));
    EXPECT_FALSE(system->has_new_tangent());
    system->note_iterations(2);
    system->accept();
  }
  // Where the last steps took long.
  system->begin_step(1., false);
  ASSERT_TRUE(system->evaluate(0, true, true));
  EXPECT_TRUE(system->has_new_tangent());
}

// The estimate is not below the highest frequency, and little above.
TEST(Matrices, HighestFrequency)
{
  const ElasticSheet law(1e4, 0.3, density);
  for (const double least : { 0., 0.125 })
  {
    auto system        = folded(law, CorrectingMatrix::two_term, false, least);
    const double found = highest_frequency(*system, 1e-6);
    // K of the same state.
    const auto &K        = system->piece(0).model().tangent();
    const unsigned int n = K.n;
    auto lumped          = folded(law, CorrectingMatrix::lumped, false, least);
    highest_frequency(*lumped, 1e-6);
    lumped->update_inverse(0., true);
    dealii::LAPACKFullMatrix<double> stiffness(n, n), mass(n, n);
    stiffness = 0.;
    mass      = 0.;
    for (unsigned int j = 0; j < n; ++j)
      for (int k = K.column_start[j]; k < K.column_start[j + 1]; ++k)
        stiffness(K.row[k], j) = K.value[k];
    lumped->for_each_entry(
        [&](const std::size_t i, const std::size_t j, const double value)
        { mass(i, j) += value; });
    std::vector<dealii::Vector<double>> none;
    dealii::Vector<double> values;
    stiffness.compute_generalized_eigenvalues_symmetric(
        mass, 0., 1e30, 1e-6, values, none);
    double highest = 0.;
    for (const double value : values)
      highest = std::max(highest, std::sqrt(value));
    EXPECT_GT(found, highest * (1. - 1e-6)) << least;
    EXPECT_LT(found, 1.06 * highest) << least;
  }
}

namespace
{
/// The largest kinetic energy of @p n explicit steps of @p share of 2/omega.
double greatest_energy(const double share, const unsigned int n)
{
  const ElasticSheet law(1e4, 0.3, density);
  auto system        = folded(law, CorrectingMatrix::explicit_);
  const double omega = highest_frequency(*system, 1e-6);
  system->set_step(share * 2. / omega);
  double most = 0.;
  for (unsigned int k = 0; k < n; ++k)
  {
    system->begin_step(0., false);
    if (!system->evaluate(0, true, false))
      return 1e300;
    system->update_inverse(0., false);
    system->free_velocity();
    if (!system->correct() || !system->end_step())
      return 1e300;
    system->accept();
    most = std::max(most, system->kinetic_energy());
  }
  return most;
}
} // namespace

// Stable below the bound, not far above it.
TEST(Explicit, BoundOnTheStep)
{
  const double slow  = greatest_energy(0.2, 1500),
               quick = greatest_energy(0.95, 300);
  EXPECT_LT(quick, 2. * slow);
  EXPECT_GT(slow, 0.);
  EXPECT_GT(greatest_energy(1.12, 300), 100. * slow);
}

// The balance holds to rounding: elastic, plastic, with prescribed rotations,
// folds and damping.
TEST(Explicit, EnergyBalanceCloses)
{
  const ElasticSheet elastic(1e4, 0.3, density);
  const LogSheet plastic(1e4, 0.3, 100., 1e3);
  for (const SheetLaw *law : { static_cast<const SheetLaw *>(&elastic),
                               static_cast<const SheetLaw *>(&plastic) })
    for (const double fold : { pi / 2., pi / 6., pi / 60. })
      for (const bool driven : { false, true })
      {
        auto system    = folded(*law,
                             CorrectingMatrix::explicit_,
                             driven,
                             0.125,
                             driven ? 3. : 0.,
                             fold);
        const double h = 1.2 / highest_frequency(*system, 1e-6);
        system->set_step(h);
        EXPECT_EQ(system->inverse().is_diagonal(), fold > 1.);
        Balance balance;
        balance.before = system->kinetic_energy();
        for (unsigned int n = 0; n < 200; ++n)
        {
          const auto terms = explicit_step(*system, n * h);
          balance.add(terms);
          if (driven)
          {
            EXPECT_GT(terms.damping, 0.);
          }
        }
        EXPECT_LT(balance.largest_residual, 1e-11 * balance.size);
        if (law == &plastic)
        {
          EXPECT_GT(balance.inelastic, 0.01 * balance.size);
        }
      }
}

// Explicit and implicit steps go to the same motion, to first order in h.
TEST(Explicit, AgreesWithImplicitSteps)
{
  const ElasticSheet law(1e4, 0.3, density);
  auto first     = folded(law, CorrectingMatrix::explicit_, true);
  const double h = 0.2 / highest_frequency(*first, 1e-6), end = 150. * h;
  const auto motion = [&](const CorrectingMatrix matrix, const double step)
  {
    auto system = folded(law, matrix, true);
    system->set_step(step);
    for (unsigned int n = 0; n < std::lround(end / step); ++n)
      if (matrix == CorrectingMatrix::explicit_)
        explicit_step(*system, n * step);
      else
      {
        attempt(*system, n * step);
        system->accept();
      }
    return system;
  };
  const auto start = folded(law, CorrectingMatrix::full, true);
  double error[2];
  for (unsigned int k = 0; k < 2; ++k)
    error[k] = distance(*motion(CorrectingMatrix::explicit_, h / (1. + k)),
                        *motion(CorrectingMatrix::full, h / (1. + k)));
  const auto fine = motion(CorrectingMatrix::explicit_, h / 2.);
  EXPECT_LT(error[0], 0.1 * distance(*fine, *start));
  EXPECT_NEAR(error[1] / error[0], 0.5, 0.15);
}

// A bent sheet that flies keeps momentum and angular momentum to rounding,
// folds and all.
TEST(Explicit, FreeSheetKeepsItsMomentum)
{
  const ElasticSheet law(1e5, 0.3, 2.);
  for (const double fold : { pi / 6., pi / 60. })
  {
    Options options;
    options.thickness  = 0.1;
    options.fold_angle = fold;
    auto model         = model_of(folded_mesh(), law, options);
    model->set_up();
    ShellPieceSettings settings;
    const Vector3 spin{ { 0.3, 1., -0.5 } };
    settings.velocity = [&](const Vector3 &x) {
      return Vector3{ { 0.5, -0.2, 0.3 * std::sin(x[1]) } } + cross(spin, x);
    };
    settings.angular_velocity = [&](const Vector3 &) { return spin; };
    std::vector<ShellSystem::Given> given(1);
    given[0].model    = std::move(model);
    given[0].settings = std::move(settings);
    NewtonParameters newton;
    newton.matrix = CorrectingMatrix::explicit_;
    const LinearSolverParameters solver;
    ShellSystem system("sheet",
                       std::move(given),
                       false,
                       1e-3,
                       solver,
                       std::make_shared<MemoryBudget>(solver, MPI_COMM_SELF),
                       MPI_COMM_SELF,
                       newton);
    const double h = 1. / highest_frequency(system, 1e-6);
    system.set_step(h);
    const double energy = system.kinetic_energy();
    Balance balance;
    balance.before = energy;
    // Rates at the start are tangential, those of steps are secants: from one
    // step on.
    balance.add(explicit_step(system, 0.));
    const auto before = momentum(system);
    for (unsigned int n = 1; n < 300; ++n)
      balance.add(explicit_step(system, n * h));
    const auto after = momentum(system);
    EXPECT_LT(norm(after[0] - before[0]), 1e-12 * norm(before[0]));
    EXPECT_LT(norm(after[1] - before[1]), 1e-11 * norm(before[1]));
    EXPECT_LT(balance.largest_residual, 1e-11 * balance.size);
  }
}

// Rayleigh's mass: without forces velocities decay by 1 + h alpha a step,
// whatever the matrix.
TEST(Matrices, DampingOfARigidFlight)
{
  const ElasticSheet law(1e3, 0.3, density);
  for (const auto matrix : { CorrectingMatrix::full,
                             CorrectingMatrix::lumped,
                             CorrectingMatrix::explicit_ })
  {
    Options options;
    options.thickness = 0.1;
    auto model        = model_of(shell_rectangle(1., 1., 2, 2), law, options);
    model->set_up();
    ShellPieceSettings settings;
    settings.velocity = [](const Vector3 &) {
      return Vector3{ { 3., -1., 2. } };
    };
    settings.damping = { { 5., 7. } };
    std::vector<ShellSystem::Given> given(1);
    given[0].model    = std::move(model);
    given[0].settings = std::move(settings);
    NewtonParameters newton;
    newton.matrix = matrix;
    const LinearSolverParameters solver;
    ShellSystem system("sheet",
                       std::move(given),
                       false,
                       1e-3,
                       solver,
                       std::make_shared<MemoryBudget>(solver, MPI_COMM_SELF),
                       MPI_COMM_SELF,
                       newton);
    const double h = 1e-3;
    system.set_step(h);
    Balance balance;
    balance.before      = system.kinetic_energy();
    double damping      = 0.;
    const double energy = balance.before;
    for (unsigned int n = 0; n < 5; ++n)
    {
      if (matrix == CorrectingMatrix::explicit_)
      {
        const auto terms = explicit_step(system, n * h);
        balance.add(terms);
        damping += terms.damping;
        continue;
      }
      attempt(system, n * h, {}, 1e-12);
      const auto terms = system.accept();
      balance.add(terms);
      damping += terms.damping;
    }
    const double left = std::pow(1. + 5. * h, -5);
    EXPECT_NEAR(system.kinetic_energy(), energy * left * left, 1e-9 * energy);
    EXPECT_LT(balance.largest_residual, 1e-10 * energy);
    EXPECT_GT(damping, 0.04 * energy);
  }
}

// M^-1 at single carriers is what the compliance of all says; between carriers
// of a sheet without folds there is nothing.
TEST(Matrices, LumpedCarriersStandAlone)
{
  const ElasticSheet law(1e4, 0.3, density);
  for (const auto matrix :
       { CorrectingMatrix::lumped, CorrectingMatrix::two_term })
  {
    auto system = folded(law, matrix, false, 0.125, 0., pi / 2.);
    system->set_step(1e-4);
    system->begin_step(0., false);
    ASSERT_TRUE(system->evaluate(0, true, false));
    system->update_inverse(0., false);
    auto &w = system->inverse();
    EXPECT_EQ(w.is_diagonal(), matrix == CorrectingMatrix::lumped);
    EXPECT_FALSE(system->can_be_held());
    std::vector<unsigned int> carriers;
    for (unsigned int n = 0; n < system->piece(0).n_carriers(); ++n)
      carriers.push_back(n);
    const std::size_t n = 3 * carriers.size();
    // By definition: the response to unit impulses.
    std::vector<double> all(n * n);
    w.entries(0, carriers, carriers, all.data());
    double largest = 0.;
    for (const double value : all)
      largest = std::max(largest, std::abs(value));
    for (std::size_t j = 0; j < n; ++j)
    {
      std::vector<double> impulses(n, 0.), response(n);
      impulses[j] = 1.;
      system->respond(carriers, impulses.data());
      system->carrier_values(CarrierField::response, carriers, response.data());
      for (std::size_t i = 0; i < n; ++i)
        EXPECT_NEAR(all[i + j * n], response[i], 1e-13 * largest);
    }
    if (!w.is_diagonal())
      continue;
    for (const unsigned int carrier : carriers)
    {
      const auto own = w.compliance(0, { carrier });
      for (unsigned int j = 0; j < 3; ++j)
        for (std::size_t i = 0; i < n; ++i)
          EXPECT_NEAR(all[i + (3 * carrier + j) * n],
                      i / 3 == carrier ? own[3 * (i % 3) + j] : 0.,
                      1e-14 * largest);
    }
  }
}

// Bit for bit, if what is not kept is forgotten by both.
TEST(Checkpoint, OfOtherMatrices)
{
  const LogSheet law(1e4, 0.3, 100., 1e3);
  for (const auto matrix :
       { CorrectingMatrix::frozen, CorrectingMatrix::explicit_ })
  {
    auto system    = folded(law, matrix, true);
    const double h = 1e-3;
    const auto go  = [&](ShellSystem &of, const unsigned int from)
    {
      of.set_step(h);
      for (unsigned int n = from; n < from + 3; ++n)
        if (matrix == CorrectingMatrix::explicit_)
          explicit_step(of, n * h);
        else
        {
          attempt(of, n * h);
          of.note_iterations(5);
          of.accept();
        }
    };
    go(*system, 0);
    system->forget();
    Archive archive, learned;
    system->save_state(archive);
    system->archive(learned);
    go(*system, 3);
    auto again = folded(law, matrix, true);
    Archive from(archive.bytes(), "test"), known(learned.bytes(), "test");
    again->load_state(*again->read_state(from));
    again->archive(known);
    again->forget();
    go(*again, 3);
    Archive a, b;
    system->save_state(a);
    again->save_state(b);
    EXPECT_EQ(a.bytes(), b.bytes());
  }
}

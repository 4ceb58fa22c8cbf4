// One sheet whose quads ranks share: the same to the last bit on all numbers of
// them.
#include <shell_systems/sheets.h>

#include <deal.II/base/mpi.h>

#include <fmt/format.h>

#include <algorithm>

using namespace sheets;

namespace
{
constexpr double h = 5e-4;

/// A plastic sheet and a small one beside it, struck; the edge is driven.
std::unique_ptr<ShellSystem> struck(const SheetLaw &law,
                                    const CorrectingMatrix matrix,
                                    MPI_Comm communicator)
{
  std::vector<ShellSystem::Given> given(2);
  for (unsigned int p = 0; p < 2; ++p)
  {
    Options options;
    options.thickness        = 0.2;
    options.follow_thickness = true;
    const unsigned int n     = p == 0 ? 8 : 2;
    options.n_points         = 2;
    auto model     = model_of(shell_rectangle(4., 4., n, n), law, options);
    auto &settings = given[p].settings;
    for (unsigned int i = 0; i < model->n_nodes(); ++i)
      if (p == 0 && model->reference().nodes[i][0] < 1e-9)
      {
        model->clamp(i);
        settings.motions.push_back(
            { i, ShellComponent::x, [](const double t) { return -20. * t; } });
        settings.motions.push_back({ i,
                                     ShellComponent::rotation_y,
                                     [](const double t) { return 30. * t; } });
      }
    model->set_up();
    std::vector<unsigned int> quads(model->n_quads());
    for (unsigned int q = 0; q < quads.size(); ++q)
      quads[q] = q;
    settings.pressures.push_back({ quads, [](const double) { return 200.; } });
    settings.velocity = [](const Vector3 &x) {
      return Vector3{ { 0., 2. * x[1], 10. * x[0] * x[1] } };
    };
    settings.least_rotary = 0.125;
    given[p].model        = std::move(model);
  }
  NewtonParameters newton;
  newton.matrix       = matrix;
  newton.frozen_steps = 3;
  const LinearSolverParameters solver;
  return std::make_unique<ShellSystem>(
      "sheets",
      std::move(given),
      false,
      1e-3,
      solver,
      std::make_shared<MemoryBudget>(solver, communicator),
      communicator,
      newton);
}

void advance(ShellSystem &system, const double t)
{
  system.set_step(h);
  system.begin_step(t, false);
  ASSERT_TRUE(system.frequency_bound().known);
  const bool once = system.is_linear();
  for (unsigned int k = 0; k < (once ? 1 : 5); ++k)
  {
    ASSERT_TRUE(system.evaluate(k, true, false)) << system.trouble();
    if (k > 0)
      system.set_contact_configuration(true);
    system.update_inverse(0., false);
    system.free_velocity();
    ASSERT_TRUE(system.correct());
  }
  if (!once)
  {
    ASSERT_TRUE(system.evaluate(5, false, false));
  }
  ASSERT_TRUE(system.end_step());
  system.note_iterations(5);
}

std::string state_of(ShellSystem &system, const unsigned int p)
{
  Archive archive;
  const_cast<ShellPiece &>(system.piece(p)).archive(archive);
  return archive.bytes();
}

/// Owners have the same states, bit for bit.
void expect_same(ShellSystem &a, ShellSystem &b, const std::string &when)
{
  SCOPED_TRACE(when);
  for (unsigned int p = 0; p < a.n_pieces(); ++p)
    if (a.owns(p) && b.owns(p))
    {
      EXPECT_TRUE(state_of(a, p) == state_of(b, p)) << p;
    }
}
} // namespace

TEST(Quads, AreSharedWithoutATrace)
{
  const LogSheet law(1e4, 0.3, 50., 1e3);
  for (const auto matrix : { CorrectingMatrix::full,
                             CorrectingMatrix::frozen,
                             CorrectingMatrix::lumped,
                             CorrectingMatrix::explicit_ })
  {
    auto together = struck(law, matrix, MPI_COMM_WORLD),
         alone    = struck(law, matrix, MPI_COMM_SELF);
    EXPECT_EQ(together->piece(0).is_shared(),
              dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD) > 1);
    double inelastic = 0.;
    for (unsigned int n = 0; n < 4; ++n)
    {
      if (n == 2)
      {
        // An attempt that is given up leaves nothing behind.
        together->set_step(h);
        together->begin_step(n * h + 1., false);
        ASSERT_TRUE(together->evaluate(0, true, false));
        together->update_inverse(0., false);
        together->free_velocity();
        ASSERT_TRUE(together->correct());
        if (!together->is_linear())
        {
          ASSERT_TRUE(together->evaluate(1, false, false));
        }
        together->forget();
        alone->forget();
      }
      advance(*together, n * h);
      advance(*alone, n * h);
      EXPECT_EQ(together->largest_strain_increment(),
                alone->largest_strain_increment());
      const auto a = dealii::Utilities::MPI::sum(together->accept().inelastic,
                                                 MPI_COMM_WORLD);
      const auto b = alone->accept().inelastic;
      EXPECT_NEAR(a, b, 1e-14 * std::abs(b));
      inelastic += b;
      expect_same(*together, *alone, fmt::format("{} {}", int(matrix), n));
    }
    EXPECT_GT(inelastic, 0.);

    // What one rank has saved goes on on several, and the other way round.
    Archive of_one;
    alone->save_state(of_one);
    auto again = struck(law, matrix, MPI_COMM_WORLD);
    Archive saved(of_one.bytes(), "test");
    std::vector<std::unique_ptr<SavedState>> parts;
    parts.push_back(again->read_state(saved));
    EXPECT_EQ(again->load_matching(parts), "");

    Archive of_all;
    together->save_state(of_all);
    auto back = struck(law, matrix, MPI_COMM_SELF);
    parts.clear();
    for (const auto &bytes :
         dealii::Utilities::MPI::all_gather(MPI_COMM_WORLD, of_all.bytes()))
    {
      Archive part(bytes, "test");
      parts.push_back(back->read_state(part));
    }
    EXPECT_EQ(back->load_matching(parts), "");
    for (auto *system :
         { together.get(), alone.get(), again.get(), back.get() })
    {
      system->forget();
      for (unsigned int n = 4; n < 6; ++n)
      {
        advance(*system, n * h);
        system->accept();
      }
    }
    const std::string with = fmt::format("matrix {} ", int(matrix));
    expect_same(*together, *alone, with + "together");
    expect_same(*again, *alone, with + "again");
    expect_same(*back, *alone, with + "back");
  }
}

namespace
{
/// Without an answer to large strains.
struct Brittle : LogSheet
{
  using LogSheet::LogSheet;
  bool respond(const std::array<double, 3> &E,
               const double step,
               const double *begin,
               double *end,
               const bool with_tangent,
               delassus::SheetResponse &response) const override
  {
    return std::abs(E[0]) + std::abs(E[1]) < 1. &&
           LogSheet::respond(E, step, begin, end, with_tangent, response);
  }
};
} // namespace

// All ranks hear of an element that has no answer; the next step is as if
// nothing had been.
TEST(Quads, TroubleIsHeardByAll)
{
  const Brittle law(1e4, 0.3, 50., 1e3);
  auto together = struck(law, CorrectingMatrix::full, MPI_COMM_WORLD),
       alone    = struck(law, CorrectingMatrix::full, MPI_COMM_SELF);
  together->set_step(10.); // far too long
  together->begin_step(0., false);
  ASSERT_FALSE(together->evaluate(0, true, false));
  const auto told =
      dealii::Utilities::MPI::all_gather(MPI_COMM_WORLD, together->trouble());
  EXPECT_TRUE(std::any_of(told.begin(),
                          told.end(),
                          [](const std::string &text) {
                            return text.find("element") != std::string::npos;
                          }));
  advance(*together, 0.);
  advance(*alone, 0.);
  together->accept();
  alone->accept();
  expect_same(*together, *alone, "after trouble");
}

// Pieces of several ranks: each steps its own, and all know what contact
// impulses turn.
#include <shell_systems/sheets.h>

#include <deal.II/base/mpi.h>

using namespace sheets;

namespace
{
constexpr unsigned int n_pieces = 5;
constexpr double h              = 0.02;

std::unique_ptr<ShellSystem> several(const SheetLaw &law, MPI_Comm communicator)
{
  std::vector<ShellSystem::Given> given(n_pieces);
  for (unsigned int p = 0; p < n_pieces; ++p)
  {
    Options options;
    options.thickness = 0.1 + 0.02 * p;
    auto mesh         = folded_mesh();
    for (auto &x : mesh.nodes)
      x[2] += 3. * p;
    given[p].model = model_of(mesh, law, options);
    if (p % 2 == 0)
      given[p].model->clamp(0);
    given[p].model->set_up();
    given[p].settings.gravity  = { { 1., 0.3 * p, -10. } };
    given[p].settings.velocity = [p](const Vector3 &x) {
      return Vector3{ { 0.1 * x[2], 0., 0.2 * p * x[0] } };
    };
  }
  const LinearSolverParameters solver;
  return std::make_unique<ShellSystem>(
      "sheets",
      std::move(given),
      false,
      1e-3,
      solver,
      std::make_shared<MemoryBudget>(solver, communicator),
      communicator);
}

/// A fixed number of iterations: errors are those of each rank's pieces.
void advance(ShellSystem &system, const double t)
{
  system.begin_step(t, false);
  for (unsigned int k = 0; k < 6; ++k)
  {
    ASSERT_TRUE(system.evaluate(k, true, false));
    if (k > 0)
      system.set_contact_configuration(true);
    system.update_inverse(0., false);
    system.free_velocity();
    ASSERT_TRUE(system.correct());
  }
  ASSERT_TRUE(system.evaluate(6, true, false));
  system.set_contact_configuration(true);
}
} // namespace

TEST(Ranks, StepTheirPieces)
{
  const ElasticSheet law(1e4, 0.3, 10.);
  auto together = several(law, MPI_COMM_WORLD),
       alone    = several(law, MPI_COMM_SELF);
  ASSERT_EQ(together->n_unknowns(), alone->n_unknowns());
  double energy[2] = { 0., 0. };
  for (auto *system : { together.get(), alone.get() })
    system->set_step(h);
  for (unsigned int n = 0; n < 3; ++n)
  {
    advance(*together, n * h);
    advance(*alone, n * h);
    // The same weights on all ranks, whoever owns the piece.
    for (unsigned int c = 0; c < alone->skin().first_carrier(n_pieces); ++c)
    {
      std::vector<std::pair<std::size_t, double>> here, there;
      for (unsigned int d = 0; d < 3; ++d)
      {
        together->for_each_unknown(c,
                                   d,
                                   [&](const std::size_t u, const double w)
                                   { here.emplace_back(u, w); });
        alone->for_each_unknown(c,
                                d,
                                [&](const std::size_t u, const double w)
                                { there.emplace_back(u, w); });
      }
      ASSERT_EQ(here, there) << c;
    }
    EXPECT_EQ(together->largest_strain_increment(),
              alone->largest_strain_increment());
    energy[0] = together->accept().kinetic;
    energy[1] = alone->accept().kinetic;
  }
  EXPECT_NEAR(dealii::Utilities::MPI::sum(energy[0], MPI_COMM_WORLD),
              energy[1],
              1e-12 * energy[1]);
  for (unsigned int p = 0; p < n_pieces; ++p)
    if (together->owns(p))
    {
      EXPECT_EQ(together->piece(p).model().state().x,
                alone->piece(p).model().state().x);
    }

  // Saved by one rank, read by several.
  Archive archive;
  alone->save_state(archive);
  auto again = several(law, MPI_COMM_WORLD);
  Archive saved(archive.bytes(), "test");
  std::vector<std::unique_ptr<SavedState>> parts;
  parts.push_back(again->read_state(saved));
  EXPECT_EQ(again->load_matching(parts), "");
  for (unsigned int p = 0; p < n_pieces; ++p)
  {
    EXPECT_EQ(again->piece(p).model().state().d,
              alone->piece(p).model().state().d);
  }
}

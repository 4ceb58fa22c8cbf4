// Laws that remember, on all ranks against one: in the run, in its files, and
// where states go from rank to rank with their contacts.
#include "read_vtu.h"
#include "run_on_all.h"
#include "stop_and_resume.h"

#include <algorithm>

using namespace test;

namespace
{
/// Blocks in a row, of which ranks own some, on springs with friction and glued
/// to each other: laws with two numbers to remember and with one. They are
/// pulled apart from the middle: the joints there break first (half of the row
/// is pulled by 800 t, a joint holds 25 N), then those of each half, and then
/// the springs give way by friction. Blocks that deform, and springs, leave one
/// solution, whatever the order of contacts.
const std::string row = R"(
set Assumption = plane strain
subsection Time
  set End  = 0.24
  set Step = 4e-3
end
subsection Material stone
  set Density       = 2000
  set Young modulus = 1e8
  set Poisson ratio = 0.2
end
subsection Body row
  set Material   = stone
  set Body force = 100*t*(x-0.4); -10
  subsection Mesh
    set Type              = running bond wall
    set Size              = 0.1, 0.05
    set Courses           = 1
    set Blocks per course = 8
    set Cells             = 8 T3
  end
end
subsection Obstacle ground
  set Normal = 0, 1
end
subsection Contact law glue
  set Type              = cohesive
  set Tensile strength  = 500
  set Friction          = 0.4
  set Cohesive friction = 0.6
end
subsection Contact law springs
  set Type                 = elastic joint
  set Normal stiffness     = 1e7
  set Tangential stiffness = 4e6
  set Friction             = 0.5
end
subsection Interaction base
  set Candidates  = row/base
  set Antagonists = ground
  set Law         = springs
  set Points      = nodes
end
subsection Interaction joints
  set Candidates  = row/right
  set Antagonists = row/left
  set Law         = glue
  set Points      = nodes
end
subsection Contact solver
  set Tolerance      = 1e-11
  set Maximum sweeps = 50000
end
subsection Output
  set Interval steps = 15
end
)";

const std::vector<std::string> columns = {
  "base:force_x",   "base:force_y",         "joints:force_x",
  "joints:force_y", "largest_displacement", "contacts"
};

/// The file of all ranks.
std::string shared_file(const SharedDirectory &directory)
{
  const std::string file = directory.path + "/row.prm";
  if (rank_in(MPI_COMM_WORLD) == 0)
    std::ofstream(file) << row;
  MPI_Barrier(MPI_COMM_WORLD);
  return file;
}
} // namespace

TEST(Ranks, LawsThatRememberGiveTheSame)
{
  const SharedDirectory directory;
  const std::string file = shared_file(directory);
  const bool root        = rank_in(MPI_COMM_WORLD) == 0;
  Results alone;
  if (root)
    alone = run_file<2>(file);
  for (const std::string distribution : { "all ranks", "one rank" })
  {
    SCOPED_TRACE(distribution);
    const auto together =
        run_on_all<2>(file, { "Contact solver/Distribution=" + distribution });
    if (!root)
      continue;
    EXPECT_EQ(together.summary["ranks"],
              dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD));
    expect_same(alone.history, together.history, columns, 1e-6);
    expect_same(alone.energy,
                together.energy,
                { "kinetic",
                  "elastic",
                  "external_work",
                  "law_stored",
                  "law_dissipation" },
                1e-6);
    // Bonds have broken, and springs are loaded: there was something to lose.
    EXPECT_GT(alone.energy.at("law_dissipation").back(), 0.);
    EXPECT_GT(alone.energy.at("law_stored").back(), 0.);
  }
}

// The fields of the laws in contact.pvd, contact by contact.
TEST(Ranks, LawsThatRememberShowTheSame)
{
  const SharedDirectory directory;
  const std::string file = shared_file(directory);
  const auto shown       = [&](const std::string &name, MPI_Comm communicator)
  {
    delassus::RunOptions options;
    options.quiet = true;
    delassus::Simulation<2>(
        delassus::read_parameters(
            file,
            { "Output/Directory=" + directory.path + "/" + name,
              "Contact solver/Distribution=all ranks" }),
        options,
        communicator)
        .run();
    return read_vtu(directory.path + "/" + name + "/vtu/contact_000015.vtu");
  };
  const auto together = shown("together", MPI_COMM_WORLD);
  if (rank_in(MPI_COMM_WORLD) != 0)
    return;
  const auto alone = shown("alone", MPI_COMM_SELF);
  for (const std::string field :
       { "intact", "elastic_displacement", "interaction", "gap" })
  {
    ASSERT_EQ(alone.count(field), 1u) << field;
    const auto &one = alone.at(field), &other = together.at(field);
    ASSERT_EQ(one.size(), other.size());
    double largest = 0.;
    for (const double value : one)
      largest = std::max(largest, std::abs(value));
    EXPECT_GT(largest, 0.) << field;
    for (std::size_t i = 0; i < one.size(); ++i)
      EXPECT_NEAR(one[i], other[i], 1e-5 * largest) << field << " " << i;
  }
  // At t = 0.06 some bonds hold, some are broken.
  const auto &intact = alone.at("intact"), &which = alone.at("interaction");
  unsigned int n_holds = 0, n_broken = 0;
  for (std::size_t i = 0; i < intact.size(); ++i)
    if (which[i] == 1.)
      ++(intact[i] == 1. ? n_holds : n_broken);
  EXPECT_GT(n_holds, 0u);
  EXPECT_GT(n_broken, 0u);
}

// Half of the way on all ranks and half on one, and the other way round: states
// are gathered and sent with their contacts, in the middle of the breaking.
TEST(Ranks, LawsThatRememberGoOnOnOtherRanks)
{
  const SharedDirectory directory;
  const Case what  = { shared_file(directory),
                       { "Contact solver/Distribution=all ranks" } };
  const auto half  = { std::string("Time/End=0.06") };
  const bool root  = rank_in(MPI_COMM_WORLD) == 0;
  const auto place = [&](const std::string &name)
  { return directory.path + "/" + name; };
  test::run<2>(what, place("to_one"), false, 0, MPI_COMM_WORLD, half);
  if (root)
  {
    test::run<2>(what, place("to_one"), true, 0, MPI_COMM_SELF);
    test::run<2>(what, place("to_all"), false, 0, MPI_COMM_SELF, half);
    test::run<2>(what, place("alone"), false, 0, MPI_COMM_SELF);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  test::run<2>(what, place("to_all"), true, 0, MPI_COMM_WORLD);
  if (!root)
    return;
  for (const std::string name : { "to_one", "to_all" })
  {
    SCOPED_TRACE(name);
    expect_same(read_csv(place("alone") + "/history.csv"),
                read_csv(place(name) + "/history.csv"),
                columns,
                1e-6);
    expect_same(read_csv(place("alone") + "/energy.csv"),
                read_csv(place(name) + "/energy.csv"),
                { "kinetic", "law_stored", "law_dissipation" },
                1e-6);
  }
}

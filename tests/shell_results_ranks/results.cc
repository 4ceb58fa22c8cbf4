// Sheets in result files and tables: the same on all numbers of ranks, and
// after a resume.
#include "ranks/run_on_all.h"
#include "ranks/stop_and_resume.h"
#include "read_vtu.h"

using namespace test;

namespace
{
/// Three sheets of m x m elements in one body, each in a place of its own.
std::string three_sheets(const unsigned int m)
{
  std::ostringstream nodes, quads;
  unsigned int n = 0, e = 0;
  for (unsigned int piece = 0; piece < 3; ++piece)
  {
    const unsigned int first = n;
    for (unsigned int j = 0; j <= m; ++j)
      for (unsigned int i = 0; i <= m; ++i)
        nodes << ++n << " " << 1. / m * i + 2. * piece << " " << 1. / m * j
              << " 0.08\n";
    for (unsigned int j = 0; j < m; ++j)
      for (unsigned int i = 0; i < m; ++i)
      {
        const unsigned int a = first + 1 + i + (m + 1) * j;
        quads << ++e << " 3 2 1 1 " << a << " " << a + 1 << " " << a + m + 2
              << " " << a + m + 1 << "\n";
      }
  }
  return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n" + std::to_string(n) +
         "\n" + nodes.str() + "$EndNodes\n$Elements\n" + std::to_string(e) +
         "\n" + quads.str() + "$EndElements\n";
}

/// They fall on a plane beside a block.
const char *falling = R"(
set Dimension = 3
set Gravity   = 0, 0, -10
subsection Time
  set End  = 0.06
  set Step = 0.01
  set Theta = 1
end
subsection Newton
  set Tolerance      = 1e-9
  set Largest strain = 0
end
subsection Contact solver
  set Tolerance = 1e-10
end
subsection Material metal
  set Model             = J2
  set Density           = 1000
  set Young modulus     = 1e6
  set Poisson ratio     = 0.3
  set Yield stress      = 200
  set Hardening modulus = 1e4
end
subsection Body sheets
  set Type             = shell
  set Material         = metal
  set Thickness        = 0.1
  set Initial velocity = 0.1*y; 0; -3 - x + 8*y*(1 - y)
  subsection Mesh
    set File = sheets.msh
  end
end
subsection Body block
  set Material         = metal
  set Initial velocity = 0; 0; -1
  subsection Mesh
    set Type      = box
    set Origin    = 8, 0, 0.005
    set Size      = 1, 1, 1
    set Divisions = 2, 2, 2
  end
end
subsection Obstacle ground
  set Normal = 0, 0, 1
end
subsection Contact law dry
  set Friction = 0.3
end
subsection Interaction foot
  set Candidates  = sheets, block/bottom
  set Antagonists = ground
  set Law         = dry
  set Points      = gauss
end
subsection Probe last
  set Point = 5, 1, 0
end
subsection Probe first
  set Body  = sheets
  set Point = 0, 0, 0
end
subsection Output
  set Interval steps = 2
end
)";

/// The files, known to all ranks.
struct Files
{
  explicit Files(const unsigned int m = 2)
  {
    if (rank_in(MPI_COMM_WORLD) == 0)
    {
      std::ofstream(directory.path + "/case.prm") << falling;
      std::ofstream(directory.path + "/sheets.msh") << three_sheets(m);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  Case what() const
  {
    return { directory.path + "/case.prm", {} };
  }
  SharedDirectory directory;
};

/// Of each field of a file the sum, and the sum with weights of the place: the
/// order of the cells is that of the ranks.
std::map<std::string, std::array<double, 3>>
sums(const std::map<std::string, std::vector<float>> &fields)
{
  std::map<std::string, std::array<double, 3>> result;
  const auto &x = fields.at("Points");
  for (const auto &[name, values] : fields)
  {
    auto &sum                = result[name];
    const unsigned int width = values.size() / (x.size() / 3);
    for (std::size_t i = 0; i < values.size(); ++i)
    {
      EXPECT_TRUE(std::isfinite(values[i])) << name;
      const float *at = &x[3 * (i / width)];
      sum[0] += values[i];
      sum[1] += values[i] * (at[0] + 3. * at[1] + 5. * at[2]) *
                (1. + double(i % width));
      sum[2] = std::max<double>(sum[2], std::abs(values[i]));
    }
  }
  return result;
}
} // namespace

TEST(SheetResults, AreTheSameOnAllRanks)
{
  const Files files;
  const std::string path = files.directory.path;
  run<3>(files.what(), path + "/all", false, 0, MPI_COMM_WORLD);
  // Each by itself: meshes are read by all together.
  const unsigned int rank = rank_in(MPI_COMM_WORLD);
  run<3>(files.what(),
         path + (rank == 0 ? "/one" : "/one" + std::to_string(rank)),
         false,
         0,
         MPI_COMM_SELF);
  if (rank == 0)
  {
    const auto all = read_csv(path + "/all/history.csv"),
               one = read_csv(path + "/one/history.csv");
    std::vector<std::string> columns;
    for (const auto &[name, values] : one)
      if (name.find("sheets:") == 0 || name.find("first:") == 0 ||
          name.find("last:") == 0 || name.find("foot:force") == 0 ||
          name.find("largest") == 0)
        columns.push_back(name);
    EXPECT_GT(columns.size(), 70u);
    expect_same(all, one, columns, 1e-5);
    EXPECT_GT(one.at("sheets:greatest_plastic_strain").back(), 0.);
    for (const char *file : { "solution_000002", "solution_000006" })
    {
      const auto a = read_vtu(path + "/all/vtu/" + file + ".vtu"),
                 b = read_vtu(path + "/one/vtu/" + file + ".vtu");
      ASSERT_EQ(a.size(), b.size());
      EXPECT_EQ(b.at("body").size(), 64u + 12u * 12u);
      const auto sums_a = sums(a), sums_b = sums(b);
      const double n = 100. * b.at("body").size();
      for (const auto &[name, sum] : sums_b)
      {
        if (name.find("principal_direction") == 0)
          continue; // of equal values anything
        // Solids that rest have stresses of rounding.
        const double size = std::max(
            sum[2], name.find("stress") != std::string::npos ? 1. : 0.);
        EXPECT_NEAR(sums_a.at(name)[0], sum[0], 1e-5 * n * size) << name;
        EXPECT_NEAR(sums_a.at(name)[1], sum[1], 1e-5 * n * size) << name;
        EXPECT_NEAR(sums_a.at(name)[2], sum[2], 1e-3 * size) << name;
      }
    }
    nlohmann::json summary;
    std::ifstream(path + "/all/summary.json") >> summary;
    EXPECT_EQ(summary["counts"]["pieces"], 4);
    EXPECT_EQ(summary["states"].back()["sheets"].size(), 1u);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

TEST(SheetResults, GoOnAfterAResume)
{
  const Files files;
  stop_and_resume<3>(files.what(), { 2, 3 });
}

// Pieces whose quads ranks share: the same tables, and the same after a resume.
TEST(SheetResults, OfSharedQuads)
{
  const Files files(5);
  const Case what{ files.directory.path + "/case.prm", { "Time/End=0.04" } };
  const std::string path = files.directory.path;
  run<3>(what, path + "/all", false, 0, MPI_COMM_WORLD);
  const unsigned int rank = rank_in(MPI_COMM_WORLD);
  run<3>(what,
         path + (rank == 0 ? "/one" : "/one" + std::to_string(rank)),
         false,
         0,
         MPI_COMM_SELF);
  if (rank == 0)
  {
    const auto all = read_csv(path + "/all/history.csv"),
               one = read_csv(path + "/one/history.csv");
    std::vector<std::string> columns;
    for (const auto &[name, values] : one)
      if (name.find("sheets:") == 0 || name.find("first:") == 0 ||
          name.find("last:") == 0 || name.find("foot:force") == 0)
        columns.push_back(name);
    expect_same(all, one, columns, 1e-5);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  stop_and_resume<3>(what, { 2, 3 });
}

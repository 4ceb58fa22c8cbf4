// Sheets in contact: the same on all numbers of ranks, and after a resume.
#include "ranks/run_on_all.h"
#include "ranks/stop_and_resume.h"
#include "shell_contact/bodies.h"

using namespace test;

namespace
{
/// A parameter file, and a mesh beside it, known to all ranks.
struct Files
{
  Files(const std::string &text, const std::string &mesh = "")
  {
    if (rank_in(MPI_COMM_WORLD) == 0)
    {
      std::ofstream(directory.path + "/case.prm") << text;
      std::ofstream(directory.path + "/folded.msh") << mesh;
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  Case what() const
  {
    return { directory.path + "/case.prm", {} };
  }
  SharedDirectory directory;
};

/// On all ranks together, and each by itself; columns of rank 0's history.
void expect_same_on_ranks(const Files &files,
                          const std::vector<std::string> &columns,
                          const double tolerance)
{
  const std::string path  = files.directory.path;
  const unsigned int rank = rank_in(MPI_COMM_WORLD);
  run<3>(files.what(), path + "/all", false, 0, MPI_COMM_WORLD);
  run<3>(files.what(),
         path + (rank == 0 ? "/one" : "/one" + std::to_string(rank)),
         false,
         0,
         MPI_COMM_SELF);
  if (rank == 0)
  {
    const auto all = read_csv(path + "/all/history.csv"),
               one = read_csv(path + "/one/history.csv");
    expect_same(all, one, columns, tolerance);
    for (const auto &column : columns)
      EXPECT_NE(one.at(column).back(), 0.) << column;
    expect_same(read_csv(path + "/all/energy.csv"),
                read_csv(path + "/one/energy.csv"),
                { "law_stored" },
                tolerance);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/// A block on two sheets that lie on the ground: four pieces with compliances
/// on both sides.
std::string pile()
{
  // With W, as several ranks solve it, rounding allows no more.
  std::string ground     = materials_and_ground;
  const std::string fine = "Tolerance = 1e-11";
  ground.replace(ground.find(fine), fine.size(), "Tolerance = 1e-9");
  return ground + sheet("lower", 0.25, "metal", "4, 4") +
         sheet("upper", 0.75, "rubber", "3, 3") + block(1., "2, 2, 1") +
         interaction("lower/inner", "ground") +
         interaction("upper/inner", "lower/outer") +
         interaction("block/bottom", "upper/outer") + pressure("block/top");
}
} // namespace

TEST(SheetContact, PileOnRanks)
{
  const Files files(pile());
  expect_same_on_ranks(files,
                       { "lower:force_z",
                         "upper:force_z",
                         "block:force_z",
                         "lower:u_z",
                         "upper:u_z",
                         "block:u_z" },
                       1e-8);
}

TEST(SheetContact, SqueezedOnRanks)
{
  const Files files(squeezed_sheet);
  expect_same_on_ranks(
      files, { "below:force_z", "above:force_z", "middle:u_z" }, 1e-8);
}

TEST(SheetContact, FoldedOnRanks)
{
  const Files files(folded, folded_mesh(1., 8));
  expect_same_on_ranks(
      files, { "self:normal_force", "upper:u_z", "lower:u_z" }, 1e-5);
}

TEST(SheetContact, GoesOnAfterAResume)
{
  const Files files(squeezed_sheet);
  stop_and_resume<3>(files.what(), { 1, 2 });
}

// Tables and series that go on after a checkpoint.
#include <delassus/base/exceptions.h>
#include <delassus/output/csv_table.h>
#include <delassus/output/pvd_series.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include <unistd.h>

using namespace delassus;

namespace
{
class Continued : public ::testing::Test
{
protected:
  void SetUp() override
  {
    folder = std::filesystem::temp_directory_path() /
             ("delassus_continued_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
  }

  void TearDown() override
  {
    std::filesystem::remove_all(folder);
  }

  std::string path(const std::string &name) const
  {
    return (folder / name).string();
  }

  std::string text(const std::string &name) const
  {
    std::ifstream in(folder / name);
    std::ostringstream content;
    content << in.rdbuf();
    return content.str();
  }

  std::filesystem::path folder;
};
} // namespace

TEST_F(Continued, TablesAreCutWhereTheyWere)
{
  long n_bytes = 0;
  {
    CsvTable table(path("t.csv"), { "a", "b,c" });
    table.add_row({ 1., 0.1 });
    table.sync();
    n_bytes = table.n_bytes();
    table.add_row({ 2., 0.2 });
  }
  // A row that was torn when the process was killed.
  std::ofstream(path("t.csv"), std::ios::app) << "3,0.";
  {
    CsvTable table(path("t.csv"), { "a", "b,c" }, n_bytes);
    table.add_row({ 5., 0.5 });
  }
  EXPECT_EQ(text("t.csv"), "a,\"b,c\"\n1,0.1\n5,0.5\n");
  const std::string before = text("t.csv");
  EXPECT_THROW(CsvTable(path("t.csv"), { "a", "c" }, n_bytes), InputError);
  EXPECT_THROW(CsvTable(path("t.csv"), { "a", "b,c" }, 1000), InputError);
  EXPECT_THROW(CsvTable(path("t.csv"), { "a", "b,c" }, n_bytes - 1),
               InputError);
  EXPECT_THROW(CsvTable(path("u.csv"), { "a", "b,c" }, n_bytes), InputError);
  EXPECT_EQ(text("t.csv"), before);
}

TEST_F(Continued, SeriesGoBack)
{
  PvdSeries series(path("s.pvd"));
  series.add(0., "a.vtu");
  const std::string one = text("s.pvd");
  const auto entries    = series.entries();
  series.add(1., "b.vtu");
  EXPECT_NE(text("s.pvd"), one);
  PvdSeries again(path("s.pvd"));
  again.restore(entries);
  EXPECT_EQ(text("s.pvd"), one);
  again.restore({});
  EXPECT_FALSE(std::filesystem::exists(path("s.pvd")));
}

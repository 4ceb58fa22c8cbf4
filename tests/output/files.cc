#include "read_vtu.h"

#include <delassus/base/exceptions.h>
#include <delassus/output/atomic_file.h>
#include <delassus/output/csv_table.h>
#include <delassus/output/point_cloud.h>
#include <delassus/output/pvd_series.h>

#include <gtest/gtest.h>

#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <regex>
#include <sstream>

#include <sys/resource.h>
#include <unistd.h>

using namespace delassus;

namespace
{
#define EXPECT_SAYS(text, part)                                                \
  EXPECT_NE((text).find(part), std::string::npos) << (text)

class OutputFiles : public ::testing::Test
{
protected:
  void SetUp() override
  {
    folder = std::filesystem::temp_directory_path() /
             ("delassus_output_" + std::to_string(getpid()));
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

  std::size_t n_files() const
  {
    std::size_t n = 0;
    for (const auto &entry : std::filesystem::directory_iterator(folder))
      n += entry.is_regular_file();
    return n;
  }

  std::filesystem::path folder;
};

std::string content_of(const std::string &file)
{
  std::ifstream in(file);
  std::stringstream content;
  content << in.rdbuf();
  return content.str();
}

/// A disk that is full after so many bytes: writes beyond fail in the kernel.
class SmallDisk
{
public:
  explicit SmallDisk(const rlim_t n_bytes)
  {
    old_handler = std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old_limit);
    rlimit limit   = old_limit;
    limit.rlim_cur = n_bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
  }

  ~SmallDisk()
  {
    setrlimit(RLIMIT_FSIZE, &old_limit);
    std::signal(SIGXFSZ, old_handler);
  }

private:
  rlimit old_limit;
  void (*old_handler)(int);
};

template <typename Task>
std::string computation_error(const Task &task)
{
  try
  {
    task();
  }
  catch (const ComputationError &e)
  {
    return e.what();
  }
  return "no error";
}

/// Elements opened and closed in order, attributes quoted.
bool is_well_formed(const std::string &xml)
{
  std::vector<std::string> open;
  const std::regex tag(
      "<(/?)([A-Za-z]+)((?:\\s+[\\w]+=\"[^\"<]*\")*)\\s*(/?)>");
  std::string rest = xml;
  const auto head  = rest.find("?>");
  if (rest.compare(0, 5, "<?xml") != 0 || head == std::string::npos)
    return false;
  rest                = rest.substr(head + 2);
  std::size_t n_signs = 0, n_tags = 0;
  for (const char c : rest)
    n_signs += c == '<';
  for (std::sregex_iterator it(rest.begin(), rest.end(), tag), end; it != end;
       ++it)
  {
    ++n_tags;
    if ((*it)[1].length() > 0)
    {
      if (open.empty() || open.back() != (*it)[2])
        return false;
      open.pop_back();
    }
    else if ((*it)[4].length() == 0)
      open.push_back((*it)[2]);
  }
  return open.empty() && n_tags == n_signs && n_tags > 0;
}

} // namespace

TEST_F(OutputFiles, PointCloudHasItsArrays)
{
  PointCloud<2> cloud({ "gap", "status" }, { "reaction" }, { "stress" });
  ASSERT_EQ(cloud.n_values(), 2u + 2 + 9);
  std::vector<double> values(13);
  for (unsigned int p = 0; p < 5; ++p)
  {
    for (unsigned int i = 0; i < 13; ++i)
      values[i] = 100 * p + i;
    cloud.add_point(dealii::Point<2>(p, -1.), values);
  }
  EXPECT_EQ(cloud.n_points(), 5u);
  cloud.write_vtu(path("cloud.vtu"));
  const std::string xml = content_of(path("cloud.vtu"));
  EXPECT_SAYS(xml, "NumberOfPoints=\"5\" NumberOfCells=\"5\"");
  EXPECT_SAYS(xml, "Name=\"gap\"");
  EXPECT_SAYS(xml, "Name=\"status\"");
  EXPECT_TRUE(std::regex_search(
      xml, std::regex("Name=\"reaction\" NumberOfComponents=\"3\"")));
  EXPECT_TRUE(std::regex_search(
      xml, std::regex("Name=\"stress\" NumberOfComponents=\"9\"")));
  EXPECT_SAYS(xml, "</VTKFile>");

  EXPECT_THROW(cloud.add_point(dealii::Point<2>(), { 1., 2. }),
               std::logic_error);
  cloud.clear();
  EXPECT_EQ(cloud.n_points(), 0u);
}

TEST_F(OutputFiles, PointCloudWithoutPointsIsAFile)
{
  PointCloud<3> cloud({ "gap" }, { "reaction" }, { "stress" });
  cloud.write_vtu(path("empty.vtu"));
  const std::string xml = content_of(path("empty.vtu"));
  EXPECT_TRUE(is_well_formed(xml)) << xml;
  EXPECT_SAYS(xml, "<Points>");
  EXPECT_SAYS(xml, "Name=\"stress\" NumberOfComponents=\"9\"");
  EXPECT_SAYS(xml, "NumberOfPoints=\"0\"");
  EXPECT_SAYS(xml, "Name=\"gap\"");
  EXPECT_SAYS(xml, "Name=\"reaction\"");
  EXPECT_SAYS(xml, "</VTKFile>");
}

TEST_F(OutputFiles, ArraysAreReadBack)
{
  // Lengths that leave one, two and no bytes over; zeros twice; one and several
  // blocks, the last shorter or not.
  for (const std::size_t block_size : { 1 << 30, 64, 100, 4 })
    for (const std::size_t n : { 1, 2, 3, 25, 50, 1000 })
    {
      VtuPiece piece;
      piece.points.assign(3 * n, 0.f);
      for (std::size_t i = 0; i < n; ++i)
      {
        piece.connectivity.push_back(i);
        piece.offsets.push_back(i + 1);
        piece.types.push_back(1);
      }
      VtuPiece::Field wave = { "wave", 1, {} }, zero = { "zero", 1, {} };
      for (std::size_t i = 0; i < n; ++i)
      {
        wave.values.push_back(std::sin(i * i + 1.));
        zero.values.push_back(0.f);
      }
      piece.fields         = { zero, wave, zero };
      piece.fields[2].name = "other";
      VtuEncoder encoder(block_size);
      std::ofstream(path("a.vtu")) << vtu_file(encoder.piece(piece));
      EXPECT_TRUE(is_well_formed(content_of(path("a.vtu"))));
      const auto arrays = test::read_vtu(path("a.vtu"));
      EXPECT_EQ(arrays.at("wave"), wave.values) << n << ' ' << block_size;
      EXPECT_EQ(arrays.at("zero"), zero.values);
      EXPECT_EQ(arrays.at("other"), zero.values);
      EXPECT_EQ(arrays.at("Points"), piece.points);
    }
}

TEST_F(OutputFiles, ResultsAreOnTheDiskWhenAskedFor)
{
  write_result_atomically(path("a"), "one");
  write_result_atomically(path("a"), "two");
  write_result_atomically(path("gone"), "three");
  EXPECT_EQ(content_of(path("a")), "two");
  std::filesystem::remove(path("gone"));
  EXPECT_NO_THROW(sync_results());
  EXPECT_NO_THROW(sync_results());
  EXPECT_EQ(n_files(), 1u);
}

TEST_F(OutputFiles, PointCloudOnAFullDisk)
{
  PointCloud<2> cloud({ "gap" }, {}, {});
  for (unsigned int p = 0; p < 1000; ++p)
    cloud.add_point(dealii::Point<2>(std::sin(p), std::cos(p)),
                    { 1. / (p + 1) });
  cloud.write_vtu(path("cloud.vtu"));
  const std::string before = content_of(path("cloud.vtu"));
  std::string message;
  {
    const SmallDisk disk(100);
    message = computation_error([&]() { cloud.write_vtu(path("cloud.vtu")); });
  }
  EXPECT_SAYS(message, path("cloud.vtu"));
  EXPECT_SAYS(message, std::strerror(EFBIG));
  EXPECT_EQ(content_of(path("cloud.vtu")), before);
  EXPECT_EQ(n_files(), 1u) << "the temporary file was left";
}

TEST_F(OutputFiles, PvdIsCompleteAfterEveryStep)
{
  PvdSeries series(path("solution.pvd"));
  for (unsigned int i = 0; i < 3; ++i)
  {
    series.add(0.1 * i, "vtu/a&b_" + std::to_string(i) + ".vtu");
    const std::string xml = content_of(path("solution.pvd"));
    EXPECT_TRUE(is_well_formed(xml)) << xml;
    std::size_t n = 0;
    for (auto at = xml.find("<DataSet"); at != std::string::npos;
         at      = xml.find("<DataSet", at + 1))
      ++n;
    EXPECT_EQ(n, i + 1);
  }
  const std::string xml = content_of(path("solution.pvd"));
  EXPECT_SAYS(xml, "file=\"vtu/a&amp;b_2.vtu\"");
  EXPECT_SAYS(xml, "timestep=\"0.2\"");
  EXPECT_EQ(n_files(), 1u);

  const SmallDisk disk(50);
  EXPECT_SAYS(computation_error([&]() { series.add(1., "c.vtu"); }),
              "solution.pvd");
  EXPECT_EQ(content_of(path("solution.pvd")), xml);
}

TEST_F(OutputFiles, CsvGivesNumbersBack)
{
  const double tiny = std::numeric_limits<double>::denorm_min();
  const std::vector<std::vector<double>> rows = {
    { 0., 0.1, 1. / 3., -2.5e300 },
    { 1., tiny, 4 * std::atan(1.), 12345678. },
    { 2., 1e-3, 9.81, std::numeric_limits<double>::infinity() }
  };
  {
    CsvTable table(path("history.csv"), { "step", "time", "a, b", "c" });
    EXPECT_EQ(content_of(path("history.csv")), "step,time,\"a, b\",c\n");
    for (const auto &row : rows)
      table.add_row(row);
    table.flush();
    EXPECT_THROW(table.add_row({ 1., 2. }), std::logic_error);
  }
  std::istringstream in(content_of(path("history.csv")));
  std::string line, cell;
  std::getline(in, line);
  for (const auto &row : rows)
  {
    ASSERT_TRUE(std::getline(in, line));
    std::istringstream cells(line);
    for (const double value : row)
    {
      ASSERT_TRUE(std::getline(cells, cell, ','));
      EXPECT_EQ(std::strtod(cell.c_str(), nullptr), value) << cell;
    }
    EXPECT_FALSE(std::getline(cells, cell, ','));
  }
  EXPECT_FALSE(std::getline(in, line));
  EXPECT_SAYS(content_of(path("history.csv")), "\n0,0.1,0.3333333333333333,");
}

TEST_F(OutputFiles, CsvIsWrittenAtTheEndOfItsLife)
{
  {
    CsvTable first(path("a.csv"), { "x" });
    CsvTable table(std::move(first));
    table.add_row({ 1. });
  }
  EXPECT_EQ(content_of(path("a.csv")), "x\n1\n");
}

TEST_F(OutputFiles, CsvOnAFullDiskKeepsItsRows)
{
  EXPECT_SAYS(computation_error([]() { CsvTable("/dev/full", { "x" }); }),
              "/dev/full");
  EXPECT_SAYS(computation_error([]() { CsvTable("/dev/full", { "x" }); }),
              std::strerror(ENOSPC));

  CsvTable table(path("a.csv"), { "x" });
  table.add_row({ 1. });
  table.flush();
  {
    const SmallDisk disk(11);
    table.add_row({ 22. });
    table.add_row({ 3333333. });
    table.add_row({ 4. });
    const std::string message = computation_error([&]() { table.flush(); });
    EXPECT_SAYS(message, "a.csv");
    EXPECT_SAYS(message, std::strerror(EFBIG));
    EXPECT_EQ(content_of(path("a.csv")), "x\n1\n22\n");
  }
  table.add_row({ 5. });
  table.flush();
  EXPECT_EQ(content_of(path("a.csv")), "x\n1\n22\n5\n");
}

TEST_F(OutputFiles, PathsThatCannotBe)
{
  std::ofstream(path("file")) << "x";
  const std::string below = path("file") + "/below";
  EXPECT_SAYS(computation_error([&]() { write_file_atomically(below, "x"); }),
              std::strerror(ENOTDIR));
  EXPECT_SAYS(computation_error([&]() { CsvTable(below, { "x" }); }),
              std::strerror(ENOTDIR));
  EXPECT_SAYS(computation_error([&]() { PvdSeries(below).add(0., "a"); }),
              below);
  EXPECT_THROW(prepare_run_directory(below), InputError);
  EXPECT_THROW(prepare_run_directory(path("file")), InputError);
  EXPECT_THROW(prepare_run_directory(""), InputError);
  EXPECT_THROW(prepare_run_directory("/proc/delassus"), InputError);

  prepare_run_directory(path("a/b/c"));
  prepare_run_directory(path("a/b/c"));
  EXPECT_TRUE(std::filesystem::is_directory(path("a/b/c")));
  EXPECT_TRUE(std::filesystem::is_empty(path("a/b/c")));
}

TEST_F(OutputFiles, AtomicFileReplaces)
{
  write_file_atomically(path("summary.json"), "old and longer");
  write_file_atomically(path("summary.json"), "new");
  EXPECT_EQ(content_of(path("summary.json")), "new");
  EXPECT_EQ(n_files(), 1u);
}

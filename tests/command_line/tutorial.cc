// The file that doc/tutorial.md writes piece by piece: each state of it is
// checked and run, and the numbers that the page tells are those of the run.
#include "run_program.h"

#include <cmath>
#include <map>

namespace
{
using namespace test;

class Tutorial : public Program
{
protected:
  /// The blocks ```prm ... ``` of the page.
  static std::vector<std::string> blocks(const std::string &page)
  {
    std::vector<std::string> result;
    const std::string begin = "```prm\n", end = "```";
    for (auto i = page.find(begin); i != std::string::npos;
         i      = page.find(begin, i))
    {
      i += begin.size();
      const auto j = page.find(end, i);
      result.push_back(page.substr(i, j - i));
      i = j;
    }
    return result;
  }

  /// Rows of history.csv: numbers by the names of the columns.
  std::vector<std::map<std::string, double>>
  history(const std::string &run) const
  {
    std::vector<std::map<std::string, double>> rows;
    std::ifstream in(folder / run / "history.csv");
    std::string line, word;
    std::vector<std::string> names;
    std::getline(in, line);
    std::istringstream heading(line);
    while (std::getline(heading, word, ','))
      names.push_back(word);
    while (std::getline(in, line))
    {
      std::istringstream values(line);
      rows.emplace_back();
      for (const auto &name : names)
      {
        std::getline(values, word, ',');
        rows.back()[name] = std::stod(word);
      }
    }
    return rows;
  }

  /// The numbers of a row of a table of the page that begins with @p name.
  static std::vector<double> table_row(const std::string &page,
                                       const std::string &name)
  {
    const auto begin = page.find("| " + name);
    EXPECT_NE(begin, std::string::npos) << name;
    std::string row = page.substr(begin, page.find('\n', begin) - begin);
    // The page has a minus sign, not a hyphen.
    for (auto i = row.find("\u2212"); i != std::string::npos;
         i      = row.find("\u2212"))
      row.replace(i, 3, "-");
    std::istringstream cells(row.substr(2));
    std::string cell;
    std::getline(cells, cell, '|');
    std::vector<double> values;
    while (std::getline(cells, cell, '|'))
      values.push_back(std::stod(cell));
    return values;
  }
};

TEST_F(Tutorial, EachStateOfTheFileRunsAndTheNumbersAreThose)
{
  const std::string page = read(DELASSUS_SOURCE_DIR "/doc/tutorial.md");
  const auto pieces      = blocks(page);
  ASSERT_EQ(pieces.size(), 3u);

  std::string file;
  for (unsigned int i = 0; i < pieces.size(); ++i)
  {
    file += pieces[i];
    write("block.prm", file);
    const std::string output = " --output run" + std::to_string(i);
    const auto checked       = run("check block.prm --output checked");
    EXPECT_EQ(checked.exit_code, 0) << checked.error;
    EXPECT_EQ(count(checked.out + checked.error, "warning"), 0u)
        << checked.out << checked.error;
    const auto done = run("run block.prm" + output);
    EXPECT_EQ(done.exit_code, 0) << done.out << done.error;
    EXPECT_EQ(count(done.out + done.error, "warning"), 0u)
        << done.out << done.error;
  }

  // Nothing happens without loads; then the ground carries pressure times area.
  EXPECT_EQ(history("run0").back().at("largest_displacement"), 0.);
  const double N = 2. * 40.;
  EXPECT_NEAR(history("run1").at(9).at("base:force_x"), 0., 1e-5 * N);
  EXPECT_NEAR(history("run1").at(9).at("base:force_y"), N, 1e-5 * N);

  // In the end the block slides, on Coulomb's cone.
  const auto rows = history("run2");
  ASSERT_EQ(rows.size(), 20u);
  EXPECT_NEAR(rows.back().at("base:force_x"), -0.4 * N, 1e-5 * N);
  EXPECT_EQ(rows.back().at("base:stick"), 0.);
  EXPECT_GT(rows.back().at("base:open"), 0.);

  const auto times = table_row(page, "t");
  for (const std::string name : { "base:force_x", "base:force_y" })
  {
    const auto told = table_row(page, "`" + name + "`");
    ASSERT_EQ(told.size(), times.size());
    for (unsigned int i = 0; i < times.size(); ++i)
      EXPECT_NEAR(
          rows.at(std::lround(10. * times[i]) - 1).at(name), told[i], 0.0051)
          << name << " at " << times[i];
  }

  const auto smoother =
      run("run block.prm --set 'Contact law rough/Friction=0.2' --output run3");
  EXPECT_EQ(smoother.exit_code, 0) << smoother.error;
  EXPECT_NEAR(history("run3").back().at("base:force_x"), -0.2 * N, 1e-5 * N);
  EXPECT_EQ(history("run3").back().at("base:open"), 0.);
}
} // namespace

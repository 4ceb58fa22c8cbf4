// Links between the pages lead somewhere: to files that are there and, in
// pages, to headings that they have.
#include <gtest/gtest.h>

#include <test_paths.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace
{
const fs::path root = DELASSUS_SOURCE_DIR;

std::string read(const fs::path &file)
{
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// All pages of the project's own.
std::vector<fs::path> pages()
{
  std::vector<fs::path> result;
  for (const char *folder : { "", "doc" })
    for (const auto &entry : fs::directory_iterator(root / folder))
      if (entry.path().extension() == ".md")
        result.push_back(entry.path());
  return result;
}

/// Code, in which brackets are no links, taken out.
std::string without_code(std::string text)
{
  text = std::regex_replace(text, std::regex("```[^`]*```"), "");
  return std::regex_replace(text, std::regex("`[^`\n]*`"), "");
}

/// The anchors of the headings of a page, as GitHub makes them: lower case,
/// blanks as hyphens, no punctuation.
std::set<std::string> anchors(const fs::path &page)
{
  std::set<std::string> result;
  std::istringstream in(read(page));
  std::string line;
  bool in_code = false;
  while (std::getline(in, line))
  {
    if (line.rfind("```", 0) == 0)
      in_code = !in_code;
    const auto begin = line.find_first_not_of('#');
    if (in_code || begin == 0 || begin == std::string::npos ||
        line[begin] != ' ')
      continue;
    std::string anchor;
    for (const unsigned char c : line.substr(begin + 1))
      if (std::isalnum(c) || c == '_' || c == '-' || c >= 128)
        anchor += std::tolower(c);
      else if (c == ' ')
        anchor += '-';
    result.insert(anchor);
  }
  return result;
}

TEST(Links, LeadSomewhere)
{
  const std::regex link(R"(\]\(([^)\s]+)\))");
  unsigned int n = 0;
  for (const auto &page : pages())
  {
    const std::string text = without_code(read(page));
    for (std::sregex_iterator i(text.begin(), text.end(), link), end; i != end;
         ++i)
    {
      const std::string target = (*i)[1];
      if (target.rfind("http", 0) == 0)
        continue;
      ++n;
      const auto hash        = target.find('#');
      const std::string name = target.substr(0, hash);
      const fs::path file    = name.empty() ? page : page.parent_path() / name;
      EXPECT_TRUE(fs::exists(file)) << page << ": " << target;
      if (hash != std::string::npos && fs::exists(file))
      {
        EXPECT_EQ(anchors(file).count(target.substr(hash + 1)), 1u)
            << page << ": " << target;
      }
    }
  }
  EXPECT_GT(n, 50u);
}

TEST(Links, EveryPageIsInTheReadme)
{
  const std::string readme = read(root / "README.md");
  for (const auto &page : pages())
    if (page.filename() != "README.md")
    {
      EXPECT_NE(readme.find("(" + fs::relative(page, root).string() + ")"),
                std::string::npos)
          << page;
    }
}
} // namespace

#include <delassus/base/exceptions.h>
#include <delassus/base/input_text.h>
#include <delassus/mesh/script_check.h>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace delassus
{
namespace
{
/// Lines of a file that may hold binary data, of which only the end of a line
/// counts: at least its last @p kept bytes.
class Lines
{
public:
  explicit Lines(const std::string &file)
      : in(file, std::ios::binary)
  {
  }

  bool next(std::string &line)
  {
    line.clear();
    bool any = false;
    for (int c; (c = in.rdbuf()->sbumpc()) != std::char_traits<char>::eof();)
    {
      any = true;
      if (c == '\n')
        break;
      if (line.size() == 2 * kept)
        line.erase(0, kept);
      line += static_cast<char>(c);
    }
    number += any;
    line.erase(line.find_last_not_of(" \t\r") + 1);
    return any;
  }

  std::size_t number = 0;

private:
  static constexpr std::size_t kept = 4096;
  std::ifstream in;
};

bool is_name(const std::string &text)
{
  return !text.empty() && std::all_of(text.begin(),
                                      text.end(),
                                      [](const unsigned char c)
                                      { return std::isalnum(c) || c == '_'; });
}
} // namespace

void check_msh(const std::string &file, const std::string &where)
{
  expect_regular_file(file, where);
  Lines lines(file);
  std::string line;
  if (!lines.next(line) || line != "$MeshFormat")
    throw InputError(where + ": this is not a mesh of Gmsh: such a file begins "
                             "with '$MeshFormat'. (A script must be called "
                             ".geo.)");
  lines.next(line);
  std::istringstream words(line);
  std::string version, type, size;
  words >> version >> type >> size;
  static const std::set<std::string> versions = { "2", "2.0", "2.1", "2.2",
                                                  "4", "4.0", "4.1" };
  if (versions.count(version) == 0 || (type != "0" && type != "1"))
    throw InputError(fmt::format(
        "{}: line 2 does not name a version of Gmsh's format that this program "
        "reads: 2 to 2.2, 4 and 4.1 (Gmsh: Mesh.MshFileVersion = 4.1).",
        where));
  std::string open = "MeshFormat";
  while (lines.next(line))
  {
    if (!open.empty())
    {
      const std::string end = "$End" + open;
      // After binary data it need not begin a line.
      if (line.size() >= end.size() &&
          line.compare(line.size() - end.size(), end.size(), end) == 0)
        open.clear();
      continue;
    }
    if (line.empty())
      continue;
    open = line.substr(1);
    if (line[0] != '$' || !is_name(open) || open.rfind("End", 0) == 0)
      throw InputError(fmt::format(
          "{}: line {} stands outside '$Section' and '$EndSection', of which a "
          "mesh of Gmsh is made.",
          where,
          lines.number));
  }
  if (!open.empty())
    throw InputError(fmt::format(
        "{}: the file ends before '$End{}'.", where, open.substr(0, 60)));
}

void check_stl(const std::string &file, const std::string &where)
{
  expect_regular_file(file, where);
  std::ifstream in(file, std::ios::binary);
  char head[84] = {};
  in.read(head, sizeof(head));
  const std::streamsize n = in.gcount();
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (n == sizeof(head) && !error)
  {
    std::uint32_t n_triangles = 0;
    std::memcpy(&n_triangles, head + 80, sizeof(n_triangles));
    if (size == 84 + 50 * static_cast<std::uintmax_t>(n_triangles))
      return;
  }
  const std::string begin(head, static_cast<std::size_t>(n));
  const auto first = begin.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && begin.compare(first, 5, "solid") == 0)
    return;
  throw InputError(where +
                   ": this is not an .stl file: such a file begins with "
                   "'solid', or is binary and as long as its number of "
                   "triangles says.");
}
} // namespace delassus

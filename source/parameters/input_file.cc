#include <delassus/base/exceptions.h>
#include <delassus/base/input_text.h>
#include <delassus/base/text.h>
#include <delassus/parameters/input_file.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace delassus
{
namespace
{
/// Throws InputError if there is a byte that is not UTF-8, or a control
/// character: names and titles go into result files that have none.
void expect_text(const std::string &text, const std::string &file)
{
  const std::size_t bad = find_bad_byte(text);
  if (bad == std::string::npos)
    return;
  const auto begin = text.begin();
  const auto line  = 1 + std::count(begin, begin + bad, '\n');
  const auto first =
      bad == 0 ? std::string::npos : text.find_last_of('\n', bad - 1);
  const auto byte = static_cast<unsigned char>(text[bad]);
  throw InputError(fmt::format(
      "{}:{}: byte {} of the line, 0x{:02X}, is {}.",
      file,
      line,
      first == std::string::npos ? bad + 1 : bad - first,
      byte,
      byte < 0x80
          ? "a control character, which a parameter file does not have"
          : "not UTF-8. Save the file as UTF-8 (iconv -f latin1 -t utf8)"));
}

/// The text of a parameter file; @p n_read, the bytes of all files that belong
/// to the run so far, grows by its size.
std::string read_text(const std::string &file,
                      const std::string &asked_by,
                      std::size_t &n_read)
{
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::exists(file, error))
  {
    std::vector<std::string> there;
    const fs::path folder = fs::path(file).parent_path().empty()
                                ? fs::path(".")
                                : fs::path(file).parent_path();
    if (fs::is_directory(folder, error))
      for (const auto &f : fs::directory_iterator(folder, error))
        if (f.path().extension() == ".prm" || f.path().extension() == ".json")
          there.push_back(f.path().filename().string());
    std::sort(there.begin(), there.end());
    throw InputError(
        fmt::format("{}parameter file '{}' does not exist.{}",
                    asked_by,
                    file,
                    suggest_name(fs::path(file).filename().string(), there)));
  }
  if (fs::is_directory(file, error))
    throw InputError(fmt::format(
        "{}'{}' is a directory; a parameter file (.prm or .json) is wanted.",
        asked_by,
        file));
  std::string text =
      read_regular_file(file,
                        fmt::format("{}parameter file '{}'", asked_by, file),
                        largest_input);
  n_read += text.size();
  if (n_read > largest_input)
    throw InputError(fmt::format(
        "{}parameter file '{}': with the files included it has more than "
        "{:.4g} MB, which is more than they may have together.",
        asked_by,
        file,
        largest_input / 1048576.));
  expect_text(text, file);
  return text;
}

/// Whether the file is a parameter file, by its name: others are not read, and
/// so none of their lines is quoted.
void expect_ending(const std::string &file)
{
  const std::string extension = std::filesystem::path(file).extension();
  if (extension != ".prm" && extension != ".json")
    throw InputError(fmt::format(
        "parameter file '{}' ends in '{}'; allowed: .prm and .json.",
        file,
        extension));
}

std::string trim(const std::string &s)
{
  const auto begin = s.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos)
    return "";
  return s.substr(begin, s.find_last_not_of(" \t\r\n") - begin + 1);
}

/// Reader of the .prm syntax; one object per file, includes are read by
/// another object that starts in the same section.
class PrmParser
{
public:
  PrmParser(std::vector<InputEntry> &entries,
            std::vector<std::string> files,
            std::size_t &n_read)
      : entries(entries)
      , files(std::move(files))
      , n_read(n_read)
  {
  }

  void parse(const std::string &text,
             const std::vector<std::string> &outer_section)
  {
    section = outer_section;
    std::istringstream in(text);
    std::string line, logical;
    unsigned int number = 0, first = 0;
    while (std::getline(in, line))
    {
      ++number;
      if (number == 1 && line.rfind("\xEF\xBB\xBF", 0) == 0)
        line.erase(0, 3);
      line = trim(line.substr(0, line.find('#')));
      if (logical.empty())
        first = number;
      const bool goes_on = !line.empty() && line.back() == '\\';
      if (goes_on)
        line = trim(line.substr(0, line.size() - 1));
      logical += (logical.empty() || line.empty() ? "" : " ") + line;
      if (goes_on)
        continue;
      if (!logical.empty())
        parse_line(logical, first, outer_section.size());
      logical.clear();
    }
    if (!logical.empty())
      parse_line(logical, first, outer_section.size());
    if (section.size() > outer_section.size())
      throw InputError(fmt::format(
          "{}:{}: subsection '{}', opened here, has no 'end' before the end of "
          "the file.",
          files.back(),
          opened.back(),
          join_path(section)));
  }

private:
  [[noreturn]] void fail(const unsigned int line, const std::string &what) const
  {
    throw InputError(fmt::format(
        "{}:{}: {}{}",
        files.back(),
        line,
        section.empty() ? "" : "in section '" + join_path(section) + "': ",
        what));
  }

  void parse_line(const std::string &line,
                  const unsigned int number,
                  const std::size_t outer_depth)
  {
    const auto blank          = line.find_first_of(" \t");
    const std::string keyword = lower_case(line.substr(0, blank));
    const std::string rest =
        blank == std::string::npos ? "" : trim(line.substr(blank));

    InputOrigin origin;
    origin.file = files.back();
    origin.line = number;
    origin.included_by.assign(files.begin(), files.end() - 1);

    if (keyword == "subsection")
    {
      if (rest.empty())
        fail(number, "'subsection' without a name.");
      if (section.size() == deepest_section)
        fail(number,
             fmt::format("sections inside sections, more than {} deep.",
                         deepest_section));
      section.push_back(condense_blanks(rest));
      opened.push_back(number);
      entries.push_back({ section, "", "", {}, origin });
    }
    else if (keyword == "end")
    {
      if (!rest.empty())
        fail(number,
             fmt::format("'end' stands alone on its line, found '{}'.", line));
      if (section.size() == outer_depth)
        fail(number, "'end' without a 'subsection'.");
      section.pop_back();
      opened.pop_back();
    }
    else if (keyword == "set")
    {
      const auto equal = rest.find('=');
      if (equal == std::string::npos)
        fail(number,
             fmt::format("'{}' has no '='; write 'set Name = value'.", line));
      const std::string name = condense_blanks(rest.substr(0, equal));
      if (name.empty())
        fail(number, fmt::format("'{}' has no name before the '='.", line));
      entries.push_back(
          { section, name, trim(rest.substr(equal + 1)), {}, origin });
    }
    else if (keyword == "include")
      include(rest, number);
    else
    {
      // Quoted only if it looks like a line of a parameter file.
      const std::vector<std::string> keywords = {
        "set", "subsection", "end", "include"
      };
      const bool near = !nearest_name(keyword, keywords).empty();
      fail(number,
           fmt::format("{} is not understood; a line begins with 'set', "
                       "'subsection', 'end', 'include' or '#'.{}",
                       near ? "'" + line + "'" : "this line",
                       near ? suggest_name(keyword, keywords) : ""));
    }
  }

  void include(const std::string &name, const unsigned int number)
  {
    namespace fs = std::filesystem;
    if (name.empty())
      fail(number, "'include' without a file.");
    const std::string file = (fs::path(files.back()).parent_path() / name)
                                 .lexically_normal()
                                 .string();
    if (std::find(files.begin(), files.end(), file) != files.end())
      fail(number,
           fmt::format("'include {}' includes itself, directly or not.", name));
    if (fs::path(file).extension() != ".prm")
      fail(number,
           fmt::format("'include {}': only .prm files can be included.", name));
    if (files.size() == deepest_include)
      fail(number,
           fmt::format("'include {}': files that include files, more than {} "
                       "deep.",
                       name,
                       deepest_include));
    const std::string text = read_text(
        file, fmt::format("{}:{}: include: ", files.back(), number), n_read);
    auto inner_files = files;
    inner_files.push_back(file);
    PrmParser(entries, inner_files, n_read).parse(text, section);
  }

  std::vector<InputEntry> &entries;
  std::vector<std::string> files; ///< the file and those that include it
  std::vector<std::string> section;
  std::vector<unsigned int> opened; ///< lines of the open subsections
  std::size_t &n_read;              ///< bytes of all files
};
} // namespace

std::string InputOrigin::text() const
{
  if (!option.empty())
    return "--set \"" + option + "\"";
  return line == 0 ? file : fmt::format("{}:{}", file, line);
}

std::string condense_blanks(const std::string &s)
{
  std::istringstream in(s);
  std::string word, result;
  while (in >> word)
    result += (result.empty() ? "" : " ") + word;
  return result;
}

std::string join_path(const std::vector<std::string> &section)
{
  std::string path;
  for (const auto &name : section)
    path += (path.empty() ? "" : "/") + name;
  return path;
}

InputEntry parse_override(const std::string &option)
{
  const std::size_t bad = find_bad_byte(option);
  if (bad != std::string::npos)
    throw InputError(fmt::format("--set \"{}\": byte {} is not UTF-8.",
                                 escape_bad_bytes(option),
                                 bad + 1));
  const auto equal = option.find('=');
  InputEntry entry;
  entry.origin.option = option;
  if (equal == std::string::npos)
    throw InputError(fmt::format(
        "--set \"{}\" has no '='; write --set \"Section/Name=value\", "
        "for instance --set \"Time/Step=1e-4\".",
        option));
  std::istringstream path(option.substr(0, equal));
  std::string part;
  while (std::getline(path, part, '/'))
    entry.section.push_back(condense_blanks(part));
  if (entry.section.empty() ||
      std::any_of(entry.section.begin(),
                  entry.section.end(),
                  [](const std::string &s) { return s.empty(); }) ||
      option[equal == 0 ? 0 : equal - 1] == '/')
    throw InputError(fmt::format(
        "--set \"{}\" has an empty name before the '='; write --set "
        "\"Section/Name=value\".",
        option));
  entry.name = entry.section.back();
  entry.section.pop_back();
  entry.value = trim(option.substr(equal + 1));
  return entry;
}

InputFile read_input_file(const std::string &file)
{
  InputFile input;
  std::size_t n_read = 0;
  std::error_code error;
  if (!std::filesystem::is_directory(file, error))
    expect_ending(file);
  input.text = read_text(file, "", n_read);
  if (std::filesystem::path(file).extension() == ".json")
    input.entries = parse_json(input.text, file);
  else
    PrmParser(input.entries, { file }, n_read).parse(input.text, {});
  return input;
}
} // namespace delassus

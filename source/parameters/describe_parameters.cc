#include <delassus/base/exceptions.h>
#include <delassus/parameters/read_parameters.h>
#include <delassus/parameters/sections.h>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>

namespace delassus
{
namespace
{
std::string lower(std::string s)
{
  std::transform(s.begin(),
                 s.end(),
                 s.begin(),
                 [](unsigned char c)
                 { return static_cast<char>(std::tolower(c)); });
  return s;
}

/// @p text in lines of at most 78 characters that begin with @p indent.
std::string wrap(const std::string &text, const std::string &indent)
{
  std::istringstream in(text);
  std::string word, line, result;
  while (in >> word)
  {
    if (!line.empty() && indent.size() + line.size() + 1 + word.size() > 78)
    {
      result += indent + line + '\n';
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return line.empty() ? result : result + indent + line + '\n';
}

void describe(std::ostream &out,
              const SectionDeclaration &section,
              const std::string &indent)
{
  const bool is_top = section.kind.empty();
  std::string inner = indent;
  if (is_top)
    out << "# " << section.documentation << '\n';
  else
  {
    out << indent << "subsection " << section.kind
        << (section.named ? " NAME" : "") << '\n';
    inner += "  ";
    out << wrap(section.documentation, inner + "# ");
  }
  for (const auto &entry : section.entries)
  {
    out << '\n'
        << wrap(entry.documentation, inner + "# ")
        << wrap("Allowed: " + entry.allowed +
                    (entry.unit.empty() ? "" : ". Unit: " + entry.unit) + ".",
                inner + "# ");
    std::string line =
        fmt::format("{}set {} = {}", inner, entry.name, entry.default_value);
    line.erase(line.find_last_not_of(' ') + 1);
    out << line;
    if (entry.default_value.empty())
      out << "  # " << entry.default_text;
    out << '\n';
  }
  for (const auto &subsection : section.subsections)
  {
    out << '\n';
    describe(out, subsection, inner);
  }
  if (!is_top)
    out << indent << "end\n";
}
} // namespace

std::string describe_parameters(const std::string &section)
{
  std::ostringstream out;
  const std::string wanted = lower(condense_blanks(section));
  if (wanted.empty())
  {
    describe(out, TopLevel::declaration(), "");
    for (const auto &declaration : section_declarations())
    {
      out << '\n';
      describe(out, declaration, "");
    }
    return out.str();
  }
  std::vector<std::string> known;
  for (const auto &declaration : section_declarations())
  {
    known.push_back(declaration.kind);
    if (lower(declaration.kind) == wanted)
    {
      describe(out, declaration, "");
      return out.str();
    }
    for (const auto &inner : declaration.subsections)
    {
      known.push_back(declaration.kind + "/" + inner.kind);
      if (lower(inner.kind) == wanted || lower(known.back()) == wanted)
      {
        describe(out, inner, "");
        return out.str();
      }
    }
  }
  throw InputError(fmt::format(
      "there is no section '{}'.{}", section, suggest_name(section, known)));
}
} // namespace delassus

#include <delassus/base/exceptions.h>
#include <delassus/base/text.h>
#include <delassus/parameters/read_parameters.h>
#include <delassus/parameters/sections.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

namespace delassus
{
namespace
{
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
/// As suggest_name(), where a part of a section's name is enough: "contact" is
/// near 'Contact law' and 'Contact solver'.
std::string suggest_sections(const std::string &wanted,
                             const std::vector<std::string> &known)
{
  std::multimap<std::string, std::string> sections; // by each part
  std::vector<std::string> parts;
  for (const auto &name : known)
  {
    std::set<std::string> of_name{ lower_case(name) };
    std::string words = lower_case(name);
    std::replace(words.begin(), words.end(), '/', ' ');
    std::istringstream in(words);
    for (std::string word; in >> word;)
      of_name.insert(word);
    for (const auto &part : of_name)
    {
      sections.emplace(part, name);
      parts.push_back(part);
    }
  }
  // "Body wall" asks for 'Body': all that was said, or else its first word.
  std::string near = nearest_name(wanted, parts);
  if (near.empty())
    near = nearest_name(wanted.substr(0, wanted.find_first_of(" /")), parts);
  if (near.empty())
    return suggest_name(wanted, known);
  std::string text;
  const auto range = sections.equal_range(near);
  for (auto section = range.first; section != range.second; ++section)
    text +=
        (text.empty() ? " Did you mean '" : " or '") + section->second + "'";
  return text + "?";
}
} // namespace

std::string describe_parameters(const std::string &section)
{
  std::ostringstream out;
  const std::string wanted = lower_case(condense_blanks(section));
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
  std::vector<std::string> known; // kinds, or paths of inner sections
  for (const auto &declaration : section_declarations())
  {
    known.push_back(declaration.kind);
    if (lower_case(declaration.kind) == wanted)
    {
      describe(out, declaration, "");
      return out.str();
    }
    for (const auto &inner : declaration.subsections)
    {
      known.push_back(declaration.kind + "/" + inner.kind);
      if (lower_case(inner.kind) == wanted ||
          lower_case(known.back()) == wanted)
      {
        describe(out, inner, "");
        return out.str();
      }
    }
  }
  throw InputError(fmt::format(
      "there is no section '{}'.{}", section, suggest_sections(wanted, known)));
}
} // namespace delassus

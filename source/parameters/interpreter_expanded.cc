// What a file says, with all that it leaves to defaults.
#include <delassus/parameters/interpreter.h>

#include <fmt/format.h>

#include <functional>
#include <sstream>

namespace delassus
{
std::string Interpreter::expanded() const
{
  std::ostringstream out;
  print_entries(out, top, {}, "");
  for (const auto &section : section_declarations())
    for (const auto &name : instances(section))
      print_section(out, section, { name }, "");
  return out.str();
}

std::map<std::string, std::string> Interpreter::effective() const
{
  std::map<std::string, std::string> result;
  const std::function<void(const SectionDeclaration &,
                           const std::vector<std::string> &)>
      add = [&](const auto &section, const auto &path)
  {
    for (const auto &entry : section.entries)
    {
      const std::string full =
          path.empty() ? entry.name : join_path(path) + "/" + entry.name;
      if (values.meaningless.count(full) == 0)
        result[full] = values.prm.get(path, entry.name);
    }
    for (const auto &inner : section.subsections)
    {
      auto inner_path = path;
      inner_path.push_back(inner.kind);
      add(inner, inner_path);
    }
  };
  add(top, {});
  for (const auto &section : section_declarations())
    for (const auto &name : instances(section))
      add(section, { name });
  return result;
}

void Interpreter::print_section(std::ostream &out,
                                const SectionDeclaration &section,
                                const std::vector<std::string> &path,
                                const std::string &indent) const
{
  out << '\n' << indent << "subsection " << path.back() << '\n';
  print_entries(out, section, path, indent + "  ");
  for (const auto &inner : section.subsections)
  {
    auto inner_path = path;
    inner_path.push_back(inner.kind);
    print_section(out, inner, inner_path, indent + "  ");
  }
  out << indent << "end\n";
}

void Interpreter::print_entries(std::ostream &out,
                                const SectionDeclaration &section,
                                const std::vector<std::string> &path,
                                const std::string &indent) const
{
  std::size_t width = 0;
  for (const auto &entry : section.entries)
    width = std::max(width, entry.name.size());
  for (const auto &entry : section.entries)
  {
    const std::string full =
        path.empty() ? entry.name : join_path(path) + "/" + entry.name;
    const std::string value = values.prm.get(path, entry.name);
    const bool unused       = values.meaningless.count(full) > 0;
    std::string line        = fmt::format("{}{}set {:{}} = {}",
                                   indent,
                                   unused ? "# " : "",
                                   entry.name,
                                   width,
                                   value);
    line.erase(line.find_last_not_of(' ') + 1);
    if (unused)
      line += "  (without effect here)";
    else if (values.origins.count(full) == 0)
      line += "  # default" + (value.empty() && !entry.default_text.empty()
                                   ? ": " + entry.default_text
                                   : "");
    out << line << '\n';
  }
}
} // namespace delassus

#include <delassus/base/exceptions.h>
#include <delassus/base/input_text.h>
#include <delassus/parameters/interpreter.h>

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>

namespace delassus
{
namespace
{
/// Of one kind; each has dozens of entries.
constexpr std::size_t most_sections = 10000;

/// The command line replaces what files say, and a file replaces what the
/// files it includes say.
bool may_replace(const InputOrigin &now, const InputOrigin &before)
{
  if (!before.option.empty())
    return false;
  if (!now.option.empty())
    return true;
  return std::find(before.included_by.begin(),
                   before.included_by.end(),
                   now.file) != before.included_by.end();
}

std::string suggest_entry(const SectionDeclaration &section,
                          const std::string &name)
{
  const std::vector<std::string> known = section.entry_names();
  if (!nearest_name(name, known).empty())
    return suggest_name(name, known);
  for (const auto &other : section_declarations())
  {
    if (other.find_entry(name) != nullptr)
      return fmt::format(" It belongs to section '{}'.",
                         other.kind + (other.named ? " NAME" : ""));
    for (const auto &inner : other.subsections)
      if (inner.find_entry(name) != nullptr)
        return fmt::format(" It belongs to section '{}/{}'.",
                           other.kind + (other.named ? " NAME" : ""),
                           inner.kind);
  }
  return suggest_name(name, known);
}

std::string suggest_choice(const EntryDeclaration &entry,
                           const std::string &value)
{
  if (entry.choices.empty())
    return "";
  std::istringstream items(value);
  std::string item;
  while (std::getline(items, item, entry.separator))
  {
    item = condense_blanks(item);
    if (std::find(entry.choices.begin(), entry.choices.end(), item) ==
            entry.choices.end() &&
        !nearest_name(item, entry.choices).empty())
      return suggest_name(item, entry.choices);
  }
  return "";
}
} // namespace

Interpreter::Interpreter(const InputFile &input,
                         const std::string &file,
                         const std::vector<RenamedEntry> &renamed)
    : entries(input.entries)
    , renamed(renamed)
    , top(TopLevel::declaration())
{
  values.file              = file;
  values.sections[""].file = file;
  for (const auto &section : section_declarations())
    if (section.named)
      names[section.kind] = {};
}

void Interpreter::add_overrides(const std::vector<std::string> &overrides)
{
  for (const auto &option : overrides)
    entries.push_back(parse_override(option));
}

Parameters Interpreter::interpret()
{
  find_sections();
  declare();
  for (const auto &entry : entries)
    if (!entry.name.empty() && !hopeless())
      set(entry);
  order_names();
  values.throw_if_wrong();
  Parameters parameters = parse();
  values.throw_if_wrong();
  return parameters;
}

std::vector<std::string>
Interpreter::instances(const SectionDeclaration &section) const
{
  if (!section.named)
    return { section.kind };
  std::vector<std::string> result;
  for (const auto &name : names.at(section.kind))
    result.push_back(section.kind + " " + name);
  return result;
}

const SectionDeclaration *
Interpreter::find_declaration(const std::vector<std::string> &path) const
{
  const SectionDeclaration *found = &top;
  for (std::size_t level = 0; level < path.size(); ++level)
  {
    const auto &candidates =
        level == 0 ? section_declarations() : found->subsections;
    found = nullptr;
    for (const auto &section : candidates)
      if (section.named ? path[level].rfind(section.kind + " ", 0) == 0
                        : path[level] == section.kind)
        found = &section;
    if (found == nullptr)
      return nullptr;
  }
  return found;
}

std::string Interpreter::unknown_section(const InputEntry &entry,
                                         const std::size_t level) const
{
  const std::string &wrong = entry.section[level];
  std::vector<std::string> known;
  if (level == 0)
    for (const auto &section : section_declarations())
    {
      if (!section.named)
      {
        known.push_back(section.kind);
        continue;
      }
      if (wrong == section.kind)
        return fmt::format("{}: section '{}' needs a name: 'subsection {} "
                           "NAME'.",
                           entry.origin.text(),
                           wrong,
                           wrong);
      if (!entry.origin.option.empty())
      {
        for (const auto &name : instances(section))
          known.push_back(name);
        continue;
      }
      // The name stays as it was written, the kind may be misspelt.
      const auto n_words =
          1 + std::count(section.kind.begin(), section.kind.end(), ' ');
      std::size_t name = 0;
      for (long i = 0; i < n_words && name != std::string::npos; ++i)
        name = wrong.find(' ', name == 0 ? 0 : name + 1);
      known.push_back(section.kind + (name == std::string::npos
                                          ? " NAME"
                                          : wrong.substr(name)));
    }
  else
    for (const auto &section :
         find_declaration(
             { entry.section.begin(), entry.section.begin() + level })
             ->subsections)
      known.push_back(section.kind);
  return fmt::format(
      "{}: unknown section '{}'.{}",
      entry.origin.text(),
      join_path({ entry.section.begin(), entry.section.begin() + level + 1 }),
      known.empty() ? " There are no subsections here."
                    : suggest_name(wrong, known));
}

void Interpreter::find_sections()
{
  std::set<std::string> complained;
  for (const auto &entry : entries)
  {
    if (hopeless())
      values.throw_if_wrong();
    const bool from_file = entry.origin.option.empty();
    for (std::size_t level = 0; level < entry.section.size(); ++level)
    {
      const std::vector<std::string> path(entry.section.begin(),
                                          entry.section.begin() + level + 1);
      const auto *section = find_declaration(path);
      if (section == nullptr || (!from_file && section->named &&
                                 values.sections.count(join_path(path)) == 0))
      {
        if (complained.insert(join_path(path)).second)
          values.errors.push_back(unknown_section(entry, level));
        break;
      }
      if (values.sections.emplace(join_path(path), entry.origin).second &&
          section->named)
        add_name(*section, path.back(), entry.origin);
    }
  }
}

void Interpreter::add_name(const SectionDeclaration &section,
                           const std::string &full_name,
                           const InputOrigin &origin)
{
  const std::string name = full_name.substr(section.kind.size() + 1);
  if (name.find_first_of("/,;=\"") != std::string::npos)
    values.errors.push_back(
        fmt::format("{}: section '{}': the name '{}' holds one of / , ; = \", "
                    "which are not allowed in names.",
                    origin.text(),
                    full_name,
                    name));
  if (names[section.kind].size() == most_sections)
    throw InputError(fmt::format(
        "{}: section '{}': there are more than {} sections '{} NAME'.",
        origin.text(),
        full_name,
        most_sections,
        section.kind));
  names[section.kind].push_back(name);
}

void Interpreter::declare()
{
  declare_entries(top);
  for (const auto &section : section_declarations())
    for (const auto &name : instances(section))
      declare_section(section, name);
}

void Interpreter::declare_section(const SectionDeclaration &section,
                                  const std::string &name)
{
  values.prm.enter_subsection(name);
  declare_entries(section);
  for (const auto &inner : section.subsections)
    declare_section(inner, inner.kind);
  values.prm.leave_subsection();
}

void Interpreter::declare_entries(const SectionDeclaration &section)
{
  for (const auto &entry : section.entries)
    values.prm.declare_entry(
        entry.name, entry.default_value, *entry.pattern, entry.documentation);
}

std::string Interpreter::kind_path(const std::vector<std::string> &path) const
{
  std::vector<std::string> kinds;
  for (std::size_t level = 0; level < path.size(); ++level)
    kinds.push_back(
        find_declaration({ path.begin(), path.begin() + level + 1 })->kind);
  return join_path(kinds);
}

void Interpreter::set(const InputEntry &entry)
{
  const SectionDeclaration *section = find_declaration(entry.section);
  const std::string path            = join_path(entry.section);
  if (section == nullptr || values.sections.count(path) == 0)
    return; // an error of its own

  std::string name = entry.name;
  for (const auto &change : renamed)
    if (change.old_name == name && change.section == kind_path(entry.section))
    {
      values.warnings.push_back(entry_message(
          entry.origin,
          path,
          entry.name,
          entry.value,
          fmt::format("the entry is now called '{}'; please rename it.",
                      change.new_name)));
      name = change.new_name;
    }

  const EntryDeclaration *declaration = section->find_entry(name);
  if (declaration == nullptr)
  {
    values.errors.push_back(
        entry_message(entry.origin,
                      path,
                      entry.name,
                      entry.value,
                      "unknown entry." + suggest_entry(*section, entry.name)));
    return;
  }

  std::string value = entry.value;
  if (!entry.items.empty() && declaration->separator != ',')
  {
    value.clear();
    for (const auto &item : entry.items)
      value +=
          (value.empty() ? "" : std::string(1, declaration->separator) + " ") +
          item;
  }
  if (!declaration->choices.empty())
    value = condense_blanks(value);
  const std::string full = path.empty() ? name : path + "/" + name;
  const auto before      = values.origins.find(full);
  if (value.empty() && before == values.origins.end())
    return; // as if not given
  if (before != values.origins.end() &&
      !may_replace(entry.origin, before->second))
  {
    values.errors.push_back(entry_message(
        entry.origin,
        path,
        entry.name,
        entry.value,
        fmt::format("contradictory settings: the entry was given before, at "
                    "{}; allowed: once.",
                    before->second.text())));
    return;
  }
  values.origins[full] = entry.origin;
  if (value.empty())
  {
    // What an included file or the file says is taken back.
    values.origins.erase(full);
    value = declaration->default_value;
  }
  else if (!declaration->pattern->match(value))
  {
    values.errors.push_back(
        entry_message(entry.origin,
                      path,
                      entry.name,
                      entry.value,
                      fmt::format("not allowed; allowed: {}.{}",
                                  declaration->allowed,
                                  suggest_choice(*declaration, value))));
    return;
  }
  for (const auto &s : entry.section)
    values.prm.enter_subsection(s);
  values.prm.set(name, value);
  for (std::size_t i = 0; i < entry.section.size(); ++i)
    values.prm.leave_subsection();
}

void Interpreter::order_names()
{
  const SectionReader reader(values, top, {});
  for (const auto &section : section_declarations())
  {
    if (!section.named)
      continue;
    auto &found = names[section.kind];
    if (reader.given(section.list))
    {
      auto listed = reader.list(section.list);
      for (const auto &name : listed)
      {
        if (std::count(listed.begin(), listed.end(), name) > 1)
        {
          reader.error(section.list, fmt::format("'{}' is given twice.", name));
          return;
        }
        if (std::find(found.begin(), found.end(), name) == found.end())
          reader.error(section.list,
                       fmt::format("there is no 'subsection {} {}'.{}",
                                   section.kind,
                                   name,
                                   suggest_name(name, found)));
      }
      for (const auto &name : found)
        if (std::find(listed.begin(), listed.end(), name) == listed.end())
          reader.error(
              section.list,
              fmt::format(
                  "contradictory settings: 'subsection "
                  "{} {}' exists ({}) but is not listed; "
                  "list all names or give no list.",
                  section.kind,
                  name,
                  values.sections.at(section.kind + " " + name).text()));
      found = listed;
    }
    std::string list;
    for (const auto &name : found)
      list += (list.empty() ? "" : ", ") + name;
    reader.replace(section.list, list);
  }
}
} // namespace delassus

#include <delassus/base/exceptions.h>
#include <delassus/parameters/expressions.h>
#include <delassus/parameters/section_reader.h>

#include <deal.II/base/utilities.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace delassus
{
namespace
{
/// A text that has matched the pattern of a number. deal.II's own conversion
/// throws for numbers too small to be normal.
double to_number(const std::string &text)
{
  return std::strtod(text.c_str(), nullptr);
}
} // namespace

std::string entry_place(const InputOrigin &origin,
                        const std::string &section,
                        const std::string &entry,
                        const std::string &value)
{
  return fmt::format("{}: {}, entry '{}' = '{}'",
                     origin.text(),
                     section.empty() ? "top level"
                                     : "section '" + section + "'",
                     entry,
                     value);
}

std::string entry_message(const InputOrigin &origin,
                          const std::string &section,
                          const std::string &entry,
                          const std::string &value,
                          const std::string &what)
{
  return entry_place(origin, section, entry, value) + ": " + what;
}

void ParameterValues::throw_if_wrong() const
{
  if (errors.empty())
    return;
  if (errors.size() == 1)
    throw InputError(errors.front());
  constexpr std::size_t most = 20;
  std::string message =
      fmt::format("{} mistakes in the parameters:", errors.size());
  for (std::size_t i = 0; i < std::min(errors.size(), most); ++i)
    message += "\n  " + errors[i];
  if (errors.size() > most)
    message += fmt::format("\n  and {} more.", errors.size() - most);
  throw InputError(message);
}

SectionReader::SectionReader(ParameterValues &values,
                             const SectionDeclaration &declaration,
                             const std::vector<std::string> &path)
    : values(values)
    , declaration(declaration)
    , path(path)
{
}

SectionReader SectionReader::subsection(const std::string &name) const
{
  auto inner = path;
  inner.push_back(name);
  for (const auto &section : declaration.subsections)
    if (section.kind == name)
      return SectionReader(values, section, inner);
  AssertThrow(false, dealii::ExcMessage("no subsection '" + name + "'"));
  return *this;
}

std::string SectionReader::name() const
{
  return declaration.named ? path.back().substr(declaration.kind.size() + 1)
                           : path.back();
}

std::string SectionReader::entry_path(const std::string &entry) const
{
  return path.empty() ? entry : join_path(path) + "/" + entry;
}

bool SectionReader::given(const std::string &entry) const
{
  return values.origins.count(entry_path(entry)) > 0 && !text(entry).empty();
}

const InputOrigin &SectionReader::origin(const std::string &entry) const
{
  const auto found = values.origins.find(entry_path(entry));
  if (found != values.origins.end())
    return found->second;
  for (auto section = path; !section.empty(); section.pop_back())
  {
    const auto opening = values.sections.find(join_path(section));
    if (opening != values.sections.end())
      return opening->second;
  }
  return values.sections.at("");
}

bool SectionReader::require(const std::string &entry,
                            const std::string &why) const
{
  if (!text(entry).empty())
    return true;
  error(entry,
        fmt::format("it must be given{}.{}",
                    why.empty() ? "" : " " + why,
                    " Allowed: " + declaration.entry(entry).allowed + "."));
  return false;
}

void SectionReader::forbid(const std::string &entry,
                           const std::string &why) const
{
  values.meaningless.insert(entry_path(entry));
  if (given(entry))
    error(entry, "contradictory settings: " + why + ".");
}

void SectionReader::error(const std::string &entry,
                          const std::string &what) const
{
  values.errors.push_back(where(entry) + ": " + what);
}

std::string SectionReader::where(const std::string &entry) const
{
  return entry_place(origin(entry), join_path(path), entry, text(entry));
}

void SectionReader::add_origins(std::map<std::string, std::string> &origins,
                                const std::string &prefix) const
{
  for (const auto &entry : declaration.entries)
    origins[prefix + entry.name] = where(entry.name);
  for (const auto &inner : declaration.subsections)
    subsection(inner.kind).add_origins(origins, prefix + inner.kind + "/");
}

void SectionReader::section_error(const std::string &what) const
{
  values.errors.push_back(fmt::format(
      "{}: {}: {}",
      origin("").text(),
      path.empty() ? "top level" : "section '" + join_path(path) + "'",
      what));
}

void SectionReader::warn(const std::string &what) const
{
  values.warnings.push_back(fmt::format(
      "{}: {}: {}",
      origin("").text(),
      path.empty() ? "top level" : "section '" + join_path(path) + "'",
      what));
}

std::string SectionReader::text(const std::string &entry) const
{
  declaration.entry(entry);
  return values.prm.get(path, entry);
}

double SectionReader::number(const std::string &entry) const
{
  const std::string value = text(entry);
  return value.empty() ? 0. : to_number(value);
}

unsigned int SectionReader::count(const std::string &entry) const
{
  const std::string value = text(entry);
  return value.empty() ? 0 : dealii::Utilities::string_to_int(value);
}

bool SectionReader::flag(const std::string &entry) const
{
  const std::string value = text(entry);
  return value == "true" || value == "yes";
}

std::size_t SectionReader::choice_index(const std::string &entry,
                                        const std::string &value) const
{
  const auto &choices = declaration.entry(entry).choices;
  const auto found    = std::find(choices.begin(), choices.end(), value);
  AssertThrow(found != choices.end(), dealii::ExcInternalError());
  return found - choices.begin();
}

std::vector<std::string> SectionReader::list(const std::string &entry) const
{
  const std::string value = text(entry);
  if (value.empty())
    return {};
  auto items = dealii::Utilities::split_string_list(
      value, declaration.entry(entry).separator);
  for (auto &item : items)
    item = condense_blanks(item);
  return items;
}

std::vector<double> SectionReader::numbers(const std::string &entry) const
{
  std::vector<double> result;
  for (const auto &item : list(entry))
    result.push_back(to_number(item));
  return result;
}

std::vector<double> SectionReader::vector(const std::string &entry,
                                          const unsigned int size) const
{
  const auto result = numbers(entry);
  if (!result.empty() && result.size() != size)
    error(entry,
          fmt::format("it has {} numbers; allowed: {}, one for each direction "
                      "in space (Dimension = {}).",
                      result.size(),
                      size,
                      size));
  return result;
}

std::map<std::string, double>
SectionReader::number_map(const std::string &entry) const
{
  std::map<std::string, double> result;
  for (const auto &item : list(entry))
  {
    const auto equal       = item.find('=');
    const std::string name = dealii::Utilities::trim(item.substr(0, equal));
    if (equal == std::string::npos || name.empty())
      error(entry, fmt::format("'{}' is not of the form name=number.", item));
    else if (!result.emplace(name, to_number(item.substr(equal + 1))).second)
      error(entry, fmt::format("'{}' is given twice.", name));
  }
  return result;
}

std::string SectionReader::expressions(const std::string &entry,
                                       const unsigned int n_expected,
                                       const std::string &variables) const
{
  const auto items = list(entry);
  if (items.empty())
    return "";
  std::string result;
  for (const auto &item : items)
  {
    const std::string wrong = expression_error(item, variables);
    if (!wrong.empty())
      error(entry,
            fmt::format("expression '{}' is not understood: {}. Allowed: "
                        "numbers, + - * / ^, functions, pi, and the "
                        "variables {}.",
                        item,
                        wrong,
                        variables));
    result += (result.empty() ? "" : "; ") + item;
  }
  if (items.size() != n_expected)
    error(entry,
          fmt::format("it has {} expression{}; allowed: {}, separated by ';'.",
                      items.size(),
                      items.size() == 1 ? "" : "s",
                      n_expected));
  return result;
}

void SectionReader::check_name(const std::string &entry,
                               const std::string &name,
                               const std::vector<std::string> &known,
                               const std::string &what) const
{
  if (std::find(known.begin(), known.end(), name) == known.end())
    error(entry,
          fmt::format("there is no {} '{}'.{}",
                      what,
                      name,
                      known.empty()
                          ? fmt::format(" The file has no {} at all.", what)
                          : suggest_name(name, known)));
}

void SectionReader::replace(const std::string &entry,
                            const std::string &value) const
{
  for (const auto &name : path)
    values.prm.enter_subsection(name);
  values.prm.set(entry, value);
  for (std::size_t i = 0; i < path.size(); ++i)
    values.prm.leave_subsection();
}
} // namespace delassus

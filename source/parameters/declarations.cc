#include <delassus/base/exceptions.h>
#include <delassus/parameters/declarations.h>

#include <deal.II/base/exceptions.h>

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace delassus
{
namespace
{
/// Anything that matches another pattern, or nothing at all: ParameterHandler
/// wants a default for every entry, and ours may have none.
class EmptyOr : public dealii::Patterns::PatternBase
{
public:
  explicit EmptyOr(const PatternBase &inner)
      : inner(inner.clone())
  {
  }

  bool match(const std::string &test_string) const override
  {
    return test_string.empty() || inner->match(test_string);
  }

  std::string description(const OutputStyle style) const override
  {
    return inner->description(style);
  }

  std::unique_ptr<PatternBase> clone() const override
  {
    return std::make_unique<EmptyOr>(*inner);
  }

private:
  std::unique_ptr<PatternBase> inner;
};

EntryDeclaration make(const std::string &name,
                      const std::string &default_value,
                      const std::string &unit,
                      const std::string &documentation,
                      const std::string &allowed,
                      const dealii::Patterns::PatternBase &pattern,
                      const std::vector<std::string> &choices = {},
                      const char separator                    = ',')
{
  EntryDeclaration entry;
  entry.name          = name;
  entry.default_value = default_value;
  entry.unit          = unit;
  entry.documentation = documentation;
  entry.allowed       = allowed;
  entry.choices       = choices;
  entry.separator     = separator;
  entry.default_text  = "nothing";
  entry.pattern       = std::make_shared<EmptyOr>(pattern);
  return entry;
}

std::string join(const std::vector<std::string> &words,
                 const std::string &separator)
{
  std::string result;
  for (const auto &word : words)
    result += (result.empty() ? "" : separator) + word;
  return result;
}
} // namespace

EntryDeclaration
EntryDeclaration::without_default(const std::string &meaning) const
{
  EntryDeclaration entry = *this;
  entry.default_text     = meaning;
  return entry;
}

const EntryDeclaration *
SectionDeclaration::find_entry(const std::string &name) const
{
  for (const auto &entry : entries)
    if (entry.name == name)
      return &entry;
  return nullptr;
}

const EntryDeclaration &SectionDeclaration::entry(const std::string &name) const
{
  const EntryDeclaration *found = find_entry(name);
  AssertThrow(found != nullptr,
              dealii::ExcMessage("entry '" + name + "' is not declared in '" +
                                 kind + "'"));
  return *found;
}

std::vector<std::string> SectionDeclaration::entry_names() const
{
  std::vector<std::string> result;
  for (const auto &entry : entries)
    result.push_back(entry.name);
  return result;
}

Range Range::any()
{
  constexpr double most = std::numeric_limits<double>::max();
  return { -most, most, "a number" };
}

Range Range::positive()
{
  return { std::numeric_limits<double>::denorm_min(),
           std::numeric_limits<double>::max(),
           "a number greater than 0" };
}

Range Range::nonnegative()
{
  return { 0., std::numeric_limits<double>::max(), "a number, 0 or greater" };
}

Range Range::closed(const double min, const double max)
{
  return { min, max, fmt::format("a number from {} to {}", min, max) };
}

Range Range::open(const double min, const double max)
{
  return { std::nextafter(min, max),
           std::nextafter(max, min),
           fmt::format("a number between {} and {}, both excluded", min, max) };
}

namespace declare
{
EntryDeclaration text(const std::string &name,
                      const std::string &default_value,
                      const std::string &allowed,
                      const std::string &documentation)
{
  return make(name,
              default_value,
              "",
              documentation,
              allowed,
              dealii::Patterns::Anything());
}

EntryDeclaration number(const std::string &name,
                        const std::string &default_value,
                        const Range &range,
                        const std::string &unit,
                        const std::string &documentation)
{
  return make(name,
              default_value,
              unit,
              documentation,
              range.text,
              dealii::Patterns::Double(range.min, range.max));
}

EntryDeclaration count(const std::string &name,
                       const std::string &default_value,
                       const unsigned int min,
                       const std::string &documentation)
{
  return make(name,
              default_value,
              "",
              documentation,
              fmt::format("a whole number, {} or greater", min),
              dealii::Patterns::Integer(min, std::numeric_limits<int>::max()));
}

EntryDeclaration flag(const std::string &name,
                      const bool default_value,
                      const std::string &documentation)
{
  return make(name,
              default_value ? "true" : "false",
              "",
              documentation,
              "true (yes) or false (no)",
              dealii::Patterns::Selection("true|false|yes|no"),
              { "true", "false", "yes", "no" });
}

EntryDeclaration choice(const std::string &name,
                        const std::string &default_value,
                        const std::vector<std::string> &choices,
                        const std::string &documentation)
{
  return make(name,
              default_value,
              "",
              documentation,
              "one of: " + join(choices, ", "),
              dealii::Patterns::Selection(join(choices, "|")),
              choices);
}

EntryDeclaration choices(const std::string &name,
                         const std::string &default_value,
                         const std::vector<std::string> &choices,
                         const std::string &documentation)
{
  return make(name,
              default_value,
              "",
              documentation,
              "one or several, separated by commas, of: " + join(choices, ", "),
              dealii::Patterns::MultipleSelection(join(choices, "|")),
              choices);
}

EntryDeclaration numbers(const std::string &name,
                         const Range &range,
                         const std::string &unit,
                         const std::string &documentation)
{
  return make(
      name,
      "",
      unit,
      documentation,
      "a list, separated by commas, each " + range.text,
      dealii::Patterns::List(dealii::Patterns::Double(range.min, range.max)));
}

EntryDeclaration counts(const std::string &name,
                        const unsigned int min,
                        const std::string &documentation)
{
  return make(
      name,
      "",
      "",
      documentation,
      fmt::format("a list, separated by commas, each a whole number, {} or "
                  "greater",
                  min),
      dealii::Patterns::List(
          dealii::Patterns::Integer(min, std::numeric_limits<int>::max())));
}

EntryDeclaration names(const std::string &name,
                       const std::string &documentation)
{
  return make(name,
              "",
              "",
              documentation,
              "a list of names, separated by commas",
              dealii::Patterns::Anything());
}

EntryDeclaration number_map(const std::string &name,
                            const std::string &documentation)
{
  return make(name,
              "",
              "",
              documentation,
              "a list of name=number, separated by commas",
              dealii::Patterns::Map(dealii::Patterns::Anything(),
                                    dealii::Patterns::Double(),
                                    0,
                                    dealii::Patterns::Map::max_int_value,
                                    ",",
                                    "="));
}

EntryDeclaration expressions(const std::string &name,
                             const std::string &variables,
                             const std::string &unit,
                             const std::string &documentation)
{
  return make(name,
              "",
              unit,
              documentation,
              "expressions of " + variables + " separated by semicolons",
              dealii::Patterns::Anything(),
              {},
              ';');
}
} // namespace declare
} // namespace delassus

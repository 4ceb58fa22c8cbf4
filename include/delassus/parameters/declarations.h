#ifndef delassus_parameters_declarations_h
#define delassus_parameters_declarations_h

#include <deal.II/base/patterns.h>

#include <memory>
#include <string>
#include <vector>

namespace delassus
{
/// One entry of a section: name, meaning, unit, default and what is allowed.
struct EntryDeclaration
{
  std::string name;
  std::string default_value;
  std::string unit; ///< "length", "force", ...; empty: a pure number or text
  std::string documentation;
  std::string allowed;              ///< "a number greater than 0"
  std::vector<std::string> choices; ///< the words allowed, if only some are
  char separator           = ',';   ///< between items of a list
  std::string default_text = "";    ///< of an empty default value
  std::shared_ptr<const dealii::Patterns::PatternBase> pattern = {};

  /// What stands for an empty default: "must be given", "the origin".
  EntryDeclaration
  without_default(const std::string &meaning = "must be given") const;
};

/// A kind of section: "Time", or with names, "Body NAME".
struct SectionDeclaration
{
  std::string kind;
  bool named = false;
  std::string list; ///< top-level entry that lists the names: "Bodies"
  std::string documentation;
  std::vector<EntryDeclaration> entries;
  std::vector<SectionDeclaration> subsections;

  const EntryDeclaration *find_entry(const std::string &name) const;

  const EntryDeclaration &entry(const std::string &name) const;

  std::vector<std::string> entry_names() const;
};

/// The numbers an entry takes.
struct Range
{
  double min, max; ///< both included
  std::string text;

  static Range any();
  static Range positive();
  static Range nonnegative();
  static Range closed(double min, double max);
  static Range open(double min, double max);
};

/// Makers of entries, one per type of value. An empty default is an entry not
/// given; add .without_default().
namespace declare
{
EntryDeclaration text(const std::string &name,
                      const std::string &default_value,
                      const std::string &allowed,
                      const std::string &documentation);

EntryDeclaration number(const std::string &name,
                        const std::string &default_value,
                        const Range &range,
                        const std::string &unit,
                        const std::string &documentation);

EntryDeclaration count(const std::string &name,
                       const std::string &default_value,
                       unsigned int min,
                       const std::string &documentation);

EntryDeclaration flag(const std::string &name,
                      bool default_value,
                      const std::string &documentation);

EntryDeclaration choice(const std::string &name,
                        const std::string &default_value,
                        const std::vector<std::string> &choices,
                        const std::string &documentation);

EntryDeclaration choices(const std::string &name,
                         const std::string &default_value,
                         const std::vector<std::string> &choices,
                         const std::string &documentation);

EntryDeclaration numbers(const std::string &name,
                         const Range &range,
                         const std::string &unit,
                         const std::string &documentation);

EntryDeclaration counts(const std::string &name,
                        unsigned int min,
                        const std::string &documentation);

EntryDeclaration names(const std::string &name,
                       const std::string &documentation);

EntryDeclaration number_map(const std::string &name,
                            const std::string &documentation);

EntryDeclaration expressions(const std::string &name,
                             const std::string &variables,
                             const std::string &unit,
                             const std::string &documentation);
} // namespace declare
} // namespace delassus

#endif

#ifndef delassus_parameters_read_parameters_h
#define delassus_parameters_read_parameters_h

#include <delassus/parameters/stage_parameters.h>

#include <string>
#include <vector>

namespace delassus
{
/// What reading a parameter file gives.
struct ParsedParameters
{
  Parameters values;
  std::string original; ///< the text of the file as given
  std::string expanded; ///< a complete .prm: every entry with its value
  std::vector<std::string> warnings;

  /// "Body wall/Mesh/Courses" and its value, of all entries with an effect.
  std::map<std::string, std::string> entries;

  /// Parts of the run, in their order; empty: it is one. `values.time` is then
  /// from the start of the first to the end of the last.
  std::vector<StageParameters> stages;

  /// The values of one stage; those of the file if it has none. Tools that take
  /// no part in it stand still.
  Parameters values_of(const unsigned int stage) const;
};

/// An entry that was called differently in earlier versions: the old name is
/// accepted with a warning. @p section is written with the kinds of sections,
/// without names: "Time", "Body/Mesh".
struct RenamedEntry
{
  std::string section;
  std::string old_name;
  std::string new_name;
};

/// The names that have changed since the first version.
const std::vector<RenamedEntry> &renamed_entries();

/// Read the .prm or .json file @p file, apply @p overrides (each
/// "Section/Name=value", the command line's --set), check everything that can
/// be checked without a mesh. Throws an InputError that lists every mistake,
/// each with file and line, section, entry, value, and what is allowed.
ParsedParameters
read_parameters(const std::string &file,
                const std::vector<std::string> &overrides = {},
                const std::vector<RenamedEntry> &renamed  = renamed_entries());

/// The entries of one kind of section ("Time", "Body", "Body/Mesh"; empty:
/// all) with their meaning, unit, default and what is allowed, as text.
std::string describe_parameters(const std::string &section);
} // namespace delassus

#endif

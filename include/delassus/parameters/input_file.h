#ifndef delassus_parameters_input_file_h
#define delassus_parameters_input_file_h

#include <cstddef>
#include <string>
#include <vector>

namespace delassus
{
/// Bounds of what is read, far above what anybody writes: bytes of a parameter
/// file and of those it includes together, sections inside one another, files
/// that include one another.
constexpr std::size_t largest_input   = std::size_t(4) << 20;
constexpr std::size_t deepest_section = 10;
constexpr std::size_t deepest_include = 20;

/// Where a piece of input was written.
struct InputOrigin
{
  std::string file;                     ///< empty: the command line
  unsigned int line = 0;                ///< 0: not known
  std::vector<std::string> included_by; ///< outermost first
  std::string option;                   ///< the argument of --set

  /// "file:line" or "--set "..."".
  std::string text() const;
};

/// `set name = value` in the section @p section (outermost first), or, with an
/// empty name, the fact that the section was opened.
struct InputEntry
{
  std::vector<std::string> section;
  std::string name;
  std::string value;
  std::vector<std::string> items; ///< of a list (JSON array); else empty
  InputOrigin origin;
};

/// A parameter file as a flat list: nothing is known yet about which names
/// exist.
struct InputFile
{
  std::string text; ///< of the file itself, without includes
  std::vector<InputEntry> entries;
};

/// Read a .prm file (sections, comments, continuation lines, includes) or a
/// .json file (objects are sections). Throws InputError quoting file and line
/// if the file cannot be read, is not well formed, or not UTF-8. Lines are
/// quoted only if they look like those of a parameter file.
InputFile read_input_file(const std::string &file);

/// Parse the text of a .json file. Part of read_input_file().
std::vector<InputEntry> parse_json(const std::string &text,
                                   const std::string &file);

/// Split "Section/Name=value". Throws InputError if it has not this form.
InputEntry parse_override(const std::string &option);

/// @p s without blanks at its ends and with single blanks inside.
std::string condense_blanks(const std::string &s);

/// "A/B/C".
std::string join_path(const std::vector<std::string> &section);
} // namespace delassus

#endif

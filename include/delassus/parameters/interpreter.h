#ifndef delassus_parameters_interpreter_h
#define delassus_parameters_interpreter_h

#include <delassus/parameters/input_file.h>
#include <delassus/parameters/read_parameters.h>
#include <delassus/parameters/sections.h>

#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace delassus
{
/// From the flat list of a file to declared, checked values. The names of
/// bodies and so on are only known once the file has been read, so that
/// everything is declared for this very file.
class Interpreter
{
public:
  Interpreter(const InputFile &input,
              const std::string &file,
              const std::vector<RenamedEntry> &renamed);

  /// Each "Section/Name=value".
  void add_overrides(const std::vector<std::string> &overrides);

  /// Throws an InputError that lists every mistake.
  Parameters interpret();

  /// A complete .prm: every entry with its value.
  std::string expanded() const;

  /// "Section/Name" and value of every entry that has an effect.
  std::map<std::string, std::string> effective() const;

  std::vector<std::string> warnings() const
  {
    return values.warnings;
  }

  std::vector<StageParameters> stages;

private:
  /// More mistakes than anybody reads: nothing further is looked for.
  bool hopeless() const
  {
    return values.errors.size() >= 100;
  }

  /// Names of all sections of this kind: "Body wall", "Body stone"; "Time".
  std::vector<std::string> instances(const SectionDeclaration &section) const;

  /// The declaration of the section at @p path, or nothing.
  const SectionDeclaration *
  find_declaration(const std::vector<std::string> &path) const;

  /// The error of a section that does not exist.
  std::string unknown_section(const InputEntry &entry,
                              const std::size_t level) const;

  /// Take note of the sections of the file, and complain of those that do not
  /// exist.
  void find_sections();

  void add_name(const SectionDeclaration &section,
                const std::string &full_name,
                const InputOrigin &origin);

  /// Declare the entries of all sections found.
  void declare();

  void declare_section(const SectionDeclaration &section,
                       const std::string &name);

  void declare_entries(const SectionDeclaration &section);

  /// "Body/Mesh" of {"Body wall", "Mesh"}.
  std::string kind_path(const std::vector<std::string> &path) const;

  /// Check one entry of the file and give its value to the declared one.
  void set(const InputEntry &entry);

  /// Compare the lists of names with the sections found, and take their order.
  void order_names();

  /// The values of all sections, checked.
  Parameters parse();

  /// A section by kind and name.
  SectionReader reader(const std::string &kind, const std::string &name);

  /// All sections of a kind that have names of their own.
  template <typename Values, typename Parse>
  void each(const std::string &kind,
            std::vector<Values> &result,
            const Parse &parse);

  void print_section(std::ostream &out,
                     const SectionDeclaration &section,
                     const std::vector<std::string> &path,
                     const std::string &indent) const;

  /// Entries without effect in this file are left as comments, so that the
  /// result can be read again.
  void print_entries(std::ostream &out,
                     const SectionDeclaration &section,
                     const std::vector<std::string> &path,
                     const std::string &indent) const;

  std::vector<InputEntry> entries;
  const std::vector<RenamedEntry> &renamed;
  const SectionDeclaration top;
  ParameterValues values;
  std::map<std::string, std::vector<std::string>> names; ///< by kind
};
} // namespace delassus

#endif

#ifndef delassus_parameters_section_reader_h
#define delassus_parameters_section_reader_h

#include <delassus/parameters/declarations.h>
#include <delassus/parameters/input_file.h>

#include <deal.II/base/parameter_handler.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace delassus
{
/// Declared entries with their values, where each was written, and the
/// mistakes found so far. Values are held by deal.II's ParameterHandler.
class ParameterValues
{
public:
  dealii::ParameterHandler prm;
  std::map<std::string, InputOrigin> origins; ///< of the entries given: by path
  std::map<std::string, InputOrigin> sections; ///< first opening, by path
  std::set<std::string> meaningless; ///< paths of entries without effect here
  std::vector<std::string> errors, warnings;
  std::string file; ///< the parameter file

  /// Throw an InputError with all errors found so far, if any.
  void throw_if_wrong() const;
};

/// Reads the values of one section and reports what is wrong with them. The
/// values match their declaration; whoever parses a section checks how they go
/// together.
class SectionReader
{
public:
  SectionReader(ParameterValues &values,
                const SectionDeclaration &declaration,
                const std::vector<std::string> &path);

  /// The reader of a subsection of this one.
  SectionReader subsection(const std::string &name) const;

  /// What follows the kind in the section's name: "wall" of "Body wall".
  std::string name() const;

  bool given(const std::string &entry) const;

  /// Given and not empty; otherwise an error, with @p why added to it.
  bool require(const std::string &entry, const std::string &why = "") const;

  /// The entry means nothing here because of @p why: an error if it was given.
  void forbid(const std::string &entry, const std::string &why) const;

  void error(const std::string &entry, const std::string &what) const;

  /// An error of the section as a whole.
  void section_error(const std::string &what) const;

  void warn(const std::string &what) const;

  std::string text(const std::string &entry) const;

  double number(const std::string &entry) const;

  unsigned int count(const std::string &entry) const;

  bool flag(const std::string &entry) const;

  /// The place of the value among the choices declared. They are declared in
  /// the order of the enumeration they stand for.
  template <typename Enumeration>
  Enumeration choice(const std::string &entry) const
  {
    return static_cast<Enumeration>(choice_index(entry, text(entry)));
  }

  template <typename Enumeration>
  std::vector<Enumeration> choices(const std::string &entry) const
  {
    std::vector<Enumeration> result;
    for (const auto &item : list(entry))
      result.push_back(static_cast<Enumeration>(choice_index(entry, item)));
    return result;
  }

  /// Items of a list, by the separator declared.
  std::vector<std::string> list(const std::string &entry) const;

  std::vector<double> numbers(const std::string &entry) const;

  /// Numbers of a vector: none given, or exactly @p size of them.
  std::vector<double> vector(const std::string &entry, unsigned int size) const;

  std::map<std::string, double> number_map(const std::string &entry) const;

  /// @p n_expected expressions of @p variables ("x,y,t"), checked by trying
  /// them out; joined by ';'. Empty if not given.
  std::string expressions(const std::string &entry,
                          unsigned int n_expected,
                          const std::string &variables) const;

  /// An error unless @p name is in @p known; @p what: "material".
  void check_name(const std::string &entry,
                  const std::string &name,
                  const std::vector<std::string> &known,
                  const std::string &what) const;

  /// Where the entry stands, or the section if it was not given.
  const InputOrigin &origin(const std::string &entry) const;

  const std::string &parameter_file() const
  {
    return values.file;
  }

  /// What begins an error of the entry: where, section, entry and value.
  std::string where(const std::string &entry) const;

  /// Add where() of all entries of this section and those inside to @p origins,
  /// by @p prefix and the name of the entry.
  void add_origins(std::map<std::string, std::string> &origins,
                   const std::string &prefix) const;

  /// Replace the value (a path that has been resolved).
  void replace(const std::string &entry, const std::string &value) const;

private:
  std::size_t choice_index(const std::string &entry,
                           const std::string &value) const;

  std::string entry_path(const std::string &entry) const;

  ParameterValues &values;
  const SectionDeclaration &declaration;
  std::vector<std::string> path;
};

/// What begins the error of one entry: where, section, entry and value.
std::string entry_place(const InputOrigin &origin,
                        const std::string &section,
                        const std::string &entry,
                        const std::string &value);

/// The error of one entry: its place, then @p what.
std::string entry_message(const InputOrigin &origin,
                          const std::string &section,
                          const std::string &entry,
                          const std::string &value,
                          const std::string &what);
} // namespace delassus

#endif

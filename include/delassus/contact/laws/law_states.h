#ifndef delassus_contact_laws_law_states_h
#define delassus_contact_laws_law_states_h

#include <cstddef>
#include <functional>
#include <vector>

namespace delassus
{
class Archive;

/// What the contacts of a rank remember for their laws, a value: the state at
/// the beginning of the step and, tried, at its end. Contacts differ in the
/// number of values, because their laws do.
class LawStates
{
public:
  /// "Contact a of the new list was not in the old one."
  static constexpr std::size_t is_new = static_cast<std::size_t>(-1);

  std::size_t n_contacts() const
  {
    return first.size() - 1;
  }

  unsigned int n_values(const std::size_t a) const
  {
    return first[a + 1] - first[a];
  }

  /// Whether any contact remembers anything.
  bool empty() const
  {
    return values_begin.empty();
  }

  const double *begin(const std::size_t a) const
  {
    return values_begin.data() + first[a];
  }
  double *begin(const std::size_t a)
  {
    return values_begin.data() + first[a];
  }

  /// As the last update() left it; the beginning, before the first one.
  const double *end(const std::size_t a) const
  {
    return values_end.data() + first[a];
  }
  double *end(const std::size_t a)
  {
    return values_end.data() + first[a];
  }

  /// The step is done: the end is the beginning of the next.
  void accept()
  {
    values_begin = values_end;
  }

  /// The step is tried again.
  void revert()
  {
    values_end = values_begin;
  }

  /// Another list of contacts, where a has n_values[a] values: contact a was
  /// from[a] in the old list, or is_new. A contact that persists takes
  /// beginning and end along, and @p turn, where given, is called for each of
  /// them (its frame may have been chosen anew); a new one is given its
  /// beginning by
  /// @p initialize, and its end is the same. So is one whose number of values
  /// is another than before: its law is.
  void carry_over(
      const std::vector<unsigned int> &n_values,
      const std::vector<std::size_t> &from,
      const std::function<void(std::size_t a, double *state)> &initialize,
      const std::function<void(std::size_t a, double *state)> &turn = {});

  /// The values of contact a for a message, beginning then end, appended.
  void pack(std::size_t a, std::vector<double> &values) const;

  /// A contact, from a message, after those there are. Returns what follows.
  const double *unpack(unsigned int n_values, const double *values);

  /// Saves or loads the beginning; what was tried is not kept.
  void archive(Archive &archive);

private:
  std::vector<std::size_t> first = { 0 };
  std::vector<double> values_begin, values_end;
};
} // namespace delassus

#endif

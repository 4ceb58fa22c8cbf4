#include <delassus/base/exceptions.h>
#include <delassus/parameters/input_file.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <iterator>

namespace delassus
{
namespace
{
/// Walks through the text and counts the lines, because the JSON library does
/// not say on which line a key stands.
class CountingIterator
{
public:
  using iterator_category = std::input_iterator_tag;
  using value_type        = char;
  using difference_type   = std::ptrdiff_t;
  using pointer           = const char *;
  using reference         = const char &;

  CountingIterator(const char *position, unsigned int *line)
      : position(position)
      , line(line)
  {
  }

  reference operator*() const
  {
    return *position;
  }

  CountingIterator &operator++()
  {
    if (*position == '\n')
      ++*line;
    ++position;
    return *this;
  }

  CountingIterator operator++(int)
  {
    CountingIterator old = *this;
    ++*this;
    return old;
  }

  bool operator==(const CountingIterator &other) const
  {
    return position == other.position;
  }

  bool operator!=(const CountingIterator &other) const
  {
    return position != other.position;
  }

private:
  const char *position;
  unsigned int *line;
};

/// Turns the events of the JSON parser into entries: an object is a section,
/// an array a list, everything else a value.
class JsonEntries : public nlohmann::json_sax<nlohmann::json>
{
public:
  JsonEntries(std::vector<InputEntry> &entries,
              const std::string &file,
              const unsigned int &line)
      : entries(entries)
      , file(file)
      , line(line)
  {
  }

  bool null() override
  {
    fail("null is not a value; leave the entry out to have its default");
  }

  bool boolean(bool value) override
  {
    return add(value ? "true" : "false");
  }

  bool number_integer(number_integer_t value) override
  {
    return add(std::to_string(value));
  }

  bool number_unsigned(number_unsigned_t value) override
  {
    return add(std::to_string(value));
  }

  bool number_float(number_float_t, const string_t &as_written) override
  {
    return add(as_written);
  }

  bool string(string_t &value) override
  {
    return add(value);
  }

  bool binary(binary_t &) override
  {
    fail("binary data");
  }

  bool start_object(std::size_t) override
  {
    if (in_array)
      fail("a section cannot stand in a list");
    if (opened)
    {
      if (section.size() == deepest_section)
        fail(fmt::format("sections inside sections, more than {} deep",
                         deepest_section));
      section.push_back(name);
      entries.push_back({ section, "", "", {}, origin(name_line) });
    }
    opened = true;
    return true;
  }

  bool end_object() override
  {
    if (!section.empty())
      section.pop_back();
    return true;
  }

  bool key(string_t &value) override
  {
    name      = condense_blanks(value);
    name_line = line;
    return true;
  }

  bool start_array(std::size_t) override
  {
    if (!opened || in_array)
      fail("a list stands where a section or a value is wanted");
    in_array = true;
    items.clear();
    return true;
  }

  bool end_array() override
  {
    in_array = false;
    std::string value;
    for (const auto &item : items)
      value += (value.empty() ? "" : ", ") + item;
    entries.push_back({ section, name, value, items, origin(name_line) });
    return true;
  }

  bool parse_error(std::size_t,
                   const std::string &,
                   const nlohmann::json::exception &error) override
  {
    // The library's own text begins with its name for the exception.
    std::string what = error.what();
    const auto text  = what.find(": ");
    if (text != std::string::npos)
      what = what.substr(text + 2);
    // It ends with the text read last, which may be of any file.
    what = what.substr(0, what.find("; last read"));
    throw InputError(fmt::format(
        "{}:{}: this is not well-formed JSON: {}.", file, line, what));
  }

private:
  InputOrigin origin(const unsigned int where) const
  {
    InputOrigin result;
    result.file = file;
    result.line = where;
    return result;
  }

  [[noreturn]] void fail(const std::string &what) const
  {
    throw InputError(
        fmt::format("{}:{}: section '{}', entry '{}': {}.",
                    file,
                    line,
                    section.empty() ? "top level" : join_path(section),
                    name,
                    what));
  }

  bool add(const std::string &value)
  {
    if (!opened)
      fail("the file must hold one object { ... }");
    if (in_array)
      items.push_back(value);
    else
      entries.push_back({ section, name, value, {}, origin(name_line) });
    return true;
  }

  std::vector<InputEntry> &entries;
  const std::string &file;
  const unsigned int &line;
  std::vector<std::string> section, items;
  std::string name;
  unsigned int name_line = 0;
  bool opened = false, in_array = false;
};
} // namespace

std::vector<InputEntry> parse_json(const std::string &text,
                                   const std::string &file)
{
  std::vector<InputEntry> entries;
  unsigned int line = 1;
  JsonEntries handler(entries, file, line);
  const char *end = text.data() + text.size();
  nlohmann::json::sax_parse(CountingIterator(text.data(), &line),
                            CountingIterator(end, &line),
                            &handler,
                            nlohmann::json::input_format_t::json,
                            true,
                            true);
  return entries;
}
} // namespace delassus

#include <delassus/base/exceptions.h>
#include <delassus/base/input_text.h>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace delassus
{
namespace
{
/// An open file, closed at the end.
class InputDescriptor
{
public:
  InputDescriptor(const std::string &file, const std::string &where)
      // A pipe without a writer would block.
      : number(::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC))
  {
    if (number < 0)
      throw InputError(fmt::format(
          "{}: the file cannot be read ({}).", where, std::strerror(errno)));
    struct stat info;
    const bool known = ::fstat(number, &info) == 0;
    if (known && S_ISREG(info.st_mode))
      return;
    ::close(number);
    throw InputError(
        fmt::format("{}: this is {}, not a file that can be read to its end.",
                    where,
                    !known                   ? "nothing known"
                    : S_ISDIR(info.st_mode)  ? "a directory"
                    : S_ISFIFO(info.st_mode) ? "a pipe"
                    : S_ISSOCK(info.st_mode) ? "a socket"
                                             : "a device"));
  }

  ~InputDescriptor()
  {
    ::close(number);
  }

  InputDescriptor(const InputDescriptor &)            = delete;
  InputDescriptor &operator=(const InputDescriptor &) = delete;

  const int number;
};

/// Number of bytes of the character of UTF-8 at @p i, 0 if it is none.
std::size_t character_size(const std::string &text, const std::size_t i)
{
  const auto byte = [&](const std::size_t k) -> unsigned int
  { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u; };
  const unsigned int first = byte(i);
  if (first < 0x80)
    return 1;
  const std::size_t n = first >= 0xC2 && first <= 0xDF   ? 2
                        : first >= 0xE0 && first <= 0xEF ? 3
                        : first >= 0xF0 && first <= 0xF4 ? 4
                                                         : 0;
  for (std::size_t k = 1; k < n; ++k)
    if ((byte(i + k) & 0xC0) != 0x80)
      return 0;
  const unsigned int second = byte(i + 1);
  const bool bad            = (first == 0xE0 && second < 0xA0) || // too long
                   (first == 0xED && second > 0x9F) ||            // surrogates
                   (first == 0xF0 && second < 0x90) ||
                   (first == 0xF4 && second > 0x8F); // beyond U+10FFFF
  return bad ? 0 : n;
}

bool is_control(const char c)
{
  const unsigned char byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && std::strchr("\t\n\v\f\r", c) == nullptr) ||
         byte == 0 || byte == 0x7F;
}
} // namespace

void expect_regular_file(const std::string &file, const std::string &where)
{
  InputDescriptor(file, where);
}

std::string read_regular_file(const std::string &file,
                              const std::string &where,
                              const std::size_t most)
{
  const InputDescriptor in(file, where);
  std::string text;
  char buffer[65536];
  while (text.size() <= most)
  {
    const ssize_t n = ::read(in.number, buffer, sizeof(buffer));
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      throw InputError(fmt::format(
          "{}: the file cannot be read ({}).", where, std::strerror(errno)));
    if (n == 0)
      return text;
    text.append(buffer, static_cast<std::size_t>(n));
  }
  throw InputError(
      fmt::format("{}: the file has more than {:.4g} MB, which is more than "
                  "such a file may have.",
                  where,
                  most / 1048576.));
}

std::size_t find_bad_byte(const std::string &text)
{
  for (std::size_t i = 0; i < text.size();)
  {
    const std::size_t n = character_size(text, i);
    if (n == 0 || is_control(text[i]))
      return i;
    i += n;
  }
  return std::string::npos;
}

std::string escape_bad_bytes(const std::string &text)
{
  std::string result;
  for (std::size_t i = 0; i < text.size();)
  {
    const std::size_t n = character_size(text, i);
    if (n == 0 || is_control(text[i]))
      result += fmt::format("\\x{:02X}", static_cast<unsigned char>(text[i]));
    else
      result.append(text, i, n);
    i += std::max<std::size_t>(n, 1);
  }
  return result;
}
} // namespace delassus

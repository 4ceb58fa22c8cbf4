#include <delassus/base/archive.h>
#include <delassus/base/exceptions.h>

namespace delassus
{
std::uint64_t checksum(const char *bytes, const std::size_t n)
{
  std::uint64_t sum = 14695981039346656037ull;
  for (std::size_t i = 0; i < n; ++i)
    sum = (sum ^ static_cast<unsigned char>(bytes[i])) * 1099511628211ull;
  return sum;
}

Archive::Archive()
    : is_saving(true)
{
}

Archive::Archive(std::string bytes, std::string origin)
    : is_saving(false)
    , content(std::move(bytes))
    , origin(std::move(origin))
{
}

void Archive::fail() const
{
  throw InputError(origin +
                   " does not hold what this program keeps in a "
                   "checkpoint (at '" +
                   current +
                   "'): it was written by another version of the program.");
}

void Archive::tag(const char *name, const std::size_t size)
{
  current             = name;
  std::uint32_t id    = checksum(name, std::strlen(name)) * 31 + size;
  std::uint32_t found = id;
  bytes_of(&found, sizeof(found));
  if (found != id)
    fail();
}

void Archive::check_left(const std::uint64_t n,
                         const std::size_t element_size) const
{
  if (n > (content.size() - position) / element_size)
    fail();
}

void Archive::expect_end() const
{
  if (position != content.size())
    fail();
}

void Archive::item(std::vector<bool> &value)
{
  std::vector<unsigned char> plain(value.begin(), value.end());
  item(plain);
  value.assign(plain.begin(), plain.end());
}
} // namespace delassus

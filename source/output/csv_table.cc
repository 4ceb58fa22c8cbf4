#include <delassus/base/exceptions.h>
#include <delassus/output/csv_table.h>

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <iterator>
#include <stdexcept>

#include <fcntl.h>
#include <unistd.h>

namespace delassus
{
namespace
{
constexpr std::chrono::seconds flush_interval(1);
constexpr std::size_t flush_size = 1 << 16;

std::string quoted(const std::string &name)
{
  if (name.find_first_of(",\"\n") == std::string::npos)
    return name;
  std::string result = "\"";
  for (const char c : name)
    result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + "\"";
}

std::string header(const std::vector<std::string> &columns)
{
  std::string line;
  for (std::size_t i = 0; i < columns.size(); ++i)
    line += (i == 0 ? "" : ",") + quoted(columns[i]);
  return line + '\n';
}
} // namespace

CsvTable::CsvTable(const std::string &file,
                   const std::vector<std::string> &columns)
    : file(file)
    , n_columns(columns.size())
    , descriptor(
          ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666))
{
  if (descriptor < 0)
    throw ComputationError("Cannot write '" + file +
                           "': " + std::strerror(errno) + ".");
  waiting = header(columns);
  try
  {
    flush();
  }
  catch (...)
  {
    ::close(descriptor);
    throw;
  }
}

CsvTable::CsvTable(const std::string &file,
                   const std::vector<std::string> &columns,
                   const long n_bytes)
    : file(file)
    , n_columns(columns.size())
    , descriptor(::open(file.c_str(), O_RDWR | O_CLOEXEC))
    , n_good_bytes(n_bytes)
{
  const auto refuse = [&](const std::string &why)
  {
    ::close(descriptor);
    throw InputError("The run cannot be continued: '" + file + "' " + why);
  };
  if (descriptor < 0)
    throw InputError("The run cannot be continued: '" + file +
                     "' cannot be opened: " + std::strerror(errno) + ".");
  const std::string wanted = header(columns);
  std::string found(wanted.size(), '\0');
  if (::pread(descriptor, found.data(), found.size(), 0) !=
          static_cast<ssize_t>(found.size()) ||
      found != wanted)
    refuse("has not the columns of this run.");
  char last = '\0';
  if (n_bytes < 1 || ::pread(descriptor, &last, 1, n_bytes - 1) != 1 ||
      last != '\n')
    refuse("is not the table that was there at the checkpoint.");
  if (::ftruncate(descriptor, n_bytes) != 0 ||
      ::lseek(descriptor, n_bytes, SEEK_SET) < 0)
    refuse(std::string("cannot be cut: ") + std::strerror(errno) + ".");
}

CsvTable::CsvTable(CsvTable &&other) noexcept
    : file(std::move(other.file))
    , n_columns(other.n_columns)
    , descriptor(other.descriptor)
    , waiting(std::move(other.waiting))
    , n_good_bytes(other.n_good_bytes)
    , last_flush(other.last_flush)
{
  other.descriptor = -1;
}

CsvTable::~CsvTable()
{
  if (descriptor < 0)
    return;
  try
  {
    flush();
  }
  catch (...)
  {
  }
  ::close(descriptor);
}

void CsvTable::add_row(const std::vector<double> &values,
                       const std::vector<std::string> &words)
{
  if (values.size() + words.size() != n_columns)
    throw std::logic_error(fmt::format("'{}': {} values for {} columns",
                                       file,
                                       values.size() + words.size(),
                                       n_columns));
  for (std::size_t i = 0; i < values.size(); ++i)
    fmt::format_to(
        std::back_inserter(waiting), i == 0 ? "{}" : ",{}", values[i]);
  for (const auto &word : words)
    waiting += ',' + quoted(word);
  waiting += '\n';
  if (waiting.size() > flush_size || Clock::now() - last_flush > flush_interval)
    flush();
}

void CsvTable::flush()
{
  last_flush       = Clock::now();
  std::size_t done = 0;
  while (done < waiting.size())
  {
    const ssize_t n =
        ::write(descriptor, waiting.data() + done, waiting.size() - done);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
    {
      const int reason = errno;
      // Keep the complete rows that went through, cut the broken one.
      const std::size_t end = waiting.rfind('\n', done == 0 ? 0 : done - 1);
      const long kept       = done == 0 || end == std::string::npos
                                  ? 0
                                  : static_cast<long>(end) + 1;
      n_good_bytes += kept;
      const bool cut = ::ftruncate(descriptor, n_good_bytes) == 0 &&
                       ::lseek(descriptor, n_good_bytes, SEEK_SET) >= 0;
      waiting.clear();
      throw ComputationError("Cannot write '" + file +
                             "': " + std::strerror(reason) + "." +
                             (cut ? " The rows before are intact." : ""));
    }
    done += static_cast<std::size_t>(n);
  }
  n_good_bytes += static_cast<long>(waiting.size());
  waiting.clear();
}

void CsvTable::sync()
{
  flush();
  if (::fsync(descriptor) != 0)
    throw ComputationError("Cannot write '" + file +
                           "': " + std::strerror(errno) + ".");
}
} // namespace delassus

#include <delassus/base/exceptions.h>
#include <delassus/output/atomic_file.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <set>

#include <fcntl.h>
#include <unistd.h>

namespace delassus
{
namespace
{
/// write() until everything is written; false, with errno set, if it fails.
bool write_all(const int descriptor, const std::string &content)
{
  std::size_t done = 0;
  while (done < content.size())
  {
    const ssize_t n =
        ::write(descriptor, content.data() + done, content.size() - done);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return false;
    done += static_cast<std::size_t>(n);
  }
  return true;
}

/// Files that the disk may not have yet.
std::set<std::string> &waiting_files()
{
  static std::set<std::string> files;
  return files;
}

void write_file(const std::string &path,
                const std::string &content,
                const bool wait)
{
  // The process id keeps two runs in one directory apart.
  const std::string temporary = path + ".part" + std::to_string(::getpid());

  const int descriptor =
      ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0)
    throw ComputationError("Cannot write '" + path +
                           "': " + std::strerror(errno) + ".");

  int reason = 0;
  if (!write_all(descriptor, content) || (wait && ::fsync(descriptor) != 0))
    reason = errno;
#ifdef SYNC_FILE_RANGE_WRITE
  if (reason == 0 && !wait)
    // Where this cannot be, sync_results() does all of it.
    (void)::sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE);
#endif
  if (::close(descriptor) != 0 && reason == 0)
    reason = errno;
  if (reason == 0 && std::rename(temporary.c_str(), path.c_str()) != 0)
    reason = errno;
  if (reason != 0)
  {
    ::unlink(temporary.c_str());
    throw ComputationError("Cannot write '" + path +
                           "': " + std::strerror(reason) +
                           ". What was there before is intact.");
  }
  if (!wait)
    waiting_files().insert(path);
}
} // namespace

void write_file_atomically(const std::string &path, const std::string &content)
{
  write_file(path, content, true);
}

void write_result_atomically(const std::string &path,
                             const std::string &content)
{
  write_file(path, content, false);
}

void sync_results()
{
  std::set<std::string> files;
  files.swap(waiting_files());
  for (const auto &file : files)
  {
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    // Somebody has removed it.
    if (descriptor < 0)
      continue;
    const int reason = ::fsync(descriptor) != 0 ? errno : 0;
    ::close(descriptor);
    if (reason != 0)
      throw ComputationError("Cannot write '" + file +
                             "': " + std::strerror(reason) + ".");
  }
}

void prepare_run_directory(const std::string &path)
{
  if (path.empty())
    throw InputError("The run directory has no name.");
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (!error && !std::filesystem::is_directory(path, error) && !error)
    error = std::make_error_code(std::errc::not_a_directory);
  if (error)
    throw InputError("The run directory '" + path +
                     "' cannot be made: " + error.message() + ".");
  const std::string probe = path + "/.writable" + std::to_string(::getpid());
  try
  {
    write_file_atomically(probe, "");
    std::filesystem::remove(probe, error);
  }
  catch (const ComputationError &e)
  {
    throw InputError("The run directory '" + path + "' cannot be written to. " +
                     e.what());
  }
}
} // namespace delassus

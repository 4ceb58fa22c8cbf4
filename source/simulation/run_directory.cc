#include <delassus/simulation/run_directory.h>
#include <delassus/base/exceptions.h>
#include <delassus/base/text.h>
#include <delassus/output/atomic_file.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <regex>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace delassus
{
namespace fs = std::filesystem;

namespace
{
constexpr const char *lock_name = "run.lock";

/// Of the whole file, and of this open file: another one in the same process
/// is refused too, and children do not let it go.
struct flock whole_file()
{
  struct flock region = {};
  region.l_type       = F_WRLCK;
  region.l_whence     = SEEK_SET;
  return region;
}

std::string host_name()
{
  char name[256] = {};
  return ::gethostname(name, sizeof(name) - 1) == 0 ? name : "unknown";
}

/// The text of a lock: only what looks like one is ever quoted.
std::string holder_in(const int descriptor)
{
  char text[512]   = {};
  const ssize_t n  = ::pread(descriptor, text, sizeof(text) - 1, 0);
  unsigned int pid = 0;
  char host[257] = {}, date[11] = {}, clock[9] = {};
  if (n <= 0 || std::sscanf(text,
                            "process %u\nhost %256[-a-zA-Z0-9._]\nsince "
                            "%10[-0-9] %8[:0-9]",
                            &pid,
                            host,
                            date,
                            clock) != 4)
    return "";
  return fmt::format(
      "process {} on host '{}' since {} {}", pid, host, date, clock);
}

/// The same file still has its name: the one who held it takes it away.
bool has_name(const int descriptor, const std::string &path)
{
  struct stat by_descriptor = {}, by_name = {};
  return ::fstat(descriptor, &by_descriptor) == 0 &&
         ::stat(path.c_str(), &by_name) == 0 &&
         by_descriptor.st_dev == by_name.st_dev &&
         by_descriptor.st_ino == by_name.st_ino;
}

/// What summary.json tells of the run in the directory.
std::string story_of(const fs::path &directory)
{
  std::ifstream in(directory / "summary.json");
  const auto summary = nlohmann::json::parse(in, nullptr, /*exceptions*/ false);
  const auto number  = [&](const char *name)
  {
    return summary.is_object() && summary.count(name) > 0 &&
           summary[name].is_number();
  };
  if (!number("time"))
    return "one that was ended from outside, or is not finished";
  const bool completed = summary.count("completed") > 0 &&
                         summary["completed"].is_boolean() &&
                         summary["completed"].get<bool>();
  return fmt::format("{} at t = {:.6g}",
                     completed ? "finished" : "it ended before its end,",
                     summary["time"].get<double>());
}
} // namespace

std::vector<fs::path> files_of_run(const std::string &directory)
{
  // Files that were not completed keep their name with ".part" and a number.
  static const std::string part = R"((\.part\d*)?)";
  struct Kind
  {
    const char *folder;
    std::regex name;
  };
  static const std::vector<Kind> kinds = {
    { "",
      std::regex(R"((history\.csv|energy\.csv|summary\.json|log\.txt|)"
                 R"((original|parameters)\.prm|original\.json|)"
                 R"((solution|contact|blocks|obstacles)\.pvd|)"
                 R"(checkpoint(_previous(_\d+)?)?\.bin))" +
                 part) },
    { "vtu",
      std::regex(R"((solution|contact|blocks|obstacles)_\d+\.vtu)" + part) },
    { "problems",
      std::regex(R"(((step|failed)_\d+(_\d+)?|hardest)\.hdf5)" + part) }
  };
  std::vector<fs::path> files;
  for (const auto &kind : kinds)
  {
    std::error_code error;
    fs::directory_iterator entry(fs::path(directory) / kind.folder, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error))
      if (std::regex_match(entry->path().filename().string(), kind.name))
        files.push_back(entry->path());
  }
  return files;
}

std::string run_in(const std::string &directory)
{
  const int descriptor = ::open((directory + "/" + lock_name).c_str(),
                                O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    return "";
  struct flock region = whole_file();
  std::string holder;
  if (::fcntl(descriptor, F_OFD_GETLK, &region) == 0 &&
      region.l_type != F_UNLCK)
  {
    holder = holder_in(descriptor);
    if (holder.empty())
      holder = "another process";
  }
  ::close(descriptor);
  return holder;
}

RunDirectory::RunDirectory(const std::string &path,
                           const Use use,
                           const std::string &command,
                           const std::string &input,
                           MPI_Comm communicator)
    : path(path)
    , use(use)
    , command(command)
    , input(input)
    , communicator(communicator)
{
  try
  {
    on_root(
        [this]()
        {
          std::error_code error;
          if (!fs::is_directory(this->path, error))
            return;
          claim();
        });
  }
  catch (...)
  {
    release();
    throw;
  }
}

RunDirectory::~RunDirectory()
{
  release();
}

void RunDirectory::release()
{
  if (lock < 0)
    return;
  ::unlink((path + "/" + lock_name).c_str());
  ::close(lock);
  lock = -1;
}

void RunDirectory::on_root(const std::function<void()> &work) const
{
  // One rank touches the file system; all learn whether it worked.
  int rank = 0, length = 0;
  MPI_Comm_rank(communicator, &rank);
  std::string error;
  if (rank == 0)
    try
    {
      work();
    }
    catch (const std::exception &e)
    {
      error = e.what();
    }
  length = error.size();
  MPI_Bcast(&length, 1, MPI_INT, 0, communicator);
  error.resize(length);
  MPI_Bcast(error.data(), length, MPI_CHAR, 0, communicator);
  if (!error.empty())
    throw InputError(error);
}

void RunDirectory::claim()
{
  take_lock();
  look_for_results();
  claimed = true;
}

void RunDirectory::take_lock()
{
  const std::string file = path + "/" + lock_name;
  // Again if the one before takes the file away in between.
  constexpr unsigned int n_tries = 100;
  for (unsigned int i = 0; i < n_tries && lock < 0; ++i)
  {
    const int descriptor =
        ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    if (descriptor < 0)
      throw InputError(
          fmt::format("The run directory '{}' cannot be written to: {}.",
                      path,
                      std::strerror(errno)));
    struct flock region = whole_file();
    const bool locked   = ::fcntl(descriptor, F_OFD_SETLK, &region) == 0;
    const int reason    = locked ? 0 : errno;
    if (reason == EAGAIN || reason == EACCES)
    {
      const std::string holder = holder_in(descriptor);
      ::close(descriptor);
      throw InputError(fmt::format(
          "A run is on in the directory '{}': {}. Wait for its end, stop it, "
          "or choose another directory with --output.",
          path,
          holder.empty() ? "another process" : holder));
    }
    if (!locked)
    {
      ::close(descriptor);
      notes.push_back(fmt::format("the file system of '{}' has no locks ({}): "
                                  "a second run there would not be noticed",
                                  path,
                                  std::strerror(reason)));
      return;
    }
    if (has_name(descriptor, file))
      lock = descriptor;
    else
      ::close(descriptor);
  }
  if (lock < 0)
    throw InputError(
        fmt::format("The lock '{}' changes all the time: other runs start and "
                    "end there.",
                    file));
  const std::string before = holder_in(lock);
  if (!before.empty())
    notes.push_back(
        fmt::format("the last run here, {}, has ended without a word (killed, "
                    "or a failure of the machine): its lock is taken over",
                    before));
  const std::string text = fmt::format("process {}\nhost {}\nsince {}\n",
                                       ::getpid(),
                                       host_name(),
                                       date_and_time());
  // The lock holds with an empty file, too: that of a full disk.
  if (::ftruncate(lock, 0) != 0 ||
      ::pwrite(lock, text.data(), text.size(), 0) < 0)
    return;
}

void RunDirectory::look_for_results() const
{
  if (use != Use::fresh)
    return;
  bool checkpoint    = false;
  std::size_t n_seen = 0;
  for (const auto &file : files_of_run(path))
  {
    // Parameters alone are no results.
    const std::string stem = file.stem().string();
    if (stem != "original" && stem != "parameters")
      ++n_seen;
    checkpoint = checkpoint || file.extension() == ".bin";
  }
  if (n_seen == 0)
    return;
  throw InputError(fmt::format(
      "The directory '{}' has the results of an earlier run ({}; {}{}). "
      "Nothing is written over unasked:\n"
      "  to replace them:  {} --overwrite\n"
      "  to keep them:     another directory, --output DIR{}{}{}",
      path,
      story_of(path),
      counted(n_seen, "file"),
      checkpoint ? ", with a checkpoint" : "",
      command,
      checkpoint ? "\n  to go on with it: " : "",
      checkpoint ? command : "",
      checkpoint ? " --resume" : ""));
}

void RunDirectory::begin()
{
  on_root(
      [this]()
      {
        prepare_run_directory(path);
        if (!claimed)
          claim();
        if (use == Use::resume)
          return;
        std::size_t n_removed = 0;
        std::error_code error;
        for (const auto &file : files_of_run(path))
          if (!fs::equivalent(file, input, error))
          {
            fs::remove(file, error);
            if (error)
              throw InputError(
                  fmt::format("'{}', of an earlier run, cannot be removed: {}.",
                              file.string(),
                              error.message()));
            ++n_removed;
          }
        // Gone if nothing else is in them.
        for (const char *folder : { "vtu", "problems" })
          fs::remove(fs::path(path) / folder, error);
        if (n_removed > 0 && use == Use::overwrite)
          notes.push_back(fmt::format("{} of an earlier run removed from '{}'",
                                      counted(n_removed, "file"),
                                      path));
      });
}
} // namespace delassus

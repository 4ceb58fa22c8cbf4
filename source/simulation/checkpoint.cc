#include <delassus/base/exceptions.h>
#include <delassus/base/input_text.h>
#include <delassus/simulation/checkpoint.h>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include <fcntl.h>
#include <unistd.h>

namespace delassus
{
namespace
{
constexpr const char *file_name = "checkpoint.bin";
constexpr char magic[9]         = "DELASSUS";

/// Of the checkpoint that @p n newer ones have come after.
std::string path_of(const std::string &directory, const unsigned int n)
{
  return directory + "/" +
         (n == 0   ? file_name
          : n == 1 ? "checkpoint_previous.bin"
                   : fmt::format("checkpoint_previous_{}.bin", n));
}

/// How many may be there: the first that is missing, after those that are cut
/// short by a crash between two names, ends the search.
unsigned int n_there(const std::string &directory)
{
  unsigned int n = 0;
  std::error_code error;
  for (unsigned int k = 0; k < n + 2; ++k)
    if (std::filesystem::exists(path_of(directory, k), error))
      n = k + 1;
  return n;
}

/// To be raised when the layout of the file changes (not for other fields in an
/// Archive: these are noticed by themselves).
/// 1: bodies, then materials; 2: system by system.
constexpr std::uint32_t format_version = 2;

/// Read as another number where bytes have another order.
constexpr std::uint32_t byte_order = 0x01020304;

struct FileHeader
{
  char magic[8];
  std::uint32_t byte_order, version;
  std::uint64_t n_parts;
};

struct PartHeader
{
  std::uint64_t length, sum;
};

PartHeader describe(const std::string &part)
{
  return { part.size(), checksum(part.data(), part.size()) };
}

/// MPI counts in int: long messages go in several.
constexpr std::size_t longest_message = std::size_t(1) << 30;

template <typename Transfer>
void in_messages(const std::size_t n, const Transfer &transfer)
{
  for (std::size_t first = 0; first < n; first += longest_message)
    transfer(first, static_cast<int>(std::min(longest_message, n - first)));
}

void send(const std::string &bytes, const int to, MPI_Comm communicator)
{
  in_messages(
      bytes.size(),
      [&](const std::size_t first, const int n)
      { MPI_Send(bytes.data() + first, n, MPI_CHAR, to, 0, communicator); });
}

std::string
receive(const std::size_t length, const int from, MPI_Comm communicator)
{
  std::string bytes(length, '\0');
  in_messages(length,
              [&](const std::size_t first, const int n)
              {
                MPI_Recv(&bytes[first],
                         n,
                         MPI_CHAR,
                         from,
                         0,
                         communicator,
                         MPI_STATUS_IGNORE);
              });
  return bytes;
}

void broadcast(std::string &bytes, MPI_Comm communicator)
{
  std::uint64_t length = bytes.size();
  MPI_Bcast(&length, 1, MPI_UINT64_T, 0, communicator);
  bytes.resize(length);
  in_messages(length,
              [&](const std::size_t first, const int n)
              { MPI_Bcast(&bytes[first], n, MPI_CHAR, 0, communicator); });
}

int rank_of(MPI_Comm communicator)
{
  int rank = 0;
  MPI_Comm_rank(communicator, &rank);
  return rank;
}

unsigned int size_of(MPI_Comm communicator)
{
  int n = 1;
  MPI_Comm_size(communicator, &n);
  return n;
}

/// A file that is written part by part; remembers the first failure.
class Output
{
public:
  explicit Output(const std::string &path)
      : path(path)
      , descriptor(::open(path.c_str(),
                          O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
                          0666))
      , reason(descriptor < 0 ? errno : 0)
  {
  }

  ~Output()
  {
    if (descriptor >= 0)
      ::close(descriptor);
  }

  Output(const Output &)            = delete;
  Output &operator=(const Output &) = delete;

  void write(const void *data, const std::size_t n)
  {
    std::size_t done = 0;
    while (reason == 0 && done < n)
    {
      const ssize_t written =
          ::write(descriptor, static_cast<const char *>(data) + done, n - done);
      if (written >= 0)
        done += static_cast<std::size_t>(written);
      else if (errno != EINTR)
        reason = errno;
    }
  }

  void finish()
  {
    if (reason == 0 && ::fsync(descriptor) != 0)
      reason = errno;
    if (descriptor >= 0 && ::close(descriptor) != 0 && reason == 0)
      reason = errno;
    descriptor = -1;
  }

  int failure() const
  {
    return reason;
  }

private:
  const std::string path;
  int descriptor;
  int reason;
};

/// Give the complete file its name, those before the names of older ones, and
/// remove what is too many. At any moment the newest of them is complete.
int take_name(const std::string &directory,
              const std::string &temporary,
              const unsigned int n_kept)
{
  std::error_code error;
  if (std::filesystem::exists(path_of(directory, 0), error))
    for (unsigned int k = std::min(n_kept - 1, n_there(directory)); k > 0; --k)
      if (std::rename(path_of(directory, k - 1).c_str(),
                      path_of(directory, k).c_str()) != 0 &&
          errno != ENOENT)
        return errno;
  if (std::rename(temporary.c_str(), path_of(directory, 0).c_str()) != 0)
    return errno;
  for (unsigned int k = n_there(directory); k > n_kept; --k)
    std::remove(path_of(directory, k - 1).c_str());
  // The names too belong on the disk.
  const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY);
  if (descriptor >= 0)
  {
    ::fsync(descriptor);
    ::close(descriptor);
  }
  return 0;
}

/// The program that wrote a checkpoint of another format version: its version,
/// if the label is where it always was and begins as it always did.
std::string writer_of(std::ifstream &in, const std::uint64_t n_parts)
{
  // Nothing here is to be trusted.
  constexpr std::uint64_t most_parts = 1u << 20, longest_label = 1u << 24;
  PartHeader label;
  if (n_parts == 0 || n_parts > most_parts ||
      !in.read(reinterpret_cast<char *>(&label), sizeof(label)) ||
      label.length > longest_label ||
      !in.seekg((n_parts - 1) * sizeof(PartHeader) + sizeof(std::uint64_t),
                std::ios::cur))
    return "";
  std::string bytes(label.length, '\0');
  if (!in.read(bytes.data(), bytes.size()) || describe(bytes).sum != label.sum)
    return "";
  struct
  {
    std::string version;
    void archive(Archive &archive)
    {
      archive("program version", version);
    }
  } first;
  try
  {
    Archive archive(bytes, "");
    archive("label", first);
  }
  catch (const InputError &)
  {
    return "";
  }
  return first.version;
}

/// The parts of a checkpoint file. Throws InputError with the reason if it is
/// not one, or not complete.
std::vector<std::string> read_parts(const std::string &path)
{
  expect_regular_file(path, "'" + path + "'");
  std::ifstream in(path, std::ios::binary);
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (!in || error)
    throw InputError(fmt::format("'{}' cannot be read.", path));
  const auto truncated = [&]()
  {
    throw InputError(
        fmt::format("'{}' is not complete ({} bytes).", path, size));
  };
  FileHeader header;
  if (!in.read(reinterpret_cast<char *>(&header), sizeof(header)))
    truncated();
  if (std::memcmp(header.magic, magic, 8) != 0)
    throw InputError(
        fmt::format("'{}' is not a checkpoint of delassus.", path));
  if (header.byte_order != byte_order)
    throw InputError(fmt::format(
        "'{}' was written on a machine with another order of bytes.", path));
  if (header.version != format_version)
  {
    const std::string writer = writer_of(in, header.n_parts);
    throw InputError(fmt::format(
        "'{}' has version {} of the format, written by {}; this program reads "
        "version {}. Go on with the program that wrote it.",
        path,
        header.version,
        writer.empty() ? header.version < format_version ? "an older program"
                                                         : "another program"
                       : "delassus " + writer,
        format_version));
  }
  const std::string damaged = fmt::format("'{}' is damaged.", path);
  if (header.n_parts > size / sizeof(PartHeader))
    throw InputError(damaged);
  std::vector<PartHeader> table(header.n_parts);
  const std::size_t table_size = table.size() * sizeof(PartHeader);
  std::uint64_t table_sum      = 0;
  if (!in.read(reinterpret_cast<char *>(table.data()), table_size) ||
      !in.read(reinterpret_cast<char *>(&table_sum), sizeof(table_sum)))
    truncated();
  if (table_sum !=
      checksum(reinterpret_cast<const char *>(table.data()), table_size))
    throw InputError(damaged);
  std::uintmax_t expected = sizeof(header) + table_size + sizeof(table_sum);
  for (const auto &part : table)
    expected += part.length;
  if (size < expected)
    truncated();
  if (size > expected)
    throw InputError(damaged);
  std::vector<std::string> parts;
  for (const auto &part : table)
  {
    std::string bytes(part.length, '\0');
    if (!in.read(bytes.data(), bytes.size()))
      truncated();
    if (describe(bytes).sum != part.sum)
      throw InputError(damaged);
    parts.push_back(std::move(bytes));
  }
  return parts;
}

/// The parts of the newest complete checkpoint of a directory.
std::vector<std::string> read_newest(const std::string &directory,
                                     std::string &warning)
{
  std::string problem;
  const unsigned int n = n_there(directory);
  for (unsigned int k = 0; k < n; ++k)
  {
    const std::string path = path_of(directory, k);
    std::error_code error;
    if (!std::filesystem::exists(path, error))
      continue;
    try
    {
      auto parts = read_parts(path);
      if (!problem.empty())
        warning = problem + " The run goes on from the checkpoint before.";
      return parts;
    }
    catch (const InputError &e)
    {
      problem += (problem.empty() ? "" : " ") + std::string(e.what());
    }
  }
  if (problem.empty())
    throw InputError(fmt::format(
        "--resume: there is no checkpoint in '{}'. Checkpoints are written "
        "every 'Output/Checkpoint minutes' of wall time, 'Checkpoint steps' or "
        "'Checkpoint interval', when a run is stopped, and at its end; without "
        "--resume the run starts anew.",
        directory));
  throw InputError(fmt::format("--resume: {} There is no other checkpoint in "
                               "'{}'; without --resume the run starts anew.",
                               problem,
                               directory));
}
} // namespace

void CheckpointLabel::archive(Archive &archive)
{
  std::vector<std::pair<std::string, std::string>> list(entries.begin(),
                                                        entries.end());
  archive("program version", program_version);
  archive("dimension", dimension);
  archive("ranks", n_ranks);
  archive("step", step);
  archive("stopped", stopped);
  archive("time", time);
  archive("parameters", list);
  entries           = { list.begin(), list.end() };
  const auto stages = entries.find("Stages");
  if (stages != entries.end() && !stages->second.empty())
    archive("stage", stage);
}

std::string write_checkpoint(const std::string &directory,
                             const unsigned int n_kept,
                             const Checkpoint &checkpoint,
                             MPI_Comm communicator)
{
  const unsigned int n_ranks = size_of(communicator);
  const bool root            = rank_of(communicator) == 0;
  const std::string &mine    = checkpoint.ranks[0];
  const PartHeader part      = describe(mine);
  std::vector<PartHeader> of_ranks(n_ranks);
  MPI_Gather(&part,
             sizeof(part),
             MPI_BYTE,
             of_ranks.data(),
             sizeof(part),
             MPI_BYTE,
             0,
             communicator);
  if (!root)
    send(mine, 0, communicator);
  int reason = 0;
  if (root)
  {
    Archive label;
    CheckpointLabel copy = checkpoint.label;
    copy.n_ranks         = n_ranks;
    label("label", copy);
    std::vector<PartHeader> table = { describe(label.bytes()),
                                      describe(checkpoint.common) };
    table.insert(table.end(), of_ranks.begin(), of_ranks.end());
    FileHeader header = { {}, byte_order, format_version, table.size() };
    std::memcpy(header.magic, magic, 8);
    const std::size_t table_size = table.size() * sizeof(PartHeader);
    const std::uint64_t table_sum =
        checksum(reinterpret_cast<const char *>(table.data()), table_size);

    const std::string temporary = path_of(directory, 0) + ".part";
    Output out(temporary);
    out.write(&header, sizeof(header));
    out.write(table.data(), table_size);
    out.write(&table_sum, sizeof(table_sum));
    out.write(label.bytes().data(), label.bytes().size());
    out.write(checkpoint.common.data(), checkpoint.common.size());
    out.write(mine.data(), mine.size());
    // Rank by rank; all are received even if the disk is full.
    for (unsigned int r = 1; r < n_ranks; ++r)
    {
      const std::string bytes = receive(of_ranks[r].length, r, communicator);
      out.write(bytes.data(), bytes.size());
    }
    out.finish();
    reason = out.failure();
    if (reason == 0)
      reason = take_name(directory, temporary, n_kept);
    if (reason != 0)
      ::unlink(temporary.c_str());
  }
  MPI_Bcast(&reason, 1, MPI_INT, 0, communicator);
  return reason == 0
             ? std::string()
             : fmt::format("The checkpoint '{}/{}' cannot be written: {}. What "
                           "was there before is intact.",
                           directory,
                           file_name,
                           std::strerror(reason));
}

Checkpoint read_checkpoint(const std::string &directory,
                           std::string &warning,
                           MPI_Comm communicator)
{
  const unsigned int n_ranks = size_of(communicator);
  const bool root            = rank_of(communicator) == 0;
  std::vector<std::string> parts(2);
  std::string error;
  if (root)
    try
    {
      parts = read_newest(directory, warning);
      if (parts.size() < 3)
        throw InputError("--resume: the checkpoint in '" + directory +
                         "' is damaged.");
    }
    catch (const InputError &e)
    {
      error = e.what();
    }
  broadcast(error, communicator);
  if (!error.empty())
    throw InputError(error);
  broadcast(warning, communicator);
  broadcast(parts[0], communicator);
  broadcast(parts[1], communicator);

  Checkpoint checkpoint;
  Archive label(parts[0], "The checkpoint in '" + directory + "'");
  label("label", checkpoint.label);
  label.expect_end();
  checkpoint.common         = std::move(parts[1]);
  const unsigned int n_then = checkpoint.label.n_ranks;
  bool as_many              = !root || parts.size() == 2 + std::size_t(n_then);
  MPI_Bcast(&as_many, 1, MPI_CXX_BOOL, 0, communicator);
  if (!as_many || n_then == 0)
    throw InputError("--resume: the checkpoint in '" + directory +
                     "' is damaged.");
  parts.resize(2 + n_then);
  checkpoint.ranks.resize(n_then);
  if (n_then == n_ranks)
  {
    // To each its own.
    std::vector<std::uint64_t> lengths(n_ranks);
    for (unsigned int r = 0; r < n_ranks; ++r)
      lengths[r] = parts[2 + r].size();
    MPI_Bcast(lengths.data(), n_ranks, MPI_UINT64_T, 0, communicator);
    const int rank = rank_of(communicator);
    if (root)
      for (unsigned int r = 1; r < n_ranks; ++r)
        send(parts[2 + r], r, communicator);
    checkpoint.ranks[rank] =
        root ? std::move(parts[2]) : receive(lengths[rank], 0, communicator);
  }
  else
    for (unsigned int r = 0; r < n_then; ++r)
    {
      broadcast(parts[2 + r], communicator);
      checkpoint.ranks[r] = std::move(parts[2 + r]);
    }
  return checkpoint;
}

namespace
{
/// Entries that a continued run may change: they say how long, what is written
/// and how exactly equations are solved. Of a mesh file the mesh counts, which
/// is compared by itself, and not what its script may do.
bool may_change(const std::string &entry)
{
  static const std::set<std::string> names = { "Title", "Time/End" };
  if (names.count(entry) > 0)
    return true;
  // What section Newton says, if a stage says nothing else.
  if (entry.compare(0, 6, "Stage ") == 0 &&
      entry.find("/Newton/") != std::string::npos)
    return true;
  for (const std::string section :
       { "Output/", "Newton/", "Contact solver/", "Linear solver/", "Checks/" })
    if (entry.compare(0, section.size(), section) == 0)
      return true;
  for (const std::string end : { "/Mesh/File", "/Allow scripts" })
    if (entry.size() > end.size() &&
        entry.compare(entry.size() - end.size(), end.size(), end) == 0)
      return true;
  return false;
}

/// Items between commas and semicolons, without blanks at their ends.
std::vector<std::string> items_of(const std::string &value)
{
  std::vector<std::string> items(1);
  for (const char c : value)
    if (c == ',' || c == ';')
      items.emplace_back(1, c), items.emplace_back();
    else
      items.back() += c;
  for (auto &item : items)
  {
    item.erase(0, item.find_first_not_of(" \t"));
    item.erase(item.find_last_not_of(" \t") + 1);
  }
  return items;
}

bool same_value(const std::string &a, const std::string &b)
{
  const auto items_a = items_of(a), items_b = items_of(b);
  const auto number = [](const std::string &text, double &value)
  {
    char *end = nullptr;
    value     = std::strtod(text.c_str(), &end);
    return !text.empty() && *end == '\0';
  };
  return items_a.size() == items_b.size() &&
         std::equal(items_a.begin(),
                    items_a.end(),
                    items_b.begin(),
                    [&](const std::string &x, const std::string &y)
                    {
                      double u, v;
                      return x == y || (number(x, u) && number(y, v) && u == v);
                    });
}

/// Without the stages that come after number @p stage: their entries, and their
/// names in the list.
std::map<std::string, std::string>
without_later_stages(const std::map<std::string, std::string> &entries,
                     const unsigned int stage)
{
  const auto list = entries.find("Stages");
  if (list == entries.end() || list->second.empty())
    return entries;
  std::set<std::string> kept;
  std::string names;
  unsigned int n = 0;
  for (const auto &item : items_of(list->second))
    if (item != "," && n++ <= stage)
    {
      kept.insert(item);
      names += (names.empty() ? "" : ", ") + item;
    }
  std::map<std::string, std::string> result;
  const std::string prefix = "Stage ";
  for (const auto &entry : entries)
    if (entry.first.compare(0, prefix.size(), prefix) != 0 ||
        kept.count(entry.first.substr(
            prefix.size(), entry.first.find('/') - prefix.size())) > 0)
      result.insert(entry);
  result["Stages"] = names;
  return result;
}
} // namespace

std::vector<std::string>
differing_entries(const std::map<std::string, std::string> &all_there,
                  const std::map<std::string, std::string> &all_now,
                  const unsigned int stage)
{
  const auto checkpoint = without_later_stages(all_there, stage),
             now        = without_later_stages(all_now, stage);
  std::set<std::string> names;
  for (const auto &entry : checkpoint)
    names.insert(entry.first);
  for (const auto &entry : now)
    names.insert(entry.first);
  std::vector<std::string> result;
  for (const auto &name : names)
  {
    if (may_change(name))
      continue;
    const auto there = checkpoint.find(name), here = now.find(name);
    // Entries that only one program knows, without a value.
    if ((there == checkpoint.end() || there->second.empty()) &&
        (here == now.end() || here->second.empty()))
      continue;
    if (there == checkpoint.end())
      result.push_back(fmt::format(
          "'{}' = '{}' (not in the checkpoint)", name, here->second));
    else if (here == now.end())
      result.push_back(fmt::format(
          "'{}' is missing (in the checkpoint: '{}')", name, there->second));
    else if (!same_value(there->second, here->second))
      result.push_back(fmt::format("'{}' = '{}' (in the checkpoint: '{}')",
                                   name,
                                   here->second,
                                   there->second));
  }
  return result;
}
} // namespace delassus

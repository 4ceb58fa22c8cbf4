#include <delassus/base/exceptions.h>
#include <delassus/contact/exchange/compressed_columns.h>
#include <delassus/contact/exchange/problem_files.h>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <limits>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

extern "C"
{
#include <fclib.h>
}

// The only file that knows libfclib. It writes with that library. For reading
// it uses the HDF5 library that libfclib itself brings along, because libfclib
// trusts the sizes in a file: it reads a vector into memory for as many values
// as another entry says, however long the vector is.
//
// deal.II may be linked with another HDF5 (with MPI); the functions of that one
// must not be mixed with these. So they are not linked but looked up in
// libfclib's own dependencies.

namespace delassus
{
namespace
{
using Id = std::int64_t; ///< hid_t since HDF5 1.10

/// The few functions of HDF5 that are needed.
class Hdf5
{
public:
  static const Hdf5 &get()
  {
    static const Hdf5 functions;
    return functions;
  }

  Id (*open_file)(const char *, unsigned int, Id);
  int (*close_file)(Id);
  int (*set_error_handler)(Id, void *, void *);
  int (*link_exists)(Id, const char *, Id);
  int (*n_dimensions)(Id, const char *, int *);
  int (*dataset_info)(Id, const char *, unsigned long long *, int *, size_t *);
  int (*read_int)(Id, const char *, int *);
  int (*read_double)(Id, const char *, double *);
  int (*read_string)(Id, const char *, char *);

private:
  Hdf5()
  {
    Dl_info info;
    void *library = nullptr;
    if (dladdr(reinterpret_cast<void *>(&fclib_read_local), &info) != 0)
      library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_LOCAL);
    if (library == nullptr)
      library = dlopen("libfclib.so.0", RTLD_LAZY | RTLD_LOCAL);
    int (*version)(unsigned int *, unsigned int *, unsigned int *);
    find(library, "H5get_libversion", version);
    find(library, "H5Fopen", open_file);
    find(library, "H5Fclose", close_file);
    find(library, "H5Eset_auto2", set_error_handler);
    find(library, "H5Lexists", link_exists);
    find(library, "H5LTget_dataset_ndims", n_dimensions);
    find(library, "H5LTget_dataset_info", dataset_info);
    find(library, "H5LTread_dataset_int", read_int);
    find(library, "H5LTread_dataset_double", read_double);
    find(library, "H5LTread_dataset_string", read_string);
    unsigned int major = 0, minor = 0, release = 0;
    version(&major, &minor, &release);
    if (major == 1 && minor < 10)
      throw ComputationError(fmt::format(
          "FCLIB files: libfclib uses HDF5 {}.{}, but 1.10 is needed.",
          major,
          minor));
    // HDF5 describes errors on standard error at length.
    set_error_handler(0, nullptr, nullptr);
  }

  template <typename Function>
  static void find(void *library, const char *name, Function &function)
  {
    void *address = library == nullptr ? nullptr : dlsym(library, name);
    if (address == nullptr)
      throw ComputationError(fmt::format(
          "FCLIB files: libfclib's HDF5 library has no function {}.", name));
    function = reinterpret_cast<Function>(address);
  }
};

enum class Outcome
{
  done,
  failed,
  not_started
};

/// Runs a task in a process of its own and says whether it ended well there:
/// HDF5 breaks down on some damaged files, and libfclib ends the program where
/// it cannot write. What they print goes nowhere; after @p seconds it is over.
Outcome run_apart(const std::function<bool()> &task, const unsigned int seconds)
{
  // What the process returns may be lost (if SIGCHLD is ignored), so it sends a
  // byte when it is done.
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return Outcome::not_started;
  const pid_t child = fork();
  if (child == 0)
  {
    close(ends[0]);
    const int null = open("/dev/null", O_WRONLY);
    if (null >= 0)
    {
      dup2(null, STDOUT_FILENO);
      dup2(null, STDERR_FILENO);
    }
    for (const int number : { SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGALRM })
      std::signal(number, SIG_DFL);
    // exit() must not write buffers that belong to the process which started
    // this one: what is registered last is called first.
    std::atexit([] { _exit(1); });
    alarm(seconds);
    bool good = false;
    try
    {
      good = task();
    }
    catch (...)
    {
    }
    const char done = 1;
    _exit(good && ::write(ends[1], &done, 1) == 1 ? 0 : 1);
  }
  close(ends[1]);
  Outcome outcome = Outcome::not_started;
  if (child > 0)
  {
    char done = 0;
    ssize_t n = 0;
    do
      n = ::read(ends[0], &done, 1);
    while (n < 0 && errno == EINTR);
    outcome = n == 1 ? Outcome::done : Outcome::failed;
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR)
      ;
  }
  close(ends[0]);
  return outcome;
}

/// A slow disk needs less for a file of this size.
unsigned int seconds_for(const double n_bytes)
{
  return 20 + static_cast<unsigned int>(n_bytes / 1e6);
}

/// An FCLIB file that is read.
class Reader
{
public:
  explicit Reader(const std::string &file)
      : file(file)
      , hdf5(Hdf5::get())
      , id(hdf5.open_file(file.c_str(), 0, 0))
      , most_values(std::min<double>(300. * std::filesystem::file_size(file),
                                     std::numeric_limits<int>::max()))
  {
    if (id < 0)
      throw InputError(fmt::format(
          "{}: begins like an HDF5 file, but HDF5 cannot open it: it is "
          "truncated or damaged.",
          file));
  }

  Reader(const Reader &) = delete;

  ~Reader()
  {
    hdf5.close_file(id);
  }

  [[noreturn]] void fail(const std::string &what) const
  {
    throw InputError(fmt::format("{}: {}", file, what));
  }

  /// Whether all links of the path are there.
  bool has(const std::string &path) const
  {
    for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1))
    {
      if (hdf5.link_exists(id, path.substr(0, end).c_str(), 0) <= 0)
        return false;
      if (end == std::string::npos)
        return true;
    }
  }

  int integer(const std::string &path) const
  {
    const auto values = integers(path);
    if (values.size() != 1)
      fail(fmt::format(
          "'{}' has {} values, but 1 is expected.", path, values.size()));
    return values[0];
  }

  std::vector<int> integers(const std::string &path) const
  {
    std::vector<int> values(size(path, 0, "whole numbers"));
    if (!values.empty() && hdf5.read_int(id, path.c_str(), values.data()) < 0)
      fail(fmt::format("'{}' cannot be read: the file is damaged.", path));
    return values;
  }

  std::vector<double> doubles(const std::string &path) const
  {
    std::vector<double> values(size(path, 1, "numbers"));
    if (!values.empty() &&
        hdf5.read_double(id, path.c_str(), values.data()) < 0)
      fail(fmt::format("'{}' cannot be read: the file is damaged.", path));
    return values;
  }

  std::vector<double> doubles(const std::string &path,
                              const std::size_t expected,
                              const std::string &meaning) const
  {
    std::vector<double> values = doubles(path);
    if (values.size() != expected)
      fail(fmt::format("'{}' has {} values, but {} are expected ({}).",
                       path,
                       values.size(),
                       expected,
                       meaning));
    return values;
  }

  /// Empty if it is not there or not a string of fixed length.
  std::string text(const std::string &path) const
  {
    unsigned long long dimensions[max_dimensions];
    int rank = 0, type = -1;
    std::size_t n_bytes = 0;
    if (!has(path) || hdf5.n_dimensions(id, path.c_str(), &rank) < 0 ||
        rank != 0 ||
        hdf5.dataset_info(id, path.c_str(), dimensions, &type, &n_bytes) < 0 ||
        type != 3 || n_bytes > (1u << 24))
      return "";
    std::vector<char> buffer(n_bytes + sizeof(char *) + 1, '\0');
    if (hdf5.read_string(id, path.c_str(), buffer.data()) < 0)
      return "";
    return buffer.data();
  }

  CompressedColumns matrix(const std::string &path) const
  {
    if (!has(path))
      fail(fmt::format("there is no matrix '{}'.", path));
    const int m = integer(path + "/m"), n = integer(path + "/n"),
              nz = integer(path + "/nz");
    for (const int size : { m, n })
      if (size > most_values)
        fail(fmt::format("'{}' has {} rows and {} columns: more than the file "
                         "can hold.",
                         path,
                         m,
                         n));
    if (m <= 0 || n <= 0)
      fail(fmt::format("'{}' has {} rows and {} columns, but must have one at "
                       "least.",
                       path,
                       m,
                       n));
    if (nz < -2)
      fail(fmt::format("'{}/nz' is {}, but must be -2 (compressed rows), -1 "
                       "(compressed columns) or the number of triplets.",
                       path,
                       nz));
    const std::vector<int> p = integers(path + "/p"), i = integers(path + "/i");
    const std::vector<double> x = doubles(path + "/x");
    std::vector<Triplet> entries;
    const auto add = [&](const long row, const long column, const double value)
    {
      if (row < 0 || row >= m || column < 0 || column >= n)
        fail(fmt::format("'{}' has an entry in row {}, column {}, but only {} "
                         "rows and {} columns.",
                         path,
                         row,
                         column,
                         m,
                         n));
      entries.push_back({ static_cast<std::size_t>(row),
                          static_cast<std::size_t>(column),
                          value });
    };
    if (nz >= 0)
    {
      if (p.size() < static_cast<std::size_t>(nz) ||
          i.size() < static_cast<std::size_t>(nz) ||
          x.size() < static_cast<std::size_t>(nz))
        fail(fmt::format("'{}' is said to have {} triplets, but there are {} "
                         "rows, {} columns and {} values.",
                         path,
                         nz,
                         i.size(),
                         p.size(),
                         x.size()));
      entries.reserve(nz);
      // As written in practice: i is the row, p the column.
      for (int k = 0; k < nz; ++k)
        add(i[k], p[k], x[k]);
    }
    else
    {
      const bool by_rows     = nz == -2;
      const int n_compressed = by_rows ? m : n;
      if (p.size() != static_cast<std::size_t>(n_compressed) + 1)
        fail(fmt::format("'{}/p' has {} values, but {} are expected (the {} "
                         "and one more).",
                         path,
                         p.size(),
                         static_cast<long>(n_compressed) + 1,
                         by_rows ? "rows" : "columns"));
      if (p.front() != 0 || !std::is_sorted(p.begin(), p.end()))
        fail(fmt::format("'{}/p' must begin with 0 and not descend.", path));
      const std::size_t n_entries = p.back();
      if (i.size() < n_entries || x.size() < n_entries)
        fail(fmt::format("'{}' has {} entries by its pointers, but {} indices "
                         "and {} values.",
                         path,
                         n_entries,
                         i.size(),
                         x.size()));
      entries.reserve(n_entries);
      for (int c = 0; c < n_compressed; ++c)
        for (int k = p[c]; k < p[c + 1]; ++k)
          by_rows ? add(c, i[k], x[k]) : add(i[k], c, x[k]);
    }
    return compress_columns(m, n, entries);
  }

private:
  static constexpr int max_dimensions = 8;

  /// Values of a dataset of one dimension, or none (one value). @p type: 0
  /// whole numbers, 1 floating-point numbers.
  std::size_t
  size(const std::string &path, const int type, const char *type_name) const
  {
    if (!has(path))
      fail(fmt::format("there is no '{}'.", path));
    int rank = -1, found = -1;
    unsigned long long dimensions[max_dimensions] = { 1 };
    std::size_t n_bytes                           = 0;
    if (hdf5.n_dimensions(id, path.c_str(), &rank) < 0 || rank < 0 ||
        rank > max_dimensions ||
        hdf5.dataset_info(id, path.c_str(), dimensions, &found, &n_bytes) < 0)
      fail(fmt::format("'{}' is no dataset, or it is damaged.", path));
    if (rank > 1)
      fail(fmt::format(
          "'{}' has {} dimensions, but 1 is expected.", path, rank));
    if (found != type)
      fail(fmt::format("'{}' does not consist of {}.", path, type_name));
    const unsigned long long n = rank == 0 ? 1 : dimensions[0];
    if (static_cast<double>(n) > most_values)
      fail(fmt::format(
          "'{}' has {} values: more than the file can hold.", path, n));
    return static_cast<std::size_t>(n);
  }

  const std::string file;
  const Hdf5 &hdf5;
  const Id id;

  /// Compression makes at most this of a file; found out before memory is
  /// taken. libfclib counts by int.
  const double most_values;
};

/// Unknowns and equations beyond contact are not handled.
void refuse(const Reader &reader, const std::string &path)
{
  if (reader.has(path))
    reader.fail(fmt::format("it has '{}', that is equations besides those of "
                            "contact, which are not handled.",
                            path));
}

ExchangeProblem read(const std::string &file)
{
  const Reader reader(file);
  ExchangeProblem problem;
  problem.global = reader.has("/fclib_global");
  if (!problem.global && !reader.has("/fclib_local"))
    reader.fail("is an HDF5 file, but not of FCLIB: there is neither "
                "'/fclib_local' nor '/fclib_global'.");
  if (problem.global && reader.has("/fclib_local"))
    reader.fail("has a local and a global problem; one is expected.");
  const std::string group = problem.global ? "/fclib_global" : "/fclib_local";
  const int dim           = reader.integer(group + "/spacedim");
  if (dim != 2 && dim != 3)
    reader.fail(
        fmt::format("'{}/spacedim' is {}, but must be 2 or 3.", group, dim));
  problem.dim       = dim;
  const auto vector = [&](const std::string &name,
                          const std::size_t n,
                          const std::string &meaning)
  { return reader.doubles(group + "/vectors/" + name, n, meaning); };
  std::size_t m;
  if (problem.global)
  {
    refuse(reader, group + "/G");
    problem.M = reader.matrix(group + "/M");
    problem.H = reader.matrix(group + "/H");
    m         = problem.H.n_columns;
    problem.f = vector("f", problem.M.n_rows, "rows of M");
    problem.w = vector("w", m, "columns of H");
  }
  else
  {
    refuse(reader, group + "/V");
    refuse(reader, group + "/R");
    problem.W = reader.matrix(group + "/W");
    m         = problem.W.n_rows;
    problem.q = vector("q", m, "rows of W");
  }
  if (m % dim != 0)
    reader.fail(fmt::format("{} local components are no multiple of the "
                            "dimension {}.",
                            m,
                            dim));
  problem.mu          = vector("mu", m / dim, "contacts");
  problem.title       = reader.text(group + "/info/title");
  problem.description = reader.text(group + "/info/description");
  problem.math_info   = reader.text(group + "/info/math_info");
  return problem;
}

/// A matrix as libfclib wants it, which may not change it. By rows if asked.
class FclibMatrix
{
public:
  FclibMatrix(const CompressedColumns &A, const bool by_rows)
  {
    const CompressedColumns B = by_rows ? transpose(A) : A;
    p.assign(B.start.begin(), B.start.end());
    i.assign(B.row.begin(), B.row.end());
    x            = B.value;
    matrix.nzmax = static_cast<int>(x.size());
    matrix.m     = static_cast<int>(A.n_rows);
    matrix.n     = static_cast<int>(A.n_columns);
    matrix.nz    = by_rows ? -2 : -1;
    matrix.info  = nullptr;
    // HDF5 has no empty vectors.
    if (x.empty())
    {
      i.push_back(0);
      x.push_back(0.);
      matrix.nzmax = 1;
    }
    matrix.p = p.data();
    matrix.i = i.data();
    matrix.x = x.data();
  }

  FclibMatrix(const FclibMatrix &) = delete;

  fclib_matrix matrix;

private:
  std::vector<int> p, i;
  std::vector<double> x;
};
} // namespace


ExchangeProblem read_fclib(const std::string &file)
{
  Hdf5::get();
  // On trial first; what is wrong with the contents is found again below.
  const Outcome outcome = run_apart(
      [&]
      {
        try
        {
          read(file);
        }
        catch (const InputError &)
        {
        }
        return true;
      },
      seconds_for(std::filesystem::file_size(file)));
  if (outcome == Outcome::failed)
    throw InputError(fmt::format(
        "{}: HDF5 cannot read it without breaking down: the file is damaged.",
        file));
  return read(file);
}


bool write_fclib(const std::string &file,
                 const ExchangeProblem &problem,
                 const ExchangeSolution *solution)
{
  const auto write = [&]
  {
    // libfclib takes pointers to values, but does not change them.
    ExchangeProblem copy = problem;
    fclib_info info;
    info.title       = copy.title.data();
    info.description = copy.description.data();
    info.math_info   = copy.math_info.data();
    if (problem.global)
    {
      FclibMatrix M(problem.M, false), H(problem.H, false);
      fclib_global global{};
      global.M        = &M.matrix;
      global.H        = &H.matrix;
      global.mu       = copy.mu.data();
      global.f        = copy.f.data();
      global.w        = copy.w.data();
      global.spacedim = static_cast<int>(problem.dim);
      global.info     = &info;
      if (fclib_write_global(&global, file.c_str()) != 1)
        return false;
    }
    else
    {
      FclibMatrix W(problem.W, true);
      fclib_local local{};
      local.W        = &W.matrix;
      local.mu       = copy.mu.data();
      local.q        = copy.q.data();
      local.spacedim = static_cast<int>(problem.dim);
      local.info     = &info;
      if (fclib_write_local(&local, file.c_str()) != 1)
        return false;
    }
    if (solution == nullptr)
      return true;
    ExchangeSolution values = *solution;
    fclib_solution written{};
    written.r = values.r.data();
    written.u = values.u.data();
    written.v = problem.global ? values.v.data() : nullptr;
    return fclib_write_solution(&written, file.c_str()) == 1;
  };
  const std::size_t n_values =
      problem.W.value.size() + problem.M.value.size() + problem.H.value.size();
  return run_apart(write, seconds_for(16. * n_values)) == Outcome::done;
}
} // namespace delassus

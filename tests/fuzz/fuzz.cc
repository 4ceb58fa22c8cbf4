// Files that are changed at random and read: whatever is in them, the answer is
// a result or an InputError, never a crash, a loop without end, another
// exception or a report of the sanitizers. A worker process reads; this one
// watches it, and keeps the input that ended it.
#include "fuzz.h"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

extern "C"
{
  // Allocations that cannot be made throw, as they do without sanitizers;
  // libraries do not free everything.
  const char *__asan_default_options();
  const char *__asan_default_options()
  {
    return "detect_leaks=0:allocator_may_return_null=1";
  }
  const char *__ubsan_default_options();
  const char *__ubsan_default_options()
  {
    return "print_stacktrace=1";
  }
}

namespace
{
namespace fs = std::filesystem;
using Clock  = std::chrono::steady_clock;

struct Options
{
  double seconds = 60., limit = 20.; ///< in all, and for one input
  std::uint64_t seed = 1;
  std::string corpus, output = "fuzz_failures", input;
};

/// Seen by both processes.
struct Progress
{
  std::uint64_t next; ///< the input that is read, or the next one
  std::uint64_t n_accepted, n_refused;
};

double seconds_since(const Clock::time_point begin)
{
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

[[noreturn]] void usage(const std::string &what)
{
  std::cerr << "fuzz: error: " << what
            << "\nfuzz --corpus FOLDER [--seconds S] [--seed N] [--limit S] "
               "[--output FOLDER] [--input FILE]\n";
  std::exit(2);
}

Options parse(const int argc, char **argv)
{
  Options options;
  for (int i = 1; i < argc; i += 2)
  {
    const std::string name = argv[i];
    if (i + 1 == argc)
      usage("'" + name + "' needs a value.");
    const std::string value = argv[i + 1];
    if (name == "--seconds")
      options.seconds = std::atof(value.c_str());
    else if (name == "--limit")
      options.limit = std::atof(value.c_str());
    else if (name == "--seed")
      options.seed = std::strtoull(value.c_str(), nullptr, 10);
    else if (name == "--corpus")
      options.corpus = value;
    else if (name == "--output")
      options.output = value;
    else if (name == "--input")
      options.input = value;
    else
      usage("there is no option '" + name + "'.");
  }
  return options;
}

std::string read(const fs::path &file)
{
  std::ifstream in(file, std::ios::binary);
  return { std::istreambuf_iterator<char>(in),
           std::istreambuf_iterator<char>() };
}

/// The process that reads: from input *progress on.
[[noreturn]] void work(const Options &options,
                       const fuzz::Corpus &corpus,
                       const std::string &scratch,
                       Progress &progress)
{
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  MPI_Init(nullptr, nullptr);
  for (;; ++progress.next)
  {
    const std::uint64_t i   = progress.next;
    const std::string &kind = fuzz::kinds()[i % fuzz::kinds().size()];
    try
    {
      const bool accepted = fuzz::read_input(
          kind, fuzz::make_input(corpus, options.seed, i), scratch);
      ++(accepted ? progress.n_accepted : progress.n_refused);
    }
    catch (const std::exception &e)
    {
      std::cerr << "fuzz: an exception that is no InputError: " << e.what()
                << std::endl;
      std::abort();
    }
  }
}

/// Read all files of the corpus, and make those that are binary.
fuzz::Corpus load(const Options &options, const std::string &scratch)
{
  fuzz::Corpus corpus;
  std::vector<fs::path> files;
  if (!fs::is_directory(options.corpus))
    usage("--corpus must be a folder.");
  for (const auto &file : fs::directory_iterator(options.corpus))
    files.push_back(file.path());
  std::sort(files.begin(), files.end());
  for (const auto &file : files)
    corpus[file.extension().string()].push_back(read(file));
  // In a process of its own: MPI is started once in each.
  const pid_t maker = fork();
  if (maker == 0)
  {
    MPI_Init(nullptr, nullptr);
    fuzz::make_binary_files(corpus, scratch);
    unsigned int n = 0;
    for (const std::string kind : { ".hdf5", ".bin" })
      for (const auto &bytes : corpus[kind])
        std::ofstream(scratch + "/made_" + std::to_string(n++) + kind,
                      std::ios::binary)
            << bytes;
    _exit(0);
  }
  int status = 0;
  waitpid(maker, &status, 0);
  if (status != 0)
    usage("the corpus cannot be read.");
  for (const auto &file : fs::directory_iterator(scratch))
    if (file.path().filename().string().rfind("made_", 0) == 0)
    {
      corpus[file.path().extension().string()].push_back(read(file.path()));
      fs::remove(file.path());
    }
  // The same order everywhere.
  for (auto &files_of_kind : corpus)
    std::sort(files_of_kind.second.begin(), files_of_kind.second.end());
  return corpus;
}
} // namespace

int main(int argc, char **argv)
{
  const Options options     = parse(argc, argv);
  const std::string scratch = (fs::temp_directory_path() /
                               ("delassus_fuzz_" + std::to_string(getpid())))
                                  .string();
  fs::create_directories(scratch);
  if (!options.input.empty())
  {
    // One input again, here.
    MPI_Init(nullptr, nullptr);
    const bool accepted =
        fuzz::read_input(fs::path(options.input).extension().string(),
                         read(options.input),
                         scratch);
    std::cout << (accepted ? "accepted" : "refused") << std::endl;
    fs::remove_all(scratch);
    return 0;
  }
  const fuzz::Corpus corpus = load(options, scratch);
  void *const page          = mmap(nullptr,
                          sizeof(Progress),
                          PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS,
                          -1,
                          0);
  auto *const progress      = new (page) Progress{ 0, 0, 0 };
  auto &next = const_cast<volatile std::uint64_t &>(progress->next);

  std::cout << "fuzz: seed " << options.seed << std::endl;
  const auto begin        = Clock::now();
  unsigned int n_failures = 0;
  while (n_failures < 10 && seconds_since(begin) < options.seconds)
  {
    const pid_t worker = fork();
    if (worker == 0)
      work(options, corpus, scratch, *progress);
    std::string failure;
    std::uint64_t last = next;
    auto last_change   = Clock::now();
    int status         = 0;
    bool running       = true;
    while (running && failure.empty() && seconds_since(begin) < options.seconds)
    {
      usleep(50000);
      if (waitpid(worker, &status, WNOHANG) == worker)
      {
        running = false;
        failure = WIFSIGNALED(status)
                      ? std::string("signal ") + strsignal(WTERMSIG(status))
                      : "exit status " + std::to_string(WEXITSTATUS(status));
      }
      if (next != last)
      {
        last        = next;
        last_change = Clock::now();
      }
      else if (seconds_since(last_change) > options.limit)
        failure = "more than " + std::to_string(options.limit) + " s";
    }
    if (running)
    {
      kill(worker, SIGKILL);
      waitpid(worker, &status, 0);
    }
    if (failure.empty())
      break;
    ++n_failures;
    const std::uint64_t i   = next;
    const std::string &kind = fuzz::kinds()[i % fuzz::kinds().size()];
    fs::create_directories(options.output);
    const std::string file = options.output + "/seed_" +
                             std::to_string(options.seed) + "_input_" +
                             std::to_string(i) + kind;
    std::ofstream(file, std::ios::binary)
        << fuzz::make_input(corpus, options.seed, i);
    std::cerr << "fuzz: FAILED: " << failure << ", with '" << file << "'"
              << std::endl;
    next = i + 1;
  }
  std::cout << "fuzz: " << progress->n_accepted + progress->n_refused
            << " inputs in " << seconds_since(begin) << " s, "
            << progress->n_accepted << " accepted, " << progress->n_refused
            << " refused, " << n_failures << " failures" << std::endl;
  fs::remove_all(scratch);
  return n_failures == 0 ? 0 : 1;
}

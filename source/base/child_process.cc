#include <delassus/base/child_process.h>
#include <delassus/base/exceptions.h>
#include <delassus/base/input_text.h>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <new>
#include <vector>

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace delassus
{
namespace
{
#if defined(__x86_64__)
constexpr unsigned int architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr unsigned int architecture = AUDIT_ARCH_AARCH64;
#else
constexpr unsigned int architecture = 0;
#endif

/// System calls that start programs, change files or reach other processes and
/// machines.
const std::vector<unsigned int> &refused_calls()
{
  static const std::vector<unsigned int> calls = {
    __NR_execve,
    __NR_execveat,
    __NR_socket,
    __NR_socketpair,
    __NR_connect,
    __NR_bind,
    __NR_kill,
    __NR_ptrace,
    __NR_mkdirat,
    __NR_unlinkat,
    __NR_renameat2,
    __NR_linkat,
    __NR_symlinkat,
    __NR_truncate,
    __NR_fchmod,
    __NR_fchmodat,
    __NR_fchown,
    __NR_fchownat,
    __NR_mknodat,
    __NR_utimensat,
    __NR_setxattr,
    __NR_lsetxattr,
    __NR_fsetxattr,
    __NR_mount,
    __NR_umount2,
    __NR_chroot,
    __NR_setns,
    __NR_unshare,
    __NR_bpf,
    __NR_keyctl,
    __NR_renameat,
    __NR_process_vm_writev,
    __NR_open_by_handle_at,
#ifdef __NR_openat2
    __NR_openat2,
#endif
#ifdef __NR_io_uring_setup
    __NR_io_uring_setup,
#endif
#ifdef __NR_creat
    __NR_creat,
    __NR_mkdir,
    __NR_rmdir,
    __NR_unlink,
    __NR_rename,
    __NR_link,
    __NR_symlink,
    __NR_chmod,
    __NR_chown,
    __NR_lchown,
    __NR_mknod,
    __NR_utime,
    __NR_utimes,
    __NR_futimesat,
#endif
  };
  return calls;
}

/// From here on this process may read, and write to what is open already. Does
/// nothing where the kernel cannot.
void confine()
{
  if (architecture == 0)
    return;
  std::vector<sock_filter> program;
  const auto load = [&](const std::size_t offset)
  {
    program.push_back(
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned int>(offset)));
  };
  const sock_filter refuse =
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
  const sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);

  load(offsetof(seccomp_data, arch));
  program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0));
  program.push_back(refuse);
  load(offsetof(seccomp_data, nr));
  // The calls of another ABI (x32).
  program.push_back(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000u, 0, 1));
  program.push_back(refuse);
  for (const unsigned int call : refused_calls())
  {
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1));
    program.push_back(refuse);
  }
  // Files may be opened to be read only. The flags are a 32-bit argument.
  constexpr unsigned int writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
  const auto read_only = [&](const unsigned int call, const unsigned int flags)
  {
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4));
    load(offsetof(seccomp_data, args) + 8 * flags);
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, writing, 0, 1));
    program.push_back(refuse);
    program.push_back(allow);
  };
  read_only(__NR_openat, 2);
#ifdef __NR_open
  read_only(__NR_open, 1);
#endif
  program.push_back(allow);

  sock_fprog filter;
  filter.len    = static_cast<unsigned short>(program.size());
  filter.filter = program.data();
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

/// What the child sends: one letter, then bytes.
enum Answer : char
{
  answer_result    = 'r',
  answer_input     = 'i',
  answer_exception = 'e'
};

bool write_all(const int descriptor, const char *data, std::size_t n)
{
  while (n > 0)
  {
    const ssize_t written = ::write(descriptor, data, n);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    data += written;
    n -= static_cast<std::size_t>(written);
  }
  return true;
}

void set_limit(const int resource, const double value)
{
  struct rlimit limit;
  if (getrlimit(static_cast<__rlimit_resource_t>(resource), &limit) != 0)
    return;
  const rlim_t wanted = static_cast<rlim_t>(value);
  if (limit.rlim_max == RLIM_INFINITY || wanted < limit.rlim_max)
    limit.rlim_max = wanted;
  limit.rlim_cur = std::min(wanted, limit.rlim_max);
  setrlimit(static_cast<__rlimit_resource_t>(resource), &limit);
}

[[noreturn]] void child(const std::function<std::string()> &task,
                        const ChildLimits &limits,
                        const pid_t parent,
                        const int answers,
                        const int prints)
{
  // Not longer than its parent, and heedless of signals to the terminal's
  // whole group: the parent decides.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(exit_computation_failed);
  for (const int signal : { SIGINT, SIGTERM, SIGUSR1, SIGHUP, SIGPIPE })
    std::signal(signal, SIG_IGN);
  for (const int signal : { SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGXFSZ })
    std::signal(signal, SIG_DFL);
  const int nothing = ::open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  dup2(prints, STDOUT_FILENO);
  dup2(prints, STDERR_FILENO);
  set_limit(RLIMIT_CORE, 0.);
#if !defined(__SANITIZE_ADDRESS__) // its tables are larger than any limit
  if (limits.memory > 0.)
    set_limit(RLIMIT_DATA, limits.memory);
#endif
  if (limits.confined)
    confine();

  std::string text;
  char kind = answer_exception;
  try
  {
    text = task();
    kind = answer_result;
  }
  catch (const InputError &e)
  {
    text = e.what();
    kind = answer_input;
  }
  catch (const std::bad_alloc &)
  {
    text = limits.memory > 0.
               ? fmt::format("it needs more than the {:.3g} GiB it may have",
                             limits.memory / 1073741824.)
               : std::string("not enough memory");
  }
  catch (const std::exception &e)
  {
    text = e.what();
  }
  catch (...)
  {
    text = "it failed without a message";
  }
  const bool sent = write_all(answers, &kind, 1) &&
                    write_all(answers, text.data(), text.size());
  // Neither destructors nor buffers: they are the parent's.
  _exit(sent ? exit_done : exit_computation_failed);
}

/// The two ends of a pipe, closed at the end.
struct Pipe
{
  Pipe()
  {
    if (pipe2(ends, O_CLOEXEC) != 0)
      throw ChildFailure(std::strerror(errno));
  }

  ~Pipe()
  {
    close_end(0);
    close_end(1);
  }

  Pipe(const Pipe &)            = delete;
  Pipe &operator=(const Pipe &) = delete;

  void close_end(const int which)
  {
    if (ends[which] >= 0)
      ::close(ends[which]);
    ends[which] = -1;
  }

  int ends[2] = { -1, -1 };
};

/// Ended and buried whatever happens.
struct Process
{
  ~Process()
  {
    if (id > 0)
    {
      ::kill(id, SIGKILL);
      wait();
    }
  }

  int wait()
  {
    int status = 0;
    while (waitpid(id, &status, 0) < 0 && errno == EINTR)
      ;
    id = -1;
    return status;
  }

  pid_t id = -1;
};

/// Add what is there to @p text, up to @p most bytes of it. False at the end.
bool receive(const int descriptor, std::string &text, const std::size_t most)
{
  char buffer[65536];
  const ssize_t n = ::read(descriptor, buffer, sizeof(buffer));
  if (n < 0)
    return errno == EINTR || errno == EAGAIN;
  text.append(buffer,
              std::min(static_cast<std::size_t>(n),
                       most - std::min(most, text.size())));
  return n > 0;
}

/// The lines that a dying program leaves, as one.
std::string last_words(const std::string &prints)
{
  std::string text = prints.substr(0, 500);
  std::replace(text.begin(), text.end(), '\n', ' ');
  text.erase(text.find_last_not_of(' ') + 1);
  return text.empty() ? "" : " (" + escape_bad_bytes(text) + ")";
}
} // namespace

std::string run_in_child(const std::function<std::string()> &task,
                         const ChildLimits &limits)
{
  Pipe answers, prints;
  const pid_t parent = getpid();
  Process process;
  process.id = fork();
  if (process.id == 0)
    child(task, limits, parent, answers.ends[1], prints.ends[1]);
  if (process.id < 0)
    throw ChildFailure(std::strerror(errno));
  answers.close_end(1);
  prints.close_end(1);

  using Clock = std::chrono::steady_clock;
  const auto last =
      Clock::now() +
      std::chrono::duration_cast<Clock::duration>(
          std::chrono::duration<double>(std::min(limits.seconds, 1e8)));
  std::string answer, printed;
  bool goes_on = true;
  while (goes_on)
  {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        last - Clock::now());
    if (left.count() <= 0)
      throw ChildFailure(
          fmt::format("it was ended after {:.6g} s", limits.seconds));
    struct pollfd sources[2] = { { answers.ends[0], POLLIN, 0 },
                                 { prints.ends[0], POLLIN, 0 } };
    const int n_ready =
        poll(sources,
             2,
             static_cast<int>(std::min<long long>(left.count() + 1, 60000)));
    if (n_ready < 0 && errno != EINTR)
      throw ChildFailure(std::strerror(errno));
    if (n_ready <= 0)
      continue;
    if (sources[1].revents != 0 && !receive(prints.ends[0], printed, 4096))
      prints.close_end(0); // poll() passes over it from now on
    if (sources[0].revents != 0)
      goes_on = receive(answers.ends[0], answer, std::string::npos);
  }
  const int status = process.wait();
  if (prints.ends[0] >= 0)
  {
    // What is left, without waiting for programs that a script has started.
    fcntl(prints.ends[0], F_SETFL, O_NONBLOCK);
    receive(prints.ends[0], printed, 4096);
  }
  if (WIFSIGNALED(status))
    throw ChildFailure(fmt::format("it was ended by signal {}, {}{}",
                                   WTERMSIG(status),
                                   strsignal(WTERMSIG(status)),
                                   last_words(printed)));
  if (WEXITSTATUS(status) != exit_done || answer.empty())
    throw ChildFailure(fmt::format("it ended itself with exit status {}{}",
                                   WEXITSTATUS(status),
                                   last_words(printed)));
  const std::string text = answer.substr(1);
  if (answer[0] == answer_input)
    throw InputError(text);
  if (answer[0] != answer_result)
    throw ChildFailure(text);
  return text;
}
} // namespace delassus

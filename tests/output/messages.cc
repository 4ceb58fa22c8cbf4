#include <delassus/base/exceptions.h>
#include <delassus/base/log.h>
#include <delassus/base/phase_timer.h>
#include <delassus/base/text.h>
#include <delassus/output/progress.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <regex>
#include <sstream>
#include <thread>

#include <unistd.h>

using namespace delassus;

namespace
{
#define EXPECT_SAYS(text, part)                                                \
  EXPECT_NE((text).find(part), std::string::npos) << (text)

std::size_t n_lines(const std::string &text)
{
  return std::count(text.begin(), text.end(), '\n');
}

std::string run(const bool is_terminal,
                const unsigned int n_steps,
                const bool quiet = false)
{
  std::ostringstream out;
  Progress progress(out, is_terminal, quiet, 1., 3.);
  for (unsigned int i = 1; i <= n_steps; ++i)
  {
    StepReport report;
    report.step        = i;
    report.time        = 1. + 2. * i / n_steps;
    report.sweeps      = 40;
    report.n_contacts  = 1084;
    report.n_stick     = 1000;
    report.n_slip      = 50;
    report.n_open      = 34;
    report.penetration = i == 77 ? 1.25e-3 : 1e-9;
    report.converged   = i != 33 && i != 34;
    progress.step(report);
  }
  progress.finish();
  return out.str();
}
} // namespace

TEST(Progress, AtMostAHundredPlainLines)
{
  const std::string text = run(false, 12345);
  // Rows, a heading every 25 of them, the line about convergence.
  EXPECT_LE(n_lines(text), 101u + 5 + 1);
  EXPECT_GE(n_lines(text), 95u);
  EXPECT_EQ(text.find('\r'), std::string::npos);
  EXPECT_EQ(text.find('\033'), std::string::npos);
  EXPECT_SAYS(text, "1084");
  EXPECT_SAYS(text, "12345");
  // What happened between two rows is not lost.
  EXPECT_SAYS(text, "1.25e-03");
  EXPECT_SAYS(text, "2 not converged");
  EXPECT_SAYS(text, "2 of 12345 steps did not converge");

  EXPECT_EQ(n_lines(run(false, 3)), 3u + 1);
}

TEST(Progress, ColumnsStandUnderTheirHeadings)
{
  std::istringstream in(run(false, 10));
  std::string heading, row;
  std::getline(in, heading);
  std::getline(in, row);
  EXPECT_EQ(heading.size(), row.size()) << heading << "\n" << row;
  EXPECT_EQ(heading.find("stick") + 5, row.find("1000") + 4);
  EXPECT_EQ(heading.find("open") + 4, row.find("34") + 2);
}

TEST(Progress, BarOnATerminal)
{
  const std::string text = run(true, 1000);
  EXPECT_SAYS(text, "\r\033[K[");
  EXPECT_SAYS(text, " %");
  EXPECT_SAYS(text, "left ");
  EXPECT_LE(n_lines(text), 21u + 1 + 1);
  EXPECT_GE(n_lines(text), 20u);
  // Nothing of the bar remains at the end.
  const auto last_clear = text.rfind("\r\033[K");
  EXPECT_EQ(text.find('[', last_clear + 4), std::string::npos);
}

TEST(Progress, QuietAndOddTimes)
{
  EXPECT_EQ(run(false, 100, true), "");
  EXPECT_EQ(run(true, 100, true), "");

  std::ostringstream out;
  Progress progress(out, false, false, 1., 1.);
  StepReport report;
  report.energy_residual = std::numeric_limits<double>::quiet_NaN();
  progress.step(report);
  progress.finish();
  EXPECT_SAYS(out.str(), "nan");
}

TEST(Log, TerminalAndFile)
{
  const std::string file = (std::filesystem::temp_directory_path() /
                            ("delassus_log_" + std::to_string(getpid())))
                               .string();
  std::ostringstream terminal;
  {
    Log log(terminal);
    log.info("before");
    log.open(file);
    unsigned int n_cleared = 0;
    log.before_terminal_line([&]() { ++n_cleared; });
    log.detail("detail");
    log.error("bad");
    for (unsigned int i = 1; i <= 1234; ++i)
      log.warning("step " + std::to_string(i) + " did not converge",
                  "steps did not converge");
    log.warning("another");
    EXPECT_EQ(log.n_warnings(), 1235u);
    EXPECT_EQ(n_cleared, 1u + 6 + 1);
    log.summarize_warnings();
    log.summarize_warnings();
  }
  std::ifstream in(file);
  std::stringstream written;
  written << in.rdbuf();
  std::filesystem::remove(file);

  EXPECT_EQ(terminal.str().find("detail"), std::string::npos);
  // Date and time before each.
  const std::string stamp = R"(20\d\d-\d\d-\d\d \d\d:\d\d:\d\d  )";
  EXPECT_TRUE(std::regex_search(written.str(),
                                std::regex("^" + stamp + "before\n" + stamp +
                                           "detail\n" + stamp + "Error: bad\n" +
                                           stamp + "Warning: step 1 ")))
      << written.str();
  EXPECT_SAYS(written.str(), "step 1000 did not converge (1000 times so far)");
  EXPECT_EQ(written.str().find("step 11 "), std::string::npos);
  // before, detail, bad, six of the warnings, another, the sum.
  EXPECT_EQ(n_lines(written.str()), 3u + 6 + 1 + 1);
  EXPECT_SAYS(written.str(), "in all 1234 times: steps did not converge");
}

TEST(Text, CountsAndTimes)
{
  EXPECT_EQ(counted(1, "step"), "1 step");
  EXPECT_EQ(counted(0, "step"), "0 steps");
  EXPECT_EQ(counted(21, "body", "bodies"), "21 bodies");
  EXPECT_EQ(wall_time_text(0.314), "0.31 s");
  EXPECT_EQ(wall_time_text(12.34), "12.3 s");
  EXPECT_EQ(wall_time_text(99.96), "1 min 40 s");
  EXPECT_EQ(wall_time_text(425.), "7 min 05 s");
  EXPECT_EQ(wall_time_text(3599.7), "1 h 00 min");
  EXPECT_EQ(wall_time_text(11220.), "3 h 07 min");
}

TEST(Log, QuietAndInactive)
{
  std::ostringstream terminal;
  Log quiet(terminal, Log::Verbosity::quiet);
  quiet.info("a");
  quiet.warning("b");
  EXPECT_EQ(terminal.str(), "");
  quiet.error("c");
  EXPECT_EQ(terminal.str(), "Error: c\n");

  std::ostringstream other;
  Log inactive(other, Log::Verbosity::verbose, false);
  inactive.open("/nonexistent/log.txt");
  inactive.error("c");
  EXPECT_EQ(other.str(), "");

  Log verbose(other, Log::Verbosity::verbose);
  verbose.detail("d");
  EXPECT_EQ(other.str(), "d\n");
  EXPECT_THROW(verbose.open("/nonexistent/log.txt"), InputError);
}

TEST(Log, AFullDiskDoesNotEndTheRun)
{
  std::ostringstream terminal;
  Log log(terminal);
  log.open("/dev/full");
  log.info("first");
  log.info("second");
  EXPECT_SAYS(terminal.str(), "first\nWarning: '/dev/full' cannot be written");
  EXPECT_SAYS(terminal.str(), "second\n");
}

TEST(PhaseTimer, SumsByName)
{
  PhaseTimer timer;
  for (unsigned int i = 0; i < 3; ++i)
  {
    const auto outer = timer.scope("step");
    {
      const auto inner = timer.scope("contact");
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  timer.phase("never");
  const auto &phases = timer.phases();
  ASSERT_EQ(phases.size(), 3u);
  EXPECT_EQ(phases[0].name, "step");
  EXPECT_EQ(phases[1].n_calls, 3u);
  EXPECT_GE(timer.seconds("contact"), 0.015);
  EXPECT_GE(timer.seconds("step"), timer.seconds("contact"));
  EXPECT_GE(timer.total(), timer.seconds("step"));
  EXPECT_EQ(timer.seconds("never"), 0.);
  EXPECT_EQ(timer.seconds("unknown"), 0.);
  EXPECT_EQ(timer.seconds()[1].first, "contact");
}

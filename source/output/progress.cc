#include <delassus/output/progress.h>
#include <delassus/base/text.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

namespace delassus
{
namespace
{
constexpr unsigned int rows_on_terminal = 20;
constexpr unsigned int rows_elsewhere   = 100;
constexpr unsigned int rows_per_heading = 25;
constexpr int bar_width                 = 30;
constexpr auto redraw_interval          = std::chrono::milliseconds(100);

const char *heading_begin  = "        time      step";
const char *heading_newton = "  newton";
const char *heading_end    = "  sweeps  contacts     stick      "
                             "slip      open  penetration  energy res.\n";

std::string clock_text(const double seconds)
{
  if (!(seconds < 1e7))
    return "--:--";
  const long s = std::lround(std::max(0., seconds));
  if (s >= 3600)
    return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
  return fmt::format("{}:{:02}", s / 60, s % 60);
}
} // namespace

Progress::Progress(std::ostream &terminal,
                   const bool is_terminal,
                   const bool quiet,
                   const double start,
                   const double end,
                   const bool newton)
    : terminal(terminal)
    , is_terminal(is_terminal)
    , quiet(quiet)
    , start(start)
    , end(end)
    , newton(newton)
    , begin(Clock::now())
    , last_drawn(begin - redraw_interval)
{
}

double Progress::fraction_at(const double time) const
{
  return end > start
             ? std::min(1., std::max(0., (time - start) / (end - start)))
             : 1.;
}

void Progress::resume(const double time,
                      const std::size_t steps,
                      const std::size_t not_converged)
{
  n_steps                = steps;
  n_not_converged_in_all = not_converged;
  first_fraction         = fraction_at(time);
  n_marks_passed         = static_cast<unsigned int>(
      first_fraction * (is_terminal ? rows_on_terminal : rows_elsewhere) +
      1e-6);
}

void Progress::step(const StepReport &report)
{
  last       = report;
  row_is_due = true;
  ++n_steps;
  worst_penetration = std::max(worst_penetration, report.penetration);
  // A residual that is not a number must be seen, not lost in a comparison.
  if (!(std::abs(report.energy_residual) <= std::abs(worst_residual)))
    worst_residual = report.energy_residual;
  if (!report.converged)
  {
    ++n_not_converged;
    ++n_not_converged_in_all;
  }
  if (quiet)
    return;

  const double fraction = fraction_at(report.time);
  const unsigned int n_rows_wanted =
      is_terminal ? rows_on_terminal : rows_elsewhere;
  // The small number lets times that miss a mark by rounding count.
  const unsigned int n_marks =
      static_cast<unsigned int>(fraction * n_rows_wanted + 1e-6);
  if (n_steps == 1 || n_marks > n_marks_passed)
  {
    n_marks_passed = n_marks;
    write_row();
  }
  if (is_terminal && Clock::now() - last_drawn >= redraw_interval)
    draw_bar(fraction);
}

void Progress::finish()
{
  if (quiet)
    return;
  if (row_is_due)
    write_row();
  clear_line();
  if (n_not_converged_in_all > 0)
    terminal << fmt::format(
        "{} of {} did not converge: their results are not solutions to the "
        "tolerance asked for.\n",
        n_not_converged_in_all,
        counted(n_steps, "step"));
  terminal << std::flush;
}

void Progress::clear_line()
{
  if (bar_is_shown)
    terminal << "\r\033[K" << std::flush;
  bar_is_shown = false;
}

void Progress::write_row()
{
  clear_line();
  if (n_rows % rows_per_heading == 0)
    terminal << heading_begin << (newton ? heading_newton : "") << heading_end;
  ++n_rows;
  terminal << fmt::format("{:12.6g} {:9}", last.time, last.step);
  if (newton)
    terminal << fmt::format(" {:7}", last.newton_iterations);
  terminal << fmt::format(" {:7} {:9} {:9} {:9} {:9}    {:9.2e}    "
                          "{:9.1e}",
                          last.sweeps,
                          last.n_contacts,
                          last.n_stick,
                          last.n_slip,
                          last.n_open,
                          worst_penetration,
                          worst_residual);
  if (n_not_converged == 1 && !last.converged)
    terminal << fmt::format("  not converged (error {:.1e})",
                            last.contact_error);
  else if (n_not_converged > 0)
    terminal << fmt::format("  {} not converged", n_not_converged);
  terminal << '\n' << std::flush;
  worst_penetration = worst_residual = 0.;
  n_not_converged                    = 0;
  row_is_due                         = false;
}

void Progress::draw_bar(const double fraction)
{
  last_drawn = Clock::now();
  const double elapsed =
      std::chrono::duration<double>(last_drawn - begin).count();
  const int n_full = static_cast<int>(fraction * bar_width);
  std::string bar(n_full, '=');
  if (n_full < bar_width)
    bar += '>';
  bar.resize(bar_width, ' ');
  terminal << fmt::format(
      "\r\033[K[{}] {:3.0f} %  {}  left {}",
      bar,
      100 * fraction,
      clock_text(elapsed),
      fraction > first_fraction
          ? clock_text(elapsed * (1. - fraction) / (fraction - first_fraction))
          : "--:--");
  if (n_not_converged_in_all > 0)
    terminal << fmt::format("  {} not converged", n_not_converged_in_all);
  terminal << std::flush;
  bar_is_shown = true;
}
} // namespace delassus

#ifndef delassus_output_progress_h
#define delassus_output_progress_h

#include <chrono>
#include <cstddef>
#include <iosfwd>
#include <string>

namespace delassus
{
/// What a user wants to see of a time step.
struct StepReport
{
  unsigned int step             = 0;
  double time                   = 0.; ///< at the end of the step
  unsigned int sweeps           = 0;
  std::size_t newton_iterations = 0;
  std::size_t n_contacts = 0, n_stick = 0, n_slip = 0, n_open = 0;
  double penetration     = 0.; ///< the worst, >= 0
  double energy_residual = 0.;
  double contact_error   = 0.;
  bool converged         = true;
};

/// Progress of a run. On a terminal a bar that stays on the last line, with the
/// time left, and above it a row of the table about every twentieth of the run;
/// elsewhere at most one row a hundredth of the run. A row gives the step it
/// ends with, and of all steps since the row before the worst penetration, the
/// largest energy residual and the steps that did not converge.
/// In Newton runs the iterations of its step have a column.
/// To be made on rank 0 only (or quiet on the others).
class Progress
{
public:
  Progress(std::ostream &terminal,
           bool is_terminal,
           bool quiet,
           double start,
           double end,
           bool newton = false);

  /// Go on after @p n_steps steps to @p time of an earlier process, of which
  /// some did not converge.
  void resume(double time, std::size_t n_steps, std::size_t n_not_converged);

  void step(const StepReport &report);

  /// The last row, and how many steps did not converge.
  void finish();

  /// Make room for another line on the terminal; the bar comes back with the
  /// next step.
  void clear_line();

private:
  using Clock = std::chrono::steady_clock;

  double fraction_at(double time) const;

  void write_row();

  void draw_bar(double fraction);

  std::ostream &terminal;
  const bool is_terminal, quiet;
  const double start, end;
  const bool newton;
  double first_fraction = 0.; ///< of an earlier process
  Clock::time_point begin, last_drawn;

  StepReport last;
  bool row_is_due          = false; ///< steps since the last row
  bool bar_is_shown        = false;
  double worst_penetration = 0., worst_residual = 0.;
  std::size_t n_not_converged = 0, n_not_converged_in_all = 0;
  std::size_t n_steps = 0, n_rows = 0;
  unsigned int n_marks_passed = 0;
};
} // namespace delassus

#endif

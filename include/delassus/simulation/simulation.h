#ifndef delassus_simulation_simulation_h
#define delassus_simulation_simulation_h

#include <delassus/parameters/read_parameters.h>
#include <delassus/simulation/contact_phase.h>
#include <delassus/simulation/equilibrium.h>
#include <delassus/simulation/recorder.h>

#include <functional>
#include <iosfwd>

namespace delassus
{
struct RunOptions
{
  bool quiet   = false;
  bool verbose = false;
};

/// Owns the parts and writes the step.
template <int dim>
class Simulation
{
public:
  Simulation(const ParsedParameters &parameters,
             const RunOptions &options,
             MPI_Comm communicator);

  /// From start to end time; results go to the run directory.
  void run();

  /// Run nothing, but tell what would run.
  void check(std::ostream &out);

  /// One step of size h from time t, tried in halves if it fails.
  void advance(const double t, const double h, const unsigned int depth = 0);

  /// Called after each step with the time reached and the last substep.
  std::function<void(const double t, const double h)> on_step;

  Model<dim> model;
  ContactPhase<dim> contact;
  Equilibrium<dim> equilibrium;
  StepTotals totals; ///< of the last step

private:
  /// One attempt; false: did not converge, nothing is accepted.
  bool try_step(const double t, const double h);

  /// Look at the contacts before the first step: InputError for what cannot be
  /// run, a warning (or nothing) for what can.
  std::string inspect_start();

  void trigger_events(const double t, const double h);

  [[noreturn]] void give_up(const double t, const double h);

  void set_step(const double h);

  const ParsedParameters input;
  const RunOptions options;
  MPI_Comm communicator;
  PhaseTimer timer;
  Recorder<dim> recorder;
  std::vector<bool> event_done;
  std::vector<double> last_resultant; ///< of each event's quantity
  bool stop_asked   = false;
  unsigned int step = 0;
  double current_h  = 0.;
  double energy_now = 0.; ///< kinetic + elastic, all ranks
};
} // namespace delassus

#endif

#ifndef delassus_simulation_simulation_h
#define delassus_simulation_simulation_h

#include <delassus/parameters/read_parameters.h>
#include <delassus/simulation/checkpoint_keeper.h>
#include <delassus/simulation/contact_phase.h>
#include <delassus/simulation/equilibrium.h>
#include <delassus/simulation/event_triggers.h>
#include <delassus/simulation/step.h>
#include <delassus/simulation/problem_dumps.h>
#include <delassus/simulation/recorder.h>
#include <delassus/simulation/run_directory.h>
#include <delassus/simulation/substep_control.h>

#include <functional>
#include <iosfwd>
#include <memory>

namespace delassus
{
struct RunOptions
{
  bool quiet     = false;
  bool verbose   = false;
  bool resume    = false; ///< go on from the checkpoint of the run directory
  bool overwrite = false; ///< what an earlier run has left there

  /// What the user has typed, for messages; with --resume or --overwrite added
  /// it can be typed again.
  std::string command = "delassus run FILE";

  /// Claimed before the meshes were made; otherwise run() does it.
  std::shared_ptr<RunDirectory> directory;
};

/// The run directory for this run alone. Collective.
std::shared_ptr<RunDirectory> claim_directory(const Parameters &parameters,
                                              const RunOptions &options,
                                              MPI_Comm communicator);

/// What a stage of a run leaves to the next one.
template <int dim>
struct StageEnd
{
  Checkpoint state; ///< ranks: that of this rank at its place
  typename StageOfRun<dim>::Solids bodies;
  std::vector<std::shared_ptr<const SheetMesh>> sheets;
  std::vector<typename BodyScheme<dim>::DrivenBefore> driven; ///< of each body
  unsigned int number = 0;                                    ///< of the stage
  TimeScheme scheme   = TimeScheme::dynamic;
  CheckpointKeeper::Written last_checkpoint;
};

/// Owns the parts and writes the step.
template <int dim>
class Simulation
{
public:
  /// @p stage: which of the parameters' stages it is, if they have some.
  /// @p before: what the stage before has left.
  Simulation(const ParsedParameters &parameters,
             const RunOptions &options,
             MPI_Comm communicator,
             const unsigned int stage              = 0,
             std::unique_ptr<StageEnd<dim>> before = nullptr);

  /// From start, or from a checkpoint, to end time; results go to the run
  /// directory. Of a run in stages this one only: see run_simulation().
  void run();

  /// After run(): whether another stage follows.
  bool goes_on() const
  {
    return !already_finished && !stop_asked && model.stage.has_next();
  }

  /// What the next stage needs. The bodies are gone then.
  std::unique_ptr<StageEnd<dim>> end_stage();

  /// Run nothing, but tell what would run.
  void check(std::ostream &out);

  /// The step H from time t, in as many substeps as it takes (SubstepControl).
  void advance(const double t, const double H);

  /// Called after each step with the time reached and the last substep.
  std::function<void(const double t, const double h)> on_step;

  const Step<dim> &last_attempt() const
  {
    return attempts;
  }

  Model<dim> model;
  ContactPhase<dim> contact;
  Equilibrium<dim> equilibrium;
  StepTotals totals; ///< of the last step

private:
  // Parts of advance().

  /// Find the substep h from t. If there is none: false, @p why, and which
  /// @p part of it may be tried instead.
  bool
  solve_substep(const double t, const double h, double &part, std::string &why);

  /// It goes on with a part of the substep, or gives up.
  void cut_substep(const double t,
                   const double h,
                   const double part,
                   std::string why);
  [[noreturn]] void
  give_up(const double t, const double h, const std::string &why);
  std::string iterations_spent() const;

  /// Throws ComputationError, with the state before the step kept, if the step
  /// found leaves a body of small strain distorted.
  void refuse_distortion(const double t, const double h);

  /// Make the step from t of size h, found already, the state: energies,
  /// history.
  void accept_step(const double t, const double h);

  /// Before the first step.
  void start(RunDirectory &directory);

  /// Instead, at the beginning of a later stage.
  void begin_stage();

  /// What is to be done at the beginning of the stage.
  void act_at_start();

  /// From one stage to the next: all but the systems' states.
  void carry_over(Archive &archive);

  /// For check(): the stages, line by line.
  std::string describe_stages() const;

  /// v := 0 everywhere.
  void zero_velocities();
  double kinetic_energy() const;

  /// The steps up to the end time, or until an event or a signal stops them.
  void run_steps();

  double time_of(const unsigned int step) const;

  /// After @p completed steps and what is done of the next one.
  double time_reached(const unsigned int completed) const
  {
    return time_of(completed) + substeps.part_done;
  }

  /// Load the state of the run directory's checkpoint. Returns false if the
  /// run is finished already, having said so.
  bool resume();

  /// State of all systems, by rank, and everything else.
  void load_systems(const Checkpoint &checkpoint);
  void archive(Archive &archive);

  /// The state after @p completed steps, in memory.
  Checkpoint save_state(const unsigned int completed);

  /// Keep the state before a step, or substep of a Newton loop, that has
  /// failed.
  void keep_state_before_step();

  /// Save the state before the step in work, if it has failed or was
  /// interrupted; returns how to go on from it, or from the last checkpoint.
  std::string write_state_before_step();

  bool checkpoint_due(const unsigned int step) const;

  /// What is asked of a run from outside, the same on all ranks: to end (a
  /// signal), and to write a checkpoint (rank 0's clock). Collective.
  struct Requests
  {
    bool end = false, checkpoint = false;
  };
  Requests requests() const;

  /// After a substep of a step that takes long. Collective.
  void checkpoint_by_clock();

  /// Look at the contacts before the first step: InputError for what cannot be
  /// run, a warning (or nothing) for what can.
  std::string inspect_start();

  void trigger_events(const double t, const double h);

  void set_step(const double h);

  const ParsedParameters input;
  std::unique_ptr<StageEnd<dim>> before; ///< of the stage before, until it
                                         ///< begins
  const RunOptions options;
  MPI_Comm communicator;
  PhaseTimer timer;
  Recorder<dim> recorder;
  ProblemDumps<dim> dumps;
  Step<dim> attempts;
  SubstepControl substeps;
  EventTriggers<dim> events;
  bool stop_asked         = false;
  bool already_finished   = false; ///< the run that should be resumed
  unsigned int first_step = 0;     ///< those of the stages before
  unsigned int step       = 0; ///< in work; otherwise the last one completed
  double current_h        = 0.;
  double energy_now       = 0.; ///< kinetic + elastic, all ranks
  CheckpointKeeper checkpoints;
};

/// A run, in its stages if the parameters have some: each is a Simulation that
/// begins with what the one before has left.
template <int dim>
class StagedRun
{
public:
  StagedRun(const ParsedParameters &parameters,
            const RunOptions &options,
            MPI_Comm communicator);

  void run();

  /// Called with the simulation of each stage before it runs.
  std::function<void(Simulation<dim> &)> prepare;

private:
  const ParsedParameters parameters;
  RunOptions options;
  MPI_Comm communicator;
  /// It lives on after an error, as its destructor is collective.
  std::unique_ptr<Simulation<dim>> current;
};

/// The same in one call.
template <int dim>
void run_simulation(
    const ParsedParameters &parameters,
    const RunOptions &options,
    MPI_Comm communicator,
    const std::function<void(Simulation<dim> &)> &prepare = nullptr);
} // namespace delassus

#endif

#ifndef delassus_simulation_recorder_h
#define delassus_simulation_recorder_h

#include <delassus/base/log.h>
#include <delassus/base/phase_timer.h>
#include <delassus/output/progress.h>
#include <delassus/parameters/read_parameters.h>
#include <delassus/simulation/chronicle.h>
#include <delassus/simulation/contact_statistics.h>
#include <delassus/simulation/distortion_watch.h>
#include <delassus/simulation/energy_balance.h>
#include <delassus/simulation/equilibrium_statistics.h>
#include <delassus/simulation/history_row.h>
#include <delassus/simulation/obstacle_watch.h>
#include <delassus/simulation/result_files.h>
#include <delassus/simulation/run_tables.h>
#include <delassus/simulation/unsolved_steps.h>
#include <delassus/simulation/zone_watch.h>

#include <nlohmann/json.hpp>

#include <functional>

namespace delassus
{
/// Everything a run writes: result files, tables, log, progress, summary.
/// Rank 0 writes tables and contact points, all ranks the solids.
template <int dim>
class Recorder
{
public:
  Recorder(const Model<dim> &model,
           const ContactPhase<dim> &contact,
           const ParsedParameters &input,
           const bool quiet,
           const bool verbose,
           PhaseTimer &timer);

  /// Create the run directory and its first files.
  void begin();

  /// Instead: go on with the files of a run directory as they were at the
  /// checkpoint of step @p step and time @p t, which has been loaded. What was
  /// written after it is cut off or removed.
  void resume(const unsigned int step, const double t);

  /// The stage of the model begins at @p t, after @p step steps. The files of
  /// the stage before, whose archive has been loaded, go on.
  void begin_stage(const unsigned int step, const double t);

  /// The stage is over and another one follows.
  void end_stage();

  /// Totals, and how far the files have been written (rank 0 saves).
  void archive(Archive &archive);

  /// Add a (sub)step to the energy balance.
  void add_step(const StepTotals &totals)
  {
    energy.add_step(totals);
  }

  /// How the contact problem of a (sub)step to @p t was solved.
  void note_contact(const double t);

  /// Look at the displacements at the end @p t of a (sub)step that is about to
  /// be accepted, if it is its turn. Returns what is distorted so much that the
  /// run has to end; empty: nothing. Ranks together.
  std::string look_at_distortion(const unsigned int step,
                                 const double t,
                                 const double h,
                                 const bool last);

  /// How a quasi-static (sub)step to @p t found its equilibrium, or why not.
  void note_equilibrium(const double t,
                        const unsigned int iterations,
                        const double out_of_balance,
                        const bool balanced,
                        const std::string &reason);

  /// A substep to @p t of a Newton loop was accepted, or failed and is cut.
  void note_substep(const double t,
                    const double h,
                    const unsigned int iterations,
                    const double momentum_residual);
  void note_cut(const unsigned int iterations)
  {
    newton.add_cut(iterations);
  }

  /// Totals of the run so far.
  void note_matrices(const std::size_t n_matrices,
                     const std::size_t n_indefinite)
  {
    newton.set_matrices(n_matrices, n_indefinite);
  }

  /// An event changed the energy by this.
  void add_event_energy(const double change)
  {
    energy.add_event(change);
  }

  /// After each step. @p t is the time reached, @p h the last substep.
  void record(const unsigned int step, const double t, const double h);

  /// The state before a step that failed, without its contact impulses;
  /// @p inside: some substeps of it are done.
  void write_last_state(const unsigned int step,
                        const double t,
                        const double h,
                        const bool inside = false);

  /// Result files now (once per step).
  void write_results(const unsigned int step, const double t, const double h);

  bool
  results_due(const unsigned int step, const double t, const double h) const
  {
    return results.is_due(step, t, h);
  }

  /// Force on the candidates of an interaction, all of its pairs.
  dealii::Tensor<1, dim> resultant(const unsigned int interaction) const
  {
    return pairs.resultant(interaction);
  }

  void note_event(const EventParameters &event,
                  const unsigned int step,
                  const double t,
                  const double exact_time);

  /// summary.json; @p failure empty if the run has reached its end.
  void
  finish(const unsigned int step, const double t, const std::string &failure);

  /// Of @p step steps that were made. Reasons are known to all ranks, remarks
  /// to rank 0.
  Verdict verdict(const unsigned int step) const;

  const bool root;
  Log log;

private:
  /// The files of a run, new or (after loading) continued.
  void open_files(const bool resumed);

  /// Tell of the model's stage, in the log and in the summary.
  void note_stage(const unsigned int step, const double t);

  /// The column of tables, and its word, that stages add.
  std::vector<std::string> stage_columns() const
  {
    return model.stage.stages.empty() ? std::vector<std::string>()
                                      : std::vector<std::string>{ "stage" };
  }
  std::vector<std::string> stage_words() const
  {
    return model.stage.stages.empty()
               ? std::vector<std::string>()
               : std::vector<std::string>{ model.stage.name() };
  }

  /// Run @p work on rank 0; its exception becomes an InputError on all.
  void on_root(const std::function<void()> &work) const;

  /// The state that was written at @p t, for the summary.
  nlohmann::json
  describe_state(const unsigned int step,
                 const double t,
                 const typename ResultFiles<dim>::Stresses &stresses) const;

  /// Tell of contacts of a step whose solution may not be the only one.
  void tell_of_wedged(const unsigned int step,
                      const double t,
                      const WedgedContacts &wedged);

  /// Tell of contacts that no reaction can move. Ranks together.
  void tell_of_immovable(const unsigned int step);

  /// Rank 0: what the terminal shows of a step.
  void show_progress(const unsigned int step, const double t);

  /// Messages on obstacles after the step h that ended at t.
  void watch_obstacles(const double t, const double h);

  /// Contact zones after a step that ended at t. Ranks together.
  void watch_zones(const double t);

  /// What the summary says of the size of the run, and of its contact problems.
  nlohmann::json counts() const;
  nlohmann::json contact_summary(const unsigned int step) const;

  const Model<dim> &model;
  const ContactPhase<dim> &contact;
  const ParsedParameters &input;
  const bool quiet;
  PhaseTimer &timer;
  const std::string directory;

  // What it watches.
  ObstacleWatch<dim> watch;
  DistortionWatch<dim> distortion;
  ZoneWatch<dim> zones;

  // What it knows of the run.
  PairForces<dim> pairs;
  EnergyBalance energy;
  NewtonStatistics newton;
  ContactStatistics contact_problems;
  EquilibriumStatistics equilibria;
  UnsolvedSteps unsolved;

  // What it writes.
  HistoryRow<dim> history;
  RunTables tables;
  ResultFiles<dim> results;
  Chronicle chronicle;
  std::unique_ptr<Progress> progress;
};
} // namespace delassus

#endif

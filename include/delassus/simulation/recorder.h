#ifndef delassus_simulation_recorder_h
#define delassus_simulation_recorder_h

#include <delassus/base/log.h>
#include <delassus/base/phase_timer.h>
#include <delassus/bodies/results/cell_fields.h>
#include <delassus/output/contact_output.h>
#include <delassus/output/csv_table.h>
#include <delassus/output/progress.h>
#include <delassus/output/pvd_series.h>
#include <delassus/parameters/read_parameters.h>
#include <delassus/simulation/contact_phase.h>
#include <delassus/simulation/distortion_watch.h>
#include <delassus/simulation/energy_watch.h>
#include <delassus/simulation/obstacle_watch.h>
#include <delassus/simulation/zone_watch.h>

#include <nlohmann/json.hpp>

#include <deal.II/base/tensor.h>

#include <array>
#include <functional>

namespace delassus
{
/// What Newton loops did, in a step or in a run.
struct NewtonReport
{
  std::size_t iterations = 0; ///< those of attempts that failed included
  std::size_t substeps = 0, cuts = 0;
  double smallest_step = 0., worst_residual = 0.;
  std::size_t matrices   = 0; ///< of the run
  std::size_t indefinite = 0; ///< tangents

  void add_substep(const double h,
                   const std::size_t n_iterations,
                   const double momentum_residual);
};

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
  void add_step(const StepTotals &totals);

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
  void note_cut(const unsigned int iterations);

  /// Totals of the run so far.
  void note_matrices(const std::size_t n_matrices,
                     const std::size_t n_indefinite);

  /// An event changed the energy by this.
  void add_event_energy(const double change);

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
  results_due(const unsigned int step, const double t, const double h) const;

  /// Force on the candidates of an interaction, all of its pairs.
  dealii::Tensor<1, dim> resultant(const unsigned int interaction) const;

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

  /// Whether some contact law has a state, and so energies of its own.
  bool laws_remember() const;

  /// Whether tables have columns of the Newton loop: of all stages, or of such
  /// as may follow. What turns freely needs that loop or not, depending on the
  /// scheme of a stage and on whether it is away.
  bool has_newton_columns() const;

  /// Remove files of the series that belong to no entry of it, and files that
  /// were not completed.
  void remove_leftovers(const unsigned int step) const;

  /// Tell of the model's stage, in the log and in the summary.
  void note_stage(const unsigned int step, const double t);

  /// Columns and words of tables that the stage adds.
  std::vector<std::string> stage_words() const
  {
    return model.stage.stages.empty()
               ? std::vector<std::string>()
               : std::vector<std::string>{ model.stage.name() };
  }

  /// Run @p work on rank 0; its exception becomes an InputError on all.
  void on_root(const std::function<void()> &work) const;

  std::vector<std::string> history_columns() const;
  void update_resultants(const double h);
  void record_history(const unsigned int step, const double t);

  /// Columns of the history for obstacles that move and rigid bodies, and their
  /// values.
  void add_tool_columns(std::vector<std::string> &columns) const;
  void add_tool_values(const double t, std::vector<double> &values) const;
  typename RigidSystem<dim>::Motions motions; ///< of rigid bodies
  double last_h = 0.;                         ///< of the step recorded last

  /// Messages on obstacles after the step h that ended at t.
  void watch_obstacles(const double t, const double h);

  /// Contact zones after a step that ended at t. Ranks together.
  void watch_zones(const double t);

  /// Reasons that are steps not solved to their tolerances.
  std::vector<std::string> unsolved(const unsigned int step) const;

  /// Pressure and traction of contact at the nodes of each body; collective.
  std::vector<std::unordered_map<unsigned int, std::array<double, dim + 1>>>
  tractions_of(const std::vector<PiecePlace<dim>> &places,
               const ContactFields<dim> &contacts) const;
  /// What the laws show of the contacts, by their own names.
  void add_law_fields(const ContactSet<dim> &table,
                      ContactFields<dim> &fields) const;
  ContactFields<dim> fields_of(const ContactSet<dim> &table,
                               const double h) const;

  const Model<dim> &model;
  const ContactPhase<dim> &contact;
  const ParsedParameters &input;
  const bool quiet;
  PhaseTimer &timer;
  std::string directory;

  std::unique_ptr<CsvTable> history, energy;
  std::unique_ptr<PvdSeries> solution_series, contact_series, block_series;
  std::unique_ptr<PvdSeries> obstacle_series;
  ObstacleWatch<dim> watch;
  EnergyWatch energy_watch;
  DistortionWatch<dim> distortion;
  ZoneWatch<dim> zones;
  dealii::BoundingBox<dim> bodies_box; ///< at the start
  std::unique_ptr<Progress> progress;

  struct PairCounts
  {
    double normal_force                = 0.;
    std::array<unsigned int, 3> status = { { 0, 0, 0 } };
  };
  std::vector<dealii::Tensor<1, dim>> pair_force;
  std::vector<PairCounts> pair_counts;
  double largest_normal_force = 0.;
  std::vector<double> positions; ///< of contact nodes, at output
  std::vector<double> row;
  struct ProbeNode
  {
    unsigned int body, node;
  };
  std::vector<ProbeNode> probes;
  std::vector<std::string> driving; ///< names of conditions that drive dofs
  std::vector<double> reactions;    ///< their forces, dim values each
  std::vector<double> probe_values; ///< n_probe_values for each
  static constexpr unsigned int n_probe_values =
      2 * (dim + NodeStresses<dim>::n_components);
  std::vector<std::unique_ptr<NodeStresses<dim>>> probe_stresses; ///< of bodies

  // Totals of the run.
  StepTotals sums;
  NewtonReport newton_step, newton_run;
  double energy_scale = 0., worst_residual = 0., worst_penetration = 0.;
  double step_residual = 0., relative_residual = 0.;
  double worst_error   = 0.;
  std::size_t n_sweeps = 0, most_sweeps = 0;

  /// Steps that were not solved, by what was not.
  struct Unsolved
  {
    std::size_t n     = 0;
    double first_time = 0., worst = 0.;
    unsigned int first_step = 0;
    bool now                = false; ///< in the step at work

    void note(const double t, const double error)
    {
      if (n == 0 && !now)
        first_time = t;
      now = true;
      if (!(error <= worst))
        worst = error;
    }
    void end_step(const unsigned int step)
    {
      if (now && n++ == 0)
        first_step = step;
      now = false;
    }
  };
  Unsolved contact_loop, friction, balance, momentum;
  bool step_solved          = true; ///< of the step recorded last
  std::size_t most_contacts = 0, n_ill_posed = 0, n_wedged = 0;
  std::size_t n_equilibrium_iterations = 0, most_equilibrium_iterations = 0;
  std::string ill_posed;   ///< the first contact whose friction is too large
  double most_wedged = 0.; ///< share of the normal forces, of all steps
  double worst_out_of_balance = 0.;
  int last_written            = -1;
  double next_output          = 0.;
  // How far the files were written, in a checkpoint.
  std::array<long, 2> table_bytes = { { 0, 0 } };
  std::array<PvdSeries::Entries, 4> series_entries;

  nlohmann::json events = nlohmann::json::array();
  nlohmann::json states = nlohmann::json::array();
  nlohmann::json stages = nlohmann::json::array();
};
} // namespace delassus

#endif

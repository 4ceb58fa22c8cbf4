#ifndef delassus_simulation_history_row_h
#define delassus_simulation_history_row_h

#include <delassus/bodies/results/cell_fields.h>
#include <delassus/shell_systems/results/sheet_history.h>
#include <delassus/simulation/newton_statistics.h>
#include <delassus/simulation/pair_forces.h>

#include <memory>
#include <string>
#include <vector>

namespace delassus
{
/// A row of history.csv: resultants, reactions, probes, and the motions of
/// obstacles and rigid bodies at the end of a step.
template <int dim>
class HistoryRow
{
public:
  /// @p file: the parameters as the file has them, not as a stage does.
  HistoryRow(const Model<dim> &model,
             const Parameters &file,
             const ContactPhase<dim> &contact,
             const PairForces<dim> &pairs);

  /// Names, without that of the stage.
  std::vector<std::string> columns() const;

  /// The step @p step, whose last substep is @p h, has ended at @p t. Ranks
  /// together; the values are rank 0's, others get none.
  const std::vector<double> &values(const unsigned int step,
                                    const double t,
                                    const double h,
                                    const bool solved,
                                    const NewtonReport &newton);

  /// What the sheets are, and what they have come to.
  const SheetHistory &of_sheets() const
  {
    return sheets;
  }

  /// Which node each probe is, in words.
  std::vector<std::string> describe_probes() const;

private:
  /// Whether it has values of the Newton loop: of all stages, or of such as may
  /// follow. What turns freely needs that loop or not, depending on the scheme
  /// of a stage and on whether it is away.
  bool has_newton_columns() const;

  struct ProbeNode
  {
    unsigned int body, node; ///< of a solid, or
    bool on_sheet = false;
    SheetHistory::Node of_sheet{ 0, 0, 0 };
    unsigned int first = 0; ///< of its values
  };

  void find_probes();

  /// Names of the values of a probe on a solid.
  static std::vector<std::string> solid_probe_columns();

  /// Of all ranks: probes and reactions, and of the nodes the largest
  /// displacement and speed, squared; @p h of the step.
  std::array<double, 2> look_at_bodies(const double h);

  /// This rank's part of the reactions, in the order of `driving`.
  void add_reactions();

  /// Columns for obstacles that move and for rigid bodies, and their values at
  /// @p t, after the (sub)step @p h.
  void add_motion_columns(std::vector<std::string> &columns) const;
  void add_motion_values(const double t, const double h);

  const Model<dim> &model;
  const Parameters &file;
  const ContactPhase<dim> &contact;
  const PairForces<dim> &pairs;
  std::vector<double> row;
  std::vector<ProbeNode> probes;
  std::vector<double> probe_values; ///< of all, one after another
  std::vector<std::unique_ptr<NodeStresses<dim>>> probe_stresses; ///< of bodies
  std::vector<std::string> driving; ///< names of conditions that drive dofs
  /// Their forces, dim values each, followed by three moments where they hold
  /// rotations of sheets.
  std::vector<double> reactions;
  std::vector<bool> holds_rotations; ///< of driving
  SheetHistory sheets;
  std::vector<SheetExtremes> extremes;        ///< of sheets
  typename RigidSystem<dim>::Motions motions; ///< of rigid bodies
};
} // namespace delassus

#endif

#ifndef delassus_shell_systems_results_sheet_history_h
#define delassus_shell_systems_results_sheet_history_h

#include <delassus/shell_systems/results/sheet_fields.h>
#include <delassus/shell_systems/shell_system.h>

#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace delassus
{
/// Extreme values of a sheet, of the state that was accepted last, at its
/// points.
struct SheetExtremes
{
  double least_thickness         = std::numeric_limits<double>::max();
  double greatest_thinning       = -std::numeric_limits<double>::max();
  double greatest_plastic_strain = 0.;
  double greatest_major_strain   = -std::numeric_limits<double>::max();

  /// Columns of history.csv; of sheets that know no plastic strain without it.
  static std::vector<std::string> names(const bool is_plastic);
  std::vector<double> values(const bool is_plastic) const;
};

/// What history.csv has of sheets: extreme values, displacements and
/// velocities, probes, and the forces of conditions that hold them. Ranks know
/// their own pieces; who asks adds up.
class SheetHistory
{
public:
  explicit SheetHistory(std::vector<const ShellSystem *> sheets);

  unsigned int n_sheets() const
  {
    return sheets.size();
  }
  const std::string &name(const unsigned int sheet) const
  {
    return sheets[sheet]->skin().name();
  }
  bool is_plastic(const unsigned int sheet) const
  {
    return plastic[sheet];
  }

  /// Of all sheets. Ranks together.
  std::vector<SheetExtremes> extremes(MPI_Comm communicator) const;

  /// Largest squares of displacements and velocities of this rank's nodes.
  void largest(std::array<double, 2> &squares) const;

  // -- Probes ----------------------------------------------------------------

  struct Node
  {
    unsigned int sheet, piece, node;
  };
  Vector3 place(const Node &node) const;

  /// The node nearest to a place, of all sheets or that of a name, if it is
  /// nearer than @p distance, which becomes its own.
  bool find_nearest(const Vector3 &place,
                    const std::string &name,
                    Node &node,
                    double &distance) const;

  /// Displacement, velocity, director, thickness, stress and strain of the
  /// outer and the inner face; @p h of the step that has ended. This rank's
  /// part of them, added to probe_columns().size() values.
  static std::vector<std::string> probe_columns();
  void add_probe(const Node &node, const double h, double *values) const;

  // -- Reactions -------------------------------------------------------------

  /// This rank's part of the force of a condition and of the sum of the moments
  /// at its nodes, added to three values each.
  void add_reaction(const std::string &condition,
                    double *force,
                    double *moment) const;

private:
  const std::vector<const ShellSystem *> sheets;
  std::vector<bool> plastic;
};
} // namespace delassus

#endif

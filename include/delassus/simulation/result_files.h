#ifndef delassus_simulation_result_files_h
#define delassus_simulation_result_files_h

#include <delassus/bodies/results/solid_output.h>
#include <delassus/output/contact_output.h>
#include <delassus/output/pvd_series.h>
#include <delassus/shell_systems/results/sheet_output.h>
#include <delassus/simulation/contact_phase.h>

#include <deal.II/base/bounding_box.h>

#include <array>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace delassus
{
/// The .vtu files of a run and their series: solids, contact points, blocks,
/// obstacles. All ranks write the solids, rank 0 the rest and the series.
template <int dim>
class ResultFiles
{
public:
  /// Extreme stresses of what was written: of the points of all bodies, and of
  /// the moment stresses of the pieces.
  struct Stresses
  {
    StressExtrema extrema;
    double largest_moment = 0., smallest_moment = 0.; ///< principal
  };

  ResultFiles(const Model<dim> &model, const ContactPhase<dim> &contact);

  /// Rank 0: the series, new or (after loading) as they were.
  void open(const bool resumed);

  /// Rank 0, after open(): remove files of the series that belong to no entry
  /// of it, of @p step and later, and files that were not completed.
  void remove_leftovers(const unsigned int step) const;

  /// The first ones are due at @p t; or at the next multiple of the interval
  /// after the time @p t at which a run is resumed.
  void begin_at(const double t)
  {
    next_output = t;
  }
  void resume_at(const double t);

  bool is_due(const unsigned int step, const double t, const double h) const;

  /// The state at @p t, after @p step steps, if it has not been written;
  /// @p solved: the step was. Returns whether it was written now; @p stresses
  /// are rank 0's. Ranks together.
  bool write(const unsigned int step,
             const double t,
             const double h,
             const bool solved,
             Stresses &stresses);

  bool has_written(const unsigned int step) const
  {
    return last_written == int(step);
  }

  void archive(Archive &archive);

private:
  /// Pressure and traction of contact at the nodes of a body.
  using NodeTractions =
      std::unordered_map<unsigned int, std::array<double, dim + 1>>;

  /// Those of each system; collective.
  std::vector<NodeTractions>
  tractions_of(const std::vector<PiecePlace<dim>> &places,
               const ContactFields<dim> &contacts) const;

  /// What the laws show of the contacts, by their own names.
  void add_law_fields(const ContactSet<dim> &table,
                      ContactFields<dim> &fields) const;
  ContactFields<dim> fields_of(const ContactSet<dim> &table,
                               const double h,
                               const bool solved) const;

  /// Sheets and solids, ready to be shown, and where their pieces are, in the
  /// order of the surfaces' numbers.
  struct Shown
  {
    std::vector<SolidFields<dim>> solids;
    std::vector<SheetShown> sheets;
    std::vector<unsigned int> systems; ///< of sheets
    std::vector<PiecePlace<dim>> places;
  };
  Shown find_shown() const;

  /// Where bodies are at the start: what has no end is shown around it.
  void find_box();

  const Model<dim> &model;
  const ContactPhase<dim> &contact;
  const bool root;
  const std::string directory;
  dealii::BoundingBox<dim> bodies_box; ///< at the start
  std::unique_ptr<PvdSeries> solutions, contacts, blocks, obstacles;
  std::array<PvdSeries::Entries, 4> entries; ///< in a checkpoint
  std::vector<double> positions;             ///< of contact nodes
  int last_written   = -1;
  double next_output = 0.;
};
} // namespace delassus

#endif

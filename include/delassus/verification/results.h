#ifndef delassus_verification_results_h
#define delassus_verification_results_h

#include <nlohmann/json.hpp>

#include <array>
#include <map>
#include <string>
#include <vector>

namespace delassus
{
namespace verification
{
/// A table of a run directory, column by column.
class Table
{
public:
  /// Throws ComputationError if the file cannot be read.
  explicit Table(const std::string &file);
  Table() = default;

  /// Throws std::out_of_range with the name.
  const std::vector<double> &operator[](const std::string &column) const;

  /// Value of a column at a time, linear between rows.
  double at(const std::string &column, const double time) const;

  double last(const std::string &column) const
  {
    return (*this)[column].back();
  }

private:
  std::map<std::string, std::vector<double>> columns;
};

/// A contact as a run left it; unused components of vectors are zero.
struct ContactPoint
{
  std::array<double, 3> X;        ///< candidate, undeformed
  std::array<double, 3> x;        ///< candidate, deformed
  std::array<double, 3> reaction; ///< force on the candidate
  std::array<double, 3> normal;   ///< from antagonist to candidate
  double gap;
  double normal_force;
  double tangential_force; ///< 2D: along T (N turned by -90 degrees); 3D: norm
  double area;             ///< tributary
  unsigned int status;     ///< 0 open, 1 stick, 2 slip
  unsigned int interaction;

  double pressure() const
  {
    return normal_force / area;
  }
};

/// The contacts at one instant.
struct Snapshot
{
  double time;
  std::vector<ContactPoint> points;
  double inelastic_strain = 0.; ///< largest equivalent one of all points

  /// Sorted by the coordinate of the undeformed position.
  std::vector<ContactPoint> along(const unsigned int direction) const;
};

/// What is to be looked at of shells, at the end of each step.
struct ShellPlaces
{
  std::vector<std::array<double, 3>> nodes; ///< the nearest to these
  std::vector<std::string> parts;           ///< edges, "body/right"
};

/// Where nodes of shells went, and what held parts of them; one entry for each
/// step.
struct ShellPath
{
  using Values = std::vector<std::array<double, 3>>;

  std::vector<double> time;
  std::vector<Values> u, director;         ///< of each node
  std::vector<std::array<double, 3>> node; ///< where these are at rest
  std::vector<Values> force, moment; ///< sums of internal ones on each part

  /// A component at a time, linear between steps from 0 at the start.
  double
  at(const Values &values, const unsigned int component, const double t) const;
};

/// Everything a run left.
struct RunResults
{
  std::string directory;
  Table history, energy;
  nlohmann::json summary;
  std::vector<Snapshot> snapshots; ///< at the times asked for, and the end

  /// Momentum errors of the Newton iterations of each step (its last substep).
  std::vector<std::vector<double>> newton;

  ShellPath shells;

  const Snapshot &end() const
  {
    return snapshots.back();
  }

  double mass() const
  {
    return summary.at("mass");
  }
};

/// Run a parameter file on this process and read its tables back. Contacts are
/// kept at the end of the first step at or after each of @p times (ascending)
/// and at the end of the run; @p places are looked at in all steps.
RunResults run_case(const std::string &file,
                    std::vector<std::string> overrides,
                    const std::string &directory,
                    const std::vector<double> &times = {},
                    const ShellPlaces &places        = {});

/// The order with which the last Newton iterations above rounding converged:
/// the median over the steps that have enough of them.
double newton_order(const RunResults &run);

/// The largest drop of the residual over two Newton iterations, r(n)/r(n-2),
/// the median over the steps: residuals of thin shells fall in pairs, where
/// bending is corrected and membrane forces follow.
double newton_drop(const RunResults &run);
} // namespace verification
} // namespace delassus

#endif

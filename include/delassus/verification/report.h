#ifndef delassus_verification_report_h
#define delassus_verification_report_h

#include <delassus/verification/results.h>

#include <functional>
#include <string>
#include <vector>

namespace delassus
{
namespace verification
{
/// What a quantity should be, and who says so.
struct Reference
{
  double value;
  std::string source;
};

/// A closed form, evaluated here; @p formula is what a reader can check.
Reference analytical(const double value, const std::string &formula);

/// A number printed somewhere: the source names where.
Reference published(const double value, const std::string &source);

/// How far from its reference a quantity may be.
struct Tolerance
{
  enum Kind
  {
    relative, ///< |computed - reference| <= value |reference|
    absolute, ///< |computed - reference| <= value
    at_most,  ///< computed <= value; no reference
    at_least, ///< computed >= value; no reference
    reported  ///< no verdict
  };
  Kind kind;
  double value;
};

inline Tolerance relative(const double value)
{
  return { Tolerance::relative, value };
}
inline Tolerance absolute(const double value)
{
  return { Tolerance::absolute, value };
}
inline Tolerance reported()
{
  return { Tolerance::reported, 0. };
}

/// One line of a case's table.
struct Row
{
  std::string quantity;
  double computed;
  bool has_reference;
  Reference reference;
  Tolerance tolerance;

  double error() const; ///< in the measure of the tolerance
  bool passed() const;
};

/// A parameter file with changes: one run of a case.
struct Variant
{
  std::string name; ///< of its run directory
  std::string file; ///< in the folder of the verification cases
  std::vector<std::string> overrides = {};
  std::vector<double> times          = {}; ///< of snapshots of the contacts
  ShellPlaces places                 = {}; ///< of shells
};

/// What one case did: its runs and rows. Every run adds to the energy balance
/// and to the count of contact loops that have not converged, which finish()
/// makes rows of.
class CaseReport
{
public:
  /// @p parameter_folder holds the cases' files; runs go to @p output_folder.
  CaseReport(const std::string &parameter_folder,
             const std::string &output_folder);

  RunResults run(const Variant &variant);

  void compare(const std::string &quantity,
               const double computed,
               const Reference &reference,
               const Tolerance &tolerance);

  /// A number without a verdict.
  void report(const std::string &quantity,
              const double computed,
              const std::string &remark);

  void at_most(const std::string &quantity,
               const double computed,
               const double bound,
               const std::string &source);
  void at_least(const std::string &quantity,
                const double computed,
                const double bound,
                const std::string &source);

  /// Errors on meshes of sizes @p h, coarse to fine, as rows without verdict,
  /// then the order observed (least squares over all meshes) that has to be at
  /// least @p order.
  void convergence(const std::string &quantity,
                   const std::vector<double> &h,
                   const std::vector<double> &errors,
                   const double order,
                   const std::string &source);

  /// What Newton's loops took: steps and those that were cut, iterations a
  /// step, and, if @p quadratic, newton_drop(), which has to be 1e-5 at most.
  void newton(const std::string &name,
              const RunResults &run,
              const bool quadratic = false);

  /// A table for plots, written as NAME.csv beside the runs.
  void profile(const std::string &name,
               const std::vector<std::string> &columns,
               const std::vector<std::vector<double>> &rows) const;

  /// Something went wrong: a row that fails.
  void fail(const std::string &what);

  /// The rows common to all cases.
  void finish();

  bool passed() const;

  std::vector<Row> rows;
  std::string failure; ///< of a run that could not be completed

  /// Of the energy identity, relative, in every step of every run.
  double energy_tolerance = 1e-10;

private:
  std::string parameter_folder, output_folder;
  double worst_residual        = 0.;
  unsigned int n_runs          = 0;
  unsigned int n_not_converged = 0;
};

/// Least squares slope of log(error) over log(h).
double observed_order(const std::vector<double> &h,
                      const std::vector<double> &errors);
} // namespace verification
} // namespace delassus

#endif

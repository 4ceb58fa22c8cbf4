#ifndef delassus_output_pvd_series_h
#define delassus_output_pvd_series_h

#include <string>
#include <utility>
#include <vector>

namespace delassus
{
/// The .pvd file of a series of result files, complete after every add(): a run
/// can be looked at while it goes on, and after it broke off.
class PvdSeries
{
public:
  explicit PvdSeries(const std::string &pvd_file);

  /// @p relative_file is seen from the directory of the .pvd file. Throws
  /// ComputationError if the .pvd file cannot be written; it is then as before.
  void add(double time, const std::string &relative_file);

private:
  std::string pvd_file;
  std::vector<std::pair<double, std::string>> entries;
};
} // namespace delassus

#endif

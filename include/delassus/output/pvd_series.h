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

  /// Time and file.
  using Entries = std::vector<std::pair<double, std::string>>;

  const Entries &entries() const
  {
    return list;
  }

  /// The series as it was once, in memory and on the disk.
  void restore(const Entries &entries);

private:
  void write() const;

  std::string pvd_file;
  Entries list;
};
} // namespace delassus

#endif

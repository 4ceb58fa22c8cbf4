#ifndef delassus_simulation_run_tables_h
#define delassus_simulation_run_tables_h

#include <delassus/base/archive.h>
#include <delassus/output/csv_table.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace delassus
{
/// The tables of a run directory, history.csv and energy.csv, and how far they
/// were written at a checkpoint. Rank 0's.
class RunTables
{
public:
  using Columns = std::vector<std::string>;

  void begin(const std::string &directory,
             const Columns &history_columns,
             const Columns &energy_columns);

  /// Go on as they were at the checkpoint that has been loaded. Throws
  /// InputError if they are not what was written then.
  void resume(const std::string &directory,
              const Columns &history_columns,
              const Columns &energy_columns);

  bool are_open() const
  {
    return history != nullptr;
  }

  /// @p words: those of the last columns.
  void add_rows(const std::vector<double> &history_values,
                const std::vector<double> &energy_values,
                const std::vector<std::string> &words);

  void flush();

  /// Saving waits until the disk has them.
  void archive(Archive &archive);

private:
  std::unique_ptr<CsvTable> history, energy;
  std::array<long, 2> n_bytes = { { 0, 0 } };
};
} // namespace delassus

#endif

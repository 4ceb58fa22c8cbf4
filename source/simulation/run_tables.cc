#include <delassus/simulation/run_tables.h>

namespace delassus
{
namespace
{
std::string history_file(const std::string &directory)
{
  return directory + "/history.csv";
}
std::string energy_file(const std::string &directory)
{
  return directory + "/energy.csv";
}
} // namespace

void RunTables::begin(const std::string &directory,
                      const Columns &history_columns,
                      const Columns &energy_columns)
{
  history =
      std::make_unique<CsvTable>(history_file(directory), history_columns);
  energy = std::make_unique<CsvTable>(energy_file(directory), energy_columns);
}

void RunTables::resume(const std::string &directory,
                       const Columns &history_columns,
                       const Columns &energy_columns)
{
  history = std::make_unique<CsvTable>(
      history_file(directory), history_columns, n_bytes[0]);
  energy = std::make_unique<CsvTable>(
      energy_file(directory), energy_columns, n_bytes[1]);
}

void RunTables::add_rows(const std::vector<double> &history_values,
                         const std::vector<double> &energy_values,
                         const std::vector<std::string> &words)
{
  history->add_row(history_values, words);
  energy->add_row(energy_values, words);
}

void RunTables::flush()
{
  history->flush();
  energy->flush();
}

void RunTables::archive(Archive &archive)
{
  if (archive.saving())
  {
    history->sync();
    energy->sync();
    n_bytes = { { history->n_bytes(), energy->n_bytes() } };
  }
  archive("bytes of tables", n_bytes);
}
} // namespace delassus

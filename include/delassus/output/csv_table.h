#ifndef delassus_output_csv_table_h
#define delassus_output_csv_table_h

#include <chrono>
#include <string>
#include <vector>

namespace delassus
{
/// A .csv file that grows row by row: a header with the names of the columns,
/// then numbers, each written with as few digits as give it back exactly.
/// Rows go to the disk about once a second. If one cannot be written, the file
/// keeps the complete rows before it and a ComputationError names the file and
/// the reason.
class CsvTable
{
public:
  CsvTable(const std::string &file, const std::vector<std::string> &columns);

  /// Go on with an existing file after its first @p n_bytes; what follows them
  /// is cut off. Throws InputError if it is shorter or has other columns.
  CsvTable(const std::string &file,
           const std::vector<std::string> &columns,
           long n_bytes);

  CsvTable(CsvTable &&other) noexcept;
  CsvTable(const CsvTable &)            = delete;
  CsvTable &operator=(const CsvTable &) = delete;
  CsvTable &operator=(CsvTable &&)      = delete;

  /// Writes what is left, silently: call flush() to be told of errors.
  ~CsvTable();

  /// One number a column; @p words: those of the last columns.
  void add_row(const std::vector<double> &values,
               const std::vector<std::string> &words = {});

  void flush();

  /// flush(), and wait until it is on the disk.
  void sync();

  /// Bytes of the rows flushed.
  long n_bytes() const
  {
    return n_good_bytes;
  }

private:
  using Clock = std::chrono::steady_clock;

  std::string file;
  std::size_t n_columns;
  int descriptor = -1;
  std::string waiting; ///< rows not yet written
  long n_good_bytes = 0;
  Clock::time_point last_flush;
};
} // namespace delassus

#endif

#include <delassus/output/atomic_file.h>
#include <delassus/output/pvd_series.h>

#include <fmt/format.h>

#include <cstdio>

namespace delassus
{
namespace
{
std::string escaped(const std::string &text)
{
  std::string result;
  for (const char c : text)
    switch (c)
    {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  return result;
}
} // namespace

PvdSeries::PvdSeries(const std::string &pvd_file)
    : pvd_file(pvd_file)
{
}

void PvdSeries::add(const double time, const std::string &relative_file)
{
  list.emplace_back(time, relative_file);
  write();
}

void PvdSeries::restore(const Entries &entries)
{
  list = entries;
  // A series without files is no file.
  if (list.empty())
    std::remove(pvd_file.c_str());
  else
    write();
}

void PvdSeries::write() const
{
  std::string content = "<?xml version=\"1.0\"?>\n"
                        "<VTKFile type=\"Collection\" version=\"0.1\" "
                        "byte_order=\"LittleEndian\">\n  <Collection>\n";
  for (const auto &[t, file] : list)
    content += fmt::format("    <DataSet timestep=\"{}\" group=\"\" part=\"0\" "
                           "file=\"{}\"/>\n",
                           t,
                           escaped(file));
  content += "  </Collection>\n</VTKFile>\n";
  write_result_atomically(pvd_file, content);
}
} // namespace delassus

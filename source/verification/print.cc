#include <delassus/verification/print.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>

namespace delassus
{
namespace verification
{
namespace
{
/// Below this an error is rounding and differs from machine to machine.
constexpr double rounding = 1e-11;

constexpr std::array<const char *, 7> heads = { { "quantity",
                                                  "computed",
                                                  "reference",
                                                  "error",
                                                  "tolerance",
                                                  "verdict",
                                                  "source" } };

std::string number(const double value)
{
  if (std::abs(value) < rounding && value != 0.)
    return "< 1e-11";
  return fmt::format("{:.5g}", value);
}

/// Relative errors in percent where that reads well.
std::string size_of(const double value, const bool is_relative)
{
  if (std::isnan(value))
    return "";
  if (value < rounding)
    return value == 0. ? "0" : "< 1e-11";
  if (is_relative && value >= 1e-5)
    return fmt::format("{:.2g} %", 100. * value);
  return fmt::format("{:.1e}", value);
}

std::string exact_size(const Tolerance &tolerance)
{
  switch (tolerance.kind)
  {
    case Tolerance::relative:
      return tolerance.value >= 1e-4
                 ? fmt::format("{:.3g} %", 100. * tolerance.value)
                 : fmt::format("{:.3g}", tolerance.value);
    case Tolerance::absolute:
      return fmt::format("± {:.3g}", tolerance.value);
    case Tolerance::at_most:
      return fmt::format("≤ {:.3g}", tolerance.value);
    case Tolerance::at_least:
      return fmt::format("≥ {:.3g}", tolerance.value);
    case Tolerance::reported:
      break;
  }
  return "";
}

const char *verdict(const Row &row)
{
  if (!row.passed())
    return "FAILED";
  return row.tolerance.kind == Tolerance::reported ? "reported" : "passed";
}

std::array<std::string, 7> cells(const Row &row)
{
  const bool is_relative =
      row.tolerance.kind == Tolerance::relative ||
      (row.tolerance.kind == Tolerance::reported && row.reference.value != 0.);
  return { { row.quantity,
             number(row.computed),
             row.has_reference ? number(row.reference.value) : "",
             size_of(row.error(), is_relative),
             exact_size(row.tolerance),
             verdict(row),
             row.reference.source } };
}

/// Characters, not bytes, of a UTF-8 text.
std::size_t width(const std::string &text)
{
  return std::count_if(text.begin(),
                       text.end(),
                       [](const char c) { return (c & 0xC0) != 0x80; });
}

std::string padded(const std::string &text, const std::size_t columns)
{
  return text + std::string(columns - std::min(columns, width(text)), ' ');
}

/// A bar would end the cell of a Markdown table.
std::string escaped(const std::string &text)
{
  std::string result;
  for (const char c : text)
    result += c == '|' ? std::string("\\|") : std::string(1, c);
  return result;
}
} // namespace

void print_table(std::ostream &out, const Case &which, const CaseReport &report)
{
  std::vector<std::array<std::string, 7>> table;
  table.push_back({});
  std::copy(heads.begin(), heads.end(), table[0].begin());
  for (const auto &row : report.rows)
    table.push_back(cells(row));
  std::array<std::size_t, 7> widths{};
  for (const auto &line : table)
    for (std::size_t i = 0; i < line.size(); ++i)
      widths[i] = std::max(widths[i], width(line[i]));

  out << which.name << ": " << which.title << '\n';
  for (const auto &line : table)
  {
    std::string text = " ";
    for (std::size_t i = 0; i < line.size(); ++i)
      text += ' ' + padded(line[i], widths[i]) + ' ';
    out << text.substr(0, text.find_last_not_of(' ') + 1) << '\n';
  }
  if (!report.failure.empty())
    out << "  FAILED: " << report.failure << '\n';
}

void print_markdown(std::ostream &out,
                    const Case &which,
                    const CaseReport &report)
{
  out << "\n## " << which.name << "\n\n"
      << which.title << ". " << which.description << "\n\n";
  for (const auto &picture : which.pictures)
    out << "![" << picture.caption << "](images/" << picture.file << ")\n\n";
  out << '|';
  for (const char *head : heads)
    out << ' ' << head << " |";
  out << "\n| --- | ---: | ---: | ---: | ---: | --- | --- |\n";
  for (const auto &row : report.rows)
  {
    out << '|';
    for (const auto &cell : cells(row))
      out << ' ' << escaped(cell) << " |";
    out << '\n';
  }
  if (!report.failure.empty())
    out << "\nFAILED: " << report.failure << '\n';
}

void print_markdown_head(std::ostream &out,
                         const std::vector<Case> &cases,
                         const std::vector<CaseReport> &reports)
{
  out << R"(# Verification

Reference problems with known answers. This page is written by

    ./delassus verify --all --markdown doc/verification.md

and its pictures by `./delassus picture verification_plots results/verification`.
`./delassus verify` without arguments runs the quick cases, `--list` lists all; the exit
code is 1 if a row fails. Each case is a parameter file of
`parameter_files/verification` with the changes its variants need.

A tolerance in percent (or as a bare number) is relative to the reference, one with ± is
in the units of the quantity, ≤ and ≥ bound the computed number itself. "reported" rows
have no verdict: they are there to be read. The order of convergence is the slope of a
least squares fit through all meshes of the case. Every case also has the residual of the
energy identity over all steps of all its runs, and the number of contact loops that
missed their tolerance.

| case | what it is | rows | verdict |
| --- | --- | ---: | --- |
)";
  for (std::size_t i = 0; i < cases.size(); ++i)
  {
    const auto &rows = reports[i].rows;
    const auto n =
        std::count_if(rows.begin(),
                      rows.end(),
                      [](const Row &row)
                      { return row.tolerance.kind != Tolerance::reported; });
    out << "| [" << cases[i].name << "](#" << cases[i].name << ") | "
        << cases[i].title << " | " << n << " | "
        << (reports[i].passed() ? "passed" : "FAILED") << " |\n";
  }
}
} // namespace verification
} // namespace delassus

#include <delassus/verification/report.h>
#include <delassus/base/exceptions.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

namespace delassus
{
namespace verification
{
Reference analytical(const double value, const std::string &formula)
{
  return { value, "analytical: " + formula };
}

Reference published(const double value, const std::string &source)
{
  return { value, source };
}

double Row::error() const
{
  if (!has_reference)
    return std::numeric_limits<double>::quiet_NaN();
  const double difference = std::abs(computed - reference.value);
  // Without a verdict: relative, where there is something to relate to.
  return tolerance.kind == Tolerance::absolute || reference.value == 0.
             ? difference
             : difference / std::abs(reference.value);
}

bool Row::passed() const
{
  // Written so that a value that is not a number fails.
  switch (tolerance.kind)
  {
    case Tolerance::relative:
    case Tolerance::absolute:
      return error() <= tolerance.value;
    case Tolerance::at_most:
      return computed <= tolerance.value;
    case Tolerance::at_least:
      return computed >= tolerance.value;
    case Tolerance::reported:
      return std::isfinite(computed);
  }
  return false;
}

CaseReport::CaseReport(const std::string &parameter_folder,
                       const std::string &output_folder)
    : parameter_folder(parameter_folder)
    , output_folder(output_folder)
{
}

RunResults CaseReport::run(const Variant &variant)
{
  RunResults results = run_case(parameter_folder + "/" + variant.file,
                                variant.overrides,
                                output_folder + "/" + variant.name,
                                variant.times,
                                variant.places);
  ++n_runs;
  worst_residual = std::max(
      worst_residual,
      results.summary["energy"]["worst_relative_residual"].get<double>());
  n_not_converged += results.summary["contact_solver"]["steps_not_converged"]
                         .get<unsigned int>();
  return results;
}

void CaseReport::compare(const std::string &quantity,
                         const double computed,
                         const Reference &reference,
                         const Tolerance &tolerance)
{
  rows.push_back({ quantity, computed, true, reference, tolerance });
}

void CaseReport::report(const std::string &quantity,
                        const double computed,
                        const std::string &remark)
{
  rows.push_back({ quantity, computed, false, { 0., remark }, reported() });
}

void CaseReport::at_most(const std::string &quantity,
                         const double computed,
                         const double bound,
                         const std::string &source)
{
  rows.push_back({ quantity,
                   computed,
                   false,
                   { 0., source },
                   { Tolerance::at_most, bound } });
}

void CaseReport::at_least(const std::string &quantity,
                          const double computed,
                          const double bound,
                          const std::string &source)
{
  rows.push_back({ quantity,
                   computed,
                   false,
                   { 0., source },
                   { Tolerance::at_least, bound } });
}

double observed_order(const std::vector<double> &h,
                      const std::vector<double> &errors)
{
  double x = 0., y = 0., xx = 0., xy = 0.;
  const double n = h.size();
  for (std::size_t i = 0; i < h.size(); ++i)
  {
    const double a = std::log(h[i]), b = std::log(errors[i]);
    x += a / n;
    y += b / n;
    xx += a * a / n;
    xy += a * b / n;
  }
  return (xy - x * y) / (xx - x * x);
}

void CaseReport::convergence(const std::string &quantity,
                             const std::vector<double> &h,
                             const std::vector<double> &errors,
                             const double order,
                             const std::string &source)
{
  for (std::size_t i = 0; i < h.size(); ++i)
    report(fmt::format("{}, h = {:.4g}", quantity, h[i]), errors[i], "");
  at_least(
      quantity + ", observed order", observed_order(h, errors), order, source);
}

void CaseReport::newton(const std::string &name,
                        const RunResults &run,
                        const bool quadratic)
{
  const auto &newton   = run.summary.at("newton");
  const double n_steps = newton.at("substeps"), n_cut = newton.at("steps_cut"),
               n_rounds = newton.at("iterations");
  report(name + ": load steps",
         n_steps,
         fmt::format("{:.0f} of them cut; {:.1f} iterations each",
                     n_cut,
                     n_rounds / n_steps));
  if (!quadratic)
    return;
  std::string last;
  for (const double error : run.newton.back())
    last += fmt::format("{}{:.0e}", last.empty() ? "" : ", ", error);
  at_most(name + ": r(n)/r(n-2) of Newton's residuals, the best",
          newton_drop(run),
          1e-5,
          "quadratic at the end; median of the steps; last step: " + last);
}

void CaseReport::profile(const std::string &name,
                         const std::vector<std::string> &columns,
                         const std::vector<std::vector<double>> &rows) const
{
  std::filesystem::create_directories(output_folder);
  const std::string file = output_folder + "/" + name + ".csv";
  std::ofstream out(file);
  for (std::size_t i = 0; i < columns.size(); ++i)
    out << (i > 0 ? "," : "") << columns[i];
  out << '\n';
  for (const auto &row : rows)
  {
    for (std::size_t i = 0; i < row.size(); ++i)
      out << (i > 0 ? "," : "") << fmt::format("{:.10g}", row[i]);
    out << '\n';
  }
  if (!out.flush())
    throw ComputationError("Cannot write '" + file + "'.");
}

void CaseReport::fail(const std::string &what)
{
  failure = what;
}

void CaseReport::finish()
{
  if (n_runs == 0)
    return;
  at_most("energy identity, worst residual of a step",
          worst_residual,
          energy_tolerance,
          energy_tolerance > 1e-9
              ? "an identity up to the residual of the Newton loop"
              : "analytical: the balance of the scheme is an identity");
  at_most("contact loops not converged",
          n_not_converged,
          0.,
          "every loop has to reach its tolerance");
}

bool CaseReport::passed() const
{
  return failure.empty() &&
         std::all_of(rows.begin(),
                     rows.end(),
                     [](const Row &row) { return row.passed(); });
}
} // namespace verification
} // namespace delassus

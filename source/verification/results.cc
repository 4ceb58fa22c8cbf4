#include <delassus/verification/results.h>
#include <delassus/base/exceptions.h>
#include <delassus/parameters/read_parameters.h>
#include <delassus/simulation/simulation.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace delassus
{
namespace verification
{
Table::Table(const std::string &file)
{
  std::ifstream in(file);
  std::string line, cell;
  if (!std::getline(in, line))
    throw ComputationError("Cannot read '" + file + "'.");
  std::vector<std::vector<double> *> in_order;
  for (std::istringstream header(line); std::getline(header, cell, ',');)
    in_order.push_back(&columns[cell]);
  while (std::getline(in, line))
  {
    std::istringstream row(line);
    for (std::size_t i = 0; std::getline(row, cell, ','); ++i)
      in_order.at(i)->push_back(std::strtod(cell.c_str(), nullptr));
  }
}

const std::vector<double> &Table::operator[](const std::string &column) const
{
  const auto found = columns.find(column);
  if (found == columns.end())
    throw std::out_of_range("a run has no column '" + column + "'.");
  return found->second;
}

double Table::at(const std::string &column, const double time) const
{
  const auto &t = (*this)["time"];
  const auto &y = (*this)[column];
  const auto i  = std::lower_bound(t.begin(), t.end(), time) - t.begin();
  if (i == 0 || i == static_cast<long>(t.size()))
    return i == 0 ? y.front() : y.back();
  const double s = (time - t[i - 1]) / (t[i] - t[i - 1]);
  return (1. - s) * y[i - 1] + s * y[i];
}

std::vector<ContactPoint> Snapshot::along(const unsigned int direction) const
{
  auto sorted = points;
  std::sort(sorted.begin(),
            sorted.end(),
            [direction](const ContactPoint &a, const ContactPoint &b)
            { return a.X[direction] < b.X[direction]; });
  return sorted;
}

namespace
{
template <int dim>
double largest_inelastic_strain(const Model<dim> &model)
{
  double largest = 0.;
  for (const auto &scheme : model.schemes)
  {
    if (scheme->internal_forces() == nullptr)
      continue;
    const auto &internal = *scheme->internal_forces();
    const auto fields    = internal.law().fields();
    if (fields.empty())
      continue;
    for (const unsigned int cell : internal.evaluated_cells())
      for (unsigned int q = 0; q < internal.n_points(); ++q)
        largest = std::max(largest, internal.history(cell, q)[fields[0].first]);
  }
  return largest;
}

template <int dim>
Snapshot
take_snapshot(const Simulation<dim> &simulation, const double t, const double h)
{
  Snapshot snapshot{ t, {}, largest_inelastic_strain(simulation.model) };
  const auto &contact  = simulation.contact;
  const auto &surfaces = *simulation.model.surfaces;
  std::vector<double> x;
  contact.places.gather(CarrierField::displacement, x);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] += surfaces.reference[i];

  for (unsigned int a = 0; a < contact.contacts.size(); ++a)
  {
    const auto &c        = contact.contacts[a];
    const auto &point    = surfaces.points[c.point];
    const double *P      = &contact.P[dim * a];
    const auto reference = surfaces.position(point, surfaces.reference);
    const auto deformed  = surfaces.position(point, x);
    const auto force     = c.to_global(P) / h;
    const auto normal    = c.normal();
    ContactPoint result{};
    for (unsigned int d = 0; d < dim; ++d)
    {
      result.X[d]        = reference[d];
      result.x[d]        = deformed[d];
      result.reaction[d] = force[d];
      result.normal[d]   = normal[d];
    }
    result.gap          = contact.gaps_end[a];
    result.normal_force = P[0] / h;
    result.tangential_force =
        dim == 2 ? P[1] / h : std::hypot(P[1], P[dim - 1]) / h;
    result.area        = c.area;
    result.status      = static_cast<unsigned int>(contact.status[a]);
    result.interaction = c.interaction;
    snapshot.points.push_back(result);
  }
  return snapshot;
}

template <int dim>
void run_and_look(const ParsedParameters &parameters,
                  const std::vector<double> &times,
                  RunResults &results)
{
  RunOptions options;
  options.quiet     = true;
  options.overwrite = true; // results of an earlier verification
  auto &snapshots   = results.snapshots;
  Simulation<dim> simulation(parameters, options, MPI_COMM_SELF);
  std::size_t next   = 0;
  double last_h      = 0.;
  double last_t      = 0.;
  simulation.on_step = [&](const double t, const double h)
  {
    last_t = t;
    last_h = h;
    if (simulation.model.is_nonlinear())
      results.newton.push_back(simulation.last_attempt().last.history);
    if (next < times.size() && t >= times[next] - 1e-6 * h)
    {
      snapshots.push_back(take_snapshot(simulation, t, h));
      ++next;
    }
  };
  simulation.run();
  if (last_h > 0.)
    snapshots.push_back(take_snapshot(simulation, last_t, last_h));
}
} // namespace

RunResults run_case(const std::string &file,
                    std::vector<std::string> overrides,
                    const std::string &directory,
                    const std::vector<double> &times)
{
  RunResults results;
  results.directory = directory;
  overrides.push_back("Output/Directory=" + directory);
  const ParsedParameters parameters = read_parameters(file, overrides);
  if (parameters.values.dimension == 2)
    run_and_look<2>(parameters, times, results);
  else
    run_and_look<3>(parameters, times, results);
  results.history = Table(directory + "/history.csv");
  results.energy  = Table(directory + "/energy.csv");
  std::ifstream(directory + "/summary.json") >> results.summary;
  return results;
}
} // namespace verification
} // namespace delassus

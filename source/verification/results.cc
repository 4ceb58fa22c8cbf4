#include <delassus/verification/results.h>
#include <delassus/base/exceptions.h>
#include <delassus/parameters/read_parameters.h>
#include <delassus/shell_systems/building/sheet_mesh.h>
#include <delassus/shell_systems/shell_system.h>
#include <delassus/simulation/simulation.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
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

double ShellPath::at(const Values &values,
                     const unsigned int component,
                     const double t) const
{
  const auto i = std::lower_bound(time.begin(), time.end(), t) - time.begin();
  if (i == static_cast<long>(time.size()))
    return values.back()[component];
  const double t0 = i == 0 ? 0. : time[i - 1],
               y0 = i == 0 ? 0. : values[i - 1][component],
               s  = (t - t0) / (time[i] - t0);
  return (1. - s) * y0 + s * values[i][component];
}

double newton_order(const RunResults &run)
{
  std::vector<double> orders;
  for (const auto &errors : run.newton)
    for (std::size_t k = errors.size(); k-- > 2;)
      if (errors[k] > 1e-12 && errors[k] < errors[k - 1] &&
          errors[k - 1] < errors[k - 2] && errors[k - 2] < 0.3)
      {
        orders.push_back(std::log(errors[k] / errors[k - 1]) /
                         std::log(errors[k - 1] / errors[k - 2]));
        break;
      }
  if (orders.empty())
    return std::nan("");
  std::sort(orders.begin(), orders.end());
  return orders[orders.size() / 2];
}

double newton_drop(const RunResults &run)
{
  std::vector<double> drops;
  for (const auto &errors : run.newton)
  {
    double drop = 1.;
    for (std::size_t k = 2; k < errors.size(); ++k)
      drop = std::min(drop, errors[k] / errors[k - 2]);
    drops.push_back(drop);
  }
  if (drops.empty())
    return std::nan("");
  std::sort(drops.begin(), drops.end());
  return drops[drops.size() / 2];
}

namespace
{
/// A sheet in one piece: nodes have the numbers of its mesh.
const ShellModel &model_of(const Model<3> &model, const unsigned int sheet)
{
  const auto &system = *model.shells.at(sheet);
  if (system.n_pieces() != 1)
    throw ComputationError("A shell to be looked at has several pieces.");
  return system.piece(0).model();
}

void look_at_nodes(const Model<3> &model,
                   const ShellPlaces &places,
                   ShellPath &path)
{
  path.node.resize(places.nodes.size());
  path.u.resize(places.nodes.size());
  path.director.resize(places.nodes.size());
  for (std::size_t k = 0; k < places.nodes.size(); ++k)
  {
    double nearest = std::numeric_limits<double>::infinity();
    Vector3 u{}, d{};
    for (unsigned int s = 0; s < model.shells.size(); ++s)
    {
      const auto &shell     = model_of(model, s);
      const auto &state     = shell.state();
      const auto &directors = shell.reference_directors().node;
      unsigned int best     = shell.n_nodes();
      for (unsigned int n = 0; n < shell.n_nodes(); ++n)
      {
        const double distance =
            norm(shell.reference().nodes[n] - places.nodes[k]);
        if (distance < nearest)
        {
          nearest = distance;
          best    = n;
        }
      }
      if (best == shell.n_nodes())
        continue;
      path.node[k] = shell.reference().nodes[best];
      u            = state.x[best] - path.node[k];
      d = state.d[std::find(directors.begin(), directors.end(), best) -
                  directors.begin()];
    }
    path.u[k].push_back(u);
    path.director[k].push_back(d);
  }
}

void look_at_parts(const Model<3> &model,
                   const ShellPlaces &places,
                   ShellPath &path)
{
  path.force.resize(places.parts.size());
  path.moment.resize(places.parts.size());
  for (std::size_t k = 0; k < places.parts.size(); ++k)
  {
    const std::string &name = places.parts[k];
    const auto slash        = name.find('/');
    const SheetPart *part   = nullptr;
    unsigned int s          = 0;
    for (unsigned int i = 0; i < model.sheets.size(); ++i)
      if (model.parameters.shells[i].name == name.substr(0, slash))
      {
        part = model.sheets[i]->find(name.substr(slash + 1));
        s    = i;
      }
    if (part == nullptr)
      throw ComputationError("There is no part '" + name + "' of a shell.");
    const auto &shell = model_of(model, s);
    const auto &F     = shell.force();
    Vector3 force{}, moment{};
    for (const unsigned int n : part->nodes)
    {
      const unsigned int dof = shell.dof(n);
      for (unsigned int c = 0; c < 3; ++c)
        force[c] += F[dof + c];
      for (unsigned int a = 0; a < shell.n_rotations(n); ++a)
        moment = moment + F[dof + 3 + a] * shell.state().axes[n][a];
    }
    path.force[k].push_back(force);
    path.moment[k].push_back(moment);
  }
}

void look_at_shells(const Model<3> &model,
                    const ShellPlaces &places,
                    const double t,
                    ShellPath &path)
{
  path.time.push_back(t);
  look_at_nodes(model, places, path);
  look_at_parts(model, places, path);
}

void look_at_shells(const Model<2> &,
                    const ShellPlaces &,
                    const double,
                    ShellPath &)
{
}

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
                  const ShellPlaces &places,
                  RunResults &results)
{
  RunOptions options;
  options.quiet     = true;
  options.overwrite = true; // results of an earlier verification
  auto &snapshots   = results.snapshots;
  const bool looks  = !places.nodes.empty() || !places.parts.empty();
  std::size_t next  = 0;
  double last_h     = 0.;
  double last_t     = 0.;
  // The simulation of each stage.
  Simulation<dim> *simulation = nullptr;
  StagedRun<dim> run(parameters, options, MPI_COMM_SELF);
  run.prepare = [&](Simulation<dim> &of_stage)
  {
    simulation       = &of_stage;
    of_stage.on_step = [&](const double t, const double h)
    {
      last_t = t;
      last_h = h;
      if (simulation->model.is_nonlinear())
        results.newton.push_back(simulation->last_attempt().last.history);
      if (looks)
        look_at_shells(simulation->model, places, t, results.shells);
      if (next < times.size() && t >= times[next] - 1e-6 * h)
      {
        snapshots.push_back(take_snapshot(*simulation, t, h));
        ++next;
      }
    };
  };
  run.run();
  if (last_h > 0.)
    snapshots.push_back(take_snapshot(*simulation, last_t, last_h));
}
} // namespace

RunResults run_case(const std::string &file,
                    std::vector<std::string> overrides,
                    const std::string &directory,
                    const std::vector<double> &times,
                    const ShellPlaces &places)
{
  RunResults results;
  results.directory = directory;
  overrides.push_back("Output/Directory=" + directory);
  const ParsedParameters parameters = read_parameters(file, overrides);
  if (parameters.values.dimension == 2)
    run_and_look<2>(parameters, times, places, results);
  else
    run_and_look<3>(parameters, times, places, results);
  results.history = Table(directory + "/history.csv");
  results.energy  = Table(directory + "/energy.csv");
  std::ifstream(directory + "/summary.json") >> results.summary;
  return results;
}
} // namespace verification
} // namespace delassus

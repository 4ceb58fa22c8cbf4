#include <delassus/simulation/simulation.h>
#include <delassus/base/exceptions.h>
#include <delassus/base/text.h>
#include <delassus/bodies/rigid_modes.h>
#include <delassus/output/atomic_file.h>
#include <delassus/output/point_cloud.h>
#include <delassus/output/vtu_pieces.h>
#include <delassus/bodies/results/solid_output.h>
#include <delassus/shell_systems/results/sheet_output.h>
#include <delassus/simulation/overlaps.h>
#include <delassus/simulation/zone_forecast.h>

#include "check_sheets.h"

#include <fmt/format.h>

#include <cmath>
#include <ostream>
#include <set>

namespace delassus
{
using namespace dealii;

namespace
{
std::string bytes_of(const double bytes)
{
  return bytes < 1e9 ? fmt::format("{:.1f} MiB", bytes / (1 << 20))
                     : fmt::format("{:.2f} GiB", bytes / (1 << 30));
}

/// What is free, and the mass.
template <int dim>
std::string describe(const RigidBody<dim> &body)
{
  std::string text;
  const auto &settings = body.settings;
  for (unsigned int c = 0; c < dim; ++c)
    if (settings.free_translations[c])
      text += fmt::format("{}{}", text.empty() ? ", free in " : ", ", "xyz"[c]);
  if (settings.free_axes.size() == 1)
    text += ", free to turn";
  else if (!settings.free_axes.empty())
    text +=
        fmt::format(", free to turn about {} axes", settings.free_axes.size());
  if (!settings.driven.is_zero())
    text += ", driven";
  return text;
}

/// Free motions of a rigid body that no spring resists.
template <int dim>
unsigned int n_motions_without_spring(const RigidBodySettings<dim> &body)
{
  unsigned int n = body.rotational_stiffness > 0. ? 0 : body.free_axes.size();
  for (unsigned int c = 0; c < dim; ++c)
    n += body.free_translations[c] && !(body.stiffness[c] > 0.);
  return n;
}

/// The set-up as a picture.
template <int dim>
void write_setup(const Model<dim> &model,
                 const std::string &path,
                 MPI_Comm communicator)
{
  std::vector<std::vector<Voigt>> zero;
  std::vector<SolidFields<dim>> fields;
  for (const auto &body : model.bodies)
    zero.emplace_back(body->pieces.size(), Voigt{});
  for (unsigned int b = 0; b < model.bodies.size(); ++b)
    fields.push_back({ model.bodies[b].get(),
                       &model.schemes[b]->q,
                       &model.schemes[b]->v,
                       &zero[b] });
  std::vector<VtuPiece> pieces;
  if (!model.bodies.empty() || model.shells.empty())
    pieces.push_back(solid_piece(fields));
  std::vector<SheetShown> sheets;
  std::vector<std::vector<Voigt>> zero_of_sheets;
  for (const auto *sheet : model.shells)
    zero_of_sheets.emplace_back(sheet->n_pieces(), Voigt{});
  for (unsigned int s = 0; s < model.shells.size(); ++s)
    sheets.push_back({ model.shells[s],
                       static_cast<unsigned int>(model.bodies.size() + s),
                       &zero_of_sheets[s] });
  StressExtrema extrema;
  if (!sheets.empty())
    pieces.push_back(sheet_piece(sheets,
                                 model.parameters.time.step,
                                 model.parameters.output.shell_layers,
                                 extrema));
  write_pieces(path, std::move(pieces), communicator);
}

/// Faces of all surfaces with their names' numbers and outward normals; in no
/// file if @p path is empty.
template <int dim>
void write_surfaces(const Model<dim> &model,
                    const std::string &path,
                    std::ostream &out)
{
  PointCloud<dim> cloud({ "surface", "body" }, { "normal" }, {});
  unsigned int number = 0;
  for (unsigned int b = 0; b < model.bodies.size(); ++b)
    for (const auto &name : model.bodies[b]->surface_names())
    {
      const auto &body      = *model.bodies[b];
      const auto &faces     = body.surface(name, "check");
      const auto quadrature = body.element.face_quadrature();
      double area           = 0.;
      for (const unsigned int f : faces)
      {
        const auto &face     = body.boundary[f];
        const unsigned int n = face.n_nodes;
        std::array<Point<dim>, max_face_nodes> x;
        for (unsigned int k = 0; k < n; ++k)
          x[k] = body.nodes[face.nodes[k]];
        for (unsigned int q = 0; q < quadrature.size(); ++q)
        {
          const FaceShape<dim> shape(n, quadrature.point(q));
          area += quadrature.weight(q) * shape.area_vector(n, x).norm() *
                  body.out_of_plane(shape.position(n, x));
        }
        const FaceShape<dim> middle(n, FaceShape<dim>::middle(n));
        const Point<dim> centre = middle.position(n, x);
        Tensor<1, dim> normal   = middle.area_vector(n, x);
        normal /= normal.norm();
        std::vector<double> values = { double(number), double(b) };
        for (unsigned int c = 0; c < dim; ++c)
          values.push_back(normal[c]);
        cloud.add_point(centre, values);
      }
      out << fmt::format("  surface {:2} '{}/{}': {}, area {:.6g}\n",
                         number++,
                         body.name(),
                         name,
                         counted(faces.size(), "face"),
                         area);
    }
  add_faces_of_sheets(model, number, cloud, out);
  if (!path.empty())
    cloud.write_vtu(path);
}
} // namespace

template <int dim>
void Simulation<dim>::check(std::ostream &out)
{
  const auto &time             = model.parameters.time;
  const std::string &directory = model.parameters.output.directory;
  // The files of a run that is on are left alone.
  const std::string holder = recorder.root ? run_in(directory) : "";
  const bool write =
      Utilities::MPI::max(int(!holder.empty()), communicator) == 0;
  if (recorder.root)
  {
    if (write)
      prepare_run_directory(directory);
    for (const auto &warning : input.warnings)
      out << "warning: " << warning << "\n";
    for (const auto &warning : model.warnings)
      out << "warning: " << warning << "\n";
    out << fmt::format(
        "{}: {}D, {} of {} from {} to {}, {}\n",
        model.parameters.title,
        dim,
        counted(std::ceil((time.end_time - time.start_time) / time.step - 1e-6),
                "step"),
        time.step,
        time.start_time,
        time.end_time,
        time.scheme == TimeScheme::quasi_static
            ? "quasi static"
            : fmt::format("theta {}", time.theta));
    out << describe_stages();
    double crossing = std::numeric_limits<double>::max();
    for (unsigned int b = 0; b < model.bodies.size(); ++b)
    {
      const auto &body = *model.bodies[b];
      double volume    = 0.;
      for (const auto &piece : body.pieces)
        volume += piece.volume;
      out << fmt::format(
          "  body '{}': {} in {}, {}, {} ({} driven), volume {:.6g}, material "
          "'{}'\n",
          body.name(),
          counted(body.pieces.size(), "piece"),
          counted(model.classes[b]->n_classes(), "class", "classes"),
          counted(body.n_all_cells, "cell"),
          counted(body.n_dofs(), "dof"),
          model.driven[b]->n_dofs(),
          volume,
          body.material_parameters().name);
      crossing = std::min(crossing,
                          body.smallest_edge /
                              body.elasticity().pressure_wave_speed());
    }
    crossing = std::min(crossing, describe_sheets(model, out));
    out << fmt::format(
        "  mass {:.6g}, weight {:.6g}\n", model.total_mass(), model.weight());
    write_surfaces(model, write ? directory + "/setup_surfaces.vtu" : "", out);
    for (unsigned int o = 0; o < model.obstacles.size(); ++o)
    {
      const auto &obstacle = model.obstacles[o];
      const int body       = model.body_of_obstacle(o);
      out << fmt::format("  {} '{}': {}{}\n",
                         o < model.parameters.obstacles.size() ? "obstacle"
                                                               : "rigid body",
                         obstacle.name,
                         obstacle.shape->describe(),
                         body >= 0          ? describe(model.rigid->body(body))
                         : obstacle.moves() ? ", moving"
                                            : "");
    }
    for (const auto &warning : ObstacleWatch<dim>(model).at_start())
      out << "  warning: " << warning << "\n";
    for (const auto &warning : ZoneForecast<dim>(model).warnings())
      out << "  warning: " << warning << "\n";
    if (time.scheme == TimeScheme::dynamic &&
        !(model.bodies.empty() && model.shells.empty()))
      out << fmt::format("  time step: a pressure wave crosses the shortest "
                         "edge in {:.4g}; the "
                         "step {:.4g} is {:.3g} of that{}\n",
                         crossing,
                         time.step,
                         time.step / crossing,
                         time.step > 20. * crossing
                             ? " (waves are not resolved: fine for slow "
                               "motion, coarse for impact)"
                             : "");
  }

  check_sides_of_obstacles(model);
  set_step(time.step);
  for (auto *system : model.systems)
    system->start(time.start_time);
  // Newton loops: the tangent of the undeformed bodies.
  for (auto *system : model.systems)
  {
    system->begin_step(time.start_time, false);
    if (!system->evaluate(0, true, false))
      throw ComputationError("The undeformed bodies have no answer: " +
                             system->trouble());
    system->update_inverse(0., false);
    system->free_velocity();
  }
  if (model.is_nonlinear())
    contact.update_compliance();
  contact.detect(time.start_time, time.step);
  contact.build_kinematics(time.start_time, time.step);
  contact.update_delassus();

  if (write)
    write_setup(model, directory + "/setup.vtu", communicator);
  const auto overlaps = find_overlaps(model, contact);
  const auto table    = contact.gathered();
  if (!recorder.root)
  {
    judge_overlaps(overlaps);
    return;
  }

  const auto &surfaces = *model.surfaces;
  for (unsigned int k = 0; k < model.interactions.size(); ++k)
  {
    const auto &interaction = model.interactions[k];
    std::size_t count       = 0;
    double smallest = std::numeric_limits<double>::max(), largest = 0.;
    unsigned int deepest = 0;
    std::vector<std::size_t> of_pair(model.pairs.size(), 0);
    for (unsigned int a = 0; a < table.contacts.size(); ++a)
      if (table.contacts[a].interaction == k)
      {
        ++count;
        ++of_pair[model.pair_of(table.contacts[a])];
        largest = std::max(largest, table.gaps[a]);
        if (table.gaps[a] < smallest)
        {
          smallest = table.gaps[a];
          deepest  = a;
        }
      }
    out << fmt::format(
        "  interaction '{}': {} ({}), {} an antagonist within reach",
        interaction.name,
        counted(interaction.end_point - interaction.first_point, "candidate"),
        interaction.points,
        counted(count, "faces", "face"));
    if (count > 0)
      out << fmt::format("; gaps {:.4g} to {:.4g}, smallest at {}",
                         smallest,
                         largest,
                         text_of(surfaces.position(
                             surfaces.points[table.contacts[deepest].point],
                             contact.places.x)));
    out << "\n";
    for (unsigned int p = 0; p < model.pairs.size(); ++p)
      if (model.pairs[p].interaction == k)
        out << fmt::format("    {} against {}: {}\n",
                           model.pairs[p].candidate,
                           model.pairs[p].antagonist,
                           of_pair[p]);
    if (count == 0)
      out << fmt::format(
          "  note: no candidate of '{}' is near an antagonist at "
          "the start; they have to move first\n",
          interaction.name);
  }
  constexpr unsigned int most = 50;
  if (!overlaps.empty())
    out << fmt::format(
        "  warning: {} (depth in sizes of the face):\n",
        counted(overlaps.size(),
                "candidate starts inside what it should touch",
                "candidates start inside what they should touch"));
  for (unsigned int i = 0; i < overlaps.size() && i < most; ++i)
    out << fmt::format("    {:.3g}  {}\n", overlaps[i].depth, overlaps[i].text);

  // Pieces that nothing holds: no driven dof, no spring and no contact at the
  // start.
  std::vector<bool> touched(surfaces.n_pieces(), false);
  for (const auto &c : table.contacts)
    for (unsigned int i = 0; i < c.n_entries; ++i)
      touched[surfaces.nodes[c.nodes[i]].piece] = true;
  unsigned int n_loose = 0, n_movable = 0, n_modes = 0;
  Point<dim> first_loose, first_movable;
  const auto count_piece = [&](const unsigned int piece,
                               const unsigned int modes,
                               const Point<dim> &centre)
  {
    if (modes == 0)
      return;
    n_modes += modes;
    if (n_movable++ == 0)
      first_movable = centre;
    if (!touched[piece] && n_loose++ == 0)
      first_loose = centre;
  };
  for (unsigned int b = 0; b < model.bodies.size(); ++b)
    for (unsigned int p = 0; p < model.bodies[b]->pieces.size(); ++p)
    {
      const auto &piece = model.bodies[b]->pieces[p];
      count_piece(surfaces.first_piece[b] + p,
                  n_free_rigid_modes(*model.bodies[b], *model.driven[b], piece),
                  piece.centroid);
    }
  for (unsigned int s = 0; s < model.systems.size(); ++s)
    if constexpr (dim == 3)
      if (const auto *sheet =
              dynamic_cast<const ShellSystem *>(model.systems[s]))
        for (unsigned int p = 0; p < sheet->n_pieces(); ++p)
          count_piece(surfaces.first_piece[s] + p,
                      sheet->piece(p).n_free_motions(),
                      sheet->skin().piece_centre(p));
  for (unsigned int b = 0; model.rigid && b < model.rigid->n_bodies(); ++b)
    count_piece(surfaces.first_piece[model.systems.size() - 1] + b,
                n_motions_without_spring(model.rigid->body(b).settings),
                model.rigid->body(b).settings.reference);
  out << fmt::format(
      "  rigid motions: {} of {} with {} in all that no boundary "
      "condition holds",
      n_movable,
      counted(surfaces.n_pieces(), "piece"),
      n_modes);
  if (n_movable > 0)
    out << fmt::format(" (contact and {} must), the first at {}",
                       time.scheme == TimeScheme::quasi_static
                           ? "a fictitious mass"
                           : "inertia",
                       text_of(first_movable));
  if (n_loose > 0)
    out << fmt::format(
        "; {} of these touch nothing at the start, the first at {}",
        n_loose,
        text_of(first_loose));
  double factor_bytes = 0.;
  for (const auto *system : model.systems)
    factor_bytes += system->factor_memory();
  Utilities::System::MemoryStats memory;
  Utilities::System::get_memory_stats(memory);
  out << fmt::format("\n  memory: factors {}, W ({}) {}, in all {} so far\n",
                     bytes_of(factor_bytes),
                     contact.delassus.storage_name,
                     bytes_of(contact.delassus.bytes),
                     bytes_of(1024. * memory.VmHWM));
  if (write)
    out << fmt::format(
        "  set-up written to {}/setup.vtu and setup_surfaces.vtu\n", directory);
  else
    out << fmt::format("  note: a run is on in '{}' ({}): no set-up is written "
                       "there\n",
                       directory,
                       holder);
  if (write && !files_of_run(directory).empty())
    out << fmt::format("  note: '{}' has files of an earlier run: 'run' needs "
                       "--overwrite, --resume or another --output\n",
                       directory);
  // What a run would refuse, now that all is told.
  out << std::flush;
  judge_overlaps(overlaps);
}

template void Simulation<2>::check(std::ostream &);
template void Simulation<3>::check(std::ostream &);
} // namespace delassus

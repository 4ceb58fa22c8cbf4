#include <delassus/simulation/result_files.h>
#include <delassus/output/contact_traction.h>
#include <delassus/output/obstacle_output.h>
#include <delassus/output/vtu_pieces.h>
#include <delassus/shell_systems/building/sheet_mesh.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>

namespace delassus
{
using namespace dealii;

template <int dim>
ResultFiles<dim>::ResultFiles(const Model<dim> &model,
                              const ContactPhase<dim> &contact)
    : model(model)
    , contact(contact)
    , root(Utilities::MPI::this_mpi_process(model.communicator) == 0)
    , directory(model.parameters.output.directory)
{
  find_box();
}

template <int dim>
void ResultFiles<dim>::find_box()
{
  Point<dim> low, high;
  bool any           = false;
  const auto include = [&](const Point<dim> &x, const double radius)
  {
    for (unsigned int c = 0; c < dim; ++c)
    {
      low[c]  = any ? std::min(low[c], x[c] - radius) : x[c] - radius;
      high[c] = any ? std::max(high[c], x[c] + radius) : x[c] + radius;
    }
    any = true;
  };
  for (const auto &body : model.bodies)
    for (const auto &x : body->nodes)
      include(x, 0.);
  if constexpr (dim == 3)
    for (const auto &sheet : model.sheets)
      for (const auto &x : sheet->mesh.nodes)
        include({ x[0], x[1], x[2] }, 0.);
  if (!any) // rigid bodies alone
    for (const auto &point : model.surfaces->points)
      include(model.surfaces->position(point, model.surfaces->reference),
              point.radius);
  if (any)
    bodies_box = BoundingBox<dim>({ low, high });
}

template <int dim>
void ResultFiles<dim>::open(const bool resumed)
{
  solutions = std::make_unique<PvdSeries>(directory + "/solution.pvd");
  contacts  = std::make_unique<PvdSeries>(directory + "/contact.pvd");
  blocks    = std::make_unique<PvdSeries>(directory + "/blocks.pvd");
  if (!model.obstacles.empty())
    obstacles = std::make_unique<PvdSeries>(directory + "/obstacles.pvd");
  if (!resumed)
    return;
  solutions->restore(entries[0]);
  contacts->restore(entries[1]);
  blocks->restore(entries[2]);
  if (obstacles)
    obstacles->restore(entries[3]);
}

template <int dim>
void ResultFiles<dim>::remove_leftovers(const unsigned int step) const
{
  namespace fs = std::filesystem;
  std::set<std::string> known;
  for (const auto &series : entries)
    for (const auto &entry : series)
      known.insert(fs::path(entry.second).filename().string());
  const std::regex unfinished(R"((.*\.part\d*|\.writable\d+.*))");
  const std::regex result(R"((solution|contact|blocks|obstacles)_(\d+)\.vtu)");
  for (const auto &folder :
       { fs::path(directory), fs::path(directory) / "vtu" })
  {
    std::vector<fs::path> unwanted;
    for (const auto &file : fs::directory_iterator(folder))
    {
      const std::string name = file.path().filename().string();
      std::smatch match;
      if (std::regex_match(name, unfinished) ||
          (std::regex_match(name, match, result) && known.count(name) == 0 &&
           std::stoul(match[2]) >= step))
        unwanted.push_back(file.path());
    }
    for (const auto &file : unwanted)
      fs::remove(file);
  }
}

template <int dim>
void ResultFiles<dim>::resume_at(const double t)
{
  // The interval may have changed: the next multiple of it after t.
  const auto &output = model.parameters.output;
  if (output.interval <= 0.)
    return;
  next_output = model.run_start();
  while (next_output <= t + 1e-6 * model.parameters.time.step)
    next_output += output.interval;
}

template <int dim>
bool ResultFiles<dim>::is_due(const unsigned int step,
                              const double t,
                              const double h) const
{
  const auto &output = model.parameters.output;
  if (output.interval_steps > 0 && step % output.interval_steps == 0)
    return true;
  return output.interval > 0. && t >= next_output - 1e-6 * h;
}

template <int dim>
ContactFields<dim> ResultFiles<dim>::fields_of(const ContactSet<dim> &table,
                                               const double h,
                                               const bool solved) const
{
  ContactFields<dim> fields = { model.surfaces.get(),
                                &table.contacts,
                                &table.P,
                                &table.U,
                                &table.gaps_end,
                                &positions,
                                &table.status,
                                h,
                                contact.result.converged && solved };
  add_law_fields(table, fields);
  return fields;
}

template <int dim>
void ResultFiles<dim>::add_law_fields(const ContactSet<dim> &table,
                                      ContactFields<dim> &fields) const
{
  // By name, in the order of the laws; zero for contacts of other laws.
  std::map<std::string, std::size_t> number;
  std::vector<std::vector<LawField<dim>>> of_law;
  for (const auto &law : model.laws)
  {
    of_law.push_back(law->fields());
    for (const auto &field : of_law.back())
      if (number.insert({ field.name, fields.of_laws.size() }).second)
        fields.of_laws.push_back(
            { field.name,
              field.is_vector,
              std::vector<double>(
                  (field.is_vector ? dim : 1) * table.contacts.size(), 0.) });
  }
  const std::size_t n = table.contacts.size();
  if (fields.of_laws.empty() || table.states.n_contacts() != n ||
      table.U.size() != dim * n || table.gaps_end.size() != n)
    return;
  for (std::size_t a = 0; a < n; ++a)
    for (const auto &field : of_law[table.contacts[a].interaction])
    {
      ContactSolution<dim> solution;
      for (unsigned int c = 0; c < dim; ++c)
      {
        solution.U[c] = table.U[dim * a + c];
        solution.P[c] = table.P[dim * a + c];
      }
      solution.status = table.status[a];
      solution.gap    = table.gaps_end[a];
      auto &values    = fields.of_laws[number[field.name]].values;
      std::array<double, dim> value{};
      field.evaluate(solution, table.states.end(a), value.data());
      if (!field.is_vector)
        values[a] = value[0];
      else
      {
        const auto global = table.contacts[a].to_global(value.data());
        for (unsigned int c = 0; c < dim; ++c)
          values[dim * a + c] = global[c];
      }
    }
}

template <int dim>
std::vector<typename ResultFiles<dim>::NodeTractions>
ResultFiles<dim>::tractions_of(const std::vector<PiecePlace<dim>> &places,
                               const ContactFields<dim> &contacts) const
{
  // Rank 0 has the contacts.
  const auto &nodes = model.surfaces->nodes;
  std::vector<double> values((dim + 1) * nodes.size());
  if (root)
    values = contact_tractions(places, contacts);
  if (Utilities::MPI::n_mpi_processes(model.communicator) > 1)
    Utilities::MPI::broadcast(
        values.data(), values.size(), 0, model.communicator);
  std::vector<NodeTractions> result(model.systems.size());
  for (unsigned int n = 0; n < nodes.size(); ++n)
  {
    std::array<double, dim + 1> here;
    std::copy_n(&values[(dim + 1) * n], dim + 1, here.begin());
    if (here != std::array<double, dim + 1>{})
      result[nodes[n].system][nodes[n].carrier] = here;
  }
  return result;
}

template <int dim>
typename ResultFiles<dim>::Shown ResultFiles<dim>::find_shown() const
{
  Shown shown;
  for (unsigned int b = 0; b < model.bodies.size(); ++b)
    shown.solids.push_back({ model.bodies[b].get(),
                             &model.schemes[b]->q,
                             &model.schemes[b]->v,
                             nullptr,
                             model.schemes[b]->internal_forces() });
  shown.places = places_of_pieces(shown.solids, model.communicator);
  if constexpr (dim == 3)
  {
    for (unsigned int s = model.bodies.size(); s < model.systems.size(); ++s)
    {
      const auto *sheet = dynamic_cast<const ShellSystem *>(model.systems[s]);
      if (sheet == nullptr)
        continue;
      shown.sheets.push_back({ sheet,
                               static_cast<unsigned int>(model.bodies.size() +
                                                         shown.sheets.size()),
                               nullptr });
      shown.systems.push_back(s);
    }
    // Pieces of other kinds between them would be taken for these.
    if (!shown.systems.empty() && shown.systems[0] == model.bodies.size())
    {
      const auto places = places_of_sheets(shown.sheets, model.communicator);
      shown.places.insert(shown.places.end(), places.begin(), places.end());
    }
  }
  return shown;
}

template <int dim>
bool ResultFiles<dim>::write(const unsigned int step,
                             const double t,
                             const double h,
                             const bool solved,
                             Stresses &stresses)
{
  if (has_written(step))
    return false;
  last_written       = step;
  const auto &output = model.parameters.output;
  while (output.interval > 0. && next_output <= t + 1e-6 * h)
    next_output += output.interval;

  contact.places.gather(CarrierField::displacement, positions);
  for (std::size_t i = 0; i < positions.size(); ++i)
    positions[i] += model.surfaces->reference[i];
  auto table = contact.gathered();
  // After a step that failed some are not known.
  if (root)
  {
    table.P.resize(dim * table.contacts.size());
    table.U.resize(dim * table.contacts.size());
    table.gaps_end.resize(table.contacts.size());
  }
  auto shown           = find_shown();
  const auto &places   = shown.places;
  const auto tractions = tractions_of(places, fields_of(table, h, solved));
  auto moments         = moment_stresses(places, fields_of(table, h, solved));
  MPI_Bcast(moments.data(),
            moments.size() * sizeof(Voigt),
            MPI_BYTE,
            0,
            model.communicator);
  const auto &first = model.surfaces->first_piece;
  std::vector<std::vector<Voigt>> moments_of;
  for (unsigned int s = 0; s < model.systems.size(); ++s)
    moments_of.emplace_back(moments.begin() + first[s],
                            moments.begin() + first[s + 1]);
  const bool with_contact = !model.interactions.empty();
  for (unsigned int b = 0; b < model.bodies.size(); ++b)
  {
    shown.solids[b].moment_stress = &moments_of[b];
    shown.solids[b].contact       = with_contact ? &tractions[b] : nullptr;
  }
  stresses.extrema = StressExtrema();
  std::vector<VtuPiece> pieces;
  pieces.push_back(solid_piece(shown.solids));
  if constexpr (dim == 3)
    if (!shown.sheets.empty())
    {
      for (unsigned int s = 0; s < shown.sheets.size(); ++s)
      {
        const unsigned int system     = shown.systems[s];
        shown.sheets[s].moment_stress = &moments_of[system];
        shown.sheets[s].contact = with_contact ? &tractions[system] : nullptr;
      }
      pieces.push_back(
          sheet_piece(shown.sheets, h, output.shell_layers, stresses.extrema));
      if (model.bodies.empty())
        pieces.erase(pieces.begin());
    }
  const std::string name = fmt::format("vtu/solution_{:06d}.vtu", step);
  write_pieces(directory + "/" + name,
               std::move(pieces),
               model.communicator,
               model.stage.name());
  stresses.extrema =
      stress_extrema(shown.solids, model.communicator, stresses.extrema);
  if (!root)
    return true;
  solutions->add(t, name);
  if (output.contact_points)
  {
    const std::string contact_name =
        fmt::format("vtu/contact_{:06d}.vtu", step);
    write_contacts(directory + "/" + contact_name,
                   fields_of(table, h, solved),
                   model.stage.name());
    contacts->add(t, contact_name);
    const std::string block_name = fmt::format("vtu/blocks_{:06d}.vtu", step);
    write_blocks(
        directory + "/" + block_name, places, moments, model.stage.name());
    blocks->add(t, block_name);
  }

  if (obstacles)
  {
    const std::string obstacle_name =
        fmt::format("vtu/obstacles_{:06d}.vtu", step);
    write_obstacles(directory + "/" + obstacle_name,
                    model.obstacles,
                    bodies_box,
                    t,
                    model.stage.name());
    obstacles->add(t, obstacle_name);
  }
  for (const Voigt &moment : moments)
  {
    const auto principal    = eigenvalues(stress_tensor<dim>(moment));
    stresses.largest_moment = std::max(stresses.largest_moment, principal[0]);
    stresses.smallest_moment =
        std::min(stresses.smallest_moment, principal[dim - 1]);
  }
  return true;
}

template <int dim>
void ResultFiles<dim>::archive(Archive &archive)
{
  if (archive.saving())
    entries = { { solutions->entries(),
                  contacts->entries(),
                  blocks->entries(),
                  obstacles ? obstacles->entries() : PvdSeries::Entries() } };
  archive("solution series", entries[0]);
  archive("contact series", entries[1]);
  archive("block series", entries[2]);
  archive("obstacle series", entries[3]);
  archive("last written", last_written);
  archive("next output", next_output);
}

template class ResultFiles<2>;
template class ResultFiles<3>;
} // namespace delassus

#include <delassus/simulation/zone_forecast.h>
#include <delassus/systems/find_surfaces.h>
#include <delassus/base/exceptions.h>
#include <delassus/bodies/rigid_modes.h>
#include <delassus/simulation/overlaps.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace delassus
{
using namespace dealii;

namespace
{
/// Times that are looked at, fewer of many points.
constexpr unsigned int most_times = 40, fewest_times = 5;
constexpr std::size_t most_looks = 4000000;

/// Driven dofs of a piece and a direction that are compared.
constexpr unsigned int most_samples = 100;

/// Depths below this share of a face are rounding.
constexpr double rounding = 1e-6;

/// Motions that differ by less than this share of them are the same.
constexpr double same_motion = 1e-6;

/// Whether a name is one of solids, not of sheets alone.
template <int dim>
bool is_of_solids(const Model<dim> &model, const std::string &text)
{
  for (const auto &body : model.bodies)
  {
    const auto names = body->surface_names();
    if (text == "*" || text == body->name() ||
        text.rfind(body->name() + "/", 0) == 0 ||
        std::find(names.begin(), names.end(), text) != names.end())
      return true;
  }
  return false;
}
} // namespace

template <int dim>
ZoneForecast<dim>::ZoneForecast(const Model<dim> &model)
    : model(model)
    , is_loaded(model.bodies.size(), false)
{
  for (const auto &condition : model.parameters.boundary_conditions)
    if (condition.type == BoundaryConditionType::pressure ||
        condition.type == BoundaryConditionType::traction)
      for (const auto &text : condition.surfaces)
        if (is_of_solids(model, text))
          for (const auto &surface :
               find_surfaces(skins_of<dim>(model.bodies), text, ""))
            is_loaded[surface.body] = true;
}

template <int dim>
unsigned int ZoneForecast<dim>::body_of(const unsigned int piece) const
{
  const auto &first = model.surfaces->first_piece;
  return std::upper_bound(first.begin(), first.end(), piece) - first.begin() -
         1;
}

template <int dim>
bool ZoneForecast<dim>::is_held(const unsigned int piece,
                                Samples &samples) const
{
  const unsigned int b = body_of(piece);
  if (b >= model.bodies.size()) // rigid: no zone of its own
    return false;
  const unsigned int number = piece - model.surfaces->first_piece[b];
  const auto &body          = *model.bodies[b];
  const auto &driven        = *model.driven[b];
  if (is_loaded[b] || n_free_rigid_modes(body, driven, body.pieces[number]) > 0)
    return false;
  Samples all;
  for (const unsigned int dof : driven.all())
    if (body.node_piece[dof / dim] == number)
      all[dof % dim].push_back(dof);
  for (unsigned int c = 0; c < dim; ++c)
  {
    samples[c].clear();
    const std::size_t stride = 1 + all[c].size() / most_samples;
    for (std::size_t i = 0; i < all[c].size(); i += stride)
      samples[c].push_back(all[c][i]);
  }
  return true;
}

template <int dim>
bool ZoneForecast<dim>::translation(const unsigned int body,
                                    const Samples &samples,
                                    const double t,
                                    Tensor<1, dim> &u) const
{
  for (unsigned int c = 0; c < dim; ++c)
  {
    // None: radii, which no rigid motion changes.
    double low = 0., high = 0.;
    for (unsigned int i = 0; i < samples[c].size(); ++i)
    {
      const double value = model.driven[body]->displacement(samples[c][i], t);
      low                = i == 0 ? value : std::min(low, value);
      high               = i == 0 ? value : std::max(high, value);
    }
    if (high - low > same_motion * std::max(std::abs(low), std::abs(high)))
      return false;
    u[c] = 0.5 * (low + high);
  }
  return true;
}

template <int dim>
std::string ZoneForecast<dim>::look(const Group &group,
                                    const unsigned int o,
                                    const Samples &samples) const
{
  const auto &surfaces       = *model.surfaces;
  const auto &obstacle       = model.obstacles[o];
  const auto &interaction    = model.interactions[group.interaction];
  const auto &time           = model.parameters.time;
  const unsigned int body    = body_of(group.piece);
  const unsigned int n_times = std::max<std::size_t>(
      fewest_times,
      std::min<std::size_t>(most_times, most_looks / group.points.size()));
  // When most points are inside, and how deep.
  std::vector<unsigned int> inside, most;
  std::vector<Point<dim>> x;
  for (const unsigned int p : group.points)
    x.push_back(surfaces.position(surfaces.points[p], surfaces.reference));
  double depth_at_start = 0., depth = 0., t_most = time.start_time;
  unsigned int deepest = 0;
  for (unsigned int i = 0; i <= n_times; ++i)
  {
    const double t =
        time.start_time + (time.end_time - time.start_time) * i / n_times;
    Tensor<1, dim> u;
    if (!translation(body, samples, t, u))
      return "";
    inside.clear();
    double here              = 0.;
    unsigned int deepest_now = 0;
    for (unsigned int k = 0; k < x.size(); ++k)
    {
      const double d = -obstacle.distance(x[k] + u, t);
      if (d > rounding * surfaces.points[group.points[k]].size)
        inside.push_back(group.points[k]);
      if (d > here)
      {
        here        = d;
        deepest_now = group.points[k];
      }
    }
    if (i == 0)
      depth_at_start = here;
    if (inside.size() > most.size() ||
        (inside.size() == most.size() && here > depth))
    {
      most    = inside;
      depth   = here;
      deepest = deepest_now;
      t_most  = t;
    }
  }
  // What is inside from the start is another trouble, and what does not come
  // nearer is touched by what else happens.
  if (most.empty() || depth < 2. * depth_at_start)
    return "";

  // The side of the piece that goes in.
  const auto normal_of = [&](const unsigned int p)
  { return surfaces.point_normal(surfaces.points[p], surfaces.reference); };
  const Tensor<1, dim> normal = normal_of(deepest);
  std::vector<Tensor<1, dim>> normals;
  for (const unsigned int p : group.points)
    if (normal_of(p) * normal > same_side)
      normals.push_back(normal_of(p));
  if (obstacle.shape->is_plane() && are_parallel<dim>(normals))
    return "";
  most.erase(std::remove_if(most.begin(),
                            most.end(),
                            [&](const unsigned int p)
                            { return normal_of(p) * normal <= same_side; }),
             most.end());
  const auto zone = measure_zone(surfaces, interaction, most);
  if (zone.across == 0.)
    return "";
  Contact<dim> contact;
  contact.interaction = group.interaction;
  contact.point       = deepest;
  contact.obstacle    = static_cast<int>(o);
  const auto &pair    = model.pairs[model.pair_of(contact)];
  return fmt::format(
      "{}: the contact zone of '{}' on '{}' will be too coarse: the motions "
      "that are prescribed bring at most {:.1f} points across it together, {} "
      "of {} points around {} at t = {:.6g}. Forces and pressures there will "
      "be those of the mesh: refine it, by a factor of {:.1f} or more, to "
      "about 5 active points across.",
      model.parameters.where("Interaction " + interaction.name, "Candidates"),
      pair.candidate,
      pair.antagonist,
      zone.across,
      zone.n_closed,
      zone.n_around,
      text_of(zone.place),
      t_most,
      5. / zone.across);
}

template <int dim>
std::vector<std::string> ZoneForecast<dim>::warnings() const
{
  std::vector<std::string> result;
  const auto &surfaces = *model.surfaces;
  for (unsigned int k = 0; k < model.interactions.size(); ++k)
  {
    const auto &interaction = model.interactions[k];
    std::map<unsigned int, std::vector<unsigned int>> points;
    if (!interaction.obstacles.empty())
      for (unsigned int p = interaction.first_point;
           p < std::min(interaction.end_point, interaction.second_pass);
           ++p)
        points[surfaces.points[p].piece].push_back(p);
    // Many pieces against one obstacle: the first that is too coarse will do.
    std::vector<bool> told(model.obstacles.size(), false);
    for (auto &[piece, of_piece] : points)
    {
      Samples samples;
      if (!is_held(piece, samples))
        continue;
      const Group group = { k, piece, of_piece };
      for (const unsigned int o : interaction.obstacles)
      {
        if (told[o] || model.obstacles[o].is_body() ||
            model.obstacles[o].shape->is_open())
          continue;
        try
        {
          const std::string message = look(group, o, samples);
          if (!message.empty())
            result.push_back(message);
          told[o] = !message.empty();
        }
        catch (const InputError &)
        {
          // An expression has no value at a time that no step asks for.
        }
      }
    }
  }
  return result;
}

template class ZoneForecast<2>;
template class ZoneForecast<3>;
} // namespace delassus

// Rigid bodies of a model: what sections 'Rigid body NAME' say, and obstacles
// with free components.
#include <delassus/base/exceptions.h>
#include <delassus/rigid_bodies/make_rigid_body.h>
#include <delassus/simulation/model.h>
#include <delassus/time_integration/fictitious_mass.h>

#include <fmt/format.h>

#include <algorithm>

namespace delassus
{
using namespace dealii;

namespace
{
/// Quasi-statically: whether springs and dashpots resist all that is free.
template <int dim>
bool is_held_by_springs(const RigidBodySettings<dim> &body)
{
  for (unsigned int c = 0; c < dim; ++c)
    if (body.free_translations[c] && !(body.stiffness[c] + body.damping[c] > 0))
      return false;
  return body.free_axes.empty() ||
         body.rotational_stiffness + body.rotational_damping > 0.;
}
} // namespace

template <int dim>
void Model<dim>::make_rigid_bodies()
{
  // A length for moments where no inertia gives one: half of the solids.
  Point<dim> low, high;
  bool first = true;
  for (const auto &body : bodies)
    for (const auto &x : body->nodes)
    {
      for (unsigned int c = 0; c < dim; ++c)
      {
        low[c]  = first ? x[c] : std::min(low[c], x[c]);
        high[c] = first ? x[c] : std::max(high[c], x[c]);
      }
      first = false;
    }
  const double half_size = 0.5 * low.distance(high);

  // Functions of time are those of the whole run.
  const TimeParameters &begin =
      stage.stages.empty() ? parameters.time : stage.stages.front().time;
  const bool ever_dynamic =
      parameters.time.scheme == TimeScheme::dynamic ||
      std::any_of(stage.stages.begin(),
                  stage.stages.end(),
                  [](const StageParameters &part)
                  { return part.time.scheme == TimeScheme::dynamic; });
  std::vector<typename RigidSystem<dim>::Given> given;
  const auto add = [&](const RigidBodySettings<dim> &settings,
                       const double thickness,
                       const bool may_be_candidate)
  {
    const auto &shape = obstacles.back().shape;
    auto of_body      = settings;
    BoundingBox<dim> box;
    const bool has_end = shape->bounding_box(box);
    if (!(trace(settings.mass.inertia) > 0.) || !(settings.mass.mass > 0.))
    {
      const auto &corners = box.get_boundary_points();
      of_body.length      = half_size > 0. ? half_size
                            : has_end ? 0.5 * corners.first.distance(corners.second)
                                      : 0.;
    }
    obstacle_body.back() = given.size();
    given.push_back({ of_body, shape, thickness, may_be_candidate && has_end });
  };
  for (const auto &p : parameters.obstacles)
  {
    const auto where = [&](const std::string &entry)
    { return parameters.where("Obstacle " + p.name, entry); };
    ObstacleParameters own = p;
    if (!p.free.empty())
      own.displacement = own.velocity = own.rotation = "";
    obstacles.emplace_back(own, where);
    obstacle_body.push_back(-1);
    if (!p.free.empty())
      add(make_free_obstacle<dim>(p, parameters, begin), 1., false);
  }
  for (const auto &p : parameters.rigid_bodies)
  {
    const auto where = [&](const std::string &entry)
    { return parameters.where("Rigid body " + p.name, entry); };
    for (const auto *skin : skins_of_solids())
      for (const auto &name : skin->surface_names())
        if (name == p.name)
          throw InputError(fmt::format(
              "{}: contradictory settings: body '{}' has a surface of this "
              "name; allowed: another name.",
              where("Type"),
              skin->name()));
    ObstacleParameters shape;
    static_cast<ShapeParameters &>(shape) = p.shape;
    shape.name                            = p.name;
    obstacles.emplace_back(shape, where);
    obstacle_body.push_back(-1);
    auto settings = make_rigid_body<dim>(
        p, parameters, *obstacles.back().shape, begin, ever_dynamic);
    // What this stage has no use for stands still.
    if (stage.parameters() && stage.parameters()->shapes.count(p.name) == 0)
    {
      for (unsigned int c = 0; c < dim; ++c)
        settings.stays[c] = settings.stays[c] || settings.free_translations[c];
      settings.free_translations.fill(false);
      settings.free_axes.clear();
    }
    add(settings, p.thickness, true);
    mass += settings.mass.mass;
  }
  if (given.empty())
    return;
  rigid = std::make_unique<RigidSystem<dim>>(given,
                                             parameters.time.scheme ==
                                                 TimeScheme::quasi_static,
                                             parameters.time.fictitious_mass,
                                             memory,
                                             communicator);
  systems.push_back(rigid.get());
  nonlinear = nonlinear || !rigid->is_linear();
}

template <int dim>
std::vector<const Skin<dim> *> Model<dim>::skins_of_solids() const
{
  return skins_of<dim>(bodies);
}

template <int dim>
void Model<dim>::place_rigid_bodies()
{
  if (!rigid)
    return;
  const unsigned int system = systems.size() - 1;
  for (unsigned int o = 0; o < obstacles.size(); ++o)
  {
    if (obstacle_body[o] < 0)
      continue;
    const unsigned int b = obstacle_body[o];
    const auto &body     = rigid->body(b);
    const auto start     = RigidBody<dim>::Configuration::start;
    surfaces->add_frame(system, b);
    obstacles[o].make_body({ surfaces->first_piece[system] + b,
                             body.is_free(),
                             body.turns(),
                             body.settings.reference });
    obstacles[o].set_places({ { parameters.time.start_time,
                                body.position(start),
                                body.rotation(start).matrix() } });
  }
}

template <int dim>
void Model<dim>::hold_rigid_bodies()
{
  if (!rigid || parameters.time.scheme != TimeScheme::quasi_static)
    return;
  // As for the stiffest piece that may touch a body, if only contact held that;
  // of moments on an arm of half the size of what it may touch.
  const unsigned int system = systems.size() - 1;
  const unsigned int first  = surfaces->first_piece[system];
  std::vector<double> stiffness(rigid->n_bodies(), 0.),
      arm(rigid->n_bodies(), 0.);
  std::vector<bool> alone(rigid->n_bodies(), false);
  for (unsigned int b = 0; b < rigid->n_bodies(); ++b)
  {
    Point<dim> low, high;
    std::vector<bool> touches(systems.size(), false);
    bool any = false;
    for (const auto &interaction : interactions)
    {
      const auto is_of_body = [&](const unsigned int o)
      { return obstacle_body[o] == int(b); };
      bool there = std::any_of(interaction.obstacles.begin(),
                               interaction.obstacles.end(),
                               is_of_body);
      for (unsigned int p = interaction.first_point;
           p < interaction.end_point && !there;
           ++p)
        there = surfaces->points[p].piece == first + b;
      if (!there)
        continue;
      for (const auto *faces :
           { &interaction.candidate_faces, &interaction.faces })
        for (const unsigned int f : *faces)
        {
          const unsigned int node               = surfaces->faces[f].nodes[0];
          touches[surfaces->nodes[node].system] = true;
          for (unsigned int c = 0; c < dim; ++c)
          {
            const double x = surfaces->reference[dim * node + c];
            low[c]         = any ? std::min(low[c], x) : x;
            high[c]        = any ? std::max(high[c], x) : x;
          }
          any = true;
        }
      // Balls and shapes alone.
      touches[system] = true;
    }
    // Then no other force is needed, and nothing fictitious.
    alone[b] =
        !touches[system] && is_held_by_springs<dim>(rigid->body(b).settings);
    if (!touches[system] && !alone[b])
    {
      const bool is_section =
          b >= rigid->n_bodies() - parameters.rigid_bodies.size();
      throw InputError(fmt::format(
          "{}: no interaction has this {} among its antagonists{}, and "
          "{} not resist all that is free: quasi-statically nothing can hold "
          "it.",
          parameters.where((is_section ? "Rigid body " : "Obstacle ") +
                               rigid->body(b).settings.name,
                           "Free"),
          is_section ? "rigid body" : "tool",
          is_section ? " or candidates" : "",
          is_section ? "springs (Stiffness, Rotational stiffness) do"
                     : "dashpots (Damping, Rotational damping) do"));
    }
    for (unsigned int s = 0; s < bodies.size(); ++s)
    {
      if (!touches[s])
        continue;
      const auto factors =
          choose_fictitious_mass(*bodies[s],
                                 *driven[s],
                                 *classes[s],
                                 parameters.time.fictitious_mass,
                                 /* also_held */ true);
      const double density = bodies[s]->material_parameters().density;
      for (unsigned int p = 0; p < bodies[s]->pieces.size(); ++p)
        stiffness[b] = std::max(stiffness[b],
                                factors[classes[s]->class_of_piece[p]] *
                                    density * bodies[s]->pieces[p].volume);
    }
    // Other kinds of bodies say it themselves.
    for (unsigned int s = bodies.size(); s < system; ++s)
      for (unsigned int p = 0; p < skins[s]->n_pieces() && touches[s]; ++p)
        stiffness[b] = std::max(stiffness[b],
                                parameters.time.fictitious_mass *
                                    systems[s]->piece_stiffness(p));
    stiffness[b] = Utilities::MPI::max(stiffness[b], communicator);
    arm[b]       = any ? 0.5 * low.distance(high) : rigid->body(b).length();
  }
  // Those that only rigid bodies touch: as the others, or as their mass.
  const double largest =
      stiffness.empty() ? 0.
                        : *std::max_element(stiffness.begin(), stiffness.end());
  for (unsigned int b = 0; b < rigid->n_bodies(); ++b)
  {
    double k = stiffness[b] > 0. ? stiffness[b] : largest;
    if (!(k > 0.))
      k = rigid->body(b).settings.mass.mass /
          (parameters.time.step * parameters.time.step);
    // Contact resists a rigid body with all of the stiffness, its own is no
    // part of the chain: less than that keeps the loop short.
    k *= 0.1;
    if (k > 0. && !alone[b])
      rigid->set_fictitious(b, k, k * arm[b] * arm[b]);
  }
}

#define INSTANTIATE(dim)                                                       \
  template void Model<dim>::make_rigid_bodies();                               \
  template std::vector<const Skin<dim> *> Model<dim>::skins_of_solids() const; \
  template void Model<dim>::place_rigid_bodies();                              \
  template void Model<dim>::hold_rigid_bodies()
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus

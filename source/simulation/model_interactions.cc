// Candidates, antagonists and laws of a model.
#include <delassus/simulation/model.h>
#include <delassus/simulation/folding_faces.h>
#include <delassus/base/exceptions.h>
#include <delassus/contact/kinematics/surface_sides.h>
#include <delassus/contact/laws/thickness_compliance.h>
#include <delassus/parameters/formula.h>
#include <delassus/systems/find_surfaces.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace delassus
{
namespace
{
/// What evaluates the expression of a law's friction; nothing without one.
/// @p where begins the error of a value that is no coefficient of friction.
template <int dim>
Friction::Function friction_function(const std::string &expression,
                                     const std::string &where)
{
  if (expression.empty())
    return {};
  const char *variables = dim == 2 ? "x,y,t,v,p" : "x,y,z,t,v,p";
  const auto formula = std::make_shared<const Formula>(expression, variables);
  return [=, values = std::vector<double>(dim + 3)](
             const FrictionState &state) mutable
  {
    std::copy_n(state.position.begin(), dim, values.begin());
    values[dim]     = state.time;
    values[dim + 1] = state.speed;
    values[dim + 2] = state.pressure;
    std::string wrong;
    try
    {
      const double mu = formula->value(values);
      if (mu >= 0. && std::isfinite(mu))
        return mu;
      wrong = std::isnan(mu) ? "is not a number" : fmt::format("is {:.6g}", mu);
    }
    catch (const InputError &e)
    {
      wrong = fmt::format("cannot be evaluated ({})", e.what());
    }
    const std::string at = values_of_variables(expression, variables, values);
    throw InputError(
        fmt::format("{}: the expression '{}' {}{}{}; allowed: finite numbers "
                    "greater than or equal to 0.",
                    where,
                    expression,
                    wrong,
                    at.empty() ? "" : " at ",
                    at));
  };
}

/// Sheets have two sides, by name.
template <int dim>
bool is_sheet(const Skin<dim> &skin)
{
  return skin.has_points() && !skin.is_rigid();
}

const char *name_of(const SheetSide side)
{
  return side == SheetSide::outer ? "outer" : "inner";
}

bool is_whole(const std::string &surface)
{
  return surface.empty() || surface == "*";
}

/// Laws of a gap, to which a compliance can be added. (The others hold
/// velocities.)
bool has_gap(const ContactLawType type)
{
  return type == ContactLawType::gap_signorini_coulomb ||
         type == ContactLawType::frictionless ||
         type == ContactLawType::tresca ||
         type == ContactLawType::elastic_joint ||
         type == ContactLawType::cohesive;
}

/// Whether faces beside the candidates may fold onto the antagonists: nodes
/// against tools.
bool may_fold(const InteractionParameters &interaction,
              const std::vector<std::string> &obstacles)
{
  return interaction.formulation == ContactFormulation::points &&
         (interaction.points == CandidatePoints::nodes ||
          interaction.points == CandidatePoints::automatic) &&
         std::all_of(interaction.antagonists.begin(),
                     interaction.antagonists.end(),
                     [&](const std::string &name)
                     {
                       return std::find(obstacles.begin(),
                                        obstacles.end(),
                                        name) != obstacles.end();
                     });
}

/// What the contact points of an interaction are; automatic ones are
/// mid-points on so many blocks, and nodes on so many other pieces.
std::string kind_of_points(const InteractionParameters &interaction,
                           const unsigned int n_blocks,
                           const unsigned int n_others)
{
  if (interaction.formulation == ContactFormulation::mortar)
    return "mortar rows";
  switch (interaction.points)
  {
    case CandidatePoints::nodes:
      return "nodes";
    case CandidatePoints::midpoints:
      return "mid-points";
    case CandidatePoints::gauss:
      return "Gauss points";
    case CandidatePoints::positions:
      return "given positions";
    case CandidatePoints::automatic:
      break;
  }
  return n_blocks == 0 ? "nodes"
         : n_others == 0
             ? "mid-points, of blocks"
             : fmt::format("mid-points of {} blocks, nodes of {} other pieces",
                           n_blocks,
                           n_others);
}
} // namespace

template <int dim>
std::vector<unsigned int>
Model<dim>::faces_of(const std::string &text,
                     const std::string &where,
                     const std::vector<std::string> &others,
                     const bool or_balls,
                     const SheetSide side)
{
  std::vector<unsigned int> faces;
  std::size_t n_balls = 0;
  for (auto reference : find_surfaces(skins, text, where, others))
  {
    if (side != SheetSide::both && is_sheet(*skins[reference.body]) &&
        is_whole(reference.surface))
      reference.surface = name_of(side);
    const auto added = surfaces->add_faces(
        reference.body,
        skins[reference.body]->surface(reference.surface, where));
    faces.insert(faces.end(), added.begin(), added.end());
    if (or_balls)
      n_balls += skins[reference.body]->balls(reference.surface).size();
  }
  if (faces.empty() && n_balls == 0)
    throw InputError(
        fmt::format("{}: surface '{}' has no boundary face.", where, text));
  return faces;
}

template <int dim>
void Model<dim>::check_side(const InteractionParameters &interaction) const
{
  if (interaction.side == SheetSide::both)
    return;
  const std::string wanted  = name_of(interaction.side),
                    section = "Interaction " + interaction.name,
                    where   = parameters.where(section, "Side");
  bool any                  = false;
  for (const auto &text : interaction.candidates)
    for (const auto &reference : find_surfaces(
             skins, text, parameters.where(section, "Candidates"), {}))
    {
      if (!is_sheet(*skins[reference.body]))
        continue;
      any = true;
      if (!is_whole(reference.surface) && reference.surface != wanted)
        throw InputError(fmt::format(
            "{}: contradictory settings: Side = {} and the candidate '{}' is "
            "the other side of shell '{}'; allowed: Side = {}, or both.",
            where,
            wanted,
            text,
            skins[reference.body]->name(),
            reference.surface));
    }
  if (!any)
    throw InputError(fmt::format(
        "{}: contradictory settings: Side = {} and no candidate ({}) is a "
        "shell; allowed: both.",
        where,
        wanted,
        fmt::join(interaction.candidates, ", ")));
}

template <int dim>
void Model<dim>::add_law(const InteractionParameters &given)
{
  const auto law =
      std::find_if(parameters.laws.begin(),
                   parameters.laws.end(),
                   [&](const auto &l) { return l.name == given.law; });
  if (law == parameters.laws.end())
    throw InputError(
        fmt::format("{}: there is no contact law '{}'.",
                    parameters.where("Interaction " + given.name, "Law"),
                    given.law));
  auto made = make_contact_law<dim>(
      *law,
      friction_function<dim>(
          law->friction_expression,
          parameters.where("Contact law " + law->name, "Friction")));
  const auto &sides       = pairs.sides(laws.size());
  const auto is_compliant = [&](const auto &of_face)
  {
    const unsigned int b =
        surfaces->nodes[surfaces->faces[of_face.first].nodes[0]].system;
    return b < flexibility.size() && flexibility[b][0] > 0.;
  };
  if (has_gap(law->type) && (std::any_of(sides.candidate_of_face.begin(),
                                         sides.candidate_of_face.end(),
                                         is_compliant) ||
                             std::any_of(sides.antagonist_of_face.begin(),
                                         sides.antagonist_of_face.end(),
                                         is_compliant)))
    made = std::make_unique<ThicknessCompliance<dim>>(std::move(made));
  laws.push_back(std::move(made));
}

template <int dim>
std::vector<unsigned int>
Model<dim>::folding_beside(const std::string &text,
                           const std::string &where,
                           const unsigned int interaction)
{
  std::vector<unsigned int> faces;
  for (const auto &reference : find_surfaces(skins, text, where, {}))
  {
    const unsigned int b = reference.body;
    if (b < schemes.size() && schemes[b]->has_finite_motion())
      for (const unsigned int f : surfaces->add_faces(
               b,
               folding_faces<dim>(
                   *skins[b],
                   [&](const unsigned int node, const unsigned int c)
                   {
                     return ever_driven.empty()
                                ? systems[b]->is_prescribed(node, c)
                                : ever_driven[b]->is_driven(dim * node + c);
                   },
                   skins[b]->surface(reference.surface, where))))
        if (pairs.sides(interaction).candidate_of_face.count(f) == 0)
          faces.push_back(f);
  }
  return faces;
}

template <int dim>
void Model<dim>::make_interactions()
{
  std::vector<std::string> obstacle_names;
  for (const auto &obstacle : obstacles)
    obstacle_names.push_back(obstacle.name);
  if (!parameters.rigid_bodies.empty())
    obstacle_names.push_back(rigid->skin().name());
  surfaces = std::make_unique<ContactSurfaces<dim>>(skins, communicator);
  place_rigid_bodies();

  for (unsigned int k = 0; k < parameters.interactions.size(); ++k)
  {
    const auto &given = parameters.interactions[k];
    const auto where  = [&](const std::string &entry)
    { return parameters.where("Interaction " + given.name, entry); };
    check_side(given);
    Interaction interaction;
    interaction.name            = given.name;
    interaction.search_distance = given.search_distance;
    interaction.first_point     = surfaces->points.size();
    interaction.formulation     = given.formulation;
    interaction.normals         = given.normals;
    // Points on the faces behind each name; end of each one's range.
    std::set<unsigned int> blocks, others;
    // Of each candidate: faces beside it that may fold onto a tool.
    std::vector<std::vector<unsigned int>> folding;
    // Of each candidate: where balls are among it.
    std::vector<std::vector<SurfaceReference>> balls;
    const auto add_points =
        [&](const std::vector<std::vector<unsigned int>> &of,
            std::vector<MortarFace> &mortar_faces,
            std::vector<unsigned int> &ends)
    {
      std::vector<unsigned int> all;
      for (const auto &faces : of)
        all.insert(all.end(), faces.begin(), faces.end());
      std::vector<bool> is_block;
      if (given.formulation == ContactFormulation::points &&
          given.points == CandidatePoints::automatic)
      {
        is_block = find_blocks(*surfaces, all);
        // A rigid block touches with its corners, sheets are none.
        for (const unsigned int f : all)
          if (surfaces->nodes[surfaces->faces[f].nodes[0]].point)
            is_block[surfaces->faces[f].piece] = false;
      }
      for (const auto &faces : of)
      {
        if (given.formulation == ContactFormulation::mortar)
          surfaces->add_mortar_points(faces, mortar_faces);
        else if (given.points == CandidatePoints::automatic)
        {
          std::vector<unsigned int> midpoints, nodes;
          for (const unsigned int f : faces)
          {
            const unsigned int piece = surfaces->faces[f].piece;
            (is_block[piece] ? midpoints : nodes).push_back(f);
            (is_block[piece] ? blocks : others).insert(piece);
          }
          surfaces->add_points(
              midpoints, CandidatePoints::midpoints, {}, where("Points"));
          surfaces->add_points(
              nodes, CandidatePoints::nodes, {}, where("Points"));
        }
        else
          surfaces->add_points(
              faces, given.points, given.positions, where("Points"));
        if (ends.size() < folding.size())
          add_further_nodes(*surfaces,
                            folding[ends.size()],
                            interaction.first_point,
                            where("Candidates"));
        if (ends.size() < balls.size())
          for (const auto &reference : balls[ends.size()])
            surfaces->add_balls(
                reference.body,
                skins[reference.body]->balls(reference.surface));
        ends.push_back(surfaces->points.size());
      }
    };
    auto &sides = pairs.add_interaction(obstacles.size());
    // The same point twice would be two contacts that share one reaction in
    // any proportion.
    std::vector<std::vector<unsigned int>> candidates;
    for (const auto &text : given.candidates)
    {
      const auto faces =
          faces_of(text, where("Candidates"), {}, true, given.side);
      balls.push_back(find_surfaces(skins, text, where("Candidates"), {}));
      for (const unsigned int f : faces)
      {
        if (given.formulation == ContactFormulation::mortar &&
            surfaces->nodes[surfaces->faces[f].nodes[0]].point)
          throw InputError(fmt::format(
              "{}: contradictory settings: '{}' is a rigid body or a shell, "
              "whose points are candidates; allowed: points.",
              where("Formulation"),
              text));
        const auto inserted = sides.candidate_of_face.insert(
            { f, (unsigned int)candidates.size() });
        if (!inserted.second)
          throw InputError(fmt::format(
              "{}: contradictory settings: '{}' and '{}' have the same "
              "face of body '{}'; allowed: each face once.",
              where("Candidates"),
              given.candidates[inserted.first->second],
              text,
              skins[surfaces->nodes[surfaces->faces[f].nodes[0]].system]
                  ->name()));
      }
      interaction.candidate_faces.insert(
          interaction.candidate_faces.end(), faces.begin(), faces.end());
      candidates.push_back(faces);
    }
    if (may_fold(given, obstacle_names))
      for (const auto &text : given.candidates)
        folding.push_back(folding_beside(text, where("Candidates"), k));
    add_points(candidates, interaction.mortar_faces, sides.end_of_candidate);
    folding.clear();
    balls.clear();
    interaction.end_point = surfaces->points.size();

    std::vector<std::string> names;
    std::vector<std::vector<unsigned int>> new_candidates;
    for (const auto &text : given.antagonists)
    {
      new_candidates.emplace_back();
      const auto obstacle =
          std::find_if(obstacles.begin(),
                       obstacles.end(),
                       [&](const auto &other) { return other.name == text; });
      if (!parameters.rigid_bodies.empty() && text == rigid->skin().name())
      {
        // All of the sections 'Rigid body'.
        for (unsigned int o = parameters.obstacles.size(); o < obstacles.size();
             ++o)
          if (sides.antagonist_of_obstacle[o] < 0)
          {
            interaction.obstacles.push_back(o);
            sides.antagonist_of_obstacle[o] = names.size();
          }
      }
      else if (obstacle != obstacles.end())
      {
        const unsigned int o = obstacle - obstacles.begin();
        interaction.obstacles.push_back(o);
        sides.antagonist_of_obstacle[o] = names.size();
      }
      else
      {
        for (const unsigned int f :
             faces_of(text, where("Antagonists"), obstacle_names))
          if (sides.antagonist_of_face.insert({ f, names.size() }).second)
          {
            interaction.faces.push_back(f);
            if (sides.candidate_of_face.count(f) == 0)
              new_candidates.back().push_back(f);
          }
      }
      names.push_back(text);
    }
    for (unsigned int p = interaction.first_point;
         p < interaction.end_point && !interaction.faces.empty();
         ++p)
      if (surfaces->points[p].radius > 0.)
        throw InputError(fmt::format(
            "{}: a rigid ball is a candidate against rigid shapes only; "
            "allowed: the surface as candidate and the ball as antagonist.",
            where("Antagonists")));
    if (given.two_pass)
    {
      // Faces that are candidates already see the others as it is.
      interaction.second_pass = surfaces->points.size();
      add_points(new_candidates,
                 interaction.second_mortar_faces,
                 sides.end_of_antagonist);
      interaction.end_point = surfaces->points.size();
      if (interaction.second_pass == interaction.end_point)
        throw InputError(fmt::format(
            "{}: contradictory settings: no antagonist is a surface that is "
            "not a candidate already, so there is nothing for a second pass; "
            "allowed: 1.",
            where("Passes")));
    }
    if (given.formulation == ContactFormulation::mortar)
    {
      // One piece whose faces are on both sides. (Of many pieces each one
      // touches its neighbours.)
      std::set<unsigned int> pieces;
      bool both = false;
      for (const auto *faces :
           { &interaction.candidate_faces, &interaction.faces })
        for (const unsigned int f : *faces)
        {
          pieces.insert(surfaces->faces[f].piece);
          both = both || (sides.candidate_of_face.count(f) > 0 &&
                          sides.antagonist_of_face.count(f) > 0);
        }
      if (both && pieces.size() == 1)
        throw InputError(fmt::format(
            "{}: contradictory settings: some faces of '{}' are candidates and "
            "antagonists of one piece, and each pair would have its rows "
            "twice; allowed for contact of a piece with itself: points, or "
            "Candidates and Antagonists without common faces.",
            where("Formulation"),
            skins[surfaces
                      ->nodes[surfaces->faces[interaction.faces[0]].nodes[0]]
                      .system]
                ->name()));
    }
    interaction.points = kind_of_points(given, blocks.size(), others.size());
    pairs.add_pairs(given.candidates, names);
    deactivate(interaction);
    interactions.push_back(interaction);

    add_law(given);
  }
}

#define INSTANTIATE(dim)                                                       \
  template std::vector<unsigned int> Model<dim>::faces_of(                     \
      const std::string &,                                                     \
      const std::string &,                                                     \
      const std::vector<std::string> &,                                        \
      const bool,                                                              \
      const SheetSide);                                                        \
  template void Model<dim>::make_interactions()
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus

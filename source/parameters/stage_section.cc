#include <delassus/base/exceptions.h>
#include <delassus/parameters/sections.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace delassus
{
namespace
{
std::string join(const std::vector<std::string> &words)
{
  std::string result;
  for (const auto &word : words)
    result += (result.empty() ? "" : ", ") + word;
  return result;
}

/// An entry that names what is active.
EntryDeclaration active(const std::string &name,
                        const std::string &documentation,
                        const std::string &otherwise)
{
  auto entry = declare::names(name, documentation).without_default(otherwise);
  entry.allowed = "all, none, or a list of names, separated by commas";
  return entry;
}

/// Names of what is active in a stage: what the entry says, or what was active
/// before. The entry then lists them.
std::set<std::string> active_names(const SectionReader &reader,
                                   const std::string &entry,
                                   const std::vector<std::string> &known,
                                   const std::string &what,
                                   const std::set<std::string> *before,
                                   const std::set<std::string> &released = {})
{
  const auto items = reader.list(entry);
  std::set<std::string> result;
  if (items.empty() && before != nullptr)
    result = *before;
  else if (items.empty() || items == std::vector<std::string>{ "all" })
    result.insert(known.begin(), known.end());
  else if (items != std::vector<std::string>{ "none" })
    for (const auto &name : items)
    {
      if (name == "all" || name == "none")
        reader.error(entry,
                     fmt::format("contradictory settings: '{}' beside other "
                                 "names; allowed: '{}' alone, or names.",
                                 name,
                                 name));
      else if (!result.insert(name).second)
        reader.error(entry, fmt::format("'{}' is given twice.", name));
      else
        reader.check_name(entry, name, known, what);
      if (released.count(name) > 0)
        reader.error(entry,
                     fmt::format("contradictory settings: '{}' is released "
                                 "('At start'); allowed: those that hold.",
                                 name));
    }
  for (const auto &name : released)
    result.erase(name);
  std::vector<std::string> list;
  for (const auto &name : known)
    if (result.count(name) > 0)
      list.push_back(name);
  reader.replace(entry, list.empty() ? "none" : join(list));
  return result;
}

/// The step beside the ends of the stage; as TimeSection::parse().
void check_steps(const SectionReader &reader,
                 const TimeParameters &time,
                 const bool with_step,
                 const std::vector<StageParameters> &before)
{
  if (!(time.end_time > time.start_time))
  {
    reader.error(
        "End",
        fmt::format("contradictory settings: the stage ends before it begins; "
                    "allowed: more than {}, {}.",
                    time.start_time,
                    before.empty()
                        ? std::string("which is Time/Start")
                        : "the end of 'Stage " + before.back().name + "'"));
    return;
  }
  if (!with_step)
    return;
  const double duration = time.end_time - time.start_time;
  if (time.step > duration * (1. + 1e-10))
  {
    reader.error("Step",
                 fmt::format("contradictory settings: one step is longer than "
                             "the stage; allowed: up to {}.",
                             duration));
    return;
  }
  // Steps of the whole run are counted in 32 bits.
  constexpr double most = std::numeric_limits<int>::max();
  double n_steps        = duration / time.step;
  for (const auto &stage : before)
    n_steps += (stage.time.end_time - stage.time.start_time) / stage.time.step;
  if (!(n_steps <= most))
    reader.error("Step",
                 fmt::format("contradictory settings: the run would have "
                             "{:.4g} steps up to here; allowed: up to {:.0f}.",
                             n_steps,
                             most));
  const double smallest = std::ldexp(
      std::max(std::abs(time.start_time), std::abs(time.end_time)), -32);
  if (!(time.step >= smallest))
    reader.error("Step",
                 fmt::format("contradictory settings: the times of the stage, "
                             "{} to {}, are so far from zero that such a step "
                             "is lost in their rounding; allowed: {:.4g} or "
                             "more.",
                             time.start_time,
                             time.end_time,
                             smallest));
}

/// "zero velocity, release NAME, write, checkpoint".
std::vector<StageParameters::Action>
parse_actions(const SectionReader &reader,
              const SectionContext &context,
              const std::vector<StageParameters> &before)
{
  const std::string entry = "At start", release = "release";
  const std::vector<std::string> words = {
    "zero velocity", "release NAME", "write", "checkpoint"
  };
  const auto &conditions   = context.names.at("Boundary condition");
  const auto &interactions = context.names.at("Interaction");
  auto both                = conditions;
  both.insert(both.end(), interactions.begin(), interactions.end());
  const auto has = [](const auto &list, const std::string &name)
  { return std::find(list.begin(), list.end(), name) != list.end(); };
  std::vector<StageParameters::Action> actions;
  std::set<std::string> released;
  for (const auto &item : reader.list(entry))
  {
    if (item.rfind(release + " ", 0) == 0)
    {
      const std::string name  = item.substr(release.size() + 1);
      const bool is_condition = has(conditions, name);
      const auto type         = is_condition ? StageAction::release_condition
                                             : StageAction::release_interaction;
      const auto active       = is_condition ? &StageParameters::conditions
                                             : &StageParameters::interactions;
      const auto earlier =
          std::find_if(before.rbegin(),
                       before.rend(),
                       [&](const StageParameters &stage)
                       { return stage.released(type).count(name) > 0; });
      // Whose forces are known: active until now.
      if (!has(both, name))
        reader.check_name(
            entry, name, both, "boundary condition or interaction");
      else if (is_condition && has(interactions, name))
        reader.error(entry,
                     fmt::format("'{}' is the name of a boundary condition and "
                                 "of an interaction; allowed: names of one of "
                                 "them.",
                                 name));
      else if (before.empty())
        reader.error(entry,
                     fmt::format("'{}' has held nothing before the first "
                                 "stage; allowed: from the second stage on.",
                                 name));
      else if (!released.insert(name).second)
        reader.error(
            entry, fmt::format("'{}' is released twice; allowed: once.", name));
      else if ((before.back().*active).count(name) == 0)
      {
        const auto &others = before.back().*active;
        reader.error(
            entry,
            earlier != before.rend()
                ? fmt::format("'{}' is released twice: 'Stage {}' has done it; "
                              "allowed: once, or make it active again before.",
                              name,
                              earlier->name)
                : fmt::format("'{}' is not active in 'Stage {}', which comes "
                              "before; allowed: {}.",
                              name,
                              before.back().name,
                              others.empty()
                                  ? std::string("nothing, none is")
                                  : join({ others.begin(), others.end() })));
      }
      actions.push_back({ type, name });
    }
    else if (item == words[0])
      actions.push_back({ StageAction::zero_velocity, "" });
    else if (item == words[2])
      actions.push_back({ StageAction::write, "" });
    else if (item == words[3])
      actions.push_back({ StageAction::checkpoint, "" });
    else
      reader.error(entry,
                   fmt::format("'{}' is not understood; allowed: {}.{}",
                               item,
                               join(words),
                               item == release ? " Release which one?"
                                               : suggest_name(item, words)));
  }
  return actions;
}
} // namespace

SectionDeclaration StageSection::declaration()
{
  SectionDeclaration section;
  section.kind          = "Stage";
  section.named         = true;
  section.list          = "Stages";
  section.documentation = "A part of the run, in the order of the file: with "
                          "its own end, step, scheme and Newton settings, and "
                          "with some boundary conditions, interactions and "
                          "tools only. Files without stages are one.";
  auto at_start =
      declare::names("At start",
                     "Done at its beginning, in this order. zero velocity: "
                     "everywhere; displacements and impulses are kept. release "
                     "NAME: this boundary condition or interaction does not "
                     "hold any more; its reactions are loads from now on, "
                     "which go to zero in proportion to the time left of the "
                     "stage. write: a result file. checkpoint: one from which "
                     "run --resume continues.")
          .without_default("nothing");
  at_start.allowed = "a list, separated by commas, of: zero velocity, release "
                     "NAME, write, checkpoint";
  section.entries  = {
     declare::number("End",
                    "",
                    Range::any(),
                    "time",
                    "Last instant. A stage begins where the one before ends, "
                     "the first at Time/Start.")
         .without_default(),
     declare::number("Step", "", Range::positive(), "time", "Time step h.")
         .without_default("Time/Step"),
     declare::choice("Scheme",
                    "",
                    { "dynamic", "quasi static" },
                    "As Time/Scheme. Where it changes the stage begins at "
                     "rest.")
         .without_default("Time/Scheme"),
     declare::number("Theta",
                    "",
                    Range::closed(0.5, 1.),
                    "",
                    "As Time/Theta, for Scheme = dynamic.")
         .without_default("Time/Theta"),
     declare::number("Fictitious mass",
                    "",
                    Range::positive(),
                    "share of the stiffness that resists",
                    "As Time/Fictitious mass, for Scheme = quasi static.")
         .without_default("Time/Fictitious mass"),
     active("Boundary conditions",
           "Those that act. One that begins to drive goes on from where the "
            "body is.",
           "as in the stage before, without what is released; all in the "
            "first"),
     active("Interactions",
           "Those that act. Contacts of others are forgotten.",
           "as in the stage before, without what is released; all in the "
            "first"),
     active("Tools",
           "Obstacles and rigid bodies that take part in interactions. Others "
            "touch nothing; their free components stand still.",
           "as in the stage before; all in the first"),
     at_start
  };
  auto newton          = NewtonSection::declaration();
  newton.documentation = "What differs from section Newton in this stage.";
  for (auto &entry : newton.entries)
  {
    entry.default_value = "";
    entry.default_text  = "Newton/" + entry.name;
    entry.documentation = "As in section Newton.";
  }
  section.subsections = { newton };
  return section;
}

StageParameters StageSection::parse(const SectionReader &reader,
                                    const SectionReader &time,
                                    const SectionReader &newton,
                                    const SectionContext &context,
                                    const std::vector<StageParameters> &before)
{
  for (const auto *entry : { "Step", "Scheme", "Theta", "Fictitious mass" })
    if (reader.text(entry).empty())
      reader.replace(entry, time.text(entry));
  const auto own_newton = reader.subsection("Newton");
  for (const auto &entry : NewtonSection::declaration().entries)
    if (own_newton.text(entry.name).empty())
      own_newton.replace(entry.name, newton.text(entry.name));

  StageParameters stage;
  stage.name = reader.name();
  auto &t    = stage.time;
  t.start_time =
      before.empty() ? context.time.start_time : before.back().time.end_time;
  t.end_time        = reader.number("End");
  t.step            = reader.number("Step");
  t.scheme          = reader.choice<TimeScheme>("Scheme");
  t.theta           = reader.number("Theta");
  t.fictitious_mass = reader.number("Fictitious mass");
  if (t.scheme == TimeScheme::quasi_static)
  {
    reader.forbid("Theta",
                  "it is for Scheme = dynamic and Scheme = quasi static");
    t.theta = 1.;
  }
  else
    reader.forbid("Fictitious mass",
                  "it is for Scheme = quasi static and Scheme = dynamic");
  const bool step = reader.require("Step", "here or as Time/Step");
  if (reader.require("End"))
    check_steps(reader, t, step, before);
  else
    t.end_time = t.start_time; // an error of its own

  SectionContext own = context;
  own.time           = t;
  stage.newton       = NewtonSection::parse(own_newton, own);

  stage.actions = parse_actions(reader, context, before);
  if (t.scheme == TimeScheme::quasi_static)
    for (const auto &action : stage.actions)
      if (action.type == StageAction::zero_velocity)
        reader.error("At start",
                     "contradictory settings: Scheme = quasi static has no "
                     "inertia, and begins at rest; allowed: release NAME, "
                     "write, checkpoint.");
  const StageParameters *last = before.empty() ? nullptr : &before.back();
  stage.conditions =
      active_names(reader,
                   "Boundary conditions",
                   context.names.at("Boundary condition"),
                   "boundary condition",
                   last ? &last->conditions : nullptr,
                   stage.released(StageAction::release_condition));
  stage.interactions =
      active_names(reader,
                   "Interactions",
                   context.names.at("Interaction"),
                   "interaction",
                   last ? &last->interactions : nullptr,
                   stage.released(StageAction::release_interaction));
  auto shapes = context.names.at("Obstacle");
  shapes.insert(shapes.end(),
                context.names.at("Rigid body").begin(),
                context.names.at("Rigid body").end());
  stage.shapes = active_names(reader,
                              "Tools",
                              shapes,
                              "obstacle or rigid body",
                              last ? &last->shapes : nullptr);
  return stage;
}

TimeParameters
StageSection::whole_run(const std::vector<StageParameters> &stages)
{
  TimeParameters time = stages.front().time;
  time.end_time       = stages.back().time.end_time;
  for (const auto &stage : stages)
  {
    time.step = std::min(time.step, stage.time.step);
    if (stage.time.scheme == TimeScheme::dynamic)
      time.scheme = TimeScheme::dynamic;
    if (stage.time.theta != 1.)
      time.theta = stage.time.theta;
  }
  return time;
}

void StageSection::check(
    const std::vector<StageParameters> &stages,
    const Parameters &parameters,
    const std::function<SectionReader(const std::string &, const std::string &)>
        &reader)
{
  if (stages.empty())
    return;
  const auto is_nonlinear = [&](const BodyParameters &body)
  {
    for (const auto &material : parameters.materials)
      if (material.name == body.material)
        return material.model != MaterialModel::linear_elastic;
    return false;
  };
  const bool nonlinear =
      !parameters.shells.empty() || std::any_of(parameters.bodies.begin(),
                                                parameters.bodies.end(),
                                                is_nonlinear);
  const auto of_mass = [](const CorrectingMatrix matrix)
  {
    return matrix == CorrectingMatrix::lumped ||
           matrix == CorrectingMatrix::two_term ||
           matrix == CorrectingMatrix::explicit_;
  };
  bool any_quasi_static = false, all_quasi_static = true;
  for (const auto &stage : stages)
  {
    const auto section      = reader("Stage", "Stage " + stage.name);
    const auto newton       = section.subsection("Newton");
    const bool quasi_static = stage.time.scheme == TimeScheme::quasi_static;
    any_quasi_static        = any_quasi_static || quasi_static;
    all_quasi_static        = all_quasi_static && quasi_static;
    for (const auto &condition : parameters.boundary_conditions)
      if (stage.released(StageAction::release_condition).count(condition.name) >
              0 &&
          (condition.type == BoundaryConditionType::pressure ||
           condition.type == BoundaryConditionType::traction ||
           condition.type == BoundaryConditionType::force ||
           condition.type == BoundaryConditionType::moment))
        section.error("At start",
                      fmt::format("'{}' is a load and has no reaction: let its "
                                  "Value go to zero; allowed: conditions of "
                                  "Type fixed, displacement or velocity.",
                                  condition.name));
    for (const auto &shell : parameters.shells)
      if (quasi_static && shell.has_matrix && of_mass(shell.matrix))
        section.error("Scheme",
                      fmt::format("contradictory settings: 'Body {}/Matrix' is "
                                  "made of the mass, and Scheme = quasi static "
                                  "has none; allowed: dynamic.",
                                  shell.name));
    for (const auto &body : parameters.bodies)
    {
      if (!is_nonlinear(body))
        continue;
      if (quasi_static && body.has_matrix && of_mass(body.matrix))
        section.error("Scheme",
                      fmt::format("contradictory settings: 'Body {}/Matrix' is "
                                  "made of the mass, and Scheme = quasi static "
                                  "has none; allowed: dynamic.",
                                  body.name));
      const auto matrix = body.has_matrix ? body.matrix : stage.newton.matrix;
      if (matrix == CorrectingMatrix::explicit_ &&
          body.mass == MassType::consistent)
        newton.error("Matrix",
                     fmt::format("contradictory settings: explicit steps need "
                                 "a diagonal mass; allowed: 'Body {}/Mass' = "
                                 "lumped.",
                                 body.name));
    }
    if (!nonlinear)
      for (const auto &entry : NewtonSection::declaration().entries)
        if (newton.given(entry.name))
        {
          newton.warn("without effect: all bodies are linear elastic, and "
                      "their steps need no Newton loop.");
          break;
        }
  }

  // What has no meaning without inertia; the rest is that of files without
  // stages, where all are quasi static.
  if (stages.front().time.scheme == TimeScheme::quasi_static &&
      !all_quasi_static)
    for (const auto &body : parameters.bodies)
      if (!body.initial_velocity.empty())
        reader("Body", "Body " + body.name)
            .error("Initial velocity",
                   fmt::format("contradictory settings: 'Stage {}', the first, "
                               "has Scheme = quasi static, which has no "
                               "inertia; allowed: no initial velocity.",
                               stages.front().name));
  if (any_quasi_static && !all_quasi_static)
    for (const auto &law : parameters.laws)
      if (law.type == ContactLawType::velocity_signorini_coulomb)
        reader("Contact law", "Contact law " + law.name)
            .warn("the velocity law is made for impacts: in stages with Scheme "
                  "= quasi static a gap stays open once its closing is "
                  "forecast. Use Type = gap signorini coulomb.");

  // What is never active.
  const auto never = [&](const std::string &kind,
                         const auto &list,
                         std::set<std::string> StageParameters::*active)
  {
    for (const auto &given : list)
      if (std::none_of(stages.begin(),
                       stages.end(),
                       [&](const StageParameters &stage)
                       { return (stage.*active).count(given.name) > 0; }))
        reader(kind, kind + " " + given.name).warn("it is active in no stage.");
  };
  never("Boundary condition",
        parameters.boundary_conditions,
        &StageParameters::conditions);
  never("Interaction", parameters.interactions, &StageParameters::interactions);
  never("Obstacle", parameters.obstacles, &StageParameters::shapes);
  never("Rigid body", parameters.rigid_bodies, &StageParameters::shapes);
}
} // namespace delassus

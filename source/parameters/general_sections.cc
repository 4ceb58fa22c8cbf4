#include <delassus/parameters/sections.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace delassus
{
std::string SectionContext::variables(const bool with_time) const
{
  return std::string(dim == 2 ? "x,y" : "x,y,z") + (with_time ? ",t" : "");
}

SectionDeclaration TopLevel::declaration()
{
  SectionDeclaration section;
  section.kind          = "";
  section.documentation = "Entries outside any subsection.";
  section.entries       = {
          declare::text("Title", "", "any text", "What the run is about.")
              .without_default("the file's name"),
          declare::choice("Dimension", "2", { "2", "3" }, "Of space."),
          declare::choice("Assumption",
                    "plane strain",
                    { "plane strain", "plane stress", "axisymmetric" },
                    "Of two-dimensional bodies; axisymmetric: x is the radius, "
                          "y the axis. Not to be given in 3D."),
          declare::numbers("Gravity",
                     Range::any(),
                     "length/time^2",
                     "Acceleration, one number for each direction.")
              .without_default("no gravity")
  };
  for (const auto &named : section_declarations())
    if (named.named)
      section.entries.push_back(
          declare::names(named.list,
                         fmt::format("Names of the sections '{} NAME', in the "
                                     "order wanted. If given, it lists all.",
                                     named.kind))
              .without_default("as found in the file"));
  return section;
}

void TopLevel::parse(const SectionReader &reader, Parameters &parameters)
{
  parameters.title     = reader.text("Title");
  parameters.dimension = reader.text("Dimension") == "3" ? 3 : 2;
  if (parameters.dimension == 3)
  {
    reader.forbid("Assumption",
                  "it is for two-dimensional bodies and Dimension = 3");
    parameters.assumption = Assumption::three_dimensional;
  }
  else
    parameters.assumption = reader.choice<Assumption>("Assumption");
  parameters.gravity = reader.vector("Gravity", parameters.dimension);
  if (parameters.gravity.empty())
    parameters.gravity.assign(parameters.dimension, 0.);
  if (parameters.assumption == Assumption::axisymmetric &&
      parameters.gravity[0] != 0.)
    reader.error("Gravity",
                 "contradictory settings: with Assumption = axisymmetric "
                 "gravity has no radial component; allowed: 0 as its first "
                 "number.");
}

SectionDeclaration TimeSection::declaration()
{
  SectionDeclaration section;
  section.kind          = "Time";
  section.documentation = "Time stepping: the theta-scheme, or equilibria.";
  section.entries       = {
          declare::choice("Scheme",
                    "dynamic",
                    { "dynamic", "quasi static" },
                    "dynamic: the theta-scheme; quasi static: an equilibrium "
                          "at the end of each step, without inertia."),
          declare::number("Start", "0", Range::any(), "time", "First instant."),
          declare::number("End",
                    "",
                    Range::any(),
                    "time",
                    "Last instant. Not with stages, which have their own.")
              .without_default(),
          declare::number("Step",
                    "",
                    Range::positive(),
                    "time",
                    "Time step h. Of runs with a "
                          "Newton loop the largest one.")
              .without_default(),
          declare::number("Theta",
                    "1",
                    Range::closed(0.5, 1.),
                    "",
                    "Weight of the end of the step: 1 is implicit Euler, 0.5 "
                          "keeps the energy of linear motion. For Scheme = "
                          "dynamic."),
          declare::number("Fictitious mass",
                    "1",
                    Range::positive(),
                    "share of the stiffness that resists",
                    "For Scheme = quasi static: resists the rigid motions of "
                          "pieces that only contact holds, while the equilibrium "
                          "is sought, in proportion to the stiffness of the "
                          "piece or of what holds it, whichever is less; the "
                          "answer does not depend on it.")
  };
  return section;
}

TimeParameters TimeSection::parse(const SectionReader &reader,
                                  const bool in_stages)
{
  TimeParameters time;
  time.start_time      = reader.number("Start");
  time.end_time        = reader.number("End");
  time.step            = reader.number("Step");
  time.theta           = reader.number("Theta");
  time.scheme          = reader.choice<TimeScheme>("Scheme");
  time.fictitious_mass = reader.number("Fictitious mass");
  if (in_stages)
  {
    reader.forbid("End", "each 'subsection Stage NAME' has an End of its own");
    return time;
  }
  if (time.scheme == TimeScheme::quasi_static)
  {
    reader.forbid("Theta",
                  "it is for Scheme = dynamic and Scheme = quasi static");
    time.theta = 1.;
  }
  else
    reader.forbid("Fictitious mass",
                  "it is for Scheme = quasi static and Scheme = dynamic");
  const bool end  = reader.require("End");
  const bool step = reader.require("Step");
  if (end && time.end_time <= time.start_time)
    reader.error("End",
                 fmt::format("contradictory settings: the end comes before the "
                             "start; allowed: more than Start = {}.",
                             reader.text("Start")));
  else if (end && step &&
           time.step > (time.end_time - time.start_time) * (1. + 1e-10))
    reader.error("Step",
                 fmt::format("contradictory settings: one step is longer than "
                             "the run; allowed: up to End - Start = {}.",
                             time.end_time - time.start_time));
  else if (end && step)
  {
    // Steps are counted in 32 bits.
    constexpr double most = std::numeric_limits<int>::max();
    const double duration = time.end_time - time.start_time;
    if (!(duration / time.step <= most))
      reader.error("Step",
                   fmt::format("contradictory settings: (End - Start) / Step = "
                               "{:.4g} steps; allowed: up to {:.0f} steps, "
                               "which is Step = {:.4g} or more.",
                               duration / time.step,
                               most,
                               duration / most));
    // Instants so far from zero that they can hardly be told apart. A run from
    // zero never comes here: it would have too many steps first.
    const double farthest =
        std::max(std::abs(time.start_time), std::abs(time.end_time));
    const double smallest = std::ldexp(farthest, -32);
    if (!(time.step >= smallest))
      reader.error(
          "Step",
          fmt::format("contradictory settings: Start = {} and End = {} are so "
                      "far from zero that such a step is lost in their "
                      "rounding; allowed: {:.4g} or more, or times nearer to "
                      "zero.",
                      reader.text("Start"),
                      reader.text("End"),
                      smallest));
  }
  return time;
}

SectionDeclaration EventSection::declaration()
{
  SectionDeclaration section;
  section.kind          = "Event";
  section.named         = true;
  section.list          = "Events";
  section.documentation = "Something done once, when its trigger is reached.";
  section.entries       = {
          declare::choice("Trigger",
                    "time",
                    { "time", "resultant" },
                    "time: at the first step that ends at or after Time; "
                          "resultant: at the first step at whose end the resultant "
                          "force of an interaction on its candidates has reached "
                          "Value."),
          declare::number("Time", "", Range::any(), "time", "Of the trigger 'time'.")
              .without_default("must be given for Trigger = time"),
          declare::text("Interaction",
                  "",
                  "the name of an interaction",
                  "Whose resultant triggers.")
              .without_default("must be given for Trigger = resultant"),
          declare::choice(
        "Component", "", { "x", "y", "z" }, "Of the resultant force.")
              .without_default("must be given for Trigger = resultant"),
          declare::number("Value",
                    "",
                    Range::any(),
                    "force or weight",
                    "To be reached: from below if positive, from above if "
                          "negative.")
              .without_default("must be given for Trigger = resultant"),
          declare::choice("Unit",
                    "force",
                    { "force", "weight" },
                    "Of Value: a force, or multiples of the weight of all "
                          "bodies."),
          declare::choices("Actions",
                     "",
                     { "zero velocity", "write", "stop" },
                     "Done in this order: zero velocity (everywhere; "
                           "displacements and impulses are kept), write a result "
                           "file now, stop the run after this step.")
              .without_default()
  };
  return section;
}

EventParameters EventSection::parse(const SectionReader &reader,
                                    const SectionContext &context)
{
  EventParameters event;
  event.name    = reader.name();
  event.trigger = reader.choice<EventTrigger>("Trigger");
  if (event.trigger == EventTrigger::time)
  {
    for (const auto *entry : { "Interaction", "Component", "Value", "Unit" })
      reader.forbid(entry, "it belongs to Trigger = resultant, not time");
    event.time = reader.number("Time");
    if (reader.require("Time", "for Trigger = time") &&
        (event.time < context.time.start_time ||
         event.time > context.time.end_time))
      reader.error("Time",
                   fmt::format("contradictory settings: the event never "
                               "comes; allowed: from Time/Start = {} to "
                               "Time/End = {}.",
                               context.time.start_time,
                               context.time.end_time));
  }
  else
  {
    reader.forbid("Time", "it belongs to Trigger = time, not resultant");
    const std::string why = "for Trigger = resultant";
    event.interaction     = reader.text("Interaction");
    if (reader.require("Interaction", why))
      reader.check_name("Interaction",
                        event.interaction,
                        context.names.at("Interaction"),
                        "interaction");
    if (reader.require("Component", why))
    {
      event.component = reader.choice<unsigned int>("Component");
      if (event.component >= context.dim)
        reader.error("Component",
                     "contradictory settings: Dimension = 2 has no z; "
                     "allowed: x, y.");
    }
    event.value = reader.number("Value");
    if (reader.require("Value", why) && event.value == 0.)
      reader.error("Value",
                   "it is reached from the start; allowed: a number other "
                   "than 0.");
    event.in_weights = reader.text("Unit") == "weight";
    double weight    = 0.;
    for (const double g : context.gravity)
      weight += g * g;
    if (event.in_weights && weight == 0.)
      reader.error("Unit",
                   "contradictory settings: there is no weight without "
                   "gravity; allowed: force, or set Gravity.");
  }
  if (reader.require("Actions"))
    event.actions = reader.choices<EventAction>("Actions");
  return event;
}

SectionDeclaration ProbeSection::declaration()
{
  SectionDeclaration section;
  section.kind  = "Probe";
  section.named = true;
  section.list  = "Probes";
  section.documentation =
      "A node whose motion, stress and strain go into history.csv.";
  section.entries = {
    declare::text(
        "Body", "", "the name of a body", "On which the node is looked for.")
        .without_default("any body"),
    declare::numbers("Point",
                     Range::any(),
                     "length",
                     "Reference position; the nearest node is taken.")
        .without_default()
  };
  return section;
}

ProbeParameters ProbeSection::parse(const SectionReader &reader,
                                    const SectionContext &context)
{
  ProbeParameters probe;
  probe.name = reader.name();
  probe.body = reader.text("Body");
  if (!probe.body.empty())
    reader.check_name("Body", probe.body, context.names.at("Body"), "body");
  if (reader.require("Point"))
    probe.point = reader.vector("Point", context.dim);
  return probe;
}

SectionDeclaration OutputSection::declaration()
{
  SectionDeclaration section;
  section.kind          = "Output";
  section.documentation = "Files written in the run directory.";
  section.entries       = {
          declare::text("Directory",
                  "",
                  "a path, relative to where the program is started",
                  "Run directory; made if it does not exist.")
              .without_default("results/ and the parameter file's name"),
          declare::number("Interval",
                    "",
                    Range::nonnegative(),
                    "time",
                    "Between result files (VTU). 0: only the last state, "
                          "which is always written.")
              .without_default("Interval or Interval steps must be given"),
          declare::count("Interval steps",
                   "",
                   0,
                   "Time steps between result files, instead of Interval. 0: "
                         "only the last state, which is always written.")
              .without_default("Interval or Interval steps must be given"),
          declare::count("History steps",
                   "1",
                   1,
                   "Time steps between rows of history.csv and energy.csv."),
          declare::flag("Contact points",
                  true,
                  "Write the contact points with each result file."),
          declare::flag("Shell layers",
                  false,
                  "Show shells of several layers on both faces of every "
                        "layer, instead of the inner, middle and outer "
                        "surface."),
          declare::number("Checkpoint interval",
                    "0",
                    Range::nonnegative(),
                    "time",
                    "Between checkpoints, from which run --resume continues, "
                          "in simulated time. One is always written when the run "
                          "is stopped (Ctrl-C and other signals), when a step "
                          "fails, after events and at the end. 0: only these and "
                          "those of Checkpoint minutes."),
          declare::count("Checkpoint steps",
                   "0",
                   0,
                   "Time steps between checkpoints, instead of Checkpoint "
                         "interval."),
          declare::number("Checkpoint minutes",
                    "10",
                    Range::nonnegative(),
                    "minutes of wall time",
                    "After which a checkpoint is written if there was none for "
                          "so long. 0: never."),
          declare::count(
        "Checkpoints kept", "2", 1, "The newest ones; older ones are removed.")
  };
  return section;
}

OutputParameters OutputSection::parse(const SectionReader &reader,
                                      const SectionContext &context)
{
  OutputParameters output;
  output.directory           = reader.text("Directory");
  output.interval            = reader.number("Interval");
  output.interval_steps      = reader.count("Interval steps");
  output.history_steps       = reader.count("History steps");
  output.contact_points      = reader.flag("Contact points");
  output.shell_layers        = reader.flag("Shell layers");
  output.checkpoint_interval = reader.number("Checkpoint interval");
  output.checkpoint_steps    = reader.count("Checkpoint steps");
  output.checkpoint_minutes  = reader.number("Checkpoint minutes");
  output.n_checkpoints       = reader.count("Checkpoints kept");
  if (output.checkpoint_interval > 0. && output.checkpoint_steps > 0)
    reader.error("Checkpoint steps",
                 fmt::format("contradictory settings: Checkpoint interval = {} "
                             "is given too; allowed: one of both.",
                             reader.text("Checkpoint interval")));
  if (output.checkpoint_interval > 0. &&
      output.checkpoint_interval < context.time.step * (1. - 1e-10))
    reader.error("Checkpoint interval",
                 fmt::format("contradictory settings: it is shorter than a "
                             "time step; allowed: Time/Step = {} or more.",
                             context.time.step));
  if (reader.text("Interval").empty() && reader.text("Interval steps").empty())
    reader.error("Interval",
                 "there is no output interval; give Interval (a time) or "
                 "Interval steps (0: only the last state).");
  if (output.interval > 0. && output.interval_steps > 0)
    reader.error("Interval steps",
                 fmt::format("contradictory settings: Interval = {} is given "
                             "too; allowed: one of both.",
                             reader.text("Interval")));
  if (output.interval > 0. &&
      output.interval < context.time.step * (1. - 1e-10))
    reader.error("Interval",
                 fmt::format("contradictory settings: it is shorter than a "
                             "time step; allowed: Time/Step = {} or more.",
                             context.time.step));
  return output;
}

const std::vector<SectionDeclaration> &section_declarations()
{
  static const std::vector<SectionDeclaration> sections = {
    TimeSection::declaration(),
    NewtonSection::declaration(),
    MaterialSection::declaration(),
    BodySection::declaration(),
    BoundaryConditionSection::declaration(),
    ObstacleSection::declaration(),
    RigidBodySection::declaration(),
    ContactLawSection::declaration(),
    InteractionSection::declaration(),
    ContactSolverSection::declaration(),
    LinearSolverSection::declaration(),
    ChecksSection::declaration(),
    StageSection::declaration(),
    EventSection::declaration(),
    ProbeSection::declaration(),
    OutputSection::declaration()
  };
  return sections;
}
} // namespace delassus

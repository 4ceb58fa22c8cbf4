// From the entries of a file to the values that everybody else reads.
#include <delassus/base/input_text.h>
#include <delassus/parameters/check_together.h>
#include <delassus/parameters/interpreter.h>

#include <filesystem>

namespace delassus
{
SectionReader Interpreter::reader(const std::string &kind,
                                  const std::string &name)
{
  for (const auto &section : section_declarations())
    if (section.kind == kind)
      return SectionReader(values, section, { name });
  AssertThrow(false, dealii::ExcInternalError());
  return SectionReader(values, top, {});
}

template <typename Values, typename Parse>
void Interpreter::each(const std::string &kind,
                       std::vector<Values> &result,
                       const Parse &parse)
{
  for (const auto &name : names[kind])
    result.push_back(parse(reader(kind, kind + " " + name)));
}

Parameters Interpreter::parse()
{
  Parameters parameters;
  parameters.file = values.file;
  TopLevel::parse(SectionReader(values, top, {}), parameters);
  const std::string stem = std::filesystem::path(values.file).stem().string();
  if (parameters.title.empty())
    parameters.title = escape_bad_bytes(stem);

  const bool in_stages = !names["Stage"].empty();
  parameters.time      = TimeSection::parse(reader("Time", "Time"), in_stages);
  SectionContext context;
  context.dim        = parameters.dimension;
  context.assumption = parameters.assumption;
  context.gravity    = parameters.gravity;
  context.time       = parameters.time;
  context.names      = names;
  if (in_stages)
  {
    for (const auto &name : names["Stage"])
      stages.push_back(StageSection::parse(reader("Stage", "Stage " + name),
                                           reader("Time", "Time"),
                                           reader("Newton", "Newton"),
                                           context,
                                           stages));
    context.time = parameters.time = StageSection::whole_run(stages);
  }

  if (names["Body"].empty() && names["Rigid body"].empty())
    SectionReader(values, top, {})
        .section_error(
            "there is no body; allowed: one 'subsection Body NAME' or "
            "'subsection Rigid body NAME', or more.");
  SectionContext of_newton = context;
  if (in_stages) // each of them is checked with its own scheme
    of_newton.time = TimeParameters();
  parameters.newton =
      NewtonSection::parse(reader("Newton", "Newton"), of_newton);
  each("Material",
       parameters.materials,
       [](const SectionReader &r) { return MaterialSection::parse(r); });
  for (const auto &name : names["Body"])
  {
    const auto of_body = reader("Body", "Body " + name);
    if (of_body.choice<BodyType>("Type") == BodyType::shell)
      parameters.shells.push_back(ShellBodySection::parse(of_body, context));
    else
      parameters.bodies.push_back(BodySection::parse(of_body, context));
  }
  each("Boundary condition",
       parameters.boundary_conditions,
       [&](const SectionReader &r)
       { return BoundaryConditionSection::parse(r, context); });
  each("Obstacle",
       parameters.obstacles,
       [&](const SectionReader &r)
       { return ObstacleSection::parse(r, context); });
  each("Rigid body",
       parameters.rigid_bodies,
       [&](const SectionReader &r)
       { return RigidBodySection::parse(r, context); });
  each("Contact law",
       parameters.laws,
       [&](const SectionReader &r)
       { return ContactLawSection::parse(r, context); });
  each("Interaction",
       parameters.interactions,
       [&](const SectionReader &r)
       { return InteractionSection::parse(r, context); });
  parameters.contact_solver =
      ContactSolverSection::parse(reader("Contact solver", "Contact solver"));
  parameters.linear_solver =
      LinearSolverSection::parse(reader("Linear solver", "Linear solver"));
  parameters.checks =
      ChecksSection::parse(reader("Checks", "Checks"), parameters);
  each("Event",
       parameters.events,
       [&](const SectionReader &r) { return EventSection::parse(r, context); });
  each("Probe",
       parameters.probes,
       [&](const SectionReader &r) { return ProbeSection::parse(r, context); });
  parameters.output = OutputSection::parse(reader("Output", "Output"), context);
  if (parameters.output.directory.empty())
    parameters.output.directory = "results/" + stem;

  const auto by_name = [this](const std::string &kind, const std::string &name)
  { return reader(kind, name); };
  check_together(parameters, stages, by_name);
  check_quasi_static(parameters, by_name);
  StageSection::check(stages, parameters, by_name);
  NewtonSection::check(parameters, by_name);
  for (const auto &section : section_declarations())
    for (const auto &name : instances(section))
      SectionReader(values, section, { name })
          .add_origins(parameters.origins, name + "/");
  return parameters;
}
} // namespace delassus

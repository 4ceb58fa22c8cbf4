#include <delassus/base/exceptions.h>
#include <delassus/base/input_text.h>
#include <delassus/parameters/read_parameters.h>
#include <delassus/parameters/sections.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>
#include <sstream>

namespace delassus
{
namespace
{
/// Of one kind; each has dozens of entries.
constexpr std::size_t most_sections = 10000;

/// From the flat list of a file to declared, checked values. The names of
/// bodies and so on are only known once the file has been read, so that
/// everything is declared for this very file.
class Interpreter
{
public:
  Interpreter(const InputFile &input,
              const std::string &file,
              const std::vector<RenamedEntry> &renamed)
      : entries(input.entries)
      , renamed(renamed)
      , top(TopLevel::declaration())
  {
    values.file              = file;
    values.sections[""].file = file;
    for (const auto &section : section_declarations())
      if (section.named)
        names[section.kind] = {};
  }

  void add_overrides(const std::vector<std::string> &overrides)
  {
    for (const auto &option : overrides)
      entries.push_back(parse_override(option));
  }

  Parameters interpret()
  {
    find_sections();
    declare();
    for (const auto &entry : entries)
      if (!entry.name.empty() && !hopeless())
        set(entry);
    order_names();
    values.throw_if_wrong();
    Parameters parameters = parse();
    values.throw_if_wrong();
    return parameters;
  }

  std::string expanded() const
  {
    std::ostringstream out;
    print_entries(out, top, {}, "");
    for (const auto &section : section_declarations())
      for (const auto &name : instances(section))
        print_section(out, section, { name }, "");
    return out.str();
  }

  /// "Section/Name" and value of every entry that has an effect.
  std::map<std::string, std::string> effective() const
  {
    std::map<std::string, std::string> result;
    const std::function<void(const SectionDeclaration &,
                             const std::vector<std::string> &)>
        add = [&](const auto &section, const auto &path)
    {
      for (const auto &entry : section.entries)
      {
        const std::string full =
            path.empty() ? entry.name : join_path(path) + "/" + entry.name;
        if (values.meaningless.count(full) == 0)
          result[full] = values.prm.get(path, entry.name);
      }
      for (const auto &inner : section.subsections)
      {
        auto inner_path = path;
        inner_path.push_back(inner.kind);
        add(inner, inner_path);
      }
    };
    add(top, {});
    for (const auto &section : section_declarations())
      for (const auto &name : instances(section))
        add(section, { name });
    return result;
  }

  std::vector<std::string> warnings() const
  {
    return values.warnings;
  }

  std::vector<StageParameters> stages;

private:
  /// More mistakes than anybody reads: nothing further is looked for.
  bool hopeless() const
  {
    return values.errors.size() >= 100;
  }

  /// Names of all sections of this kind: "Body wall", "Body stone"; "Time".
  std::vector<std::string> instances(const SectionDeclaration &section) const
  {
    if (!section.named)
      return { section.kind };
    std::vector<std::string> result;
    for (const auto &name : names.at(section.kind))
      result.push_back(section.kind + " " + name);
    return result;
  }

  /// The declaration of the section at @p path, or nothing.
  const SectionDeclaration *
  find_declaration(const std::vector<std::string> &path) const
  {
    const SectionDeclaration *found = &top;
    for (std::size_t level = 0; level < path.size(); ++level)
    {
      const auto &candidates =
          level == 0 ? section_declarations() : found->subsections;
      found = nullptr;
      for (const auto &section : candidates)
        if (section.named ? path[level].rfind(section.kind + " ", 0) == 0
                          : path[level] == section.kind)
          found = &section;
      if (found == nullptr)
        return nullptr;
    }
    return found;
  }

  /// The error of a section that does not exist.
  std::string unknown_section(const InputEntry &entry,
                              const std::size_t level) const
  {
    const std::string &wrong = entry.section[level];
    std::vector<std::string> known;
    if (level == 0)
      for (const auto &section : section_declarations())
      {
        if (!section.named)
        {
          known.push_back(section.kind);
          continue;
        }
        if (wrong == section.kind)
          return fmt::format("{}: section '{}' needs a name: 'subsection {} "
                             "NAME'.",
                             entry.origin.text(),
                             wrong,
                             wrong);
        if (!entry.origin.option.empty())
        {
          for (const auto &name : instances(section))
            known.push_back(name);
          continue;
        }
        // The name stays as it was written, the kind may be misspelt.
        const auto n_words =
            1 + std::count(section.kind.begin(), section.kind.end(), ' ');
        std::size_t name = 0;
        for (long i = 0; i < n_words && name != std::string::npos; ++i)
          name = wrong.find(' ', name == 0 ? 0 : name + 1);
        known.push_back(section.kind + (name == std::string::npos
                                            ? " NAME"
                                            : wrong.substr(name)));
      }
    else
      for (const auto &section :
           find_declaration(
               { entry.section.begin(), entry.section.begin() + level })
               ->subsections)
        known.push_back(section.kind);
    return fmt::format(
        "{}: unknown section '{}'.{}",
        entry.origin.text(),
        join_path({ entry.section.begin(), entry.section.begin() + level + 1 }),
        known.empty() ? " There are no subsections here."
                      : suggest_name(wrong, known));
  }

  void find_sections()
  {
    std::set<std::string> complained;
    for (const auto &entry : entries)
    {
      if (hopeless())
        values.throw_if_wrong();
      const bool from_file = entry.origin.option.empty();
      for (std::size_t level = 0; level < entry.section.size(); ++level)
      {
        const std::vector<std::string> path(entry.section.begin(),
                                            entry.section.begin() + level + 1);
        const auto *section = find_declaration(path);
        if (section == nullptr || (!from_file && section->named &&
                                   values.sections.count(join_path(path)) == 0))
        {
          if (complained.insert(join_path(path)).second)
            values.errors.push_back(unknown_section(entry, level));
          break;
        }
        if (values.sections.emplace(join_path(path), entry.origin).second &&
            section->named)
          add_name(*section, path.back(), entry.origin);
      }
    }
  }

  void add_name(const SectionDeclaration &section,
                const std::string &full_name,
                const InputOrigin &origin)
  {
    const std::string name = full_name.substr(section.kind.size() + 1);
    if (name.find_first_of("/,;=\"") != std::string::npos)
      values.errors.push_back(fmt::format(
          "{}: section '{}': the name '{}' holds one of / , ; = \", "
          "which are not allowed in names.",
          origin.text(),
          full_name,
          name));
    if (names[section.kind].size() == most_sections)
      throw InputError(fmt::format(
          "{}: section '{}': there are more than {} sections '{} NAME'.",
          origin.text(),
          full_name,
          most_sections,
          section.kind));
    names[section.kind].push_back(name);
  }

  void declare()
  {
    declare_entries(top);
    for (const auto &section : section_declarations())
      for (const auto &name : instances(section))
        declare_section(section, name);
  }

  void declare_section(const SectionDeclaration &section,
                       const std::string &name)
  {
    values.prm.enter_subsection(name);
    declare_entries(section);
    for (const auto &inner : section.subsections)
      declare_section(inner, inner.kind);
    values.prm.leave_subsection();
  }

  void declare_entries(const SectionDeclaration &section)
  {
    for (const auto &entry : section.entries)
      values.prm.declare_entry(
          entry.name, entry.default_value, *entry.pattern, entry.documentation);
  }

  /// "Body/Mesh" of {"Body wall", "Mesh"}.
  std::string kind_path(const std::vector<std::string> &path) const
  {
    std::vector<std::string> kinds;
    for (std::size_t level = 0; level < path.size(); ++level)
      kinds.push_back(
          find_declaration({ path.begin(), path.begin() + level + 1 })->kind);
    return join_path(kinds);
  }

  void set(const InputEntry &entry)
  {
    const SectionDeclaration *section = find_declaration(entry.section);
    const std::string path            = join_path(entry.section);
    if (section == nullptr || values.sections.count(path) == 0)
      return; // an error of its own

    std::string name = entry.name;
    for (const auto &change : renamed)
      if (change.old_name == name && change.section == kind_path(entry.section))
      {
        values.warnings.push_back(entry_message(
            entry.origin,
            path,
            entry.name,
            entry.value,
            fmt::format("the entry is now called '{}'; please rename it.",
                        change.new_name)));
        name = change.new_name;
      }

    const EntryDeclaration *declaration = section->find_entry(name);
    if (declaration == nullptr)
    {
      values.errors.push_back(entry_message(
          entry.origin,
          path,
          entry.name,
          entry.value,
          "unknown entry." + suggest_entry(*section, entry.name)));
      return;
    }

    std::string value = entry.value;
    if (!entry.items.empty() && declaration->separator != ',')
    {
      value.clear();
      for (const auto &item : entry.items)
        value +=
            (value.empty() ? ""
                           : std::string(1, declaration->separator) + " ") +
            item;
    }
    if (!declaration->choices.empty())
      value = condense_blanks(value);
    const std::string full = path.empty() ? name : path + "/" + name;
    const auto before      = values.origins.find(full);
    if (value.empty() && before == values.origins.end())
      return; // as if not given
    if (before != values.origins.end() &&
        !may_replace(entry.origin, before->second))
    {
      values.errors.push_back(entry_message(
          entry.origin,
          path,
          entry.name,
          entry.value,
          fmt::format("contradictory settings: the entry was given before, at "
                      "{}; allowed: once.",
                      before->second.text())));
      return;
    }
    values.origins[full] = entry.origin;
    if (value.empty())
    {
      // What an included file or the file says is taken back.
      values.origins.erase(full);
      value = declaration->default_value;
    }
    else if (!declaration->pattern->match(value))
    {
      values.errors.push_back(
          entry_message(entry.origin,
                        path,
                        entry.name,
                        entry.value,
                        fmt::format("not allowed; allowed: {}.{}",
                                    declaration->allowed,
                                    suggest_choice(*declaration, value))));
      return;
    }
    for (const auto &s : entry.section)
      values.prm.enter_subsection(s);
    values.prm.set(name, value);
    for (std::size_t i = 0; i < entry.section.size(); ++i)
      values.prm.leave_subsection();
  }

  /// The command line replaces what files say, and a file replaces what the
  /// files it includes say.
  static bool may_replace(const InputOrigin &now, const InputOrigin &before)
  {
    if (!before.option.empty())
      return false;
    if (!now.option.empty())
      return true;
    return std::find(before.included_by.begin(),
                     before.included_by.end(),
                     now.file) != before.included_by.end();
  }

  static std::string suggest_entry(const SectionDeclaration &section,
                                   const std::string &name)
  {
    const std::vector<std::string> known = section.entry_names();
    if (!nearest_name(name, known).empty())
      return suggest_name(name, known);
    for (const auto &other : section_declarations())
    {
      if (other.find_entry(name) != nullptr)
        return fmt::format(" It belongs to section '{}'.",
                           other.kind + (other.named ? " NAME" : ""));
      for (const auto &inner : other.subsections)
        if (inner.find_entry(name) != nullptr)
          return fmt::format(" It belongs to section '{}/{}'.",
                             other.kind + (other.named ? " NAME" : ""),
                             inner.kind);
    }
    return suggest_name(name, known);
  }

  static std::string suggest_choice(const EntryDeclaration &entry,
                                    const std::string &value)
  {
    if (entry.choices.empty())
      return "";
    std::istringstream items(value);
    std::string item;
    while (std::getline(items, item, entry.separator))
    {
      item = condense_blanks(item);
      if (std::find(entry.choices.begin(), entry.choices.end(), item) ==
              entry.choices.end() &&
          !nearest_name(item, entry.choices).empty())
        return suggest_name(item, entry.choices);
    }
    return "";
  }

  /// Compare the lists of names with the sections found, and take their order.
  void order_names()
  {
    const SectionReader reader(values, top, {});
    for (const auto &section : section_declarations())
    {
      if (!section.named)
        continue;
      auto &found = names[section.kind];
      if (reader.given(section.list))
      {
        auto listed = reader.list(section.list);
        for (const auto &name : listed)
        {
          if (std::count(listed.begin(), listed.end(), name) > 1)
          {
            reader.error(section.list,
                         fmt::format("'{}' is given twice.", name));
            return;
          }
          if (std::find(found.begin(), found.end(), name) == found.end())
            reader.error(section.list,
                         fmt::format("there is no 'subsection {} {}'.{}",
                                     section.kind,
                                     name,
                                     suggest_name(name, found)));
        }
        for (const auto &name : found)
          if (std::find(listed.begin(), listed.end(), name) == listed.end())
            reader.error(
                section.list,
                fmt::format(
                    "contradictory settings: 'subsection "
                    "{} {}' exists ({}) but is not listed; "
                    "list all names or give no list.",
                    section.kind,
                    name,
                    values.sections.at(section.kind + " " + name).text()));
        found = listed;
      }
      std::string list;
      for (const auto &name : found)
        list += (list.empty() ? "" : ", ") + name;
      reader.replace(section.list, list);
    }
  }

  Parameters parse()
  {
    Parameters parameters;
    parameters.file = values.file;
    TopLevel::parse(SectionReader(values, top, {}), parameters);
    const std::string stem = std::filesystem::path(values.file).stem().string();
    if (parameters.title.empty())
      parameters.title = escape_bad_bytes(stem);

    const bool in_stages = !names["Stage"].empty();
    parameters.time = TimeSection::parse(reader("Time", "Time"), in_stages);
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
    each("Body",
         parameters.bodies,
         [&](const SectionReader &r)
         { return BodySection::parse(r, context); });
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
         [&](const SectionReader &r)
         { return EventSection::parse(r, context); });
    each("Probe",
         parameters.probes,
         [&](const SectionReader &r)
         { return ProbeSection::parse(r, context); });
    parameters.output =
        OutputSection::parse(reader("Output", "Output"), context);
    if (parameters.output.directory.empty())
      parameters.output.directory = "results/" + stem;

    check_together(parameters);
    check_quasi_static(parameters);
    StageSection::check(stages,
                        parameters,
                        [this](const std::string &kind, const std::string &name)
                        { return reader(kind, name); });
    NewtonSection::check(
        parameters,
        [this](const std::string &kind, const std::string &name)
        { return reader(kind, name); });
    for (const auto &section : section_declarations())
      for (const auto &name : instances(section))
        SectionReader(values, section, { name })
            .add_origins(parameters.origins, name + "/");
    return parameters;
  }

  SectionReader reader(const std::string &kind, const std::string &name)
  {
    for (const auto &section : section_declarations())
      if (section.kind == kind)
        return SectionReader(values, section, { name });
    AssertThrow(false, dealii::ExcInternalError());
    return SectionReader(values, top, {});
  }

  template <typename Values, typename Parse>
  void
  each(const std::string &kind, std::vector<Values> &result, const Parse &parse)
  {
    for (const auto &name : names[kind])
      result.push_back(parse(reader(kind, kind + " " + name)));
  }

  /// Directions of surfaces that two conditions prescribe; @p stage: of those
  /// that are active in it. Each condition is told once.
  void check_prescribed(const Parameters &parameters,
                        const StageParameters *stage,
                        std::set<std::string> &told)
  {
    std::map<std::pair<std::string, unsigned int>, std::string> prescribed;
    for (const auto &condition : parameters.boundary_conditions)
    {
      if (condition.type == BoundaryConditionType::pressure ||
          condition.type == BoundaryConditionType::traction ||
          (stage != nullptr && stage->conditions.count(condition.name) == 0))
        continue;
      auto components = condition.components;
      if (components.empty())
        for (unsigned int d = 0; d < parameters.dimension; ++d)
          components.push_back(d);
      for (const auto &surface : condition.surfaces)
        for (const unsigned int d : components)
        {
          const auto inserted =
              prescribed.emplace(std::make_pair(surface, d), condition.name);
          if (!inserted.second)
          {
            if (stage != nullptr && !told.insert(condition.name).second)
              break;
            reader("Boundary condition", "Boundary condition " + condition.name)
                .error("Surfaces",
                       fmt::format("contradictory settings: the direction "
                                   "{} of '{}' is prescribed by 'Boundary "
                                   "condition {}' too.",
                                   "xyz"[d],
                                   surface,
                                   inserted.first->second));
            break;
          }
        }
    }
  }

  /// What concerns several sections at once.
  void check_together(const Parameters &parameters)
  {
    // One direction of one surface is prescribed once, in each stage.
    std::vector<const StageParameters *> parts;
    for (const auto &stage : stages)
      parts.push_back(&stage);
    if (parts.empty())
      parts.push_back(nullptr);
    std::set<std::string> told;
    for (const auto *stage : parts)
      check_prescribed(parameters, stage, told);

    std::set<std::string> materials, laws;
    for (const auto &body : parameters.bodies)
      materials.insert(body.material);
    for (const auto &interaction : parameters.interactions)
      laws.insert(interaction.law);
    for (const auto &material : parameters.materials)
      if (materials.count(material.name) == 0)
        reader("Material", "Material " + material.name)
            .warn("no body is made of this material.");
    for (const auto &law : parameters.laws)
      if (laws.count(law.name) == 0)
        reader("Contact law", "Contact law " + law.name)
            .warn("no interaction uses this law.");
  }

  /// What has no meaning without inertia.
  void check_quasi_static(const Parameters &parameters)
  {
    if (parameters.time.scheme != TimeScheme::quasi_static)
      return;
    const std::string why = "Time/Scheme = quasi static has no inertia";
    for (const auto &body : parameters.bodies)
      if (!body.initial_velocity.empty())
        reader("Body", "Body " + body.name)
            .error("Initial velocity",
                   "contradictory settings: " + why +
                       "; allowed: no initial velocity.");
    for (const auto &material : parameters.materials)
      if (material.rayleigh_mass != 0.)
        reader("Material", "Material " + material.name)
            .error("Rayleigh mass",
                   "contradictory settings: " + why +
                       "; allowed: 0 (Rayleigh stiffness acts as viscosity).");
    for (const auto &event : parameters.events)
      if (std::find(event.actions.begin(),
                    event.actions.end(),
                    EventAction::zero_velocity) != event.actions.end())
        reader("Event", "Event " + event.name)
            .error("Actions",
                   "contradictory settings: " + why +
                       "; allowed: write, stop.");
    for (const auto &law : parameters.laws)
      if (law.type == ContactLawType::velocity_signorini_coulomb)
        reader("Contact law", "Contact law " + law.name)
            .warn("the velocity law is made for impacts: with Time/Scheme = "
                  "quasi static a gap stays open once its closing is forecast. "
                  "Use Type = gap signorini coulomb.");
  }

  void print_section(std::ostream &out,
                     const SectionDeclaration &section,
                     const std::vector<std::string> &path,
                     const std::string &indent) const
  {
    out << '\n' << indent << "subsection " << path.back() << '\n';
    print_entries(out, section, path, indent + "  ");
    for (const auto &inner : section.subsections)
    {
      auto inner_path = path;
      inner_path.push_back(inner.kind);
      print_section(out, inner, inner_path, indent + "  ");
    }
    out << indent << "end\n";
  }

  /// Entries without effect in this file are left as comments, so that the
  /// result can be read again.
  void print_entries(std::ostream &out,
                     const SectionDeclaration &section,
                     const std::vector<std::string> &path,
                     const std::string &indent) const
  {
    std::size_t width = 0;
    for (const auto &entry : section.entries)
      width = std::max(width, entry.name.size());
    for (const auto &entry : section.entries)
    {
      const std::string full =
          path.empty() ? entry.name : join_path(path) + "/" + entry.name;
      const std::string value = values.prm.get(path, entry.name);
      const bool unused       = values.meaningless.count(full) > 0;
      std::string line        = fmt::format("{}{}set {:{}} = {}",
                                     indent,
                                     unused ? "# " : "",
                                     entry.name,
                                     width,
                                     value);
      line.erase(line.find_last_not_of(' ') + 1);
      if (unused)
        line += "  (without effect here)";
      else if (values.origins.count(full) == 0)
        line += "  # default" + (value.empty() && !entry.default_text.empty()
                                     ? ": " + entry.default_text
                                     : "");
      out << line << '\n';
    }
  }

  std::vector<InputEntry> entries;
  const std::vector<RenamedEntry> &renamed;
  const SectionDeclaration top;
  ParameterValues values;
  std::map<std::string, std::vector<std::string>> names; ///< by kind
};
} // namespace

const std::vector<RenamedEntry> &renamed_entries()
{
  static const std::vector<RenamedEntry> table = {};
  return table;
}

ParsedParameters read_parameters(const std::string &file,
                                 const std::vector<std::string> &overrides,
                                 const std::vector<RenamedEntry> &renamed)
{
  const InputFile input = read_input_file(file);
  Interpreter interpreter(input, file, renamed);
  interpreter.add_overrides(overrides);
  ParsedParameters result;
  result.values   = interpreter.interpret();
  result.original = input.text;
  result.expanded = interpreter.expanded();
  result.warnings = interpreter.warnings();
  result.entries  = interpreter.effective();
  result.stages   = interpreter.stages;
  return result;
}

Parameters ParsedParameters::values_of(const unsigned int stage) const
{
  Parameters result = values;
  if (stages.empty())
    return result;
  result.time   = stages.at(stage).time;
  result.newton = stages[stage].newton;
  // Tools that only a stage before or after has something to do with.
  const auto &active = stages[stage];
  for (auto &obstacle : result.obstacles)
  {
    bool acts = active.tools.count(obstacle.name) > 0, named = false;
    bool in_active = false;
    for (const auto &interaction : result.interactions)
      if (std::count(interaction.antagonists.begin(),
                     interaction.antagonists.end(),
                     obstacle.name) > 0)
      {
        named     = true;
        in_active = in_active || active.interactions.count(interaction.name);
      }
    acts = acts && (in_active || !named);
    if (!acts)
      std::fill(obstacle.free.begin(), obstacle.free.end(), false);
  }
  return result;
}
} // namespace delassus

#include <delassus/parameters/interpreter.h>

#include <algorithm>

namespace delassus
{
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
    bool acts = active.shapes.count(obstacle.name) > 0, named = false;
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

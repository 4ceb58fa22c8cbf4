#include <delassus/simulation/chronicle.h>

#include <cstdint>
#include <vector>

namespace delassus
{
namespace
{
void archive_json(Archive &archive, const char *name, nlohmann::json &value)
{
  // CBOR keeps all bits of numbers.
  std::vector<std::uint8_t> bytes = nlohmann::json::to_cbor(value);
  archive(name, bytes);
  value = nlohmann::json::from_cbor(bytes);
}
} // namespace

void Chronicle::archive(Archive &archive, const bool with_stages)
{
  archive_json(archive, "events", events);
  archive_json(archive, "states", states);
  if (with_stages)
    archive_json(archive, "stages", stages);
}
} // namespace delassus

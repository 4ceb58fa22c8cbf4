#include <delassus/base/memory.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

namespace delassus
{
double available_memory()
{
  double available = 0.;
  std::ifstream info("/proc/meminfo");
  for (std::string line; std::getline(info, line);)
    if (line.rfind("MemAvailable:", 0) == 0)
    {
      std::istringstream words(line.substr(13));
      words >> available;
      available *= 1024.;
    }
  // A container's share; "max" if there is no limit.
  std::ifstream most("/sys/fs/cgroup/memory.max");
  std::ifstream now("/sys/fs/cgroup/memory.current");
  double limit = 0., current = 0.;
  if (most >> limit && now >> current && limit > 0.)
  {
    const double left = std::max(0., limit - current);
    available         = available > 0. ? std::min(available, left) : left;
  }
  return available;
}
} // namespace delassus

#include <delassus/base/terminal.h>

#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace delassus
{
bool output_is_terminal()
{
  if (const char *said = std::getenv(terminal_variable))
    return std::strcmp(said, "1") == 0;
  return std::getenv("OMPI_COMM_WORLD_SIZE") == nullptr &&
         isatty(STDOUT_FILENO) != 0;
}
} // namespace delassus

#ifndef delassus_base_terminal_h
#define delassus_base_terminal_h

namespace delassus
{
/// The environment variable by which whoever starts mpirun tells the ranks
/// whether its own standard output is a terminal: "1", or else not.
constexpr const char *terminal_variable = "DELASSUS_TERMINAL";

/// Whether standard output ends in a terminal, so that lines may be redrawn.
/// The variable above is believed first: mpirun gives its ranks a pseudo
/// terminal even where its own output is a file or a pipe. For the same reason
/// a rank started without the variable counts as having none.
bool output_is_terminal();
} // namespace delassus

#endif

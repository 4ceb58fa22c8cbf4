#ifndef delassus_output_atomic_file_h
#define delassus_output_atomic_file_h

#include <string>

namespace delassus
{
/// Write a whole file so that its name always stands for a complete one: the
/// content goes to a temporary file beside it, to the disk, and then takes the
/// name. Throws ComputationError with file and reason if any of it fails; an
/// earlier file of that name is then as it was.
void write_file_atomically(const std::string &path, const std::string &content);

/// Make the directory with its parents, if it is not there, and see that files
/// can be written in it. Throws InputError with the reason otherwise.
void prepare_run_directory(const std::string &path);
} // namespace delassus

#endif

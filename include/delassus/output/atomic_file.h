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

/// The same for one of many files of results: the disk begins to write it, but
/// nobody waits (to wait costs more than to make it). Complete after whatever
/// ends the program; a power cut can cost it until sync_results().
void write_result_atomically(const std::string &path,
                             const std::string &content);

/// Wait until the disk has all that write_result_atomically() wrote so far:
/// before a checkpoint that counts on it, and at the end. Throws
/// ComputationError if the disk says that it failed.
void sync_results();

/// Make the directory with its parents, if it is not there, and see that files
/// can be written in it. Throws InputError with the reason otherwise.
void prepare_run_directory(const std::string &path);
} // namespace delassus

#endif

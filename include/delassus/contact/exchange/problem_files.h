#ifndef delassus_contact_exchange_problem_files_h
#define delassus_contact_exchange_problem_files_h

#include <delassus/contact/problem/exchange_problem.h>

#include <string>
#include <vector>

namespace delassus
{
/// Impulses and relative velocities of all contacts, dim values a contact, and
/// for a global problem the velocities of the bodies.
struct ExchangeSolution
{
  std::vector<double> r, u, v;
};

/// Reads a problem; the format is recognized by what is in the file, not by its
/// name: FCLIB (HDF5), or the text of Siconos. Solutions and guesses in the
/// file are not read. Throws InputError, which says what is wrong where, for
/// everything that is not such a file.
ExchangeProblem read_problem(const std::string &file);

/// Writes the problem, and its solution if there is one, as FCLIB; a file of
/// that name is replaced once the new one is complete. If the solution of a
/// global problem has no v, v = M^{-1} (H r + f) is found for it. Throws
/// InputError if the problem is not well formed, ComputationError if it cannot
/// be written.
void write_problem(const std::string &file,
                   const ExchangeProblem &problem,
                   const ExchangeSolution *solution = nullptr);

/// Throws InputError, beginning with @p where, unless sizes fit together,
/// values are finite, coefficients of friction not negative and there is a
/// contact.
void check_exchange_problem(const ExchangeProblem &problem,
                            const std::string &where);

// The formats. What they read is not checked yet, and only well-formed problems
// may be written.
ExchangeProblem read_siconos_text(const std::string &file,
                                  const std::string &text);
ExchangeProblem read_fclib(const std::string &file);

/// To a file that does not exist yet. False if that fails.
bool write_fclib(const std::string &file,
                 const ExchangeProblem &problem,
                 const ExchangeSolution *solution);
} // namespace delassus

#endif

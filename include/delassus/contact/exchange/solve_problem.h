#ifndef delassus_contact_exchange_solve_problem_h
#define delassus_contact_exchange_solve_problem_h

#include <delassus/contact/exchange/problem_files.h>
#include <delassus/contact/global_solvers/contact_result.h>
#include <delassus/parameters/parameters.h>

#include <string>

namespace delassus
{
/// An exchanged problem and what became of it.
struct SolvedProblem
{
  ExchangeSolution solution; ///< r and u; no v
  ContactResult result;
  ContactErrors errors;   ///< of the solution, computed anew
  double asked   = 0.;    ///< that of them which the criterion is about
  bool met       = false; ///< asked is at most the tolerance
  double seconds = 0.;    ///< of condensation and solution
};

/// Solves from r = 0 by the method of the parameters, whose criterion is
/// unit_free or siconos. W of a global problem is formed only for methods that
/// need it. Throws InputError if the problem or the method does not exist.
SolvedProblem solve_problem(const ExchangeProblem &problem,
                            const ContactSolverParameters &parameters);
} // namespace delassus

#endif

#ifndef delassus_simulation_problem_dumps_h
#define delassus_simulation_problem_dumps_h

#include <delassus/base/log.h>
#include <delassus/simulation/contact_phase.h>

#include <string>

namespace delassus
{
/// Contact problems of a run with their solutions, written as FCLIB files into
/// problems/ of the run directory: of every so many steps, the hardest one, and
/// the first ones that were not solved. A problem that cannot be written is
/// told in the log; the run goes on. All functions are for all ranks together;
/// rank 0 writes.
template <int dim>
class ProblemDumps
{
public:
  ProblemDumps(const Model<dim> &model, ContactPhase<dim> &contact, Log &log);

  /// Before the first step after @p step: files of later steps are of a run
  /// that was here before.
  void begin(const unsigned int step);

  /// After a solution in the step that begins at @p t.
  void after_solution(const unsigned int step, const double t, const double h);

  /// After the last solution of a (sub)step that is accepted.
  void after_step(const unsigned int step, const double t, const double h);

private:
  /// Returns whether it was written.
  bool write(const std::string &name,
             const unsigned int step,
             const double t,
             const double h);

  std::string
  description(const unsigned int step, const double t, const double h) const;

  const Model<dim> &model;
  ContactPhase<dim> &contact;
  Log &log;
  const ContactSolverParameters &parameters;
  const std::string folder;
  const bool root;
  unsigned int n_failed      = 0;
  unsigned int most_sweeps   = 0; ///< of the hardest one
  unsigned int last_failed   = 0; ///< its step
  unsigned int n_in_the_step = 0; ///< that failed in that step
};
} // namespace delassus

#endif

#ifndef delassus_verification_print_h
#define delassus_verification_print_h

#include <delassus/verification/cases.h>

#include <iosfwd>

namespace delassus
{
namespace verification
{
/// The table of a case for a terminal.
void print_table(std::ostream &out,
                 const Case &which,
                 const CaseReport &report);

/// The same as a section of a Markdown page. Nothing that changes from run to
/// run is written: no dates, no times, errors rounded.
void print_markdown(std::ostream &out,
                    const Case &which,
                    const CaseReport &report);

/// The head of the page: how to read the tables, and one line for each case.
void print_markdown_head(std::ostream &out,
                         const std::vector<Case> &cases,
                         const std::vector<CaseReport> &reports);
} // namespace verification
} // namespace delassus

#endif

#ifndef delassus_contact_exchange_export_problem_h
#define delassus_contact_exchange_export_problem_h

#include <delassus/contact/exchange/problem_files.h>
#include <delassus/contact/problem/contact_problem.h>

#include <string>
#include <vector>

namespace delassus
{
/// The contacts of a solved problem, dim values a contact.
template <int dim>
struct ExportedContacts
{
  std::vector<double> U_free, P, U;
  std::vector<ChangeOfVariables<dim>> laws;
};

/// The problem in the standard variables u = calU, r = calP, as programs
/// exchange it, without inactive contacts. With calU = U + shift, W stays and
/// q = U_free + shift; for other laws W and q are those of StandardProblem.
///
/// Returns why it cannot be exchanged (Tresca's friction, laws that soften too
/// much); empty: it can. With no active contact the problem has none.
template <int dim>
std::string export_local(const CompressedColumns &W,
                         const ExportedContacts<dim> &contacts,
                         ExchangeProblem &problem,
                         ExchangeSolution &solution);

/// The same by way of the bodies, W = H^T A^{-1} H: with the velocities of the
/// bodies without contact impulses, v_free, and with them, v,
///
///   M = A,  f = A v_free,  w = U_free + shift - H^T v_free.
///
/// Only for laws that shift the velocity.
template <int dim>
std::string export_global(const GlobalForm &form,
                          const std::vector<double> &v_free,
                          const std::vector<double> &v,
                          const ExportedContacts<dim> &contacts,
                          ExchangeProblem &problem,
                          ExchangeSolution &solution);
} // namespace delassus

#endif

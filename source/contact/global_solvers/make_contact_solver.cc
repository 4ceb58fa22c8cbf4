#include <delassus/base/exceptions.h>
#include <delassus/contact/global_solvers/auto_solver.h>
#include <delassus/contact/global_solvers/parallel_gauss_seidel.h>

namespace delassus
{
template <int dim>
std::unique_ptr<ContactSolver<dim>>
make_contact_solver(const ContactSolverParameters &parameters)
{
  switch (parameters.type)
  {
    case ContactSolverType::automatic:
      return std::make_unique<AutoSolver<dim>>(parameters);
    case ContactSolverType::gauss_seidel:
      return std::make_unique<GaussSeidel<dim>>(parameters);
    case ContactSolverType::parallel_gauss_seidel:
      return std::make_unique<ParallelGaussSeidel<dim>>(parameters);
    case ContactSolverType::projected_gradient:
      return std::make_unique<ProjectedGradient<dim>>(parameters);
    case ContactSolverType::admm:
      return std::make_unique<Admm<dim>>(parameters);
    case ContactSolverType::global_admm:
      return std::make_unique<Admm<dim>>(parameters, true);
    case ContactSolverType::newton:
      return std::make_unique<SemismoothNewton<dim>>(parameters);
    case ContactSolverType::global_newton:
      return std::make_unique<SemismoothNewton<dim>>(parameters, true);
  }
  throw InputError("Contact solver: its type is not one of those there are.");
}

template std::unique_ptr<ContactSolver<2>>
make_contact_solver<2>(const ContactSolverParameters &);
template std::unique_ptr<ContactSolver<3>>
make_contact_solver<3>(const ContactSolverParameters &);
} // namespace delassus

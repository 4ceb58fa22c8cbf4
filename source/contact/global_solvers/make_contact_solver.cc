#include <delassus/base/exceptions.h>
#include <delassus/contact/global_solvers/gauss_seidel.h>
#include <delassus/contact/global_solvers/parallel_gauss_seidel.h>
#include <delassus/contact/global_solvers/projected_gradient.h>

namespace delassus
{
template <int dim>
std::unique_ptr<ContactSolver<dim>>
make_contact_solver(const ContactSolverParameters &parameters)
{
  switch (parameters.type)
  {
    case ContactSolverType::gauss_seidel:
      return std::make_unique<GaussSeidel<dim>>(parameters);
    case ContactSolverType::parallel_gauss_seidel:
      return std::make_unique<ParallelGaussSeidel<dim>>(parameters);
    case ContactSolverType::projected_gradient:
      return std::make_unique<ProjectedGradient<dim>>(parameters);
    default:
      throw InputError("This contact solver is not there.");
  }
}

template std::unique_ptr<ContactSolver<2>>
make_contact_solver<2>(const ContactSolverParameters &);
template std::unique_ptr<ContactSolver<3>>
make_contact_solver<3>(const ContactSolverParameters &);
} // namespace delassus

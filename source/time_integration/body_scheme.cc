#include <delassus/time_integration/body_scheme.h>
#include <delassus/bodies/evaluate_on_all.h>

#include <cmath>

namespace delassus
{
using namespace dealii;

template <int dim>
BodyScheme<dim>::BodyScheme(const SolidBody<dim> &body,
                            const DrivenDofs<dim> &driven,
                            const PieceClasses &classes,
                            Loads<dim> &loads,
                            const TimeParameters &time,
                            const LinearSolverParameters &solver,
                            std::shared_ptr<MemoryBudget> budget,
                            const Matrix &stiffness)
    : body(body)
    , driven(driven)
    , classes(classes)
    , w(body, driven, classes, solver, budget, &stiffness)
    , loads(loads)
    , theta(time.scheme == TimeScheme::quasi_static ? 1. : time.theta)
    , quasi_static(time.scheme == TimeScheme::quasi_static)
{
  for (Vector *vector : { &q,
                          &v,
                          &q_new,
                          &v_new,
                          &v_free,
                          &contact_impulse,
                          &external,
                          &Mv,
                          &work,
                          &increment })
    vector->reinit(body.owned_dofs, body.communicator);
  if (quasi_static)
    return;
  const Expression<dim> initial(
      body.parameters().initial_velocity,
      dim,
      body.parameters().where("Initial velocity", "entry 'Initial velocity'"));
  if (!initial.is_zero())
  {
    evaluate_on_all(body.communicator,
                    [&]()
                    {
                      for (const auto i : body.owned_dofs)
                        v[i] = initial.value(
                            body.nodes[i / dim], time.start_time, i % dim);
                    });
    v.compress(VectorOperation::insert);
    body.distribute(v);
  }
  body.mass.vmult(Mv, v);
}

template <int dim>
void BodyScheme<dim>::set_driven_increments(const double t, const Vector &from)
{
  increment           = 0.;
  const double *q_    = &*q.begin();
  const double *v_    = &*v.begin();
  const double *from_ = &*from.begin();
  double *inc         = &*increment.begin();
  const auto first    = dim * body.first_owned_node;
  driven.watch(t, h, theta);
  const auto set = [&]()
  {
    for (const unsigned int dof : driven.owned())
      inc[dof - first] =
          driven.velocity(dof, t, h, theta, q_[dof - first], v_[dof - first]) -
          from_[dof - first];
  };
  if (driven.has_values())
    evaluate_on_all(body.communicator, set);
  else
    set();
  body.distribute(increment);
}

template <int dim>
void BodyScheme<dim>::start_driven(const double t)
{
  if (theta == 1. || driven.empty())
    return;
  double *v_       = &*v.begin();
  const auto first = dim * body.first_owned_node;
  evaluate_on_all(body.communicator,
                  [&]()
                  {
                    for (const unsigned int dof : driven.owned())
                      v_[dof - first] =
                          driven.start_velocity(dof, t, h, v_[dof - first]);
                  });
  body.distribute(v);
  body.mass.vmult(Mv, v);
}

template <int dim>
bool BodyScheme<dim>::apply_impulses()
{
  v_new = contact_impulse;
  w.apply(v_new);
  v_new += v_free;
  q_new = q;
  q_new.add(h * theta, v_new, h * (1. - theta), v);
  const double norm = v_new.l2_norm();
  return std::isfinite(norm) && std::isfinite(q_new.l2_norm());
}

template <int dim>
double BodyScheme<dim>::kinetic_energy() const
{
  double kinetic = 0.;
  if (body.owned_dofs.n_elements() > 0)
  {
    const double *v_ = &*v.begin(), *Mv_ = &*Mv.begin();
    for (unsigned int i = 0; i < body.owned_dofs.n_elements(); ++i)
      kinetic += 0.5 * v_[i] * Mv_[i];
  }
  return kinetic;
}

template <int dim>
double BodyScheme<dim>::zero_velocity()
{
  const double kinetic = kinetic_energy();
  v                    = 0.;
  Mv                   = 0.;
  return kinetic;
}

template class BodyScheme<2>;
template class BodyScheme<3>;
} // namespace delassus

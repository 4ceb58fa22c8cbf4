#include <delassus/time_integration/body_scheme.h>
#include <delassus/bodies/evaluate_on_all.h>
#include <delassus/bodies/rigid_modes.h>
#include <delassus/time_integration/fictitious_mass.h>

#include <cmath>
#include <limits>

namespace delassus
{
using namespace dealii;

namespace
{
/// Number of a dof that is not an unknown: driven, or hanging.
constexpr std::size_t no_unknown = std::numeric_limits<std::size_t>::max();
} // namespace

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
  {
    const auto units =
        choose_fictitious_mass(body, driven, classes, 1., /* also_held */ true);
    for (unsigned int p = 0; p < body.pieces.size(); ++p)
    {
      const auto &piece = body.pieces[p];
      free_piece.push_back(n_free_rigid_modes(body, driven, piece) > 0);
      stiffness_of_piece.push_back(units[classes.class_of_piece[p]] *
                                   body.material_parameters().density *
                                   piece.volume);
    }
    return;
  }
  free_piece.assign(body.pieces.size(), false);
  stiffness_of_piece.assign(body.pieces.size(), 0.);
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
void BodyScheme<dim>::carrier_values(const CarrierField field,
                                     const std::vector<unsigned int> &carriers,
                                     double *values) const
{
  const Vector *vector = nullptr;
  switch (field)
  {
    case CarrierField::displacement:
      vector = &q;
      break;
    case CarrierField::velocity:
      vector = &v;
      break;
    case CarrierField::free_velocity:
      vector = &v_free;
      break;
    case CarrierField::new_velocity:
      vector = &v_new;
      break;
    case CarrierField::response:
      vector = &response;
      break;
    case CarrierField::stiffness:
      vector = stiffness_diagonal();
      break;
    // Nodes do not turn: contact adds their velocities.
    case CarrierField::shifted:
    case CarrierField::predicted:
      break;
    case CarrierField::inverse:
      for (std::size_t i = 0; i < carriers.size(); ++i)
        for (unsigned int c = 0; c < dim; ++c)
          values[dim * i + c] =
              w.is_diagonal() ? w.diagonal_value(dim * carriers[i] + c) : 0.;
      return;
  }
  if (vector == nullptr)
  {
    std::fill_n(values, dim * carriers.size(), 0.);
    return;
  }
  if (carriers.empty())
    return;
  const double *local      = &*vector->begin();
  const unsigned int first = body.first_owned_node;
  for (std::size_t i = 0; i < carriers.size(); ++i)
    for (unsigned int c = 0; c < dim; ++c)
      values[dim * i + c] = local[dim * (carriers[i] - first) + c];
}

template <int dim>
void BodyScheme<dim>::set_carriers(const std::vector<unsigned int> &carriers,
                                   const double *values,
                                   Vector &vector) const
{
  vector = 0.;
  if (carriers.empty())
    return;
  double *local            = &*vector.begin();
  const unsigned int first = body.first_owned_node;
  for (std::size_t i = 0; i < carriers.size(); ++i)
    for (unsigned int c = 0; c < dim; ++c)
      local[dim * (carriers[i] - first) + c] = values[dim * i + c];
}

template <int dim>
void BodyScheme<dim>::set_contact_impulse(
    const std::vector<unsigned int> &carriers,
    const double *impulses)
{
  set_carriers(carriers, impulses, contact_impulse);
}

template <int dim>
void BodyScheme<dim>::respond(const std::vector<unsigned int> &carriers,
                              const double *impulses)
{
  if (response.size() == 0)
    response = body.make_vector();
  set_carriers(carriers, impulses, response);
  w.apply(response);
}

template <int dim>
void BodyScheme<dim>::shift_free_velocity(
    const std::vector<unsigned int> &carriers,
    const double *impulses)
{
  if (!shifted)
    v_unshifted = v_free;
  shifted = true;
  set_carriers(carriers, impulses, v_free);
  w.apply(v_free);
  v_free += v_unshifted;
}

template <int dim>
void BodyScheme<dim>::number_unknowns() const
{
  if (!unknowns.empty())
    return;
  unknowns.assign(body.n_dofs(), no_unknown);
  for (unsigned int dof = 0; dof < body.n_dofs(); ++dof)
    if (!w.is_condensed(dof))
      unknowns[dof] = n_numbered++;
}

template <int dim>
std::size_t BodyScheme<dim>::n_unknowns() const
{
  number_unknowns();
  return n_numbered;
}

template <int dim>
void BodyScheme<dim>::for_each_entry(
    const std::function<void(std::size_t, std::size_t, double)> &add) const
{
  number_unknowns();
  w.for_each_entry(
      [&](const unsigned int row, const unsigned int column, const double x)
      { add(unknowns[row], unknowns[column], x); });
}

template <int dim>
void BodyScheme<dim>::for_each_unknown(
    const unsigned int carrier,
    const unsigned int c,
    const std::function<void(std::size_t, double)> &add) const
{
  number_unknowns();
  if (unknowns[dim * carrier + c] != no_unknown)
    add(unknowns[dim * carrier + c], 1.);
}

template <int dim>
void BodyScheme<dim>::for_each_velocity(
    const std::function<void(std::size_t, double, double)> &add) const
{
  number_unknowns();
  const unsigned int first = dim * body.first_owned_node;
  for (unsigned int i = 0; i < body.owned_dofs.n_elements(); ++i)
    if (unknowns[first + i] != no_unknown)
      add(unknowns[first + i], v_free.begin()[i], v_new.begin()[i]);
}

template <int dim>
void BodyScheme<dim>::add_loads_of_pieces(
    double *sums,
    std::vector<RigidMotions<dim>> &motions) const
{
  constexpr unsigned int n = RigidMotions<dim>::n;
  constexpr unsigned int m = 2 + n;
  const Vector *u          = displacement_of_loads();
  motions                  = free_rigid_motions(body, driven, u);
  if (body.owned_dofs.n_elements() == 0)
    return;
  const double *p = &*external.begin(), *r = &*contact_impulse.begin(),
               *displacement = u != nullptr ? &*u->begin() : nullptr;
  for (unsigned int node = body.first_owned_node; node < body.end_owned_node;
       ++node)
  {
    const unsigned int i     = dim * (node - body.first_owned_node);
    const unsigned int piece = body.node_piece[node];
    double *sum              = sums + m * piece;
    Point<dim> x             = body.nodes[node];
    for (unsigned int c = 0; c < dim && displacement != nullptr; ++c)
      x[c] += displacement[i + c];
    for (unsigned int c = 0; c < dim; ++c)
    {
      if (w.is_condensed(dim * node + c))
        continue;
      sum[0] += std::abs(h * p[i + c]);
      sum[1] += std::abs(r[i + c]);
      const double impulse = h * p[i + c] + r[i + c];
      if (impulse == 0.)
        continue;
      const auto values = motions[piece].at(x, c);
      for (unsigned int k = 0; k < n; ++k)
        sum[2 + k] +=
            (k < dim ? 1. : motions[piece].size) * values[k] * impulse;
    }
  }
}

template <int dim>
void BodyScheme<dim>::set_driven_increments(const double t, const Vector &from)
{
  increment            = 0.;
  const double *q_     = &*q.begin();
  const double *v_     = &*v.begin();
  const double *from_  = &*from.begin();
  double *inc          = &*increment.begin();
  const auto first     = dim * body.first_owned_node;
  const double *beside = offset.size() > 0 ? &*offset.begin() : nullptr;
  driven.watch(t, h, theta);
  const auto set = [&]()
  {
    for (const unsigned int dof : driven.owned())
    {
      const unsigned int i = dof - first;
      const double at      = beside != nullptr ? q_[i] - beside[i] : q_[i];
      inc[i] = driven.velocity(dof, t, h, theta, at, v_[i]) - from_[i];
    }
  };
  if (driven.has_values())
    evaluate_on_all(body.communicator, set);
  else
    set();
  body.distribute(increment);
}

template <int dim>
void BodyScheme<dim>::start(const double t)
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
bool BodyScheme<dim>::correct()
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

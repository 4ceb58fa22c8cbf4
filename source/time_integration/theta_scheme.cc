#include <delassus/time_integration/theta_scheme.h>
#include <delassus/time_integration/fictitious_mass.h>

#include <cmath>

namespace delassus
{
using namespace dealii;

template <int dim>
ThetaScheme<dim>::ThetaScheme(const SolidBody<dim> &body,
                              const DrivenDofs<dim> &driven,
                              const PieceClasses &classes,
                              Loads<dim> &loads,
                              const TimeParameters &time,
                              const LinearSolverParameters &solver,
                              std::shared_ptr<MemoryBudget> budget)
    : BodyScheme<dim>(body,
                      driven,
                      classes,
                      loads,
                      time,
                      solver,
                      budget,
                      body.stiffness)
{
  for (Vector *vector : { &Kq, &Kv, &Mv_new, &Kq_new, &Kv_new })
    vector->reinit(body.owned_dofs, body.communicator);
  if (quasi_static)
  {
    given_share = time.fictitious_mass;
    center      = body.make_vector();
    balance     = body.make_vector();
    step        = body.make_vector();
    old_step    = body.make_vector();
    fictitious =
        choose_fictitious_mass(body, driven, classes, time.fictitious_mass);
    return;
  }
  body.stiffness.vmult(Kv, v);
}

template <int dim>
bool ThetaScheme<dim>::has_fictitious_mass() const
{
  for (const double factor : fictitious)
    if (factor > 0.)
      return true;
  return false;
}

template <int dim>
void ThetaScheme<dim>::set_step(const double new_h)
{
  if (new_h == h)
    return;
  h = new_h;
  if (quasi_static)
    factorize();
  else
    w.reinit(h, theta);
}

template <int dim>
bool ThetaScheme<dim>::update_rigid_share()
{
  if (h > 0.)
    factorize();
  return h > 0.;
}

template <int dim>
void ThetaScheme<dim>::factorize()
{
  // Where rigid motions meet a fictitious mass of their own, deformations meet
  // next to none: K resists them well.
  constexpr double least      = 1e-4;
  std::vector<double> factors = fictitious, share(factors.size(), 1.);
  for (unsigned int c = 0; c < factors.size() && c < this->rigid_share.size();
       ++c)
    if (this->rigid_share[c] < 1. && !w.sparse_only)
    {
      factors[c] *= std::min(1., least / given_share);
      share[c] = this->rigid_share[c] * fictitious[c] / factors[c];
    }
    else
      share[c] = this->rigid_share[c];
  w.reinit_quasi_static(h, factors, share);
}

template <int dim>
void ThetaScheme<dim>::start(const double t)
{
  BodyScheme<dim>::start(t);
  body.stiffness.vmult(Kv, v);
}

template <int dim>
bool ThetaScheme<dim>::begin_stage(
    const typename BodyScheme<dim>::DrivenBefore &before,
    const std::set<std::string> &released,
    const double t,
    const double step,
    const bool at_rest,
    const double contact_step)
{
  const bool changed = BodyScheme<dim>::begin_stage(
      before, released, t, step, at_rest, contact_step);
  if (changed)
    body.stiffness.vmult(Kv, v);
  return changed;
}

template <int dim>
void ThetaScheme<dim>::begin_step(const double t, const bool)
{
  first_iteration = true;
  this->forget_shift();
  const auto &material = body.material_parameters();
  const double alpha   = material.rayleigh_mass,
               beta    = material.rayleigh_stiffness;

  external = loads.force(t + h);
  if (loads.depends_on_time() && theta < 1.)
  {
    external *= theta;
    external.add(1. - theta, loads.force(t));
  }

  if (quasi_static)
  {
    balance = external;
    balance -= Kq;
    balance *= h;
    // Velocities are counted from zero; driven dofs have theirs from the start.
    v = 0.;
    this->set_driven_increments(t, v);
    center = increment;
    advance_from_center();
    if (v_before.size() > 0)
      v_new = v_free;
    return;
  }

  // h [P_ext - V v - K (q + theta h v)]
  v_free = external;
  v_free *= h;
  v_free.add(-h, Kq, -h * (theta * h + beta), Kv);
  if (alpha != 0.)
    v_free.add(-h * alpha, Mv);
  if (!driven.empty())
  {
    this->set_driven_increments(t, v);
    w.effective_vmult(work, increment);
    v_free -= work;
  }
  w.apply(v_free);
  if (!driven.empty())
    v_free += increment;
  v_free += v;
  contact_impulse = 0.;
  if (v_before.size() > 0)
    v_new = v_free;
}

template <int dim>
void ThetaScheme<dim>::prepare_iterations()
{
  for (Vector *vector : { &v_before, &used, &before })
    *vector = body.make_vector();
}

template <int dim>
void ThetaScheme<dim>::shift_free_velocity(
    const std::vector<unsigned int> &carriers,
    const double *impulses)
{
  if (shift.size() == 0)
    shift = body.make_vector();
  this->set_carriers(carriers, impulses, shift);
  BodyScheme<dim>::shift_free_velocity(carriers, impulses);
}

template <int dim>
void ThetaScheme<dim>::free_velocity()
{
  this->forget_shift();
  if (!first_iteration && quasi_static && has_fictitious_mass())
  {
    center = v_new;
    advance_from_center();
  }
  first_iteration = false;
}

template <int dim>
bool ThetaScheme<dim>::correct()
{
  // Only loops with several iterations ask for these.
  if (v_before.size() > 0)
  {
    v_before = v_new;
    before.swap(used);
    used = contact_impulse;
    if (this->is_shifted())
      used += shift;
  }
  return BodyScheme<dim>::correct();
}

template <int dim>
void ThetaScheme<dim>::halve_correction()
{
  v_new.sadd(0.5, 0.5, v_before);
  used.sadd(0.5, 0.5, before);
  q_new = q;
  q_new.add(h * theta, v_new, h * (1. - theta), v);
}

template <int dim>
ImpulseNorms ThetaScheme<dim>::norms() const
{
  ImpulseNorms norms;
  const unsigned int n = body.owned_dofs.n_elements();
  if (quasi_static && has_fictitious_mass())
  {
    if (scratch.size() == 0)
      scratch = body.make_vector();
    out_of_balance(scratch);
  }
  if (n == 0)
    return norms;
  const bool with_mass = quasi_static && has_fictitious_mass();
  const double *r = &*contact_impulse.begin(), *r0 = &*used.begin(),
               *p          = &*external.begin(),
               *f          = with_mass ? &*scratch.begin() : nullptr;
  const unsigned int first = dim * body.first_owned_node;
  for (unsigned int i = 0; i < n; ++i)
  {
    if (!w.is_condensed(first + i))
      norms.residual += std::pow(r[i] - r0[i] + (with_mass ? f[i] : 0.), 2);
    norms.external += std::pow(h * p[i], 2);
    norms.contact += r[i] * r[i];
  }
  return norms;
}

template <int dim>
void ThetaScheme<dim>::advance_from_center()
{
  // (M_f + h V + h^2 K) v+ = h (P_ext - K q) + M_f c + H P
  v_free = balance;
  if (has_fictitious_mass())
  {
    w.mass_vmult(work, center);
    v_free += work;
  }
  if (!driven.empty())
  {
    w.effective_vmult(work, increment);
    v_free -= work;
  }
  w.apply(v_free);
  if (!driven.empty())
    v_free += increment;
  contact_impulse = 0.;
}

template <int dim>
void ThetaScheme<dim>::out_of_balance(Vector &f) const
{
  if (difference.size() == 0)
    difference = body.make_vector();
  difference = v_new;
  difference -= center;
  w.mass_vmult(f, difference);
}

template <int dim>
void ThetaScheme<dim>::look_at_centre(const bool with_products,
                                      double *f,
                                      double *old_times_change,
                                      double *change_times_change,
                                      double *travel)
{
  const auto piece_of = [&](const unsigned int i)
  { return body.node_piece[body.first_owned_node + i / dim]; };
  const unsigned int n = body.owned_dofs.n_elements();
  out_of_balance(work);
  for (unsigned int i = 0; i < n; ++i)
  {
    f[piece_of(i)] += std::abs(work.begin()[i]);
    double &way = travel[piece_of(i)];
    way         = std::max(way, h * std::abs(v_new.begin()[i]));
  }
  step = v_new;
  step -= center;
  // M_f (step - old_step): its product with both.
  old_step -= step;
  old_step *= -1.; // step - old_step
  if (!with_products)
    return;
  w.mass_vmult(work, old_step);
  for (unsigned int i = 0; i < n; ++i)
  {
    const double now = step.begin()[i], change = old_step.begin()[i],
                 m = work.begin()[i];
    old_times_change[piece_of(i)] += (now - change) * m;
    change_times_change[piece_of(i)] += change * m;
  }
}

template <int dim>
void ThetaScheme<dim>::move_centre(const double *omega)
{
  for (unsigned int i = 0; i < body.owned_dofs.n_elements(); ++i)
    center.begin()[i] +=
        omega[body.node_piece[body.first_owned_node + i / dim]] *
        step.begin()[i];
  advance_from_center();
  old_step.swap(step);
}

template <int dim>
double ThetaScheme<dim>::stiffness_vmult(Vector &y, const Vector &x)
{
  // K does not see translations; in floating point it does, by |K| |x| times
  // the rounding unit. So each piece's mean is taken away first.
  work                  = x;
  const bool axial_only = body.assumption == Assumption::axisymmetric;
  if (body.split)
  {
    // Sums of this rank's part, then of all.
    const unsigned int first = body.first_owned_node;
    double *values =
        body.owned_dofs.n_elements() > 0 ? &*work.begin() : nullptr;
    std::vector<double> sums((dim + 1) * body.pieces.size(), 0.);
    for (unsigned int n = first; n < body.end_owned_node; ++n)
    {
      double *sum = &sums[(dim + 1) * body.node_piece[n]];
      for (unsigned int c = 0; c < dim; ++c)
        sum[c] += values[dim * (n - first) + c];
      sum[dim] += 1.;
    }
    Utilities::MPI::sum(sums, body.communicator, sums);
    for (unsigned int n = first; n < body.end_owned_node; ++n)
    {
      const double *sum = &sums[(dim + 1) * body.node_piece[n]];
      for (unsigned int c = axial_only ? 1 : 0; c < dim; ++c)
        values[dim * (n - first) + c] -= sum[c] / sum[dim];
    }
  }
  for (const auto &piece : body.pieces)
    if (!body.split && body.owns_node(piece.first_node))
    {
      double *values =
          &*work.begin() + dim * (piece.first_node - body.first_owned_node);
      for (unsigned int c = axial_only ? 1 : 0; c < dim; ++c)
      {
        double mean = 0.;
        for (unsigned int n = 0; n < piece.n_nodes; ++n)
          mean += values[dim * n + c];
        mean /= piece.n_nodes;
        for (unsigned int n = 0; n < piece.n_nodes; ++n)
          values[dim * n + c] -= mean;
      }
    }
  body.stiffness.vmult(y, work);
  double product = 0.;
  for (unsigned int i = 0; i < body.owned_dofs.n_elements(); ++i)
    product += work.begin()[i] * y.begin()[i];
  return product;
}

template <int dim>
EnergyTerms ThetaScheme<dim>::accept()
{
  if (quasi_static)
    out_of_balance(balance);
  else
    body.mass.vmult(Mv_new, v_new);
  stiffness_vmult(Kv_new, v_new);
  const double elastic_product = stiffness_vmult(Kq_new, q_new);

  const auto &material = body.material_parameters();
  const double alpha   = quasi_static ? 0. : material.rayleigh_mass;
  const double beta    = material.rayleigh_stiffness;
  EnergyTerms terms;
  reactions.assign(dim * driven.n_conditions(), 0.);
  const unsigned int n = body.owned_dofs.n_elements();
  if (n > 0)
  {
    const double *v0 = &*v.begin(), *v1 = &*v_new.begin();
    const double *q0 = &*q.begin(), *q1 = &*q_new.begin();
    const double *Mv0 = &*Mv.begin(), *Mv1 = &*Mv_new.begin();
    const double *Kq0 = &*Kq.begin(), *Kq1 = &*Kq_new.begin();
    const double *Kv0 = &*Kv.begin(), *Kv1 = &*Kv_new.begin();
    const double *f = &*external.begin(), *r = &*contact_impulse.begin();
    const double *fictitious_impulse =
        quasi_static ? &*balance.begin() : nullptr;
    const auto damping = [&](const unsigned int i) { // V v_theta
      return alpha * (theta * Mv1[i] + (1. - theta) * Mv0[i]) +
             beta * (theta * Kv1[i] + (1. - theta) * Kv0[i]);
    };
    for (unsigned int i = 0; i < n; ++i)
    {
      const double v_theta = theta * v1[i] + (1. - theta) * v0[i];
      terms.kinetic += 0.5 * v1[i] * Mv1[i];
      terms.external += h * v_theta * f[i];
      terms.damping += h * v_theta * damping(i);
      terms.contact += v_theta * r[i];
      terms.numerical += (theta - 0.5) * ((v1[i] - v0[i]) * (Mv1[i] - Mv0[i]) +
                                          (q1[i] - q0[i]) * (Kq1[i] - Kq0[i]));
      if (quasi_static)
        terms.numerical += v1[i] * fictitious_impulse[i];
    }
    const auto first = dim * body.first_owned_node;
    for (const unsigned int dof : driven.owned())
    {
      const unsigned int i = dof - first;
      const double v_theta = theta * v1[i] + (1. - theta) * v0[i];
      const double reaction =
          Mv1[i] - Mv0[i] +
          h * (damping(i) + theta * Kq1[i] + (1. - theta) * Kq0[i] - f[i]) -
          r[i] + (quasi_static ? fictitious_impulse[i] : 0.);
      terms.driven += v_theta * reaction;
      reactions[dim * driven.condition_of(dof) + dof % dim] += reaction / h;
      this->note_reaction(dof, reaction);
    }
  }
  terms.elastic = 0.5 * elastic_product;
  q.swap(q_new);
  v.swap(v_new);
  Mv.swap(Mv_new);
  Kq.swap(Kq_new);
  Kv.swap(Kv_new);
  return terms;
}

template <int dim>
double ThetaScheme<dim>::zero_velocity()
{
  Kv = 0.;
  return BodyScheme<dim>::zero_velocity();
}

template class ThetaScheme<2>;
template class ThetaScheme<3>;
} // namespace delassus

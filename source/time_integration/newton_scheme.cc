#include <delassus/time_integration/newton_scheme.h>
#include <delassus/base/exceptions.h>
#include <delassus/time_integration/fictitious_mass.h>

#include <Epetra_CrsMatrix.h>

#include <cmath>

namespace delassus
{
using namespace dealii;

namespace
{
/// Share of the fictitious mass of the parameters that rigid motions meet,
/// where nothing else is said. Less is not better: contact is solved to a
/// tolerance of what it would be without impulses, and errors of a rotation
/// strain a stiff piece by their squares.
constexpr double rigid_mass_scale = 1e-3;
} // namespace

template <int dim>
NewtonScheme<dim>::NewtonScheme(const SolidBody<dim> &body,
                                const DrivenDofs<dim> &driven,
                                const PieceClasses &classes,
                                Loads<dim> &loads,
                                const TimeParameters &time,
                                const NewtonParameters &newton,
                                const Assumption assumption,
                                const LinearSolverParameters &solver,
                                std::shared_ptr<MemoryBudget> budget)
    : TangentOwner<dim>(body, assumption)
    , BodyScheme<dim>(body,
                      driven,
                      classes,
                      loads,
                      time,
                      solver,
                      budget,
                      TangentOwner<dim>::internal.tangent)
    , newton(newton)
{
  for (Vector *vector : { &q_theta,
                          &Mv_new,
                          &damping,
                          &residual,
                          &diagonal,
                          &v_before,
                          &held_impulse })
    vector->reinit(body.owned_dofs, body.communicator);
  free_pieces.assign(classes.n_classes(), 0.);
  work_force  = body.make_vector();
  start_force = body.make_vector();
  if (newton.matrix == CorrectingMatrix::explicit_ && !body.diagonal_mass)
    throw InputError(body.parameters().where("Mass", "entry 'Mass'") +
                     ": explicit steps (section 'Newton', entry 'Matrix') need "
                     "a diagonal mass: set Mass = lumped.");
  if (quasi_static)
    free_pieces =
        choose_fictitious_mass(body, driven, classes, time.fictitious_mass);
}

template <int dim>
void NewtonScheme<dim>::set_step(const double new_h)
{
  h = new_h;
}

template <int dim>
void NewtonScheme<dim>::begin_step(const double new_t, const bool from_rest)
{
  t               = new_t;
  first_iteration = true;
  ended           = false;
  has_held        = false;
  this->forget_shift();
  internal.begin_step();
  v_free = v;
  v_new  = v;
  if (from_rest)
    v_new = 0.;
  if (is_approximate() && !driven.empty())
  {
    this->set_driven_increments(t, v_new);
    v_new += increment;
  }
  q_new = q;
  q_new.add(h * theta, v_new, h * (1. - theta), v);
  contact_impulse = 0.;
  if (!is_approximate())
    internal.predict_pressures(q);
}

template <int dim>
bool NewtonScheme<dim>::wants_tangent(const unsigned int k,
                                      const bool slow) const
{
  switch (newton.matrix)
  {
    case CorrectingMatrix::full:
      return true;
    case CorrectingMatrix::step:
      return k == 0;
    case CorrectingMatrix::frozen:
      return !has_tangent ||
             (k == 0 && (slow || matrix_steps >= newton.frozen_steps));
    case CorrectingMatrix::two_term:
      return k == 0;
    case CorrectingMatrix::explicit_:
      return false;
    default:
      return !has_tangent;
  }
}

template <int dim>
bool NewtonScheme<dim>::evaluate(const unsigned int k,
                                 const bool with_tangent,
                                 const bool slow)
{
  if (!is_explicit())
    return evaluate(with_tangent && wants_tangent(k, slow));
  if (k == 0)
    return begin_explicit_step();
  balance(work_force);
  return true;
}

template <int dim>
bool NewtonScheme<dim>::evaluate(const bool with_tangent)
{
  // q_theta = (1-theta) q + theta q+
  q_theta = q;
  q_theta *= 1. - theta;
  q_theta.add(theta, q_new);
  force_at_q = false;
  if (!start_known)
  {
    // No time passes in this evaluation.
    if (!internal.evaluate(q, 1e-12 * h, false))
      return false;
    start_force = internal.force;
    start_known = true;
  }
  if (!internal.evaluate(q_theta, theta * h, with_tangent))
    return false;
  if (with_tangent && loads.follow() && internal.law().is_finite_strain())
  {
    loads.add_stiffness(t + h, q_theta, theta, internal.tangent);
    if (theta < 1.)
      loads.add_stiffness(t, q_theta, 1. - theta, internal.tangent);
  }
  if (with_tangent)
  {
    has_tangent = true;
    // M^-1 does not depend on it.
    tangent_is_new = newton.matrix != CorrectingMatrix::lumped &&
                     newton.matrix != CorrectingMatrix::explicit_;
    const auto &K = internal.tangent.trilinos_matrix();
    for (int i = 0; i < K.NumMyRows(); ++i)
    {
      int n = 0, *indices = nullptr;
      double *values = nullptr;
      K.ExtractMyRowView(i, n, values, indices);
      for (int k = 0; k < n; ++k)
        if (K.GCID(indices[k]) == K.GRID(i))
          diagonal.begin()[i] = values[k];
    }
  }

  // Small perturbations know the reference configuration only.
  const Vector *place = internal.law().is_finite_strain() ? &q_theta : nullptr;
  external            = loads.force(t + h, place);
  if (theta < 1. && loads.depends_on_time())
  {
    external *= theta;
    external.add(1. - theta, loads.force(t, place));
  }

  balance(internal.force);
  return true;
}

template <int dim>
void NewtonScheme<dim>::balance(const Vector &force)
{
  const auto &material = body.material_parameters();
  residual             = external;
  residual -= force;
  if (!quasi_static)
  {
    body.mass.vmult(Mv_new, v_new);
    if (material.rayleigh_mass != 0.)
    {
      damping.equ(theta * material.rayleigh_mass, Mv_new);
      damping.add((1. - theta) * material.rayleigh_mass, Mv);
    }
  }
  if (material.rayleigh_stiffness != 0.)
  {
    work.equ(theta, v_new);
    work.add(1. - theta, v);
    body.stiffness.vmult(increment, work);
    if (quasi_static || material.rayleigh_mass == 0.)
      damping = 0.;
    damping.add(material.rayleigh_stiffness, increment);
  }
  residual -= damping;
  residual *= h;
  if (!quasi_static)
  {
    residual -= Mv_new;
    residual += Mv;
  }
}

template <int dim>
bool NewtonScheme<dim>::begin_explicit_step()
{
  // The history at q is known: no time passes in this evaluation.
  if (!force_at_q && !internal.evaluate(q, 1e-12 * h, false))
    return false;
  force_at_q = true;
  ended      = false;
  work_force = internal.force;
  external   = loads.force(t, internal.law().is_finite_strain() ? &q : nullptr);
  v_new      = v;
  if (!driven.empty())
  {
    this->set_driven_increments(t, v_new);
    v_new += increment;
  }
  balance(work_force);
  return true;
}

template <int dim>
bool NewtonScheme<dim>::update_inverse(const double shift, const bool anew)
{
  if (!anew && !remake && !tangent_is_new && h == h_of_matrix)
    return false;
  h_of_matrix = 0.; // in case there is none
  if (newton.matrix == CorrectingMatrix::lumped ||
      newton.matrix == CorrectingMatrix::explicit_)
    w.reinit_lumped(h, theta, false);
  else if (newton.matrix == CorrectingMatrix::two_term)
    w.reinit_lumped(h, theta, true);
  else if (quasi_static)
  {
    // What rigid motions meet is in proportion to what resists them; what
    // deformations meet, to how indefinite the tangent has been.
    std::vector<double> factors = free_pieces, share(factors.size(), 1.);
    for (double &factor : factors)
      factor *= mass_scale;
    if (shift > 0.)
    {
      const auto all = choose_fictitious_mass(
          body, driven, classes, shift, /* also_held */ true);
      for (unsigned int c = 0; c < factors.size(); ++c)
        factors[c] = std::max(factors[c], all[c]);
    }
    for (unsigned int c = 0; c < factors.size() && c < rigid_share.size(); ++c)
      if (free_pieces[c] > 0.)
        share[c] = (rigid_share[c] < 1. ? rigid_share[c] : rigid_mass_scale) *
                   free_pieces[c] / factors[c];
    w.reinit_quasi_static(h,
                          factors,
                          share,
                          internal.law().is_finite_strain() ? &q_new : nullptr);
  }
  else
    w.reinit(h, theta);
  if (tangent_is_new)
    matrix_steps = 0;
  h_of_matrix    = h;
  tangent_is_new = remake = false;
  return true;
}

template <int dim>
bool NewtonScheme<dim>::make_heavier()
{
  // A piece under pressure that only contact holds would turn by itself.
  if (!quasi_static || !has_fictitious_mass() || mass_scale >= 0.5)
    return false;
  mass_scale *= 10.;
  return true;
}

template <int dim>
void NewtonScheme<dim>::note_iterations(const unsigned int k)
{
  ++matrix_steps;
  // Slow loops may be so because of it; where a tangent was indefinite it may
  // become less again.
  if (mass_scale > 2e-3 ? k <= 8 : k > 8)
    mass_scale = std::max(1e-6, 0.3 * mass_scale);
}

template <int dim>
typename System<dim>::FrequencyBound NewtonScheme<dim>::frequency_bound()
{
  // Approximate inverses converge, and explicit steps are stable, below a
  // bound on h omega_max.
  typename System<dim>::FrequencyBound result;
  if (!is_approximate())
    return result;
  result.bound = is_explicit() ? 2. : 1.;
  result.theta = is_explicit() ? 1. : theta;
  // The farther from the bound, the later cells can be small enough for it.
  const double margin =
      result.bound / std::max(result.theta * frequency * h, 1e-300);
  // The tangent itself is part of the two-term form.
  const double wait =
      newton.matrix == CorrectingMatrix::two_term
          ? newton.frozen_steps
          : newton.frozen_steps * (1. + 2. * std::log(std::max(1., margin)));
  if (frequency == 0. || steps_since_frequency++ >= wait)
  {
    result.known = evaluate(true);
    if (!result.known)
      return result;
    frequency             = internal.highest_frequency(frequency == 0.);
    steps_since_frequency = 0;
  }
  result.frequency = frequency;
  return result;
}

template <int dim>
void NewtonScheme<dim>::add_held_stiffness(const unsigned int node,
                                           const unsigned int other,
                                           const Tensor<2, dim> &block)
{
  for (unsigned int c = 0; c < dim; ++c)
    for (unsigned int d = 0; d < dim; ++d)
      internal.tangent.add(dim * node + c, dim * other + d, block[c][d]);
}

template <int dim>
void NewtonScheme<dim>::add_held_impulse(const unsigned int node,
                                         const Tensor<1, dim> &force)
{
  if (!has_held)
    held_impulse = 0.;
  has_held                 = true;
  const unsigned int first = dim * (node - body.first_owned_node);
  for (unsigned int c = 0; c < dim; ++c)
    held_impulse.begin()[first + c] += std::pow(h * theta, 2) * force[c];
}

template <int dim>
void NewtonScheme<dim>::halve_correction()
{
  v_new.sadd(0.5, 0.5, v_before);
  first_iteration = true; // prescribed motions have not been reached
  q_new           = q;
  q_new.add(h * theta, v_new, h * (1. - theta), v);
}

template <int dim>
void NewtonScheme<dim>::finish_held()
{
  internal.tangent.compress(VectorOperation::add);
}

template <int dim>
void NewtonScheme<dim>::free_velocity()
{
  this->forget_shift();
  v_free   = residual;
  v_before = v_new;
  if (has_held)
    v_free += held_impulse;
  has_held = false;
  // Prescribed motions enter with the first iteration, through the tangent.
  const bool driven_now =
      first_iteration && !driven.empty() && !is_approximate();
  if (driven_now)
  {
    this->set_driven_increments(t, v_new);
    w.effective_vmult(work, increment);
    v_free -= work;
  }
  w.apply(v_free);
  if (driven_now)
    v_free += increment;
  v_free += v_new;
  first_iteration = false;
  contact_impulse = 0.;
}

template <int dim>
ImpulseNorms NewtonScheme<dim>::norms() const
{
  ImpulseNorms norms;
  // F = I + grad u is rounded at 1, however small u is: a stress of E eps, and
  // a nodal force of sqrt(E V D) eps, V = m/rho the volume of the node.
  Vector mass = residual, ones = residual;
  ones = internal.law().is_finite_strain() ? 1. : 0.;
  body.mass.vmult(mass, ones);
  const double specific_stiffness =
      body.material_parameters().young_modulus / internal.law().density();
  const unsigned int first = dim * body.first_owned_node;
  const unsigned int n     = body.owned_dofs.n_elements();
  if (n == 0)
    return norms;
  const double *R = &*residual.begin(), *r = &*contact_impulse.begin(),
               *f = &*internal.force.begin(), *p = &*external.begin(),
               *D = &*diagonal.begin(), *u = &*q_new.begin(),
               *m1 = &*Mv_new.begin(), *m0 = &*Mv.begin();
  for (unsigned int i = 0; i < n; ++i)
  {
    if (!w.is_condensed(first + i))
      norms.residual += std::pow(R[i] + r[i], 2);
    if (!quasi_static)
      norms.inertia += std::pow(m1[i] - m0[i], 2);
    norms.internal += std::pow(h * f[i], 2);
    norms.external += std::pow(h * p[i], 2);
    norms.contact += r[i] * r[i];
    norms.rounding +=
        h * h *
        (std::pow(D[i] * u[i], 2) +
         4e-4 * std::abs(specific_stiffness * mass.begin()[i] * D[i]));
  }
  return norms;
}

template <int dim>
bool NewtonScheme<dim>::end_step()
{
  if (is_explicit() && !ended)
  {
    balance(work_force);
    force_at_q = false;
    ended      = true;
    return internal.evaluate(q_new, h, false);
  }
  // accept() needs the forces that the balance holds with.
  if (ended || theta == 1.)
    return true;
  work_force = internal.force;
  ended      = true;
  return internal.evaluate(q_new, h, false);
}

template <int dim>
EnergyTerms NewtonScheme<dim>::accept()
{
  if (!end_step())
    throw ComputationError(
        "The end of a step cannot be evaluated: " + internal.trouble() +
        ". Take a smaller 'Time/Step' or Theta = 1.");
  EnergyTerms terms;
  double used_work = 0., mean_work = 0.; // of internal forces
  reactions.assign(dim * driven.n_conditions(), 0.);
  const unsigned int n     = body.owned_dofs.n_elements();
  const unsigned int first = dim * body.first_owned_node;
  if (n > 0)
  {
    const double *v0 = &*v.begin(), *v1 = &*v_new.begin();
    const double *Mv0 = &*Mv.begin(), *Mv1 = &*Mv_new.begin();
    const double *f = ended ? &*work_force.begin() : &*internal.force.begin();
    const double *f0 =
        is_explicit() ? &*work_force.begin() : &*start_force.begin();
    const double *f1 = &*internal.force.begin();
    const double *p  = &*external.begin();
    const double *r = &*contact_impulse.begin(), *d = &*damping.begin();
    const double *R = &*residual.begin();
    for (unsigned int i = 0; i < n; ++i)
    {
      const double v_theta = theta * v1[i] + (1. - theta) * v0[i];
      if (!quasi_static)
      {
        terms.kinetic += 0.5 * v1[i] * Mv1[i];
        terms.numerical += (theta - 0.5) * (v1[i] - v0[i]) * (Mv1[i] - Mv0[i]);
      }
      terms.external += h * v_theta * p[i];
      terms.damping += h * v_theta * d[i];
      terms.contact += v_theta * r[i];
      used_work += h * v_theta * f[i];
      mean_work += 0.5 * h * v_theta * (f0[i] + f1[i]);
    }
    for (const unsigned int dof : driven.owned())
    {
      const unsigned int i  = dof - first;
      const double v_theta  = theta * v1[i] + (1. - theta) * v0[i];
      const double reaction = -R[i] - r[i];
      terms.driven += v_theta * reaction;
      reactions[dim * driven.condition_of(dof) + dof % dim] += reaction / h;
      this->note_reaction(dof, reaction);
    }
  }
  ended           = false;
  terms.elastic   = internal.stored;
  terms.inelastic = internal.dissipated;
  terms.numerical += used_work - mean_work;
  terms.integration = mean_work - (internal.stored - internal.stored_before) -
                      internal.dissipated;
  if (is_explicit())
    force_at_q = true;
  else
    start_force = internal.force;
  start_known = !is_explicit();
  internal.accept();
  q.swap(q_new);
  v.swap(v_new);
  Mv.swap(Mv_new);
  if (quasi_static)
    Mv = 0.;
  return terms;
}

template <int dim>
void NewtonScheme<dim>::restart()
{
  // Elastic energies are not kept: a step of no length finds them.
  if (!internal.evaluate(q, 1e-30, false))
    throw ComputationError("The state that was read cannot be evaluated: " +
                           internal.trouble());
  internal.stored_before = internal.stored;
}

template class NewtonScheme<2>;
template class NewtonScheme<3>;
} // namespace delassus

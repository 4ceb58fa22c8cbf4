// The step of rigid bodies, and what is kept of them.
#include <delassus/rigid_bodies/rigid_system.h>
#include <delassus/base/exceptions.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace delassus
{
using namespace dealii;

namespace
{
/// States of the bodies of one rank.
template <int dim>
struct SavedBodies : SavedState
{
  std::vector<unsigned int> numbers;
  std::vector<typename RigidBody<dim>::Saved> states;
};
} // namespace

template <int dim>
void RigidSystem<dim>::set_step(const double new_h)
{
  if (new_h != h)
    inverse_is_new = true;
  h = new_h;
  for (const unsigned int b : own)
    bodies[b].set_step(h);
  // Those that turn have w of the step; see begin_step().
  make_inverses(false);
}

template <int dim>
void RigidSystem<dim>::start(const double)
{
  for (const unsigned int b : own)
    bodies[b].start_driven(h);
}

template <int dim>
void RigidSystem<dim>::begin_step(const double t, const bool from_rest)
{
  for (const unsigned int b : own)
  {
    if (quasi_static && !iterates)
      bodies[b].rest();
    bodies[b].begin_step(t, h, from_rest);
  }
  for (auto &impulse : r)
    impulse = Velocity();
  set_contact_configuration(false);
  make_inverses(false);
  is_shifted = false;
  all_found  = true;
  for (const unsigned int b : own)
    all_found = bodies[b].find_free_velocity() && all_found;
}

template <int dim>
bool RigidSystem<dim>::update_inverse(const double, const bool anew)
{
  return make_inverses(anew);
}

template <int dim>
void RigidSystem<dim>::free_velocity()
{
  is_shifted = false;
  all_found  = true;
  for (const unsigned int b : own)
  {
    if (quasi_static)
      bodies[b].center_at_iterate();
    all_found = bodies[b].find_free_velocity() && all_found;
  }
}

template <int dim>
bool RigidSystem<dim>::correct()
{
  bool good = all_found;
  for (const unsigned int b : own)
    good = bodies[b].correct(r[b]) && good;
  return Utilities::MPI::min(int(good), communicator) == 1;
}

template <int dim>
void RigidSystem<dim>::halve_correction()
{
  for (const unsigned int b : own)
    bodies[b].halve_correction();
}

template <int dim>
ImpulseNorms RigidSystem<dim>::norms() const
{
  ImpulseNorms norms;
  for (const unsigned int b : own)
    for (unsigned int c = 0; c < Body::n; ++c)
      norms.contact +=
          std::pow(r[b][c] / (c < dim ? 1. : bodies[b].length()), 2);
  return norms;
}

template <int dim>
std::vector<std::array<double, 2>> RigidSystem<dim>::norms_of_pieces() const
{
  std::vector<std::array<double, 2>> result;
  for (const unsigned int b : own)
    if (bodies[b].is_free())
      result.push_back(bodies[b].norms());
  return result;
}

template <int dim>
EnergyTerms RigidSystem<dim>::accept()
{
  std::array<double, EnergyTerms::n_terms> sums{};
  for (const unsigned int b : own)
  {
    const auto terms = bodies[b].accept().values();
    for (unsigned int i = 0; i < sums.size(); ++i)
      sums[i] += terms[i];
  }
  EnergyTerms result;
  result.set_values(sums.data());
  return result;
}

template <int dim>
double RigidSystem<dim>::kinetic_energy() const
{
  double sum = 0.;
  for (const unsigned int b : own)
    sum += bodies[b].kinetic_energy();
  return sum;
}

template <int dim>
double RigidSystem<dim>::zero_velocity()
{
  double sum = 0.;
  for (const unsigned int b : own)
    sum += bodies[b].zero_velocity();
  return sum;
}

template <int dim>
bool RigidSystem<dim>::rest_unless_free()
{
  bool any = false;
  for (unsigned int b = 0; b < bodies.size(); ++b)
    if (!bodies[b].is_free() && bodies[b].settings.driven.is_zero())
    {
      bodies[b].rest();
      any = true;
    }
  return any;
}

// -- Quasi-static steps -----------------------------------------------------

template <int dim>
double RigidSystem<dim>::piece_stiffness(const unsigned int) const
{
  return std::numeric_limits<double>::max();
}

template <int dim>
double RigidSystem<dim>::resisting_stiffness(const unsigned int piece) const
{
  return fictitious[piece][0] / fictitious_share;
}

template <int dim>
bool RigidSystem<dim>::update_rigid_share()
{
  bool changed = false;
  for (unsigned int b = 0; b < bodies.size(); ++b)
    changed =
        bodies[b].set_fictitious(this->rigid_share[b] * fictitious[b][0],
                                 this->rigid_share[b] * fictitious[b][1]) ||
        changed;
  return changed && make_inverses(true);
}

template <int dim>
void RigidSystem<dim>::add_loads_of_pieces(
    double *sums,
    std::vector<RigidMotions<dim>> &motions) const
{
  constexpr unsigned int n = RigidMotions<dim>::n;
  static_assert(n == Body::n, "translations, then rotations");
  motions.assign(bodies.size(), RigidMotions<dim>());
  for (const unsigned int b : own)
  {
    const Body &body    = bodies[b];
    auto &motion        = motions[b];
    motion.origin       = body.position(Configuration::end);
    motion.size         = body.length();
    double *sum         = sums + (2 + n) * b;
    const Velocity left = body.residual(), load = body.load();
    for (unsigned int c = 0; c < n; ++c)
    {
      const double arm = c < dim ? 1. : body.length();
      sum[0] += std::abs(load[c]) / arm;
      sum[1] += std::abs(r[b][c]) / arm;
      sum[2 + c] += left[c];
    }
    for (unsigned int c = 0; c < dim; ++c)
      if (body.settings.free_translations[c])
      {
        motion.free.emplace_back();
        motion.free.back().fill(0.);
        motion.free.back()[c] = 1.;
      }
    for (const auto &axis : body.settings.free_axes)
    {
      motion.free.emplace_back();
      motion.free.back().fill(0.);
      for (unsigned int c = 0; c < n_rotations<dim>; ++c)
        motion.free.back()[dim + c] = axis[c];
    }
  }
}

template <int dim>
void RigidSystem<dim>::look_at_centre(const bool with_products,
                                      double *f,
                                      double *old_times_change,
                                      double *change_times_change,
                                      double *travel)
{
  for (const unsigned int b : own)
  {
    const auto look = bodies[b].look_at_center();
    f[b] += look.f;
    travel[b] = std::max(travel[b], look.travel);
    if (!with_products)
      continue;
    old_times_change[b] += look.old_times_change;
    change_times_change[b] += look.change_times_change;
  }
}

template <int dim>
void RigidSystem<dim>::move_centre(const double *omega)
{
  is_shifted = false;
  all_found  = true;
  for (const unsigned int b : own)
  {
    bodies[b].move_center(omega[b]);
    bodies[b].set_impulse(Velocity());
    all_found = bodies[b].find_free_velocity() && all_found;
  }
}

// -- Checkpoints and results ------------------------------------------------

template <int dim>
void RigidSystem<dim>::save_state(Archive &archive) const
{
  SavedBodies<dim> saved;
  for (const unsigned int b : own)
  {
    saved.numbers.push_back(b);
    saved.states.push_back(bodies[b].save());
  }
  archive("numbers of rigid bodies", saved.numbers);
  archive("states of rigid bodies", saved.states);
}

template <int dim>
std::unique_ptr<SavedState> RigidSystem<dim>::read_state(Archive &archive) const
{
  auto saved = std::make_unique<SavedBodies<dim>>();
  archive("numbers of rigid bodies", saved->numbers);
  archive("states of rigid bodies", saved->states);
  return saved;
}

template <int dim>
bool RigidSystem<dim>::is_same(const SavedState &saved) const
{
  return dynamic_cast<const SavedBodies<dim> &>(saved).numbers == own;
}

template <int dim>
void RigidSystem<dim>::load_state(const SavedState &saved)
{
  const auto &states = dynamic_cast<const SavedBodies<dim> &>(saved).states;
  for (std::size_t i = 0; i < own.size(); ++i)
    bodies[own[i]].load(states[i]);
}

template <int dim>
std::string RigidSystem<dim>::load_matching(
    const std::vector<std::unique_ptr<SavedState>> &parts)
{
  std::size_t n = 0;
  for (const auto &part : parts)
  {
    const auto &saved = dynamic_cast<const SavedBodies<dim> &>(*part);
    for (std::size_t i = 0; i < saved.numbers.size(); ++i)
      if (saved.numbers[i] < bodies.size())
      {
        bodies[saved.numbers[i]].load(saved.states[i]);
        ++n;
      }
  }
  return n == bodies.size() ? "" : "other rigid bodies";
}

template <int dim>
typename RigidSystem<dim>::Motions RigidSystem<dim>::gather_motions() const
{
  constexpr unsigned int n = Body::n;
  Motions result;
  for (auto *values :
       { &result.displacement, &result.velocity, &result.impulse })
    values->assign(n * bodies.size(), 0.);
  for (const unsigned int b : own)
  {
    const Velocity u = bodies[b].displacement();
    for (unsigned int c = 0; c < n; ++c)
    {
      result.displacement[n * b + c] = u[c];
      result.velocity[n * b + c] = bodies[b].velocity(Configuration::start)[c];
      result.impulse[n * b + c]  = bodies[b].last_impulse()[c];
    }
  }
  if (n_ranks > 1)
    for (auto *values :
         { &result.displacement, &result.velocity, &result.impulse })
      Utilities::MPI::sum(*values, communicator, *values);
  return result;
}

#define INSTANTIATE(dim)                                                       \
  template void RigidSystem<dim>::set_step(const double);                      \
  template void RigidSystem<dim>::start(const double);                         \
  template void RigidSystem<dim>::begin_step(const double, const bool);        \
  template bool RigidSystem<dim>::update_inverse(const double, const bool);    \
  template void RigidSystem<dim>::free_velocity();                             \
  template bool RigidSystem<dim>::correct();                                   \
  template void RigidSystem<dim>::halve_correction();                          \
  template ImpulseNorms RigidSystem<dim>::norms() const;                       \
  template std::vector<std::array<double, 2>>                                  \
  RigidSystem<dim>::norms_of_pieces() const;                                   \
  template EnergyTerms RigidSystem<dim>::accept();                             \
  template double RigidSystem<dim>::kinetic_energy() const;                    \
  template double RigidSystem<dim>::zero_velocity();                           \
  template bool RigidSystem<dim>::rest_unless_free();                          \
  template double RigidSystem<dim>::piece_stiffness(const unsigned int) const; \
  template double RigidSystem<dim>::resisting_stiffness(const unsigned int)    \
      const;                                                                   \
  template bool RigidSystem<dim>::update_rigid_share();                        \
  template void RigidSystem<dim>::add_loads_of_pieces(                         \
      double *, std::vector<RigidMotions<dim>> &) const;                       \
  template void RigidSystem<dim>::look_at_centre(                              \
      const bool, double *, double *, double *, double *);                     \
  template void RigidSystem<dim>::move_centre(const double *);                 \
  template void RigidSystem<dim>::save_state(Archive &) const;                 \
  template std::unique_ptr<SavedState> RigidSystem<dim>::read_state(Archive &) \
      const;                                                                   \
  template bool RigidSystem<dim>::is_same(const SavedState &) const;           \
  template void RigidSystem<dim>::load_state(const SavedState &);              \
  template std::string RigidSystem<dim>::load_matching(                        \
      const std::vector<std::unique_ptr<SavedState>> &);                       \
  template RigidSystem<dim>::Motions RigidSystem<dim>::gather_motions() const
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus

#include <delassus/rigid_bodies/rigid_system.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
using namespace dealii;

namespace
{
/// Bodies to ranks in order, equal numbers.
std::vector<unsigned int> share_bodies(const std::size_t n, MPI_Comm comm)
{
  const std::size_t n_ranks = Utilities::MPI::n_mpi_processes(comm);
  std::vector<unsigned int> ranks;
  for (std::size_t b = 0; b < n; ++b)
    ranks.push_back(b * n_ranks / n);
  return ranks;
}
} // namespace

template <int dim>
RigidSystem<dim>::RigidSystem(const std::vector<Given> &given,
                              const bool quasi_static,
                              const double fictitious_share,
                              std::shared_ptr<MemoryBudget> memory,
                              MPI_Comm communicator)
    : CarrierInverse<dim>(std::move(memory))
    , skin_(share_bodies(given.size(), communicator))
    , communicator(communicator)
    , n_ranks(Utilities::MPI::n_mpi_processes(communicator))
    , rank(Utilities::MPI::this_mpi_process(communicator))
    , quasi_static(quasi_static)
    , fictitious_share(fictitious_share)
{
  bodies.reserve(given.size());
  first_unknown.push_back(0);
  for (unsigned int b = 0; b < given.size(); ++b)
  {
    bodies.emplace_back(given[b].settings);
    const Body &made = bodies.back();
    skin_.add(
        made, *given[b].shape, given[b].thickness, given[b].may_be_candidate);
    if (owns(b))
      own.push_back(b);
    classes.class_of_piece.push_back(b);
    classes.representative.push_back(b);
    first_unknown.push_back(first_unknown.back() + made.n_free());
    linear       = linear && made.is_linear();
    any_turns    = any_turns || made.turns();
    turns_freely = turns_freely || !given[b].settings.free_axes.empty();
  }
  r.resize(bodies.size());
  response.resize(bodies.size());
  v_unshifted.resize(bodies.size());
  compliances.resize(bodies.size());
  fictitious.assign(bodies.size(), {});
  all_axes.resize(n_ranks > 1 ? bodies.size() : 0);
}

template <int dim>
void RigidSystem<dim>::set_fictitious(const unsigned int b,
                                      const double translations,
                                      const double rotations)
{
  fictitious[b] = { { translations, rotations } };
  bodies[b].set_fictitious(translations, rotations);
  inverse_is_new = true;
}

template <int dim>
std::size_t RigidSystem<dim>::factor_memory() const
{
  return own.size() * Body::n_carrier_dofs * Body::n_carrier_dofs *
         sizeof(double);
}

template <int dim>
std::string RigidSystem<dim>::describe_solver() const
{
  return "masses and inertias of rigid bodies";
}

// -- Carriers ---------------------------------------------------------------

template <int dim>
void RigidSystem<dim>::set_contact_configuration(const bool iterate)
{
  contact_at = iterate ? Configuration::predicted : Configuration::shifted;
  if (n_ranks == 1 || !any_turns)
    return;
  // Of bodies of other ranks, for for_each_unknown().
  std::vector<double> mine;
  for (const unsigned int b : own)
  {
    const auto places = bodies[b].carriers(contact_at);
    for (unsigned int k = 1; k < Body::n_carriers; ++k)
      for (unsigned int c = 0; c < dim; ++c)
        mine.push_back(places[k][c]);
  }
  const auto all = Utilities::MPI::all_gather(communicator, mine);
  std::vector<std::size_t> place(n_ranks, 0);
  for (unsigned int b = 0; b < bodies.size(); ++b)
  {
    const unsigned int owner = skin_.piece_owner(b);
    std::copy_n(&all[owner][place[owner]], dim * dim, all_axes[b].begin());
    place[owner] += dim * dim;
  }
}

template <int dim>
Tensor<1, dim> RigidSystem<dim>::axis(const unsigned int b,
                                      const unsigned int k) const
{
  if (n_ranks == 1 || !any_turns || owns(b))
    return bodies[b].carriers(contact_at)[k];
  Tensor<1, dim> result;
  for (unsigned int c = 0; c < dim; ++c)
    result[c] = all_axes[b][dim * (k - 1) + c];
  return result;
}

template <int dim>
void RigidSystem<dim>::carrier_values(const CarrierField field,
                                      const std::vector<unsigned int> &carriers,
                                      double *values) const
{
  // Carriers of a body mostly follow each other.
  unsigned int known = numbers::invalid_unsigned_int;
  typename Body::Carriers of_body;
  for (const unsigned int carrier : carriers)
  {
    const unsigned int b = skin_.piece_of(carrier);
    const Body &body     = bodies[b];
    const bool place     = field == CarrierField::displacement ||
                       field == CarrierField::shifted ||
                       field == CarrierField::predicted;
    if (b != known)
    {
      known = b;
      switch (field)
      {
        case CarrierField::displacement:
          of_body = body.carriers(Configuration::start);
          break;
        case CarrierField::shifted:
          of_body = body.carriers(Configuration::shifted);
          break;
        case CarrierField::predicted:
          of_body = body.carriers(Configuration::predicted);
          break;
        case CarrierField::velocity:
          of_body = body.carrier_velocities(body.velocity(Configuration::start),
                                            contact_at);
          break;
        case CarrierField::free_velocity:
          of_body = body.carrier_velocities(body.free_velocity(), contact_at);
          break;
        case CarrierField::new_velocity:
          of_body = body.carrier_velocities(body.velocity(Configuration::end),
                                            contact_at);
          break;
        case CarrierField::response:
          of_body = body.carrier_velocities(response[b], contact_at);
          break;
        default:
          of_body = typename Body::Carriers();
      }
    }
    Tensor<1, dim> value;
    for (const auto &master : skin_.masters(carrier))
      value += master.weight * of_body[master.carrier % Body::n_carriers];
    if (place)
      value -= skin_.carrier(carrier).reference;
    for (unsigned int c = 0; c < dim; ++c)
      *values++ = value[c];
  }
}

template <int dim>
void RigidSystem<dim>::generalize(const std::vector<unsigned int> &carriers,
                                  const double *impulses,
                                  std::vector<Velocity> &result) const
{
  for (const unsigned int b : own)
    result[b] = Velocity();
  for (const unsigned int carrier : carriers)
  {
    const double *impulse = impulses;
    impulses += dim;
    // Vertices hand theirs on before.
    if (skin_.is_vertex(carrier))
      continue;
    const unsigned int b = skin_.piece_of(carrier);
    typename Body::Carriers on_body;
    for (unsigned int c = 0; c < dim; ++c)
      on_body[carrier % Body::n_carriers][c] = impulse[c];
    result[b] += bodies[b].generalized_impulse(on_body, contact_at);
  }
}

template <int dim>
void RigidSystem<dim>::set_contact_impulse(
    const std::vector<unsigned int> &carriers,
    const double *impulses)
{
  generalize(carriers, impulses, r);
  for (const unsigned int b : own)
    bodies[b].set_impulse(r[b]);
}

template <int dim>
void RigidSystem<dim>::respond(const std::vector<unsigned int> &carriers,
                               const double *impulses)
{
  generalize(carriers, impulses, response);
  for (const unsigned int b : own)
    response[b] = bodies[b].effective_inverse() * response[b];
}

template <int dim>
void RigidSystem<dim>::shift_free_velocity(
    const std::vector<unsigned int> &carriers,
    const double *impulses)
{
  if (!is_shifted)
    for (const unsigned int b : own)
      v_unshifted[b] = bodies[b].free_velocity();
  is_shifted = true;
  std::vector<Velocity> s(bodies.size());
  generalize(carriers, impulses, s);
  for (const unsigned int b : own)
    bodies[b].set_free_velocity(v_unshifted[b] +
                                bodies[b].effective_inverse() * s[b]);
}

template <int dim>
bool RigidSystem<dim>::is_prescribed(const unsigned int carrier,
                                     const unsigned int c) const
{
  const auto &settings = bodies[skin_.piece_of(carrier)].settings;
  return carrier % Body::n_carriers == 0 ? !settings.free_translations[c]
                                         : settings.free_axes.empty();
}

// -- w ----------------------------------------------------------------------

template <int dim>
bool RigidSystem<dim>::make_inverses(const bool anew)
{
  const bool all = anew || inverse_is_new;
  bool changed   = false;
  for (const unsigned int b : own)
    if (bodies[b].is_free() && (all || !bodies[b].settings.free_axes.empty()))
    {
      bodies[b].update_inverse();
      bodies[b].carrier_compliance(contact_at, compliances[b]);
      changed = true;
    }
    else if (all)
      compliances[b].assign(Body::n_carrier_dofs * Body::n_carrier_dofs, 0.);
  inverse_is_new = false;
  // Alike on all ranks, whoever owns what.
  changed = all || turns_freely;
  if (changed)
    ++this->version;
  return changed;
}

template <int dim>
std::vector<double>
RigidSystem<dim>::compliance(const unsigned int b,
                             const std::vector<unsigned int> &carriers)
{
  const unsigned int n = dim * carriers.size();
  std::vector<double> C(n * n);
  entries(b, carriers, carriers, C.data());
  return C;
}

template <int dim>
void RigidSystem<dim>::entries(const unsigned int b,
                               const std::vector<unsigned int> &rows,
                               const std::vector<unsigned int> &columns,
                               double *E)
{
  const unsigned int n = dim * rows.size();
  for (unsigned int j = 0; j < dim * columns.size(); ++j)
    for (unsigned int i = 0; i < n; ++i)
      E[i + j * n] = compliances[b][(dim * rows[i / dim] + i % dim) *
                                        Body::n_carrier_dofs +
                                    dim * columns[j / dim] + j % dim];
}

template <int dim>
double
RigidSystem<dim>::effective_diagonal(const unsigned int b,
                                     const std::vector<unsigned int> &) const
{
  return bodies[b].mean_effective_mass();
}

template <int dim>
double RigidSystem<dim>::least_available() const
{
  return this->budget->available();
}

template <int dim>
void RigidSystem<dim>::for_each_entry(
    const std::function<void(std::size_t, std::size_t, double)> &add) const
{
  for (const unsigned int b : own)
    bodies[b].for_each_effective_entry(
        [&](const unsigned int i, const unsigned int j, const double value)
        { add(first_unknown[b] + i, first_unknown[b] + j, value); });
}

template <int dim>
void RigidSystem<dim>::for_each_unknown(
    const unsigned int carrier,
    const unsigned int c,
    const std::function<void(std::size_t, double)> &add) const
{
  const unsigned int b = skin_.piece_of(carrier);
  const auto &settings = bodies[b].settings;
  std::size_t unknown  = first_unknown[b];
  const unsigned int k = carrier % Body::n_carriers;
  for (unsigned int d = 0; d < dim; ++d)
    if (settings.free_translations[d])
    {
      if (k == 0 && d == c)
        add(unknown, 1.);
      ++unknown;
    }
  if (k == 0 || settings.free_axes.empty())
    return;
  const Tensor<1, dim> place = axis(b, k);
  for (const auto &turn : settings.free_axes)
    add(unknown++, turned_by<dim>(turn, place)[c]);
}

template <int dim>
void RigidSystem<dim>::for_each_velocity(
    const std::function<void(std::size_t, double, double)> &add) const
{
  for (const unsigned int b : own)
  {
    const Velocity &v_free = bodies[b].free_velocity(),
                   &v_new  = bodies[b].velocity(Configuration::end);
    const auto &settings   = bodies[b].settings;
    std::size_t unknown    = first_unknown[b];
    for (unsigned int c = 0; c < dim; ++c)
      if (settings.free_translations[c])
        add(unknown++, v_free[c], v_new[c]);
    for (const auto &turn : settings.free_axes)
    {
      double before = 0., after = 0.;
      for (unsigned int c = 0; c < n_rotations<dim>; ++c)
      {
        before += turn[c] * v_free[dim + c];
        after += turn[c] * v_new[dim + c];
      }
      add(unknown++, before, after);
    }
  }
}

template class RigidSystem<2>;
template class RigidSystem<3>;
} // namespace delassus

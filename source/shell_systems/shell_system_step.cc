// The step of shells, and what is kept of them.
#include <delassus/base/exceptions.h>
#include <delassus/shell_systems/shell_system.h>

#include <deal.II/base/mpi.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
using namespace dealii;

namespace
{
/// Share of the fictitious mass of pieces that nothing holds at the most.
constexpr double heaviest = 0.5;

/// States of the pieces of one rank, as bytes.
struct SavedPieces : SavedState
{
  std::vector<unsigned int> numbers;
  std::vector<std::array<std::size_t, 2>> sizes; ///< nodes and quads
  std::vector<std::string> states;

  void archive(Archive &archive)
  {
    archive("numbers of shells", numbers);
    archive("sizes of shells", sizes);
    archive("states of shells", states);
  }
};

std::array<std::size_t, 2> size_of(const ShellPiece &piece)
{
  return { { piece.model().n_nodes(), piece.model().n_quads() } };
}

void load(const std::string &bytes, ShellPiece &piece)
{
  Archive archive(bytes, "state of a shell");
  piece.archive(archive);
  archive.expect_end();
}
} // namespace

void ShellSystem::set_step(const double new_h)
{
  h = new_h;
}

void ShellSystem::begin_step(const double t, const bool from_rest)
{
  starts_from_rest = from_rest;
  for (const unsigned int p : own)
    pieces[p]->begin_step(t, h, from_rest);
  for (const auto &piece : pieces)
    piece->share_beginning();
  what_is_wrong.clear();
  share_arms();
}

bool ShellSystem::wants_tangent(const unsigned int k, const bool slow) const
{
  switch (newton.matrix)
  {
    case CorrectingMatrix::full:
      return true;
    case CorrectingMatrix::step:
    case CorrectingMatrix::two_term:
      return k == 0;
    case CorrectingMatrix::frozen:
    {
      // A prescribed motion that has not begun yet enters through the tangent.
      bool begins = false;
      for (const auto &piece : pieces)
        begins = begins || (starts_from_rest && piece->is_driven());
      return !has_tangent || (k == 0 && (slow || begins ||
                                         matrix_steps >= newton.frozen_steps));
    }
    default:
      return false;
  }
}

template <typename Evaluate>
bool ShellSystem::evaluate_pieces(const Evaluate &evaluate)
{
  what_is_wrong.clear();
  bool good = true;
  for (unsigned int p = 0; p < pieces.size(); ++p)
  {
    // What one rank cannot do the others still wait for where they share it.
    bool of_piece = true;
    if (owns(p) && (good || pieces[p]->is_shared()))
      of_piece = evaluate(*pieces[p]);
    else if (!owns(p) && pieces[p]->is_shared())
      of_piece = pieces[p]->help_evaluate();
    if (!of_piece && !pieces[p]->model().trouble().empty())
      what_is_wrong = fmt::format(
          "shell '{}', {}", skin_.name(), pieces[p]->model().trouble());
    good = good && of_piece;
  }
  return Utilities::MPI::min(int(good), communicator) == 1;
}

bool ShellSystem::evaluate(const unsigned int k,
                           const bool with_tangent,
                           const bool slow)
{
  what_is_wrong.clear();
  if (is_explicit())
  {
    for (const unsigned int p : own)
      pieces[p]->evaluate_beginning(k == 0);
    return true;
  }
  const bool wanted = with_tangent && wants_tangent(k, slow);
  const bool good   = evaluate_pieces([&](ShellPiece &piece)
                                    { return piece.evaluate(wanted); });
  has_tangent       = has_tangent || (good && wanted);
  tangent_is_new    = tangent_is_new || wanted;
  return good;
}

bool ShellSystem::end_step()
{
  if (!is_explicit())
    return true;
  return evaluate_pieces([](ShellPiece &piece) { return piece.end_step(); });
}

System<3>::FrequencyBound ShellSystem::frequency_bound()
{
  // Approximate inverses converge, and explicit steps are stable, below a bound
  // on h omega_max.
  FrequencyBound result;
  if (!by_mass())
    return result;
  result.bound = is_explicit() ? 2. : 1.;
  // The farther from the bound, the later elements can be small enough for it.
  const double margin = result.bound / std::max(frequency * h, 1e-300);
  const double wait =
      newton.matrix == CorrectingMatrix::two_term
          ? newton.frozen_steps
          : newton.frozen_steps * (1. + 2. * std::log(std::max(1., margin)));
  if (frequency == 0. || steps_since_frequency++ >= wait)
  {
    result.known = evaluate_pieces([](ShellPiece &piece)
                                   { return piece.evaluate_tangent(); });
    for (unsigned int p = 0; p < pieces.size() && is_explicit(); ++p)
      if (!owns(p) && pieces[p]->is_shared())
        pieces[p]->help_revert();
    if (!result.known)
      return result;
    double highest = 0.;
    for (const unsigned int p : own)
      highest =
          std::max(highest, pieces[p]->highest_frequency(frequency == 0.));
    frequency             = Utilities::MPI::max(highest, communicator);
    steps_since_frequency = 0;
  }
  result.frequency = frequency;
  return result;
}

double ShellSystem::fictitious(const unsigned int p, const double shift) const
{
  if (!quasi_static)
    return 0.;
  const double unit = pieces[p]->frequency_squared();
  double share      = shift;
  if (pieces[p]->is_free())
  {
    const double rigid = p < rigid_share.size() ? rigid_share[p] : 1.;
    share =
        std::max(share, fictitious_share * std::min(rigid, 1.) * mass_scale);
  }
  return share * unit;
}

bool ShellSystem::update_inverse(const double shift, const bool anew)
{
  // Directors turn with every iterate: w as contact sees it is another one,
  // whether it is factorized again or not.
  ++this->version;
  // So does the mass of what turns at folds.
  if (!anew && !remake && !tangent_is_new && h == h_of_matrix &&
      !(by_mass() && any_folds))
    return true;
  h_of_matrix = 0.; // in case there is none
  for (const unsigned int p : own)
  {
    pieces[p]->make_matrix(fictitious(p, shift));
    const double before = pieces[p]->factor() != nullptr
                              ? pieces[p]->factor()->memory_consumption()
                              : 0.;
    pieces[p]->factorize(solver, this->budget->available() + before);
  }
  if (tangent_is_new)
    matrix_steps = 0;
  this->budget->give_back(bytes_taken);
  bytes_taken = factor_memory();
  this->budget->take(bytes_taken);
  h_of_matrix    = h;
  tangent_is_new = remake = false;
  return true;
}

void ShellSystem::free_velocity()
{
  for (const unsigned int p : own)
    pieces[p]->free_velocity();
}

bool ShellSystem::correct()
{
  bool good = true;
  for (const unsigned int p : own)
    good = pieces[p]->correct() && good;
  return Utilities::MPI::min(int(good), communicator) == 1;
}

void ShellSystem::halve_correction()
{
  for (const unsigned int p : own)
    pieces[p]->halve_correction();
}

ImpulseNorms ShellSystem::norms() const
{
  ImpulseNorms norms;
  for (const unsigned int p : own)
    pieces[p]->add_norms(norms);
  return norms;
}

double ShellSystem::largest_strain_increment() const
{
  // Stable explicit steps strain an element by less than its deformation takes
  // to cross it.
  if (is_explicit())
    return 0.;
  double largest = 0.;
  for (unsigned int p = 0; p < pieces.size(); ++p)
    if (owns(p) || pieces[p]->is_shared())
      largest = std::max(largest, pieces[p]->largest_increment());
  return Utilities::MPI::max(largest, communicator);
}

EnergyTerms ShellSystem::accept()
{
  std::array<double, EnergyTerms::n_terms> sums{};
  for (const unsigned int p : own)
  {
    const auto terms = pieces[p]->accept().values();
    for (unsigned int i = 0; i < sums.size(); ++i)
      sums[i] += terms[i];
  }
  for (const auto &piece : pieces)
    piece->gather_memory();
  EnergyTerms result;
  result.set_values(sums.data());
  return result;
}

double ShellSystem::kinetic_energy() const
{
  double sum = 0.;
  for (const unsigned int p : own)
    sum += pieces[p]->kinetic_energy();
  return sum;
}

double ShellSystem::zero_velocity()
{
  double sum = 0.;
  for (const unsigned int p : own)
    sum += pieces[p]->zero_velocity();
  return sum;
}

void ShellSystem::add_held_stiffness(const unsigned int carrier,
                                     const unsigned int other,
                                     const Tensor<2, 3> &block)
{
  const unsigned int p = skin_.piece_of(carrier);
  if (skin_.piece_of(other) == p)
    pieces[p]->add_held_stiffness(carrier - skin_.first_carrier(p),
                                  other - skin_.first_carrier(p),
                                  block);
}

void ShellSystem::add_held_impulse(const unsigned int carrier,
                                   const Tensor<1, 3> &force)
{
  const unsigned int p = skin_.piece_of(carrier);
  pieces[p]->add_held_impulse(carrier - skin_.first_carrier(p), force);
}

// -- Quasi-static steps -------------------------------------------------------

bool ShellSystem::make_heavier()
{
  if (!quasi_static || mass_scale >= heaviest)
    return false;
  bool any = false;
  for (const auto &piece : pieces)
    any = any || piece->is_free();
  if (!any)
    return false;
  mass_scale *= 10.;
  return true;
}

void ShellSystem::note_iterations(const unsigned int k)
{
  ++matrix_steps;
  // Slow loops may be so because of it; where a tangent was indefinite it may
  // become less again.
  if (mass_scale > 2e-3 ? k <= 8 : k > 8)
    mass_scale = std::max(1e-6, 0.3 * mass_scale);
}

void ShellSystem::add_loads_of_pieces(
    double *sums,
    std::vector<RigidMotions<3>> &motions) const
{
  motions.assign(pieces.size(), RigidMotions<3>());
  for (const unsigned int p : own)
    pieces[p]->add_loads(sums + (2 + RigidMotions<3>::n) * p, motions[p]);
}

// -- Checkpoints --------------------------------------------------------------

void ShellSystem::save_state(Archive &archive) const
{
  SavedPieces saved;
  for (const unsigned int p : own)
  {
    Archive of_piece;
    pieces[p]->archive(of_piece);
    saved.numbers.push_back(p);
    saved.sizes.push_back(size_of(*pieces[p]));
    saved.states.push_back(of_piece.bytes());
  }
  saved.archive(archive);
}

std::unique_ptr<SavedState> ShellSystem::read_state(Archive &archive) const
{
  auto saved = std::make_unique<SavedPieces>();
  saved->archive(archive);
  return saved;
}

bool ShellSystem::is_same(const SavedState &saved) const
{
  const auto &there = dynamic_cast<const SavedPieces &>(saved);
  if (there.numbers != own)
    return false;
  for (std::size_t i = 0; i < own.size(); ++i)
    if (there.sizes[i] != size_of(*pieces[own[i]]))
      return false;
  return true;
}

void ShellSystem::load_state(const SavedState &saved)
{
  const auto &there = dynamic_cast<const SavedPieces &>(saved);
  for (std::size_t i = 0; i < own.size(); ++i)
    load(there.states[i], *pieces[own[i]]);
}

std::string ShellSystem::load_matching(
    const std::vector<std::unique_ptr<SavedState>> &parts)
{
  std::size_t n = 0;
  for (const auto &part : parts)
  {
    const auto &saved = dynamic_cast<const SavedPieces &>(*part);
    for (std::size_t i = 0; i < saved.numbers.size(); ++i)
    {
      const unsigned int p = saved.numbers[i];
      if (p >= pieces.size() || saved.sizes[i] != size_of(*pieces[p]))
        continue;
      load(saved.states[i], *pieces[p]);
      ++n;
    }
  }
  return n == pieces.size()
             ? ""
             : fmt::format("The elements of shell '{}' are not those of the "
                           "checkpoint. Start anew without --resume.",
                           skin_.name());
}

void ShellSystem::archive(Archive &archive)
{
  archive("fictitious mass of shells", mass_scale);
  archive("steps since the tangent of shells", matrix_steps);
}

void ShellSystem::forget()
{
  has_tangent = false;
  h_of_matrix = 0.;
  frequency   = 0.;
}
} // namespace delassus

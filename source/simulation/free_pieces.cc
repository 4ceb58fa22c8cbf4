#include <delassus/simulation/free_pieces.h>

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>
#include <queue>

namespace delassus
{
using namespace dealii;

namespace
{
/// Smaller fictitious masses leave nothing of W but its rigid part.
constexpr double smallest_share = 1e-13;

/// Softly held pieces meet a fictitious mass of so many times what resists:
/// the share s that the parameters ask for, within bounds between which few
/// iterations are needed and W is still well conditioned.
double wanted_mass(const double s)
{
  return std::min(std::max(s, 1e-4), 0.03);
}
} // namespace

template <int dim>
FreePieces<dim>::FreePieces(Model<dim> &model, ContactPhase<dim> &contact)
    : model(model)
    , contact(contact)
{
  const auto &solver = model.parameters.contact_solver;
  // Who works with the effective matrix itself needs a sparse one.
  const bool sparse = solver.type == ContactSolverType::global_admm ||
                      solver.type == ContactSolverType::global_newton ||
                      solver.dump_global;
  const bool quasi_static =
      model.parameters.time.scheme == TimeScheme::quasi_static;
  for (auto *system : model.systems)
  {
    if (!quasi_static)
      break;
    first_piece.push_back(free.size());
    for (unsigned int p = 0; p < system->skin().n_pieces(); ++p)
    {
      free.push_back(system->is_free(p));
      any = any || free.back();
      stiffness.push_back(system->piece_stiffness(p));
      resisting.push_back(system->resisting_stiffness(p));
    }
    if (sparse)
      system->keep_sparse();
    system->rigid_share.assign(system->piece_classes().n_classes(), 1.);
  }
  size.assign(free.size(), 0.);
  error = size;
  touched.assign(free.size(), false);
}

template <int dim>
std::pair<unsigned int, unsigned int>
FreePieces<dim>::body_of(const unsigned int piece) const
{
  const unsigned int b =
      std::upper_bound(first_piece.begin(), first_piece.end(), piece) -
      first_piece.begin() - 1;
  return { b, piece - first_piece[b] };
}

template <int dim>
double &FreePieces<dim>::share_of(const unsigned int system,
                                  const unsigned int piece) const
{
  auto &of = *model.systems[system];
  return of.rigid_share[of.piece_classes().class_of_piece[piece]];
}

template <int dim>
bool FreePieces<dim>::is_softly_held(const unsigned int piece) const
{
  const auto [b, number] = body_of(piece);
  return share_of(b, number) < 1.;
}

template <int dim>
void FreePieces<dim>::find_balance()
{
  // Of each piece: |h P_ext|, |H P|, and the resultants of their sum.
  constexpr unsigned int n = RigidMotions<dim>::n;
  constexpr unsigned int m = 2 + n;
  std::vector<double> sums(m * free.size(), 0.);
  std::vector<std::vector<RigidMotions<dim>>> motions;
  motions.resize(model.systems.size());
  for (unsigned int b = 0; b < model.systems.size(); ++b)
    model.systems[b]->add_loads_of_pieces(sums.data() + m * first_piece[b],
                                          motions[b]);
  // Free motions are those of the pieces' owners.
  const unsigned int n_pieces = free.size();
  std::vector<double> largest(n_pieces, 0.);
  Utilities::MPI::sum(sums, model.communicator, sums);
  resultants.assign(n * n_pieces, 0.);
  largest_size = 0.;
  for (unsigned int p = 0; p < n_pieces; ++p)
  {
    const double *sum = &sums[m * p];
    size[p]           = std::max(sum[0], sum[1]);
    if (free[p])
      largest_size = std::max(largest_size, size[p]);
    const auto [b, number] = body_of(p);
    const auto &piece      = motions[b][number];
    for (const auto &motion : piece.free)
    {
      double value = 0., norm = 0.;
      for (unsigned int k = 0; k < n; ++k)
      {
        value += motion[k] * sum[2 + k] / (k < dim ? 1. : piece.size);
        norm = std::max(norm, std::abs(motion[k]));
      }
      largest[p] = std::max(largest[p], std::abs(value) / norm);
    }
    std::copy_n(sum + 2, n, &resultants[n * p]);
  }
  Utilities::MPI::max(largest, model.communicator, largest);
  worst = 0.;
  for (unsigned int p = 0; p < n_pieces; ++p)
  {
    if (!free[p])
    {
      error[p] = 0.;
      continue;
    }
    size[p]  = std::max(size[p], 1e-3 * largest_size);
    error[p] = largest[p] > 0. ? largest[p] / size[p] : 0.;
    if (error[p] > worst)
    {
      worst       = error[p];
      worst_piece = p;
    }
  }
}

template <int dim>
std::string FreePieces<dim>::description(const unsigned int piece) const
{
  constexpr unsigned int n = RigidMotions<dim>::n;
  const auto [b, number]   = body_of(piece);
  const auto &skin         = model.systems[b]->skin();
  const double h           = model.systems[b]->step_size();
  const auto list = [&](const unsigned int begin, const unsigned int end)
  {
    std::string text;
    for (unsigned int k = begin; k < end; ++k)
      text +=
          fmt::format("{}{:.3g}",
                      k > begin ? ", " : "",
                      resultants.empty() ? 0. : resultants[n * piece + k] / h);
    return end > begin + 1 ? "(" + text + ")" : text;
  };
  std::string where;
  for (unsigned int c = 0; c < dim; ++c)
    where += fmt::format(
        "{}{:.4g}", c > 0 ? ", " : "", skin.piece_centre(number)[c]);
  return fmt::format(
      "{} at ({}) is not in balance: a force of {} and a moment of {} are "
      "left, "
      "{:.2e} of what acts on it; {}",
      skin.n_pieces() > 1
          ? fmt::format("piece {} of body '{}'", number + 1, skin.name())
          : fmt::format("body '{}'", skin.name()),
      where,
      list(0, dim),
      list(dim, n),
      error[piece],
      touched[piece] ? "what it touches does not hold it"
                     : "nothing touches it");
}

template <int dim>
bool FreePieces<dim>::find_resistance()
{
  if (!any)
    return false;
  // What presses on what: pairs of pieces (after them everything that does not
  // move) with the sum of their normal impulses.
  const unsigned int n_pieces = free.size();
  const unsigned int ground   = n_pieces;
  std::map<std::pair<unsigned int, unsigned int>, double> pairs;
  for (unsigned int a = 0; a < contact.contacts.size(); ++a)
  {
    const auto &c = contact.contacts[a];
    double P_N    = contact.P[dim * a];
    if (contact.is_tied(a)) // holds whatever way it is pulled
    {
      P_N = 0.;
      for (unsigned int k = 0; k < dim; ++k)
        P_N += std::pow(contact.P[dim * a + k], 2);
      P_N = std::sqrt(P_N);
    }
    if (!(P_N > 0.) || c.n_entries == 0)
      continue;
    const unsigned int piece = model.surfaces->nodes[c.nodes[0]].piece;
    unsigned int other       = piece;
    for (unsigned int i = 1; i < c.n_entries; ++i)
      if (model.surfaces->nodes[c.nodes[i]].piece != piece)
        other = model.surfaces->nodes[c.nodes[i]].piece;
    if (c.obstacle >= 0 && !model.obstacles[c.obstacle].is_free_body())
      other = ground;
    if (other != piece)
      pairs[{ std::min(piece, other), std::max(piece, other) }] += P_N;
  }
  std::vector<double> mine;
  for (const auto &[pair, P_N] : pairs)
  {
    mine.push_back(pair.first);
    mine.push_back(pair.second);
    mine.push_back(P_N);
  }
  pairs.clear();
  for (const auto &list : Utilities::MPI::all_gather(model.communicator, mine))
    for (std::size_t i = 0; i < list.size(); i += 3)
      pairs[{ unsigned(list[i]), unsigned(list[i + 1]) }] += list[i + 2];

  // Touches that carry next to nothing hold nothing.
  std::vector<double> total(ground + 1, 0.);
  for (const auto &[pair, P_N] : pairs)
  {
    total[pair.first] += P_N;
    total[pair.second] += P_N;
  }
  total[ground] = std::numeric_limits<double>::max();
  std::vector<std::vector<unsigned int>> neighbours(ground + 1);
  for (const auto &[pair, P_N] : pairs)
    if (P_N > 1e-3 * std::min(total[pair.first], total[pair.second]))
    {
      neighbours[pair.first].push_back(pair.second);
      neighbours[pair.second].push_back(pair.first);
    }

  // B, from what is held outwards, the stiffest first.
  constexpr double rigid = std::numeric_limits<double>::max();
  std::vector<double> B(ground + 1, 0.);
  std::priority_queue<std::pair<double, unsigned int>> queue;
  const auto reach = [&](const unsigned int i, const double value)
  {
    if (value > B[i])
    {
      B[i] = value;
      queue.push({ value, i });
    }
  };
  reach(ground, rigid);
  for (unsigned int p = 0; p < n_pieces; ++p)
  {
    touched[p] = !neighbours[p].empty();
    if (!free[p])
      reach(p, stiffness[p]);
  }
  while (!queue.empty())
  {
    const auto [value, i] = queue.top();
    queue.pop();
    if (value == B[i])
      for (const unsigned int j : neighbours[i])
        reach(j, j < n_pieces ? std::min(value, stiffness[j]) : rigid);
  }

  // Where B is of the order of k, the fictitious mass is what was asked for.
  bool changed         = false;
  const double s       = model.parameters.time.fictitious_mass;
  const auto lower_one = [&](double &share, const double ratio)
  {
    const double wanted = std::max(smallest_share, wanted_mass(s) / s * ratio);
    if (ratio < 0.1 && wanted < 0.5 * share)
    {
      share   = wanted;
      changed = true;
    }
  };
  for (unsigned int p = 0; p < n_pieces; ++p)
    if (free[p] && B[p] > 0.)
    {
      const auto [b, number] = body_of(p);
      lower_one(share_of(b, number), B[p] / resisting[p]);
    }
  if (changed)
    apply_shares();
  return changed;
}

template <int dim>
bool FreePieces<dim>::lower(const std::vector<unsigned int> &pieces,
                            const double factor)
{
  std::vector<std::pair<unsigned int, unsigned int>> classes;
  for (const unsigned int piece : pieces)
  {
    const auto [b, number] = body_of(piece);
    classes.emplace_back(
        b, model.systems[b]->piece_classes().class_of_piece[number]);
  }
  std::sort(classes.begin(), classes.end());
  classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
  bool changed = false;
  for (const auto &[b, c] : classes)
  {
    double &share = model.systems[b]->rigid_share[c];
    if (share <= smallest_share)
      continue;
    share   = std::max(factor * share, smallest_share);
    changed = true;
  }
  if (changed)
    apply_shares();
  return changed;
}

template <int dim>
void FreePieces<dim>::apply_shares()
{
  // In a Newton loop they are part of the next matrix.
  bool changed = false;
  for (auto *system : model.systems)
    changed = system->update_rigid_share() || changed;
  if (changed)
    contact.update_compliance();
}

template <int dim>
void FreePieces<dim>::archive(Archive &archive)
{
  if (!any)
    return;
  bool changed = false;
  std::vector<std::vector<double>> shares;
  for (const auto *system : model.systems)
    shares.push_back(system->rigid_share);
  archive("shares of the fictitious mass", shares);
  for (unsigned int b = 0; b < model.systems.size(); ++b)
    if (!archive.saving() && b < shares.size() &&
        shares[b].size() == model.systems[b]->rigid_share.size())
    {
      changed = changed || shares[b] != model.systems[b]->rigid_share;
      model.systems[b]->rigid_share = shares[b];
    }
  if (changed)
    apply_shares();
}

template class FreePieces<2>;
template class FreePieces<3>;
} // namespace delassus

// A sheet as contact sees it: carriers, impulses on them, unknowns.
#include <delassus/shell_systems/shell_piece.h>

#include <deal.II/base/exceptions.h>
#include <deal.II/base/tensor.h>
#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/lapack_full_matrix.h>
#include <deal.II/lac/vector.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
namespace
{
/// Constraints below this share of the strongest one hold nothing.
constexpr double holds = 1e-10;
} // namespace

ShellPiece::ShellPiece(std::unique_ptr<ShellModel> model,
                       ShellPieceSettings given,
                       const bool quasi_static,
                       const CorrectingMatrix kind)
    : shell(std::move(model))
    , settings(std::move(given))
    , quasi_static(quasi_static)
    , kind(kind)
{
  const unsigned int n = shell->n_dofs();
  for ([[maybe_unused]] const auto &motion : settings.motions)
    AssertIndexRange(motion.node, shell->n_nodes());
  for ([[maybe_unused]] const auto &nodal : settings.loads)
    AssertIndexRange(nodal.node, shell->n_nodes());
  const auto &of_mesh = shell->reference_directors();
  directors_of.resize(shell->n_nodes());
  for (unsigned int k = 0; k < of_mesh.director.size(); ++k)
    directors_of[of_mesh.node[k]].push_back(k);
  for (const auto &list : directors_of)
    folds = folds || list.size() > 1;
  // Corners of different thickness share a director: the thickest one gives its
  // length.
  rest_lengths.assign(of_mesh.director.size(), 0.);
  corner_of.resize(of_mesh.director.size());
  for (unsigned int q = 0; q < shell->n_quads(); ++q)
    for (unsigned int i = 0; i < 4; ++i)
    {
      const unsigned int k = of_mesh.corner[q][i];
      const double half    = shell->geometry(q).half[i];
      if (half > rest_lengths[k])
      {
        rest_lengths[k] = half;
        corner_of[k]    = { q, i };
      }
    }
  find_masses();
  find_pattern();
  for (auto *values : { &v,
                        &v_new,
                        &v_base,
                        &v_corrected,
                        &start_force,
                        &load,
                        &residual,
                        &driven,
                        &diagonal,
                        &free_rate,
                        &unshifted,
                        &step,
                        &r,
                        &response,
                        &work,
                        &held,
                        &base,
                        &start_residual,
                        &dq })
    values->assign(n, 0.);
  const Vector3 zero{ { 0., 0., 0. } };
  for (auto *values : { &rate, &rate_new, &rate_base, &r_director })
    values->assign(n_directors(), zero);
  contact.axes = shell->state().axes;
  contact.arm.resize(n_directors());
  set_contact_configuration(false);
  free = quasi_static && !rigid_motions().free.empty();
  if (!quasi_static)
    set_initial_velocity();
}

void ShellPiece::find_masses()
{
  node_mass.assign(shell->n_nodes(), 0.);
  director_mass.assign(shell->reference_directors().director.size(), 0.);
  size_of.assign(shell->n_nodes(), 0.);
  Vector3 low = shell->reference().nodes[0], high = low;
  for (const auto &x : shell->reference().nodes)
    for (unsigned int c = 0; c < 3; ++c)
    {
      low[c]  = std::min(low[c], x[c]);
      high[c] = std::max(high[c], x[c]);
    }
  const double extent = norm(high - low);
  std::vector<double> mass(director_mass.size(), 0.), area = mass;
  for (unsigned int q = 0; q < shell->n_quads(); ++q)
  {
    const auto &section = shell->section(q);
    std::array<double, 4> m, J;
    shell_mass(shell->geometry(q), section, m, J);
    for (unsigned int i = 0; i < 4; ++i)
    {
      const unsigned int node = shell->reference().quads[q][i];
      node_mass[node] += m[i];
      const unsigned int k = shell->reference_directors().corner[q][i];
      director_mass[k] += J[i];
      mass[k] += m[i];
      area[k] += 0.25 * shell->geometry(q).area;
      size_of[node] += 0.25 * shell->geometry(q).area;
      total_mass += m[i];
    }
    const auto &point      = section.points()[0];
    const double modulus   = point.law->thickness_modulus(),
                 density   = point.law->density(),
                 thickness = 2. * shell->geometry(q).half[0];
    bending                = std::max(bending,
                       modulus / density *
                           std::pow(thickness / (extent * extent), 2));
  }
  for (double &size : size_of)
    size = std::sqrt(size);
  for (std::size_t k = 0; k < mass.size(); ++k)
    director_mass[k] =
        std::max(director_mass[k], settings.least_rotary * mass[k] * area[k]);
}

void ShellPiece::find_pattern()
{
  dof_of.resize(shell->n_unknowns());
  node_of_dof.resize(shell->n_dofs());
  own_rows.assign(shell->n_unknowns(), 0);
  const auto &K = shell->tangent();
  for (unsigned int node = 0; node < shell->n_nodes(); ++node)
  {
    int first = -1;
    for (unsigned int i = shell->dof(node);
         i < shell->dof(node) + 3 + shell->n_rotations(node);
         ++i)
    {
      node_of_dof[i] = node;
      const int u    = shell->unknown(i);
      if (u < 0)
        continue;
      dof_of[u] = i;
      first     = first < 0 ? u : first;
      // Where, in its column, the rows of the node's own unknowns begin.
      const auto begin = K.row.begin() + K.column_start[u],
                 end   = K.row.begin() + K.column_start[u + 1];
      own_rows[u]      = std::lower_bound(begin, end, first) - K.row.begin();
      Assert(K.row[own_rows[u]] == first, dealii::ExcInternalError());
    }
  }
}

double ShellPiece::length(const unsigned int k) const
{
  const auto [q, i] = corner_of[k];
  return rest_lengths[k] * shell->beginning().half[q][i] /
         shell->geometry(q).half[i];
}

Vector3 ShellPiece::rest_carrier(const unsigned int carrier) const
{
  if (carrier < shell->n_nodes())
    return shell->reference().nodes[carrier];
  const unsigned int k = carrier - shell->n_nodes();
  return rest_lengths[k] * shell->reference_directors().director[k];
}

void ShellPiece::set_contact_configuration(const bool iterate)
{
  // Explicit steps turn nodes about axes of the beginning, by their moments
  // there.
  at_iterate    = iterate && !is_explicit();
  const auto &d = at_iterate ? shell->state().d : shell->beginning().d;
  for (unsigned int k = 0; k < n_directors(); ++k)
    contact.arm[k] = length(k) * d[k];
}

Vector3 ShellPiece::turn_of(const unsigned int node,
                            const std::vector<double> &values) const
{
  Vector3 turn{ { 0., 0., 0. } };
  for (unsigned int a = 0; a < shell->n_rotations(node); ++a)
    turn = turn + values[shell->dof(node) + 3 + a] * contact.axes[node][a];
  return turn;
}

Vector3 ShellPiece::carrier_value(const CarrierField field,
                                  const unsigned int carrier) const
{
  const bool is_node      = carrier < shell->n_nodes();
  const unsigned int k    = is_node ? 0 : carrier - shell->n_nodes();
  const unsigned int node = is_node ? carrier : node_of(carrier);
  const unsigned int dof  = shell->dof(node);
  // A change of velocities, and what the carrier had before.
  const auto moved = [&](const std::vector<double> &base,
                         const std::vector<Vector3> &base_rate,
                         const std::vector<double> &change) -> Vector3
  {
    if (is_node)
      return { { base[dof] + change[dof],
                 base[dof + 1] + change[dof + 1],
                 base[dof + 2] + change[dof + 2] } };
    return length(k) * base_rate[k] +
           cross(turn_of(node, change), contact.arm[k]);
  };
  switch (field)
  {
    case CarrierField::displacement:
    case CarrierField::shifted:
    case CarrierField::predicted:
    {
      const ShellState &state = field == CarrierField::predicted
                                    ? shell->state()
                                    : shell->beginning();
      return (is_node ? state.x[node] : length(k) * state.d[k]) -
             rest_carrier(carrier);
    }
    case CarrierField::velocity:
      if (is_node)
        return { { v[dof], v[dof + 1], v[dof + 2] } };
      return length(k) * rate[k];
    case CarrierField::free_velocity:
      return moved(v_base, rate_base, free_rate);
    case CarrierField::new_velocity:
      if (is_node)
        return { { v_new[dof], v_new[dof + 1], v_new[dof + 2] } };
      return (h > 0. ? length(k) / h : 0.) *
             (shell->state().d[k] - shell->beginning().d[k]);
    case CarrierField::response:
      if (is_node)
        return { { response[dof], response[dof + 1], response[dof + 2] } };
      return cross(turn_of(node, response), contact.arm[k]);
    case CarrierField::stiffness:
    {
      if (is_node)
        return { { diagonal[dof], diagonal[dof + 1], diagonal[dof + 2] } };
      double sum = 0.;
      for (unsigned int a = 0; a < shell->n_rotations(node); ++a)
        sum += diagonal[dof + 3 + a] / shell->n_rotations(node);
      sum /= length(k) * length(k);
      return { { sum, sum, sum } };
    }
    default:
      return { { 0., 0., 0. } };
  }
}

bool ShellPiece::is_prescribed(const unsigned int carrier,
                               const unsigned int c) const
{
  if (carrier < shell->n_nodes())
    return shell->unknown(shell->dof(carrier) + c) < 0;
  const unsigned int node = node_of(carrier);
  for (unsigned int a = 0; a < shell->n_rotations(node); ++a)
    if (shell->unknown(shell->dof(node) + 3 + a) >= 0)
      return false;
  return true;
}

// -- Impulses -----------------------------------------------------------------

void ShellPiece::begin_impulses(const Impulses kind)
{
  receiving = kind;
  auto &to  = kind == Impulses::contact ? r : work;
  std::fill(to.begin(), to.end(), 0.);
  if (kind == Impulses::contact)
    std::fill(r_director.begin(), r_director.end(), Vector3{ { 0., 0., 0. } });
}

void ShellPiece::add_impulse(const unsigned int carrier, const Vector3 &P)
{
  auto &to                = receiving == Impulses::contact ? r : work;
  const bool is_node      = carrier < shell->n_nodes();
  const unsigned int node = is_node ? carrier : node_of(carrier);
  const unsigned int dof  = shell->dof(node);
  if (is_node)
  {
    for (unsigned int c = 0; c < 3; ++c)
      to[dof + c] += P[c];
    return;
  }
  // P . (a x arm) = a . (arm x P)
  const unsigned int k = carrier - shell->n_nodes();
  const Vector3 moment = cross(contact.arm[k], P);
  for (unsigned int a = 0; a < shell->n_rotations(node); ++a)
    to[dof + 3 + a] += dot(contact.axes[node][a], moment);
  if (receiving == Impulses::contact)
    r_director[k] = r_director[k] + P;
}

void ShellPiece::finish_impulses()
{
  if (receiving == Impulses::response)
    apply_inverse(work, response);
  else if (receiving == Impulses::shift)
  {
    if (!shifted)
      unshifted = free_rate;
    shifted = true;
    apply_inverse(work, free_rate);
    for (unsigned int i = 0; i < free_rate.size(); ++i)
      free_rate[i] += unshifted[i];
  }
}

void ShellPiece::add_held_stiffness(const unsigned int carrier,
                                    const unsigned int other,
                                    const dealii::Tensor<2, 3> &block)
{
  SymmetricMatrix &K = shell->tangent();
  for (unsigned int c = 0; c < 3; ++c)
    for (unsigned int d = 0; d < 3; ++d)
      for_each_unknown(
          other,
          d,
          [&](const unsigned int column, const double b)
          {
            const auto begin = K.row.begin() + K.column_start[column],
                       end   = K.row.begin() + K.column_start[column + 1];
            for_each_unknown(carrier,
                             c,
                             [&](const unsigned int row, const double a)
                             {
                               // Far parts of a sheet are not coupled by K.
                               const auto place =
                                   std::lower_bound(begin, end, int(row));
                               if (place != end && *place == int(row))
                                 K.value[place - K.row.begin()] +=
                                     a * block[c][d] * b;
                             });
          });
}

void ShellPiece::add_held_impulse(const unsigned int carrier,
                                  const dealii::Tensor<1, 3> &force)
{
  has_held = true;
  for (unsigned int c = 0; c < 3; ++c)
    for_each_unknown(carrier,
                     c,
                     [&](const unsigned int u, const double weight)
                     { held[dof_of[u]] += h * h * weight * force[c]; });
}

void ShellPiece::apply_inverse(const std::vector<double> &b,
                               std::vector<double> &x)
{
  reduced.resize(dof_of.size());
  for (unsigned int u = 0; u < dof_of.size(); ++u)
    reduced[u] = b[dof_of[u]];
  if (factor() != nullptr)
    factor()->solve(reduced.data(), 1);
  std::fill(x.begin(), x.end(), 0.);
  for (unsigned int u = 0; u < dof_of.size(); ++u)
    x[dof_of[u]] = reduced[u];
}

void ShellPiece::for_each_velocity(
    const std::function<void(unsigned int, double, double)> &add) const
{
  for (unsigned int node = 0; node < shell->n_nodes(); ++node)
  {
    const unsigned int dof = shell->dof(node);
    const Vector3 going_on = turning(node, shell->state().d, rate_base);
    for (unsigned int c = 0; c < 3 + shell->n_rotations(node); ++c)
    {
      const int u = shell->unknown(dof + c);
      if (u < 0)
        continue;
      const double before = is_explicit() ? base[dof + c]
                            : c < 3       ? v_base[dof + c]
                                    : dot(going_on, contact.axes[node][c - 3]);
      add(u, before + free_rate[dof + c], before + step[dof + c]);
    }
  }
}

double
ShellPiece::effective_diagonal(const std::vector<unsigned int> &carriers) const
{
  double sum     = 0.;
  unsigned int n = 0;
  for (const unsigned int carrier : carriers)
  {
    const bool is_node      = carrier < shell->n_nodes();
    const unsigned int node = is_node ? carrier : node_of(carrier);
    const unsigned int dof  = shell->dof(node) + (is_node ? 0 : 3);
    // Of a director: moments as impulses on its length.
    const double arm =
        is_node ? 1. : norm(contact.arm[carrier - shell->n_nodes()]);
    for (unsigned int a = 0; a < (is_node ? 3 : shell->n_rotations(node)); ++a)
    {
      const int u = shell->unknown(dof + a);
      if (u < 0)
        continue;
      ++n;
      if (by_mass())
      {
        sum += mass_inverse->mass(u, u) / (arm * arm);
        continue;
      }
      const auto begin = A.row.begin() + A.column_start[u],
                 end   = A.row.begin() + A.column_start[u + 1];
      sum += A.value[std::lower_bound(begin, end, u) - A.row.begin()] /
             (arm * arm);
    }
  }
  return n > 0 ? sum / n : 0.;
}

// -- Rigid motions --------------------------------------------------------

RigidMotions<3> ShellPiece::rigid_motions() const
{
  RigidMotions<3> motions;
  const auto &x = shell->state().x;
  Vector3 sum{ { 0., 0., 0. } };
  for (unsigned int node = 0; node < shell->n_nodes(); ++node)
    sum = sum + node_mass[node] / total_mass * x[node];
  motions.size = 0.;
  for (const auto &place : x)
    motions.size = std::max(motions.size, norm(place - sum));
  for (unsigned int c = 0; c < 3; ++c)
    motions.origin[c] = sum[c];
  // What prescribed dofs make of each motion, as a sum of squares: free motions
  // are those that they do not see.
  dealii::LAPACKFullMatrix<double> gram(6, 6);
  gram           = 0.;
  const auto add = [&](const RigidMotions<3>::Values &row)
  {
    for (unsigned int a = 0; a < 6; ++a)
      for (unsigned int b = 0; b < 6; ++b)
        gram(a, b) += row[a] * row[b];
  };
  bool any = false;
  for (unsigned int i = 0; i < shell->n_dofs(); ++i)
  {
    if (shell->unknown(i) >= 0)
      continue;
    any                     = true;
    const unsigned int node = node_of_dof[i], c = i - shell->dof(node);
    RigidMotions<3>::Values row{};
    if (c < 3)
      row = motions.at(dealii::Point<3>(x[node][0], x[node][1], x[node][2]), c);
    else
      for (unsigned int b = 0; b < 3; ++b)
        row[3 + b] = shell->state().axes[node][c - 3][b];
    add(row);
  }
  if (!any)
  {
    for (unsigned int a = 0; a < 6; ++a)
    {
      motions.free.emplace_back();
      motions.free.back().fill(0.);
      motions.free.back()[a] = 1.;
    }
    return motions;
  }
  double trace = 0.;
  for (unsigned int a = 0; a < 6; ++a)
    trace += gram(a, a);
  dealii::Vector<double> values;
  dealii::FullMatrix<double> vectors;
  gram.compute_eigenvalues_symmetric(
      -trace, holds * trace, 1e-3 * holds * trace, values, vectors);
  for (unsigned int j = 0; j < values.size(); ++j)
  {
    motions.free.emplace_back();
    for (unsigned int a = 0; a < 6; ++a)
      motions.free.back()[a] = vectors(a, j);
  }
  return motions;
}

void ShellPiece::add_loads(double *sums, RigidMotions<3> &motions) const
{
  motions         = rigid_motions();
  const auto &x   = shell->state().x;
  const Vector3 o = {
    { motions.origin[0], motions.origin[1], motions.origin[2] }
  };
  for (unsigned int node = 0; node < shell->n_nodes(); ++node)
    for (unsigned int c = 0; c < 3 + shell->n_rotations(node); ++c)
    {
      const unsigned int i = shell->dof(node) + c;
      if (shell->unknown(i) < 0)
        continue;
      const double arm = c < 3 ? 1. : size_of[node];
      sums[0] += std::abs(h * load[i]) / arm;
      sums[1] += std::abs(r[i]) / arm;
      const double impulse = h * load[i] + r[i];
      Vector3 force{ { 0., 0., 0. } }, moment;
      if (c < 3)
      {
        force[c] = impulse;
        moment   = cross(x[node] - o, force);
      }
      else
        moment = impulse * contact.axes[node][c - 3];
      for (unsigned int b = 0; b < 3; ++b)
      {
        sums[2 + b] += force[b];
        sums[5 + b] += moment[b];
      }
    }
  // As add_norms(): what presses on both sides.
  for (unsigned int k = 0; k < n_directors(); ++k)
    sums[1] += std::abs(dot(shell->state().d[k], r_director[k]));
}
} // namespace delassus

#include <delassus/base/assert.h>
#include <delassus/base/exceptions.h>
#include <delassus/shells/shell_model.h>

#include <fmt/format.h>

#include <algorithm>

namespace delassus
{
ShellModel::ShellModel(const ShellMesh &mesh,
                       const ShellDirectors &directors,
                       ShellProperties given)
    : mesh(mesh)
    , directors(directors)
    , properties(std::move(given))
    , fixed(mesh.nodes.size(), std::array<bool, 6>{})
{
  if (properties.section_of_quad.empty())
    properties.section_of_quad.assign(n_quads(), 0);
  DELASSUS_ASSERT(properties.section_of_quad.size() == n_quads() &&
                      properties.thickness_of_quad.size() == n_quads(),
                  "each quad has a section and a thickness");
  std::vector<double> thickness;
  for (const auto &t : properties.thickness_of_quad)
    thickness.push_back(*std::min_element(t.begin(), t.end()));
  mesh_warnings = check_shell_mesh(mesh, thickness, properties.name);

  begin.x = mesh.nodes;
  begin.d = directors.director;
  begin.modes.resize(n_quads());
  n_directors.assign(n_nodes(), 0);
  for (const unsigned int node : directors.node)
    ++n_directors[node];
  first_dof.assign(1, 0);
  for (unsigned int node = 0; node < n_nodes(); ++node)
    first_dof.push_back(first_dof.back() + 3 +
                        (n_directors[node] == 0   ? 0
                         : n_directors[node] == 1 ? 2
                                                  : 3));

  std::size_t n_history = 0, n_across = 0;
  for (unsigned int q = 0; q < n_quads(); ++q)
  {
    std::array<Vector3, 4> d;
    for (unsigned int i = 0; i < 4; ++i)
      d[i] = begin.d[directors.corner[q][i]];
    geometries.push_back(make_shell_geometry(mesh.corners(q),
                                             d,
                                             properties.thickness_of_quad[q],
                                             properties.rolling,
                                             properties.formulation));
    const Vector3 centre = mesh.centre(q);
    const auto where     = [&]()
    {
      return fmt::format("Shell {}: element {} at ({:.6g}, {:.6g}, {:.6g})",
                         properties.name,
                         q,
                         centre[0],
                         centre[1],
                         centre[2]);
    };
    for (const ShellPoint &p : geometries.back().point)
    {
      if (!(p.J[0] + p.J[1] + p.J[2] > 0. && p.J[0] - p.J[1] + p.J[2] > 0.))
        throw InputError(where() +
                         " is thicker than its curvature allows: its inner "
                         "face is folded over.");
      // Within some degrees of the normal its trace is what the mesh makes it.
      if (norm(properties.rolling) > 0. &&
          !(norm(cross(properties.rolling, p.normal)) >
            std::sin(default_fold_angle) * norm(properties.rolling)))
      {
        if (n_across == 0)
          mesh_warnings.push_back(
              where() + " is across the rolling direction, which says nothing "
                        "about the axes of its material there.");
        ++n_across;
      }
    }
    begin.half.push_back(geometries.back().half);
    begin.modes[q].z = shell_values(mesh.corners(q), d, begin.half[q]);
    first_history.push_back(n_history);
    n_history += 4 * section(q).n_history();
  }
  begin.history.resize(n_history);
  for (unsigned int q = 0; q < n_quads(); ++q)
    for (unsigned int p = 0; p < 4; ++p)
      section(q).initialize(begin.history.data() + first_history[q] +
                            p * section(q).n_history());
  thickness_strains.assign(n_quads(), std::array<double, 4>{});
  accepted_strains = thickness_strains;
  accepted_halves  = begin.half;
}

void ShellModel::fix(const unsigned int node, const ShellComponent component)
{
  DELASSUS_ASSERT(!is_set_up, "dofs are prescribed before they are numbered");
  fixed[node][static_cast<unsigned int>(component)] = true;
}

void ShellModel::clamp(const unsigned int node)
{
  DELASSUS_ASSERT(!is_set_up, "dofs are prescribed before they are numbered");
  fixed[node].fill(true);
}

void ShellModel::set_axes()
{
  begin.axes.assign(
      n_nodes(),
      { { { { 1., 0., 0. } }, { { 0., 1., 0. } }, { { 0., 0., 1. } } } });
  fixed_dof.assign(n_dofs(), false);
  for (unsigned int node = 0; node < n_nodes(); ++node)
    for (unsigned int c = 0; c < 3 + n_rotations(node); ++c)
      fixed_dof[dof(node) + c] = fixed[node][c];
  for (unsigned int i = 0; i < directors.director.size(); ++i)
  {
    const unsigned int node = directors.node[i];
    if (n_rotations(node) != 2)
      continue;
    // Turning about a free axis e moves the director as turning about its part
    // in the tangent plane does: sum of e e^t over these axes, in the plane.
    const std::array<Vector3, 2> t = tangents(begin.d[i]);
    double g00 = 0., g01 = 0., g11 = 0.;
    for (unsigned int c = 0; c < 3; ++c)
      if (!fixed[node][3 + c])
      {
        g00 += t[0][c] * t[0][c];
        g01 += t[0][c] * t[1][c];
        g11 += t[1][c] * t[1][c];
      }
    // Principal axes; a direction is free if more is left of it than what
    // directors are off planes of symmetry, where they are means of one side.
    const double angle = 0.5 * std::atan2(2. * g01, g00 - g11),
                 c = std::cos(angle), s = std::sin(angle);
    const Vector3 a[2] = { c * t[0] + s * t[1], c * t[1] - s * t[0] };
    const double mean  = 0.5 * (g00 + g11),
                 radius =
                     std::sqrt(0.25 * (g00 - g11) * (g00 - g11) + g01 * g01),
                 least    = std::sin(default_fold_angle),
                 share[2] = { mean + radius, mean - radius };
    for (unsigned int k = 0; k < 2; ++k)
    {
      begin.axes[node][k]          = a[k];
      fixed_dof[dof(node) + 3 + k] = !(share[k] > least * least);
    }
    begin.axes[node][2] = begin.d[i];
  }
}

void ShellModel::set_up()
{
  set_axes();
  unknown_of_dof.assign(n_dofs(), -1);
  n_free = 0;
  for (unsigned int i = 0; i < n_dofs(); ++i)
    if (!fixed_dof[i])
      unknown_of_dof[i] = n_free++;
  make_pattern();
  internal_force.assign(n_dofs(), 0.);
  driven_force.assign(n_dofs(), 0.);
  now       = begin;
  is_set_up = true;
}

void ShellModel::make_pattern()
{
  std::vector<std::vector<unsigned int>> neighbours(n_nodes());
  for (const auto &quad : mesh.quads)
    for (const unsigned int a : quad)
      neighbours[a].insert(neighbours[a].end(), quad.begin(), quad.end());
  const auto n_unknowns_of = [this](const unsigned int node)
  {
    unsigned int n = 0;
    for (unsigned int i = first_dof[node]; i < first_dof[node + 1]; ++i)
      n += unknown_of_dof[i] >= 0;
    return n;
  };
  matrix.n = n_free;
  matrix.column_start.assign(1, 0);
  matrix.row.clear();
  for (unsigned int node = 0; node < n_nodes(); ++node)
  {
    auto &list = neighbours[node];
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    for (unsigned int k = n_unknowns_of(node); k > 0; --k)
    {
      for (const unsigned int other : list)
        for (unsigned int i = first_dof[other]; i < first_dof[other + 1]; ++i)
          if (unknown_of_dof[i] >= 0)
            matrix.row.push_back(unknown_of_dof[i]);
      matrix.column_start.push_back(matrix.row.size());
    }
  }
  matrix.value.assign(matrix.row.size(), 0.);

  block.resize(n_quads());
  for (unsigned int q = 0; q < n_quads(); ++q)
    for (unsigned int j = 0; j < 4; ++j)
      for (unsigned int i = 0; i < 4; ++i)
      {
        int offset = 0;
        for (const unsigned int other : neighbours[mesh.quads[q][j]])
        {
          if (other == mesh.quads[q][i])
            break;
          offset += n_unknowns_of(other);
        }
        block[q][j][i] = offset;
      }
}

void ShellModel::update(const std::vector<double> &dq)
{
  DELASSUS_ASSERT(dq.size() == n_dofs(), "a value for each dof");
  moved = true;
  turn.assign(n_nodes(), { { 0., 0., 0. } });
  for (unsigned int node = 0; node < n_nodes(); ++node)
  {
    const double *values = dq.data() + dof(node);
    for (unsigned int c = 0; c < 3; ++c)
      now.x[node][c] += values[c];
    const unsigned int n = n_rotations(node);
    for (unsigned int k = 0; k < n; ++k)
      turn[node] = turn[node] + values[3 + k] * now.axes[node][k];
    if (n == 2)
      for (Vector3 &axis : now.axes[node])
        axis = unit(rotated(turn[node], axis));
  }
  for (unsigned int i = 0; i < now.d.size(); ++i)
    now.d[i] = unit(rotated(turn[directors.node[i]], now.d[i]));
}

void ShellModel::accept()
{
  accepted_strains = thickness_strains;
  accepted_halves  = now.half;
  if (properties.follow_thickness)
    set_thickness();
  begin = now;
  moved = false;
}

void ShellModel::revert()
{
  if (moved)
    now = begin;
  moved = false;
}

void ShellModel::mark()
{
  marked.x    = now.x;
  marked.d    = now.d;
  marked.axes = now.axes;
}

void ShellModel::go_back()
{
  moved    = true;
  now.x    = marked.x;
  now.d    = marked.d;
  now.axes = marked.axes;
}

void ShellModel::archive(Archive &archive)
{
  const auto sizes = [this]() -> std::array<std::size_t, 4>
  {
    return { { begin.x.size(),
               begin.d.size(),
               begin.modes.size(),
               begin.history.size() } };
  };
  const auto expected = sizes();
  archive("positions", begin.x);
  archive("directors", begin.d);
  archive("axes of rotations", begin.axes);
  archive("half thickness", begin.half);
  archive("enhanced modes", begin.modes);
  archive("history", begin.history);
  archive("thickness strains", thickness_strains);
  archive("thickness strains accepted", accepted_strains);
  archive("half thickness of the forces", accepted_halves);
  archive("internal forces", internal_force);
  archive("stored energy", stored_energy);
  if (archive.saving())
    return;
  if (sizes() != expected)
    throw InputError(fmt::format(
        "Shell {}: the checkpoint has other nodes, folds, elements, layers or "
        "points through the thickness ({} nodes, {} directors, {} elements, {} "
        "values of history "
        "instead of {}, {}, {}, {}).",
        properties.name,
        sizes()[0],
        sizes()[1],
        sizes()[2],
        sizes()[3],
        expected[0],
        expected[1],
        expected[2],
        expected[3]));
  now = begin;
}

void ShellModel::set_thickness()
{
  // Means over the elements of a director: it is one length that they share.
  std::vector<double> sum(now.d.size(), 0.), weight(now.d.size(), 0.);
  for (unsigned int q = 0; q < n_quads(); ++q)
    for (unsigned int i = 0; i < 4; ++i)
    {
      const auto &e        = thickness_strains[q];
      const unsigned int k = directors.corner[q][i];
      sum[k] += 0.25 * (e[0] + e[1] + e[2] + e[3]) * geometries[q].area;
      weight[k] += geometries[q].area;
    }
  for (unsigned int q = 0; q < n_quads(); ++q)
    for (unsigned int i = 0; i < 4; ++i)
    {
      const unsigned int k = directors.corner[q][i];
      now.half[q][i] = geometries[q].half[i] * std::exp(sum[k] / weight[k]);
    }
}

ShellValues ShellModel::values(const ShellState &state,
                               const unsigned int quad) const
{
  std::array<Vector3, 4> x, d;
  for (unsigned int i = 0; i < 4; ++i)
  {
    x[i] = state.x[mesh.quads[quad][i]];
    d[i] = state.d[directors.corner[quad][i]];
  }
  return shell_values(x, d, state.half[quad]);
}

std::array<double, 3> ShellModel::strain(const unsigned int quad,
                                         const unsigned int point,
                                         const double zeta) const
{
  return shell_strain(geometries[quad],
                      properties.formulation,
                      values(now, quad),
                      now.modes[quad],
                      point,
                      zeta);
}

double ShellModel::largest_increment(const unsigned int first,
                                     const unsigned int last) const
{
  double largest = 0.;
  for (unsigned int q = first; q < last; ++q)
  {
    const ShellValues z = values(now, q), z0 = values(begin, q);
    for (unsigned int p = 0; p < 4; ++p)
      for (const double zeta : { -1., 1. })
      {
        const auto E  = shell_strain(geometries[q],
                                    properties.formulation,
                                    z,
                                    now.modes[q],
                                    p,
                                    zeta),
                   E0 = shell_strain(geometries[q],
                                     properties.formulation,
                                     z0,
                                     begin.modes[q],
                                     p,
                                     zeta);
        for (unsigned int i = 0; i < 3; ++i)
          largest = std::max(largest, std::abs(E[i] - E0[i]));
      }
  }
  for (std::size_t i = 0; i < now.d.size(); ++i)
    largest = std::max(
        largest,
        2. * std::asin(std::min(1., 0.5 * norm(now.d[i] - begin.d[i]))));
  return largest;
}

double ShellModel::thickness(const unsigned int quad) const
{
  double sum = 0.;
  for (unsigned int i = 0; i < 4; ++i)
    sum +=
        0.5 * geometries[quad].half[i] * std::exp(thickness_strains[quad][i]);
  return sum;
}

std::vector<double> ShellModel::lumped_mass(const double least_rotary) const
{
  std::vector<double> values(n_dofs(), 0.), area(n_nodes(), 0.),
      rotary(n_nodes(), 0.);
  for (unsigned int q = 0; q < n_quads(); ++q)
  {
    std::array<double, 4> m, J;
    shell_mass(geometries[q], section(q), m, J);
    for (unsigned int i = 0; i < 4; ++i)
    {
      const unsigned int node = mesh.quads[q][i];
      for (unsigned int c = 0; c < 3; ++c)
        values[dof(node) + c] += m[i];
      rotary[node] += J[i];
      area[node] += 0.25 * geometries[q].area;
    }
  }
  for (unsigned int node = 0; node < n_nodes(); ++node)
    for (unsigned int k = 0; k < n_rotations(node); ++k)
      values[dof(node) + 3 + k] =
          std::max(rotary[node], least_rotary * values[dof(node)] * area[node]);
  return values;
}

std::array<Vector3, 2> ShellModel::resultant() const
{
  std::array<Vector3, 2> sum{};
  for (unsigned int node = 0; node < n_nodes(); ++node)
  {
    const double *f = internal_force.data() + dof(node);
    const Vector3 force{ { f[0], f[1], f[2] } };
    sum[0] = sum[0] + force;
    sum[1] = sum[1] + cross(now.x[node], force);
    for (unsigned int k = 0; k < n_rotations(node); ++k)
      sum[1] = sum[1] + f[3 + k] * now.axes[node][k];
  }
  return sum;
}
} // namespace delassus

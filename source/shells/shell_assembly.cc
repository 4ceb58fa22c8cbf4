#include <delassus/base/assert.h>
#include <delassus/shells/shell_model.h>

#include <fmt/format.h>

#include <algorithm>

namespace delassus
{
namespace
{
std::string describe(const ShellTrouble trouble)
{
  return trouble == ShellTrouble::material
             ? "its material has no answer"
             : "its enhanced modes are not in balance after all iterations";
}
} // namespace

unsigned int ShellModel::to_dofs(const unsigned int quad,
                                 const ShellResult &result,
                                 const bool with_tangent,
                                 double (&f)[24],
                                 double (&K)[24][24]) const
{
  // dd = d theta x d: a column axis x d for each rotation.
  struct Corner
  {
    unsigned int first, n;
    Vector3 d, column[3];
    const std::array<Vector3, 3> *axes;
  };
  Corner corners[4];
  unsigned int n = 0;
  for (unsigned int i = 0; i < 4; ++i)
  {
    const unsigned int node = mesh.quads[quad][i];
    Corner &corner          = corners[i];
    corner.first            = n;
    corner.n                = n_rotations(node);
    corner.d                = now.d[directors.corner[quad][i]];
    corner.axes             = &now.axes[node];
    for (unsigned int k = 0; k < corner.n; ++k)
      corner.column[k] = cross((*corner.axes)[k], corner.d);
    n += 3 + corner.n;
  }

  double rows[24][24];
  for (unsigned int i = 0; i < 4; ++i)
  {
    const Corner &c = corners[i];
    const double *F = &result.force[6 * i];
    for (unsigned int k = 0; k < 3; ++k)
      f[c.first + k] = F[k];
    for (unsigned int k = 0; k < c.n; ++k)
      f[c.first + 3 + k] =
          c.column[k][0] * F[3] + c.column[k][1] * F[4] + c.column[k][2] * F[5];
    if (!with_tangent)
      continue;
    const auto *T = &result.tangent[6 * i];
    for (unsigned int j = 0; j < 24; ++j)
    {
      for (unsigned int k = 0; k < 3; ++k)
        rows[c.first + k][j] = T[k][j];
      for (unsigned int k = 0; k < c.n; ++k)
        rows[c.first + 3 + k][j] = c.column[k][0] * T[3][j] +
                                   c.column[k][1] * T[4][j] +
                                   c.column[k][2] * T[5][j];
    }
  }
  if (!with_tangent)
    return n;
  for (unsigned int row = 0; row < n; ++row)
    for (unsigned int j = 0; j < 4; ++j)
    {
      const Corner &c = corners[j];
      const double *T = &rows[row][6 * j];
      for (unsigned int k = 0; k < 3; ++k)
        K[row][c.first + k] = T[k];
      for (unsigned int k = 0; k < c.n; ++k)
        K[row][c.first + 3 + k] = c.column[k][0] * T[3] +
                                  c.column[k][1] * T[4] + c.column[k][2] * T[5];
    }
  // Second variation of d <- exp(theta) d with the force F on the director:
  //   F . (a x (b x d) + b x (a x d)) / 2
  //     = ((a . d)(b . F) + (b . d)(a . F)) / 2 - (a . b)(F . d).
  for (unsigned int i = 0; i < 4; ++i)
  {
    const Corner &c = corners[i];
    const Vector3 F{ { result.force[6 * i + 3],
                       result.force[6 * i + 4],
                       result.force[6 * i + 5] } };
    const double along = dot(F, c.d);
    for (unsigned int k = 0; k < c.n; ++k)
      for (unsigned int l = 0; l < c.n; ++l)
      {
        const Vector3 &a = (*c.axes)[k], &b = (*c.axes)[l];
        K[c.first + 3 + k][c.first + 3 + l] +=
            0.5 * (dot(a, c.d) * dot(b, F) + dot(b, c.d) * dot(a, F)) -
            dot(a, b) * along;
      }
  }
  return n;
}

void ShellModel::add_to_matrix(const unsigned int quad,
                               const unsigned int (&first)[4],
                               const unsigned int (&n)[4],
                               const double (&K)[24][24])
{
  for (unsigned int j = 0; j < 4; ++j)
  {
    const unsigned int column_node = mesh.quads[quad][j];
    for (unsigned int b = 0; b < n[j]; ++b)
    {
      const int column = unknown_of_dof[dof(column_node) + b];
      if (column < 0)
        continue;
      double *values = matrix.value.data() + matrix.column_start[column];
      for (unsigned int i = 0; i < 4; ++i)
      {
        const int *unknowns = unknown_of_dof.data() + dof(mesh.quads[quad][i]);
        double *v           = values + block[quad][j][i];
        // Row and column are exchanged: of a symmetric matrix.
        const double *entries = K[first[j] + b] + first[i];
        for (unsigned int a = 0; a < n[i]; ++a)
          if (unknowns[a] >= 0)
            *v++ += entries[a];
      }
    }
  }
}

unsigned int ShellModel::n_dofs_of(const unsigned int quad) const
{
  unsigned int n = 0;
  for (const unsigned int node : mesh.quads[quad])
    n += 3 + n_rotations(node);
  return n;
}

bool ShellModel::evaluate_quad(const double h,
                               const ShellTask &task,
                               const unsigned int q,
                               QuadResult &result)
{
  moved = true;
  ShellResult of_element;
  const ShellTrouble trouble =
      evaluate_shell(geometries[q],
                     properties.formulation,
                     section(q),
                     values(now, q),
                     now.half[q],
                     h,
                     task,
                     begin.history.data() + first_history[q],
                     now.history.data() + first_history[q],
                     now.modes[q],
                     of_element);
  if (trouble != ShellTrouble::none)
  {
    const Vector3 centre = mesh.centre(q);
    what_is_wrong = fmt::format("element {} at ({:.6g}, {:.6g}, {:.6g}): {}",
                                q,
                                centre[0],
                                centre[1],
                                centre[2],
                                describe(trouble));
    return false;
  }
  result.n = to_dofs(q, of_element, task.tangent, result.f, result.K);
  // To the last digit: one triangle is all that others are told.
  if (task.tangent)
    for (unsigned int i = 0; i < result.n; ++i)
      for (unsigned int j = 0; j < i; ++j)
        result.K[j][i] = result.K[i][j];
  result.stored           = of_element.stored;
  result.dissipated       = of_element.dissipated;
  result.modes_error      = of_element.modes_error;
  result.thickness_strain = of_element.thickness_strain;
  return true;
}

void ShellModel::add_quad(const unsigned int q,
                          const QuadResult &result,
                          const bool with_tangent,
                          const std::vector<double> *driven)
{
  stored_energy += result.stored;
  dissipated_energy += result.dissipated;
  modes_work += result.modes_error;
  thickness_strains[q] = result.thickness_strain;
  unsigned int first[4], n[4];
  for (unsigned int i = 0, sum = 0; i < 4; sum += n[i++])
  {
    first[i]                = sum;
    n[i]                    = 3 + n_rotations(mesh.quads[q][i]);
    const unsigned int node = mesh.quads[q][i];
    for (unsigned int a = 0; a < n[i]; ++a)
      internal_force[dof(node) + a] += result.f[sum + a];
  }
  if (!with_tangent)
    return;
  add_to_matrix(q, first, n, result.K);
  if (driven == nullptr)
    return;
  for (unsigned int j = 0; j < 4; ++j)
    for (unsigned int b = 0; b < n[j]; ++b)
    {
      const unsigned int column = dof(mesh.quads[q][j]) + b;
      const double dq           = (*driven)[column];
      if (unknown_of_dof[column] >= 0 || dq == 0.)
        continue;
      for (unsigned int i = 0; i < 4; ++i)
        for (unsigned int a = 0; a < n[i]; ++a)
          driven_force[dof(mesh.quads[q][i]) + a] +=
              result.K[first[i] + a][first[j] + b] * dq;
    }
}

void ShellModel::begin_evaluation(const ShellTask &task)
{
  DELASSUS_ASSERT(is_set_up, "set_up() comes first");
  std::fill(internal_force.begin(), internal_force.end(), 0.);
  std::fill(driven_force.begin(), driven_force.end(), 0.);
  if (task.tangent)
    std::fill(matrix.value.begin(), matrix.value.end(), 0.);
  stored_energy = dissipated_energy = modes_work = 0.;
  what_is_wrong.clear();
}

bool ShellModel::evaluate_quads(const double h,
                                const ShellTask &task,
                                const std::vector<double> *driven,
                                const unsigned int first,
                                const unsigned int last)
{
  QuadResult result;
  for (unsigned int q = first; q < last; ++q)
  {
    if (!evaluate_quad(h, task, q, result))
      return false;
    add_quad(q, result, task.tangent, driven);
  }
  return true;
}

bool ShellModel::evaluate(const double h,
                          const ShellTask &task,
                          const std::vector<double> *driven)
{
  begin_evaluation(task);
  return evaluate_quads(h, task, driven, 0, n_quads());
}

// -- Quads of several ranks ---------------------------------------------------

std::size_t ShellModel::packed_size(const ShellTask &task,
                                    const unsigned int first,
                                    const unsigned int last) const
{
  std::size_t sum = 0;
  for (unsigned int q = first; q < last; ++q)
  {
    const std::size_t n = n_dofs_of(q);
    sum += 7 + n + (task.tangent ? n * (n + 1) / 2 : 0);
  }
  return sum;
}

bool ShellModel::evaluate_quads(const double h,
                                const ShellTask &task,
                                const unsigned int first,
                                const unsigned int last,
                                double *packed)
{
  what_is_wrong.clear();
  QuadResult result;
  for (unsigned int q = first; q < last; ++q)
  {
    if (!evaluate_quad(h, task, q, result))
      return false;
    thickness_strains[q] = result.thickness_strain;
    *packed++            = result.stored;
    *packed++            = result.dissipated;
    *packed++            = result.modes_error;
    packed = std::copy_n(result.thickness_strain.begin(), 4, packed);
    packed = std::copy_n(result.f, result.n, packed);
    if (task.tangent)
      for (unsigned int i = 0; i < result.n; ++i)
        packed = std::copy_n(result.K[i], i + 1, packed);
  }
  return true;
}

void ShellModel::add_quads(const double *packed,
                           const ShellTask &task,
                           const std::vector<double> *driven,
                           const unsigned int first,
                           const unsigned int last)
{
  QuadResult result;
  for (unsigned int q = first; q < last; ++q)
  {
    result.n           = n_dofs_of(q);
    result.stored      = *packed++;
    result.dissipated  = *packed++;
    result.modes_error = *packed++;
    std::copy_n(packed, 4, result.thickness_strain.begin());
    packed += 4;
    std::copy_n(packed, result.n, result.f);
    packed += result.n;
    if (task.tangent)
      for (unsigned int i = 0; i < result.n; ++i)
        for (unsigned int j = 0; j <= i; ++j)
          result.K[i][j] = result.K[j][i] = *packed++;
    add_quad(q, result, task.tangent, driven);
  }
}

void ShellModel::exchange_beginning(const Numbers &exchange)
{
  moved = true;
  exchange(begin.x[0].data(), 3 * begin.x.size());
  exchange(begin.d[0].data(), 3 * begin.d.size());
  exchange(begin.axes[0][0].data(), 9 * begin.axes.size());
  exchange(begin.half[0].data(), 4 * begin.half.size());
}

void ShellModel::exchange_iterate(const Numbers &exchange)
{
  moved = true;
  exchange(now.x[0].data(), 3 * now.x.size());
  exchange(now.d[0].data(), 3 * now.d.size());
  exchange(now.axes[0][0].data(), 9 * now.axes.size());
}

void ShellModel::exchange_memory(const unsigned int first,
                                 const unsigned int last,
                                 const Numbers &exchange)
{
  if (first == last)
    return;
  moved = true;
  for (unsigned int q = first; q < last; ++q)
  {
    ShellModes &m = begin.modes[q];
    exchange(m.alpha.data(), m.alpha.size());
    exchange(m.correction.data(), m.correction.size());
    exchange(m.coupling[0].data(), m.coupling.size() * m.coupling[0].size());
    exchange(m.z.data(), m.z.size());
  }
  const std::size_t end =
      last < n_quads() ? first_history[last] : begin.history.size();
  exchange(begin.history.data() + first_history[first],
           end - first_history[first]);
}

void ShellModel::add_force(const unsigned int node,
                           const Vector3 &f,
                           std::vector<double> &load) const
{
  for (unsigned int c = 0; c < 3; ++c)
    load[dof(node) + c] += f[c];
}

void ShellModel::add_moment(const unsigned int node,
                            const Vector3 &m,
                            std::vector<double> &load) const
{
  for (unsigned int k = 0; k < n_rotations(node); ++k)
    load[dof(node) + 3 + k] += dot(m, now.axes[node][k]);
}

void ShellModel::add_gravity(const Vector3 &g, std::vector<double> &load) const
{
  for (unsigned int q = 0; q < n_quads(); ++q)
  {
    std::array<double, 4> m, J;
    shell_mass(geometries[q], section(q), m, J);
    for (unsigned int i = 0; i < 4; ++i)
      add_force(mesh.quads[q][i], m[i] * g, load);
  }
}

void ShellModel::add_pressure(const double p,
                              const std::vector<unsigned int> &quads,
                              const bool with_stiffness,
                              std::vector<double> &load)
{
  std::array<double, 12> f;
  std::array<std::array<double, 12>, 12> S;
  for (const unsigned int q : quads)
  {
    std::array<Vector3, 4> x;
    for (unsigned int i = 0; i < 4; ++i)
      x[i] = now.x[mesh.quads[q][i]];
    shell_pressure(x, p, f, with_stiffness ? &S : nullptr);
    for (unsigned int i = 0; i < 4; ++i)
      add_force(
          mesh.quads[q][i], { { f[3 * i], f[3 * i + 1], f[3 * i + 2] } }, load);
    if (!with_stiffness)
      continue;
    const unsigned int first[4] = { 0, 3, 6, 9 };
    double K[24][24];
    for (unsigned int a = 0; a < 12; ++a)
      for (unsigned int b = 0; b < 12; ++b)
        K[a][b] = -S[a][b];
    const unsigned int n[4] = { 3, 3, 3, 3 };
    add_to_matrix(q, first, n, K);
  }
}
} // namespace delassus

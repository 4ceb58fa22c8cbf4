#include <delassus/base/exceptions.h>
#include <delassus/parameters/formula.h>
#include <delassus/shell_systems/building/build_shell.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
namespace
{
constexpr double degree = 3.14159265358979323846 / 180.;

/// Places of the whole sheet in its pieces.
struct Split
{
  std::vector<ShellMesh> meshes;
  std::vector<unsigned int> piece_of_quad, quad_in_piece;
  std::vector<unsigned int> piece_of_node, node_in_piece;
  std::vector<std::vector<unsigned int>> nodes; ///< of each piece, whole sheet
};

Split split(const ShellMesh &mesh)
{
  Split result;
  result.piece_of_quad = number_pieces(mesh);
  constexpr auto none  = static_cast<unsigned int>(-1);
  result.piece_of_node.assign(mesh.nodes.size(), none);
  result.node_in_piece.assign(mesh.nodes.size(), none);
  for (unsigned int q = 0; q < mesh.quads.size(); ++q)
  {
    const unsigned int p = result.piece_of_quad[q];
    if (p >= result.meshes.size())
    {
      result.meshes.resize(p + 1);
      result.nodes.resize(p + 1);
    }
    for (const unsigned int n : mesh.quads[q])
      result.piece_of_node[n] = p;
  }
  // Nodes in the order of the whole sheet.
  for (unsigned int n = 0; n < mesh.nodes.size(); ++n)
  {
    auto &of_piece          = result.meshes[result.piece_of_node[n]];
    result.node_in_piece[n] = of_piece.nodes.size();
    of_piece.nodes.push_back(mesh.nodes[n]);
    result.nodes[result.piece_of_node[n]].push_back(n);
  }
  for (unsigned int q = 0; q < mesh.quads.size(); ++q)
  {
    auto &of_piece = result.meshes[result.piece_of_quad[q]];
    result.quad_in_piece.push_back(of_piece.quads.size());
    auto quad = mesh.quads[q];
    for (auto &n : quad)
      n = result.node_in_piece[n];
    of_piece.quads.push_back(quad);
  }
  return result;
}

std::vector<double> thickness_at_nodes(const ShellParameters &shell,
                                       const ShellMesh &mesh)
{
  const Formula formula(shell.thickness, "x,y,z");
  std::vector<double> result;
  for (const auto &x : mesh.nodes)
  {
    const double value = formula.value({ x[0], x[1], x[2] });
    if (!(value > 0.) || !std::isfinite(value))
      throw InputError(fmt::format("{}: the thickness is {:.6g} at ({:.6g}, "
                                   "{:.6g}, {:.6g}); allowed: greater than 0.",
                                   shell.where("Thickness", "thickness"),
                                   value,
                                   x[0],
                                   x[1],
                                   x[2]));
    result.push_back(value);
  }
  return result;
}

Vector3 rolling_direction(const ShellParameters &shell)
{
  if (shell.rolling_direction.empty())
    return { { 1., 0., 0. } };
  return { { shell.rolling_direction[0],
             shell.rolling_direction[1],
             shell.rolling_direction[2] } };
}

std::function<Vector3(const Vector3 &)> field(const std::string &text,
                                              const std::string &where)
{
  if (text.empty())
    return {};
  const Expression<3> expression(text, 3, where);
  return [=](const Vector3 &x) -> Vector3
  {
    const dealii::Point<3> p(x[0], x[1], x[2]);
    return { { expression.value(p, 0., 0),
               expression.value(p, 0., 1),
               expression.value(p, 0., 2) } };
  };
}

/// Of translations and of directors: means by mass, and by its second moment.
std::array<double, 2> mean_damping(const ShellSection &section,
                                   const std::vector<double> &of_layers)
{
  double sum[2] = { 0., 0. }, weight[2] = { 0., 0. };
  for (unsigned int l = 0; l < section.layers().size(); ++l)
  {
    const auto &layer = section.layers()[l];
    for (unsigned int i = layer.first; i < layer.first + layer.n; ++i)
    {
      const auto &point = section.points()[i];
      const double m[2] = { point.weight * point.law->density(),
                            point.weight * point.law->density() * point.zeta *
                                point.zeta };
      for (unsigned int k = 0; k < 2; ++k)
      {
        sum[k] += of_layers[l] * m[k];
        weight[k] += m[k];
      }
    }
  }
  // One point in the middle of the sheet has no second moment.
  return { { sum[0] / weight[0],
             weight[1] > 0. ? sum[1] / weight[1] : sum[0] / weight[0] } };
}

/// Nodal forces of what acts on the mass.
void add_body_force(const ShellModel &model,
                    const SheetConditions &conditions,
                    ShellPieceSettings &settings,
                    double &mass)
{
  std::vector<double> of_node(model.n_nodes(), 0.);
  for (unsigned int q = 0; q < model.n_quads(); ++q)
  {
    std::array<double, 4> m, J;
    shell_mass(model.geometry(q), model.section(q), m, J);
    for (unsigned int i = 0; i < 4; ++i)
    {
      of_node[model.reference().quads[q][i]] += m[i];
      mass += m[i];
    }
  }
  if (!conditions.body_force())
    return;
  for (unsigned int n = 0; n < model.n_nodes(); ++n)
  {
    const Vector3 x = model.reference().nodes[n];
    const double m  = of_node[n];
    const auto b    = conditions.body_force();
    ShellPieceSettings::NodalLoad load;
    load.node  = n;
    load.force = [=](const double t) { return m * b(x, t); };
    settings.loads.push_back(load);
  }
}
} // namespace

std::vector<ShellSystem::Given>
build_shell(const ShellParameters &shell,
            const SheetMesh &sheet,
            const SheetConditions &conditions,
            const std::vector<const SheetLaw *> &laws,
            const bool has_axes,
            const std::vector<double> &damping,
            const std::vector<double> &gravity,
            std::vector<std::string> &warnings,
            double &mass,
            const double least_rotary)
{
  const std::string name = "'" + shell.name + "'";
  const auto thickness   = thickness_at_nodes(shell, sheet.mesh);
  // Before anything is made of bad elements, and with the numbers and places of
  // the whole sheet. (Each piece warns of its own.)
  std::vector<double> of_quad;
  for (const auto &quad : sheet.mesh.quads)
    of_quad.push_back(std::min({ thickness[quad[0]],
                                 thickness[quad[1]],
                                 thickness[quad[2]],
                                 thickness[quad[3]] }));
  check_shell_mesh(sheet.mesh, of_quad, name);
  for (const auto &slit : find_open_joints(sheet.mesh, name))
    warnings.push_back(slit);
  const auto parts = split(sheet.mesh);
  std::vector<ShellLayer> layers;
  for (unsigned int l = 0; l < laws.size(); ++l)
  {
    ShellLayer layer;
    layer.law      = laws[l];
    layer.fraction = shell.layers[l].fraction;
    layer.angle    = shell.layers[l].angle * degree;
    layer.n_points = shell.n_points;
    layer.rule     = shell.rule == ShellRule::gauss ? ThicknessRule::gauss
                                                    : ThicknessRule::lobatto;
    layers.push_back(layer);
  }

  const ShellSection section(layers, shell.shear_correction);

  // Settings by piece, in the numbers of pieces.
  std::vector<ShellPieceSettings> settings(parts.meshes.size());
  for (auto &of_piece : settings)
  {
    for (unsigned int c = 0; c < gravity.size() && c < 3; ++c)
      of_piece.gravity[c] = gravity[c];
    of_piece.damping      = mean_damping(section, damping);
    of_piece.least_rotary = least_rotary;
    of_piece.velocity =
        field(shell.initial_velocity,
              shell.where("Initial velocity", "initial velocity"));
    of_piece.angular_velocity = field(shell.initial_angular_velocity,
                                      shell.where("Shell/Initial angular "
                                                  "velocity",
                                                  "angular velocity"));
  }
  for (const auto &[key, prescribed] : conditions.prescribed())
    settings[parts.piece_of_node[prescribed.node]].holders.push_back(
        { parts.node_in_piece[prescribed.node],
          prescribed.component,
          prescribed.condition });
  for (const auto &[key, prescribed] : conditions.prescribed())
    if (prescribed.value)
      settings[parts.piece_of_node[prescribed.node]].motions.push_back(
          { parts.node_in_piece[prescribed.node],
            prescribed.component,
            prescribed.value });
  for (const auto &load : conditions.loads())
  {
    ShellPieceSettings::NodalLoad nodal;
    nodal.node = parts.node_in_piece[load.node];
    (load.is_moment ? nodal.moment : nodal.force) = load.value;
    settings[parts.piece_of_node[load.node]].loads.push_back(nodal);
  }
  for (const auto &pressure : conditions.pressures())
  {
    std::vector<std::vector<unsigned int>> quads(parts.meshes.size());
    for (const unsigned int q : pressure.quads)
      quads[parts.piece_of_quad[q]].push_back(parts.quad_in_piece[q]);
    for (unsigned int p = 0; p < quads.size(); ++p)
      if (!quads[p].empty())
        settings[p].pressures.push_back({ quads[p], pressure.value });
  }
  for (const auto &part : sheet.parts)
    for (const unsigned int n : part.nodes)
      settings[parts.piece_of_node[n]].nodes_of[part.name].push_back(
          parts.node_in_piece[n]);
  for (const auto &part : sheet.parts)
    if (part.quads.empty())
      for (const auto &[a, b] : part.edges)
        settings[parts.piece_of_node[a]].edges_of[part.name].push_back(
            { { parts.node_in_piece[a], parts.node_in_piece[b] } });

  // The only director of each node, or none.
  std::vector<Vector3> director_of(sheet.mesh.nodes.size());
  std::vector<unsigned int> n_directors(sheet.mesh.nodes.size(), 0);
  std::vector<ShellSystem::Given> given(parts.meshes.size());
  for (unsigned int p = 0; p < given.size(); ++p)
  {
    auto directors =
        make_directors(parts.meshes[p], shell.fold_angle * degree, name);
    for (const auto &plane : conditions.planes())
    {
      Vector3 normal{ { 0., 0., 0. } };
      normal[plane.axis] = 1.;
      // Places at rest tell which nodes are meant.
      std::map<Vector3, bool> on_plane;
      for (const unsigned int n : plane.nodes)
        on_plane[sheet.mesh.nodes[n]] = true;
      keep_directors_in_plane(directors,
                              parts.meshes[p],
                              normal,
                              [&](const Vector3 &x)
                              { return on_plane.count(x) > 0; });
    }
    for (unsigned int d = 0; d < directors.director.size(); ++d)
    {
      const unsigned int n = parts.nodes[p][directors.node[d]];
      director_of[n]       = directors.director[d];
      ++n_directors[n];
    }
    ShellProperties properties;
    properties.name = name;
    properties.sections.push_back(section);
    for (unsigned int q = 0; q < sheet.mesh.quads.size(); ++q)
      if (parts.piece_of_quad[q] == p)
      {
        const auto &quad = sheet.mesh.quads[q];
        properties.thickness_of_quad.push_back({ { thickness[quad[0]],
                                                   thickness[quad[1]],
                                                   thickness[quad[2]],
                                                   thickness[quad[3]] } });
      }
    properties.rolling              = rolling_direction(shell);
    properties.formulation.enhanced = shell.enhanced;
    properties.follow_thickness     = shell.follow_thickness;
    auto model                      = std::make_unique<ShellModel>(
        parts.meshes[p], directors, std::move(properties));
    for (const auto &warning : model->warnings())
      if (has_axes || warning.find("rolling direction") == std::string::npos)
        warnings.push_back(warning);
    for (const auto &[key, prescribed] : conditions.prescribed())
      if (parts.piece_of_node[prescribed.node] == p)
        model->fix(parts.node_in_piece[prescribed.node], prescribed.component);
    model->set_up();
    add_body_force(*model, conditions, settings[p], mass);
    given[p].model    = std::move(model);
    given[p].settings = std::move(settings[p]);
  }
  for (const auto &drilling : conditions.find_drilling(
           [&](const unsigned int n)
           { return n_directors[n] == 1 ? &director_of[n] : nullptr; }))
    warnings.push_back(drilling);
  return given;
}
} // namespace delassus

#include <delassus/base/exceptions.h>
#include <delassus/shell_systems/building/sheet_conditions.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace delassus
{
using dealii::Point;

namespace
{
constexpr std::array<const char *, 6> component_names = {
  { "x", "y", "z", "rx", "ry", "rz" }
};

Point<3> point(const Vector3 &x)
{
  return { x[0], x[1], x[2] };
}

std::string text_of(const Vector3 &x)
{
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", x[0], x[1], x[2]);
}

/// The integral of a velocity from the start, the same whenever it is asked
/// for: Simpson's rule on intervals of the length of a step, then on what is
/// left.
class Travelled
{
public:
  Travelled(std::function<double(double)> velocity,
            const double start,
            const double step)
      : velocity(std::move(velocity))
      , start(start)
      , step(step)
      , sums(1, 0.)
  {
  }

  double operator()(const double t)
  {
    const double steps = std::max(0., (t - start) / step);
    const auto n       = static_cast<std::size_t>(steps + 1e-9);
    while (sums.size() <= n)
      sums.push_back(sums.back() + over(start + step * (sums.size() - 1),
                                        start + step * sums.size()));
    return sums[n] + over(start + step * n, t);
  }

private:
  double over(const double a, const double b) const
  {
    if (a == b)
      return 0.;
    return (b - a) / 6. *
           (velocity(a) + 4. * velocity(0.5 * (a + b)) + velocity(b));
  }

  std::function<double(double)> velocity;
  const double start, step;
  std::vector<double> sums;
};

bool mentions_place(const std::string &text)
{
  return !values_of_variables(text, "x,y,z", { 0., 0., 0. }).empty();
}
} // namespace

SheetConditions::SheetConditions(const SheetMesh &sheet,
                                 const ShellParameters &shell,
                                 const TimeParameters &time)
    : sheet(sheet)
    , name(shell.name)
    , time(time)
{
}

void SheetConditions::add(const BoundaryConditionParameters &condition,
                          const std::string &part_name,
                          const std::string &where,
                          const std::string &where_value)
{
  SheetPart whole;
  const SheetPart *part = sheet.find(part_name);
  const bool inner      = part_name == "inner" && part == nullptr;
  if (part == nullptr)
  {
    whole.name = part_name;
    whole.nodes.resize(sheet.mesh.nodes.size());
    std::iota(whole.nodes.begin(), whole.nodes.end(), 0);
    whole.quads.resize(sheet.mesh.quads.size());
    std::iota(whole.quads.begin(), whole.quads.end(), 0);
    part = &whole;
  }
  if (part->nodes.empty())
    throw InputError(fmt::format(
        "{}: '{}' of body '{}' has no node.", where, part->name, name));
  SheetPart nearest;
  if (!condition.point.empty())
  {
    const Vector3 wanted{
      { condition.point[0], condition.point[1], condition.point[2] }
    };
    nearest.name  = part->name;
    nearest.nodes = { *std::min_element(
        part->nodes.begin(),
        part->nodes.end(),
        [&](const unsigned int a, const unsigned int b)
        {
          return norm(sheet.mesh.nodes[a] - wanted) <
                 norm(sheet.mesh.nodes[b] - wanted);
        }) };
    part = &nearest;
  }
  switch (condition.type)
  {
    case BoundaryConditionType::pressure:
      if (part->quads.empty())
        throw InputError(fmt::format(
            "{}: '{}' of body '{}' is an edge, and a pressure acts on faces; "
            "allowed: outer, inner or a physical surface, or Type = traction.",
            where,
            part->name,
            name));
      if (part_name.empty() || part_name == "*")
        throw InputError(fmt::format(
            "{}: body '{}' is a shell, and a pressure acts on one of its "
            "sides; allowed: {}/outer, to which normals point, or {}/inner.",
            where,
            name,
            name,
            name));
      add_pressure(condition, *part, !inner, where_value);
      break;
    case BoundaryConditionType::traction:
    case BoundaryConditionType::force:
    case BoundaryConditionType::moment:
      add_loads(condition, *part, where, where_value);
      break;
    default:
      prescribe(condition, part->nodes, where, where_value);
  }
}

void SheetConditions::prescribe(const BoundaryConditionParameters &condition,
                                const std::vector<unsigned int> &nodes,
                                const std::string &where,
                                const std::string &where_value)
{
  std::vector<unsigned int> components = condition.components;
  if (condition.type == BoundaryConditionType::clamped)
    components = { 0, 1, 2, 3, 4, 5 };
  else if (condition.type == BoundaryConditionType::symmetry)
  {
    const unsigned int across = condition.components[0];
    components                = { across };
    for (unsigned int c = 0; c < 3; ++c)
      if (c != across)
        components.push_back(3 + c);
    all_planes.push_back({ across, nodes });
  }
  else if (components.empty())
    components = { 0, 1, 2 };
  const bool moves = condition.type == BoundaryConditionType::displacement ||
                     condition.type == BoundaryConditionType::velocity;
  const unsigned int n_values =
      moves
          ? std::max(
                3u, 1 + *std::max_element(components.begin(), components.end()))
          : 0;
  const auto expression =
      moves ? Expression<3>(condition.value, n_values, where_value)
            : Expression<3>();
  const double start = time.start_time, step = time.step;
  for (const unsigned int node : nodes)
    for (const unsigned int c : components)
    {
      Prescribed p;
      p.node           = node;
      p.component      = static_cast<ShellComponent>(c);
      p.condition      = condition.name;
      p.type           = condition.type;
      const Point<3> x = point(sheet.mesh.nodes[node]);
      if (moves)
      {
        std::function<double(double)> value = [=](const double t)
        { return expression.value(x, t, c); };
        if (condition.type == BoundaryConditionType::velocity)
        {
          const auto sum =
              std::make_shared<Travelled>(std::move(value), start, step);
          value = [sum](const double t) { return (*sum)(t); };
        }
        p.value = std::move(value);
      }
      const auto [place, is_new] =
          all_prescribed.insert({ { { node, c } }, p });
      if (is_new)
        continue;
      // What two conditions say must be the same.
      const Prescribed &other = place->second;
      const auto at           = [](const Prescribed &a, const double t)
      { return a.value ? a.value(t) : 0.; };
      double largest = 0., difference = 0.;
      for (unsigned int i = 0; i <= 16; ++i)
      {
        const double t =
            start + (time.end_time - start) * static_cast<double>(i) / 16.;
        largest =
            std::max({ largest, std::abs(at(p, t)), std::abs(at(other, t)) });
        difference = std::max(difference, std::abs(at(p, t) - at(other, t)));
      }
      if (difference > 1e-9 * largest)
        throw InputError(fmt::format(
            "{}: contradictory settings: boundary conditions '{}' and '{}' "
            "prescribe different motions of component {} of body '{}' at the "
            "node near {}; allowed: the same motion where they meet, or fewer "
            "'Components' in one of them.",
            where,
            other.condition,
            p.condition,
            component_names[c],
            name,
            text_of(sheet.mesh.nodes[node])));
      if (p.value)
        place->second = p;
    }
}

std::vector<std::pair<unsigned int, double>>
SheetConditions::shares(const SheetPart &part) const
{
  std::map<unsigned int, double> share;
  const auto &x = sheet.mesh.nodes;
  for (const unsigned int q : part.quads)
  {
    const auto &quad = sheet.mesh.quads[q];
    const double area =
        0.5 * norm(cross(x[quad[2]] - x[quad[0]], x[quad[3]] - x[quad[1]]));
    for (const unsigned int node : quad)
      share[node] += 0.25 * area;
  }
  if (part.quads.empty())
    for (const auto &edge : part.edges)
      for (const unsigned int node : edge)
        share[node] += 0.5 * norm(x[edge[1]] - x[edge[0]]);
  if (share.empty())
    for (const unsigned int node : part.nodes)
      share[node] = 1.;
  return { share.begin(), share.end() };
}

void SheetConditions::add_loads(const BoundaryConditionParameters &condition,
                                const SheetPart &part,
                                const std::string &where,
                                const std::string &where_value)
{
  const bool traction = condition.type == BoundaryConditionType::traction;
  if (traction && part.edges.empty() && part.quads.empty())
    throw InputError(fmt::format(
        "{}: '{}' of body '{}' is points, and a traction acts on edges and "
        "surfaces; allowed: Type = force.",
        where,
        part.name,
        name));
  const auto all = shares(part);
  double sum     = 0.;
  for (const auto &share : all)
    sum += share.second;
  const Expression<3> expression(condition.value, 3, where_value);
  for (const auto &[node, share] : all)
  {
    const double factor = traction ? share : share / sum;
    const Point<3> x    = point(sheet.mesh.nodes[node]);
    all_loads.push_back({ node,
                          condition.type == BoundaryConditionType::moment,
                          [=, factor = factor](const double t) -> Vector3
                          {
                            return { { factor * expression.value(x, t, 0),
                                       factor * expression.value(x, t, 1),
                                       factor * expression.value(x, t, 2) } };
                          } });
  }
}

void SheetConditions::add_pressure(const BoundaryConditionParameters &condition,
                                   const SheetPart &part,
                                   const bool outer,
                                   const std::string &where_value)
{
  const Expression<3> expression(condition.value, 1, where_value);
  // Against the normal on the outer face.
  const double sign = outer ? -1. : 1.;
  const auto at     = [&](const Vector3 &place)
  {
    const Point<3> x = point(place);
    return [=](const double t) { return sign * expression.value(x, t); };
  };
  if (!mentions_place(condition.value))
    all_pressures.push_back(
        { part.quads, at(sheet.mesh.centre(part.quads[0])) });
  else
    for (const unsigned int q : part.quads)
      all_pressures.push_back({ { q }, at(sheet.mesh.centre(q)) });
}

void SheetConditions::add_body_force(const std::string &expressions,
                                     const std::string &where)
{
  if (expressions.empty())
    return;
  const Expression<3> expression(expressions, 3, where);
  acceleration = [=](const Vector3 &x, const double t) -> Vector3
  {
    return { { expression.value(point(x), t, 0),
               expression.value(point(x), t, 1),
               expression.value(point(x), t, 2) } };
  };
}
} // namespace delassus

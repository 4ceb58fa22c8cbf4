#include <delassus/base/exceptions.h>
#include <delassus/contact/detection/shapes.h>
#include <delassus/contact/detection/surface_shape.h>
#include <delassus/mesh/surface_mesh.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
using namespace dealii;

namespace
{
template <int dim>
Tensor<1, dim> tensor(const std::vector<double> &values)
{
  Tensor<1, dim> result;
  for (unsigned int c = 0; c < dim && c < values.size(); ++c)
    result[c] = values[c];
  return result;
}

template <int dim>
Tensor<1, dim> unit(const std::vector<double> &values)
{
  const Tensor<1, dim> v = tensor<dim>(values);
  return v / v.norm();
}

/// Bodies to the left: around a solid (clockwise), within a hollow one.
void orient(Profile::Chain &chain, const bool hollow)
{
  const bool clockwise = Profile::doubled_area(chain.points) < 0.;
  if (chain.closed ? clockwise == hollow : hollow)
  {
    std::reverse(chain.points.begin(), chain.points.end());
    std::reverse(chain.fillets.begin(), chain.fillets.end());
    std::swap(chain.infinite_start, chain.infinite_end);
    std::swap(chain.n_leading, chain.n_trailing);
    // The piece that closes a chain stays the last one.
    if (chain.closed && chain.n_leading > 0)
    {
      --chain.n_leading;
      ++chain.n_trailing;
    }
  }
}

/// The chain of a polyline whose last point may repeat the first. One radius
/// is for all corners, none for sharp ones.
Profile::Chain make_chain(const std::vector<std::vector<double>> &points,
                          const std::vector<double> &fillets)
{
  Profile::Chain chain;
  for (const auto &p : points)
    chain.points.emplace_back(p[0], p[1]);
  chain.closed = points.size() > 3 && points.front() == points.back();
  if (chain.closed)
    chain.points.pop_back();
  const unsigned int n = chain.points.size();
  if (fillets.size() == 1)
    chain.fillets.assign(n, fillets[0]);
  else if (chain.closed)
    chain.fillets = fillets;
  else if (!fillets.empty())
  {
    chain.fillets = fillets;
    chain.fillets.insert(chain.fillets.begin(), 0.);
    chain.fillets.push_back(0.);
  }
  if (!chain.closed && !chain.fillets.empty())
    chain.fillets.front() = chain.fillets.back() = 0.;
  return chain;
}

/// A meridian that begins or ends on the axis goes on beyond it by its mirror
/// image: the section of the solid through its axis.
void add_mirror_image(Profile::Chain &chain)
{
  if (chain.closed)
    return;
  const auto points = chain.points;
  auto fillets      = chain.fillets;
  fillets.resize(points.size(), 0.);
  chain.fillets        = fillets;
  const bool starts_on = points.front()[1] == 0. && !chain.infinite_start;
  const bool ends_on   = points.back()[1] == 0. && !chain.infinite_end;
  const unsigned int n = points.size();
  const auto mirror = [](const Point<2> &p) { return Point<2>(p[0], -p[1]); };
  if (starts_on)
  {
    // Backwards from the end, up to but not with the point on the axis.
    chain.points.clear();
    chain.fillets.clear();
    for (unsigned int i = n - 1; i > 0; --i)
      if (!(i + 1 == n && ends_on))
      {
        chain.points.push_back(mirror(points[i]));
        chain.fillets.push_back(fillets[i]);
      }
    chain.n_leading = chain.points.size();
    chain.points.insert(chain.points.end(), points.begin(), points.end());
    chain.fillets.insert(chain.fillets.end(), fillets.begin(), fillets.end());
    chain.infinite_start = chain.infinite_end;
    if (ends_on)
    {
      // Closed: the last piece leads from the axis to the first mirrored point.
      chain.closed     = true;
      chain.n_trailing = 1;
    }
  }
  else if (ends_on)
  {
    for (unsigned int i = n - 1; i-- > 0;)
    {
      chain.points.push_back(mirror(points[i]));
      chain.fillets.push_back(fillets[i]);
    }
    chain.n_trailing   = n - 1;
    chain.infinite_end = chain.infinite_start;
  }
}

using Where = std::function<std::string(const std::string &)>;

std::shared_ptr<const Shape<3>> make_revolved(Profile::Chain chain,
                                              const ShapeParameters &parameters,
                                              const std::string &where,
                                              const std::string &name)
{
  const Tensor<1, 3> axis = unit<3>(parameters.axis);
  add_mirror_image(chain);
  orient(chain, parameters.hollow);
  return std::make_shared<ProfileShape<3>>(
      Profile({ chain }, where),
      ProfileShape<3>::Kind::revolved,
      Point<3>(tensor<3>(parameters.point)),
      axis,
      across(axis),
      fmt::format("{}{} along ({:.6g}, {:.6g}, {:.6g})",
                  parameters.hollow ? "hollow " : "",
                  name,
                  axis[0],
                  axis[1],
                  axis[2]));
}

/// Cylinder and cone: radius at the origin, growth of the radius along the
/// axis, length (0: without end; a cylinder then in both directions).
std::shared_ptr<const Shape<3>> make_cone(const ShapeParameters &parameters,
                                          const std::string &where)
{
  const bool is_cone = parameters.type == ObstacleType::cone;
  const double slope =
      is_cone ? std::tan(parameters.half_angle * numbers::PI / 180.) : 0.;
  const double R = parameters.radius, L = parameters.length;
  const bool endless = L == 0.;
  const double far   = endless ? (R > 0. ? R : 1.) : L;
  Profile::Chain chain;
  if (is_cone || !endless)
    chain.points.emplace_back(0., 0.);
  if (R > 0.)
    chain.points.emplace_back(0., R);
  chain.points.emplace_back(far, R + slope * far);
  if (!endless)
    chain.points.emplace_back(L, 0.);
  chain.fillets.assign(chain.points.size(), parameters.rounding);
  chain.fillets.front() = chain.fillets.back() = 0.;
  chain.infinite_end                           = endless;
  chain.infinite_start                         = endless && !is_cone;
  return make_revolved(
      chain,
      parameters,
      where,
      is_cone ? fmt::format("cone of half angle {:.6g} degrees, radius {:.6g} "
                            "{} {:.6g}",
                            parameters.half_angle,
                            R,
                            endless ? "and more, length" : "to",
                            endless ? 0. : R + slope * L)
              : fmt::format("cylinder of radius {:.6g}", R));
}
} // namespace

template <int dim>
std::shared_ptr<const Shape<dim>> make_shape(const ShapeParameters &parameters,
                                             const Where &where)
{
  const Point<dim> point(tensor<dim>(parameters.point));
  const bool hollow = parameters.hollow;
  const auto flat   = [&](std::vector<Profile::Chain> chains,
                        const std::string &entry,
                        const std::string &name) -> std::shared_ptr<Shape<dim>>
  {
    for (auto &chain : chains)
      orient(chain, hollow);
    const Profile profile(chains, where(entry));
    Tensor<1, dim> first, second;
    first[0]  = 1.;
    second[1] = 1.;
    auto kind = ProfileShape<dim>::Kind::plane;
    if constexpr (dim == 3)
    {
      // The second coordinate goes along Normal as far as the axis allows; the
      // first at right angles to both, towards the positive direction.
      const Tensor<1, 3> axis = unit<3>(parameters.axis);
      second                  = tensor<3>(parameters.normal);
      second -= (second * axis) * axis;
      second /= second.norm();
      first                = cross_product_3d(second, axis);
      unsigned int largest = 0;
      for (unsigned int c = 1; c < 3; ++c)
        if (std::abs(first[c]) > std::abs(first[largest]) + 1e-9)
          largest = c;
      if (first[largest] < 0.)
        first *= -1.;
      kind = ProfileShape<dim>::Kind::extruded;
    }
    return std::make_shared<ProfileShape<dim>>(
        profile, kind, point, first, second, (hollow ? "hollow " : "") + name);
  };

  switch (parameters.type)
  {
    case ObstacleType::plane:
      return std::make_shared<PlaneShape<dim>>(point,
                                               tensor<dim>(parameters.normal));
    case ObstacleType::sphere:
      return std::make_shared<SphereShape<dim>>(
          point, parameters.radius, hollow);
    case ObstacleType::box:
      if constexpr (dim == 3)
        return std::make_shared<BoxShape>(
            point, tensor<3>(parameters.size), parameters.rounding, hollow);
      else
      {
        const double a = parameters.size[0], b = parameters.size[1];
        return flat(
            { make_chain(
                { { 0., 0. }, { a, 0. }, { a, b }, { 0., b }, { 0., 0. } },
                { parameters.rounding }) },
            "Rounding",
            fmt::format("box {:.6g} x {:.6g}", a, b));
      }
    case ObstacleType::extruded_profile:
      return flat(
          { make_chain(parameters.profile, parameters.fillets) },
          parameters.fillets.empty() ? "Profile" : "Fillets",
          fmt::format("profile of {} points", parameters.profile.size()));
    case ObstacleType::surface:
    {
      const auto mesh = read_surface_mesh<dim>(parameters.file,
                                               parameters.physical_name,
                                               parameters.scale,
                                               parameters.allow_scripts,
                                               where("File"),
                                               where("Physical name"));
      if constexpr (dim == 2)
      {
        std::vector<Profile::Chain> chains;
        for (const auto &line : chains_of(mesh))
        {
          Profile::Chain chain;
          chain.closed = line.front() == line.back();
          for (std::size_t i = 0; i + (chain.closed ? 1 : 0) < line.size(); ++i)
            chain.points.push_back(mesh.vertices[line[i]]);
          chains.push_back(chain);
        }
        return flat(chains,
                    "File",
                    fmt::format("{} lines of '{}'",
                                mesh.faces.size(),
                                parameters.file));
      }
      else
        return std::make_shared<SurfaceShape>(
            mesh, point, hollow, "'" + parameters.file + "'");
    }
    default:
      break;
  }
  if constexpr (dim == 3)
    switch (parameters.type)
    {
      case ObstacleType::cylinder:
      case ObstacleType::cone:
        return make_cone(parameters, where("Rounding"));
      case ObstacleType::torus:
        return std::make_shared<TorusShape>(point,
                                            tensor<3>(parameters.axis),
                                            parameters.radius,
                                            parameters.minor_radius,
                                            hollow);
      case ObstacleType::revolved_profile:
        return make_revolved(
            make_chain(parameters.profile, parameters.fillets),
            parameters,
            where(parameters.fillets.empty() ? "Profile" : "Fillets"),
            fmt::format("profile of {} points turned",
                        parameters.profile.size()));
      default:
        break;
    }
  throw InputError(where("Type") +
                   ": this type is for Dimension = 3; in the plane use sphere "
                   "(a circle), box or extruded profile.");
}

template std::shared_ptr<const Shape<2>> make_shape<2>(const ShapeParameters &,
                                                       const Where &);
template std::shared_ptr<const Shape<3>> make_shape<3>(const ShapeParameters &,
                                                       const Where &);
} // namespace delassus

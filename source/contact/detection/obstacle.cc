#include <delassus/contact/detection/obstacle.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
using namespace dealii;

template <int dim>
Obstacle<dim>::Obstacle(
    const ObstacleParameters &parameters,
    const std::function<std::string(const std::string &)> &where)
    : name(parameters.name)
    , shape(make_shape<dim>(parameters, where))
    , displacement(parameters.displacement, dim, where("Displacement"))
    , speed(parameters.velocity, dim, where("Velocity"))
    , rotation(parameters.rotation, 1, where("Rotation"))
    , start_time(parameters.start_time)
    , time_step(parameters.time_step)
    , way(1)
{
  for (unsigned int c = 0; c < dim && c < parameters.center.size(); ++c)
    center[c] = parameters.center[c];
  axis[2] = 1.;
  if (dim == 3 && rotates())
  {
    for (unsigned int c = 0; c < 3; ++c)
      axis[c] = parameters.rotation_axis[c];
    axis /= axis.norm();
  }
  turns_into_itself = shape->turns_into_itself(center, axis);
}

template <int dim>
Obstacle<dim>::Obstacle(const ObstacleParameters &parameters)
    : Obstacle(parameters,
               [&](const std::string &entry) {
                 return "obstacle '" + parameters.name + "', entry '" + entry +
                        "'";
               })
{
}

template <int dim>
void Obstacle<dim>::make_body(const OfBody &of_body)
{
  body   = of_body;
  center = of_body.pole;
  // A ball about its own centre; others in the plane of no rotation.
  Tensor<1, 3> e;
  turns_into_itself = true;
  for (unsigned int c = dim == 2 ? 2 : 0; c < 3; ++c)
  {
    e    = 0.;
    e[c] = 1.;
    turns_into_itself =
        turns_into_itself && shape->turns_into_itself(center, e);
  }
}

template <int dim>
void Obstacle<dim>::set_places(const std::vector<Place> &places)
{
  told.clear();
  for (const auto &place : places)
    told.push_back({ place.t, place.pole - center, 0., place.R });
}

template <int dim>
double Obstacle<dim>::travel(const BoundingBox<dim> &box,
                             const Place &from,
                             const Place &to) const
{
  double way = from.pole.distance(to.pole);
  if (!body.turns || turns_into_itself)
    return way;
  double farthest = 0.;
  for (unsigned int v = 0; v < GeometryInfo<dim>::vertices_per_cell; ++v)
    farthest = std::max(farthest, box.vertex(v).distance(from.pole));
  return way + (to.R - from.R).norm() * farthest;
}

template <int dim>
double Obstacle<dim>::fastest(const BoundingBox<dim> &box,
                              const Place &place,
                              const Tensor<1, dim> &v,
                              const Tensor<2, dim> &R_rate) const
{
  return travel(box, place, { place.t, place.pole + v, place.R + R_rate });
}

template <int dim>
Tensor<1, dim> Obstacle<dim>::driven_translation(const double t) const
{
  Tensor<1, dim> d;
  if (!displacement.is_zero())
    for (unsigned int c = 0; c < dim; ++c)
      d[c] = displacement.value(Point<dim>(), t, c);
  if (speed.is_zero())
    return d;
  // Three Gauss points in each time step, so that jumps between steps are
  // integrated exactly, and in what is left of the last one.
  const auto integral = [&](const double from, const double to)
  {
    constexpr std::array<double, 3> x = { { -0.7745966692414834,
                                            0.,
                                            0.7745966692414834 } },
                                    w = { { 5. / 18., 8. / 18., 5. / 18. } };
    Tensor<1, dim> sum;
    for (unsigned int g = 0; g < 3; ++g)
      for (unsigned int c = 0; c < dim; ++c)
        sum[c] += w[g] * speed.value(Point<dim>(),
                                     0.5 * (from + to + x[g] * (to - from)),
                                     c);
    return (to - from) * sum;
  };
  const double n = std::max(0., std::floor((t - start_time) / time_step));
  while (way.size() <= n)
  {
    const double from = start_time + (way.size() - 1.) * time_step;
    way.push_back(way.back() + integral(from, from + time_step));
  }
  const double from = start_time + n * time_step;
  return way[static_cast<std::size_t>(n)] +
         (t == from ? Tensor<1, dim>() : integral(from, t));
}

template <int dim>
const typename Obstacle<dim>::Pose &Obstacle<dim>::pose(const double t) const
{
  if (is_body())
    return *std::min_element(told.begin(),
                             told.end(),
                             [t](const Pose &a, const Pose &b)
                             { return std::abs(a.t - t) < std::abs(b.t - t); });
  for (unsigned int i = 0; i < n_poses; ++i)
    if (poses[i].t == t)
      return poses[i];
  Pose &pose     = poses[next_pose];
  next_pose      = (next_pose + 1) % poses.size();
  n_poses        = std::min<unsigned int>(n_poses + 1, poses.size());
  pose.t         = t;
  pose.d         = driven_translation(t);
  pose.angle     = rotation.is_zero()
                       ? 0.
                       : rotation.value(Point<dim>(), t) * numbers::PI / 180.;
  const double c = std::cos(pose.angle), s = std::sin(pose.angle);
  pose.R = 0.;
  if constexpr (dim == 2)
  {
    pose.R[0][0] = pose.R[1][1] = c;
    pose.R[0][1]                = -s;
    pose.R[1][0]                = s;
  }
  else
    // R = cos I + sin [a]x + (1 - cos) a (x) a
    for (unsigned int i = 0; i < 3; ++i)
    {
      pose.R[i][i] += c;
      const unsigned int j = (i + 1) % 3, k = (i + 2) % 3;
      pose.R[i][j] -= s * axis[k];
      pose.R[i][k] += s * axis[j];
      for (unsigned int l = 0; l < 3; ++l)
        pose.R[i][l] += (1. - c) * axis[i] * axis[l];
    }
  return pose;
}

template <int dim>
Tensor<1, dim> Obstacle<dim>::turn(const Pose &now,
                                   const Pose &then,
                                   const Tensor<1, dim> &r) const
{
  if constexpr (dim == 2)
  {
    const double alpha =
        is_body() ? std::atan2(
                        now.R[0][0] * then.R[1][0] - now.R[1][0] * then.R[0][0],
                        now.R[0][0] * then.R[0][0] + now.R[1][0] * then.R[1][0])
                  : then.angle - now.angle;
    return Tensor<1, 2>({ -alpha * r[1], alpha * r[0] });
  }
  else
  {
    if (!is_body())
      return (then.angle - now.angle) * cross_product_3d(axis, r);
    // Q = R_then R_now^T turns by alpha: its antisymmetric part is sin(alpha)
    // [a x].
    const Tensor<2, 3> Q = then.R * transpose(now.R);
    Tensor<1, 3> a;
    for (unsigned int c = 0; c < 3; ++c)
      a[c] = 0.5 * (Q[(c + 2) % 3][(c + 1) % 3] - Q[(c + 1) % 3][(c + 2) % 3]);
    const double sine  = a.norm();
    const double alpha = std::atan2(sine, 0.5 * (trace(Q) - 1.));
    return (sine > 0. ? alpha / sine : 1.) * cross_product_3d(a, r);
  }
}

template <int dim>
Point<dim> Obstacle<dim>::place(const Point<dim> &X, const double t) const
{
  if (!moves())
    return X;
  const Pose &p = pose(t);
  return rotates() ? Point<dim>(center + p.R * (X - center) + p.d) : X + p.d;
}

template <int dim>
Point<dim> Obstacle<dim>::rest_place(const Point<dim> &x, const double t) const
{
  return moves() ? rest_place(x, pose(t)) : x;
}

template <int dim>
Point<dim> Obstacle<dim>::rest_place(const Point<dim> &x, const Pose &p) const
{
  return rotates() ? Point<dim>(center + transpose(p.R) * (x - p.d - center))
                   : x - p.d;
}

template <int dim>
double Obstacle<dim>::distance(const Point<dim> &x, const double t) const
{
  return shape->distance(rest_place(x, t));
}

template <int dim>
double Obstacle<dim>::touch(const Point<dim> &x,
                            const Tensor<1, dim> &n,
                            const double t,
                            const double reach,
                            const double depth,
                            std::vector<ShapeSide<dim>> &sides) const
{
  if (!rotates())
    return shape->touch(rest_place(x, t), n, reach, depth, sides);
  const Pose &p = pose(t);
  const double phi =
      shape->touch(rest_place(x, t), transpose(p.R) * n, reach, depth, sides);
  for (auto &side : sides)
    side.normal = p.R * side.normal;
  return phi;
}

template <int dim>
double Obstacle<dim>::gap(const unsigned int side,
                          const Tensor<1, dim> &N,
                          const Point<dim> &x,
                          const double t) const
{
  return moves() ? gap(side, N, x, pose(t)) : shape->side_distance(side, N, x);
}

template <int dim>
double Obstacle<dim>::gap(const unsigned int side,
                          const Tensor<1, dim> &N,
                          const Point<dim> &x,
                          const Pose &p) const
{
  return shape->side_distance(
      side, rotates() ? transpose(p.R) * N : N, rest_place(x, p));
}

template <int dim>
Tensor<1, dim> Obstacle<dim>::velocity(const Point<dim> &x,
                                       const double t,
                                       const double h) const
{
  if (!moves())
    return Tensor<1, dim>();
  const Pose now = pose(t), then = pose(t + h);
  return velocity(x, now, then, h);
}

template <int dim>
Tensor<1, dim> Obstacle<dim>::velocity(const Point<dim> &x,
                                       const Pose &now,
                                       const Pose &then,
                                       const double h) const
{
  Tensor<1, dim> v = (then.d - now.d) / h;
  if (rotates())
    v += turn(now, then, x - center - now.d) / h;
  return v;
}

template <int dim>
Tensor<1, dim> Obstacle<dim>::imposed_velocity(const unsigned int side,
                                               const Tensor<1, dim> &N,
                                               const Point<dim> &x,
                                               const double t,
                                               const double h) const
{
  if (is_body() ? body.free : !is_driven())
    return Tensor<1, dim>();
  const Pose now = pose(t), then = pose(t + h);
  const double g               = gap(side, N, x, now);
  const Tensor<1, dim> imposed = -velocity(x - g * N, now, then, h);
  if (shape->is_flat(side) && !rotates())
    return imposed;
  // The normal of an edge is that of the contact at both times: gap() turns N
  // back by each rotation, so that N must turn with the obstacle.
  const Tensor<1, dim> N_then = rotates() ? then.R * (transpose(now.R) * N) : N;
  const double change         = turns_into_itself && !is_body() &&
                                displacement.is_zero() && speed.is_zero()
                                    ? 0.
                                    : (gap(side, N_then, x, then) - g) / h;
  return imposed + (change - imposed * N) * N;
}

template <int dim>
double Obstacle<dim>::farthest(const BoundingBox<dim> &box,
                               const double t) const
{
  double distance = 0.;
  if (turns_into_itself)
    return distance;
  const Tensor<1, dim> d = pose(t).d;
  for (unsigned int v = 0; v < GeometryInfo<dim>::vertices_per_cell; ++v)
    distance = std::max(distance, (box.vertex(v) - center - d).norm());
  return distance;
}

template <int dim>
double Obstacle<dim>::travel(const BoundingBox<dim> &box,
                             const double t0,
                             const double t1) const
{
  if (!moves())
    return 0.;
  const Pose a = pose(t0), b = pose(t1);
  if (is_body())
    return travel(box, { t0, center + a.d, a.R }, { t1, center + b.d, b.R });
  double way = (b.d - a.d).norm();
  if (rotates())
    way += std::abs(b.angle - a.angle) * farthest(box, t0);
  return way;
}

template <int dim>
ShapePicture<dim> Obstacle<dim>::picture(const BoundingBox<dim> &around,
                                         const double t) const
{
  auto picture = shape->picture(around);
  for (auto &x : picture.points)
    x = place(x, t);
  return picture;
}

template class Obstacle<2>;
template class Obstacle<3>;
} // namespace delassus

#include <delassus/contact/detection/obstacle.h>

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
    , is_free(!parameters.free.empty())
    , turns_freely(is_free && parameters.free.back())
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
void Obstacle<dim>::set_free_motion(const double t0,
                                    const double t1,
                                    const Motion &d,
                                    const Motion &v,
                                    const Motion &v_after)
{
  free_motion = { t0, t1, d, v, v_after };
  n_poses = next_pose = 0;
}

template <int dim>
typename Obstacle<dim>::Motion
Obstacle<dim>::free_motion_at(const double t) const
{
  const auto &m = free_motion;
  return m.d + (std::min(t, m.t1) - m.t0) * m.v +
         std::max(0., t - m.t1) * m.v_after;
}

template <int dim>
Tensor<1, dim> Obstacle<dim>::lever(const unsigned int side,
                                    const Tensor<1, dim> &N,
                                    const Point<dim> &x,
                                    const double t) const
{
  const Pose &p = pose(t);
  return turn(1., x - gap(side, N, x, p) * N - center - p.d);
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
const typename Obstacle<dim>::Pose &
Obstacle<dim>::pose(const double t, const double t_free) const
{
  for (unsigned int i = 0; i < n_poses; ++i)
    if (poses[i].t == t && (poses[i].t_free == t_free || !is_free))
      return poses[i];
  Pose &pose  = poses[next_pose];
  next_pose   = (next_pose + 1) % poses.size();
  n_poses     = std::min<unsigned int>(n_poses + 1, poses.size());
  pose.t      = t;
  pose.t_free = t_free;
  pose.d      = driven_translation(t);
  pose.angle  = rotation.is_zero()
                    ? 0.
                    : rotation.value(Point<dim>(), t) * numbers::PI / 180.;
  if (is_free)
  {
    const Motion free = free_motion_at(t_free);
    for (unsigned int c = 0; c < dim; ++c)
      pose.d[c] += free[c];
    pose.angle += free[dim];
  }
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
Tensor<1, dim> Obstacle<dim>::turn(const double alpha,
                                   const Tensor<1, dim> &r) const
{
  if constexpr (dim == 2)
    return Tensor<1, 2>({ -alpha * r[1], alpha * r[0] });
  else
    return alpha * cross_product_3d(axis, r);
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
    v += turn((then.angle - now.angle) / h, x - center - now.d);
  return v;
}

template <int dim>
Tensor<1, dim> Obstacle<dim>::imposed_velocity(const unsigned int side,
                                               const Tensor<1, dim> &N,
                                               const Point<dim> &x,
                                               const double t,
                                               const double h,
                                               const double t_free) const
{
  const bool driven =
      !displacement.is_zero() || !speed.is_zero() || !rotation.is_zero();
  if (!driven)
    return Tensor<1, dim>();
  const Pose now = pose(t, t_free), then = pose(t + h, t_free);
  const double g               = gap(side, N, x, now);
  const Tensor<1, dim> imposed = -velocity(x - g * N, now, then, h);
  if (shape->is_flat(side) && rotation.is_zero())
    return imposed;
  // The normal of an edge is that of the contact at both times: gap() turns N
  // back by each rotation, so that N must turn with the obstacle.
  const Tensor<1, dim> N_then = rotates() ? then.R * (transpose(now.R) * N) : N;
  const double change =
      turns_into_itself && displacement.is_zero() && speed.is_zero()
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

#include <delassus/shells/shell_mesh.h>

#include <map>
#include <random>

namespace delassus
{
namespace
{
constexpr double pi = 3.14159265358979323846;
}

ShellMesh shell_grid(const unsigned int n_u,
                     const unsigned int n_v,
                     const std::function<Vector3(double, double)> &x,
                     const double distortion,
                     const unsigned int seed)
{
  ShellMesh mesh;
  // The engine's numbers are the same everywhere, those of the distributions of
  // the standard library are not.
  std::mt19937 engine(seed);
  const auto random = [&]()
  { return distortion * (2. * (engine() / 4294967296.) - 1.); };
  for (unsigned int j = 0; j <= n_v; ++j)
    for (unsigned int i = 0; i <= n_u; ++i)
    {
      const bool inside = i > 0 && i < n_u && j > 0 && j < n_v;
      const double du = inside ? random() : 0., dv = inside ? random() : 0.;
      mesh.nodes.push_back(x((i + du) / n_u, (j + dv) / n_v));
    }
  for (unsigned int j = 0; j < n_v; ++j)
    for (unsigned int i = 0; i < n_u; ++i)
    {
      const unsigned int first = i + j * (n_u + 1), above = first + n_u + 1;
      mesh.quads.push_back({ { above + 1, above, first, first + 1 } });
    }
  return mesh;
}

ShellMesh shell_rectangle(const double length,
                          const double width,
                          const unsigned int n_along,
                          const unsigned int n_across,
                          const double distortion,
                          const unsigned int seed)
{
  return shell_grid(
      n_along,
      n_across,
      [=](const double u, const double v) {
        return Vector3{ { u * length, v * width, 0. } };
      },
      distortion,
      seed);
}

ShellMesh
shell_disk(const double radius, const unsigned int n, const unsigned int n_ring)
{
  // Nodes on a ray from the centre through the edge of a square: within it up
  // to a square of half the radius, then by straight lines to the circle.
  // Square and ring are told apart by the parameter t of the ray, 0 at the edge
  // of the square and 1 at the circle; nodes are found again by their integer
  // places.
  ShellMesh mesh;
  std::map<std::array<int, 3>, unsigned int> known;
  const int N = n;
  // On the square's edge its bulge makes the corners of the ring less sharp.
  const auto place = [&](const int i, const int j, const int k)
  {
    const auto found = known.find({ { i, j, k } });
    if (found != known.end())
      return found->second;
    const double a = double(i) / N, b = double(j) / N;
    // [-1, 1]^2 to a square between the straight one and its circle.
    const double bulge   = 0.5;
    const Vector3 square = {
      { a * (1. + bulge * (std::sqrt(1. - 0.5 * b * b) - std::sqrt(0.5))),
        b * (1. + bulge * (std::sqrt(1. - 0.5 * a * a) - std::sqrt(0.5))),
        0. }
    };
    Vector3 x = 0.4 * radius * square;
    if (k > 0)
    {
      const double t = double(k) / n_ring;
      // Equal angles on the circle.
      const double phi =
          std::abs(a) == 1.
              ? (a > 0. ? 0.25 * pi * b : pi - 0.25 * pi * b)
              : (b > 0. ? 0.5 * pi - 0.25 * pi * a : -0.5 * pi + 0.25 * pi * a);
      const Vector3 circle{
        { radius * std::cos(phi), radius * std::sin(phi), 0. }
      };
      x = (1. - t) * x + t * circle;
    }
    mesh.nodes.push_back(x);
    return known[{ { i, j, k } }] = mesh.nodes.size() - 1;
  };
  for (int j = -N; j < N; j += 2)
    for (int i = -N; i < N; i += 2)
      mesh.quads.push_back({ { place(i + 2, j + 2, 0),
                               place(i, j + 2, 0),
                               place(i, j, 0),
                               place(i + 2, j, 0) } });
  for (int k = 0; k < int(n_ring); ++k)
    for (int m = -N; m < N; m += 2)
    {
      // Counterclockwise: right, top, left, bottom.
      const std::array<std::array<int, 2>, 4> from{
        { { { N, m } }, { { -m, N } }, { { -N, -m } }, { { m, -N } } }
      },
          to{ { { { N, m + 2 } },
                { { -m - 2, N } },
                { { -N, -m - 2 } },
                { { m + 2, -N } } } };
      for (unsigned int side = 0; side < 4; ++side)
        mesh.quads.push_back({ { place(from[side][0], from[side][1], k),
                                 place(from[side][0], from[side][1], k + 1),
                                 place(to[side][0], to[side][1], k + 1),
                                 place(to[side][0], to[side][1], k) } });
    }
  return mesh;
}

ShellMesh shell_cylinder(const double radius,
                         const double length,
                         const double from,
                         const double to,
                         const unsigned int n_around,
                         const unsigned int n_along,
                         const double distortion,
                         const unsigned int seed)
{
  return shell_grid(
      n_around,
      n_along,
      [=](const double u, const double v)
      {
        const double phi = from + u * (to - from);
        return Vector3{
          { radius * std::cos(phi), radius * std::sin(phi), v * length }
        };
      },
      distortion,
      seed);
}

ShellMesh shell_sphere(const double radius,
                       const double longitude,
                       const double latitude,
                       const unsigned int n_around,
                       const unsigned int n_up,
                       const double distortion,
                       const unsigned int seed)
{
  return shell_grid(
      n_around,
      n_up,
      [=](const double u, const double v)
      {
        const double phi = u * longitude, up = v * latitude;
        return Vector3{ { radius * std::cos(up) * std::cos(phi),
                          radius * std::cos(up) * std::sin(phi),
                          radius * std::sin(up) } };
      },
      distortion,
      seed);
}

ShellMesh shell_twisted_strip(const double length,
                              const double width,
                              const double angle,
                              const unsigned int n_along,
                              const unsigned int n_across,
                              const double distortion,
                              const unsigned int seed)
{
  return shell_grid(
      n_along,
      n_across,
      [=](const double u, const double v)
      {
        const double y = (v - 0.5) * width, phi = u * angle;
        return Vector3{ { u * length, y * std::cos(phi), y * std::sin(phi) } };
      },
      distortion,
      seed);
}
} // namespace delassus

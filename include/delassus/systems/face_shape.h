#ifndef delassus_systems_face_shape_h
#define delassus_systems_face_shape_h

#include <deal.II/base/point.h>

#include <array>

namespace delassus
{
/// The most nodes a face can have (a quadrilateral of degree 2).
constexpr unsigned int max_face_nodes = 9;

/// Corners of a face of @p n_nodes nodes.
template <int dim>
constexpr unsigned int n_face_corners(const unsigned int n_nodes)
{
  return dim == 2 ? 2 : (n_nodes == 3 || n_nodes == 6 ? 3 : 4);
}

/// Whether a face of @p n_nodes nodes is of degree 2.
template <int dim>
constexpr bool is_quadratic_face(const unsigned int n_nodes)
{
  return n_nodes != n_face_corners<dim>(n_nodes);
}

/// Shape functions N_k of a face and their derivatives with respect to the
/// face's coordinates s:
///   x(s) = sum_k N_k(s) x_k
/// Nodes are ordered as in SkinFace: corners (cyclic), the middles of the edges
/// 0-1, 1-2, ... (the last one closes the cycle), the centre.
///   2D, 2 or 3 nodes: s in [0, 1] from corner 0 to corner 1 (one "edge").
///   3D, 3 or 6 nodes: s_0, s_1 >= 0, s_0 + s_1 <= 1; corners at (0, 0), (1,
///   0),
///                     (0, 1).
///   3D, 4 or 9 nodes: [0, 1] x [0, 1]; corners at (0, 0), (1, 0), (1, 1),
///                     (0, 1).
/// With t_j = dx/ds_j the outward normal is t_0 turned by -90 degrees in 2D,
/// t_0 x t_1 in 3D; its length is the ratio of areas.
template <int dim>
struct FaceShape
{
  static constexpr unsigned int face_dim = dim - 1;

  std::array<double, max_face_nodes> value;
  std::array<std::array<double, face_dim>, max_face_nodes> derivative;
  /// Second derivatives: ss in 2D; 00, 01, 11 in 3D.
  std::array<std::array<double, dim == 2 ? 1 : 3>, max_face_nodes> second;

  FaceShape() = default;

  FaceShape(const unsigned int n_nodes, const dealii::Point<face_dim> &s)
  {
    reinit(n_nodes, s);
  }

  void reinit(const unsigned int n_nodes, const dealii::Point<face_dim> &s);

  /// The coordinates of the face's middle.
  static dealii::Point<dim - 1> middle(const unsigned int n_nodes);

  /// x(s), x_k the position of node k.
  template <typename Positions>
  dealii::Point<dim> position(const unsigned int n_nodes,
                              const Positions &x) const
  {
    dealii::Point<dim> result;
    for (unsigned int k = 0; k < n_nodes; ++k)
      for (unsigned int c = 0; c < dim; ++c)
        result[c] += value[k] * x[k][c];
    return result;
  }

  /// The outward normal times the ratio of areas dA / ds.
  template <typename Positions>
  dealii::Tensor<1, dim> area_vector(const unsigned int n_nodes,
                                     const Positions &x) const
  {
    std::array<dealii::Tensor<1, dim>, face_dim> t;
    for (unsigned int k = 0; k < n_nodes; ++k)
      for (unsigned int j = 0; j < face_dim; ++j)
        for (unsigned int c = 0; c < dim; ++c)
          t[j][c] += derivative[k][j] * x[k][c];
    dealii::Tensor<1, dim> normal;
    if constexpr (dim == 2)
    {
      normal[0] = t[0][1];
      normal[1] = -t[0][0];
    }
    else
      normal = dealii::cross_product_3d(t[0], t[1]);
    return normal;
  }

private:
  /// Lagrange polynomials of [0, 1] with nodes 0, 1 (and 1/2), their first and
  /// second derivatives.
  static void line(const bool quadratic,
                   const double s,
                   std::array<double, 3> &n,
                   std::array<double, 3> &d,
                   std::array<double, 3> &dd)
  {
    if (quadratic)
    {
      n = {
        { (1. - s) * (1. - 2. * s), s * (2. * s - 1.), 4. * s * (1. - s) }
      };
      d  = { { 4. * s - 3., 4. * s - 1., 4. - 8. * s } };
      dd = { { 4., 4., -8. } };
    }
    else
    {
      n  = { { 1. - s, s, 0. } };
      d  = { { -1., 1., 0. } };
      dd = { { 0., 0., 0. } };
    }
  }
};

template <int dim>
inline void FaceShape<dim>::reinit(const unsigned int n_nodes,
                                   const dealii::Point<face_dim> &s)
{
  const bool quadratic = is_quadratic_face<dim>(n_nodes);
  if constexpr (dim == 2)
  {
    std::array<double, 3> n, d, dd;
    line(quadratic, s[0], n, d, dd);
    for (unsigned int k = 0; k < n_nodes; ++k)
    {
      value[k]         = n[k];
      derivative[k][0] = d[k];
      second[k][0]     = dd[k];
    }
  }
  else if (n_face_corners<dim>(n_nodes) == 3)
  {
    // Barycentric coordinates and their derivatives.
    const std::array<double, 3> l = { { 1. - s[0] - s[1], s[0], s[1] } };
    const std::array<std::array<double, 2>, 3> dl = {
      { { { -1., -1. } }, { { 1., 0. } }, { { 0., 1. } } }
    };
    for (unsigned int k = 0; k < 3; ++k)
    {
      value[k]           = quadratic ? l[k] * (2. * l[k] - 1.) : l[k];
      const double slope = quadratic ? 4. * l[k] - 1. : 1.;
      const double bend  = quadratic ? 4. : 0.;
      for (unsigned int j = 0; j < 2; ++j)
        derivative[k][j] = slope * dl[k][j];
      second[k] = { { bend * dl[k][0] * dl[k][0],
                      bend * dl[k][0] * dl[k][1],
                      bend * dl[k][1] * dl[k][1] } };
      if (quadratic)
      {
        const unsigned int a = k, b = (k + 1) % 3;
        value[3 + k] = 4. * l[a] * l[b];
        for (unsigned int j = 0; j < 2; ++j)
          derivative[3 + k][j] = 4. * (dl[a][j] * l[b] + l[a] * dl[b][j]);
        second[3 + k] = { { 8. * dl[a][0] * dl[b][0],
                            4. * (dl[a][0] * dl[b][1] + dl[a][1] * dl[b][0]),
                            8. * dl[a][1] * dl[b][1] } };
      }
    }
  }
  else
  {
    // Products of lines: 0 and 1 are the ends, 2 the middle.
    constexpr unsigned int along[9][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 },
                                           { 0, 1 }, { 2, 0 }, { 1, 2 },
                                           { 2, 1 }, { 0, 2 }, { 2, 2 } };
    std::array<double, 3> n0, d0, dd0, n1, d1, dd1;
    line(quadratic, s[0], n0, d0, dd0);
    line(quadratic, s[1], n1, d1, dd1);
    for (unsigned int k = 0; k < n_nodes; ++k)
    {
      const unsigned int i = along[k][0], j = along[k][1];
      value[k]         = n0[i] * n1[j];
      derivative[k][0] = d0[i] * n1[j];
      derivative[k][1] = n0[i] * d1[j];
      second[k]        = { { dd0[i] * n1[j], d0[i] * d1[j], n0[i] * dd1[j] } };
    }
  }
}

template <int dim>
inline dealii::Point<dim - 1> FaceShape<dim>::middle(const unsigned int n_nodes)
{
  dealii::Point<dim - 1> s;
  for (unsigned int j = 0; j < face_dim; ++j)
    s[j] = n_face_corners<dim>(n_nodes) == 3 ? 1. / 3. : 0.5;
  return s;
}
} // namespace delassus

#endif

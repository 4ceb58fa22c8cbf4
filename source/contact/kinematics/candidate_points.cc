#include <delassus/contact/kinematics/contact_surfaces.h>
#include <delassus/base/exceptions.h>
#include <delassus/contact/kinematics/face_quadrature.h>
#include <delassus/contact/kinematics/surface_sides.h>

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

namespace delassus
{
using namespace dealii;

namespace
{
/// Positions along an edge, in [0, 1], with the share of the edge that each
/// stands for (up to the middle between neighbours).
struct EdgeRule
{
  std::vector<double> position, share;
};

EdgeRule edge_rule(const CandidatePoints kind, std::vector<double> positions)
{
  EdgeRule rule;
  if (kind == CandidatePoints::midpoints)
    rule.position = { 0.5 };
  else if (kind == CandidatePoints::gauss)
    rule.position = { 0.5 - 0.5 / std::sqrt(3.), 0.5 + 0.5 / std::sqrt(3.) };
  else
  {
    std::sort(positions.begin(), positions.end());
    rule.position = positions;
  }
  const auto &p  = rule.position;
  const double n = p.size();
  for (unsigned int i = 0; i < n; ++i)
    rule.share.push_back((i + 1 < n ? 0.5 * (p[i] + p[i + 1]) : 1.) -
                         (i > 0 ? 0.5 * (p[i - 1] + p[i]) : 0.));
  return rule;
}

void add_share(boost::container::small_vector<unsigned int, 4> &nodes,
               boost::container::small_vector<double, 4> &weights,
               const unsigned int node,
               const double weight)
{
  for (unsigned int i = 0; i < nodes.size(); ++i)
    if (nodes[i] == node)
    {
      weights[i] += weight;
      return;
    }
  nodes.push_back(node);
  weights.push_back(weight);
}
} // namespace

template <int dim>
double ContactSurfaces<dim>::face_area(const unsigned int f) const
{
  dealii::Point<dim> middle;
  for (unsigned int v = 0; v < faces[f].n_nodes; ++v)
    for (unsigned int c = 0; c < dim; ++c)
      middle[c] += reference[dim * faces[f].nodes[v] + c] / faces[f].n_nodes;
  return out_of_plane(f, middle) *
         (dim == 2 ? faces[f].size : faces[f].size * faces[f].size);
}

template <int dim>
std::pair<unsigned int, unsigned int>
ContactSurfaces<dim>::add_points(const std::vector<unsigned int> &chosen,
                                 const CandidatePoints kind,
                                 const std::vector<double> &positions,
                                 const std::string &asked_by)
{
  const unsigned int begin = points.size();
  if (kind == CandidatePoints::nodes)
    add_nodal_points(chosen);
  else
    add_face_points(chosen, kind, positions, asked_by);
  return { begin, points.size() };
}

template <int dim>
void ContactSurfaces<dim>::add_nodal_points(
    const std::vector<unsigned int> &chosen)
{
  struct OfNode
  {
    std::vector<unsigned int> faces;
    std::vector<double> shares; ///< of the faces in the area
    bool corner = true; ///< of triangles of degree 2 only: no share of any
  };
  std::unordered_map<unsigned int, OfNode> of_node;
  std::vector<unsigned int> order;
  std::map<std::pair<unsigned int, unsigned int>, unsigned int> edges;
  std::array<dealii::Point<dim>, 9> X;
  for (const unsigned int f : chosen)
  {
    const Face &face              = faces[f];
    const bool quadratic          = is_quadratic_face<dim>(face.n_nodes);
    std::array<double, 9> share   = {};
    const unsigned int n_corners  = face.n_corners;
    const bool quadratic_triangle = quadratic && n_corners == 3;
    if (!quadratic && dim == 2)
    {
      // The integrals of the shape functions; about an axis the node nearer to
      // it has the smaller share.
      face_positions(face, reference, X);
      const double w0 = out_of_plane(f, X[0]), w1 = out_of_plane(f, X[1]);
      share[0] = face.size * (2. * w0 + w1) / 6.;
      share[1] = face.size * (w0 + 2. * w1) / 6.;
    }
    else if (!quadratic)
      std::fill_n(share.begin(), face.n_nodes, face_area(f) / face.n_nodes);
    else
    {
      face_positions(face, reference, X);
      for_face_quadrature<dim>(
          face.n_nodes,
          [&](const auto &shape, const double weight, const auto &)
          {
            const double area =
                weight * shape.area_vector(face.n_nodes, X).norm() *
                out_of_plane(f, shape.position(face.n_nodes, X));
            for (unsigned int v = 0; v < face.n_nodes; ++v)
              share[v] += area * shape.value[v];
          });
      if (quadratic_triangle)
        for (unsigned int v = 0; v < 3; ++v)
        {
          share[v]             = 0.;
          const unsigned int a = face.nodes[v], b = face.nodes[(v + 1) % 3];
          ++edges[{ std::min(a, b), std::max(a, b) }];
        }
    }
    for (unsigned int v = 0; v < face.n_nodes; ++v)
    {
      const auto add = [&](const unsigned int n, const double area)
      {
        auto &entry = of_node[n];
        if (entry.faces.empty())
          order.push_back(n);
        if (entry.faces.empty() || entry.faces.back() != f)
        {
          entry.faces.push_back(f);
          entry.shares.push_back(0.);
        }
        entry.shares.back() += area;
        entry.corner &= quadratic_triangle && v < 3;
      };
      // Points of rigid bodies and sheets are candidates; hanging nodes are
      // not.
      if (nodes[face.nodes[v]].point)
        add(face.nodes[v], share[v]);
      else
        resolve(face.nodes[v], share[v], add);
    }
  }
  std::set<unsigned int> at_the_end;
  for (const auto &edge : edges)
    if (edge.second == 1)
    {
      at_the_end.insert(edge.first.first);
      at_the_end.insert(edge.first.second);
    }
  for (const unsigned int n : order)
  {
    auto &entry    = of_node[n];
    bool sharp     = false;
    const auto ref = face_normal(entry.faces[0], reference);
    for (const unsigned int f : entry.faces)
      sharp |= face_normal(f, reference) * ref < cosine_of_edge;
    if (entry.corner)
    {
      // As if the face were four linear triangles.
      for (unsigned int i = 0; i < entry.faces.size(); ++i)
        entry.shares[i] += face_area(entry.faces[i]) / 12.;
      if (!sharp && at_the_end.count(n) == 0)
        continue;
    }
    Point point;
    resolve(n,
            1.,
            [&](const unsigned int node, const double weight)
            {
              point.nodes.push_back(node);
              point.weights.push_back(weight);
            });
    point.n_nodes = point.nodes.size();
    point.piece   = nodes[n].piece;
    point.area = std::accumulate(entry.shares.begin(), entry.shares.end(), 0.);
    if (sharp)
    {
      point.first_share = point_shares.size();
      point_shares.insert(
          point_shares.end(), entry.shares.begin(), entry.shares.end());
    }
    point.size       = std::numeric_limits<double>::max();
    point.depth      = std::numeric_limits<double>::max();
    point.first_face = point_faces.size();
    for (const unsigned int f : entry.faces)
    {
      point.size  = std::min(point.size, faces[f].size);
      point.depth = std::min(point.depth, faces[f].depth);
      point_faces.push_back(f);
    }
    point.n_faces = point_faces.size() - point.first_face;
    points.push_back(point);
  }
}

template <int dim>
double ContactSurfaces<dim>::touching_area(const Point &point,
                                           const Tensor<1, dim> &N,
                                           const std::vector<double> &x) const
{
  if (point.first_share == numbers::invalid_unsigned_int)
    return point.area;
  std::vector<Tensor<1, dim>> normals;
  unsigned int touching = 0;
  for (unsigned int i = 0; i < point.n_faces; ++i)
  {
    normals.push_back(face_normal(point_faces[point.first_face + i], x));
    if (normals[i] * N < normals[touching] * N)
      touching = i;
  }
  double area = 0.;
  for (unsigned int i = 0; i < point.n_faces; ++i)
    if (i == touching || normals[i] * normals[touching] > cosine_of_edge)
      area += point_shares[point.first_share + i];
  return area;
}

template <int dim>
void ContactSurfaces<dim>::add_face_points(
    const std::vector<unsigned int> &chosen,
    const CandidatePoints kind,
    const std::vector<double> &positions,
    const std::string &asked_by)
{
  const EdgeRule rule = edge_rule(kind, positions);
  const auto n        = rule.position.size();
  std::array<dealii::Point<dim>, 9> X;
  for (const unsigned int f : chosen)
  {
    const Face &face     = faces[f];
    const bool quadratic = is_quadratic_face<dim>(face.n_nodes);
    const double area    = quadratic ? 0. : face_area(f);
    face_positions(face, reference, X);
    const auto add = [&](const dealii::Point<dim - 1> &s, const double share)
    {
      const FaceShape<dim> shape(face.n_nodes, s);
      Point point;
      for (unsigned int v = 0; v < face.n_nodes; ++v)
        resolve(face.nodes[v],
                shape.value[v],
                [&](const unsigned int node, const double weight)
                { add_share(point.nodes, point.weights, node, weight); });
      point.n_nodes    = point.nodes.size();
      point.piece      = face.piece;
      point.size       = face.size;
      point.depth      = face.depth;
      point.first_face = point_faces.size();
      point.n_faces    = 1;
      point.area       = area * share;
      if (quadratic)
        point.area = share * (face.n_corners == 3 ? 0.5 : 1.) *
                     shape.area_vector(face.n_nodes, X).norm() *
                     out_of_plane(f, shape.position(face.n_nodes, X));
      point_faces.push_back(f);
      points.push_back(point);
    };
    if constexpr (dim == 2)
      for (unsigned int i = 0; i < n; ++i)
        add(dealii::Point<1>(rule.position[i]), rule.share[i]);
    else if (face.n_corners == 4)
      for (unsigned int j = 0; j < n; ++j)
        for (unsigned int i = 0; i < n; ++i)
          add(dealii::Point<2>(rule.position[i], rule.position[j]),
              rule.share[i] * rule.share[j]);
    else if (kind == CandidatePoints::midpoints)
      add(dealii::Point<2>(1. / 3., 1. / 3.), 1.);
    else if (kind == CandidatePoints::gauss)
      for (unsigned int i = 0; i < 3; ++i)
        add(dealii::Point<2>(i == 1 ? 2. / 3. : 1. / 6.,
                             i == 2 ? 2. / 3. : 1. / 6.),
            1. / 3.);
    else
      throw InputError(fmt::format(
          "{}: 'Points = positions' needs faces with edges to measure along "
          "(segments or quadrilaterals); this surface has triangles. Use "
          "'nodes', 'midpoints' or 'gauss'.",
          asked_by));
  }
}

template <int dim>
std::pair<unsigned int, unsigned int>
ContactSurfaces<dim>::add_mortar_points(const std::vector<unsigned int> &chosen,
                                        std::vector<MortarFace> &mortar_faces)
{
  const unsigned int begin = points.size();
  // Rows of each free node: one for each side of an edge.
  struct Row
  {
    unsigned int point;
    Tensor<1, dim> normal;
    std::vector<unsigned int> faces;
  };
  std::unordered_map<unsigned int, std::vector<Row>> rows_of_node;
  std::set<unsigned int> corners;
  for (const unsigned int f : chosen)
    for (unsigned int v = 0; v < faces[f].n_corners; ++v)
      corners.insert(faces[f].nodes[v]);
  std::vector<Row *> row_of_point;
  std::array<dealii::Point<dim>, 9> X;
  for (const unsigned int f : chosen)
  {
    const Face &face            = faces[f];
    const Tensor<1, dim> normal = face_normal(f, reference);
    MortarFace mortar;
    mortar.face = f;
    for (unsigned int v = 0; v < face.n_corners; ++v)
    {
      // Masters that are no corners of this surface have no row: their share
      // goes to the others.
      double sum = 0.;
      resolve(face.nodes[v],
              1.,
              [&](const unsigned int node, const double weight)
              { sum += corners.count(node) > 0 ? weight : 0.; });
      resolve(face.nodes[v],
              1.,
              [&](const unsigned int node, const double weight)
              {
                if (corners.count(node) == 0 || !(sum > 0.))
                  return;
                auto &rows = rows_of_node[node];
                auto row =
                    std::find_if(rows.begin(),
                                 rows.end(),
                                 [&](const Row &r) {
                                   return r.normal * normal >
                                          cosine_of_edge * r.normal.norm();
                                 });
                if (row == rows.end())
                {
                  Point point;
                  point.piece = face.piece;
                  point.area  = 0.;
                  point.size = point.depth = std::numeric_limits<double>::max();
                  rows.push_back({ (unsigned int)points.size(), {}, {} });
                  points.push_back(point);
                  row = rows.end() - 1;
                }
                row->normal += normal;
                if (row->faces.empty() || row->faces.back() != f)
                  row->faces.push_back(f);
                mortar.entries.push_back({ row->point, v, weight / sum });
              });
    }
    face_positions(face, reference, X);
    for_face_quadrature<dim>(
        face.n_nodes,
        [&](const FaceShape<dim> &shape,
            const double weight,
            const dealii::Point<dim - 1> &s)
        {
          const double area = weight *
                              shape.area_vector(face.n_nodes, X).norm() *
                              out_of_plane(f, shape.position(face.n_nodes, X));
          const FaceShape<dim> psi(face.n_corners, s);
          for (const auto &entry : mortar.entries)
          {
            Point &point       = points[entry.row];
            const double share = area * entry.weight * psi.value[entry.corner];
            point.area += share;
            for (unsigned int v = 0; v < face.n_nodes; ++v)
              resolve(face.nodes[v],
                      share * shape.value[v],
                      [&](const unsigned int node, const double w)
                      { add_share(point.nodes, point.weights, node, w); });
          }
        });
    mortar_faces.push_back(mortar);
  }
  row_of_point.resize(points.size() - begin);
  for (auto &entry : rows_of_node)
    for (auto &row : entry.second)
      row_of_point[row.point - begin] = &row;
  for (unsigned int p = begin; p < points.size(); ++p)
  {
    Point &point  = points[p];
    point.n_nodes = point.nodes.size();
    for (double &weight : point.weights)
      weight /= point.area;
    point.first_face = point_faces.size();
    for (const unsigned int f : row_of_point[p - begin]->faces)
    {
      point.size  = std::min(point.size, faces[f].size);
      point.depth = std::min(point.depth, faces[f].depth);
      point_faces.push_back(f);
    }
    point.n_faces = point_faces.size() - point.first_face;
  }
  return { begin, points.size() };
}

#define INSTANTIATE(dim)                                                       \
  template std::pair<unsigned int, unsigned int>                               \
  ContactSurfaces<dim>::add_points(const std::vector<unsigned int> &,          \
                                   const CandidatePoints,                      \
                                   const std::vector<double> &,                \
                                   const std::string &);                       \
  template std::pair<unsigned int, unsigned int>                               \
  ContactSurfaces<dim>::add_mortar_points(const std::vector<unsigned int> &,   \
                                          std::vector<MortarFace> &);          \
  template double ContactSurfaces<dim>::touching_area(                         \
      const Point &, const Tensor<1, dim> &, const std::vector<double> &)      \
      const;                                                                   \
  template double ContactSurfaces<dim>::face_area(const unsigned int) const
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus

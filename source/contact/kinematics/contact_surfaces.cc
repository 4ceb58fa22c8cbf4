#include <delassus/contact/kinematics/contact_surfaces.h>
#include <delassus/base/exceptions.h>

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace delassus
{
using namespace dealii;

template <int dim>
ContactSurfaces<dim>::ContactSurfaces(
    const std::vector<std::unique_ptr<SolidBody<dim>>> &bodies,
    MPI_Comm communicator)
    : bodies(bodies)
    , communicator(communicator)
    , node_index(bodies.size())
    , face_index(bodies.size())
{
  first_piece.push_back(0);
  for (const auto &body : bodies)
    first_piece.push_back(first_piece.back() + body->pieces.size());
}

template <int dim>
unsigned int ContactSurfaces<dim>::add_node(const unsigned int b,
                                            const unsigned int node)
{
  const auto inserted = node_index[b].insert({ node, nodes.size() });
  if (inserted.second)
  {
    const unsigned int piece = bodies[b]->node_piece[node];
    nodes.push_back(
        { b, node, first_piece[b] + piece, bodies[b]->owner_of(node) });
    for (unsigned int c = 0; c < dim; ++c)
      reference.push_back(bodies[b]->nodes[node][c]);
  }
  return inserted.first->second;
}

template <int dim>
std::vector<unsigned int>
ContactSurfaces<dim>::add_faces(const unsigned int b,
                                const std::vector<unsigned int> &boundary_faces)
{
  std::vector<unsigned int> result;
  result.reserve(boundary_faces.size());
  for (const unsigned int f : boundary_faces)
  {
    const auto inserted = face_index[b].insert({ f, faces.size() });
    if (inserted.second)
    {
      const auto &boundary = bodies[b]->boundary[f];
      Face face;
      face.n_nodes = boundary.n_nodes;
      face.piece   = first_piece[b] + boundary.piece;
      face.nodes.fill(0);
      for (unsigned int v = 0; v < face.n_nodes; ++v)
        face.nodes[v] = add_node(b, boundary.nodes[v]);
      const auto &x = bodies[b]->nodes;
      const auto d  = [&](const unsigned int i, const unsigned int j)
      { return x[boundary.nodes[j]] - x[boundary.nodes[i]]; };
      if constexpr (dim == 2)
        face.size = d(0, 1).norm();
      else
        face.size =
            std::sqrt(face.n_nodes == 3
                          ? 0.5 * cross_product_3d(d(0, 1), d(0, 2)).norm()
                          : 0.5 * cross_product_3d(d(0, 2), d(1, 3)).norm());
      const bool simplex =
          boundary.n_corners == 3 || (dim == 2 && bodies[b]->has_simplices());
      face.depth = boundary.cell_measure /
                   (dim == 2 ? face.size : face.size * face.size) *
                   (simplex ? dim : 1);
      faces.push_back(face);
      face_body.push_back(b);
    }
    result.push_back(inserted.first->second);
  }
  return result;
}

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
} // namespace

template <int dim>
std::pair<unsigned int, unsigned int>
ContactSurfaces<dim>::add_points(const std::vector<unsigned int> &chosen,
                                 const CandidatePoints kind,
                                 const std::vector<double> &positions,
                                 const std::string &asked_by)
{
  const unsigned int begin = points.size();
  const auto face_area     = [&](const unsigned int f)
  {
    dealii::Point<dim> middle;
    for (unsigned int v = 0; v < faces[f].n_nodes; ++v)
      for (unsigned int c = 0; c < dim; ++c)
        middle[c] += reference[dim * faces[f].nodes[v] + c] / faces[f].n_nodes;
    return bodies[face_body[f]]->out_of_plane(middle) *
           (dim == 2 ? faces[f].size : faces[f].size * faces[f].size);
  };

  if (kind == CandidatePoints::nodes)
  {
    std::unordered_map<unsigned int, std::vector<unsigned int>> faces_of_node;
    std::vector<unsigned int> order;
    for (const unsigned int f : chosen)
      for (unsigned int v = 0; v < faces[f].n_nodes; ++v)
      {
        auto &list = faces_of_node[faces[f].nodes[v]];
        if (list.empty())
          order.push_back(faces[f].nodes[v]);
        list.push_back(f);
      }
    for (const unsigned int n : order)
    {
      Point point;
      point.nodes      = { n };
      point.weights    = { 1. };
      point.n_nodes    = 1;
      point.piece      = nodes[n].piece;
      point.area       = 0.;
      point.size       = std::numeric_limits<double>::max();
      point.depth      = std::numeric_limits<double>::max();
      point.first_face = point_faces.size();
      for (const unsigned int f : faces_of_node[n])
      {
        point.area += face_area(f) / faces[f].n_nodes;
        point.size  = std::min(point.size, faces[f].size);
        point.depth = std::min(point.depth, faces[f].depth);
        point_faces.push_back(f);
      }
      point.n_faces = point_faces.size() - point.first_face;
      points.push_back(point);
    }
    return { begin, points.size() };
  }

  const EdgeRule rule = edge_rule(kind, positions);
  for (const unsigned int f : chosen)
  {
    Point point;
    point.n_nodes = faces[f].n_nodes;
    point.nodes.assign(faces[f].nodes.begin(),
                       faces[f].nodes.begin() + point.n_nodes);
    point.weights.assign(point.n_nodes, 0.);
    point.piece      = faces[f].piece;
    point.size       = faces[f].size;
    point.depth      = faces[f].depth;
    point.first_face = point_faces.size();
    point.n_faces    = 1;
    point_faces.push_back(f);
    const double area = face_area(f);
    const auto n      = rule.position.size();
    if (faces[f].n_nodes == 2)
      for (unsigned int i = 0; i < n; ++i)
      {
        point.weights[0] = 1. - rule.position[i];
        point.weights[1] = rule.position[i];
        point.area       = area * rule.share[i];
        points.push_back(point);
      }
    else if (faces[f].n_nodes == 4)
      for (unsigned int j = 0; j < n; ++j)
        for (unsigned int i = 0; i < n; ++i)
        {
          const double x = rule.position[i], y = rule.position[j];
          point.weights = {
            (1. - x) * (1. - y), x * (1. - y), x * y, (1. - x) * y
          };
          point.area = area * rule.share[i] * rule.share[j];
          points.push_back(point);
        }
    else if (kind == CandidatePoints::midpoints)
    {
      point.weights = { 1. / 3., 1. / 3., 1. / 3. };
      point.area    = area;
      points.push_back(point);
    }
    else if (kind == CandidatePoints::gauss)
      for (unsigned int i = 0; i < 3; ++i)
      {
        point.weights    = { 1. / 6., 1. / 6., 1. / 6. };
        point.weights[i] = 2. / 3.;
        point.area       = area / 3.;
        points.push_back(point);
      }
    else
      throw InputError(fmt::format(
          "{}: 'Points = positions' needs faces with edges to measure along "
          "(segments or quadrilaterals); this surface has triangles. Use "
          "'nodes', 'midpoints' or 'gauss'.",
          asked_by));
  }
  return { begin, points.size() };
}

template <int dim>
void ContactSurfaces<dim>::gather(const std::vector<const Vector *> &per_body,
                                  std::vector<double> &values) const
{
  values.resize(dim * nodes.size());
  const unsigned int n_ranks = Utilities::MPI::n_mpi_processes(communicator);
  const unsigned int rank    = Utilities::MPI::this_mpi_process(communicator);
  const auto local           = [&](const Node &node)
  {
    return &*per_body[node.body]->begin() +
           dim * (node.node - bodies[node.body]->first_owned_node);
  };
  if (n_ranks == 1)
  {
    for (unsigned int n = 0; n < nodes.size(); ++n)
      std::copy_n(local(nodes[n]), dim, &values[dim * n]);
    return;
  }
  counts.assign(n_ranks, 0);
  offsets.assign(n_ranks + 1, 0);
  for (const auto &node : nodes)
    counts[node.owner] += dim;
  for (unsigned int r = 0; r < n_ranks; ++r)
    offsets[r + 1] = offsets[r] + counts[r];
  send.clear();
  for (const auto &node : nodes)
    if (node.owner == rank)
      send.insert(send.end(), local(node), local(node) + dim);
  receive.resize(values.size());
  const int ierr = MPI_Allgatherv(send.data(),
                                  send.size(),
                                  MPI_DOUBLE,
                                  receive.data(),
                                  counts.data(),
                                  offsets.data(),
                                  MPI_DOUBLE,
                                  communicator);
  AssertThrowMPI(ierr);
  for (unsigned int n = 0; n < nodes.size(); ++n)
  {
    int &offset = offsets[nodes[n].owner];
    std::copy_n(&receive[offset], dim, &values[dim * n]);
    offset += dim;
  }
}

template <int dim>
Tensor<1, dim>
ContactSurfaces<dim>::face_normal(const unsigned int f,
                                  const std::vector<double> &x) const
{
  const Face &face = faces[f];
  const auto d     = [&](const unsigned int i, const unsigned int j)
  {
    Tensor<1, dim> t;
    for (unsigned int c = 0; c < dim; ++c)
      t[c] = x[dim * face.nodes[j] + c] - x[dim * face.nodes[i] + c];
    return t;
  };
  Tensor<1, dim> normal;
  if constexpr (dim == 2)
  {
    const Tensor<1, dim> t = d(0, 1);
    normal[0]              = t[1];
    normal[1]              = -t[0];
  }
  else
    normal = face.n_nodes == 3 ? cross_product_3d(d(0, 1), d(0, 2))
                               : cross_product_3d(d(0, 2), d(1, 3));
  return normal / normal.norm();
}

template <int dim>
Tensor<1, dim>
ContactSurfaces<dim>::point_normal(const Point &point,
                                   const std::vector<double> &x) const
{
  if (point.n_faces == 1)
    return face_normal(point_faces[point.first_face], x);
  Tensor<1, dim> normal;
  for (unsigned int i = 0; i < point.n_faces; ++i)
    normal += face_normal(point_faces[point.first_face + i], x);
  const double norm = normal.norm();
  return norm > 1e-12 ? normal / norm
                      : face_normal(point_faces[point.first_face], x);
}

template <int dim>
dealii::Point<dim>
ContactSurfaces<dim>::position(const Point &point,
                               const std::vector<double> &x) const
{
  dealii::Point<dim> p;
  for (unsigned int i = 0; i < point.n_nodes; ++i)
    for (unsigned int c = 0; c < dim; ++c)
      p[c] += point.weights[i] * x[dim * point.nodes[i] + c];
  return p;
}

template <int dim>
double ContactSurfaces<dim>::smallest_face() const
{
  double smallest = std::numeric_limits<double>::max();
  for (const auto &face : faces)
    smallest = std::min(smallest, face.size);
  return smallest;
}

template class ContactSurfaces<2>;
template class ContactSurfaces<3>;
} // namespace delassus

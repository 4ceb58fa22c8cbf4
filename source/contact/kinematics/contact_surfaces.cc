#include <delassus/contact/kinematics/contact_surfaces.h>
#include <delassus/contact/kinematics/face_quadrature.h>
#include <delassus/base/exceptions.h>

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace delassus
{
using namespace dealii;

template <int dim>
ContactSurfaces<dim>::ContactSurfaces(std::vector<const Skin<dim> *> skins_in,
                                      MPI_Comm communicator)
    : skins(std::move(skins_in))
    , communicator(communicator)
    , n_ranks(Utilities::MPI::n_mpi_processes(communicator))
    , rank(Utilities::MPI::this_mpi_process(communicator))
    , owned(skins.size())
    , node_index(skins.size())
    , face_index(skins.size())
{
  first_piece.push_back(0);
  for (const auto *skin : skins)
    first_piece.push_back(first_piece.back() + skin->n_pieces());
}

template <int dim>
unsigned int ContactSurfaces<dim>::add_node(const unsigned int b,
                                            const unsigned int carrier)
{
  const auto inserted       = node_index[b].insert({ carrier, nodes.size() });
  const unsigned int number = inserted.first->second;
  if (!inserted.second)
    return number;
  const auto given = skins[b]->carrier(carrier);
  nodes.push_back({ b,
                    carrier,
                    first_piece[b] + given.piece,
                    given.owner,
                    given.depends,
                    given.depends && skins[b]->has_points(),
                    !skins[b]->has_points() || given.depends });
  if (given.owner == rank)
  {
    owned[b].carriers.push_back(carrier);
    owned[b].nodes.push_back(number);
  }
  for (unsigned int c = 0; c < dim; ++c)
    reference.push_back(given.reference[c]);
  if (given.depends)
  {
    // The surface is that of the free carriers: no crack at hanging nodes.
    std::vector<std::pair<unsigned int, double>> list;
    for (const auto &master : skins[b]->masters(carrier))
      list.emplace_back(add_node(b, master.carrier), master.weight);
    for (unsigned int c = 0; c < dim; ++c)
    {
      double x = 0.;
      for (const auto &master : list)
        x += master.second * reference[dim * master.first + c];
      reference[dim * number + c] = x;
    }
    masters[number] = list;
  }
  return number;
}

template <int dim>
std::vector<unsigned int>
ContactSurfaces<dim>::add_faces(const unsigned int b,
                                const std::vector<unsigned int> &skin_faces)
{
  std::vector<unsigned int> result;
  result.reserve(skin_faces.size());
  for (const unsigned int f : skin_faces)
  {
    const auto inserted = face_index[b].insert({ f, faces.size() });
    if (inserted.second)
    {
      const auto &boundary = skins[b]->skin_faces()[f];
      Face face;
      face.n_nodes   = boundary.n_nodes;
      face.n_corners = n_face_corners<dim>(face.n_nodes);
      face.piece     = first_piece[b] + boundary.piece;
      face.nodes.fill(0);
      for (unsigned int v = 0; v < face.n_nodes; ++v)
        face.nodes[v] = add_node(b, boundary.nodes[v]);
      face.size = 0.;
      std::array<dealii::Point<dim>, 9> X;
      face_positions(face, reference, X);
      if (is_quadratic_face<dim>(face.n_nodes))
      {
        for_face_quadrature<dim>(
            face.n_nodes,
            [&](const auto &shape, const double weight, const auto &) {
              face.size += weight * shape.area_vector(face.n_nodes, X).norm();
            });
        if (dim == 3)
          face.size = std::sqrt(face.size);
      }
      else if constexpr (dim == 2)
        face.size = (X[1] - X[0]).norm();
      else
        face.size = std::sqrt(
            face.n_nodes == 3
                ? 0.5 * cross_product_3d(X[1] - X[0], X[2] - X[0]).norm()
                : 0.5 * cross_product_3d(X[2] - X[0], X[3] - X[1]).norm());
      const bool simplex =
          boundary.n_corners == 3 || (dim == 2 && skins[b]->is_of_simplices());
      face.depth = boundary.cell_measure /
                   (dim == 2 ? face.size : face.size * face.size) *
                   (simplex ? dim : 1);
      faces.push_back(face);
      face_system.push_back(b);
    }
    result.push_back(inserted.first->second);
  }
  return result;
}

template <int dim>
void ContactSurfaces<dim>::add_balls(
    const unsigned int b,
    const std::vector<typename Skin<dim>::Ball> &balls)
{
  for (const auto &ball : balls)
  {
    Point point;
    add_frame(b, ball.piece);
    for (const auto &master : ball.masters)
    {
      point.nodes.push_back(add_node(b, master.carrier));
      point.weights.push_back(master.weight);
    }
    nodes[point.nodes[0]].place = true;
    point.n_nodes               = point.nodes.size();
    point.piece                 = first_piece[b] + ball.piece;
    point.area                  = ball.area;
    point.size = point.depth = point.radius = ball.radius;
    point.first_face                        = point_faces.size();
    point.n_faces                           = 0;
    points.push_back(point);
    has_balls = true;
  }
}

template <int dim>
const typename ContactSurfaces<dim>::Frame &
ContactSurfaces<dim>::add_frame(const unsigned int b, const unsigned int piece)
{
  Frame &frame     = frames[first_piece[b] + piece];
  const auto given = skins[b]->frame(piece);
  frame.length     = given.length;
  frame.pole       = add_node(b, given.carriers[0]);
  for (unsigned int k = 0; k < dim; ++k)
    frame.axes[k] = add_node(b, given.carriers[1 + k]);
  return frame;
}

template <int dim>
double ContactSurfaces<dim>::out_of_plane(const unsigned int face,
                                          const dealii::Point<dim> &p) const
{
  const unsigned int system = face_system[face];
  return skins[system]->out_of_plane_of(faces[face].piece - first_piece[system],
                                        p);
}

template <int dim>
void ContactSurfaces<dim>::gather(const Reader &read,
                                  std::vector<double> &values) const
{
  gather_some(std::vector<char>(skins.size(), 1), read, values);
}

template <int dim>
void ContactSurfaces<dim>::gather_some(const std::vector<char> &systems,
                                       const Reader &read,
                                       std::vector<double> &values) const
{
  values.resize(dim * nodes.size());
  for (unsigned int b = 0; b < skins.size(); ++b)
  {
    if (owned[b].nodes.empty() || !systems[b])
      continue;
    send.resize(dim * owned[b].nodes.size());
    read(b, owned[b].carriers, send.data());
    for (std::size_t i = 0; i < owned[b].nodes.size(); ++i)
      std::copy_n(&send[dim * i], dim, &values[dim * owned[b].nodes[i]]);
  }
  if (n_ranks == 1)
    return;
  counts.assign(n_ranks, 0);
  offsets.assign(n_ranks + 1, 0);
  for (const auto &node : nodes)
    counts[node.owner] += systems[node.system] ? dim : 0;
  for (unsigned int r = 0; r < n_ranks; ++r)
    offsets[r + 1] = offsets[r] + counts[r];
  send.clear();
  for (unsigned int n = 0; n < nodes.size(); ++n)
    if (nodes[n].owner == rank && systems[nodes[n].system])
      send.insert(send.end(), &values[dim * n], &values[dim * n] + dim);
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
    if (!systems[nodes[n].system])
      continue;
    int &offset = offsets[nodes[n].owner];
    std::copy_n(&receive[offset], dim, &values[dim * n]);
    offset += dim;
  }
}

template <int dim>
void ContactSurfaces<dim>::scatter(const std::vector<double> &values,
                                   const Writer &write) const
{
  for (unsigned int b = 0; b < skins.size(); ++b)
  {
    send.resize(dim * owned[b].nodes.size());
    for (std::size_t i = 0; i < owned[b].nodes.size(); ++i)
      std::copy_n(&values[dim * owned[b].nodes[i]], dim, &send[dim * i]);
    write(b, owned[b].carriers, send.data());
  }
}

template <int dim>
Tensor<1, dim>
ContactSurfaces<dim>::face_normal(const unsigned int f,
                                  const std::vector<double> &x) const
{
  AssertIndexRange(f, faces.size());
  AssertDimension(x.size(), dim * nodes.size());
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
    normal = face.n_corners == 3 ? cross_product_3d(d(0, 1), d(0, 2))
                                 : cross_product_3d(d(0, 2), d(1, 3));
  return normal / normal.norm();
}

template <int dim>
Tensor<1, dim>
ContactSurfaces<dim>::point_normal(const Point &point,
                                   const std::vector<double> &x) const
{
  if (point.n_faces == 0) // a ball
    return Tensor<1, dim>();
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
  AssertDimension(x.size(), dim * nodes.size());
  AssertDimension(point.nodes.size(), point.n_nodes);
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
  for (const auto &point : points)
    if (point.radius > 0.)
      smallest = std::min(smallest, point.radius);
  return smallest;
}

template class ContactSurfaces<2>;
template class ContactSurfaces<3>;
} // namespace delassus

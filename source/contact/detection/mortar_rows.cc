#include <delassus/contact/detection/mortar_rows.h>
#include <delassus/contact/detection/facing.h>
#include <delassus/contact/detection/own_piece.h>
#include <delassus/contact/kinematics/face_quadrature.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
using namespace dealii;

namespace
{
constexpr unsigned int nobody = std::numeric_limits<unsigned int>::max();

/// Coordinates s with sum_k N_k(s) z_k = z: Newton, exact after one step for
/// simplices and parallelograms.
template <int dim>
Point<dim - 1> invert(const unsigned int n_nodes,
                      const std::array<Point<dim - 1>, 9> &nodes,
                      const Point<dim - 1> &z,
                      FaceShape<dim> &shape)
{
  Point<dim - 1> s = FaceShape<dim>::middle(n_nodes);
  for (unsigned int k = 0; k < 20; ++k)
  {
    shape.reinit(n_nodes, s);
    Tensor<1, dim - 1> r = z - Point<dim - 1>();
    Tensor<2, dim - 1> J;
    for (unsigned int v = 0; v < n_nodes; ++v)
    {
      r -= shape.value[v] * nodes[v];
      for (unsigned int i = 0; i < dim - 1; ++i)
        for (unsigned int j = 0; j < dim - 1; ++j)
          J[i][j] += nodes[v][i] * shape.derivative[v][j];
    }
    if (determinant(J) == 0.)
      break;
    const Tensor<1, dim - 1> step = dealii::invert(J) * r;
    s += step;
    if (step.norm_square() < 1e-28)
      break;
  }
  shape.reinit(n_nodes, s);
  return s;
}

double cross(const Tensor<1, 2> &a, const Tensor<1, 2> &b)
{
  return a[0] * b[1] - a[1] * b[0];
}

double signed_area(const unsigned int n, const std::array<Point<2>, 12> &p)
{
  double sum = 0.;
  for (unsigned int i = 1; i + 1 < n; ++i)
    sum += 0.5 * cross(p[i] - p[0], p[i + 1] - p[0]);
  return sum;
}

/// Cut a convex polygon by the half-plane to the left of a -> b.
unsigned int cut(const unsigned int n,
                 const std::array<Point<2>, 12> &in,
                 const Point<2> &a,
                 const Point<2> &b,
                 std::array<Point<2>, 12> &out)
{
  unsigned int m         = 0;
  const Tensor<1, 2> dir = b - a;
  for (unsigned int i = 0; i < n && m < 11; ++i)
  {
    const Point<2> &p = in[i], &q = in[(i + 1) % n];
    const double dp = cross(dir, p - a), dq = cross(dir, q - a);
    if (dp >= 0.)
      out[m++] = p;
    if ((dp > 0. && dq < 0.) || (dp < 0. && dq > 0.))
      out[m++] = p + (dp / (dp - dq)) * (q - p);
  }
  return m;
}

/// The common part of polygon p (n corners, overwritten) and the convex
/// polygon q; both counter-clockwise.
template <typename Corners>
unsigned int clip(unsigned int n,
                  std::array<Point<2>, 12> &p,
                  const unsigned int m,
                  const Corners &q)
{
  std::array<Point<2>, 12> other;
  for (unsigned int e = 0; e < m && n > 2; ++e)
  {
    n = cut(n, p, q[e], q[(e + 1) % m], other);
    p = other;
  }
  return n > 2 ? n : 0;
}

/// Intervals are kept as [p[0], p[1]].
template <typename Corners>
unsigned int clip(const unsigned int,
                  std::array<Point<1>, 12> &p,
                  const unsigned int,
                  const Corners &q)
{
  p[0][0] = std::max(p[0][0], q[0][0]);
  p[1][0] = std::min(p[1][0], q[1][0]);
  return p[0][0] < p[1][0] ? 2 : 0;
}

double signed_area(const unsigned int, const std::array<Point<1>, 12> &p)
{
  return p[1][0] - p[0][0];
}

/// Call f(position, weight) at the quadrature points of an overlap.
template <typename Function>
void for_quadrature(const unsigned int,
                    const std::array<Point<1>, 12> &p,
                    Function &&f)
{
  const double length = p[1][0] - p[0][0];
  for (unsigned int i = 0; i < n_line_points; ++i)
    f(Point<1>(p[0][0] + line_points()[i] * length), line_weights[i] * length);
}

template <typename Function>
void for_quadrature(const unsigned int n,
                    const std::array<Point<2>, 12> &p,
                    Function &&f)
{
  for (unsigned int i = 1; i + 1 < n; ++i)
  {
    const double area = 0.5 * cross(p[i] - p[0], p[i + 1] - p[0]);
    if (area > 0.)
      for (const auto &point : triangle_points())
        f(Point<2>(point.l[0] * p[0] + point.l[1] * p[i] +
                   point.l[2] * p[i + 1]),
          point.weight * area);
  }
}
} // namespace

template <int dim>
typename MortarRows<dim>::PlanePoint
MortarRows<dim>::flatten(const Point<dim> &p) const
{
  PlanePoint z;
  for (unsigned int i = 0; i < face_dim; ++i)
    z[i] = plane.axes[i] * (p - plane.origin);
  return z;
}

template <int dim>
void MortarRows<dim>::integrate(const Search &search)
{
  const auto &pass     = search.pass;
  const unsigned int n = pass.end_point - pass.first_point;
  first_point          = pass.first_point;
  terms.clear();
  area.assign(n, 0.);
  largest.assign(n, 0.);
  normal.assign(n, Tensor<1, dim>());
  face.assign(n, 0);
  previous_piece.assign(n, nobody);
  for (const auto &contact : search.previous)
    if (contact.interaction == pass.interaction && contact.obstacle < 0 &&
        contact.point >= pass.first_point && contact.point < pass.end_point)
      previous_piece[contact.point - first_point] =
          search.surfaces.faces[contact.face].piece;

  for (const auto &mortar : *pass.mortar_faces)
  {
    if (!search.own_point.empty() &&
        std::none_of(mortar.entries.begin(),
                     mortar.entries.end(),
                     [&](const auto &entry)
                     { return search.own_point[entry.row]; }))
      continue;
    find_overlaps(search, mortar);
    drop_hidden();
    for (const auto &overlap : overlaps)
      integrate_overlap(search, mortar, overlap);
  }

  // The terms row by row.
  row_start.assign(n + 1, 0);
  for (const auto &term : terms)
    ++row_start[term.row - first_point + 1];
  for (unsigned int r = 0; r < n; ++r)
    row_start[r + 1] += row_start[r];
  sorted.resize(terms.size());
  for (const auto &term : terms)
    sorted[row_start[term.row - first_point]++] = term;
  for (unsigned int r = n; r > 0; --r)
    row_start[r] = row_start[r - 1];
  row_start[0] = 0;
}

template <int dim>
void MortarRows<dim>::find_overlaps(const Search &search,
                                    const MortarFace &mortar)
{
  const auto &surfaces = search.surfaces;
  const auto &own      = surfaces.faces[mortar.face];
  overlaps.clear();
  surfaces.face_positions(own, search.x, plane.X);
  plane.normal    = search.face_normals[mortar.face];
  plane.origin    = plane.X[0];
  plane.n_corners = own.n_corners;
  if constexpr (dim == 2)
  {
    plane.axes[0][0] = -plane.normal[1];
    plane.axes[0][1] = plane.normal[0];
  }
  else
  {
    const auto frame = make_frame<3>(plane.normal);
    for (unsigned int c = 0; c < 3; ++c)
    {
      plane.axes[0][c] = frame[3 + c];
      plane.axes[1][c] = frame[6 + c];
    }
  }
  for (unsigned int v = 0; v < own.n_nodes; ++v)
    plane.flat_X[v] = flatten(plane.X[v]);
  std::copy_n(plane.flat_X.begin(), own.n_corners, plane.corners.begin());

  const double alert = search.search_distance * own.size + search.reach;
  Box<dim> box;
  for (unsigned int c = 0; c < dim; ++c)
  {
    box.low[c] = box.high[c] = plane.X[0][c];
    for (unsigned int v = 1; v < own.n_nodes; ++v)
    {
      box.low[c]  = std::min(box.low[c], plane.X[v][c]);
      box.high[c] = std::max(box.high[c], plane.X[v][c]);
    }
    box.low[c] -= alert;
    box.high[c] += alert;
  }
  std::array<PlanePoint, 12> own_corners;
  std::copy_n(plane.corners.begin(), own.n_corners, own_corners.begin());
  plane.area = signed_area(own.n_corners, own_corners);

  FaceShape<dim> shape_x, shape_y;
  double covered = 0., largest_other = 0.;
  search.tree.query(
      box,
      [&](const unsigned int local)
      {
        const unsigned int f = (*search.pass.faces)[local];
        const auto &other    = surfaces.faces[f];
        const bool own_piece = other.piece == own.piece;
        if ((own_piece && (f == mortar.face || !search.pass.own_piece)) ||
            search.face_normals[f] * plane.normal > facing)
          return;
        surfaces.face_positions(other, search.x, plane.Y);
        Overlap overlap;
        overlap.face = f;
        overlap.n    = other.n_corners;
        // The other face runs the other way round.
        for (unsigned int v = 0; v < other.n_corners; ++v)
          overlap.corners[other.n_corners - 1 - v] = flatten(plane.Y[v]);
        const double other_area = signed_area(overlap.n, overlap.corners);
        overlap.n =
            clip(overlap.n, overlap.corners, plane.n_corners, plane.corners);
        if (overlap.n == 0)
          return;
        overlap.area = signed_area(overlap.n, overlap.corners);
        if (overlap.area < 1e-12 * plane.area)
          return;
        for (unsigned int v = 0; v < other.n_nodes; ++v)
          plane.flat_Y[v] = flatten(plane.Y[v]);
        PlanePoint middle;
        for (unsigned int i = 0; i < overlap.n; ++i)
          middle += overlap.corners[i] / overlap.n;
        invert<dim>(own.n_nodes, plane.flat_X, middle, shape_x);
        invert<dim>(other.n_nodes, plane.flat_Y, middle, shape_y);
        overlap.gap = (shape_y.position(other.n_nodes, plane.Y) -
                       shape_x.position(own.n_nodes, plane.X)) *
                      plane.normal;
        overlap.known = false;
        for (const auto &entry : mortar.entries)
          overlap.known |=
              previous_piece[entry.row - first_point] == other.piece;
        if (std::abs(overlap.gap) > alert ||
            (!overlap.known && -overlap.gap > std::max(own.depth, other.depth)))
          return;
        if (own_piece && overlap.gap < 0. &&
            is_through_material<dim>(
                surfaces,
                { reference_point(surfaces, mortar.face, shape_x.value),
                  &mortar.face,
                  1 },
                f,
                reference_point(surfaces, f, shape_y.value),
                -overlap.gap))
          return;
        overlaps.push_back(overlap);
        covered += overlap.area;
        largest_other = std::max(largest_other, other_area);
      });
  // Sides that overlap by less than a step are those of a joint that the
  // candidate slides over.
  if (covered < lowest_step * std::min(plane.area, largest_other))
    overlaps.clear();
}

template <int dim>
void MortarRows<dim>::drop_hidden()
{
  // Where faces lie behind each other as seen from the candidate, the nearest
  // counts; what was touched before and is penetrated now comes first: it must
  // not be left for what is behind it.
  double covered = 0.;
  for (const auto &overlap : overlaps)
    covered += overlap.area;
  if (covered <= (1. + 1e-9) * plane.area)
    return;
  std::sort(overlaps.begin(),
            overlaps.end(),
            [](const Overlap &a, const Overlap &b)
            {
              const bool first_a = a.known && a.gap < 0.,
                         first_b = b.known && b.gap < 0.;
              if (first_a != first_b)
                return first_a;
              const double ga = std::abs(a.gap), gb = std::abs(b.gap);
              return ga != gb ? ga < gb : a.face < b.face;
            });
  unsigned int kept = 0;
  for (unsigned int i = 0; i < overlaps.size(); ++i)
  {
    bool hidden = false;
    for (unsigned int k = 0; k < kept && !hidden; ++k)
    {
      auto common = overlaps[i].corners;
      const unsigned int n =
          clip(overlaps[i].n, common, overlaps[k].n, overlaps[k].corners);
      hidden = n > 0 && signed_area(n, common) > 1e-6 * overlaps[i].area;
    }
    if (!hidden)
      overlaps[kept++] = overlaps[i];
  }
  overlaps.resize(kept);
}

template <int dim>
void MortarRows<dim>::integrate_overlap(const Search &search,
                                        const MortarFace &mortar,
                                        const Overlap &overlap)
{
  const auto &surfaces = search.surfaces;
  const auto &own      = surfaces.faces[mortar.face];
  const auto &other    = surfaces.faces[overlap.face];
  surfaces.face_positions(other, search.x, plane.Y);
  for (unsigned int v = 0; v < other.n_nodes; ++v)
    plane.flat_Y[v] = flatten(plane.Y[v]);
  std::array<Point<dim>, 9> reference;
  surfaces.face_positions(own, surfaces.reference, reference);

  std::array<std::array<double, 9>, 4> D{}, M{};
  std::array<double, 4> integral{};
  std::array<Tensor<1, dim>, 4> normals;
  FaceShape<dim> shape_x, shape_y, psi;
  for_quadrature(
      overlap.n,
      overlap.corners,
      [&](const PlanePoint &z, const double weight)
      {
        const PlanePoint s = invert<dim>(own.n_nodes, plane.flat_X, z, shape_x);
        invert<dim>(other.n_nodes, plane.flat_Y, z, shape_y);
        psi.reinit(own.n_corners, s);
        const Tensor<1, dim> a = shape_x.area_vector(own.n_nodes, plane.X);
        const double slope     = a * plane.normal;
        if (!(slope > 0.))
          return;
        const double w =
            weight * a.norm() / slope *
            surfaces.out_of_plane(mortar.face,
                                  shape_x.position(own.n_nodes, reference));
        for (unsigned int k = 0; k < own.n_corners; ++k)
        {
          const double share = w * psi.value[k];
          integral[k] += share;
          normals[k] -= (share / a.norm()) * a;
          for (unsigned int v = 0; v < own.n_nodes; ++v)
            D[k][v] += share * shape_x.value[v];
          for (unsigned int v = 0; v < other.n_nodes; ++v)
            M[k][v] += share * shape_y.value[v];
        }
      });
  for (const auto &entry : mortar.entries)
  {
    if (!search.own_point.empty() && !search.own_point[entry.row])
      continue;
    const unsigned int r = entry.row - first_point, k = entry.corner;
    const double share = entry.weight * integral[k];
    area[r] += share;
    normal[r] += entry.weight * normals[k];
    if (share > largest[r])
    {
      largest[r] = share;
      face[r]    = overlap.face;
    }
    for (unsigned int v = 0; v < own.n_nodes; ++v)
      surfaces.resolve(own.nodes[v],
                       entry.weight * D[k][v],
                       [&](const unsigned int node, const double weight) {
                         terms.push_back({ entry.row, node, weight, true });
                       });
    for (unsigned int v = 0; v < other.n_nodes; ++v)
      surfaces.resolve(other.nodes[v],
                       -entry.weight * M[k][v],
                       [&](const unsigned int node, const double weight) {
                         terms.push_back({ entry.row, node, weight, false });
                       });
  }
}

template <int dim>
bool MortarRows<dim>::make_contact(const Search &search,
                                   const unsigned int p,
                                   Contact<dim> &contact)
{
  const unsigned int r = p - first_point;
  const auto &point    = search.surfaces.points[p];
  // What hardly overlaps has no gap to speak of.
  const double norm = normal[r].norm();
  if (!(area[r] > 1e-9 * point.area) || !(norm > 0.1 * area[r]))
    return false;
  contact.interaction = search.pass.interaction;
  contact.point       = p;
  contact.obstacle    = -1;
  contact.face        = face[r];
  contact.piece       = search.surfaces.faces[face[r]].piece;
  contact.area        = area[r];
  const auto begin    = sorted.begin() + row_start[r],
             end      = sorted.begin() + row_start[r + 1];
  std::sort(begin,
            end,
            [](const Term &a, const Term &b)
            {
              return a.own != b.own     ? a.own
                     : a.node != b.node ? a.node < b.node
                                        : a.weight < b.weight;
            });
  contact.nodes.clear();
  contact.weights.clear();
  contact.n_entries = contact.n_candidate_entries = 0;
  for (auto term = begin; term != end; ++term)
  {
    if (term != begin && (term - 1)->own == term->own &&
        contact.nodes.back() == term->node)
      contact.weights.back() += term->weight / area[r];
    else
    {
      contact.add_entry(term->node, term->weight / area[r]);
      contact.n_candidate_entries += term->own;
    }
  }
  contact.frame = make_frame<dim>(Tensor<1, dim>(normal[r] / norm));
  return true;
}

template class MortarRows<2>;
template class MortarRows<3>;
} // namespace delassus

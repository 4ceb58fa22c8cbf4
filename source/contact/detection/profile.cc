#include <delassus/contact/detection/profile.h>
#include <delassus/base/exceptions.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
namespace
{
using Point  = Profile::Point;
using Vector = Profile::Vector;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// What rounding may move a point by, in sizes of the profile.
constexpr double rounding = 1e-9;

/// Fewer pieces than this are looked at one after the other.
constexpr unsigned int n_worth_a_tree = 24;

double cross(const Vector &a, const Vector &b)
{
  return a[0] * b[1] - a[1] * b[0];
}

Vector left_of(const Vector &t)
{
  return Vector({ -t[1], t[0] });
}

std::string text(const Point &p)
{
  return fmt::format("({:.6g}, {:.6g})", p[0], p[1]);
}

/// Whether the segments ab and cd have a point in common.
bool intersect(const Point &a, const Point &b, const Point &c, const Point &d)
{
  const Vector t = b - a, u = d - c, w = c - a;
  const double det = cross(t, u);
  if (det == 0.)
    return false;
  const double r = cross(w, u) / det, s = cross(w, t) / det;
  return r >= 0. && r <= 1. && s >= 0. && s <= 1.;
}
} // namespace

double Profile::doubled_area(const std::vector<Point> &points)
{
  double area = 0.;
  for (std::size_t i = 0; i < points.size(); ++i)
    area += cross(points[i] - points[0],
                  points[(i + 1) % points.size()] - points[0]);
  return area;
}

Profile::Profile(const std::vector<Chain> &chains, const std::string &where)
{
  for (const auto &chain : chains)
    add_chain(chain, where);
  Point low(infinity, infinity), high(-infinity, -infinity);
  for (const auto &piece : pieces)
    for (const Point &p : { piece.a, piece.b })
      for (unsigned int c = 0; c < 2; ++c)
      {
        low[c]  = std::min(low[c], p[c]);
        high[c] = std::max(high[c], p[c]);
      }
  size = low.distance(high);

  if (pieces.size() < n_worth_a_tree)
    return;
  std::vector<std::pair<dealii::BoundingBox<2>, unsigned int>> boxes;
  for (unsigned int p = 0; p < pieces.size(); ++p)
  {
    const auto &piece = pieces[p];
    if (!std::isfinite(piece.s0) || !std::isfinite(piece.s1))
      return;
    std::array<Point, 2> ends = { { piece.a, piece.a } };
    const auto add            = [&](const Point &x)
    {
      for (unsigned int c = 0; c < 2; ++c)
      {
        ends[0][c] = std::min(ends[0][c], x[c]);
        ends[1][c] = std::max(ends[1][c], x[c]);
      }
    };
    add(piece.b);
    if (piece.is_arc)
      for (unsigned int c = 0; c < 2; ++c)
      {
        Vector r;
        r[c] = piece.radius;
        add(piece.center - r);
        add(piece.center + r);
      }
    boxes.emplace_back(dealii::BoundingBox<2>({ ends[0], ends[1] }), p);
  }
  tree = std::make_shared<const Tree>(dealii::pack_rtree(boxes));
}

void Profile::add_chain(const Chain &chain, const std::string &where)
{
  const auto &P               = chain.points;
  const unsigned int n        = P.size();
  const unsigned int n_pieces = chain.closed ? n : n - 1;
  open =
      open || !(chain.closed || (chain.infinite_start && chain.infinite_end));

  std::vector<Vector> t(n_pieces);
  std::vector<double> length(n_pieces);
  double longest = 0.;
  for (unsigned int i = 0; i < n_pieces; ++i)
  {
    t[i]      = P[(i + 1) % n] - P[i];
    length[i] = t[i].norm();
    longest   = std::max(longest, length[i]);
  }
  for (unsigned int i = 0; i < n_pieces; ++i)
  {
    if (length[i] <= 1e-12 * longest)
      throw InputError(fmt::format(
          "{}: two points of the line are the same: {}.", where, text(P[i])));
    t[i] /= length[i];
  }
  // Room that a fillet takes from the pieces beside it.
  std::vector<double> room(n, 0.), fillet(n, 0.);
  for (unsigned int i = 0; i < n; ++i)
  {
    if (!chain.closed && (i == 0 || i + 1 == n))
      continue;
    const Vector &before = t[(i + n_pieces - 1) % n_pieces], &after = t[i];
    if (before * after < -1. + 1e-9)
      throw InputError(
          fmt::format("{}: the line turns back at {}.", where, text(P[i])));
    fillet[i] = chain.fillets.empty() ? 0. : chain.fillets[i];
    if (std::abs(cross(before, after)) < 1e-9)
      fillet[i] = 0.;
    room[i] =
        fillet[i] * std::tan(0.5 * std::acos(std::min(1., before * after)));
  }
  for (unsigned int i = 0; i < n_pieces; ++i)
    if (room[i] + room[(i + 1) % n] > length[i] * (1. + 1e-9))
      throw InputError(fmt::format(
          "{}: the fillets at {} and {} need {:.6g} of the line between them, "
          "which is {:.6g} long; allowed: smaller radii.",
          where,
          text(P[i]),
          text(P[(i + 1) % n]),
          room[i] + room[(i + 1) % n],
          length[i]));
  for (unsigned int i = 0; i < n_pieces && n_pieces < 1000; ++i)
    for (unsigned int j = i + 2; j < n_pieces; ++j)
      if (!(chain.closed && i == 0 && j + 1 == n_pieces) &&
          intersect(P[i], P[i + 1], P[j], P[(j + 1) % n]))
        throw InputError(
            fmt::format("{}: the line crosses itself: its pieces from {} and "
                        "from {} have a common point.",
                        where,
                        text(P[i]),
                        text(P[j])));

  const unsigned int first = pieces.size();
  for (unsigned int i = 0; i < n_pieces; ++i)
  {
    const bool mirrored =
        i < chain.n_leading || i + chain.n_trailing >= n_pieces;
    const unsigned int j = (i + 1) % n;
    if (length[i] - room[i] - room[j] > 1e-9 * length[i])
    {
      Piece piece;
      piece.mirrored = mirrored;
      piece.t        = t[i];
      piece.n0 = piece.n1 = left_of(t[i]);
      piece.a             = P[i] + room[i] * t[i];
      piece.b             = P[j] - room[j] * t[i];
      piece.s0            = 0.;
      piece.s1            = length[i] - room[i] - room[j];
      piece.middle        = piece.a + 0.5 * piece.s1 * t[i];
      if (chain.infinite_start && i == 0)
        piece.s0 = -infinity;
      if (chain.infinite_end && i + 1 == n_pieces)
        piece.s1 = infinity;
      pieces.push_back(piece);
    }
    if (fillet[j] > 0. && (chain.closed || j + 1 < n))
    {
      const Vector &next = t[j % n_pieces];
      Piece arc;
      arc.is_arc   = true;
      arc.mirrored = mirrored;
      arc.concave  = cross(t[i], next) > 0.;
      arc.radius   = fillet[j];
      arc.n0       = left_of(t[i]);
      arc.n1       = left_of(next);
      arc.a        = P[j] - room[j] * t[i];
      arc.b        = P[j] + room[j] * next;
      arc.center   = arc.a + (arc.concave ? 1. : -1.) * arc.radius * arc.n0;
      Vector half  = arc.n0 + arc.n1;
      half /= half.norm();
      arc.middle = arc.center + (arc.concave ? -1. : 1.) * arc.radius * half;
      arc.s0 = arc.s1 = 0.;
      pieces.push_back(arc);
    }
  }
  const unsigned int end = pieces.size();
  for (unsigned int p = first; p + 1 < end; ++p)
    add_joint(p, p + 1, pieces[p].b);
  if (chain.closed)
    add_joint(end - 1, first, pieces[end - 1].b);
  else
  {
    if (!chain.infinite_start)
      add_joint(-1, first, pieces[first].a);
    if (!chain.infinite_end)
      add_joint(end - 1, -1, pieces[end - 1].b);
  }
}

void Profile::add_joint(const int before, const int after, const Point &x)
{
  Joint joint;
  joint.x        = x;
  joint.before   = before;
  joint.after    = after;
  joint.mirrored = true;
  if (before >= 0)
  {
    joint.pseudo_normal += pieces[before].n1;
    joint.mirrored        = joint.mirrored && pieces[before].mirrored;
    pieces[before].joint1 = joints.size();
  }
  if (after >= 0)
  {
    joint.pseudo_normal += pieces[after].n0;
    joint.mirrored       = joint.mirrored && pieces[after].mirrored;
    pieces[after].joint0 = joints.size();
  }
  joint.pseudo_normal /= joint.pseudo_normal.norm();
  if (before < 0 || after < 0)
    joint.kind = Kind::end;
  else
  {
    const double turn =
        cross(pieces[before].tangent(true), pieces[after].tangent(false));
    joint.kind = std::abs(turn) < 1e-7 ? Kind::smooth
                 : turn > 0.           ? Kind::concave
                                       : Kind::convex;
  }
  joints.push_back(joint);
}

Profile::Foot Profile::project(const Piece &piece, const Point &x) const
{
  Foot foot;
  if (!piece.is_arc)
  {
    const Vector d      = x - piece.a;
    const double s      = d * piece.t;
    foot.normal         = piece.n0;
    foot.height         = d * piece.n0;
    const double inside = std::min(std::max(s, piece.s0), piece.s1);
    foot.beyond         = std::abs(s - inside);
    foot.where          = s < piece.s0 ? -1 : s > piece.s1 ? 1 : 0;
    foot.distance       = std::hypot(foot.height, foot.beyond);
    return foot;
  }
  // The normal at the foot is u; on the arc it lies between n0 and n1.
  const double sign = piece.concave ? -1. : 1.;
  Vector u          = sign * (x - piece.center);
  const double rho  = u.norm();
  if (rho > 0.)
    u /= rho;
  else
    u = (piece.n0 + piece.n1) / (piece.n0 + piece.n1).norm();
  const double turn = cross(piece.n0, piece.n1) > 0. ? 1. : -1.;
  const Vector half = piece.n0 + piece.n1;
  foot.height       = sign * (rho - piece.radius);
  foot.normal       = u;
  if (turn * cross(piece.n0, u) >= 0. && turn * cross(u, piece.n1) >= 0. &&
      u * half > 0.)
  {
    foot.where    = 0;
    foot.beyond   = 0.;
    foot.distance = std::abs(foot.height);
    return foot;
  }
  const double d0 = x.distance(piece.a), d1 = x.distance(piece.b);
  foot.where    = d0 <= d1 ? -1 : 1;
  foot.distance = std::min(d0, d1);
  foot.beyond   = foot.distance;
  // Beyond its end an arc goes on as a straight line.
  foot.normal = foot.where < 0 ? piece.n0 : piece.n1;
  foot.height = foot.normal * (x - (foot.where < 0 ? piece.a : piece.b));
  return foot;
}

int Profile::rim(const Piece &piece, const Foot &foot, const Point &x) const
{
  for (const bool at_end : { false, true })
  {
    const int j = at_end ? piece.joint1 : piece.joint0;
    if (j < 0 || foot.where == (at_end ? -1 : 1) ||
        !(joints[j].kind == Kind::convex || joints[j].kind == Kind::end))
      continue;
    const double overshoot =
        (at_end ? 1. : -1.) * (piece.tangent(at_end) * (x - joints[j].x));
    if (std::abs(overshoot) <= rounding * size)
      return j;
  }
  return -1;
}

void Profile::look(const unsigned int p,
                   const Point &x,
                   const double reach,
                   double &nearest,
                   double &phi,
                   std::vector<Side> *sides) const
{
  const Piece &piece = pieces[p];
  const Foot foot    = project(piece, x);
  const int j        = foot.where < 0   ? piece.joint0
                       : foot.where > 0 ? piece.joint1
                                        : -1;
  if (foot.distance < nearest)
  {
    nearest          = foot.distance;
    const bool front = j < 0
                           ? foot.height >= 0.
                           : (x - joints[j].x) * joints[j].pseudo_normal >= 0.;
    phi              = front ? nearest : -nearest;
  }
  if (!sides || piece.mirrored)
    return;
  const auto add_face = [&](const bool only_behind = false)
  {
    sides->push_back(
        { p, foot.height, foot.normal, piece.middle, only_behind });
  };
  // At the rim of a piece it is rounding that says on which side the foot lies:
  // who has reached the surface is held by the piece on either side.
  const int r = foot.height <= rounding * size ? rim(piece, foot, x) : -1;
  if (r >= 0)
  {
    add_face();
    sides->back().at_rim = true;
    const Joint &joint   = joints[r];
    const bool mine      = joint.before == int(p) || joint.before < 0 ||
                      pieces[joint.before].mirrored;
    if (foot.height >= -rounding * size && mine && !joint.mirrored)
      sides->push_back({ static_cast<unsigned int>(pieces.size() + r),
                         x.distance(joint.x),
                         joint.pseudo_normal,
                         joint.x,
                         false });
    return;
  }
  if (foot.where == 0)
  {
    if (foot.height <= reach)
      add_face();
    return;
  }
  if (foot.distance > reach && foot.height >= 0.)
    return;
  const Joint &joint = joints[j];
  const int other    = foot.where < 0 ? joint.before : joint.after;
  switch (joint.kind)
  {
    case Kind::smooth:
      if (foot.beyond <= 1e-9 * size)
        add_face();
      break;
    case Kind::concave:
    {
      // In the corner the half-planes of both sides hold: this one as far as
      // the other side stands above it, farther only for a point that has sunk
      // into the other side.
      const Piece &neighbour = pieces[other];
      const Vector out =
          foot.where < 0 ? -1. * piece.tangent(false) : piece.tangent(true);
      const double extent =
          foot.where < 0
              ? (std::isfinite(neighbour.s0) ? (neighbour.a - joint.x) * out
                                             : infinity)
              : (std::isfinite(neighbour.s1) ? (neighbour.b - joint.x) * out
                                             : infinity);
      if (foot.distance <= reach)
        add_face(foot.beyond > std::max(0., extent) + 1e-9 * size);
      break;
    }
    case Kind::convex:
    case Kind::end:
    {
      // Told once: by the piece before the joint, if there is one.
      const bool by_other =
          other >= 0 && foot.where < 0 && !pieces[other].mirrored;
      if (foot.distance > reach || by_other || joint.mirrored)
        break;
      if (other >= 0)
      {
        // Nearest on both pieces, or the other one leads closer.
        const Foot there = project(pieces[other], x);
        if (there.where != -foot.where)
          break;
      }
      Vector d = x - joint.x;
      if (d * joint.pseudo_normal < 0.)
        break;
      // On the edge itself a direction from it would be rounding.
      if (foot.distance <= 2. * rounding * size)
        d = joint.pseudo_normal;
      sides->push_back({ static_cast<unsigned int>(pieces.size() + j),
                         foot.distance,
                         d / d.norm(),
                         joint.x,
                         false });
      break;
    }
  }
}

double Profile::find(const Point &x,
                     const double reach,
                     std::vector<Side> &sides) const
{
  double nearest = infinity, phi = infinity;
  if (!tree)
  {
    for (unsigned int p = 0; p < pieces.size(); ++p)
      look(p, x, reach, nearest, phi, &sides);
    Shape<2>::keep_valid(phi, sides);
    return phi;
  }
  const Vector r({ reach, reach });
  const dealii::BoundingBox<2> box({ x - r, x + r });
  for (auto it = tree->qbegin(boost::geometry::index::intersects(box));
       it != tree->qend();
       ++it)
    look(it->second, x, reach, nearest, phi, &sides);
  Shape<2>::keep_valid(phi, sides);
  return phi;
}

double Profile::distance(const Point &x) const
{
  double nearest = infinity, phi = infinity;
  if (!tree)
    for (unsigned int p = 0; p < pieces.size(); ++p)
      look(p, x, 0., nearest, phi, nullptr);
  else
  {
    // A few pieces whose boxes are near bound the distance; then all that can
    // be nearer.
    for (auto it = tree->qbegin(boost::geometry::index::nearest(x, 4));
         it != tree->qend();
         ++it)
      look(it->second, x, 0., nearest, phi, nullptr);
    const double bound = nearest * (1. + 1e-12);
    const Vector r({ bound, bound });
    for (auto it = tree->qbegin(boost::geometry::index::intersects(
             dealii::BoundingBox<2>({ x - r, x + r })));
         it != tree->qend();
         ++it)
      look(it->second, x, 0., nearest, phi, nullptr);
  }
  return phi;
}

double Profile::side_distance(const unsigned int side,
                              const Vector &N,
                              const Point &x) const
{
  if (side >= pieces.size())
    return N * (x - joints[side - pieces.size()].x);
  const Piece &piece = pieces[side];
  if (!piece.is_arc)
    return piece.n0 * (x - piece.a);
  const double rho = x.distance(piece.center);
  if (piece.concave)
    return piece.radius - rho;
  // Beyond the centre the other side would be seen.
  const double along = N * (x - piece.center);
  return along > 0. ? rho - piece.radius : along - piece.radius;
}

bool Profile::is_flat(const unsigned int side) const
{
  return side < pieces.size() && !pieces[side].is_arc;
}

std::vector<std::vector<Profile::Point>>
Profile::polylines(const double extent) const
{
  std::vector<std::vector<Point>> lines;
  int last = -2;
  for (unsigned int p = 0; p < pieces.size(); ++p)
  {
    const Piece &piece = pieces[p];
    if (piece.mirrored)
      continue;
    const bool goes_on = last == int(p) - 1 && piece.joint0 >= 0 &&
                         joints[piece.joint0].before == last;
    last = p;
    if (!goes_on)
    {
      lines.emplace_back();
      lines.back().push_back(
          std::isfinite(piece.s0) ? piece.a : piece.a - extent * piece.t);
    }
    if (piece.is_arc)
    {
      const double sign = piece.concave ? -1. : 1.;
      const double turn =
          std::atan2(cross(piece.n0, piece.n1), piece.n0 * piece.n1);
      const unsigned int n = std::max(2., std::ceil(std::abs(turn) / 0.1));
      for (unsigned int k = 1; k < n; ++k)
      {
        const double c = std::cos(turn * k / n), s = std::sin(turn * k / n);
        const Vector u({ c * piece.n0[0] - s * piece.n0[1],
                         s * piece.n0[0] + c * piece.n0[1] });
        lines.back().push_back(piece.center + sign * piece.radius * u);
      }
    }
    lines.back().push_back(
        std::isfinite(piece.s1) ? piece.b : piece.a + extent * piece.t);
  }
  return lines;
}
} // namespace delassus

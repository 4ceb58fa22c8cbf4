#include <delassus/contact/detection/detector.h>
#include <delassus/contact/detection/facing.h>
#include <delassus/contact/kinematics/surface_sides.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

namespace delassus
{
using namespace dealii;

namespace
{
constexpr unsigned int nobody = std::numeric_limits<unsigned int>::max();

/// Ask for something that is needed a little later.
template <typename T>
void prefetch(const T &value)
{
#ifdef __GNUC__
  for (std::size_t byte = 0; byte < sizeof(T); byte += 64)
    __builtin_prefetch(reinterpret_cast<const char *>(&value) + byte);
#else
  (void)value;
#endif
}
} // namespace

std::vector<SearchPass>
search_passes(const std::vector<Interaction> &interactions)
{
  const auto have_common_face = [](const std::vector<MortarFace> &mortar_faces,
                                   const std::vector<unsigned int> &faces)
  {
    const std::unordered_set<unsigned int> others(faces.begin(), faces.end());
    return std::any_of(mortar_faces.begin(),
                       mortar_faces.end(),
                       [&](const MortarFace &mortar)
                       { return others.count(mortar.face) > 0; });
  };
  std::vector<SearchPass> passes;
  for (unsigned int k = 0; k < interactions.size(); ++k)
  {
    const auto &i           = interactions[k];
    const unsigned int half = std::min(i.second_pass, i.end_point);
    passes.push_back({ k,
                       i.first_point,
                       half,
                       &i.faces,
                       &i.mortar_faces,
                       true,
                       !have_common_face(i.mortar_faces, i.faces) });
    if (half < i.end_point)
      passes.push_back({ k,
                         half,
                         i.end_point,
                         &i.candidate_faces,
                         &i.second_mortar_faces,
                         false,
                         true });
  }
  return passes;
}

template <int dim>
Detector<dim>::Detector(const ContactSurfaces<dim> &surfaces,
                        const std::vector<Interaction> &interactions,
                        const std::vector<Obstacle<dim>> &obstacles)
    : obstacle_search(surfaces, obstacles)
    , surfaces(surfaces)
    , interactions(interactions)
    , passes(search_passes(interactions))
{
  for (const auto &pass : passes)
    topologies.push_back(find_topology(surfaces,
                                       *pass.faces,
                                       interactions[pass.interaction].normals ==
                                           ContactNormals::averaged));
}

template <int dim>
typename Detector<dim>::Topology
Detector<dim>::find_topology(const ContactSurfaces<dim> &surfaces,
                             const std::vector<unsigned int> &faces,
                             const bool averaged)
{
  Topology topology;
  topology.neighbours.resize(faces.size());
  // Edges by their ends. Half an edge that ends in a hanging node is part of
  // the edge between the node's masters.
  struct Side
  {
    std::uint64_t ends;
    unsigned int face, edge;
  };
  std::vector<Side> sides;
  sides.reserve(faces.size() * (dim == 2 ? 2 : 4));
  for (unsigned int local = 0; local < faces.size(); ++local)
  {
    topology.neighbours[local].fill(nobody);
    const auto &face = surfaces.faces[faces[local]];
    for (unsigned int e = 0; e < face.n_corners; ++e)
    {
      unsigned int a = face.nodes[e], b = a;
      if (dim == 3)
      {
        b = face.nodes[(e + 1) % face.n_corners];
        if (surfaces.nodes[a].depends != surfaces.nodes[b].depends)
        {
          const unsigned int end = surfaces.nodes[a].depends ? b : a;
          unsigned int ends[3]   = { end, end, 0 };
          unsigned int n         = 1;
          surfaces.resolve(surfaces.nodes[a].depends ? a : b,
                           1.,
                           [&](const unsigned int node, const double)
                           {
                             if (node != end && n < 3)
                               ends[n++] = node;
                           });
          if (n == 2)
          {
            a = ends[0];
            b = ends[1];
          }
        }
      }
      sides.push_back(
          { (std::uint64_t(std::min(a, b)) << 32) | std::max(a, b), local, e });
    }
    if (averaged)
      for (unsigned int v = 0; v < face.n_nodes; ++v)
        topology.faces_of_node[face.nodes[v]].push_back(faces[local]);
  }
  std::sort(sides.begin(),
            sides.end(),
            [](const Side &a, const Side &b)
            { return a.ends != b.ends ? a.ends < b.ends : a.face < b.face; });
  for (unsigned int i = 0; i < sides.size();)
  {
    unsigned int end = i + 1;
    while (end < sides.size() && sides[end].ends == sides[i].ends)
      ++end;
    for (unsigned int k = i; k < end && end - i > 1; ++k)
      topology.neighbours[sides[k].face][sides[k].edge] =
          sides[k == i ? i + 1 : i].face;
    i = end;
  }
  return topology;
}

template <int dim>
void Detector<dim>::restrict_to(const std::vector<bool> &points)
{
  own_point = points;
}

template <int dim>
void Detector<dim>::build_tree(const SearchPass &pass,
                               const std::vector<double> &x,
                               const double reach)
{
  boxes.clear();
  in_tree.clear();
  edges.assign(pass.faces->size(), unknown_edges);
  // Where this rank's points may find something; mortar faces reach farther
  // than their points.
  const auto &interaction = interactions[pass.interaction];
  const bool restricted   = !own_point.empty() &&
                          interaction.formulation == ContactFormulation::points;
  Box<dim> region;
  region.low.fill(std::numeric_limits<double>::max());
  region.high.fill(std::numeric_limits<double>::lowest());
  for (unsigned int p = pass.first_point; p < pass.end_point && restricted; ++p)
    if (own_point[p])
    {
      const auto &point         = surfaces.points[p];
      const Point<dim> position = surfaces.position(point, x);
      const double alert = interaction.search_distance * point.size + reach;
      for (unsigned int c = 0; c < dim; ++c)
      {
        region.low[c]  = std::min(region.low[c], position[c] - alert);
        region.high[c] = std::max(region.high[c], position[c] + alert);
      }
    }
  for (unsigned int local = 0; local < pass.faces->size(); ++local)
  {
    const auto &face = surfaces.faces[(*pass.faces)[local]];
    surfaces.face_positions(face, x, X);
    Box<dim> box;
    for (unsigned int c = 0; c < dim; ++c)
    {
      box.low[c] = box.high[c] = X[0][c];
      for (unsigned int v = 1; v < face.n_nodes; ++v)
      {
        box.low[c]  = std::min(box.low[c], X[v][c]);
        box.high[c] = std::max(box.high[c], X[v][c]);
      }
      // What try_face() accepts lies this close to the box: at a corner of a
      // triangle two overhangs add up, where the face has no extent along an
      // axis the rest is for rounding, and curved faces bulge out of the box
      // of their nodes.
      const double extent = box.high[c] - box.low[c];
      const double margin =
          (face.n_nodes > face.n_corners ? 0.25 : 3. * overhang) * extent +
          1e-9 * face.size;
      box.low[c] -= margin;
      box.high[c] += margin;
    }
    if (restricted && !box.intersects(region))
      continue;
    boxes.push_back(box);
    in_tree.push_back(local);
  }
  tree.build(boxes);
  if (outlines.size() < boxes.size())
    outlines.resize(boxes.size());
  has_outline.assign(boxes.size(), 0);
}

template <int dim>
const FaceOutline<dim> &Detector<dim>::outline(const SearchPass &pass,
                                               const unsigned int k,
                                               const std::vector<double> &x)
{
  if (has_outline[k] == 0)
  {
    has_outline[k]       = 1;
    const unsigned int f = (*pass.faces)[in_tree[k]];
    const auto &face     = surfaces.faces[f];
    if (face.n_nodes > face.n_corners)
      outlines[k].reinit_unbounded();
    else
    {
      surfaces.face_positions(face, x, X);
      outlines[k].reinit(face.n_corners, X, face_normals[f], face.size);
    }
  }
  return outlines[k];
}

template <int dim>
void Detector<dim>::search_group(const SearchPass &pass,
                                 const unsigned int first,
                                 const std::vector<double> &x,
                                 const double reach)
{
  // How many faces shall be compared with each point, and for how many points.
  constexpr unsigned int few = 24, many = 64, most_points = 8;
  const double search = interactions[pass.interaction].search_distance;
  group.begin         = first;
  group.boxes.clear();
  Box<dim> all{};
  double widest = 0.;
  unsigned int p;
  for (p = first; p < pass.end_point && p - first < group.most; ++p)
  {
    group.boxes.emplace_back();
    if (!own_point.empty() && !own_point[p])
      continue;
    const auto &point         = surfaces.points[p];
    const Point<dim> position = surfaces.position(point, x);
    const double alert        = search * point.size + reach;
    Box<dim> &box             = group.boxes.back();
    for (unsigned int c = 0; c < dim; ++c)
    {
      box.low[c]  = position[c] - alert;
      box.high[c] = position[c] + alert;
    }
    if (p == first)
    {
      all    = box;
      widest = 2. * alert + most_points * point.size;
      continue;
    }
    Box<dim> larger = all;
    larger.add(box);
    bool wide = false;
    for (unsigned int c = 0; c < dim; ++c)
      wide |= larger.high[c] - larger.low[c] > widest;
    if (wide)
      break;
    all = larger;
  }
  group.end = p;
  tree.collect(all, group.near);
  if (group.near.size() > many && group.most > 1)
    group.most /= 2;
  else if (group.near.size() < few && group.most < most_points)
    group.most *= 2;
}

template <int dim>
void Detector<dim>::add_face_contacts(const Seeker &seeker,
                                      const unsigned int pass,
                                      const std::vector<double> &x,
                                      std::vector<Contact<dim>> &contacts)
{
  const auto &point       = seeker.point;
  const unsigned int k    = passes[pass].interaction;
  const bool averaged     = interactions[k].normals == ContactNormals::averaged;
  const std::size_t first = contacts.size();
  for (const unsigned int c : chosen)
  {
    const Entry &entry = entries[c];
    const auto &face   = surfaces.faces[entry.face];
    contacts.emplace_back();
    auto &contact               = contacts.back();
    contact.interaction         = k;
    contact.point               = seeker.number;
    contact.face                = entry.face;
    contact.piece               = face.piece;
    contact.slot                = nobody;
    contact.n_candidate_entries = point.n_nodes;
    for (unsigned int i = 0; i < point.n_nodes; ++i)
      contact.add_entry(point.nodes[i], point.weights[i]);
    for (unsigned int i = 0; i < face.n_nodes; ++i)
      surfaces.resolve(face.nodes[i],
                       -entry.weights[i],
                       [&](const unsigned int node, const double weight)
                       { contact.add_entry(node, weight); });
    contact.frame =
        make_frame<dim>(averaged ? averaged_normal(pass,
                                                   entry.face,
                                                   entry.weights,
                                                   [&](const unsigned int f)
                                                   { return face_normals[f]; })
                                 : entry.N);
    contact.area = surfaces.touching_area(point, contact.normal(), x);
  }
  // Each keeps the slot of the contact before with the most similar normal.
  unsigned int taken = 0;
  for (std::size_t i = first; i < contacts.size(); ++i)
  {
    double best = 0.5;
    for (unsigned int k = 0; k < seeker.n_previous; ++k)
    {
      const double cosine = contacts[i].normal() * seeker.previous[k].normal();
      const unsigned int slot = seeker.previous[k].slot;
      if (cosine > best && (taken >> slot & 1) == 0)
      {
        best             = cosine;
        contacts[i].slot = slot;
      }
    }
    if (contacts[i].slot != nobody)
      taken |= 1 << contacts[i].slot;
  }
  for (std::size_t i = first; i < contacts.size(); ++i)
    if (contacts[i].slot == nobody)
    {
      unsigned int slot = 0;
      while ((taken >> slot & 1) != 0)
        ++slot;
      contacts[i].slot = slot;
      taken |= 1 << slot;
    }
}

template <int dim>
void Detector<dim>::detect(const bool brute_force,
                           const std::vector<double> &x,
                           const double t,
                           const double reach,
                           std::vector<Contact<dim>> &contacts,
                           const std::vector<Contact<dim>> &previous)
{
  contacts.clear();
  contacts.reserve(std::max(previous.size(), surfaces.points.size()));
  face_normals.resize(surfaces.faces.size());
  for (unsigned int f = 0; f < surfaces.faces.size(); ++f)
    face_normals[f] = surfaces.face_normal(f, x);
  std::size_t old = 0;
  for (unsigned int i = 0; i < passes.size(); ++i)
  {
    const auto &pass        = passes[i];
    const auto &interaction = interactions[pass.interaction];
    const bool mortar = interaction.formulation == ContactFormulation::mortar;
    build_tree(pass, x, reach);
    group.end = 0;
    const typename MortarRows<dim>::Search search{
      surfaces,     pass,     tree,
      face_normals, x,        interaction.search_distance,
      reach,        previous, own_point
    };
    if (mortar)
      mortar_rows.integrate(search);
    if (pass.obstacles)
    {
      obstacle_search.by_brute_force = brute_force;
      obstacle_search.prepare(interaction.obstacles, x, t);
    }
    for (unsigned int p = pass.first_point; p < pass.end_point; ++p)
    {
      const auto &point = surfaces.points[p];
      if (point.away || (!own_point.empty() && !own_point[p]))
        continue;
      Tensor<1, dim> normal;
      for (unsigned int f = 0; f < point.n_faces; ++f)
        normal += face_normals[surfaces.point_faces[point.first_face + f]];
      const double norm = normal.norm();
      if (norm > 1e-12)
        normal /= norm;
      else if (point.n_faces > 0) // a ball has none
        normal = face_normals[surfaces.point_faces[point.first_face]];
      while (old < previous.size() &&
             (previous[old].interaction < pass.interaction ||
              (previous[old].interaction == pass.interaction &&
               previous[old].point < p)))
        ++old;
      if (old + 12 < previous.size())
        prefetch(previous[old + 12].interaction);
      unsigned int n_old = 0;
      while (old + n_old < previous.size() &&
             previous[old + n_old].interaction == pass.interaction &&
             previous[old + n_old].point == p &&
             previous[old + n_old].obstacle < 0)
        ++n_old;
      const Seeker seeker{ p,
                           point,
                           surfaces.position(point, x),
                           normal,
                           interaction.search_distance * point.size + reach,
                           reach,
                           n_old > 0 ? &previous[old] : nullptr,
                           n_old };
      if (mortar)
      {
        Contact<dim> contact;
        if (mortar_rows.make_contact(search, p, contact))
          contacts.push_back(contact);
      }
      else
      {
        entries.clear();
        near_edges.clear();
        if (brute_force)
          for (unsigned int local = 0; local < pass.faces->size(); ++local)
          {
            if (try_face(seeker, i, local, x))
              near_edges.emplace_back(local, 0.);
          }
        else if (!tree.empty())
        {
          if (p >= group.end)
            search_group(pass, p, x, reach);
          using Place    = typename FaceOutline<dim>::Place;
          const auto box = group.boxes[p - group.begin];
          for (auto place = group.near.begin(); place != group.near.end();)
          {
            std::array<unsigned int, 16> faces;
            unsigned int n_faces = 0;
            for (; place != group.near.end() && n_faces < faces.size(); ++place)
              if (tree.box_at(*place).intersects(box))
              {
                faces[n_faces] = tree.number_at(*place);
                prefetch(outlines[faces[n_faces++]]);
              }
            for (unsigned int n = 0; n < n_faces; ++n)
            {
              const unsigned int k = faces[n];
              double square;
              const Place where =
                  outline(pass, k, x)
                      .find(
                          seeker.position, seeker.alert, seeker.reach, square);
              if (where == Place::beside ||
                  (where == Place::near && try_face(seeker, i, in_tree[k], x)))
                near_edges.emplace_back(in_tree[k], square);
            }
          }
        }
        choose(seeker, i, x);
        add_face_contacts(seeker, i, x, contacts);
      }
      if (pass.obstacles)
        obstacle_search.add_contacts(pass.interaction,
                                     interactions[pass.interaction].obstacles,
                                     p,
                                     seeker.position,
                                     normal,
                                     seeker.alert,
                                     t,
                                     contacts);
    }
  }
}

template <int dim>
void Detector<dim>::detect(const std::vector<double> &x,
                           const double t,
                           const double reach,
                           std::vector<Contact<dim>> &contacts,
                           const std::vector<Contact<dim>> &previous)
{
  detect(false, x, t, reach, contacts, previous);
}

template <int dim>
void Detector<dim>::detect_by_brute_force(
    const std::vector<double> &x,
    const double t,
    const double reach,
    std::vector<Contact<dim>> &contacts,
    const std::vector<Contact<dim>> &previous)
{
  detect(true, x, t, reach, contacts, previous);
}

template class Detector<2>;
template class Detector<3>;
} // namespace delassus

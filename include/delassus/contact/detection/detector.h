#ifndef delassus_contact_detection_detector_h
#define delassus_contact_detection_detector_h

#include <delassus/contact/detection/face_outline.h>
#include <delassus/contact/kinematics/surface_sides.h>
#include <delassus/contact/detection/mortar_rows.h>
#include <delassus/contact/detection/obstacle_search.h>
#include <delassus/contact/detection/own_piece.h>

namespace delassus
{
/// Finds for each candidate point its antagonists: broad phase by a tree of the
/// antagonist faces, narrow phase by closest-point projection.
///
/// The nearest face whose projection the point lies on is taken; beyond a
/// convex edge or vertex the nearest point of it, with the normal from there to
/// the point (the surface's own ends are no edges). In a concave corner, where
/// faces are in front of each other, each face gives a contact. Faces are
/// compared by distance, near-ties go to the normal that the contact had
/// before; what was touched before and is penetrated now is not left for what
/// lies behind it. A point touches faces of its own piece too where they look
/// at it, other than those it lies on, and not through the material.
template <int dim>
class Detector
{
public:
  Detector(const ContactSurfaces<dim> &surfaces,
           const std::vector<Interaction> &interactions,
           const std::vector<Obstacle<dim>> &obstacles);

  /// Leave all other candidate points to other ranks.
  void restrict_to(const std::vector<bool> &points);

  /// All contacts for node positions @p x at time @p t, by interaction and
  /// point. @p reach is added to every search distance: what can be travelled
  /// before the next detection. @p previous: the contacts found before, in the
  /// same order.
  void detect(const std::vector<double> &x,
              const double t,
              const double reach,
              std::vector<Contact<dim>> &contacts,
              const std::vector<Contact<dim>> &previous = {});

  /// The same by trying every pair: the oracle of the tests.
  void detect_by_brute_force(const std::vector<double> &x,
                             const double t,
                             const double reach,
                             std::vector<Contact<dim>> &contacts,
                             const std::vector<Contact<dim>> &previous = {});

  /// The contact @p contact found before, with the same face or side of an
  /// obstacle, for positions @p x nearby at time @p t: its weights there and
  /// its frame, turned as little as its normal asks for. Returns false where
  /// it does not change smoothly (edges, rows of mortar type).
  bool move_contact(const Contact<dim> &contact,
                    const std::vector<double> &x,
                    const double t,
                    Contact<dim> &moved);

  ObstacleSearch<dim> obstacle_search;

private:
  /// What a point may touch.
  struct Entry
  {
    double score, gap;
    unsigned int face;
    dealii::Tensor<1, dim> N;
    std::array<double, 9> weights;
    bool edge; ///< or vertex
    bool wide; ///< beyond the end of the face, for concave corners only
  };

  /// A point that looks for antagonists.
  struct Seeker
  {
    unsigned int number;
    const typename ContactSurfaces<dim>::Point &point;
    dealii::Point<dim> position;
    dealii::Tensor<1, dim> normal;
    double alert, reach;
    const Contact<dim> *previous; ///< n_previous contacts with faces
    unsigned int n_previous;
  };

  void detect(const bool brute_force,
              const std::vector<double> &x,
              const double t,
              const double reach,
              std::vector<Contact<dim>> &contacts,
              const std::vector<Contact<dim>> &previous);

  /// The tree of the faces that this rank's points may touch.
  void build_tree(const SearchPass &pass,
                  const std::vector<double> &x,
                  const double reach);

  /// Find what may be near a point, together with those that follow it.
  void search_group(const SearchPass &pass,
                    const unsigned int point,
                    const std::vector<double> &x,
                    const double reach);

  /// The outline of face @p k of the tree.
  const FaceOutline<dim> &outline(const SearchPass &pass,
                                  const unsigned int k,
                                  const std::vector<double> &x);

  /// Whether a face looks at the point, which does not lie on it.
  bool looks_at(const unsigned int face, const Seeker &seeker) const;

  /// Add what a face offers to a point to the entries; whether its edges may
  /// offer something too.
  bool try_face(const Seeker &seeker,
                const unsigned int pass,
                const unsigned int local,
                const std::vector<double> &x);
  void try_edges(const Seeker &seeker,
                 const unsigned int pass,
                 const unsigned int local,
                 const std::vector<double> &x);
  /// The edges of a face (one bit each), its positions in X, that may be
  /// touched: those where it meets another one at an angle and from outside.
  unsigned int convex_edges(const unsigned int pass,
                            const unsigned int local) const;
  void add_entry(const Seeker &seeker, Entry &entry, const double outside);

  /// The antagonists among the entries of faces and what the edges offer, the
  /// first is the nearest.
  void choose(const Seeker &seeker,
              const unsigned int pass,
              const std::vector<double> &x);

  /// How far the face @p g reaches in front of the face @p f, in sizes.
  double height_above(const unsigned int f,
                      const unsigned int g,
                      const std::vector<double> &x) const;

  /// Whether a point sees a face of its own piece, its positions in X, through
  /// the material.
  bool is_behind_material(const Seeker &seeker, const Entry &entry) const;

  /// Whether a point that touched @p previous still touches the same surface
  /// with an entry. Of its own piece that is the surface nearby: layers of a
  /// roll are one piece.
  bool continues(const Seeker &seeker,
                 const Contact<dim> &previous,
                 const Entry &entry) const;

  /// Whether an entry can only be reached through another one.
  bool is_hidden(const Seeker &seeker,
                 const Entry &entry,
                 const std::vector<double> &x) const;

  /// The normal at a point of a face, from the nodes' averages of the normals
  /// @p normal_of_face(face).
  template <typename Normal>
  dealii::Tensor<1, dim> averaged_normal(const unsigned int pass,
                                         const unsigned int face,
                                         const std::array<double, 9> &weights,
                                         const Normal &normal_of_face) const
  {
    const auto &nodes              = surfaces.faces[face].nodes;
    const dealii::Tensor<1, dim> N = normal_of_face(face);
    dealii::Tensor<1, dim> sum;
    for (unsigned int v = 0; v < surfaces.faces[face].n_nodes; ++v)
    {
      if (weights[v] == 0.)
        continue;
      dealii::Tensor<1, dim> node;
      for (const unsigned int f : topologies[pass].faces_of_node.at(nodes[v]))
      {
        const dealii::Tensor<1, dim> N_f = normal_of_face(f);
        if (N_f * N > cosine_of_edge)
          node += std::pow(surfaces.faces[f].size, dim - 1) * N_f;
      }
      sum += (weights[v] / node.norm()) * node;
    }
    return sum / sum.norm();
  }

  void add_face_contacts(const Seeker &seeker,
                         const unsigned int pass,
                         const std::vector<double> &x,
                         std::vector<Contact<dim>> &contacts);

  const ContactSurfaces<dim> &surfaces;
  const std::vector<Interaction> &interactions;

  /// How the faces of a pass hang together.
  struct Topology
  {
    /// Of each edge (2D: end) of each face: the face on the other side, as
    /// number in the pass; or nobody.
    std::vector<std::array<unsigned int, 4>> neighbours;
    /// Faces of each node, for averaged normals.
    std::unordered_map<unsigned int, std::vector<unsigned int>> faces_of_node;
  };
  static Topology find_topology(const ContactSurfaces<dim> &surfaces,
                                const std::vector<unsigned int> &faces,
                                const bool averaged);

  std::vector<SearchPass> passes;
  std::vector<Topology> topologies;
  std::vector<dealii::Tensor<1, dim>> face_normals;
  std::vector<bool> own_point; ///< empty: all
  std::vector<Box<dim>> boxes;
  std::vector<unsigned int> in_tree; ///< faces as numbers in the pass
  BoxTree<dim> tree;
  MortarRows<dim> mortar_rows;
  /// Points that follow each other mostly lie side by side: as many as are
  /// near few faces search the tree together.
  struct Group
  {
    unsigned int begin = 0, end = 0; ///< points
    unsigned int most = 1;           ///< in a group, now
    std::vector<Box<dim>> boxes;     ///< that each point searches
    std::vector<unsigned int> near;  ///< places in the tree
  };
  Group group;
  /// By faces in the tree, found when first needed.
  std::vector<FaceOutline<dim>> outlines;
  std::vector<unsigned char> has_outline;
  /// By faces of the pass: convex_edges(), found when first needed.
  static constexpr unsigned char unknown_edges = 255;
  std::vector<unsigned char> edges;
  /// Faces (as numbers in the pass) whose edges may be touched, and a lower
  /// bound of the square of the distance.
  std::vector<std::pair<unsigned int, double>> near_edges;
  /// Positions of the face that is worked on (kept, so as not to be zeroed for
  /// each).
  std::array<dealii::Point<dim>, 9> X;
  std::vector<Entry> entries;
  std::vector<unsigned int> chosen; ///< of entries
};
} // namespace delassus

#endif

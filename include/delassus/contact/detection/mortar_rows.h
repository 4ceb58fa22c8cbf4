#ifndef delassus_contact_detection_mortar_rows_h
#define delassus_contact_detection_mortar_rows_h

#include <delassus/contact/detection/box_tree.h>
#include <delassus/contact/detection/interaction.h>
#include <delassus/contact/kinematics/contact.h>

namespace delassus
{
/// Rows of H for gaps averaged over the faces: with psi_a the multiplier of row
/// a, linear on each candidate face, and y(x) the antagonist point seen from x
/// along the face's normal,
///   g_a = N_a . int psi_a (x - y) / int psi_a,
/// N_a the mean of the normals under psi_a. The integrals run over the overlaps
/// of candidate and antagonist faces only; they are cut exactly (intervals in
/// 2D, polygons in 3D). psi_a >= 0, so a row behaves like a gap, partly covered
/// faces need nothing special, and the traction sum P_a psi_a / int psi_a is in
/// Coulomb's cone where all P_a are. As the psi sum up to 1, a uniform pressure
/// gives consistent forces on both sides: the contact patch test passes on
/// meshes that do not match.
template <int dim>
class MortarRows
{
public:
  /// What one search knows.
  struct Search
  {
    const ContactSurfaces<dim> &surfaces;
    const SearchPass &pass;
    const BoxTree<dim> &tree; ///< of the antagonist faces
    const std::vector<dealii::Tensor<1, dim>> &face_normals;
    const std::vector<double> &x;
    double search_distance, reach;
    const std::vector<Contact<dim>> &previous;
    const std::vector<bool> &own_point; ///< points wanted; empty: all
  };

  /// All overlaps of a pass.
  void integrate(const Search &search);

  /// The row of a point, if it has one.
  bool make_contact(const Search &search,
                    const unsigned int point,
                    Contact<dim> &contact);

private:
  static constexpr unsigned int face_dim = dim - 1;
  using PlanePoint                       = dealii::Point<face_dim>;

  /// The overlap of two faces in the plane of the candidate: an interval or a
  /// polygon.
  struct Overlap
  {
    unsigned int face; ///< antagonist
    unsigned int n;
    std::array<PlanePoint, 12> corners;
    double area, gap;
    bool known; ///< its piece was the antagonist before
  };

  /// The face that is worked on, seen in its plane.
  struct Plane
  {
    dealii::Tensor<1, dim> normal;
    std::array<dealii::Tensor<1, dim>, face_dim> axes;
    dealii::Point<dim> origin;
    std::array<dealii::Point<dim>, 9> X, Y;
    std::array<PlanePoint, 9> flat_X, flat_Y;
    std::array<PlanePoint, 4> corners;
    unsigned int n_corners;
    double area;
  };

  PlanePoint flatten(const dealii::Point<dim> &p) const;

  void find_overlaps(const Search &search, const MortarFace &mortar);
  void drop_hidden();
  void integrate_overlap(const Search &search,
                         const MortarFace &mortar,
                         const Overlap &overlap);

  struct Term
  {
    unsigned int row, node;
    double weight;
    bool own; ///< of the candidate
  };

  Plane plane;
  std::vector<Overlap> overlaps;
  std::vector<Term> terms, sorted;
  std::vector<std::size_t> row_start;
  unsigned int first_point = 0;
  // By row:
  std::vector<double> area, largest;
  std::vector<dealii::Tensor<1, dim>> normal;
  std::vector<unsigned int> face;
  std::vector<unsigned int> previous_piece;
};
} // namespace delassus

#endif

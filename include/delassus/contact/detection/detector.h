#ifndef delassus_contact_detection_detector_h
#define delassus_contact_detection_detector_h

#include <delassus/contact/kinematics/contact.h>
#include <delassus/bodies/expression.h>

namespace delassus
{
/// A rigid plane, fixed or moving by a function of time.
template <int dim>
class RigidPlane
{
public:
  explicit RigidPlane(const ObstacleParameters &parameters);

  /// Displacement at time t.
  dealii::Tensor<1, dim> displacement(const double t) const;

  std::string name;
  dealii::Point<dim> point;      ///< at displacement 0
  dealii::Tensor<1, dim> normal; ///< unit, towards the bodies

private:
  Expression<dim> motion;
};

/// One interaction, ready for detection.
struct Interaction
{
  std::string name;
  unsigned int first_point, end_point; ///< candidates
  std::vector<unsigned int> faces;     ///< antagonist faces
  std::vector<unsigned int> obstacles; ///< antagonist planes
  double search_distance;              ///< in sizes of the face
};

/// Finds for each candidate point its antagonist: broad phase by an R-tree of
/// the antagonist faces, narrow phase by closest-point projection.
template <int dim>
class Detector
{
public:
  Detector(const ContactSurfaces<dim> &surfaces,
           const std::vector<Interaction> &interactions,
           const std::vector<RigidPlane<dim>> &planes);

  /// All contacts for node positions @p x at time @p t. @p reach is added to
  /// every search distance: what can be travelled before the next detection.
  void detect(const std::vector<double> &x,
              const double t,
              const double reach,
              std::vector<Contact<dim>> &contacts);

  /// The same by trying every pair: the oracle of the tests.
  void detect_by_brute_force(const std::vector<double> &x,
                             const double t,
                             const double reach,
                             std::vector<Contact<dim>> &contacts) const;

private:
  struct Best
  {
    double score;
    unsigned int face;
    std::array<double, 4> weights;
  };

  /// Try one face, of normal @p N, for a point; improves @p best.
  void try_face(const typename ContactSurfaces<dim>::Point &point,
                const dealii::Point<dim> &position,
                const dealii::Tensor<1, dim> &normal,
                const unsigned int face,
                const dealii::Tensor<1, dim> &N,
                const double alert,
                const std::vector<double> &x,
                Best &best) const;

  void add_face_contact(const unsigned int interaction,
                        const unsigned int point,
                        const Best &best,
                        const std::vector<double> &x,
                        std::vector<Contact<dim>> &contacts) const;

  void add_plane_contacts(const unsigned int interaction,
                          const unsigned int point,
                          const dealii::Point<dim> &position,
                          const dealii::Tensor<1, dim> &normal,
                          const double alert,
                          const double t,
                          std::vector<Contact<dim>> &contacts) const;

  const ContactSurfaces<dim> &surfaces;
  const std::vector<Interaction> &interactions;
  const std::vector<RigidPlane<dim>> &planes;
  std::vector<dealii::Tensor<1, dim>> face_normals; ///< of antagonists
};
} // namespace delassus

#endif

#ifndef delassus_contact_detection_interaction_h
#define delassus_contact_detection_interaction_h

#include <delassus/contact/kinematics/contact_surfaces.h>
#include <delassus/parameters/parameters.h>

#include <limits>
#include <string>
#include <vector>

namespace delassus
{
/// One interaction, ready for detection.
struct Interaction
{
  std::string name;
  std::string points;                  ///< kinds of the candidates, to be read
  unsigned int first_point, end_point; ///< candidates
  std::vector<unsigned int> faces;     ///< antagonist faces
  std::vector<unsigned int> obstacles; ///< antagonist obstacles
  double search_distance;              ///< in sizes of the face
  ContactFormulation formulation = ContactFormulation::points;
  ContactNormals normals         = ContactNormals::face;
  std::vector<MortarFace> mortar_faces; ///< of the candidates

  /// Points from this one on belong to the second pass: they are on antagonist
  /// surfaces and look for the candidates' faces.
  unsigned int second_pass = std::numeric_limits<unsigned int>::max();
  std::vector<unsigned int> candidate_faces;
  std::vector<MortarFace> second_mortar_faces;
};

/// One search: points against faces.
struct SearchPass
{
  unsigned int interaction;
  unsigned int first_point, end_point;
  const std::vector<unsigned int> *faces;
  const std::vector<MortarFace> *mortar_faces;
  bool obstacles; ///< of the interaction too
  /// Faces of a point's own piece are antagonists too. Not for rows of mortar
  /// type where a face is on both sides: each pair would have its rows twice,
  /// and they are not independent.
  bool own_piece;
};

std::vector<SearchPass>
search_passes(const std::vector<Interaction> &interactions);
} // namespace delassus

#endif

#include <delassus/contact/detection/detector.h>
#include <delassus/contact/detection/face_projection.h>

// A contact found before, seen from positions nearby.
namespace delassus
{
using namespace dealii;

template <int dim>
bool Detector<dim>::move_contact(const Contact<dim> &contact,
                                 const std::vector<double> &x,
                                 const double t,
                                 Contact<dim> &moved)
{
  const auto &interaction   = interactions[contact.interaction];
  const auto &point         = surfaces.points[contact.point];
  const Point<dim> position = surfaces.position(point, x);
  if (interaction.formulation == ContactFormulation::mortar)
    return false;
  moved = contact;
  Tensor<1, dim> N;
  if (contact.obstacle >= 0)
  {
    if (!obstacle_search.normal_at(
            contact, position, surfaces.point_normal(point, x), t, N))
      return false;
    obstacle_search.renew_entries(moved, position, N, x, t);
  }
  else
  {
    const auto &face = surfaces.faces[contact.face];
    surfaces.face_positions(face, x, X);
    const auto foot = project_on_face<dim>(face.n_nodes, X, position);
    // On an edge or a vertex the foot stays where it is.
    if (foot.outside > 0.)
      return false;
    if (interaction.normals == ContactNormals::averaged)
    {
      unsigned int pass = 0;
      while (pass < passes.size() &&
             !(passes[pass].interaction == contact.interaction &&
               passes[pass].first_point <= contact.point &&
               contact.point < passes[pass].end_point))
        ++pass;
      N = averaged_normal(pass,
                          contact.face,
                          foot.weights,
                          [&](const unsigned int f)
                          { return surfaces.face_normal(f, x); });
    }
    else if (face.n_nodes > face.n_corners)
    {
      const FaceShape<dim> shape(face.n_nodes, foot.s);
      N = shape.area_vector(face.n_nodes, X);
      N /= N.norm();
    }
    else
      N = surfaces.face_normal(contact.face, x);
    moved.nodes.resize(contact.n_candidate_entries);
    moved.weights.resize(contact.n_candidate_entries);
    moved.n_entries = contact.n_candidate_entries;
    for (unsigned int i = 0; i < face.n_nodes; ++i)
      surfaces.resolve(face.nodes[i],
                       -foot.weights[i],
                       [&](const unsigned int node, const double weight)
                       { moved.add_entry(node, weight); });
  }
  if (!(N * contact.normal() > 0.5)) // an edge: another normal altogether
    return false;
  // Rows of the frame are its vectors.
  const Tensor<2, dim> R = shortest_rotation<dim>(contact.normal(), N);
  for (unsigned int r = 0; r < dim; ++r)
    for (unsigned int c = 0; c < dim; ++c)
    {
      moved.frame[dim * r + c] = 0.;
      for (unsigned int d = 0; d < dim; ++d)
        moved.frame[dim * r + c] += R[c][d] * contact.frame[dim * r + d];
    }
  return true;
}

template bool Detector<2>::move_contact(const Contact<2> &,
                                        const std::vector<double> &,
                                        const double,
                                        Contact<2> &);
template bool Detector<3>::move_contact(const Contact<3> &,
                                        const std::vector<double> &,
                                        const double,
                                        Contact<3> &);
} // namespace delassus

#ifndef delassus_contact_kinematics_contact_h
#define delassus_contact_kinematics_contact_h

#include <delassus/base/archive.h>
#include <delassus/contact/kinematics/contact_surfaces.h>
#include <delassus/contact/local_solvers/local_algebra.h>

#include <boost/container/small_vector.hpp>

#include <tuple>

#include <cstdint>

namespace delassus
{
/// Interaction, candidate point, obstacle (or -1), antagonist piece (0 of
/// obstacles) and slot.
using ContactKey =
    std::tuple<unsigned int, unsigned int, int, unsigned int, unsigned int>;

/// A candidate with its antagonist: the geometry of one contact. Its row of H*
/// is the frame applied to a combination of contact nodes,
///   U = F ( sum_i w_i v_i ),   F = rows (N, T[, S]),
/// with weights of sum 1 on the candidate and -1 on the antagonist.
/// N points from the antagonist to the candidate.
template <int dim>
struct Contact
{
  unsigned int interaction = 0;
  unsigned int point       = 0;  ///< of the ContactSurfaces
  int obstacle             = -1; ///< or -1: the antagonist is a face
  unsigned int face        = 0;  ///< antagonist face
  unsigned int piece       = 0;  ///< antagonist piece, if it is a face
  /// In a concave corner a point has several antagonists: 0, 1, ...
  unsigned int slot                = 0;
  unsigned int n_entries           = 0;
  unsigned int n_candidate_entries = 0; ///< the first ones
  boost::container::small_vector<unsigned int, 8> nodes;
  boost::container::small_vector<double, 8> weights;
  LocalMatrix<dim> frame{};
  double area = 0.; ///< force / area is the pressure (2D: length x thickness)

  /// Entries of the candidate come first.
  void add_entry(const unsigned int node, const double weight)
  {
    nodes.push_back(node);
    weights.push_back(weight);
    ++n_entries;
  }

  /// Identity between steps: sliding to the next face of a piece keeps it.
  ContactKey key() const
  {
    return { interaction, point, obstacle, piece, slot };
  }

  void archive(Archive &archive)
  {
    archive("interaction", interaction);
    archive("point", point);
    archive("obstacle", obstacle);
    archive("face", face);
    archive("piece", piece);
    archive("slot", slot);
    archive("entries", n_entries);
    archive("candidate entries", n_candidate_entries);
    archive("nodes", nodes);
    archive("weights", weights);
    archive("frame", frame);
    archive("area", area);
  }

  /// F sum_i w_i a_i for nodal values a.
  LocalVector<dim> local_combination(const std::vector<double> &a) const
  {
    double sum[dim] = {};
    for (unsigned int i = 0; i < n_entries; ++i)
      for (unsigned int c = 0; c < dim; ++c)
        sum[c] += weights[i] * a[dim * nodes[i] + c];
    LocalVector<dim> result{};
    for (unsigned int r = 0; r < dim; ++r)
      for (unsigned int c = 0; c < dim; ++c)
        result[r] += frame[dim * r + c] * sum[c];
    return result;
  }

  /// F^T P: the local vector in global axes.
  dealii::Tensor<1, dim> to_global(const double *P) const
  {
    dealii::Tensor<1, dim> result;
    for (unsigned int r = 0; r < dim; ++r)
      for (unsigned int c = 0; c < dim; ++c)
        result[c] += frame[dim * r + c] * P[r];
    return result;
  }

  dealii::Tensor<1, dim> normal() const
  {
    dealii::Tensor<1, dim> n;
    for (unsigned int c = 0; c < dim; ++c)
      n[c] = frame[c];
    return n;
  }
};

/// The local frame of a normal by a fixed rule: 2D, T is N turned by -90
/// degrees; 3D, T is the coordinate axis least aligned with N made orthogonal
/// to it, S = N x T.
template <int dim>
LocalMatrix<dim> make_frame(const dealii::Tensor<1, dim> &N);

/// The rotation that takes the unit vector @p from to @p to and turns nothing
/// else: R = I + K + K^2 / (1 + c), K = to (x) from - from (x) to, c their
/// product (> -1).
template <int dim>
dealii::Tensor<2, dim> shortest_rotation(const dealii::Tensor<1, dim> &from,
                                         const dealii::Tensor<1, dim> &to);
} // namespace delassus

#endif

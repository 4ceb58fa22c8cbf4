#ifndef delassus_contact_laws_frame_turn_h
#define delassus_contact_laws_frame_turn_h

#include <delassus/contact/local_solvers/local_algebra.h>

namespace delassus
{
/// The rotation for ContactLaw::turn() when the frame of a contact changes from
/// @p before to @p after (rows N, T, S in global axes). The contact itself has
/// turned by the shortest rotation R that takes the old normal to the new one,
/// and its vectors with it; where the new tangents are not those turned by R,
/// components change:
///
///   Q = after R before^T,   a rotation about the normal.
///
/// In 2D the tangent follows the normal: Q = 1. (Also where the normal is
/// reversed and no rotation is shortest.)
template <int dim>
LocalMatrix<dim> frame_turn(const LocalMatrix<dim> &before,
                            const LocalMatrix<dim> &after)
{
  LocalMatrix<dim> Q = identity_matrix<dim>();
  double c           = 0.;
  for (int i = 0; i < dim; ++i)
    c += before[i] * after[i];
  if (dim == 2 || !(c > -1. + 1e-12))
    return Q;
  // K v = to (from.v) - from (to.v),  R = 1 + K + K^2 / (1 + c).
  const auto K = [&](const LocalVector<dim> &v)
  {
    double from = 0., to = 0.;
    for (int i = 0; i < dim; ++i)
    {
      from += before[i] * v[i];
      to += after[i] * v[i];
    }
    LocalVector<dim> Kv;
    for (int i = 0; i < dim; ++i)
      Kv[i] = after[i] * from - before[i] * to;
    return Kv;
  };
  for (int j = 0; j < dim; ++j)
  {
    LocalVector<dim> v;
    for (int i = 0; i < dim; ++i)
      v[i] = before[j * dim + i];
    const LocalVector<dim> Kv = K(v);
    v                         = add(add(v, Kv), scale(1. / (1. + c), K(Kv)));
    for (int i = 0; i < dim; ++i)
    {
      Q[i * dim + j] = 0.;
      for (int k = 0; k < dim; ++k)
        Q[i * dim + j] += after[i * dim + k] * v[k];
    }
  }
  return Q;
}
} // namespace delassus

#endif

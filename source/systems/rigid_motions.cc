#include <delassus/systems/rigid_motions.h>

namespace delassus
{
using namespace dealii;

template <int dim>
typename RigidMotions<dim>::Values
RigidMotions<dim>::at(const Point<dim> &place, const unsigned int c) const
{
  const Tensor<1, dim> x = (place - origin) / size;
  Values values;
  values.fill(0.);
  values[c] = 1.;
  if (dim == 2)
    values[2] = c == 0 ? -x[1] : x[0];
  else
    for (unsigned int r = 0; r < 3; ++r)
      if (r != c) // component c of e_r x x
        values[n - 3 + r] = (c == (r + 1) % 3 ? -1. : 1.) * x[3 - r - c];
  return values;
}

template <int dim>
double RigidMotions<dim>::free_value(const unsigned int motion,
                                     const Point<dim> &x,
                                     const unsigned int c) const
{
  const Values values = at(x, c);
  double sum          = 0.;
  for (unsigned int i = 0; i < n; ++i)
    sum += free[motion][i] * values[i];
  return sum;
}

template struct RigidMotions<2>;
template struct RigidMotions<3>;
} // namespace delassus

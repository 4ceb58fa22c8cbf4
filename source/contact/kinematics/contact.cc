#include <delassus/contact/kinematics/contact.h>

#include <cmath>

namespace delassus
{
template <int dim>
LocalMatrix<dim> make_frame(const dealii::Tensor<1, dim> &N)
{
  Assert(std::abs(N * N - 1.) < 1e-8,
         dealii::ExcMessage("A normal must be of length 1."));
  LocalMatrix<dim> frame{};
  for (unsigned int c = 0; c < dim; ++c)
    frame[c] = N[c];
  if constexpr (dim == 2)
  {
    frame[2] = N[1];
    frame[3] = -N[0];
  }
  else
  {
    unsigned int axis = 0;
    for (unsigned int c = 1; c < 3; ++c)
      if (std::abs(N[c]) < std::abs(N[axis]))
        axis = c;
    const double along =
        axis == 0 ? N[0] : (axis == 1 ? N[1] : N[2]); // in registers
    dealii::Tensor<1, 3> T;
    for (unsigned int c = 0; c < 3; ++c)
      T[c] = (c == axis ? 1. : 0.) - along * N[c];
    T /= T.norm();
    const dealii::Tensor<1, 3> S = dealii::cross_product_3d(N, T);
    for (unsigned int c = 0; c < 3; ++c)
    {
      frame[3 + c] = T[c];
      frame[6 + c] = S[c];
    }
  }
  return frame;
}

template <int dim>
dealii::Tensor<2, dim> shortest_rotation(const dealii::Tensor<1, dim> &from,
                                         const dealii::Tensor<1, dim> &to)
{
  Assert(from * to > -1.,
         dealii::ExcMessage("Opposite vectors have no shortest rotation."));
  const dealii::Tensor<2, dim> K =
      outer_product(to, from) - outer_product(from, to);
  dealii::Tensor<2, dim> R = K + K * K / (1. + from * to);
  for (unsigned int c = 0; c < dim; ++c)
    R[c][c] += 1.;
  return R;
}

template dealii::Tensor<2, 2>
shortest_rotation<2>(const dealii::Tensor<1, 2> &,
                     const dealii::Tensor<1, 2> &);
template dealii::Tensor<2, 3>
shortest_rotation<3>(const dealii::Tensor<1, 3> &,
                     const dealii::Tensor<1, 3> &);
template LocalMatrix<2> make_frame<2>(const dealii::Tensor<1, 2> &);
template LocalMatrix<3> make_frame<3>(const dealii::Tensor<1, 3> &);
} // namespace delassus

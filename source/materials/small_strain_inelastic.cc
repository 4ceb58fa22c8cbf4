#include <delassus/materials/laws.h>

#include <algorithm>

namespace delassus
{
template <typename Kernel>
void SmallStrainInelastic<Kernel>::initialize(double *history) const
{
  std::fill_n(history, n_history(), 0.);
}

template <typename Kernel>
bool SmallStrainInelastic<Kernel>::respond(const dealii::Tensor<2, 3> &F,
                                           const double h,
                                           const double *begin,
                                           double *end,
                                           const bool with_tangent,
                                           MaterialResponse &response) const
{
  const Symmetric E = { F[0][0] - 1. - begin[0],
                        F[1][1] - 1. - begin[1],
                        F[2][2] - 1. - begin[2],
                        0.5 * (F[0][1] + F[1][0]) - begin[3],
                        0.5 * (F[1][2] + F[2][1]) - begin[4],
                        0.5 * (F[2][0] + F[0][2]) - begin[5] };
  double state[7]   = {};
  std::copy_n(begin + 6, kernel.n_state(), state);
  InelasticResult result;
  if (!kernel.step(E, h, with_tangent, state, result))
    return false;
  for (unsigned int i = 0; i < 6; ++i)
  {
    end[i]             = begin[i] + result.flow[i];
    response.stress[i] = result.stress[i];
  }
  std::copy_n(state, kernel.n_state(), end + 6);
  response.stored     = result.stored;
  response.dissipated = result.dissipated;
  if (with_tangent)
    for (unsigned int i = 0; i < 6; ++i)
    {
      for (unsigned int j = 0; j < 6; ++j)
        response.tangent[i][j] =
            (i < 3 && j < 3 ? result.bulk - result.shear / 3. : 0.) -
            result.drop * result.normal[i] * result.normal[j];
      response.tangent[i][i] += i < 3 ? result.shear : 0.5 * result.shear;
    }
  return true;
}

template class SmallStrainInelastic<J2Kernel>;
template class SmallStrainInelastic<MaxwellKernel>;
} // namespace delassus

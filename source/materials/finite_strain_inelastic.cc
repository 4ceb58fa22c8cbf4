#include <delassus/materials/laws.h>
#include <delassus/materials/multiplicative.h>

#include <algorithm>

namespace delassus
{
template <typename Kernel>
void FiniteStrainInelastic<Kernel>::initialize(double *history) const
{
  std::fill_n(history, n_history(), 0.);
}

template <typename Kernel>
bool FiniteStrainInelastic<Kernel>::respond(const dealii::Tensor<2, 3> &F,
                                            const double h,
                                            const double *begin,
                                            double *end,
                                            const bool with_tangent,
                                            MaterialResponse &response) const
{
  return multiplicative_response(kernel,
                                 &F[0][0],
                                 h,
                                 begin,
                                 end,
                                 response.stress.data(),
                                 with_tangent ? response.tangent[0].data()
                                              : nullptr,
                                 response.stored,
                                 response.dissipated);
}

template class FiniteStrainInelastic<J2Kernel>;
template class FiniteStrainInelastic<MaxwellKernel>;
} // namespace delassus

#ifndef delassus_simulation_law_packing_h
#define delassus_simulation_law_packing_h

#include <delassus/contact/laws/change_of_variables.h>

#include <vector>

namespace delassus
{
/// Values of a contact on its way: law, U_free, P and U.
template <int dim>
constexpr std::size_t n_packed_values = 4 + 4 * dim + 4 * dim *dim + 2 * dim;

template <int dim>
inline void pack_law(const ChangeOfVariables<dim> &law,
                     std::vector<double> &values)
{
  values.push_back(law.active);
  values.push_back(law.friction);
  values.push_back(law.threshold);
  values.push_back(law.is_shift());
  values.insert(values.end(), law.shift.begin(), law.shift.end());
  const AffineLaw<dim> *J = law.affine.get();
  const auto append       = [&](const double *numbers, const std::size_t n)
  {
    for (std::size_t i = 0; i < n; ++i)
      values.push_back(J == nullptr ? 0. : numbers[i]);
  };
  for (const auto *matrix : { J == nullptr ? nullptr : &J->J_UU,
                              J == nullptr ? nullptr : &J->J_UR,
                              J == nullptr ? nullptr : &J->J_RU,
                              J == nullptr ? nullptr : &J->J_RR })
    append(matrix == nullptr ? nullptr : matrix->data(), dim * dim);
  append(J == nullptr ? nullptr : J->U0.data(), dim);
  append(J == nullptr ? nullptr : J->P0.data(), dim);
}

template <int dim>
ChangeOfVariables<dim> unpack_law(const double *&values)
{
  ChangeOfVariables<dim> law;
  law.active          = *values++ != 0.;
  law.friction        = *values++;
  law.threshold       = *values++;
  const bool is_shift = *values++ != 0.;
  for (double &value : law.shift)
    value = *values++;
  std::array<LocalMatrix<dim>, 4> J;
  for (auto &matrix : J)
    for (double &value : matrix)
      value = *values++;
  LocalVector<dim> U0, P0;
  for (auto *vector : { &U0, &P0 })
    for (double &value : *vector)
      value = *values++;
  if (!is_shift)
    law.affine =
        std::make_shared<const AffineLaw<dim>>(J[0], J[1], J[2], J[3], U0, P0);
  return law;
}
} // namespace delassus

#endif

#include <delassus/bodies/internal_forces.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace delassus
{
using namespace dealii;

template <int dim>
void InternalForces<dim>::get_state(const unsigned int cell,
                                    double *values) const
{
  for (unsigned int q = 0; q < n_q; ++q)
  {
    const std::size_t index = point_index(cell, q);
    values = std::copy_n(begin.data() + index * n_history, n_history, values);
    values = std::copy_n(accepted_stress[index].data(), 6, values);
  }
}

template <int dim>
void InternalForces<dim>::set_state(const unsigned int cell,
                                    const double *values)
{
  for (unsigned int q = 0; q < n_q; ++q)
  {
    const std::size_t index = point_index(cell, q);
    std::copy_n(values, n_history, begin.data() + index * n_history);
    values += n_history;
    std::copy_n(values, 6, accepted_stress[index].data());
    values += 6;
  }
}

template <int dim>
void InternalForces<dim>::deformations(
    const Vector &q,
    std::vector<Tensor<2, 3>> &F,
    const std::vector<unsigned int> *chosen) const
{
  // The arrays of an evaluation are used, its results are not touched.
  auto &work = const_cast<InternalForces<dim> &>(*this);
  if (body.split)
    *work.ghosted = q;
  F.resize(std::size_t(cells.size()) * n_q);
  std::vector<unsigned int> numbers; // of the groups that are wanted
  if (chosen)
    for (const unsigned int cell : *chosen)
      numbers.push_back(
          std::upper_bound(groups.begin(),
                           groups.end(),
                           place_of_cell[cell],
                           [](const unsigned int place, const Group &group)
                           { return place < group.first_cell; }) -
          groups.begin() - 1);
  else
  {
    numbers.resize(groups.size());
    std::iota(numbers.begin(), numbers.end(), 0u);
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  for (const unsigned int number : numbers)
  {
    const Group &group = groups[number];
    work.get_displacements(group, q);
    work.kinematics(group);
    for (unsigned int i = 0; i < group.n_cells; ++i)
      for (unsigned int k = 0; k < n_q; ++k)
      {
        const std::size_t index = std::size_t(group.first_cell + i) * n_q + k;
        F[index]                = points[i * n_q + k].F;
        if (plane_stress)
        {
          const double z = begin[(index + 1) * n_history - 1];
          F[index][2][2] = finite ? std::exp(z) : 1. + z;
        }
      }
  }
  work.trouble_text.clear();
}

#define INSTANTIATE(dim)                                                       \
  template void InternalForces<dim>::get_state(const unsigned int, double *)   \
      const;                                                                   \
  template void InternalForces<dim>::set_state(const unsigned int,             \
                                               const double *);                \
  template void InternalForces<dim>::deformations(                             \
      const Vector &,                                                          \
      std::vector<Tensor<2, 3>> &,                                             \
      const std::vector<unsigned int> *) const
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus

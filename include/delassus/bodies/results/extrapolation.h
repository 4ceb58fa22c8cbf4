#ifndef delassus_bodies_results_extrapolation_h
#define delassus_bodies_results_extrapolation_h

#include <delassus/materials/material.h>

#include <deal.II/base/point.h>

namespace delassus
{
/// Values at the quadrature points of a cell, taken to other points of it: the
/// polynomial of degree 1 that is nearest to them, drawn back towards their
/// mean as far as it takes to stay within what the cell's own points have. So
/// no plastic strain is negative and no stress beyond the yield stress.
template <int dim>
class Extrapolation
{
public:
  /// Points of the reference cell.
  Extrapolation(const std::vector<dealii::Point<dim>> &from,
                const std::vector<dealii::Point<dim>> &to);

  /// At the point @p i of `to`, within the range of @p values.
  double scalar(const std::vector<double> &values, const unsigned int i) const;

  /// The same for a stress. Mean stress and von Mises stress stay within the
  /// range of the points and below their largest one; it turns with the axes.
  Voigt stress(const std::vector<Voigt> &values, const unsigned int i) const;

  /// The same for a strain (tensor components): drawn back as a whole, so that
  /// what is zero at all points (out of the plane) is zero.
  Voigt strain(const std::vector<Voigt> &values, const unsigned int i) const;

private:
  std::vector<std::vector<double>> weights; ///< of the points, for each `to`
};
} // namespace delassus

#endif

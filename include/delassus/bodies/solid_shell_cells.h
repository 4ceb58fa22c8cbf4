#ifndef delassus_bodies_solid_shell_cells_h
#define delassus_bodies_solid_shell_cells_h

#include <delassus/bodies/solid_shell_element.h>
#include <delassus/materials/material.h>

#include <deal.II/base/point.h>
#include <deal.II/base/quadrature.h>

namespace delassus
{
/// 2 x 2 points in the plane of the reference cell's first two directions,
/// @p n through the third.
dealii::Quadrature<3> solid_shell_quadrature(const unsigned int n);

/// The cells of solid shells (see SolidShellElement) that a rank evaluates, and
/// their enhanced modes. The modes are found in each cell until they are in
/// balance, in every evaluation, so that any matrix may correct the nodes; what
/// is left of their forces is condensed to first order, and the tangent is the
/// condensed one. They begin from the last evaluation, following the nodes by
/// its condensation, the first time in a step from those of its beginning.
class SolidShellCells
{
public:
  enum class Trouble
  {
    none,
    inside_out, ///< or strained beyond what there is
    material,   ///< finds no stress
    modes       ///< find no balance
  };

  SolidShellCells(const Material &material,
                  const dealii::Quadrature<3> &quadrature);

  /// Cells are numbered as they are added; false if one is degenerate.
  bool add_cell(const std::array<dealii::Point<3>, 8> &nodes);

  /// The place of the results of an evaluation.
  struct Result
  {
    double *force;   ///< 24
    double *tangent; ///< 24 x 24 by rows; null: not wanted
    Voigt *cauchy;   ///< of each point
    double stored, dissipated;
  };

  /// The internal forces of a cell whose nodes have moved by @p u, at the end
  /// of a step of length @p h; histories one after another.
  Trouble evaluate(const unsigned int cell,
                   const double *u,
                   const double h,
                   const double *begin,
                   double *end,
                   const unsigned int n_history,
                   Result &result);

  /// The deformation gradients that the material sees at the points, turned
  /// into space, with the modes of the beginning of the step.
  void deformations(const unsigned int cell,
                    const double *u,
                    dealii::Tensor<2, 3> *F);

  /// The modes that were evaluated last are those of the next beginning.
  void accept();
  /// Evaluations begin from the modes of the beginning of the step.
  void begin_step();

  const double *modes(const unsigned int cell) const
  {
    return &begin_modes[cell * n_solid_shell_modes];
  }
  void set_modes(const unsigned int cell, const double *alpha);

private:
  /// Modes of a cell in an evaluation, and what carries them on:
  ///   alpha = alpha_0 - correction - coupling (u - u_0).
  struct Modes
  {
    bool follow                            = false; ///< what follows is known
    double alpha[n_solid_shell_modes]      = {};
    double correction[n_solid_shell_modes] = {};
    double coupling[n_solid_shell_modes][n_solid_shell_dofs];
    double u[n_solid_shell_dofs];
  };
  /// Their forces and stiffness.
  struct Balance
  {
    double force[n_solid_shell_modes], step[n_solid_shell_modes];
    double inverse[n_solid_shell_modes][n_solid_shell_modes];
    double error, scale;
    bool convex; ///< the stiffness is positive definite
  };

  void nodes_of(const unsigned int cell, double (&X)[8][3]) const;
  Trouble respond(const double *alpha,
                  const double h,
                  const double *begin,
                  double *end,
                  const unsigned int n_history);
  Trouble find_modes(double *alpha,
                     const double h,
                     const double *begin,
                     double *end,
                     const unsigned int n_history);

  const Material &material;
  SolidShellRule rule;
  std::vector<double> weights; ///< of the rule
  SolidShellElement element;
  const unsigned int n_q;
  std::vector<std::array<dealii::Point<3>, 8>> nodes;
  std::vector<SolidShellPoint> points;
  std::vector<double> begin_modes;
  std::vector<Modes> present;

  // Of the cell that is worked on.
  const SolidShellPoint *cell_points = nullptr;
  std::vector<MaterialResponse> responses;
  std::vector<double> volume_ratios;
  Balance balance;
};
} // namespace delassus

#endif

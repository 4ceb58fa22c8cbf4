#ifndef delassus_simulation_tools_h
#define delassus_simulation_tools_h

#include <delassus/base/archive.h>
#include <delassus/contact/detection/obstacle.h>
#include <delassus/time_integration/body_scheme.h>

namespace delassus
{
/// Obstacles with free translations: rigid bodies of one node, whose free
/// components obey
///
///   m (v+ - v) = h [ F(theta) + m g - c v_theta ] + r,   d+ = d + h v_theta,
///
/// r the sum of the contact impulses on the tool; the others are given
/// functions of time (U_imp of the contacts). To contact such a tool is a piece
/// with the compliance 1/(m + h theta c) in the free components and zero in the
/// others.
///
/// Quasi-statically m (v+ - v) is left out. As for pieces that only contact
/// holds a fictitious mass is in the compliance, M_f (v+ - c), and the step is
/// solved again with other centres c until v+ = c.
///
/// All ranks have all tools and compute the same.
template <int dim>
class Tools
{
public:
  struct Tool
  {
    unsigned int obstacle = 0;
    std::array<bool, dim> free{};
    double mass = 0., damping = 0.;
    dealii::Tensor<1, dim> weight;
    Expression<dim> force;
    double stiffness = 0.; ///< quasi static: M_f = h^2 stiffness

    dealii::Tensor<1, dim> d, v;         ///< state: free components
    dealii::Tensor<1, dim> d_new, v_new; ///< at the end of the step
    dealii::Tensor<1, dim> v_free;       ///< without contact impulses
    dealii::Tensor<1, dim> impulse;      ///< r
    dealii::Tensor<1, dim> response;     ///< w r, for W that is applied only
    dealii::Tensor<1, dim> external;     ///< F(theta) + m g
    dealii::Tensor<1, dim> center;       ///< of the fictitious mass
    dealii::Tensor<1, dim> step, factor; ///< Newton loop: of the last centre
    dealii::Tensor<1, dim> d_detected;   ///< at the last detection
    std::vector<double> compliance;      ///< dim x dim
  };

  /// @p obstacles, those of the parameters, must live as long as this.
  void make(const Parameters &parameters,
            std::vector<Obstacle<dim>> &obstacles);

  bool empty() const
  {
    return tools.empty();
  }

  /// The tool of an obstacle; -1: it is none.
  int tool_of(const int obstacle) const
  {
    return obstacle < 0 || tools.empty() ? -1 : number[obstacle];
  }

  void set_step(const double h);

  /// The linear scheme: v_free of the step from @p t, or again for another
  /// centre.
  void advance_free_motion(const double t);
  void advance_from_center();

  /// The Newton loop: the first iterate of the step from @p t, then in each
  /// iteration v_free.
  void begin_step(const double t, const bool from_rest);
  void advance_iteration();

  /// Forget the contact impulses, add one, and v+ = v_free + w r. Returns false
  /// if something is not finite.
  void clear_impulses();
  void add_impulse(const unsigned int tool,
                   const dealii::Tensor<1, dim> &impulse);
  void sum_impulses(MPI_Comm communicator);
  bool apply_impulses();

  /// w r, for W that is applied only.
  dealii::Tensor<1, dim> response(const unsigned int tool,
                                  const dealii::Tensor<1, dim> &impulse) const;

  /// Quasi static: the out-of-balance impulse of a tool, hF + r - h c v+.
  dealii::Tensor<1, dim> out_of_balance(const Tool &tool) const;

  /// Newton loop: |residual| of a tool, and the largest impulse on it.
  std::array<double, 2> norms(const Tool &tool) const;

  /// Make (d+, v+) the state; the terms of the energy balance, of all tools.
  EnergyTerms accept();

  double kinetic_energy() const;

  /// v := 0. Returns the kinetic energy taken away.
  double zero_velocity();

  /// How far an obstacle is at time t from where it was at the last detection,
  /// by its free translations, and how fast these may be.
  double moved(const unsigned int obstacle, const double t) const;
  double fastest(const unsigned int obstacle) const;
  void note_detection(const double t);

  /// Loading leaves the tools where the last detection saw them, until place().
  void archive(Archive &archive);

  /// Stand still at d.
  void place();

  double h = 0.;
  std::vector<Tool> tools;

private:
  /// What v_free is counted from and the matrix m + h theta c (or M_f + h c).
  double effective(const Tool &tool) const;

  void set_external(const double t);

  /// Tell the obstacles d and v of the present step and its iterate.
  void tell();

  std::vector<Obstacle<dim>> *obstacles = nullptr;
  std::vector<int> number; ///< of each obstacle
  double theta         = 1.;
  bool quasi_static    = false;
  bool first_iteration = true;
  double t_begin       = 0.;
};
} // namespace delassus

#endif

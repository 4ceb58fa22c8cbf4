#ifndef delassus_simulation_tools_h
#define delassus_simulation_tools_h

#include <delassus/base/archive.h>
#include <delassus/contact/detection/obstacle.h>
#include <delassus/time_integration/body_scheme.h>

namespace delassus
{
/// Obstacles with free translations or a free rotation about an axis: rigid
/// bodies whose free components obey
///
///   m (v+ - v) = h [ F(theta) + m g - c v_theta ] + r,   d+ = d + h v_theta,
///
/// r the sum of the contact impulses on the tool, and likewise for the angle
/// with inertia, torque and moments about the centre; the others are given
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
  /// Translations, then the angle.
  static constexpr unsigned int n = dim + 1;
  using Motion                    = dealii::Tensor<1, n>;

  struct Tool
  {
    unsigned int obstacle = 0;
    std::array<bool, n> free{};
    Motion mass, damping; ///< of each component: mass, moment of inertia
    Motion weight;
    Expression<dim> force, torque;
    Motion stiffness; ///< quasi static: M_f = h^2 stiffness

    Motion d, v;         ///< state: free components
    Motion v_accepted;   ///< v before the step that was accepted last
    Motion d_new, v_new; ///< at the end of the step
    Motion v_free;       ///< without contact impulses
    Motion impulse;      ///< r
    Motion response;     ///< w r, for W that is applied only
    Motion external;     ///< F(theta) + m g
    Motion center;       ///< of the fictitious mass
    Motion step, factor; ///< of the last centre
    Motion d_detected;   ///< at the last detection

    /// As a piece: a node with the translations, and dim nodes, the k-th of
    /// which moves by the angle in direction k, so that a contact with the
    /// lever l acts on it with the weight l_k.
    std::vector<double> compliance;
  };
  static constexpr unsigned int n_dofs = (1 + dim) * dim; ///< of the piece

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

  /// m + h theta c (or M_f + h c) of a component.
  double effective(const Tool &tool, const unsigned int c) const;

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
                   const dealii::Tensor<1, dim> &impulse,
                   const dealii::Tensor<1, dim> &lever);
  void sum_impulses(MPI_Comm communicator);
  bool apply_impulses();

  /// w r, for W that is applied only.
  Motion response(const Tool &tool) const;

  /// Quasi static: the out-of-balance impulse of a tool, hF + r - h c v+.
  Motion out_of_balance(const Tool &tool) const;

  /// Newton loop: |residual| of a tool, and the largest impulse on it.
  std::array<double, 2> norms(const Tool &tool) const;

  /// Make (d+, v+) the state; the terms of the energy balance, of all tools.
  EnergyTerms accept();

  double kinetic_energy() const;

  /// v := 0. Returns the kinetic energy taken away.
  double zero_velocity();

  /// How far an obstacle is at time t from where it was at the last detection,
  /// by its free motion, and how fast this may be, for points of a box.
  double moved(const unsigned int obstacle,
               const dealii::BoundingBox<dim> &box,
               const double t) const;
  double fastest(const unsigned int obstacle,
                 const dealii::BoundingBox<dim> &box) const;
  void note_detection(const double t);

  /// Loading leaves the tools where the last detection saw them, until place().
  void archive(Archive &archive);

  /// Stand still at d.
  void place();

  double h = 0.;
  std::vector<Tool> tools;

private:
  /// How far points of a box go with a tool, at most.
  double reach(const Tool &tool,
               const Motion &motion,
               const dealii::BoundingBox<dim> &box) const;

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

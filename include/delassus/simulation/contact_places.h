#ifndef delassus_simulation_contact_places_h
#define delassus_simulation_contact_places_h

#include <delassus/simulation/model.h>

#include <utility>
#include <vector>

namespace delassus
{
/// Where contact nodes, and the shapes of rigid bodies with them, are in a
/// step: at its beginning, at q~ = q + (1-theta) h v, at the iterate of a
/// Newton loop and at its end; and what follows from that for a contact, its
/// gap and the velocity that is imposed on it. Known to all ranks.
template <int dim>
class ContactPlaces
{
public:
  explicit ContactPlaces(Model<dim> &model);

  /// Values of the systems at the contact nodes of all ranks.
  void gather(const CarrierField field, std::vector<double> &values) const;

  /// Node positions of the state.
  void gather_positions(std::vector<double> &positions) const;

  /// x, v, v_free and x_tilde of the step h from t; contacts are evaluated at
  /// x_tilde then.
  void begin(const double t, const double h);

  /// The iterate q~ + h v_k of a Newton loop: contacts are evaluated there.
  void follow(const double t, const double h);

  /// As the step from t has found it: x_end.
  void end(const double t, const double h);

  /// After the systems were loaded, at time t: rigid bodies are where their
  /// states say.
  void load(const double t);

  /// Rigid bodies, to move contacts along with nodes: first at @p positions,
  /// then at the iterate again.
  void place_bodies_at(const std::vector<double> &positions,
                       const double t,
                       const double t_end);
  void place_bodies_at_iterate(const double t, const double h);

  /// The same at other positions alone.
  void place_bodies_at(const std::vector<double> &positions, const double t);

  /// How far nodes and obstacles are from where they were at @p x_before and
  /// @p t_before (null: not asked for), and how fast they may move in this step
  /// from the shifted time @p t_tilde.
  struct Motion
  {
    double moved = 0., fastest = 0.;
  };
  Motion motion(const std::vector<double> *x_before,
                const double t_before,
                const double t_tilde,
                const double h) const;

  /// Whether normals may change with every motion: those of curved, edged or
  /// turning obstacles.
  bool normals_change() const;

  /// Whether frames and weights may change at all: not those of points against
  /// planes.
  bool frames_change() const;

  /// Whether a contact's point or its antagonist is a rigid body's.
  bool is_of_rigid_body(const Contact<dim> &contact) const;

  /// The candidate of a contact for node positions @p positions.
  dealii::Point<dim> candidate(const Contact<dim> &contact,
                               const std::vector<double> &positions) const;

  /// The candidate point at the beginning of the step.
  dealii::Point<dim> point_of(const Contact<dim> &contact) const
  {
    return model.surfaces->position(model.surfaces->points[contact.point], x);
  }

  double gap(const Contact<dim> &contact,
             const std::vector<double> &positions,
             const double t) const;

  /// U_imp of a contact with an obstacle in local axes, for the step h from
  /// the shifted time @p t_tilde.
  LocalVector<dim> imposed_velocity(const Contact<dim> &contact,
                                    const double t_tilde,
                                    const double h) const;

  /// By how much the sheets of a contact are pressed in for each normal force:
  /// half the thickness, as it is, over E and the contact's area, of both
  /// sides. A contact without area (a corner of a quadratic face) is rigid.
  double compliance(const Contact<dim> &contact) const;

  /// Where contacts are evaluated: q~, or the iterate.
  const std::vector<double> &evaluated() const
  {
    return following ? x_iterate : x_tilde;
  }

  std::vector<double> x, v, v_free;         ///< at the beginning
  std::vector<double> x_tilde;              ///< q~
  std::vector<double> x_iterate, v_iterate; ///< of the Newton loop
  std::vector<double> x_end;                ///< at the end of the step
  bool following  = false;                  ///< x_iterate counts, not x_tilde
  bool has_bodies = false;                  ///< rigid bodies among systems

private:
  /// Positions of nodes of rigid bodies, which turn, in @p positions.
  void gather_bodies(const CarrierField field,
                     std::vector<double> &positions) const;

  /// Places that rigid bodies have at node positions: pole and rotation.
  typename Obstacle<dim>::Place place_of(const unsigned int obstacle,
                                         const std::vector<double> &positions,
                                         const double t) const;

  /// Tell the shapes of rigid bodies where these are at some times, by node
  /// positions.
  void place_bodies(
      const std::vector<std::pair<double, const std::vector<double> *>> &at);

  Model<dim> &model;
  std::vector<char> is_rigid;      ///< of each system
  std::vector<char> is_director;   ///< of contact nodes, of compliant sheets
  std::vector<double> x_predicted; ///< rigid bodies: q~ + h v
};
} // namespace delassus

#endif

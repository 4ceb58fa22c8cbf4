#ifndef delassus_contact_detection_obstacle_search_h
#define delassus_contact_detection_obstacle_search_h

#include <delassus/contact/detection/box_tree.h>
#include <delassus/contact/detection/obstacle.h>
#include <delassus/contact/kinematics/contact.h>

namespace delassus
{
/// Finds the contacts of candidate points with obstacles. A point that went
/// through a surface since the beginning of the step (by its shifted position
/// or by the obstacle's motion) keeps the side it came from: thin obstacles are
/// not passed.
template <int dim>
class ObstacleSearch
{
public:
  ObstacleSearch(const ContactSurfaces<dim> &surfaces,
                 const std::vector<Obstacle<dim>> &obstacles);

  /// Positions @p x and time @p t at the beginning of the step, which the next
  /// searches come from. Of several contacts that a point has with one
  /// obstacle each keeps the slot of the one among @p before (in order of
  /// interaction and point) whose normal is most like its own. Both vectors
  /// must stay alive meanwhile.
  void start_from(const std::vector<double> &x,
                  const double t,
                  const std::vector<Contact<dim>> &before);

  /// Before add_contacts() of all points: node positions @p x and time @p t of
  /// the search. Where obstacles are many, a tree of their boxes.
  void prepare(const std::vector<unsigned int> &antagonists,
               const std::vector<double> &x,
               const double t);

  /// Contacts of point @p p, now at @p position with the normal @p normal at
  /// time @p t, with the obstacles numbered in @p antagonists. A contact has
  /// the side of the obstacle as its face.
  void add_contacts(const unsigned int interaction,
                    const std::vector<unsigned int> &antagonists,
                    const unsigned int p,
                    const dealii::Point<dim> &position,
                    const dealii::Tensor<1, dim> &normal,
                    const double alert,
                    const double t,
                    std::vector<Contact<dim>> &contacts);

  /// All obstacles are tried: the oracle of the tests.
  bool by_brute_force = false;

  /// The normal of the side that a contact found before has, for its point at
  /// @p position. Returns false if that side is not there.
  bool normal_at(const Contact<dim> &contact,
                 const dealii::Point<dim> &position,
                 const dealii::Tensor<1, dim> &normal,
                 const double t,
                 dealii::Tensor<1, dim> &N) const;

  /// The entries of a contact for node positions @p x nearby, its normal there
  /// being @p N: those of rigid bodies change.
  void renew_entries(Contact<dim> &contact,
                     const dealii::Point<dim> &position,
                     const dealii::Tensor<1, dim> &N,
                     const std::vector<double> &x,
                     const double t);

private:
  const ContactSurfaces<dim> &surfaces;
  const std::vector<Obstacle<dim>> &obstacles;
  const std::vector<double> *x_start       = nullptr;
  double t_start                           = 0.;
  const std::vector<Contact<dim>> *earlier = nullptr;
  const std::vector<double> *x_now         = nullptr;
  mutable std::vector<ShapeSide<dim>> sides, sides_here;

  // The broad phase.
  struct Bounds
  {
    bool known = false, finite = false;
    dealii::BoundingBox<dim> box; ///< at rest
  };
  std::vector<Bounds> bounds; ///< of each obstacle
  // As places in the list of antagonists:
  std::vector<unsigned int> everywhere; ///< obstacles without an end
  std::vector<unsigned int> in_tree;    ///< the others
  BoxTree<dim> tree;
  std::vector<unsigned int> places, near;
  bool uses_tree = false;

  /// Contacts of a point with one obstacle.
  void touch(const unsigned int interaction,
             const unsigned int obstacle,
             const unsigned int p,
             const dealii::Point<dim> &position,
             const dealii::Tensor<1, dim> &normal,
             const double alert,
             const double t,
             std::vector<Contact<dim>> &contacts);

  /// What a contact acts on: the candidate's carriers, for a ball those of its
  /// point next to the obstacle, and those of a free body.
  void add_entries(Contact<dim> &contact,
                   const dealii::Point<dim> &position,
                   const ShapeSide<dim> &side) const;

  /// Slots for contacts of one point with one obstacle.
  void give_slots(Contact<dim> *first, Contact<dim> *last) const;
};
} // namespace delassus

#endif

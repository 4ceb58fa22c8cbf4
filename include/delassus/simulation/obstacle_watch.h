#ifndef delassus_simulation_obstacle_watch_h
#define delassus_simulation_obstacle_watch_h

#include <delassus/base/archive.h>
#include <delassus/simulation/model.h>
#include <delassus/simulation/verdict.h>

namespace delassus
{
/// Notices what users may not have meant with their obstacles, and tells each
/// thing once.
template <int dim>
class ObstacleWatch
{
public:
  explicit ObstacleWatch(const Model<dim> &model);

  /// Before the first step: obstacles that no interaction has, planes that no
  /// candidate faces, obstacles whose motion keeps them far from quasi-static
  /// bodies that nothing moves.
  std::vector<std::string> at_start() const;

  /// Obstacles that move by more than a face in the step h from t.
  std::vector<std::string> look_at_speed(const double t, const double h);

  /// Pairs (of the model) that had contact and are out of each other's reach
  /// now: @p n_near contacts within reach, some of them @p closed, at t.
  std::vector<std::string> look_at_pair(const unsigned int pair,
                                        const unsigned int n_near,
                                        const bool closed,
                                        const double t);

  /// At the end: obstacles and interactions that had no contact.
  void judge(Verdict &verdict) const;

  /// What has been told, for checkpoints.
  void archive(Archive &archive);

private:
  /// The smallest distance of an obstacle from the reference positions of its
  /// candidates in the whole run, as samples of both give it.
  double closest_approach(const unsigned int obstacle) const;

  /// Whether the candidates of an obstacle stay about where they are.
  bool candidates_stay(const unsigned int obstacle) const;

  const Model<dim> &model;
  std::vector<int> obstacle_of_pair;
  std::vector<double> smallest_face;         ///< of each obstacle's candidates
  std::vector<dealii::BoundingBox<dim>> box; ///< of the same
  std::vector<unsigned char> told_speed, had_contact, told_leaving;
};
} // namespace delassus

#endif

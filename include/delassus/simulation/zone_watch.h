#ifndef delassus_simulation_zone_watch_h
#define delassus_simulation_zone_watch_h

#include <delassus/simulation/contact_phase.h>
#include <delassus/simulation/verdict.h>

namespace delassus
{
/// Watches how many contact points carry the force of each pair of surfaces at
/// its peak. A zone that is smaller than the surface around it, as those of
/// curved surfaces and edges are, needs about five points across: with fewer,
/// forces and pressures are those of the mesh.
template <int dim>
class ZoneWatch
{
public:
  explicit ZoneWatch(const Model<dim> &model);

  /// After a step: whether the force of a pair has grown enough for another
  /// look. @p forces: normal forces of the pairs, as all ranks know them.
  bool is_due(const std::vector<double> &forces) const;

  /// Look at the pairs whose force has grown. Ranks together; rank 0 looks.
  void look(const std::vector<double> &forces,
            const ContactPhase<dim> &contact,
            const double t);

  /// Remarks (rank 0).
  void judge(Verdict &verdict) const;

  void archive(Archive &archive);

private:
  /// The zone of a pair at its peak.
  struct Zone
  {
    double peak           = 0.; ///< normal force
    double time           = 0.;
    double across         = 0.; ///< points; 0: nothing to remark
    unsigned int n_closed = 0, n_around = 0;
    dealii::Point<dim> place;
  };

  /// Contacts of one pair on one piece, and the force of them.
  struct Group
  {
    std::vector<unsigned int> contacts;
    double force = 0.;
  };

  /// Fill in what there is to say of the closed contacts of a group.
  void
  measure(const ContactSet<dim> &table, const Group &group, Zone &zone) const;

  /// Whether the points of a group and what they face are all flat.
  bool is_flat(const ContactSet<dim> &table, const Group &group) const;

  const Model<dim> &model;
  std::vector<Zone> zones; ///< of each pair
};
} // namespace delassus

#endif

#ifndef delassus_simulation_zone_forecast_h
#define delassus_simulation_zone_forecast_h

#include <delassus/simulation/contact_zone.h>
#include <delassus/simulation/model.h>

#include <array>
#include <string>
#include <vector>

namespace delassus
{
/// Foresees contact zones of obstacles that the mesh will not resolve, from the
/// motions that are prescribed alone: the bodies do not deform in it, so that
/// obstacles go into them. The candidates that are inside at the deepest bound
/// the zone from above, as a solid gives way around what is pressed into it (a
/// ball or roller of radius R that approaches by d is inside to sqrt(2 R d) and
/// touches to about sqrt(R d); a punch with a flat end, where it is). If even
/// these are too few there is something to say.
///
/// Nothing is said where the answer depends on forces: of pieces that the
/// conditions do not hold, or do not move as a whole, or that carry pressures
/// or tractions, of tools with free motions, and of obstacles that do not come
/// nearer. Bodies against bodies are not looked at.
template <int dim>
class ZoneForecast
{
public:
  explicit ZoneForecast(const Model<dim> &model);

  /// Warnings; each rank for itself.
  std::vector<std::string> warnings() const;

private:
  /// The candidates of one interaction on one piece.
  struct Group
  {
    unsigned int interaction, piece;
    std::vector<unsigned int> points;
  };

  /// Some driven dofs of a piece, those of each direction.
  using Samples = std::array<std::vector<unsigned int>, dim>;

  /// Whether the motion of a piece, numbered across bodies, is given, and the
  /// dofs that say which it is.
  bool is_held(const unsigned int piece, Samples &samples) const;

  /// By how much a piece has moved as a whole at time @p t; false if its driven
  /// dofs do not move alike.
  bool translation(const unsigned int body,
                   const Samples &samples,
                   const double t,
                   dealii::Tensor<1, dim> &u) const;

  /// What there is to say of one piece and one obstacle, or nothing.
  std::string look(const Group &group,
                   const unsigned int obstacle,
                   const Samples &samples) const;

  unsigned int body_of(const unsigned int piece) const;

  const Model<dim> &model;
  std::vector<bool> is_loaded; ///< bodies with pressures or tractions
};
} // namespace delassus

#endif

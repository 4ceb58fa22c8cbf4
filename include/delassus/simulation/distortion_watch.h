#ifndef delassus_simulation_distortion_watch_h
#define delassus_simulation_distortion_watch_h

#include <delassus/base/archive.h>
#include <delassus/simulation/model.h>
#include <delassus/simulation/verdict.h>

namespace delassus
{
/// Watches bodies of small-strain materials for leaving their theory. Of each
/// cell the mean displacement gradient G gives
///   strain   = the largest principal value of sym G, its absolute value,
///   rotation = the length of the axial vector of skw G,
/// and volume ratios are det (I + G) at the quadrature points (times the hoop
/// stretch where bodies are axisymmetric). A block that turns by the angle a in
/// this theory grows: det (I + G) = 1 + a^2.
template <int dim>
class DistortionWatch
{
public:
  explicit DistortionWatch(const Model<dim> &model);

  /// Whether the step @p step is to be looked at. A pass takes a few per cent
  /// of a small dynamic step, so that most of these are left out; whether one
  /// is does not depend on the machine.
  bool is_due(const unsigned int step, const bool results_due) const;

  /// Look at the displacements q_new at the end @p t of a step. Returns what
  /// users are told: strains or rotations that are too large for the first
  /// time in a body. Ranks together; all get the same.
  std::vector<std::string> look(const double t);

  /// After look(): cells that are inside out, or of twice or half their
  /// volume, in words; empty: none.
  std::string distorted() const;

  /// Bodies that have left their theory; distorted ones are not to be trusted.
  void judge(Verdict &verdict) const;

  void archive(Archive &archive);

private:
  /// A largest value, with the middle of its cell and the time.
  struct Extreme
  {
    double value = 0., time = 0.;
    dealii::Point<dim> place;

    void note(const double new_value, const dealii::Point<dim> &new_place)
    {
      if (new_value > value)
      {
        value = new_value;
        place = new_place;
      }
    }
  };
  enum Kind
  {
    strain,
    rotation,
    growth,    ///< volume ratio - 1
    shrinkage, ///< 1 - volume ratio
    n_kinds
  };
  using Extremes = std::array<Extreme, n_kinds>;
  struct OfBody
  {
    Extremes now, ever;
    double left_at = 0.; ///< the theory, if it has
    bool has_left  = false;
  };

  void look_at_cells(const unsigned int body);
  bool is_too_large(const unsigned int kind, const double value) const;
  static bool is_distorted(const Extremes &extremes);
  std::string describe_distortion(const Extremes &extremes) const;
  std::string describe(const unsigned int kind, const Extreme &extreme) const;

  const Model<dim> &model;
  std::vector<unsigned int> watched; ///< bodies
  std::vector<OfBody> bodies;        ///< in the order of watched
  /// Gradients of the shape functions, node by node, of the owned cells of
  /// bodies with one gradient a cell (T3, Tet4); empty for others.
  std::vector<std::vector<dealii::Tensor<1, dim>>> gradients;
};
} // namespace delassus

#endif

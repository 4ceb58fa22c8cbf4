#ifndef delassus_time_integration_material_state_h
#define delassus_time_integration_material_state_h

#include <delassus/base/archive.h>
#include <delassus/time_integration/newton_scheme.h>

namespace delassus
{
/// What the materials of a body in the Newton loop remember, in a checkpoint:
/// of each quadrature point that a rank has, by reference position and piece,
/// so that it does not matter how cells are numbered and who owns them.
struct MaterialState
{
  std::vector<double> positions;
  std::vector<unsigned int> pieces;
  std::vector<char> own;      ///< not a neighbour's point
  std::vector<double> values; ///< n_values each
  std::uint64_t n_values = 0;
  double stored          = 0.; ///< elastic energy, of the rank

  void archive(Archive &archive);

  template <int dim>
  void save(const NewtonScheme<dim> &scheme);

  /// Whether these are the points of this rank, in the same order.
  template <int dim>
  bool is_of(const NewtonScheme<dim> &scheme) const;

  /// To a rank that is_of() is true for.
  template <int dim>
  void load(NewtonScheme<dim> &scheme) const;

  /// The points that another rank owned.
  void append(const MaterialState &other, const unsigned int dim);

  /// From the points of all ranks; false if one is missing.
  template <int dim>
  bool load_matching(NewtonScheme<dim> &scheme) const;

private:
  template <int dim>
  void set_points(const NewtonScheme<dim> &scheme);
};
} // namespace delassus

#endif

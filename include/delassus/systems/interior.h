#ifndef delassus_systems_interior_h
#define delassus_systems_interior_h

#include <deal.II/base/point.h>

#include <functional>

namespace delassus
{
/// What lies behind the skin of a system at the beginning of the run, to find
/// what starts inside it.
template <int dim>
class Interior
{
public:
  virtual ~Interior() = default;

  /// Call @p found for the pieces that @p p lies in, with its depth: the
  /// distance to the skin as far as what it lies in has some, not negative. May
  /// name a piece several times: the smallest depth counts. Only of what this
  /// rank knows.
  virtual void
  find(const dealii::Point<dim> &p,
       const std::function<void(const unsigned int piece, const double depth)>
           &found) const = 0;

  /// Whether other ranks know other parts.
  virtual bool is_distributed() const = 0;
};
} // namespace delassus

#endif

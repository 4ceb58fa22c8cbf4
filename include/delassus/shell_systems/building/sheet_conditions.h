#ifndef delassus_shell_systems_building_sheet_conditions_h
#define delassus_shell_systems_building_sheet_conditions_h

#include <delassus/bodies/expression.h>
#include <delassus/shell_systems/building/sheet_mesh.h>
#include <delassus/shell_systems/shell_piece.h>

#include <map>
#include <memory>

namespace delassus
{
/// What boundary conditions say of a sheet: prescribed components of nodes with
/// their motions, and loads, in the numbers of the whole mesh.
class SheetConditions
{
public:
  SheetConditions(const SheetMesh &sheet,
                  const ShellParameters &shell,
                  const TimeParameters &time);

  /// On the part named @p part; "outer" and "inner" are the faces, "" the whole
  /// sheet. @p where and @p where_value begin errors of the entries Surfaces
  /// and Value. @p held: what it drives is known, but it stays as it is.
  void add(const BoundaryConditionParameters &condition,
           const std::string &part,
           const std::string &where,
           const std::string &where_value);

  /// Per unit mass; nodes have their masses when pieces are made.
  void add_body_force(const std::string &expressions, const std::string &where);

  struct Prescribed
  {
    unsigned int node;
    ShellComponent component;
    std::function<double(double)> value; ///< empty: zero
    std::string condition;
    BoundaryConditionType type;
  };
  /// Moments, and angles not zero, about the normals of the sheet at nodes with
  /// one director, which it has no stiffness and no unknown for: warnings.
  /// @p director: of a node of the sheet; null where there are several.
  std::vector<std::string> find_drilling(
      const std::function<const Vector3 *(unsigned int)> &director) const;

  /// By node and component.
  const std::map<std::array<unsigned int, 2>, Prescribed> &prescribed() const
  {
    return all_prescribed;
  }

  struct Load
  {
    unsigned int node;
    bool is_moment;
    std::function<Vector3(double)> value;
  };
  const std::vector<Load> &loads() const
  {
    return all_loads;
  }

  struct Pressure
  {
    std::vector<unsigned int> quads;
    std::function<double(double)> value; ///< along normals
  };
  const std::vector<Pressure> &pressures() const
  {
    return all_pressures;
  }

  /// Per unit mass, at a place and a time; empty: none.
  const std::function<Vector3(const Vector3 &, double)> &body_force() const
  {
    return acceleration;
  }

  /// Planes of symmetry: the axis across, and the nodes that are on one.
  struct Plane
  {
    unsigned int axis;
    std::vector<unsigned int> nodes;
  };
  const std::vector<Plane> &planes() const
  {
    return all_planes;
  }

private:
  void prescribe(const BoundaryConditionParameters &condition,
                 const std::vector<unsigned int> &nodes,
                 const std::string &where,
                 const std::string &where_value);
  void add_loads(const BoundaryConditionParameters &condition,
                 const SheetPart &part,
                 const std::string &where,
                 const std::string &where_value);
  void add_pressure(const BoundaryConditionParameters &condition,
                    const SheetPart &part,
                    const bool outer,
                    const std::string &where_value);

  /// Areas, lengths or numbers of points that belong to the nodes of a part.
  std::vector<std::pair<unsigned int, double>>
  shares(const SheetPart &part) const;

  const SheetMesh &sheet;
  const std::string name;
  const TimeParameters time;
  std::map<std::array<unsigned int, 2>, Prescribed> all_prescribed;
  std::vector<Load> all_loads;
  std::vector<Pressure> all_pressures;
  std::vector<Plane> all_planes;
  std::function<Vector3(const Vector3 &, double)> acceleration;
};
} // namespace delassus

#endif

// A block with a slot from the right to the middle that is squeezed until the
// sides of the slot touch, one piece.
#ifndef tests_simulation_slotted_block_h
#define tests_simulation_slotted_block_h

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace test
{
namespace slotted
{
constexpr int n_x = 12, n_whole = 4, n_rows = 3; // cells; left of the slot
constexpr double length = 3., height = 1., width = 0.02; // of the slot

/// Quadrilaterals; above y = 0 only, or mirrored too. Surfaces: top, left,
/// upper (side of the slot), and ligament (y = 0, left of the slot) or bottom
/// and lower. @p longer: by so much is the part below y = 0 longer, so that no
/// node of a side is opposite to one of the other. (If it is, rounding decides
/// which of the two faces there it touches, and with a finite deformation
/// whether the Newton loop of the first impact converges or is cut.)
inline void
write_mesh(const std::string &file, const bool half, const double longer = 0.)
{
  std::vector<double> y;
  for (int j = n_rows; j >= 0 && !half; --j)
    y.push_back(-0.5 * width - (height - 0.5 * width) * j / n_rows);
  y.push_back(0.);
  for (int j = 0; j <= n_rows; ++j)
    y.push_back(0.5 * width + (height - 0.5 * width) * j / n_rows);
  const int n_y    = y.size() - 1;
  const auto index = [&](const int i, const int j)
  { return 1 + i + (n_x + 1) * j; };
  const auto is_slot = [&](const int i, const int j)
  { return i >= n_whole && std::abs(y[j] + y[j + 1]) < 1.1 * width; };
  std::vector<bool> used(1 + (n_x + 1) * (n_y + 1), false);
  std::ostringstream elements;
  int n_elements = 0;
  const auto add =
      [&](const int type, const int group, const std::vector<int> &nodes)
  {
    elements << ++n_elements << " " << type << " 2 " << group << " " << group;
    for (const int node : nodes)
      elements << " " << node;
    elements << "\n";
  };
  for (int j = 0; j < n_y; ++j)
    for (int i = 0; i < n_x; ++i)
    {
      if (is_slot(i, j))
        continue;
      const std::vector<int> cell = {
        index(i, j), index(i + 1, j), index(i + 1, j + 1), index(i, j + 1)
      };
      for (const int node : cell)
        used[node] = true;
      add(3, 10, cell);
      if (i == 0)
        add(1, 1, { cell[3], cell[0] });
      if (j == n_y - 1)
        add(1, 2, { cell[2], cell[3] });
      if (j == 0)
        add(1, 3, { cell[0], cell[1] });
      if (j > 0 && is_slot(i, j - 1))
        add(1, 4, { cell[0], cell[1] });
      if (j < n_y - 1 && is_slot(i, j + 1))
        add(1, 5, { cell[2], cell[3] });
    }
  std::ofstream out(file);
  out.precision(17);
  out << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n"
      << (half ? 5 : 6) << "\n1 1 \"left\"\n1 2 \"top\"\n1 3 \""
      << (half ? "ligament" : "bottom") << "\"\n1 4 \"upper\"\n"
      << (half ? "" : "1 5 \"lower\"\n")
      << "2 10 \"block\"\n$EndPhysicalNames\n$Nodes\n";
  int n_nodes = 0;
  std::ostringstream nodes;
  nodes.precision(17);
  for (int j = 0; j <= n_y; ++j)
    for (int i = 0; i <= n_x; ++i)
      if (used[index(i, j)])
      {
        ++n_nodes;
        nodes << index(i, j) << " "
              << (y[j] < 0. ? length + longer : length) * i / n_x << " " << y[j]
              << " 0\n";
      }
  out << n_nodes << "\n"
      << nodes.str() << "$EndNodes\n$Elements\n"
      << n_elements << "\n"
      << elements.str() << "$EndElements\n";
}

inline std::string squeeze(const bool half,
                           const bool dynamic,
                           const std::string &law,
                           const std::string &interaction)
{
  return std::string(dynamic ? R"(
subsection Time
  set End = 0.05
  set Step = 1e-3
  set Theta = 0.5
end
)"
                             : R"(
subsection Time
  set Scheme = quasi static
  set End = 0.05
  set Step = 0.0125
end
)") + R"(
subsection Material rubber
  set Density = 1000
  set Young modulus = 1e6
  set Poisson ratio = 0.3
end
subsection Body block
  set Material = rubber
  subsection Mesh
    set File = block.msh
  end
end
subsection Boundary condition symmetry
  set Surfaces = block/left
  set Components = x
end
subsection Boundary condition press
  set Type = displacement
  set Surfaces = block/top
  set Components = y
  set Value = -0.6*t
end
)" +
         (half ? R"(
subsection Boundary condition middle
  set Surfaces = block/ligament
  set Components = y
end
subsection Obstacle plane
  set Normal = 0, 1
end
)"
               : R"(
subsection Boundary condition lift
  set Type = displacement
  set Surfaces = block/bottom
  set Components = y
  set Value = 0.6*t
end
)") + "subsection Contact law joint\n" +
         law + "end\nsubsection Interaction joint\n  set Law = joint\n" +
         interaction + R"(
end
subsection Contact solver
  set Tolerance = 1e-12
  set Maximum sweeps = 100000
  set Update distance = -1
end
subsection Output
  set Interval = 0
end
)";
}

inline std::string sides(const std::string &candidates,
                         const std::string &antagonists,
                         const std::string &more)
{
  return "  set Candidates = " + candidates +
         "\n  set Antagonists = " + antagonists + "\n" + more;
}
} // namespace slotted
} // namespace test

#endif

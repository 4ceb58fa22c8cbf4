// A block with a slot from the right to the middle that is squeezed until the
// sides of the slot touch, one piece. By symmetry its upper half does what half
// the block does on a rigid plane in the middle, as long as frames are not
// updated (sides that tilt have other normals than the plane).
#include "run_case.h"

#include <gtest/gtest.h>

#include <cmath>

namespace
{
constexpr int n_x = 12, n_whole = 4, n_rows = 3; // cells; left of the slot
constexpr double length = 3., height = 1., width = 0.02; // of the slot

/// Quadrilaterals; above y = 0 only, or mirrored too. Surfaces: top, left,
/// upper (side of the slot), and ligament (y = 0, left of the slot) or bottom
/// and lower.
void write_mesh(const std::string &file, const bool half)
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
        nodes << index(i, j) << " " << length * i / n_x << " " << y[j]
              << " 0\n";
      }
  out << n_nodes << "\n"
      << nodes.str() << "$EndNodes\n$Elements\n"
      << n_elements << "\n"
      << elements.str() << "$EndElements\n";
}

std::string squeeze(const bool half,
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

test::Results run(const bool half,
                  const bool dynamic,
                  const std::string &law,
                  const std::string &interaction,
                  const std::vector<std::string> &overrides = {})
{
  const test::TemporaryDirectory directory;
  write_mesh(directory.path + "/block.msh", half);
  const auto result = test::run_file<2>(
      test::write_case(directory, squeeze(half, dynamic, law, interaction)),
      overrides);
  EXPECT_LT(result.summary["energy"]["worst_relative_residual"], 1e-10);
  for (const double converged : result.history.at("converged"))
    EXPECT_EQ(converged, 1.);
  return result;
}

std::string sides(const std::string &candidates,
                  const std::string &antagonists,
                  const std::string &more)
{
  return "  set Candidates = " + candidates +
         "\n  set Antagonists = " + antagonists + "\n" + more;
}

const char *smooth = "  set Type = frictionless\n";
const char *rough  = "  set Friction = 0.5\n";
const char *nodes  = "  set Points = nodes\n";
} // namespace

TEST(SelfContact, TheSlotOfASqueezedBlockCloses)
{
  for (const bool dynamic : { false, true })
  {
    const auto half =
        run(true, dynamic, smooth, sides("block/upper", "plane", nodes));
    const auto &force    = half.history.at("joint:normal_force");
    const auto &reaction = half.history.at("press:reaction_y");
    const auto &elastic  = half.energy.at("elastic");
    // It does close, and carries a good part of the load.
    EXPECT_GT(force.back(), 0.2 * std::abs(reaction.back()));
    EXPECT_EQ(force.front(), 0.);
    if (!dynamic)
    {
      EXPECT_NEAR(half.history.at("middle:reaction_y").back() + force.back(),
                  -reaction.back(),
                  1e-8 * force.back());
    }
    // One side against the other, the other against the one, both against both
    // (the points of both sides share the force), with friction that the
    // symmetry leaves without work.
    for (const char *law : { smooth, rough })
      for (const auto &interaction :
           { sides("block/upper", "block/lower", nodes),
             sides("block/lower", "block/upper", nodes),
             sides("block/upper",
                   "block/lower",
                   std::string(nodes) + "  set Passes = 2\n"),
             sides("block", "block", nodes) })
      {
        SCOPED_TRACE(interaction);
        const auto whole = run(false, dynamic, law, interaction);
        const auto &f    = whole.history.at("joint:normal_force");
        ASSERT_EQ(f.size(), force.size());
        for (std::size_t n = 0; n < f.size(); ++n)
        {
          EXPECT_NEAR(f[n], force[n], 1e-7 * force.back()) << n;
          EXPECT_NEAR(whole.history.at("press:reaction_y")[n],
                      reaction[n],
                      1e-7 * std::abs(reaction.back()));
          EXPECT_NEAR(whole.energy.at("elastic")[n],
                      2. * elastic[n],
                      1e-7 * elastic.back());
        }
      }
  }
}

TEST(SelfContact, RowsOfMortarTypeAndMidpoints)
{
  // Other discretizations of the same sides: the same by symmetry whichever
  // side is the candidate, and near the force of nodes.
  const auto reference =
      run(true, false, smooth, sides("block/upper", "plane", nodes))
          .history.at("joint:normal_force")
          .back();
  for (const std::string more : { "  set Formulation = mortar\n",
                                  "  set Points = midpoints\n",
                                  "  set Points = gauss\n" })
  {
    const auto a =
        run(false, false, smooth, sides("block/upper", "block/lower", more));
    const auto b =
        run(false, false, smooth, sides("block/lower", "block/upper", more));
    const double f = a.history.at("joint:normal_force").back();
    EXPECT_NEAR(b.history.at("joint:normal_force").back(), f, 1e-7 * f);
    EXPECT_NEAR(f, reference, 0.05 * reference) << more;
    EXPECT_NEAR(a.history.at("joint:force_y").back(), f, 1e-7 * f);
    EXPECT_NEAR(b.history.at("joint:force_y").back(), -f, 1e-7 * f);
  }
}

TEST(SelfContact, FramesThatFollowTheSides)
{
  // Detection again in every step; sides tilt by less than 1 %, whose cosine is
  // 1 - 5e-5.
  const auto half =
      run(true, false, smooth, sides("block/upper", "plane", nodes));
  const double f = half.history.at("joint:normal_force").back();
  for (const std::string both : { "block/upper", "block" })
  {
    const auto whole =
        run(false,
            false,
            smooth,
            sides(both, both == "block" ? both : "block/lower", nodes),
            { "Contact solver/Update distance=0" });
    EXPECT_NEAR(whole.history.at("joint:normal_force").back(), f, 5e-5 * f);
  }
}

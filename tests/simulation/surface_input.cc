// Surfaces that cannot be what the user meant: errors and warnings say where,
// which entry, and what to do; good surfaces raise none.
#include "run_case.h"

#include <delassus/base/exceptions.h>
#include <delassus/simulation/model.h>

#include <gtest/gtest.h>

using namespace delassus;

namespace
{
struct Mesh
{
  std::vector<dealii::Point<3>> nodes;
  /// Gmsh type (1 line, 2 triangle, 3 quadrangle, 5 hexahedron), group, nodes
  /// from 1.
  struct Element
  {
    int type, group;
    std::vector<int> nodes;
  };
  std::vector<Element> elements;
  std::vector<std::string> groups; ///< "1 1 \"name\"": dimension, number, name
};

void write(const std::string &file, const Mesh &mesh)
{
  std::ofstream out(file);
  out.precision(17);
  out << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n"
      << mesh.groups.size() << "\n";
  for (const auto &group : mesh.groups)
    out << group << "\n";
  out << "$EndPhysicalNames\n$Nodes\n" << mesh.nodes.size() << "\n";
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n)
    out << n + 1 << " " << mesh.nodes[n][0] << " " << mesh.nodes[n][1] << " "
        << mesh.nodes[n][2] << "\n";
  out << "$EndNodes\n$Elements\n" << mesh.elements.size() << "\n";
  for (std::size_t e = 0; e < mesh.elements.size(); ++e)
  {
    const auto &element = mesh.elements[e];
    out << e + 1 << " " << element.type << " 2 " << element.group << " "
        << element.group;
    for (const int node : element.nodes)
      out << " " << node;
    out << "\n";
  }
  out << "$EndElements\n";
}

/// Quadrilaterals on the square [0, 2] x [0, 2], 2 x 2, upper right nodes of
/// the lower cells and lower right nodes of the upper cells apart from column
/// @p torn_from on (3: nowhere). The top is called "top".
Mesh grid(const int torn_from)
{
  Mesh mesh;
  mesh.groups = { "1 1 \"top\"", "2 2 \"plate\"" };
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i)
      mesh.nodes.emplace_back(i, j, 0.);
  std::array<int, 3> upper; // of the middle row, as the upper cells see it
  for (int i = 0; i < 3; ++i)
  {
    upper[i] = 4 + i;
    if (i >= torn_from)
    {
      mesh.nodes.emplace_back(i, 1., 0.);
      upper[i] = mesh.nodes.size();
    }
  }
  for (int i = 0; i < 2; ++i)
  {
    mesh.elements.push_back({ 3, 2, { 1 + i, 2 + i, 5 + i, 4 + i } });
    mesh.elements.push_back({ 3, 2, { upper[i], upper[i + 1], 8 + i, 7 + i } });
    mesh.elements.push_back({ 1, 1, { 8 + i, 7 + i } });
  }
  return mesh;
}

std::string box(const std::string &name,
                const std::string &origin,
                const std::string &size = "1, 1")
{
  return "subsection Body " + name +
         "\n  set Material = stone\n  subsection Mesh\n    set Type = box\n"
         "    set Origin = " +
         origin + "\n    set Size = " + size + "\n  end\nend\n";
}

std::string plate(const std::string &file = "plate.msh")
{
  return "subsection Body plate\n  set Material = stone\n  subsection Mesh\n"
         "    set File = " +
         file + "\n  end\nend\n";
}

std::string interaction(const std::string &candidates,
                        const std::string &antagonists)
{
  return "subsection Interaction joint\n  set Candidates = " + candidates +
         "\n  set Antagonists = " + antagonists + "\n  set Law = dry\nend\n";
}

class SurfaceInput : public testing::Test
{
protected:
  template <int dim>
  void build(const std::string &bodies, const std::string &more)
  {
    error.clear();
    warnings.clear();
    file = test::write_case(directory,
                            (dim == 3 ? "set Dimension = 3\n" : "") +
                                std::string(R"(subsection Time
  set End  = 0.01
  set Step = 0.01
end
subsection Material stone
  set Density       = 500
  set Young modulus = 1e6
  set Poisson ratio = 0.3
end
subsection Contact law dry
  set Friction = 0.5
end
subsection Output
  set Interval = 0
end
)") + bodies + more);
    try
    {
      const auto read = read_parameters(file, {});
      warnings        = Model<dim>(read.values, MPI_COMM_SELF).warnings;
    }
    catch (const InputError &e)
    {
      error = e.what();
    }
  }

  /// "file:line: section 'SECTION', entry 'ENTRY' = 'VALUE'" for the only line
  /// that sets the entry so.
  std::string at(const std::string &section,
                 const std::string &entry,
                 const std::string &value) const
  {
    std::ifstream in(file);
    std::string line;
    const std::string set = "set " + entry + " = " + value;
    for (unsigned int n = 1; std::getline(in, line); ++n)
      if (line.size() >= set.size() &&
          line.compare(line.size() - set.size(), set.size(), set) == 0)
        return file + ":" + std::to_string(n) + ": section '" + section +
               "', entry '" + entry + "' = '";
    ADD_FAILURE() << set;
    return "";
  }

  static void expect_parts(const std::string &text,
                           const std::vector<std::string> &parts)
  {
    for (const auto &part : parts)
      EXPECT_NE(text.find(part), std::string::npos)
          << "'" << part << "' is missing in:\n"
          << text;
  }

  void expect_nothing() const
  {
    EXPECT_EQ(error, "");
    EXPECT_TRUE(warnings.empty()) << warnings.front();
  }

  void expect_warning(const std::vector<std::string> &parts) const
  {
    EXPECT_EQ(error, "");
    ASSERT_EQ(warnings.size(), 1u);
    expect_parts(warnings[0], parts);
  }

  test::TemporaryDirectory directory;
  std::string file, error;
  std::vector<std::string> warnings;
};
} // namespace

TEST_F(SurfaceInput, NotAManifoldInThePlane)
{
  // Two squares of one body that share the node (1, 1).
  Mesh mesh;
  mesh.groups   = { "2 1 \"plate\"" };
  mesh.nodes    = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 },
                    { 2, 1, 0 }, { 2, 2, 0 }, { 1, 2, 0 } };
  mesh.elements = { { 3, 1, { 1, 2, 3, 4 } }, { 3, 1, { 3, 5, 6, 7 } } };
  write(directory.path + "/plate.msh", mesh);
  const std::string bodies = plate() + box("lid", "0, 2.1", "2, 1");
  build<2>(bodies, interaction("lid", "plate"));
  expect_parts(error,
               { at("Interaction joint", "Antagonists", "plate"),
                 "surface 'plate' is not a manifold",
                 "meet at the node near (",
                 "Repair the mesh" });
  build<2>(bodies, interaction("plate", "lid"));
  expect_parts(
      error,
      { at("Interaction joint", "Candidates", "plate"), "is not a manifold" });
}

TEST_F(SurfaceInput, NotAManifoldInSpace)
{
  // Two cubes of one body that share the edge x = y = 1.
  Mesh mesh;
  mesh.groups = { "3 1 \"plate\"" };
  for (const double z : { 0., 1. })
    for (const auto &x : std::vector<dealii::Point<2>>{ { 0, 0 },
                                                        { 1, 0 },
                                                        { 1, 1 },
                                                        { 0, 1 },
                                                        { 2, 1 },
                                                        { 2, 2 },
                                                        { 1, 2 } })
      mesh.nodes.emplace_back(x[0], x[1], z);
  mesh.elements = { { 5, 1, { 1, 2, 3, 4, 8, 9, 10, 11 } },
                    { 5, 1, { 3, 5, 6, 7, 10, 12, 13, 14 } } };
  write(directory.path + "/plate.msh", mesh);
  build<3>(plate() + box("lid", "0, 0, 1.1", "2, 2, 1"),
           interaction("lid/bottom", "plate"));
  expect_parts(error,
               { at("Interaction joint", "Antagonists", "plate"),
                 "surface 'plate' is not a manifold",
                 "meet at the edge near (",
                 "Repair the mesh" });
}

TEST_F(SurfaceInput, FacesWithoutArea)
{
  // The right side of a quadrilateral has no length.
  Mesh mesh     = grid(3);
  mesh.nodes[8] = mesh.nodes[5];
  write(directory.path + "/plate.msh", mesh);
  build<2>(plate() + box("lid", "0, 2.1", "2, 1"),
           interaction("lid/bottom", "plate"));
  expect_parts(error,
               { at("Body plate/Mesh", "File", "plate.msh"),
                 "cell 4 of 4 (Q4), at (1.5, 1.25), is twisted" });
  // A crumb of 1e-11, as a cut of two nearly equal shapes leaves it: each cell
  // is a good one, but beside the others its faces have no area.
  mesh           = grid(3);
  const double e = 1e-11;
  for (const dealii::Point<3> &x :
       std::vector<dealii::Point<3>>{ { 3., 2., 0. },
                                      { 3. + e, 2., 0. },
                                      { 3. + e, 2. + e, 0. },
                                      { 3., 2. + e, 0. } })
    mesh.nodes.push_back(x);
  mesh.elements.push_back({ 3, 2, { 10, 11, 12, 13 } });
  write(directory.path + "/plate.msh", mesh);
  build<2>(plate() + box("lid", "0, 2.1", "2, 1"),
           interaction("lid/bottom", "plate"));
  expect_parts(error,
               { at("Interaction joint", "Antagonists", "plate"),
                 "surface 'plate' has a face without area at (3, 2)",
                 "Repair the mesh" });
}

TEST_F(SurfaceInput, OfATornBody)
{
  const std::string lid   = box("lid", "0, 2.1", "2, 1");
  const std::string touch = interaction("lid/bottom", "plate/top");
  write(directory.path + "/plate.msh", grid(3));
  build<2>(plate() + lid, touch);
  expect_nothing();
  // One node is there twice: a slit in one piece, with and without contact.
  write(directory.path + "/plate.msh", grid(2));
  for (const auto &more : { touch, std::string() })
  {
    build<2>(plate() + lid, more);
    expect_warning({ at("Body plate/Mesh", "File", "plate.msh"),
                     "body 'plate' is torn: 2 of its boundary faces",
                     "at (1.5, 1)",
                     "Coherence" });
  }
  // All are: two pieces on each other.
  write(directory.path + "/plate.msh", grid(0));
  build<2>(plate() + lid, touch);
  expect_warning({ at("Body plate/Mesh", "File", "plate.msh"),
                   "body 'plate' falls apart: 4 boundary faces of its 2 pieces",
                   "at (0.5, 1)",
                   "Coherence",
                   "'plate' as Candidates" });
  // Unless they are blocks that touch.
  build<2>(plate() + lid, interaction("plate, lid", "plate"));
  expect_nothing();
}

TEST_F(SurfaceInput, OfAnUnmergedScript)
{
  // Two boxes of OpenCASCADE side by side, meshed on their own; the same,
  // merged. In space and with triangles that do not match.
  const std::string script  = R"(SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 1, 1, 1};
Box(2) = {1, 0, 0, 1, 1, 1};
)";
  const std::string meshing = R"(Physical Volume("plate") = {1, 2};
Mesh.MeshSizeMax = 0.5;
)";
  std::ofstream(directory.path + "/apart.geo") << script << meshing;
  std::ofstream(directory.path + "/one.geo") << script << "Coherence;\n"
                                             << meshing;
  build<3>(plate("apart.geo"), "");
  expect_warning({ at("Body plate/Mesh", "File", "apart.geo"),
                   "body 'plate' falls apart",
                   "at (1, ",
                   "Coherence" });
  build<3>(plate("one.geo"), "");
  expect_nothing();
}

TEST_F(SurfaceInput, OfABodyInOnePiece)
{
  // It may fold: told, not refused.
  for (const std::string candidates : { "block/top", "block/bottom", "block" })
  {
    build<2>(box("block", "0, 0"), interaction(candidates, "block/bottom"));
    expect_warning(
        { at("Interaction joint", "Antagonists", "block/bottom"),
          "'block/bottom' and '" + candidates + "' are one connected piece",
          "nowhere look at each other",
          "only if the body folds" });
  }
  // Held at both ends it may still bend.
  build<2>(box("block", "0, 0"),
           interaction("block/top", "block/bottom") +
               "subsection Boundary condition hold\n"
               "  set Surfaces = block/left, block/right\nend\n");
  expect_warning({ "only if the body folds" });
  // A slot looks at itself.
  Mesh slot;
  slot.groups = { "2 2 \"plate\"" };
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 3; ++i)
      slot.nodes.emplace_back(i, j, 0.);
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < (j == 1 ? 1 : 2); ++i)
    {
      const int n = 1 + i + 3 * j;
      slot.elements.push_back({ 3, 2, { n, n + 1, n + 4, n + 3 } });
    }
  write(directory.path + "/plate.msh", slot);
  build<2>(plate(), interaction("plate", "plate"));
  expect_nothing();
  // Rows of mortar type would say everything twice.
  const std::string mortar = "  set Formulation = mortar\n";
  auto both                = interaction("plate", "plate");
  both.insert(both.rfind("end"), mortar);
  build<2>(plate(), both);
  expect_parts(error,
               { at("Interaction joint", "Formulation", "mortar"),
                 "some faces of 'plate' are candidates and antagonists",
                 "allowed for contact of a piece with itself: points" });
  auto two = interaction("block/top", "block/bottom");
  two.insert(two.rfind("end"), mortar);
  build<2>(box("block", "0, 0"), two);
  expect_warning({ "only if the body folds" });
}

TEST_F(SurfaceInput, ThatCannotTouch)
{
  const std::string bodies = box("lower", "0, 0") + box("upper", "0, 1.5");
  const std::string touch  = interaction("upper/bottom", "lower/top");
  const std::string hold   = "subsection Boundary condition hold\n"
                             "  set Surfaces = lower/bottom, upper/top\nend\n";
  build<2>(bodies, touch + hold);
  expect_warning({ at("Interaction joint", "Antagonists", "lower/top"),
                   "'lower/top' and the candidates start 0.5 apart",
                   "cannot touch" });
  // Free, driven, or held but near: they can.
  build<2>(bodies, touch);
  expect_nothing();
  build<2>(bodies,
           touch + "subsection Boundary condition hold\n"
                   "  set Surfaces = lower/bottom\nend\n"
                   "subsection Boundary condition push\n"
                   "  set Type = displacement\n  set Value = 0; -t\n"
                   "  set Surfaces = upper/top\nend\n");
  expect_nothing();
  build<2>(box("lower", "0, 0") + box("upper", "0, 1.001"), touch + hold);
  expect_nothing();
}

TEST_F(SurfaceInput, ThatLookAway)
{
  const std::string two = box("lower", "0, 0") + box("upper", "0, 1.1");
  build<2>(two, interaction("upper/bottom", "lower/top"));
  expect_nothing();
  // Not opposed at all.
  build<2>(two, interaction("upper/top", "lower/top"));
  expect_parts(error,
               { at("Interaction joint", "Antagonists", "lower/top"),
                 "surface 'lower/top' nowhere faces 'upper/top'" });
  // Opposed, but back to back.
  build<2>(two, interaction("upper/top", "lower/bottom"));
  expect_parts(error,
               { at("Interaction joint", "Antagonists", "lower/bottom"),
                 "surface 'lower/bottom' faces the wrong way",
                 "looks away from 'upper/top', which lies 2.1 behind it",
                 "Name the sides that face each other" });
  // A whole boundary has the right side too; a list with a wrong one is told.
  build<2>(two, interaction("upper", "lower"));
  expect_nothing();
  build<2>(two, interaction("upper/bottom, upper/top", "lower/top"));
  expect_parts(
      error,
      { at("Interaction joint", "Candidates", "upper/bottom, upper/top"),
        "surface 'upper/top' nowhere faces" });
  // Beside each other at first: what is thrown may land on it later.
  build<2>(box("lower", "0, 0") + box("upper", "5, -3"),
           interaction("upper/bottom", "lower/top"));
  expect_nothing();
  // Pressed into each other by several cells: told when it starts, but not as
  // looking away.
  build<2>(box("lower", "0, 0") + box("upper", "0, 0.8"),
           interaction("upper/bottom", "lower/top"));
  expect_nothing();
}

TEST_F(SurfaceInput, ThatLookAwayInSpace)
{
  const std::string two =
      box("lower", "0, 0, 0", "1, 1, 1") + box("upper", "1.1, 0, 0", "1, 1, 1");
  build<3>(two, interaction("upper/left", "lower/right"));
  expect_nothing();
  build<3>(two, interaction("upper/right", "lower/left"));
  expect_parts(error, { "faces the wrong way", "2.1 behind it" });
}

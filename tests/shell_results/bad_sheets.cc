// Bad input of sheets, as a user would make it: what the message names.
#include "sheet_runs.h"

#include <delassus/base/exceptions.h>

#include <functional>

using namespace delassus;
using namespace test;

namespace
{
using Node = std::array<double, 3>;
using Quad = std::array<unsigned int, 4>;

/// n_x x n_y quads of x(u, v), with edges "left" and "right".
struct Mesh
{
  Mesh() = default;
  Mesh(const unsigned int n_x,
       const unsigned int n_y,
       const std::function<Node(double, double)> &x)
  {
    for (unsigned int j = 0; j <= n_y; ++j)
      for (unsigned int i = 0; i <= n_x; ++i)
        nodes.push_back(x(double(i) / n_x, double(j) / n_y));
    const unsigned int row = n_x + 1;
    for (unsigned int j = 0; j < n_y; ++j)
    {
      for (unsigned int i = 0; i < n_x; ++i)
        quads.push_back({ { j * row + i,
                            j * row + i + 1,
                            (j + 1) * row + i + 1,
                            (j + 1) * row + i } });
      left.push_back({ { j * row, (j + 1) * row } });
    }
  }

  std::string text() const
  {
    std::ostringstream out;
    out << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n"
           "1 2 \"left\"\n2 1 \"sheet\"\n$EndPhysicalNames\n$Nodes\n"
        << nodes.size() << "\n";
    for (unsigned int n = 0; n < nodes.size(); ++n)
      out << n + 1 << " " << nodes[n][0] << " " << nodes[n][1] << " "
          << nodes[n][2] << "\n";
    out << "$EndNodes\n$Elements\n"
        << quads.size() + triangles.size() + left.size() << "\n";
    unsigned int e = 0;
    for (const auto &edge : left)
      out << ++e << " 1 2 2 2 " << edge[0] + 1 << " " << edge[1] + 1 << "\n";
    for (const auto &quad : quads)
    {
      out << ++e << " 3 2 1 1";
      for (const unsigned int n : quad)
        out << " " << n + 1;
      out << "\n";
    }
    for (const auto &triangle : triangles)
      out << ++e << " 2 2 1 1 " << triangle[0] + 1 << " " << triangle[1] + 1
          << " " << triangle[2] + 1 << "\n";
    out << "$EndElements\n";
    return out.str();
  }

  std::vector<Node> nodes;
  std::vector<Quad> quads;
  std::vector<std::array<unsigned int, 3>> triangles;
  std::vector<std::array<unsigned int, 2>> left;
};

const char *held_sheet = R"(
set Dimension = 3
set Gravity   = 0, 0, 0
subsection Time
  set Scheme = quasi static
  set End    = 1
  set Step   = 1
end
subsection Material metal
  set Density       = 1
  set Young modulus = 2000
  set Poisson ratio = 0
end
subsection Body sheet
  set Type      = shell
  set Material  = metal
  set Thickness = THICKNESS
  subsection Mesh
    set File = sheet.msh
  end
end
subsection Boundary condition held
  set Type     = clamped
  set Surfaces = sheet/left
end
subsection Output
  set Interval = 1
end
)";

/// What is told of a sheet: the error, or else all of the log.
std::string told_of(const std::string &mesh,
                    const std::string &thickness = "0.1",
                    const std::string &extra     = "")
{
  const TemporaryDirectory directory;
  std::string text       = held_sheet;
  const std::string word = "THICKNESS";
  text.replace(text.find(word), word.size(), thickness);
  std::ofstream(directory.path + "/sheet.msh") << mesh;
  const std::string run = directory.path + "/run";
  RunOptions options;
  options.quiet = true;
  try
  {
    Simulation<3>(read_parameters(write_case(directory, text + extra),
                                  { "Output/Directory=" + run }),
                  options,
                  MPI_COMM_SELF)
        .run();
  }
  catch (const InputError &e)
  {
    return e.what();
  }
  catch (const ComputationError &e)
  {
    return e.what();
  }
  std::ostringstream log;
  log << std::ifstream(run + "/log.txt").rdbuf();
  return log.str();
}

void expect_told(const std::string &told, const std::vector<std::string> &parts)
{
  for (const auto &part : parts)
    EXPECT_NE(told.find(part), std::string::npos)
        << "no '" << part << "' in: " << told;
}

Mesh strip()
{
  return Mesh(4,
              2,
              [](const double u, const double v) -> Node {
                return { { 4. * u, v, 0. } };
              });
}
} // namespace

TEST(BadSheets, GoodOneIsTaken)
{
  const std::string told = told_of(strip().text());
  EXPECT_EQ(told.find("Warning"), std::string::npos) << told;
  EXPECT_NE(told.find("1 step to t = 1"), std::string::npos) << told;
}

TEST(BadSheets, ElementsAreRefusedByPlace)
{
  Mesh mesh     = strip();
  mesh.nodes[6] = mesh.nodes[7]; // two corners of element 1 are one place
  expect_told(told_of(mesh.text()),
              { "'sheet'", "element 1 at (1.75, 0.25, 0)", "degenerate" });

  mesh          = strip();
  mesh.nodes[7] = { { 0.9, 0.2, 0. } };
  expect_told(told_of(mesh.text()),
              { "'sheet'", "element 1 at ", "folded over, or not convex" });

  mesh          = strip();
  mesh.nodes[7] = { { 2., 0.5, 3. } };
  expect_told(told_of(mesh.text()),
              { "'sheet'", "element 1 at (1.5, 0.25, 0.75)", "warped", "60" });
}

TEST(BadSheets, Thickness)
{
  const std::string mesh = strip().text();
  expect_told(told_of(mesh, "2 - x"),
              { "'Thickness' = '2 - x'", "is 0 at (2, 0, 0)" });
  expect_told(told_of(mesh, "-1"), { "'Thickness' = '-1'", "(0, 0, 0)" });
  expect_told(told_of(mesh, "sqrt(x - 1)"), { "'Thickness'", "(0, 0, 0)" });
  expect_told(told_of(mesh, "1.5"),
              { "Warning", "'sheet'", "thicker (1.5) than wide", "7 others" });
}

TEST(BadSheets, Normals)
{
  Mesh mesh = strip();
  std::swap(mesh.quads[3][1], mesh.quads[3][3]);
  expect_told(told_of(mesh.text()),
              { "Warning", "body 'sheet'", "1 of 8 elements were turned" });

  const unsigned int n = 20;
  const double pi      = std::acos(-1.);
  mesh                 = Mesh(n,
              1,
              [&](const double u, const double v) -> Node
              {
                const double phi = 2. * pi * u, y = v - 0.5,
                             r = 3. + y * std::cos(0.5 * phi);
                return { { r * std::cos(phi),
                           r * std::sin(phi),
                           y * std::sin(0.5 * phi) } };
              });
  // Joined with half a turn.
  mesh.quads[n - 1][1] = n + 1;
  mesh.quads[n - 1][2] = 0;
  expect_told(told_of(mesh.text()), { "'sheet'", "Moebius", "element 19 at" });
}

TEST(BadSheets, Triangles)
{
  Mesh mesh = strip();
  mesh.triangles.push_back({ { 3, 4, 9 } });
  mesh.triangles.push_back({ { 3, 9, 8 } });
  mesh.quads.erase(mesh.quads.begin() + 3);
  expect_told(told_of(mesh.text()),
              { "sheet.msh", "triangles", "near (", "Mesh.RecombineAll = 1" });
}

TEST(BadSheets, HangingNodesAndSlits)
{
  Mesh mesh;
  mesh.nodes = { { { 0., 0., 0. } },  { { 1., 0., 0. } }, { { 1., 1., 0. } },
                 { { 0., 1., 0. } },  { { 2., 0., 0. } }, { { 2., 0.5, 0. } },
                 { { 1., 0.5, 0. } }, { { 2., 1., 0. } } };
  mesh.quads = { { { 0, 1, 2, 3 } }, { { 1, 4, 5, 6 } }, { { 6, 5, 7, 2 } } };
  mesh.left  = { { { 0, 3 } } };
  expect_told(told_of(mesh.text()),
              { "'sheet'",
                "the node at (1, 0.5, 0) hangs",
                "element 0 at (0.5, 0.5, 0)" });

  // Two parts with nodes of their own in the same places.
  mesh.nodes = { { { 0., 0., 0. } }, { { 1., 0., 0. } }, { { 1., 1., 0. } },
                 { { 0., 1., 0. } }, { { 1., 0., 0. } }, { { 2., 0., 0. } },
                 { { 2., 1., 0. } }, { { 1., 1., 0. } } };
  mesh.quads = { { { 0, 1, 2, 3 } }, { { 4, 5, 6, 7 } } };
  expect_told(told_of(mesh.text()),
              { "Warning", "'sheet'", "2 edges", "near (1, 0.5, 0)" });
}

// About the normal of a flat sheet nothing resists, and nothing moves.
TEST(BadSheets, DrillingIsTold)
{
  const std::string mesh = strip().text();
  expect_told(told_of(mesh, "0.1", R"(
subsection Boundary condition drill
  set Type     = moment
  set Surfaces = sheet/boundary
  set Value    = 0; 0; t
end
)"),
              { "Warning", "body 'sheet': a moment at 12 nodes", "(0, 0, 0)" });
  expect_told(told_of(mesh, "0.1", R"(
subsection Boundary condition drill
  set Type       = displacement
  set Surfaces   = sheet/boundary
  set Point      = 4, 1, 0
  set Components = rz
  set Value      = 0.1*t
end
)"),
              { "Warning", "a rotation that is prescribed at 1 node" });
  const std::string bent = told_of(mesh, "0.1", R"(
subsection Boundary condition bend
  set Type     = moment
  set Surfaces = sheet/boundary
  set Value    = 0; 1e-6*t; t*1e-6
end
)");
  EXPECT_EQ(bent.find("Warning"), std::string::npos) << bent;
}

// Three sheets at one edge are one piece: each has a director there, and three
// rotations hold them together. In a fold, too, a moment goes over.
TEST(BadSheets, ThreeSheetsAtAnEdgeAreTaken)
{
  Mesh mesh;
  mesh.nodes = { { { 0., 0., 0. } }, { { 1., 0., 0. } },  { { 1., 1., 0. } },
                 { { 0., 1., 0. } }, { { -1., 0., 0. } }, { { -1., 1., 0. } },
                 { { 0., 0., 1. } }, { { 0., 1., 1. } } };
  mesh.quads = { { { 0, 1, 2, 3 } }, { { 4, 0, 3, 5 } }, { { 0, 3, 7, 6 } } };
  mesh.left  = { { { 4, 5 } } };
  const std::string told = told_of(mesh.text());
  EXPECT_EQ(told.find("Warning"), std::string::npos) << told;
}

// A sheet that may turn freely has no rest: it is told which and where.
TEST(BadSheets, NothingHoldsItsTurning)
{
  const std::string load = R"(
subsection Boundary condition load
  set Type     = force
  set Surfaces = sheet
  set Value    = 0; 0; t
end
subsection Newton
  set Smallest step = 0.5
end
)";
  const TemporaryDirectory directory;
  std::string text = held_sheet;
  text.replace(text.find("THICKNESS"), 9, "0.1");
  text.replace(text.find("clamped"), 7, "fixed  ");
  std::ofstream(directory.path + "/sheet.msh") << strip().text();
  RunOptions options;
  options.quiet = true;
  try
  {
    Simulation<3>(
        read_parameters(write_case(directory, text + load),
                        { "Output/Directory=" + directory.path + "/run" }),
        options,
        MPI_COMM_SELF)
        .run();
    FAIL();
  }
  catch (const ComputationError &e)
  {
    expect_told(
        e.what(),
        { "body 'sheet' at (2, 0.5, 0)", "not in balance", "nothing touches" });
  }
}

// Names that only the mesh knows are reported like every other mistake: where,
// section, entry, value, and the nearest name.

#include "run_case.h"

#include <delassus/base/exceptions.h>
#include <delassus/simulation/model.h>

#include <gtest/gtest.h>

using namespace delassus;

namespace
{
const char *two_squares = R"(DefineConstant[ width = 1, cells = 2 ];
SetFactory("Built-in");
Point(1) = {0, 0, 0}; Point(2) = {width, 0, 0};
Point(3) = {width, 1, 0}; Point(4) = {0, 1, 0};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4}; Plane Surface(1) = {1};
Point(5) = {0, 2, 0}; Point(6) = {width, 2, 0};
Point(7) = {width, 3, 0}; Point(8) = {0, 3, 0};
Line(5) = {5, 6}; Line(6) = {6, 7}; Line(7) = {7, 8}; Line(8) = {8, 5};
Curve Loop(2) = {5, 6, 7, 8}; Plane Surface(2) = {2};
Transfinite Curve{1:8} = cells + 1;
Transfinite Surface{1, 2}; Recombine Surface{1, 2};
Physical Curve("bottom") = {1};
Physical Curve("right") = {2};
Physical Curve("top") = {3};
Physical Surface("lower") = {1};
Physical Surface("upper") = {2};
)";

const char *case_file = R"(set Gravity = 0, -10
subsection Time
  set End  = 0.01
  set Step = 0.01
end
subsection Material stone
  set Density       = 500
  set Young modulus = 1e6
  set Poisson ratio = 0.3
end
subsection Body wall
  set Material      = stone
  set Physical name = lower
  subsection Mesh
    set File         = two.geo
    set Gmsh numbers = width=2
  end
end
subsection Body box
  set Material = stone
  subsection Mesh
    set Type   = box
    set Size   = 1, 1
    set Origin = 0, 5
  end
end
subsection Boundary condition push
  set Type     = pressure
  set Surfaces = wall/right
  set Value    = 1
end
subsection Obstacle ground
  set Normal = 0, 1
end
subsection Contact law dry
  set Friction = 0.5
end
subsection Interaction base
  set Candidates  = wall/bottom
  set Antagonists = ground
  set Law         = dry
end
subsection Output
  set Interval = 0
end
)";

class Names : public testing::Test
{
protected:
  void SetUp() override
  {
    std::ofstream(directory.path + "/two.geo") << two_squares;
  }

  std::string message(const std::string &from,
                      const std::string &to,
                      const std::vector<std::string> &overrides = {})
  {
    std::string text = case_file;
    const auto place = text.find(from);
    EXPECT_NE(place, std::string::npos) << from;
    text.replace(place, from.size(), to);
    file = test::write_case(directory, text);
    try
    {
      const auto read = read_parameters(file, overrides);
      const Model<2> model(read.values, MPI_COMM_SELF);
      return "";
    }
    catch (const InputError &e)
    {
      return e.what();
    }
  }

  /// "file:line: " of the line that holds @p what in the file last written.
  std::string at(const std::string &what) const
  {
    std::ifstream in(file);
    std::string line;
    for (unsigned int n = 1; std::getline(in, line); ++n)
      if (line.find(what) != std::string::npos)
        return file + ":" + std::to_string(n) + ": ";
    ADD_FAILURE() << what;
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

  test::TemporaryDirectory directory;
  std::string file;
};
} // namespace

TEST_F(Names, OfSurfacesAreReportedWithTheirPlace)
{
  EXPECT_EQ(message("", ""), "");
  auto wrong = message("= wall/bottom", "= wall/botom");
  EXPECT_EQ(wrong,
            at("wall/botom") +
                "section 'Interaction base', entry 'Candidates' = "
                "'wall/botom': the mesh of body 'wall' has no surface "
                "'botom'. Did you mean 'wall/bottom'?");
  wrong = message("= wall/right", "= rihgt");
  EXPECT_EQ(wrong,
            at("rihgt") + "section 'Boundary condition push', entry "
                          "'Surfaces' = 'rihgt': there is no body or surface "
                          "'rihgt'. Did you mean 'right'?");
  // An obstacle may have been meant, but only as an antagonist.
  wrong = message("= ground", "= grund");
  EXPECT_EQ(wrong,
            at("= grund") + "section 'Interaction base', entry 'Antagonists' "
                            "= 'grund': there is no body, obstacle or surface "
                            "'grund'. Did you mean 'ground'?");
  wrong = message("= wall/bottom", "= bax");
  expect_parts(wrong, { at("= bax"), "Did you mean 'box'?" });
  wrong = message("= wall/bottom", "= wall/somewhere");
  expect_parts(wrong, { at("somewhere"), "Known: ", "wall/bottom", "box/top" });
  wrong = message("", "", { "Interaction base/Candidates=wall/botom" });
  expect_parts(wrong,
               { "--set \"Interaction base/Candidates=wall/botom\": section "
                 "'Interaction base', entry 'Candidates' = 'wall/botom'",
                 "Did you mean 'wall/bottom'?" });
}

TEST_F(Names, OfTheMeshFileAreReportedWithTheirPlace)
{
  auto wrong = message("= lower", "= lowr");
  expect_parts(
      wrong,
      { at("= lowr") + "section 'Body wall', entry 'Physical name' = 'lowr': ",
        "Did you mean 'lower'?" });
  wrong = message("  set Physical name = lower\n", "");
  expect_parts(wrong,
               { at("subsection Body wall") +
                     "section 'Body wall', entry 'Physical name' = '': ",
                 "'lower', 'upper'" });
  wrong = message("width=2", "widht=2");
  expect_parts(wrong,
               { at("widht") + "section 'Body wall/Mesh', entry 'Gmsh "
                               "numbers' = 'widht=2': ",
                 "Did you mean 'width'?" });
  std::ofstream(directory.path + "/two.geo") << "Point(1) = {0, 0, ;\n";
  wrong = message("    set Gmsh numbers = width=2\n", "");
  expect_parts(wrong,
               { at("two.geo") + "section 'Body wall/Mesh', entry 'File' = '",
                 "Gmsh says" });
  wrong = message("    set Type   = box\n    set Size   = 1, 1\n",
                  "    set Type   = running bond wall\n    set Size   = 1, 1\n"
                  "    set Single piece = yes\n    set Courses = 2\n",
                  { "Body wall/Mesh/Type=box",
                    "Body wall/Mesh/File=",
                    "Body wall/Mesh/Gmsh numbers=",
                    "Body wall/Mesh/Size=1,1",
                    "Body wall/Physical name=" });
  expect_parts(wrong,
               { at("Single piece") +
                     "section 'Body box/Mesh', entry 'Single piece' = 'yes': ",
                 "even number" });
}

TEST_F(Names, OfCandidatesMustNotShareFaces)
{
  EXPECT_EQ(message("= wall/bottom", "= wall/bottom, wall/right, box/bottom"),
            "");
  auto wrong = message("= wall/bottom", "= wall/bottom, bottom");
  EXPECT_EQ(wrong,
            at("wall/bottom") +
                "section 'Interaction base', entry 'Candidates' = "
                "'wall/bottom, bottom': contradictory settings: 'wall/bottom' "
                "and 'bottom' have the same face of body 'wall'; allowed: "
                "each face once.");
  wrong = message("= wall/bottom", "= box/top, wall/top, box");
  expect_parts(wrong, { "'box/top' and 'box'", "body 'box'" });
}

// Files that somebody else has written: what they may not do.
#include <delassus/base/child_process.h>
#include <delassus/base/exceptions.h>
#include <delassus/mesh/make_mesh.h>
#include <delassus/mesh/script_check.h>
#include <delassus/mesh/surface_mesh.h>

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include <sys/stat.h>
#include <unistd.h>

#include "test_paths.h"

using namespace delassus;

namespace
{
namespace fs = std::filesystem;

const std::string square =
    "Point(1)={0,0,0}; Point(2)={1,0,0}; Point(3)={1,1,0}; Point(4)={0,1,0};\n"
    "Line(1)={1,2}; Line(2)={2,3}; Line(3)={3,4}; Line(4)={4,1};\n"
    "Curve Loop(1)={1,2,3,4}; Plane Surface(1)={1};\n"
    "Physical Surface(\"b\")={1}; Physical Curve(\"bottom\")={1};\n";

/// A mesh of one triangle.
const std::string triangle = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
                             "$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n"
                             "$Elements\n1\n1 2 2 1 1 1 2 3\n$EndElements\n";

class Untrusted : public ::testing::Test
{
protected:
  void SetUp() override
  {
    root = fs::temp_directory_path() /
           ("delassus_untrusted_" + std::to_string(getpid()));
    fs::remove_all(root);
    folder = root / "inside";
    fs::create_directories(folder);
  }

  void TearDown() override
  {
    fs::remove_all(root);
  }

  std::string write(const std::string &name, const std::string &text) const
  {
    std::ofstream(folder / name, std::ios::binary) << text;
    return (folder / name).string();
  }

  /// Gmsh runs where the test does: what it would write is in the folder only
  /// if it is named so.
  std::string victim() const
  {
    return (folder / "victim").string();
  }

  static BodyParameters body(const std::string &file)
  {
    BodyParameters body;
    body.name      = "b";
    body.mesh.type = MeshType::file;
    body.mesh.file = file;
    return body;
  }

  template <int dim = 2>
  static std::string error_of(const BodyParameters &body,
                              const double memory = 0.)
  {
    try
    {
      make_mesh<dim>(body, memory);
    }
    catch (const InputError &e)
    {
      return e.what();
    }
    return "no error";
  }

  void expect_error(const std::string &name,
                    const std::string &text,
                    const std::vector<std::string> &parts) const
  {
    const std::string file  = write(name, text);
    const std::string error = error_of(body(file));
    EXPECT_NE(error.find(file), std::string::npos) << error;
    for (const auto &part : parts)
      EXPECT_NE(error.find(part), std::string::npos) << error << "\n" << text;
    EXPECT_FALSE(fs::exists(victim())) << text;
    fs::remove(victim());
  }

  fs::path root, folder;
};
} // namespace

TEST_F(Untrusted, MeshesAreNeverRunAsScripts)
{
  const std::string script =
      "SystemCall \"touch " + victim() + "\";\n" + square;
  expect_error("evil.msh", script, { "$MeshFormat" });
  expect_error("evil.stl", script, { ".stl" });
  EXPECT_THROW(read_surface_mesh<2>(
                   write("evil.stl", script), "", 1., false, "tool", "name"),
               InputError);
  EXPECT_THROW(read_surface_mesh<2>(
                   write("evil.msh", script), "", 1., true, "tool", "name"),
               InputError);
  EXPECT_FALSE(fs::exists(victim()));
  // Text around the sections, an unknown version, a section without end.
  expect_error("a.msh", triangle + script, { "line 14", "outside" });
  expect_error("b.msh", "$MeshFormat\n9 0 8\n$EndMeshFormat\n", { "version" });
  expect_error("c.msh", "$MeshFormat\n2.2 0 8\n", { "$EndMeshFormat" });
  EXPECT_EQ(make_mesh<2>(body(write("good.msh", triangle))).cells.size(), 1u);
}

TEST_F(Untrusted, OptionFilesBesideMeshesAreNotRun)
{
  const std::string script = "SystemCall \"touch " + victim() + "\";\n";
  write("good.msh.opt", script);
  write("good.geo.opt", script);
  EXPECT_EQ(make_mesh<2>(body(write("good.msh", triangle))).cells.size(), 1u);
  EXPECT_GT(make_mesh<2>(body(write("good.geo", square))).cells.size(), 1u);
  EXPECT_FALSE(fs::exists(victim()));
  expect_error(
      "merges.geo", "Merge \"good.msh\";\n", { "line 1", "good.msh.opt" });
}

TEST_F(Untrusted, ScriptsThatDoMoreThanMeshing)
{
  const std::string v                                          = victim();
  const std::vector<std::pair<std::string, std::string>> lines = {
    { "SystemCall \"touch " + v + "\";", "'SystemCall' starts a program" },
    { "System 'touch " + v + "';", "'System' starts a program" },
    { "NonBlockingSystemCall \"touch " + v + "\";", "starts a program" },
    { "a=2SystemCall \"touch " + v + "\";", "'SystemCall'" },
    { "System = 1; System StrCat(\"touch \", \"" + v + "\");", "'System'" },
    { "OnelabRun(\"touch\", \"touch " + v + "\");", "'OnelabRun'" },
    { "Field[1] = ExternalProcess; Field[1].CommandLine = \"touch " + v + "\";",
      "'ExternalProcess'" },
    { "Plugin(NewView).Run;", "'Plugin'" },
    { "Save \"" + v + "\";", "'Save' writes a file" },
    { "Print \"" + v + "\";", "'Print' writes a file" },
    { "Printf(\"x\") > \"" + v + "\";", "'Printf' writes a file" },
    { "Printf(\"%g\", 1) >> \"" + v + "\";", "'Printf' writes a file" },
    { "Error(\"x\") > \"" + v + "\";", "'Error' writes a file" },
    { "Printf(\"%n\", 1);", "'Printf' without a format" },
    { "Printf(\"%9999999g\", 1);", "'Printf' without a format" },
    { "s = Str(\"%s\"); Printf(s, 1);", "'Printf' without a format" },
    { "General.ErrorFileName = \"" + v + "\";", "'General.ErrorFileName'" },
    { "Mesh.Format = \"" + v + "\";", "set to a text" },
    { "StringToName[\"SystemCall\"] = 1;", "'StringToName'" },
    { "x() = ListFromFile[\"/etc/passwd\"];", "'ListFromFile'" },
    { "a = GetEnv(\"HOME\");", "'GetEnv'" },
    { "Include \"/etc/passwd\";", "outside the folder" },
    { "Include \"../outside.geo\";", "outside the folder" },
    { "Include \"link.geo\";", "outside the folder" },
    { "Include StrCat(\"a\", \".geo\");", "'Include' without the name" },
    { "Merge \"../outside.geo\";", "outside the folder" },
    { "Merge \"evil.pos\";", "not of a kind" },
    { "Merge \"script.msh\";", "$MeshFormat" },
    { "v() = ShapeFromFile(\"../outside.geo\");", "outside the folder" },
    { "SomeNewCommand \"touch " + v + "\";", "'SomeNewCommand' is neither" },
    { "Printf(\"" + std::string(1100, 'x') + "\");", "1000 characters" },
    { "If(0)\n Printf(\"EndIf SystemCall 'touch " + v + "';\");\nEndIf",
      "Gmsh may find commands" },
    { "If(0)\n E// EndIf SystemCall \"touch " + v + "\";\nEndIf",
      "Gmsh may find commands" },
    { "If(0)\n Printf(\"/*\");\n // */ EndIf SystemCall \"touch " + v +
          "\";\nEndIf",
      "'/*'" },
    { std::string("a = 1;\0", 7), "0x00" },
    { "Printf(\"never ends);", "without end" }
  };
  std::ofstream(root / "outside.geo") << "SystemCall \"touch " + v + "\";\n";
  fs::create_symlink(root / "outside.geo", folder / "link.geo");
  write("evil.pos", "SystemCall \"touch " + v + "\";\n");
  write("script.msh", "SystemCall \"touch " + v + "\";\n");
  for (const auto &line : lines)
    expect_error("evil.geo",
                 square + "\n" + line.first + "\n",
                 { "line ", line.second });

  // Also in what is included, named with its own line.
  write("deep.geo", "a = 1;\nSystemCall \"touch " + v + "\";\n");
  write("middle.geo", "Include \"deep.geo\";\n");
  expect_error("evil.geo",
               "Include \"middle.geo\";\n" + square,
               { "line 2", "deep.geo", "'SystemCall'" });
}

TEST_F(Untrusted, HonestScriptsAreAccepted)
{
  write("numbers.geo", "a = 2; // EndIf of nothing\n");
  write("part.msh", triangle);
  const std::string text =
      "SetFactory(\"OpenCASCADE\");\nInclude \"numbers.geo\";\n"
      "DefineConstant[ n = {4, Min 1, Name \"Mesh/n\"}, q, w = 2 ];\n"
      "For i In {0:1}\n  x~{i} = i;\n  list[] += i;\nEndFor\n"
      "Rectangle(1) = {x~{0}, 0, 0, a, 1};\n"
      "If(a > 1) Printf(\"a = %5.2g\", a); Else Printf(\"small\"); EndIf\n"
      "Macro Nothing\n  b = #list[];\nReturn\nCall Nothing;\n"
      "Field[1] = MathEval; Field[1].F = \"0.2 + 0.1*x\";\n"
      "Background Field = 1;\nMesh.MeshSizeFactor = 1;\n"
      "Geometry.Color.Points = Orange;\n"
      "Geometry.Color.Surfaces = Geometry.Color.Points;\n"
      "Physical Surface(Sprintf(\"part %g\", 1)) = {1};\n";
  EXPECT_NO_THROW(make_mesh<2>(body(write("honest.geo", text))));
  EXPECT_NO_THROW(
      make_mesh<2>(body(write("merge.geo", "Merge \"part.msh\";\n"))));
  for (const auto &file : fs::directory_iterator(DELASSUS_SOURCE_DIR "/meshes"))
    if (file.path().extension() == ".geo")
    {
      const std::string path = file.path().string();
      EXPECT_NO_THROW(check_script(path, {}, "mesh")) << path;
    }
}

TEST_F(Untrusted, ScriptsAreCheckedInLinearTime)
{
  // Brackets without end, a hundred thousand of them.
  std::string text = "a = 1;\n";
  for (unsigned int i = 0; i < 100000; ++i)
    text += "a(";
  const std::string file = write("open.geo", text);
  const auto begin       = std::chrono::steady_clock::now();
  EXPECT_NO_THROW(check_script(file, {}, "mesh"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
}

TEST_F(Untrusted, TrustedScriptsMayDoWhatTheyWant)
{
  auto trusted = body(
      write("evil.geo", "SystemCall \"touch " + victim() + "\";\n" + square));
  trusted.mesh.allow_scripts = true;
  EXPECT_GT(make_mesh<2>(trusted).cells.size(), 1u);
  EXPECT_TRUE(fs::exists(victim()));
}

TEST_F(Untrusted, AChildIsConfinedByTheKernel)
{
  const std::string file = victim();
  const auto act         = [&]() -> std::string
  {
    const int status = std::system(("touch " + file).c_str());
    std::ofstream(file + "2") << "x";
    return status == 0 ? "yes" : "no";
  };
  EXPECT_EQ(run_in_child(act, ChildLimits()), "no");
  EXPECT_FALSE(fs::exists(file));
  EXPECT_FALSE(fs::exists(file + "2"));
  ChildLimits free;
  free.confined = false;
  EXPECT_EQ(run_in_child(act, free), "yes");
  EXPECT_TRUE(fs::exists(file));
}

TEST_F(Untrusted, ChildrenThatDie)
{
  const auto failure =
      [](const std::function<std::string()> &task, const double seconds)
  {
    ChildLimits limits;
    limits.seconds = seconds;
    try
    {
      return "result " + run_in_child(task, limits);
    }
    catch (const ChildFailure &e)
    {
      return std::string(e.what());
    }
  };
  const auto says = [](const std::string &text, const std::string &part)
  { EXPECT_NE(text.find(part), std::string::npos) << text; };
  says(failure([]() -> std::string { std::abort(); }, 60.), "signal 6");
  says(failure(
           []() -> std::string
           {
             raise(SIGSEGV);
             return "";
           },
           60.),
       "signal 11");
  says(failure([]() -> std::string { throw std::runtime_error("why"); }, 60.),
       "why");
  says(failure([]() -> std::string { _exit(3); }, 60.), "exit status 3");
  says(failure(
           []() -> std::string
           {
             for (;;)
               pause();
           },
           0.3),
       "ended after 0.3 s");
  const std::string large(3000000, 'x');
  EXPECT_EQ(failure([&]() { return large; }, 60.), "result " + large);
  EXPECT_THROW(run_in_child([]() -> std::string { throw InputError("a"); },
                            ChildLimits()),
               InputError);
}

TEST_F(Untrusted, CrashesOfGmshAreErrors)
{
  // A node number that Gmsh 4.8 takes as an index, and an exception inside
  // OpenMP.
  const std::string nodes =
      "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
      "$Entities\n0 0 1 0\n1 0 0 0 1 1 0 0 0 \n$EndEntities\n"
      "$Nodes\n1 3 1 2147483648\n2 1 0 3\n1\n2\n2147483648\n"
      "0 0 0\n1 0 0\n0 1 0\n$EndNodes\n"
      "$Elements\n1 1 1 1\n2 1 2 1\n1 1 2 2147483648\n$EndElements\n";
  const std::string error = error_of(body(write("node.msh", nodes)));
  EXPECT_NE(error.find("node.msh': Gmsh failed"), std::string::npos) << error;

  auto solid                = body(write(
      "abort.geo",
      "Point(1) = {0, 0, 0, 0.25}; Point(2) = {4294967295, 0, 0, 0.25};\n"
                     "Point(3) = {1, 1, 0, 0.25}; Point(4) = {0, 1, 0, 0.25};\n"
                     "Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};"
                     "\nCurve Loop(1) = {1, 2, 3, 4}; Plane Surface(1) = {1};\n"
                     "Transfinite Curve {1, 3} = 5; Transfinite Curve {2, 4} = 5;\n"
                     "v[] = Extrude {0, 0, 1} { Surface{1}; Layers{3}; };\n"
                     "Physical Volume(\"b\") = {v[1]};\n"));
  const std::string aborted = error_of<3>(solid);
  EXPECT_NE(aborted.find("abort.geo"), std::string::npos) << aborted;
  EXPECT_NE(aborted.find("Gmsh"), std::string::npos) << aborted;
}

TEST_F(Untrusted, PipesAndDevices)
{
  const std::string pipe = (folder / "pipe.geo").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_NE(error_of(body(pipe)).find("a pipe"), std::string::npos);
  fs::create_symlink("/dev/zero", folder / "zero.msh");
  EXPECT_NE(error_of(body((folder / "zero.msh").string())).find("a device"),
            std::string::npos);
  fs::create_symlink("/dev/zero", folder / "zero.vtk");
  EXPECT_NE(error_of(body((folder / "zero.vtk").string())).find("a device"),
            std::string::npos);
  expect_error("endless.geo", "Include \"pipe.geo\";\n", { "a pipe" });
  // A path that would be a script itself.
  const std::string quoted = write("a\";System 'true';\".geo", square);
  EXPECT_NE(error_of(body(quoted)).find("a quote"), std::string::npos);
}

TEST_F(Untrusted, NamesThatAreNotUtf8)
{
  std::string named = triangle;
  named.insert(named.find("$Nodes"),
               "$PhysicalNames\n2\n1 2 \"W\xE4nde\"\n2 1 \"b\"\n"
               "$EndPhysicalNames\n");
  named.replace(named.find("1\n1 2 2 1 1"), 2, "2\n2 1 2 2 1 1 2\n");
  const auto mesh = make_mesh<2>(body(write("latin.msh", named)));
  ASSERT_EQ(mesh.surfaces.size(), 1u);
  EXPECT_EQ(mesh.surfaces[0].name, "W\\xE4nde");
}

TEST_F(Untrusted, MeshesThatDoNotFit)
{
  constexpr double gibi = 1024. * 1024. * 1024.;
  const auto expect     = [&](const BodyParameters &b, const std::string &part)
  {
    const std::string error = error_of<3>(b, gibi);
    EXPECT_NE(error.find(part), std::string::npos) << error;
    EXPECT_NE(error.find("1 GiB"), std::string::npos) << error;
  };
  BodyParameters b;
  b.name           = "b";
  b.mesh.type      = MeshType::box;
  b.mesh.origin    = { 0., 0., 0. };
  b.mesh.size      = { 1., 1., 1. };
  b.mesh.divisions = { 1000, 1000, 1000 };
  expect(b, "1e+09 cells");
  b.mesh.divisions         = { 2, 2, 2 };
  b.mesh.global_refinement = 9;
  expect(b, "1.074e+09 cells");
  b.mesh.global_refinement = 0;
  EXPECT_EQ(error_of<3>(b, gibi), "no error");
  b.mesh.type           = MeshType::ball;
  b.mesh.radius         = 1.;
  b.mesh.ball_divisions = 300;
  expect(b, "8.64e+08 cells");
  b.mesh.ball_divisions = 2;
  EXPECT_EQ(make_mesh<3>(b, gibi).cells.size(), 32u * 8);
  b.mesh.type      = MeshType::running_bond_wall;
  b.mesh.n_courses = 10000;
  b.mesh.length    = 1e4;
  expect(b, "8e+08 cells");
  // After reading, before refining.
  auto read                   = body(write("good.msh", triangle));
  read.mesh.global_refinement = 14;
  const std::string error     = error_of<2>(read, 0.1 * gibi);
  EXPECT_NE(error.find("2.684e+08 cells"), std::string::npos) << error;
}

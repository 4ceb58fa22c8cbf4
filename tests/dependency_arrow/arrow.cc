// Dependencies point one way: a module includes only its own headers and those
// of the modules that cmake/modules.cmake lets it depend on, directly or not.

#include <gtest/gtest.h>

#include <test_paths.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace
{
struct Module
{
  std::string path; ///< below source/ and include/delassus/
  std::set<std::string> depends;
  bool plain = false; ///< knows nothing of deal.II
};

std::string read(const fs::path &file)
{
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// The calls delassus_module(name path [PLAIN] [DEPENDS ...] [LIBRARIES ...]).
std::map<std::string, Module> read_modules(const std::string &cmake)
{
  std::map<std::string, Module> modules;
  const std::regex call(R"(\n\s*delassus_module\(([^$)][^)]*)\))");
  // A generator of file names such as ${X} holds no parenthesis.
  for (std::sregex_iterator i(cmake.begin(), cmake.end(), call), end; i != end;
       ++i)
  {
    std::istringstream words((*i)[1].str());
    std::string name, word;
    Module module;
    words >> name >> module.path;
    bool in_depends = false;
    while (words >> word)
    {
      if (word == "PLAIN")
        module.plain = true;
      else if (word == "DEPENDS" || word == "LIBRARIES")
        in_depends = word == "DEPENDS";
      else if (in_depends)
        module.depends.insert(word);
    }
    modules[name] = module;
  }
  return modules;
}

/// The module itself and all it depends on, directly or not.
std::set<std::string> reachable(const std::map<std::string, Module> &modules,
                                const std::string &name)
{
  std::set<std::string> result;
  std::vector<std::string> todo = { name };
  while (!todo.empty())
  {
    const std::string next = todo.back();
    todo.pop_back();
    if (result.insert(next).second)
      for (const auto &other : modules.at(next).depends)
        todo.push_back(other);
  }
  return result;
}

struct Include
{
  unsigned int line;
  std::string header;
};

std::vector<Include> includes_of(const std::string &text)
{
  static const std::regex pattern(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"])");
  std::vector<Include> result;
  std::istringstream in(text);
  std::string line;
  for (unsigned int number = 1; std::getline(in, line); ++number)
  {
    std::smatch match;
    if (std::regex_search(line, match, pattern))
      result.push_back({ number, match[1] });
  }
  return result;
}

/// The module to which a header delassus/... belongs; empty if to none.
std::string module_of(const std::map<std::string, Module> &modules,
                      const std::string &header)
{
  const std::string folder = fs::path(header).parent_path().string().substr(
      std::min<std::size_t>(header.size(), std::string("delassus/").size()));
  for (const auto &[name, module] : modules)
    if (module.path == folder)
      return name;
  return "";
}

/// Interfaces of plain numbers, which modules may take from others without
/// depending on them.
const std::set<std::string> interface_headers = {
  "delassus/materials/sheet_law.h"
};

/// Headers of finite elements, whatever their library.
bool is_finite_elements(const std::string &header)
{
  if (interface_headers.count(header) > 0)
    return false;
  for (const std::string start : { "deal.II/",
                                   "gmsh.h",
                                   "delassus/bodies/",
                                   "delassus/mesh/",
                                   "delassus/materials/",
                                   "Epetra",
                                   "Trilinos" })
    if (header.rfind(start, 0) == 0)
      return true;
  return false;
}

/// Plain values that every module may read; the arrow is about code.
const std::set<std::string> values_headers = {
  "delassus/parameters/mesh_parameters.h",
  "delassus/parameters/parameters.h",
  "delassus/parameters/rigid_body_parameters.h",
  "delassus/parameters/shape_parameters.h",
  "delassus/parameters/shell_parameters.h"
};

/// What is wrong with the includes of one file of a module.
std::vector<std::string>
violations(const std::map<std::string, Module> &modules,
           const std::string &name,
           const std::string &text)
{
  std::vector<std::string> result;
  const std::set<std::string> allowed = reachable(modules, name);
  for (const auto &include : includes_of(text))
  {
    const std::string where =
        "line " + std::to_string(include.line) + ": " + include.header;
    if (include.header.rfind("delassus/", 0) == 0 &&
        values_headers.count(include.header) == 0 &&
        interface_headers.count(include.header) == 0)
    {
      const std::string other = module_of(modules, include.header);
      if (other.empty())
        result.push_back(where + " belongs to no module");
      else if (allowed.count(other) == 0)
        result.push_back(where + " belongs to " + other + ", on which " + name +
                         " may not depend");
    }
    if (modules.at(name).plain && is_finite_elements(include.header))
      result.push_back(where + " is for finite elements, and " + name +
                       " knows nothing of them");
  }
  return result;
}

const fs::path root = DELASSUS_SOURCE_DIR;
} // namespace

TEST(DependencyArrow, ModulesHaveNoCycle)
{
  const auto modules = read_modules(read(root / "cmake/modules.cmake"));
  ASSERT_GE(modules.size(), 15u);
  for (const auto &[name, module] : modules)
    for (const auto &dependency : module.depends)
    {
      ASSERT_EQ(modules.count(dependency), 1u) << name << ": " << dependency;
      EXPECT_EQ(reachable(modules, dependency).count(name), 0u)
          << name << " and " << dependency << " depend on each other";
    }
}

TEST(DependencyArrow, IncludesFollowIt)
{
  const auto modules   = read_modules(read(root / "cmake/modules.cmake"));
  unsigned int n_files = 0;
  for (const auto &[name, module] : modules)
    for (const fs::path &folder : { root / "source" / module.path,
                                    root / "include/delassus" / module.path })
    {
      if (!fs::is_directory(folder))
        continue;
      for (const auto &file : fs::directory_iterator(folder))
        if (file.path().extension() == ".cc" || file.path().extension() == ".h")
        {
          ++n_files;
          for (const auto &what : violations(modules, name, read(file.path())))
            ADD_FAILURE() << file.path().string() << ", " << what;
        }
    }
  EXPECT_GT(n_files, 20u);
}

TEST(DependencyArrow, EveryFileBelongsToAModule)
{
  const auto modules = read_modules(read(root / "cmake/modules.cmake"));
  for (const fs::path &tree : { root / "source", root / "include/delassus" })
    for (const auto &file : fs::recursive_directory_iterator(tree))
      if (file.path().extension() == ".cc" || file.path().extension() == ".h")
      {
        EXPECT_NE(
            module_of(modules,
                      "delassus/" + fs::relative(file.path(), tree).string()),
            "")
            << file.path();
      }
}

// Contact problems and their solvers, and shells, are tested without deal.II.
TEST(DependencyArrow, ContactSolversAndShellsKnowNoDealII)
{
  const auto modules = read_modules(read(root / "cmake/modules.cmake"));
  for (const std::string name : { "contact_laws",
                                  "contact_problem",
                                  "contact_local_solvers",
                                  "contact_global_solvers",
                                  "contact_exchange",
                                  "shells" })
  {
    ASSERT_EQ(modules.count(name), 1u) << name;
    EXPECT_TRUE(modules.at(name).plain) << name;
    for (const auto &other : reachable(modules, name))
      EXPECT_TRUE(modules.at(other).plain) << name << " needs " << other;
  }
}

// Shells are a system of their own: neither solids nor contact are below them.
TEST(DependencyArrow, ShellSystemsNeedSystemsOnly)
{
  const auto modules = read_modules(read(root / "cmake/modules.cmake"));
  const auto below   = reachable(modules, "shell_systems");
  for (const std::string name : { "shells", "systems" })
    EXPECT_EQ(below.count(name), 1u) << name;
  for (const std::string name : { "bodies",
                                  "materials",
                                  "contact_detection",
                                  "contact_kinematics",
                                  "time_integration" })
    EXPECT_EQ(below.count(name), 0u) << name;
}

// Contact, steps, results and checks know systems: solids are named by their
// own modules and where a model is built.
TEST(DependencyArrow, SolidBodiesAreNamedByTheirOwn)
{
  const std::set<std::string> own   = { "bodies",
                                        "bodies/results",
                                        "time_integration" },
                              built = { "simulation/model.h",
                                        "simulation/model.cc" };
  const std::regex name(R"(\bSolidBody\b)");
  unsigned int n_named = 0;
  for (const fs::path &tree : { root / "source", root / "include/delassus" })
    for (const auto &file : fs::recursive_directory_iterator(tree))
    {
      if (!file.is_regular_file() ||
          !std::regex_search(read(file.path()), name))
        continue;
      ++n_named;
      const fs::path path = fs::relative(file.path(), tree);
      EXPECT_TRUE(own.count(path.parent_path().string()) > 0 ||
                  built.count(path.string()) > 0)
          << path;
    }
  EXPECT_GT(n_named, 5u);
}

// What makes the plain values an exception.
TEST(DependencyArrow, PlainValuesNeedTheStandardLibraryOnly)
{
  for (const auto *headers : { &values_headers, &interface_headers })
    for (const auto &header : *headers)
      for (const auto &include : includes_of(read(root / "include" / header)))
        EXPECT_TRUE(include.header.find_first_of("/.") == std::string::npos ||
                    values_headers.count(include.header) > 0)
            << header << ": " << include.header;
}

// The test would see it.
TEST(DependencyArrow, ViolationsAreFound)
{
  const auto modules = read_modules(read(root / "cmake/modules.cmake"));
  EXPECT_TRUE(violations(modules,
                         "bodies",
                         "#include <delassus/mesh/mesh_data.h>\n"
                         "#include <deal.II/base/point.h>\n")
                  .empty());
  EXPECT_EQ(
      violations(modules, "mesh", "#include <delassus/bodies/solid_body.h>\n")
          .size(),
      1u);
  EXPECT_EQ(violations(
                modules, "contact_laws", "# include \"deal.II/base/point.h\"\n")
                .size(),
            1u);
  EXPECT_EQ(violations(modules,
                       "contact_global_solvers",
                       "#include <delassus/mesh/mesh_data.h>\n")
                .size(),
            2u);
  EXPECT_EQ(violations(modules, "base", "#include <delassus/x/y.h>\n").size(),
            1u);
}

#include <delassus/base/exceptions.h>
#include <delassus/base/input_text.h>
#include <delassus/base/text.h>
#include <delassus/mesh/geo_script.h>
#include <delassus/mesh/script_check.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

namespace delassus
{
namespace
{
namespace fs = std::filesystem;

/// Commands, functions, kinds of fields and their attributes that describe
/// shapes and meshes and do nothing else.
const std::set<std::string> &harmless_words()
{
  static const std::set<std::string> words = []()
  {
    std::istringstream list(
        // Language.
        "If Else ElseIf EndIf For EndFor In Macro Function Call Return Exists "
        "DefineConstant DefineNumber UndefineConstant SetFactory Printf Error "
        "Warning Include Merge ShapeFromFile Str StrCat StrChoice StrCmp "
        "StrFind StrLen StrPrefix StrRelative StrReplace StrSub Sprintf "
        "UpperCase LowerCase List LinSpace LogSpace Unique Find Append Delete "
        "GetNumber GetValue GetForced GMSH_MAJOR_VERSION GMSH_MINOR_VERSION "
        "GMSH_PATCH_VERSION TestLevel "
        // Attributes of DefineConstant.
        "Name Choices Range Min Max Step Visible ReadOnly ReadOnlyRange "
        "Highlight Label Help AutoCheck Units Closed "
        // Mathematics.
        "Pi Abs Fabs Acos ArcCos Asin ArcSin Atan ArcTan Atan2 ArcTan2 Ceil "
        "Cos "
        "Cosh Exp Floor Fmod Hypot Log Log10 Modulo Rand Round Sgn Sin Sinh "
        "Sqrt Step Tan Tanh "
        // Numbers of entities.
        "newp newl newc newll newcl news newsl newv newf newreg "
        // Shapes.
        "Point Line Curve Surface Volume Loop Circle Ellipse Ellipsis Spline "
        "CatmullRom BSpline Bezier Nurbs Knots Order Compound Plane Ruled "
        "Filling Wire Sphere PolarSphere Ball Box Block Cylinder Cone Wedge "
        "Torus Disk Rectangle Ellipsoid ThruSections ThickSolid Pipe Hole "
        "Parametric Elliptic Physical Euclidian Coordinates Degenerated "
        "Using Index Frenet DiscreteTrihedron CorrectedFrenet Fixed Tangent "
        // Changes of shapes.
        "Extrude Layers Recombine Rotate Translate Symmetry Dilate Affine "
        "Duplicata Fillet Chamfer Split Intersect Coherence Reverse "
        "BooleanUnion BooleanFuse BooleanIntersection BooleanCommon "
        "BooleanDifference BooleanCut BooleanFragments BooleanCoherence "
        "BooleanSection Recursive Healing HealShapes "
        // Questions about shapes.
        "Boundary CombinedBoundary PointsOf BoundingBox InBoundingBox Closest "
        "Mass CenterOfMass MatrixOfInertia Parent All Unique GeoEntity "
        // Meshes.
        "Mesh Geometry General Transfinite TransfQuadTri Progression Bump Beta "
        "Power Left Right Alternate AlternateLeft AlternateRight Smoother "
        "MeshAlgorithm MeshSize MeshSizeFromBoundary Characteristic Length "
        "SetOrder OptimizeMesh RefineMesh RecombineMesh Periodic Slave Show "
        "Hide ReverseMesh ReorientMesh RecombLaterals ScaleLastLayer "
        "QuadTriAddVerts QuadTriNoNewVerts QuadTriDbl QuadTriSngl "
        "NoNewVerts AddVerts Homology SetVisibility ClassifySurfaces "
        "CreateGeometry CreateTopology SyncModel "
        // Fields.
        "Background Field Threshold Distance Attractor MathEval MathEvalAniso "
        "Frustum Restrict BoundaryLayer Curvature Mean Gradient Laplacian "
        "MaxEigenHessian Param Octree Extend Constant MinAniso IntersectAniso "
        "AttractorAnisoCurve SizeMin SizeMax LcMin LcMax DistMin DistMax "
        "IField "
        "InField FieldsList NodesList PointsList EdgesList CurvesList "
        "FacesList SurfacesList VerticesList RegionsList VolumesList "
        "NNodesByEdge NumPointsPerCurve Sampling Sigmoid StopAtDistMax VIn "
        "VOut XMin XMax YMin YMax ZMin ZMax XCenter YCenter ZCenter Radius "
        "Thickness XAxis YAxis ZAxis X1 Y1 Z1 X2 Y2 Z2 R1_inner R1_outer "
        "R2_inner R2_outer V1_inner V1_outer V2_inner V2_outer InnerR1 OuterR1 "
        "InnerR2 OuterR2 InnerV1 OuterV1 InnerV2 OuterV2 F FX FY FZ M11 M22 "
        "M33 M12 M13 M23 Size SizeFar Ratio Quads IntersectMetrics AnisoMax "
        "BetaLaw NbLayers FanPointsList FanNodesList FanPointsSizesList "
        "ExcludedSurfacesList ExcludedFaceList hfar hwall_n hwall_t ratio "
        "thickness IncludeBoundary Delta Kind DistMaxList");
    std::set<std::string> result;
    for (std::string word; list >> word;)
      result.insert(word);
    return result;
  }();
  return words;
}

/// Words that are refused even as names of variables, and why.
const std::map<std::string, std::string> &dangerous_words()
{
  static const std::string program = "starts a program on this machine",
                           writes = "writes a file", reads = "reads a file",
                           builds = "builds a name that cannot be checked";
  static const std::map<std::string, std::string> words = {
    { "System", program },
    { "SystemCall", program },
    { "NonBlockingSystemCall", program },
    { "OnelabRun", program },
    { "OnelabAction", program },
    { "ExternalProcess", program },
    { "CommandLine", program },
    { "Solver", program },
    { "Plugin", "runs a plugin, which may write files" },
    { "Save", writes },
    { "SaveAs", writes },
    { "Print", writes },
    { "CreateDir", writes },
    { "ListFromFile", reads },
    { "FileName", reads },
    { "MergeWithBoundingBox", reads },
    { "GetEnv", "reads the environment" },
    { "StringToName", builds },
    { "S2N", builds },
    { "Exit", "ends the program" },
    { "Abort", "ends the program" },
  };
  return words;
}

/// Whether @p text has the word @p word, as Gmsh finds it where it passes over
/// a branch: between characters that are no letters.
bool has_word(const std::string &text, const std::string &word)
{
  const auto letter = [](const char c)
  { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  for (auto i = text.find(word); i != std::string::npos;
       i      = text.find(word, i + 1))
    if ((i == 0 || !letter(text[i - 1])) &&
        (i + word.size() == text.size() || !letter(text[i + word.size()])))
      return true;
  return false;
}

/// %g, %12.5e and %% are all that numbers need; other formats read or write
/// memory that is not theirs.
bool is_harmless_format(const std::string &format)
{
  for (std::size_t i = 0; i < format.size(); ++i)
  {
    if (format[i] != '%')
      continue;
    std::size_t end = format.find_first_not_of("0123456789.+- #", i + 1);
    if (end == std::string::npos || end - i > 8)
      return false;
    if (!(format[end] == '%' && end == i + 1) &&
        std::string("eEfFgG").find(format[end]) == std::string::npos)
      return false;
    // Two digits of width and of precision at most.
    std::size_t digits = 0;
    for (std::size_t k = i + 1; k < end; ++k)
    {
      digits = format[k] >= '0' && format[k] <= '9' ? digits + 1 : 0;
      if (digits > 2)
        return false;
    }
    i = end;
  }
  return true;
}

class ScriptCheck
{
public:
  ScriptCheck(const std::string &file,
              const std::set<std::string> &given,
              const std::string &where)
      : top(file)
      , where(where)
      , defined(given)
  {
    std::error_code error;
    folder = fs::canonical(fs::absolute(file).parent_path(), error);
    if (error)
      throw InputError(where + ": its folder cannot be read.");
    add(file);
    for (const auto &script : scripts)
      collect_names(script.second);
    for (const auto &script : scripts)
      check(script.first, script.second);
  }

private:
  using Tokens = std::vector<GeoToken>;

  [[noreturn]] void fail(const std::string &file,
                         const unsigned int line,
                         const std::string &what)
  {
    throw InputError(fmt::format(
        "{}: line {}{}: {}. Scripts may only describe shapes and meshes, "
        "unless --allow-scripts (or 'Allow scripts = true' in the parameter "
        "file) says that this one can be trusted.",
        where,
        line,
        file == top ? "" : " of '" + file + "'",
        what));
  }

  /// Read and check how it is written, then what it includes.
  void add(const std::string &file)
  {
    if (scripts.count(file) > 0)
      return;
    if (scripts.size() > 1000)
      throw InputError(where + ": more than 1000 scripts are included.");
    const std::string text = read_script(file, where);
    for (std::size_t i = 0, line = 1; i < text.size(); ++i)
    {
      const unsigned char c = static_cast<unsigned char>(text[i]);
      line += c == '\n';
      if ((c < 0x20 && c != '\n' && c != '\r' && c != '\t') || c == 0x7F)
        fail(file,
             static_cast<unsigned int>(line),
             fmt::format("a byte 0x{:02X}, which no script has", c));
    }
    Tokens &tokens = scripts[file];
    for (const auto &token : geo_tokens(text))
      if (token.kind == GeoToken::text || token.kind == GeoToken::comment)
      {
        check_quoted(file, token);
        if (token.kind == GeoToken::text)
          tokens.push_back(token);
      }
      else
        tokens.push_back(token);
    for (std::size_t i = 0; i < tokens.size(); ++i)
      if (tokens[i].kind == GeoToken::word)
      {
        if (tokens[i].value == "Include")
          add(inside(file, tokens, i + 1));
        else if (tokens[i].value == "Merge")
          merge(file, tokens, i + 1);
        else if (tokens[i].value == "ShapeFromFile")
          merge(file, tokens, i + 2);
      }
  }

  /// Where Gmsh passes over a branch that is not taken, it looks for the word
  /// that ends it in strings and comments too, and goes on from there. And it
  /// ends strings by itself that are too long.
  void check_quoted(const std::string &file, const GeoToken &token)
  {
    const bool is_text     = token.kind == GeoToken::text;
    const std::string kind = is_text ? "string" : "comment";
    if (!token.complete)
      fail(file, token.line, fmt::format("a {} without end", kind));
    if (is_text && token.value.size() > 1000)
      fail(file, token.line, "a string of more than 1000 characters");
    for (const char *mark : { "//", "/*", "*/" })
      if (is_text && token.value.find(mark) != std::string::npos)
        fail(file, token.line, fmt::format("a string with '{}' in it", mark));
    bool resumes = false;
    for (const char *word : { "EndIf", "EndFor", "Else", "ElseIf", "Return" })
      resumes = resumes || has_word(token.value, word);
    if (!resumes)
      return;
    bool plain = token.value.find_first_of("\"'>$") == std::string::npos &&
                 token.value.find("//") == std::string::npos &&
                 token.value.find("/*") == std::string::npos;
    for (const auto &word : geo_tokens(token.value))
      plain = plain && dangerous_words().count(word.value) == 0 &&
              word.value != "Include" && word.value != "Merge" &&
              word.value != "ShapeFromFile";
    if (!plain)
      fail(file,
           token.line,
           fmt::format("a {} in which Gmsh may find commands", kind));
  }

  /// The file that the string at @p i names, inside the folder of the script.
  std::string
  inside(const std::string &file, const Tokens &tokens, const std::size_t i)
  {
    const std::string command = tokens[std::min(i, tokens.size()) - 1].value;
    const unsigned int line   = tokens[std::min(i, tokens.size()) - 1].line;
    // A string alone: nothing is put together around it.
    if (i >= tokens.size() || tokens[i].kind != GeoToken::text ||
        (i + 1 < tokens.size() && tokens[i + 1].value != ";" &&
         tokens[i + 1].value != ")"))
      fail(file,
           line,
           fmt::format("'{}' without the name of a file between quotes",
                       command == "(" ? "ShapeFromFile" : command));
    const std::string path = path_in_script(tokens[i].value, file);
    std::error_code error;
    const fs::path real = fs::canonical(path, error);
    if (error)
      throw InputError(fmt::format("{}: line {}{}: '{}' does not exist.",
                                   where,
                                   line,
                                   file == top ? "" : " of '" + file + "'",
                                   escape_bad_bytes(tokens[i].value)));
    const auto difference =
        std::mismatch(folder.begin(), folder.end(), real.begin(), real.end());
    if (difference.first != folder.end())
      fail(file,
           line,
           fmt::format("'{}' is outside the folder of the script",
                       escape_bad_bytes(tokens[i].value)));
    return path;
  }

  void merge(const std::string &file, const Tokens &tokens, const std::size_t i)
  {
    const std::string path   = inside(file, tokens, i);
    const std::string ending = fs::path(path).extension().string();
    const std::string from =
        fmt::format("{}: line {}{}: '{}'",
                    where,
                    tokens[i].line,
                    file == top ? "" : " of '" + file + "'",
                    tokens[i].value);
    std::error_code error;
    if (fs::exists(path + ".opt", error))
      fail(file,
           tokens[i].line,
           fmt::format("'{}.opt' is there, which Gmsh runs as a script",
                       tokens[i].value));
    if (ending == ".geo")
      add(path);
    else if (ending == ".msh")
      check_msh(path, from);
    else if (ending == ".stl")
      check_stl(path, from);
    else if (ending == ".step" || ending == ".stp" || ending == ".brep" ||
             ending == ".iges" || ending == ".igs")
      expect_regular_file(path, from);
    else
      fail(file,
           tokens[i].line,
           fmt::format("'{}' is not of a kind that can be merged safely "
                       "(.geo, .msh, .stl, .step, .stp, .brep, .iges, .igs)",
                       escape_bad_bytes(tokens[i].value)));
  }

  /// For each ( and [ where it is closed; at the end if nowhere.
  static std::vector<std::size_t> closing_brackets(const Tokens &tokens)
  {
    std::vector<std::size_t> closing(tokens.size(), tokens.size()), open;
    for (std::size_t i = 0; i < tokens.size(); ++i)
      if (tokens[i].kind == GeoToken::sign)
      {
        if (tokens[i].value == "(" || tokens[i].value == "[")
          open.push_back(i);
        else if ((tokens[i].value == ")" || tokens[i].value == "]") &&
                 !open.empty())
        {
          closing[open.back()] = i;
          open.pop_back();
        }
      }
    return closing;
  }

  /// Names of variables: `a = `, `a += `, `a() = `, `a[i] = `, `a~{i}`, those
  /// of loops and macros, and those of DefineConstant.
  void collect_names(const Tokens &tokens)
  {
    const std::vector<std::size_t> closing = closing_brackets(tokens);
    const auto is = [&](const std::size_t i, const char *value)
    {
      return i < tokens.size() && tokens[i].kind == GeoToken::sign &&
             tokens[i].value == value;
    };
    bool constants = false; // in DefineConstant[ ... ]
    int nesting    = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i)
    {
      const GeoToken &token = tokens[i];
      if (token.kind != GeoToken::word)
      {
        if (is(i, "[") || is(i, "{") || is(i, "("))
          ++nesting;
        else if (is(i, "]") || is(i, "}") || is(i, ")"))
          constants = --nesting > 0 && constants;
        continue;
      }
      if (token.value == "DefineConstant" || token.value == "DefineNumber")
      {
        constants = true;
        nesting   = 0;
      }
      const std::string before = i == 0 ? "" : tokens[i - 1].value;
      std::size_t next         = i + 1;
      if (is(next, "(") || is(next, "["))
        next = closing[next] + 1;
      const bool operates =
          (is(next, "+") || is(next, "-") || is(next, "*") || is(next, "/")) &&
          is(next + 1, "=");
      if ((is(next, "=") && !is(next + 1, "=")) || operates || is(i + 1, "~") ||
          before == "For" || before == "Macro" || before == "Function" ||
          (constants && nesting == 1 &&
           (is(i - 1, "[") || is(i - 1, ",") || is(i - 1, "("))))
        defined.insert(token.value);
    }
  }

  void check(const std::string &file, const Tokens &tokens)
  {
    const std::vector<std::size_t> closing = closing_brackets(tokens);
    const auto is = [&](const std::size_t i, const char *value)
    {
      return i < tokens.size() && tokens[i].kind == GeoToken::sign &&
             tokens[i].value == value;
    };
    for (std::size_t i = 0; i < tokens.size(); ++i)
    {
      const GeoToken &token = tokens[i];
      if (token.kind == GeoToken::sign &&
          static_cast<unsigned char>(token.value[0]) >= 0x80)
        fail(file, token.line, "a letter beyond ASCII outside a string");
      if (token.kind != GeoToken::word)
        continue;
      const auto danger = dangerous_words().find(token.value);
      if (danger != dangerous_words().end())
        fail(file,
             token.line,
             fmt::format("'{}' {}", token.value, danger->second));
      const bool option = (token.value == "Mesh" || token.value == "Geometry" ||
                           token.value == "General") &&
                          is(i + 1, ".") && i + 2 < tokens.size();
      if (option)
      {
        check_option(file, tokens, i);
        i += 2;
        if (tokens[i].value == "Color")
          skip_color(tokens, i);
        continue;
      }
      if (defined.count(token.value) == 0 &&
          harmless_words().count(token.value) == 0)
        fail(file,
             token.line,
             fmt::format("'{}' is neither a number of the script nor a command "
                         "known to be harmless",
                         token.value.substr(0, 60)));
      if (token.value == "Printf" || token.value == "Error" ||
          token.value == "Warning" || token.value == "Sprintf")
        check_print(file, tokens, closing, i);
    }
  }

  void check_option(const std::string &file,
                    const Tokens &tokens,
                    const std::size_t i)
  {
    const std::string name = tokens[i].value + "." + tokens[i + 2].value;
    if (!is_harmless_option(name))
      fail(file,
           tokens[i].line,
           fmt::format("the option '{}' has nothing to do with the mesh",
                       name.substr(0, 60)));
    if (i + 4 < tokens.size() && tokens[i + 3].value == "=" &&
        tokens[i + 4].kind == GeoToken::text &&
        name != "Geometry.OCCTargetUnit")
      fail(file,
           tokens[i].line,
           fmt::format("the option '{}' is set to a text", name.substr(0, 60)));
  }

  /// Mesh.Color.Points = Orange: names of colours are known to Gmsh only. @p i
  /// becomes the last token of it.
  static void skip_color(const Tokens &tokens, std::size_t &i)
  {
    for (const char *sign : { ".", "=" })
      if (i + 2 < tokens.size() && tokens[i + 1].value == sign &&
          tokens[i + 2].kind == GeoToken::word &&
          dangerous_words().count(tokens[i + 2].value) == 0 &&
          harmless_words().count(tokens[i + 2].value) == 0)
        i += 2;
  }

  /// Printf("a = %g", a); and not into a file.
  void check_print(const std::string &file,
                   const Tokens &tokens,
                   const std::vector<std::size_t> &closing,
                   const std::size_t i)
  {
    const std::string &command = tokens[i].value;
    if (i + 2 >= tokens.size() ||
        (tokens[i + 1].value != "(" && tokens[i + 1].value != "[") ||
        tokens[i + 2].kind != GeoToken::text ||
        !is_harmless_format(tokens[i + 2].value))
      fail(file,
           tokens[i].line,
           fmt::format("'{}' without a format of numbers (%g) between quotes",
                       command));
    if (i + 3 < tokens.size() && tokens[i + 3].value != "," &&
        tokens[i + 3].value != ")" && tokens[i + 3].value != "]")
      fail(file,
           tokens[i].line,
           fmt::format("'{}' with something behind its format", command));
    const std::size_t k = closing[i + 1];
    if (command != "Sprintf" && k + 1 < tokens.size() &&
        tokens[k + 1].value != ";")
      fail(file, tokens[i].line, fmt::format("'{}' writes a file", command));
  }

  const std::string top, where;
  fs::path folder; ///< of the script, without symbolic links
  std::set<std::string> defined;
  std::map<std::string, Tokens> scripts;
};
} // namespace

bool is_harmless_option(const std::string &name)
{
  static const std::set<std::string> general = {
    "Terminal", "Verbosity", "NumThreads", "AbortOnError", "ExpertMode"
  };
  const auto point           = name.find('.');
  const std::string category = name.substr(0, point);
  const std::string option =
      point == std::string::npos ? "" : name.substr(point + 1);
  return ((category == "Mesh" || category == "Geometry") &&
          option.rfind("DoubleClicked", 0) != 0) ||
         (category == "General" && general.count(option) > 0);
}

void check_script(const std::string &file,
                  const std::set<std::string> &given,
                  const std::string &where)
{
  ScriptCheck(file, given, where);
}
} // namespace delassus

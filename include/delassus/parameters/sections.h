#ifndef delassus_parameters_sections_h
#define delassus_parameters_sections_h

#include <delassus/parameters/stage_parameters.h>
#include <delassus/parameters/section_reader.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace delassus
{
/// What the checks of one section need to know of the others.
struct SectionContext
{
  unsigned int dim      = 2;
  Assumption assumption = Assumption::plane_strain;
  std::vector<double> gravity;
  TimeParameters time;
  /// Names by kind of section: names["Body"] = {"wall"}.
  std::map<std::string, std::vector<std::string>> names;

  /// "x,y" or "x,y,z", and with time ",t".
  std::string variables(bool with_time) const;
};

/// One struct per section: which entries it has, and how their values become
/// the plain struct everybody else reads. Checks how the values go together.
struct TopLevel
{
  static SectionDeclaration declaration();
  static void parse(const SectionReader &reader, Parameters &parameters);
};

struct TimeSection
{
  static SectionDeclaration declaration();

  /// @p in_stages: it has what stages do not say; they have ends of their own.
  static TimeParameters parse(const SectionReader &reader,
                              const bool in_stages = false);
};

struct NewtonSection
{
  static SectionDeclaration declaration();
  static NewtonParameters parse(const SectionReader &reader,
                                const SectionContext &context);

  /// Entries that only Newton loops use, in runs without; damping that finite
  /// strains do not have. @p reader gives a section by kind and name.
  static void
  check(const Parameters &parameters,
        const std::function<SectionReader(const std::string &,
                                          const std::string &)> &reader);
};

struct MaterialSection
{
  static SectionDeclaration declaration();
  static MaterialParameters parse(const SectionReader &reader);
};

struct MeshSection
{
  static SectionDeclaration declaration();
  static MeshParameters parse(const SectionReader &reader,
                              const SectionContext &context);

  /// Of a body of type shell.
  static MeshParameters parse_shell(const SectionReader &reader);
};

/// Whether a generated mesh is one of shells.
bool is_for_shells(const MeshType type);

/// The path of the mesh file that an entry names (see doc/parameters.md for
/// where it is looked for), which also replaces the entry's value; an error if
/// it is nowhere.
std::string find_mesh_file(const SectionReader &reader,
                           const std::string &entry);

/// A warning if the entry 'Allow scripts' is set: whoever runs a file of others
/// should know.
void warn_of_scripts(const SectionReader &reader);

struct BodySection
{
  static SectionDeclaration declaration();
  static BodyParameters parse(const SectionReader &reader,
                              const SectionContext &context);
};

/// The subsection Shell of a body, and bodies of type shell.
struct ShellBodySection
{
  static SectionDeclaration declaration();

  /// @p reader: of the body's section.
  static ShellParameters parse(const SectionReader &reader,
                               const SectionContext &context);
};

struct BoundaryConditionSection
{
  static SectionDeclaration declaration();
  static BoundaryConditionParameters parse(const SectionReader &reader,
                                           const SectionContext &context);
};

struct ObstacleSection
{
  static SectionDeclaration declaration();
  static ObstacleParameters parse(const SectionReader &reader,
                                  const SectionContext &context);
};

/// The entries on the shape of an obstacle or a rigid body, and their values.
/// Returns false if there is no use in looking further.
std::vector<EntryDeclaration> shape_entries();
bool parse_shape(const SectionReader &reader,
                 const SectionContext &context,
                 ShapeParameters &shape);

/// Whether shapes of this type have an Axis in space.
bool has_axis(const ObstacleType type);

/// The direction of an entry, of length 1; empty: not given.
std::vector<double> unit_vector(const SectionReader &reader,
                                const std::string &entry,
                                const unsigned int dim);

/// Its entries on motions: given ones, and free ones with their forces.
void parse_obstacle_motion(const SectionReader &reader,
                           const SectionContext &context,
                           ObstacleParameters &obstacle);

struct RigidBodySection
{
  static SectionDeclaration declaration();
  static RigidBodyParameters parse(const SectionReader &reader,
                                   const SectionContext &context);
};

struct ContactLawSection
{
  static SectionDeclaration declaration();
  static ContactLawParameters parse(const SectionReader &reader,
                                    const SectionContext &context);
};

struct InteractionSection
{
  static SectionDeclaration declaration();
  static InteractionParameters parse(const SectionReader &reader,
                                     const SectionContext &context);
};

struct ContactSolverSection
{
  static SectionDeclaration declaration();
  static ContactSolverParameters parse(const SectionReader &reader);
};

struct LinearSolverSection
{
  static SectionDeclaration declaration();
  static LinearSolverParameters parse(const SectionReader &reader);
};

struct ChecksSection
{
  static SectionDeclaration declaration();

  /// @p parameters: time, bodies and materials are there.
  static CheckParameters parse(const SectionReader &reader,
                               const Parameters &parameters);
};

struct StageSection
{
  static SectionDeclaration declaration();

  /// The stage after @p before (null: the first). Entries that are not given
  /// get the values of @p time and @p newton, sections of the file, and of the
  /// stage before.
  static StageParameters parse(const SectionReader &reader,
                               const SectionReader &time,
                               const SectionReader &newton,
                               const SectionContext &context,
                               const std::vector<StageParameters> &before);

  /// From the start of the first stage to the end of the last, with the
  /// smallest step; quasi static if all are.
  static TimeParameters whole_run(const std::vector<StageParameters> &stages);

  /// How stages go together with the other sections.
  static void
  check(const std::vector<StageParameters> &stages,
        const Parameters &parameters,
        const std::function<SectionReader(const std::string &,
                                          const std::string &)> &reader);
};

struct EventSection
{
  static SectionDeclaration declaration();
  static EventParameters parse(const SectionReader &reader,
                               const SectionContext &context);
};

struct ProbeSection
{
  static SectionDeclaration declaration();
  static ProbeParameters parse(const SectionReader &reader,
                               const SectionContext &context);
};

struct OutputSection
{
  static SectionDeclaration declaration();
  static OutputParameters parse(const SectionReader &reader,
                                const SectionContext &context);
};

/// All sections below the top level, in the order of the documentation.
const std::vector<SectionDeclaration> &section_declarations();
} // namespace delassus

#endif

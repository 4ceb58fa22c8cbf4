#ifndef delassus_simulation_model_h
#define delassus_simulation_model_h

#include <delassus/contact/detection/detector.h>
#include <delassus/contact/laws/contact_law.h>
#include <delassus/parameters/stage_parameters.h>
#include <delassus/rigid_bodies/rigid_system.h>
#include <delassus/simulation/interaction_pairs.h>
#include <delassus/systems/find_surfaces.h>
#include <delassus/systems/interior.h>
#include <delassus/time_integration/newton_scheme.h>
#include <delassus/time_integration/theta_scheme.h>

#include <map>
#include <memory>
#include <set>

namespace delassus
{
class ShellSystem;
class SheetLaw;
struct SheetMesh;

/// The stage of a run that a model is made for.
template <int dim>
struct StageOfRun
{
  std::vector<StageParameters> stages; ///< all of them; empty: it has none
  unsigned int number = 0;             ///< of this one
  /// Those of the stage before, to be used again; empty: to be made.
  using Solids = std::vector<std::unique_ptr<SolidBody<dim>>>;
  Solids bodies;
  std::vector<std::shared_ptr<const SheetMesh>> sheets; ///< likewise

  bool has_next() const
  {
    return number + 1 < stages.size();
  }
  const StageParameters *parameters() const
  {
    return stages.empty() ? nullptr : &stages[number];
  }
  std::string name() const
  {
    return stages.empty() ? "" : stages[number].name;
  }
};

/// Everything a parameter file describes, made: bodies with their meshes,
/// loads, driven dofs and time stepping, obstacles, candidates, interactions
/// and laws. Building it checks all names that only the meshes know.
template <int dim>
class Model
{
public:
  /// @p others: systems besides those that the parameters describe; their
  /// surfaces can be named in interactions.
  Model(const Parameters &parameters,
        MPI_Comm communicator,
        std::vector<std::unique_ptr<System<dim>>> others = {},
        StageOfRun<dim> stage                            = {});

  /// Sum of masses, and weight = mass times norm of gravity.
  double total_mass() const
  {
    return mass;
  }
  double weight() const;

  /// Whether some material is not linear elastic: steps are then controlled by
  /// section Newton.
  bool is_nonlinear() const
  {
    return nonlinear;
  }

  /// Whether some body has another theta than section Time.
  bool has_other_thetas() const;

  const Parameters parameters;
  MPI_Comm communicator;
  StageOfRun<dim> stage; ///< its bodies are in `bodies`

  /// First and last instant of the run, of all stages.
  double run_start() const
  {
    return stage.stages.empty() ? parameters.time.start_time
                                : stage.stages.front().time.start_time;
  }
  double run_end() const
  {
    return stage.stages.empty() ? parameters.time.end_time
                                : stage.stages.back().time.end_time;
  }
  std::shared_ptr<MemoryBudget> memory; ///< of factors and compliances
  std::vector<std::unique_ptr<SolidBody<dim>>> bodies;
  std::vector<std::unique_ptr<DrivenDofs<dim>>> driven;
  std::vector<std::unique_ptr<Loads<dim>>> loads;
  std::vector<std::unique_ptr<PieceClasses>> classes;
  std::vector<std::unique_ptr<BodyScheme<dim>>> schemes; ///< of the bodies
  std::vector<std::unique_ptr<System<dim>>> others;
  /// Meshes of the bodies of type shell.
  std::vector<std::shared_ptr<const SheetMesh>> sheets;
  std::vector<ShellSystem *> shells; ///< those of others; 3D
  /// Of systems: 1/E through the outer and the inner half of a sheet that gives
  /// way to contact there, 0 of others; those after the last sheet are left
  /// out.
  std::vector<std::array<double, 2>> flexibility;
  std::vector<System<dim> *> systems;      ///< everything that moves
  std::unique_ptr<RigidSystem<dim>> rigid; ///< rigid bodies, if any
  /// Rigid shapes: obstacles, then those of rigid bodies.
  std::vector<Obstacle<dim>> obstacles;
  std::unique_ptr<ContactSurfaces<dim>> surfaces;
  std::vector<Interaction> interactions;
  std::vector<std::unique_ptr<ContactLaw<dim>>> laws; ///< per interaction
  InteractionPairs pairs;

  /// What is odd but may be meant, for the user.
  std::vector<std::string> warnings;

  /// The section of the file that an obstacle is from.
  std::string section_of(const unsigned int obstacle) const
  {
    return (obstacle < parameters.obstacles.size() ? "Obstacle "
                                                   : "Rigid body ") +
           obstacles[obstacle].name;
  }

  /// The rigid body whose shape an obstacle is; -1: none's.
  int body_of_obstacle(const unsigned int obstacle) const
  {
    return obstacle_body[obstacle];
  }

  /// What lies behind the skin of a system, of these of its pieces; null: it
  /// does not say.
  std::unique_ptr<Interior<dim>>
  interior_of(const unsigned int system,
              const std::set<unsigned int> &pieces) const;

  /// The pair a contact belongs to.
  unsigned int pair_of(const Contact<dim> &contact) const
  {
    return pairs.pair_of(contact, is_second_pass(contact));
  }

  /// Contact nodes that are directors of sheets.
  std::vector<char> director_nodes() const;

  /// Whether a contact's point is on the antagonist surface of its pair: its
  /// reaction is then the opposite of that on the pair's candidate.
  bool is_second_pass(const Contact<dim> &contact) const
  {
    return contact.point >= interactions[contact.interaction].second_pass;
  }

private:
  /// What the sections Time and Newton say, with what is the body's own.
  TimeParameters time_of(const SolidBody<dim> &body) const;
  NewtonParameters newton_of(const SolidBody<dim> &body) const;

  void make_bodies();
  void make_conditions();
  void make_sheets();
  void make_shells();

  /// Surfaces of solids that a boundary condition names; those of shells are
  /// left out, and must be there if there are none.
  std::vector<SurfaceReference> solids_of(const std::string &text,
                                          const std::string &where) const;

  /// Shells and the names of their parts: "left" of all that have one, a part
  /// of a body, or a whole body ("").
  std::vector<std::pair<unsigned int, std::string>>
  sheets_of(const std::string &text, const std::string &where) const;
  void make_interactions();

  /// Take away what is not active in the stage: an interaction without
  /// antagonists finds nothing. Its points and pairs stay, so that contacts and
  /// tables are numbered alike in all stages.
  void deactivate(Interaction &interaction) const;

  /// Throws InputError if conditions contradict each other in a later stage:
  /// what hours of computation would only find then.
  void check_later_conditions() const;

  /// Numbers of the contact faces beside a candidate that may fold onto a tool
  /// (finite strain) and are no candidates themselves.
  std::vector<unsigned int> folding_beside(const std::string &text,
                                           const std::string &where,
                                           const unsigned int interaction);
  void make_rigid_bodies();
  std::vector<const Skin<dim> *> skins_of_solids() const;

  /// Rigid bodies as contact sees them: their frames, and where they are.
  void place_rigid_bodies();

  /// Quasi-statically: what resists rigid bodies while their equilibrium is
  /// sought.
  void hold_rigid_bodies();

  /// Throws InputError for contact surfaces that are not manifolds, have faces
  /// without area or never face what they should touch; warns of bodies that
  /// are torn and of surfaces that cannot touch.
  void inspect_surfaces();

  /// Laws of sheets, by material; systems point to them.
  std::map<std::string, std::shared_ptr<const SheetLaw>> sheet_laws;

  /// Contact faces of what the user calls a surface or body. Errors begin with
  /// @p where; @p others could have been meant too. @p side: of sheets.
  std::vector<unsigned int> faces_of(const std::string &text,
                                     const std::string &where,
                                     const std::vector<std::string> &others,
                                     const bool or_balls  = false,
                                     const SheetSide side = SheetSide::both);

  /// Throws InputError if the side of sheets that an interaction wants is none
  /// of its candidates', or another one than they name.
  void check_side(const InteractionParameters &interaction) const;

  /// The law of an interaction, with the compliance of the sheets in it.
  void add_law(const InteractionParameters &given);

  std::vector<const Skin<dim> *> skins; ///< of the systems
  std::vector<int> obstacle_body;

  /// In runs with stages: dofs that some condition of the file drives, in any
  /// stage or none, so that candidates are the same in all.
  std::vector<std::unique_ptr<DrivenDofs<dim>>> ever_driven;
  double mass    = 0.;
  bool nonlinear = false;
};
} // namespace delassus

#endif

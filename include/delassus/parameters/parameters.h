#ifndef delassus_parameters_parameters_h
#define delassus_parameters_parameters_h

#include <delassus/parameters/rigid_body_parameters.h>
#include <delassus/parameters/shell_parameters.h>

#include <array>
#include <map>
#include <string>
#include <vector>

namespace delassus
{
/// Everything a parameter file says, as plain values: one struct per
/// subsection. Only the module `parameters` knows how they are written in a
/// file; everybody else reads these.

enum class Assumption
{
  plane_strain,
  plane_stress,
  axisymmetric,
  three_dimensional
};

enum class MassType
{
  consistent, ///< integral of rho N_i N_j
  lumped,     ///< diagonal, by row sums
  nodal       ///< diagonal, each cell's mass shared equally by its nodes
};

/// Which volume ratio the material sees.
enum class Dilatation
{
  automatic, ///< mean where locking threatens: degree 1, plastic or nearly
             ///< incompressible
  full,      ///< of each point
  mean       ///< mean over the cell, or over a patch of simplices
};

enum class TimeScheme
{
  dynamic,     ///< theta-scheme
  quasi_static ///< M = 0; a fictitious mass where nothing holds a piece
};

struct TimeParameters
{
  double start_time = 0.;
  double end_time   = 1.;
  double step       = 1e-3; ///< h
  double theta      = 1.;   ///< in [1/2, 1]
  TimeScheme scheme = TimeScheme::dynamic;
  /// Quasi-static: share of the fictitious mass term M in the effective
  /// stiffness of pieces that the constraints do not hold.
  double fictitious_mass = 1e-3;
};

/// What stands for w = (M + h V + h^2 K)^-1 in the Newton loop. Those that
/// converge give the same answer.
enum class CorrectingMatrix
{
  full,     ///< of each iteration
  step,     ///< of the first iteration of each step
  frozen,   ///< kept over several steps, renewed when it has become slow
  lumped,   ///< M^-1, lumped
  two_term, ///< M^-1 - h^2 M^-1 K M^-1
  explicit_ ///< M^-1, and one iteration: explicit, with implicit contact
};

/// Finite deformations and inelastic materials: the Newton loop of a step and
/// the control of the steps.
struct NewtonParameters
{
  CorrectingMatrix matrix     = CorrectingMatrix::full;
  double tolerance            = 1e-8; ///< of the momentum residual, relative
  unsigned int max_iterations = 25;
  /// In all substeps and attempts of one Time/Step together.
  unsigned int max_step_iterations = 1000;
  unsigned int frozen_steps = 20; ///< frozen: renewed at the latest after
  /// Iterations in which antagonists and frames follow the configuration; kept
  /// from then on.
  unsigned int frame_updates = 100;
  double smallest_step       = 1e-3; ///< share of Time/Step; below: give up
  double largest_strain      = 0.5;  ///< increment in a step; 0: no limit
  double largest_slip        = 2.;   ///< in a step, in contact faces; 0: none
};

enum class MaterialModel
{
  linear_elastic, ///< small perturbations
  saint_venant_kirchhoff,
  neo_hookean,
  j2_small_strain, ///< von Mises plasticity, small perturbations
  j2,              ///< the same for finite strain, F = Fe Fp
  maxwell,         ///< deviatoric viscous flow, finite strain, F = Fe Fv
  hill,            ///< Hill's plasticity of 1948, sheets only
  barlat,          ///< that of Barlat and Lian (1989), sheets only
  orthotropic      ///< elastic, sheets only
};

/// The yield stress as a function of the equivalent plastic strain a.
enum class HardeningType
{
  linear, ///< sy + H a
  ludwik, ///< sy + K a^n
  swift,  ///< K (e0 + a)^n
  voce,   ///< sy + H a + (s_inf - sy) (1 - exp(-delta a))
  table   ///< straight between points, constant after the last
};

struct MaterialParameters
{
  std::string name;
  MaterialModel model       = MaterialModel::linear_elastic;
  double density            = 0.;
  double young_modulus      = 0.;
  double poisson_ratio      = 0.;
  double rayleigh_mass      = 0.; ///< alpha of V = alpha M + beta K
  double rayleigh_stiffness = 0.; ///< beta

  // J2
  double yield_stress          = 0.; ///< sy
  HardeningType hardening      = HardeningType::linear;
  double hardening_modulus     = 0.;                  ///< H
  double hardening_coefficient = 0.;                  ///< K
  double hardening_exponent    = 0.;                  ///< n
  double swift_strain          = 0.;                  ///< e0
  double saturation_stress     = 0.;                  ///< s_inf
  double saturation_rate       = 0.;                  ///< delta
  std::vector<std::array<double, 2>> hardening_table; ///< (a, stress)
  double kinematic_modulus = 0.; ///< Prager, of the uniaxial test

  /// J2: eta (time) of Perzyna's a' = <f / S>^(1/m) / eta, 0: independent of
  /// the rate. Maxwell: eta (stress times time) of the viscous rate of
  /// deformation dev(tau) / (2 eta).
  double viscosity     = 0.;
  double rate_exponent = 1.; ///< m

  // Sheets only.
  std::array<double, 3> r_values{ { 1., 1., 1. } }; ///< r0, r45, r90
  double yield_exponent = 8.; ///< M of Barlat
  /// C_j and gamma_j of X_j' = C_j n p' - gamma_j X_j p', as many of the one as
  /// of the other, beside Prager's.
  std::vector<double> back_stress_moduli, back_stress_rates;
  static constexpr unsigned int max_back_stresses = 8; ///< Prager's included
  std::array<double, 3> young_moduli{};   ///< orthotropic: E_1, E_2, E_3
  std::array<double, 3> poisson_ratios{}; ///< nu_12, nu_13, nu_23
  std::array<double, 3> shear_moduli{};   ///< G_12, G_13, G_23
};

struct BodyParameters
{
  std::string name;
  BodyType type = BodyType::solid; ///< or solid_shell
  MeshParameters mesh;
  std::string physical_name; ///< of the volume group in the mesh; default:
                             ///< the body's name, or the only group
  std::string material;
  unsigned int degree     = 1; ///< of the elements, 1 or 2
  MassType mass           = MassType::consistent;
  Dilatation dilatation   = Dilatation::automatic;
  double thickness        = 1.;    ///< of plane bodies
  double theta            = -1.;   ///< negative: that of section Time
  bool has_matrix         = false; ///< of its own, not that of section Newton
  CorrectingMatrix matrix = CorrectingMatrix::full;
  std::string body_force;       ///< expressions of x,y[,z],t, ';' separated,
                                ///< per unit mass, added to gravity
  std::string initial_velocity; ///< expressions of x,y[,z]
  EntryOrigins origins;         ///< by entry of the section: "Mesh/File"

  /// What begins an error of the entry (see EntryOrigins); if it is not known
  /// where the entry was written, @p otherwise after the body's name.
  std::string where(const std::string &entry,
                    const std::string &otherwise) const
  {
    const auto found = origins.find(entry);
    return found != origins.end() ? found->second
                                  : "Body '" + name + "', " + otherwise;
  }
};

enum class BoundaryConditionType
{
  fixed,        ///< v = 0 on the chosen components
  displacement, ///< u = value(x, t)
  velocity,     ///< v = value(x, t)
  pressure,     ///< force per area along the inward normal, value(x, t)
  traction,     ///< force per area, vector value(x, t)
  // Of shells only.
  clamped,  ///< v = 0 and no rotation
  symmetry, ///< of a plane across an axis: v = 0 along it, no rotation about
            ///< the others
  force,    ///< in all, shared by the nodes, value(t)
  moment    ///< the same
};

struct BoundaryConditionParameters
{
  std::string name;
  BoundaryConditionType type = BoundaryConditionType::fixed;
  std::vector<std::string> surfaces; ///< "body/surface" or "surface"
  /// 0, 1, 2, of shells also 3, 4, 5: the rotations about x, y, z; empty: all
  /// translations.
  std::vector<unsigned int> components;
  std::vector<double> point; ///< of shells: the node nearest to it; or empty
  /// Expressions of x,y[,z],t, ';' separated: one for a pressure, else one
  /// for each direction (zero where the component is not prescribed).
  std::string value;
};

/// A rigid body that bodies may touch: its surface at time 0, and its motion
///   x -> center + R(t) (x - center) + d(t).
struct ObstacleParameters : ShapeParameters
{
  std::string displacement;               ///< expressions of t, ';' separated
  std::string velocity;                   ///< instead of the displacement
  double start_time = 0., time_step = 1.; ///< from where it is integrated
  /// Translations, then the rotation, that are left to forces; empty: none.
  std::vector<bool> free;
  double mass    = 0.; ///< of free translations; quasi static: its weight
  double inertia = 0.; ///< of a free rotation, about its axis
  double damping = 0., rotational_damping = 0.;
  std::string force;  ///< on free translations: expressions of t
  std::string torque; ///< on a free rotation
  std::vector<double> initial_velocity; ///< of free translations
  std::string rotation;                 ///< angle in degrees, expression of t
  std::vector<double> center;           ///< of the rotation
  std::vector<double> rotation_axis;    ///< 3D
};

enum class ContactLawType
{
  gap_signorini_coulomb,
  velocity_signorini_coulomb,
  frictionless,  ///< gap Signorini, no friction
  tresca,        ///< gap Signorini, friction bounded by a given stress
  elastic_joint, ///< springs in pressure and shear, Coulomb
  cohesive,      ///< a bond of Mohr and Coulomb that breaks, then Coulomb
  tied           ///< what touches when the run begins stays together
};

struct ContactLawParameters
{
  std::string name;
  ContactLawType type = ContactLawType::gap_signorini_coulomb;
  double friction     = 0.; ///< mu (static, if there is a dynamic one)
  /// mu as an expression of x,y[,z],t,v (sliding speed),p (pressure); empty:
  /// `friction`.
  std::string friction_expression;
  double dynamic_friction    = -1.; ///< negative: the same as `friction`
  double transition_velocity = 0.;  ///< from static to dynamic
  double shear_limit         = 0.;  ///< Tresca: force per area
  /// Elastic joint: force per area and displacement.
  double normal_stiffness     = 0.;
  double tangential_stiffness = 0.; ///< 0: rigid in shear
  /// Cohesive: tension that the bond holds, force per area; or a force for each
  /// contact.
  double tensile_strength  = 0.;
  double bond_force        = 0.;
  double cohesive_friction = -1.; ///< while intact; negative: `friction`
  double bonding_gap       = 0.;  ///< what is nearer at the start is bonded
};

enum class CandidatePoints
{
  automatic, ///< midpoints of blocks with few faces, else nodes
  nodes,
  midpoints, ///< middle of each face of the surface (the papers' choice)
  gauss,     ///< Gauss points of each face
  positions  ///< given positions in [0, 1] along each edge
};

enum class ContactFormulation
{
  points, ///< each candidate point against the face it projects to
  mortar  ///< gaps averaged over the faces by weighted integrals
};

enum class ContactNormals
{
  face,    ///< of the antagonist face
  averaged ///< continuous: nodal averages interpolated on the antagonist
};

/// Which sides of sheets among the candidates.
enum class SheetSide
{
  both,
  outer,
  inner
};

struct InteractionParameters
{
  std::string name;
  std::vector<std::string> candidates;  ///< surfaces (a body: all its boundary)
  std::vector<std::string> antagonists; ///< surfaces, bodies or obstacles
  std::string law;
  CandidatePoints points = CandidatePoints::automatic;
  std::vector<double> positions;
  double search_distance = 0.5; ///< alert distance, in sizes of the face
  ContactFormulation formulation = ContactFormulation::points;
  ContactNormals normals         = ContactNormals::face;
  bool two_pass  = false; ///< antagonist surfaces are candidates too
  SheetSide side = SheetSide::both;
};

/// Which method solves the Signorini-Coulomb problem.
enum class ContactSolverType
{
  automatic, ///< chosen from the problem, with hand-over and fall-back
  gauss_seidel,
  parallel_gauss_seidel, ///< threads, contacts in colours
  projected_gradient,
  admm,         ///< on W
  global_admm,  ///< on the effective matrix and H
  newton,       ///< semismooth, with a proximal point where W is singular
  global_newton ///< the same on the effective matrix and H
};

enum class SweepOrder
{
  forward,
  symmetric, ///< forward then backward
  random,    ///< another order each sweep
  graph      ///< breadth first from contact to coupled contact, then back
};

enum class ContactCriterion
{
  unit_free,       ///< natural map, unit-free, divided by |q| (default)
  siconos,         ///< natural map as Siconos 4.4 measures it
  impulse_change,  ///< relative change of the impulses in one sweep
  worst_violation, ///< penetration, cone, complementarity in user's units
  relaxed          ///< margins (delta g, delta R) of the fourth paper
};

enum class DelassusStorage
{
  automatic,
  block_sparse,
  dense,
  matrix_free
};

/// Which ranks solve the contact problem.
enum class ContactDistribution
{
  automatic, ///< all, unless contacts are few or mostly coupled across ranks
  one_rank,
  all_ranks
};

struct ContactSolverParameters
{
  ContactSolverType type           = ContactSolverType::automatic;
  SweepOrder order                 = SweepOrder::symmetric;
  ContactCriterion criterion       = ContactCriterion::unit_free;
  double tolerance                 = 1e-7;
  double gap_margin                = 0.; ///< relaxed: delta g (length)
  double force_margin              = 0.; ///< relaxed: delta R (force)
  unsigned int max_sweeps          = 5000;
  double relaxation                = 1.;
  bool warm_start                  = true;
  bool working_set                 = true; ///< in Newton loops
  bool inexact                     = true; ///< in their first iterations
  DelassusStorage storage          = DelassusStorage::automatic;
  ContactDistribution distribution = ContactDistribution::automatic;
  /// Redo detection and frames when a surface node has moved by more than
  /// this fraction of the smallest contact face since they were made; 0:
  /// every step; negative: never.
  double update_distance     = 0.05;
  bool stop_if_not_converged = false;
  /// Go on, and the run counts as good all the same.
  bool accept_not_converged = false;
  /// Iterates that Anderson's acceleration remembers; 0: none.
  unsigned int acceleration = 0;
  unsigned int n_threads    = 1;  ///< of the parallel Gauss-Seidel
  double time_limit         = 0.; ///< seconds for one problem; 0: none

  // Contact problems written as files.
  unsigned int dump_steps  = 0;     ///< every so many steps; 0: none
  bool dump_hardest        = false; ///< the one with most iterations
  unsigned int dump_failed = 3;     ///< at most, of those not converged
  bool dump_global         = false; ///< effective matrix and H instead of W
};

enum class LinearSolverType
{
  automatic, ///< by size
  dense,     ///< explicit inverse
  cholmod,
  mumps,
  amg ///< conjugate gradients with algebraic multigrid
};

struct LinearSolverParameters
{
  LinearSolverType type = LinearSolverType::automatic;
  double tolerance      = 1e-10; ///< amg: of the relative residual
  double memory_limit   = 0.;    ///< GiB for factors and W; 0: of the machine
  bool reproducible     = true;  ///< bodies split over ranks: whole factors
};

enum class EventTrigger
{
  time,     ///< at or after a time
  resultant ///< when a resultant of an interaction first reaches a value
};

enum class EventAction
{
  zero_velocity, ///< v = 0 everywhere, displacements and impulses kept
  write,         ///< write a result file now
  stop           ///< end the run after this step, successfully
};

struct EventParameters
{
  std::string name;
  EventTrigger trigger = EventTrigger::time;
  double time          = 0.;
  std::string interaction;          ///< of the resultant
  unsigned int component = 0;       ///< axis of the resultant
  double value           = 0.;      ///< threshold, a force ...
  bool in_weights        = false;   ///< ... or a multiple of weight
  std::vector<EventAction> actions; ///< in this order
};

struct ProbeParameters
{
  std::string name;
  std::string body;          ///< empty: the nearest node of any body
  std::vector<double> point; ///< reference position; the nearest node is used
};

struct OutputParameters
{
  std::string directory; ///< run directory
  double interval = 0.;  ///< time between result files; 0: last state
  unsigned int interval_steps   = 0; ///< or steps between them; 0: by time only
  unsigned int history_steps    = 1; ///< steps between rows of the .csv files
  bool contact_points           = true;
  bool shell_layers             = false; ///< every layer of sheets, not 3 faces
  double checkpoint_interval    = 0.; ///< time between checkpoints; 0: by steps
  unsigned int checkpoint_steps = 0;  ///< 0: by time only
  double checkpoint_minutes     = 10.; ///< of wall time between them; 0: none
  unsigned int n_checkpoints    = 2;   ///< that are kept
};

/// What a run is watched for: results that the equations were solved for, but
/// that should not be trusted.
struct CheckParameters
{
  /// Relative residual of the energy balance that is told (a hundred times the
  /// tolerance of the Newton loop at least, in Newton runs).
  double energy_residual = 1e-6;
  /// Share of the energy exchanged that the scheme may dissipate untold.
  double numerical_dissipation = 0.1;
  /// Linear elastic bodies: strain and rotation above which their theory is
  /// left, told.
  double small_strain   = 0.05;
  double small_rotation = 0.1;
  /// Linear elastic bodies: cells turned inside out, or of twice or half their
  /// volume, end the run.
  bool stop_if_distorted = true;
};

struct Parameters
{
  std::string file; ///< the file they came from
  std::string title;
  unsigned int dimension = 2;
  Assumption assumption  = Assumption::plane_strain;
  std::vector<double> gravity;

  TimeParameters time;
  NewtonParameters newton;
  std::vector<MaterialParameters> materials;
  std::vector<BodyParameters> bodies; ///< solids
  std::vector<ShellParameters> shells;
  std::vector<BoundaryConditionParameters> boundary_conditions;
  std::vector<ObstacleParameters> obstacles;
  std::vector<RigidBodyParameters> rigid_bodies;
  std::vector<ContactLawParameters> laws;
  std::vector<InteractionParameters> interactions;
  ContactSolverParameters contact_solver;
  LinearSolverParameters linear_solver;
  std::vector<EventParameters> events;
  std::vector<ProbeParameters> probes;
  OutputParameters output;
  CheckParameters checks;
  EntryOrigins origins; ///< of all entries

  /// What begins an error of the entry @p entry of @p section ("Interaction
  /// joints"): where it was written, section, entry and value.
  std::string where(const std::string &section, const std::string &entry) const
  {
    const auto found = origins.find(section + "/" + entry);
    if (found != origins.end())
      return found->second;
    return (file.empty() ? "" : file + ": ") + "section '" + section +
           "', entry '" + entry + "'";
  }
};
} // namespace delassus

#endif

#include <delassus/parameters/sections.h>
#include <delassus/base/exceptions.h>
#include <delassus/parameters/formula.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace delassus
{
SectionDeclaration ContactLawSection::declaration()
{
  SectionDeclaration section;
  section.kind          = "Contact law";
  section.named         = true;
  section.list          = "Contact laws";
  section.documentation = "What happens between two surfaces that touch.";
  section.entries       = {
          declare::choice("Type",
                    "gap signorini coulomb",
                    { "gap signorini coulomb",
                            "velocity signorini coulomb",
                            "frictionless",
                            "tresca",
                            "elastic joint",
                            "cohesive",
                            "tied" },
                    "gap: no interpenetration at the end of a step; velocity: "
                          "no approach once a contact is forecast (inelastic shock); "
                          "frictionless: gap, no friction; tresca: gap, friction "
                          "bounded by a given stress; elastic joint: springs in "
                          "pressure and shear, Coulomb's friction; cohesive: what "
                          "touches when the run begins is bonded until it breaks by "
                          "tension or shear, Coulomb's friction afterwards; tied: "
                          "what touches when the run begins stays together."),
          declare::text("Friction",
                  "",
                  "a number, 0 or greater, or an expression of x,y[,z],t,v,p",
                  "Coulomb's coefficient (static, beside Dynamic friction). "
                        "In an expression x,y[,z] is the position of the contact "
                        "point, v its sliding speed and p the pressure.")
              .without_default("must be given for Coulomb's laws and cohesive; "
                               "elastic joint: no friction"),
          declare::number(
        "Dynamic friction",
        "",
        Range::nonnegative(),
        "",
        "Coulomb's coefficient of fast sliding, not above Friction.")
              .without_default("the same as Friction"),
          declare::number(
        "Transition velocity",
        "0",
        Range::nonnegative(),
        "length/time",
        "v_t of mu_d + (mu_s - mu_d) exp(-v/v_t); 0: static at rest, "
              "dynamic when sliding."),
          declare::number("Shear limit",
                    "",
                    Range::nonnegative(),
                    "force/length^2",
                    "Of the tangential force per area while the contact is "
                          "closed.")
              .without_default("must be given for Type = tresca"),
          declare::number("Normal stiffness",
                    "",
                    Range::positive(),
                    "force/length^3",
                    "Of an elastic joint: pressure per displacement.")
              .without_default("must be given for Type = elastic joint"),
          declare::number("Tangential stiffness",
                    "",
                    Range::positive(),
                    "force/length^3",
                    "Of an elastic joint with friction: shear stress per "
                          "displacement.")
              .without_default("rigid in shear"),
          declare::number("Tensile strength",
                    "",
                    Range::nonnegative(),
                    "force/length^2",
                    "c: the tension that a cohesive bond holds. Its shear "
                          "strength under the pressure p is Cohesive friction "
                          "times p + c.")
              .without_default(
            "this or Bond force must be given for Type = cohesive"),
          declare::number("Bond force",
                    "",
                    Range::nonnegative(),
                    "force",
                    "The same as a force for each contact, whatever its area.")
              .without_default(
            "this or Tensile strength must be given for Type = cohesive"),
          declare::number("Cohesive friction",
                    "",
                    Range::nonnegative(),
                    "",
                    "tan phi: friction while the bond is intact; Friction is "
                          "for what is broken. 0: the bond may slide.")
              .without_default("the same as Friction"),
          declare::number("Bonding gap",
                    "0",
                    Range::nonnegative(),
                    "length",
                    "Contacts with gaps up to this when the run begins are "
                          "bonded. Type = tied: a thousandth of the contact's "
                          "size, if that is more, and overlaps as well.")
  };
  return section;
}

namespace
{
/// What an elastic joint has and others have not.
void parse_joint(const SectionReader &reader,
                 const std::string &type,
                 ContactLawParameters &law)
{
  const std::string joint = "Type = elastic joint";
  if (law.type != ContactLawType::elastic_joint)
  {
    for (const char *entry : { "Normal stiffness", "Tangential stiffness" })
      reader.forbid(entry, "it is for " + joint + " and " + type);
    return;
  }
  if (reader.require("Normal stiffness", "for " + joint))
    law.normal_stiffness = reader.number("Normal stiffness");
  if (reader.given("Tangential stiffness"))
    law.tangential_stiffness = reader.number("Tangential stiffness");
}

/// What a cohesive bond has and others have not.
void parse_bond(const SectionReader &reader,
                const std::string &type,
                ContactLawParameters &law)
{
  const std::string cohesive = "Type = cohesive";
  const bool tied            = law.type == ContactLawType::tied;
  if (law.type != ContactLawType::cohesive)
  {
    for (const char *entry :
         { "Tensile strength", "Bond force", "Cohesive friction" })
      reader.forbid(entry, "it is for " + cohesive + " and " + type);
    if (tied)
      law.bonding_gap = reader.number("Bonding gap");
    else
      reader.forbid("Bonding gap",
                    "it is for " + cohesive + " or tied and " + type);
    return;
  }
  if (reader.given("Bond force"))
  {
    law.bond_force = reader.number("Bond force");
    reader.forbid("Tensile strength", "Bond force is given");
  }
  else if (reader.require("Tensile strength",
                          "for " + cohesive + " without Bond force"))
    law.tensile_strength = reader.number("Tensile strength");
  if (reader.given("Cohesive friction"))
    law.cohesive_friction = reader.number("Cohesive friction");
  law.bonding_gap = reader.number("Bonding gap");
}
} // namespace

ContactLawParameters ContactLawSection::parse(const SectionReader &reader,
                                              const SectionContext &context)
{
  ContactLawParameters law;
  law.name               = reader.name();
  law.type               = reader.choice<ContactLawType>("Type");
  const std::string type = "Type = " + reader.text("Type");
  if (law.type == ContactLawType::tresca)
  {
    law.shear_limit = reader.number("Shear limit");
    reader.require("Shear limit", "for " + type);
  }
  else
    reader.forbid("Shear limit", "it is for Type = tresca and " + type);
  parse_joint(reader, type, law);
  parse_bond(reader, type, law);
  if (law.type == ContactLawType::tresca ||
      law.type == ContactLawType::frictionless ||
      law.type == ContactLawType::tied)
  {
    for (const char *entry :
         { "Friction", "Dynamic friction", "Transition velocity" })
      reader.forbid(entry, type + " has no coefficient of friction");
    return law;
  }
  if (law.type == ContactLawType::elastic_joint && !reader.given("Friction"))
  {
    for (const char *entry :
         { "Dynamic friction", "Transition velocity", "Tangential stiffness" })
      reader.forbid(entry, "there is no Friction that it could go with");
    return law;
  }
  if (!reader.require("Friction", "for " + type))
    return law;

  // A number, or else an expression.
  const std::string friction = reader.text("Friction");
  char *end                  = nullptr;
  law.friction               = std::strtod(friction.c_str(), &end);
  if (*end == '\0')
  {
    if (!(law.friction >= 0. && law.friction <= Range::nonnegative().max))
      reader.error("Friction", "allowed: " + Range::nonnegative().text + ".");
  }
  else
  {
    law.friction                = 0.;
    law.friction_expression     = friction;
    const std::string variables = context.variables(true) + ",v,p";
    try
    {
      const Formula formula(friction, variables);
    }
    catch (const InputError &e)
    {
      reader.error("Friction",
                   fmt::format("expression '{}' is not understood: {} Allowed: "
                               "numbers, + - * / ^, functions, pi, and the "
                               "variables {}.",
                               friction,
                               e.what(),
                               variables));
    }
    for (const char *entry : { "Dynamic friction", "Transition velocity" })
      reader.forbid(entry, "Friction is an expression");
    if (law.type == ContactLawType::cohesive)
      reader.require("Cohesive friction", "where Friction is an expression");
    return law;
  }

  if (reader.given("Dynamic friction"))
  {
    law.dynamic_friction    = reader.number("Dynamic friction");
    law.transition_velocity = reader.number("Transition velocity");
    if (law.dynamic_friction > law.friction)
      reader.error("Dynamic friction",
                   fmt::format("contradictory settings: it is above the static "
                               "one; allowed: up to Friction = {}.",
                               friction));
  }
  else
    reader.forbid("Transition velocity", "there is no Dynamic friction");
  return law;
}

SectionDeclaration InteractionSection::declaration()
{
  SectionDeclaration section;
  section.kind  = "Interaction";
  section.named = true;
  section.list  = "Interactions";
  section.documentation =
      "Which surfaces may touch which, and by which law. One "
      "body as both is every block against its neighbours and itself.";
  section.entries = {
    declare::names("Candidates",
                   "Surfaces on which contact points are put: 'body' (all its "
                   "boundary), 'body/surface' or 'surface'.")
        .without_default(),
    declare::names("Antagonists",
                   "Surfaces they may touch: as Candidates, or obstacles.")
        .without_default(),
    declare::text("Law", "", "the name of a contact law", "Of the contacts.")
        .without_default(),
    declare::choice("Points",
                    "automatic",
                    { "automatic", "nodes", "midpoints", "gauss", "positions" },
                    "Contact points: at the nodes, in the middle of each face "
                    "of a cell, at its Gauss points, or at given positions. "
                    "automatic: mid-points of pieces with at most two faces "
                    "along each side (blocks), else nodes."),
    declare::numbers("Positions",
                     Range::closed(0., 1.),
                     "",
                     "Along each edge of a cell, for Points = positions.")
        .without_default("must be given for Points = positions"),
    declare::number("Search distance",
                    "0.5",
                    Range::positive(),
                    "sizes of the face",
                    "Pairs nearer than this are candidates."),
    declare::choice("Formulation",
                    "points",
                    { "points", "mortar" },
                    "points: the gap of each contact point; mortar: gaps "
                    "averaged over the candidates' faces, one contact for each "
                    "of their corners, which gives right pressures on meshes "
                    "that do not match."),
    declare::choice("Passes",
                    "1",
                    { "1", "2" },
                    "2: antagonist surfaces have contact points too, which may "
                    "touch the candidates' faces."),
    declare::choice("Normals",
                    "face",
                    { "face", "averaged" },
                    "Of the antagonist face, or averaged at its nodes (except "
                    "across edges of more than 50 degrees) and interpolated."),
    declare::choice("Side",
                    "both",
                    { "both", "outer", "inner" },
                    "Of shells among the Candidates, where a whole body is "
                    "named.")
  };
  return section;
}

InteractionParameters InteractionSection::parse(const SectionReader &reader,
                                                const SectionContext &context)
{
  InteractionParameters interaction;
  interaction.name            = reader.name();
  interaction.candidates      = reader.list("Candidates");
  interaction.antagonists     = reader.list("Antagonists");
  interaction.law             = reader.text("Law");
  interaction.points          = reader.choice<CandidatePoints>("Points");
  interaction.positions       = reader.numbers("Positions");
  interaction.search_distance = reader.number("Search distance");
  interaction.formulation = reader.choice<ContactFormulation>("Formulation");
  interaction.two_pass    = reader.text("Passes") == "2";
  interaction.normals     = reader.choice<ContactNormals>("Normals");
  interaction.side        = reader.choice<SheetSide>("Side");
  if (interaction.formulation == ContactFormulation::mortar)
  {
    for (const std::string entry : { "Points", "Normals" })
      reader.forbid(entry,
                    "Formulation = mortar has its own (one at each corner of "
                    "the faces, averaged)");
    if (interaction.two_pass)
      reader.error("Passes",
                   "contradictory settings: the rows of Formulation = mortar "
                   "know both sides, those of a second pass would say the "
                   "same again; allowed: 1.");
  }

  const auto &bodies    = context.names.at("Body");
  const auto &obstacles = context.names.at("Obstacle");
  for (const std::string entry : { "Candidates", "Antagonists" })
  {
    reader.require(entry);
    auto names = reader.list(entry);
    for (const auto &name : names)
    {
      // A plain name may be a surface of a mesh not read yet.
      const auto slash = name.find('/');
      if (name.empty())
        reader.error(entry, "one of the names is empty.");
      else if (slash != std::string::npos)
        reader.check_name(entry, name.substr(0, slash), bodies, "body");
      else if (entry == "Candidates" &&
               std::find(obstacles.begin(), obstacles.end(), name) !=
                   obstacles.end())
        reader.error(entry,
                     fmt::format("'{}' is an obstacle; allowed: bodies and "
                                 "surfaces (obstacles are antagonists).",
                                 name));
    }
    std::sort(names.begin(), names.end());
    const auto twice = std::adjacent_find(names.begin(), names.end());
    if (twice != names.end())
      reader.error(entry, fmt::format("'{}' is given twice.", *twice));
  }
  if (reader.require("Law"))
    reader.check_name(
        "Law", interaction.law, context.names.at("Contact law"), "contact law");
  if (interaction.points == CandidatePoints::positions)
  {
    reader.require("Positions", "for Points = positions");
    auto sorted = interaction.positions;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
      reader.error("Positions", "a position is given twice.");
  }
  else
    reader.forbid("Positions",
                  "it is for Points = positions and Points = " +
                      reader.text("Points"));
  return interaction;
}

SectionDeclaration ContactSolverSection::declaration()
{
  SectionDeclaration section;
  section.kind          = "Contact solver";
  section.documentation = "The Signorini-Coulomb loop: how the contact problem "
                          "of a step is solved.";
  section.entries       = {
          declare::choice("Solver",
                    "auto",
                    { "auto",
                            "Gauss-Seidel",
                            "parallel Gauss-Seidel",
                            "projected gradient",
                            "ADMM",
                            "global ADMM",
                            "Newton",
                            "global Newton" },
                    "auto: chosen from the problem, with another method where "
                          "the first one stalls. The global ones work on the matrix "
                          "of the bodies and never form W."),
          declare::choice("Sweeps",
                    "symmetric",
                    { "forward", "symmetric", "random", "graph" },
                    "Order of the contacts in Gauss-Seidel: always the same; "
                          "forward then backward; another one each sweep; or from "
                          "contact to coupled contact and back."),
          declare::count("Acceleration",
                   "0",
                   0,
                   "Iterates that Anderson's acceleration of Gauss-Seidel "
                         "remembers; 0: none. The other methods choose their own."),
          declare::count(
        "Threads", "1", 1, "Of the parallel Gauss-Seidel on each rank."),
          declare::number("Time limit",
                    "0",
                    Range::nonnegative(),
                    "s of wall time",
                    "For one contact problem, which is then not converged; 0: "
                          "none. Results may then depend on the machine."),
          declare::choice("Criterion",
                    "unit free",
                    { "unit free",
                            "siconos",
                            "impulse change",
                            "worst violation",
                            "relaxed" },
                    "What Tolerance is compared with: the unit-free natural "
                          "map; the one of Siconos; the relative change of the "
                          "impulses in a sweep; the worst penetration, cone or "
                          "complementarity violation in the units of the file; or "
                          "margins of gap and force."),
          declare::number("Tolerance",
                    "1e-7",
                    Range::positive(),
                    "of the criterion",
                    "At which the loop ends."),
          declare::number("Gap margin",
                    "0",
                    Range::nonnegative(),
                    "length",
                    "For Criterion = relaxed: gaps may violate by this."),
          declare::number("Force margin",
                    "0",
                    Range::nonnegative(),
                    "force",
                    "For Criterion = relaxed: forces may violate by this."),
          declare::count("Maximum sweeps",
                   "5000",
                   1,
                   "Sweeps or iterations after which the loop ends, not "
                         "converged."),
          declare::number("Relaxation",
                    "1",
                    Range::open(0., 2.),
                    "",
                    "Of each update of an impulse; 1: none."),
          declare::flag(
        "Warm start", true, "Start from the impulses of the previous step."),
          declare::flag("Working set",
                  true,
                  "In Newton loops: only contacts that press or may close are "
                        "solved for; the others are looked at after each solution "
                        "and join if they are violated. false: all contacts within "
                        "reach."),
          declare::flag("Inexact iterations",
                  true,
                  "In Newton loops: contact is solved no better than what an "
                        "iteration is expected to leave of its laws, the last ones "
                        "to the tolerance. false: to the tolerance each time."),
          declare::choice("Storage",
                    "automatic",
                    { "automatic", "block sparse", "dense", "matrix free" },
                    "Of the Delassus operator W."),
          declare::choice("Distribution",
                    "automatic",
                    { "automatic", "one rank", "all ranks" },
                    "On several MPI ranks: which of them solve the contact "
                          "problem; automatic: all, unless contacts are few or "
                          "mostly coupled across ranks."),
          declare::number("Update distance",
                    "0.05",
                    Range::any(),
                    "sizes of the smallest contact face",
                    "Detection and frames are redone when a surface node has "
                          "moved by more than this since; 0: every step; negative: "
                          "never."),
          declare::choice("If not converged",
                    "fail",
                    { "fail", "go on", "stop" },
                    "What becomes of a run with a step that is not solved to "
                          "its tolerance: the contact loop, varying friction, the "
                          "balance of forces or the Newton loop. fail: it goes on "
                          "to its end and then counts as failed (exit code 1); go "
                          "on: it is accepted (exit code 0, but the last line and "
                          "summary.json say so); stop: the step is tried in "
                          "halves, and if that does not help the run ends there "
                          "as failed."),
          declare::count("Dump steps",
                   "0",
                   0,
                   "Write the contact problem of every so many steps as an "
                         "FCLIB file into problems/ of the run directory; 0: none."),
          declare::flag("Dump hardest",
                  false,
                  "Write the contact problem that took most iterations."),
          declare::count("Dump failed",
                   "3",
                   0,
                   "Write the contact problems that were not solved to the "
                         "tolerance, at most so many."),
          declare::choice("Dump form",
                    "local",
                    { "local", "global" },
                    "local: W and the free relative velocities; global: the "
                          "effective matrix of the bodies, H and the loads.")
  };
  return section;
}

ContactSolverParameters ContactSolverSection::parse(const SectionReader &reader)
{
  ContactSolverParameters solver;
  solver.type            = reader.choice<ContactSolverType>("Solver");
  solver.order           = reader.choice<SweepOrder>("Sweeps");
  solver.criterion       = reader.choice<ContactCriterion>("Criterion");
  solver.tolerance       = reader.number("Tolerance");
  solver.gap_margin      = reader.number("Gap margin");
  solver.force_margin    = reader.number("Force margin");
  solver.max_sweeps      = reader.count("Maximum sweeps");
  solver.relaxation      = reader.number("Relaxation");
  solver.warm_start      = reader.flag("Warm start");
  solver.working_set     = reader.flag("Working set");
  solver.inexact         = reader.flag("Inexact iterations");
  solver.storage         = reader.choice<DelassusStorage>("Storage");
  solver.distribution    = reader.choice<ContactDistribution>("Distribution");
  solver.update_distance = reader.number("Update distance");
  solver.stop_if_not_converged = reader.text("If not converged") == "stop";
  solver.accept_not_converged  = reader.text("If not converged") == "go on";
  solver.acceleration          = reader.count("Acceleration");
  solver.n_threads             = reader.count("Threads");
  solver.time_limit            = reader.number("Time limit");
  solver.dump_steps            = reader.count("Dump steps");
  solver.dump_hardest          = reader.flag("Dump hardest");
  solver.dump_failed           = reader.count("Dump failed");
  solver.dump_global           = reader.text("Dump form") == "global";
  const bool relaxed           = solver.criterion == ContactCriterion::relaxed;
  for (const std::string entry : { "Gap margin", "Force margin" })
    if (relaxed && reader.number(entry) == 0.)
      reader.error(entry,
                   "contradictory settings: Criterion = relaxed needs both "
                   "margins; allowed: a number greater than 0.");
    else if (!relaxed)
      reader.forbid(entry,
                    "it is for Criterion = relaxed and Criterion = " +
                        reader.text("Criterion"));
  return solver;
}

SectionDeclaration LinearSolverSection::declaration()
{
  SectionDeclaration section;
  section.kind = "Linear solver";
  section.documentation =
      "How w, the inverse of the effective matrix, is applied, and the memory "
      "it may take. May be left out.";
  section.entries = {
    declare::choice("Type",
                    "automatic",
                    { "automatic", "dense", "cholmod", "mumps", "amg" },
                    "Explicit inverse; sparse Cholesky factor by CHOLMOD; the "
                    "same by MUMPS; or conjugate gradients with algebraic "
                    "multigrid, which needs least memory. automatic: dense for "
                    "small blocks, CHOLMOD above, and amg where the factor "
                    "would exceed Memory limit."),
    declare::number("Tolerance",
                    "1e-10",
                    Range::open(0., 1.),
                    "",
                    "Relative residual at which conjugate gradients end."),
    declare::number("Memory limit",
                    "0",
                    Range::nonnegative(),
                    "GiB",
                    "On each rank, for factors and compliances. What would "
                    "exceed it is not attempted. 0: 60 % of what the machine "
                    "has available, divided by the ranks on it."),
    declare::flag(
        "Reproducible",
        true,
        "Of a body split over MPI ranks: each rank factorizes its part of "
        "the body, and all ranks the dofs between the parts. Where these are "
        "too many, true: each rank has the whole factor, and a run gives the "
        "same bits each time on as many ranks; false: MUMPS shares the factor "
        "among the ranks, which takes less memory on each, and rounds as "
        "messages arrive. For Type = automatic or mumps.")
  };
  return section;
}

LinearSolverParameters LinearSolverSection::parse(const SectionReader &reader)
{
  LinearSolverParameters solver;
  solver.type         = reader.choice<LinearSolverType>("Type");
  solver.tolerance    = reader.number("Tolerance");
  solver.memory_limit = reader.number("Memory limit");
  solver.reproducible = reader.flag("Reproducible");
  if (solver.type != LinearSolverType::amg &&
      solver.type != LinearSolverType::automatic)
    reader.forbid("Tolerance",
                  "it is for Type = amg or automatic and Type = " +
                      reader.text("Type"));
  if (solver.type != LinearSolverType::mumps &&
      solver.type != LinearSolverType::automatic)
    reader.forbid("Reproducible",
                  "it is for Type = automatic or mumps and Type = " +
                      reader.text("Type"));
  return solver;
}
} // namespace delassus

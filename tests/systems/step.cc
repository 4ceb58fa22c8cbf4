// The step, W and the contact set with systems that are made up for it.
#include "masses.h"

#include <delassus/simulation/step.h>

#include <gtest/gtest.h>

#include <random>
#include <sstream>

using namespace delassus;
using test::TwoMasses;

namespace
{
/// Masses over a floor, and what a step needs of the rest of the program.
struct Scene
{
  static Parameters parameters(const std::vector<std::string> &candidates,
                               const std::vector<std::string> &antagonists,
                               const double friction)
  {
    Parameters p;
    p.time.step = 0.01;
    ObstacleParameters floor;
    floor.name   = "floor";
    floor.point  = { 0., 0. };
    floor.normal = { 0., 1. };
    p.obstacles  = { floor };
    ContactLawParameters law;
    law.name     = "rough";
    law.friction = friction;
    p.laws       = { law };
    InteractionParameters interaction;
    interaction.name             = "touch";
    interaction.candidates       = candidates;
    interaction.antagonists      = antagonists;
    interaction.law              = "rough";
    interaction.points           = CandidatePoints::nodes;
    p.interactions               = { interaction };
    p.contact_solver.tolerance   = 1e-12;
    p.contact_solver.dump_failed = 0;
    p.newton.tolerance           = 1e-12;
    return p;
  }

  Scene(std::vector<std::unique_ptr<System<2>>> systems,
        const std::vector<std::string> &candidates,
        const std::vector<std::string> &antagonists,
        const double friction = 0.)
      : model(parameters(candidates, antagonists, friction),
              MPI_COMM_SELF,
              std::move(systems))
      , contact(model)
      , equilibrium(model, contact)
      , log(text)
      , dumps(model, contact, log)
      , step(model, contact, equilibrium, dumps, log, timer)
  {
    const double h = model.parameters.time.step;
    for (auto *system : model.systems)
      system->set_step(h);
    contact.update_compliance();
  }

  bool advance()
  {
    const double h = model.parameters.time.step;
    if (!step.attempt(++n, t, h))
      return false;
    for (auto *system : model.systems)
      system->accept();
    contact.accept(t, h);
    t += h;
    return true;
  }

  std::ostringstream text;
  Model<2> model;
  ContactPhase<2> contact;
  Equilibrium<2> equilibrium;
  Log log;
  PhaseTimer timer;
  ProblemDumps<2> dumps;
  Step<2> step;
  double t       = 0.;
  unsigned int n = 0;
};

std::unique_ptr<TwoMasses>
masses(const double y, const double c = 0., const bool lumped = false)
{
  auto system =
      std::make_unique<TwoMasses>("pair", dealii::Point<2>(0., y), lumped);
  system->c = c;
  return system;
}

/// A contact that pushes the harder the farther it is open, as a joint that
/// softens: calP_N = P_N - h k g+, calU_N = g+ / h. It has one solution while
/// h^2 k W_NN < 1.
class Softening : public ContactLaw<2>
{
public:
  explicit Softening(const double k)
      : k(k)
  {
  }
  std::string name() const override
  {
    return "softening";
  }
  ChangeOfVariables<2> prepare(const CandidateState<2> &candidate,
                               const double *,
                               const double *) const override
  {
    const double h           = candidate.h;
    const LocalMatrix<2> one = { { 1., 0., 0., 1. } }, none{};
    ChangeOfVariables<2> change;
    change.affine = std::make_shared<AffineLaw<2>>(AffineLaw<2>::from_inverse(
        one,
        none,
        LocalMatrix<2>{ { -h * h * k, 0., 0., 0. } },
        one,
        LocalVector<2>{ { candidate.gap_tilde / h, 0. } },
        LocalVector<2>{ { -h * k * candidate.gap_tilde, 0. } }));
    return change;
  }

private:
  const double k;
};
} // namespace

// A linear system falls, lands without rebound and stays: one iteration a step.
TEST(Step, LinearMassesFallAndLand)
{
  auto made  = masses(0.05);
  auto &pair = *made;
  std::vector<std::unique_ptr<System<2>>> systems;
  systems.push_back(std::move(made));
  Scene scene(std::move(systems), { "pair" }, { "floor" });
  const double h = 0.01, g = 10.;
  for (unsigned int n = 1; n <= 30; ++n)
  {
    ASSERT_TRUE(scene.advance()) << scene.step.last.reason;
    EXPECT_EQ(scene.step.last.iterations, 1u);
    // Implicit Euler in free fall: y_n = y_0 - g h^2 n (n + 1) / 2.
    const double fallen = 0.5 * g * h * h * n * (n + 1);
    for (unsigned int i : { 1, 3 })
      EXPECT_NEAR(0.05 + pair.q[i], std::max(0., 0.05 - fallen), 1e-12);
    if (n > 12)
    {
      EXPECT_NEAR(pair.v[1], 0., 1e-12);
      // The floor carries the weight.
      EXPECT_NEAR(scene.contact.P[0], h * pair.mass * g, 1e-12);
    }
  }
  EXPECT_EQ(pair.n_inverses, 1u);
}

// Laws that soften more than the masses hold, h^2 k / m = 5: no solution is
// taken, also where steps that are not solved are; a shorter step has one.
TEST(Step, SofteningBeyondDefinitenessCutsTheStep)
{
  for (const double c : { 0., 500. })
  {
    auto made  = masses(0., c);
    auto &pair = *made;
    std::vector<std::unique_ptr<System<2>>> systems;
    systems.push_back(std::move(made));
    Scene scene(std::move(systems), { "pair" }, { "floor" });
    const double k      = 5. * pair.mass / (0.01 * 0.01);
    scene.model.laws[0] = std::make_unique<Softening>(k);
    EXPECT_FALSE(scene.advance());
    EXPECT_TRUE(scene.contact.result.indefinite);
    EXPECT_NE(scene.step.last.reason.find("soften"), std::string::npos);
    EXPECT_EQ(pair.q[1], 0.);
    // h^2 k / m = 0.2
    const double h = 0.002;
    scene.contact.restore();
    for (auto *system : scene.model.systems)
      system->set_step(h);
    scene.contact.update_compliance();
    ASSERT_TRUE(scene.step.attempt(1, 0., h)) << scene.step.last.reason;
    EXPECT_FALSE(scene.contact.result.indefinite);
    // On the floor, which carries the weight.
    EXPECT_NEAR(pair.v_new[1], 0., 1e-12);
    EXPECT_NEAR(scene.contact.P[0], h * 20., 1e-10);
  }
}

// A spring that hardens, with friction: the iterates converge quadratically to
// the solution of the scalar equation of the step.
TEST(Step, HardeningSpringIsSolvedByNewton)
{
  auto made  = masses(0., 4000.);
  auto &pair = *made;
  pair.v     = { { -3., 0., 3., 0. } };
  std::vector<std::unique_ptr<System<2>>> systems;
  systems.push_back(std::move(made));
  Scene scene(std::move(systems), { "pair" }, { "floor" }, 0.3);
  const double h = 0.01, m = pair.mass, k = pair.k, c = pair.c;
  double e = 0., u = 6.; // extension and its rate
  for (unsigned int n = 0; n < 15; ++n)
  {
    const double before = u;
    ASSERT_TRUE(scene.advance()) << scene.step.last.reason;
    EXPECT_LE(scene.step.last.iterations, 7u);
    // m (u+ - u)/2 = -h (k e+ + c e+^3) - h mu m g sign(u+), bracketed.
    const auto equation = [&](const double rate)
    {
      const double x = e + h * rate;
      return 0.5 * m * (rate - before) + h * (k * x + c * x * x * x) +
             h * 0.3 * m * 10. * (rate > 0. ? 1. : -1.);
    };
    double low = -20., high = 20.;
    for (unsigned int i = 0; i < 200; ++i)
      (equation(0.5 * (low + high)) > 0. ? high : low) = 0.5 * (low + high);
    u = 0.5 * (low + high);
    e += h * u;
    EXPECT_NEAR(pair.q[2] - pair.q[0], e, 1e-9);
  }
  EXPECT_GT(scene.step.of_run.n_iterations, 30u);
}

// A linear system keeps its w beside one that iterates, and both end where they
// would alone.
TEST(Step, LinearSystemsKeepTheirInverseBesideOthers)
{
  auto linear = masses(0.02);
  auto hard = std::make_unique<TwoMasses>("other", dealii::Point<2>(5., 0.01));
  hard->c   = 4000.;
  hard->v   = { { -2., 0., 2., 0. } };
  auto &first = *linear, &second = *hard;
  std::vector<std::unique_ptr<System<2>>> systems;
  systems.push_back(std::move(linear));
  systems.push_back(std::move(hard));
  Scene scene(std::move(systems), { "pair", "other" }, { "floor" }, 0.3);
  for (unsigned int n = 0; n < 20; ++n)
    ASSERT_TRUE(scene.advance()) << scene.step.last.reason;
  EXPECT_EQ(first.n_inverses, 1u);
  EXPECT_GT(second.n_inverses, 40u);
  for (auto *system : { &first, &second })
    for (unsigned int i : { 1, 3 })
    {
      EXPECT_NEAR(system->v[i], 0., 1e-10);
      EXPECT_NEAR(system->q[i], system == &first ? -0.02 : -0.01, 1e-10);
    }
}

// W of contacts between a system with a full w and one with a diagonal one is
// H* w H by its definition, whoever comes first.
TEST(Step, DelassusOperatorOfDifferentInverses)
{
  for (const bool lumped_first : { true, false })
  {
    auto upper = std::make_unique<TwoMasses>(
        "upper", dealii::Point<2>(0.1, 0.), lumped_first);
    auto lower = std::make_unique<TwoMasses>(
        "lower", dealii::Point<2>(0., 0.), !lumped_first);
    // Seen from below: the normal of the lower face points up.
    auto &a = *upper, &b = *lower;
    a.gravity = -10.;
    b.gravity = 0.;
    a.v       = { { 0.1, -1., -0.2, -1. } };
    std::vector<std::unique_ptr<System<2>>> systems;
    systems.push_back(std::move(upper));
    systems.push_back(std::move(lower));
    Scene scene(std::move(systems), { "upper", "lower" }, { "floor" }, 0.2);
    // Both lie on the floor: their contacts are with it, two each.
    ASSERT_TRUE(scene.advance()) << scene.step.last.reason;
    ASSERT_EQ(scene.contact.contacts.size(), 4u);
    ExchangeProblem problem;
    ExchangeSolution solution;
    ASSERT_EQ(scene.contact.exchanged(false, problem, solution), "");
    const auto &W = problem.W;
    std::vector<std::vector<double>> dense(8, std::vector<double>(8, 0.));
    for (std::size_t j = 0; j + 1 < W.start.size(); ++j)
      for (std::size_t k = W.start[j]; k < W.start[j + 1]; ++k)
        dense[W.row[k]][j] = W.value[k];
    const auto &nodes = scene.model.surfaces->nodes;
    for (unsigned int alpha = 0; alpha < 4; ++alpha)
      for (unsigned int beta = 0; beta < 4; ++beta)
        for (unsigned int r = 0; r < 2; ++r)
          for (unsigned int s = 0; s < 2; ++s)
          {
            const auto &A = scene.contact.contacts[alpha];
            const auto &B = scene.contact.contacts[beta];
            const auto &n = nodes[A.nodes[0]], &m = nodes[B.nodes[0]];
            double expected = 0.;
            for (unsigned int c = 0; c < 2 && n.system == m.system; ++c)
              for (unsigned int d = 0; d < 2; ++d)
                expected += A.frame[2 * r + c] * B.frame[2 * s + d] *
                            (n.system == 0 ? a : b)
                                .w[2 * n.carrier + c][2 * m.carrier + d];
            EXPECT_NEAR(dense[2 * alpha + r][2 * beta + s], expected, 1e-14)
                << alpha << " " << beta << " " << lumped_first;
          }
  }
}

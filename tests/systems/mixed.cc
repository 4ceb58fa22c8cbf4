// Bodies of different kinds, matrices and schemes in one run.
#include "newton/cases.h"

#include <deal.II/lac/full_matrix.h>

#include <gtest/gtest.h>

using test::relative;

namespace
{
/// A rubber block falls on an elastic one that stands on the floor; both slide.
std::string two_blocks(const std::string &below,
                       const std::string &above,
                       const std::string &more = "")
{
  return R"(
set Assumption = plane strain
subsection Time
  set End  = 0.02
  set Step = 5e-4
end
subsection Material stone
)" + below +
         R"(
  set Density       = 2000
  set Young modulus = 4e7
  set Poisson ratio = 0.2
end
subsection Material rubber
  set Model         = neo-Hookean
  set Density       = 1000
  set Young modulus = 1e6
  set Poisson ratio = 0.3
end
subsection Body base
  set Material   = stone
  set Mass       = lumped
  set Dilatation = full
  subsection Mesh
    set Type      = box
    set Size      = 1, 0.5
    set Divisions = 8, 4
  end
end
subsection Body block
  set Material         = rubber
  set Mass             = lumped
  set Initial velocity = 2; -4
)" + above +
         R"(
  subsection Mesh
    set Type      = box
    set Origin    = 0.21, 0.503
    set Size      = 0.5, 0.5
    set Divisions = 4, 4
  end
end
subsection Obstacle floor
  set Type   = plane
  set Point  = 0, 0
  set Normal = 0, 1
end
subsection Contact law rough
  set Friction = 0.3
end
subsection Interaction joint
  set Candidates  = block/bottom
  set Antagonists = base/top
  set Law         = rough
  set Points      = nodes
end
subsection Interaction ground
  set Candidates  = base/bottom
  set Antagonists = floor
  set Law         = rough
  set Points      = nodes
end
subsection Contact solver
  set Tolerance = 1e-10
end
subsection Newton
  set Tolerance = 1e-10
end
subsection Probe corner
  set Body  = block
  set Point = 0.21, 1.003
end
subsection Probe under
  set Body  = base
  set Point = 0.5, 0.5
end
subsection Output
  set Interval = 0
end
)" + more;
}

const std::string linear = "  set Model = linear elastic";
/// The same law, through the Newton loop.
const std::string never_yields =
    "  set Model = J2 small strain\n  set Yield stress = 1e30";

void expect_same(const test::Results &a,
                 const test::Results &b,
                 const double tolerance,
                 const std::string &what)
{
  for (const std::string column :
       { "corner:u_x", "corner:u_y", "under:u_x", "under:u_y" })
    EXPECT_LT(
        relative(a.history.at(column).back(), b.history.at(column).back()),
        tolerance)
        << what << " " << column;
}
} // namespace

// A linear body beside one of finite strain moves as it does in the Newton
// loop.
TEST(Mixed, LinearBodyBesideOneOfFiniteStrain)
{
  const auto mixed = test::run_text<2>(two_blocks(linear, ""));
  const auto same  = test::run_text<2>(two_blocks(never_yields, ""));
  EXPECT_GT(std::abs(same.history.at("corner:u_y").back()), 1e-2);
  EXPECT_GT(same.history.at("ground:force_y").back(), 0.);
  expect_same(mixed, same, 1e-7, "linear");
  EXPECT_LT(mixed.summary["energy"]["worst_relative_residual"].get<double>(),
            1e-8);
}

// Each body with its own correcting matrix: those that converge agree, so W is
// right whichever body comes first.
TEST(Mixed, MatricesOfTheirOwn)
{
  const std::vector<std::string> small = { "Time/Step=1e-4",
                                           "Time/End=4e-3",
                                           "Newton/Maximum iterations=200" };
  const auto same = test::run_text<2>(two_blocks(never_yields, ""), small);
  for (const std::string matrix : { "lumped", "step", "frozen" })
  {
    expect_same(
        test::run_text<2>(two_blocks(never_yields, "  set Matrix = " + matrix),
                          small),
        same,
        1e-7,
        "block " + matrix);
    expect_same(test::run_text<2>(
                    two_blocks(linear, "  set Matrix = " + matrix), small),
                same,
                1e-7,
                "beside a linear one " + matrix);
  }
  // The stiff body by its mass, the soft one by its tangent.
  auto steps      = small;
  steps[0]        = "Time/Step=2e-5";
  steps[1]        = "Time/End=2e-3";
  const auto full = test::run_text<2>(two_blocks(never_yields, ""), steps);
  steps.push_back("Body base/Matrix=lumped");
  expect_same(test::run_text<2>(two_blocks(never_yields, ""), steps),
              full,
              1e-7,
              "base lumped");
}

// Explicit steps of one body beside implicit ones of another: the error is that
// of the explicit scheme, of first order.
TEST(Mixed, ExplicitBesideImplicit)
{
  double before = 0.;
  for (const double h : { 1e-4, 5e-5 })
  {
    const std::vector<std::string> steps = { "Time/Step=" + std::to_string(h),
                                             "Time/End=4e-3" };
    const auto implicit = test::run_text<2>(two_blocks(linear, ""), steps);
    const auto mixed =
        test::run_text<2>(two_blocks(linear, "  set Matrix = explicit"), steps);
    const double error = std::abs(mixed.history.at("corner:u_y").back() -
                                  implicit.history.at("corner:u_y").back());
    if (before > 0.)
    {
      EXPECT_LT(error, 0.7 * before);
    }
    EXPECT_LT(error, 2e-3);
    before = error;
  }
}

// Theta of its own: two bodies that do not touch move as each would alone.
TEST(Mixed, ThetaOfTheirOwn)
{
  const std::vector<std::string> apart = {
    "Body block/Mesh/Origin=5, 0.7",
    "Body block/Initial velocity=2; 1 - x",
    "Time/End=5e-3"
  };
  const auto run = [&](std::vector<std::string> changes)
  {
    changes.insert(changes.begin(), apart.begin(), apart.end());
    changes.push_back("Body base/Initial velocity=0.1*y; 0");
    return test::run_text<2>(two_blocks(linear, ""), changes);
  };
  const auto euler    = run({});
  const auto midpoint = run({ "Time/Theta=0.5" });
  const auto mixed    = run({ "Body base/Theta=0.5" });
  EXPECT_EQ(mixed.history.at("corner:u_y").back(),
            euler.history.at("corner:u_y").back());
  EXPECT_NE(euler.history.at("under:u_x").back(),
            midpoint.history.at("under:u_x").back());
}

// In contact they stay together: the gap is corrected, energy balances.
TEST(Mixed, ThetaOfTheirOwnInContact)
{
  const auto mixed = test::run_text<2>(
      two_blocks(linear, ""), { "Body base/Theta=0.5", "Time/Step=1e-4" });
  const auto same =
      test::run_text<2>(two_blocks(linear, ""), { "Time/Step=1e-4" });
  EXPECT_LT(relative(mixed.history.at("corner:u_y").back(),
                     same.history.at("corner:u_y").back()),
            0.02);
  EXPECT_LT(mixed.summary["energy"]["worst_relative_residual"].get<double>(),
            1e-8);
}

namespace
{
/// w = (M + h^2 theta^2 K)^-1 of one rectangle of a x b, bilinear, plane
/// strain, by itself: M = rho N (x) N, K = B^T C B at 2 x 2 Gauss points, which
/// is exact. Corners are (0,0), (a,0), (0,b), (a,b).
dealii::FullMatrix<double> rectangle_inverse(const double a,
                                             const double b,
                                             const double density,
                                             const double young,
                                             const double poisson,
                                             const double h,
                                             const double theta)
{
  const double lambda =
      young * poisson / ((1. + poisson) * (1. - 2. * poisson));
  const double mu = young / (2. * (1. + poisson));
  dealii::FullMatrix<double> A(8, 8);
  for (const double s :
       { 0.5 - std::sqrt(1. / 12.), 0.5 + std::sqrt(1. / 12.) })
    for (const double t :
         { 0.5 - std::sqrt(1. / 12.), 0.5 + std::sqrt(1. / 12.) })
    {
      const double N[4] = {
        (1. - s) * (1. - t), s * (1. - t), (1. - s) * t, s * t
      };
      const double G[4][2] = { { -(1. - t) / a, -(1. - s) / b },
                               { (1. - t) / a, -s / b },
                               { -t / a, (1. - s) / b },
                               { t / a, s / b } };
      const double weight  = 0.25 * a * b;
      for (unsigned int i = 0; i < 8; ++i)
        for (unsigned int j = 0; j < 8; ++j)
        {
          const unsigned int m = i / 2, c = i % 2, n = j / 2, d = j % 2;
          // lambda div u div v + 2 mu e(u) : e(v)
          const double stiffness =
              lambda * G[m][c] * G[n][d] + mu * G[m][d] * G[n][c] +
              (c == d ? mu * (G[m][0] * G[n][0] + G[m][1] * G[n][1]) : 0.);
          A(i, j) += weight * ((c == d ? density * N[m] * N[n] : 0.) +
                               h * h * theta * theta * stiffness);
        }
    }
  A.gauss_jordan();
  return A;
}
} // namespace

// W of two bodies with theta of their own is H* w H with w of each by its own
// theta: one cell each, whose matrices are computed here.
TEST(Mixed, DelassusOperatorOfDifferentThetas)
{
  const double h = 5e-3;
  const test::TemporaryDirectory directory;
  const auto file = test::write_case(directory, R"(
set Assumption = plane strain
set Gravity    = 0, -10
subsection Time
  set End   = 5e-3
  set Step  = 5e-3
  set Theta = 1
end
subsection Material stone
  set Density       = 1000
  set Young modulus = 1e7
  set Poisson ratio = 0.2
end
subsection Body base
  set Material = stone
  set Theta    = 0.55
  subsection Mesh
    set Type      = box
    set Size      = 2, 0.5
    set Divisions = 1, 1
  end
end
subsection Body block
  set Material         = stone
  set Theta            = 0.9
  set Initial velocity = 1; -1
  subsection Mesh
    set Type      = box
    set Origin    = 0.3, 0.5
    set Size      = 1, 0.7
    set Divisions = 1, 1
  end
end
subsection Contact law rough
  set Friction = 0.3
end
subsection Interaction joint
  set Candidates  = block/bottom
  set Antagonists = base/top
  set Law         = rough
  set Points      = nodes
end
subsection Contact solver
  set Tolerance = 1e-12
end
subsection Output
  set Interval = 0
end
)");
  delassus::RunOptions options;
  options.quiet = true;
  delassus::Simulation<2> simulation(
      delassus::read_parameters(
          file, { "Output/Directory=" + directory.path + "/run" }),
      options,
      MPI_COMM_SELF);
  delassus::ExchangeProblem problem;
  delassus::ExchangeSolution solution;
  simulation.on_step = [&](const double, const double)
  { EXPECT_EQ(simulation.contact.exchanged(false, problem, solution), ""); };
  simulation.run();
  const auto &contacts = simulation.contact.contacts;
  ASSERT_EQ(contacts.size(), 2u);
  dealii::FullMatrix<double> W(4, 4);
  ASSERT_EQ(problem.W.start.size(), 5u);
  for (std::size_t j = 0; j < 4; ++j)
    for (std::size_t k = problem.W.start[j]; k < problem.W.start[j + 1]; ++k)
      W(problem.W.row[k], j) = problem.W.value[k];

  // Corners by their places, weights by where the candidate is on the face.
  const auto &surfaces = *simulation.model.surfaces;
  const auto expected  = [&](const double theta_base, const double theta_block)
  {
    const std::vector<dealii::FullMatrix<double>> w = {
      rectangle_inverse(2., 0.5, 1000., 1e7, 0.2, h, theta_base),
      rectangle_inverse(1., 0.7, 1000., 1e7, 0.2, h, theta_block)
    };
    dealii::FullMatrix<double> H0(8, 4), H1(8, 4), result(4, 4);
    for (unsigned int alpha = 0; alpha < 2; ++alpha)
    {
      const auto &point = surfaces.points[contacts[alpha].point];
      const double x    = surfaces.position(point, surfaces.reference)[0];
      // N points up, T is N turned by -90 degrees: along x.
      for (const unsigned int c : { 0, 1 })
      {
        const unsigned int local             = 2 * alpha + (c == 0 ? 1 : 0);
        H1(2 * (x < 0.8 ? 0 : 1) + c, local) = 1.;
        H0(2 * 2 + c, local)                 = -(1. - 0.5 * x);
        H0(2 * 3 + c, local)                 = -0.5 * x;
      }
    }
    result.triple_product(w[0], H0, H0, true, false);
    result.triple_product(w[1], H1, H1, true, false);
    return result;
  };
  const auto right = expected(0.55, 0.9);
  auto difference  = right;
  difference.add(-1., W);
  EXPECT_LT(difference.linfty_norm(), 1e-12 * right.linfty_norm());
  // It is theta of each that counts, not that of the run or of the other.
  for (const auto &wrong : { expected(1., 1.), expected(0.9, 0.55) })
  {
    difference = wrong;
    difference.add(-1., W);
    EXPECT_GT(difference.linfty_norm(), 0.01 * right.linfty_norm());
  }
}

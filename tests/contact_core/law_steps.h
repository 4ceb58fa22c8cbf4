#ifndef tests_contact_core_law_steps_h
#define tests_contact_core_law_steps_h

#include <delassus/contact/delassus/dense_delassus.h>
#include <delassus/contact/global_solvers/gauss_seidel.h>
#include <delassus/contact/laws/contact_law.h>
#include <delassus/contact/laws/law_states.h>
#include <delassus/contact/laws/thickness_compliance.h>

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace delassus_tests
{
using namespace delassus;

/// A mass above the ground in steps of the theta-scheme, one contact whose law
/// has state: the smallest run there is. Position and velocity are those of the
/// local frame (N up). A huge mass is a driven one.
template <int dim>
class MassOnGround
{
public:
  MassOnGround(const ContactLawParameters &parameters,
               const double mass,
               const double area,
               const double theta      = 1.,
               const double compliance = -1.)
      : mass(mass)
      , area(area)
      , theta(theta)
      , compliance(compliance)
      , law(make_contact_law<dim>(parameters))
      , solver(tight())
  {
    if (compliance >= 0.)
      law = std::make_unique<ThicknessCompliance<dim>>(std::move(law));
  }

  /// Whether the law has been told of the contact.
  void start()
  {
    states = LawStates();
    states.carry_over({ law->n_state() },
                      { LawStates::is_new },
                      [&](std::size_t, double *state)
                      {
                        CandidateState<dim> here;
                        here.gap      = q[0];
                        here.area     = area;
                        here.at_start = true;
                        law->initialize(here, state);
                      });
  }

  /// One step under the force F, with its balance of energy. Tried twice and
  /// reverted in between if @p again.
  void step(const double h, const LocalVector<dim> &F, const bool again = false)
  {
    CandidateState<dim> candidate;
    candidate.h                   = h;
    candidate.gap                 = q[0];
    candidate.gap_tilde           = q[0] + (1. - theta) * h * v[0];
    candidate.U_previous          = v;
    candidate.P_previous          = solution.P;
    candidate.status              = solution.status;
    candidate.area                = area;
    candidate.compliance          = std::max(0., compliance);
    const LocalVector<dim> v_free = add(v, scale(h / mass, F));
    candidate.U_free_candidate    = v_free;
    if (again)
    {
      attempt(candidate, scale(1.3, v_free));
      states.revert();
    }
    attempt(candidate, v_free);

    stored_before = law->stored(candidate, states.begin(0));
    stored        = law->stored(candidate, states.end(0));
    dissipated =
        law->dissipated(candidate, solution, states.begin(0), states.end(0));
    sliding = sliding_work(change, solution);
    // Of a spring that was pressed in: e_N of the elastic joint.
    const bool has_spring = law->name() == "elastic joint";
    const bool is_tied    = law->name() == "tied"; // its gap is kept
    const double free_gap =
        candidate.gap_tilde -
        (has_spring ? states.begin(0)[0]
         : is_tied  ? states.begin(0)[1]
                    : 0.) +
        (compliance > 0. ? states.begin(0)[law->n_state() - 1] : 0.);
    closing = free_gap * solution.P[0] / h;

    states.accept();
    const LocalVector<dim> v_old = v;
    v                            = solution.U;
    q = add(q, scale(h, add(scale(theta, v), scale(1. - theta, v_old))));
    time += h;
    force = scale(1. / h, solution.P);
    // Rounding is that of the velocities that the impulse acts on.
    const double rounding =
        1e-13 * norm(solution.P) * (norm(v_free) + norm(v_old)) +
        1e-12 * (stored + stored_before);
    EXPECT_GE(dissipated, -rounding);
    EXPECT_GE(sliding, -rounding);
    work = -dot(solution.U, solution.P);
    // The energy of the contact, each term from its own quantities.
    EXPECT_NEAR(work,
                stored - stored_before + dissipated + sliding + closing,
                rounding + 1e-12 * std::abs(closing));
    all_dissipated += dissipated;
    all_sliding += sliding;
  }

  /// One step of a driven mass, at a given velocity.
  void drive(const double h,
             const LocalVector<dim> &velocity,
             const bool again = false)
  {
    v = velocity;
    step(h, LocalVector<dim>{}, again);
  }

  const double mass, area, theta;
  const double compliance; ///< negative: the law as it is
  std::unique_ptr<ContactLaw<dim>> law;
  LawStates states;
  LocalVector<dim> q{}, v{}, force{};
  double time = 0.;
  ContactSolution<dim> solution;
  ChangeOfVariables<dim> change;
  double stored = 0., stored_before = 0., dissipated = 0., sliding = 0.,
         closing = 0., work = 0.;
  double all_dissipated = 0., all_sliding = 0.;

private:
  static ContactSolverParameters tight()
  {
    ContactSolverParameters parameters;
    parameters.tolerance  = 1e-13;
    parameters.warm_start = false;
    return parameters;
  }

  void attempt(const CandidateState<dim> &candidate,
               const LocalVector<dim> &v_free)
  {
    change = law->prepare(candidate, states.begin(0), states.end(0));
    const LocalMatrix<dim> W = scale(1. / mass, identity_matrix<dim>());
    const DenseDelassus<dim> op(1, std::vector<double>(W.begin(), W.end()));
    ContactProblem<dim> problem;
    problem.W = &op;
    problem.h = candidate.h;
    problem.U_free.assign(v_free.begin(), v_free.end());
    problem.laws = { change };
    std::vector<double> P, U;
    const ContactResult &result = solver.solve(problem, P, U);
    EXPECT_TRUE(result.converged) << result.errors.unit_free;
    std::copy_n(P.begin(), dim, solution.P.begin());
    std::copy_n(U.begin(), dim, solution.U.begin());
    solution.status = result.status[0];
    solution.gap    = q[0] + candidate.h * (theta * U[0] + (1. - theta) * v[0]);
    law->update(candidate, solution, states.begin(0), states.end(0));
  }

  GaussSeidel<dim> solver;
};

/// A mass so large that nothing stops it.
constexpr double driven = 1e15;
} // namespace delassus_tests

#endif

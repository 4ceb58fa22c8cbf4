#ifndef tests_contact_core_solver_family_h
#define tests_contact_core_solver_family_h

#include "contact_core/random_problems.h"

#include <delassus/base/exceptions.h>
#include <delassus/contact/delassus/dense_delassus.h>
#include <delassus/contact/global_solvers/contact_solver.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>

namespace delassus_tests
{
/// The methods that all tests of this family run through: one more line is all
/// that another one needs.
struct SolverCase
{
  ContactSolverType type;
  const char *name;
  bool global; ///< needs ContactProblem::global

  /// The least part of small random problems with a solution that it must
  /// solve. No theory promises a solution for strong friction, but the
  /// automatic choice must get there.
  double share;
};

inline const std::vector<SolverCase> &all_solvers()
{
  static const std::vector<SolverCase> cases = {
    { ContactSolverType::gauss_seidel, "gauss_seidel", false, 0.95 },
    { ContactSolverType::projected_gradient, "projected_gradient", false, 0.9 },
    { ContactSolverType::admm, "admm", false, 0.95 },
    { ContactSolverType::global_admm, "global_admm", true, 0.95 },
    { ContactSolverType::newton, "newton", false, 0.99 },
    { ContactSolverType::global_newton, "global_newton", true, 0.99 },
    { ContactSolverType::automatic, "automatic", false, 1. }
  };
  return cases;
}

/// How many times as many random problems as by default:
/// DELASSUS_TEST_EFFORT=10.
inline unsigned int effort()
{
  const char *text = std::getenv("DELASSUS_TEST_EFFORT");
  return text == nullptr ? 1 : std::max(1, std::atoi(text));
}

/// A problem with all that it points to.
template <int dim>
struct TestProblem
{
  std::size_t n = 0;          ///< contacts
  std::vector<double> matrix; ///< W, row-major
  std::unique_ptr<DenseDelassus<dim>> W;
  std::unique_ptr<GlobalForm> form;
  ContactProblem<dim> problem;
  double lambda_min = 0., lambda_max = 0.; ///< of W where known by construction

  void set_matrix(const std::size_t n_contacts,
                  const std::vector<double> &values)
  {
    n         = n_contacts;
    matrix    = values;
    W         = std::make_unique<DenseDelassus<dim>>(n, matrix);
    problem.W = W.get();
    problem.laws.resize(n);
    problem.U_free.resize(dim * n);
    problem.h = 0.01;
  }

  void set_friction(const double mu)
  {
    for (auto &law : problem.laws)
      law.friction = mu;
  }

  double largest_friction() const
  {
    double mu = 0.;
    for (const auto &law : problem.laws)
      mu = std::max(mu, law.friction);
    return mu;
  }

  double norm_q() const
  {
    return norm_of_free_velocity(problem);
  }
};

/// A full row-major matrix as compressed columns; zeros are left out.
inline CompressedColumns compressed(const std::vector<double> &M,
                                    const std::size_t n_rows,
                                    const std::size_t n_columns)
{
  CompressedColumns result;
  result.n_rows    = n_rows;
  result.n_columns = n_columns;
  result.start.push_back(0);
  for (std::size_t j = 0; j < n_columns; ++j)
  {
    for (std::size_t i = 0; i < n_rows; ++i)
      if (M[i * n_columns + j] != 0.)
      {
        result.row.push_back(i);
        result.value.push_back(M[i * n_columns + j]);
      }
    result.start.push_back(result.row.size());
  }
  return result;
}

/// B := Q B Q^T for every B of the list, with one random orthogonal Q, the
/// product of reflections.
inline void rotate_randomly(Random &random,
                            const std::size_t n,
                            const std::vector<std::vector<double> *> &matrices)
{
  std::vector<double> v(n), Bv(n);
  for (std::size_t k = 0; k < n; ++k)
  {
    double length = 0.;
    for (double &x : v)
    {
      x = random.normal();
      length += x * x;
    }
    for (auto *B : matrices)
    {
      // (1 - c v v^T) B (1 - c v v^T), B symmetric, c = 2 / |v|^2.
      const double c = 2. / length;
      double vBv     = 0.;
      for (std::size_t i = 0; i < n; ++i)
      {
        Bv[i] = 0.;
        for (std::size_t j = 0; j < n; ++j)
          Bv[i] += (*B)[i * n + j] * v[j];
        vBv += v[i] * Bv[i];
      }
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j)
        {
          (*B)[i * n + j] +=
              c * c * vBv * v[i] * v[j] - c * (v[i] * Bv[j] + Bv[i] * v[j]);
          (*B)[j * n + i] = (*B)[i * n + j];
        }
    }
  }
}

/// Random symmetric matrix of the given eigenvalues, and its inverse.
inline void random_spectrum(Random &random,
                            const std::vector<double> &eigenvalues,
                            std::vector<double> &M,
                            std::vector<double> &inverse)
{
  const std::size_t n = eigenvalues.size();
  M.assign(n * n, 0.);
  inverse.assign(n * n, 0.);
  for (std::size_t i = 0; i < n; ++i)
  {
    M[i * n + i]       = eigenvalues[i];
    inverse[i * n + i] = 1. / eigenvalues[i];
  }
  rotate_randomly(random, n, { &M, &inverse });
}

/// Free velocities that press, open and shear at random; some gaps.
template <int dim>
void load_randomly(Random &random, TestProblem<dim> &test)
{
  const double pressed = random.uniform(0., 1.5);
  for (std::size_t a = 0; a < test.n; ++a)
  {
    test.problem.U_free[dim * a] = random.normal() - pressed;
    for (int c = 1; c < dim; ++c)
      test.problem.U_free[dim * a + c] = random.normal();
    test.problem.laws[a].shift[0] = random.uniform(0., 0.3);
  }
}

/// n contacts, W symmetric with eigenvalues between 1 / condition and 1 (both
/// occur); in global form A = W^{-1}, H = 1.
template <int dim>
TestProblem<dim> random_definite(Random &random,
                                 const std::size_t n,
                                 const double condition,
                                 const double mu)
{
  std::vector<double> eigenvalues(dim * n), W, A;
  for (double &x : eigenvalues)
    x = std::pow(condition, -random.uniform(0., 1.));
  eigenvalues[0] = 1.;
  eigenvalues[1] = 1. / condition;
  random_spectrum(random, eigenvalues, W, A);
  TestProblem<dim> test;
  test.set_matrix(n, W);
  test.lambda_min = 1. / condition;
  test.lambda_max = 1.;
  std::vector<double> one(dim * n * dim * n, 0.);
  for (std::size_t i = 0; i < dim * n; ++i)
    one[i * dim * n + i] = 1.;
  test.form           = std::make_unique<GlobalForm>();
  test.form->A        = compressed(A, dim * n, dim * n);
  test.form->H        = compressed(one, dim * n, dim * n);
  test.problem.global = test.form.get();
  test.set_friction(mu);
  load_randomly(random, test);
  return test;
}

/// W = H^T A^{-1} H; H is n_v x dim n (row-major).
template <int dim>
TestProblem<dim> from_bodies(const std::size_t n,
                             const std::size_t n_v,
                             const std::vector<double> &A,
                             const std::vector<double> &A_inverse,
                             const std::vector<double> &H)
{
  const std::size_t m = dim * n;
  std::vector<double> AH(n_v * m, 0.), W(m * m, 0.);
  for (std::size_t i = 0; i < n_v; ++i)
    for (std::size_t k = 0; k < n_v; ++k)
      if (A_inverse[i * n_v + k] != 0.)
        for (std::size_t j = 0; j < m; ++j)
          AH[i * m + j] += A_inverse[i * n_v + k] * H[k * m + j];
  for (std::size_t k = 0; k < n_v; ++k)
    for (std::size_t i = 0; i < m; ++i)
      if (H[k * m + i] != 0.)
        for (std::size_t j = 0; j < m; ++j)
          W[i * m + j] += H[k * m + i] * AH[k * m + j];
  // Symmetric to the last bit, as what is assembled is.
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < i; ++j)
      W[i * m + j] = W[j * m + i] = 0.5 * (W[i * m + j] + W[j * m + i]);
  TestProblem<dim> test;
  test.set_matrix(n, W);
  test.form           = std::make_unique<GlobalForm>();
  test.form->A        = compressed(A, n_v, n_v);
  test.form->H        = compressed(H, n_v, m);
  test.problem.global = test.form.get();
  return test;
}

inline double distance(const std::vector<double> &x,
                       const std::vector<double> &y)
{
  double sum = 0.;
  for (std::size_t i = 0; i < x.size(); ++i)
    sum += (x[i] - y[i]) * (x[i] - y[i]);
  return std::sqrt(sum);
}

inline double norm_of(const std::vector<double> &x)
{
  return distance(x, std::vector<double>(x.size(), 0.));
}

/// Parameters for comparisons: tight, many iterations.
inline ContactSolverParameters parameters_of(const ContactSolverType type,
                                             const double tolerance,
                                             const unsigned int n_iterations)
{
  ContactSolverParameters parameters;
  parameters.type       = type;
  parameters.tolerance  = tolerance;
  parameters.max_sweeps = n_iterations;
  parameters.warm_start = false;
  return parameters;
}

/// What a solver made of a problem; an exception is an outcome as well.
struct Outcome
{
  ContactResult result;
  std::vector<double> P, U;
  bool refused = false;
  std::string message;

  bool converged() const
  {
    return !refused && result.converged;
  }
};

/// All methods, kept from problem to problem so that what one leaves behind
/// would show in the next.
template <int dim>
class Family
{
public:
  Family(const double tolerance, const unsigned int n_iterations)
      : tolerance(tolerance)
      , n_iterations(n_iterations)
  {
    for (const SolverCase &entry : all_solvers())
      solvers.push_back(make_contact_solver<dim>(
          parameters_of(entry.type, tolerance, n_iterations)));
  }

  std::size_t size() const
  {
    return solvers.size();
  }

  const SolverCase &entry(const std::size_t k) const
  {
    return all_solvers()[k];
  }

  bool can_solve(const std::size_t k, const ContactProblem<dim> &problem) const
  {
    return !entry(k).global || problem.global != nullptr;
  }

  /// Solves, and checks that the answer is honest.
  Outcome solve(const std::size_t k, const ContactProblem<dim> &problem)
  {
    Outcome outcome = run(*solvers[k], problem);
    check_honest(outcome, problem, tolerance, n_iterations, entry(k).name);
    if (!outcome.refused && !outcome.result.converged)
    {
      // It began at zero.
      std::vector<double> U;
      const std::vector<double> zero(outcome.P.size(), 0.);
      EXPECT_LE(outcome.result.errors.unit_free,
                compute_errors(problem, zero, U).unit_free)
          << entry(k).name;
    }
    return outcome;
  }

  static Outcome run(ContactSolver<dim> &solver,
                     const ContactProblem<dim> &problem)
  {
    Outcome outcome;
    try
    {
      outcome.result = solver.solve(problem, outcome.P, outcome.U);
    }
    catch (const ComputationError &e)
    {
      outcome.refused = true;
      outcome.message = e.what();
    }
    return outcome;
  }

  /// Converged means that the true error is below the tolerance; otherwise the
  /// error is that of the impulses that are given. Nothing is ever NaN. The
  /// work is bounded.
  static void check_honest(const Outcome &outcome,
                           const ContactProblem<dim> &problem,
                           const double tolerance,
                           const unsigned int n_iterations,
                           const char *name)
  {
    if (outcome.refused)
    {
      // It says where.
      EXPECT_NE(outcome.message.find("ontact"), std::string::npos)
          << name << ": " << outcome.message;
      return;
    }
    const std::size_t n = problem.n_contacts();
    ASSERT_EQ(outcome.P.size(), dim * n) << name;
    ASSERT_EQ(outcome.U.size(), dim * n) << name;
    std::vector<double> U;
    const ContactErrors errors = compute_errors(problem, outcome.P, U);
    for (std::size_t i = 0; i < dim * n; ++i)
    {
      ASSERT_TRUE(std::isfinite(outcome.P[i])) << name;
      ASSERT_TRUE(std::isfinite(outcome.U[i])) << name;
      // The same product of the same operator.
      ASSERT_EQ(outcome.U[i], U[i]) << name << ", component " << i;
    }
    // g may be summed in another order; F = g P - proj(g P - u) sees that.
    const double norm_q   = norm_of_free_velocity(problem);
    const double rounding = 1e-15 * n * effective_impulse_scale(problem) *
                            norm_of(outcome.P) / (norm_q > 0. ? norm_q : 1.);
    const double reported = outcome.result.errors.unit_free;
    if (errors.unit_free <= 1e300) // infinite where q = 0
    {
      EXPECT_NEAR(reported, errors.unit_free, 1e-15 + rounding) << name;
    }
    EXPECT_TRUE(outcome.result.converged
                    ? errors.unit_free <= tolerance + rounding
                    : errors.unit_free > tolerance - rounding)
        << name << ", converged " << outcome.result.converged << ", true error "
        << errors.unit_free;
    ASSERT_EQ(outcome.result.status.size(), n) << name;
    std::size_t n_inactive = 0;
    for (const auto &law : problem.laws)
      n_inactive += !law.active;
    const std::size_t counted =
        outcome.result.n_open + outcome.result.n_stick + outcome.result.n_slip;
    EXPECT_TRUE(counted == n || counted == n - n_inactive)
        << name << ": " << counted << " of " << n;
    // Products that estimate an eigenvalue come on top.
    EXPECT_LE(outcome.result.sweeps, n_iterations + 4) << name;
  }

private:
  double tolerance;
  unsigned int n_iterations;
  std::vector<std::unique_ptr<ContactSolver<dim>>> solvers;
};

/// How often each method solved a problem.
template <int dim>
class Score
{
public:
  explicit Score(const Family<dim> &family)
      : family(family)
      , solved(family.size(), 0)
      , tried(family.size(), 0)
  {
  }

  void note(const std::size_t k, const Outcome &outcome)
  {
    ++tried[k];
    solved[k] += outcome.converged();
    if (outcome.converged())
      return;
    EXPECT_LT(family.entry(k).share, 1.)
        << family.entry(k).name << ": error " << outcome.result.errors.unit_free
        << " after " << outcome.result.sweeps << " " << outcome.result.diagnosis
        << outcome.message;
  }

  /// Often enough?
  void check() const
  {
    for (std::size_t k = 0; k < family.size(); ++k)
      EXPECT_GE(solved[k], family.entry(k).share * tried[k])
          << family.entry(k).name << " in " << dim << "D";
  }

private:
  const Family<dim> &family;
  std::vector<unsigned int> solved, tried;
};

/// The natural map F of an approximate solution (P, U) makes it an exact one of
/// a problem nearby: P' = P - F/g and U' with U'_T = U_T - F_T, U'_N = U_N -
/// F_N
/// + mu (|U_T| - |U_T - F_T|) satisfy the laws, and U' = W P' + q + d with
///
///   |d| <= (1 + mu) |F| + |W| |F| / g,   |F| <= tolerance |q|.
template <int dim>
double backward_error(const TestProblem<dim> &test,
                      const double norm_W,
                      const double tolerance)
{
  const double g = effective_impulse_scale(test.problem);
  return (1. + test.largest_friction() + norm_W / g) * tolerance *
         test.norm_q();
}

/// Two approximate solutions, W symmetric positive definite with condition k
/// and mu sqrt(k) < 1: with x = W^{1/2} (P' - P'') monotony of the cone's
/// normals and | mu |U'_T| - mu |U''_T| | <= mu |U' - U''| give
///
///   |x|^2 <= |x| |W^{-1/2} (d' - d'' + s' - s'')|,
///   |x| (1 - mu sqrt(k)) <= (1 + mu) (|d'| + |d''|) / sqrt(lambda_min),
///
/// hence the solution is unique, and |U' - U''| <= sqrt(lambda_max) |x| + |d' -
/// d''|. U differs from U' by (1 + mu) |F| once more.
template <int dim>
double bound_on_velocities(const TestProblem<dim> &test, const double tolerance)
{
  const double mu        = test.largest_friction();
  const double condition = test.lambda_max / test.lambda_min;
  const double margin    = 1. - mu * std::sqrt(condition);
  EXPECT_GT(margin, 0.);
  const double d = 2. * backward_error(test, test.lambda_max, tolerance);
  return d * ((1. + mu) * std::sqrt(condition) / margin + 1.) +
         2. * (1. + mu) * tolerance * test.norm_q();
}

/// What a contact does beyond doubt if its U and P are known up to these
/// bounds; false if it may be on a boundary between two statuses.
template <int dim>
bool clear_status(const ContactProblem<dim> &problem,
                  const Outcome &outcome,
                  const std::size_t a,
                  const double bound_U,
                  const double bound_P,
                  ContactStatus &status)
{
  const auto &law = problem.laws[a];
  LocalVector<dim> u, r;
  for (int c = 0; c < dim; ++c)
  {
    u[c] = outcome.U[dim * a + c] + law.shift[c];
    r[c] = outcome.P[dim * a + c];
  }
  const double mu = law.friction;
  if (u[0] > bound_U)
    status = ContactStatus::open;
  else if (!(r[0] > bound_P))
    return false;
  else if (mu * r[0] - tangential_norm(r) > (1. + mu) * bound_P)
    status = ContactStatus::stick;
  else if (tangential_norm(u) > bound_U)
    status = ContactStatus::slip;
  else
    return false;
  return true;
}

/// Statuses of a converged result are what its velocities and impulses say.
template <int dim>
void check_statuses(const TestProblem<dim> &test,
                    const Outcome &outcome,
                    const double bound_U,
                    const char *name)
{
  ContactStatus status;
  for (std::size_t a = 0; a < test.n; ++a)
    if (clear_status<dim>(test.problem,
                          outcome,
                          a,
                          bound_U,
                          bound_U / test.lambda_min,
                          status))
    {
      EXPECT_EQ(outcome.result.status[a], status) << name << ", contact " << a;
    }
}
} // namespace delassus_tests

#endif

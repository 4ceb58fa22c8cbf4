#ifndef tests_contact_core_affine_problems_h
#define tests_contact_core_affine_problems_h

#include "contact_core/solver_family.h"

#include <delassus/contact/global_solvers/standard_problem.h>

namespace delassus_tests
{
/// Of the solvers that are compared.
constexpr double affine_tolerance = 1e-10;

enum class Kind
{
  compliance, ///< calU = U + C P + ...
  spring,     ///< calP = P + D U + ...
  both,       ///< and directions turned about the normal and stretched
  cohesion,   ///< calP = P + constant
  plain
};

/// diag or full, eigenvalues up to @p most; sometimes singular.
template <int dim>
LocalMatrix<dim> random_block(Random &random, const double most)
{
  LocalMatrix<dim> A = random_positive_definite<dim>(random, 10.);
  switch (random.index(3))
  {
    case 0: // normal only
      A    = LocalMatrix<dim>{};
      A[0] = random.uniform(0.1, 1.);
      break;
    case 1: // normal and one number along the tangents
    {
      LocalVector<dim> d;
      d.fill(random.uniform(0.1, 1.));
      d[0] = random.uniform(0.1, 1.);
      A    = diagonal_matrix<dim>(d);
      break;
    }
    default:
      break;
  }
  return scale(most, A);
}

template <int dim>
LocalVector<dim> random_vector(Random &random, const double size)
{
  LocalVector<dim> x;
  for (double &value : x)
    value = size * random.normal();
  return x;
}

/// calU = L (U - U0) + C calP, P = S calP - D U + p0.
template <int dim>
struct Written
{
  LocalMatrix<dim> L = identity_matrix<dim>(), S = identity_matrix<dim>();
  LocalMatrix<dim> C{}, D{};
  LocalVector<dim> U0{}, p0{};

  std::shared_ptr<const AffineLaw<dim>> law() const
  {
    // U = J_UU calU + J_UR calP + U0 with J_UU = L^{-1}, J_UR = -J_UU C;
    // P = -D (J_UU calU + J_UR calP + U0) + S calP + p0.
    LocalMatrix<dim> J_UU;
    EXPECT_TRUE(invert_small<dim>(L, J_UU));
    const auto J_UR = scale(-1., matrix_product<dim>(J_UU, C));
    return std::make_shared<const AffineLaw<dim>>(
        J_UU,
        J_UR,
        scale(-1., matrix_product<dim>(D, J_UU)),
        subtract(S, matrix_product<dim>(D, J_UR)),
        U0,
        subtract(p0, multiply<dim>(D, U0)));
  }
};

template <int dim>
Written<dim>
random_law(Random &random, const Kind kind, const double c, const double d)
{
  Written<dim> law;
  law.U0 = random_vector<dim>(random, 0.2);
  if (kind == Kind::compliance || kind == Kind::both)
    law.C = random_block<dim>(random, c);
  if (kind == Kind::spring || kind == Kind::both)
  {
    law.D  = random_block<dim>(random, d);
    law.p0 = random_vector<dim>(random, 0.2);
  }
  if (kind == Kind::cohesion)
    law.p0[0] = -random.uniform(0., 0.5);
  if (kind == Kind::both)
  {
    // L = S^T: turned about the normal and stretched.
    LocalMatrix<dim> Q = identity_matrix<dim>();
    if constexpr (dim == 3)
    {
      const double angle = random.uniform(0., 6.);
      Q[4] = Q[8] = std::cos(angle);
      Q[5]        = std::sin(angle);
      Q[7]        = -Q[5];
    }
    law.S = scale(random.uniform(0.8, 1.2), Q);
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j)
        law.L[i * dim + j] = law.S[j * dim + i];
  }
  return law;
}

/// The natural map by its definition, with the laws as they are written.
template <int dim>
double error_from_scratch(const TestProblem<dim> &test,
                          const std::vector<Written<dim>> &written,
                          const std::vector<double> &P)
{
  const std::size_t m = dim * test.n;
  const double g      = effective_impulse_scale(test.problem);
  double sum          = 0.;
  for (std::size_t a = 0; a < test.n; ++a)
  {
    const auto &law = test.problem.laws[a];
    LocalVector<dim> U, P_here, calU, calP;
    for (int c = 0; c < dim; ++c)
    {
      const std::size_t i = dim * a + c;
      U[c]                = test.problem.U_free[i];
      for (std::size_t j = 0; j < m; ++j)
        U[c] += test.matrix[i * m + j] * P[j];
      P_here[c] = P[i];
    }
    calU = add(U, law.shift);
    calP = P_here;
    if (!law.is_shift())
    {
      LocalMatrix<dim> S_inverse;
      EXPECT_TRUE(invert_small<dim>(written[a].S, S_inverse));
      calP = multiply<dim>(
          S_inverse,
          subtract(add(P_here, multiply<dim>(written[a].D, U)), written[a].p0));
      calU = add(multiply<dim>(written[a].L, subtract(U, written[a].U0)),
                 multiply<dim>(written[a].C, calP));
    }
    LocalVector<dim> F;
    if (law.is_tresca())
    {
      // Signorini's condition, and the disk where it presses.
      const double z_N = g * calP[0] - calU[0];
      F[0]             = g * calP[0] - std::max(0., z_N);
      double length    = 0.;
      for (int c = 1; c < dim; ++c)
        length += std::pow(g * calP[c] - calU[c], 2);
      length = std::sqrt(length);
      for (int c = 1; c < dim; ++c)
      {
        const double z    = g * calP[c] - calU[c];
        const double onto = z_N <= 0. ? 0.
                            : length <= g * law.threshold
                                ? z
                                : g * law.threshold * z / length;
        F[c]              = g * calP[c] - onto;
      }
    }
    else
    {
      LocalVector<dim> z = subtract(scale(g, calP), calU);
      z[0] -= law.friction * tangential_norm(calU);
      F = subtract(scale(g, calP), project_on_cone<dim>(z, law.friction));
    }
    sum += dot(F, F);
  }
  return std::sqrt(sum);
}

/// A definite problem with laws of these kinds, unique by its friction; and
/// what is known of calW.
template <int dim>
struct AffineProblem
{
  TestProblem<dim> test, standard;
  std::vector<Written<dim>> written;
  double c = 0., d = 0.; ///< largest compliance and spring

  AffineProblem(Random &random,
                const std::vector<Kind> &kinds,
                const bool tresca = false)
  {
    const double condition = std::pow(10., random.uniform(0.1, 1.));
    c                      = random.uniform(0.1, 2.);
    d                      = random.uniform(0.1, 10.);
    test = random_definite<dim>(random, 1 + random.index(8), condition, 0.);
    written.resize(test.n);
    // 1 / (1 / lambda + d), and stretched by at most 1.2 and 0.8 twice.
    const double smallest = 0.64 / (condition + d), largest = 1.44 * 1. + c;
    const double mu = random.uniform(0., 0.9) / std::sqrt(largest / smallest);
    // So that sticking occurs.
    const double shear = random.index(2) == 0 ? 1. : 0.02;
    for (std::size_t a = 0; a < test.n; ++a)
    {
      for (int k = 1; k < dim; ++k)
        test.problem.U_free[dim * a + k] *= shear;
      auto &law       = test.problem.laws[a];
      law.friction    = mu;
      const Kind kind = kinds[random.index(kinds.size())];
      if (tresca && random.index(2) == 0)
      {
        law.friction  = 0.;
        law.threshold = random.uniform(0., 0.3);
      }
      if (kind == Kind::plain)
        continue;
      written[a] = random_law<dim>(random, kind, c, d);
      for (int k = 1; k < dim; ++k)
      {
        written[a].U0[k] *= shear;
        written[a].p0[k] *= shear;
      }
      law.affine = written[a].law();
      law.shift  = LocalVector<dim>{};
    }
    StandardProblem<dim> change;
    EXPECT_TRUE(change.reinit(test.problem, StandardUse::rows));
    const DenseDelassus<dim> calW(change.rows());
    std::vector<double> matrix;
    for (std::size_t i = 0; i < dim * test.n; ++i)
      for (std::size_t j = 0; j < dim * test.n; ++j)
        matrix.push_back(calW(i, j));
    standard.set_matrix(test.n, matrix);
    standard.problem.U_free        = change.problem().U_free;
    standard.problem.laws          = change.problem().laws;
    standard.problem.impulse_scale = effective_impulse_scale(test.problem);
    standard.lambda_min            = smallest;
    standard.lambda_max            = largest;
  }

  /// Of P and U, from that of calU.
  void bounds(double &on_P, double &on_U) const
  {
    // |F| <= tolerance |q| of the problem as it was given.
    const double ratio = test.norm_q() / standard.norm_q();
    const double on_calU =
        bound_on_velocities(standard, affine_tolerance * std::max(1., ratio));
    const double on_calP = on_calU / standard.lambda_min;
    on_U                 = 1.25 * (on_calU + c * on_calP);
    on_P                 = 1.25 * on_calP + d * on_U;
  }
};

inline std::vector<SolverCase> with_threads()
{
  auto cases = all_solvers();
  cases.push_back({ ContactSolverType::parallel_gauss_seidel,
                    "parallel_gauss_seidel",
                    false,
                    1. });
  return cases;
}

template <int dim>
std::unique_ptr<ContactSolver<dim>> make(const SolverCase &entry,
                                         const double tol = affine_tolerance)
{
  auto parameters      = parameters_of(entry.type, tol, 20000);
  parameters.n_threads = 2;
  return make_contact_solver<dim>(parameters);
}
} // namespace delassus_tests

#endif

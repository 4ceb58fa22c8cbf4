#include "internal_forces/newton.h"

using namespace forces;

namespace
{
TimeParameters dynamic(const double theta, const double h)
{
  TimeParameters time;
  time.theta = theta;
  time.step  = h;
  return time;
}

TimeParameters quasi_static(const double h)
{
  TimeParameters time;
  time.scheme = TimeScheme::quasi_static;
  time.step   = h;
  return time;
}

template <int dim>
BodyParameters thrown()
{
  BodyParameters body;
  body.initial_velocity = dim == 2 ? "3 - 4*y + 2*x; 1 + 4*x - 3*y"
                                   : "3 - 4*y + 2*x; 1 + 4*x - 3*y; 2*y - z";
  return body;
}

/// A free block, thrown so that it turns and deforms.
template <int dim>
void throw_block(const double theta,
                 const MaterialParameters &material,
                 const BodyParameters &parameters,
                 const bool simplices)
{
  // Waves cross a cell in about 0.03.
  const double h = 0.02;
  Simulated<dim> block(irregular_mesh<dim>(simplices, 1, 2),
                       material,
                       parameters,
                       dynamic(theta, h));
  auto &scheme       = *block.scheme;
  const auto before  = block.momentum();
  const double start = scheme.kinetic_energy();
  double energy = start, numerical = 0., inelastic = 0., damping = 0.;
  double elastic = 0.;
  for (unsigned int i = 0; i < 20; ++i)
  {
    const auto terms = block.step(i * h);
    const double now = terms.kinetic + terms.elastic;
    // The identity, as exact as the balance is.
    EXPECT_NEAR(now - energy,
                -terms.numerical - terms.integration - terms.inelastic -
                    terms.damping,
                1e-11 * start);
    EXPECT_EQ(terms.external, 0.);
    EXPECT_EQ(terms.driven, 0.);
    EXPECT_NEAR(terms.kinetic, scheme.kinetic_energy(), 1e-13 * start);
    EXPECT_GE(terms.inelastic, -1e-13 * start);
    EXPECT_GE(terms.damping, -1e-13 * start);
    energy  = now;
    elastic = std::max(elastic, terms.elastic);
    numerical += terms.numerical;
    inelastic += terms.inelastic;
    damping += terms.damping;
    const auto after = block.momentum();
    for (unsigned int c = 0; c < after.size(); ++c)
      // The midpoint rule keeps the angular momentum, implicit Euler does not.
      if (material.rayleigh_mass == 0. &&
          (c < dim || (theta == 0.5 && damping == 0.)))
      {
        EXPECT_NEAR(after[c], before[c], 1e-11 * std::abs(before[0]))
            << "component " << c << " step " << i;
      }
  }
  std::cout << dim << "D, theta " << theta << ": kinetic " << start
            << ", largest elastic " << elastic << ", end " << energy
            << ", numerical " << numerical << ", inelastic " << inelastic
            << ", damping " << damping << std::endl;
  EXPECT_GT(elastic, 0.02 * start);
  if (theta == 0.5)
  {
    EXPECT_LT(std::abs(numerical), 0.03 * start);
  }
  else
  {
    EXPECT_GT(numerical, 0.);
  }
  EXPECT_EQ(inelastic > 0.,
            material.model == MaterialModel::j2 ||
                material.model == MaterialModel::maxwell);
  EXPECT_EQ(damping > 0.,
            material.rayleigh_mass > 0. || material.rayleigh_stiffness > 0.);
}
} // namespace

TEST(Newton, MomentumAndEnergyOfAThrownBlock)
{
  const auto neo = make_law("neo_hookean").parameters;
  for (const double theta : { 1., 0.5 })
  {
    throw_block<2>(theta, neo, thrown<2>(), false);
    throw_block<3>(theta, neo, thrown<3>(), false);
    throw_block<3>(theta, neo, thrown<3>(), true);
  }
}

TEST(Newton, EnergyOfInelasticAndDampedBlocks)
{
  for (const double theta : { 1., 0.5 })
  {
    for (const std::string law : { "j2", "maxwell" })
    {
      throw_block<2>(theta, make_law(law).parameters, thrown<2>(), true);
      throw_block<3>(theta, make_law(law).parameters, thrown<3>(), false);
    }
    auto damped               = make_law("neo_hookean").parameters;
    damped.rayleigh_mass      = 0.2;
    damped.rayleigh_stiffness = 1e-4;
    throw_block<2>(theta, damped, thrown<2>(), false);
    damped.rayleigh_mass = 0.;
    throw_block<2>(theta, damped, thrown<2>(), false);
    damped.rayleigh_mass      = 0.2;
    damped.rayleigh_stiffness = 0.;
    throw_block<2>(theta, damped, thrown<2>(), false);
  }
}

// Forces at nodes against energies at points: with smaller steps what is left
// between them goes to zero, with the square of the step for elastic laws, and
// at least with the step for those that return by backward Euler.
TEST(Newton, MaterialsStoreAndDissipateTheWorkOfTheirStress)
{
  for (const std::string law :
       { "neo_hookean", "svk", "j2", "j2_kinematic", "maxwell" })
    for (const double theta : { 1., 0.5 })
    {
      double left[2], turnover = 0.;
      for (const int finer : { 0, 1 })
      {
        const double h = finer ? 0.001 : 0.002;
        Simulated<2> block(irregular_mesh<2>(false, 1, 2),
                           make_law(law).parameters,
                           thrown<2>(),
                           dynamic(theta, h));
        left[finer] = turnover = 0.;
        for (unsigned int i = 0; i < (finer ? 200 : 100); ++i)
        {
          const auto terms = block.step(i * h);
          left[finer] += std::abs(terms.integration);
          turnover += terms.inelastic;
          turnover = std::max(turnover, terms.elastic);
        }
        left[finer] /= turnover;
      }
      const bool elastic = law == "neo_hookean" || law == "svk";
      std::cout << law << ", theta " << theta << ": " << left[0] << ", "
                << left[1] << std::endl;
      EXPECT_LT(left[1], left[0] / (elastic ? 3. : 1.7)) << law;
    }
}

TEST(Newton, ConvergesQuadratically)
{
  for (const std::string law : { "neo_hookean", "j2", "j2_kinematic" })
    for (const double theta : { 1., 0.5 })
      for (const auto dilatation : { Dilatation::full, Dilatation::mean })
      {
        auto parameters       = thrown<3>();
        parameters.dilatation = dilatation;
        Simulated<3> block(irregular_mesh<3>(false, 1, 2),
                           make_law(law).parameters,
                           parameters,
                           dynamic(theta, 0.02));
        for (unsigned int i = 0; i < 3; ++i)
        {
          block.step(i * 0.02, 1e-12);
          const auto &r = block.residuals;
          std::cout << law << ", theta " << theta << ":";
          for (const double value : r)
            std::cout << " " << value;
          // The order between the last steps that rounding does not hide; of
          // loops that take three iterations there are none, since the first
          // tangent has the pressures of the beginning.
          double order = 0.;
          for (std::size_t k = 2; k < r.size(); ++k)
            if (r[k] > 1e-13 && r[k - 1] < 0.1)
              order = std::max(order,
                               std::log(r[k] / r[k - 1]) /
                                   std::log(r[k - 1] / r[k - 2]));
          std::cout << "; order " << order << std::endl;
          if (r.size() > 4)
            EXPECT_GT(order, 1.7);
          else
            EXPECT_GT(order, 1.5);
          EXPECT_LE(r.size(), 9u);
        }
      }
}

TEST(Newton, AllMatricesGiveTheSameVelocity)
{
  auto parameters = thrown<2>();
  parameters.mass = MassType::lumped;
  const double h  = 0.004; // below 1 / frequency
  for (const std::string law : { "neo_hookean", "j2" })
    for (const double theta : { 1., 0.5 })
    {
      Vector reference;
      for (const auto matrix : { CorrectingMatrix::full,
                                 CorrectingMatrix::step,
                                 CorrectingMatrix::frozen,
                                 CorrectingMatrix::lumped,
                                 CorrectingMatrix::two_term })
      {
        auto held =
            condition(BoundaryConditionType::velocity, "left", "0.5*t; 1 - t");
        Simulated<2> block(irregular_mesh<2>(false, 1, 3),
                           make_law(law).parameters,
                           parameters,
                           dynamic(theta, h),
                           { held },
                           Assumption::plane_strain,
                           matrix);
        unsigned int iterations = 0;
        for (unsigned int i = 0; i < 10; ++i)
        {
          block.step(i * h, 1e-13, 60);
          iterations += block.residuals.size() - 1;
        }
        if (matrix == CorrectingMatrix::full)
        {
          const double bound = block.scheme->internal.frequency_bound();
          EXPECT_LT(h * bound, 1.);
          std::cout << "h omega <= " << h * bound << std::endl;
          reference = block.scheme->v;
        }
        std::cout << law << " theta " << theta << " matrix " << int(matrix)
                  << ": " << iterations / 10. << " iterations a step, differs "
                  << difference(reference, block.scheme->v) << std::endl;
        EXPECT_LT(difference(reference, block.scheme->v),
                  1e-10 * reference.linfty_norm());
      }
    }
}

TEST(Newton, DrivenDofsReachTheirMotion)
{
  for (const auto matrix : { CorrectingMatrix::full, CorrectingMatrix::lumped })
    for (const double theta : { 1., 0.5 })
    {
      const double h  = 0.004;
      auto parameters = BodyParameters();
      parameters.mass = MassType::lumped;
      Simulated<2> block(irregular_mesh<2>(false, 1, 2),
                         make_law("neo_hookean").parameters,
                         parameters,
                         dynamic(theta, h),
                         { condition(BoundaryConditionType::fixed, "left"),
                           condition(BoundaryConditionType::displacement,
                                     "right",
                                     "3*t*t; -2*t",
                                     { 0, 1 }) },
                         Assumption::plane_strain,
                         matrix);
      auto &scheme  = *block.scheme;
      double energy = 0., work = 0.;
      // theta < 1: the motion's velocity at the start is kinetic energy.
      energy = scheme.kinetic_energy();
      for (unsigned int i = 0; i < 20; ++i)
      {
        const double t   = i * h;
        const auto terms = block.step(t, 1e-13, 60);
        const double now = terms.kinetic + terms.elastic;
        EXPECT_NEAR(now - energy,
                    terms.driven - terms.numerical - terms.integration,
                    1e-11 * (now + std::abs(terms.driven)));
        energy = now;
        work += terms.driven;
        // The shifted coordinate follows (see DrivenDofs::velocity).
        const double late = t + (2. - theta) * h;
        for (unsigned int f : block.body->surface("right", "test"))
          for (unsigned int k = 0; k < 2; ++k)
          {
            const unsigned int node = block.body->boundary[f].nodes[k];
            EXPECT_NEAR(scheme.q[2 * node] +
                            (1. - theta) * h * scheme.v[2 * node],
                        3. * late * late,
                        1e-12);
            EXPECT_NEAR(scheme.q[2 * node + 1] +
                            (1. - theta) * h * scheme.v[2 * node + 1],
                        -2. * late,
                        1e-12);
          }
        for (unsigned int f : block.body->surface("left", "test"))
          for (unsigned int k = 0; k < 2; ++k)
            for (unsigned int c = 0; c < 2; ++c)
              EXPECT_EQ(scheme.q[2 * block.body->boundary[f].nodes[k] + c], 0.);
      }
      EXPECT_GT(work, 0.);
    }
}

// Pressure on the whole surface of a block whose foot is held: the stiffness of
// the load is symmetric, and with it the loop is of second order.
TEST(Newton, ConvergesQuadraticallyUnderAFollowingPressure)
{
  for (const double theta : { 1., 0.5 })
  {
    Simulated<3> block(
        irregular_mesh<3>(false, 1, 2),
        make_law("neo_hookean").parameters,
        {},
        dynamic(theta, 0.3),
        { condition(BoundaryConditionType::fixed, "bottom"),
          condition(BoundaryConditionType::pressure, "*", "25*(1 + t)") });
    for (unsigned int i = 0; i < 3; ++i)
    {
      block.step(i * 0.3, 1e-12);
      const auto &r = block.residuals;
      std::cout << "theta " << theta << ":";
      for (const double value : r)
        std::cout << " " << value;
      double order = 0.;
      for (std::size_t k = 2; k < r.size(); ++k)
        if (r[k] > 1e-13 && r[k - 1] < 0.1)
          order = std::max(
              order, std::log(r[k] / r[k - 1]) / std::log(r[k - 1] / r[k - 2]));
      std::cout << "; order " << order << std::endl;
      EXPECT_GT(order, 1.7);
    }
  }
}

// Two congruent pieces, only one of which is deformed: their tangents differ.
TEST(Newton, CongruentPiecesHaveTheirOwnTangents)
{
  auto grid = sheared_grid<2>(false, 2, 0.);
  auto mesh = make_grid(grid);
  grid.map = [](const Point<2> &p) { return sheared<2>(p) + Point<2>(9., 0.); };
  append_grid(mesh, grid);
  auto parameters             = thrown<2>();
  parameters.initial_velocity = "if(x > 8, -6*y, 0); if(x > 8, 6*(x-9), 0)";
  std::size_t iterations[2];
  for (const bool share : { false, true })
  {
    Simulated<2> pieces(mesh,
                        make_law("neo_hookean").parameters,
                        parameters,
                        dynamic(1., 0.02),
                        {},
                        Assumption::plane_strain,
                        CorrectingMatrix::full,
                        share);
    EXPECT_EQ(pieces.classes.n_classes(), share ? 1u : 2u);
    for (unsigned int i = 0; i < 5; ++i)
      pieces.step(i * 0.02, 1e-11, 200);
    iterations[share] = pieces.residuals.size() - 1;
  }
  std::cout << iterations[0] << " iterations, with one matrix for both "
            << iterations[1] << std::endl;
  EXPECT_LE(iterations[0], 6u);
  EXPECT_GT(iterations[1], iterations[0]);
}

// A bar between a symmetry plane and a pulled end, two more symmetry planes:
// uniaxial stress, force tau A0 / lambda (finite) or sigma A0.
TEST(Newton, QuasiStaticBarInPlasticTension)
{
  for (const std::string name : { "j2_small", "j2_kinematic" })
    for (const bool simplices : { false, true })
      for (const auto dilatation : { Dilatation::full, Dilatation::mean })
      {
        const auto law = make_law(name);
        Grid<3> grid;
        grid.simplices  = simplices;
        grid.n          = { { 3, 2, 2 } };
        grid.distortion = 0.3;
        const double L = 3., A = 0.5 * 0.7;
        grid.map = [&](const Point<3> &p)
        { return Point<3>(L * p[0], 0.5 * p[1], 0.7 * p[2]); };
        BodyParameters parameters;
        parameters.dilatation = dilatation;
        const double h        = 0.1;
        using Type            = BoundaryConditionType;
        Simulated<3> bar(
            make_grid(grid),
            law.parameters,
            parameters,
            quasi_static(h),
            { condition(Type::fixed, "left", "", { 0 }),
              condition(Type::fixed, "front", "", { 1 }),
              condition(Type::fixed, "bottom", "", { 2 }),
              condition(Type::displacement, "right", "t; 0; 0", { 0 }) });
        const auto &p  = law.parameters;
        const double E = p.young_modulus;
        double work    = 0.;
        for (unsigned int i = 0; i < 12; ++i)
        {
          const auto terms    = bar.step(i * h, 1e-12, 30, true);
          const double u      = (i + 1) * h;
          const double lambda = 1. + u / L;
          const double strain = law.finite ? std::log(lambda) : u / L;
          const double plastic =
              std::max(0.,
                       (E * strain - p.yield_stress) /
                           (E + p.hardening_modulus + p.kinematic_modulus));
          const double tau   = E * (strain - plastic);
          const double force = A * tau / (law.finite ? lambda : 1.);
          const auto &r      = bar.scheme->reactions;
          EXPECT_NEAR(r[3 * 3], force, 1e-9 * force);
          EXPECT_NEAR(r[0], -force, 1e-9 * force);
          EXPECT_NEAR(r[3 + 1], 0., 1e-9 * force);
          EXPECT_NEAR(r[6 + 2], 0., 1e-9 * force);
          EXPECT_NEAR(terms.driven, h * force, 1e-9 * h * force);
          work += terms.driven;
          const unsigned int cell = bar.body->n_cells() / 2;
          const auto &s           = bar.scheme->internal.stress(cell, 0);
          for (unsigned int k = 1; k < 6; ++k)
            EXPECT_NEAR(s[k], 0., 1e-8 * tau);
          const unsigned int at = law.finite ? 9 : 6;
          EXPECT_NEAR(
              bar.scheme->internal.history(cell, 0)[at], plastic, 1e-10);
          EXPECT_LE(bar.residuals.size(), 8u);
        }
      }
}

// Energies after a resume are those of the state.
TEST(Newton, RestartFindsTheElasticEnergy)
{
  const auto make = []()
  {
    return std::make_unique<Simulated<2>>(irregular_mesh<2>(true, 1, 2),
                                          make_law("j2").parameters,
                                          thrown<2>(),
                                          dynamic(1., 0.02));
  };
  auto one = make(), two = make();
  for (unsigned int i = 0; i < 5; ++i)
    one->step(i * 0.02);
  auto from = one->scheme->state(), to = two->scheme->state();
  for (unsigned int i = 0; i < from.size(); ++i)
    *to[i] = *from[i];
  std::vector<double> values(one->scheme->internal.state_size());
  for (const unsigned int cell : one->body->owned_cells)
  {
    one->scheme->internal.get_state(cell, values.data());
    two->scheme->internal.set_state(cell, values.data());
  }
  two->scheme->restart();
  const double stored = one->scheme->internal.stored_before;
  EXPECT_GT(stored, 0.);
  EXPECT_NEAR(two->scheme->internal.stored_before, stored, 1e-10 * stored);
  const auto a = one->step(0.1), b = two->step(0.1);
  EXPECT_NEAR(a.kinetic, b.kinetic, 1e-12 * a.kinetic);
  EXPECT_NEAR(a.numerical, b.numerical, 1e-9 * a.kinetic);
  EXPECT_EQ(difference(one->scheme->q, two->scheme->q), 0.);
}

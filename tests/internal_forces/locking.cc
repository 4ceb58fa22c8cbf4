#include "internal_forces/newton.h"

using namespace forces;

namespace
{
/// Cook's tapered panel, plane strain, nearly incompressible: deflection of the
/// upper corner of its right end under a shear force. In 3D it is one panel of
/// two cells between two planes.
template <int dim>
double cook(const bool simplices,
            const unsigned int degree,
            const unsigned int n,
            const Dilatation dilatation)
{
  MaterialParameters material;
  material.density       = 1.;
  material.young_modulus = 1.;
  material.poisson_ratio = 0.4999;
  Grid<dim> grid;
  grid.simplices = simplices;
  grid.n.fill(n);
  if (dim == 3)
    grid.n[1] = 2;
  const double thickness = dim == 3 ? 96. / n : 1.;
  // The last axis is up.
  grid.map = [&](const Point<dim> &p)
  {
    Point<dim> x;
    const double s = p[0], t = p[dim - 1];
    x[0]       = 48. * s;
    x[dim - 1] = 44. * s + t * (44. - 28. * s);
    if (dim == 3)
      x[1] = thickness * p[1];
    return x;
  };
  auto mesh = make_grid(grid);
  if (degree == 2)
    add_mid_nodes(mesh);
  BodyParameters parameters;
  parameters.degree     = degree;
  parameters.dilatation = dilatation;
  TimeParameters time;
  time.scheme = TimeScheme::quasi_static;
  time.step   = 1.;
  using Type  = BoundaryConditionType;
  std::vector<BoundaryConditionParameters> conditions;
  const double shear = 1. / 16.;
  if (dim == 2)
    conditions = {
      condition(Type::fixed, "left"),
      condition(Type::traction, "right", "0; " + std::to_string(shear))
    };
  else
    conditions = {
      condition(Type::fixed, "left", "", { 0, 2 }),
      condition(Type::fixed, "front", "", { 1 }),
      condition(Type::fixed, "back", "", { 1 }),
      condition(Type::traction, "right", "0; 0; " + std::to_string(shear))
    };
  Simulated<dim> panel(mesh, material, parameters, time, conditions);
  panel.step(0., 1e-9);
  Point<dim> corner;
  corner[0]       = 48.;
  corner[dim - 1] = 60.;
  double result   = 0.;
  for (unsigned int node = 0; node < panel.body->n_nodes(); ++node)
  {
    auto distance = panel.body->nodes[node] - corner;
    if (dim == 3)
      distance[1] = 0.;
    if (distance.norm() < 1e-9)
      result = panel.scheme->q[dim * node + dim - 1];
  }
  return result;
}

/// VERIFICATION 4.3: a cylinder of perfectly plastic material expanded from
/// inside, plane strain; the pressure at inner displacement @p u, in the limit
/// 2 k ln(b/a).
double cylinder(const bool simplices,
                const unsigned int degree,
                const unsigned int n,
                const Dilatation dilatation,
                const bool finite = false)
{
  MaterialParameters material;
  material.density       = 1.;
  material.young_modulus = 210e3;
  material.poisson_ratio = 0.3;
  material.yield_stress  = 240.;
  material.model = finite ? MaterialModel::j2 : MaterialModel::j2_small_strain;
  Grid<2> grid;
  grid.simplices      = simplices;
  grid.n              = { { n, 2 } };
  const double height = 200. / n;
  grid.map            = [&](const Point<2> &p)
  { return Point<2>(100. + 100. * p[0], height * p[1]); };
  auto mesh = make_grid(grid);
  if (degree == 2)
    add_mid_nodes(mesh);
  BodyParameters parameters;
  parameters.degree     = degree;
  parameters.dilatation = dilatation;
  TimeParameters time;
  time.scheme = TimeScheme::quasi_static;
  time.step   = 0.02;
  using Type  = BoundaryConditionType;
  Simulated<2> ring(mesh,
                    material,
                    parameters,
                    time,
                    { condition(Type::displacement, "left", "t; 0", { 0 }),
                      condition(Type::fixed, "bottom", "", { 1 }),
                      condition(Type::fixed, "top", "", { 1 }) },
                    Assumption::axisymmetric);
  for (unsigned int i = 0; i < 30; ++i)
    ring.step(i * time.step, 1e-9, 30, true);
  return ring.scheme->reactions[0] / (2. * dealii::numbers::PI * 100. * height);
}
} // namespace

// Deflections, share of the one of Q9 32 x 32 with mean dilatation.
TEST(Locking, NearlyIncompressiblePanel)
{
  const double reference = cook<2>(false, 2, 32, Dilatation::mean);
  std::cout << "reference " << reference << std::endl;
  struct Case
  {
    std::string name;
    double mean, full;
  };
  const unsigned int n = 16, n_3 = 8;
  std::vector<Case> cases;
  cases.push_back({ "Q4",
                    cook<2>(false, 1, n, Dilatation::mean),
                    cook<2>(false, 1, n, Dilatation::full) });
  cases.push_back({ "T3",
                    cook<2>(true, 1, n, Dilatation::mean),
                    cook<2>(true, 1, n, Dilatation::full) });
  cases.push_back({ "Q9",
                    cook<2>(false, 2, n, Dilatation::mean),
                    cook<2>(false, 2, n, Dilatation::full) });
  cases.push_back({ "T6",
                    cook<2>(true, 2, n, Dilatation::mean),
                    cook<2>(true, 2, n, Dilatation::full) });
  cases.push_back({ "H8",
                    cook<3>(false, 1, n_3, Dilatation::mean),
                    cook<3>(false, 1, n_3, Dilatation::full) });
  cases.push_back({ "Tet4",
                    cook<3>(true, 1, n_3, Dilatation::mean),
                    cook<3>(true, 1, n_3, Dilatation::full) });
  cases.push_back({ "Tet4, 16",
                    cook<3>(true, 1, n, Dilatation::mean),
                    cook<3>(true, 1, n, Dilatation::full) });
  for (const auto &c : cases)
    std::cout << c.name << ": mean " << c.mean / reference << ", full "
              << c.full / reference << std::endl;
}

TEST(Locking, LimitLoadOfACylinder)
{
  const double limit = 240. / std::sqrt(3.) * 2. * std::log(2.);
  for (const unsigned int n : { 5, 10, 20 })
    for (const bool simplices : { false, true })
      for (const unsigned int degree : { 1, 2 })
        for (const auto dilatation : { Dilatation::mean, Dilatation::full })
          std::cout << n << (simplices ? " T" : " Q") << degree
                    << (dilatation == Dilatation::mean ? " mean " : " full ")
                    << cylinder(simplices, degree, n, dilatation) / limit
                    << std::endl;
}

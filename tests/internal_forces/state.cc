#include "internal_forces/common.h"

#include <delassus/bodies/dilatation_groups.h>

#include <cstring>

using namespace forces;

namespace
{
bool same_bits(const Vector &a, const Vector &b)
{
  return std::memcmp(&*a.begin(),
                     &*b.begin(),
                     sizeof(double) * a.locally_owned_size()) == 0;
}

template <int dim>
std::vector<double> state_of(const InternalForces<dim> &forces)
{
  std::vector<double> all;
  for (const unsigned int cell : forces.evaluated_cells())
  {
    all.resize(all.size() + forces.state_size());
    forces.get_state(cell, &all[all.size() - forces.state_size()]);
  }
  return all;
}

template <int dim>
void check_state(const SolidBody<dim> &body)
{
  const double h = 0.3;
  InternalForces<dim> forces(body, body.assumption);
  const auto virgin = state_of(forces);
  const Vector q1   = deformation(body, 0.2, 0.06, 1, 0.3);
  const Vector q2   = deformation(body, 0.35, 0.1, 2, 0.6);

  // Twice the same, whatever was evaluated in between.
  ASSERT_TRUE(forces.evaluate(q1, h, true));
  const Vector f1     = forces.force;
  const double stored = forces.stored, dissipated = forces.dissipated;
  Vector Kq = body.make_vector(), again = Kq;
  forces.tangent.vmult(Kq, q1);
  ASSERT_TRUE(forces.evaluate(q2, h, true));
  EXPECT_EQ(virgin, state_of(forces));
  ASSERT_TRUE(forces.evaluate(q1, h, false));
  EXPECT_TRUE(same_bits(f1, forces.force)); // nor does the tangent matter
  ASSERT_TRUE(forces.evaluate(q1, h, true));
  EXPECT_TRUE(same_bits(f1, forces.force));
  EXPECT_EQ(stored, forces.stored);
  EXPECT_EQ(dissipated, forces.dissipated);
  forces.tangent.vmult(again, q1);
  EXPECT_TRUE(same_bits(Kq, again));
  EXPECT_EQ(virgin, state_of(forces));

  // A failed evaluation changes nothing either.
  Vector inverted = affine(body, -1. * identity<dim>());
  if (forces.law().is_finite_strain())
  {
    if (dim == 2)
      inverted = nodal_vector(body,
                              [](const Point<dim> &x, const unsigned int c)
                              { return c == 1 ? -2. * x[1] : 0.; });
    EXPECT_FALSE(forces.evaluate(inverted, h, true));
    EXPECT_NE(forces.trouble(), "");
    EXPECT_EQ(virgin, state_of(forces));
    ASSERT_TRUE(forces.evaluate(q1, h, true));
    EXPECT_EQ(forces.trouble(), "");
    EXPECT_TRUE(same_bits(f1, forces.force));
  }

  forces.accept();
  EXPECT_EQ(forces.stored_before, stored);
  const auto after = state_of(forces);
  EXPECT_NE(virgin, after);

  // The state goes into another object, and both go on alike.
  InternalForces<dim> other(body, body.assumption);
  for (std::size_t i = 0; i < other.evaluated_cells().size(); ++i)
    other.set_state(other.evaluated_cells()[i], &after[i * other.state_size()]);
  EXPECT_EQ(after, state_of(other));
  ASSERT_TRUE(forces.evaluate(q2, h, true));
  ASSERT_TRUE(other.evaluate(q2, h, true));
  EXPECT_TRUE(same_bits(forces.force, other.force));
  EXPECT_EQ(forces.stored, other.stored);
  EXPECT_EQ(forces.dissipated, other.dissipated);
}

/// The nodes of the cells of each group, as sets: comparable between meshes
/// whose cells are in another order.
template <int dim>
std::vector<std::vector<std::vector<unsigned int>>>
groups_by_nodes(const SolidBody<dim> &body,
                const std::vector<unsigned int> &vertex_of_node = {})
{
  std::vector<std::vector<std::vector<unsigned int>>> result;
  for (const auto &group : make_dilatation_groups(body, true))
  {
    result.emplace_back();
    for (const unsigned int cell : group)
    {
      std::vector<unsigned int> nodes(body.nodes_of_cell(cell),
                                      body.nodes_of_cell(cell) + dim + 1);
      for (unsigned int &node : nodes)
        node = vertex_of_node.empty() ? node : vertex_of_node[node];
      std::sort(nodes.begin(), nodes.end());
      result.back().push_back(nodes);
    }
    std::sort(result.back().begin(), result.back().end());
  }
  std::sort(result.begin(), result.end());
  return result;
}

template <int dim>
void check_patches(const unsigned int n)
{
  const auto mesh             = make_grid(sheared_grid<dim>(true, n, 0.3));
  const auto body             = make_body(mesh);
  const auto groups           = make_dilatation_groups(*body, true);
  constexpr unsigned int most = dim == 2 ? 4 : 8;
  std::vector<unsigned int> seen(body->n_cells(), 0);
  unsigned int n_wanted = 0, largest = 0, smallest = 1000;
  for (const auto &group : groups)
  {
    for (const unsigned int cell : group)
      ++seen[cell];
    n_wanted += group.size() == most;
    largest  = std::max<unsigned int>(largest, group.size());
    smallest = std::min<unsigned int>(smallest, group.size());
    // Connected by faces.
    std::vector<unsigned int> reached = { group[0] };
    for (std::size_t i = 0; i < reached.size(); ++i)
      for (const unsigned int cell : group)
        if (std::find(reached.begin(), reached.end(), cell) == reached.end())
        {
          unsigned int shared = 0;
          for (unsigned int a = 0; a <= dim; ++a)
            for (unsigned int b = 0; b <= dim; ++b)
              shared += body->nodes_of_cell(cell)[a] ==
                        body->nodes_of_cell(reached[i])[b];
          if (shared == dim)
            reached.push_back(cell);
        }
    EXPECT_EQ(reached.size(), group.size());
  }
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 1u), body->n_cells());
  EXPECT_GE(smallest, 2u);
  EXPECT_LE(largest, most + 3);
  const double mean = double(body->n_cells()) / groups.size();
  std::cout << dim << "D: " << body->n_cells() << " cells in " << groups.size()
            << " patches, " << n_wanted << " of " << most << ", " << smallest
            << " to " << largest << ", mean " << mean << std::endl;
  EXPECT_GT(mean, 0.75 * most);

  // Cells in another order, their corners too.
  const auto before = groups_by_nodes(*body);
  std::mt19937 random(5);
  for (unsigned int trial = 0; trial < 4; ++trial)
  {
    auto shuffled = mesh;
    std::shuffle(shuffled.cells.begin(), shuffled.cells.end(), random);
    if (trial > 1)
      for (auto &cell : shuffled.cells) // an even permutation
        std::rotate(cell.vertices.begin(),
                    cell.vertices.begin() + 1,
                    cell.vertices.begin() + 3);
    const auto other = make_body(shuffled);
    std::vector<unsigned int> same(other->n_nodes());
    for (unsigned int i = 0; i < same.size(); ++i)
    {
      same[i] = i;
      ASSERT_LT(other->nodes[i].distance(body->nodes[i]), 1e-14);
    }
    EXPECT_EQ(before, groups_by_nodes(*other, same)) << trial;
  }
}
} // namespace

TEST(State, IsThatOfTheLastAccept)
{
  const auto test = [](const auto &body, const auto &, const Dilatation)
  { check_state(body); };
  for_all<2>(all_laws, test);
  for (const bool simplices : { true, false })
    for (const std::string law : { "j2", "maxwell" })
      check_state(*irregular_body<3>(simplices,
                                     1,
                                     make_law(law).parameters,
                                     Dilatation::mean,
                                     Assumption::three_dimensional));
}

TEST(Patches, OfTrianglesAreFourCells)
{
  check_patches<2>(4);
  check_patches<2>(7);
  check_patches<2>(16);
}

TEST(Patches, OfTetrahedraAreEightCells)
{
  check_patches<3>(3);
  check_patches<3>(6);
}

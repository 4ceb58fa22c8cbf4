#include "detection/blocks.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace delassus;
using namespace small;
using dealii::Point;
using dealii::Tensor;

namespace
{
/// Hundreds of boxes on a loose lattice, turned and shifted at random so that
/// some overlap and some do not touch.
template <int dim>
MeshData<dim> heap(const bool simplices, const double scale)
{
  std::mt19937 random(11);
  std::uniform_real_distribution<double> uniform(-1., 1.);
  MeshData<dim> mesh;
  const unsigned int n = dim == 2 ? 15 : 6;
  for (unsigned int k = 0; k < (dim == 2 ? n * n : n * n * n); ++k)
  {
    Point<dim> centre, size;
    for (unsigned int d = 0; d < dim; ++d)
    {
      centre[d] = (d == 0   ? k % n
                   : d == 1 ? k / n % n
                            : k / n / n) +
                  0.1 * uniform(random);
      size[d] = d == 0 ? 1. : 0.7 + 0.25 * uniform(random);
    }
    Tensor<2, dim> R;
    const double a = 0.15 * uniform(random), b = 0.15 * uniform(random);
    if constexpr (dim == 2)
      R = Tensor<2, 2>(
          { { std::cos(a), -std::sin(a) }, { std::sin(a), std::cos(a) } });
    else
      R = Tensor<2, 3>({ { std::cos(a), -std::sin(a), 0. },
                         { std::sin(a), std::cos(a), 0. },
                         { 0., 0., 1. } }) *
          Tensor<2, 3>({ { 1., 0., 0. },
                         { 0., std::cos(b), -std::sin(b) },
                         { 0., std::sin(b), std::cos(b) } });
    Grid<dim> grid;
    grid.simplices = simplices;
    for (unsigned int d = 0; d < dim; ++d)
      grid.n[d] = dim == 2 || d == 0 ? 1 + random() % 2 : 1;
    grid.map = [&](const Point<dim> &p)
    {
      Tensor<1, dim> x;
      for (unsigned int d = 0; d < dim; ++d)
        x[d] = size[d] * (p[d] - 0.5);
      return Point<dim>(scale * (R * x + Tensor<1, dim>(centre)));
    };
    append_grid(mesh, grid);
  }
  return mesh;
}

template <int dim>
void tree_against_brute_force(const bool simplices,
                              const CandidatePoints kind,
                              const double search_distance,
                              const unsigned int at_least)
{
  Scene<dim> scene(heap<dim>(simplices, 1.), "*", "*", kind, search_distance);
  ASSERT_GE(scene.bodies[0]->pieces.size(), 200u);
  std::vector<Contact<dim>> oracle;
  // Brute force in 3D takes its time: once is enough there.
  for (const double reach :
       dim == 2 ? std::vector<double>{ 0., 0.1 } : std::vector<double>{ 0.1 })
  {
    scene.detect(0., reach);
    scene.detector->detect_by_brute_force(scene.x, 0., reach, oracle);
    EXPECT_GE(oracle.size(), at_least);
    expect_same(scene.contacts, oracle, 0.);
  }
  unsigned int inside = 0;
  for (const auto &contact : scene.contacts)
  {
    expect_sane(scene, contact);
    const double g = scene.gap(contact);
    inside += g < 0.;
    EXPECT_LE(std::abs(g),
              search_distance * scene.surfaces->points[contact.point].size +
                  0.1 + 1e-12);
  }
  EXPECT_GT(inside, 0u);
  EXPECT_LT(inside, scene.contacts.size());
}
/// A block with a curved, warped bottom that lies in a bowl with ridges and a
/// step, n cells wide.
template <int dim>
MeshData<dim> bowl(const bool simplices, const unsigned int n)
{
  const auto height = [](const Point<dim> &p)
  {
    const double x = p[0], y = dim == 3 ? p[1] : 2.;
    return 0.3 * (x - 2.) * (x - 2.) + 0.1 * std::sin(7. * x) +
           0.2 * (y - 2.) * (y - 2.) +
           0.15 * std::sin(5. * y) * std::cos(4. * x) + (x > 2.6 ? 0.4 : 0.);
  };
  MeshData<dim> mesh;
  for (const bool upper : { false, true })
  {
    Grid<dim> grid;
    grid.simplices = simplices;
    grid.n.fill(upper ? n / 2 : n);
    grid.n[dim - 1] = 1;
    grid.map        = [&](const Point<dim> &p)
    {
      Point<dim> x;
      for (unsigned int d = 0; d + 1 < dim; ++d)
        x[d] = upper ? 0.7 + 2. * p[d] : 4. * p[d];
      const double z = height(x);
      x[dim - 1] = upper ? z + 0.02 + p[dim - 1] : -1. + p[dim - 1] * (z + 1.);
      return x;
    };
    append_grid(mesh, grid);
  }
  return mesh;
}

/// What slides in the bowl finds the same by the tree and by trying all faces
/// and all edges, with the contacts from before.
template <int dim>
void sliding_in_a_bowl(const bool simplices, const double search_distance)
{
  Scene<dim> scene(bowl<dim>(simplices, dim == 2 ? 60 : 20),
                   "bottom",
                   "top",
                   CandidatePoints::nodes,
                   search_distance);
  unsigned int corners = 0, edges = 0;
  for (unsigned int step = 0; step < 12; ++step)
  {
    const double reach  = step % 3 == 0 ? 0. : step % 3 == 1 ? 0.05 : 0.2;
    const auto previous = scene.contacts;
    std::vector<Contact<dim>> oracle;
    scene.detector->detect_by_brute_force(scene.x, 0., reach, oracle, previous);
    scene.detect_again(reach);
    expect_same(scene.contacts, oracle, 0.);
    for (const auto &contact : scene.contacts)
    {
      corners += contact.slot > 0;
      edges += (contact.normal() -
                scene.surfaces->face_normal(contact.face, scene.x))
                   .norm() > 1e-6;
    }
    Tensor<1, dim> d;
    d[0]       = 0.11;
    d[dim - 1] = 0.01;
    scene.move(1, d);
  }
  EXPECT_GT(corners, 0u);
  EXPECT_GT(edges, 0u);
}
} // namespace

TEST(Detector, TreeFindsWhatBruteForceFindsInABowl)
{
  // (Beyond three sizes of a face trying all of them also finds warped faces
  // whose foot is farther away than the search distance.)
  for (const bool simplices : { false, true })
    for (const double search_distance : { 0.3, 1. })
    {
      sliding_in_a_bowl<2>(simplices, search_distance);
      sliding_in_a_bowl<3>(simplices, search_distance);
    }
}

TEST(Detector, TreeFindsWhatBruteForceFinds2D)
{
  tree_against_brute_force<2>(true, CandidatePoints::nodes, 0.3, 300);
  tree_against_brute_force<2>(false, CandidatePoints::midpoints, 0.3, 300);
  tree_against_brute_force<2>(true, CandidatePoints::gauss, 0.02, 20);
  tree_against_brute_force<2>(false, CandidatePoints::positions, 0.3, 300);
}

TEST(Detector, TreeFindsWhatBruteForceFinds3D)
{
  tree_against_brute_force<3>(true, CandidatePoints::midpoints, 0.4, 300);
  tree_against_brute_force<3>(false, CandidatePoints::nodes, 0.4, 300);
  tree_against_brute_force<3>(false, CandidatePoints::midpoints, 0.02, 10);
  tree_against_brute_force<3>(true, CandidatePoints::gauss, 0.05, 20);
}

TEST(Detector, TreeFindsWhatBruteForceFindsOnLongFaces)
{
  // A point a little beyond the end of a bar, within the tolerated overhang of
  // a face ten times longer than its size, with almost no search distance.
  for (const bool simplices : { false, true })
  {
    Scene<3> scene(
        { { Point<3>(), Point<3>(10., 0.1, 0.1), { { 1, 1, 1 } }, simplices },
          { Point<3>(10.05, 0.04, 0.1),
            Point<3>(0.02, 0.01, 0.1),
            { { 1, 1, 1 } },
            simplices } },
        "bottom",
        "top",
        CandidatePoints::midpoints,
        1e-3);
    scene.detect();
    std::vector<Contact<3>> oracle;
    scene.detector->detect_by_brute_force(scene.x, 0., 0., oracle);
    EXPECT_GE(oracle.size(), 1u);
    expect_same(scene.contacts, oracle, 0.);
  }
}

TEST(Detector, ScaleDoesNotMatter)
{
  Scene<2> plane(heap<2>(true, 1.), "*", "*", CandidatePoints::gauss, 0.3);
  Scene<3> space(heap<3>(false, 1.), "*", "*", CandidatePoints::midpoints, 0.3);
  plane.detect();
  space.detect();
  EXPECT_GE(plane.contacts.size(), 300u);
  EXPECT_GE(space.contacts.size(), 300u);
  for (const double scale : { 1e-6, 1e6 })
  {
    Scene<2> other(heap<2>(true, scale), "*", "*", CandidatePoints::gauss, 0.3);
    expect_same(other.detect(), plane.contacts, 1e-9);
    Scene<3> third(
        heap<3>(false, scale), "*", "*", CandidatePoints::midpoints, 0.3);
    expect_same(third.detect(), space.contacts, 1e-9);
  }
}

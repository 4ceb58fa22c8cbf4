#pragma once

#include "bodies/make_bodies.h"

#include <delassus/contact/detection/detector.h>
#include <delassus/mesh/refine_mesh.h>

#include <gtest/gtest.h>

/// Blocks that may touch, and the contacts found between them.
namespace small
{
template <int dim>
using Bodies = std::vector<std::unique_ptr<SolidBody<dim>>>;

/// A box given by its lower corner and size, n cells along each axis.
template <int dim>
struct Block
{
  dealii::Point<dim> corner, size;
  std::array<unsigned int, dim> n;
  bool simplices = false;
};

template <int dim>
void append_block(MeshData<dim> &mesh, const Block<dim> &block)
{
  Grid<dim> grid;
  grid.simplices = block.simplices;
  grid.n         = block.n;
  grid.map       = [&](const dealii::Point<dim> &p)
  {
    dealii::Point<dim> x = block.corner;
    for (unsigned int d = 0; d < dim; ++d)
      x[d] += block.size[d] * p[d];
    return x;
  };
  append_grid(mesh, grid);
}

/// Blocks with one interaction: points of the candidates' surface against the
/// antagonists' one. All blocks are pieces of one body.
template <int dim>
struct Scene
{
  Scene(const std::vector<Block<dim>> &blocks,
        const std::string &candidates,
        const std::string &antagonists,
        const CandidatePoints kind,
        const double search_distance                = 0.5,
        const std::vector<Obstacle<dim>> &obstacles = {})
      : obstacles(obstacles)
  {
    MeshData<dim> mesh;
    for (const auto &block : blocks)
      append_block(mesh, block);
    make(mesh, candidates, antagonists, kind, search_distance);
  }

  Scene(const MeshData<dim> &mesh,
        const std::string &candidates,
        const std::string &antagonists,
        const CandidatePoints kind,
        const double search_distance         = 0.5,
        const ContactFormulation formulation = ContactFormulation::points,
        const ContactNormals normals         = ContactNormals::face,
        const unsigned int degree            = 1)
      : formulation(formulation)
      , normals(normals)
      , degree(degree)
  {
    make(mesh, candidates, antagonists, kind, search_distance);
  }

  void make(MeshData<dim> mesh,
            const std::string &candidates,
            const std::string &antagonists,
            const CandidatePoints kind,
            const double search_distance)
  {
    BodyParameters parameters;
    parameters.degree = degree;
    if (degree == 2)
      add_mid_nodes(mesh);
    bodies.push_back(make_body(mesh, soft_stone(), parameters));
    surfaces = std::make_unique<ContactSurfaces<dim>>(skins_of<dim>(bodies),
                                                      MPI_COMM_WORLD);
    Interaction interaction;
    interaction.name            = "joint";
    interaction.search_distance = search_distance;
    if (!antagonists.empty())
      interaction.faces =
          surfaces->add_faces(0, bodies[0]->surface(antagonists, "test"));
    for (unsigned int o = 0; o < obstacles.size(); ++o)
      interaction.obstacles.push_back(o);
    interaction.formulation = formulation;
    interaction.normals     = normals;
    const auto faces =
        surfaces->add_faces(0, bodies[0]->surface(candidates, "test"));
    const auto range =
        formulation == ContactFormulation::mortar
            ? surfaces->add_mortar_points(faces, interaction.mortar_faces)
            : surfaces->add_points(faces, kind, { 0.2, 0.6 }, "test");
    interaction.first_point = range.first;
    interaction.end_point   = range.second;
    interactions.push_back(interaction);
    x = surfaces->reference;
    detector =
        std::make_unique<Detector<dim>>(*surfaces, interactions, obstacles);
  }

  const std::vector<Contact<dim>> &detect(const double t     = 0.,
                                          const double reach = 0.)
  {
    detector->detect(x, t, reach, contacts);
    return contacts;
  }

  /// Knowing the contacts found before.
  const std::vector<Contact<dim>> &detect_again(const double reach = 0.)
  {
    const auto previous = contacts;
    detector->detect(x, 0., reach, contacts, previous);
    return contacts;
  }

  double gap(const Contact<dim> &contact, const double t = 0.) const
  {
    if (contact.obstacle < 0)
      return contact.local_combination(x)[0];
    return obstacles[contact.obstacle].gap(
        contact.face,
        contact.normal(),
        surfaces->position(surfaces->points[contact.point], x),
        t);
  }

  unsigned int piece_of_point(const Contact<dim> &contact) const
  {
    return surfaces->points[contact.point].piece;
  }

  /// Move a piece by a displacement.
  void move(const unsigned int piece, const dealii::Tensor<1, dim> &d)
  {
    for (unsigned int n = 0; n < surfaces->nodes.size(); ++n)
      if (surfaces->nodes[n].piece == piece)
        for (unsigned int c = 0; c < dim; ++c)
          x[dim * n + c] += d[c];
  }

  ContactFormulation formulation = ContactFormulation::points;
  ContactNormals normals         = ContactNormals::face;
  unsigned int degree            = 1;
  Bodies<dim> bodies;
  std::vector<Obstacle<dim>> obstacles;
  std::unique_ptr<ContactSurfaces<dim>> surfaces;
  std::vector<Interaction> interactions;
  std::unique_ptr<Detector<dim>> detector;
  std::vector<double> x;
  std::vector<Contact<dim>> contacts;
};

template <int dim>
void expect_sane(const Scene<dim> &scene, const Contact<dim> &contact)
{
  double candidate = 0., antagonist = 0.;
  for (unsigned int i = 0; i < contact.n_entries; ++i)
  {
    const bool first = i < contact.n_candidate_entries;
    (first ? candidate : antagonist) += contact.weights[i];
    if (first)
    {
      EXPECT_GE(contact.weights[i], 0.);
    }
    else
    {
      EXPECT_LE(contact.weights[i], 1e-15);
    }
    EXPECT_LT(contact.nodes[i], scene.surfaces->nodes.size());
  }
  EXPECT_NEAR(candidate, 1., 1e-14);
  if (contact.obstacle < 0)
  {
    EXPECT_NEAR(antagonist, -1., 1e-14);
    const auto &face = scene.surfaces->faces[contact.face];
    EXPECT_NE(face.piece, scene.piece_of_point(contact));
    const auto N = scene.surfaces->face_normal(contact.face, scene.x);
    if ((contact.normal() - N).norm() > 1e-15)
    {
      // Beyond an edge: its closest point, outside, in the direction of N.
      unsigned int n_nodes = 0;
      for (unsigned int i = contact.n_candidate_entries; i < contact.n_entries;
           ++i)
        n_nodes += contact.weights[i] != 0.;
      EXPECT_LT(n_nodes, (unsigned int)dim);
      const auto offset = contact.local_combination(scene.x);
      EXPECT_GT(offset[0], 0.);
      for (unsigned int c = 1; c < dim; ++c)
        EXPECT_NEAR(offset[c], 0., 1e-8 * face.size);
    }
  }
  else
  {
    EXPECT_EQ(contact.n_entries, contact.n_candidate_entries);
  }
  dealii::Tensor<2, dim> F;
  for (unsigned int r = 0; r < dim; ++r)
    for (unsigned int c = 0; c < dim; ++c)
      F[r][c] = contact.frame[dim * r + c];
  // 3D: (N, T, S) right-handed; 2D: T is N turned by -90 degrees.
  EXPECT_NEAR(determinant(F), dim == 2 ? -1. : 1., 1e-14);
}

template <int dim>
void expect_same(const std::vector<Contact<dim>> &a,
                 const std::vector<Contact<dim>> &b,
                 const double tolerance)
{
  ASSERT_EQ(a.size(), b.size());
  for (unsigned int i = 0; i < a.size(); ++i)
  {
    EXPECT_EQ(a[i].key(), b[i].key());
    EXPECT_EQ(a[i].point, b[i].point);
    EXPECT_EQ(a[i].face, b[i].face);
    EXPECT_EQ(a[i].obstacle, b[i].obstacle);
    EXPECT_EQ(a[i].nodes, b[i].nodes);
    ASSERT_EQ(a[i].n_entries, b[i].n_entries);
    for (unsigned int k = 0; k < a[i].n_entries; ++k)
      EXPECT_NEAR(a[i].weights[k], b[i].weights[k], tolerance);
    for (unsigned int k = 0; k < dim * dim; ++k)
      EXPECT_NEAR(a[i].frame[k], b[i].frame[k], tolerance);
  }
}
} // namespace small

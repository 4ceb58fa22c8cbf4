#pragma once

#include "bodies/make_bodies.h"

#include <delassus/contact/detection/detector.h>

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
        const double search_distance               = 0.5,
        const std::vector<RigidPlane<dim>> &planes = {})
      : planes(planes)
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
        const double search_distance = 0.5)
  {
    make(mesh, candidates, antagonists, kind, search_distance);
  }

  void make(const MeshData<dim> &mesh,
            const std::string &candidates,
            const std::string &antagonists,
            const CandidatePoints kind,
            const double search_distance)
  {
    bodies.push_back(make_body(mesh));
    surfaces = std::make_unique<ContactSurfaces<dim>>(bodies, MPI_COMM_WORLD);
    Interaction interaction;
    interaction.name            = "joint";
    interaction.search_distance = search_distance;
    if (!antagonists.empty())
      interaction.faces =
          surfaces->add_faces(0, bodies[0]->surface(antagonists, "test"));
    for (unsigned int o = 0; o < planes.size(); ++o)
      interaction.obstacles.push_back(o);
    const auto range = surfaces->add_points(
        surfaces->add_faces(0, bodies[0]->surface(candidates, "test")),
        kind,
        { 0.2, 0.6 },
        "test");
    interaction.first_point = range.first;
    interaction.end_point   = range.second;
    interactions.push_back(interaction);
    x        = surfaces->reference;
    detector = std::make_unique<Detector<dim>>(*surfaces, interactions, planes);
  }

  const std::vector<Contact<dim>> &detect(const double t     = 0.,
                                          const double reach = 0.)
  {
    detector->detect(x, t, reach, contacts);
    return contacts;
  }

  double gap(const Contact<dim> &contact, const double t = 0.) const
  {
    double g = contact.local_combination(x)[0];
    if (contact.obstacle >= 0)
    {
      const auto &plane = planes[contact.obstacle];
      g -= plane.normal *
           (plane.point - dealii::Point<dim>() + plane.displacement(t));
    }
    return g;
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

  Bodies<dim> bodies;
  std::vector<RigidPlane<dim>> planes;
  std::unique_ptr<ContactSurfaces<dim>> surfaces;
  std::vector<Interaction> interactions;
  std::unique_ptr<Detector<dim>> detector;
  std::vector<double> x;
  std::vector<Contact<dim>> contacts;
};
} // namespace small

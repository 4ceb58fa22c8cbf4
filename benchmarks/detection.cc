// Detection between two corrugated sheets: n candidates (nodes) against n
// faces, beside the time that one R-tree of the same faces takes to build
// (Boost, packed), in the same run. Times are processor time of this thread,
// the best of several.

#include <delassus/contact/detection/detector.h>

#include <deal.II/base/bounding_box.h>
#include <deal.II/base/mpi.h>
#include <deal.II/numerics/rtree.h>

#include <cmath>
#include <cstdio>
#include <ctime>

using namespace delassus;

namespace
{
double processor_time()
{
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

template <typename Function>
double best_time(const unsigned int n, Function &&f)
{
  double best = 1e300;
  for (unsigned int i = 0; i < n; ++i)
  {
    const double start = processor_time();
    f();
    best = std::min(best, processor_time() - start);
  }
  return best;
}

/// One side of a sheet: m x m cells of size 1, waves of 12 cells. The upper one
/// looks down.
void add_sheet(ContactSurfaces<3> &surfaces,
               const unsigned int m,
               const unsigned int piece,
               const double height,
               const double shift)
{
  const unsigned int first = surfaces.nodes.size();
  for (unsigned int j = 0; j <= m; ++j)
    for (unsigned int i = 0; i <= m; ++i)
    {
      surfaces.nodes.push_back({ 0, 0, piece, 0 });
      const double x = i + shift, y = j + 0.7 * shift;
      const double wave = 2. * std::acos(-1.) / 12.;
      for (const double c :
           { x, y, height + 1.5 * std::sin(wave * x) * std::cos(wave * y) })
        surfaces.reference.push_back(c);
    }
  for (unsigned int j = 0; j < m; ++j)
    for (unsigned int i = 0; i < m; ++i)
    {
      const unsigned int a = first + i + (m + 1) * j, b = a + 1, c = b + m + 1,
                         d = a + m + 1;
      ContactSurfaces<3>::Face face{};
      face.n_nodes = face.n_corners = 4;
      face.piece                    = piece;
      face.size = face.depth = 1.;
      if (piece == 0)
        face.nodes = { { a, b, c, d } };
      else
        face.nodes = { { a, d, c, b } };
      surfaces.faces.push_back(face);
    }
}
} // namespace

int main(int argc, char **argv)
{
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  std::printf("%10s %10s %12s %12s %8s %14s\n",
              "candidates",
              "contacts",
              "R-tree ms",
              "detect ms",
              "ratio",
              "ns / (n log n)");
  for (const unsigned int m : { 32u, 100u, 316u, 632u })
  {
    ContactSurfaces<3> surfaces({}, MPI_COMM_SELF);
    add_sheet(surfaces, m, 0, 0., 0.);
    add_sheet(surfaces, m, 1, 0.01, 0.3);
    std::vector<Interaction> interactions(1);
    auto &interaction           = interactions[0];
    interaction.name            = "sheets";
    interaction.search_distance = 0.5;
    for (unsigned int f = 0; f < m * m; ++f)
      interaction.faces.push_back(f);
    std::vector<std::vector<unsigned int>> faces_of_node(surfaces.nodes.size());
    for (unsigned int f = m * m; f < 2 * m * m; ++f)
      for (unsigned int v = 0; v < 4; ++v)
        faces_of_node[surfaces.faces[f].nodes[v]].push_back(f);
    for (unsigned int n = (m + 1) * (m + 1); n < surfaces.nodes.size(); ++n)
    {
      ContactSurfaces<3>::Point point;
      point.nodes   = { n };
      point.weights = { 1. };
      point.n_nodes = 1;
      point.piece   = 1;
      point.area = point.size = point.depth = 1.;
      point.first_face                      = surfaces.point_faces.size();
      point.n_faces                         = faces_of_node[n].size();
      for (const unsigned int f : faces_of_node[n])
        surfaces.point_faces.push_back(f);
      surfaces.points.push_back(point);
    }
    interaction.first_point = 0;
    interaction.end_point   = surfaces.points.size();

    const auto &x = surfaces.reference;
    std::vector<std::pair<dealii::BoundingBox<3>, unsigned int>> boxes;
    const double tree_time = best_time(
        5,
        [&]
        {
          boxes.clear();
          for (const unsigned int f : interaction.faces)
          {
            dealii::Point<3> low, high;
            for (unsigned int c = 0; c < 3; ++c)
            {
              low[c] = high[c] = x[3 * surfaces.faces[f].nodes[0] + c];
              for (unsigned int v = 1; v < 4; ++v)
              {
                const double value = x[3 * surfaces.faces[f].nodes[v] + c];
                low[c]             = std::min(low[c], value);
                high[c]            = std::max(high[c], value);
              }
            }
            boxes.emplace_back(dealii::BoundingBox<3>({ low, high }), f);
          }
          const auto tree = dealii::pack_rtree(boxes);
          if (tree.size() != boxes.size())
            std::abort();
        });
    Detector<3> detector(surfaces, interactions, {});
    std::vector<Contact<3>> contacts, previous;
    const double detect_time =
        best_time(5,
                  [&]
                  {
                    previous.swap(contacts);
                    detector.detect(x, 0., 0.1, contacts, previous);
                  });
    const double n = surfaces.points.size();
    std::printf("%10.0f %10zu %12.2f %12.2f %8.2f %14.2f\n",
                n,
                contacts.size(),
                1e3 * tree_time,
                1e3 * detect_time,
                detect_time / tree_time,
                1e9 * detect_time / (n * std::log2(n)));
  }
}

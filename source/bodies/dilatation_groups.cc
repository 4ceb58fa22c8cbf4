#include <delassus/bodies/dilatation_groups.h>

#include <limits>
#include <numeric>

namespace delassus
{
namespace
{
constexpr unsigned int nobody = std::numeric_limits<unsigned int>::max();

/// The cells on the other side of each face of each cell, dim + 1 a simplex.
template <int dim>
std::vector<unsigned int> find_neighbours(const BodyMesh<dim> &mesh)
{
  using Key = std::array<unsigned int, dim>;
  std::vector<std::pair<Key, unsigned int>> faces; // and cell, face
  for (unsigned int cell = 0; cell < mesh.n_cells(); ++cell)
    for (unsigned int f = 0; f <= dim; ++f)
    {
      // The face opposite to corner f.
      Key key{};
      for (unsigned int k = 0, n = 0; k <= dim; ++k)
        if (k != f)
          key[n++] = mesh.nodes_of_cell(cell)[k];
      std::sort(key.begin(), key.end());
      faces.emplace_back(key, (dim + 1) * cell + f);
    }
  std::sort(faces.begin(), faces.end());
  std::vector<unsigned int> neighbours(faces.size(), nobody);
  for (std::size_t i = 1; i < faces.size(); ++i)
    if (faces[i].first == faces[i - 1].first)
    {
      neighbours[faces[i].second]     = faces[i - 1].second / (dim + 1);
      neighbours[faces[i - 1].second] = faces[i].second / (dim + 1);
    }
  return neighbours;
}
} // namespace

template <int dim>
std::vector<std::vector<unsigned int>>
make_dilatation_groups(const BodyMesh<dim> &mesh, const bool patches)
{
  std::vector<std::vector<unsigned int>> groups;
  if (!patches)
  {
    for (unsigned int cell = 0; cell < mesh.n_cells(); ++cell)
      groups.push_back({ cell });
    return groups;
  }
  constexpr unsigned int n_corners = dim + 1;
  constexpr unsigned int most      = dim == 2 ? 4 : 8;
  const auto neighbours            = find_neighbours(mesh);

  // Cells in an order that only the mesh decides on.
  std::vector<std::array<unsigned int, n_corners>> key(mesh.n_cells());
  for (unsigned int cell = 0; cell < mesh.n_cells(); ++cell)
  {
    for (unsigned int k = 0; k < n_corners; ++k)
    {
      const unsigned int node = mesh.nodes_of_cell(cell)[k];
      key[cell][k] = mesh.node_id.empty() ? node : mesh.node_id[node];
    }
    std::sort(key[cell].begin(), key[cell].end());
  }
  std::vector<unsigned int> order(mesh.n_cells());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(),
            order.end(),
            [&](const unsigned int a, const unsigned int b)
            { return key[a] < key[b]; });

  std::vector<unsigned int> group_of(mesh.n_cells(), nobody);
  std::vector<unsigned int> nodes;
  for (const unsigned int seed : order)
  {
    if (group_of[seed] != nobody)
      continue;
    const unsigned int number = groups.size();
    std::vector<unsigned int> group;
    nodes.clear();
    unsigned int next = seed;
    while (next != nobody)
    {
      group.push_back(next);
      group_of[next] = number;
      nodes.insert(nodes.end(), key[next].begin(), key[next].end());
      // The neighbour that shares most nodes with the patch: compact ones.
      next              = nobody;
      unsigned int best = 0;
      if (group.size() < most)
        for (const unsigned int cell : group)
          for (unsigned int f = 0; f < n_corners; ++f)
          {
            const unsigned int other = neighbours[n_corners * cell + f];
            if (other == nobody || group_of[other] != nobody)
              continue;
            unsigned int shared = 0;
            for (const unsigned int node : key[other])
              shared += std::count(nodes.begin(), nodes.end(), node);
            if (next == nobody || shared > best ||
                (shared == best && key[other] < key[next]))
            {
              next = other;
              best = shared;
            }
          }
    }
    groups.push_back(group);
  }

  // Cells that are left alone join the smallest patch beside them.
  for (auto &group : groups)
  {
    if (group.size() != 1)
      continue;
    const unsigned int cell = group[0];
    unsigned int target     = nobody;
    for (unsigned int f = 0; f < n_corners; ++f)
    {
      const unsigned int other = neighbours[n_corners * cell + f];
      if (other == nobody)
        continue;
      const unsigned int beside = group_of[other];
      if (target == nobody || groups[beside].size() < groups[target].size() ||
          (groups[beside].size() == groups[target].size() && beside < target))
        target = beside;
    }
    if (target == nobody)
      continue;
    groups[target].push_back(cell);
    group_of[cell] = target;
    group.clear();
  }
  std::vector<std::vector<unsigned int>> result;
  for (auto &group : groups)
    if (!group.empty())
      result.push_back(std::move(group));
  return result;
}

template std::vector<std::vector<unsigned int>>
make_dilatation_groups<2>(const BodyMesh<2> &, const bool);
template std::vector<std::vector<unsigned int>>
make_dilatation_groups<3>(const BodyMesh<3> &, const bool);
} // namespace delassus

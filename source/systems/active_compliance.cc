#include <delassus/systems/active_compliance.h>

#include <delassus/linear_solvers/symmetric_factor.h>

#include <algorithm>

namespace delassus
{
template <int dim>
ActiveCompliance<dim>::ActiveCompliance(CarrierInverse<dim> &w,
                                        const unsigned int class_index)
    : w(w)
    , class_index(class_index)
    , slot_of_node(w.n_carriers(class_index), -1)
{
}

template <int dim>
ActiveCompliance<dim>::~ActiveCompliance()
{
  w.budget->give_back(bytes_taken);
}

template <int dim>
void ActiveCompliance<dim>::account()
{
  w.budget->give_back(bytes_taken);
  bytes_taken = C.capacity() * sizeof(double);
  w.budget->take(bytes_taken);
}

template <int dim>
void ActiveCompliance<dim>::clear()
{
  for (const unsigned int node : active)
    slot_of_node[node] = -1;
  active.clear();
  C = std::vector<double>();
  account();
}

template <int dim>
double ActiveCompliance<dim>::bytes_for(const std::size_t n_nodes) const
{
  // The new values while the old ones are still there, and the columns of a
  // block of right-hand sides.
  const double n = double(dim) * n_nodes;
  return sizeof(double) * (n * n + n * right_hand_side_block);
}

template <int dim>
bool ActiveCompliance<dim>::require(const std::vector<unsigned int> &nodes)
{
  std::vector<unsigned int> missing;
  std::size_t n_known = 0;
  for (const unsigned int node : nodes)
    if (slot_of_node[node] == -1)
    {
      missing.push_back(node);
      slot_of_node[node] = -2; // once only
    }
    else if (slot_of_node[node] >= 0)
      ++n_known;
  for (const unsigned int node : missing)
    slot_of_node[node] = -1;
  if (missing.empty())
    return true;
  const std::size_t n_wanted = n_known + missing.size();
  // All ranks of a shared body decide alike.
  const double available = w.least_available();
  if (active.size() + missing.size() > 4 * n_wanted + 256 ||
      bytes_for(active.size() + missing.size()) > available)
    keep_only(nodes);
  if (bytes_for(n_wanted) > w.least_available())
  {
    clear();
    if (bytes_for(n_wanted) > w.least_available())
      return false;
    missing = nodes;
    std::sort(missing.begin(), missing.end());
    missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
  }
  append(missing);
  account();
  return true;
}

template <int dim>
void ActiveCompliance<dim>::keep_only(const std::vector<unsigned int> &nodes)
{
  std::vector<unsigned int> old_slots;
  for (const unsigned int node : nodes)
    if (slot_of_node[node] >= 0)
      old_slots.push_back(slot_of_node[node]);
  std::sort(old_slots.begin(), old_slots.end());
  old_slots.erase(std::unique(old_slots.begin(), old_slots.end()),
                  old_slots.end());
  const std::size_t n_old = n_dofs(), n = dim * old_slots.size();
  for (const unsigned int node : active)
    slot_of_node[node] = -1;
  std::vector<unsigned int> kept;
  // Rows and columns move towards the front: in place, in order.
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      C[i * n + j] = C[(dim * old_slots[i / dim] + i % dim) * n_old +
                       dim * old_slots[j / dim] + j % dim];
  for (const unsigned int slot : old_slots)
  {
    slot_of_node[active[slot]] = kept.size();
    kept.push_back(active[slot]);
  }
  active.swap(kept);
  C.resize(n * n);
  C.shrink_to_fit();
  account();
}

template <int dim>
void ActiveCompliance<dim>::append(const std::vector<unsigned int> &nodes)
{
  const std::size_t n_old = n_dofs();
  for (const unsigned int node : nodes)
  {
    slot_of_node[node] = active.size();
    active.push_back(node);
  }
  const std::size_t n = n_dofs();
  {
    std::vector<double> larger(n * n);
    for (std::size_t i = 0; i < n_old; ++i)
      std::copy_n(C.begin() + i * n_old, n_old, larger.begin() + i * n);
    C.swap(larger);
  }
  if (n_old == 0)
    // w is symmetric: column by column is row by row.
    w.entries(class_index, active, active, C.data());
  else
  {
    const std::size_t per_block = std::max(1u, right_hand_side_block / dim);
    std::vector<unsigned int> columns;
    std::vector<double> E;
    for (std::size_t begin = 0; begin < nodes.size(); begin += per_block)
    {
      const std::size_t end = std::min(begin + per_block, nodes.size());
      columns.assign(nodes.begin() + begin, nodes.begin() + end);
      E.resize(n * dim * columns.size());
      w.entries(class_index, active, columns, E.data());
      for (std::size_t j = 0; j < dim * columns.size(); ++j)
      {
        const std::size_t column = n_old + dim * begin + j;
        for (std::size_t i = 0; i < n; ++i)
          C[i * n + column] = E[i + j * n];
        // The rows of old nodes.
        for (std::size_t i = 0; i < n_old; ++i)
          C[column * n + i] = E[i + j * n];
      }
    }
  }
  n_solved += dim * nodes.size();
  // Rounding is not.
  for (std::size_t i = n_old; i < n; ++i)
    for (std::size_t j = n_old; j < i; ++j)
      C[i * n + j] = C[j * n + i] = 0.5 * (C[i * n + j] + C[j * n + i]);
}

template class ActiveCompliance<2>;
template class ActiveCompliance<3>;
} // namespace delassus

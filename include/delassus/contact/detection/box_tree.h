#ifndef delassus_contact_detection_box_tree_h
#define delassus_contact_detection_box_tree_h

#include <array>
#include <vector>

namespace delassus
{
/// A box along the axes.
template <int dim>
struct Box
{
  std::array<double, dim> low, high;

  bool intersects(const Box &other) const
  {
    for (int c = 0; c < dim; ++c)
      if (low[c] > other.high[c] || high[c] < other.low[c])
        return false;
    return true;
  }

  void add(const Box &other)
  {
    for (int c = 0; c < dim; ++c)
    {
      low[c]  = other.low[c] < low[c] ? other.low[c] : low[c];
      high[c] = other.high[c] > high[c] ? other.high[c] : high[c];
    }
  }
};

/// Boxes halved again and again along the longest side of their common box:
/// built in n log n, and nothing is allocated when it is built again with no
/// more boxes than before. Queries visit boxes in an order that depends on the
/// boxes alone.
template <int dim>
class BoxTree
{
public:
  void build(const std::vector<Box<dim>> &boxes);

  bool empty() const
  {
    return nodes.empty();
  }

  /// Call f(number of the box) for all boxes that meet @p box.
  template <typename Function>
  void query(const Box<dim> &box, Function &&f) const
  {
    if (nodes.empty())
      return;
    std::array<unsigned int, 64> stack;
    unsigned int n_stacked = 0;
    unsigned int at        = 0;
    while (true)
    {
      const Node &node = nodes[at];
      if (node.box.intersects(box))
      {
        if (node.count == 0)
        {
          stack[n_stacked++] = node.first;
          ++at; // the left child follows its parent
          continue;
        }
        for (unsigned int i = node.first; i < node.first + node.count; ++i)
          if (sorted[i].intersects(box))
            f(order[i]);
      }
      if (n_stacked == 0)
        return;
      at = stack[--n_stacked];
    }
  }

private:
  static constexpr unsigned int leaf_size = 4;

  struct Node
  {
    Box<dim> box;
    unsigned int first; ///< of a leaf: in order; else: the right child
    unsigned int count; ///< of a leaf; 0: not a leaf
  };

  void split(const std::vector<Box<dim>> &boxes,
             const unsigned int begin,
             const unsigned int end);

  std::vector<Node> nodes;
  std::vector<unsigned int> order;
  std::vector<Box<dim>> sorted; ///< as in order
};
} // namespace delassus

#endif

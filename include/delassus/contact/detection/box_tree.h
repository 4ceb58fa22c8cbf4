#ifndef delassus_contact_detection_box_tree_h
#define delassus_contact_detection_box_tree_h

#include <array>
#include <cstdint>
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

/// Boxes in the order of a space-filling curve (Morton's) through their
/// centres, and a tree of the cells of the curve: each node halves a cube along
/// one axis. Codes are sorted by their digits, so it is built in n (plus log n
/// a leaf), and nothing is allocated when it is built again with no more boxes
/// than before. Queries visit boxes in an order that depends on the boxes
/// alone.
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
    visit(box, [&](const unsigned int i) { f(codes[i].number); });
  }

  /// The places of all boxes that meet @p box, in the order of query().
  void collect(const Box<dim> &box, std::vector<unsigned int> &places) const
  {
    places.clear();
    visit(box, [&](const unsigned int i) { places.push_back(i); });
  }

  /// The box at a place, and its number.
  const Box<dim> &box_at(const unsigned int place) const
  {
    return sorted[place];
  }
  unsigned int number_at(const unsigned int place) const
  {
    return codes[place].number;
  }

private:
  static constexpr unsigned int leaf_size = 8;

  struct Node
  {
    Box<dim> box;
    unsigned int first; ///< of a leaf: its first place; else: the right child
    unsigned int count; ///< of a leaf; 0: not a leaf
  };

  /// Where a box is on the curve.
  struct Code
  {
    std::uint64_t code;
    unsigned int number;
  };

  /// Call f(place) for all boxes that meet @p box.
  template <typename Function>
  void visit(const Box<dim> &box, Function &&f) const
  {
    if (nodes.empty())
      return;
    // Each level takes a bit of the code, or halves what has the same code.
    std::array<unsigned int, 64 + 32> stack;
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
            f(i);
      }
      if (n_stacked == 0)
        return;
      at = stack[--n_stacked];
    }
  }

  void find_codes(const std::vector<Box<dim>> &boxes);
  void sort_codes();
  void split(const unsigned int begin, const unsigned int end);

  std::vector<Node> nodes;
  std::vector<Code> codes, other_codes; ///< in order
  std::vector<Box<dim>> sorted;         ///< likewise
};
} // namespace delassus

#endif

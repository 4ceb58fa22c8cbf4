#include <delassus/contact/detection/box_tree.h>

#include <algorithm>
#include <numeric>

namespace delassus
{
template <int dim>
void BoxTree<dim>::build(const std::vector<Box<dim>> &boxes)
{
  nodes.clear();
  order.resize(boxes.size());
  sorted.resize(boxes.size());
  std::iota(order.begin(), order.end(), 0);
  if (!boxes.empty())
    split(boxes, 0, boxes.size());
  for (unsigned int i = 0; i < order.size(); ++i)
    sorted[i] = boxes[order[i]];
}

template <int dim>
void BoxTree<dim>::split(const std::vector<Box<dim>> &boxes,
                         const unsigned int begin,
                         const unsigned int end)
{
  const unsigned int self = nodes.size();
  nodes.push_back({ boxes[order[begin]], begin, end - begin });
  Box<dim> box = nodes[self].box;
  for (unsigned int i = begin + 1; i < end; ++i)
    box.add(boxes[order[i]]);
  nodes[self].box = box;
  if (end - begin <= leaf_size)
    return;
  int axis = 0;
  for (int c = 1; c < dim; ++c)
    if (box.high[c] - box.low[c] > box.high[axis] - box.low[axis])
      axis = c;
  const unsigned int middle = begin + (end - begin) / 2;
  // Equal centres by number, so that the tree does not depend on the library.
  std::nth_element(order.begin() + begin,
                   order.begin() + middle,
                   order.begin() + end,
                   [&](const unsigned int a, const unsigned int b)
                   {
                     const double x = boxes[a].low[axis] + boxes[a].high[axis];
                     const double y = boxes[b].low[axis] + boxes[b].high[axis];
                     return x != y ? x < y : a < b;
                   });
  nodes[self].count = 0;
  split(boxes, begin, middle);
  nodes[self].first = nodes.size();
  split(boxes, middle, end);
}

template class BoxTree<2>;
template class BoxTree<3>;
} // namespace delassus

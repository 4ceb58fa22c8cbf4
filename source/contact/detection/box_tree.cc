#include <delassus/contact/detection/box_tree.h>

#include <algorithm>

namespace delassus
{
namespace
{
/// Bits of a code along each axis.
template <int dim>
constexpr unsigned int n_bits = dim == 2 ? 31 : 21;

/// Move the bits of a number apart, for those of dim - 1 others in between.
template <int dim>
std::uint64_t spread(std::uint64_t i)
{
  if (dim == 2)
  {
    i = (i | i << 16) & 0x0000ffff0000ffff;
    i = (i | i << 8) & 0x00ff00ff00ff00ff;
    i = (i | i << 4) & 0x0f0f0f0f0f0f0f0f;
    i = (i | i << 2) & 0x3333333333333333;
    i = (i | i << 1) & 0x5555555555555555;
  }
  else
  {
    i = (i | i << 32) & 0x001f00000000ffff;
    i = (i | i << 16) & 0x001f0000ff0000ff;
    i = (i | i << 8) & 0x100f00f00f00f00f;
    i = (i | i << 4) & 0x10c30c30c30c30c3;
    i = (i | i << 2) & 0x1249249249249249;
  }
  return i;
}
} // namespace

template <int dim>
void BoxTree<dim>::find_codes(const std::vector<Box<dim>> &boxes)
{
  // Twice the centres.
  std::array<double, dim> low, high;
  for (int c = 0; c < dim; ++c)
  {
    low[c] = high[c] = boxes[0].low[c] + boxes[0].high[c];
    for (const auto &box : boxes)
    {
      const double x = box.low[c] + box.high[c];
      low[c]         = std::min(low[c], x);
      high[c]        = std::max(high[c], x);
    }
  }
  // The cells of the curve are cubes.
  double extent = 0.;
  for (int c = 0; c < dim; ++c)
    extent = std::max(extent, high[c] - low[c]);
  const double most  = (std::uint64_t(1) << n_bits<dim>)-1;
  const double scale = extent > 0. ? most / extent : 0.;
  codes.resize(boxes.size());
  for (unsigned int i = 0; i < boxes.size(); ++i)
  {
    std::uint64_t code = 0;
    for (int c = 0; c < dim; ++c)
    {
      const double x = scale * (boxes[i].low[c] + boxes[i].high[c] - low[c]);
      code |= spread<dim>(std::uint64_t(std::min(most, std::max(0., x)))) << c;
    }
    codes[i] = { code, i };
  }
}

/// By code, equal ones by number.
template <int dim>
void BoxTree<dim>::sort_codes()
{
  constexpr unsigned int bits = 11, n_values = 1u << bits;
  if (codes.size() < n_values)
  {
    std::sort(codes.begin(),
              codes.end(),
              [](const Code &a, const Code &b) {
                return a.code != b.code ? a.code < b.code : a.number < b.number;
              });
    return;
  }
  // Digit after digit, the last one first; what has the same digit stays in
  // order.
  other_codes.resize(codes.size());
  for (unsigned int shift = 0; shift < 64; shift += bits)
  {
    std::array<unsigned int, n_values> start{};
    for (const Code &c : codes)
      ++start[c.code >> shift & (n_values - 1)];
    if (start[codes[0].code >> shift & (n_values - 1)] == codes.size())
      continue;
    unsigned int sum = 0;
    for (unsigned int &s : start)
    {
      const unsigned int n = s;
      s                    = sum;
      sum += n;
    }
    for (const Code &c : codes)
      other_codes[start[c.code >> shift & (n_values - 1)]++] = c;
    codes.swap(other_codes);
  }
}

template <int dim>
void BoxTree<dim>::build(const std::vector<Box<dim>> &boxes)
{
  nodes.clear();
  codes.clear();
  sorted.resize(boxes.size());
  if (boxes.empty())
    return;
  find_codes(boxes);
  sort_codes();
  for (unsigned int i = 0; i < codes.size(); ++i)
    sorted[i] = boxes[codes[i].number];
  split(0, boxes.size());
}

template <int dim>
void BoxTree<dim>::split(const unsigned int begin, const unsigned int end)
{
  const unsigned int self = nodes.size();
  nodes.push_back({ sorted[begin], begin, end - begin });
  if (end - begin <= leaf_size)
  {
    for (unsigned int i = begin + 1; i < end; ++i)
      nodes[self].box.add(sorted[i]);
    return;
  }
  // Where the highest bit that is not the same in all codes becomes 1.
  unsigned int middle       = begin + (end - begin) / 2;
  const std::uint64_t first = codes[begin].code, last = codes[end - 1].code;
  if (first != last)
  {
    std::uint64_t bit = std::uint64_t(1) << 63;
    while (((first ^ last) & bit) == 0)
      bit >>= 1;
    const std::uint64_t boundary = last & ~(bit - 1);
    middle =
        std::partition_point(codes.begin() + begin,
                             codes.begin() + end,
                             [&](const Code &c) { return c.code < boundary; }) -
        codes.begin();
  }
  split(begin, middle);
  const unsigned int right = nodes.size();
  split(middle, end);
  nodes[self].box = nodes[self + 1].box;
  nodes[self].box.add(nodes[right].box);
  nodes[self].first = right;
  nodes[self].count = 0;
}

template class BoxTree<2>;
template class BoxTree<3>;
} // namespace delassus

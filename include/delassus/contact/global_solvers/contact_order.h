#ifndef delassus_contact_global_solvers_contact_order_h
#define delassus_contact_global_solvers_contact_order_h

#include <delassus/contact/delassus/delassus_operator.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace delassus
{
/// Orders in which contacts may be visited. Keeps its work arrays.
template <int dim>
class ContactOrder
{
public:
  /// Cuthill and McKee's order of the graph whose edges are the blocks of W
  /// that are not zero: breadth first from contact to coupled contact, those
  /// with fewer neighbours first, each connected part from an end of it. Two
  /// contacts that are coupled are then close in the order.
  ///
  /// Returns false, and the order 0, 1, 2, ..., for an operator whose coupling
  /// cannot be seen.
  bool by_graph(const DelassusOperator<dim> &W,
                std::vector<unsigned int> &order);

private:
  /// What couples contacts: contact a with those of the cells
  /// cell_start[a] ... A cell is a row of W, or a piece of a body.
  struct Cells
  {
    const std::size_t *contact_start = nullptr;
    const unsigned int *cell         = nullptr; ///< null: cell a of contact a
    const std::size_t *cell_start    = nullptr;
    const unsigned int *contact      = nullptr;
  };

  void collect_dense(const DelassusOperator<dim> &W);

  /// Appends the contacts reached from @p first, level by level, to @p order;
  /// returns where the last level begins.
  std::size_t breadth_first(const Cells &cells,
                            unsigned int first,
                            std::vector<unsigned int> &order);

  std::size_t n = 0;
  std::vector<std::size_t> starts, piece_start;
  std::vector<unsigned int> columns, pieces, piece_contact;
  std::vector<unsigned int> degree, mark, cell_mark;
  unsigned int stamp = 0;
};

/// Numbers that look random and are the same on every machine (splitmix64).
class ReproducibleRandom
{
public:
  explicit ReproducibleRandom(const std::uint64_t seed = 0)
      : state(seed)
  {
  }

  std::uint64_t next()
  {
    state += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state;
    z               = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z               = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  /// Fisher and Yates' shuffle.
  void shuffle(std::vector<unsigned int> &values)
  {
    for (std::size_t i = values.size(); i > 1; --i)
      std::swap(values[i - 1], values[next() % i]);
  }

private:
  std::uint64_t state;
};
} // namespace delassus

#endif

#include <delassus/base/archive.h>
#include <delassus/base/exceptions.h>
#include <delassus/contact/laws/law_states.h>

#include <algorithm>
#include <cassert>

namespace delassus
{
void LawStates::carry_over(
    const std::vector<unsigned int> &n_values,
    const std::vector<std::size_t> &from,
    const std::function<void(std::size_t a, double *state)> &initialize,
    const std::function<void(std::size_t a, double *state)> &turn)
{
  assert(n_values.size() == from.size());
  LawStates next;
  next.first.reserve(from.size() + 1);
  for (const unsigned int n : n_values)
    next.first.push_back(next.first.back() + n);
  next.values_begin.assign(next.first.back(), 0.);
  next.values_end.assign(next.first.back(), 0.);
  for (std::size_t a = 0; a < from.size(); ++a)
  {
    if (n_values[a] == 0)
      continue;
    if (from[a] == is_new || this->n_values(from[a]) != n_values[a])
    {
      initialize(a, next.begin(a));
      std::copy_n(next.begin(a), n_values[a], next.end(a));
      continue;
    }
    std::copy_n(begin(from[a]), n_values[a], next.begin(a));
    std::copy_n(end(from[a]), n_values[a], next.end(a));
    if (turn)
    {
      turn(a, next.begin(a));
      turn(a, next.end(a));
    }
  }
  *this = std::move(next);
}


void LawStates::pack(const std::size_t a, std::vector<double> &values) const
{
  values.insert(values.end(), begin(a), begin(a) + n_values(a));
  values.insert(values.end(), end(a), end(a) + n_values(a));
}


const double *LawStates::unpack(const unsigned int n, const double *values)
{
  first.push_back(first.back() + n);
  values_begin.insert(values_begin.end(), values, values + n);
  values_end.insert(values_end.end(), values + n, values + 2 * n);
  return values + 2 * n;
}


void LawStates::archive(Archive &archive)
{
  archive("first values of contacts", first);
  archive("law states", values_begin);
  if (archive.saving())
    return;
  if (first.empty() || first.front() != 0 ||
      !std::is_sorted(first.begin(), first.end()) ||
      first.back() != values_begin.size())
    throw InputError("The checkpoint's states of contact laws do not fit "
                     "together.");
  values_end = values_begin;
}
} // namespace delassus

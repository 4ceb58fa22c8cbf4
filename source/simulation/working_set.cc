#include <delassus/simulation/working_set.h>

#include <algorithm>

namespace delassus
{
namespace
{
/// Steps are alike, not equal.
constexpr double safety = 2.;

/// What a surprise has become when it was smaller the last time.
constexpr double forgetting = 0.5;
} // namespace

void WorkingSet::take_all(const std::size_t n)
{
  at_rest.assign(n, 0);
  estimates.clear();
  n_rest = 0;
}

bool WorkingSet::choose(const std::vector<double> &estimate,
                        const std::vector<char> &may_rest,
                        const unsigned int iteration)
{
  const std::size_t n = estimate.size();
  level               = std::min<unsigned int>(iteration, surprises.size() - 1);
  estimates           = estimate;
  chosen.assign(n, 0);
  n_rest = 0;
  if (surprises[level] >= 0.)
    for (std::size_t a = 0; a < n; ++a)
      if (may_rest[a] && estimate[a] > safety * surprises[level])
      {
        chosen[a] = 1;
        ++n_rest;
      }
  const bool changed = chosen != at_rest;
  at_rest.swap(chosen);
  return changed;
}

double WorkingSet::surprise(const std::vector<double> &calU,
                            const std::vector<char> &is_open) const
{
  double most = 0.;
  for (std::size_t a = 0; a < estimates.size(); ++a)
    if (is_open[a])
      most = std::max(most, estimates[a] - calU[a]);
  return most;
}

void WorkingSet::learn(const double surprise)
{
  surprises[level] = std::max(surprise, forgetting * surprises[level]);
}

std::size_t WorkingSet::join(const std::vector<double> &calU)
{
  std::size_t n_new = 0;
  for (std::size_t a = 0; a < at_rest.size() && n_rest > 0; ++a)
    if (at_rest[a] && calU[a] < 0.)
    {
      at_rest[a] = 0;
      ++n_new;
    }
  n_rest -= n_new;
  n_joined += n_new;
  return n_new;
}

void WorkingSet::archive(Archive &archive)
{
  std::vector<double> learned(surprises.begin(), surprises.end());
  archive("surprises of the working set", learned);
  if (learned.size() == surprises.size())
    std::copy(learned.begin(), learned.end(), surprises.begin());
}
} // namespace delassus

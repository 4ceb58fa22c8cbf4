#include <delassus/simulation/verdict.h>

#include <fmt/format.h>

namespace delassus
{
namespace
{
std::string line(const std::string &begin, const std::vector<std::string> &list)
{
  std::string text;
  for (const auto &item : list)
    text += (text.empty() ? begin : "; ") + item;
  return text + (text.empty() ? "" : ". ");
}
} // namespace

std::string Verdict::doubts() const
{
  return line("NOT TRUSTWORTHY: ", reasons);
}

std::string Verdict::notes() const
{
  return line("Note: ", remarks);
}

std::string count_and_first(const std::size_t n,
                            const std::size_t n_steps,
                            const double first_time)
{
  return fmt::format(
      "in {} of {} steps, the first at t = {:.6g}", n, n_steps, first_time);
}
} // namespace delassus

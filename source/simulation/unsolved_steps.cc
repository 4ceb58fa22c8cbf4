#include <delassus/simulation/unsolved_steps.h>

#include <fmt/format.h>

namespace delassus
{
namespace
{
/// "... in 3 of 20 steps, the first at t = 0.1 (worst 1.2e-03)".
std::string describe(const std::string &what,
                     const UnsolvedSteps::Kind &kind,
                     const unsigned int n_steps)
{
  return what + " " + count_and_first(kind.n, n_steps, kind.first_time) +
         fmt::format(" (worst {:.2e})", kind.worst);
}
} // namespace

void UnsolvedSteps::end_step(const unsigned int step)
{
  last_solved = true;
  for (auto *kind : { &contact_loop, &friction, &balance, &momentum })
  {
    last_solved = last_solved && !kind->now;
    kind->end_step(step);
  }
}

std::vector<std::string>
UnsolvedSteps::reasons(const unsigned int n_steps) const
{
  std::vector<std::string> result;
  const auto add = [&](const Kind &kind, const std::string &what)
  {
    if (kind.n > 0)
      result.push_back(describe(what, kind, n_steps));
  };
  add(balance, "forces are out of balance");
  add(contact_loop, "the contact loop did not converge");
  add(friction, "the coefficients of friction did not settle");
  return result;
}

void UnsolvedSteps::remark(const unsigned int n_steps, Verdict &verdict) const
{
  // Such a step is accepted only where impulses are not known better.
  if (momentum.n > 0)
    verdict.remarks.push_back(
        describe("the Newton loop stood still above its tolerance, but below "
                 "that of the contact solver,",
                 momentum,
                 n_steps));
}

void UnsolvedSteps::archive(Archive &archive)
{
  archive("contact not converged", contact_loop);
  archive("friction not settled", friction);
  archive("not balanced", balance);
  archive("momentum limited", momentum);
  archive("step solved", last_solved);
}
} // namespace delassus

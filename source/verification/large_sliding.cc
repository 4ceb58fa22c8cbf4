#include <delassus/verification/cases.h>
namespace delassus
{
namespace verification
{
void add_large_sliding_cases(std::vector<Case> &)
{
}
} // namespace verification
} // namespace delassus

#include <delassus/base/exceptions.h>
#include <delassus/contact/laws/law_numbers.h>

#include <fmt/format.h>

#include <cmath>

namespace delassus
{
namespace
{
double checked(const ContactLawParameters &law,
               const char *what,
               const double value,
               const bool fits,
               const char *allowed)
{
  if (!fits || !std::isfinite(value))
    throw InputError(
        fmt::format("Contact law '{}': its {} is {}, but must be a number {}.",
                    law.name,
                    what,
                    value,
                    allowed));
  return value;
}
} // namespace

double nonnegative(const ContactLawParameters &law,
                   const char *what,
                   const double value)
{
  return checked(law, what, value, value >= 0., "greater than or equal to 0");
}

double
positive(const ContactLawParameters &law, const char *what, const double value)
{
  return checked(law, what, value, value > 0., "greater than 0");
}
} // namespace delassus

#ifndef delassus_contact_laws_law_numbers_h
#define delassus_contact_laws_law_numbers_h

#include <delassus/parameters/parameters.h>

namespace delassus
{
// The value itself; InputError, naming the law, what it is and the value, if it
// is out of range or not finite.
double
nonnegative(const ContactLawParameters &law, const char *what, double value);
double
positive(const ContactLawParameters &law, const char *what, double value);
} // namespace delassus

#endif

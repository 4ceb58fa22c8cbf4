#ifndef delassus_base_assert_h
#define delassus_base_assert_h

#include <cstdio>
#include <cstdlib>

/// An invariant of our own code, checked in Debug builds only, for modules
/// without deal.II (the others have Assert). Not for input: that is an
/// InputError in every build.
#ifdef DELASSUS_DEBUG
#define DELASSUS_ASSERT(condition, message)                                    \
  do                                                                           \
  {                                                                            \
    if (!(condition))                                                          \
    {                                                                          \
      std::fprintf(stderr,                                                     \
                   "%s:%d: %s: does not hold: %s (%s)\n",                      \
                   __FILE__,                                                   \
                   __LINE__,                                                   \
                   __func__,                                                   \
                   #condition,                                                 \
                   message);                                                   \
      std::abort();                                                            \
    }                                                                          \
  } while (false)
#else
#define DELASSUS_ASSERT(condition, message) static_cast<void>(0)
#endif

#endif

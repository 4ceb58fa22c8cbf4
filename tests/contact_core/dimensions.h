#ifndef delassus_tests_contact_core_dimensions_h
#define delassus_tests_contact_core_dimensions_h

#include <gtest/gtest.h>

namespace delassus_tests
{
/// The space dimension as a type, for typed tests in 2D and 3D.
template <int n>
struct Dimension
{
  static constexpr int value = n;
};
using Dimensions = ::testing::Types<Dimension<2>, Dimension<3>>;
} // namespace delassus_tests

#endif

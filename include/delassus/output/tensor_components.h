#ifndef delassus_output_tensor_components_h
#define delassus_output_tensor_components_h

#include <array>

namespace delassus
{
/// Order of the components of tensors in all results.
constexpr std::array<const char *, 6> tensor_components = {
  { "xx", "yy", "zz", "xy", "yz", "zx" }
};
} // namespace delassus

#endif

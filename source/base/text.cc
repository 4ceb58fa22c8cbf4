#include <delassus/base/text.h>

#include <algorithm>
#include <cctype>

namespace delassus
{
std::string lower_case(std::string text)
{
  std::transform(text.begin(),
                 text.end(),
                 text.begin(),
                 [](const unsigned char c)
                 { return static_cast<char>(std::tolower(c)); });
  return text;
}
} // namespace delassus

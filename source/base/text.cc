#include <delassus/base/text.h>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <ctime>

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

std::string
counted(const std::size_t n, const std::string &one, const std::string &many)
{
  return std::to_string(n) + " " +
         (n == 1         ? one
          : many.empty() ? one + "s"
                         : many);
}

std::string date_and_time()
{
  char text[32]           = {};
  const std::time_t clock = std::time(nullptr);
  std::strftime(
      text, sizeof(text), "%Y-%m-%d %H:%M:%S", std::localtime(&clock));
  return text;
}

std::string wall_time_text(const double seconds)
{
  if (seconds < 99.95)
    return fmt::format(seconds < 9.995 ? "{:.2f} s" : "{:.1f} s", seconds);
  const long s = std::lround(seconds);
  if (s < 3600)
    return fmt::format("{} min {:02} s", s / 60, s % 60);
  const long minutes = std::lround(seconds / 60.);
  return fmt::format("{} h {:02} min", minutes / 60, minutes % 60);
}
} // namespace delassus

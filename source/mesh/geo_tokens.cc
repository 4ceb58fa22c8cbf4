#include <delassus/mesh/geo_tokens.h>

#include <algorithm>
#include <cctype>

namespace delassus
{
namespace
{
bool is_digit(const char c)
{
  return c >= '0' && c <= '9';
}

bool is_word_character(const char c)
{
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// The end of the number that begins at @p i: 12, 1.5, .5, 1e-3. What follows
/// without a blank ("2nd") is a word of its own.
std::size_t number_end(const std::string &s, std::size_t i)
{
  while (i < s.size() && is_digit(s[i]))
    ++i;
  if (i < s.size() && s[i] == '.')
    ++i;
  while (i < s.size() && is_digit(s[i]))
    ++i;
  std::size_t exponent = i;
  if (exponent < s.size() && (s[exponent] == 'e' || s[exponent] == 'E'))
  {
    ++exponent;
    if (exponent < s.size() && (s[exponent] == '+' || s[exponent] == '-'))
      ++exponent;
    if (exponent < s.size() && is_digit(s[exponent]))
    {
      while (exponent < s.size() && is_digit(s[exponent]))
        ++exponent;
      return exponent;
    }
  }
  return i;
}
} // namespace

std::vector<GeoToken> geo_tokens(const std::string &s)
{
  std::vector<GeoToken> tokens;
  unsigned int line = 1;
  std::size_t i     = 0;
  // Takes [i, end) whose value is [first, last).
  const auto take = [&](const GeoToken::Kind kind,
                        const std::size_t end,
                        const std::size_t first,
                        const std::size_t last,
                        const bool complete)
  {
    tokens.push_back({ kind, s.substr(first, last - first), line, complete });
    line += std::count(s.begin() + i, s.begin() + end, '\n');
    i = end;
  };
  while (i < s.size())
    if (s.compare(i, 2, "//") == 0)
    {
      const std::size_t end = std::min(s.find('\n', i), s.size());
      take(GeoToken::comment, end, i + 2, end, true);
    }
    else if (s.compare(i, 2, "/*") == 0)
    {
      const std::size_t found = s.find("*/", i + 2);
      const bool complete     = found != std::string::npos;
      const std::size_t last  = complete ? found : s.size();
      take(
          GeoToken::comment, complete ? last + 2 : last, i + 2, last, complete);
    }
    else if (s[i] == '"' || s[i] == '\'')
    {
      const std::size_t found = s.find(s[i], i + 1);
      const bool complete     = found != std::string::npos;
      const std::size_t last  = complete ? found : s.size();
      take(GeoToken::text, complete ? last + 1 : last, i + 1, last, complete);
    }
    else if (is_digit(s[i]) ||
             (s[i] == '.' && i + 1 < s.size() && is_digit(s[i + 1])))
    {
      const std::size_t end = number_end(s, i);
      take(GeoToken::number, end, i, end, true);
    }
    else if (is_word_character(s[i]))
    {
      std::size_t end = i;
      while (end < s.size() && is_word_character(s[end]))
        ++end;
      take(GeoToken::word, end, i, end, true);
    }
    else if (std::isspace(static_cast<unsigned char>(s[i])))
    {
      line += s[i] == '\n';
      ++i;
    }
    else
      take(GeoToken::sign, i + 1, i, i + 1, true);
  return tokens;
}

bool is_geo_word(const std::string &name)
{
  return !name.empty() && !is_digit(name[0]) &&
         std::all_of(name.begin(), name.end(), is_word_character);
}
} // namespace delassus

#include "fuzz.h"

#include <algorithm>

namespace fuzz
{
namespace
{
constexpr std::size_t longest = 65536;

/// Words that readers look for, and numbers at which counting goes wrong.
const std::vector<std::string> &dictionary()
{
  static const std::vector<std::string> words = { "subsection ",
                                                  "\nend\n",
                                                  "set ",
                                                  " = ",
                                                  "include ",
                                                  "\\\n",
                                                  "#",
                                                  ";",
                                                  ",",
                                                  "{",
                                                  "}",
                                                  "[",
                                                  "]",
                                                  "(",
                                                  ")",
                                                  "\"",
                                                  "'",
                                                  "\n",
                                                  "\r\n",
                                                  "\t",
                                                  ":",
                                                  "/",
                                                  "nan",
                                                  "inf",
                                                  "-inf",
                                                  "1e308",
                                                  "1e-320",
                                                  "1e999",
                                                  "-1",
                                                  "0",
                                                  "1",
                                                  "2",
                                                  "2147483647",
                                                  "2147483648",
                                                  "-2147483649",
                                                  "4294967295",
                                                  "4294967296",
                                                  "18446744073709551615",
                                                  "9223372036854775808",
                                                  "1e16",
                                                  "0x10",
                                                  "1e",
                                                  "+-",
                                                  "null",
                                                  "true",
                                                  "false",
                                                  "\\u0000",
                                                  "\\ud800",
                                                  "\xEF\xBB\xBF",
                                                  "\xE4",
                                                  "\xF0\x9F\xA7\xB1",
                                                  std::string(1, '\0'),
                                                  "\xFF",
                                                  "$MeshFormat\n",
                                                  "$EndNodes\n",
                                                  "$Elements\n",
                                                  "$Comments\n",
                                                  "4.1 1 8\n",
                                                  "solid ",
                                                  "facet normal ",
                                                  "endsolid",
                                                  "vertex ",
                                                  "SystemCall ",
                                                  "Include \"a.geo\";",
                                                  "Merge ",
                                                  "Printf(\"%g\", 1);",
                                                  "//",
                                                  "/*",
                                                  "*/",
                                                  "EndIf",
                                                  "If(0)\n",
                                                  "EndFor",
                                                  "For i In {0:9}\n",
                                                  "Return",
                                                  "Macro M\n",
                                                  "DefineConstant[ ",
                                                  "Mesh.",
                                                  "General.",
                                                  "Field[1]",
                                                  "~{",
                                                  "..",
                                                  "sin(",
                                                  "if(",
                                                  "pi",
                                                  "^",
                                                  "x,y",
                                                  "t",
                                                  " ? ",
                                                  "&&",
                                                  "==",
                                                  "Body ",
                                                  "Material ",
                                                  "Mesh",
                                                  "Time/",
                                                  "Points",
                                                  "Obstacle " };
  return words;
}

std::size_t below(const std::size_t n, Random &random)
{
  return n == 0 ? 0 : random() % n;
}

/// Begin and length of a number in the text; none: length 0.
std::pair<std::size_t, std::size_t> some_number(const std::string &text,
                                                Random &random)
{
  const std::size_t from  = below(text.size(), random);
  const std::size_t begin = text.find_first_of("0123456789", from);
  if (begin == std::string::npos)
    return { 0, 0 };
  const std::size_t end =
      std::min(text.find_first_not_of("0123456789.eE+-", begin), text.size());
  return { begin, end - begin };
}

/// Begin and length of a line, with its end.
std::pair<std::size_t, std::size_t> some_line(const std::string &text,
                                              Random &random)
{
  const std::size_t at = below(text.size(), random);
  const std::size_t last =
      at == 0 ? std::string::npos : text.find_last_of('\n', at - 1);
  const std::size_t begin = last == std::string::npos ? 0 : last + 1;
  const std::size_t end   = std::min(text.find('\n', begin), text.size() - 1);
  return { begin, end + 1 - begin };
}

void change(std::string &text,
            const std::vector<std::string> &files,
            Random &random)
{
  if (text.empty())
    text = files[below(files.size(), random)];
  const auto word = [&]() -> const std::string &
  { return dictionary()[below(dictionary().size(), random)]; };
  const std::size_t at     = below(text.size(), random);
  const std::size_t length = 1 + below(32, random);
  switch (random() % 13)
  {
    case 0:
      text[at] = static_cast<char>(text[at] ^ (1 << (random() % 8)));
      break;
    case 1:
      text[at] = static_cast<char>(random());
      break;
    case 2:
      text.erase(at, length);
      break;
    case 3:
      text.insert(at, text.substr(below(text.size(), random), length));
      break;
    case 4:
    {
      const std::string &other = files[below(files.size(), random)];
      text.insert(
          at,
          other.substr(below(other.size(), random), 1 + below(1000, random)));
      break;
    }
    case 5:
      text.insert(at, word());
      break;
    case 6:
      text.replace(at, word().size(), word());
      break;
    case 7:
    case 8:
    {
      const auto number = some_number(text, random);
      text.replace(number.first, number.second, word());
      break;
    }
    case 9:
    {
      const auto line = some_line(text, random);
      text.erase(line.first, line.second);
      break;
    }
    case 10:
    {
      const auto line = some_line(text, random);
      text.insert(some_line(text, random).first,
                  text.substr(line.first, line.second));
      break;
    }
    case 11:
    {
      // Many times over.
      const std::string piece = text.substr(at, length);
      std::string many;
      for (std::size_t n = below(2000, random); n > 0; --n)
        many += piece;
      text.insert(at, many);
      break;
    }
    case 12:
      text.resize(at);
      break;
  }
  if (text.size() > longest)
    text.resize(longest);
}
} // namespace

std::string mutate(const std::vector<std::string> &files, Random &random)
{
  std::string text = files[below(files.size(), random)];
  for (std::size_t n = 1 + below(6, random); n > 0; --n)
    change(text, files, random);
  return text;
}
} // namespace fuzz

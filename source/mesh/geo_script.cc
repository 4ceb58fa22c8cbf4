#include <delassus/mesh/geo_script.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>
#include <vector>

namespace delassus
{
namespace
{
struct Token
{
  enum Kind
  {
    word,
    text,
    sign
  };
  Kind kind;
  std::string value;
};

bool is_word_character(const char c)
{
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// Words, quoted strings and single signs; comments and numbers left out.
std::vector<Token> tokens_of(const std::string &s)
{
  std::vector<Token> tokens;
  std::size_t i = 0;
  while (i < s.size())
    if (s.compare(i, 2, "//") == 0)
      i = std::min(s.find('\n', i), s.size());
    else if (s.compare(i, 2, "/*") == 0)
    {
      const std::size_t end = s.find("*/", i + 2);
      i                     = end == std::string::npos ? s.size() : end + 2;
    }
    else if (s[i] == '"' || s[i] == '\'')
    {
      const std::size_t end = std::min(s.find(s[i], i + 1), s.size());
      tokens.push_back({ Token::text, s.substr(i + 1, end - i - 1) });
      i = std::min(end + 1, s.size());
    }
    else if (is_word_character(s[i]))
    {
      std::size_t end = i;
      while (end < s.size() && is_word_character(s[end]))
        ++end;
      if (!std::isdigit(static_cast<unsigned char>(s[i])))
        tokens.push_back({ Token::word, s.substr(i, end - i) });
      i = end;
    }
    else
    {
      if (!std::isspace(static_cast<unsigned char>(s[i])))
        tokens.push_back({ Token::sign, std::string(1, s[i]) });
      ++i;
    }
  return tokens;
}
} // namespace

bool GeoScript::is_identifier(const std::string &name)
{
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])))
    return false;
  for (const char c : name)
    if (!is_word_character(c))
      return false;
  return true;
}

GeoScript::GeoScript(const std::string &file)
{
  read(file, 0);
}

void GeoScript::read(const std::string &file, const unsigned int depth)
{
  std::ifstream in(file);
  std::stringstream content;
  content << in.rdbuf();
  const std::vector<Token> tokens = tokens_of(content.str());

  const auto is = [&](const std::size_t i, const char *value)
  { return i < tokens.size() && tokens[i].value == value; };
  const auto slash = file.find_last_of('/');
  const std::string folder =
      slash == std::string::npos ? "" : file.substr(0, slash + 1);

  for (std::size_t i = 0; i < tokens.size(); ++i)
  {
    if (tokens[i].kind != Token::word)
      continue;
    words.insert(tokens[i].value);
    if (is(i + 1, "=") && !is(i + 2, "="))
      assigned.insert(tokens[i].value);
    if (is(i, "Exists") && is(i + 1, "(") && i + 2 < tokens.size())
      settable.insert(tokens[i + 2].value);
    else if (is(i, "Include") && i + 1 < tokens.size() && depth < 20)
    {
      const std::string &name = tokens[i + 1].value;
      read(!name.empty() && name[0] == '/' ? name : folder + name, depth + 1);
    }
    else if (is(i, "DefineConstant") && is(i + 1, "["))
    {
      // DefineConstant[ a, b = 2, c = {3, Name "Geometry/c", Min 1} ];
      int nesting   = 0;
      bool new_item = true;
      for (i += 2; i < tokens.size() && !(nesting == 0 && is(i, "]")); ++i)
      {
        const Token &token = tokens[i];
        if (token.kind == Token::word)
        {
          words.insert(token.value);
          if (nesting == 0 && new_item)
            settable.insert(token.value);
          if (nesting == 1 && token.value == "Name" && i + 1 < tokens.size() &&
              tokens[i + 1].kind == Token::text)
            settable.insert(tokens[i + 1].value);
        }
        if (token.kind == Token::sign)
        {
          if (token.value == "{" || token.value == "(" || token.value == "[")
            ++nesting;
          if (token.value == "}" || token.value == ")" || token.value == "]")
            --nesting;
        }
        new_item =
            token.kind == Token::sign && nesting == 0 && token.value == ",";
      }
    }
  }
}
} // namespace delassus

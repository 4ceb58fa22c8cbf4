#include <delassus/base/exceptions.h>
#include <delassus/base/input_text.h>
#include <delassus/mesh/geo_script.h>

#include <algorithm>

namespace delassus
{
std::string read_script(const std::string &file, const std::string &where)
{
  return read_regular_file(file, where, std::size_t(16) << 20);
}

std::string path_in_script(const std::string &name, const std::string &from)
{
  if (!name.empty() && name[0] == '/')
    return name;
  const auto slash = from.find_last_of('/');
  return slash == std::string::npos ? name : from.substr(0, slash + 1) + name;
}

GeoScript::GeoScript(const std::string &file, const std::string &where)
{
  read(file, where);
}

void GeoScript::read(const std::string &file, const std::string &where)
{
  // Each file once: scripts may include one another in circles.
  if (!seen.insert(file).second || seen.size() > 1000)
    return;
  auto tokens = geo_tokens(read_script(file, where));
  tokens.erase(std::remove_if(tokens.begin(),
                              tokens.end(),
                              [](const GeoToken &token) {
                                return token.kind == GeoToken::comment ||
                                       token.kind == GeoToken::number;
                              }),
               tokens.end());
  look_at(tokens, file);
}

void GeoScript::look_at(const std::vector<GeoToken> &tokens,
                        const std::string &file)
{
  const auto is = [&](const std::size_t i, const char *value)
  { return i < tokens.size() && tokens[i].value == value; };
  for (std::size_t i = 0; i < tokens.size(); ++i)
  {
    if (tokens[i].kind != GeoToken::word)
      continue;
    words.insert(tokens[i].value);
    if (is(i + 1, "=") && !is(i + 2, "="))
      assigned.insert(tokens[i].value);
    if (is(i, "Exists") && is(i + 1, "(") && i + 2 < tokens.size())
      settable.insert(tokens[i + 2].value);
    else if (is(i, "Include") && i + 1 < tokens.size())
    {
      try
      {
        read(path_in_script(tokens[i + 1].value, file), "");
      }
      catch (const InputError &)
      {
        // Gmsh will say so, if it gets there.
      }
    }
    else if (is(i, "DefineConstant") && is(i + 1, "["))
    {
      // DefineConstant[ a, b = 2, c = {3, Name "Geometry/c", Min 1} ];
      int nesting   = 0;
      bool new_item = true;
      for (i += 2; i < tokens.size() && !(nesting == 0 && is(i, "]")); ++i)
      {
        const GeoToken &token = tokens[i];
        if (token.kind == GeoToken::word)
        {
          words.insert(token.value);
          if (nesting == 0 && new_item)
            settable.insert(token.value);
          if (nesting == 1 && token.value == "Name" && i + 1 < tokens.size() &&
              tokens[i + 1].kind == GeoToken::text)
            settable.insert(tokens[i + 1].value);
        }
        if (token.kind == GeoToken::sign)
        {
          if (token.value == "{" || token.value == "(" || token.value == "[")
            ++nesting;
          if (token.value == "}" || token.value == ")" || token.value == "]")
            --nesting;
        }
        new_item =
            token.kind == GeoToken::sign && nesting == 0 && token.value == ",";
      }
    }
  }
}
} // namespace delassus

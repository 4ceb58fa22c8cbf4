#ifndef delassus_mesh_geo_tokens_h
#define delassus_mesh_geo_tokens_h

#include <string>
#include <vector>

namespace delassus
{
/// A piece of a .geo script as Gmsh's own scanner takes it: words, strings
/// between quotes (without them), numbers, signs of one character, and the
/// comments between.
struct GeoToken
{
  enum Kind
  {
    word,
    text,
    number,
    sign,
    comment
  };
  Kind kind;
  std::string value;
  unsigned int line = 1;    ///< on which it begins
  bool complete     = true; ///< text, comment: its end is there
};

std::vector<GeoToken> geo_tokens(const std::string &script);

/// Letters, digits and underscores, not beginning with a digit.
bool is_geo_word(const std::string &name);
} // namespace delassus

#endif

#pragma once

#include "good_file.h"

/// A mistake made by replacing a piece of the good file, and what the message
/// must say besides the file and the line on which @p at stands.
struct Mistake
{
  std::string name;
  std::string from, to;
  std::string at; ///< piece of the wrong file; empty: no line
  std::vector<std::string> parts;
};

inline void PrintTo(const Mistake &mistake, std::ostream *out)
{
  *out << mistake.name;
}

/// Its test is in mistakes.cc.
class Mistakes : public testing::TestWithParam<Mistake>
{
};

inline std::string name_of(const testing::TestParamInfo<Mistake> &info)
{
  return info.param.name;
}

#ifndef delassus_base_text_h
#define delassus_base_text_h

#include <string>

namespace delassus
{
/// @p text in small letters (ASCII; other characters stay as they are).
std::string lower_case(std::string text);
} // namespace delassus

#endif

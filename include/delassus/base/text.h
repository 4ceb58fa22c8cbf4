#ifndef delassus_base_text_h
#define delassus_base_text_h

#include <cstddef>
#include <string>

namespace delassus
{
/// @p text in small letters (ASCII; other characters stay as they are).
std::string lower_case(std::string text);

/// "1 step", "2 steps"; @p many where it is not the word with an s.
std::string
counted(std::size_t n, const std::string &one, const std::string &many = "");

/// The local date and time now, "2024-05-01 12:00:00".
std::string date_and_time();

/// "0.31 s", "12.3 s", "7 min 05 s", "3 h 07 min".
std::string wall_time_text(double seconds);
} // namespace delassus

#endif

#ifndef delassus_base_input_text_h
#define delassus_base_input_text_h

#include <cstddef>
#include <string>

namespace delassus
{
/// Throws InputError, beginning with @p where, unless @p file is a file on a
/// disk that can be read: not a directory, a pipe, a device or a socket, whose
/// bytes may never end or never come.
void expect_regular_file(const std::string &file, const std::string &where);

/// All bytes of @p file. Throws InputError as expect_regular_file() does, and
/// for files of more than @p most bytes, which are not read.
std::string read_regular_file(const std::string &file,
                              const std::string &where,
                              std::size_t most);

/// Position of the first byte that is not UTF-8 (RFC 3629: no surrogates, no
/// longer forms than needed) or that is a control character other than white
/// space; npos if there is none.
std::size_t find_bad_byte(const std::string &text);

/// @p text as UTF-8 without control characters: other bytes become "\xE4".
std::string escape_bad_bytes(const std::string &text);
} // namespace delassus

#endif

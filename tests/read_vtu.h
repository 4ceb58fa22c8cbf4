// Point data of a .vtu file: compressed, in base64.
#ifndef tests_read_vtu_h
#define tests_read_vtu_h

#include <cstdint>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <zlib.h>

namespace test
{
inline std::string from_base64(const std::string &text)
{
  std::string bytes;
  std::uint32_t bits  = 0;
  unsigned int n_bits = 0;
  for (const char c : text)
  {
    const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrst"
                                "uvwxyz0123456789+/";
    const auto value          = letters.find(c);
    if (value == std::string::npos)
      continue;
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    n_bits += 6;
    if (n_bits >= 8)
    {
      n_bits -= 8;
      bytes += static_cast<char>(bits >> n_bits & 0xff);
    }
  }
  return bytes;
}

/// All arrays of numbers of type Float32, by name.
inline std::map<std::string, std::vector<float>>
read_vtu(const std::string &file)
{
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  const std::string xml = text.str();
  std::map<std::string, std::vector<float>> arrays;
  for (std::size_t at = 0;
       (at = xml.find("<DataArray", at)) != std::string::npos;)
  {
    const std::size_t begin = xml.find('>', at), end = xml.find('<', begin);
    const std::string tag = xml.substr(at, begin - at);
    at                    = end;
    const auto name       = tag.find("Name=\"");
    if (tag.find("Float32") == std::string::npos || name == std::string::npos)
      continue;
    std::string data = xml.substr(begin + 1, end - begin - 1);
    data.erase(0, data.find_first_not_of(" \n"));
    if (data.empty()) // no points
    {
      arrays[tag.substr(name + 6, tag.find('"', name + 6) - (name + 6))];
      continue;
    }
    // How many blocks, their length, that of a shorter last one, and lengths
    // once compressed, 32 bits each and in base64 by themselves.
    const auto numbers = [&](const std::size_t n)
    {
      std::vector<std::uint32_t> result(n);
      const std::string bytes =
          from_base64(data.substr(0, (4 * n + 2) / 3 * 4));
      if (bytes.size() < 4 * n)
        throw std::runtime_error("no compressed data in " + file);
      std::memcpy(result.data(), bytes.data(), 4 * n);
      return result;
    };
    const std::size_t n_blocks = numbers(3)[0];
    const auto header          = numbers(3 + n_blocks);
    const std::string packed =
        from_base64(data.substr((4 * header.size() + 2) / 3 * 4));
    std::string bytes;
    std::size_t begin_of_block = 0;
    for (std::size_t block = 0; block < n_blocks; ++block)
    {
      const bool shorter = block + 1 == n_blocks && header[2] > 0;
      std::string part(header[shorter ? 2 : 1], '\0');
      uLongf size = part.size();
      if (uncompress(reinterpret_cast<Bytef *>(part.data()),
                     &size,
                     reinterpret_cast<const Bytef *>(packed.data()) +
                         begin_of_block,
                     header[3 + block]) != Z_OK)
        throw std::runtime_error("damaged data in " + file);
      begin_of_block += header[3 + block];
      bytes += part;
    }
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    auto &array =
        arrays[tag.substr(name + 6, tag.find('"', name + 6) - (name + 6))];
    array.insert(array.end(), values.begin(), values.end());
  }
  return arrays;
}
} // namespace test

#endif

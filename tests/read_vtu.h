// Point data of a .vtu file as deal.II writes it: compressed, in base64.
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
    // Four numbers of 32 bits are 24 letters.
    std::uint32_t header[4];
    const std::string first = from_base64(data.substr(0, 24));
    if (first.size() < sizeof(header))
      throw std::runtime_error("no compressed data in " + file);
    std::memcpy(header, first.data(), sizeof(header));
    const std::string packed = from_base64(data.substr(24));
    std::vector<float> values(header[1] / sizeof(float));
    uLongf size = header[1];
    if (uncompress(reinterpret_cast<Bytef *>(values.data()),
                   &size,
                   reinterpret_cast<const Bytef *>(packed.data()),
                   header[3]) != Z_OK)
      throw std::runtime_error("damaged data in " + file);
    auto &array =
        arrays[tag.substr(name + 6, tag.find('"', name + 6) - (name + 6))];
    array.insert(array.end(), values.begin(), values.end());
  }
  return arrays;
}
} // namespace test

#endif

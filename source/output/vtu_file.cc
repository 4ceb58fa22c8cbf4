#include <delassus/output/vtu_file.h>
#include <delassus/base/exceptions.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <stdexcept>

#include <zlib.h>

namespace delassus
{
namespace
{
/// Three bytes are four letters; the rest is filled with '='.
void append_base64(const unsigned char *bytes,
                   const std::size_t n,
                   std::string &text)
{
  static constexpr char letters[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::size_t first = text.size();
  text.resize(first + (n + 2) / 3 * 4);
  char *out     = &text[first];
  std::size_t i = 0;
  for (; i + 3 <= n; i += 3)
  {
    const std::uint32_t bits = std::uint32_t(bytes[i]) << 16 |
                               std::uint32_t(bytes[i + 1]) << 8 | bytes[i + 2];
    *out++ = letters[bits >> 18];
    *out++ = letters[bits >> 12 & 63];
    *out++ = letters[bits >> 6 & 63];
    *out++ = letters[bits & 63];
  }
  if (i == n)
    return;
  const bool two           = n - i == 2;
  const std::uint32_t bits = std::uint32_t(bytes[i]) << 16 |
                             (two ? std::uint32_t(bytes[i + 1]) << 8 : 0u);
  *out++ = letters[bits >> 18];
  *out++ = letters[bits >> 12 & 63];
  *out++ = two ? letters[bits >> 6 & 63] : '=';
  *out++ = '=';
}

bool is_zero(const unsigned char *bytes, const std::size_t n)
{
  // Each byte equals its neighbour, and the first is zero.
  return n > 0 && bytes[0] == 0 && std::memcmp(bytes, bytes + 1, n - 1) == 0;
}
} // namespace

VtuEncoder::VtuEncoder(const std::size_t block_size)
    : block_size(block_size)
    , stream(new z_stream_s())
{
  if (deflateInit(stream, Z_BEST_SPEED) != Z_OK)
  {
    delete stream;
    throw ComputationError("There is no memory left to compress results.");
  }
}

VtuEncoder::~VtuEncoder()
{
  deflateEnd(stream);
  delete stream;
}

void VtuEncoder::compress(const unsigned char *data, const std::size_t n_bytes)
{
  deflateReset(stream);
  const std::size_t bound = deflateBound(stream, n_bytes);
  if (packed.size() < n_packed + bound)
    packed.resize(n_packed + bound);
  stream->next_in   = const_cast<unsigned char *>(data);
  stream->avail_in  = static_cast<unsigned int>(n_bytes);
  stream->next_out  = &packed[n_packed];
  stream->avail_out = static_cast<unsigned int>(bound);
  if (deflate(stream, Z_FINISH) != Z_STREAM_END)
    throw std::logic_error("VtuEncoder: the bound on compressed data is wrong");
  n_packed += stream->total_out;
}

void VtuEncoder::append(const void *data,
                        const std::size_t n_bytes,
                        std::string &text)
{
  const auto *bytes = static_cast<const unsigned char *>(data);
  const bool zero   = is_zero(bytes, n_bytes);
  if (zero && n_bytes == n_zeros)
  {
    text += zeros;
    return;
  }
  // Number of blocks, their length, that of the last if it is shorter, and the
  // compressed lengths; then all blocks as one.
  const std::size_t n_blocks        = (n_bytes + block_size - 1) / block_size;
  std::vector<std::uint32_t> header = {
    static_cast<std::uint32_t>(n_blocks),
    static_cast<std::uint32_t>(std::min(n_bytes, block_size)),
    static_cast<std::uint32_t>(n_blocks == 1 ? n_bytes : n_bytes % block_size)
  };
  n_packed = 0;
  for (std::size_t first = 0; first < n_bytes; first += block_size)
  {
    const std::size_t before = n_packed;
    compress(bytes + first, std::min(block_size, n_bytes - first));
    header.push_back(static_cast<std::uint32_t>(n_packed - before));
  }
  const std::size_t begin = text.size();
  append_base64(reinterpret_cast<const unsigned char *>(header.data()),
                header.size() * sizeof(std::uint32_t),
                text);
  append_base64(packed.data(), n_packed, text);
  if (zero)
  {
    n_zeros = n_bytes;
    zeros   = text.substr(begin);
  }
}

std::string VtuEncoder::piece(const VtuPiece &piece)
{
  std::string text =
      fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n",
                  piece.n_points(),
                  piece.types.size());
  const auto array = [&](const char *type,
                         const std::string &name,
                         const unsigned int n_components,
                         const auto &values)
  {
    fmt::format_to(
        std::back_inserter(text),
        "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" "
        "format=\"{}\">\n",
        type,
        name,
        n_components,
        values.empty() ? "ascii" : "binary");
    if (!values.empty())
      append(values.data(), values.size() * sizeof(values[0]), text);
    text += "\n</DataArray>\n";
  };
  text += "<Points>\n";
  array("Float32", "Points", 3, piece.points);
  text += "</Points>\n<Cells>\n";
  array("Int32", "connectivity", 1, piece.connectivity);
  array("Int32", "offsets", 1, piece.offsets);
  array("UInt8", "types", 1, piece.types);
  text += "</Cells>\n<PointData>\n";
  for (const auto &field : piece.fields)
    array("Float32", field.name, field.n_components, field.values);
  text += "</PointData>\n</Piece>\n";
  return text;
}

std::string stage_field(const std::string &stage)
{
  if (stage.empty())
    return "";
  // VTK's strings are the codes of their letters, and zero.
  std::string field = "<FieldData>\n<DataArray type=\"String\" Name=\"stage\" "
                      "NumberOfTuples=\"1\" format=\"ascii\">\n";
  for (const unsigned char letter : stage)
    field += fmt::format("{} ", static_cast<unsigned int>(letter));
  return field + "0\n</DataArray>\n</FieldData>\n";
}

std::string vtu_file(const std::string &pieces, const std::string &stage)
{
  return "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" "
         "version=\"0.1\" compressor=\"vtkZLibDataCompressor\" "
         "byte_order=\"LittleEndian\">\n<UnstructuredGrid>\n" +
         stage_field(stage) + pieces + "</UnstructuredGrid>\n</VTKFile>\n";
}
} // namespace delassus

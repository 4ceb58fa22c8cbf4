#ifndef delassus_output_vtu_file_h
#define delassus_output_vtu_file_h

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

struct z_stream_s;

namespace delassus
{
/// One piece of a .vtu file: points, cells, and named fields at the points, in
/// single precision.
struct VtuPiece
{
  struct Field
  {
    std::string name;
    unsigned int n_components; ///< 1, or 3 and 9 of vectors and tensors
    std::vector<float> values; ///< point by point
  };

  std::vector<float> points; ///< three coordinates each
  std::vector<std::int32_t> connectivity, offsets;
  std::vector<std::uint8_t> types; ///< VTK's numbers
  std::vector<Field> fields;

  std::size_t n_points() const
  {
    return points.size() / 3;
  }
};

/// Writes arrays as VTK's readers want them, compressed by zlib at its fastest
/// level, in base64. One compressor and its memory serve all arrays, and arrays
/// of zeros, of which plane problems have many, are compressed once: to write
/// results must cost little beside the steps between them.
class VtuEncoder
{
public:
  /// Arrays longer than @p block_size bytes are compressed in parts: VTK's
  /// lengths have 32 bits.
  explicit VtuEncoder(const std::size_t block_size = std::size_t(1) << 30);
  ~VtuEncoder();
  VtuEncoder(const VtuEncoder &)            = delete;
  VtuEncoder &operator=(const VtuEncoder &) = delete;

  /// The element <Piece>.
  std::string piece(const VtuPiece &piece);

  /// Append the bytes of an array.
  void append(const void *data, const std::size_t n_bytes, std::string &text);

private:
  void compress(const unsigned char *data, const std::size_t n_bytes);

  const std::size_t block_size;
  z_stream_s *stream;
  std::vector<unsigned char> packed; ///< of one array
  std::size_t n_packed = 0;
  std::size_t n_zeros  = 0; ///< bytes of the array of zeros in `zeros`
  std::string zeros;
};

/// The field data "stage" with the name of the run's stage; empty: none.
std::string stage_field(const std::string &stage);

/// A whole file of <Piece> elements. @p stage: the name of the run's stage, in
/// the field data "stage"; empty: none.
std::string vtu_file(const std::string &pieces, const std::string &stage = "");
} // namespace delassus

#endif

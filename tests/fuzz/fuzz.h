#ifndef tests_fuzz_fuzz_h
#define tests_fuzz_fuzz_h

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace fuzz
{
using Random = std::mt19937_64;

/// Files of one kind to begin with, by their ending.
using Corpus = std::map<std::string, std::vector<std::string>>;

/// A file with some bytes, lines, numbers or words changed, repeated, taken
/// out, or put in from the others.
std::string mutate(const std::vector<std::string> &files, Random &random);

/// Endings of the files that are read, in the order in which they take turns;
/// those that are quickly read more than once.
const std::vector<std::string> &kinds();

/// Read @p bytes as a file of this kind, in the folder @p scratch. False if it
/// is refused with an InputError; any other exception is a failure.
bool read_input(const std::string &kind,
                const std::string &bytes,
                const std::string &scratch);

/// Binary files for the corpus: made of the others, not kept.
void make_binary_files(Corpus &corpus, const std::string &scratch);

/// Make the sums of a changed checkpoint right again, so that what is behind
/// them is read.
void repair_checkpoint(std::string &bytes);

inline std::string make_input(const Corpus &corpus,
                              const std::uint64_t seed,
                              const std::uint64_t i)
{
  Random random(seed * 0x9E3779B97F4A7C15ull + i);
  const std::string &kind = kinds()[i % kinds().size()];
  std::string bytes       = mutate(corpus.at(kind), random);
  if (kind == ".bin" && random() % 4 != 0)
    repair_checkpoint(bytes);
  return bytes;
}
} // namespace fuzz

#endif

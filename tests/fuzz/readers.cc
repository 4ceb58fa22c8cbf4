#include "fuzz.h"

#include <delassus/base/archive.h>
#include <delassus/base/exceptions.h>
#include <delassus/contact/exchange/problem_files.h>
#include <delassus/mesh/make_mesh.h>
#include <delassus/mesh/script_check.h>
#include <delassus/mesh/surface_mesh.h>
#include <delassus/parameters/read_parameters.h>
#include <delassus/simulation/checkpoint.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace fuzz
{
namespace
{
using namespace delassus;
namespace fs = std::filesystem;

std::string write(const std::string &file, const std::string &bytes)
{
  std::ofstream(file, std::ios::binary) << bytes;
  return file;
}

std::string read(const fs::path &file)
{
  std::ifstream in(file, std::ios::binary);
  return { std::istreambuf_iterator<char>(in),
           std::istreambuf_iterator<char>() };
}

template <int dim>
void read_mesh(const std::string &file)
{
  BodyParameters body;
  body.name      = "body";
  body.mesh.type = MeshType::file;
  body.mesh.file = file;
  make_mesh<dim>(body, 1e9);
}
} // namespace

const std::vector<std::string> &kinds()
{
  static const std::vector<std::string> list = {
    ".prm", ".json", ".geo", ".dat", ".bin", ".prm", ".json", ".geo",
    ".dat", ".bin",  ".prm", ".msh", ".geo", ".stl", ".hdf5"
  };
  return list;
}

bool read_input(const std::string &kind,
                const std::string &bytes,
                const std::string &scratch)
{
  const std::string file = write(
      scratch + "/" + (kind == ".bin" ? "checkpoint" : "input") + kind, bytes);
  try
  {
    if (kind == ".prm" || kind == ".json")
      read_parameters(file, {});
    else if (kind == ".geo")
      check_script(file, {}, "script");
    else if (kind == ".msh")
    {
      if (bytes.size() % 2 == 0)
        read_mesh<2>(file);
      else
        read_mesh<3>(file);
    }
    else if (kind == ".stl")
      read_surface_mesh<3>(file, "", 1., false, "surface", "name");
    else if (kind == ".bin")
    {
      std::string warning;
      read_checkpoint(scratch, warning, MPI_COMM_SELF);
    }
    else
      read_problem(file);
  }
  catch (const InputError &e)
  {
    // Crashes of libraries in a child process are good answers, what sanitizers
    // find there in code of this program is not.
    const std::string what = e.what();
    const auto says        = [&](const char *text)
    { return what.find(text) != std::string::npos; };
    if (says("runtime error:") ||
        (says("AddressSanitizer") && says("delassus::")))
      throw std::runtime_error(what);
    return false;
  }
  return true;
}

void make_binary_files(Corpus &corpus, const std::string &scratch)
{
  for (const auto &text : corpus.at(".dat"))
  {
    const auto problem = read_problem(write(scratch + "/problem.dat", text));
    write_problem(scratch + "/problem.hdf5", problem);
    corpus[".hdf5"].push_back(read(scratch + "/problem.hdf5"));
  }
  Checkpoint checkpoint;
  checkpoint.label.program_version = "0";
  checkpoint.label.dimension       = 2;
  checkpoint.label.time            = 0.5;
  checkpoint.label.entries         = { { "Title", "a" }, { "Time/End", "1" } };
  checkpoint.common                = "what all ranks know";
  checkpoint.ranks                 = { "what one rank knows" };
  write_checkpoint(scratch, 2, checkpoint, MPI_COMM_SELF);
  corpus[".bin"].push_back(read(scratch + "/checkpoint.bin"));
}

void repair_checkpoint(std::string &bytes)
{
  // Header: 8 bytes of magic, two 32-bit numbers, number of parts. Then for
  // each part its length and sum, the sum of this table, and the parts.
  constexpr std::size_t header = 24, entry = 16;
  std::uint64_t n = 0;
  if (bytes.size() < header)
    return;
  std::memcpy(&n, &bytes[16], 8);
  const std::size_t most = (bytes.size() - header) / entry;
  if (n > most)
    return;
  std::size_t part = header + n * entry + 8;
  for (std::uint64_t i = 0; i < n && part <= bytes.size(); ++i)
  {
    char *const row      = &bytes[header + i * entry];
    std::uint64_t length = 0;
    std::memcpy(&length, row, 8);
    if (i + 1 == n || length > bytes.size() - part)
      length = bytes.size() - part;
    const std::uint64_t sum = checksum(bytes.data() + part, length);
    std::memcpy(row, &length, 8);
    std::memcpy(row + 8, &sum, 8);
    part += length;
  }
  if (header + n * entry + 8 > bytes.size())
    return;
  const std::uint64_t sum = checksum(bytes.data() + header, n * entry);
  std::memcpy(&bytes[header + n * entry], &sum, 8);
}
} // namespace fuzz

#include <delassus/base/exceptions.h>
#include <delassus/output/atomic_file.h>
#include <delassus/output/vtu_pieces.h>

#include <deal.II/base/mpi.h>

#include <algorithm>

namespace delassus
{
using namespace dealii;

void unite_fields(std::vector<VtuPiece> &pieces)
{
  std::vector<VtuPiece::Field> all; // without values
  for (const auto &piece : pieces)
    for (const auto &field : piece.fields)
      if (std::none_of(all.begin(),
                       all.end(),
                       [&](const VtuPiece::Field &known)
                       { return known.name == field.name; }))
        all.push_back({ field.name, field.n_components, {} });
  for (auto &piece : pieces)
  {
    std::vector<VtuPiece::Field> fields = all;
    for (auto &field : fields)
    {
      const auto own = std::find_if(piece.fields.begin(),
                                    piece.fields.end(),
                                    [&](const VtuPiece::Field &known)
                                    { return known.name == field.name; });
      if (own != piece.fields.end())
        field.values = std::move(own->values);
      else
        field.values.assign(field.n_components * piece.n_points(), 0.f);
    }
    piece.fields = std::move(fields);
  }
}

void write_pieces(const std::string &path,
                  std::vector<VtuPiece> pieces,
                  MPI_Comm communicator,
                  const std::string &stage)
{
  if (pieces.size() > 1)
    unite_fields(pieces);
  const bool root = Utilities::MPI::this_mpi_process(communicator) == 0;
  std::size_t n   = 0;
  for (const auto &piece : pieces)
    n += piece.n_points();
  // Pieces without points are left out, unless there is no other.
  const bool none = Utilities::MPI::sum(n, communicator) == 0;
  VtuEncoder encoder;
  std::string text;
  for (const auto &piece : pieces)
    if (piece.n_points() > 0)
      text += encoder.piece(piece);
  if (none && root && !pieces.empty())
    text = encoder.piece(pieces[0]);
  if (Utilities::MPI::n_mpi_processes(communicator) == 1)
  {
    write_result_atomically(path, vtu_file(text, stage));
    return;
  }
  const auto parts = Utilities::MPI::gather(communicator, text);
  std::string error;
  if (root)
    try
    {
      std::string all;
      for (const auto &part : parts)
        all += part;
      write_result_atomically(path, vtu_file(all, stage));
    }
    catch (const ComputationError &e)
    {
      error = e.what();
    }
  error = Utilities::MPI::broadcast(communicator, error);
  if (!error.empty())
    throw ComputationError(error);
}
} // namespace delassus

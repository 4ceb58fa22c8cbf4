#ifndef delassus_output_vtu_pieces_h
#define delassus_output_vtu_pieces_h

#include <delassus/output/vtu_file.h>

#include <mpi.h>

namespace delassus
{
/// Give every piece the fields of all of them, in the order of the first that
/// has each: VTK's readers want the same ones everywhere. What a piece has not
/// is zero there.
void unite_fields(std::vector<VtuPiece> &pieces);

/// The pieces of all ranks in one .vtu file, written by one of them so that it
/// is complete or not there; with the name of the @p stage, if there is one.
/// All ranks give the same fields in the same order, those without points too.
void write_pieces(const std::string &path,
                  std::vector<VtuPiece> pieces,
                  MPI_Comm communicator,
                  const std::string &stage = "");
} // namespace delassus

#endif

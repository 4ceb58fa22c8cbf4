#ifndef delassus_mesh_mesh_size_h
#define delassus_mesh_mesh_size_h

#include <delassus/parameters/parameters.h>

#include <string>

namespace delassus
{
/// Cells of a generated mesh before it is refined; 0 for a file.
template <int dim>
double n_generated_cells(const MeshParameters &mesh);

/// Bytes on each of @p n_ranks that @p n_cells cells of degree 1 take at least:
/// mesh (known to all ranks, unless it is @p distributed) and one matrix
/// (shared by them), without its factor.
double
bytes_of_cells(int dim, double n_cells, unsigned int n_ranks, bool distributed);

/// Throws InputError, beginning with @p where, if @p n_cells cells do not fit
/// into @p memory bytes on each rank (0: no limit) or cannot be counted. The
/// message has both numbers.
void expect_fitting_cells(int dim,
                          double n_cells,
                          unsigned int n_ranks,
                          bool distributed,
                          double memory,
                          const std::string &where);
} // namespace delassus

#endif

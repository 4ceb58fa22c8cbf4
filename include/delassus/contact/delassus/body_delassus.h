#ifndef delassus_contact_delassus_body_delassus_h
#define delassus_contact_delassus_body_delassus_h

#include <delassus/contact/delassus/aligned_vector.h>
#include <delassus/contact/delassus/block_sparse_delassus.h>
#include <delassus/contact/delassus/delassus_operator.h>
#include <delassus/contact/local_solvers/local_algebra.h>

#include <cstddef>
#include <vector>

namespace delassus
{
/// W by pieces (bodies that nothing but contact connects): W^{ab} is the sum
/// over pieces p of H_a^T C_p H_b, C_p the dense compliance of the dofs of p
/// that contacts can touch (symmetric; congruent pieces share one).
///
/// The relative velocity at contact a is
///   U^a = sum over its entries of weight * frame * v(piece, node),
/// weights of the candidate positive, of the antagonist negative.
template <int dim>
struct BodyDelassusData
{
  struct Entry
  {
    unsigned int piece;
    unsigned int node; ///< dofs dim*node+c of the piece
    double weight;     ///< signed
  };

  std::vector<const double *> piece_compliance; ///< row-major n_p x n_p
  std::vector<unsigned int> piece_n_dofs;       ///< n_p
  std::vector<std::size_t> h_start; ///< of contact a in entries; n + 1 values
  std::vector<Entry> entries;
  std::vector<LocalMatrix<dim>> frame; ///< rows N, T, S

  /// The last of these contacts belong to other ranks: columns of W without
  /// rows. Only their entries on pieces of own contacts matter.
  std::size_t n_ghosts = 0;

  std::size_t n_contacts() const
  {
    return frame.size() - n_ghosts;
  }
};

/// The entries of each contact grouped by piece.
template <int dim>
struct BodyContactGroups
{
  struct Group
  {
    unsigned int piece;
    unsigned int begin, end; ///< in entries
  };
  struct Entry
  {
    unsigned int first_dof;  ///< dim * node
    unsigned int row_offset; ///< of that dof's row in the compliance
    double weight;
  };

  std::vector<std::size_t> group_start; ///< of contact a; n + 1 values
  std::vector<Group> groups;
  std::vector<Entry> entries;

  /// Throws ComputationError for arrays that do not fit together and for
  /// pieces or nodes out of range.
  void reinit(const BodyDelassusData<dim> &data);
};

/// W without assembling it: a sweep carries the velocities of all pieces along.
/// The compliances stay where they are and must outlive the operator.
/// multiply() and begin_sweep() use a buffer of the operator: one thread at a
/// time.
template <int dim>
class BodyDelassus final : public DelassusOperator<dim>
{
public:
  explicit BodyDelassus(BodyDelassusData<dim> data);

  /// Other contacts, possibly other pieces.
  void reinit(BodyDelassusData<dim> data);

  std::size_t n_contacts() const override
  {
    return data.n_contacts();
  }

  std::size_t n_ghosts() const override
  {
    return data.n_ghosts;
  }

  void diagonal_block(std::size_t a, double *block) const override;

  void multiply(const double *P, double *U) const override;

  std::size_t sweep_buffer_size() const override
  {
    return velocity_start.empty() ? 0 : velocity_start.back();
  }

  void begin_sweep(const double *P, double *buffer) const override;

  void velocity_at(std::size_t a,
                   const double *P,
                   const double *buffer,
                   double *U) const override;

  void change_impulse(std::size_t a,
                      const double *dP,
                      double *buffer) const override;

  /// The pieces that own contacts touch: those of contact a are
  /// pieces[start[a]] ... pieces[start[a+1]-1]. Contacts are coupled where they
  /// share one.
  void pieces_of_contacts(std::vector<std::size_t> &start,
                          std::vector<unsigned int> &pieces) const;

  /// The distinct compliances count once.
  std::size_t memory_consumption() const override;

  const char *name() const override
  {
    return "matrix free by bodies";
  }

private:
  LocalMatrix<dim> compute_diagonal_block(std::size_t a) const;

  void velocities(const double *P, std::size_t stride, double *velocity) const;

  BodyDelassusData<dim> data;
  BodyContactGroups<dim> contacts;
  std::vector<std::size_t> velocity_start; ///< of each piece
  std::vector<LocalMatrix<dim>> diagonal;  ///< W^{aa}
  mutable AlignedVector<double> force, velocity;

  template <int>
  friend struct BodySweep;
};

/// W^{ab} for all contacts that share a piece, computed once for (a,b) and
/// (b,a): work proportional to the number of blocks (and to n_p per contact
/// and piece for H_a^T C_p). Keeps its work arrays, so that assembling again
/// into the same matrix allocates nothing when the sizes fit.
template <int dim>
class BodyAssembler
{
public:
  void assemble(const BodyDelassusData<dim> &data, BlockSparseDelassus<dim> &W);

private:
  BodyContactGroups<dim> contacts;
  std::vector<std::size_t> piece_start, next;
  std::vector<unsigned int> piece_contact, piece_group;
  std::vector<double> G;
};

template <int dim>
BlockSparseDelassus<dim>
assemble_block_sparse(const BodyDelassusData<dim> &data);

/// The same into existing storage.
template <int dim>
void assemble_block_sparse(const BodyDelassusData<dim> &data,
                           BlockSparseDelassus<dim> &W);
/// What assembling these contacts would take.
template <int dim>
struct DelassusCost
{
  std::size_t n_blocks;     ///< at most; a pair sharing two pieces counts twice
  std::size_t bytes;        ///< of the block-sparse matrix
  double visit_assembled;   ///< values of W read per visit of a contact
  double visit_matrix_free; ///< values of compliances read per visit

  explicit DelassusCost(const BodyDelassusData<dim> &data);

  /// Whether a sweep is expected to be faster without assembling: the matrix is
  /// larger than a cache, and the compliances (which stay in the cache, as they
  /// are shared) are not much more work.
  bool prefers_matrix_free() const;
};
} // namespace delassus

#endif

#ifndef delassus_contact_delassus_delassus_operator_h
#define delassus_contact_delassus_delassus_operator_h

#include <cstddef>

namespace delassus
{
/// Distance between the impulses of consecutive contacts in the arrays of a
/// sweep. A 3D impulse is padded to four values there, so that it is stored
/// and loaded as one register.
template <int dim>
constexpr std::size_t sweep_stride = (dim == 2 ? 2 : 4);

/// W = H* w H, the operator from the impulses of all contacts to their relative
/// velocities. Vectors are stored contact by contact, normal component first:
/// contact a occupies entries dim*a ... dim*a+dim-1. A block W^{ab} is dim x
/// dim.
///
/// Besides the product it offers what a Gauss-Seidel sweep needs: the relative
/// velocity at one contact for the current impulses, and the change of the
/// impulse at one contact. An assembled operator computes a row product; a
/// matrix-free one carries body velocities along in a buffer that the solver
/// owns. The solvers know the classes derived here and call them without
/// virtual dispatch.
template <int dim>
class DelassusOperator
{
public:
  virtual ~DelassusOperator() = default;

  virtual std::size_t n_contacts() const = 0;

  /// Contacts of other ranks that these are coupled with: columns without rows,
  /// after those of the own contacts. Impulses are given for all columns,
  /// velocities for the rows.
  virtual std::size_t n_ghosts() const
  {
    return 0;
  }

  std::size_t n_columns() const
  {
    return n_contacts() + n_ghosts();
  }

  /// W^{aa}, row-major, dim x dim values.
  virtual void diagonal_block(std::size_t a, double *block) const = 0;

  /// U = W P: dim * n_columns() impulses, dim * n_contacts() velocities.
  virtual void multiply(const double *P, double *U) const = 0;

  /// Number of values a sweep carries along beside the impulses.
  virtual std::size_t sweep_buffer_size() const
  {
    return 0;
  }

  /// Make the buffer consistent with the impulses P (padded: contact a at
  /// sweep_stride<dim> * a).
  virtual void begin_sweep(const double * /*P*/, double * /*buffer*/) const
  {
  }

  /// U^a = (W P)^a, dim values; P padded.
  virtual void velocity_at(std::size_t a,
                           const double *P,
                           const double *buffer,
                           double *U) const = 0;

  /// The impulse of contact a, possibly a ghost, was changed by dP (dim
  /// values).
  virtual void change_impulse(std::size_t /*a*/,
                              const double * /*dP*/,
                              double * /*buffer*/) const
  {
  }

  /// Bytes of the storage that one product touches.
  virtual std::size_t memory_consumption() const = 0;

  virtual const char *name() const = 0;
};
} // namespace delassus

#endif

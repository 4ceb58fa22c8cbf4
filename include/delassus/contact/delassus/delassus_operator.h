#ifndef delassus_contact_delassus_delassus_operator_h
#define delassus_contact_delassus_delassus_operator_h

#include <cstddef>

namespace delassus
{
/// W = H* w H, the operator from the impulses of all contacts to their relative
/// velocities. Vectors are stored contact by contact, normal component first:
/// contact a occupies entries dim*a ... dim*a+dim-1. A block W^{ab} is dim x dim.
///
/// Besides the product it offers what a Gauss-Seidel sweep needs: the relative
/// velocity at one contact for the current impulses, and the change of the
/// impulse at one contact. An assembled operator computes a row product; a
/// matrix-free one carries body velocities along.
template <int dim>
class DelassusOperator
{
public:
  virtual ~DelassusOperator() = default;

  virtual std::size_t
  n_contacts() const = 0;

  /// W^{aa}, row-major, dim x dim values.
  virtual void
  diagonal_block(std::size_t a, double *block) const = 0;

  /// U = W P.
  virtual void
  multiply(const double *P, double *U) const = 0;

  /// Bytes of the storage that one product touches.
  virtual std::size_t
  memory_consumption() const = 0;

  virtual const char *
  name() const = 0;
};
} // namespace delassus

#endif

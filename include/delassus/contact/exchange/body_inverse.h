#ifndef delassus_contact_exchange_body_inverse_h
#define delassus_contact_exchange_body_inverse_h

#include <delassus/contact/problem/exchange_problem.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace delassus
{
class GeneralFactor;
class SymmetricFactor;

/// M^{-1} of a global problem: by Cholesky's factor if M is symmetric and
/// positive definite, else by LU factors.
class BodyInverse
{
public:
  /// Throws InputError, beginning with @p where, if M is singular.
  BodyInverse(const CompressedColumns &M, const std::string &where);

  ~BodyInverse();

  /// X := M^{-1} X for columns of length n, one after another.
  void solve(double *X, unsigned int n_columns) const;

  std::size_t n() const
  {
    return size;
  }

  /// As exactly as numbers are stored.
  bool is_symmetric() const
  {
    return symmetric;
  }

  bool is_positive_definite() const
  {
    return factor != nullptr;
  }

private:
  std::size_t size;
  bool symmetric;
  std::unique_ptr<SymmetricFactor> factor;
  std::unique_ptr<GeneralFactor> general_factor;
};

/// W = H^T M^{-1} H, symmetric if M is.
CompressedColumns condense(const BodyInverse &inverse,
                           const CompressedColumns &H);

/// q = H^T M^{-1} f + w.
std::vector<double> condensed_velocity(const BodyInverse &inverse,
                                       const ExchangeProblem &problem);
} // namespace delassus

#endif

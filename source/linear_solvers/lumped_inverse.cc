#include <delassus/linear_solvers/symmetric_factor.h>

namespace delassus
{
namespace
{
class DiagonalInverse : public SymmetricFactor
{
public:
  explicit DiagonalInverse(std::vector<double> inverse)
      : inverse(std::move(inverse))
  {
  }

  unsigned int n() const override
  {
    return inverse.size();
  }

  void solve(double *X, const unsigned int n_columns) override
  {
    for (unsigned int k = 0; k < n_columns; ++k, X += inverse.size())
      for (std::size_t i = 0; i < inverse.size(); ++i)
        X[i] *= inverse[i];
  }

  std::size_t memory_consumption() const override
  {
    return inverse.size() * sizeof(double);
  }

  const char *name() const override
  {
    return "lumped mass";
  }

private:
  const std::vector<double> inverse;
};

class TwoTermInverse : public SymmetricFactor
{
public:
  TwoTermInverse(std::vector<double> inverse, SymmetricMatrix A)
      : inverse(std::move(inverse))
      , A(std::move(A))
      , scaled(this->inverse.size())
  {
  }

  unsigned int n() const override
  {
    return inverse.size();
  }

  void solve(double *X, const unsigned int n_columns) override
  {
    const unsigned int size = inverse.size();
    for (unsigned int k = 0; k < n_columns; ++k, X += size)
    {
      for (unsigned int i = 0; i < size; ++i)
        scaled[i] = inverse[i] * X[i];
      for (unsigned int i = 0; i < size; ++i)
      {
        double sum = 0.;
        for (int j = A.column_start[i]; j < A.column_start[i + 1]; ++j)
          sum += A.value[j] * scaled[A.row[j]];
        X[i] = scaled[i] - inverse[i] * sum;
      }
    }
  }

  std::size_t memory_consumption() const override
  {
    return 2 * inverse.size() * sizeof(double) + A.memory_consumption();
  }

  const char *name() const override
  {
    return "two terms of the lumped mass";
  }

private:
  const std::vector<double> inverse;
  const SymmetricMatrix A;
  std::vector<double> scaled;
};
} // namespace

std::unique_ptr<SymmetricFactor>
make_diagonal_inverse(std::vector<double> inverse)
{
  return std::make_unique<DiagonalInverse>(std::move(inverse));
}

std::unique_ptr<SymmetricFactor>
make_two_term_inverse(std::vector<double> inverse, SymmetricMatrix A)
{
  return std::make_unique<TwoTermInverse>(std::move(inverse), std::move(A));
}
} // namespace delassus

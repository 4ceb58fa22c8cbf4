#include <delassus/base/exceptions.h>
#include <delassus/contact/laws/change_of_variables.h>

namespace delassus
{
namespace
{
template <int dim>
using BlockMatrix = std::array<double, 4 * dim * dim>;

/// [UU UR; RU RR], row-major.
template <int dim>
BlockMatrix<dim> join(const LocalMatrix<dim> &UU,
                      const LocalMatrix<dim> &UR,
                      const LocalMatrix<dim> &RU,
                      const LocalMatrix<dim> &RR)
{
  BlockMatrix<dim> block;
  for (int i = 0; i < dim; ++i)
    for (int j = 0; j < dim; ++j)
    {
      block[i * 2 * dim + j]               = UU[i * dim + j];
      block[i * 2 * dim + dim + j]         = UR[i * dim + j];
      block[(dim + i) * 2 * dim + j]       = RU[i * dim + j];
      block[(dim + i) * 2 * dim + dim + j] = RR[i * dim + j];
    }
  return block;
}

template <int dim>
void split(const BlockMatrix<dim> &block,
           LocalMatrix<dim> &UU,
           LocalMatrix<dim> &UR,
           LocalMatrix<dim> &RU,
           LocalMatrix<dim> &RR)
{
  for (int i = 0; i < dim; ++i)
    for (int j = 0; j < dim; ++j)
    {
      UU[i * dim + j] = block[i * 2 * dim + j];
      UR[i * dim + j] = block[i * 2 * dim + dim + j];
      RU[i * dim + j] = block[(dim + i) * 2 * dim + j];
      RR[i * dim + j] = block[(dim + i) * 2 * dim + dim + j];
    }
}

template <int dim>
BlockMatrix<dim> inverse_of(const BlockMatrix<dim> &block)
{
  BlockMatrix<dim> inverse;
  if (!is_finite(block) || !invert_small<2 * dim>(block, inverse))
    throw ComputationError("Contact law: its change of variables is singular "
                           "or not finite.");
  return inverse;
}
} // namespace


template <int dim>
AffineLaw<dim>::AffineLaw(const LocalMatrix<dim> &J_UU_in,
                          const LocalMatrix<dim> &J_UR_in,
                          const LocalMatrix<dim> &J_RU_in,
                          const LocalMatrix<dim> &J_RR_in,
                          const LocalVector<dim> &U0_in,
                          const LocalVector<dim> &P0_in)
    : J_UU(J_UU_in)
    , J_UR(J_UR_in)
    , J_RU(J_RU_in)
    , J_RR(J_RR_in)
    , U0(U0_in)
    , P0(P0_in)
{
  split<dim>(inverse_of<dim>(join<dim>(J_UU, J_UR, J_RU, J_RR)),
             I_UU,
             I_UR,
             I_RU,
             I_RR);
}


template <int dim>
AffineLaw<dim> AffineLaw<dim>::from_inverse(const LocalMatrix<dim> &I_UU,
                                            const LocalMatrix<dim> &I_UR,
                                            const LocalMatrix<dim> &I_RU,
                                            const LocalMatrix<dim> &I_RR,
                                            const LocalVector<dim> &calU0,
                                            const LocalVector<dim> &calP0)
{
  LocalMatrix<dim> UU, UR, RU, RR;
  split<dim>(
      inverse_of<dim>(join<dim>(I_UU, I_UR, I_RU, I_RR)), UU, UR, RU, RR);
  const LocalVector<dim> U0 =
      scale(-1., add(multiply<dim>(UU, calU0), multiply<dim>(UR, calP0)));
  const LocalVector<dim> P0 =
      scale(-1., add(multiply<dim>(RU, calU0), multiply<dim>(RR, calP0)));
  return AffineLaw(UU, UR, RU, RR, U0, P0);
}


template <int dim>
StandardForm<dim>::StandardForm(const ChangeOfVariables<dim> &law,
                                const LocalMatrix<dim> &W)
{
  if (law.is_shift())
  {
    C        = identity_matrix<dim>();
    calW     = W;
    constant = law.shift;
    return;
  }
  const AffineLaw<dim> &J  = *law.affine;
  const LocalMatrix<dim> B = subtract(J.J_UU, matrix_product<dim>(W, J.J_RU));
  if (!is_finite(B) || !invert_small<dim>(B, C))
    throw ComputationError("Contact law: J_UU - W J_RU is singular or not "
                           "finite; the law is not solvable with this W "
                           "(a softening joint needs a smaller time step).");
  calW =
      matrix_product<dim>(C, subtract(matrix_product<dim>(W, J.J_RR), J.J_UR));
  constant = multiply<dim>(C, subtract(multiply<dim>(W, J.P0), J.U0));
}

template struct AffineLaw<2>;
template struct AffineLaw<3>;
template struct ChangeOfVariables<2>;
template struct ChangeOfVariables<3>;
template struct StandardForm<2>;
template struct StandardForm<3>;
} // namespace delassus

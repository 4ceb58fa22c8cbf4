#ifndef delassus_contact_global_solvers_standard_problem_h
#define delassus_contact_global_solvers_standard_problem_h

#include <delassus/contact/delassus/applied_delassus.h>
#include <delassus/contact/delassus/block_sparse_delassus.h>
#include <delassus/contact/global_solvers/rank_coupling.h>
#include <delassus/contact/problem/contact_problem.h>
#include <delassus/linear_solvers/general_factor.h>
#include <delassus/linear_solvers/symmetric_factor.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace delassus
{
/// What a method needs of W.
enum class StandardUse
{
  rows,     ///< its blocks, row by row
  products, ///< products with it
  bodies    ///< GlobalForm: the matrix of the bodies and H
};

/// A contact problem with affine laws as one whose laws are shifts, for the
/// methods that work on all contacts at once. Solved for calU and with
///
///   L = J_UU^{-1},  C = -L J_UR,  D = -J_RU L,  S = J_RR + J_RU C,
///
/// a law says
///
///   calU = L (U - U0) + C calP,   P = S calP - D U + p0,   p0 = P0 + D U0:
///
/// D are springs beside the contact (cohesion that weakens with the opening), C
/// is a compliance in series with it (joints), block diagonal both. Then
///
///   calU = calW calP + calq,   calW = L W' S + C,   calq = L (U' - U0),
///   W' = (1 + W D)^{-1} W,     U' = U_free + W' (p0 - D U_free).
///
/// Without springs W' = W and all is done block by block. With springs every
/// contact that is coupled with one is coupled with all others that are, and W'
/// is formed only where a method asks for rows; for products the factors of
/// 1 + W D, as sparse as W, are enough, or, where W itself is only applied,
/// conjugate gradients. By way of the bodies
///
///   W' = H^T (A + H D H^T)^{-1} H,
///
/// a matrix that is about as sparse as A, with A and H as they are but for
/// D; a compliance adds degrees of freedom of its own, C = sum c_k x_k x_k^T as
/// masses 1/c_k that the contact pushes in the direction x_k. For this form a
/// law must be symmetric: D and C are, and L = S^T (all laws that come from an
/// energy).
///
/// Contacts that are not active and those whose law is a shift stay as they
/// are.
template <int dim>
class StandardProblem
{
public:
  StandardProblem() = default;

  // problem() points into this object.
  StandardProblem(const StandardProblem &)            = delete;
  StandardProblem &operator=(const StandardProblem &) = delete;

  /// Whether any active contact has an affine law.
  static bool needed(const ContactProblem<dim> &problem);

  /// Whether any of them softens: D or C has a negative eigenvalue, so that
  /// calW may not be positive definite although W is.
  static bool softens(const ContactProblem<dim> &problem);

  /// Values of the rows of calW, at most: beyond what fits, rows are not to be
  /// asked for.
  static double n_values_of_rows(const ContactProblem<dim> &problem);

  /// Throws ComputationError, naming the contact, where a law cannot be solved
  /// for calU or is not symmetric (bodies), where W is shared by ranks
  /// otherwise than by products, or calW does not fit into memory. The original
  /// must live as long as this does.
  ///
  /// False: laws soften so much that calW is not positive definite; diagnosis()
  /// says so and there is no problem().
  bool reinit(const ContactProblem<dim> &original,
              StandardUse use,
              RankCoupling<dim> *coupling = nullptr);

  const std::string &diagnosis() const
  {
    return why;
  }

  const ContactProblem<dim> &problem() const
  {
    return standard;
  }

  /// g of the errors.
  void set_impulse_scale(const double g)
  {
    standard.impulse_scale = g;
  }

  /// calW, where rows were asked for.
  const BlockSparseDelassus<dim> &rows() const
  {
    return formed;
  }

  /// Contacts with affine laws that no impulse can move: their P is zero.
  std::size_t n_left_open() const
  {
    return n_immovable;
  }

  /// calP of impulses P. One product with W.
  void to_standard(const std::vector<double> &P, std::vector<double> &calP);

  /// The velocities that come with starting impulses (U_guess), likewise.
  void set_guess(const std::vector<double> &P);

  /// P of calP and the calU that belongs to it.
  void from_standard(const std::vector<double> &calP,
                     const std::vector<double> &calU,
                     std::vector<double> &P) const;

private:
  /// One contact's law, see above.
  struct Change
  {
    LocalMatrix<dim> L{}, C{}, D{}, S{};
    LocalVector<dim> U0{}, p0{};
    bool affine = false, spring = false;
  };

  static Change change_of(const ContactProblem<dim> &problem, std::size_t a);

  void read_laws();
  void copy_rows();
  void form_rows();
  void factorize_springs();
  void make_products();
  void make_applied();
  void make_bodies();
  void add_springs(const CompressedColumns &H, CompressedColumns &A) const;
  void add_compliances(const CompressedColumns &H);
  void set_free_velocity();
  void check_definite();
  LocalMatrix<dim> diagonal_estimate(std::size_t a) const;

  /// y := W' x, by whatever there is.
  void apply_W_prime(const double *x, double *y);
  void conjugate_gradients(const double *x, double *y);

  const ContactProblem<dim> *original = nullptr;
  RankCoupling<dim> *coupling         = nullptr;
  StandardUse use                     = StandardUse::rows;
  std::string why;
  std::vector<Change> changes;
  bool has_springs        = false;
  std::size_t n_immovable = 0;

  // W, then calW, by block rows.
  std::vector<std::size_t> row_start;
  std::vector<unsigned int> column;
  std::vector<double> blocks;

  GeneralFactor one_plus_WD;
  BlockSparseDelassus<dim> formed;
  std::unique_ptr<AppliedDelassus<dim>> applied;
  GlobalForm form;
  std::unique_ptr<SymmetricFactor> factor; ///< of A + H D H^T
  std::size_t n_bodies = 0;                ///< unknowns of the bodies alone
  std::vector<double> added_compliance;    ///< of the unknowns after them
  std::vector<LocalMatrix<dim>> root;      ///< G of D = G G^T
  ContactProblem<dim> standard;
  std::vector<double> work, work_2, work_3, work_4;
};

/// The non-zero blocks of any operator, row by row; from its columns, unless it
/// is stored so.
template <int dim>
void block_rows(const DelassusOperator<dim> &W,
                std::vector<std::size_t> &start,
                std::vector<unsigned int> &column,
                std::vector<double> &blocks);
} // namespace delassus

#endif

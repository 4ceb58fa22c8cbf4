#ifndef delassus_contact_global_solvers_gauss_seidel_h
#define delassus_contact_global_solvers_gauss_seidel_h

#include <delassus/contact/delassus/aligned_vector.h>
#include <delassus/contact/global_solvers/anderson.h>
#include <delassus/contact/global_solvers/contact_order.h>
#include <delassus/contact/global_solvers/contact_solver.h>
#include <delassus/contact/local_solvers/local_solver.h>
#include <delassus/contact/local_solvers/prepared_contact.h>
#include <delassus/contact/problem/contact_error.h>
#include <delassus/contact/problem/contact_problem.h>
#include <delassus/parameters/parameters.h>

#include <chrono>
#include <cstddef>
#include <vector>

namespace delassus
{
/// The Signorini-Coulomb loop: nonlinear block Gauss-Seidel. Each contact is
/// solved exactly with the latest impulses of all others, sweep after sweep:
/// forwards, alternately forwards and backwards, in another random order each
/// sweep (the same on every run), or along the graph of coupled contacts and
/// back. On several ranks each rank orders its own contacts so, those coupled
/// with other ranks when it is their turn; an operator whose coupling cannot be
/// seen is swept forwards and backwards instead of along its graph.
///
/// A sweep sums the natural map of each contact at the moment it is visited,
/// which costs nothing extra; when that estimate passes the tolerance (and now
/// and then before) the true error is recomputed, and only that decides.
///
/// Sweeps can be accelerated (ContactSolverParameters::acceleration, the number
/// of iterates remembered). Contacts are then not left out as settled, and a
/// random order is drawn once for all sweeps of a solve, so that the map stays
/// the same.
///
/// A solve that ends without convergence, by the number of sweeps or by the
/// time limit, returns the best iterate of those whose true error is known:
/// the start, the last one, and those between at which it was recomputed.
///
/// Contacts that were found open several times in a row, or whose natural map
/// and change of impulse were small against their share of the tolerance, are
/// visited less often (none with the criteria that measure in the user's
/// units, except open ones). Before convergence is said all that were settled
/// are visited again, and the true error sees all contacts always.
///
/// Keeps its work arrays from one solve to the next; no sweep allocates.
template <int dim>
class GaussSeidel : public ContactSolver<dim>
{
public:
  /// Throws InputError for values out of range.
  explicit GaussSeidel(const ContactSolverParameters &parameters);

  /// @p P: in, the impulses to start from (empty, or ignored without warm
  /// start: zero); out, the solution. @p U: out, W P + U_free. Throws
  /// ComputationError, naming the contact, for non-finite data or iterates and
  /// for a W^{aa} that is not positive definite. The result lives until the
  /// next call.
  ///
  /// With a @p coupling all ranks solve one problem together, each its own
  /// contacts: errors and counts of the result are those of all ranks, and
  /// all ranks throw if one does.
  const ContactResult &solve(const ContactProblem<dim> &problem,
                             std::vector<double> &P,
                             std::vector<double> &U,
                             RankCoupling<dim> *coupling = nullptr) override;

  const char *name() const override
  {
    return "Gauss-Seidel";
  }

  void set_time_limit(const double seconds) override
  {
    parameters.time_limit = seconds;
  }

  void set_tolerance(const double tolerance) override
  {
    parameters.tolerance = tolerance;
  }

  /// For methods that use sweeps in between.
  void set_max_sweeps(const unsigned int n_sweeps)
  {
    parameters.max_sweeps = n_sweeps;
  }

protected:
  /// A contact whose law is more than a shift, or ill posed in 2D.
  struct SpecialContact
  {
    const ChangeOfVariables<dim> *law;
    StandardForm<dim> form;
    LocalMatrix<dim> W;
    bool ill_posed;
  };

  /// Gathered during a sweep.
  struct SweepSums
  {
    double natural_map = 0.; ///< squares
    double change      = 0.;
    double impulse     = 0.;
    double n_visits    = 0.;
    double n_settled   = 0.; ///< contacts left out that were not open
    double out_of_time = 0.; ///< on how many ranks

    void add(const SweepSums &other)
    {
      natural_map += other.natural_map;
      change += other.change;
      impulse += other.impulse;
      n_visits += other.n_visits;
      n_settled += other.n_settled;
    }
  };

  /// What sweeps note about contacts.
  struct Marks
  {
    /// Visits to leave out, and how often in a row a contact was open or
    /// settled.
    std::vector<unsigned char> pause, quiet_visits;
    std::vector<ContactStatus> status;
  };

  /// Contacts begin, begin+1, ..., or those of a list.
  struct Consecutive
  {
    static constexpr bool jumps = false;
    std::size_t begin;
    std::size_t operator[](const std::size_t k) const
    {
      return begin + k;
    }
  };
  struct Listed
  {
    static constexpr bool jumps = true;
    const unsigned int *contacts;
    std::size_t operator[](const std::size_t k) const
    {
      return contacts[k];
    }
  };

  /// Where laws soften: whether W in their variables is not positive definite;
  /// the result then says so. (On one rank, and where W is not too large; else
  /// blocks of single contacts are looked at only.)
  bool softens_too_much(const ContactProblem<dim> &problem,
                        std::vector<double> &P,
                        std::vector<double> &U);

  void prepare_scales(const ContactProblem<dim> &problem,
                      const std::vector<double> &P);
  void agree_on_scales(const ContactProblem<dim> &problem);
  void prepare(const ContactProblem<dim> &problem,
               const std::vector<double> &P);
  void prepare_order(const ContactProblem<dim> &problem);

  /// Whether contacts are visited by increasing or decreasing number.
  bool is_in_order() const
  {
    return parameters.order == SweepOrder::forward ||
           parameters.order == SweepOrder::symmetric;
  }

  /// Whether all sweeps go the same way.
  bool is_one_way() const
  {
    return parameters.order == SweepOrder::forward ||
           parameters.order == SweepOrder::random;
  }

  /// Another random order, if that is asked for.
  void shuffle(const unsigned int part)
  {
    if (parameters.order == SweepOrder::random &&
        (parameters.acceleration == 0 || result.sweeps == 0))
      random.shuffle(order[part]);
  }

  /// Call @p f; if it throws on one rank, all do.
  template <typename Function>
  void together(const Function &f) const;

  template <typename View>
  void iterate(const ContactProblem<dim> &problem,
               const View &W,
               std::vector<double> &P,
               std::vector<double> &U);

  /// The contacts sequence[0] ... sequence[n-1], or backwards. Blocks of W are
  /// asked for @p ahead values before they are needed; in a list, those of the
  /// contact after the next one.
  template <typename View, typename Sequence>
  SweepSums sweep(const View &W,
                  const Sequence &sequence,
                  std::size_t n,
                  bool forward,
                  std::ptrdiff_t ahead,
                  Marks &marks);

  /// All contacts of this rank alone.
  template <typename View>
  SweepSums sweep_alone(const View &W, bool forward);

  /// All contacts of all ranks; the message sent is number @p message.
  template <typename View>
  SweepSums
  sweep_with_others(const View &W, bool forward, unsigned int message);

  template <typename View>
  void receive_ghosts(const View &W, unsigned int lower, unsigned int higher);

  ContactStatus solve_special(const PreparedContact<dim> &contact,
                              LocalVector<dim> &P,
                              const LocalVector<dim> &U,
                              LocalVector<dim> &F) const;

  void note_ill_posed(const std::size_t a,
                      const LocalMatrix<dim> &W,
                      const ChangeOfVariables<dim> &law);

  /// The true errors of @p all (the impulses of all columns of W) into the
  /// result, U = W P + U_free; returns what the criterion looks at.
  double measure(const ContactProblem<dim> &problem,
                 double impulse_change,
                 const std::vector<double> &all,
                 std::vector<double> &U);

  // What a derived class does by threads: nothing here. Threads are prepared
  // after everything else and finished with the last sweep; a sweep or errors
  // return whether they were done.
  virtual void start_threads(const ContactProblem<dim> &)
  {
  }
  virtual void finish_threads()
  {
  }
  virtual bool sweep_by_threads(bool /*forward*/, SweepSums &)
  {
    return false;
  }
  virtual bool errors_by_threads(const ContactProblem<dim> &,
                                 const std::vector<double> & /*P*/,
                                 std::vector<double> & /*U*/,
                                 ErrorSums &)
  {
    return false;
  }

  // The best iterate whose true error is known. All of them start from P.
  void start_of_best(const std::vector<double> &all);
  void keep_if_best(double value, const std::vector<double> &all);
  void return_best(const ContactProblem<dim> &problem,
                   std::vector<double> &all,
                   std::vector<double> &U);

  /// The statuses that P and U themselves show.
  void find_status(const ContactProblem<dim> &problem,
                   const std::vector<double> &P,
                   const std::vector<double> &U);

  // Acceleration, see `acceleration` below.
  void start_acceleration(const ContactProblem<dim> &problem);
  void accelerate(const ContactProblem<dim> &problem);
  double norm_of_residual() const;

  /// Whether the next visit of a contact is left out.
  virtual bool is_paused(const std::size_t a) const
  {
    return marks.pause[a] != 0;
  }

  bool is_out_of_time() const
  {
    return parameters.time_limit > 0. &&
           std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         start)
                   .count() > parameters.time_limit;
  }

  [[noreturn]] void report_not_finite(const std::vector<double> &P,
                                      unsigned int sweep) const;

  virtual void visit_all_again();

  /// What counts as settled in the next sweep, given |P|.
  void find_settled_limits(double tolerance, double size);

  void copy_impulses(std::vector<double> &P) const;

  ContactSolverParameters parameters;

  double g          = 1.; ///< of the unit-free error
  double estimate_g = 1.; ///< of the estimate: g, or 1 for Siconos' measure
  double norm_q     = 0.;
  double largest    = 0.; ///< largest W_NN
  double n_all      = 0.; ///< contacts of all ranks

  /// A contact is settled where |F|^2 and |change of P|^2 are at most these.
  struct Settled
  {
    double map = -1., change = -1.;
  };
  Settled settled;

  std::chrono::steady_clock::time_point start; ///< of this solve

  RankCoupling<dim> *coupling = nullptr;
  unsigned int message        = 0;  ///< number of the last one sent
  AlignedVector<double> arrived;    ///< ghosts' impulses, padded
  std::vector<double> all_impulses; ///< own and ghosts', if there are any

  AlignedVector<PreparedContact<dim>> contacts;
  AlignedVector<double> impulses; ///< padded
  AlignedVector<double> buffer;   ///< of the operator
  std::vector<SpecialContact> special;
  bool has_affine = false;

  /// Orders other than that of the contacts' numbers: all contacts, or with a
  /// coupling its three parts one after another.
  ContactOrder<dim> graph;
  ReproducibleRandom random;
  struct InGraph
  {
    std::vector<unsigned int> contacts, position; ///< in their order; of each
  };
  InGraph in_graph;
  std::vector<unsigned int> order[3];

  Marks marks;

  /// Anderson's acceleration of the map T, one sweep or, where sweeps go
  /// forwards and backwards, two. An iterate with a residual |T(x) - x| larger
  /// than the smallest so far is taken back: the iteration goes on, without
  /// acceleration first, from the image of that one.
  struct Acceleration
  {
    Anderson anderson;
    std::vector<double> x, Tx; ///< where the map began, and its image
    double least  = 0.;        ///< residual of the last iterate kept
    bool is_plain = true;      ///< x is not the result of an acceleration
  };
  Acceleration acceleration;

  /// The best iterate whose true error is known, and the first one.
  struct Kept
  {
    std::vector<double> first, P; ///< impulses of all columns
    std::vector<double> first_U;
    double value = 0., change = 0.;
    bool is_last = true; ///< the last iterate is the best
  };
  Kept kept;

  ContactResult result;
};
} // namespace delassus

#endif

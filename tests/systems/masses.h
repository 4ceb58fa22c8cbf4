#ifndef delassus_tests_systems_masses_h
#define delassus_tests_systems_masses_h

#include <delassus/systems/system.h>

#include <deal.II/lac/lapack_full_matrix.h>

#include <cmath>

namespace test
{
using namespace delassus;

/// Two masses in the plane, one beside the other, on a spring between them that
/// may harden, f = k e + c e^3 with the extension e in x; implicit Euler. The
/// smallest system there is: its skin is one face from mass to mass.
class TwoMasses : public System<2>, public Skin<2>, private CarrierInverse<2>
{
public:
  TwoMasses(const std::string &name,
            const dealii::Point<2> &place,
            const bool lumped = false)
      : CarrierInverse<2>(
            std::make_shared<MemoryBudget>(LinearSolverParameters(),
                                           MPI_COMM_SELF))
      , name_(name)
      , lumped(lumped)
  {
    reference[0] = place;
    reference[1] = place + dealii::Point<2>(1., 0.);
    face.nodes.fill(0);
    face.nodes[1] = 1;
    face.n_nodes = face.n_corners = 2;
    face.piece = face.cell = face.face = 0;
    face.cell_measure                  = 1.;
    faces                              = { face };
    classes.class_of_piece = classes.representative = { 0 };
  }

  double mass = 2., k = 30., c = 0., gravity = -10.;
  std::array<double, 4> q{}, v{}, q_new{}, v_new{}, v_free{}, r{}, used{};
  unsigned int n_inverses = 0;

  // Skin
  const Skin<2> &skin() const override
  {
    return *this;
  }
  const std::string &name() const override
  {
    return name_;
  }
  const std::vector<SkinFace> &skin_faces() const override
  {
    return faces;
  }
  const std::vector<unsigned int> &surface(const std::string &,
                                           const std::string &) const override
  {
    return all;
  }
  std::vector<std::string> surface_names() const override
  {
    return {};
  }
  Carrier carrier(const unsigned int n) const override
  {
    return { reference[n], 0, 0, false };
  }
  std::vector<CarrierWeight> masters(const unsigned int n) const override
  {
    return { { n, 1. } };
  }
  unsigned int number_in_piece(const unsigned int n) const override
  {
    return n;
  }
  unsigned int n_pieces() const override
  {
    return 1;
  }
  unsigned int piece_owner(const unsigned int) const override
  {
    return 0;
  }
  bool is_split() const override
  {
    return false;
  }
  dealii::Point<2> piece_centre(const unsigned int) const override
  {
    return reference[0];
  }

  // w
  unsigned int n_carriers(const unsigned int) const override
  {
    return 2;
  }
  std::vector<double>
  compliance(const unsigned int,
             const std::vector<unsigned int> &carriers) override
  {
    const unsigned int n = 2 * carriers.size();
    std::vector<double> C(n * n);
    entries(0, carriers, carriers, C.data());
    return C;
  }
  void entries(const unsigned int,
               const std::vector<unsigned int> &rows,
               const std::vector<unsigned int> &columns,
               double *E) override
  {
    for (unsigned int j = 0; j < 2 * columns.size(); ++j)
      for (unsigned int i = 0; i < 2 * rows.size(); ++i)
        E[i + j * 2 * rows.size()] =
            w[2 * rows[i / 2] + i % 2][2 * columns[j / 2] + j % 2];
  }
  double effective_diagonal(const unsigned int,
                            const std::vector<unsigned int> &) const override
  {
    return mass;
  }
  bool is_diagonal() const override
  {
    return lumped;
  }
  double least_available() const override
  {
    return budget->available();
  }
  CarrierInverse<2> &inverse() override
  {
    return *this;
  }
  const PieceClasses &piece_classes() const override
  {
    return classes;
  }
  std::size_t factor_memory() const override
  {
    return sizeof(w);
  }
  std::string describe_solver() const override
  {
    return "two masses";
  }
  std::size_t n_unknowns() const override
  {
    return 4;
  }
  bool is_sparse() const override
  {
    return true;
  }
  void for_each_entry(
      const std::function<void(std::size_t, std::size_t, double)> &add)
      const override
  {
    for (unsigned int i = 0; i < 4; ++i)
      for (unsigned int j = 0; j < 4; ++j)
        if (A[i][j] != 0.)
          add(i, j, A[i][j]);
  }
  void for_each_unknown(
      const unsigned int carrier,
      const unsigned int component,
      const std::function<void(std::size_t, double)> &add) const override
  {
    add(2 * carrier + component, 1.);
  }
  void for_each_velocity(const std::function<void(std::size_t, double, double)>
                             &add) const override
  {
    for (unsigned int i = 0; i < 4; ++i)
      add(i, v_free[i], v_new[i]);
  }

  // Carriers
  void carrier_values(const CarrierField field,
                      const std::vector<unsigned int> &carriers,
                      double *values) const override
  {
    for (const unsigned int carrier : carriers)
      for (unsigned int d = 0; d < 2; ++d)
      {
        const unsigned int i = 2 * carrier + d;
        *values++            = field == CarrierField::displacement    ? q[i]
                               : field == CarrierField::velocity      ? v[i]
                               : field == CarrierField::free_velocity ? v_free[i]
                               : field == CarrierField::new_velocity  ? v_new[i]
                               : field == CarrierField::inverse       ? w[i][i]
                                                                      : 0.;
      }
  }
  void set_contact_impulse(const std::vector<unsigned int> &carriers,
                           const double *impulses) override
  {
    r.fill(0.);
    for (std::size_t i = 0; i < carriers.size(); ++i)
      for (unsigned int d = 0; d < 2; ++d)
        r[2 * carriers[i] + d] = impulses[2 * i + d];
  }
  void respond(const std::vector<unsigned int> &, const double *) override
  {
  }
  void shift_free_velocity(const std::vector<unsigned int> &,
                           const double *) override
  {
  }
  bool is_prescribed(const unsigned int, const unsigned int) const override
  {
    return false;
  }

  // The step
  bool is_linear() const override
  {
    return c == 0. && !lumped;
  }
  bool has_finite_motion() const override
  {
    return false;
  }
  void set_step(const double new_h) override
  {
    h = new_h;
    if (is_linear())
      make_inverse(k);
  }
  double step_size() const override
  {
    return h;
  }
  void start(const double) override
  {
  }
  void begin_step(const double, const bool) override
  {
    v_new = v;
    r.fill(0.);
    if (is_linear())
    {
      find_residual();
      advance();
    }
  }
  bool evaluate(const unsigned int, const bool, const bool) override
  {
    find_residual();
    return true;
  }
  bool update_inverse(const double, const bool) override
  {
    if (is_linear())
      return false;
    const double e = extension(v_new);
    make_inverse(k + 3. * c * e * e);
    return true;
  }
  void free_velocity() override
  {
    if (!is_linear())
      advance();
  }
  bool correct() override
  {
    used = r;
    for (unsigned int i = 0; i < 4; ++i)
    {
      v_new[i] = v_free[i];
      for (unsigned int j = 0; j < 4; ++j)
        v_new[i] += w[i][j] * r[j];
      q_new[i] = q[i] + h * v_new[i];
    }
    return true;
  }
  void halve_correction() override
  {
  }
  ImpulseNorms norms() const override
  {
    ImpulseNorms norms;
    for (unsigned int i = 0; i < 4; ++i)
    {
      norms.residual +=
          std::pow(is_linear() ? r[i] - used[i] : residual[i] + r[i], 2);
      norms.inertia += std::pow(mass * (v_new[i] - v[i]), 2);
      norms.contact += r[i] * r[i];
      norms.external += i % 2 == 1 ? std::pow(h * mass * gravity, 2) : 0.;
    }
    return norms;
  }
  EnergyTerms accept() override
  {
    EnergyTerms terms;
    q             = q_new;
    v             = v_new;
    terms.kinetic = kinetic_energy();
    return terms;
  }
  double kinetic_energy() const override
  {
    double energy = 0.;
    for (const double value : v)
      energy += 0.5 * mass * value * value;
    return energy;
  }
  double zero_velocity() override
  {
    const double taken = kinetic_energy();
    v.fill(0.);
    return taken;
  }
  bool is_free(const unsigned int) const override
  {
    return true;
  }
  double piece_stiffness(const unsigned int) const override
  {
    return k;
  }
  bool update_rigid_share() override
  {
    return false;
  }
  void keep_sparse() override
  {
  }
  void add_loads_of_pieces(double *,
                           std::vector<RigidMotions<2>> &) const override
  {
  }
  void save_state(Archive &) const override
  {
  }
  std::unique_ptr<SavedState> read_state(Archive &) const override
  {
    return std::make_unique<SavedState>();
  }
  bool is_same(const SavedState &) const override
  {
    return true;
  }
  void load_state(const SavedState &) override
  {
  }
  std::string
  load_matching(const std::vector<std::unique_ptr<SavedState>> &) override
  {
    return "";
  }

  double extension(const std::array<double, 4> &velocity) const
  {
    return q[2] - q[0] + h * (velocity[2] - velocity[0]);
  }

  std::array<std::array<double, 4>, 4> w{}, A{};

private:
  void make_inverse(const double stiffness)
  {
    // In x: (m + h^2 k)(1, -1; -1, 1) as two by two, in y: m.
    const double s = lumped ? 0. : h * h * stiffness;
    for (auto *matrix : { &w, &A })
      for (auto &row : *matrix)
        row.fill(0.);
    for (unsigned int i = 0; i < 4; ++i)
    {
      A[i][i] = mass;
      w[i][i] = 1. / mass;
    }
    const double determinant = mass * (mass + 2. * s);
    for (const unsigned int i : { 0, 2 })
    {
      A[i][i]     = mass + s;
      A[i][2 - i] = -s;
      w[i][i]     = (mass + s) / determinant;
      w[i][2 - i] = s / determinant;
    }
    ++n_inverses;
    ++version;
  }

  void find_residual()
  {
    // -M (v_k - v) + h F(q_k)
    const double e     = extension(v_new);
    const double force = k * e + c * e * e * e;
    for (unsigned int i = 0; i < 4; ++i)
      residual[i] = -mass * (v_new[i] - v[i]) + h * (i == 0   ? force
                                                     : i == 2 ? -force
                                                              : mass * gravity);
  }

  void advance()
  {
    for (unsigned int i = 0; i < 4; ++i)
    {
      v_free[i] = v_new[i];
      for (unsigned int j = 0; j < 4; ++j)
        v_free[i] += w[i][j] * residual[j];
    }
  }

  const std::string name_;
  const bool lumped;
  std::array<dealii::Point<2>, 2> reference;
  SkinFace face;
  std::vector<SkinFace> faces;
  std::vector<unsigned int> all = { 0 };
  PieceClasses classes;
  std::array<double, 4> residual{};
  double h = 0.;
};
} // namespace test

#endif

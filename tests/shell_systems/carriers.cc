// What contact sees of sheets: faces, w of carriers, impulses through the
// thickness; and checkpoints.
#include "sheets.h"

#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/vector.h>

using namespace sheets;

namespace
{
constexpr double thickness = 0.2, h = 0.02;

Options options(const bool follow = false)
{
  Options o;
  o.thickness        = thickness;
  o.follow_thickness = follow;
  return o;
}

/// The folded sheet held at one edge and pulled, in the middle of a step.
std::unique_ptr<ShellSystem> held_sheet(const SheetLaw &law,
                                        const bool follow = false)
{
  auto model = model_of(folded_mesh(), law, options(follow));
  fix_where(
      *model, [](const Vector3 &x) { return x[1] < 1e-9; }, clamped);
  model->fix(8, ShellComponent::x);
  model->set_up();
  ShellPieceSettings settings;
  settings.gravity = { { 1., 2., -3. } };
  settings.loads.push_back({ 17,
                             [](const double) {
                               return Vector3{ { 2., 1., -6. } };
                             },
                             {} });
  auto system = system_of(std::move(model), settings);
  system->set_step(h);
  return system;
}

/// The inverse of for_each_entry().
dealii::FullMatrix<double> dense_inverse(const ShellSystem &system)
{
  const unsigned int n = system.n_unknowns();
  dealii::FullMatrix<double> w(n, n);
  system.for_each_entry(
      [&](const std::size_t i, const std::size_t j, const double value)
      { w(i, j) += value; });
  w.gauss_jordan();
  return w;
}

/// Components of carriers by unknowns.
dealii::FullMatrix<double> weights(const ShellSystem &system,
                                   const std::vector<unsigned int> &carriers)
{
  dealii::FullMatrix<double> B(3 * carriers.size(), system.n_unknowns());
  for (std::size_t i = 0; i < carriers.size(); ++i)
    for (unsigned int c = 0; c < 3; ++c)
      system.for_each_unknown(carriers[i],
                              c,
                              [&](const std::size_t u, const double weight)
                              { B(3 * i + c, u) += weight; });
  return B;
}

/// The middle of a Newton loop.
void go_to_second_iterate(ShellSystem &system, const bool iterate)
{
  system.begin_step(0., false);
  ASSERT_TRUE(system.evaluate(0, true, false));
  system.update_inverse(0., false);
  system.free_velocity();
  ASSERT_TRUE(system.correct());
  ASSERT_TRUE(system.evaluate(1, true, false));
  system.set_contact_configuration(iterate);
  ASSERT_TRUE(system.update_inverse(0., false));
  system.free_velocity();
}

/// A point of a face: bilinear weights at its corners, on what these depend on.
std::map<unsigned int, double> point_of_face(const ShellSystem &system,
                                             const unsigned int face,
                                             const double r,
                                             const double s)
{
  const auto &f = system.skin().skin_faces()[face];
  std::map<unsigned int, double> result;
  const double at[4] = { 0.25 * (1. - r) * (1. - s),
                         0.25 * (1. + r) * (1. - s),
                         0.25 * (1. + r) * (1. + s),
                         0.25 * (1. - r) * (1. + s) };
  for (unsigned int v = 0; v < 4; ++v)
    for (const auto &master : system.skin().masters(f.nodes[v]))
      result[master.carrier] += at[v] * master.weight;
  return result;
}
} // namespace

// Faces lie half a thickness off the nodes, outside of each other, and go round
// their own outward normals.
TEST(Skin, FacesAreHalfAThicknessOff)
{
  const ElasticSheet law(1e4, 0.3);
  const auto system = held_sheet(law);
  const auto &skin  = system->skin();
  const auto &model = system->piece(0).model();
  const auto outer  = skin.surface("outer", "test"),
             inner  = skin.surface("inner", "test");
  ASSERT_EQ(outer.size(), model.n_quads());
  ASSERT_EQ(inner.size(), model.n_quads());
  EXPECT_EQ(skin.surface("*", "test").size(), 2 * model.n_quads());
  EXPECT_THROW(skin.surface("upper", "test"), InputError);
  for (unsigned int q = 0; q < model.n_quads(); ++q)
    for (unsigned int s = 0; s < 2; ++s)
    {
      const auto &face = skin.skin_faces()[s == 0 ? outer[q] : inner[q]];
      std::array<Vector3, 4> x;
      for (unsigned int i = 0; i < 4; ++i)
      {
        const auto vertex = skin.carrier(face.nodes[i]);
        EXPECT_TRUE(vertex.depends);
        for (unsigned int c = 0; c < 3; ++c)
          x[i][c] = vertex.reference[c];
        const unsigned int corner = s == 0 ? i : 3 - i;
        const Vector3 d =
            model.reference_directors()
                .director[model.reference_directors().corner[q][corner]];
        const Vector3 off =
            x[i] - model.reference().nodes[model.reference().quads[q][corner]];
        EXPECT_LT(norm(off - (s == 0 ? 0.5 : -0.5) * thickness * d), 1e-14);
        // In its piece it is counted as one that contact acts on.
        EXPECT_LT(skin.number_in_piece(face.nodes[i]),
                  system->piece(0).n_carriers());
      }
      const Vector3 normal = cross(x[2] - x[0], x[3] - x[1]);
      EXPECT_GT((s == 0 ? 1. : -1.) *
                    dot(normal, model.geometry(q).point[0].normal),
                0.);
      EXPECT_NEAR(
          face.cell_measure, 0.5 * thickness * model.geometry(q).area, 1e-12);
    }
}

// W of carriers is H* w H, with w the inverse of the matrix that solvers
// without W are given; in either configuration, at a fold as well.
TEST(Carriers, ComplianceIsThatOfTheMatrix)
{
  const ElasticSheet law(1e4, 0.3, 10.);
  for (const bool iterate : { false, true })
  {
    auto system = held_sheet(law);
    go_to_second_iterate(*system, iterate);
    std::vector<unsigned int> all;
    for (unsigned int n = 0; n < system->piece(0).n_carriers(); ++n)
      all.push_back(n);
    const auto B = weights(*system, all);
    const auto w = dense_inverse(*system);
    dealii::FullMatrix<double> Bw(B.m(), w.n()), W(B.m(), B.m());
    B.mmult(Bw, w);
    Bw.mTmult(W, B);
    const auto C   = system->inverse().compliance(0, all);
    double largest = 0., error = 0.;
    for (unsigned int i = 0; i < W.m(); ++i)
      for (unsigned int j = 0; j < W.n(); ++j)
      {
        largest = std::max(largest, std::abs(W(i, j)));
        error   = std::max(error, std::abs(W(i, j) - C[i * W.n() + j]));
      }
    EXPECT_LT(error, 1e-9 * largest);
    // Some rows and columns alone.
    const std::vector<unsigned int> rows    = { 7, all.back() },
                                    columns = { 12, 3, all.back() - 2 };
    std::vector<double> E(9 * rows.size() * columns.size());
    system->inverse().entries(0, rows, columns, E.data());
    for (unsigned int i = 0; i < 3 * rows.size(); ++i)
      for (unsigned int j = 0; j < 3 * columns.size(); ++j)
        EXPECT_NEAR(E[i + j * 3 * rows.size()],
                    W(3 * rows[i / 3] + i % 3, 3 * columns[j / 3] + j % 3),
                    1e-9 * largest);
    // Diagonal of the matrix at positions: masses and stiffnesses.
    EXPECT_GT(system->inverse().effective_diagonal(0, rows), 0.);
  }
}

// Prescribed components do not move, and nothing moves with them.
TEST(Carriers, PrescribedOnesHaveNoUnknowns)
{
  const ElasticSheet law(1e4, 0.3, 10.);
  const auto system = held_sheet(law);
  const auto &model = system->piece(0).model();
  for (unsigned int n = 0; n < system->piece(0).n_carriers(); ++n)
    for (unsigned int c = 0; c < 3; ++c)
    {
      const unsigned int node =
          n < model.n_nodes()
              ? n
              : model.reference_directors().node[n - model.n_nodes()];
      const bool held =
          model.reference().nodes[node][1] < 1e-9 || (n == 8 && c == 0);
      EXPECT_EQ(system->is_prescribed(n, c), held) << n << " " << c;
      bool any = false;
      system->for_each_unknown(
          n, c, [&](const std::size_t, const double) { any = true; });
      EXPECT_FALSE(held && any);
    }
}

// An impulse on a point inside an outer face: w H P as the dense inverse says,
// as response, as shift and as correction, whose iterate is the exact turn.
TEST(Carriers, ImpulseInsideAFace)
{
  const ElasticSheet law(1e4, 0.3, 10.);
  for (const char *side : { "outer", "inner" })
  {
    auto system = held_sheet(law);
    go_to_second_iterate(*system, true);
    const auto point = point_of_face(
        *system, system->skin().surface(side, "test")[7], 0.3, -0.6);
    std::vector<unsigned int> carriers;
    std::vector<double> impulses;
    const Vector3 P{ { 1e-6, -2e-6, 3e-6 } };
    for (const auto &[carrier, weight] : point)
    {
      carriers.push_back(carrier);
      for (unsigned int c = 0; c < 3; ++c)
        impulses.push_back(weight * P[c]);
    }
    const auto B = weights(*system, carriers);
    const auto w = dense_inverse(*system);
    dealii::Vector<double> HP(system->n_unknowns()), u(system->n_unknowns()),
        expected(B.m()), p(impulses.begin(), impulses.end());
    B.Tvmult(HP, p);
    w.vmult(u, HP);
    B.vmult(expected, u);

    std::vector<double> response(B.m()), before(B.m()), shifted(B.m()),
        after(B.m()), without(B.m());
    system->respond(carriers, impulses.data());
    system->carrier_values(CarrierField::response, carriers, response.data());
    system->carrier_values(
        CarrierField::free_velocity, carriers, before.data());
    // Always from the last free velocity.
    for (unsigned int n = 0; n < 2; ++n)
      system->shift_free_velocity(carriers, impulses.data());
    system->carrier_values(
        CarrierField::free_velocity, carriers, shifted.data());
    const std::vector<double> none(impulses.size(), 0.);
    system->shift_free_velocity(carriers, none.data());
    ASSERT_TRUE(system->correct());
    system->carrier_values(
        CarrierField::new_velocity, carriers, without.data());
    system->set_contact_impulse(carriers, impulses.data());
    ASSERT_TRUE(system->correct());
    system->carrier_values(CarrierField::new_velocity, carriers, after.data());
    double size = 0., speed = 0.;
    for (unsigned int i = 0; i < B.m(); ++i)
    {
      size  = std::max(size, std::abs(expected[i]));
      speed = std::max(speed, std::abs(before[i]));
    }
    for (unsigned int i = 0; i < B.m(); ++i)
    {
      EXPECT_NEAR(response[i], expected[i], 1e-9 * size);
      EXPECT_NEAR(shifted[i] - before[i], expected[i], 1e-9 * size + 1e-13);
      // Directors have turned by what the free velocity says.
      EXPECT_NEAR(after[i] - without[i],
                  expected[i],
                  (0.1 + h * speed / thickness) * size);
    }
    // Positions are vectors: exact.
    for (std::size_t i = 0; i < carriers.size(); ++i)
      for (unsigned int c = 0; c < 3 && carriers[i] < 18; ++c)
      {
        EXPECT_NEAR(after[3 * i + c] - without[3 * i + c],
                    expected[3 * i + c],
                    1e-9 * size + 1e-13);
      }
  }
}

// A free sheet at rest: momentum P, and angular momentum that of P at the face,
// half a thickness off the middle.
TEST(Carriers, ImpulseOnAFaceHasItsMoment)
{
  const ElasticSheet law(1e4, 0.3, 10.);
  for (const char *side : { "outer", "inner" })
  {
    auto model = model_of(folded_mesh(), law, options());
    model->set_up();
    auto system = system_of(std::move(model), {});
    system->set_step(h);
    system->begin_step(0., true);
    ASSERT_TRUE(system->evaluate(0, true, false));
    system->update_inverse(0., false);
    system->free_velocity();
    const auto &skin        = system->skin();
    const unsigned int face = skin.surface(side, "test")[9];
    const auto point        = point_of_face(*system, face, -0.2, 0.5);
    const Vector3 P{ { 0.3, -0.7, 1.1 } };
    std::vector<unsigned int> carriers;
    std::vector<double> impulses;
    Vector3 x{ { 0., 0., 0. } };
    for (const auto &[carrier, weight] : point)
    {
      carriers.push_back(carrier);
      const auto reference = skin.carrier(carrier).reference;
      for (unsigned int c = 0; c < 3; ++c)
      {
        impulses.push_back(weight * P[c]);
        x[c] += weight * reference[c];
      }
    }
    // w, not the iterate: directors have not turned yet.
    system->respond(carriers, impulses.data());
    const auto &of = system->piece(0).model();
    Vector3 p{ { 0., 0., 0. } }, L = p;
    for (unsigned int q = 0; q < of.n_quads(); ++q)
    {
      std::array<double, 4> m, J;
      shell_mass(of.geometry(q), of.section(q), m, J);
      for (unsigned int i = 0; i < 4; ++i)
      {
        const unsigned int node = of.reference().quads[q][i],
                           k    = of.reference_directors().corner[q][i];
        const Vector3 v = value_of(*system, CarrierField::response, node),
                      c = value_of(
                          *system, CarrierField::response, of.n_nodes() + k);
        p = p + m[i] * v;
        L = L + m[i] * cross(of.reference().nodes[node], v) +
            2. * J[i] / thickness * cross(of.state().d[k], c);
      }
    }
    EXPECT_LT(norm(p - P), 1e-9 * norm(P));
    EXPECT_LT(norm(L - cross(x, P)), 1e-9 * norm(cross(x, P)));
  }
}

// What closed contacts hold: h^2 B^T D B in the matrix, h^2 B^T D c in the free
// velocity, so that a change of velocity c is one that it does not see.
TEST(Carriers, HeldStiffness)
{
  const ElasticSheet law(1e4, 0.3, 10.);
  auto system = held_sheet(law), plain = held_sheet(law);
  for (auto *s : { system.get(), plain.get() })
    go_to_second_iterate(*s, true);
  EXPECT_TRUE(system->can_be_held());
  const auto point = point_of_face(
      *system, system->skin().surface("inner", "test")[7], 0.3, -0.6);
  dealii::Tensor<2, 3> D;
  const dealii::Tensor<1, 3> N({ 0.6, 0., 0.8 });
  D = 1e3 * outer_product(N, N);
  std::vector<unsigned int> carriers;
  std::vector<double> weight;
  for (const auto &[carrier, w] : point)
  {
    carriers.push_back(carrier);
    weight.push_back(w);
  }
  for (std::size_t i = 0; i < carriers.size(); ++i)
    for (std::size_t j = 0; j < carriers.size(); ++j)
      system->add_held_stiffness(
          carriers[i], carriers[j], weight[i] * weight[j] * D);
  system->finish_held();
  system->update_inverse(0., true);
  const unsigned int n = system->n_unknowns();
  dealii::FullMatrix<double> A(n, n), A0(n, n);
  system->for_each_entry(
      [&](const std::size_t i, const std::size_t j, const double value)
      { A(i, j) += value; });
  plain->for_each_entry(
      [&](const std::size_t i, const std::size_t j, const double value)
      { A0(i, j) += value; });
  const auto B   = weights(*system, carriers);
  double largest = 0., error = 0.;
  for (unsigned int u = 0; u < n; ++u)
    for (unsigned int w = 0; w < n; ++w)
    {
      double expected = A0(u, w);
      for (std::size_t i = 0; i < B.m(); ++i)
        for (std::size_t j = 0; j < B.m(); ++j)
          expected += h * h * B(i, u) * weight[i / 3] * D[i % 3][j % 3] *
                      weight[j / 3] * B(j, w);
      largest = std::max(largest, std::abs(expected));
      error   = std::max(error, std::abs(A(u, w) - expected));
    }
  EXPECT_LT(error, 1e-12 * largest);

  // The change that the plain one makes, foretold: the same change.
  const auto free_velocity = [n](const ShellSystem &of)
  {
    dealii::Vector<double> v(n);
    of.for_each_velocity(
        [&](const std::size_t u, const double v_free, const double)
        { v[u] = v_free; });
    return v;
  };
  const auto expected = free_velocity(*plain);
  system->free_velocity();
  const dealii::Vector<double> without = free_velocity(*system);
  // A (v_free - v_k) = A0 (expected - v_k).
  dealii::Vector<double> left(n), right(n);
  A.vmult(left, without);
  A0.vmult(right, expected);
  left -= right; // (A - A0) v_k = h^2 B^T D B v_k
  dealii::FullMatrix<double> difference = A;
  difference.add(-1., A0);
  // c = B (expected - v_k): h^2 B^T D c = (A - A0) expected - left.
  dealii::Vector<double> held(n);
  difference.vmult(held, expected);
  held -= left;
  // Along N at the point, which is all that D sees.
  dealii::Vector<double> row(n);
  for (std::size_t i = 0; i < B.m(); ++i)
    for (unsigned int u = 0; u < n; ++u)
      row[u] += weight[i / 3] * N[i % 3] * B(i, u);
  const double c = (held * row) / (h * h * 1e3 * (row * row));
  for (std::size_t i = 0; i < carriers.size(); ++i)
    system->add_held_impulse(carriers[i], weight[i] * c * (D * N));
  system->free_velocity();
  const auto found = free_velocity(*system);
  for (unsigned int u = 0; u < n; ++u)
    EXPECT_NEAR(found[u], expected[u], 1e-8 * expected.linfty_norm());
}

// Iterates of carriers: x+ = x + h v+ of positions and directors alike, so that
// a point of a face goes where its velocity says.
TEST(Carriers, VelocitiesAreSecants)
{
  const ElasticSheet law(1e4, 0.3, 10.);
  auto system = held_sheet(law);
  for (unsigned int step = 0; step < 3; ++step)
  {
    attempt(*system, step * h);
    std::vector<unsigned int> all;
    for (unsigned int n = 0; n < system->piece(0).n_carriers(); ++n)
      all.push_back(n);
    all.push_back(system->skin().skin_faces()[3].nodes[1]); // one that depends
    std::vector<double> begin(3 * all.size()), end = begin, v = begin,
                                               state = begin;
    system->carrier_values(CarrierField::displacement, all, begin.data());
    system->carrier_values(CarrierField::predicted, all, end.data());
    system->carrier_values(CarrierField::new_velocity, all, v.data());
    system->accept();
    system->carrier_values(CarrierField::displacement, all, state.data());
    for (std::size_t i = 0; i < begin.size(); ++i)
    {
      EXPECT_NEAR(begin[i] + h * v[i], end[i], 1e-13);
      EXPECT_EQ(end[i], state[i]);
    }
  }
}

// The sheet gets thinner where it is stretched: so do its faces, between steps.
TEST(Carriers, FacesFollowTheThickness)
{
  const ElasticSheet law(100., 0.3);
  auto model =
      model_of(shell_rectangle(1., 1., 2, 2), law, options(/* follow */ true));
  fix_where(*model,
            [](const Vector3 &x) { return x[0] < 1e-9 || x[0] > 1. - 1e-9; },
            { ShellComponent::x });
  model->fix(0, ShellComponent::y);
  for (unsigned int n = 0; n < 9; ++n)
    model->fix(n, ShellComponent::z);
  model->set_up();
  ShellPieceSettings settings;
  for (unsigned int j = 0; j < 3; ++j)
    settings.motions.push_back({ 2 + 3 * j,
                                 ShellComponent::x,
                                 [](const double t) { return 0.1 * t; } });
  auto system = system_of(std::move(model), settings, true);
  system->set_step(1.);
  const auto &skin = system->skin();
  const unsigned int vertex =
      skin.skin_faces()[skin.surface("outer", "test")[0]].nodes[0];
  for (unsigned int n = 0; n < 2; ++n)
  {
    attempt(*system, n, {}, 1e-10, n == 0);
    system->accept();
    const auto &of      = system->piece(0).model();
    const Vector3 place = value_of(*system, CarrierField::displacement, vertex);
    EXPECT_LT(of.thickness(0), 0.995 * thickness);
    EXPECT_NEAR(
        place[2], 0.5 * (of.thickness(0) - thickness), 1e-9 * thickness);
  }
}

namespace
{
std::string saved(const ShellSystem &system)
{
  Archive archive;
  system.save_state(archive);
  return archive.bytes();
}
} // namespace

// Bit for bit, in a system of its own, by number and by matching.
TEST(Checkpoint, GoesOnAsIfNothingHadBeen)
{
  const LogSheet law(1e4, 0.3, 50., 2e3);
  auto system = held_sheet(law, true);
  for (unsigned int n = 0; n < 4; ++n)
  {
    attempt(*system, n * h);
    system->accept();
  }
  const std::string bytes = saved(*system);
  std::vector<EnergyTerms> terms;
  for (unsigned int n = 4; n < 7; ++n)
  {
    attempt(*system, n * h);
    terms.push_back(system->accept());
    EXPECT_GT(terms.back().inelastic, 0.);
  }
  for (const bool matching : { false, true })
  {
    auto again = held_sheet(law, true);
    Archive archive(bytes, "test");
    std::vector<std::unique_ptr<SavedState>> parts;
    parts.push_back(again->read_state(archive));
    archive.expect_end();
    EXPECT_TRUE(again->is_same(*parts[0]));
    if (matching)
      EXPECT_EQ(again->load_matching(parts), "");
    else
      again->load_state(*parts[0]);
    EXPECT_EQ(saved(*again), bytes);
    for (unsigned int n = 4; n < 7; ++n)
    {
      attempt(*again, n * h);
      EXPECT_EQ(again->accept().values(), terms[n - 4].values());
    }
    EXPECT_EQ(saved(*again), saved(*system));
  }
  // Another mesh is refused.
  auto other_model = model_of(shell_rectangle(1., 1., 2, 1), law, options());
  other_model->set_up();
  auto other = system_of(std::move(other_model), {});
  Archive archive(bytes, "test");
  std::vector<std::unique_ptr<SavedState>> parts;
  parts.push_back(other->read_state(archive));
  EXPECT_FALSE(other->is_same(*parts[0]));
  EXPECT_NE(other->load_matching(parts), "");

  // So are other points through the thickness.
  const ElasticSheet elastic(1e4, 0.3);
  auto without = held_sheet(elastic, true);
  Archive same(bytes, "test");
  parts.clear();
  parts.push_back(without->read_state(same));
  EXPECT_TRUE(without->is_same(*parts[0]));
  EXPECT_THROW(without->load_state(*parts[0]), InputError);
}

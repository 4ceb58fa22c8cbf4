// What contact sees of a rigid body: carriers, their compliance, impulses; and
// reference problems with a single contact solved by hand.
#include "bodies.h"

using namespace test;

namespace
{
template <int dim>
RigidBodySettings<dim> some_body()
{
  if constexpr (dim == 2)
  {
    auto s        = free_disk(2., 0.7);
    s.orientation = Tensor<1, 1>({ 0.4 });
    return s;
  }
  else
  {
    auto s               = free_top(Tensor<1, 3>({ 1., 2., 2.7 }), 2.);
    s.mass.inertia[0][1] = s.mass.inertia[1][0] = 0.2;
    s.orientation = Tensor<1, 3>({ 0.3, -1.1, 0.7 });
    return s;
  }
}

/// Velocities of the carriers, one after the other, after a step with these
/// impulses on them.
template <int dim>
std::vector<double> carrier_response(const RigidBodySettings<dim> &s,
                                     const double h,
                                     const std::vector<double> &impulses,
                                     const unsigned int rounds = 60)
{
  RigidBody<dim> body(s);
  body.begin_step(0., h);
  typename RigidBody<dim>::Carriers r;
  for (unsigned int i = 0; i < impulses.size(); ++i)
    r[i / dim][i % dim] = impulses[i];
  for (unsigned int k = 0; k < rounds; ++k)
  {
    body.update_inverse();
    body.find_free_velocity();
    body.correct(body.generalized_impulse(r, Where<dim>::middle));
  }
  const auto v = body.carrier_velocities(body.velocity(Where<dim>::end),
                                         Where<dim>::middle);
  std::vector<double> result;
  for (const auto &c : v)
    result.insert(result.end(), c.begin_raw(), c.end_raw());
  return result;
}

template <int dim>
void expect_compliance(const RigidBodySettings<dim> &s,
                       const double h,
                       const double tolerance)
{
  constexpr unsigned int n = RigidBody<dim>::n_carrier_dofs;
  RigidBody<dim> body(s);
  body.begin_step(0., h);
  body.update_inverse();
  body.find_free_velocity();
  body.correct(typename RigidBody<dim>::Velocity());
  body.update_inverse();
  std::vector<double> C;
  body.carrier_compliance(Where<dim>::middle, C);
  ASSERT_EQ(C.size(), n * n);
  double size = 0.;
  for (const double c : C)
    size = std::max(size, std::abs(c));
  const double e = 1e-5;
  for (unsigned int j = 0; j < n; ++j)
  {
    std::vector<double> r(n, 0.);
    r[j]         = e;
    const auto a = carrier_response<dim>(s, h, r);
    r[j]         = -e;
    const auto b = carrier_response<dim>(s, h, r);
    for (unsigned int i = 0; i < n; ++i)
    {
      EXPECT_NEAR(C[i * n + j], (a[i] - b[i]) / (2. * e), tolerance * size)
          << i << ' ' << j;
      EXPECT_NEAR(C[i * n + j], C[j * n + i], 1e-15 * size);
    }
  }
}
} // namespace

TEST(Carriers, PointsMoveWithThem)
{
  auto s             = some_body<3>();
  s.reference        = s.mass.center;
  s.velocity         = Tensor<1, 3>({ 1., -2., 0.5 });
  s.angular_velocity = Tensor<1, 3>({ 0.3, 0.8, -0.2 });
  RigidBody<3> body(s);
  const double h = 1e-4;
  body.begin_step(0., h);
  body.update_inverse();
  body.find_free_velocity();
  body.correct(RigidBody<3>::Velocity());
  const Point<3> X(0.7, -0.4, 1.1);
  const auto point = [&](const Where<3> where)
  {
    const auto c = body.carriers(where);
    return c[0] + X[0] / body.length() * c[1] + X[1] / body.length() * c[2] +
           X[2] / body.length() * c[3];
  };
  for (const auto where : { Where<3>::start, Where<3>::middle, Where<3>::end })
  {
    EXPECT_LE((point(where) - body.place(X, where)).norm(), 1e-14);
    EXPECT_LE(body.rest_place(body.place(X, where), where).distance(X), 1e-14);
  }
  // Their velocities are those of the place, by differences.
  const auto v =
      body.carrier_velocities(body.velocity(Where<3>::end), Where<3>::middle);
  const auto a = body.carriers(Where<3>::start),
             b = body.carriers(Where<3>::end);
  for (unsigned int k = 0; k < 4; ++k)
    EXPECT_LE(((b[k] - a[k]) / h - v[k]).norm(), 1e-3);
}

TEST(Carriers, ComplianceIsThatOfTheMotion)
{
  for (const double theta : { 0.5, 1. })
  {
    auto s2  = some_body<2>();
    s2.theta = theta;
    expect_compliance<2>(s2, 0.01, 1e-9);
    s2.angular_velocity[0]  = 3.;
    s2.rotational_stiffness = 200.;
    s2.rotational_damping   = 3.;
    s2.stiffness            = Tensor<1, 2>({ 100., 300. });
    expect_compliance<2>(s2, 0.01, 1e-9);
    s2.free_translations[0] = false;
    expect_compliance<2>(s2, 0.01, 1e-9);

    auto s3  = some_body<3>();
    s3.theta = theta;
    expect_compliance<3>(s3, 0.01, 1e-9);
    s3.free_axes            = { Tensor<1, 3>({ 0.6, 0.8, 0. }) };
    s3.free_translations[2] = false;
    expect_compliance<3>(s3, 0.01, 1e-9);
    s3.free_axes.push_back(Tensor<1, 3>({ 0., 0., 1. }));
    expect_compliance<3>(s3, 0.01, 1e-9);
    // Of a body that turns it leaves out what is of the order h omega.
    s3                  = some_body<3>();
    s3.theta            = theta;
    s3.angular_velocity = Tensor<1, 3>({ 1., 2., 2. });
    expect_compliance<3>(s3, 1e-5, 2e-4);
  }
}

TEST(Carriers, FullTangentOfABodyThatTurns)
{
  for (const bool pivot : { false, true })
    for (const double theta : { 0.5, 1. })
    {
      auto s                 = some_body<3>();
      s.theta                = theta;
      s.angular_velocity     = Tensor<1, 3>({ 1., 2., 2. });
      s.rotational_stiffness = 5.;
      s.rotational_damping   = 0.3;
      s.gravity              = Tensor<1, 3>({ 1., 2., -10. });
      if (pivot)
      {
        s.free_translations = { { false, false, false } };
        s.reference         = Point<3>(0.2, -0.1, 0.4);
      }
      const double h = 0.1, e = 1e-5;
      const auto velocity = [&](const RigidBody<3>::Velocity &r)
      {
        RigidBody<3> body(s);
        body.begin_step(0., h);
        for (unsigned int k = 0; k < 100; ++k)
        {
          body.update_inverse();
          EXPECT_TRUE(body.find_free_velocity());
          body.correct(r);
        }
        const auto norms = body.norms();
        EXPECT_LE(norms[0], 1e-13 * norms[1]);
        return body.velocity(Where<3>::end);
      };
      RigidBody<3> body(s);
      body.begin_step(0., h);
      body.update_inverse();
      body.find_free_velocity();
      body.correct(RigidBody<3>::Velocity());
      const auto T = body.tangent_inverse();
      for (unsigned int j = 0; j < 6; ++j)
      {
        RigidBody<3>::Velocity r;
        r[j]          = e;
        const auto dv = (velocity(r) - velocity(-1. * r)) / (2. * e);
        for (unsigned int i = 0; i < 6; ++i)
          EXPECT_NEAR(dv[i], T[i][j], 1e-8) << i << ' ' << j;
      }
    }
}

TEST(Contact, RoundsConvergeToTheEquations)
{
  // A given impulse on a fast body: the residual falls by about h omega in each
  // round.
  auto s             = free_top(Tensor<1, 3>({ 1., 2., 2.7 }));
  s.angular_velocity = Tensor<1, 3>({ 6., 6., 6. });
  RigidBody<3> body(s);
  body.begin_step(0., 0.01);
  RigidBody<3>::Velocity r;
  r[0]          = 1.;
  r[3]          = 5.;
  r[5]          = -7.;
  double before = 0.;
  for (unsigned int k = 0; k < 8; ++k)
  {
    body.update_inverse();
    ASSERT_TRUE(body.find_free_velocity());
    body.correct(r);
    const auto norms = body.norms();
    if (k > 0 && before > 1e-12)
    {
      EXPECT_LE(norms[0] / norms[1], 0.3 * before) << k;
    }
    before = norms[0] / norms[1];
  }
  EXPECT_LE(before, 1e-13);
}

TEST(Contact, AngularMomentumOfTwoBodiesThatTouch)
{
  // Equal and opposite impulses at a point of the middle configuration: the
  // momentum of both about the origin stays, for any theta.
  for (const double theta : { 0.5, 0.7, 1. })
  {
    auto s             = some_body<3>();
    s.theta            = theta;
    s.velocity         = Tensor<1, 3>({ 1., -2., 0.5 });
    s.angular_velocity = Tensor<1, 3>({ 0.3, 0.8, -0.2 });
    RigidBody<3> one(s);
    s.mass.center = s.reference = Point<3>(1., 2., -1.);
    s.velocity                  = Tensor<1, 3>({ -1., 0.3, 0.2 });
    RigidBody<3> two(s);
    const auto momentum = [&](const Where<3> where)
    {
      Tensor<1, 3> L;
      for (const auto *body : { &one, &two })
      {
        Tensor<1, 3> v;
        for (unsigned int c = 0; c < 3; ++c)
          v[c] = body->velocity(where)[c];
        L += cross_product_3d(body->position(where), 2. * v) +
             body->angular_momentum(where);
      }
      return L;
    };
    const auto before = momentum(Where<3>::start);
    const Tensor<1, 3> f({ 0.7, -0.4, 1.3 });
    const Point<3> x(0.4, 0.9, -0.3);
    for (auto *body : { &one, &two })
    {
      body->begin_step(0., 0.05);
      const double sign = body == &one ? 1. : -1.;
      // By weights of the carriers.
      const Point<3> X = body->rest_place(x, Where<3>::middle);
      RigidBody<3>::Carriers r;
      r[0] = sign * f;
      for (unsigned int k = 0; k < 3; ++k)
        r[1 + k] =
            (X - body->settings.reference)[k] / body->length() * sign * f;
      for (unsigned int k = 0; k < 40; ++k)
      {
        body->update_inverse();
        body->find_free_velocity();
        body->correct(body->generalized_impulse(r, Where<3>::middle));
      }
    }
    EXPECT_LE((momentum(Where<3>::end) - before).norm(), 1e-13 * before.norm());
  }
}

namespace
{
/// W of a point that moves with the body, by the carriers' compliance; v_free
/// of it.
template <int dim>
struct PointContact
{
  PointContact(RigidBody<dim> &body, const Point<dim> &x)
      : body(body)
  {
    const auto X = body.rest_place(x, Where<dim>::middle);
    weights[0]   = 1.;
    for (unsigned int k = 0; k < dim; ++k)
      weights[1 + k] = (X - body.settings.reference)[k] / body.length();
    std::vector<double> C;
    body.carrier_compliance(Where<dim>::middle, C);
    constexpr unsigned int n = RigidBody<dim>::n_carrier_dofs;
    for (unsigned int i = 0; i < n; ++i)
      for (unsigned int j = 0; j < n; ++j)
        W[i % dim][j % dim] +=
            weights[i / dim] * weights[j / dim] * C[i * n + j];
    const auto v =
        body.carrier_velocities(body.free_velocity(), Where<dim>::middle);
    for (unsigned int k = 0; k <= dim; ++k)
      U_free += weights[k] * v[k];
  }

  void apply(const Tensor<1, dim> &P)
  {
    typename RigidBody<dim>::Carriers r;
    for (unsigned int k = 0; k <= dim; ++k)
      r[k] = weights[k] * P;
    body.correct(body.generalized_impulse(r, Where<dim>::middle));
  }

  RigidBody<dim> &body;
  std::array<double, 1 + dim> weights;
  Tensor<2, dim> W;
  Tensor<1, dim> U_free;
};

/// Slides on a plane without spin at first: Coulomb's law at the lowest point,
/// the last coordinate up. Returns time, place and speed when it begins to
/// roll.
template <int dim>
std::array<double, 3> slip_to_roll(RigidBodySettings<dim> s,
                                   const double radius,
                                   const double mu,
                                   const double v0,
                                   const double h)
{
  s.velocity[0]        = v0;
  s.gravity[dim - 1]   = -9.81;
  s.reference[dim - 1] = radius;
  s.mass.center        = s.reference;
  RigidBody<dim> body(s);
  std::array<double, 3> result = {};
  bool rolls                   = false;
  double spun                  = 0.;
  for (unsigned int i = 0; i < 100000; ++i)
  {
    const double t = i * h;
    body.begin_step(t, h);
    body.update_inverse();
    EXPECT_TRUE(body.find_free_velocity());
    auto x     = body.position(Where<dim>::middle);
    x[dim - 1] = 0.;
    PointContact<dim> contact(body, x);
    // Balls and disks: W is diagonal.
    Tensor<1, dim> P;
    const unsigned int N = dim - 1;
    P[N]                 = std::max(0., -contact.U_free[N] / contact.W[N][N]);
    const double stick   = -contact.U_free[0] / contact.W[0][0];
    const bool slips     = std::abs(stick) > mu * P[N];
    P[0]                 = slips ? std::copysign(mu * P[N], stick) : stick;
    contact.apply(P);
    const auto norms = body.norms();
    EXPECT_LE(norms[0], 1e-9 * norms[1]);
    body.accept();
    const auto &v = body.velocity(Where<dim>::start);
    if (!slips && !rolls)
    {
      rolls  = true;
      result = { { t, body.position(Where<dim>::start)[0] - h * v[0], v[0] } };
      spun   = t;
    }
    // It goes on rolling.
    if (rolls)
    {
      const double w = dim == 2 ? -v[2] : v[dim + 1];
      EXPECT_NEAR(v[0], radius * w, 1e-12 * v0);
      if (t > 2. * spun)
      {
        EXPECT_NEAR(v[0], result[2], 1e-12 * v0);
        break;
      }
    }
  }
  return result;
}
} // namespace

TEST(Contact, SlipToRollOfADisk)
{
  // t = v0/(3 mu g), v = 2/3 v0, distance 5/18 v0^2/(mu g).
  const double r = 0.3, m = 2., mu = 0.25, v0 = 3., g = 9.81;
  for (const double theta : { 0.5, 1. })
  {
    auto s         = free_disk(m, 0.5 * m * r * r);
    s.theta        = theta;
    const double h = 1e-4;
    const auto end = slip_to_roll<2>(s, r, mu, v0, h);
    EXPECT_NEAR(end[0], v0 / (3. * mu * g), 1.01 * h);
    EXPECT_NEAR(end[1], 5. / 18. * v0 * v0 / (mu * g), 2. * h * v0);
    EXPECT_NEAR(end[2], 2. / 3. * v0, 1e-12);
  }
}

TEST(Contact, SlipToRollOfASphere)
{
  // t = 2/7 v0/(mu g), v = 5/7 v0, distance 12/49 v0^2/(mu g).
  const double r = 0.3, m = 2., mu = 0.25, v0 = 3., g = 9.81;
  for (const double theta : { 0.5, 1. })
  {
    const double J = 0.4 * m * r * r;
    auto s         = free_top(Tensor<1, 3>({ J, J, J }), m);
    s.theta        = theta;
    const double h = 1e-4;
    const auto end = slip_to_roll<3>(s, r, mu, v0, h);
    EXPECT_NEAR(end[0], 2. / 7. * v0 / (mu * g), 1.01 * h);
    EXPECT_NEAR(end[1], 12. / 49. * v0 * v0 / (mu * g), 2. * h * v0);
    EXPECT_NEAR(end[2], 5. / 7. * v0, 1e-12);
  }
}

TEST(Contact, HousnersImpact)
{
  // A block 2b x 2h that turned about its left lower corner falls on the right
  // one: with an impulse there only, and no slip, omega+/omega- =
  // 1 - 3/2 sin^2 alpha.
  for (const auto &[b, height] : { std::pair<double, double>(0.25, 1.),
                                   std::pair<double, double>(0.5, 1.5) })
  {
    const double m = 3., R2 = b * b + height * height;
    auto s                = free_disk(m, m * R2 / 3.);
    s.reference           = Point<2>(b, height);
    s.mass.center         = s.reference;
    s.angular_velocity[0] = -0.5;
    // The left corner, at the origin, is at rest.
    s.velocity = turned_by<2>(Tensor<1, 1>({ -0.5 }), s.reference);
    RigidBody<2> body(s);
    body.begin_step(0., 1e-9);
    body.update_inverse();
    body.find_free_velocity();
    PointContact<2> contact(body, Point<2>(2. * b, 0.));
    contact.apply(-1. * (invert(contact.W) * contact.U_free));
    const double ratio = body.velocity(Where<2>::end)[2] / -0.5;
    const double sine2 = b * b / R2;
    EXPECT_NEAR(ratio, 1. - 1.5 * sine2, 1e-9);
    // The other corner goes up.
    const auto &v = body.velocity(Where<2>::end);
    EXPECT_GT(v[1] - v[2] * b, 0.);
  }
}

TEST(Contact, CriticalSlope)
{
  // A block on a slope with corner contacts topples where tan alpha = b/h: the
  // sum of the moments about its lower corner changes sign.
  const double b = 0.5, height = 1.5;
  for (const double slope : { 0.999, 1.001 })
  {
    const double alpha  = std::atan(slope * b / height);
    auto s              = free_disk(1., (b * b + height * height) / 3.);
    s.reference         = Point<2>(b, height);
    s.free_translations = { { false, false } };
    s.mass.center       = s.reference;
    s.reference         = Point<2>(0., 0.);
    // Gravity in axes of the slope, downhill to the left.
    s.gravity =
        Tensor<1, 2>({ -9.81 * std::sin(alpha), -9.81 * std::cos(alpha) });
    RigidBody<2> body(s);
    step(body, 0., 1e-3);
    EXPECT_EQ(body.velocity(Where<2>::start)[2] > 0., slope > 1.);
  }
}

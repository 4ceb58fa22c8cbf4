// A sheet pressed on a sphere, with the classes that find contacts and solve
// for them, and the Newton loop by hand.
#include "sheets.h"

#include <delassus/contact/delassus/dense_delassus.h>
#include <delassus/contact/detection/detector.h>
#include <delassus/contact/global_solvers/gauss_seidel.h>

using namespace sheets;
using dealii::Point;
using dealii::Tensor;

namespace
{
/// One sheet, one obstacle.
struct Scene
{
  Scene(ShellSystem &system,
        const std::string &side,
        const CandidatePoints points,
        const Obstacle<3> &obstacle)
      : system(system)
      , surfaces({ &system.skin() }, MPI_COMM_SELF)
      , obstacles({ obstacle })
  {
    Interaction interaction;
    interaction.name            = "pressed";
    interaction.search_distance = 20.;
    interaction.obstacles       = { 0 };
    const auto faces =
        surfaces.add_faces(0, system.skin().surface(side, "test"));
    const auto range =
        surfaces.add_points(faces, points, surfaces.reference, "test");
    interaction.first_point = range.first;
    interaction.end_point   = range.second;
    interactions            = { interaction };
    detector = std::make_unique<Detector<3>>(surfaces, interactions, obstacles);
    solver.tolerance  = 1e-12;
    solver.max_sweeps = 100000;
  }

  void gather(const CarrierField field, std::vector<double> &values) const
  {
    surfaces.gather([&](const unsigned int,
                        const std::vector<unsigned int> &carriers,
                        double *to)
                    { system.carrier_values(field, carriers, to); },
                    values);
  }

  double gap(const Contact<3> &contact, const std::vector<double> &x) const
  {
    return obstacles[0].gap(
        contact.face,
        contact.normal(),
        surfaces.position(surfaces.points[contact.point], x),
        0.);
  }

  /// r = H P.
  void apply_impulses()
  {
    std::vector<double> r(3 * surfaces.nodes.size(), 0.);
    for (std::size_t a = 0; a < contacts.size(); ++a)
    {
      const auto global = contacts[a].to_global(&P[3 * a]);
      for (unsigned int i = 0; i < contacts[a].n_entries; ++i)
        for (unsigned int c = 0; c < 3; ++c)
          r[3 * contacts[a].nodes[i] + c] += contacts[a].weights[i] * global[c];
    }
    surfaces.scatter(r,
                     [&](const unsigned int,
                         const std::vector<unsigned int> &carriers,
                         const double *values)
                     { system.set_contact_impulse(carriers, values); });
  }

  /// W from the compliances of carriers.
  DenseDelassus<3> make_W()
  {
    std::vector<unsigned int> carriers;
    for (const auto &node : surfaces.nodes)
      carriers.push_back(system.skin().number_in_piece(node.carrier));
    const auto C        = system.inverse().compliance(0, carriers);
    const std::size_t n = 3 * contacts.size(), m = 3 * carriers.size();
    std::vector<double> W(n * n, 0.);
    for (std::size_t a = 0; a < contacts.size(); ++a)
      for (std::size_t b = 0; b < contacts.size(); ++b)
        for (unsigned int i = 0; i < contacts[a].n_entries; ++i)
          for (unsigned int j = 0; j < contacts[b].n_entries; ++j)
          {
            const double weight =
                contacts[a].weights[i] * contacts[b].weights[j];
            for (unsigned int r = 0; r < 9; ++r)
              for (unsigned int c = 0; c < 9; ++c)
                W[(3 * a + r / 3) * n + 3 * b + c / 3] +=
                    weight * contacts[a].frame[r] * contacts[b].frame[c] *
                    C[(3 * contacts[a].nodes[i] + r % 3) * m +
                      3 * contacts[b].nodes[j] + c % 3];
          }
    return DenseDelassus<3>(contacts.size(), W);
  }

  /// A step of length @p h from @p t; the error of the last iterate.
  double step(const double t, const double h, const double friction)
  {
    double error = 1.;
    system.begin_step(t, false);
    std::vector<double> x, x_iterate, v, v_free;
    gather(CarrierField::displacement, x);
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] += surfaces.reference[i];
    detector->detect(x, 0., 0., contacts);
    P.assign(3 * contacts.size(), 0.);
    x_iterate = x;
    v.assign(x.size(), 0.);
    for (unsigned int k = 0; k < 25; ++k)
    {
      if (!system.evaluate(k, true, false))
        return 1.;
      if (k > 0)
      {
        // Carriers move by h times their velocities, directors too.
        system.set_contact_configuration(true);
        gather(CarrierField::new_velocity, v);
        for (std::size_t i = 0; i < x.size(); ++i)
          x_iterate[i] = x[i] + h * v[i];
        const auto before = contacts;
        detector->detect(x_iterate, 0., 0., contacts, before);
        // Impulses stay with their contacts; those that are far off come and
        // go.
        std::map<ContactKey, std::array<double, 3>> known;
        for (std::size_t a = 0; a < before.size(); ++a)
          known[before[a].key()] = { { P[3 * a], P[3 * a + 1], P[3 * a + 2] } };
        P.assign(3 * contacts.size(), 0.);
        for (std::size_t a = 0; a < contacts.size(); ++a)
          if (known.count(contacts[a].key()) > 0)
            std::copy_n(known[contacts[a].key()].begin(), 3, P.begin() + 3 * a);
        apply_impulses();
        const auto norms = system.norms();
        error            = std::sqrt(norms.residual / std::max({ norms.inertia,
                                                                 norms.internal,
                                                                 norms.external,
                                                                 norms.contact }));
        double law = 0., scale = 0.;
        for (std::size_t a = 0; a < contacts.size(); ++a)
        {
          const double g = gap(contacts[a], x_iterate);
          scale          = std::max(scale, std::abs(g));
          law            = std::max(law, P[3 * a] > 0. ? std::abs(g) : -g);
        }
        error = std::max(error, law / scale);
        if (error < 1e-9)
          return error;
      }
      system.update_inverse(0., false);
      system.free_velocity();
      if (k == 0)
        system.set_contact_configuration(false);
      gather(CarrierField::free_velocity, v_free);
      const DenseDelassus<3> W = make_W();
      ContactProblem<3> problem;
      problem.W = &W;
      problem.U_free.resize(3 * contacts.size());
      problem.laws.resize(contacts.size());
      for (std::size_t a = 0; a < contacts.size(); ++a)
      {
        const auto U         = contacts[a].local_combination(v_free),
                   U_iterate = contacts[a].local_combination(v);
        for (unsigned int c = 0; c < 3; ++c)
          problem.U_free[3 * a + c] = U[c];
        // The gap, linear about the iterate.
        problem.laws[a].shift[0] =
            gap(contacts[a], x_iterate) / h - U_iterate[0];
        problem.laws[a].friction = friction;
      }
      GaussSeidel<3> loop(solver);
      EXPECT_TRUE(loop.solve(problem, P, this->U).converged);
      apply_impulses();
      EXPECT_TRUE(system.correct());
    }
    return error;
  }

  ShellSystem &system;
  ContactSurfaces<3> surfaces;
  const std::vector<Obstacle<3>> obstacles;
  std::vector<Interaction> interactions;
  std::unique_ptr<Detector<3>> detector;
  std::vector<Contact<3>> contacts;
  std::vector<double> P, U;
  ContactSolverParameters solver;
};

Obstacle<3> sphere(const std::vector<double> &centre, const double radius)
{
  ObstacleParameters p;
  p.name   = "punch";
  p.type   = ObstacleType::sphere;
  p.point  = centre;
  p.radius = radius;
  return Obstacle<3>(p);
}
} // namespace

// A cantilever that is blown down on a sphere and slides on it: faces, not the
// middle, stay in front of it, impulses act half a thickness off the middle,
// and the balance of energy has their work.
TEST(Contact, SheetOnASphere)
{
  const double t = 0.2, friction = 0.3, h = 0.02;
  for (const auto kind : { CandidatePoints::midpoints, CandidatePoints::gauss })
    for (const bool above : { false, true })
    {
      // Mirrored, the outer face touches.
      const double sign = above ? 1. : -1.;
      const ElasticSheet law(1e4, 0.3, 1.);
      Options options;
      options.thickness = t;
      auto model        = model_of(shell_rectangle(6., 2., 6, 2), law, options);
      fix_where(
          *model, [](const Vector3 &x) { return x[0] < 1e-9; }, clamped);
      model->set_up();
      ShellPieceSettings settings;
      settings.gravity = { { 0., 0., 20. * sign } };
      auto system      = system_of(std::move(model), settings);
      system->set_step(h);
      const Vector3 centre{ { 4.6, 1.1, sign * 2.2 } };
      const double radius = 2.;
      Scene scene(*system,
                  above ? "outer" : "inner",
                  kind,
                  sphere({ centre.begin(), centre.end() }, radius));
      Balance balance;
      double work = 0., dissipated = 0.;
      unsigned int n_touching = 0;
      for (unsigned int n = 0; n < 12; ++n)
      {
        ASSERT_LT(scene.step(n * h, h, friction), 1e-9) << n;
        std::vector<double> v, x;
        scene.gather(CarrierField::new_velocity, v);
        double of_step = 0.;
        for (std::size_t a = 0; a < scene.contacts.size(); ++a)
        {
          const auto U = scene.contacts[a].local_combination(v);
          for (unsigned int c = 0; c < 3; ++c)
            of_step += scene.P[3 * a + c] * U[c];
          EXPECT_LE(std::hypot(scene.P[3 * a + 1], scene.P[3 * a + 2]),
                    friction * scene.P[3 * a] * (1. + 1e-6) + 1e-12);
        }
        const auto terms = system->accept();
        EXPECT_NEAR(terms.contact, of_step, 1e-9 * std::abs(of_step) + 1e-14);
        work += terms.contact;
        dissipated = std::min(dissipated, work);
        balance.add(terms);
        // Where faces are now.
        scene.gather(CarrierField::displacement, x);
        for (std::size_t i = 0; i < x.size(); ++i)
          x[i] += scene.surfaces.reference[i];
        for (std::size_t a = 0; a < scene.contacts.size(); ++a)
        {
          EXPECT_GT(scene.gap(scene.contacts[a], x), -1e-7 * t);
          if (!(scene.P[3 * a] > 0.))
            continue;
          // The middle is half a thickness off. Elements of size one bend by
          // up to 1/R in either direction: directors inside are means of those
          // at corners, shorter by cos(1/(2 R)), and as much aslant.
          ++n_touching;
          Vector3 middle{ { 0., 0., 0. } };
          for (unsigned int i = 0; i < scene.contacts[a].n_entries; ++i)
          {
            const unsigned int node = scene.contacts[a].nodes[i];
            if (scene.surfaces.nodes[node].carrier <
                system->piece(0).model().n_nodes())
              for (unsigned int c = 0; c < 3; ++c)
                middle[c] += scene.contacts[a].weights[i] * x[3 * node + c];
          }
          const double off = norm(middle - centre) - radius;
          EXPECT_LT(off, 0.5 * t * (1. + 1e-6));
          EXPECT_GT(off, 0.5 * t * std::pow(std::cos(0.5 / radius), 4));
        }
      }
      EXPECT_GT(n_touching, 0u);
      EXPECT_LT(dissipated, 0.);
      EXPECT_LT(balance.largest_residual, 1e-7 * balance.size);
      EXPECT_GT(balance.size, 0.);
    }
}

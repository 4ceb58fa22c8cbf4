// A piece that touches itself: folds, rolls, closing slots and notches; and
// what must not touch: the sides of a sheet, of a wedge, of a flat surface.
#include "detection/folds.h"

#include <delassus/contact/delassus/body_delassus.h>
#include <delassus/contact/delassus/dense_delassus.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

using namespace delassus;
using namespace small;
using dealii::Point;

TEST(SelfContact, AFlatSurfaceHasNone)
{
  // Nor has what is stretched, squeezed, sheared, turned or bent a little, of
  // cells that are thin or thick, in one or two layers.
  for_all_cells(
      [](auto dimension, const bool simplices)
      {
        constexpr int dim = decltype(dimension)::value;
        for (const auto kind : kinds)
          for (const double t : { 1e-3, 0.05, 0.3 })
            for (const unsigned int layers : { 1u, 2u, 3u })
            {
              // (The third one: one layer of cells of degree 2.)
              auto scene =
                  one_piece(sheet<dim>(10, t, simplices, layers == 2 ? 2 : 1),
                            kind,
                            2.,
                            layers == 3 ? 2 : 1);
              const auto expect_none = [&](const std::string &what)
              {
                scene.detect(0., 0.1);
                EXPECT_EQ(scene.contacts.size(), 0u)
                    << what << " " << dim << " " << t << " " << layers;
                scene.contacts.clear();
              };
              expect_none("as it is");
              for (const double f : { 0.3, 3. })
              {
                bend(scene,
                     [&](const double x, const double z)
                     { return Point<2>(x * f, z / f); });
                expect_none("stretched");
              }
              for (const double f : { -1., 1. })
              {
                bend(scene,
                     [&](const double x, const double z)
                     { return Point<2>(x + f * z, z); });
                expect_none("sheared");
              }
              bend(scene,
                   [&](const double x, const double z)
                   { return Point<2>(0.6 * x - 0.8 * z, 0.8 * x + 0.6 * z); });
              expect_none("turned");
              bend(scene,
                   [&](const double x, const double z) {
                     return Point<2>((1. + z) * std::sin(x),
                                     (1. + z) * std::cos(x));
                   });
              expect_none("bent");
            }
      });
}

TEST(SelfContact, TheSidesOfAWedgeDoNotTouch)
{
  // They have a node in common, and near it they are as near as one likes.
  for (const auto kind : kinds)
    for (const double angle : { 0.02, 0.2, 1. })
      for (const double squeeze : { 0.5, 1., 2. })
      {
        Scene<2> scene(fan(0., angle, 1, 12), "*", "*", kind, 1.);
        deform(scene,
               [&](const Point<2> &X)
               { return Point<2>(X[0] + 0.5 * X[1], squeeze * X[1]); });
        scene.detect(0., 0.1);
        EXPECT_EQ(scene.contacts.size(), 0u) << angle << " " << squeeze;
      }
}

TEST(SelfContact, TheSidesOfANotchDo)
{
  // The notch of opening alpha about the x axis; its sides turn until they
  // touch and a little farther. Points see the other side at r sin(opening).
  const double alpha = 0.5;
  for (const auto kind : kinds)
    for (const double opening : { 0.2, 0.05, 1e-3, 0., -0.02 })
    {
      Scene<2> scene(
          fan(0.5 * alpha, 2. * pi - 0.5 * alpha, 16, 8), "*", "*", kind, 1.);
      const auto turn = [&](const Point<2> &X)
      {
        double angle = std::atan2(X[1], X[0]);
        angle += angle < 0. ? 2. * pi : 0.;
        // The other side of the tip stays.
        const double to =
            pi + (angle - pi) * (pi - 0.5 * opening) / (pi - 0.5 * alpha);
        return Point<2>(X.norm() * std::cos(to), X.norm() * std::sin(to));
      };
      deform(scene, turn);
      scene.detect();
      std::set<unsigned int> found;
      for (const auto &contact : scene.contacts)
      {
        const auto X = reference_place(scene, contact, true),
                   Y = reference_place(scene, contact, false);
        EXPECT_LT(X[1] * Y[1], 0.); // on the other side
        EXPECT_NEAR(scene.gap(contact), X.norm() * std::sin(opening), 1e-12);
        EXPECT_NEAR(Y.norm(), X.norm() * std::cos(opening), 1e-12);
        found.insert(contact.point);
        // The row is not degenerate: next to the tip it is s (A - B), s the
        // place of a Gauss point in its face.
        std::map<unsigned int, double> row;
        for (unsigned int i = 0; i < contact.n_entries; ++i)
          row[contact.nodes[i]] += contact.weights[i];
        double square = 0.;
        for (const auto &entry : row)
          square += entry.second * entry.second;
        EXPECT_GT(square, std::pow(0.5 - 0.5 / std::sqrt(3.), 2));
      }
      EXPECT_EQ(found.size(), scene.contacts.size());
      if (opening >= 0.1)
        continue;
      // All points of both sides but the tip, which is one node.
      const unsigned int expected = kind == CandidatePoints::gauss ? 32 : 16;
      EXPECT_EQ(found.size(), expected) << opening;
    }
}

TEST(SelfContact, AUShapeCloses)
{
  // Its legs, @p width apart and of thickness t from the start, come nearer,
  // touch and sink into each other; faces of any kind.
  for_all_cells(
      [](auto dimension, const bool simplices)
      {
        constexpr int dim = decltype(dimension)::value;
        const double t = 0.05, width = 0.2, a = 0.3;
        auto mesh = sheet<dim>(40, t, simplices);
        for (auto &vertex : mesh.vertices)
        {
          const auto p = hairpin(vertex[0], vertex[dim - 1], a, width / 2, pi);
          vertex[0]    = p[0];
          vertex[dim - 1] = p[1];
        }
        for (const unsigned int degree : { 1u, 2u })
          for (const auto kind : kinds)
          {
            auto scene = one_piece(mesh, kind, 1., degree);
            EXPECT_EQ(scene.detect().size(), 0u);
            for (const double gap : { 0.02, 1e-6, 0., -1e-6, -0.02 })
            {
              // The legs as they are, the bend between them squeezed.
              deform(scene,
                     [&](const Point<dim> &X)
                     {
                       Point<dim> x = X;
                       x[dim - 1] +=
                           (width - gap) *
                           std::min(1., std::max(0., -X[dim - 1] / width));
                       return x;
                     });
              scene.detect();
              unsigned int upper = 0, lower = 0;
              for (const auto &contact : scene.contacts)
              {
                const auto X = reference_place(scene, contact, true),
                           Y = reference_place(scene, contact, false);
                if (X[0] > a - 0.05 || X[0] < 0.01)
                  continue;
                (X[dim - 1] > -0.5 * width ? upper : lower) += 1;
                EXPECT_NEAR(std::abs(X[dim - 1] - Y[dim - 1]), width, 1e-12);
                EXPECT_NEAR(scene.gap(contact), gap, 1e-12);
              }
              EXPECT_GE(upper, 8u) << degree << " " << gap;
              EXPECT_GE(lower, 8u) << degree << " " << gap;
            }
          }
      });
}

TEST(SelfContact, FoldingAngleSweep)
{
  // A thin sheet folds to a hairpin whose inner sides end up @p gap apart.
  for_all_cells(
      [](auto dimension, const bool simplices)
      {
        constexpr int dim = decltype(dimension)::value;
        const double t = 0.005, gap = 0.03, a = 0.45;
        for (const auto kind : kinds)
        {
          Scene<dim> scene(sheet<dim>(120, t, simplices), "*", "*", kind, 4.);
          unsigned int last = 0;
          for (unsigned int k = 0; k <= 20; ++k)
          {
            const double phi = pi * k / 20.;
            bend(scene,
                 [&](const double s, const double z)
                 { return hairpin(s, z, a, 0.5 * gap, phi); });
            scene.detect_again();
            last = scene.contacts.size();
            for (const auto &contact : scene.contacts)
            {
              const auto X = reference_place(scene, contact, true),
                         Y = reference_place(scene, contact, false);
              // Inner side against inner side, on both sides of the bend.
              EXPECT_LT(std::abs(X[dim - 1]), 1e-12) << k;
              EXPECT_LT(std::abs(Y[dim - 1]), 1e-12) << k;
              EXPECT_GT(std::abs(X[0] - Y[0]), 0.) << k;
              EXPECT_GT(scene.gap(contact), 0.) << k;
            }
            if (k <= 10)
            {
              EXPECT_EQ(last, 0u) << k;
            }
          }
          EXPECT_GT(last, 60u);
          // Closed: at the distance of the sides, except in the bend and beyond
          // the shorter leg.
          const double bent = a + 0.5 * gap * pi;
          const auto legs   = [&](const double s)
          { return s < a - 0.05 || (s > bent + 0.05 && s < bent + a); };
          unsigned int flat = 0;
          for (const auto &contact : scene.contacts)
          {
            if (legs(reference_place(scene, contact, true)[0]))
            {
              ++flat;
              EXPECT_NEAR(scene.gap(contact), gap, 1e-12);
            }
          }
          EXPECT_GT(flat, 40u);
          // One leg sinks into the other by half the thickness: with and
          // without a memory it is held at that, not through the sheet.
          for (const bool memory : { true, false })
          {
            bend(scene,
                 [&](const double s, const double z)
                 {
                   Point<2> p = hairpin(s, z, a, 0.5 * gap, pi);
                   if (s > bent)
                     p[1] += gap + 0.5 * t;
                   return p;
                 });
            if (memory)
              scene.detect_again();
            else
              scene.detect();
            unsigned int inside = 0;
            for (const auto &contact : scene.contacts)
            {
              const auto X = reference_place(scene, contact, true),
                         Y = reference_place(scene, contact, false);
              if (legs(X[0]))
              {
                EXPECT_LT(std::abs(X[dim - 1]) + std::abs(Y[dim - 1]), 1e-12);
                EXPECT_NEAR(scene.gap(contact), -0.5 * t, 1e-12);
                ++inside;
              }
            }
            EXPECT_GT(inside, 40u) << memory;
          }
        }
      });
}

TEST(SelfContact, LayersOfARoll)
{
  // Radius r0 + p angle / 2 pi of the inner side: the outer side of a turn
  // touches the inner side of the next one, not its own and not the next but
  // one, even where it has sunk in by more than half the thickness.
  for_all_cells(
      [](auto dimension, const bool simplices)
      {
        constexpr int dim = decltype(dimension)::value;
        const double t = 0.001, r0 = 0.05, L = 1. / 200.;
        for (const auto kind : kinds)
        {
          Scene<dim> scene(sheet<dim>(200, t, simplices), "*", "*", kind, 2.);
          const auto roll = [&](const double gap)
          {
            bend(scene,
                 [&](const double s, const double z)
                 {
                   const double p = (t + gap) / (2. * pi);
                   // Arc length: s = r0 angle + p angle^2 / 2.
                   const double angle =
                       (std::sqrt(r0 * r0 + 2. * p * s) - r0) / p;
                   const double r = r0 + p * angle + z;
                   return Point<2>(r * std::sin(angle), r * std::cos(angle));
                 });
          };
          for (unsigned int k = 0; k <= 12; ++k)
          {
            const double gap = (0.5 - 0.1 * k) * t;
            roll(gap);
            scene.detect_again(0.1 * t);
            EXPECT_GT(scene.contacts.size(), 200u) << gap;
            for (const auto &contact : scene.contacts)
            {
              const auto X = reference_place(scene, contact, true),
                         Y = reference_place(scene, contact, false);
              // Beyond the ends of the sheet its edges are touched.
              if (std::min(X[0], Y[0]) < 0.02 || std::max(X[0], Y[0]) > 0.98)
                continue;
              // One turn apart.
              const double turn = std::abs(X[0] - Y[0]);
              EXPECT_GT(turn, 2. * pi * r0 * 0.9) << gap;
              EXPECT_LT(turn, 2. * pi * (r0 + 4. * t) * 1.1) << gap;
              // Up to the sagittas of two facets.
              EXPECT_NEAR(scene.gap(contact), gap, 2. * L * L / (8. * r0));
            }
          }
        }
      });
}

TEST(SelfContact, TreeFindsWhatBruteForceFinds)
{
  for_all_cells(
      [](auto dimension, const bool simplices)
      {
        constexpr int dim = decltype(dimension)::value;
        std::mt19937 random(11);
        std::uniform_real_distribution<double> uniform(-1., 1.);
        for (const auto kind : kinds)
        {
          auto scene =
              one_piece(sheet<dim>(dim == 2 ? 150 : 30, 0.01, simplices),
                        kind,
                        1.,
                        kind == CandidatePoints::gauss ? 2 : 1);
          unsigned int found = 0;
          for (unsigned int step = 0; step < 6; ++step)
          {
            // A crumpled sheet: its direction wanders.
            std::array<double, 6> a, b;
            for (unsigned int k = 0; k < a.size(); ++k)
            {
              a[k] = 2.5 * uniform(random);
              b[k] = pi * uniform(random);
            }
            const auto centre = [&](const double s)
            {
              Point<2> p;
              double angle         = 0.;
              const unsigned int n = 100;
              for (unsigned int i = 0; i < n; ++i)
              {
                angle = 0.;
                for (unsigned int k = 0; k < a.size(); ++k)
                  angle +=
                      a[k] * std::sin(2. * (k + 1) * s * (i + 0.5) / n + b[k]);
                p += s / n * Point<2>(std::cos(angle), std::sin(angle));
              }
              return std::make_pair(p, angle);
            };
            bend(scene,
                 [&](const double s, const double z)
                 {
                   const auto c = centre(s);
                   return Point<2>(c.first[0] - z * std::sin(c.second),
                                   c.first[1] + z * std::cos(c.second));
                 });
            // (Noise would make faces of degree 2 wavy.)
            for (double &x : scene.x)
              x += scene.degree == 1 ? 1e-3 * uniform(random) : 0.;
            const double reach  = step % 2 == 0 ? 0. : 0.01;
            const auto previous = scene.contacts;
            std::vector<Contact<dim>> oracle;
            scene.detector->detect_by_brute_force(
                scene.x, 0., reach, oracle, previous);
            scene.detect_again(reach);
            expect_same(scene.contacts, oracle, 0.);
            found += oracle.size();
          }
          EXPECT_GT(found, 10u);
        }
      });
}

TEST(SelfContact, AContactKeepsItsIdentityWhileItSlides)
{
  // The upper leg of a hairpin slides along the lower one, over many faces.
  const double t = 0.005, gap = 0.002, a = 0.45;
  Scene<2> scene(
      sheet<2>(60, t, false), "*", "*", CandidatePoints::midpoints, 1.);
  std::map<unsigned int, ContactKey> keys;
  std::map<unsigned int, std::set<unsigned int>> faces;
  for (unsigned int k = 0; k < 40; ++k)
  {
    bend(scene,
         [&](const double s, const double z)
         {
           Point<2> p = hairpin(s, z, a, 0.5 * gap, pi);
           if (s > a + 0.05)
             p[0] -= 0.002 * k;
           return p;
         });
    scene.detect_again(0.002);
    for (const auto &contact : scene.contacts)
    {
      // Of what stays above the lower leg.
      const double s = reference_place(scene, contact, true)[0];
      if (s < a + 0.1 || s > a + 0.35)
        continue;
      EXPECT_NEAR(scene.gap(contact), gap, 1e-12);
      const auto known = keys.insert({ contact.point, contact.key() }).first;
      EXPECT_EQ(known->second, contact.key());
      faces[contact.point].insert(contact.face);
    }
  }
  EXPECT_EQ(keys.size(), 15u);
  for (const auto &entry : faces)
    EXPECT_GE(entry.second.size(), 4u);
}

TEST(SelfContact, DelassusOperatorOfContactsWithinOnePiece)
{
  // H has entries of both sides on one piece, some on the same node (next to
  // the tip of a notch): W = H* C H by brute force.
  const double alpha = 0.1;
  Scene<2> scene(fan(0.5 * alpha, 2. * pi - 0.5 * alpha, 16, 6),
                 "*",
                 "*",
                 CandidatePoints::midpoints,
                 1.);
  scene.detect();
  ASSERT_EQ(scene.contacts.size(), 12u);
  const unsigned int n_dofs = 2 * scene.surfaces->nodes.size();
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1., 1.);
  std::vector<double> A(n_dofs * n_dofs), C(n_dofs * n_dofs, 0.);
  for (double &value : A)
    value = uniform(random);
  for (unsigned int i = 0; i < n_dofs; ++i)
    for (unsigned int j = 0; j < n_dofs; ++j)
      for (unsigned int k = 0; k < n_dofs; ++k)
        C[i * n_dofs + j] += A[i * n_dofs + k] * A[j * n_dofs + k];

  BodyDelassusData<2> data;
  data.piece_compliance = { C.data() };
  data.piece_n_dofs     = { n_dofs };
  data.h_start          = { 0 };
  const unsigned int n  = 2 * scene.contacts.size();
  std::vector<std::vector<double>> H(n, std::vector<double>(n_dofs, 0.));
  bool shared = false;
  for (unsigned int a = 0; a < scene.contacts.size(); ++a)
  {
    const auto &contact = scene.contacts[a];
    std::set<unsigned int> nodes;
    for (unsigned int i = 0; i < contact.n_entries; ++i)
    {
      shared = !nodes.insert(contact.nodes[i]).second || shared;
      data.entries.push_back({ 0, contact.nodes[i], contact.weights[i] });
      for (unsigned int r = 0; r < 2; ++r)
        for (unsigned int c = 0; c < 2; ++c)
          H[2 * a + r][2 * contact.nodes[i] + c] +=
              contact.weights[i] * contact.frame[2 * r + c];
    }
    data.h_start.push_back(data.entries.size());
    data.frame.push_back(contact.frame);
  }
  EXPECT_TRUE(shared);
  std::vector<double> P(n), expected(n, 0.), force(n_dofs, 0.),
      velocity(n_dofs, 0.), U(n);
  for (double &value : P)
    value = uniform(random);
  for (unsigned int i = 0; i < n; ++i)
    for (unsigned int k = 0; k < n_dofs; ++k)
      force[k] += H[i][k] * P[i];
  for (unsigned int k = 0; k < n_dofs; ++k)
    for (unsigned int l = 0; l < n_dofs; ++l)
      velocity[k] += C[k * n_dofs + l] * force[l];
  for (unsigned int i = 0; i < n; ++i)
    expected[i] =
        std::inner_product(H[i].begin(), H[i].end(), velocity.begin(), 0.);
  // Action and reaction: no resultant on the piece.
  for (unsigned int c = 0; c < 2; ++c)
  {
    double sum = 0.;
    for (unsigned int k = c; k < n_dofs; k += 2)
      sum += force[k];
    EXPECT_NEAR(sum, 0., 1e-12);
  }

  const BodyDelassus<2> by_pieces(data);
  const auto assembled = assemble_block_sparse(data);
  const DenseDelassus<2> dense(by_pieces);
  double scale = 0.;
  for (const double value : expected)
    scale = std::max(scale, std::abs(value));
  for (const DelassusOperator<2> *W :
       { static_cast<const DelassusOperator<2> *>(&by_pieces),
         static_cast<const DelassusOperator<2> *>(&assembled),
         static_cast<const DelassusOperator<2> *>(&dense) })
  {
    W->multiply(P.data(), U.data());
    for (unsigned int i = 0; i < n; ++i)
      EXPECT_NEAR(U[i], expected[i], 1e-12 * scale);
  }
}

TEST(SelfContact, RowsOfMortarTypeBetweenTwoSides)
{
  // The sides of a slot as candidates and antagonists: each row a mean gap,
  // weights of sum 1 and -1. With the same faces on both sides there are none.
  const double alpha = 0.02;
  Scene<2> scene(fan(0.5 * alpha, 2. * pi - 0.5 * alpha, 16, 8),
                 "upper",
                 "lower",
                 CandidatePoints::nodes,
                 1.,
                 ContactFormulation::mortar);
  for (const double opening : { alpha, 0., -0.01 })
  {
    deform(scene,
           [&](const Point<2> &X)
           {
             double angle = std::atan2(X[1], X[0]);
             angle += angle < 0. ? 2. * pi : 0.;
             const double to =
                 pi + (angle - pi) * (pi - 0.5 * opening) / (pi - 0.5 * alpha);
             return Point<2>(X.norm() * std::cos(to), X.norm() * std::sin(to));
           });
    scene.detect_again();
    EXPECT_EQ(scene.contacts.size(), 9u);
    double area = 0.;
    for (const auto &contact : scene.contacts)
    {
      double candidate = 0., antagonist = 0.;
      for (unsigned int i = 0; i < contact.n_entries; ++i)
        (i < contact.n_candidate_entries ? candidate : antagonist) +=
            contact.weights[i];
      EXPECT_NEAR(candidate, 1., 1e-12);
      EXPECT_NEAR(antagonist, -1., 1e-12);
      const double r = reference_place(scene, contact, true).norm();
      EXPECT_NEAR(scene.gap(contact), r * std::tan(opening), 1e-12);
      area += contact.area;
    }
    EXPECT_NEAR(area, 8., 8. * std::abs(1. - std::cos(opening)) + 1e-12);
  }
  Scene<2> both(fan(0.5 * alpha, 2. * pi - 0.5 * alpha, 16, 8),
                "*",
                "*",
                CandidatePoints::nodes,
                1.,
                ContactFormulation::mortar);
  EXPECT_EQ(both.detect().size(), 0u);
  // A thin sheet: not through the material.
  Scene<3> thin(sheet<3>(10, 0.01, false),
                "top",
                "bottom",
                CandidatePoints::nodes,
                2.,
                ContactFormulation::mortar);
  EXPECT_EQ(thin.detect().size(), 0u);
}

#include "statics.h"
#include <ctime>
using namespace sheets;
TEST(BenchTmp, Evaluate)
{
  for (const bool plastic : { false, true })
  {
    auto material = elastic(206e3, 0.3);
    if (plastic)
    {
      material.model             = MaterialModel::j2;
      material.yield_stress      = 167.;
      material.hardening_modulus = 500;
    }
    Statics s(sheet_grid(50,
                         40,
                         [](const double u, const double v, const double z)
                         { return Point<3>(50. * u, 40. * v, 0.4 * z); }),
              material);
    Vector q = small::nodal_vector(
        *s.body,
        [](const Point<3> &x, const unsigned int c) {
          return c == 2 ? 0.002 * x[0] * x[0] : -0.004 * x[2] * x[0] * (c == 0);
        });
    for (const bool tangent : { false, true })
    {
      s.forces.begin_step();
      double t = clock();
      ASSERT_TRUE(s.forces.evaluate(q, 1., tangent)) << s.forces.trouble();
      double first = (clock() - t) / CLOCKS_PER_SEC;
      Vector q2    = q;
      q2 *= 1.001;
      t = clock();
      ASSERT_TRUE(s.forces.evaluate(q2, 1., tangent));
      std::printf(
          "plastic %d tangent %d: first %.1f us, then %.1f us an element\n",
          plastic,
          tangent,
          1e6 * first / 2000,
          1e6 * (clock() - t) / CLOCKS_PER_SEC / 2000);
    }
  }
}

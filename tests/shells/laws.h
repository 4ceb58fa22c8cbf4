#ifndef delassus_tests_shells_laws_h
#define delassus_tests_shells_laws_h

// Sheet laws of the tests.
#include <delassus/materials/sheet_law.h>

#include <algorithm>
#include <cmath>

/// St. Venant and Kirchhoff's in plane stress: S = C E.
class ElasticSheet : public delassus::SheetLaw
{
public:
  ElasticSheet(const double E, const double nu, const double rho = 1.)
      : E(E)
      , nu(nu)
      , rho(rho)
  {
    const double c = E / (1. - nu * nu);
    C              = { { { { c, nu * c, 0. } },
                         { { nu * c, c, 0. } },
                         { { 0., 0., 0.5 * (1. - nu) * c } } } };
  }

  unsigned int n_history() const override
  {
    return 0;
  }
  void initialize(double *) const override
  {
  }

  bool respond(const std::array<double, 3> &strain,
               const double,
               const double *,
               double *,
               const bool,
               delassus::SheetResponse &response) const override
  {
    response.stored = 0.;
    for (unsigned int i = 0; i < 3; ++i)
    {
      response.stress[i] =
          C[i][0] * strain[0] + C[i][1] * strain[1] + C[i][2] * strain[2];
      response.stored += 0.5 * response.stress[i] * strain[i];
    }
    response.tangent = C;
    // Green's strain across the plane is -nu/(1-nu) of those in it.
    const double across = -nu / (1. - nu) * (strain[0] + strain[1]);
    response.thickness_strain =
        0.5 * std::log(std::max(1. + 2. * across, 1e-3));
    return true;
  }

  std::array<double, 2> shear_moduli() const override
  {
    return { { 0.5 * E / (1. + nu), 0.5 * E / (1. + nu) } };
  }
  double thickness_modulus() const override
  {
    return E;
  }
  double density() const override
  {
    return rho;
  }
  bool is_elastic() const override
  {
    return true;
  }

private:
  double E, nu, rho;
  std::array<std::array<double, 3>, 3> C;
};

#endif

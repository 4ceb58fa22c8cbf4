#include <delassus/materials/laws.h>

namespace delassus
{
ElasticMaterial::ElasticMaterial(const MaterialParameters &parameters)
    : Material(parameters)
    , shear(shear_modulus())
    , bulk(bulk_modulus())
{
}

bool SmallStrainElastic::respond(const dealii::Tensor<2, 3> &F,
                                 const double,
                                 const double *,
                                 double *,
                                 const bool with_tangent,
                                 MaterialResponse &response) const
{
  const double strain[3] = { F[0][0] - 1., F[1][1] - 1., F[2][2] - 1. };
  const double gamma[3]  = { F[0][1] + F[1][0],
                             F[1][2] + F[2][1],
                             F[2][0] + F[0][2] };
  const double trace     = strain[0] + strain[1] + strain[2];
  response.stored        = 0.;
  for (unsigned int i = 0; i < 3; ++i)
  {
    response.stress[i]     = lambda() * trace + 2. * shear * strain[i];
    response.stress[3 + i] = shear * gamma[i];
    response.stored += 0.5 * (response.stress[i] * strain[i] +
                              response.stress[3 + i] * gamma[i]);
  }
  response.dissipated = 0.;
  if (with_tangent)
  {
    response.tangent = {};
    for (unsigned int i = 0; i < 3; ++i)
    {
      for (unsigned int j = 0; j < 3; ++j)
        response.tangent[i][j] = lambda();
      response.tangent[i][i] += 2. * shear;
      response.tangent[3 + i][3 + i] = shear;
    }
  }
  return true;
}
} // namespace delassus

#include <delassus/materials/laws.h>

#include <delassus/base/exceptions.h>

namespace delassus
{
namespace
{
std::unique_ptr<Material> make_law(const MaterialParameters &parameters)
{
  switch (parameters.model)
  {
    case MaterialModel::saint_venant_kirchhoff:
      return std::make_unique<SaintVenantKirchhoff>(parameters);
    case MaterialModel::neo_hookean:
      return std::make_unique<NeoHookean>(parameters);
    case MaterialModel::j2_small_strain:
      return std::make_unique<SmallStrainInelastic<J2Kernel>>(parameters);
    case MaterialModel::j2:
      return std::make_unique<FiniteStrainInelastic<J2Kernel>>(parameters);
    case MaterialModel::maxwell:
      return std::make_unique<FiniteStrainInelastic<MaxwellKernel>>(parameters);
    case MaterialModel::hill:
    case MaterialModel::barlat:
    case MaterialModel::orthotropic:
      throw InputError("section 'Material " + parameters.name +
                       "', entry 'Model': Hill, Barlat and orthotropic "
                       "are for sheets.");
    case MaterialModel::linear_elastic:
      break;
  }
  return std::make_unique<SmallStrainElastic>(parameters);
}
} // namespace

std::unique_ptr<Material> make_material(const MaterialParameters &parameters,
                                        const Assumption assumption)
{
  auto law = make_law(parameters);
  if (assumption == Assumption::plane_stress)
    return std::make_unique<PlaneStress>(std::move(law));
  return law;
}
} // namespace delassus

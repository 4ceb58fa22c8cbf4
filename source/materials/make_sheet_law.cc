#include <delassus/materials/sheet_laws.h>

#include <delassus/base/exceptions.h>

namespace delassus
{
std::unique_ptr<SheetLaw> make_sheet_law(const MaterialParameters &parameters)
{
  switch (parameters.model)
  {
    case MaterialModel::linear_elastic:
    case MaterialModel::orthotropic:
      return std::make_unique<HenckySheet>(parameters);
    case MaterialModel::saint_venant_kirchhoff:
      return std::make_unique<SaintVenantKirchhoffSheet>(parameters);
    case MaterialModel::j2:
      return std::make_unique<PlasticSheet>(parameters,
                                            PlasticFrame::multiplicative);
    case MaterialModel::hill:
      return std::make_unique<PlasticSheet>(parameters, PlasticFrame::additive);
    case MaterialModel::neo_hookean:
    case MaterialModel::maxwell:
      return std::make_unique<SolidSheet>(parameters);
    case MaterialModel::barlat:
      return std::make_unique<BarlatSheet>(parameters);
    case MaterialModel::j2_small_strain:
      break;
  }
  throw InputError("section 'Material " + parameters.name +
                   "', entry 'Model' = 'J2 small strain': small perturbations "
                   "know no rotation, which sheets have; allowed for sheets: "
                   "linear elastic, Saint Venant-Kirchhoff, neo-Hookean, J2, "
                   "Maxwell, Hill, Barlat, orthotropic.");
}
} // namespace delassus

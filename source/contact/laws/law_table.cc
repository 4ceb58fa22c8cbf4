#include <delassus/base/exceptions.h>
#include <delassus/contact/laws/cohesive.h>
#include <delassus/contact/laws/elastic_joint.h>
#include <delassus/contact/laws/frictionless.h>
#include <delassus/contact/laws/gap_signorini_coulomb.h>
#include <delassus/contact/laws/gap_signorini_tresca.h>
#include <delassus/contact/laws/law_table.h>
#include <delassus/contact/laws/tied.h>
#include <delassus/contact/laws/velocity_signorini_coulomb.h>

#include <fmt/format.h>

namespace delassus
{
namespace
{
template <int dim, typename Law>
std::unique_ptr<ContactLaw<dim>> create(const ContactLawParameters &parameters,
                                        const Friction::Function &function)
{
  return std::make_unique<Law>(parameters, function);
}
} // namespace


template <int dim>
const std::vector<LawEntry<dim>> &law_table()
{
  static const std::vector<LawEntry<dim>> table = {
    { ContactLawType::gap_signorini_coulomb,
      "gap signorini coulomb",
      "no interpenetration at the end of a step, Coulomb's friction",
      create<dim, GapSignoriniCoulomb<dim>> },
    { ContactLawType::velocity_signorini_coulomb,
      "velocity signorini coulomb",
      "no approach once a contact is forecast, Coulomb's friction",
      create<dim, VelocitySignoriniCoulomb<dim>> },
    { ContactLawType::frictionless,
      "frictionless",
      "no interpenetration, no friction",
      create<dim, Frictionless<dim>> },
    { ContactLawType::tresca,
      "tresca",
      "no interpenetration, friction bounded by a given stress",
      create<dim, GapSignoriniTresca<dim>> },
    { ContactLawType::elastic_joint,
      "elastic joint",
      "a joint that springs back in pressure and shear, Coulomb's friction",
      create<dim, ElasticJoint<dim>> },
    { ContactLawType::cohesive,
      "cohesive",
      "a bond of Mohr and Coulomb that breaks, Coulomb's friction afterwards",
      create<dim, Cohesive<dim>> },
    { ContactLawType::tied,
      "tied",
      "what touches when the run begins stays together",
      create<dim, Tied<dim>> }
  };
  return table;
}


template <int dim>
std::unique_ptr<ContactLaw<dim>>
make_contact_law(const ContactLawParameters &parameters,
                 const Friction::Function &function)
{
  for (const LawEntry<dim> &entry : law_table<dim>())
    if (entry.type == parameters.type)
      return entry.create(parameters, function);
  throw InputError(
      fmt::format("Contact law '{}': unknown type.", parameters.name));
}

template const std::vector<LawEntry<2>> &law_table<2>();
template const std::vector<LawEntry<3>> &law_table<3>();
template std::unique_ptr<ContactLaw<2>>
make_contact_law<2>(const ContactLawParameters &, const Friction::Function &);
template std::unique_ptr<ContactLaw<3>>
make_contact_law<3>(const ContactLawParameters &, const Friction::Function &);
} // namespace delassus

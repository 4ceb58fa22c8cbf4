#ifndef delassus_contact_laws_law_table_h
#define delassus_contact_laws_law_table_h

#include <delassus/contact/laws/contact_law.h>

#include <memory>
#include <vector>

namespace delassus
{
/// One kind of law.
template <int dim>
struct LawEntry
{
  ContactLawType type;
  const char *name; ///< the entry Type of a parameter file
  const char *help; ///< one line
  std::unique_ptr<ContactLaw<dim>> (*create)(
      const ContactLawParameters &parameters,
      const Friction::Function &function);
};

/// All laws there are, in the order of ContactLawType.
template <int dim>
const std::vector<LawEntry<dim>> &law_table();
} // namespace delassus

#endif

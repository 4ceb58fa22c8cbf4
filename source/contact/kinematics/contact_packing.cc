#include <delassus/contact/kinematics/contact_packing.h>

namespace delassus
{
template <int dim>
void pack(const Contact<dim> &contact, std::vector<char> &message)
{
  Assert(contact.nodes.size() == contact.n_entries &&
             contact.weights.size() == contact.n_entries &&
             contact.n_candidate_entries <= contact.n_entries,
         dealii::ExcInternalError());
  pack_value(contact.interaction, message);
  pack_value(contact.point, message);
  pack_value(contact.obstacle, message);
  pack_value(contact.face, message);
  pack_value(contact.piece, message);
  pack_value(contact.slot, message);
  pack_value(contact.n_candidate_entries, message);
  pack_value(contact.frame, message);
  pack_value(contact.area, message);
  pack_value(contact.n_entries, message);
  for (unsigned int i = 0; i < contact.n_entries; ++i)
  {
    pack_value(contact.nodes[i], message);
    pack_value(contact.weights[i], message);
  }
}

template <int dim>
Contact<dim> unpack(const char *&place)
{
  Contact<dim> contact;
  contact.interaction          = unpack_value<unsigned int>(place);
  contact.point                = unpack_value<unsigned int>(place);
  contact.obstacle             = unpack_value<int>(place);
  contact.face                 = unpack_value<unsigned int>(place);
  contact.piece                = unpack_value<unsigned int>(place);
  contact.slot                 = unpack_value<unsigned int>(place);
  contact.n_candidate_entries  = unpack_value<unsigned int>(place);
  contact.frame                = unpack_value<LocalMatrix<dim>>(place);
  contact.area                 = unpack_value<double>(place);
  const unsigned int n_entries = unpack_value<unsigned int>(place);
  for (unsigned int i = 0; i < n_entries; ++i)
  {
    const unsigned int node = unpack_value<unsigned int>(place);
    contact.add_entry(node, unpack_value<double>(place));
  }
  return contact;
}

template void pack<2>(const Contact<2> &, std::vector<char> &);
template void pack<3>(const Contact<3> &, std::vector<char> &);
template Contact<2> unpack<2>(const char *&);
template Contact<3> unpack<3>(const char *&);
} // namespace delassus

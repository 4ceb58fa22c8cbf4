#ifndef delassus_contact_kinematics_contact_packing_h
#define delassus_contact_kinematics_contact_packing_h

#include <delassus/contact/kinematics/contact.h>

#include <cstring>
#include <type_traits>

namespace delassus
{
/// Append a plain value to a message.
template <typename T>
void pack_value(const T &value, std::vector<char> &message)
{
  static_assert(std::is_trivially_copyable<T>::value, "plain values only");
  const char *bytes = reinterpret_cast<const char *>(&value);
  message.insert(message.end(), bytes, bytes + sizeof(T));
}

/// The plain value at a place in a message, which moves behind it.
template <typename T>
T unpack_value(const char *&place)
{
  static_assert(std::is_trivially_copyable<T>::value, "plain values only");
  T value;
  std::memcpy(&value, place, sizeof(T));
  place += sizeof(T);
  return value;
}

/// All of a contact, for messages between ranks.
template <int dim>
void pack(const Contact<dim> &contact, std::vector<char> &message);

template <int dim>
Contact<dim> unpack(const char *&place);
} // namespace delassus

#endif

#ifndef delassus_base_archive_h
#define delassus_base_archive_h

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace delassus
{
/// State as bytes, for checkpoints. One function serves both directions:
///
///   void Thing::archive(Archive &archive)
///   {
///     archive("impulses", P);
///     archive("time of detection", t_detected);
///   }
///
/// saves with an archive made by Archive() and loads with one made of bytes.
/// Values are numbers, enums, plain structs, strings, pairs, anything with
/// data() and resize() (vectors), and anything with a function archive().
/// Every value carries its name (as a hash) and the size of its type, so that
/// state of a program with other fields is refused, not misread. Numbers keep
/// all their bits.
class Archive
{
public:
  /// To save.
  Archive();

  /// To load @p bytes; errors call them @p origin.
  Archive(std::string bytes, std::string origin);

  bool saving() const
  {
    return is_saving;
  }

  /// Save @p value, or set it to what was saved. Throws InputError if the bytes
  /// hold something else at this place.
  template <typename T>
  void operator()(const char *name, T &value)
  {
    tag(name, element_size<T>());
    current = name;
    item(value);
  }

  /// Loading: all bytes must have been read. Throws InputError.
  void expect_end() const;

  const std::string &bytes() const
  {
    return content;
  }

private:
  template <typename T, typename = void>
  struct has_archive : std::false_type
  {
  };
  template <typename T>
  struct has_archive<T,
                     std::void_t<decltype(std::declval<T &>().archive(
                         std::declval<Archive &>()))>> : std::true_type
  {
  };
  template <typename T, typename = void>
  struct is_list : std::false_type
  {
  };
  template <typename T>
  struct is_list<T,
                 std::void_t<typename T::value_type,
                             decltype(std::declval<T &>().data()),
                             decltype(std::declval<T &>().resize(0))>>
      : std::true_type
  {
  };

  /// Can be copied byte by byte, as far as this class knows.
  template <typename T>
  static constexpr bool is_plain()
  {
    return !has_archive<T>::value && !is_list<T>::value &&
           !std::is_pointer<T>::value && std::is_trivially_copyable<T>::value;
  }

  template <typename T>
  static constexpr std::size_t element_size()
  {
    if constexpr (is_list<T>::value)
      return element_size<typename T::value_type>();
    else if constexpr (is_plain<T>())
      return sizeof(T);
    else
      return 0;
  }

  template <typename T>
  void item(T &value)
  {
    if constexpr (has_archive<T>::value)
      value.archive(*this);
    else if constexpr (is_list<T>::value)
    {
      using Value             = typename T::value_type;
      constexpr bool is_plain = Archive::is_plain<Value>();
      std::uint64_t n         = value.size();
      bytes_of(&n, sizeof(n));
      if (!is_saving)
      {
        check_left(n, is_plain ? sizeof(Value) : 1);
        value.resize(n);
      }
      if constexpr (is_plain)
        bytes_of(value.data(), n * sizeof(Value));
      else
        for (auto &element : value)
          item(element);
    }
    else
    {
      static_assert(is_plain<T>(), "give this type a function archive()");
      bytes_of(&value, sizeof(T));
    }
  }

  void item(std::vector<bool> &value);

  template <typename First, typename Second>
  void item(std::pair<First, Second> &value)
  {
    item(value.first);
    item(value.second);
  }

  void tag(const char *name, std::size_t size);

  /// Throws InputError unless @p n elements may follow.
  void check_left(std::uint64_t n, std::size_t element_size) const;

  [[noreturn]] void fail() const;

  void bytes_of(void *data, const std::size_t n)
  {
    if (n == 0)
      return;
    if (is_saving)
    {
      content.append(static_cast<const char *>(data), n);
      return;
    }
    check_left(n, 1);
    std::memcpy(data, content.data() + position, n);
    position += n;
  }

  const bool is_saving;
  std::string content;
  std::size_t position = 0;
  std::string origin;
  const char *current = "";
};

/// A sum of all bytes (FNV-1a, 64 bits): any change of one byte changes it.
std::uint64_t checksum(const char *bytes, std::size_t n);
} // namespace delassus

#endif

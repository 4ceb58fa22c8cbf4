#ifndef delassus_contact_delassus_aligned_vector_h
#define delassus_contact_delassus_aligned_vector_h

#include <cstddef>
#include <new>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace delassus
{
/// Memory aligned to cache lines; large arrays ask for huge pages, which spare
/// a stream most of its address translations.
template <typename T>
struct AlignedAllocator
{
  using value_type = T;

  AlignedAllocator() = default;
  template <typename U>
  AlignedAllocator(const AlignedAllocator<U> &)
  {
  }

  T *allocate(const std::size_t n)
  {
    const std::size_t alignment = alignment_of(n);
    // Whole pages, so that advice about them concerns nobody else.
    const std::size_t bytes =
        (n * sizeof(T) + alignment - 1) / alignment * alignment;
    void *memory = ::operator new(bytes, std::align_val_t(alignment));
#ifdef MADV_HUGEPAGE
    if (alignment == huge_page)
      madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    return static_cast<T *>(memory);
  }

  void deallocate(T *memory, const std::size_t n)
  {
    ::operator delete(memory, std::align_val_t(alignment_of(n)));
  }

  static constexpr std::size_t cache_line = 64;
  static constexpr std::size_t huge_page  = std::size_t(1) << 21;

  static std::size_t alignment_of(const std::size_t n)
  {
    return n * sizeof(T) >= 4 * huge_page ? huge_page : cache_line;
  }

  template <typename U>
  bool operator==(const AlignedAllocator<U> &) const
  {
    return true;
  }
  template <typename U>
  bool operator!=(const AlignedAllocator<U> &) const
  {
    return false;
  }
};

template <typename T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;
} // namespace delassus

#endif

#ifndef delassus_contact_delassus_aligned_vector_h
#define delassus_contact_delassus_aligned_vector_h

#include <cstddef>
#include <cstdlib>
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
    constexpr std::size_t line = 64, huge = std::size_t(1) << 21;
    const std::size_t bytes     = n * sizeof(T);
    const bool large            = bytes >= 4 * huge;
    const std::size_t alignment = large ? huge : line;
    const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    void *memory              = std::aligned_alloc(alignment, rounded);
    if (memory == nullptr)
      throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    if (large)
      madvise(memory, rounded, MADV_HUGEPAGE);
#endif
    return static_cast<T *>(memory);
  }

  void deallocate(T *memory, std::size_t)
  {
    std::free(memory);
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

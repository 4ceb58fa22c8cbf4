#ifndef delassus_base_memory_h
#define delassus_base_memory_h

namespace delassus
{
/// Bytes that programs can still allocate without swapping, from the kernel's
/// own estimate and the limit of the control group; 0 if unknown.
double available_memory();
} // namespace delassus

#endif

/* What one thread of a group copies where all of them copy together. The front end knows it by its name and
 * takes it for a copy of elements: which thread copies which of them makes no difference, since nobody may look
 * before the group has met. */
#ifndef GW_CPU_COPIED_TOGETHER_H
#define GW_CPU_COPIED_TOGETHER_H
#if defined(__GNUC__)
#pragma GCC system_header
#endif

#if defined(__cplusplus) && defined(__CUDACC__)
static __device__ __inline__ void gw_copied_together(void *to, const void *from, size_t bytes, size_t rank,
                                                     size_t threads) {
    for (size_t i = rank; i < bytes; i += threads)
        static_cast<char *>(to)[i] = static_cast<const char *>(from)[i];
}
#endif
#endif

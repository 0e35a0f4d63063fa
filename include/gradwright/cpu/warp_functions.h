/* Barriers and operations of a warp.
 *
 * For the code that is compiled each call hands its place in the source to the runtime, for messages and to
 * tell barriers apart (call_site.h). */
#ifndef GW_CPU_WARP_FUNCTIONS_H
#define GW_CPU_WARP_FUNCTIONS_H
#if defined(__GNUC__)
#pragma GCC system_header
#endif

#include "call_site.h"
#include "vector_types.h"

// clang-format off: bodies that are macro arguments
extern "C" __device__ void gw_cpu_yield(void) noexcept;

#ifdef GW_CPU_CODEGEN

#define GW_CPU_COLLECTIVE(...)    __VA_ARGS__
#define GW_CPU_INLINE             __device__ __forceinline__

extern "C" {
__device__ int gw_cpu_barrier(int predicate, unsigned int operation, const char *file, unsigned int line,
                              unsigned int column) noexcept;
__device__ unsigned long gw_cpu_warp(unsigned int operation, unsigned int mask, unsigned long value,
                                     unsigned int argument, unsigned int width, const char *file,
                                     unsigned int line, unsigned int column) noexcept;
}

/* A lane's value as bits and back. */
template <class T> __device__ __forceinline__ unsigned long gw_cpu_bits(T value) {
    unsigned long bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    return bits;
}
template <class T> __device__ __forceinline__ T gw_cpu_value(unsigned long bits) {
    T value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

#else
#define GW_CPU_COLLECTIVE(...) ;
#define GW_CPU_INLINE          __device__
#endif

/* The numbers are those of the runtime's tables (barrier.c, warp.c). */
#define GW_CPU_WARP(number, mask, value, argument, width)                                                      \
    gw_cpu_warp(number, mask, gw_cpu_bits(value), argument, (unsigned int)(width)GW_CPU_AND_SITE_OF_CALLER)

GW_CPU_INLINE void __syncthreads(GW_CPU_SITE)
    GW_CPU_COLLECTIVE({ (void)gw_cpu_barrier(0, 0, GW_CPU_SITE_OF_CALLER); })
GW_CPU_INLINE int __syncthreads_count(int predicate GW_CPU_AND_SITE)
    GW_CPU_COLLECTIVE({ return gw_cpu_barrier(predicate, 1, GW_CPU_SITE_OF_CALLER); })
GW_CPU_INLINE int __syncthreads_and(int predicate GW_CPU_AND_SITE)
    GW_CPU_COLLECTIVE({ return gw_cpu_barrier(predicate, 2, GW_CPU_SITE_OF_CALLER); })
GW_CPU_INLINE int __syncthreads_or(int predicate GW_CPU_AND_SITE)
    GW_CPU_COLLECTIVE({ return gw_cpu_barrier(predicate, 3, GW_CPU_SITE_OF_CALLER); })

GW_CPU_INLINE void __syncwarp(unsigned int mask = 0xffffffffu GW_CPU_AND_SITE)
    GW_CPU_COLLECTIVE({ (void)GW_CPU_WARP(0, mask, 0u, 0, 32); })
GW_CPU_INLINE unsigned int __ballot_sync(unsigned int mask, int predicate GW_CPU_AND_SITE)
    GW_CPU_COLLECTIVE({ return (unsigned int)GW_CPU_WARP(5, mask, predicate, 0, 32); })
GW_CPU_INLINE int __any_sync(unsigned int mask, int predicate GW_CPU_AND_SITE)
    GW_CPU_COLLECTIVE({ return (int)GW_CPU_WARP(6, mask, predicate, 0, 32); })
GW_CPU_INLINE int __all_sync(unsigned int mask, int predicate GW_CPU_AND_SITE)
    GW_CPU_COLLECTIVE({ return (int)GW_CPU_WARP(7, mask, predicate, 0, 32); })
GW_CPU_INLINE int __uni_sync(unsigned int mask, int predicate GW_CPU_AND_SITE)
    GW_CPU_COLLECTIVE({ return (int)GW_CPU_WARP(8, mask, predicate != 0, 0, 32); })
GW_CPU_INLINE unsigned int __activemask(GW_CPU_SITE)
    GW_CPU_COLLECTIVE({ return (unsigned int)GW_CPU_WARP(19, 0u, 0u, 0, 32); })

#define GW_CPU_SHUFFLE(name, number, type, argument_type)                                                      \
    GW_CPU_INLINE type name(unsigned int mask, type value, argument_type lane, int width = 32 GW_CPU_AND_SITE) \
        GW_CPU_COLLECTIVE(                                                                                     \
            { return gw_cpu_value<type>(GW_CPU_WARP(number, mask, value, (unsigned int)lane, width)); })
#define GW_CPU_LANES(type)                                                                                     \
    GW_CPU_SHUFFLE(__shfl_sync, 1, type, int)                                                                  \
    GW_CPU_SHUFFLE(__shfl_up_sync, 2, type, unsigned int)                                                      \
    GW_CPU_SHUFFLE(__shfl_down_sync, 3, type, unsigned int)                                                    \
    GW_CPU_SHUFFLE(__shfl_xor_sync, 4, type, int)                                                              \
    GW_CPU_INLINE unsigned int __match_any_sync(unsigned int mask, type value GW_CPU_AND_SITE)                 \
        GW_CPU_COLLECTIVE({ return (unsigned int)GW_CPU_WARP(9, mask, value, 0, 32); })                        \
    GW_CPU_INLINE unsigned int __match_all_sync(unsigned int mask, type value, int *predicate GW_CPU_AND_SITE) \
        GW_CPU_COLLECTIVE({                                                                                    \
            const unsigned int all = (unsigned int)GW_CPU_WARP(10, mask, value, 0, 32);                        \
            *predicate = all != 0;                                                                             \
            return all;                                                                                        \
        })
GW_CPU_LANES(int)
GW_CPU_LANES(unsigned int)
GW_CPU_LANES(long)
GW_CPU_LANES(unsigned long)
GW_CPU_LANES(long long)
GW_CPU_LANES(unsigned long long)
GW_CPU_LANES(float)
GW_CPU_LANES(double)

#define GW_CPU_REDUCE(name, number, type)                                                                      \
    GW_CPU_INLINE type name(unsigned int mask, type value GW_CPU_AND_SITE)                                     \
        GW_CPU_COLLECTIVE({ return (type)GW_CPU_WARP(number, mask, value, 0, 32); })
GW_CPU_REDUCE(__reduce_add_sync, 11, int)
GW_CPU_REDUCE(__reduce_add_sync, 11, unsigned int)
GW_CPU_REDUCE(__reduce_min_sync, 12, int)
GW_CPU_REDUCE(__reduce_min_sync, 13, unsigned int)
GW_CPU_REDUCE(__reduce_max_sync, 14, int)
GW_CPU_REDUCE(__reduce_max_sync, 15, unsigned int)
GW_CPU_REDUCE(__reduce_and_sync, 16, unsigned int)
GW_CPU_REDUCE(__reduce_or_sync, 17, unsigned int)
GW_CPU_REDUCE(__reduce_xor_sync, 18, unsigned int)

/* A thread that sleeps lets others go on. */
GW_CPU_INLINE void __nanosleep(unsigned int) GW_CPU_COLLECTIVE({ gw_cpu_yield(); })
// clang-format on

#undef GW_CPU_SHUFFLE
#undef GW_CPU_LANES
#undef GW_CPU_REDUCE
#undef GW_CPU_WARP
#undef GW_CPU_INLINE
#endif

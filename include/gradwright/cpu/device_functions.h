/* Device functions that are not arithmetic on floating point numbers. */
#ifndef __DEVICE_FUNCTIONS_H__
#define __DEVICE_FUNCTIONS_H__
#if defined(__GNUC__)
#pragma GCC system_header
#endif

#include "vector_types.h"

#define GW_CPU_HD              static __inline__ __host__ __device__
#define GW_CPU_DEVICE_FUNCTION static __inline__ __device__

extern "C" {
__host__ __device__ unsigned long long gw_cpu_launch_id(void) noexcept;
__host__ __device__ long long gw_cpu_clock(void) noexcept;
__host__ __device__ size_t gw_cpu_dynamic_shared_bytes(void) noexcept; /* of the launch */
__host__ __device__ __attribute__((noreturn)) void gw_cpu_trap(void) noexcept;
__host__ __device__ __attribute__((noreturn)) void
gw_cpu_assert_failed(const char *text, const char *file, unsigned int line, const char *function) noexcept;

/* Ticks as cudaDevAttrClockRate counts them; the C library's own clock() is the host's. */
__device__ inline clock_t clock(void) noexcept { return (clock_t)gw_cpu_clock(); }

/* What assert() calls in device code; the C library's own is the host's. */
__device__ __attribute__((noreturn)) inline void
__assert_fail(const char *text, const char *file, unsigned int line, const char *function) noexcept {
    gw_cpu_assert_failed(text, file, line, function);
}
}

#include "graph_types.h"
extern "C" __device__ void gw_cpu_graph_set_conditional(cudaGraphConditionalHandle handle,
                                                        unsigned int value) noexcept;
GW_CPU_DEVICE_FUNCTION void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value) {
    gw_cpu_graph_set_conditional(handle, value);
}

GW_CPU_DEVICE_FUNCTION __attribute__((noreturn)) void __trap(void) { gw_cpu_trap(); }
GW_CPU_DEVICE_FUNCTION long long clock64(void) { return gw_cpu_clock(); }
GW_CPU_DEVICE_FUNCTION void __threadfence(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
GW_CPU_DEVICE_FUNCTION void __threadfence_block(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
GW_CPU_DEVICE_FUNCTION void __threadfence_system(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

#include "warp_functions.h"

/* Cached loads and stores are loads and stores. */
template <class T> __device__ inline T __ldg(const T *p) { return *p; }
template <class T> __device__ inline T __ldca(const T *p) { return *p; }
template <class T> __device__ inline T __ldcg(const T *p) { return *p; }
template <class T> __device__ inline T __ldcs(const T *p) { return *p; }
template <class T> __device__ inline T __ldcv(const T *p) { return *p; }
template <class T> __device__ inline T __ldlu(const T *p) { return *p; }
template <class T> __device__ inline void __stwb(T *p, T value) { *p = value; }
template <class T> __device__ inline void __stcg(T *p, T value) { *p = value; }
template <class T> __device__ inline void __stcs(T *p, T value) { *p = value; }
template <class T> __device__ inline void __stwt(T *p, T value) { *p = value; }

/* There is one address space. */
GW_CPU_DEVICE_FUNCTION size_t __cvta_generic_to_shared(const void *p) { return (size_t)p; }
GW_CPU_DEVICE_FUNCTION size_t __cvta_generic_to_global(const void *p) { return (size_t)p; }
GW_CPU_DEVICE_FUNCTION void *__cvta_shared_to_generic(size_t p) { return (void *)p; }
GW_CPU_DEVICE_FUNCTION void *__cvta_global_to_generic(size_t p) { return (void *)p; }

/* Integers. */
GW_CPU_HD int __clz(int x) { return x ? __builtin_clz((unsigned int)x) : 32; }
GW_CPU_HD int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
GW_CPU_HD int __ffs(int x) { return __builtin_ffs(x); }
GW_CPU_HD int __ffsll(long long x) { return __builtin_ffsll(x); }
GW_CPU_HD int __popc(unsigned int x) { return __builtin_popcount(x); }
GW_CPU_HD int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
GW_CPU_HD unsigned int __brev(unsigned int x) { return __builtin_bitreverse32(x); }
GW_CPU_HD unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
GW_CPU_HD int __mul24(int a, int b) {
    return (int)(((unsigned int)((a << 8) >> 8)) * (unsigned int)((b << 8) >> 8));
}
GW_CPU_HD unsigned int __umul24(unsigned int a, unsigned int b) { return (a & 0xffffffu) * (b & 0xffffffu); }
GW_CPU_HD int __mulhi(int a, int b) { return (int)(((long long)a * b) >> 32); }
GW_CPU_HD unsigned int __umulhi(unsigned int a, unsigned int b) {
    return (unsigned int)(((unsigned long long)a * b) >> 32);
}
GW_CPU_HD long long __mul64hi(long long a, long long b) { return (long long)(((__int128)a * b) >> 64); }
GW_CPU_HD unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned long long)(((unsigned __int128)a * b) >> 64);
}
GW_CPU_HD int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
GW_CPU_HD int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
GW_CPU_HD unsigned int __uhadd(unsigned int a, unsigned int b) {
    return (unsigned int)(((unsigned long long)a + b) >> 1);
}
GW_CPU_HD unsigned int __urhadd(unsigned int a, unsigned int b) {
    return (unsigned int)(((unsigned long long)a + b + 1) >> 1);
}
GW_CPU_HD unsigned int __usad(unsigned int a, unsigned int b, unsigned int c) {
    return (a > b ? a - b : b - a) + c;
}
GW_CPU_HD unsigned int __sad(int a, int b, unsigned int c) {
    return (a > b ? (unsigned int)a - (unsigned int)b : (unsigned int)b - (unsigned int)a) + c;
}
GW_CPU_HD int __dp4a(int a, int b, int c) {
    for (int i = 0; i < 4; ++i)
        c = (int)((unsigned int)c + (unsigned int)((signed char)(a >> 8 * i) * (signed char)(b >> 8 * i)));
    return c;
}
GW_CPU_HD unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c) {
    for (int i = 0; i < 4; ++i) c += (a >> 8 * i & 0xffu) * (b >> 8 * i & 0xffu);
    return c;
}
GW_CPU_HD unsigned int __byte_perm(unsigned int a, unsigned int b, unsigned int selector) {
    const unsigned long long bytes = ((unsigned long long)b << 32) | a;
    unsigned int result = 0;
    for (int i = 0; i < 4; ++i) {
        const unsigned int choice = (selector >> (4 * i)) & 0xfu;
        unsigned int byte = (unsigned int)(bytes >> (8 * (choice & 7u))) & 0xffu;
        if (choice & 8u) byte = byte & 0x80u ? 0xffu : 0u;
        result |= byte << (8 * i);
    }
    return result;
}
GW_CPU_HD unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift) {
    return (unsigned int)(((((unsigned long long)high << 32) | low) << (shift & 31u)) >> 32);
}
GW_CPU_HD unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift) {
    return (unsigned int)((((unsigned long long)high << 32) | low) >> (shift & 31u));
}

#undef GW_CPU_HD
#undef GW_CPU_DEVICE_FUNCTION
#endif

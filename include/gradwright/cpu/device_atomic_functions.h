/* CUDA's atomics: relaxed, as on the device. The _block and _system forms are the same here. */
#ifndef __DEVICE_ATOMIC_FUNCTIONS_H__
#define __DEVICE_ATOMIC_FUNCTIONS_H__
#if defined(__GNUC__)
#pragma GCC system_header
#endif

#include "vector_types.h"

/* Replaces *p by change(*p) in one step; returns what was there. */
template <class Bits, class T, class Change>
__device__ __forceinline__ T gw_cpu_atomic_change(T *p, Change change) {
    Bits *cell = reinterpret_cast<Bits *>(p);
    Bits before = __atomic_load_n(cell, __ATOMIC_RELAXED);
    for (;;) {
        const T old = __builtin_bit_cast(T, before);
        const Bits after = __builtin_bit_cast(Bits, change(old));
        if (__atomic_compare_exchange_n(cell, &before, after, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return old;
    }
}

#define GW_CPU_ATOMIC(name, type, ...)                                                                         \
    static __device__ __forceinline__ type name(type *p, type v)                                               \
        __VA_ARGS__ static __device__ __forceinline__ type name##_block(type *p, type v) {                     \
        return name(p, v);                                                                                     \
    }                                                                                                          \
    static __device__ __forceinline__ type name##_system(type *p, type v) { return name(p, v); }

#define GW_CPU_ATOMIC_FETCH(name, type, builtin)                                                               \
    GW_CPU_ATOMIC(name, type, { return builtin(p, v, __ATOMIC_RELAXED); })

#define GW_CPU_ATOMIC_CHANGE(name, type, bits, result)                                                         \
    GW_CPU_ATOMIC(name, type,                                                                                  \
                  { return gw_cpu_atomic_change<bits>(p, [=](type old) -> type { return result; }); })

/* A thread that tries in vain may be waiting for another one of its block, which must get its turn. */
#ifdef GW_CPU_CODEGEN
#define GW_CPU_YIELD() gw_cpu_yield()
#else
#define GW_CPU_YIELD() ((void)0)
#endif

#define GW_CPU_ATOMIC_CAS(type)                                                                                \
    static __device__ __forceinline__ type atomicCAS(type *p, type expected, type v) {                         \
        if (!__atomic_compare_exchange_n(p, &expected, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))          \
            GW_CPU_YIELD();                                                                                    \
        return expected;                                                                                       \
    }                                                                                                          \
    static __device__ __forceinline__ type atomicCAS_block(type *p, type expected, type v) {                   \
        return atomicCAS(p, expected, v);                                                                      \
    }                                                                                                          \
    static __device__ __forceinline__ type atomicCAS_system(type *p, type expected, type v) {                  \
        return atomicCAS(p, expected, v);                                                                      \
    }

#define GW_CPU_ATOMIC_INTEGER(type)                                                                            \
    GW_CPU_ATOMIC_FETCH(atomicExch, type, __atomic_exchange_n)                                                 \
    GW_CPU_ATOMIC_FETCH(atomicAnd, type, __atomic_fetch_and)                                                   \
    GW_CPU_ATOMIC_FETCH(atomicOr, type, __atomic_fetch_or)                                                     \
    GW_CPU_ATOMIC_FETCH(atomicXor, type, __atomic_fetch_xor)                                                   \
    GW_CPU_ATOMIC_CAS(type)

#define GW_CPU_ATOMIC_ORDERED(type)                                                                            \
    GW_CPU_ATOMIC_CHANGE(atomicMin, type, type, v < old ? v : old)                                             \
    GW_CPU_ATOMIC_CHANGE(atomicMax, type, type, v > old ? v : old)

GW_CPU_ATOMIC_INTEGER(int)
GW_CPU_ATOMIC_INTEGER(unsigned int)
GW_CPU_ATOMIC_INTEGER(unsigned long long)
GW_CPU_ATOMIC_CAS(unsigned short)
GW_CPU_ATOMIC_ORDERED(int)
GW_CPU_ATOMIC_ORDERED(unsigned int)
GW_CPU_ATOMIC_ORDERED(long long)
GW_CPU_ATOMIC_ORDERED(unsigned long long)

GW_CPU_ATOMIC_FETCH(atomicAdd, int, __atomic_fetch_add)
GW_CPU_ATOMIC_FETCH(atomicAdd, unsigned int, __atomic_fetch_add)
GW_CPU_ATOMIC_FETCH(atomicAdd, unsigned long long, __atomic_fetch_add)
GW_CPU_ATOMIC_FETCH(atomicSub, int, __atomic_fetch_sub)
GW_CPU_ATOMIC_FETCH(atomicSub, unsigned int, __atomic_fetch_sub)
GW_CPU_ATOMIC_CHANGE(atomicAdd, float, unsigned int, old + v)
GW_CPU_ATOMIC_CHANGE(atomicAdd, double, unsigned long long, old + v)
GW_CPU_ATOMIC_CHANGE(atomicExch, float, unsigned int, v)
GW_CPU_ATOMIC_CHANGE(atomicInc, unsigned int, unsigned int, old >= v ? 0u : old + 1u)
GW_CPU_ATOMIC_CHANGE(atomicDec, unsigned int, unsigned int, old == 0u || old > v ? v : old - 1u)

/* Vector forms: atomic for each component, as CUDA defines them. */
GW_CPU_ATOMIC(atomicAdd, float2, { return make_float2(atomicAdd(&p->x, v.x), atomicAdd(&p->y, v.y)); })
GW_CPU_ATOMIC(atomicAdd, float4, {
    const float x = atomicAdd(&p->x, v.x), y = atomicAdd(&p->y, v.y);
    const float z = atomicAdd(&p->z, v.z), w = atomicAdd(&p->w, v.w);
    return make_float4(x, y, z, w);
})

#undef GW_CPU_ATOMIC
#undef GW_CPU_ATOMIC_FETCH
#undef GW_CPU_ATOMIC_CHANGE
#undef GW_CPU_ATOMIC_CAS
#undef GW_CPU_YIELD
#undef GW_CPU_ATOMIC_INTEGER
#undef GW_CPU_ATOMIC_ORDERED
#endif

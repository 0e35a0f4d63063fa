/*
 * atomic.cuh - maximum and minimum of floats by atomics, which CUDA lacks and Gradwright can differentiate.
 *
 *     gw_atomic_max(&highest[row], value);
 *
 * sets the cell to the larger of both and returns what it held; a NaN changes nothing. A loop of atomicCAS on
 * fmaxf or fminf is taken for it. Split gradients give the cell's adjoint to the thread whose value it holds in
 * the end.
 */
#ifndef GRADWRIGHT_ATOMIC_CUH
#define GRADWRIGHT_ATOMIC_CUH

#include <cuda_runtime.h>

__device__ inline unsigned long long gw_bits_of_double(double gw_v) {
    return (unsigned long long)__double_as_longlong(gw_v);
}
__device__ inline double gw_double_of_bits(unsigned long long gw_v) {
    return __longlong_as_double((long long)gw_v);
}

#define GW_ATOMIC_EXTREME(name, comparison, T, bits, to_bits, from_bits)                                       \
    __device__ inline T name(T *gw_target, T gw_value) {                                                       \
        bits gw_seen = *(volatile bits *)gw_target;                                                            \
        while (!(from_bits(gw_seen) comparison gw_value) && gw_value == gw_value) {                            \
            const bits gw_before = atomicCAS((bits *)gw_target, gw_seen, to_bits(gw_value));                   \
            if (gw_before == gw_seen) break;                                                                   \
            gw_seen = gw_before;                                                                               \
        }                                                                                                      \
        return from_bits(gw_seen);                                                                             \
    }
GW_ATOMIC_EXTREME(gw_atomic_max, >=, float, int, __float_as_int, __int_as_float)
GW_ATOMIC_EXTREME(gw_atomic_max, >=, double, unsigned long long, gw_bits_of_double, gw_double_of_bits)
GW_ATOMIC_EXTREME(gw_atomic_min, <=, float, int, __float_as_int, __int_as_float)
GW_ATOMIC_EXTREME(gw_atomic_min, <=, double, unsigned long long, gw_bits_of_double, gw_double_of_bits)
#undef GW_ATOMIC_EXTREME

#endif

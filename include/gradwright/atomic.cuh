/*
 * atomic.cuh - maximum and minimum of floats by atomics, which CUDA lacks and Gradwright can differentiate.
 *
 *     gw_atomic_max(&highest[row], value);
 *
 * sets the cell to the larger of both and returns what it held; a NaN changes nothing. Of a loop around atomicCAS it could not
 * be told what it computes. Split gradients give the cell's adjoint to the thread whose value it holds in the end.
 */
#ifndef GRADWRIGHT_ATOMIC_CUH
#define GRADWRIGHT_ATOMIC_CUH

#include <cuda_runtime.h>

__device__ inline unsigned long long gw_bits_of_double(double v) { return (unsigned long long)__double_as_longlong(v); }
__device__ inline double gw_double_of_bits(unsigned long long v) { return __longlong_as_double((long long)v); }

#define GW_ATOMIC_EXTREME(name, comparison, T, bits, to_bits, from_bits)                             \
    __device__ inline T name(T *cell, T value) {                                                    \
        bits seen = *(volatile bits *)cell;                                                         \
        while (!(from_bits(seen) comparison value) && value == value) {                             \
            const bits before = atomicCAS((bits *)cell, seen, to_bits(value));                      \
            if (before == seen) break;                                                              \
            seen = before;                                                                          \
        }                                                                                           \
        return from_bits(seen);                                                                     \
    }
GW_ATOMIC_EXTREME(gw_atomic_max, >=, float, int, __float_as_int, __int_as_float)
GW_ATOMIC_EXTREME(gw_atomic_max, >=, double, unsigned long long, gw_bits_of_double, gw_double_of_bits)
GW_ATOMIC_EXTREME(gw_atomic_min, <=, float, int, __float_as_int, __int_as_float)
GW_ATOMIC_EXTREME(gw_atomic_min, <=, double, unsigned long long, gw_bits_of_double, gw_double_of_bits)
#undef GW_ATOMIC_EXTREME

#endif

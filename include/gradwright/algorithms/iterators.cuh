/*
 * algorithms/iterators.cuh - what stands for Thrust's iterators in the text of a gradient (kernels.cuh):
 * structs of public members that kernels take by value.
 */
#ifndef GRADWRIGHT_ALGORITHMS_ITERATORS_CUH
#define GRADWRIGHT_ALGORITHMS_ITERATORS_CUH

#include <stddef.h>

/* first, first + 1, ... */
template <class _GwT> struct gw_counting {
    typedef _GwT value_type;
    _GwT gw_first;
    gw_counting() = default;
    __host__ __device__ explicit gw_counting(_GwT gw_from) : gw_first(gw_from) {}
    __host__ __device__ _GwT operator[](ptrdiff_t gw_n) const { return gw_first + (_GwT)gw_n; }
    __host__ __device__ gw_counting operator+(ptrdiff_t gw_n) const {
        return gw_counting(gw_first + (_GwT)gw_n);
    }
    __host__ __device__ ptrdiff_t operator-(const gw_counting &gw_other) const {
        return (ptrdiff_t)(gw_first - gw_other.gw_first);
    }
};

#endif

/* Pointers to the device's memory, and values of it; functors, tuples and iterators, which any header of
 * Thrust's brings along. */
#ifndef GRADWRIGHT_THRUST_MEMORY_H
#define GRADWRIGHT_THRUST_MEMORY_H
#include <gradwright/algorithms/each/elementwise.cuh>
#include <thrust/functional.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/pair.h>
#include <thrust/zip_function.h>

namespace thrust {
template <class T> using device_ptr = gw_device_ptr<T>;
template <class T> using device_reference = gw_device_reference<T>;
template <class T> __host__ __device__ T *raw_pointer_cast(const gw_device_ptr<T> &p) { return p.pointed; }
template <class T> __host__ __device__ T *raw_pointer_cast(T *p) { return p; }
template <class T> __host__ __device__ T &raw_reference_cast(T &v) { return v; }
template <class T> __host__ __device__ T &raw_reference_cast(const gw_device_reference<T> &v) { return *v.at; }
template <class T> __host__ __device__ gw_device_ptr<T> device_pointer_cast(T *p) {
    return gw_device_ptr<T>{p};
}
template <class T> __host__ __device__ gw_device_ptr<T> device_pointer_cast(const gw_device_ptr<T> &p) {
    return p;
}
} // namespace thrust
#endif

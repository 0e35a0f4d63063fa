/*
 * on_device.cuh - what clusters.h asks of a library of algorithms, by Thrust.
 */
#ifndef CLUSTERS_ON_DEVICE_CUH
#define CLUSTERS_ON_DEVICE_CUH

#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>

#include "../support/measure.cuh"

#define EVERYWHERE __host__ __device__

template <class T> using array = thrust::device_vector<T>;
template <class T> T *start_of(array<T> &values) { return thrust::raw_pointer_cast(values.data()); }

template <class F> void for_each_index(int n, F f) {
    thrust::for_each_n(thrust::device, thrust::make_counting_iterator(0), n, f);
}
template <class F> double sum_over_indices(int n, F f) {
    const auto first = thrust::make_counting_iterator(0);
    return thrust::transform_reduce(thrust::device, first, first + n, f, 0.0, thrust::plus<double>());
}
template <class T> void sort_by_key(int *keys, int n, T *values) {
    thrust::sort_by_key(thrust::device, keys, keys + n, values);
}
/* How many keys were found. */
template <class T, class F>
int reduce_by_key(const int *keys, int n, const T *values, int *found, T *sums, F add) {
    return (int)(thrust::reduce_by_key(thrust::device, keys, keys + n, values, found, sums,
                                       thrust::equal_to<int>(), add)
                     .first -
                 found);
}

/* What the program around them asks for: memory that the host reads too. */
template <class T> class shared_array {
  public:
    explicit shared_array(const std::vector<T> &values) : count(values.size()) {
        must(cudaMallocManaged((void **)&at, count * sizeof(T)));
        std::copy(values.begin(), values.end(), at);
    }
    shared_array(const shared_array &) = delete;
    shared_array &operator=(const shared_array &) = delete;
    ~shared_array() { cudaFree(at); }
    T *data() { return at; }
    T *begin() { return at; }
    T *end() { return at + count; }

  private:
    T *at = nullptr;
    size_t count;
};
inline void wait_for_all() { must(cudaDeviceSynchronize()); }

#endif

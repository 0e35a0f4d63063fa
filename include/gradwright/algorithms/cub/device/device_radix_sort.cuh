#pragma once
#include <cub/device/gw_device.cuh>
#include <thrust/sort.h>

namespace cub {
struct DeviceRadixSort {
#define GW_CUB_SORT(suffix, descending)                                                                        \
    template <class K, class N>                                                                                \
    static cudaError_t SortKeys##suffix(void *storage, size_t &bytes, const K *keys, K *keys_out, N count,     \
                                        int begin_bit = 0, int end_bit = (int)(8 * sizeof(K)),                 \
                                        cudaStream_t stream = nullptr) {                                       \
        GW_CUB_ASKS(storage, bytes)                                                                            \
        return sorted(stream, keys, keys_out, (size_t)count, descending, begin_bit, end_bit);                  \
    }                                                                                                          \
    template <class K, class V, class N>                                                                       \
    static cudaError_t SortPairs##suffix(void *storage, size_t &bytes, const K *keys, K *keys_out,             \
                                         const V *values, V *values_out, N count, int begin_bit = 0,           \
                                         int end_bit = (int)(8 * sizeof(K)), cudaStream_t stream = nullptr) {  \
        GW_CUB_ASKS(storage, bytes)                                                                            \
        return sorted(stream, keys, keys_out, (size_t)count, descending, begin_bit, end_bit, values,           \
                      values_out);                                                                             \
    }                                                                                                          \
    template <class K, class N>                                                                                \
    static cudaError_t SortKeys##suffix(void *storage, size_t &bytes, DoubleBuffer<K> &keys, N count,          \
                                        int begin_bit = 0, int end_bit = (int)(8 * sizeof(K)),                 \
                                        cudaStream_t stream = nullptr) {                                       \
        GW_CUB_ASKS(storage, bytes)                                                                            \
        const cudaError_t said = sorted(stream, (const K *)keys.Current(), keys.Alternate(), (size_t)count,    \
                                        descending, begin_bit, end_bit);                                       \
        keys.selector ^= 1;                                                                                    \
        return said;                                                                                           \
    }                                                                                                          \
    template <class K, class V, class N>                                                                       \
    static cudaError_t SortPairs##suffix(void *storage, size_t &bytes, DoubleBuffer<K> &keys,                  \
                                         DoubleBuffer<V> &values, N count, int begin_bit = 0,                  \
                                         int end_bit = (int)(8 * sizeof(K)), cudaStream_t stream = nullptr) {  \
        GW_CUB_ASKS(storage, bytes)                                                                            \
        const cudaError_t said =                                                                               \
            sorted(stream, (const K *)keys.Current(), keys.Alternate(), (size_t)count, descending, begin_bit,  \
                   end_bit, (const V *)values.Current(), values.Alternate());                                  \
        keys.selector ^= 1;                                                                                    \
        values.selector ^= 1;                                                                                  \
        return said;                                                                                           \
    }
    GW_CUB_SORT(, 0)
    GW_CUB_SORT(Descending, 1)
#undef GW_CUB_SORT

  private:
    template <class T>
    static void permuted(cudaStream_t stream, const unsigned *order, size_t n, const T *in, T *out) {
        gw_permute<<<gw_algorithm_grid(n), GW_ALGORITHM_THREADS, 0, stream>>>(out, in, order, n);
    }
    /* Keys by their bits, and, if there are any, values by their keys. Bits that a key does not have are an
       error of the primitive, and so of the run, whether or not the program looks at what this says. */
    template <class K, class... V>
    static cudaError_t sorted(cudaStream_t stream, const K *keys, K *keys_out, size_t n, int descending,
                              int begin_bit, int end_bit, V... values) {
        if (n) {
            unsigned *const order = gw_order_of_bits(stream, keys, n, descending, begin_bit, end_bit);
            permuted(stream, (const unsigned *)order, n, keys, keys_out);
            if constexpr (sizeof...(V) != 0) permuted(stream, (const unsigned *)order, n, values...);
            cudaFreeAsync(order, stream);
        }
        return cudaPeekAtLastError();
    }
};
} // namespace cub

#pragma once
#include <cub/device/gw_device.cuh>
#include <thrust/sort.h>

namespace cub {
/* All of them are stable. */
struct DeviceMergeSort {
    template <class K, class N, class F>
    static cudaError_t StableSortKeys(void *storage, size_t &bytes, K keys, N count, F less,
                                      cudaStream_t stream = nullptr) {
        GW_CUB_ASKS(storage, bytes)
        return sorted(stream, (size_t)count, less, gw_bare(keys));
    }
    template <class K, class V, class N, class F>
    static cudaError_t StableSortPairs(void *storage, size_t &bytes, K keys, V values, N count, F less,
                                       cudaStream_t stream = nullptr) {
        GW_CUB_ASKS(storage, bytes)
        return sorted(stream, (size_t)count, less, gw_bare(keys), gw_bare(values));
    }
    template <class K, class N, class F>
    static cudaError_t SortKeys(void *storage, size_t &bytes, K keys, N count, F less,
                                cudaStream_t stream = nullptr) {
        return StableSortKeys(storage, bytes, keys, count, less, stream);
    }
    template <class K, class V, class N, class F>
    static cudaError_t SortPairs(void *storage, size_t &bytes, K keys, V values, N count, F less,
                                 cudaStream_t stream = nullptr) {
        return StableSortPairs(storage, bytes, keys, values, count, less, stream);
    }
    template <class... A> static gw_whatever SortKeysCopy(A &&...) GW_NOT_HERE;
    template <class... A> static gw_whatever SortPairsCopy(A &&...) GW_NOT_HERE;
    template <class... A> static gw_whatever StableSortKeysCopy(A &&...) GW_NOT_HERE;

  private:
    /* Keys, and, if there are any, values by their keys. */
    template <class F, class K, class... V>
    static cudaError_t sorted(cudaStream_t stream, size_t n, F less, K keys, V... values) {
        if (n) {
            unsigned *const order = gw_order_of(stream, keys, n, less);
            gw_put_in_order(stream, keys, (const unsigned *)order, n);
            if constexpr (sizeof...(V) != 0) gw_put_in_order(stream, values..., (const unsigned *)order, n);
            cudaFreeAsync(order, stream);
        }
        return cudaPeekAtLastError();
    }
};
} // namespace cub

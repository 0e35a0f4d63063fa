#pragma once
#include <cub/device/gw_device.cuh>

namespace cub {
struct DeviceFor {
    template <class I, class N, class F>
    static cudaError_t ForEachN(I first, N count, F f, cudaStream_t stream = nullptr) {
        const size_t n = (size_t)count;
        if (n) gw_for_each<<<gw_algorithm_grid(n), GW_ALGORITHM_THREADS, 0, stream>>>(gw_bare(first), n, f);
        return cudaPeekAtLastError();
    }
    template <class I, class F>
    static cudaError_t ForEach(I first, I last, F f, cudaStream_t stream = nullptr) {
        return ForEachN(first, last - first, f, stream);
    }
    template <class N, class F> static cudaError_t Bulk(N count, F f, cudaStream_t stream = nullptr) {
        return ForEachN(gw_counting<N>(0), count, f, stream);
    }
    template <class I, class N, class F>
    static cudaError_t ForEachN(void *storage, size_t &bytes, I first, N count, F f,
                                cudaStream_t stream = nullptr) {
        GW_CUB_ASKS(storage, bytes)
        return ForEachN(first, count, f, stream);
    }
    template <class I, class F>
    static cudaError_t ForEach(void *storage, size_t &bytes, I first, I last, F f,
                               cudaStream_t stream = nullptr) {
        GW_CUB_ASKS(storage, bytes)
        return ForEach(first, last, f, stream);
    }
    template <class N, class F>
    static cudaError_t Bulk(void *storage, size_t &bytes, N count, F f, cudaStream_t stream = nullptr) {
        GW_CUB_ASKS(storage, bytes)
        return Bulk(count, f, stream);
    }
    template <class... A> static gw_whatever ForEachCopy(A &&...) GW_NOT_HERE;
    template <class... A> static gw_whatever ForEachCopyN(A &&...) GW_NOT_HERE;
    template <class... A> static gw_whatever ForEachInExtents(A &&...) GW_NOT_HERE;
};
} // namespace cub

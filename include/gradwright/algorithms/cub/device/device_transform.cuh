#pragma once
#include <cub/device/gw_device.cuh>

namespace cub {
struct DeviceTransform {
    template <class In, class Out, class N, class F, class = gw_if_count<N>>
    static cudaError_t Transform(In in, Out out, N count, F f, cudaStream_t stream = nullptr) {
        const size_t n = (size_t)count;
        if (n)
            gw_transform<<<gw_algorithm_grid(n), GW_ALGORITHM_THREADS, 0, stream>>>(gw_bare(out), gw_bare(in),
                                                                                    n, gw_cub_made(f));
        return cudaPeekAtLastError();
    }
    template <class In, class Out, class N, class F, class = gw_if_count<N>>
    static cudaError_t Transform(void *storage, size_t &bytes, In in, Out out, N count, F f,
                                 cudaStream_t stream = nullptr) {
        GW_CUB_ASKS(storage, bytes)
        return Transform(in, out, count, f, stream);
    }
    template <class... A> static gw_whatever TransformStableArgumentAddresses(A &&...) GW_NOT_HERE;
};
} // namespace cub

#pragma once
#include <cub/device/gw_device.cuh>

namespace cub {
/* Segments from begin[s] to end[s] - 1, in any order, apart or not; of an empty one `init`. */
struct DeviceSegmentedReduce {
    template <class In, class Out, class N, class B, class E, class F, class T>
    static cudaError_t Reduce(void *storage, size_t &bytes, In in, Out out, N segments, B begin, E end, F f,
                              T init, cudaStream_t stream = nullptr) {
        GW_CUB_ASKS(storage, bytes)
        using sum = gw_cub_sum<F, T, In>;
        const size_t count = (size_t)segments, parts = count * GW_SEGMENT_PARTS;
        if (count) {
            sum *part;
            cudaMallocAsync(&part, parts * sizeof(sum), stream);
            gw_reduce_of_segment_part<<<gw_algorithm_grid(parts), GW_ALGORITHM_THREADS, 0, stream>>>(
                part, gw_bare(in), gw_bare(begin), gw_bare(end), count, gw_cub_made(f));
            gw_reduce_of_segment<<<gw_algorithm_grid(count), GW_ALGORITHM_THREADS, 0, stream>>>(
                gw_bare(out), (const sum *)part, gw_bare(begin), gw_bare(end), count, (sum)init,
                gw_cub_made(f));
            cudaFreeAsync(part, stream);
        }
        return cudaPeekAtLastError();
    }
    template <class In, class Out, class N, class B, class E>
    static cudaError_t Sum(void *storage, size_t &bytes, In in, Out out, N segments, B begin, E end,
                           cudaStream_t stream = nullptr) {
        return Reduce(storage, bytes, in, out, segments, begin, end, gw_plus<>{}, gw_cub_stored<In, Out>(0),
                      stream);
    }
    template <class In, class Out, class N, class B, class E>
    static cudaError_t Min(void *storage, size_t &bytes, In in, Out out, N segments, B begin, E end,
                           cudaStream_t stream = nullptr) {
        using T = gw_value_of<In>;
        return Reduce(storage, bytes, in, out, segments, begin, end, gw_minimum<T>{},
                      std::numeric_limits<T>::max(), stream);
    }
    template <class In, class Out, class N, class B, class E>
    static cudaError_t Max(void *storage, size_t &bytes, In in, Out out, N segments, B begin, E end,
                           cudaStream_t stream = nullptr) {
        using T = gw_value_of<In>;
        return Reduce(storage, bytes, in, out, segments, begin, end, gw_maximum<T>{},
                      std::numeric_limits<T>::lowest(), stream);
    }
    template <class... A> static gw_whatever ArgMin(A &&...) GW_NOT_HERE;
    template <class... A> static gw_whatever ArgMax(A &&...) GW_NOT_HERE;
};
} // namespace cub

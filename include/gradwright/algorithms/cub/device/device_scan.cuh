#pragma once
#include <cub/device/gw_device.cuh>
#include <thrust/gw_by_key.h>

namespace cub {
struct DeviceScan {
    template <class In, class Out, class F, class T, class N, class = gw_if_count<N>>
    static cudaError_t ExclusiveScan(void *storage, size_t &bytes, In in, Out out, F f, T init, N count,
                                     cudaStream_t stream = nullptr) {
        GW_CUB_ASKS(storage, bytes)
        using sum = gw_cub_sum<F, T, In>;
        if (count)
            gw_scanned<sum, true>(stream, gw_bare(in), (size_t)count, gw_bare(out), (sum)init, gw_cub_made(f));
        return cudaPeekAtLastError();
    }
    template <class In, class Out, class F, class N, class = gw_if_count<N>>
    static cudaError_t InclusiveScan(void *storage, size_t &bytes, In in, Out out, F f, N count,
                                     cudaStream_t stream = nullptr) {
        GW_CUB_ASKS(storage, bytes)
        using T = gw_value_of<In>;
        if (count) gw_scanned<T, false>(stream, gw_bare(in), (size_t)count, gw_bare(out), T(), gw_cub_made(f));
        return cudaPeekAtLastError();
    }
    template <class In, class Out, class F, class T, class N, class = gw_if_count<N>>
    static cudaError_t InclusiveScanInit(void *storage, size_t &bytes, In in, Out out, F f, T init, N count,
                                         cudaStream_t stream = nullptr) {
        GW_CUB_ASKS(storage, bytes)
        using sum = gw_cub_sum<F, T, In>;
        const size_t n = (size_t)count;
        if (n) {
            sum *all;
            cudaMallocAsync(&all, n * sizeof(sum), stream);
            gw_scanned<sum, false>(stream, gw_bare(in), n, all, sum(), gw_cub_made(f));
            gw_scan_begin<<<gw_algorithm_grid(n), GW_ALGORITHM_THREADS, 0, stream>>>(
                gw_bare(out), (const sum *)all, n, (sum)init, gw_cub_made(f));
            cudaFreeAsync(all, stream);
        }
        return cudaPeekAtLastError();
    }
    template <class In, class Out, class N, class = gw_if_count<N>>
    static cudaError_t ExclusiveSum(void *storage, size_t &bytes, In in, Out out, N count,
                                    cudaStream_t stream = nullptr) {
        return ExclusiveScan(storage, bytes, in, out, gw_plus<>{}, gw_value_of<In>(0), count, stream);
    }
    template <class In, class Out, class N, class = gw_if_count<N>>
    static cudaError_t InclusiveSum(void *storage, size_t &bytes, In in, Out out, N count,
                                    cudaStream_t stream = nullptr) {
        return InclusiveScan(storage, bytes, in, out, gw_plus<>{}, count, stream);
    }

    /* ---- in place ---- */
    template <class At, class F, class T, class N, class = gw_if_count<N>>
    static cudaError_t ExclusiveScan(void *storage, size_t &bytes, At at, F f, T init, N count,
                                     cudaStream_t stream = nullptr) {
        return ExclusiveScan(storage, bytes, at, at, f, init, count, stream);
    }
    template <class At, class F, class N, class = gw_if_count<N>>
    static cudaError_t InclusiveScan(void *storage, size_t &bytes, At at, F f, N count,
                                     cudaStream_t stream = nullptr) {
        return InclusiveScan(storage, bytes, at, at, f, count, stream);
    }
    template <class At, class N, class = gw_if_count<N>>
    static cudaError_t ExclusiveSum(void *storage, size_t &bytes, At at, N count,
                                    cudaStream_t stream = nullptr) {
        return ExclusiveSum(storage, bytes, at, at, count, stream);
    }
    template <class At, class N, class = gw_if_count<N>>
    static cudaError_t InclusiveSum(void *storage, size_t &bytes, At at, N count,
                                    cudaStream_t stream = nullptr) {
        return InclusiveSum(storage, bytes, at, at, count, stream);
    }

    /* ---- by key ---- */
    template <class K, class In, class Out, class F, class T, class N, class E = gw_equal_to<>>
    static cudaError_t ExclusiveScanByKey(void *storage, size_t &bytes, K keys, In in, Out out, F f, T init,
                                          N count, E same = E(), cudaStream_t stream = nullptr) {
        GW_CUB_ASKS(storage, bytes)
        using sum = gw_cub_sum<F, T, In>;
        if (count)
            gw_scanned_by_key<sum, true>(stream, gw_bare(keys), gw_bare(in), (size_t)count, gw_bare(out),
                                         (sum)init, gw_cub_made(same), gw_cub_made(f));
        return cudaPeekAtLastError();
    }
    template <class K, class In, class Out, class F, class N, class E = gw_equal_to<>>
    static cudaError_t InclusiveScanByKey(void *storage, size_t &bytes, K keys, In in, Out out, F f, N count,
                                          E same = E(), cudaStream_t stream = nullptr) {
        GW_CUB_ASKS(storage, bytes)
        using T = gw_value_of<In>;
        if (count)
            gw_scanned_by_key<T, false>(stream, gw_bare(keys), gw_bare(in), (size_t)count, gw_bare(out), T(),
                                        gw_cub_made(same), gw_cub_made(f));
        return cudaPeekAtLastError();
    }
    template <class K, class In, class Out, class N, class E = gw_equal_to<>>
    static cudaError_t ExclusiveSumByKey(void *storage, size_t &bytes, K keys, In in, Out out, N count,
                                         E same = E(), cudaStream_t stream = nullptr) {
        return ExclusiveScanByKey(storage, bytes, keys, in, out, gw_plus<>{}, gw_value_of<In>(0), count, same,
                                  stream);
    }
    template <class K, class In, class Out, class N, class E = gw_equal_to<>>
    static cudaError_t InclusiveSumByKey(void *storage, size_t &bytes, K keys, In in, Out out, N count,
                                         E same = E(), cudaStream_t stream = nullptr) {
        return InclusiveScanByKey(storage, bytes, keys, in, out, gw_plus<>{}, count, same, stream);
    }
};
} // namespace cub

#pragma once
#include <cub/device/gw_device.cuh>
#include <thrust/extrema.h>
#include <thrust/gw_by_key.h>

/* Into a cell of the device; of no elements `init`. */
template <class T, class In, class Out, class F>
cudaError_t gw_cub_reduced(cudaStream_t stream, In in, size_t n, Out out, T init, F f) {
    if (n)
        gw_reduced_to(stream, in, n, out, init, f);
    else
        gw_fill<<<1, 1, 0, stream>>>(out, (size_t)1, init);
    return cudaPeekAtLastError();
}

/* Keys, sums and their count; where these are not of plain numbers by integers, the count is waited for. */
template <class K, class V, class KO, class VO, class Count, class F>
void gw_cub_reduced_by_key(cudaStream_t stream, K keys, V values, size_t n, KO keys_out, VO values_out,
                           Count count_out, F f) {
    if (n == 0) {
        gw_fill<<<1, 1, 0, stream>>>(count_out, (size_t)1, (gw_value_of<Count>)0);
    } else if constexpr (gw_sums_plain<K, V, KO, VO, gw_equal_to<>, F>) {
        unsigned *count;
        cudaMallocAsync(&count, sizeof(unsigned), stream);
        gw_counted_by_key(stream, keys, values, n, keys_out, values_out, count);
        gw_copy<<<1, 1, 0, stream>>>(count_out, (const unsigned *)count, (size_t)1);
        cudaFreeAsync(count, stream);
    } else {
        const size_t count = gw_reduced_by_key<gw_value_of<V>>(stream, keys, values, n, keys_out, values_out,
                                                               gw_equal_to<>{}, f);
        gw_fill<<<1, 1, 0, stream>>>(count_out, (size_t)1, (gw_value_of<Count>)count);
    }
}

/* The best and its place, the first of several; of none CUB's own: the worst, at 1. */
template <class T, class In, class Out, class At, class Less>
cudaError_t gw_cub_best(cudaStream_t stream, In in, size_t n, Out out, At at_out, T worst, Less less) {
    if (n) {
        ptrdiff_t *const best = gw_best_cell(stream, in, n, less);
        gw_best_out<<<1, 1, 0, stream>>>(out, at_out, in, (const ptrdiff_t *)best);
        cudaFreeAsync(best, stream);
    } else {
        gw_fill<<<1, 1, 0, stream>>>(out, (size_t)1, worst);
        gw_fill<<<1, 1, 0, stream>>>(at_out, (size_t)1, (gw_value_of<At>)1);
    }
    return cudaPeekAtLastError();
}
template <class T, class In, class Out, class Less>
cudaError_t gw_cub_best_pair(cudaStream_t stream, In in, size_t n, Out out, T worst, Less less) {
    if (n) {
        ptrdiff_t *const best = gw_best_cell(stream, in, n, less);
        gw_best_pair<<<1, 1, 0, stream>>>(out, in, (const ptrdiff_t *)best);
        cudaFreeAsync(best, stream);
    } else {
        gw_fill_pair<<<1, 1, 0, stream>>>(out, worst);
    }
    return cudaPeekAtLastError();
}

namespace cub {
struct DeviceReduce {
    template <class In, class Out, class N, class F, class T>
    static cudaError_t Reduce(void *storage, size_t &bytes, In in, Out out, N count, F f, T init,
                              cudaStream_t stream = nullptr) {
        GW_CUB_ASKS(storage, bytes)
        return gw_cub_reduced<gw_cub_sum<F, T, In>>(stream, gw_bare(in), (size_t)count, gw_bare(out), init,
                                                    gw_cub_made(f));
    }
    template <class In, class Out, class N, class F, class U, class T>
    static cudaError_t TransformReduce(void *storage, size_t &bytes, In in, Out out, N count, F f, U map,
                                       T init, cudaStream_t stream = nullptr) {
        return Reduce(storage, bytes, gw_transformed<U, In>{in, map}, out, count, f, init, stream);
    }
    template <class In, class Out, class N>
    static cudaError_t Sum(void *storage, size_t &bytes, In in, Out out, N count,
                           cudaStream_t stream = nullptr) {
        return Reduce(storage, bytes, in, out, count, gw_plus<>{}, gw_cub_stored<In, Out>(0), stream);
    }
    template <class In, class Out, class N>
    static cudaError_t Min(void *storage, size_t &bytes, In in, Out out, N count,
                           cudaStream_t stream = nullptr) {
        using T = gw_value_of<In>;
        return Reduce(storage, bytes, in, out, count, gw_minimum<T>{}, std::numeric_limits<T>::max(), stream);
    }
    template <class In, class Out, class N>
    static cudaError_t Max(void *storage, size_t &bytes, In in, Out out, N count,
                           cudaStream_t stream = nullptr) {
        using T = gw_value_of<In>;
        return Reduce(storage, bytes, in, out, count, gw_maximum<T>{}, std::numeric_limits<T>::lowest(),
                      stream);
    }
    template <class In, class Out, class At, class N, class = gw_if_count<N>>
    static cudaError_t ArgMin(void *storage, size_t &bytes, In in, Out out, At at_out, N count,
                              cudaStream_t stream = nullptr) {
        GW_CUB_ASKS(storage, bytes)
        using T = gw_value_of<In>;
        return gw_cub_best(stream, gw_bare(in), (size_t)count, gw_bare(out), gw_bare(at_out),
                           std::numeric_limits<T>::max(), gw_less<T>{});
    }
    template <class In, class Out, class At, class N, class = gw_if_count<N>>
    static cudaError_t ArgMax(void *storage, size_t &bytes, In in, Out out, At at_out, N count,
                              cudaStream_t stream = nullptr) {
        GW_CUB_ASKS(storage, bytes)
        using T = gw_value_of<In>;
        return gw_cub_best(stream, gw_bare(in), (size_t)count, gw_bare(out), gw_bare(at_out),
                           std::numeric_limits<T>::lowest(), gw_greater<T>{});
    }
    template <class In, class Out, class N, class = gw_if_count<N>>
    static cudaError_t ArgMin(void *storage, size_t &bytes, In in, Out out, N count,
                              cudaStream_t stream = nullptr) {
        GW_CUB_ASKS(storage, bytes)
        using T = gw_value_of<In>;
        return gw_cub_best_pair(stream, gw_bare(in), (size_t)count, gw_bare(out), std::numeric_limits<T>::max(),
                                gw_less<T>{});
    }
    template <class In, class Out, class N, class = gw_if_count<N>>
    static cudaError_t ArgMax(void *storage, size_t &bytes, In in, Out out, N count,
                              cudaStream_t stream = nullptr) {
        GW_CUB_ASKS(storage, bytes)
        using T = gw_value_of<In>;
        return gw_cub_best_pair(stream, gw_bare(in), (size_t)count, gw_bare(out),
                                std::numeric_limits<T>::lowest(), gw_greater<T>{});
    }
    template <class K, class KO, class V, class VO, class Count, class F, class N>
    static cudaError_t ReduceByKey(void *storage, size_t &bytes, K keys, KO keys_out, V values, VO values_out,
                                   Count count_out, F f, N count, cudaStream_t stream = nullptr) {
        GW_CUB_ASKS(storage, bytes)
        gw_cub_reduced_by_key(stream, gw_bare(keys), gw_bare(values), (size_t)count, gw_bare(keys_out),
                              gw_bare(values_out), gw_bare(count_out), gw_cub_made(f));
        return cudaPeekAtLastError();
    }
};
} // namespace cub

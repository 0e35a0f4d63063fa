#pragma once
#include <cub/device/gw_device.cuh>
#include <thrust/gw_heads.h>

namespace cub {
/* Flags or a functor say which elements are chosen: these are numbered, and each goes to its own place. */
struct DeviceSelect {
    template <class In, class S, class Out, class Count, class N, class Q, class = gw_if_count<N>>
    static cudaError_t FlaggedIf(void *storage, size_t &bytes, In in, S stencil, Out out, Count count_out,
                                 N count, Q q, cudaStream_t stream = nullptr) {
        GW_CUB_ASKS(storage, bytes)
        const size_t n = (size_t)count;
        if (n == 0) return none(stream, gw_bare(count_out));
        int *flags;
        unsigned *number;
        gw_take(stream, n, flags, number);
        gw_flag_where<<<gw_algorithm_grid(n), GW_ALGORITHM_THREADS, 0, stream>>>(flags, gw_bare(stencil), n, q);
        numbered(stream, flags, n, number, gw_bare(count_out));
        gw_put_chosen(stream, gw_bare(in), n, flags, number, gw_bare(out));
        gw_drop(stream, flags, number);
        return cudaPeekAtLastError();
    }
    template <class In, class S, class Out, class Count, class N, class = gw_if_count<N>>
    static cudaError_t Flagged(void *storage, size_t &bytes, In in, S flagged, Out out, Count count_out,
                               N count, cudaStream_t stream = nullptr) {
        return FlaggedIf(storage, bytes, in, flagged, out, count_out, count, gw_is_set{}, stream);
    }
    template <class In, class Out, class Count, class N, class Q, class = gw_if_count<N>>
    static cudaError_t If(void *storage, size_t &bytes, In in, Out out, Count count_out, N count, Q q,
                          cudaStream_t stream = nullptr) {
        return FlaggedIf(storage, bytes, in, in, out, count_out, count, q, stream);
    }

    /* ---- in place ---- */
    template <class At, class S, class Count, class N, class Q, class = gw_if_count<N>>
    static cudaError_t FlaggedIf(void *storage, size_t &bytes, At at, S stencil, Count count_out, N count, Q q,
                                 cudaStream_t stream = nullptr) {
        GW_CUB_ASKS(storage, bytes)
        const size_t n = (size_t)count;
        if (n == 0) return none(stream, gw_bare(count_out));
        gw_value_of<At> *const old = gw_kept(stream, gw_bare(at), n);
        FlaggedIf(storage, bytes, (const gw_value_of<At> *)old, stencil, at, count_out, count, q, stream);
        cudaFreeAsync(old, stream);
        return cudaPeekAtLastError();
    }
    template <class At, class S, class Count, class N, class = gw_if_count<N>>
    static cudaError_t Flagged(void *storage, size_t &bytes, At at, S flagged, Count count_out, N count,
                               cudaStream_t stream = nullptr) {
        return FlaggedIf(storage, bytes, at, flagged, count_out, count, gw_is_set{}, stream);
    }
    template <class At, class Count, class N, class Q, class = gw_if_count<N>>
    static cudaError_t If(void *storage, size_t &bytes, At at, Count count_out, N count, Q q,
                          cudaStream_t stream = nullptr) {
        return FlaggedIf(storage, bytes, at, at, count_out, count, q, stream);
    }

    /* ---- neighbours that are equal become the first of them ---- */
    template <class K, class V, class KO, class VO, class Count, class N, class E,
              class = std::enable_if_t<!std::is_pointer_v<E>>>
    static cudaError_t UniqueByKey(void *storage, size_t &bytes, K keys, V values, KO keys_out, VO values_out,
                                   Count count_out, N count, E same, cudaStream_t stream = nullptr) {
        GW_CUB_ASKS(storage, bytes)
        const size_t n = (size_t)count;
        if (n == 0) return none(stream, gw_bare(count_out));
        int *flags;
        unsigned *number;
        heads(stream, gw_bare(keys), n, gw_cub_made(same), flags, number, gw_bare(count_out));
        gw_put_chosen(stream, gw_bare(keys), n, flags, number, gw_bare(keys_out));
        gw_put_chosen(stream, gw_bare(values), n, flags, number, gw_bare(values_out));
        gw_drop(stream, flags, number);
        return cudaPeekAtLastError();
    }
    template <class K, class V, class KO, class VO, class Count, class N>
    static cudaError_t UniqueByKey(void *storage, size_t &bytes, K keys, V values, KO keys_out, VO values_out,
                                   Count count_out, N count, cudaStream_t stream = nullptr) {
        return UniqueByKey(storage, bytes, keys, values, keys_out, values_out, count_out, count,
                           gw_equal_to<>{}, stream);
    }
    template <class In, class Out, class Count, class N>
    static cudaError_t Unique(void *storage, size_t &bytes, In in, Out out, Count count_out, N count,
                              cudaStream_t stream = nullptr) {
        GW_CUB_ASKS(storage, bytes)
        const size_t n = (size_t)count;
        if (n == 0) return none(stream, gw_bare(count_out));
        int *flags;
        unsigned *number;
        heads(stream, gw_bare(in), n, gw_equal_to<>{}, flags, number, gw_bare(count_out));
        gw_put_chosen(stream, gw_bare(in), n, flags, number, gw_bare(out));
        gw_drop(stream, flags, number);
        return cudaPeekAtLastError();
    }

  private:
    template <class Count> static cudaError_t none(cudaStream_t stream, Count count_out) {
        gw_fill<<<1, 1, 0, stream>>>(count_out, (size_t)1, (gw_value_of<Count>)0);
        return cudaPeekAtLastError();
    }
    template <class Count>
    static void numbered(cudaStream_t stream, const int *flags, size_t n, unsigned *number, Count count_out) {
        unsigned *count;
        cudaMallocAsync(&count, sizeof(unsigned), stream);
        gw_numbers_of(stream, flags, n, number, count);
        gw_copy<<<1, 1, 0, stream>>>(count_out, (const unsigned *)count, (size_t)1);
        cudaFreeAsync(count, stream);
    }
    template <class K, class E, class Count>
    static void heads(cudaStream_t stream, K keys, size_t n, E same, int *&flags, unsigned *&number,
                      Count count_out) {
        gw_take(stream, n, flags, number);
        gw_flag_heads<<<gw_algorithm_grid(n), GW_ALGORITHM_THREADS, 0, stream>>>(flags, keys, n, same);
        numbered(stream, flags, n, number, count_out);
    }
};
} // namespace cub

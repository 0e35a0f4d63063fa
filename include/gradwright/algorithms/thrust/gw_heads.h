/* Segments: neighbours with equal keys. `flags` says where one begins, `number` which one it is, from 1 on. */
#ifndef GRADWRIGHT_THRUST_HEADS_H
#define GRADWRIGHT_THRUST_HEADS_H
#include <thrust/gw_select.h>

template <class K, class E>
size_t gw_divide(cudaStream_t stream, K keys, size_t n, E same, int *&flags, unsigned *&number) {
    gw_take(stream, n, flags, number);
    gw_flag_heads<<<gw_algorithm_grid(n), GW_ALGORITHM_THREADS, 0, stream>>>(flags, keys, n, same);
    return gw_counted(stream, flags, n, number);
}

/* The first of each segment of `keys`, of `in`, to `out`. */
template <class K, class In, class Out, class E>
size_t gw_copied_heads(cudaStream_t stream, K keys, In in, size_t n, Out out, E same) {
    if (n == 0) return 0;
    int *flags;
    unsigned *number;
    const size_t count = gw_divide(stream, keys, n, same, flags, number);
    gw_put_chosen(stream, in, n, flags, number, out);
    gw_drop(stream, flags, number);
    return count;
}

/* A pointer to the elements: theirs, or that of a copy, which `copy` is then. */
template <class T, class I> const T *gw_flattened(cudaStream_t stream, I in, size_t n, T *&copy) {
    copy = nullptr;
    if constexpr (std::is_same_v<I, T *> || std::is_same_v<I, const T *>) {
        return in;
    } else {
        copy = gw_kept(stream, in, n);
        return copy;
    }
}
#endif

/* Scans by any functor that is associative, and the best of all: each level is a kernel, of which a thread
 * takes GW_TREE_ITEMS elements. The tool makes their adjoints, as of any kernel: of a product by what it
 * multiplied, so that zeros are no case of their own; of a minimum or maximum to the one that won. */
#ifndef GRADWRIGHT_ALGORITHMS_TREE_CUH
#define GRADWRIGHT_ALGORITHMS_TREE_CUH
#include "gradwright/algorithms/each/elementwise.cuh"
#include "gradwright/algorithms/each/functors.cuh"

enum { GW_TREE_ITEMS = 32 };

/* The next level has so many parts. */
inline size_t gw_tree_parts(size_t n) { return (n + GW_TREE_ITEMS - 1) / GW_TREE_ITEMS; }
/* All levels above one of n elements together. */
inline size_t gw_tree_room(size_t n) { return n / (GW_TREE_ITEMS - 1) + 16; }

/* The place of the best element, the first of several: `less` says that one comes before another. in_at: the
 * places of those to choose from. */
template <class At, class In, class Less>
__global__ void gw_best_parts(ptrdiff_t *out, At in_at, In in, size_t n, size_t parts, Less less) {
    const size_t t = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (t < parts) {
        ptrdiff_t best = in_at[t];
        for (int k = 1; k < GW_TREE_ITEMS; k++) {
            const size_t i = t + k * parts;
            if (i < n) {
                const ptrdiff_t at = in_at[i];
                if (less(in[at], in[best]) || (!less(in[best], in[at]) && at < best)) best = at;
            }
        }
        out[t] = best;
    }
}

/* What lies there, and where that is. */
template <class Out, class At, class In>
__global__ void gw_best_out(Out out, At at_out, In in, const ptrdiff_t *best) {
    out[0] = in[best[0]];
    at_out[0] = best[0];
}
template <class Out, class In> __global__ void gw_best_pair(Out out, In in, const ptrdiff_t *best) {
    out[0].key = best[0];
    out[0].value = in[best[0]];
}

/* What no elements give. */
template <class Out, class T> __global__ void gw_fill_pair(Out out, T worst) {
    out[0].key = 1;
    out[0].value = worst;
}

/* ---- scans: parts are of neighbours ---- */
/* What each part's last segment comes to, and whether one begins in it. */
template <class T, class In, class H, class F>
__global__ void gw_scan_up(T *out, int *begins, In in, H head, size_t n, F f) {
    const size_t t = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t first = t * GW_TREE_ITEMS;
    if (first < n) {
        T r = in[first];
        int any = head[first] ? 1 : 0;
        for (int k = 1; k < GW_TREE_ITEMS; k++) {
            const size_t i = first + k;
            if (i < n) {
                if (head[i]) {
                    r = in[i];
                    any = 1;
                } else {
                    r = f(r, in[i]);
                }
            }
        }
        out[t] = r;
        begins[t] = any;
    }
}

/* carry[t - 1]: all before part t, scanned. */
template <class T, class Out, class In, class H, class F>
__global__ void gw_scan_down(Out out, const T *carry, In in, H head, size_t n, F f) {
    const size_t t = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t first = t * GW_TREE_ITEMS;
    if (first < n) {
        T r = in[first];
        if (t > 0 && !head[first]) r = f(carry[t - 1], r);
        out[first] = r;
        for (int k = 1; k < GW_TREE_ITEMS; k++) {
            const size_t i = first + k;
            if (i < n) {
                if (head[i])
                    r = in[i];
                else
                    r = f(r, in[i]);
                out[i] = r;
            }
        }
    }
}

/* With what an inclusive scan begins with. */
template <class Out, class T, class F>
__global__ void gw_scan_begin(Out out, const T *inclusive, size_t n, T first, F f) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = f(first, inclusive[i]);
}

/* An exclusive scan of an inclusive one, with what segments begin with. */
template <class Out, class T, class H, class F>
__global__ void gw_scan_shift(Out out, const T *inclusive, H head, size_t n, T first, F f) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        if (i == 0 || head[i])
            out[i] = first;
        else
            out[i] = f(first, inclusive[i - 1]);
    }
}
#endif

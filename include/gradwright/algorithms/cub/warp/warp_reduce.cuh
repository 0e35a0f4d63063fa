/* The result of lanes goes to the first one of them: what the others get is undefined, as it is with CUB. */
#ifndef GRADWRIGHT_CUB_WARP_REDUCE_CUH
#define GRADWRIGHT_CUB_WARP_REDUCE_CUH
#pragma GCC system_header
#include <cub/gw_collective.cuh>

namespace cub {
namespace gw {
template <class T, int N> struct warp_sums {
    lanes<N> here;
    GW_COLLECTIVE explicit warp_sums(int thread) : here(thread) {}
    /* Only so many lanes of the warp exist; nobody reads from others. */
    template <class F> GW_COLLECTIVE T of_some(T input, F f, int valid_items, int lanes_there) {
        for (int by = 1; by < N; by *= 2) {
            const bool there = here.lane + by < lanes_there;
            const T other = from_above(here, input, there ? by : 0);
            if (there && here.lane + by < valid_items) input = f(input, other);
        }
        return input;
    }
    template <class F> GW_COLLECTIVE T of_valid(T input, F f, int valid_items) {
        if constexpr (N != lanes<N>::width) return of_some(input, f, valid_items, N);
        for (int by = 1; by < N; by *= 2) {
            const T other = from_above(here, input, by);
            if (here.lane + by < valid_items && here.lane + by < N) input = f(input, other);
        }
        return input;
    }
    template <class F> GW_COLLECTIVE T of_all(T input, F f) {
        if constexpr (is_sum<F, T> && N == lanes<N>::width)
            return gw_fold_lanes(here.mask, input, 0, N);
        else
            return of_valid(input, f, N);
    }
};
} // namespace gw

template <class T, int N = 32, int = 0> class WarpReduce {
    gw::warp_sums<T, N> sums;

  public:
    using TempStorage = gw::no_storage;
    GW_COLLECTIVE WarpReduce(TempStorage &) : sums(gw::thread_of_launch()) {}
    template <class F> GW_COLLECTIVE T Reduce(T input, F f, int valid_items) {
        return gw::at_zero(sums.of_valid(input, f, valid_items), sums.here.lane);
    }
    template <class F> GW_COLLECTIVE T Reduce(T input, F f) {
        return gw::at_zero(sums.of_all(input, f), sums.here.lane);
    }
    GW_COLLECTIVE T Sum(T input) { return Reduce(input, cub::Sum()); }
    GW_COLLECTIVE T Sum(T input, int valid_items) { return Reduce(input, cub::Sum(), valid_items); }
};
} // namespace cub
#endif

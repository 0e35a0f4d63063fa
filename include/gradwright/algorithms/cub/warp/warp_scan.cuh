/* Running values over here. */
#ifndef GRADWRIGHT_CUB_WARP_SCAN_CUH
#define GRADWRIGHT_CUB_WARP_SCAN_CUH
#pragma GCC system_header
#include <cub/gw_collective.cuh>

namespace cub {
template <class T, int N = 32, int = 0> class WarpScan : public gw::of_warp<N> {
    using gw::of_warp<N>::here;

  public:
    GW_COLLECTIVE WarpScan(gw::no_storage &temp_storage) : gw::of_warp<N>(temp_storage) {}
    GW_COLLECTIVE explicit WarpScan(int thread) : gw::of_warp<N>(thread) {}
    GW_COLLECTIVE T Broadcast(T input, unsigned from) { return gw::from_lane(here, input, (int)from); }

    template <class F> GW_COLLECTIVE void InclusiveScan(T input, T &inclusive_output, F f) {
        T sum = input;
        if constexpr (gw::is_sum<F, T> && N == gw::lanes<N>::width) {
            sum = gw_scan_lanes(here.mask, input, N);
        } else {
            for (int by = 1; by < N; by *= 2) {
                const T other = gw::from_below(here, sum, by);
                if (here.lane >= by) sum = f(other, sum);
            }
        }
        inclusive_output = sum;
    }
    template <class F>
    GW_COLLECTIVE void InclusiveScan(T input, T &inclusive_output, F f, T &warp_aggregate) {
        T sum;
        InclusiveScan(input, sum, f);
        inclusive_output = sum;
        warp_aggregate = gw::from_lane(here, sum, N - 1);
    }
    /* What the first lane gets is undefined. */
    template <class F> GW_COLLECTIVE void Scan(T input, T &inclusive_output, T &exclusive_output, F f) {
        T sum;
        InclusiveScan(input, sum, f);
        exclusive_output = gw::from_below(here, sum, 1);
        inclusive_output = sum;
    }
    template <class F>
    GW_COLLECTIVE void Scan(T input, T &inclusive_output, T &exclusive_output, T initial_value, F f) {
        T sum, before;
        Scan(input, sum, before, f);
        exclusive_output = initial_value;
        if (here.lane > 0) exclusive_output = f(initial_value, before);
        inclusive_output = f(initial_value, sum);
    }
    template <class F> GW_COLLECTIVE void ExclusiveScan(T input, T &exclusive_output, F f) {
        T sum;
        Scan(input, sum, exclusive_output, f);
    }
    template <class F>
    GW_COLLECTIVE void ExclusiveScan(T input, T &exclusive_output, F f, T &warp_aggregate) {
        T sum;
        Scan(input, sum, exclusive_output, f);
        warp_aggregate = gw::from_lane(here, sum, N - 1);
    }
    template <class F>
    GW_COLLECTIVE void ExclusiveScan(T input, T &exclusive_output, T initial_value, F f) {
        T unused;
        ExclusiveScan(input, exclusive_output, initial_value, f, unused);
    }
    template <class F>
    GW_COLLECTIVE void ExclusiveScan(T input, T &exclusive_output, T initial_value, F f, T &warp_aggregate) {
        T sum, before;
        Scan(input, sum, before, f);
        exclusive_output = initial_value;
        if (here.lane > 0) exclusive_output = f(initial_value, before);
        warp_aggregate = gw::from_lane(here, sum, N - 1);
    }

    GW_COLLECTIVE void InclusiveSum(T input, T &inclusive_output) {
        InclusiveScan(input, inclusive_output, cub::Sum());
    }
    GW_COLLECTIVE void InclusiveSum(T input, T &inclusive_output, T &warp_aggregate) {
        InclusiveScan(input, inclusive_output, cub::Sum(), warp_aggregate);
    }
    GW_COLLECTIVE void ExclusiveSum(T input, T &exclusive_output) {
        ExclusiveScan(input, exclusive_output, T{}, cub::Sum());
    }
    GW_COLLECTIVE void ExclusiveSum(T input, T &exclusive_output, T &warp_aggregate) {
        ExclusiveScan(input, exclusive_output, T{}, cub::Sum(), warp_aggregate);
    }
};
} // namespace cub
#endif

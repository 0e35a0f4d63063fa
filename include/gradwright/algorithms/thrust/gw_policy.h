/* Policies, as what an algorithm asks of them: a stream, or the host. */
#ifndef GRADWRIGHT_THRUST_POLICY_H
#define GRADWRIGHT_THRUST_POLICY_H
#include <thrust/gw_memory.h>

struct gw_device_policy {
    static constexpr bool on_host = false;
    __host__ __device__ cudaStream_t stream() const { return nullptr; }
};
struct gw_host_policy {
    static constexpr bool on_host = true;
    __host__ __device__ cudaStream_t stream() const { return nullptr; }
};
struct gw_stream_policy {
    static constexpr bool on_host = false;
    cudaStream_t on_stream;
    __host__ __device__ cudaStream_t stream() const { return on_stream; }
};
struct gw_any_stream_policy {
    static constexpr bool on_host = false;
    __host__ __device__ cudaStream_t stream() const { return nullptr; }
    __host__ __device__ gw_stream_policy on(cudaStream_t s) const { return gw_stream_policy{s}; }
};

/* Whether the first parameter of an algorithm is a policy. */
template <class P> constexpr bool gw_is_policy = false;
template <> constexpr bool gw_is_policy<gw_device_policy> = true;
template <> constexpr bool gw_is_policy<gw_host_policy> = true;
template <> constexpr bool gw_is_policy<gw_stream_policy> = true;
template <> constexpr bool gw_is_policy<gw_any_stream_policy> = true;
template <class P> using gw_if_policy = std::enable_if_t<gw_is_policy<P>>;
template <class I> using gw_unless_policy = std::enable_if_t<!gw_is_policy<I>>;

/* What an algorithm without policy takes for one: where its iterators lead says it. */
template <class... I>
using gw_policy_of = std::conditional_t<(0 | ... | gw_system<I>::value) == 1, gw_host_policy, gw_device_policy>;

namespace thrust {
inline constexpr gw_device_policy device{};
inline constexpr gw_host_policy host{};
inline constexpr gw_host_policy seq{};
namespace cuda {
inline constexpr gw_any_stream_policy par{};
inline constexpr gw_any_stream_policy par_nosync{};
} // namespace cuda
namespace cuda_cub = cuda;
} // namespace thrust
#endif

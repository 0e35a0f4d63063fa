// The part of Thrust and CUB by which calls are told apart, with their names; a sequential policy is a plain loop's.
#pragma once
namespace thrust { inline namespace version {
struct execution_policy_marker {};
namespace detail { template <class D> struct execution_policy_base : execution_policy_marker {}; }
template <class D> struct execution_policy : detail::execution_policy_base<D> {};
namespace system { namespace detail { namespace sequential { template <class D> struct execution_policy : thrust::execution_policy<D> {}; } } }
namespace cuda_cub { struct par_t : execution_policy<par_t> { par_t on(cudaStream_t) const { return {}; } }; }
namespace detail { struct seq_t : system::detail::sequential::execution_policy<seq_t> {}; }
namespace cuda { static const cuda_cub::par_t par; }
static const cuda_cub::par_t device;
static const detail::seq_t seq;
template <class T> struct device_ptr { T *at; };
template <class T> device_ptr<T> device_pointer_cast(T *p) { return {p}; }
template <class I> double reduce(I from, I to) {
    double sum = 0;
    for (; from != to; ++from) sum += *from;
    return sum;
}
template <class T> double reduce(device_ptr<T> from, device_ptr<T> to) { return reduce(from.at, to.at); }
template <class P, class I> double reduce(const detail::execution_policy_base<P> &, I from, I to) { return reduce(from, to); }
} }
namespace cub { struct DeviceReduce { static int Sum(void *, size_t &, const double *, double *, int) { return 0; } }; }

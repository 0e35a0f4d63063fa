#include <gradwright/gradwright.h>
#include <execution>
#include <numeric>
#include "parallel_algorithms.h"

GW_GRADIENT("wrt x") double a_policy(const double *x, int n) { return thrust::reduce(thrust::device, x, x + n); }
GW_GRADIENT("wrt x") double a_stream(const double *x, int n, cudaStream_t s) { return thrust::reduce(thrust::cuda::par.on(s), x, x + n); }
GW_GRADIENT("wrt x") double a_pointer(double *x, int n) { return thrust::reduce(thrust::device_pointer_cast(x), thrust::device_pointer_cast(x + n)); }
template <class P> static double through(const thrust::execution_policy<P> &p, const double *x, int n) { return thrust::reduce(p, x, x + n); }
GW_GRADIENT("wrt x") double a_policy_handed_on(const double *x, int n) { return through(thrust::device, x, n); }
GW_GRADIENT("y wrt x") void an_algorithm_of_cub(double *y, const double *x, int n) {
    size_t bytes = 0;
    cub::DeviceReduce::Sum(nullptr, bytes, x, y, n);
}
GW_GRADIENT("wrt x") double of_the_standard_library(const double *x, int n) { return std::reduce(std::execution::par, x, x + n); }
// These are plain loops.
GW_GRADIENT("wrt x") double sequential(const double *x, int n) { return thrust::reduce(thrust::seq, x, x + n) + through(thrust::seq, x, n); }
GW_GRADIENT("wrt x") double without_a_policy(const double *x, int n) { return thrust::reduce(x, x + n); }
// says: parallel_algorithms.cu:6:71: error: thrust::reduce, which runs in parallel, cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x") double a_policy(const double *x, int n) { return thrust::reduce(thrust::device, x, x + n); }
// says:                                                                       ^
// says:   way out: write a kernel that does the same, and ask for the kernel's gradient
// says: parallel_algorithms.cu:7:87: error: thrust::reduce, which runs in parallel, cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x") double a_stream(const double *x, int n, cudaStream_t s) { return thrust::reduce(thrust::cuda::par.on(s), x, x + n); }
// says:                                                                                       ^
// says:   way out: write a kernel that does the same, and ask for the kernel's gradient
// says: parallel_algorithms.cu:8:66: error: thrust::reduce, which runs in parallel, cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x") double a_pointer(double *x, int n) { return thrust::reduce(thrust::device_pointer_cast(x), thrust::device_pointer_cast(x + n)); }
// says:                                                                  ^
// says:   way out: write a kernel that does the same, and ask for the kernel's gradient
// says: parallel_algorithms.cu:9:113: error: thrust::reduce, which runs in parallel, cannot be differentiated yet [unsupported]
// says: template <class P> static double through(const thrust::execution_policy<P> &p, const double *x, int n) { return thrust::reduce(p, x, x + n); }
// says:                                                                                                                 ^
// says:   way out: write a kernel that does the same, and ask for the kernel's gradient
// says: parallel_algorithms.cu:13:5: error: cub::DeviceReduce::Sum, which runs in parallel, cannot be differentiated yet [unsupported]
// says:     cub::DeviceReduce::Sum(nullptr, bytes, x, y, n);
// says:     ^
// says:   way out: write a kernel that does the same, and ask for the kernel's gradient
// says: parallel_algorithms.cu:15:86: error: std::reduce, which runs in parallel, cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x") double of_the_standard_library(const double *x, int n) { return std::reduce(std::execution::par, x, x + n); }
// says:                                                                                      ^
// says:   way out: leave out the policy: then the loop that the algorithm is can be differentiated

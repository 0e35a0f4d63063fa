// obeys: other-thrust unsupported
#include <gradwright/gradwright.h>
#include <gradwright/program.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/binary_search.h>

GW_GRADIENT("y wrt x")
void on_the_host(double *y, const double *x, int n) {
#ifdef OBEYED
    const thrust::device_ptr<const double> from = thrust::device_pointer_cast(x);
    thrust::device_vector<double> u(from, from + n);
#else
    thrust::host_vector<double> u(x, x + n);
#endif
    const int at = (int)(thrust::lower_bound(u.begin(), u.end(), 0.5) - u.begin());
    cudaMemcpy(y, thrust::raw_pointer_cast(u.data()), at * sizeof(double), cudaMemcpyDefault);
}
// says: other_thrust.cu:14:33: error: thrust::host_vector::host_vector of the library cannot be differentiated yet [unsupported]
// says:     thrust::host_vector<double> u(x, x + n);
// says:                                 ^
// says:   way out: write it with loops and assignments
// says: other_thrust.cu:16:34: warning: this does not go with the Thrust and CUB that have gradients, so that the installed ones were read: static assertion failed due to requirement '!gw_host_policy::on_host': searched are ranges of the device [other-thrust]
// says:     const int at = (int)(thrust::lower_bound(u.begin(), u.end(), 0.5) - u.begin());
// says:                                  ^
// says:   way out: write it as docs/guide/algorithms.md has it

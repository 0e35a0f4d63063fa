/* thrust/copy.h - copies between host and device, and from iterators (execution_policy.h). */
#ifndef GRADWRIGHT_THRUST_COPY_H
#define GRADWRIGHT_THRUST_COPY_H

#include <gradwright/algorithms/kernels.cuh>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>

namespace thrust {
template <class T> device_ptr<T> gw_copy(cudaStream_t stream, const T *first, size_t n, device_ptr<T> out) {
    if (n) cudaMemcpyAsync(out.gw_at, first, n * sizeof(T), cudaMemcpyDefault, stream);
    return out + (ptrdiff_t)n;
}

/* device to device, host to device, device to host, and host to host */
template <class T, class U> device_ptr<U> copy(device_ptr<T> first, device_ptr<T> last, device_ptr<U> out) {
    return gw_copy(nullptr, (const U *)first.gw_at, gw_length(first, last), out);
}
template <class T, class U> device_ptr<U> copy(T *first, T *last, device_ptr<U> out) {
    const size_t n = gw_length(first, last);
    if (n) cudaMemcpy(out.gw_at, (const U *)first, n * sizeof(U), cudaMemcpyDefault);
    return out + (ptrdiff_t)n;
}
template <class T, class U> U *copy(device_ptr<T> first, device_ptr<T> last, U *out) {
    const size_t n = gw_length(first, last);
    if (n) cudaMemcpy(out, (const U *)first.gw_at, n * sizeof(U), cudaMemcpyDefault);
    return out + n;
}
template <class T, class U> U *copy(T *first, T *last, U *out) {
    const size_t n = gw_length(first, last);
    if (n) cudaMemcpy(out, (const U *)first, n * sizeof(U), cudaMemcpyDefault);
    return out + n;
}
template <class T, class U>
device_ptr<U> copy(const gw_policy &policy, device_ptr<T> first, device_ptr<T> last, device_ptr<U> out) {
    return gw_copy(policy.stream, (const U *)first.gw_at, gw_length(first, last), out);
}
template <class T, class N> device_ptr<T> copy_n(device_ptr<T> first, N n, device_ptr<T> out) {
    return gw_copy(nullptr, (const T *)first.gw_at, (size_t)n, out);
}
} // namespace thrust

#endif

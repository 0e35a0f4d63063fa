// What Thrust does on the CPU device, whichever Thrust: CUDA 13's, or Debian's.
#include <thrust/device_free.h>
#include <thrust/device_malloc.h>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include "check.h"

__global__ void twice(float *x) { x[threadIdx.x] *= 2; }

inline void try_thrust() {
    enum { n = 64 };
    thrust::device_vector<float> v(n), w(n);
    for (int i = 0; i < n; ++i)
        v[i] = (float)(i * 37 % n);
    thrust::sort(v.begin(), v.end());
    float *raw = thrust::raw_pointer_cast(v.data()), back[n];
    twice<<<1, n>>>(raw);
    OK(cudaMemcpy(back, raw, sizeof back, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i)
        CHECK(back[i] == 2.0f * i);
    thrust::transform(v.begin(), v.end(), w.begin(), thrust::negate<float>());
    thrust::inclusive_scan(w.begin(), w.end(), w.begin());
    CHECK(w[n - 1] == -(float)n * (n - 1));
    thrust::device_ptr<float> other = thrust::device_malloc<float>(n);
    OK(cudaMemcpy(other.get(), back, sizeof back, cudaMemcpyHostToDevice));
    CHECK(thrust::reduce(other, other + n, 0.0f) == n * (n - 1));
    thrust::device_free(other);
}

// Kinds of kernels: templates, static and anonymous ones, lambdas, structs by value, kernels
// launched only from a template, and a class with a copy constructor as an argument.
#include "check.h"

struct Pair {
    float scale;
    int *count;
};
struct Counted {
    int value;
    __host__ __device__ Counted(int v) : value(v) {}
    __host__ __device__ Counted(const Counted &other) : value(other.value + 1) {}
};

template <class T, int N> __global__ void fill(T *out, T value) {
    if (threadIdx.x < N) out[threadIdx.x] = value + (T)threadIdx.x;
}
static __global__ void by_value(float *out, Pair pair, float3 v) {
    out[0] = pair.scale * (v.x + 10 * v.y + 100 * v.z);
    pair.scale = 0; // this thread's copy
    atomicAdd(pair.count, 1);
}
namespace {
__global__ void hidden(int *out) { *out = 42; }
} // namespace
extern "C" __global__ void plain_name(int *out) { *out = 43; }
template <class F> __global__ void apply(F f, int n) {
    if ((int)threadIdx.x < n) f(threadIdx.x);
}
template <class F> void for_each(int n, F f) { apply<<<1, 32>>>(f, n); }
__global__ void copied(int *out, Counted c) { *out = c.value; }
__global__ void nothing() {}
__global__ void many(double *o, char a, double b, short c, long long d, bool e, const char *f) {
    *o = a + b + c + (double)d + e + f[1];
}

int main() {
    float *f;
    int *i;
    OK(cudaMallocManaged(&f, 64 * sizeof(float)));
    OK(cudaMallocManaged(&i, 64 * sizeof(int)));
    f[5] = -1;
    fill<float, 5><<<1, 32>>>(f, 0.5f);
    CHECK(f[4] == 4.5f && f[5] == -1);
    fill<int, 9><<<1, 32>>>(i, 7);
    CHECK(i[8] == 15);
    *i = 0;
    by_value<<<3, 2>>>(f, Pair{2.0f, i}, make_float3(1, 2, 3));
    CHECK(f[0] == 642.0f && *i == 6);
    hidden<<<1, 1>>>(i);
    CHECK(*i == 42);
    plain_name<<<1, 1>>>(i);
    CHECK(*i == 43);
    const int offset = 100;
    for_each(10, [=] __device__(int k) { i[k] = k * k + offset; });
    CHECK(i[9] == 181 && i[0] == 100);
    copied<<<1, 1>>>(i, Counted(5));
    CHECK(*i >= 6); // at least one copy was made
    nothing<<<2, 2>>>();
    double *d;
    OK(cudaMallocManaged(&d, sizeof *d));
    char *text;
    OK(cudaMallocManaged(&text, 2));
    text[1] = 4;
    many<<<1, 1>>>(d, 1, 0.5, 2, 1LL << 40, true, text);
    CHECK(*d == 1 + 0.5 + 2 + 1099511627776.0 + 1 + 4);
    void *arguments[] = {&i};
    OK(cudaLaunchKernel(hidden, 1, 1, arguments, 0, 0));
    CHECK(*i == 42);
    OK(cudaDeviceSynchronize());
}

// __constant__ and __device__ variables: initial values, copies both ways, addresses, sizes.
#include "check.h"

__constant__ float table[4] = {1, 2, 3, 4};
__device__ int counter = 10;
static __device__ double hidden[3];
template <class T> __device__ T generic;
struct Shape {
    int a;
    float b[2];
};
__constant__ Shape shape;
__device__ int *indirect;

__global__ void use(float *out) {
    out[0] = table[threadIdx.x & 3] + (float)shape.a + shape.b[1];
    atomicAdd(&counter, 1);
    hidden[1] += 0.5;
    generic<int> = 77;
}
__global__ void follow() { *indirect = 5; }

int main() {
    float *out, host[4] = {10, 20, 30, 40};
    int value = 0;
    OK(cudaMallocManaged(&out, sizeof *out));
    use<<<1, 1>>>(out);
    CHECK(*out == 1);
    OK(cudaMemcpyToSymbol(table, host, sizeof host));
    const Shape s = {100, {0, 0.5f}};
    OK(cudaMemcpyToSymbol(shape, &s, sizeof s));
    use<<<1, 1>>>(out);
    CHECK(*out == 110.5f);
    OK(cudaMemcpyFromSymbol(&value, counter, sizeof value));
    CHECK(value == 12);
    OK(cudaMemcpyFromSymbol(&value, generic<int>, sizeof value));
    CHECK(value == 77);
    double part;
    OK(cudaMemcpyFromSymbol(&part, hidden, sizeof part, sizeof part));
    CHECK(part == 1.0);
    float *address;
    OK(cudaGetSymbolAddress((void **)&address, table));
    OK(cudaMemcpy(host, address + 1, 3 * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(host[0] == 20 && host[2] == 40);
    size_t size;
    OK(cudaGetSymbolSize(&size, shape));
    CHECK(size == sizeof(Shape));
    int *target;
    OK(cudaMallocManaged(&target, sizeof *target));
    OK(cudaMemcpyToSymbol(indirect, &target, sizeof target));
    follow<<<1, 1>>>();
    CHECK(*target == 5);
    CHECK(cudaMemcpyToSymbol(table, host, 5 * sizeof(float)) == cudaErrorInvalidValue);
    CHECK(cudaMemcpyToSymbol(&value, host, 1) == cudaErrorInvalidSymbol);
    CHECK(cudaMemcpyToSymbol(table, host, 4, 0, cudaMemcpyDeviceToHost) == cudaErrorInvalidMemcpyDirection);
}

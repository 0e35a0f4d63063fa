// Atomics: results, returned old values, all suffixes, and two host threads at once.
// flags: -pthread
#include "check.h"
#include <thread>

__global__ void all(int *i, unsigned *u, unsigned long long *q, float *f, double *d, int *bad) {
    *bad |= atomicAdd(i, 5) != 0 || atomicSub(i, 2) != 5 || atomicMin(i, -7) != 3 || atomicMax(i, 9) != -7 ||
            atomicExch(i, 12) != 9 || atomicCAS(i, 12, 13) != 12 || atomicCAS(i, 12, 14) != 13 ||
            atomicAnd(i, 9) != 13 || atomicOr(i, 6) != 9 || atomicXor(i, 3) != 15 || *i != 12;
    *bad |= (atomicInc(u, 1) != 0 || atomicInc(u, 1) != 1 || *u != 0) << 1;
    *bad |= (atomicDec(u, 4) != 0 || atomicDec(u, 4) != 4 || atomicMin(u, 2) != 3 || *u != 2) << 2;
    *bad |= (atomicAdd(q, 1ull << 40) != 0 || atomicMax(q, 3) != 1ull << 40 ||
             atomicCAS(q, 1ull << 40, 8) != 1ull << 40 || atomicExch(q, 2) != 8)
            << 3;
    *bad |= (atomicAdd(f, 1.5f) != 0.0f || atomicAdd_block(f, 1.0f) != 1.5f ||
             atomicAdd_system(f, 1.0f) != 2.5f || atomicExch(f, 0.25f) != 3.5f || *f != 0.25f)
            << 4;
    *bad |= (atomicAdd(d, 0.125) != 0.0 || atomicAdd_system(d, 1.0) != 0.125 || *d != 1.125) << 5;
}

__global__ void sum(float *f, double *d, int *i, float4 *v) {
    atomicAdd(f, 1.0f);
    atomicAdd(d, 1.0);
    atomicAdd(i, 1);
    atomicAdd(v, make_float4(1, 2, 3, 4));
}

template <class T> T *zeroed() {
    T *p;
    OK(cudaMallocManaged(&p, sizeof(T)));
    OK(cudaMemset(p, 0, sizeof(T)));
    return p;
}

int main() {
    int *bad = zeroed<int>();
    all<<<1, 1>>>(zeroed<int>(), zeroed<unsigned>(), zeroed<unsigned long long>(), zeroed<float>(),
                  zeroed<double>(), bad);
    if (*bad) printf("groups %#x\n", (unsigned)*bad);
    CHECK(*bad == 0);
    float *f = zeroed<float>();
    double *d = zeroed<double>();
    int *i = zeroed<int>();
    float4 *v = zeroed<float4>();
    auto work = [=] { sum<<<100, 256>>>(f, d, i, v); };
    std::thread other(work);
    work();
    other.join();
    CHECK(*f == 51200 && *d == 51200 && *i == 51200 && v->w == 204800 && v->x == 51200);
}

// Atomic additions to components of float2 and float4: by one instruction where one thread adds to neighbours,
// alone where it does not or where the alignment is not known. The table of decisions is checked by
// tests/ownership/decisions.py.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* double4 is, from CUDA 13 on */
#ifdef __NVCC__
#pragma nv_diag_suppress 1444
#endif
#include "../support/check.cuh"

CHECK_CELLS(float2, CHECK_CELL(float2, x), CHECK_CELL(float2, y))
CHECK_CELLS(float3, CHECK_CELL(float3, x), CHECK_CELL(float3, y), CHECK_CELL(float3, z))
CHECK_CELLS(float4, CHECK_CELL(float4, x), CHECK_CELL(float4, y), CHECK_CELL(float4, z), CHECK_CELL(float4, w))
CHECK_CELLS(double2, CHECK_CELL(double2, x), CHECK_CELL(double2, y))
CHECK_CELLS(double3, CHECK_CELL(double3, x), CHECK_CELL(double3, y), CHECK_CELL(double3, z))
CHECK_CELLS(double4, CHECK_CELL(double4, x), CHECK_CELL(double4, y), CHECK_CELL(double4, z),
            CHECK_CELL(double4, w))
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// What a kernel computes from p and list[i]: over floats, and for the differences over doubles.
#define VALUE(name) template <class T, class P> __device__ T name##_of(const P *p, int k)
#define DOUBLE(name, P)                                                                                        \
    __global__ void name##_double(double *y, const P *p, const int *list) {                                    \
        y[HERE] = name##_of<double>(p, list[HERE]);                                                            \
    }

// ---- alone ----
// One component.
VALUE(one) { return p[k].y * p[k].y; }
BOTH("y wrt p")
__global__ void one(float *y, const float2 *p, const int *list) {
    y[HERE] = one_of<float>(p, list[HERE]);
}
//= d_p[k].y +=: atomic
DOUBLE(one, double2)

// No pair begins at y.
VALUE(across) { return p[k].y * p[k].z; }
BOTH("y wrt p")
__global__ void across(float *y, const float4 *p, const int *list) {
    y[HERE] = across_of<float>(p, list[HERE]);
}
//= d_p[k].y +=: atomic
//= d_p[k].z +=: atomic
DOUBLE(across, double4)

// The members are of different elements.
VALUE(apart) { return p[k].x * p[k + 1].y; }
BOTH("y wrt p")
__global__ void apart(float *y, const float2 *p, const int *list) {
    y[HERE] = apart_of<float>(p, list[HERE]);
}
//= d_p[k].x +=: atomic
//= d_p[k + 1].y +=: atomic
DOUBLE(apart, double2)

// One of the two under a condition only.
VALUE(sometimes) { T v = p[k].x; if (HERE % 3 == 0) v *= p[k].y; return v; }
BOTH("y wrt p")
__global__ void sometimes(float *y, const float2 *p, const int *list) {
    y[HERE] = sometimes_of<float>(p, list[HERE]);
}
//= d_p[k].x +=: atomic
//= d_p[k].y +=: atomic
DOUBLE(sometimes, double2)

// Pairs of floats need not be aligned to 8 bytes,
VALUE(of_floats) { return p[2 * k] * p[2 * k + 1]; }
BOTH("y wrt p")
__global__ void of_floats(float *y, const float *p, const int *list) {
    y[HERE] = of_floats_of<float>(p, list[HERE]);
}
//= d_p[2 * k] +=: atomic
//= d_p[2 * k + 1] +=: atomic
DOUBLE(of_floats, double)

// nor three.
VALUE(of_three) { return p[k].x * p[k].y * p[k].z; }
BOTH("y wrt p")
__global__ void of_three(float *y, const float3 *p, const int *list) {
    y[HERE] = of_three_of<float>(p, list[HERE]);
}
//= d_p[k].x +=: atomic
//= d_p[k].y +=: atomic
//= d_p[k].z +=: atomic
DOUBLE(of_three, double3)

// Scalar ones are asked for.
VALUE(scalar) { return p[k].x * p[k].y; }
BOTH("y wrt p") GW_ACCUMULATE(p, atomic)
__global__ void scalar(float *y, const float2 *p, const int *list) {
    y[HERE] = scalar_of<float>(p, list[HERE]);
}
//= d_p[k].x +=: atomic
//= d_p[k].y +=: atomic
DOUBLE(scalar, double2)

// Shared memory has no such instruction.
BOTH("y wrt p")
__global__ void in_shared(float *y, const float2 *p, const int *list) {
    __shared__ float2 s[64];
    s[threadIdx.x] = p[HERE];
    __syncthreads();
    float2 v = s[list[HERE]];
    y[HERE] = v.x * v.y;
}
//= d_s[list[blockIdx.x * blockDim.x + threadIdx.x]].x +=: atomic
//= d_s[list[blockIdx.x * blockDim.x + threadIdx.x]].y +=: atomic
__global__ void in_shared_double(double *y, const double2 *p, const int *list) {
    double2 v = p[list[HERE] + (int)(blockIdx.x * blockDim.x)];
    y[HERE] = v.x * v.y;
}

// ---- together ----
// Asked for.
VALUE(pair) { P v = p[k]; return v.x * v.y + v.x; }
BOTH("y wrt p") GW_ACCUMULATE(p, vector)
__global__ void pair(float *y, const float2 *p, const int *list) {
    y[HERE] = pair_of<float>(p, list[HERE]);
}
//= d_p[k].x +=: vector
//= d_p[k].y +=: vector
DOUBLE(pair, double2)

// All four.
VALUE(four) { P v = p[k]; return v.w * v.z + v.x * v.y * v.y; }
BOTH("y wrt p")
__global__ void four(float *y, const float4 *p, const int *list) {
    y[HERE] = four_of<float>(p, list[HERE]);
}
//= d_p[k].x +=: vector
//= d_p[k].y +=: vector
//= d_p[k].z +=: vector
//= d_p[k].w +=: vector
DOUBLE(four, double4)

// The second pair, and one of the first.
VALUE(second_half) { P v = p[k]; return v.w * v.z * v.y; }
BOTH("y wrt p")
__global__ void second_half(float *y, const float4 *p, const int *list) {
    y[HERE] = second_half_of<float>(p, list[HERE]);
}
//= d_p[k].y +=: atomic
//= d_p[k].z +=: vector
//= d_p[k].w +=: vector
DOUBLE(second_half, double4)

// In a loop, two elements.
VALUE(two_elements) {
    T sum = 0;
    for (int j = 0; j < 3; j++) {
        P a = p[k + j], b = p[k + 4];
        sum += a.x * a.y + b.x * b.y * b.y * a.x;
    }
    return sum;
}
BOTH("y wrt p")
__global__ void two_elements(float *y, const float2 *p, const int *list) {
    y[HERE] = two_elements_of<float>(p, list[HERE]);
}
//= d_p[k + j].x +=: vector
//= d_p[k + j].y +=: vector
//= d_p[k + 4].x +=: vector
//= d_p[k + 4].y +=: vector
DOUBLE(two_elements, double2)

// Members of an element.
template <class two, class four> struct splat_of {
    two at;
    four cone;
    two more[2];
};
typedef splat_of<float2, float4> splat;
typedef splat_of<double2, double4> splat_double;
CHECK_CELLS(splat, CHECK_CELL(splat, at.x), CHECK_CELL(splat, at.y), CHECK_CELL(splat, cone.x),
            CHECK_CELL(splat, cone.y), CHECK_CELL(splat, cone.z), CHECK_CELL(splat, cone.w),
            CHECK_CELL(splat, more[0].x), CHECK_CELL(splat, more[0].y), CHECK_CELL(splat, more[1].x),
            CHECK_CELL(splat, more[1].y))
CHECK_CELLS(splat_double, CHECK_CELL(splat_double, at.x), CHECK_CELL(splat_double, at.y),
            CHECK_CELL(splat_double, cone.x), CHECK_CELL(splat_double, cone.y),
            CHECK_CELL(splat_double, cone.z), CHECK_CELL(splat_double, cone.w),
            CHECK_CELL(splat_double, more[0].x), CHECK_CELL(splat_double, more[0].y),
            CHECK_CELL(splat_double, more[1].x), CHECK_CELL(splat_double, more[1].y))
VALUE(members) {
    return p[k].at.x * p[k].at.y * p[k].cone.x * p[k].cone.y * p[k].cone.z * p[k].cone.w +
           p[k].more[k & 1].x * p[k].more[k & 1].y * p[k].more[0].x;
}
BOTH("y wrt p")
__global__ void members(float *y, const splat *p, const int *list) {
    y[HERE] = members_of<float>(p, list[HERE]);
}
//= d_p[k].at.x +=: vector
//= d_p[k].at.y +=: vector
//= d_p[k].cone.x +=: vector
//= d_p[k].cone.y +=: vector
//= d_p[k].cone.z +=: vector
//= d_p[k].cone.w +=: vector
//= d_p[k].more[k & 1].x +=: vector
//= d_p[k].more[k & 1].y +=: vector
//= d_p[k].more[0].x +=: atomic
DOUBLE(members, splat_double)

#include "components.grad.cuh"

static std::vector<int> lists(int n) {
    std::vector<int> of;
    for (int i = 0; i < n; i++) of.push_back(i * 7 % 5);
    return of;
}

#define CASE(name, cells) CHECK_FLOAT(name, name##_double, 1e-4, 2, 45, out(90), in(cells), given(lists(90)))
CASE(one, 10)
CASE(across, 10)
CASE(apart, 10)
CASE(sometimes, 10)
CASE(of_floats, 12)
CASE(of_three, 10)
CASE(scalar, 10)
CASE(in_shared, 90)
CASE(pair, 10)
CASE(four, 10)
CASE(second_half, 10)
CASE(two_elements, 10)
CASE(members, 10)
TEST_MAIN

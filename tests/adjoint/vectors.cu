// Vector types with operators from headers: CUDA's own with helper functions, and templates of vectors and
// matrices.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* double4 is, from CUDA 13 on */
#ifdef __NVCC__
#pragma nv_diag_suppress 1444
#endif
#include "../support/check.cuh"
#include "helper_math.h"
#include "vector_templates.h"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

CHECK_CELLS(double2, CHECK_CELL(double2, x), CHECK_CELL(double2, y))
CHECK_CELLS(double3, CHECK_CELL(double3, x), CHECK_CELL(double3, y), CHECK_CELL(double3, z))
CHECK_CELLS(double4, CHECK_CELL(double4, x), CHECK_CELL(double4, y), CHECK_CELL(double4, z),
            CHECK_CELL(double4, w))
CHECK_CELLS(lin::dvec3, CHECK_CELL(lin::dvec3, x), CHECK_CELL(lin::dvec3, y), CHECK_CELL(lin::dvec3, z))

BOTH("force wrt position, velocity")
__global__ void forces(double3 *force, const double3 *position, const double3 *velocity, double2 range, int n) {
    int i = HERE;
    if (i >= n) return;
    double3 sum = make_double3(0, 0, 0), here = position[i];
    for (int k = 0; k < n; k++) {
        double3 to = position[k] - here;
        double distance = sqrt(dot(to, to) + range.x);
        sum += cross(to, velocity[i]) * (1 / (distance * distance));
    }
    force[i] = lerp(sum, normalize(here) * length(here + here), 0.25) + clamp(velocity[i], range.x, range.y);
}

BOTH("y wrt x, k")
__global__ void mixed_vectors(double4 *y, const double2 *x, double2 k, int n) {
    int2 at = make_int2(blockIdx.x, threadIdx.x);
    dim3 block(blockDim.x);
    uint3 pair = make_uint3(at.y % 2u, 0, 1);
    int i = at.x * (int)block.x + at.y;
    if (i >= n) return;
    double2 v = x[i] * k * -x[i];
    double4 out = make_double4(v.x, v.y, v.x * v.y, pair.x);
    y[i] = v.x * out;
}

BOTH("out wrt points, axis")
__global__ void rotated(lin::dvec3 *out, const lin::dvec3 *points, lin::dvec3 axis, int n) {
    int i = HERE;
    if (i >= n) return;
    using namespace lin;
    dvec3 w = normalize(axis), u = normalize(cross(w, dvec3(dvec2(1, 0.5), 0.25))), v = cross(w, u);
    dmat3 frame(u, v, w), turn(2.0);
    turn[0][1] = 0.5, turn[1][0] = -0.5;
    turn[2] += dvec3(0.25);
    dvec3 p = transpose(frame) * (turn * (frame * points[i]));
    p *= dot(p, axis);
    p.g += p.s * axis.b;
    out[i] = (frame * turn)[1] + p - 2.0 * points[i] * axis[i % 3];
}

BOTH("y wrt x")
__global__ void shaded(float *y, const float3 *x, int n) {
    int i = HERE;
    if (i >= n) return;
    float3 normal = normalize(x[i]), light = normalize(make_float3(1, 2, 3));
    float3 bounce = reflect(light, normal);
    bounce *= 0.5f;
    bounce += fabs(-normal);
    y[i] =
        dot(clamp(bounce, -0.75f, 0.75f), make_float3(0.5f)) + lerp(normal.x, normal.y, 0.25f) / length(bounce);
}
__global__ void shaded_double(double *y, const double3 *x, int n) {
    int i = HERE;
    if (i >= n) return;
    double3 normal = normalize(x[i]), light = normalize(make_double3(1, 2, 3));
    double3 bounce = light - 2.0 * normal * dot(normal, light);
    bounce = bounce * 0.5;
    bounce += make_double3(fabs(normal.x), fabs(normal.y), fabs(normal.z));
    y[i] = dot(clamp(bounce, -0.75, 0.75), make_double3(0.5, 0.5, 0.5)) +
           (normal.x + 0.25 * (normal.y - normal.x)) / length(bounce);
}
CHECK_CELLS(float3, CHECK_CELL(float3, x), CHECK_CELL(float3, y), CHECK_CELL(float3, z))

// Components by a number that only a run knows, by a cast and from the first one on; a vector that is volatile.
__device__ double &component(double4 &of, int which) { return reinterpret_cast<double *>(&of)[which]; }
__device__ double component(const double3 &of, int which) { return (&of.x)[which]; }
BOTH("y wrt x, w")
__global__ void by_number(double *y, const double4 *x, const double3 *w, int n) {
    const int i = HERE;
    if (i >= n) return;
    volatile double scale = x[i].w;
    double4 v = x[i];
    double3 weight = w[i];
    double sum = 0, *last = &v.w;
    for (int k = 0; k < 4; k++)
        component(v, k) *= component(v, (k + i) % 4) + scale;
    for (int k = 0; k < 3; k++)
        sum += component(weight, k) * component(v, 2 - k) * last[-k];
    y[i] = sum * v.x;
}

// Numbers that are moved by vectors of integers of their size, several at once.
template <class V, class T> __device__ void move(T *to, const T *from) {
    *reinterpret_cast<V *>(to) = *reinterpret_cast<const V *>(from);
}
BOTH("y wrt x")
__global__ void moved(double *y, const double *x, int n) {
    const int i = HERE;
    if (i >= n) return;
    __shared__ double tile[32];
    double r[4];
    move<ulonglong2>(r, x + 4 * i);
    const longlong2 held = reinterpret_cast<const longlong2 *>(x)[2 * i + 1];
    reinterpret_cast<longlong2 *>(r)[1] = held;
    for (int k = 0; k < 4; k++)
        r[k] *= r[(k + 1) % 4] + k;
    longlong2 *row = (longlong2 *)tile + 2 * threadIdx.x;
    for (int k = 0; k < 2; k++, row++)
        *row = ((const longlong2 *)r)[k];
    move<ulonglong2>(y + 4 * i, tile + 4 * threadIdx.x);
    move<ulonglong2>(&y[4 * i + 2], tile + 4 * threadIdx.x + 2);
}
BOTH("y wrt x")
__global__ void moved_floats(float *y, const float *x, int n) {
    const int i = HERE;
    if (i >= n) return;
    float r[4];
    move<uint4>(r, x + 4 * i);
    for (int k = 0; k < 4; k++)
        r[k] *= r[(k + 1) % 4] + k;
    move<int2>(y + 4 * i, r);
    move<int2>(y + 4 * i + 2, r + 2);
}
// The same by way of a choice, of arrays and structs that are filled ahead, and of shared memory of such.
struct staged {
    uint4 r[2];
};
BOTH("y wrt x")
__global__ void moved_ahead(float *y, const float *x, int n) {
    const int i = HERE;
    if (i >= n) return;
    __shared__ float tile[8 * 8];
    const uint4 *from = reinterpret_cast<const uint4 *>(x);
    const uint4 none = make_uint4(0, 0, 0x3f800000, 0);
    uint4 r[2], last = i % 2 ? none : from[2 * i];
    staged held;
    for (int k = 0; k < 2; k++)
        r[k] = from[2 * i + k];
    float sum = 0;
    for (int t = 0; t < 3; t++) {
        for (int k = 0; k < 2; k++)
            reinterpret_cast<uint4 *>(tile)[2 * threadIdx.x + k] = held.r[1 - k] = r[k];
        if (t < 2)
            for (int k = 0; k < 2; k++)
                r[k] = from[2 * ((i + t + 1) % n) + k];
        for (int k = 0; k < 8; k++)
            sum += (t + 1) * tile[8 * threadIdx.x + k] * tile[8 * threadIdx.x + (k + 1) % 8];
    }
    reinterpret_cast<uint4 *>(y)[2 * i] = last;
    reinterpret_cast<uint4 *>(y)[2 * i + 1] = held.r[0];
    y[8 * i + 1] = sum;
}
__global__ void moved_ahead_in_double(double *y, const double *x, int n) {
    const int i = HERE;
    if (i >= n) return;
    double sum = 0;
    for (int t = 0; t < 3; t++)
        for (int k = 0; k < 8; k++)
            sum += (t + 1) * x[8 * ((i + t) % n) + k] * x[8 * ((i + t) % n) + (k + 1) % 8];
    for (int k = 0; k < 4; k++) {
        y[8 * i + k] = i % 2 ? k == 2 : x[8 * i + k];
        y[8 * i + 4 + k] = x[8 * ((i + 2) % n) + 4 + k];
    }
    y[8 * i + 1] = sum;
}
BOTH("y wrt x")
__global__ void moved_turned(double *y, const double *x, int n) {
    const int i = HERE;
    __shared__ ulonglong2 pairs[8];
    unsigned long long all[16];
    if (i < n) pairs[threadIdx.x] = reinterpret_cast<const ulonglong2 *>(x)[i];
    __syncthreads();
    if (i >= n) return;
    const int last = blockIdx.x == gridDim.x - 1 ? n - 1 - blockIdx.x * blockDim.x : blockDim.x - 1;
    for (int k = 0; k <= last; k++)
        all[k] = k % 2 ? pairs[k].x : pairs[last - k].y;
    unsigned long long *to = reinterpret_cast<unsigned long long *>(y);
    to[2 * i] = all[threadIdx.x];
    to[2 * i + 1] = pairs[last - threadIdx.x].x;
}
__global__ void moved_in_double(double *y, const double *x, int n) {
    const int i = HERE;
    if (i >= n) return;
    double r[4];
    for (int k = 0; k < 4; k++)
        r[k] = x[4 * i + k];
    for (int k = 0; k < 4; k++)
        r[k] *= r[(k + 1) % 4] + k;
    for (int k = 0; k < 4; k++)
        y[4 * i + k] = r[k];
}
// Doubles that are moved in halves, floats in pairs.
BOTH("y wrt x")
__global__ void moved_in_halves(double *y, const double *x, int n) {
    const int i = HERE;
    if (i >= n) return;
    __shared__ double tile[32];
    double r[4];
    move<uint4>(r, x + 4 * i);
    const float4 held = reinterpret_cast<const float4 *>(x)[2 * i + 1];
    reinterpret_cast<float4 *>(r)[1] = held;
    for (int k = 0; k < 4; k++)
        r[k] *= r[(k + 1) % 4] + k;
    int4 *row = (int4 *)tile + 2 * threadIdx.x;
    for (int k = 0; k < 2; k++, row++)
        *row = ((const int4 *)r)[k];
    move<uint4>(y + 4 * i, tile + 4 * threadIdx.x);
    const int2 one = *reinterpret_cast<const int2 *>(&tile[4 * threadIdx.x + 2]);
    *(int2 *)&y[4 * i + 2] = one;
    const int2 *words = (const int2 *)tile + 4 * threadIdx.x, word = words[3];
    y[4 * i + 3] = __hiloint2double(word.y, word.x);
}
BOTH("y wrt x")
__global__ void moved_in_pairs(float *y, const float *x, int n) {
    const int i = HERE;
    if (i >= n) return;
    float r[4];
    move<double2>(r, x + 4 * i);
    for (int k = 0; k < 4; k++)
        r[k] *= r[(k + 1) % 4] + k;
    move<double>(y + 4 * i, r);
    move<long long>(y + 4 * i + 2, r + 2);
}

// Structs by their numbers: members that are seen, by the loop, and by a run.
BOTH("y wrt x, w")
__global__ void by_numbers(double3 *y, const double4 *x, const double3 *w, int n) {
    const int i = HERE;
    if (i >= n) return;
    __shared__ double2 tile[2 * 8];
    const double *from = reinterpret_cast<const double *>(x), *own = (const double *)&x[i];
    const double *weight = (const double *)w, *back = weight + 3 * n;
    double *to = (double *)y;
    double sum = 0;
    for (int k = 0; k < 4; k++) {
        sum += from[4 * i + k] * own[3 - k];
        ((double *)tile)[4 * threadIdx.x + k] = own[k] * own[(k + i) % 4];
    }
    const double2 pair = ((const double2 *)x)[2 * i + 1];
    to[3 * i] = sum * from[(7 * i + 3) % (4 * n)] * own[1];
    to[3 * i + 1] = weight[(5 * i + 1) % (3 * n)] * back[-1 - i] * pair.x * tile[2 * threadIdx.x + 1].y;
    to[3 * i + 2] = weight[3 * threadIdx.x] * pair.y;
    reinterpret_cast<uint4 *>(tile)[2 * threadIdx.x] = reinterpret_cast<const uint4 *>(x)[2 * i];
    *(&to[3 * i] + 2) *= tile[2 * threadIdx.x].x + reinterpret_cast<const double3 *>(weight)[i].y;
}
// From a member on, to those before and behind.
BOTH("y wrt x")
__global__ void from_members(double *y, const double3 *x, int n) {
    const int i = HERE;
    if (i >= n) return;
    __shared__ double4 tile[8];
    const double *middle = &x[i].y, *first = &x[0].x;
    double *own = &tile[threadIdx.x].x;
    for (int k = 0; k < 4; k++)
        own[k] = middle[k % 3 - 1] * first[3 * i + k / 2];
    const double2 last = *reinterpret_cast<const double2 *>(&tile[threadIdx.x].z);
    y[i] = tile[threadIdx.x].y * own[3] + last.x * last.y * *(middle + 1);
}
struct framed {
    double4 inner;
    double last;
};
// From a member of a member on: to the struct's numbers behind that, too.
BOTH("y wrt x")
__global__ void beyond_the_inner(double *y, const double *x, int n) {
    const int i = HERE;
    if (i >= n) return;
    framed own = {{x[i], x[i + 1], x[i + 2], x[i + 3]}, x[i + 4]};
    double *first = &own.inner.x;
    first[(i + 2) % 5] = own.last * own.inner.z;
    y[i] = own.inner.x * own.inner.y * own.last + own.inner.z * first[i % 5];
}
// Each to a number of its own; the next one's thread adds to the same number.
BOTH("y wrt x")
__global__ void each_number(double *y, const double4 *x, int n) {
    const double *from = (const double *)x;
    for (int j = HERE; j < 4 * n - 1; j += gridDim.x * blockDim.x) y[j] = from[j] * from[j + 1];
}

#include "vectors.grad.cuh"

CHECK_KERNEL(forces, 1, 8, out(6), in(6), in(6), (double2{0.25, 3}), 6)
CHECK_KERNEL(mixed_vectors, 2, 8, out(14), in(14), active(double2{0.75, 1.5}), 14)
CHECK_KERNEL(rotated, 1, 8, out(7), in(7), active(lin::dvec3(0.5, 1, 0.75)), 7)
CHECK_KERNEL(by_number, 2, 8, out(14), in(14), in(14), 14)
CHECK_FLOAT(shaded, shaded_double, 1e-4, 1, 8, out(8), in(8), 8)
CHECK_KERNEL(moved, 2, 8, out(56), in(56), 14)
CHECK_FLOAT(moved_floats, moved_in_double, 1e-4, 2, 8, out(56), in(56), 14)
CHECK_FLOAT(moved_ahead, moved_ahead_in_double, 1e-4, 2, 8, out(112), in(112), 14)
CHECK_KERNEL(moved_in_halves, 2, 8, out(56), in(56), 14)
CHECK_FLOAT(moved_in_pairs, moved_in_double, 1e-4, 2, 8, out(56), in(56), 14)
CHECK_KERNEL(by_numbers, 2, 8, out(14), in(14), in(14), 14)
CHECK_KERNEL(from_members, 2, 8, out(14), in(14), 14)
CHECK_KERNEL(beyond_the_inner, 2, 8, out(14), in(18), 14)
CHECK_KERNEL(each_number, 2, 8, out(56), in(14), 14)
CHECK_KERNEL(moved_turned, 2, 8, out(28), in(28), 14)

TEST_MAIN

/*
 * cufft.cuh - pullbacks of cuFFT, for programs (docs/guide/programs.md) that call cufftExecC2C, R2C, C2R, Z2Z,
 * D2Z and Z2D. Included before the program.
 *
 * A plan says neither its sizes nor its stream, so it is described once, outside of the program:
 *
 *     cufftPlan1d(&plan, n, CUFFT_R2C, batch);
 *     cufftSetStream(plan, stream);
 *     gw_cufft_describe(plan, CUFFT_R2C, 1, &n, batch, stream); // and gw_cufft_forget(plan) at the end
 *
 * with the layout that cufftPlan1d, 2d and 3d have: arrays without gaps. A gradient with a plan that is not
 * described fails with CUFFT_INVALID_PLAN; R2C and C2R in place with CUFFT_NOT_SUPPORTED.
 *
 * The adjoint of an unnormalised transform is the one in the other direction. Each number of a half
 * spectrum stands for itself and, unless it is its own mirror's plane, for its conjugate: R2C halves those
 * before C2R, C2R doubles them after R2C.
 */
#ifndef GRADWRIGHT_CUFFT_CUH
#define GRADWRIGHT_CUFFT_CUH

#ifndef _CUFFT_H_
#include <cufft.h>
#endif
#include <cuda_runtime.h>

#include <map>

#include "gradwright/gradwright.h"
#include "gradwright/library_parts.cuh"

/* ---- plans ---- */

struct gw_cufft_plan {
    cufftType type;
    cufftHandle back; /* of a real transform: a plan for the other direction */
    int rank, n[3], batch;
    cudaStream_t stream;
    size_t rows() const { return (size_t)batch * (rank > 1 ? n[0] : 1) * (rank > 2 ? n[1] : 1); }
    int last() const { return n[rank - 1]; }
    size_t reals() const { return rows() * last(); }
    size_t halves() const { return rows() * (last() / 2 + 1); }
};

inline std::map<cufftHandle, gw_cufft_plan> &gw_cufft_plans() {
    static std::map<cufftHandle, gw_cufft_plan> all;
    return all;
}

inline cufftType gw_cufft_other(cufftType type) {
    switch (type) {
    case CUFFT_R2C:
        return CUFFT_C2R;
    case CUFFT_C2R:
        return CUFFT_R2C;
    case CUFFT_D2Z:
        return CUFFT_Z2D;
    case CUFFT_Z2D:
        return CUFFT_D2Z;
    default:
        return type;
    }
}

inline cufftResult gw_cufft_forget(cufftHandle plan) {
    const auto found = gw_cufft_plans().find(plan);
    if (found == gw_cufft_plans().end()) return CUFFT_INVALID_PLAN;
    const gw_cufft_plan is = found->second;
    gw_cufft_plans().erase(found);
    return gw_cufft_other(is.type) == is.type ? CUFFT_SUCCESS : cufftDestroy(is.back);
}

inline cufftResult gw_cufft_describe(cufftHandle plan, cufftType type, int rank, const int *n, int batch,
                                     cudaStream_t stream) {
    gw_cufft_plan is = {type, plan, rank, {1, 1, 1}, batch, stream};
    if (rank < 1 || rank > 3 || batch < 1) return CUFFT_INVALID_VALUE;
    for (int i = 0; i < rank; i++)
        is.n[i] = n[i];
    gw_cufft_forget(plan);
    if (gw_cufft_other(type) != type) {
        cufftResult result =
            cufftPlanMany(&is.back, rank, is.n, nullptr, 1, 0, nullptr, 1, 0, gw_cufft_other(type), batch);
        if (result == CUFFT_SUCCESS) result = cufftSetStream(is.back, stream);
        if (result != CUFFT_SUCCESS) return result;
    }
    gw_cufft_plans()[plan] = is;
    return CUFFT_SUCCESS;
}

/* The stream of a plan; of one that is not described the default one: its pullback fails. */
inline cudaStream_t gw_stream_of(cufftHandle plan) {
    const auto found = gw_cufft_plans().find(plan);
    return found == gw_cufft_plans().end() ? nullptr : found->second.stream;
}

/* ---- parts ---- */

inline cufftResult gw_cufft_exec(cufftHandle p, cufftComplex *x, cufftComplex *y, int way) {
    return cufftExecC2C(p, x, y, way);
}
inline cufftResult gw_cufft_exec(cufftHandle p, cufftDoubleComplex *x, cufftDoubleComplex *y, int way) {
    return cufftExecZ2Z(p, x, y, way);
}
inline cufftResult gw_cufft_exec(cufftHandle p, cufftReal *x, cufftComplex *y) { return cufftExecR2C(p, x, y); }
inline cufftResult gw_cufft_exec(cufftHandle p, cufftComplex *x, cufftReal *y) { return cufftExecC2R(p, x, y); }
inline cufftResult gw_cufft_exec(cufftHandle p, cufftDoubleReal *x, cufftDoubleComplex *y) {
    return cufftExecD2Z(p, x, y);
}
inline cufftResult gw_cufft_exec(cufftHandle p, cufftDoubleComplex *x, cufftDoubleReal *y) {
    return cufftExecZ2D(p, x, y);
}

/* to[i] += from[i], of real numbers; those of a half spectrum (`columns` complex ones in a row of `last`)
 * doubled where they have a mirror. */
template <class T> __global__ void gw_cufft_add(T *to, const T *from, size_t count, int columns, int last) {
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
        const int k = columns ? (int)(i / 2 % columns) : 0;
        to[i] += columns && k && 2 * k != last ? 2 * from[i] : from[i];
    }
}

/* What C2R turns into the sum of Re(from[k] e^(i ...)) over a half spectrum: half of those that have a mirror,
 * of the other planes the Hermitian part. */
template <class C> __global__ void gw_cufft_halve(C *to, const C *from, gw_cufft_plan p) {
    const int last = p.n[p.rank - 1], columns = last / 2 + 1, n0 = p.rank > 1 ? p.n[0] : 1,
              n1 = p.rank > 2 ? p.n[1] : 1;
    const size_t stride = (size_t)gridDim.x * blockDim.x, count = (size_t)p.batch * n0 * n1 * columns;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
        const int k = (int)(i % columns), k1 = (int)(i / columns % n1), k0 = (int)(i / columns / n1 % n0);
        const size_t b = i / columns / n1 / n0;
        C x = from[i], y = {0, 0};
        if (!k || 2 * k == last) y = from[((b * n0 + (n0 - k0) % n0) * n1 + (n1 - k1) % n1) * columns + k];
        x.x = (x.x + y.x) / 2, x.y = (x.y - y.y) / 2;
        to[i] = x;
    }
}

inline const gw_cufft_plan *gw_cufft_find(cufftHandle plan) {
    const auto found = gw_cufft_plans().find(plan);
    return found == gw_cufft_plans().end() ? nullptr : &found->second;
}

/* What was queued last, and the adjoint of the output, which is overwritten, is 0. */
inline cufftResult gw_cufft_end(void *d_y, size_t bytes, cudaStream_t stream) {
    if (cudaMemsetAsync(d_y, 0, bytes, stream) != cudaSuccess) return CUFFT_EXEC_FAILED;
    return cudaPeekAtLastError() == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

/* ---- the pullbacks: transforms are linear, so that none takes what a pointer leads to ---- */

template <class T, class C> cufftResult gw_cufft_complex_back(cufftHandle plan, int way, C *d_x, C *d_y) {
    const gw_cufft_plan *p = gw_cufft_find(plan);
    if (!p) return CUFFT_INVALID_PLAN;
    if (d_x == d_y) return gw_cufft_exec(plan, d_y, d_y, -way);
    const size_t count = p->reals();
    gw_library_room<C> room(count, p->stream);
    if (!room.at) return CUFFT_ALLOC_FAILED;
    const cufftResult result = gw_cufft_exec(plan, d_y, room.at, -way);
    if (result != CUFFT_SUCCESS) return result;
    gw_cufft_add<T>
        <<<gw_library_blocks(2 * count), 256, 0, p->stream>>>((T *)d_x, (const T *)room.at, 2 * count, 0, 0);
    return gw_cufft_end(d_y, count * sizeof(C), p->stream);
}

/* From real numbers to a half spectrum, backward. */
template <class T, class C> cufftResult gw_cufft_to_half_back(cufftHandle plan, T *d_x, C *d_y) {
    const gw_cufft_plan *p = gw_cufft_find(plan);
    if (!p) return CUFFT_INVALID_PLAN;
    if ((void *)d_x == (void *)d_y) return CUFFT_NOT_SUPPORTED;
    gw_library_room<C> half(p->halves(), p->stream);
    gw_library_room<T> room(p->reals(), p->stream);
    if (!half.at || !room.at) return CUFFT_ALLOC_FAILED;
    gw_cufft_halve<C><<<gw_library_blocks(p->halves()), 256, 0, p->stream>>>(half.at, d_y, *p);
    const cufftResult result = gw_cufft_exec(p->back, half.at, room.at);
    if (result != CUFFT_SUCCESS) return result;
    gw_cufft_add<T><<<gw_library_blocks(p->reals()), 256, 0, p->stream>>>(d_x, room.at, p->reals(), 0, 0);
    return gw_cufft_end(d_y, p->halves() * sizeof(C), p->stream);
}

/* From a half spectrum to real numbers, backward. */
template <class T, class C> cufftResult gw_cufft_from_half_back(cufftHandle plan, C *d_x, T *d_y) {
    const gw_cufft_plan *p = gw_cufft_find(plan);
    if (!p) return CUFFT_INVALID_PLAN;
    if ((void *)d_x == (void *)d_y) return CUFFT_NOT_SUPPORTED;
    gw_library_room<C> half(p->halves(), p->stream);
    if (!half.at) return CUFFT_ALLOC_FAILED;
    const cufftResult result = gw_cufft_exec(p->back, d_y, half.at);
    if (result != CUFFT_SUCCESS) return result;
    gw_cufft_add<T><<<gw_library_blocks(2 * p->halves()), 256, 0, p->stream>>>(
        (T *)d_x, (const T *)half.at, 2 * p->halves(), p->last() / 2 + 1, p->last());
    return gw_cufft_end(d_y, p->reals() * sizeof(T), p->stream);
}

#define GW_CUFFT_RULES(to_complex, to_half, from_half, T, C)                                                   \
    GW_DERIVATIVE_OF("pullback of " #to_complex)                                                               \
    inline cufftResult gw_##to_complex##_back(cufftHandle plan, C *, C *, int way, C *d_x, C *d_y) {           \
        return gw_cufft_complex_back<T, C>(plan, way, d_x, d_y);                                               \
    }                                                                                                          \
    GW_DERIVATIVE_OF("pullback of " #to_half)                                                                  \
    inline cufftResult gw_##to_half##_back(cufftHandle plan, T *, C *, T *d_x, C *d_y) {                       \
        return gw_cufft_to_half_back<T, C>(plan, d_x, d_y);                                                    \
    }                                                                                                          \
    GW_DERIVATIVE_OF("pullback of " #from_half)                                                                \
    inline cufftResult gw_##from_half##_back(cufftHandle plan, C *, T *, C *d_x, T *d_y) {                     \
        return gw_cufft_from_half_back<T, C>(plan, d_x, d_y);                                                  \
    }
GW_CUFFT_RULES(cufftExecC2C, cufftExecR2C, cufftExecC2R, cufftReal, cufftComplex)
GW_CUFFT_RULES(cufftExecZ2Z, cufftExecD2Z, cufftExecZ2D, cufftDoubleReal, cufftDoubleComplex)
#undef GW_CUFFT_RULES

#endif

/*
 * curand.cuh - cuRAND's host calls in programs (docs/guide/library-calls.md): what they fill is passive. Link
 * cuRAND.
 *
 * A program makes generators, and nobody can ask one for its stream. So behind this header's #include the names
 * of generators and of the calls mean a number and functions of this header, in programs and elsewhere; a
 * generator that was made before that gives CURAND_STATUS_NOT_INITIALIZED. Include it before what calls cuRAND,
 * or by -include. Generators of the host have no name here.
 *
 * No call runs twice: on the way back nothing is drawn, and a loop with GW_CHECKPOINT that draws is recorded
 * as if it had no mark (GW_DRAWS). The adjoint of what is filled is 0 in front of the call. A mean or deviation
 * has no adjoint: a gradient of which one is asked fails with CURAND_STATUS_TYPE_ERROR.
 */
#ifndef GRADWRIGHT_CURAND_CUH
#define GRADWRIGHT_CURAND_CUH

#ifndef CURAND_H_
#include <curand.h>
#endif
#include <cuda_runtime.h>

#include <map>

#include "gradwright/gradwright.h"
#include "gradwright/library_parts.cuh"

typedef unsigned long long gw_curand_generator;

struct gw_curand_state {
    curandGenerator_t own;
    cudaStream_t stream;
};

inline std::map<gw_curand_generator, gw_curand_state> &gw_curand_generators() {
    static std::map<gw_curand_generator, gw_curand_state> all;
    return all;
}

inline gw_curand_state *gw_curand_find(gw_curand_generator generator) {
    const auto found = gw_curand_generators().find(generator);
    return found == gw_curand_generators().end() ? nullptr : &found->second;
}

/* The stream on which the calls of a generator run; making one needs none. */
inline cudaStream_t gw_stream_of(gw_curand_generator generator) {
    const gw_curand_state *state = gw_curand_find(generator);
    return state ? state->stream : nullptr;
}
inline cudaStream_t gw_stream_of(gw_curand_generator *) { return nullptr; }

/* ---- generators ---- */

GW_NONDIFFERENTIABLE inline curandStatus_t gw_curand_create(gw_curand_generator *made, curandRngType_t kind) {
    static gw_curand_generator last = 0;
    gw_curand_state state = {nullptr, nullptr};
    *made = 0;
    GW_LIBRARY_TRY(curandStatus_t, CURAND_STATUS_SUCCESS, curandCreateGenerator(&state.own, kind));
    gw_curand_generators()[*made = ++last] = state;
    return CURAND_STATUS_SUCCESS;
}
GW_NONDIFFERENTIABLE inline curandStatus_t gw_curand_destroy(gw_curand_generator generator) {
    const gw_curand_state *state = gw_curand_find(generator);
    if (!state) return CURAND_STATUS_NOT_INITIALIZED;
    const curandStatus_t status = curandDestroyGenerator(state->own);
    gw_curand_generators().erase(generator);
    return status;
}
GW_NONDIFFERENTIABLE inline curandStatus_t gw_curand_set_stream(gw_curand_generator generator,
                                                                cudaStream_t stream) {
    gw_curand_state *state = gw_curand_find(generator);
    if (!state) return CURAND_STATUS_NOT_INITIALIZED;
    state->stream = stream;
    return curandSetStream(state->own, stream);
}

#define GW_CURAND_SET(name, call, type)                                                                        \
    GW_NONDIFFERENTIABLE inline curandStatus_t name(gw_curand_generator generator, type to) {                  \
        const gw_curand_state *state = gw_curand_find(generator);                                              \
        return state ? call(state->own, to) : CURAND_STATUS_NOT_INITIALIZED;                                   \
    }
GW_CURAND_SET(gw_curand_seed, curandSetPseudoRandomGeneratorSeed, unsigned long long)
GW_CURAND_SET(gw_curand_offset, curandSetGeneratorOffset, unsigned long long)
GW_CURAND_SET(gw_curand_order, curandSetGeneratorOrdering, curandOrdering_t)
GW_CURAND_SET(gw_curand_dimensions, curandSetQuasiRandomGeneratorDimensions, unsigned int)
#undef GW_CURAND_SET

GW_NONDIFFERENTIABLE inline curandStatus_t gw_curand_seeds(gw_curand_generator generator) {
    const gw_curand_state *state = gw_curand_find(generator);
    return state ? curandGenerateSeeds(state->own) : CURAND_STATUS_NOT_INITIALIZED;
}

/* ---- numbers ---- */

GW_DRAWS GW_NONDIFFERENTIABLE inline curandStatus_t gw_curand_integers(gw_curand_generator generator,
                                                                       unsigned int *to, size_t count) {
    const gw_curand_state *state = gw_curand_find(generator);
    return state ? curandGenerate(state->own, to, count) : CURAND_STATUS_NOT_INITIALIZED;
}

inline curandStatus_t gw_curand_clear(gw_curand_generator generator, void *d_to, size_t bytes, bool good) {
    if (!good) return CURAND_STATUS_TYPE_ERROR;
    const bool done = cudaMemsetAsync(d_to, 0, bytes, gw_stream_of(generator)) == cudaSuccess;
    return done ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

#define GW_CURAND_FILL(name, call, T)                                                                          \
    GW_DRAWS inline curandStatus_t name(gw_curand_generator generator, T *to, size_t count) {                  \
        const gw_curand_state *state = gw_curand_find(generator);                                              \
        return state ? call(state->own, to, count) : CURAND_STATUS_NOT_INITIALIZED;                            \
    }                                                                                                          \
    GW_DERIVATIVE_OF("pullback of " #name)                                                                     \
    inline curandStatus_t name##_back(gw_curand_generator generator, T *, size_t count, T *d_to) {             \
        return gw_curand_clear(generator, d_to, count * sizeof(T), true);                                      \
    }                                                                                                          \
    GW_DERIVATIVE_OF("jvp of " #name)                                                                          \
    inline curandStatus_t name##_along(gw_curand_generator generator, T *, size_t count, T *t_to) {            \
        return gw_curand_clear(generator, t_to, count * sizeof(T), true);                                      \
    }
GW_CURAND_FILL(gw_curand_uniform, curandGenerateUniform, float)
GW_CURAND_FILL(gw_curand_uniform_double, curandGenerateUniformDouble, double)
#undef GW_CURAND_FILL

#define GW_CURAND_FILL(name, call, T)                                                                          \
    GW_DRAWS inline curandStatus_t name(gw_curand_generator generator, T *to, size_t count, T mean,            \
                                        T deviation) {                                                         \
        const gw_curand_state *state = gw_curand_find(generator);                                              \
        return state ? call(state->own, to, count, mean, deviation) : CURAND_STATUS_NOT_INITIALIZED;           \
    }                                                                                                          \
    GW_DERIVATIVE_OF("pullback of " #name)                                                                     \
    inline curandStatus_t name##_back(gw_curand_generator generator, T *, size_t count, T, T, T *d_to,         \
                                      T *d_mean, T *d_deviation) {                                             \
        return gw_curand_clear(generator, d_to, count * sizeof(T), !d_mean && !d_deviation);                   \
    }                                                                                                          \
    GW_DERIVATIVE_OF("jvp of " #name)                                                                          \
    inline curandStatus_t name##_along(gw_curand_generator generator, T *, size_t count, T, T, T *t_to,        \
                                       T t_mean, T t_deviation) {                                              \
        return gw_curand_clear(generator, t_to, count * sizeof(T), t_mean == 0 && t_deviation == 0);           \
    }
GW_CURAND_FILL(gw_curand_normal, curandGenerateNormal, float)
GW_CURAND_FILL(gw_curand_normal_double, curandGenerateNormalDouble, double)
GW_CURAND_FILL(gw_curand_log_normal, curandGenerateLogNormal, float)
GW_CURAND_FILL(gw_curand_log_normal_double, curandGenerateLogNormalDouble, double)
#undef GW_CURAND_FILL

/* ---- names ---- */

#define curandGenerator_t                       gw_curand_generator
#define curandCreateGenerator                   gw_curand_create
#define curandDestroyGenerator                  gw_curand_destroy
#define curandSetStream                         gw_curand_set_stream
#define curandSetPseudoRandomGeneratorSeed      gw_curand_seed
#define curandSetGeneratorOffset                gw_curand_offset
#define curandSetGeneratorOrdering              gw_curand_order
#define curandSetQuasiRandomGeneratorDimensions gw_curand_dimensions
#define curandGenerateSeeds                     gw_curand_seeds
#define curandGenerate                          gw_curand_integers
#define curandGenerateUniform                   gw_curand_uniform
#define curandGenerateUniformDouble             gw_curand_uniform_double
#define curandGenerateNormal                    gw_curand_normal
#define curandGenerateNormalDouble              gw_curand_normal_double
#define curandGenerateLogNormal                 gw_curand_log_normal
#define curandGenerateLogNormalDouble           gw_curand_log_normal_double

#endif

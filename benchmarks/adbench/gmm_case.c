/* gmm_case.c - random mixtures of the published sizes. */
#include "gmm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct mixture {
    int d, k, n, m;
    double gamma;
    double *parameters, *x; /* parameters: alphas, means, icf */
    double *direction, *gradient, *product;
} mixture;

static const double *means_of(const mixture *g) { return g->parameters + g->k; }
static const double *icf_of(const mixture *g) { return g->parameters + g->k + g->k * g->d; }
static size_t parameter_count(const mixture *g) { return (size_t)(g->k * (1 + g->d + g->d * (g->d + 1) / 2)); }

static void objective(void *data, double *values) {
    const mixture *g = data;
    gmm_objective(g->d, g->k, g->n, g->parameters, means_of(g), icf_of(g), g->x, g->gamma, g->m, values);
}

static void reference(void *data, double *derivative) {
    const mixture *g = data;
    memset(derivative, 0, parameter_count(g) * sizeof *derivative);
    gmm_reference(g->d, g->k, g->n, g->parameters, means_of(g), icf_of(g), g->x, g->gamma, g->m, derivative,
                  derivative + g->k, derivative + g->k + g->k * g->d);
}

/* By the five-point formula, of gradients by hand. */
static void product_reference(void *data, double *want) {
    static const double weights[] = {1, -8, 0, 8, -1};
    const mixture *g = data;
    const size_t count = parameter_count(g);
    const double h = 0x1p-8 / sqrt((double)count);
    double *gradient = adbench_doubles(count), *at = adbench_doubles(count);
    memcpy(at, g->parameters, count * sizeof *at);
    memset(want, 0, count * sizeof *want);
    for (int step = 0; step < 5; step++) {
        for (size_t i = 0; i < count; i++) g->parameters[i] = at[i] + (step - 2) * h * g->direction[i];
        reference(data, gradient);
        for (size_t i = 0; i < count; i++) want[i] += weights[step] * gradient[i] / (12 * h);
    }
    memcpy(g->parameters, at, count * sizeof *at);
    free(gradient);
    free(at);
}

#ifdef ADBENCH_REFUSED
#define GENERATED NULL
#define MODE {0}
#else
#define GENERATED generated
static bool generated(void *data, double *derivative) {
    const mixture *g = data;
    memset(derivative, 0, parameter_count(g) * sizeof *derivative);
    return gmm_generated(g->d, g->k, g->n, g->parameters, means_of(g), icf_of(g), g->x, g->gamma, g->m,
                         derivative, derivative + g->k, derivative + g->k + g->k * g->d);
}

static bool times_vector(void *data) {
    const mixture *g = data;
    memset(g->gradient, 0, parameter_count(g) * sizeof *g->gradient);
    memset(g->product, 0, parameter_count(g) * sizeof *g->product);
    return gmm_product(g->d, g->k, g->n, g->parameters, means_of(g), icf_of(g), g->x, g->gamma, g->m,
                       g->direction, g->gradient, g->product);
}

static void product_result(void *data, double *got) {
    const mixture *g = data;
    memcpy(got, g->product, parameter_count(g) * sizeof *got);
}
#define MODE {"Hessian times vector", count, 1e-7, times_vector, product_result, product_reference}
#endif

static void product(void *data, const double *derivative, const double *direction, double *change) {
    *change = 0;
    for (size_t i = 0; i < parameter_count(data); i++)
        *change += derivative[i] * direction[i];
}

static void release(void *data) {
    mixture *g = data;
    free(g->parameters);
    free(g->x);
    free(g->direction);
    free(g->gradient);
    free(g->product);
    free(g);
}

static adbench_case make(const int *size) {
    mixture *g = adbench_memory(1, sizeof *g);
    adbench_random random = {(uint64_t)size[0] * 1000003u + (uint64_t)size[1] * 1009u + (uint64_t)size[2]};
    *g = (mixture){.n = size[0], .d = size[1], .k = size[2], .m = 0, .gamma = 1};
    size_t count = parameter_count(g), points = (size_t)g->n * (size_t)g->d;
    g->parameters = adbench_doubles(count);
    g->x = adbench_doubles(points);
    for (size_t i = 0; i < count; i++)
        g->parameters[i] = adbench_uniform(&random, 0, 1);
    for (size_t i = (size_t)(g->k + g->k * g->d); i < count; i++)
        g->parameters[i] = 0.3 * adbench_normal(&random);
    for (size_t i = 0; i < points; i++)
        g->x[i] = adbench_normal(&random);
    g->direction = adbench_doubles(count);
    g->gradient = adbench_doubles(count);
    g->product = adbench_doubles(count);
    for (size_t i = 0; i < count; i++)
        g->direction[i] = adbench_uniform(&random, -1, 1);
    return (adbench_case){g,         g->parameters, count,     1,       count,  1,
                          objective, GENERATED,     reference, product, release, MODE};
}

static const int published[][3] = {
    {1000, 2, 5},    {1000, 10, 5},    {1000, 10, 25},  {1000, 20, 25},  {1000, 32, 25},   {1000, 64, 25},
    {1000, 64, 200}, {1000, 128, 200}, {10000, 10, 25}, {10000, 32, 25}, {10000, 64, 200},
};
static const int small[][3] = {{7, 3, 4}, {20, 1, 2}, {5, 9, 1}, {30, 6, 5}};

const adbench_problem gmm_problem = {
    "gmm", "points, dimensions, components", make, published, sizeof published / sizeof *published,
    small, sizeof small / sizeof *small};

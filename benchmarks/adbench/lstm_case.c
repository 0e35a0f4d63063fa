/* lstm_case.c - random one-hot sequences of the published sizes. */
#include "lstm.h"

#include <stdlib.h>
#include <string.h>

typedef struct network {
    int layers, count, width;
    double *parameters, *state, *sequence; /* parameters: weights, extra */
} network;

static size_t weight_count(const network *n) { return (size_t)(8 * n->layers * n->width); }
static size_t parameter_count(const network *n) { return weight_count(n) + 3 * (size_t)n->width; }

static void objective(void *data, double *values) {
    const network *n = data;
    lstm_objective(n->layers, n->count, n->width, n->parameters, n->parameters + weight_count(n), n->state,
                   n->sequence, values);
}

static void reference(void *data, double *derivative) {
    const network *n = data;
    memset(derivative, 0, parameter_count(n) * sizeof *derivative);
    lstm_reference(n->layers, n->count, n->width, n->parameters, n->parameters + weight_count(n), n->state,
                   n->sequence, derivative, derivative + weight_count(n));
}

#ifdef ADBENCH_REFUSED
#define GENERATED NULL
#else
#define GENERATED generated
static bool generated(void *data, double *derivative) {
    const network *n = data;
    memset(derivative, 0, parameter_count(n) * sizeof *derivative);
    return lstm_generated(n->layers, n->count, n->width, n->parameters, n->parameters + weight_count(n),
                          n->state, n->sequence, derivative, derivative + weight_count(n));
}
#endif

static void product(void *data, const double *derivative, const double *direction, double *change) {
    *change = 0;
    for (size_t i = 0; i < parameter_count(data); i++)
        *change += derivative[i] * direction[i];
}

static void release(void *data) {
    network *n = data;
    free(n->parameters);
    free(n->state);
    free(n->sequence);
    free(n);
}

static adbench_case make(const int *size) {
    network *n = adbench_memory(1, sizeof *n);
    adbench_random random = {(uint64_t)size[0] * 100003u + (uint64_t)size[1]};
    *n = (network){.layers = size[0], .count = size[1], .width = size[2]};
    size_t count = parameter_count(n), width = (size_t)n->width, states = 2 * (size_t)n->layers * width;
    n->parameters = adbench_doubles(count);
    n->state = adbench_doubles(states);
    n->sequence = adbench_doubles((size_t)n->count * width);
    for (size_t i = 0; i < count; i++)
        n->parameters[i] = adbench_uniform(&random, -1, 1);
    for (size_t i = 0; i < states; i++)
        n->state[i] = adbench_uniform(&random, -1, 1);
    for (int t = 0; t < n->count; t++)
        n->sequence[(size_t)t * width + (size_t)adbench_below(&random, n->width)] = 1;
    return (adbench_case){n,         n->parameters, count,     1,       count,  1,
                          objective, GENERATED,     reference, product, release, {0}};
}

static const int published[][3] = {{2, 1024, 14}, {4, 1024, 14}, {2, 4096, 14}, {4, 4096, 14}};
static const int small[][3] = {{2, 5, 3}, {1, 2, 1}, {3, 9, 4}};

const adbench_problem lstm_problem = {
    "lstm", "layers, length, width",     make, published, sizeof published / sizeof *published,
    small,  sizeof small / sizeof *small};

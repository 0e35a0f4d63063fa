/* ba_case.c - random cameras that see random points, in the published numbers. */
#include "ba.h"

#include <math.h>
#include <stdlib.h>

typedef struct bundle {
    int cameras, points, seen;
    double *parameters, *features; /* parameters: cameras, points, weights */
    int *which;                    /* camera and point of each observation */
    gw_sparse jacobian;
    double *err;
} bundle;

typedef struct observation {
    const double *camera, *point, *weight, *feature;
} observation;

static size_t point_at(const bundle *b, int i) { return (size_t)b->cameras * BA_CAMERA + (size_t)i * BA_POINT; }
static size_t weight_at(const bundle *b, int i) { return point_at(b, b->points) + (size_t)i; }

static observation observed(const bundle *b, int i) {
    return (observation){b->parameters + b->which[2 * i] * BA_CAMERA,
                         b->parameters + point_at(b, b->which[2 * i + 1]), b->parameters + weight_at(b, i),
                         b->features + 2 * i};
}

static void objective(void *data, double *values) {
    const bundle *b = data;
    for (int i = 0; i < b->seen; i++) {
        observation o = observed(b, i);
        ba_reprojection(o.camera, o.point, o.weight, o.feature, values + 3 * (size_t)i);
        ba_weight_error(o.weight, values + 3 * (size_t)i + 2);
    }
}

enum { BLOCK = 2 * BA_ROW + 1 };

static void reference(void *data, double *derivative) {
    const bundle *b = data;
    for (int i = 0; i < b->seen; i++) {
        observation o = observed(b, i);
        double *block = derivative + BLOCK * (size_t)i;
        ba_reference(o.camera, o.point, o.weight, o.feature, block, block + 2 * BA_ROW);
    }
}

/* Entries of an observation: its errors do not depend on the other one's principal point. */
enum { ENTRIES = 2 * (BA_ROW - 1) + 1 };

/* The rows of a sparse Jacobian one after another. */
static void whole_reference(void *data, double *want) {
    const bundle *b = data;
    for (int i = 0; i < b->seen; i++) {
        double block[BLOCK];
        observation o = observed(b, i);
        ba_reference(o.camera, o.point, o.weight, o.feature, block, block + 2 * BA_ROW);
        for (int k = 0; k < 2; k++)
            for (int column = 0; column < BA_ROW; column++)
                if (column != 8 - k) *want++ = block[k * BA_ROW + column];
        *want++ = block[2 * BA_ROW];
    }
}

#ifdef ADBENCH_REFUSED
#define GENERATED NULL
#define MODE {0}
#else
#define GENERATED generated
static bool generated(void *data, double *derivative) {
    const bundle *b = data;
    bool done = true;
    for (int i = 0; i < b->seen && done; i++) {
        observation o = observed(b, i);
        double *block = derivative + BLOCK * (size_t)i;
        done = ba_generated(o.camera, o.point, o.weight, o.feature, block, block + 2 * BA_ROW);
    }
    return done;
}

static bool whole(void *data) {
    bundle *b = data;
    return ba_jacobian(b->cameras, b->points, b->seen, b->parameters, b->features, b->which, b->err,
                       &b->jacobian) == GW_OK;
}

static void whole_result(void *data, double *got) {
    const bundle *b = data;
    for (int i = 0; i < b->seen * ENTRIES; i++)
        got[i] = b->jacobian.entries == b->seen * ENTRIES ? b->jacobian.value[i] : NAN;
}
#define MODE {"sparse Jacobian", ENTRIES * seen, 1e-10, whole, whole_result, whole_reference}
#endif

static double times(int count, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

static void product(void *data, const double *derivative, const double *direction, double *change) {
    const bundle *b = data;
    for (int i = 0; i < b->seen; i++) {
        const double *block = derivative + BLOCK * (size_t)i;
        double weight = direction[weight_at(b, i)];
        for (int k = 0; k < 2; k++)
            change[3 * i + k] =
                times(BA_CAMERA, block + k * BA_ROW, direction + b->which[2 * i] * BA_CAMERA) +
                times(BA_POINT, block + k * BA_ROW + BA_CAMERA, direction + point_at(b, b->which[2 * i + 1])) +
                block[(k + 1) * BA_ROW - 1] * weight;
        change[3 * i + 2] = block[2 * BA_ROW] * weight;
    }
}

static void release(void *data) {
    bundle *b = data;
    free(b->parameters);
    free(b->features);
    free(b->which);
    free(b->err);
    gw_sparse_free(&b->jacobian);
    free(b);
}

/* A camera some units in front of the points, turned a little; the first is not turned at all. */
static void place_camera(double *camera, int number, adbench_random *random) {
    for (int i = 0; i < 3; i++)
        camera[i] = number == 0 ? 0 : adbench_uniform(random, -0.3, 0.3);
    for (int i = 3; i < 6; i++)
        camera[i] = adbench_uniform(random, -1, 1) - (i == 5 ? 6 : 0);
    camera[6] = adbench_uniform(random, 400, 800);
    for (int i = 7; i < 9; i++)
        camera[i] = adbench_uniform(random, -5, 5);
    for (int i = 9; i < 11; i++)
        camera[i] = adbench_uniform(random, -0.1, 0.1);
}

static adbench_case make(const int *size) {
    bundle *b = adbench_memory(1, sizeof *b);
    adbench_random random = {(uint64_t)size[2]};
    *b = (bundle){.cameras = size[0], .points = size[1], .seen = size[2], .jacobian = GW_SPARSE};
    size_t count = weight_at(b, b->seen), seen = (size_t)b->seen;
    b->parameters = adbench_doubles(count);
    b->features = adbench_doubles(2 * seen);
    b->which = adbench_memory(2 * seen, sizeof *b->which);
    b->err = adbench_doubles(3 * seen);
    for (int i = 0; i < b->cameras; i++)
        place_camera(b->parameters + i * BA_CAMERA, i, &random);
    for (size_t i = point_at(b, 0); i < point_at(b, b->points); i++)
        b->parameters[i] = adbench_uniform(&random, -1, 1);
    for (int i = 0; i < b->seen; i++) {
        double picture[2] = {0, 0}, one = 1;
        b->which[2 * i] = i < b->cameras ? i : adbench_below(&random, b->cameras);
        b->which[2 * i + 1] = i < b->points ? i : adbench_below(&random, b->points);
        observation o = observed(b, i);
        ba_reprojection(o.camera, o.point, &one, picture, b->features + 2 * i);
        for (int k = 0; k < 2; k++)
            b->features[2 * i + k] += adbench_normal(&random);
        b->parameters[weight_at(b, i)] = adbench_uniform(&random, 0.5, 1);
    }
    return (adbench_case){b,         b->parameters, count,     3 * seen, BLOCK * seen, 1,
                          objective, GENERATED,     reference, product,  release,      MODE};
}

static const int published[][3] = {
    {49, 7776, 31843},    {21, 11315, 36455},   {161, 48126, 182072},
    {372, 47423, 204472}, {257, 65132, 225911}, {253, 163691, 899155},
};
static const int small[][3] = {{3, 4, 9}, {1, 1, 1}, {5, 20, 60}};

const adbench_problem ba_problem = {
    "ba",  "cameras, points, observations", make, published, sizeof published / sizeof *published,
    small, sizeof small / sizeof *small};

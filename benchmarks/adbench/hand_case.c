/* hand_case.c - a synthetic hand whose skin follows its bones, in the published numbers of correspondences. */
#include "hand.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct hand {
    int count, vertices;
    int parents[HAND_BONES];
    double relatives[HAND_BONES * HAND_MATRIX], inverses[HAND_BONES * HAND_MATRIX];
    double theta[HAND_ANGLES];
    double *base, *weights, *points, *err, *jacobian;
    int *corresponding;
} hand;

static void objective(void *data, double *values) {
    const hand *h = data;
    hand_objective(h->parents, h->relatives, h->inverses, h->vertices, h->base, h->weights, h->count,
                   h->corresponding, h->points, h->theta, values);
}

static void reference(void *data, double *derivative) {
    const hand *h = data;
    for (int k = 0; k < HAND_ANGLES; k++) {
        double t_theta[HAND_ANGLES] = {0};
        t_theta[k] = 1;
        hand_reference(h->parents, h->relatives, h->inverses, h->vertices, h->base, h->weights, h->count,
                       h->corresponding, h->points, h->theta, t_theta, h->err, derivative + 3 * h->count * k);
    }
}

/* Row after row. */
static void whole_reference(void *data, double *want) {
    const hand *h = data;
    double *columns = adbench_doubles((size_t)h->count * 3 * HAND_ANGLES);
    reference(data, columns);
    for (int i = 0; i < 3 * h->count; i++)
        for (int k = 0; k < HAND_ANGLES; k++)
            want[HAND_ANGLES * i + k] = columns[3 * h->count * k + i];
    free(columns);
}

#ifdef ADBENCH_REFUSED
#define GENERATED NULL
#define MODE {0}
#else
#define GENERATED generated
static bool generated(void *data, double *derivative) {
    const hand *h = data;
    bool done = true;
    for (int k = 0; k < HAND_ANGLES && done; k++) {
        double t_theta[HAND_ANGLES] = {0};
        t_theta[k] = 1;
        done = hand_generated(h->parents, h->relatives, h->inverses, h->vertices, h->base, h->weights, h->count,
                              h->corresponding, h->points, h->theta, t_theta, h->err,
                              derivative + 3 * h->count * k);
    }
    return done;
}

static bool whole(void *data) {
    const hand *h = data;
    return hand_jacobian(h->parents, h->relatives, h->inverses, h->vertices, h->base, h->weights, h->count,
                         h->corresponding, h->points, h->theta, h->err, h->jacobian);
}

static void whole_result(void *data, double *got) {
    const hand *h = data;
    memcpy(got, h->jacobian, 3 * (size_t)h->count * HAND_ANGLES * sizeof *got);
}
#define MODE {"Jacobian", HAND_ANGLES * values, 1e-10, whole, whole_result, whole_reference}
#endif

static void product(void *data, const double *derivative, const double *direction, double *change) {
    const hand *h = data;
    memset(change, 0, 3 * (size_t)h->count * sizeof *change);
    for (int k = 0; k < HAND_ANGLES; k++)
        for (int i = 0; i < 3 * h->count; i++)
            change[i] += derivative[3 * h->count * k + i] * direction[k];
}

static void release(void *data) {
    hand *h = data;
    free(h->base);
    free(h->weights);
    free(h->points);
    free(h->err);
    free(h->jacobian);
    free(h->corresponding);
    free(h);
}

/* The wrist lies at the origin, fingers start at the palm; every bone is turned a little about z. */
static void build_bones(hand *h, adbench_random *random) {
    double angle[HAND_BONES] = {0}, place[HAND_BONES][2] = {{0, 0}};
    for (int bone = 0; bone < HAND_BONES; bone++) {
        int finger = (bone - 2) / 4, parent = bone < 2 ? bone - 1 : (bone - 2) % 4 == 0 ? 1 : bone - 1;
        double turned = adbench_uniform(random, -0.2, 0.2), step[2] = {bone == 0 ? 0.0 : 1.0, 0};
        if (bone >= 2 && parent == 1) step[1] = 0.4 * (finger - 2);
        double *m = h->relatives + bone * HAND_MATRIX, *inverse = h->inverses + bone * HAND_MATRIX;
        double relative[HAND_MATRIX] = {cos(turned), -sin(turned), 0, step[0], sin(turned), cos(turned),
                                        0,           step[1],      0, 0,       1,           0};
        memcpy(m, relative, sizeof relative);
        h->parents[bone] = parent;
        double before = parent < 0 ? 0 : angle[parent];
        angle[bone] = before + turned;
        for (int i = 0; i < 2; i++)
            place[bone][i] = parent < 0 ? 0 : place[parent][i];
        place[bone][0] += cos(before) * step[0] - sin(before) * step[1];
        place[bone][1] += sin(before) * step[0] + cos(before) * step[1];
        double c = cos(angle[bone]), s = sin(angle[bone]);
        double back[HAND_MATRIX] = {c,  s, 0, -c * place[bone][0] - s * place[bone][1],
                                    -s, c, 0, s * place[bone][0] - c * place[bone][1],
                                    0,  0, 1, 0};
        memcpy(inverse, back, sizeof back);
    }
}

/* A vertex follows up to four bones, the others with weight 0. */
static void build_skin(hand *h, adbench_random *random) {
    for (int v = 0; v < h->vertices; v++) {
        double sum = 0;
        for (int i = 0; i < 3; i++)
            h->base[3 * v + i] = adbench_uniform(random, -1, i == 0 ? 5 : 1);
        for (int k = 0; k < 4; k++) {
            double weight = adbench_uniform(random, 0.1, 1);
            h->weights[adbench_below(random, HAND_BONES) * h->vertices + v] += weight;
            sum += weight;
        }
        for (int bone = 0; bone < HAND_BONES; bone++)
            h->weights[bone * h->vertices + v] /= sum;
    }
}

static adbench_case make(const int *size) {
    hand *h = adbench_memory(1, sizeof *h);
    adbench_random random = {(uint64_t)size[0] * 100003u + (uint64_t)size[1]};
    h->count = size[0];
    h->vertices = size[1];
    size_t vertices = (size_t)h->vertices, values = 3 * (size_t)h->count;
    h->base = adbench_doubles(3 * vertices);
    h->weights = adbench_doubles(HAND_BONES * vertices);
    h->points = adbench_doubles(values);
    h->err = adbench_doubles(values);
    h->jacobian = adbench_doubles(HAND_ANGLES * values);
    h->corresponding = adbench_memory((size_t)h->count, sizeof *h->corresponding);
    build_bones(h, &random);
    build_skin(h, &random);
    for (int i = 0; i < HAND_ANGLES; i++)
        h->theta[i] = adbench_uniform(&random, -0.5, 0.5);
    for (int i = 0; i < h->count; i++)
        h->corresponding[i] = adbench_below(&random, h->vertices);
    for (size_t i = 0; i < values; i++)
        h->points[i] = adbench_uniform(&random, -2, 2);
    return (adbench_case){h,           h->theta,  HAND_ANGLES, values,    HAND_ANGLES * values,
                          HAND_ANGLES, objective, GENERATED,   reference, product,
                          release,     MODE};
}

static const int published[][3] = {{100, 544},   {192, 544},   {400, 544},    {1600, 544},
                                   {100, 10000}, {400, 10000}, {1600, 10000}, {6400, 10000}};
static const int small[][3] = {{9, 12}, {1, 1}, {20, 50}};

const adbench_problem hand_problem = {
    "hand", "correspondences, vertices", make, published, sizeof published / sizeof *published,
    small,  sizeof small / sizeof *small};

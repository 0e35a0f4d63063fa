/* C of its own: comparisons are int, structs by tag, compound literals, designators (semantics_test.c). */
#include "semantics.h"

#include <gradwright/gradwright.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#define CASE(name)                                                                                             \
    GW_GRADIENT("wrt a")                                                                                       \
    double name(double *restrict a, float *b, int *c, semantics_record *r, int n, unsigned u)

struct point {
    double x, y;
};
typedef struct {
    struct point corner[2];
    int tag;
} box;
enum color { RED, GREEN = 4, BLUE };

static struct point mirror(struct point p) { return (struct point){.y = p.x, .x = p.y}; }
static double area(const box *q) {
    double w = q->corner[1].x - q->corner[0].x, h = q->corner[1].y - q->corner[0].y;
    return w * h;
}
static inline void grow(box *q, double by) {
    for (int i = 0; i < 2; i++)
        q->corner[i].x *= by, q->corner[i].y += by;
}

CASE(c_structs) {
    struct point p = {a[0], a[1]}, q = mirror(p), z = {0};
    box t = {.tag = 3, .corner = {[1] = {.x = 4, .y = q.x}}};
    grow(&t, 1.5);
    p = q;
    z.x += p.y;
    t.corner[0] = mirror(z);
    box copy = t;
    copy.corner[1].y++;
    semantics_vector v = r[0].position;
    v.x = fabsf(v.x) + (float)(n > 2);
    r[1].position = v;
    *(&r[2].count) -= t.tag;
    return area(&t) + area(&copy) + p.x * z.x;
}

CASE(c_conversions) {
    int truth = (n < 3) + (n == 2) * 2 + !n + (u && n);
    char letter = 'a';
    letter += truth;
    bool flag = u & 3;
    enum color k = n > 1 ? GREEN : RED;
    unsigned short s = (unsigned short)-n;
    long l = s * 65536L;
    size_t z = sizeof(box) + sizeof truth;
    return truth + letter + flag + k + BLUE + (double)l + z + (b[0] > 0 ? 1 : 2.5f);
}

CASE(c_control) {
    double s = 0;
    int i = 0, j;
    for (; i < 4; i++) {
        if (c[i] < 0) continue;
        s += a[i];
    }
    for (j = n;; j--) {
        if (j < -3) break;
        if (c[j & 7] == 3) s += 1;
    }
    while (i) {
        i--;
        switch (c[i]) {
        case 0:
            continue;
        case 1:
            s += 1;
        case 2:
            s *= 2;
            break;
        default:
            s -= 1;
        }
    }
    do
        s = s / 2 + 1;
    while (s > 3);
    return s + i + j;
}

static const float weights[3] = {0.25f, 0.5f, 0.125f};
CASE(c_arrays) {
    double m[2][3] = {{1, 2, 3}, {4}}, *p = &m[0][0];
    p[2] += 7;
    float w[4] = {[2] = 5, 6};
    double s = 0;
    for (int i = 0; i < 3; i++)
        s += m[0][i] * weights[i] + m[1][i] + w[i + 1];
    for (const double *e = a, *end = a + 5; e < end; e++)
        s += *e;
    return s + (double)(&p[4] - p);
}

#define ROW(name) {#name, name},
const semantics_row semantics_rows[] = {ROW(c_structs) ROW(c_conversions) ROW(c_control) ROW(c_arrays)};
const int semantics_count = sizeof semantics_rows / sizeof *semantics_rows;

void *semantics_global(const char *name) { return strcmp(name, "weights") == 0 ? (void *)weights : NULL; }

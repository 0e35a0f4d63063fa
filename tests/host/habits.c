/* C as people write it: structs that own memory, and are made by functions of their own. */
#include "difference.h"

#include <gradwright/gradwright.h>

enum { N = 8 };

/* ---- a matrix on the heap; one way out for all ---- */
typedef struct matrix {
    int rows, columns;
    double *data;
} matrix;

static void matrix_free(matrix *m) {
    if (!m) return;
    free(m->data);
    free(m);
}

static matrix *matrix_new(int rows, int columns) {
    matrix *m = malloc(sizeof *m);
    if (!m) return NULL;
    m->rows = rows, m->columns = columns;
    m->data = calloc((size_t)rows * (size_t)columns, sizeof(double));
    if (m->data) return m;
    matrix_free(m);
    return NULL;
}

static double *at(matrix *m, int i, int j) { return &m->data[i * m->columns + j]; }

static void product(matrix *to, matrix *a, matrix *b) {
    for (int i = 0; i < a->rows; i++)
        for (int j = 0; j < b->columns; j++)
            for (int k = 0; k < a->columns; k++) *at(to, i, j) += *at(a, i, k) * *at(b, k, j);
}

GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x")
double determinant(const double *x, int n) {
    matrix *a = NULL, *b = NULL, *c = NULL;
    double result = 0;
    if (n < 2) goto out;
    a = matrix_new(2, n / 2), b = matrix_new(n / 2, 2), c = matrix_new(2, 2);
    if (!a || !b || !c) goto out;
    memcpy(a->data, x, (size_t)n * sizeof *x);
    for (int i = 0; i < n; i++) b->data[i] = sin(x[n - 1 - i]);
    product(c, a, b);
    result = *at(c, 0, 0) * *at(c, 1, 1) - *at(c, 0, 1) * *at(c, 1, 0);
out:
    matrix_free(a), matrix_free(b), matrix_free(c);
    return result;
}

/* ---- one made anew by each iteration ---- */
GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x")
double row_by_row(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        matrix *row = matrix_new(1, i + 1);
        for (int j = 0; j < row->columns; j++) row->data[j] = x[j] * x[i];
        for (int j = 0; j < row->columns; j++) sum += row->data[j] * row->data[row->columns - 1 - j];
        matrix_free(row);
    }
    return sum;
}

/* ---- two buffers that change places, freed wherever they are ---- */
struct buffers {
    double *now, *next;
    struct buffers *outer;
};

static struct buffers *buffers_new(int n, struct buffers *outer) {
    struct buffers *b = calloc(1, sizeof *b);
    b->now = malloc((size_t)n * sizeof *b->now), b->next = malloc((size_t)n * sizeof *b->next);
    b->outer = outer;
    return b;
}

static void turn(struct buffers *b) {
    double *was = b->now;
    b->now = b->next, b->next = was;
}

GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x")
double smoothed(const double *x, int n) {
    struct buffers *first = buffers_new(n, NULL), *b = buffers_new(n, first);
    memcpy(b->now, x, (size_t)n * sizeof *x);
    for (int i = 0; i < n; i++) first->now[i] = x[i] * x[0];
    for (int k = 0; k < 3; k++, turn(b))
        for (int i = 0; i < n; i++) b->next[i] = sin(b->now[i]) + 0.2 * b->now[(i + 1) % n] * b->now[i];
    double sum = 0;
    for (int i = 0; i < n; i++) sum += b->now[i] * b->outer->now[i];
    free(b->now), free(b->next), free(b);
    free(first->now), free(first->next), free(first);
    return sum;
}

/* ---- labels that are gone back to: out of a loop, in one of its iterations, around other labels ---- */
GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x")
double gone_back(const double *x, int n) {
    double sum = 0, p = 1;
    int tries = 0, k = 0;
retry:
    for (int i = 0; i < n; i++) {
        int j = 0;
    inner:
        if (j >= i) goto next;
        sum += x[j] * p;
        if (++j == 4 && i == 5) continue;
        if (sum > 2 && tries < 2) {
            tries++, sum *= 0.5;
            goto retry;
        }
        p *= 0.9;
        goto inner;
    next:
        sum += 0.01 * p * sum;
    }
top:
    tries++;
    double q = sum * 0.5 + tries;
low:
    q = q * 0.7 + x[k % n];
    if (++k % 3) goto low;
    if (q > 40) goto last;
    sum += q * x[1];
    if (tries < 6) goto top;
last:
    return sum * sum;
}

/* ---- labels of a switch inside of its loop: Duff's device ---- */
#pragma GCC diagnostic ignored "-Wimplicit-fallthrough"
GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x")
double unrolled(const double *x, int n) {
    double sum = 0;
    for (int start = 0; start < 9; start++) {
        int i = start % n, rounds = 3;
        switch (start) {
        case 0: sum += 0.1;
        case 7: sum *= 0.9; /* falls into the loop */
        case 4:
            sum += x[0];
            do {
                sum += x[i++ % n] * 0.3 * sum;
                if (sum > 40) break;
        case 3: sum += x[i++ % n];
        case 2:
        case 8: {
                sum += x[i % n] * x[i % n];
        case 1: sum = sum * 0.8 + x[i++ % n];
                }
                if (i == 5) continue;
                sum += 0.01 * sum * x[2];
            } while (--rounds > 0);
            sum += x[3];
            break;
        case 5: sum -= x[4]; break;
        default: sum += x[5] * sum * 0.1;
        }
    }
    return sum;
}

/* ---- the C library's sort and search; an array of a type that is asked for ---- */
struct item {
    double key, weight;
    int id;
};
static int by_key(const void *a, const void *b) {
    const struct item *p = a, *q = b;
    return p->key < q->key ? -1 : p->key > q->key ? 1 : p->id - q->id;
}
static int falling(const void *a, const void *b) {
    const double p = *(const double *)a, q = *(const double *)b;
    return (p < q) - (p > q);
}
static int by_id(const void *id, const void *a) { return *(const int *)id - ((const struct item *)a)->id; }
static void arrange(double *a, size_t n, int (*order)(const void *, const void *)) {
    qsort(a, n, sizeof a[0], order);
}

GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x")
double ordered(const double *x, int n) {
    double *b = aligned_alloc(64, (size_t)n * sizeof *b), sum = 0;
    __typeof__(*b) c[n];
    struct item t[N];
    for (int i = 0; i < n; i++) {
        b[i] = 2 * x[i] + x[0], c[i] = b[i] * x[i];
        t[i] = (struct item){x[i] > 0 ? x[i] : 0, x[i] * x[(i + 1) % n], i}; /* two keys are equal */
    }
    arrange(b, (size_t)n, falling);
    qsort(&c[1], (size_t)n - 1, sizeof(double), falling);
    qsort(t, (size_t)n, sizeof *t, by_key);
    for (int i = 0; i < n; i++) sum += b[i] * c[i] * (i + 1) + t[i].key * t[i].weight * (i + 2);
    for (int i = 0; i < n; i++) t[i].id = 2 * i;
    for (int id = 0; id < 2 * n; id++) {
        const struct item *one = bsearch(&id, t, (size_t)n, sizeof *t, by_id);
        if (one) sum += one->weight * id;
    }
    free(b);
    return sum;
}

#include "habits.grad.h"

#define CASE(f)                                                                       \
    static double f##_loss(const double *x) { return f(x, N); }                       \
    static void f##_check(const double *x, const double *t_x) {                       \
        double d_x[N] = {0}, tangent = 0, along = 0;                                  \
        (void)f##_grad(x, N, d_x);                                                    \
        check_within(#f, f##_loss, x, N, d_x, 1e-7, 1e-3);                            \
        EXPECT(fabs(f##_jvp(x, N, t_x, &tangent) - f(x, N)) < 1e-12);                 \
        for (int i = 0; i < N; i++) along += d_x[i] * t_x[i];                         \
        EXPECT(fabs(tangent - along) < 1e-12 * (1 + fabs(along)));                    \
    }
CASE(determinant)
CASE(row_by_row)
CASE(smoothed)
CASE(gone_back)
CASE(unrolled)
CASE(ordered)

int main(void) {
    const double x[N] = {0.5, 1.25, -0.75, 1.5, 0.875, 1.125, -0.25, 0.625};
    const double t_x[N] = {1, -0.5, 2, 0.25, -1, 3, 0.5, -1.5};
    determinant_check(x, t_x);
    row_by_row_check(x, t_x);
    smoothed_check(x, t_x);
    gone_back_check(x, t_x);
    unrolled_check(x, t_x);
    ordered_check(x, t_x);
    return difference_failures != 0;
}
